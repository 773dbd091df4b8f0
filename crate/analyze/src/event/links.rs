//! Links of an event: launches, flows, the backward pass, waits.

use std::collections::BinaryHeap;
use std::ops::Range;

use super::calls::calls_of;
use super::family::open_at;
use stepscope_base::Nanos;
use stepscope_trace::{Activity, Class, EventId, Flow, Layer, NO_SERIAL, NameId, Trace, Track};

/// The relation of a linked event to the event that is looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// The runtime or driver call that launched or caused it.
    Call,
    /// The innermost operator around that call, or around it.
    Operator,
    /// The activities that it, or anything inside it, launched.
    Launched,
    /// The host's ranges, as mirrored to the device, in which it ran; for a host's range, its own mirrored ones.
    DeviceRange,
    /// The host's range that it mirrors.
    HostRange,
    /// The forward operators that a backward one came from.
    Forward,
    /// The backward operators that came from it.
    Backward,
    /// Sources of the file's own flows of a kind.
    FlowIn,
    /// Targets of the file's own flows of a kind.
    FlowOut,
    /// The wait on the device's rows that a call caused.
    Synchronization,
    /// The call that recorded the event for which it waits.
    Awaited,
    /// The waits for the event that it recorded.
    AwaitedBy,
}

impl LinkKind {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Operator => "operator",
            Self::Launched => "launched",
            Self::DeviceRange => "device_range",
            Self::HostRange => "host_range",
            Self::Forward => "forward",
            Self::Backward => "backward",
            Self::FlowIn => "flow_in",
            Self::FlowOut => "flow_out",
            Self::Synchronization => "synchronization",
            Self::Awaited => "awaited",
            Self::AwaitedBy => "awaited_by",
        }
    }

    /// Whether the flow leads to the event that is looked into.
    fn leads_here(self) -> bool {
        matches!(self, Self::Call | Self::Operator | Self::HostRange | Self::Forward | Self::FlowIn | Self::Awaited)
    }
}

/// The events that are linked with one in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The kind of link.
    pub kind: LinkKind,
    /// The name of the flows in the file; none for links that are no flows of the file.
    pub flow: NameId,
    /// Number of events.
    pub count: u64,
    /// The first of them.
    pub first: Vec<EventId>,
    /// Sources of the flows to these, where that is not the event itself.
    from: Vec<EventId>,
    /// Whether flows are drawn; not for events around this one on its own row.
    is_drawn: bool,
}

impl Link {
    fn new(kind: LinkKind) -> Self {
        Self { kind, flow: NameId::NONE, count: 0, first: Vec::new(), from: Vec::new(), is_drawn: true }
    }

    fn of(kind: LinkKind, events: impl IntoIterator<Item = EventId>, most: usize) -> Self {
        let mut link = Self::new(kind);
        for event in events {
            link.add(event, most);
        }
        link
    }

    fn not_drawn(self) -> Self {
        Self { is_drawn: false, ..self }
    }

    fn add(&mut self, event: EventId, most: usize) {
        self.count += 1;
        if self.first.len() < most {
            self.first.push(event);
        }
    }
}

/// A flow to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnFlow {
    /// The kind of link.
    pub kind: LinkKind,
    /// Its source.
    pub from: EventId,
    /// Its target.
    pub to: EventId,
}

/// The first flows of an event by its links, and the number of all.
pub(super) fn flows(event: EventId, links: &[Link], most: usize) -> (Vec<DrawnFlow>, u64) {
    let drawn = links.iter().filter(|link| link.is_drawn);
    let (mut found, mut count) = (Vec::new(), 0);
    for link in drawn {
        count += link.count;
        for (index, other) in link.first.iter().enumerate().take(most - found.len().min(most)) {
            let own = link.from.get(index).copied().and_then(EventId::get).unwrap_or(event);
            let (from, to) = if link.kind.leads_here() { (*other, own) } else { (own, *other) };
            found.push(DrawnFlow { kind: link.kind, from, to });
        }
    }
    (found, count)
}

/// The links of an event, up to `most` events of each kind.
pub(super) fn links(trace: &Trace, event: EventId, most: usize) -> Vec<Link> {
    let class = trace.slices.class(event);
    let mut found = Vec::new();
    if let Some(activity) = trace.activity(event) {
        found.push(Link::of(LinkKind::Call, activity.call.get(), most));
        // A call is between an operator and what it launched.
        let operator = Link::of(LinkKind::Operator, activity.operator.get(), most);
        found.push(Link { is_drawn: activity.call.get().is_none(), ..operator });
        let track = &trace.tracks[trace.slices.track(event).index()];
        let around = open_at(trace, track, Layer::DeviceAnnotation, trace.slices.start(event));
        found.push(Link::of(LinkKind::DeviceRange, around, most).not_drawn());
    }
    match class {
        Class::RuntimeCall => {
            let operator = trace.slices.ancestors(event).find(|id| trace.slices.class(*id) == Class::Operator);
            found.push(Link::of(LinkKind::Operator, operator, 1).not_drawn());
            found.push(launched(trace, most, |activity| activity.call == event));
            found.extend(waits_of_call(trace, event, most));
        }
        Class::Synchronization | Class::DeviceMarker => found.extend(waits(trace, event, most)),
        Class::DeviceAnnotation => found.push(mirrored(trace, event, Class::Annotation, most)),
        Class::Operator | Class::Annotation | Class::PythonFrame | Class::Other => {
            let inside = Inside::of(trace, event);
            found.push(launched(trace, most, |activity| inside.launched(trace, activity)));
            if class == Class::Annotation {
                found.push(mirrored(trace, event, Class::DeviceAnnotation, most));
            }
        }
        _ => {}
    }
    found.extend(by_flows(trace, event, most));
    found.retain(|link| link.count > 0);
    found
}

/// The inside of an event on the host: rows of tracks, and the end.
struct Inside {
    event: EventId,
    rows: Vec<Range<usize>>,
    end: Nanos,
}

impl Inside {
    fn of(trace: &Trace, event: EventId) -> Self {
        let slices = &trace.slices;
        let (start, end) = (slices.start(event), slices.end(event));
        let track = &trace.tracks[slices.track(event).index()];
        let mut rows = Vec::new();
        match track.layer {
            Layer::Host => rows.push(event.index() + 1..slices.first_at(track.rows(), end)),
            // The function's calls are on the thread's other row.
            Layer::Python => {
                let host = trace.tracks.iter().filter(|other| {
                    other.layer == Layer::Host && (other.process, other.thread) == (track.process, track.thread)
                });
                rows.extend(host.map(|other| slices.first_at(other.rows(), start)..slices.first_at(other.rows(), end)));
            }
            _ => {}
        }
        Self { event, rows, end }
    }

    fn has(&self, trace: &Trace, id: EventId) -> bool {
        id == self.event || self.rows.iter().any(|rows| rows.contains(&id.index())) && trace.slices.end(id) <= self.end
    }

    fn launched(&self, trace: &Trace, activity: &Activity) -> bool {
        [activity.call, activity.operator].into_iter().filter_map(EventId::get).any(|id| self.has(trace, id))
    }
}

/// The wanted activities, the earliest first, each with the source of its flow.
fn launched(trace: &Trace, most: usize, wanted: impl Fn(&Activity) -> bool) -> Link {
    let mut link = Link::new(LinkKind::Launched);
    let mut earliest: BinaryHeap<(Nanos, EventId, EventId)> = BinaryHeap::new();
    for activity in trace.activities.iter().filter(|activity| wanted(activity)) {
        link.count += 1;
        let from = activity.call.get().unwrap_or(activity.operator);
        earliest.push((trace.slices.start(activity.event), activity.event, from));
        if earliest.len() > most {
            earliest.pop();
        }
    }
    for (_, event, from) in earliest.into_sorted_vec() {
        link.first.push(event);
        link.from.push(from);
    }
    link
}

/// The ranges of a class that are the same as an annotation, by name and id: the profiler mirrors ranges to devices.
fn mirrored(trace: &Trace, event: EventId, class: Class, most: usize) -> Link {
    let (kind, layer) = match class {
        Class::DeviceAnnotation => (LinkKind::DeviceRange, Layer::DeviceAnnotation),
        _ => (LinkKind::HostRange, Layer::Host),
    };
    let id_of = |id| trace.operation(id).map_or(NO_SERIAL, |operation| operation.external);
    let (name, id) = (trace.slices.name(event), id_of(event));
    let mut link = Link::new(kind);
    if id == NO_SERIAL {
        return link;
    }
    let tracks = trace.tracks.iter().filter(|track| track.layer == layer);
    for other in tracks.flat_map(Track::events).filter(|other| trace.slices.name(*other) == name) {
        if trace.slices.class(other) == class && id_of(other) == id {
            link.add(other, most);
        }
    }
    link
}

/// The events that a wait on the device's rows belongs to: its call, and the call that recorded the event it waits for.
fn waits(trace: &Trace, event: EventId, most: usize) -> [Link; 2] {
    let own = trace.call(event).map_or(NO_SERIAL, |call| call.correlation);
    let awaited = trace.awaited_events.binary_search_by_key(&event, |(id, _)| *id);
    let record = awaited.map_or(NO_SERIAL, |index| trace.awaited_events[index].1.record);
    let [call, record] = calls_of(trace, [own, record]);
    [Link::of(LinkKind::Call, call.get(), most), Link::of(LinkKind::Awaited, record.get(), most)]
}

/// The waits on the device's rows that a call caused, and those for an event that it recorded.
fn waits_of_call(trace: &Trace, event: EventId, most: usize) -> [Link; 2] {
    let own = trace.call(event).map_or(NO_SERIAL, |call| call.correlation);
    if own == NO_SERIAL {
        return [Link::new(LinkKind::Synchronization), Link::new(LinkKind::AwaitedBy)];
    }
    let tracks = trace.tracks.iter().filter(|track| track.layer == Layer::DeviceSync);
    let of_call = |id: &EventId| trace.call(*id).is_some_and(|call| call.correlation == own);
    let brought = tracks.flat_map(Track::events).filter(of_call);
    let waiting = trace.awaited_events.iter().filter(|(_, awaited)| awaited.record == own).map(|(id, _)| *id);
    [Link::of(LinkKind::Synchronization, brought, most), Link::of(LinkKind::AwaitedBy, waiting, most)]
}

/// The file's flows of an event; the flows between passes, or else the sequence numbers, join the passes.
fn by_flows(trace: &Trace, event: EventId, most: usize) -> Vec<Link> {
    let passes = trace.strings.find("fwdbwd").unwrap_or_default();
    let told = |flow: &Flow| {
        trace.activity(flow.to).is_some_and(|activity| [activity.call, activity.operator].contains(&flow.from))
    };
    let mut found: Vec<Link> = Vec::new();
    let mut add = |flow: &Flow, leads_here: bool| {
        let (kind, name) = match (flow.kind == passes && flow.kind != NameId::NONE, leads_here) {
            (true, true) => (LinkKind::Forward, NameId::NONE),
            (true, false) => (LinkKind::Backward, NameId::NONE),
            (false, true) => (LinkKind::FlowIn, flow.kind),
            (false, false) => (LinkKind::FlowOut, flow.kind),
        };
        let index = found.iter().position(|link| (link.kind, link.flow) == (kind, name)).unwrap_or_else(|| {
            found.push(Link { flow: name, ..Link::new(kind) });
            found.len() - 1
        });
        found[index].add(if leads_here { flow.from } else { flow.to }, most);
    };
    let first = trace.flows.partition_point(|flow| flow.from < event);
    let outgoing = trace.flows[first..].iter().take_while(|flow| flow.from == event);
    outgoing.filter(|flow| !told(flow)).for_each(|flow| add(flow, false));
    trace.flows.iter().filter(|flow| flow.to == event && !told(flow)).for_each(|flow| add(flow, true));
    let has_passes = found.iter().any(|link| matches!(link.kind, LinkKind::Forward | LinkKind::Backward));
    if !has_passes {
        found.extend(by_sequence(trace, event, most));
    }
    found
}

/// The operators of the other pass with the same sequence number, without those inside of another such.
fn by_sequence(trace: &Trace, event: EventId, most: usize) -> Option<Link> {
    let pass = |id: EventId| {
        let operation = trace.operation(id).filter(|_| trace.slices.class(id) == Class::Operator)?;
        let known = operation.sequence != NO_SERIAL;
        known.then_some((operation.sequence, !matches!(operation.forward_thread, 0 | NO_SERIAL)))
    };
    let (sequence, backward) = pass(event)?;
    let kind = if backward { LinkKind::Forward } else { LinkKind::Backward };
    let wanted = Some((sequence, !backward));
    let others = trace.slices_of(Class::Operator).filter(|id| pass(*id) == wanted);
    Some(Link::of(kind, others.filter(|id| !trace.slices.ancestors(*id).any(|outer| pass(outer) == wanted)), most))
}
