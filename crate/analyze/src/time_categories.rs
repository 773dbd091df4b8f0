//! The eight categories into which a step's time is divided. METRICS section 3.

use super::activities::DeviceSets;
use super::data_wait::DataWaits;
use super::intervals::{IntervalSet, Merger};
use super::steps::Steps;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Activity, Class, EventId, Layer, Trace, Track, TrackId, is_communication_operator};

/// The use of a moment of a step, by strict priority: the first category that applies gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimeCategory {
    /// A compute kernel runs on any device.
    Kernel,
    /// A copy runs.
    Memcpy,
    /// A memset runs.
    Memset,
    /// A communication kernel or a host collective runs.
    Communication,
    /// The host is in a call of the device's runtime or driver.
    Runtime,
    /// The host waits for the data loader.
    Dataloader,
    /// The host is in an operator.
    Cpu,
    /// None of these.
    Other,
}

impl TimeCategory {
    /// All categories by falling priority.
    pub const ALL: [Self; 8] = [
        Self::Kernel,
        Self::Memcpy,
        Self::Memset,
        Self::Communication,
        Self::Runtime,
        Self::Dataloader,
        Self::Cpu,
        Self::Other,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Memcpy => "memcpy",
            Self::Memset => "memset",
            Self::Communication => "communication",
            Self::Runtime => "runtime",
            Self::Dataloader => "dataloader",
            Self::Cpu => "cpu",
            Self::Other => "other",
        }
    }

    /// The category of an activity of a device.
    pub(super) fn of_activity(trace: &Trace, activity: &Activity) -> Self {
        match trace.slices.class(activity.event) {
            Class::Kernel if activity.communication => Self::Communication,
            Class::Kernel => Self::Kernel,
            Class::Memcpy => Self::Memcpy,
            _ => Self::Memset,
        }
    }
}

/// Times of a step by category, in the order of [`TimeCategory::ALL`]; the sum is the step.
pub type CategoryTimes = [Nanos; 8];

/// The times at which each category but [`TimeCategory::Other`] applies, before priorities.
#[derive(Clone, Debug, Default)]
pub struct CategorySets(pub [IntervalSet; 7]);

impl CategorySets {
    /// The sets of a trace, over all threads and devices.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        Self::from_sets(DeviceSets::of(trace, &trace.activities), HostSets::of(trace, None, &|_| true))
    }

    /// The sets inside a span, given the activity of devices in it, for some of the hosts' tracks: nothing else of the
    /// trace is read.
    #[must_use]
    pub fn within(trace: &Trace, devices: &[DeviceSets], span: Interval, counts: &dyn Fn(TrackId) -> bool) -> Self {
        Self::from_sets(DeviceSets::together(devices), HostSets::of(trace, Some(span), counts))
    }

    fn from_sets(device: DeviceSets, host: HostSets) -> Self {
        Self([
            device.compute,
            device.memcpy,
            device.memset,
            device.communication.union(&host.communication),
            host.runtime,
            host.dataloader,
            host.operators,
        ])
    }

    /// The same without the times of categories with a higher priority.
    #[must_use]
    pub fn exclusive(&self) -> Self {
        let mut taken = IntervalSet::new();
        Self(std::array::from_fn(|index| {
            let rest = self.0[index].difference(&taken);
            taken = taken.union(&self.0[index]);
            rest
        }))
    }

    /// The time of each category inside a window; for exclusive sets, the sum is the window.
    #[must_use]
    pub fn times_in(&self, window: Interval) -> CategoryTimes {
        let mut times = [Nanos::ZERO; 8];
        for (time, set) in times.iter_mut().zip(&self.0) {
            *time = set.clip(window).len();
        }
        times[7] = window.len() - times[..7].iter().copied().sum();
        times
    }
}

/// The categories' times of each step.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::TimeCategory;
///
/// // Twenty µs: a kernel for 10, the call before it for 2 of its 4, an operator for 3 before that, nothing for 5.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":7},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":4,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":5,"dur":10,"args":{"correlation":9}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &analyze::StepsConfig::default());
/// let times = analyze::categories(&trace, &steps)[0];
/// let of = |category: TimeCategory| times[category as usize];
/// assert_eq!((of(TimeCategory::Kernel), of(TimeCategory::Runtime)), (Nanos(10_000), Nanos(2_000)));
/// assert_eq!((of(TimeCategory::Cpu), of(TimeCategory::Other)), (Nanos(3_000), Nanos(5_000)));
/// assert_eq!(times.into_iter().sum::<Nanos>(), steps.steps[0].span.len());
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn categories(trace: &Trace, steps: &Steps) -> Vec<CategoryTimes> {
    categories_known(trace, steps, Nanos::MIN).0
}

/// The categories' times of each step, and the part of the host's own categories before `known_from`: until then, a
/// device may run work from before the recording.
pub(super) fn categories_known(
    trace: &Trace,
    steps: &Steps,
    known_from: Nanos,
) -> (Vec<CategoryTimes>, Vec<CategoryTimes>) {
    let exclusive = CategorySets::of(trace).exclusive();
    steps.steps.iter().map(|step| categories_known_in(&exclusive, step.span, known_from)).unzip()
}

/// The same for one span.
pub(super) fn categories_known_in(
    exclusive: &CategorySets,
    span: Interval,
    known_from: Nanos,
) -> (CategoryTimes, CategoryTimes) {
    let mut early = exclusive.times_in(Interval::new(span.start, known_from.clamp(span.start, span.end)));
    // A collective is communication, whatever the devices do.
    early[..=TimeCategory::Communication as usize].fill(Nanos::ZERO);
    (exclusive.times_in(span), early)
}

struct HostSets {
    communication: IntervalSet,
    runtime: IntervalSet,
    dataloader: IntervalSet,
    operators: IntervalSet,
}

/// The categories of host slices.
#[derive(Debug)]
pub struct HostCategories {
    /// By name, whether slices of it are collectives.
    collectives: Vec<bool>,
    waits: DataWaits,
}

impl HostCategories {
    /// The categories in a trace.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        Self { collectives: trace.strings.map(names_collective), waits: DataWaits::of(trace) }
    }

    /// Whether a track's slices have categories.
    pub(super) fn counts(track: &Track) -> bool {
        matches!(track.layer, Layer::Host | Layer::Python)
    }

    /// The categories of a slice: by its class, and as a wait for data or a collective.
    #[must_use]
    #[inline]
    pub fn categories(&self, trace: &Trace, id: EventId) -> [Option<TimeCategory>; 2] {
        let by_class = match trace.slices.class(id) {
            Class::RuntimeCall => Some(TimeCategory::Runtime),
            Class::Operator => Some(TimeCategory::Cpu),
            _ => None,
        };
        let other = if self.waits.has(trace, id) {
            Some(TimeCategory::Dataloader)
        } else {
            self.collectives[trace.slices.name(id).index()].then_some(TimeCategory::Communication)
        };
        [by_class, other]
    }
}

impl HostSets {
    /// The sets of some tracks, or of their slices that touch a span.
    fn of(trace: &Trace, span: Option<Interval>, counts: &dyn Fn(TrackId) -> bool) -> Self {
        let host = HostCategories::of(trace);
        let (mut communication, mut runtime, mut dataloader, mut operators) = (vec![], vec![], vec![], vec![]);
        let tracks = trace.tracks.iter().enumerate().filter(|(_, track)| HostCategories::counts(track));
        for (_, track) in tracks.filter(|(index, _)| counts(TrackId::from_index(*index))) {
            let (mut calls, mut ops) = (Merger::default(), Merger::default());
            for id in trace.touching(track, span) {
                for category in host.categories(trace, id).into_iter().flatten() {
                    let span = trace.slices.interval(id);
                    match category {
                        TimeCategory::Runtime => calls.add(span),
                        TimeCategory::Cpu => ops.add(span),
                        TimeCategory::Dataloader => dataloader.push(span),
                        _ => communication.push(span),
                    }
                }
            }
            runtime.extend(calls.into_intervals());
            operators.extend(ops.into_intervals());
        }
        Self {
            communication: IntervalSet::of(communication),
            runtime: IntervalSet::of(runtime),
            dataloader: IntervalSet::of(dataloader),
            operators: IntervalSet::of(operators),
        }
    }
}

/// The times at which the host itself computes: an operator runs on a thread, outside of communication and waits for
/// data.
pub(super) fn computed_by_host(trace: &Trace) -> IntervalSet {
    let host = HostCategories::of(trace);
    let mut computed: Vec<Interval> = Vec::new();
    for track in trace.tracks.iter().filter(|track| HostCategories::counts(track)) {
        let (mut operators, mut held) = (Merger::default(), Merger::default());
        for id in track.events() {
            let span = trace.slices.interval(id);
            let [by_class, other] = host.categories(trace, id);
            if other.is_some() {
                held.add(span);
            } else if by_class == Some(TimeCategory::Cpu) {
                operators.add(span);
            }
        }
        let [operators, held] = [operators, held].map(|of| IntervalSet::of(of.into_intervals()));
        computed.extend_from_slice(operators.difference(&held).intervals());
    }
    IntervalSet::of(computed)
}

/// Per step, the time during which hosts communicate and none of their threads computes. None if hosts do not
/// communicate, or if hardly any computation is recorded in the steps that count.
#[expect(clippy::cast_precision_loss, reason = "a share")]
pub(super) fn exposed_on_hosts(trace: &Trace, steps: &Steps) -> Option<Vec<Nanos>> {
    /// With less computation than this part of the collectives, computation is not recorded.
    const LEAST: f64 = 0.01;
    let named = trace.strings.map(names_collective);
    let calls = trace.slices.ids().filter(|id| named[trace.slices.name(*id).index()]);
    let communicated = IntervalSet::of(calls.map(|id| trace.slices.interval(id)));
    if communicated.is_empty() {
        return None;
    }
    let counted = IntervalSet::of(steps.counted().into_iter().map(|index| steps.steps[index].span));
    let computed = computed_by_host(trace);
    let of_counted = |set: &IntervalSet| set.intersection(&counted).len().0 as f64;
    if of_counted(&computed) < of_counted(&communicated) * LEAST {
        return None;
    }
    let exposed = communicated.difference(&computed);
    Some(steps.steps.iter().map(|step| exposed.clip(step.span).len()).collect())
}

/// Whether a slice with that name is a collective that the host runs.
#[must_use]
pub(super) fn names_collective(name: &str) -> bool {
    name.starts_with("gloo:") || name.starts_with("mpi:")
}

/// Whether a slice with that name is a range or operator around a call of a library for communication, by PyTorch, Paddle or
/// the library itself.
#[must_use]
pub(super) fn names_library_call(name: &str) -> bool {
    // NCCL marks its own calls in upper case, Paddle those of its groups.
    const OTHERS: [&str; 3] = ["NCCL:", "xccl:", "ProcessGroup"];
    is_communication_operator(name) || OTHERS.iter().any(|start| name.starts_with(start))
}
