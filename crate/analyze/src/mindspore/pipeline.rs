//! The data pipeline: queues, bottlenecks, and waits of the device for data. METRICS section 7.

use super::cells::{number_in, table, text_in, time_in};
use super::get_next_ahead::GetNextAhead;
use super::interval::{IntervalLimits, IterationInterval};
use crate::Definition;
use crate::data_loading::is_start;
use stepscope_trace::{Cell, RecordedTable, Trace};

/// Thresholds for data that limit the steps, and for operators that are bottlenecks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// If all queues are filled to this part or more, the pipeline keeps up.
    pub high: f64,
    /// An operator without inputs is a bottleneck if its queue is filled less than this.
    pub low: f64,
    /// An operator is a bottleneck if its input queue is fuller than its own by more than this.
    pub difference: f64,
    /// Whether an operator can be a bottleneck though its queue was never empty: then no sample shows a wait for it.
    pub never_empty: bool,
    /// Whether the last operator is a bottleneck where all queues are full and no queue behind it is recorded.
    pub last_by_queues: bool,
    /// Whether the first step counts: its queue is empty because the pipeline starts.
    pub first_step: bool,
}

impl Thresholds {
    /// The thresholds of a definition: METRICS' limits. MindInsight's program also applies them to the first step and
    /// to queues that are never empty, and names the last operator where all queues are full.
    #[must_use]
    pub const fn of(definition: Definition) -> Self {
        let is_theirs = matches!(definition, Definition::MindSpore);
        Self {
            high: 0.8,
            low: 0.6,
            difference: 0.1,
            never_empty: is_theirs,
            last_by_queues: is_theirs,
            first_step: is_theirs,
        }
    }

    /// Whether an operator can be a bottleneck.
    #[must_use]
    pub fn counts(&self, operator: &PipelineOperator) -> bool {
        self.never_empty || !operator.is_never_empty()
    }
}

impl Default for Thresholds {
    fn default() -> Self {
        Self::of(Definition::default())
    }
}

/// An operator of the pipeline, with the queue that it fills.
#[derive(Clone, Debug, PartialEq)]
pub struct PipelineOperator {
    /// Its number.
    pub id: i64,
    /// Its type, such as `Batch` or `MapOp`.
    pub kind: String,
    /// Number of its workers.
    pub workers: i64,
    /// Mean number of elements in its queue; none without a queue.
    pub mean_size: Option<f64>,
    /// Capacity of its queue.
    pub capacity: Option<i64>,
    /// Mean filled part of its queue; 0 without a queue.
    pub usage: f64,
    /// Numbers of samples: with an empty queue, with a full one, and all.
    pub samples: [u64; 3],
    /// The operator that takes from its queue; none for the last of the pipeline.
    pub parent: Option<i64>,
    /// The operators whose queues it takes from.
    pub children: Vec<i64>,
    /// Number of elements in its queue in each sample.
    pub sizes: Vec<i64>,
    /// The time between two samples, in ns; none where it is not known.
    pub interval: Option<f64>,
}

/// The queue in front of the device, or of the loop over the dataset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueSummary {
    /// Whether it feeds a device; else the loop of the host.
    pub device: bool,
    /// Steps.
    pub steps: u64,
    /// Steps that began with an empty queue.
    pub empty: u64,
    /// Whether the first step did.
    pub first_empty: bool,
    /// Steps that began with a full queue.
    pub full: u64,
    /// The first step's time to get data, in ns, where it is the pipeline's start, which happens once: the means then
    /// exclude that step.
    pub start: Option<f64>,
    /// The mean of size by capacity; none without a capacity.
    pub usage: Option<f64>,
    /// Mean time per step to get data from the pipeline, in ns.
    pub get: f64,
    /// Mean time per step to push them, in ns.
    pub push: f64,
    /// Mean of both, in ns.
    pub total: f64,
}

impl Processor {
    /// The busy part above which the processors limit making data.
    const BOUND: f64 = 0.8;

    /// Whether the processors limit making data.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.busy().is_some_and(|busy| busy > Self::BOUND)
    }

    /// The mean part of them that was busy; none with too few samples.
    #[must_use]
    pub fn busy(&self) -> Option<f64> {
        /// MindSpore samples once a second: fewer are some moments of the start.
        const FEWEST: u64 = 10;
        (self.samples >= FEWEST).then_some(1.0 - self.idle)
    }
}

impl QueueSummary {
    /// The steps that began with an empty queue and all steps, with the first one or without it.
    #[must_use]
    pub fn counted(&self, first_step: bool) -> CountedSteps {
        let left_out = u64::from(!first_step && self.steps > 0);
        CountedSteps { empty: self.empty - left_out.min(u64::from(self.first_empty)), steps: self.steps - left_out }
    }
}

/// The steps by which a queue is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountedSteps {
    /// Steps that began with an empty queue.
    pub empty: u64,
    /// All of them.
    pub steps: u64,
}

impl CountedSteps {
    /// The part of the steps that began with an empty queue; none without steps.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share for display")]
    pub fn empty_share(self) -> Option<f64> {
        (self.steps > 0).then(|| self.empty as f64 / self.steps as f64)
    }
}

/// The queue in front of the device, or of the loop over the dataset, at a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueSample {
    /// The step's number.
    pub step: Option<i64>,
    /// Number of elements in it; none where not recorded.
    pub size: Option<i64>,
    /// Its capacity.
    pub capacity: Option<i64>,
    /// Time to get data from the pipeline, in ns.
    pub get: Option<f64>,
    /// Time to push them, in ns.
    pub push: Option<f64>,
    /// Both, in ns.
    pub total: Option<f64>,
}

/// Waits of the device's operator that gets data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GetNext {
    /// Steps with a size of the queue.
    pub steps: u64,
    /// Steps that began with an empty queue.
    pub empty: u64,
    /// Mean time, in ns.
    pub mean: f64,
}

/// The load of the machine's processors while data were made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Processor {
    /// The mean part of them that was idle.
    pub idle: f64,
    /// Samples that measured anything.
    pub samples: u64,
    /// The mean part of them that ran programs.
    pub user: f64,
    /// The mean part of them that ran the system.
    pub system: f64,
    /// The mean part of them that ran the training process.
    pub process_user: Option<f64>,
    /// Mean number of processes that were ready to run.
    pub runnable: Option<f64>,
    /// Mean number of context switches in a sample.
    pub switches: Option<f64>,
    /// Number of processors.
    pub count: Option<f64>,
}

/// The cause of the device's wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataVerdict {
    /// Making data: the queue is empty in more than 30 % of the steps, or in any where the device finds no data, either.
    Processing,
    /// Moving data to the device: the queue in front of it is never empty, but the device finds no data.
    Transmission,
    /// Not the data.
    NotData,
}

impl DataVerdict {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Processing => "processing",
            Self::Transmission => "transmission",
            Self::NotData => "not_data",
        }
    }
}

/// Part of steps with an empty queue above which making data is the cause.
const EMPTY_LIMIT: f64 = 0.3;

/// The data pipeline of a rank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pipeline {
    /// Its operators, from the table.
    pub operators: Vec<PipelineOperator>,
    /// The operators that limit it, by index; none where the queue shows that the steps do not wait for data.
    pub bottlenecks: Vec<usize>,
    /// Further operators that the queues around them show to be slow, by index, though no sample shows a wait for them:
    /// their queues were never empty.
    pub slow_by_queues: Vec<usize>,
    /// Whether all queues are full enough that it keeps up.
    pub keeps_up: bool,
    /// The thresholds of that judgement.
    pub thresholds: Thresholds,
    /// The queue at its end.
    pub queue: Option<QueueSummary>,
    /// The steps of that queue which count.
    pub counted: CountedSteps,
    /// The device's waits.
    pub get_next: Option<GetNext>,
    /// Whether the device took it ahead of its steps, where the timeline shows that.
    pub get_next_ahead: Option<GetNextAhead>,
    /// The iteration interval, where a step trace of these steps has it, and its limit in ns.
    pub interval: Option<(IterationInterval, f64)>,
    /// The cause of the device's wait, where that interval or the queue shows it.
    pub verdict: Option<DataVerdict>,
    /// The processors' load.
    pub processor: Option<Processor>,
    /// Whether that is unknown because most samples do not add up to the processors' time.
    pub implausible_samples: bool,
}

/// The data pipeline of a rank, if MindData's profiler wrote anything. [`Pipeline::judge`] finds what limits it.
#[must_use]
pub fn pipeline(trace: &Trace) -> Option<Pipeline> {
    let operators = operators(trace);
    let (queue, get_next) = (queue(trace), get_next(trace));
    let (processor, implausible_samples) = processor(trace);
    let mut found = Pipeline { operators, queue, get_next, processor, implausible_samples, ..Pipeline::default() };
    if found == Pipeline::default() {
        return None;
    }
    found.judge(None, Definition::default());
    Some(found)
}

impl Pipeline {
    /// Whether the device takes data from a queue of its own: it does where `GetNext` runs on it; else by the recorded
    /// queues; none without any.
    #[must_use]
    pub fn sinks(&self) -> Option<bool> {
        if self.get_next.is_some() { Some(true) } else { self.queue.map(|queue| queue.device) }
    }

    /// Finds what limits the steps and which operators limit the pipeline, by the iteration interval, if it is known.
    pub fn judge(&mut self, interval: Option<IterationInterval>, definition: Definition) {
        let (limits, thresholds) = (IntervalLimits::of(definition), Thresholds::of(definition));
        self.thresholds = thresholds;
        self.interval = interval.map(|interval| (interval, interval.limit(limits)));
        (self.bottlenecks, self.keeps_up) = bottlenecks(&self.operators, thresholds);
        self.counted = self.queue.map(|queue| queue.counted(thresholds.first_step)).unwrap_or_default();
        self.verdict = if interval.is_some_and(|interval| interval.is_short(limits)) {
            Some(DataVerdict::NotData)
        } else {
            self.counted.empty_share().and_then(|share| verdict(share, self.get_next.as_ref()))
        };
        let is_long = interval.is_some_and(|interval| interval.is_long(limits));
        // Where data is made in time, no operator limits anything.
        if matches!(self.verdict, Some(DataVerdict::NotData | DataVerdict::Transmission)) && !self.keeps_up {
            self.bottlenecks.clear();
        }
        self.slow_by_queues.clear();
        match self.verdict {
            // All queues are full, and yet there is no data behind the last operator: that one is slow.
            Some(DataVerdict::Processing) if self.keeps_up => self.keeps_up = false,
            // So it is where steps wait long and no queue shows for what. MindInsight names it by these queues alone.
            None if self.keeps_up && (is_long || thresholds.last_by_queues) => self.keeps_up = false,
            None | Some(DataVerdict::Processing) if !self.keeps_up => {
                let (by_queues, _) = bottlenecks(&self.operators, Thresholds { never_empty: true, ..thresholds });
                self.slow_by_queues = by_queues.into_iter().filter(|one| !self.bottlenecks.contains(one)).collect();
            }
            _ => {}
        }
    }
}

fn operators(trace: &Trace) -> Vec<PipelineOperator> {
    // The first is the analyzed form of the second.
    let Some(table) = table(trace, "minddata_pipeline").or_else(|| table(trace, "pipeline_profiling")) else {
        return Vec::new();
    };
    table.rows.iter().map(|row| operator(table, row)).collect()
}

fn operator(table: &RecordedTable, row: &[Cell]) -> PipelineOperator {
    let whole = |name: &str| match table.cell(row, name) {
        Cell::Integer(number) => Some(*number),
        _ => None,
    };
    let capacity = whole("output_queue_length");
    let sizes = numbers(text_in(table, row, "output_queue_size"));
    let count = |wanted: Option<i64>| sizes.iter().filter(|size| Some(**size) == wanted).count() as u64;
    PipelineOperator {
        id: whole("op_id").unwrap_or_default(),
        kind: text_in(table, row, "op_type").to_owned(),
        workers: whole("num_workers").unwrap_or_default(),
        mean_size: number_in(table, row, "output_queue_average_size"),
        capacity,
        usage: number_in(table, row, "output_queue_usage_rate").unwrap_or_default(),
        samples: [count(Some(0)), count(capacity), sizes.len() as u64],
        parent: whole("parent_id"),
        children: numbers(text_in(table, row, "children_id")),
        sizes,
        interval: number_in(table, row, "sample_interval").filter(|interval| *interval > 0.0),
    }
}

/// The numbers of a list as it is written: `[2, 3]`.
fn numbers(list: &str) -> Vec<i64> {
    list.trim_matches(['[', ']']).split(',').filter_map(|number| number.trim().parse().ok()).collect()
}

impl PipelineOperator {
    /// Whether it has a queue that shows its speed. The last operator of a pipeline has none. An operator without a
    /// queue runs in the workers of the operator that takes from it.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.parent.is_some() && self.capacity.is_some()
    }

    /// The part by which the fullest of its input queues is fuller than its own; none for a source. For an input
    /// operator without a queue, that operator's input queues count.
    #[must_use]
    pub fn input_ahead(&self, operators: &[Self]) -> Option<f64> {
        /// Deeper than any pipeline: in a faulty table, an operator may take from itself.
        const DEEPEST: usize = 64;
        let mut fullest: Option<f64> = None;
        let mut ids: Vec<i64> = self.children.clone();
        for _ in 0..DEEPEST {
            let inputs: Vec<&Self> = operators.iter().filter(|operator| ids.contains(&operator.id)).collect();
            let queued = inputs.iter().filter(|input| input.capacity.is_some()).map(|input| input.usage);
            fullest = queued.chain(fullest).reduce(f64::max);
            let inner = inputs.iter().filter(|input| input.capacity.is_none());
            ids = inner.flat_map(|input| &input.children).copied().collect();
        }
        fullest.map(|usage| usage - self.usage)
    }

    /// Whether its queue was empty in no sample: then no operator waited for it.
    #[must_use]
    pub fn is_never_empty(&self) -> bool {
        self.samples[2] > 0 && self.samples[0] == 0
    }

    /// Whether it has no inputs.
    #[must_use]
    pub fn is_source(&self) -> bool {
        self.children.is_empty()
    }
}

/// The operators that limit a pipeline, by index, and whether it keeps up.
///
/// One whose fullest input queue is fuller than its own by more than the difference; one without inputs whose queue is
/// emptier than the low threshold; neither where its queue was never empty, unless that counts. If all queues reach the
/// high threshold, only the last operator. An operator without a queue is not judged.
#[must_use]
pub fn bottlenecks(operators: &[PipelineOperator], thresholds: Thresholds) -> (Vec<usize>, bool) {
    let judged = || operators.iter().enumerate().filter(|(_, operator)| operator.is_judged());
    let root = operators.iter().position(|operator| operator.parent.is_none());
    if judged().count() > 0 && judged().all(|(_, operator)| operator.usage >= thresholds.high) {
        return (root.into_iter().collect(), true);
    }
    let judged = || judged().filter(|(_, operator)| thresholds.counts(operator));
    let inner =
        |operator: &PipelineOperator| operator.input_ahead(operators).is_some_and(|more| more > thresholds.difference);
    let source = |operator: &PipelineOperator| operator.is_source() && operator.usage < thresholds.low;
    let chosen = |of: &dyn Fn(&PipelineOperator) -> bool| {
        judged().filter(|(_, operator)| of(operator)).map(|(index, _)| index).collect::<Vec<usize>>()
    };
    ([chosen(&inner), chosen(&source)].concat(), false)
}

/// The queue in front of the device, or of the loop over the dataset, at each step.
#[must_use]
pub fn queue_samples(trace: &Trace) -> Vec<QueueSample> {
    let Some(table) = queue_table(trace) else { return Vec::new() };
    let whole = |row: &[Cell], name: &str| match table.cell(row, name) {
        Cell::Integer(number) => Some(*number),
        _ => None,
    };
    let sample = |row: &Vec<Cell>| QueueSample {
        step: whole(row, "step"),
        size: whole(row, "size"),
        capacity: whole(row, "capacity"),
        get: number_in(table, row, "get"),
        push: number_in(table, row, "push"),
        total: number_in(table, row, "total"),
    };
    table.rows.iter().map(sample).collect()
}

fn queue_table(trace: &Trace) -> Option<&RecordedTable> {
    table(trace, "device_queue").or_else(|| table(trace, "dataset_iterator"))
}

fn queue(trace: &Trace) -> Option<QueueSummary> {
    let table = queue_table(trace)?;
    let samples = queue_samples(trace);
    let sized = || samples.iter().filter(|sample| sample.size.is_some());
    let is_timed = samples.first().is_some_and(|sample| sample.get.is_some());
    let start = start_of(&samples.iter().filter_map(|sample| sample.get).collect::<Vec<_>>()).filter(|_| is_timed);
    let usual = &samples[usize::from(start.is_some())..];
    let mean = |of: fn(&QueueSample) -> Option<f64>| mean_of(&usual.iter().filter_map(of).collect::<Vec<_>>());
    #[expect(clippy::cast_precision_loss, reason = "sizes of a queue")]
    let usage = |sample: &QueueSample| {
        let capacity = sample.capacity.filter(|capacity| *capacity > 0)?;
        Some(sample.size? as f64 / capacity as f64)
    };
    Some(QueueSummary {
        first_empty: sized().next().is_some_and(|sample| sample.size == Some(0)),
        device: table.id == "device_queue",
        steps: sized().count() as u64,
        empty: sized().filter(|sample| sample.size == Some(0)).count() as u64,
        full: sized().filter(|sample| sample.size == sample.capacity).count() as u64,
        start,
        usage: mean(usage),
        get: mean(|sample| sample.get).unwrap_or_default(),
        push: mean(|sample| sample.push).unwrap_or_default(),
        total: mean(|sample| sample.total).unwrap_or_default(),
    })
}

/// The first wait, if it is the pipeline's start ([`is_start`]).
fn start_of(waits: &[f64]) -> Option<f64> {
    let (first, others) = waits.split_first()?;
    is_start(*first, others).then_some(*first)
}

#[expect(clippy::cast_precision_loss, reason = "a count of samples")]
fn mean_of(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

fn get_next_rows(table: &RecordedTable) -> impl Iterator<Item = &Vec<Cell>> {
    table.rows.iter().filter(|row| text_in(table, row, "name").starts_with("GetNext"))
}

/// The number of elements in the device's queue whenever its operator took data, in the order of the file.
#[must_use]
pub fn get_next_sizes(trace: &Trace) -> Vec<f64> {
    let sizes = |table| get_next_rows(table).filter_map(|row| number_in(table, row, "queue_size")).collect();
    table(trace, "get_next").map(sizes).unwrap_or_default()
}

fn get_next(trace: &Trace) -> Option<GetNext> {
    let table = table(trace, "get_next")?;
    let sizes = get_next_sizes(trace);
    let time = |row: &Vec<Cell>| time_in(table, row, "end") - time_in(table, row, "start");
    #[expect(clippy::cast_precision_loss, reason = "nanoseconds, for a mean")]
    let times: Vec<f64> = get_next_rows(table).map(|row| time(row).0 as f64).collect();
    Some(GetNext {
        steps: sizes.len() as u64,
        empty: sizes.iter().filter(|size| **size == 0.0).count() as u64,
        mean: mean_of(&times).unwrap_or_default(),
    })
}

/// The cause, by the part of the steps that found the queue empty, and by what the device found; none where neither
/// shows it: a few steps found the queue empty, and what the device found is not recorded.
fn verdict(empty: f64, get_next: Option<&GetNext>) -> Option<DataVerdict> {
    // A device that always finds data does not wait for it, even if the queue in front of it is often empty.
    match get_next.filter(|get_next| get_next.steps > 0).map(|get_next| get_next.empty > 0) {
        Some(false) => Some(DataVerdict::NotData),
        // As MindInsight's tuning guide: the transfer is the cause only if the queue on the host is never empty.
        Some(true) if empty == 0.0 => Some(DataVerdict::Transmission),
        Some(true) => Some(DataVerdict::Processing),
        None if empty > EMPTY_LIMIT => Some(DataVerdict::Processing),
        None => (empty == 0.0).then_some(DataVerdict::NotData),
    }
}

/// The processors' load. Some machines count no idle time: a sample without idle time counts only if the other parts
/// fill it. None if most samples do not count, and then whether there are any.
fn processor(trace: &Trace) -> (Option<Processor>, bool) {
    let Some(table) = table(trace, "minddata_cpu") else { return (None, false) };
    let part = |row: &[Cell], name: &str| number_in(table, row, name).unwrap_or_default();
    let parts = |row: &Vec<Cell>| {
        let busy: f64 = ["machine user", "machine sys", "machine io"].iter().map(|name| part(row, name)).sum();
        (busy, part(row, "machine idle"))
    };
    let samples: Vec<(f64, f64, &[Cell])> = table
        .rows
        .iter()
        .map(|row| (parts(row), row.as_slice()))
        .map(|((busy, idle), row)| (busy, idle, row))
        .filter(|(busy, idle, _)| busy + idle > 0.0)
        .collect();
    let counted: Vec<&[Cell]> =
        samples.iter().filter(|(busy, idle, _)| *idle > 0.0 || *busy >= 0.9).map(|(.., row)| *row).collect();
    if counted.len() * 2 < samples.len() {
        return (None, true);
    }
    let mean = |name: &str| mean_of(&counted.iter().filter_map(|row| number_in(table, row, name)).collect::<Vec<_>>());
    let facts = &trace.meta.facts;
    let processors = facts.iter().find(|(name, _)| name == "cpu_processor_num").and_then(|(_, text)| text.parse().ok());
    let found = (!counted.is_empty()).then(|| Processor {
        idle: mean("machine idle").unwrap_or_default(),
        samples: counted.len() as u64,
        user: mean("machine user").unwrap_or_default(),
        system: mean("machine sys").unwrap_or_default(),
        process_user: mean("process user"),
        runnable: mean("runnable processes"),
        switches: mean("context switches"),
        count: processors,
    });
    // Samples that are all zero measured nothing, as those of a machine that counts no time.
    let implausible = found.is_none() && !table.rows.is_empty();
    (found, implausible)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_base::Nanos;

    fn operator(id: i64, usage: f64, parent: Option<i64>, children: &[i64]) -> PipelineOperator {
        PipelineOperator {
            id,
            kind: String::new(),
            workers: 1,
            mean_size: None,
            capacity: Some(64),
            usage,
            samples: [0; 3],
            parent,
            children: children.to_vec(),
            sizes: Vec::new(),
            interval: None,
        }
    }

    #[test]
    fn a_device_that_always_finds_data_does_not_wait_for_them() {
        let found = |empty| GetNext { steps: 10, empty, mean: 0.0 };
        assert_eq!(verdict(0.4, None), Some(DataVerdict::Processing));
        assert_eq!(verdict(0.4, Some(&found(3))), Some(DataVerdict::Processing));
        assert_eq!(verdict(0.4, Some(&found(0))), Some(DataVerdict::NotData));
        assert_eq!(verdict(0.4, Some(&GetNext { steps: 0, ..found(0) })), Some(DataVerdict::Processing));
        // The guide asks whether the host's queue is ever empty.
        assert_eq!(verdict(0.1, Some(&found(3))), Some(DataVerdict::Processing));
        assert_eq!(verdict(0.0, Some(&found(3))), Some(DataVerdict::Transmission));
        // A few steps waited, by how long is not known.
        assert_eq!((verdict(0.0, None), verdict(0.1, None)), (Some(DataVerdict::NotData), None));
    }

    #[test]
    fn the_first_step_finds_the_queue_empty_because_the_pipeline_starts() {
        let share = |steps, empty, first_empty| {
            let queue = QueueSummary {
                device: true,
                steps,
                empty,
                first_empty,
                full: 0,
                usage: None,
                start: None,
                get: 0.0,
                push: 0.0,
                total: 0.0,
            };
            [true, false].map(|first_step| queue.counted(first_step).empty_share())
        };
        assert_eq!(share(0, 0, false), [None, None]);
        assert_eq!(share(1, 1, true), [Some(1.0), None], "MindInsight judges by that step");
        assert_eq!(share(3, 1, true), [Some(1.0 / 3.0), Some(0.0)]);
        assert_eq!(share(3, 1, false), [Some(1.0 / 3.0), Some(0.5)]);
    }

    #[test]
    fn the_first_batch_is_not_spread_over_all_steps() {
        assert_eq!(start_of(&[900.0, 10.0, 20.0, 15.0]), Some(900.0));
        assert_eq!(start_of(&[24.0, 10.0, 20.0, 15.0]), None, "as long as others are");
        assert_eq!([&[900.0, 10.0, 20.0][..], &[900.0], &[]].map(start_of), [None; 3], "too few others");
    }

    #[test]
    fn a_bottleneck_has_full_inputs_or_is_an_empty_source() {
        let chain = |inner: f64, leaf: f64| {
            [operator(0, 0.0, None, &[1]), operator(1, inner, Some(0), &[2]), operator(2, leaf, Some(1), &[])]
        };
        let of = |inner, leaf| bottlenecks(&chain(inner, leaf), Thresholds::of(Definition::Stepscope));
        assert_eq!(of(0.2, 0.9), (vec![1], false), "its input waits");
        assert_eq!(of(0.2, 0.25), (vec![2], false), "nothing comes from the source");
        assert_eq!(of(0.4, 0.59), (vec![1, 2], false));
        assert_eq!(of(0.9, 0.8), (vec![0], true), "it keeps up");
        assert_eq!(of(0.6, 0.6), (vec![], false));
        assert_eq!(bottlenecks(&[], Thresholds::of(Definition::Stepscope)), (vec![], false));
        // An operator without a queue has no usage: its inputs are those of the operator after it.
        let [root, inner, leaf] = chain(0.3, 0.3);
        let inner = PipelineOperator { children: vec![4], ..inner };
        let leaf = PipelineOperator { parent: Some(4), ..leaf };
        let bare = PipelineOperator { capacity: None, ..operator(4, 0.0, Some(1), &[2]) };
        let operators = [root, inner, leaf, bare];
        assert_eq!(operators[1].input_ahead(&operators), Some(0.0));
        assert_eq!(bottlenecks(&operators, Thresholds::of(Definition::Stepscope)), (vec![2], false));
    }

    #[test]
    fn nothing_waits_for_an_operator_whose_queue_is_never_empty() {
        let source = |empty| PipelineOperator { samples: [empty, 0, 3], ..operator(1, 0.3, Some(0), &[]) };
        let of = |empty, definition| {
            bottlenecks(&[operator(0, 0.0, None, &[1]), source(empty)], Thresholds::of(definition)).0
        };
        assert_eq!(of(1, Definition::Stepscope), vec![1]);
        assert_eq!(of(0, Definition::Stepscope), Vec::<usize>::new());
        assert_eq!(of(0, Definition::MindSpore), vec![1], "MindInsight looks at the mean alone");
    }

    #[test]
    fn the_queue_at_the_end_judges_what_the_others_show() {
        let of = |usage: f64, empty: u64| {
            let queue = QueueSummary { device: true, steps: 11, empty, first_empty: true, ..QueueSummary::default() };
            let operators = vec![
                operator(0, 0.0, None, &[1]),
                PipelineOperator { samples: [0, 0, 9], ..operator(1, usage, Some(0), &[]) },
            ];
            let mut found = Pipeline { operators, queue: Some(queue), ..Pipeline::default() };
            found.judge(None, Definition::Stepscope);
            (found.verdict, found.bottlenecks, found.slow_by_queues, found.keeps_up)
        };
        assert_eq!(of(0.9, 11), (Some(DataVerdict::Processing), vec![0], vec![], false), "the last one is slow");
        assert_eq!(of(0.9, 2), (None, vec![0], vec![], true));
        assert_eq!(of(0.3, 11), (Some(DataVerdict::Processing), vec![], vec![1], false), "never empty");
        assert_eq!(of(0.3, 1), (Some(DataVerdict::NotData), vec![], vec![], false));
    }

    /// MindInsight's guide: the right-most operator is the bottleneck where all queues before it are full.
    #[test]
    fn full_queues_name_the_last_operator_by_mindspores_definition() {
        let of = |definition, empty: Option<u64>| {
            let queue = |empty| QueueSummary { device: true, steps: 10, empty, ..QueueSummary::default() };
            let operators = vec![operator(0, 0.0, None, &[1]), operator(1, 0.9, Some(0), &[])];
            let mut found = Pipeline { operators, queue: empty.map(queue), ..Pipeline::default() };
            found.judge(None, definition);
            (found.bottlenecks, found.keeps_up)
        };
        // Where the interval between steps is long and no queue shows why, both name it.
        let long = |mean| {
            let interval = IterationInterval {
                mean: Nanos(mean),
                step: Nanos(20_000_000),
                recorded: true,
                sinks: true,
                guessed: false,
            };
            let operators = vec![operator(0, 0.0, None, &[1]), operator(1, 0.9, Some(0), &[])];
            let mut found = Pipeline { operators, ..Pipeline::default() };
            found.judge(Some(interval), Definition::Stepscope);
            (found.bottlenecks, found.keeps_up)
        };
        assert_eq!((long(1_000_001), long(1_000_000)), ((vec![0], false), (vec![0], true)));
        for (definition, keeps_up) in [(Definition::Stepscope, true), (Definition::MindSpore, false)] {
            assert_eq!(of(definition, None), (vec![0], keeps_up), "no queue behind it is recorded");
            assert_eq!(of(definition, Some(8)), (vec![0], false));
            assert_eq!(of(definition, Some(0)), (vec![0], true), "that queue always has data");
        }
    }
}
