//! All analyses of one trace, in the order in which one needs another's report.

use std::sync::OnceLock;

use super::host_threads::HostThreads;
use super::idle::{idle_of, uncovered_of};
use super::launches::launches_of;
use super::linked::Linked;
use super::mindspore::{GetNextAhead, recorded_step};
use super::point_source::PointSource;
use super::queues::queues_of;
use super::time_categories::{categories_known, exposed_on_hosts};
use super::{
    Benchmark, BenchmarkConfig, CategoryTimes, CopyRow, CriticalPaths, Definition, DefinitionValues, DeviceIdle,
    DeviceReport, DeviceTime, ExecutionGraph, GivenPeaks, IdleConfig, IntervalSet, IterationInterval, KernelGrouping,
    KernelRow, LaunchRecord, Launches, LaunchesConfig, MindSpore, Operators, OperatorsConfig, OutsideSteps, Phase,
    PhaseSource, Phases, Pipeline, Queue, QueuesConfig, StepSource, StepTrace, StepTraceConfig, Steps, StepsConfig,
    TensorCoreUse, WholeStep, benchmark, copies, critical_paths, definition_values, device_time, kernel_rows,
    mindspore, operators, phases, step_trace_of, steps,
};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::Trace;

/// Settings of all analyses.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisConfig {
    /// Settings of steps.
    pub steps: StepsConfig,
    /// Settings of the table of operators.
    pub operators: OperatorsConfig,
    /// Settings of launches.
    pub launches: LaunchesConfig,
    /// Settings of queues.
    pub queues: QueuesConfig,
    /// Thresholds between the classes of idle time.
    pub idle: IdleConfig,
    /// The definition whose values are shown beside ours.
    pub definition: Definition,
    /// Where a step's forward pass begins and its backward pass ends.
    pub step_trace: StepTraceConfig,
    /// Settings of throughput.
    pub benchmark: BenchmarkConfig,
    /// Peaks of the devices that the user gives.
    pub peaks: GivenPeaks,
}

impl AnalysisConfig {
    /// The defaults: the framework's steps, operators by name, METRICS' thresholds, our definitions.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            steps: StepsConfig::default(),
            operators: OperatorsConfig::standard(),
            launches: LaunchesConfig::standard(),
            queues: QueuesConfig::standard(),
            idle: IdleConfig::standard(),
            definition: Definition::Stepscope,
            step_trace: StepTraceConfig::default(),
            benchmark: BenchmarkConfig::default(),
            peaks: GivenPeaks::default(),
        }
    }
}

/// All reports on one trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Each device over the whole trace.
    pub devices: Vec<DeviceReport>,
    /// The steps.
    pub steps: Steps,
    /// Per step, each device's times inside it.
    pub step_devices: Vec<Vec<DeviceTime>>,
    /// Per step, the eight categories' times.
    pub categories: Vec<CategoryTimes>,
    /// Span of the only step, where the trace marks none.
    pub whole_step: Option<WholeStep>,
    /// Activity of devices outside of marked steps, where that is more than a little.
    pub outside_steps: Option<OutsideSteps>,
    /// Per step, the part of the host's own categories that lies before the first recorded activity, where a device may run work
    /// from before the recording.
    pub categories_before_first: Vec<CategoryTimes>,
    /// Per step, the phases' times.
    pub phases: Phases,
    /// Per step, the communication of the hosts during which none of them computes. None with devices, where no host
    /// communicates, and where hardly any computation is recorded.
    pub exposed_on_hosts: Option<Vec<Nanos>>,
    /// Means over the steps that enter averages.
    pub average: StepAverage,
    /// Operators.
    pub operators: Operators,
    /// Settings by which operators were grouped.
    pub operators_config: OperatorsConfig,
    /// Kernels by name.
    pub kernels: Vec<KernelRow>,
    /// Use of tensor cores.
    pub tensor_cores: TensorCoreUse,
    /// Peaks of the devices that the user gave: all shares of a peak use them.
    pub peaks: GivenPeaks,
    /// Copies and memsets by kind.
    pub copies: Vec<CopyRow>,
    /// Costs of launches.
    pub launches: Launches,
    /// Each stream's queue.
    pub queues: Vec<Queue>,
    /// Idle time of each device by cause.
    pub idle: Vec<DeviceIdle>,
    /// Launches by outcome: with activity, captured, or lost.
    pub launch_record: LaunchRecord,
    /// The chosen definition's own values.
    pub definition: DefinitionValues,
    /// MindSpore's own tables.
    pub mindspore: MindSpore,
    /// The step trace, recorded or by the phases.
    pub step_trace: Option<StepTrace>,
    /// Throughput; none without marked steps.
    pub benchmark: Option<Benchmark>,
    /// The critical paths of the steps, once they are asked for by [`Self::paths`].
    paths: Asked<CriticalPaths>,
    /// The threads of the host, once a call tree asks for them.
    host_threads: Asked<HostThreads>,
}

/// A result that is found on request. It follows from the rest, so it makes no difference between analyses.
#[derive(Clone, Debug)]
struct Asked<T>(OnceLock<T>);

impl<T> Default for Asked<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> PartialEq for Asked<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Means over the steps that enter averages, rounded half to even.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepAverage {
    /// Number of steps in the mean length.
    pub steps: u64,
    /// The step's length; where only the profiler's table of steps has it, the length from there.
    pub length: Nanos,
    /// Number of steps in the other means: those for which the timeline shows what ran.
    pub covered_steps: u64,
    /// The categories' times.
    pub categories: CategoryTimes,
    /// The part of the host's own categories while a device's state is unknown, at the start of steps.
    pub categories_before_first: CategoryTimes,
    /// The device's times; with several devices, their mean.
    pub device: DeviceTime,
    /// The host's wait for data, including the part during which the device was busy.
    pub data_wait: Nanos,
    /// Without devices, the communication of the hosts during which none of them computes, as far as that is known.
    pub exposed_on_hosts: Option<Nanos>,
}

impl StepAverage {
    /// The communication during which nothing is computed, on devices, else on hosts, and its share of the step; no
    /// share where that is not known.
    #[must_use]
    pub fn exposed_communication(&self) -> (Nanos, Option<f64>) {
        let of_device = self.device.exposed_communication;
        match self.exposed_on_hosts {
            Some(of_hosts) => (of_hosts, of_hosts.ratio_of(self.length)),
            None => (of_device, self.device.share(of_device)),
        }
    }
}

/// Runs all analyses.
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
/// let found = analyze::analyze(&trace, &AnalysisConfig::standard());
/// assert_eq!((found.average.steps, found.average.length), (1, Nanos(20_000)));
/// assert_eq!((found.average.device.busy, found.average.device.idle), (Nanos(5_000), Nanos(15_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn analyze(trace: &Trace, config: &AnalysisConfig) -> Analysis {
    let mut devices = device_time(trace);
    let steps = steps(trace, &config.steps);
    let linked = Linked::of(trace);
    let launch_record = LaunchRecord::of_linked(trace, &linked);
    for device in &mut devices {
        let uncovered = uncovered_of(&steps, &launch_record, device.time.device);
        if !uncovered.is_empty() {
            device.leave_out(&uncovered);
        }
    }
    let in_step = |window: Interval| devices.iter().map(|report| report.time_in(window)).collect::<Vec<_>>();
    let step_devices: Vec<Vec<DeviceTime>> = steps.steps.iter().map(|step| in_step(step.span)).collect();
    let (categories, categories_before_first) = categories_known(trace, &steps, known_from(&devices));
    let phases = phases(trace, &steps);
    let average = match recorded_step(trace).filter(|_| steps.source == StepSource::Table) {
        Some((steps, length)) => StepAverage { steps, length, ..StepAverage::default() },
        None => average(&steps, &step_devices, [&categories, &categories_before_first], &phases),
    };
    let exposed_on_hosts = exposed_on_hosts(trace, &steps).filter(|_| devices.is_empty());
    let average = StepAverage { exposed_on_hosts: mean_of_counted(&steps, exposed_on_hosts.as_deref()), ..average };
    let mut mindspore = mindspore(trace);
    // The page does without it until there is a trace of MindSpore's (`xtask/src/page/split`).
    if crate::Recorder::of(trace) == crate::Recorder::MindSpore {
        mindspore.add_get_next(GetNextAhead::of(trace, &steps));
    }
    let average = match recorded_average(&mindspore, &steps) {
        // The profiler's own average, of the steps that it leaves in.
        Some(found) => StepAverage { length: found.average.total, ..average },
        None => average,
    };
    let definition = definition_values(trace, &steps, config.definition);
    let tensor_cores = TensorCoreUse::of(trace, &config.peaks);
    let queues = queues_of(trace, &linked, &config.queues);
    let marked = steps.source.is_marked();
    let mut found = Analysis {
        whole_step: WholeStep::of(trace, &steps, &devices),
        outside_steps: OutsideSteps::of(&steps, &devices),
        operators: operators(trace, config.operators),
        operators_config: config.operators,
        kernels: kernel_rows(trace, KernelGrouping::Name, None, &tensor_cores),
        tensor_cores,
        peaks: config.peaks.clone(),
        copies: copies(trace),
        launches: launches_of(trace, (&linked, &queues), &devices, &config.launches),
        queues,
        idle: idle_of(trace, &steps, &launch_record, &config.idle),
        launch_record,
        mindspore,
        step_trace: step_trace_of(trace, &steps, &phases, &config.step_trace),
        benchmark: if marked { benchmark(&steps, &phases, config.benchmark) } else { None },
        paths: Asked::default(),
        host_threads: Asked::default(),
        devices,
        steps,
        step_devices,
        categories,
        categories_before_first,
        phases,
        exposed_on_hosts,
        average,
        definition,
    };
    found.judge_data();
    found
}

/// The mean over the steps that enter averages.
fn mean_of_counted(steps: &Steps, times: Option<&[Nanos]>) -> Option<Nanos> {
    let counted = steps.counted();
    let sum = counted.iter().filter_map(|index| times?.get(*index).copied()).sum();
    times.map(|_| super::mean(sum, counted.len() as u64))
}

/// MindSpore's step trace, if its own row of averages is over the steps that the timeline marks and its table lists.
fn recorded_average<'a>(mindspore: &'a MindSpore, steps: &Steps) -> Option<&'a StepTrace> {
    let found =
        mindspore.step_trace.as_ref().filter(|found| found.recorded_average && !found.averages_other_steps())?;
    (steps.source.is_marked() && !found.is_of_other_steps(steps)).then_some(found)
}

impl Analysis {
    /// The threads of the host, found once. `trace` is the analyzed trace.
    pub(super) fn host_threads(&self, trace: &Trace) -> &HostThreads {
        self.host_threads.0.get_or_init(|| HostThreads::of(trace))
    }

    /// The critical paths of the steps, found once. `trace` is the analyzed trace.
    pub fn paths(&self, trace: &Trace) -> &CriticalPaths {
        self.paths.0.get_or_init(|| critical_paths(trace, &self.steps, &ExecutionGraph::of(trace, &self.steps)))
    }

    /// The same, given the trace's graph.
    pub fn paths_of(&self, trace: &Trace, graph: &ExecutionGraph) -> &CriticalPaths {
        self.paths.0.get_or_init(|| critical_paths(trace, &self.steps, graph))
    }

    /// Whether no step trains: modules run, and neither a backward pass nor an optimizer is recorded, or steps are an inference
    /// server's. Where the forward pass is known otherwise, the backward pass may be one that is not recorded.
    pub(super) fn only_infers(&self) -> bool {
        let source = |phase: Phase| self.phases.sources[phase as usize];
        let trains = [Phase::Backward, Phase::Optimizer].iter().any(|phase| source(*phase) != PhaseSource::Absent);
        let infers = source(Phase::Forward) == PhaseSource::Modules && !trains;
        infers || self.steps.steps.iter().any(|step| step.inference.is_some())
    }

    /// MindSpore's step trace, if it is of the steps that the timeline shows: a folder may contain another run's table.
    pub(super) fn recorded_steps(&self) -> Option<&StepTrace> {
        self.mindspore.step_trace.as_ref().filter(|found| !found.is_of_other_steps(&self.steps))
    }

    /// The step trace of the steps that the timeline shows, and whether the profiler recorded it.
    pub(super) fn shown_steps(&self) -> Option<(&StepTrace, bool)> {
        let recorded = self.recorded_steps();
        let marked = self.step_trace.as_ref().filter(|_| self.steps.source.is_marked());
        let marked = marked.filter(|found| !found.is_of_other_steps(&self.steps));
        Some((recorded.or(marked)?, recorded.is_some()))
    }

    /// The iteration interval of the recorded step trace, else of the one made from the timeline. None where neither is
    /// of the steps that the timeline shows, or of a single step.
    #[must_use]
    pub fn iteration_interval(&self) -> Option<IterationInterval> {
        let (steps, recorded) = self.shown_steps()?;
        if steps.steps.len() < 2 && !steps.recorded_average {
            return None;
        }
        // A recorded table averages its own steps. One made from the timeline leaves out steps that the average step
        // includes.
        let average = steps.own_average();
        let step = if recorded { average.total } else { self.average.length };
        // Where no queue is recorded, a step trace that the profiler wrote means sink mode. Its rows on a timeline may be of
        // either mode.
        let known = self.mindspore.pipeline.as_ref().and_then(Pipeline::sinks);
        let guessed = known.is_none() && !recorded && steps.source == PointSource::Timeline;
        let sinks = known.unwrap_or(recorded || guessed);
        Some(IterationInterval { mean: average.iteration_interval, step, recorded, sinks, guessed })
    }

    /// Decides whether data limits the steps, by the chosen definition's limit of the iteration interval.
    pub(super) fn judge_data(&mut self) {
        let (interval, definition) = (self.iteration_interval(), self.definition.definition);
        if let Some(pipeline) = &mut self.mindspore.pipeline {
            pipeline.judge(interval, definition);
        }
    }

    /// Whether the mean length of a step is the profiler's own, not that of the steps that are shown.
    #[must_use]
    pub fn average_is_recorded(&self) -> bool {
        recorded_average(&self.mindspore, &self.steps).is_some()
    }

    /// The times at which a device communicates and computes nothing.
    pub(super) fn only_communicating(&self) -> IntervalSet {
        let of_device = |report: &DeviceReport| report.sets.communication.difference(&report.sets.compute);
        self.devices.iter().fold(IntervalSet::new(), |all, report| all.union(&of_device(report)))
    }

    /// The time from which the trace shows what any device does; see [`DeviceReport::known_from`].
    pub(super) fn known_from(&self) -> Nanos {
        known_from(&self.devices)
    }

    /// Whether averages are of the recorded time rather than of whole steps: see [`Steps::are_recorded_time`].
    #[must_use]
    pub fn averages_recorded_time(&self) -> bool {
        self.steps.are_recorded_time(&self.steps.counted())
    }

    /// The categories' times of each step without the host's own before the first recorded activity: until then, a
    /// device may run work from before the recording.
    #[must_use]
    pub fn known_categories(&self) -> Vec<CategoryTimes> {
        (0..self.categories.len()).map(|step| self.known_categories_of(step)).collect()
    }

    /// The same for one step.
    #[must_use]
    pub fn known_categories_of(&self, step: usize) -> CategoryTimes {
        let of = |categories: &[CategoryTimes]| categories.get(step).copied().unwrap_or_default();
        without(of(&self.categories), of(&self.categories_before_first))
    }

    /// The length of the part of a step that [`known_categories`](Self::known_categories) leave out.
    #[must_use]
    pub fn time_before_first(&self, step: usize) -> Nanos {
        self.categories_before_first.get(step).map_or(Nanos::ZERO, |categories| categories.iter().copied().sum())
    }
}

/// The time from which the first of several devices is known.
fn known_from(devices: &[DeviceReport]) -> Nanos {
    devices.iter().map(|device| device.known_from).min().unwrap_or(Nanos::MIN)
}

fn without(categories: CategoryTimes, early: CategoryTimes) -> CategoryTimes {
    std::array::from_fn(|category| categories[category] - early[category])
}

impl StepAverage {
    /// The categories' times, as [`Analysis::known_categories`].
    #[must_use]
    pub fn known_categories(&self) -> CategoryTimes {
        without(self.categories, self.categories_before_first)
    }
}

fn average(
    steps: &Steps,
    devices: &[Vec<DeviceTime>],
    [categories, early]: [&[CategoryTimes]; 2],
    phases: &Phases,
) -> StepAverage {
    let (chosen, complete) = (steps.counted(), steps.complete());
    let count = chosen.len() as u64;
    let lengths: Nanos = complete.iter().map(|index| steps.steps[*index].span.len()).sum();
    let mean = |of: &dyn Fn(usize) -> Nanos| super::mean(chosen.iter().map(|index| of(*index)).sum(), count);
    let all: Vec<DeviceTime> = chosen.iter().flat_map(|index| devices[*index].iter().copied()).collect();
    StepAverage {
        steps: complete.len() as u64,
        length: super::mean(lengths, complete.len() as u64),
        covered_steps: count,
        categories: std::array::from_fn(|category| mean(&|index| categories[index][category])),
        categories_before_first: std::array::from_fn(|category| mean(&|index| early[index][category])),
        device: DeviceTime::mean(&all),
        data_wait: mean(&|index| phases.steps[index][0].host),
        exposed_on_hosts: None,
    }
}
