//! The main numbers: for the average step, for one step, or for a whole trace.

use super::budget::FIRST_SHARE;
use super::statistics::{mean_of, median};
use super::{Analysis, BudgetWhole, CategoryTimes, DeviceTime, FewSteps, IdleLeaf, Phase, StepSource, TimeCategory};
use stepscope_base::{Interval, Nanos, sort_times};

/// One number of the overview.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    /// Its stable name.
    pub name: &'static str,
    /// The time.
    pub time: Nanos,
    /// Its share of its whole, such as the step; none for the step itself, and where nothing of the kind is recorded.
    pub share: Option<f64>,
}

/// One bar of the overlap chart: a device, or its communication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlapBar {
    /// The device's number as the producer counts.
    pub device: i64,
    /// Computation without communication.
    pub compute_alone: Nanos,
    /// Both at once.
    pub overlap: Nanos,
    /// Communication without computation.
    pub exposed_communication: Nanos,
    /// Copies during neither.
    pub exposed_memcpy: Nanos,
    /// Memsets during nothing else.
    pub exposed_memset: Nanos,
    /// Nothing, and the device is known to be idle.
    pub idle: Nanos,
    /// The device state is unknown at the start: the device may run work from before the recording.
    pub before_first: Nanos,
    /// Nothing, in steps that the timeline does not cover.
    pub uncovered: Nanos,
}

impl OverlapBar {
    /// The bar of a device's times.
    #[must_use]
    pub fn of(time: &DeviceTime) -> Self {
        Self {
            device: time.device,
            compute_alone: time.compute - time.overlap,
            overlap: time.overlap,
            exposed_communication: time.exposed_communication,
            exposed_memcpy: time.exposed_memcpy,
            exposed_memset: time.exposed_memset,
            idle: time.idle,
            before_first: time.before_first,
            uncovered: time.uncovered,
        }
    }
}

/// Contents of the overview: for a step by its index, or for the average step.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// The numbers. A device's shares are of the time in which the trace shows what it does.
    pub tiles: [Tile; 5],
    /// The part of the step in which the device state is unknown; with several devices, the mean.
    pub before_first: Nanos,
    /// The part of the step in which the trace does not record what the device does; with several devices, the mean.
    pub uncovered: Nanos,
    /// The part of the step's mark outside of it, in which the profiler recorded nothing; for the average step, the mean.
    pub unrecorded: Nanos,
    /// Whether the step is recorded time rather than a whole step: see [`Steps::are_recorded_time`](crate::Steps::are_recorded_time).
    pub is_recorded_time: bool,
    /// The mean time between the averaged steps, which is outside of them; zero for one step.
    pub between: Nanos,
    /// The part of the idle time in which launched work starts late, for reasons that the trace does not show or because
    /// it waits for other work; with several devices, the mean.
    pub start_late: Nanos,
    /// Communication of the hosts, where no device is recorded, and the exposed part of it is not known; zero
    /// elsewhere.
    pub host_communication: Nanos,
    /// For the average step: the outlier that the average hides, a step far longer than most.
    pub spread: Option<StepSpread>,
    /// A bar per device: for the step, or for the average step.
    pub overlap: Vec<OverlapBar>,
}

/// A kind of time that hosts lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostLoss {
    /// Communication while no thread computes.
    ExposedCommunication,
    /// Waits for data.
    DataWait,
    /// Communication; whether a thread computes at the same time is not recorded.
    Communication,
    /// The time between iterations, by the profiler's own step trace.
    IterationInterval,
}

impl HostLoss {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::ExposedCommunication, Self::DataWait, Self::Communication, Self::IterationInterval];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ExposedCommunication => "exposed_communication",
            Self::DataWait => "data_wait",
            Self::Communication => "communication",
            Self::IterationInterval => "iteration_interval",
        }
    }
}

/// The largest loss of the hosts of a trace without device activity.
#[derive(Clone, Debug, PartialEq)]
pub struct LostOnHost {
    /// Its kind.
    pub kind: HostLoss,
    /// Its time in the step.
    pub time: Nanos,
    /// Its share of the step.
    pub share: f64,
    /// The kind of that step: a whole one, or recorded time.
    pub whole: BudgetWhole,
    /// For the average step, the few steps that most of it is in; none where it is spread over the steps.
    pub few_steps: Option<FewSteps>,
}

impl Analysis {
    /// The largest loss of the hosts in a step by its index, or in the average step; none where a device is recorded, and
    /// where it is too small to be named first.
    #[must_use]
    pub fn lost_on_host(&self, step: Option<usize>) -> Option<LostOnHost> {
        let of_step = step.and_then(|step| self.step_devices.get(step)).map(|devices| DeviceTime::mean(devices));
        let device = of_step.unwrap_or(self.average.device);
        if device.share(device.busy).is_some() {
            return None;
        }
        let found = overview(self, step);
        let [length, _, exposed, data, _] = &found.tiles;
        let communication = found.host_communication;
        let whole = if found.is_recorded_time { BudgetWhole::Recorded } else { BudgetWhole::Steps };
        let interval = self.iteration_interval().filter(|_| step.is_none() && self.recorded_steps().is_some());
        let interval = interval.map_or((Nanos::ZERO, None), |found| (found.mean, found.mean.ratio_of(found.step)));
        let losses = [
            (HostLoss::IterationInterval, interval.0, interval.1),
            (HostLoss::ExposedCommunication, exposed.time, exposed.share),
            (HostLoss::DataWait, data.time, data.share),
            (HostLoss::Communication, communication, communication.ratio_of(length.time)),
        ];
        let losses = losses.into_iter().filter_map(|(kind, time, share)| Some((kind, time, share?)));
        let losses = losses.filter(|(.., share)| *share >= FIRST_SHARE);
        let (kind, time, share) = losses.reduce(|most, next| if next.2 > most.2 { next } else { most })?;
        let few_steps = if step.is_none() { self.few_steps_of(kind) } else { None };
        Some(LostOnHost { kind, time, share, whole, few_steps })
    }

    /// The few steps that most of a loss is in.
    fn few_steps_of(&self, kind: HostLoss) -> Option<FewSteps> {
        let time_in = |step: usize| match kind {
            HostLoss::ExposedCommunication => self.exposed_on_hosts.as_ref()?.get(step).copied(),
            HostLoss::DataWait => Some(self.categories.get(step)?[LOADING]),
            HostLoss::Communication => Some(self.categories.get(step)?[COMMUNICATING]),
            HostLoss::IterationInterval => None,
        };
        let counted = self.steps.counted().into_iter();
        let times = counted.filter_map(|step| Some((time_in(step)?, self.steps.steps.get(step)?.name.as_str())));
        FewSteps::among(&times.collect::<Vec<_>>())
    }
}

/// Steps with an outlier: one that is far longer than most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepSpread {
    /// The median step.
    pub median: Nanos,
    /// The longest step, by its index.
    pub longest: usize,
    /// Its length.
    pub length: Nanos,
}

const LOADING: usize = TimeCategory::Dataloader as usize;
const COMMUNICATING: usize = TimeCategory::Communication as usize;

/// A step is far longer than most if it takes at least this many times as long as the median one.
const FAR_LONGER: i64 = 2;

fn spread(analysis: &Analysis) -> Option<StepSpread> {
    let length = |step: usize| analysis.steps.steps[step].span.len();
    let counted = analysis.steps.counted();
    let mut lengths: Vec<Nanos> = counted.iter().map(|step| length(*step)).collect();
    sort_times(&mut lengths);
    let median = median(&lengths);
    let longest = counted.into_iter().max_by_key(|step| length(*step))?;
    let found = StepSpread { median, longest, length: length(longest) };
    // A table has other lengths than the timeline.
    let is_told = analysis.steps.source != StepSource::Table;
    (is_told && found.length.0 >= median.0.saturating_mul(FAR_LONGER) && median > Nanos::ZERO).then_some(found)
}

/// Makes the overview.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::AnalysisConfig;
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":5,"args":{"correlation":9}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let overview = analyze::overview(&analyze::analyze(&trace, &AnalysisConfig::standard()), None);
/// let busy = &overview.tiles[1];
/// assert_eq!((busy.name, busy.time, busy.share), ("device_busy", Nanos(5_000), Some(0.25)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn overview(analysis: &Analysis, step: Option<usize>) -> Overview {
    let average = &analysis.average;
    let (length, device, [categories, early]) = match step.and_then(|step| of_step(analysis, step)) {
        Some(found) => found,
        None => (average.length, average.device, [average.categories, average.categories_before_first]),
    };
    // While the device may run earlier work, waiting may cost nothing.
    let data_wait = categories[LOADING] - early[LOADING];
    // Without any wait in the trace, zero would mean that waits are known to be absent.
    let loads = analysis.phases.steps.iter().any(|phases| phases[Phase::Dataloader as usize].calls > 0)
        || analysis.categories.iter().any(|categories| categories[TimeCategory::Dataloader as usize] > Nanos::ZERO);
    let exposed = match (step, &analysis.exposed_on_hosts) {
        (Some(step), Some(of_hosts)) => {
            let time = of_hosts.get(step).copied().unwrap_or_default();
            (time, time.ratio_of(length))
        }
        (Some(_), None) => (device.exposed_communication, device.share(device.exposed_communication)),
        (None, _) => average.exposed_communication(),
    };
    let tile = |name, time: Nanos, whole: Nanos| Tile { name, time, share: time.ratio_of(whole) };
    // Where the trace does not show what the device does, it is neither busy nor idle.
    let of_device = |name, time: Nanos| Tile { name, time, share: device.share(time) };
    // Where no steps are marked, the average is over the whole trace as one step: tiles and bars are of the same time.
    let whole = (analysis.steps.source == StepSource::WholeTrace).then_some(0);
    let devices = match step.or(whole).and_then(|step| analysis.step_devices.get(step)) {
        Some(devices) => devices.iter().map(OverlapBar::of).collect(),
        None => average_devices(analysis).iter().map(OverlapBar::of).collect(),
    };
    // Means are over the steps that the timeline shows, which may be fewer than the steps with a length.
    let whole = if step.is_none() && analysis.average.covered_steps < analysis.average.steps {
        categories.into_iter().sum()
    } else {
        length
    };
    Overview {
        tiles: [
            Tile { name: "step", time: length, share: None },
            of_device("device_busy", device.busy),
            Tile { name: "exposed_communication", time: exposed.0, share: exposed.1 },
            Tile { share: data_wait.ratio_of(whole).filter(|_| loads), ..tile("data_wait", data_wait, whole) },
            of_device("idle", device.idle),
        ],
        before_first: device.before_first,
        uncovered: device.uncovered,
        unrecorded: analysis.steps.unrecorded(step),
        is_recorded_time: match step {
            Some(step) => analysis.steps.are_recorded_time(&[step]),
            None => analysis.averages_recorded_time(),
        },
        between: if step.is_none() { analysis.steps.mean_between() } else { Nanos::ZERO },
        start_late: start_late(analysis, step),
        host_communication: if exposed.1.is_none() { categories[COMMUNICATING] } else { Nanos::ZERO },
        spread: if step.is_none() { spread(analysis) } else { None },
        overlap: devices,
    }
}

/// The time by which launched work starts late in a step, or in the average one, for reasons that the trace does not
/// show, or because it waits for other work: the host is not the cause.
fn start_late(analysis: &Analysis, step: Option<usize>) -> Nanos {
    let of_step = |step: usize| {
        let devices = analysis.idle.iter().filter_map(|device| device.steps.get(step));
        mean_of(devices.map(|leaves| leaves[IdleLeaf::StartLate as usize] + leaves[IdleLeaf::QueuedWaiting as usize]))
    };
    match step {
        Some(step) => of_step(step),
        None => mean_of(analysis.steps.counted().into_iter().map(of_step)),
    }
}

/// Each device's times in the average step; where there are no steps, of the whole trace.
fn average_devices(analysis: &Analysis) -> Vec<DeviceTime> {
    let counted = analysis.steps.counted();
    if counted.is_empty() {
        return analysis.devices.iter().map(|device| device.time).collect();
    }
    let of_device = |device: usize| {
        let times: Vec<DeviceTime> =
            counted.iter().filter_map(|step| analysis.step_devices.get(*step)?.get(device).copied()).collect();
        DeviceTime { device: analysis.devices[device].time.device, ..DeviceTime::mean(&times) }
    };
    (0..analysis.devices.len()).map(of_device).collect()
}

/// Length, mean device and categories of one step.
fn of_step(analysis: &Analysis, step: usize) -> Option<(Nanos, DeviceTime, [CategoryTimes; 2])> {
    let span: Interval = analysis.steps.steps.get(step)?.span;
    let device = DeviceTime::mean(analysis.step_devices.get(step)?);
    let early = analysis.categories_before_first.get(step).copied().unwrap_or_default();
    Some((span.len(), device, [*analysis.categories.get(step)?, early]))
}

#[cfg(test)]
mod tests {
    use crate::{AnalysisConfig, HostLoss, analyze, overview};
    use stepscope_base::Nanos;
    use stepscope_input::Loader;

    fn analyzed(events: &str) -> crate::Analysis {
        let text = format!("{{\"deviceProperties\": [], \"traceEvents\": [{events}]}}");
        let mut loader = Loader::new("steps.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        analyze(&loader.finish().expect("a trace").trace, &AnalysisConfig::standard())
    }

    #[test]
    fn a_step_that_is_far_longer_than_most_is_named() {
        let step = |number: u32, start: u32, length: u32| {
            format!(
                r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{number}","pid":1,"tid":1,"ts":{start},"dur":{length}}},
                {{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":{start},"dur":5}}"#
            )
        };
        let of = |last: u32| {
            let found = analyzed(&[step(1, 0, 20), step(2, 20, 24), step(3, 44, last)].join(","));
            overview(&found, None).spread.map(|spread| (spread.median.0, spread.longest, spread.length.0))
        };
        assert_eq!(of(40), None);
        assert_eq!(of(240), Some((24_000, 2, 240_000)));
    }

    /// No computation is recorded beside the collective: its exposed part is not known, but its time is.
    #[test]
    fn communication_of_hosts_is_shown_though_nothing_shows_whether_it_is_exposed() {
        let found = analyzed(
            r#"{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":20},
            {"ph":"X","cat":"user_annotation","name":"gloo:all_reduce","pid":1,"tid":2,"ts":2,"dur":17}"#,
        );
        let seen = overview(&found, None);
        assert_eq!((seen.tiles[2].share, seen.host_communication), (None, Nanos(17_000)));
        let loss = found.lost_on_host(None).map(|loss| (loss.kind, loss.time, loss.share));
        assert_eq!(loss, Some((HostLoss::Communication, Nanos(17_000), 0.85)));
    }

    /// The largest loss of hosts is named from 5 % of the step on, and only where no device is recorded.
    #[test]
    fn hosts_without_a_device_lose_time_to_data() {
        let of = |wait: u32, more: &str| {
            let found = analyzed(&format!(
                r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":1000}},
                {{"ph":"X","cat":"user_annotation","name":"enumerate(DataLoader)#_It.__next__","pid":1,"tid":1,"ts":1,"dur":{wait}}}{more}"#
            ));
            found.lost_on_host(None).map(|loss| (loss.kind, loss.time.0))
        };
        assert_eq!(of(50, ""), Some((HostLoss::DataWait, 50_000)));
        assert_eq!(of(49, ""), None);
        let kernel =
            r#",{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":100,"dur":88,"args":{"stream":7}}"#;
        assert_eq!(of(50, kernel), None);
    }

    /// The device lags: work of the first step still runs while the host waits for the second step's data. That wait is
    /// the host's, and longer than the rest of the second step.
    #[test]
    fn the_wait_for_data_is_a_part_of_the_step() {
        let text = br#"{"deviceProperties": [], "traceEvents": [
            {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":20},
            {"ph":"X","cat":"user_annotation","name":"enumerate(DataLoader)#_It.__next__","pid":1,"tid":1,"ts":1,"dur":5},
            {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":10,"dur":2,"args":{"correlation":1}},
            {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":12,"dur":88,"args":{"stream":7,"correlation":1}},
            {"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":1,"tid":1,"ts":20,"dur":60},
            {"ph":"X","cat":"user_annotation","name":"enumerate(DataLoader)#_It.__next__","pid":1,"tid":1,"ts":21,"dur":50},
            {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":72,"dur":2,"args":{"correlation":2}},
            {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":100,"dur":10,"args":{"stream":7,"correlation":2}}
        ]}"#;
        let mut loader = Loader::new("lagging.json");
        loader.space(text.len()).copy_from_slice(text);
        loader.advance(text.len()).expect("a trace");
        let analysis = analyze(&loader.finish().expect("a trace").trace, &AnalysisConfig::standard());
        let wait = |step: usize| {
            let tiles = overview(&analysis, Some(step)).tiles;
            (tiles[0].time.0 / 1000, tiles[3].time.0 / 1000, tiles[3].share)
        };
        assert_eq!(wait(0), (100, 5, Some(0.05)), "while the device computes, waiting costs nothing");
        assert_eq!(wait(1), (10, 0, Some(0.0)));
        assert_eq!(analysis.phases.steps[1][0].host, Nanos(50_000), "the phase is the host's");
    }
}
