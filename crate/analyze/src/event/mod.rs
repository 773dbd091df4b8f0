//! Everything about one event: its place, own time and links, and the statistics of its name.
//!
//! A slice's own columns (shapes, grid, correlation) are in the trace; here is what must be searched for.
//! Only [`SameName`] and the backward pass by sequence numbers look at all slices, once each.

mod bytes;
mod calls;
mod collective;
mod family;
mod links;
mod same;
#[cfg(test)]
mod tests;

pub use self::bytes::collective_bytes;
pub(super) use self::bytes::{collective_elements_bytes, element_bytes};
pub use self::calls::QueuePlace;
use self::calls::queue_place;
pub use self::collective::is_collective;
pub use self::links::{DrawnFlow, Link, LinkKind};
pub use self::same::SameName;
use super::all::Analysis;
use super::devices::{SmLimits, device_of};
use super::find::StepOf;
use super::occupancy::{Occupancy, Waves, occupancy, waves};
use stepscope_base::Nanos;
use stepscope_trace::{Activity, EventId, Layer, NameId, Trace};

/// Limits of the lists in an event's details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventConfig {
    /// Most children that are listed.
    pub children: usize,
    /// Most events of each kind of link that are listed.
    pub linked: usize,
    /// Most flows that are drawn.
    pub flows: usize,
}

impl EventConfig {
    /// Twenty children, twenty events of a kind of link, 200 flows.
    #[must_use]
    pub fn standard() -> Self {
        Self { children: 20, linked: 20, flows: 200 }
    }
}

/// The Python code that an event comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventStack {
    /// The event of the stack: the event itself, or what launched it from the host; none if nothing did.
    pub of: EventId,
    /// The producer's own text of the stack, from the innermost operator around that has one.
    pub text: NameId,
    /// The Python functions that are open on its thread when it starts, the innermost first.
    pub frames: Vec<EventId>,
}

/// Facts about an event beyond its own columns.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDetail {
    /// The slice.
    pub event: EventId,
    /// Its length without the union of its children.
    pub own: Nanos,
    /// Index of its step: by launch for activities, else the one in which it begins.
    pub step: Option<usize>,
    /// Number of slices directly inside it.
    pub children: u64,
    /// The first of them.
    pub first_children: Vec<EventId>,
    /// The Python code that it comes from.
    pub stack: EventStack,
    /// Its links, by kind.
    pub links: Vec<Link>,
    /// The first flows to draw: of the event itself, and for an operator also of what it launched.
    pub flows: Vec<DrawnFlow>,
    /// Number of all flows.
    pub flow_count: u64,
    /// Its wait in its stream's queue; for an activity whose call is known.
    pub queued: Option<QueuePlace>,
    /// Bytes per nanosecond, which are GB/s, of a copy or memset whose bytes are known.
    pub gigabytes_per_second: Option<f64>,
    /// The theoretical occupancy of a kernel, where its launch and the device determine it.
    pub occupancy: Option<Occupancy>,
    /// The waves of its grid.
    pub waves: Option<Waves>,
    /// The slices of its name and class.
    pub same: SameName,
}

/// Looks into an event; none if there is no such slice.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{AnalysisConfig, EventConfig, LinkKind, event_detail};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":9},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":15,"args":{"device":0,"stream":7,"correlation":9}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let analysis = analyze::analyze(&trace, &AnalysisConfig::standard());
/// let look = |event| event_detail(&trace, &analysis, event, EventConfig::standard()).expect("a slice");
/// let kernel = trace.activities[0].event;
/// let found = look(kernel);
/// assert_eq!(found.queued.map(|queued| (queued.delay, queued.ahead)), Some((Nanos(5_000), 0)));
/// let [call, operator] = [&found.links[0], &found.links[1]];
/// assert_eq!((call.kind, trace.name_of(call.first[0])), (LinkKind::Call, "cudaLaunchKernel"));
/// assert_eq!((operator.kind, trace.name_of(operator.first[0])), (LinkKind::Operator, "aten::mm"));
/// let operator = look(operator.first[0]);
/// assert_eq!((operator.own, operator.children), (Nanos(7_000), 1));
/// assert_eq!((operator.links[0].kind, &operator.links[0].first[..]), (LinkKind::Launched, &[kernel][..]));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn event_detail(trace: &Trace, analysis: &Analysis, event: EventId, config: EventConfig) -> Option<EventDetail> {
    if event.index() >= trace.slices.len() {
        return None;
    }
    let (children, first_children, own) = family::children(trace, event, config.children);
    let activity = trace.activity(event);
    let step = StepOf::new(trace, &analysis.steps).index(event);
    let same = SameName::of(trace, event);
    let mut links = links::links(trace, event, config.flows);
    let (flows, flow_count) = links::flows(event, &links, config.flows);
    for link in &mut links {
        link.first.truncate(config.linked);
    }
    let launch = activity.and_then(|activity| trace.config(activity));
    let device = trace.stream_of(event).and_then(|stream| device_of(trace, stream.device));
    let occupancy = launch.zip(device).and_then(|(launch, device)| occupancy(&SmLimits::of(device)?, launch));
    let waves = launch.zip(occupancy).and_then(|(launch, found)| waves(launch, device?.multiprocessors?, found.blocks));
    let length = trace.slices.length(event);
    #[expect(clippy::cast_precision_loss, reason = "a rate for display")]
    let rate = |bytes: u64| (length > Nanos::ZERO).then(|| bytes as f64 / length.0 as f64);
    Some(EventDetail {
        event,
        own,
        step,
        children,
        first_children,
        stack: stack(trace, event),
        links,
        flows,
        flow_count,
        queued: activity.and_then(|activity| queue_place(trace, activity)),
        gigabytes_per_second: activity.and_then(Activity::known_bytes).and_then(rate),
        occupancy,
        waves,
        same,
    })
}

/// The Python code that an event, or what launched it, comes from.
fn stack(trace: &Trace, event: EventId) -> EventStack {
    let of = match trace.activity(event) {
        Some(activity) => activity.call.get().unwrap_or(activity.operator),
        None => event,
    };
    let Some(of) = of.get() else { return EventStack::default() };
    let track = &trace.tracks[trace.slices.track(of).index()];
    let frames = match track.layer {
        Layer::Python => trace.slices.ancestors(of).collect(),
        Layer::Host => family::frames_at(trace, track, trace.slices.start(of)),
        _ => return EventStack::default(),
    };
    let told = |id: EventId| {
        let found = trace.stacks.binary_search_by_key(&id, |(event, _)| *event).ok()?;
        Some(trace.stacks[found].1)
    };
    // The operator that launched it may be on another thread's row than the call, as on an Ascend.
    let operator = trace.activity(event).and_then(|activity| activity.operator.get());
    let around = std::iter::once(of).chain(trace.slices.ancestors(of)).chain(operator);
    EventStack { of, text: around.filter_map(told).next().unwrap_or_default(), frames }
}
