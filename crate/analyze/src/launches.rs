//! Costs of launches. METRICS section 5, "launch statistics".

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::device_time::device_time;
use super::histogram::Distribution;
use super::intervals::IntervalSet;
use super::linked::Linked;
use super::queues::{Queue, QueuesConfig, queues_of};
use crate::device_report::DeviceReport;
use stepscope_base::{CompactSort, Nanos};
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::{ActivityId, EventId, NameId, Trace};

/// Thresholds for launches that are too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchesConfig {
    /// A call that takes longer is slow.
    pub slow: Nanos,
    /// A launch is delayed if its first activity starts longer after the call's end; it is late if the device idles longer
    /// of that time.
    pub late: Nanos,
    /// Most slow calls, and most late ones, that are listed.
    pub listed: usize,
}

impl LaunchesConfig {
    /// METRICS' thresholds: 50 µs and 100 µs.
    #[must_use]
    pub fn standard() -> Self {
        Self { slow: Nanos(50_000), late: Nanos(100_000), listed: 20 }
    }
}

/// A call that launched something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The runtime or driver call.
    pub call: EventId,
    /// Number of activities that it launched.
    pub activities: u64,
    /// Time of the call.
    pub cpu: Nanos,
    /// Time during which any of its activities ran.
    pub gpu: Nanos,
    /// From the call's end to its first activity's start; zero if that started before.
    pub delay: Nanos,
    /// The end of the delay, in which the device is idle: neither the call nor earlier work explains it.
    pub late_by: Nanos,
    /// The part of the delay before [`DeviceReport::known_from`]: the device may have run work from before the trace.
    pub before_first: Nanos,
    /// Whether a stream's queue was full when the call began: it waited for the device, which is not its own time.
    pub blocked: bool,
}

impl Launch {
    /// Whether launching took longer than what was launched.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.gpu < self.cpu && !self.blocked
    }

    /// Whether the call itself took long.
    #[must_use]
    pub fn is_slow(&self, config: &LaunchesConfig) -> bool {
        self.cpu > config.slow && !self.blocked
    }

    /// The reason why the first activity started long after the call; none if it did not.
    #[must_use]
    pub fn delayed(&self, config: &LaunchesConfig) -> Option<Delayed> {
        (self.delay > config.late).then_some(if self.late_by > config.late {
            Delayed::Late
        } else if self.before_first > Nanos::ZERO {
            Delayed::BeforeFirst
        } else {
            Delayed::Queued
        })
    }

    fn of(
        trace: &Trace,
        call: EventId,
        activities: impl Iterator<Item = ActivityId>,
        full: &[&IntervalSet],
        earlier: &mut EarlierWork,
    ) -> Self {
        let mut events = activities.map(|id| trace.activities[id.index()].event);
        let called = trace.slices.interval(call);
        let mut first = events.next().unwrap_or(call);
        let (mut gpu, mut count) = (trace.slices.length(first), 1);
        // Nearly every call launches one activity.
        if let Some(second) = events.next() {
            let all: Vec<_> = [first, second].into_iter().chain(events).collect();
            first = all.iter().copied().min_by_key(|id| trace.slices.start(*id)).unwrap_or(first);
            count = all.len() as u64;
            gpu = IntervalSet::of(all.into_iter().map(|id| trace.slices.interval(id))).len();
        }
        let start = trace.slices.start(first);
        let delay = (start - called.end).max(Nanos::ZERO);
        let [late_by, before_first] =
            if delay > Nanos::ZERO { earlier.split(trace, first, called.end) } else { [Nanos::ZERO; 2] };
        let blocked = full.iter().any(|full| full.has(called.start));
        Self { call, activities: count, cpu: called.len(), gpu, delay, late_by, before_first, blocked }
    }
}

/// The reason why a launch's first activity started long after its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Delayed {
    /// The device ran earlier work that the trace shows.
    Queued,
    /// A part of the delay lies before the first recorded activity: the device may have run work from before the trace.
    BeforeFirst,
    /// The device idled for long before it started.
    Late,
}

/// The work of each device before a launch's first activity, from the devices' reports.
struct EarlierWork(Vec<EarlierOnDevice>);

struct EarlierOnDevice {
    device: i64,
    busy: IntervalSet,
    known_from: Nanos,
    /// Where the last launch was found: the next one is near.
    near: usize,
}

impl EarlierWork {
    fn of(devices: &[DeviceReport]) -> Self {
        let of_device = |report: &DeviceReport| EarlierOnDevice {
            device: report.time.device,
            busy: report.sets.busy(),
            known_from: report.known_from,
            near: 0,
        };
        Self(devices.iter().map(of_device).collect())
    }

    /// The time for which a device idled before an activity that a call launched. With it, the part of the delay in
    /// which the device may have run work from before the trace.
    fn split(&mut self, trace: &Trace, first: EventId, returned: Nanos) -> [Nanos; 2] {
        let start = trace.slices.start(first);
        let stream = trace.tracks[trace.slices.track(first).index()].stream;
        let device = self.0.iter_mut().find(|device| stream.is_some_and(|stream| stream.device == device.device));
        let Some(device) = device else { return [start - returned, Nanos::ZERO] };
        let known_from = device.known_from.clamp(returned, start);
        let ended = device.busy_before(start).map_or(known_from, |ended| ended.clamp(known_from, start));
        [start - ended, known_from - returned]
    }
}

impl EarlierOnDevice {
    /// The end of the last work that began before a time; none without such work.
    fn busy_before(&mut self, time: Nanos) -> Option<Nanos> {
        /// Number of intervals that are tried one by one before a binary search.
        const NEAR: usize = 8;
        let intervals = self.busy.intervals();
        let is_next = |next: usize| {
            next.checked_sub(1).is_none_or(|last| intervals[last].start < time)
                && intervals.get(next).is_none_or(|next| time <= next.start)
        };
        let next = (self.near..(self.near + NEAR).min(intervals.len() + 1)).find(|next| is_next(*next));
        self.near = next.unwrap_or_else(|| intervals.partition_point(|busy| busy.start < time));
        Some(intervals[self.near.checked_sub(1)?].end)
    }
}

/// Sums over the launching calls of a name, or over all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchSum {
    /// Calls that launched something.
    pub calls: u64,
    /// Activities that they launched.
    pub activities: u64,
    /// Calls that took longer than what they launched.
    pub short: u64,
    /// Slow calls.
    pub slow: u64,
    /// Calls that a full queue blocked; these are neither short nor slow.
    pub blocked: u64,
    /// Calls whose first activity started long after the call: `queued + before_first + late`.
    pub delayed: u64,
    /// [`Delayed::Queued`].
    pub queued: u64,
    /// [`Delayed::BeforeFirst`].
    pub before_first: u64,
    /// [`Delayed::Late`].
    pub late: u64,
    /// Total time of the calls.
    pub cpu: Nanos,
    /// The longest of them.
    pub cpu_max: Nanos,
    /// Total time of their activities, united per call.
    pub gpu: Nanos,
    /// The delays' sum.
    pub delay: Nanos,
    /// The longest of them.
    pub delay_max: Nanos,
}

impl LaunchSum {
    /// The mean of the delays. Delays overlap: their sum is no elapsed time, and may be longer than the trace.
    #[must_use]
    pub fn delay_mean(&self) -> Nanos {
        Nanos(self.delay.0 / i64::try_from(self.calls.max(1)).unwrap_or(i64::MAX))
    }

    fn add(&mut self, launch: &Launch, config: &LaunchesConfig) {
        self.calls += 1;
        self.activities += launch.activities;
        self.short += u64::from(launch.is_short());
        self.slow += u64::from(launch.is_slow(config));
        self.blocked += u64::from(launch.blocked);
        if let Some(why) = launch.delayed(config) {
            self.delayed += 1;
            *match why {
                Delayed::Queued => &mut self.queued,
                Delayed::BeforeFirst => &mut self.before_first,
                Delayed::Late => &mut self.late,
            } += 1;
        }
        self.cpu += launch.cpu;
        self.cpu_max = self.cpu_max.max(launch.cpu);
        self.gpu += launch.gpu;
        self.delay += launch.delay;
        self.delay_max = self.delay_max.max(launch.delay);
    }
}

/// All launches of a trace, summed up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launches {
    /// The thresholds.
    pub config: LaunchesConfig,
    /// Over all calls.
    pub total: LaunchSum,
    /// Activities whose launching call is not in the trace.
    pub unlinked: u64,
    /// By the calls' name, the most time of the host first.
    pub names: Vec<(NameId, LaunchSum)>,
    /// Lengths of the calls.
    pub cpu: Distribution,
    /// Times of the activities that they launched.
    pub gpu: Distribution,
    /// Delays from the calls to their first activities.
    pub delay: Distribution,
    /// The slow calls, or the slowest of them, the slowest first.
    pub slowest: Vec<Launch>,
    /// The late launches, or those before which the device idled the longest, the longest first.
    pub latest: Vec<Launch>,
}

/// The table of launching calls by name. Rows are names with their sums.
pub enum LaunchNameTable {}

impl Rows for LaunchNameTable {
    const ID: &'static str = "launches.names";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |(name, _), trace| trace.strings.get(*name).into()),
        Field::<Self>::new("calls", Unit::Count, |(_, sum), _| sum.calls.into()).part(),
        Field::<Self>::new("activities", Unit::Count, |(_, sum), _| sum.activities.into()),
        Field::<Self>::new("short", Unit::Count, |(_, sum), _| sum.short.into()),
        Field::<Self>::new("slow", Unit::Count, |(_, sum), _| sum.slow.into()),
        Field::<Self>::new("blocked", Unit::Count, |(_, sum), _| sum.blocked.into()).wide(),
        Field::<Self>::new("delayed", Unit::Count, |(_, sum), _| sum.delayed.into()),
        Field::<Self>::new("queued", Unit::Count, |(_, sum), _| sum.queued.into()),
        Field::<Self>::new("before_first_activity", Unit::Count, |(_, sum), _| sum.before_first.into()).wide(),
        Field::<Self>::new("late", Unit::Count, |(_, sum), _| sum.late.into()),
        Field::<Self>::new("cpu_ns", Unit::Duration, |(_, sum), _| sum.cpu.into()).bar(Bar::OfLargest).part(),
        Field::<Self>::new("cpu_max_ns", Unit::Duration, |(_, sum), _| sum.cpu_max.into()),
        Field::<Self>::new("gpu_ns", Unit::Duration, |(_, sum), _| sum.gpu.into()).part(),
        // Delays overlap: their sum is no elapsed time.
        Field::<Self>::new("delay_ns", Unit::Duration, |(_, sum), _| sum.delay.into()).data(),
        Field::<Self>::new("delay_mean_ns", Unit::Duration, |(_, sum), _| sum.delay_mean().into()),
        Field::<Self>::new("delay_max_ns", Unit::Duration, |(_, sum), _| sum.delay_max.into()),
    ];
    const FIRST: &'static [&'static str] =
        &["name", "calls", "activities", "cpu_ns", "cpu_max_ns", "gpu_ns", "delay_mean_ns", "delay_max_ns"];
    const SORT: &'static str = "cpu_ns";
    type Row = (NameId, LaunchSum);
    type Context<'a> = Trace;
}

/// The table of the slowest launching calls, or of those with the latest activities.
pub enum LaunchTable<const LATEST: bool> {}

impl<const LATEST: bool> Rows for LaunchTable<LATEST> {
    const ID: &'static str = if LATEST { "launches.latest" } else { "launches.slowest" };
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("slice", Unit::Id, |row, _| Value::id(row.call.0.into())).event(),
        Field::<Self>::new("name", Unit::Text, |row, trace| trace.name_of(row.call).into()),
        Field::<Self>::new("start_ns", Unit::Moment, |row, trace| trace.slices.start(row.call).into()),
        Field::<Self>::new("activities", Unit::Count, |row, _| row.activities.into()).wide(),
        Field::<Self>::new("cpu_ns", Unit::Duration, |row, _| row.cpu.into()),
        Field::<Self>::new("gpu_ns", Unit::Duration, |row, _| row.gpu.into()),
        Field::<Self>::new("delay_ns", Unit::Duration, |row, _| row.delay.into()),
        Field::<Self>::new("late_by_ns", Unit::Duration, |row, _| row.late_by.into()),
    ];
    const FIRST: &'static [&'static str] = &["name"];
    const SORT: &'static str = if LATEST { "late_by_ns" } else { "cpu_ns" };
    type Row = Launch;
    type Context<'a> = Trace;
}

/// Every call that launched something: by thread, then by time.
#[must_use]
pub fn launch_rows(trace: &Trace) -> Vec<Launch> {
    launch_rows_of(trace, &device_time(trace))
}

/// The same, given the devices' reports.
pub(super) fn launch_rows_of(trace: &Trace, devices: &[DeviceReport]) -> Vec<Launch> {
    let linked = Linked::of(trace);
    rows(trace, &linked, &queues_of(trace, &linked, &QueuesConfig::standard()), devices)
}

fn rows(trace: &Trace, linked: &Linked, queues: &[Queue], devices: &[DeviceReport]) -> Vec<Launch> {
    let full: Vec<&IntervalSet> = queues.iter().map(|queue| &queue.full).filter(|full| !full.is_empty()).collect();
    let mut earlier = EarlierWork::of(devices);
    linked.calls().map(|(call, activities)| Launch::of(trace, call, activities, &full, &mut earlier)).collect()
}

/// Costs of the launches of a trace.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::LaunchesConfig;
///
/// // A call of 5 µs; its kernel of 3 µs starts 2 µs later.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":5,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":7,"dur":3,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"of an unseen call","pid":0,"tid":7,"ts":12,"dur":3}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let found = analyze::launches(&trace, &LaunchesConfig::standard());
/// assert_eq!((found.total.calls, found.unlinked), (1, 1));
/// assert_eq!((found.total.cpu, found.total.gpu, found.total.delay), (Nanos(5_000), Nanos(3_000), Nanos(2_000)));
/// assert_eq!(found.total.delay_mean(), Nanos(2_000));
/// assert_eq!((found.total.short, found.total.slow, found.total.late), (1, 0, 0));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn launches(trace: &Trace, config: &LaunchesConfig) -> Launches {
    let linked = Linked::of(trace);
    let queues = queues_of(trace, &linked, &QueuesConfig::standard());
    launches_of(trace, (&linked, &queues), &device_time(trace), config)
}

pub(super) fn launches_of(
    trace: &Trace,
    (linked, queues): (&Linked, &[Queue]),
    devices: &[DeviceReport],
    config: &LaunchesConfig,
) -> Launches {
    let rows = rows(trace, linked, queues, devices);
    let mut total = LaunchSum::default();
    let mut names: Vec<(NameId, LaunchSum)> = Vec::new();
    // Far fewer names launch than there are launches.
    let mut place_of_name: Vec<Option<u32>> = vec![None; trace.strings.len()];
    for (launch, name) in rows.iter().map(|launch| (launch, trace.slices.name(launch.call))) {
        total.add(launch, config);
        let place = *place_of_name[name.index()].get_or_insert_with(|| {
            names.push((name, LaunchSum::default()));
            u32::try_from(names.len() - 1).unwrap_or_default()
        });
        names[place as usize].1.add(launch, config);
    }
    names.compact_sort_by(|(a, of_a), (b, of_b)| {
        of_b.cpu.cmp(&of_a.cpu).then_with(|| trace.strings.get(*a).cmp(trace.strings.get(*b)))
    });
    let distribution = |length: fn(&Launch) -> Nanos| {
        let mut lengths: Vec<Nanos> = rows.iter().map(length).collect();
        Distribution::of(&mut lengths)
    };
    Launches {
        config: *config,
        total,
        unlinked: (trace.activities.len() - linked.len()) as u64,
        names,
        cpu: distribution(|launch| launch.cpu),
        gpu: distribution(|launch| launch.gpu),
        delay: distribution(|launch| launch.delay),
        slowest: longest(&rows, config.listed, |launch| Some(launch.cpu).filter(|_| launch.is_slow(config))),
        latest: longest(&rows, config.listed, |launch| {
            Some(launch.late_by).filter(|_| launch.delayed(config) == Some(Delayed::Late))
        }),
    }
}

/// The launches with the greatest `length`, if they have one, the longest first; among equal ones, the first.
fn longest(rows: &[Launch], most: usize, length: impl Fn(&Launch) -> Option<Nanos>) -> Vec<Launch> {
    let wanted = (0_u32..).zip(rows).filter_map(|(index, launch)| Some((Reverse(length(launch)?), index)));
    // The shortest of the kept ones is at the top.
    let mut kept: BinaryHeap<(Reverse<Nanos>, u32)> = BinaryHeap::with_capacity(most);
    for candidate in wanted {
        if kept.len() < most {
            kept.push(candidate);
        } else if let Some(mut last) = kept.peek_mut()
            && candidate < *last
        {
            *last = candidate;
        }
    }
    kept.into_sorted_vec().into_iter().map(|(_, index)| rows[index as usize]).collect()
}
