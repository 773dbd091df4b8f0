//! The tables of devices and of streams: where their time goes.

use super::{DeviceIdle, HostActivity, HostTimes, IdleClass, IdleInSteps, IdleTimes};
use crate::PerStep;
use stepscope_base::Nanos;
use stepscope_table::{Field, Rows, Unit, Value};
use stepscope_trace::Stream;

/// The time of a device or of a stream by cause, in its window or in steps.
///
/// `busy + host wait until launch + late starts + kernel wait + other + unknown + uncovered = window`: exactly in the
/// window. In steps, the time before the first and after the last activity is a part, too, and each part is a mean that is
/// rounded on its own: their sum may miss the window by as many ns as there are parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleSplit {
    /// The device's number as the producer counts.
    pub device: i64,
    /// The stream's number; none for all streams of the device together.
    pub stream: Option<i64>,
    /// The window, or the length of the steps.
    pub window: Nanos,
    /// Any activity.
    pub busy: Nanos,
    /// Without activity, and known to be idle.
    pub idle: Nanos,
    /// The time of gaps by [`IdleClass::ALL`].
    pub classes: [Nanos; 4],
    /// Activities of the launching threads during the host wait.
    pub host: HostTimes,
    /// The time that is not known to be idle, as the timeline does not cover it.
    pub uncovered: Nanos,
    /// Number of gaps by [`IdleClass::ALL`]; unknown in steps.
    pub gaps: Option<[u64; 4]>,
    /// The part of the thread that launched before; unknown in steps.
    pub handed_over: Option<Nanos>,
    /// The time of the steps before the device's first activity in which its state is unknown, the rest of that time,
    /// and the time after its last one; none for a stream.
    pub edges: Option<[Nanos; 3]>,
}

impl IdleSplit {
    fn of(device: i64, stream: Option<Stream>, times: &IdleTimes, edges: Option<[Nanos; 3]>) -> Self {
        Self {
            device,
            stream: stream.map(|stream| stream.stream),
            window: times.window,
            busy: times.busy,
            idle: times.idle(),
            classes: times.classes,
            host: times.host,
            uncovered: times.uncovered,
            gaps: Some(times.gaps),
            handed_over: Some(times.handed_over),
            edges,
        }
    }

    /// The late starts: what ends the gap had been launched, and the trace does not show why it starts late.
    #[must_use]
    pub fn start_late(&self) -> Nanos {
        self.host[HostActivity::StartLate as usize]
    }

    /// The host wait without late starts: the host is late only until it has launched.
    #[must_use]
    pub fn host_wait_until_launch(&self) -> Nanos {
        self.class(IdleClass::HostWait) - self.start_late()
    }

    fn class(&self, class: IdleClass) -> Nanos {
        self.classes[class as usize]
    }

    fn doing<'a>(&self, activity: HostActivity) -> Value<'a> {
        self.host[activity as usize].into()
    }

    /// Unknown where it is zero, as in most traces.
    fn rarely<'a>(&self, activity: HostActivity) -> Value<'a> {
        Some(self.host[activity as usize]).filter(|time| *time > Nanos::ZERO).into()
    }

    fn gaps<'a>(&self, class: IdleClass) -> Value<'a> {
        self.gaps.map(|gaps| gaps[class as usize]).into()
    }

    fn edge<'a>(&self, edge: usize) -> Value<'a> {
        self.edges.map(|edges| edges[edge]).into()
    }
}

impl DeviceIdle {
    /// The split of its window.
    #[must_use]
    pub fn split(&self) -> IdleSplit {
        let edges = [self.before_first, self.lead_in, self.lead_out];
        IdleSplit::of(self.device, None, &self.times, Some(edges))
    }

    /// The split of each stream's window.
    #[must_use]
    pub fn stream_splits(&self) -> Vec<IdleSplit> {
        self.streams.iter().map(|(stream, times)| IdleSplit::of(self.device, Some(*stream), times, None)).collect()
    }
}

impl IdleInSteps {
    /// The split of the steps, per step.
    #[must_use]
    pub fn split(&self) -> IdleSplit {
        let per = PerStep(self.divisor);
        let mean = |sum: Nanos| per.time(sum);
        IdleSplit {
            device: self.device,
            stream: None,
            window: mean(self.window),
            busy: mean(self.busy),
            idle: mean(self.idle),
            classes: self.classes.map(mean),
            host: self.host.map(mean),
            uncovered: mean(self.uncovered),
            gaps: None,
            handed_over: None,
            edges: Some([self.before_first, self.lead_in, self.lead_out].map(mean)),
        }
    }
}

/// The table of devices, or of their streams.
#[derive(Debug)]
pub enum IdleSplitTable<const STREAMS: bool> {}

/// Columns of these tables.
type Of<const STREAMS: bool> = Field<IdleSplitTable<STREAMS>>;

/// Key of the column that the parts add up to.
const WINDOW: &str = "window_ns";

impl<const STREAMS: bool> IdleSplitTable<STREAMS> {
    /// First a column of streams alone, last the columns of devices alone.
    const ALL: &'static [Field<Self>] = &[
        Of::new("stream", Unit::Id, |row, ()| row.stream.into()).known(),
        Of::new("device", Unit::Id, |row, ()| row.device.into()).known(),
        Of::new(WINDOW, Unit::Duration, |row, ()| row.window.into()).known(),
        Of::new("busy_ns", Unit::Duration, |row, ()| row.busy.into()).part_of(WINDOW).known(),
        Of::new("idle_ns", Unit::Duration, |row, ()| row.idle.into()).part_of(WINDOW).wide().known(),
        Of::new("host_wait_ns", Unit::Duration, |row, ()| row.class(IdleClass::HostWait).into()).data().known(),
        Of::new("host_wait_until_launch_ns", Unit::Duration, |row, ()| row.host_wait_until_launch().into())
            .part_of(WINDOW)
            .known(),
        Of::new("start_late_ns", Unit::Duration, |row, ()| row.start_late().into()).part_of(WINDOW).seldom().known(),
        Of::new("kernel_wait_ns", Unit::Duration, |row, ()| row.class(IdleClass::KernelWait).into())
            .part_of(WINDOW)
            .known(),
        Of::new("other_ns", Unit::Duration, |row, ()| row.class(IdleClass::Other).into()).part_of(WINDOW).known(),
        Of::new("unknown_ns", Unit::Duration, |row, ()| row.class(IdleClass::Unknown).into()).part_of(WINDOW).known(),
        Of::new("uncovered_ns", Unit::Duration, |row, ()| row.uncovered.into()).part_of(WINDOW).seldom().known(),
        Of::new("handed_over_ns", Unit::Duration, |row, ()| row.handed_over.into()).data().omitted(),
        Of::new("gap_count", Unit::Count, |row, ()| row.gaps.map(|gaps| gaps.iter().sum::<u64>()).into()).omitted(),
        Of::new("gaps.host_wait", Unit::Count, |row, ()| row.gaps(IdleClass::HostWait)).data(),
        Of::new("gaps.kernel_wait", Unit::Count, |row, ()| row.gaps(IdleClass::KernelWait)).data(),
        Of::new("gaps.other", Unit::Count, |row, ()| row.gaps(IdleClass::Other)).data(),
        Of::new("gaps.unknown", Unit::Count, |row, ()| row.gaps(IdleClass::Unknown)).data(),
        Self::host("host_wait_by_activity.data_loading_ns", |row, ()| row.doing(HostActivity::DataLoading)).known(),
        Self::host("host_wait_by_activity.synchronization_ns", |row, ()| row.doing(HostActivity::Synchronization))
            .known(),
        Self::host("host_wait_by_activity.allocation_ns", |row, ()| row.doing(HostActivity::Allocation)).known(),
        Self::host("host_wait_by_activity.launching_ns", |row, ()| row.doing(HostActivity::Launching)).known(),
        Self::host("host_wait_by_activity.operator_ns", |row, ()| row.doing(HostActivity::Operator)).known(),
        Self::host("host_wait_by_activity.python_ns", |row, ()| row.doing(HostActivity::Python)).known(),
        Self::host("host_wait_by_activity.range_ns", |row, ()| row.rarely(HostActivity::Range)).omitted(),
        Self::host("host_wait_by_activity.unrecorded_ns", |row, ()| row.doing(HostActivity::Unrecorded)).known(),
        Of::new("host_wait_by_activity.start_late_unexplained_ns", Unit::Duration, |row, ()| {
            row.rarely(HostActivity::StartLate)
        })
        .data()
        .omitted(),
        Of::new("before_first_activity_ns", Unit::Duration, |row, ()| row.edge(0)).seldom().known(),
        Of::new("lead_in_ns", Unit::Duration, |row, ()| row.edge(1)).seldom().known(),
        Of::new("lead_out_ns", Unit::Duration, |row, ()| row.edge(2)).seldom().known(),
    ];

    /// The time of an activity of the host.
    const fn host(key: &'static str, get: stepscope_table::Get<Self>) -> Field<Self> {
        Field::<Self>::new(key, Unit::Duration, get).part_of(WINDOW)
    }
}

impl<const STREAMS: bool> Rows for IdleSplitTable<STREAMS> {
    const ID: &'static str = if STREAMS { "idle[].streams" } else { "idle" };
    const FIELDS: &'static [Field<Self>] =
        if STREAMS { Self::ALL.split_at(Self::ALL.len() - 3).0 } else { Self::ALL.split_at(1).1 };
    const SORT: &'static str = "window_ns";
    type Row = IdleSplit;
    type Context<'a> = ();
}
