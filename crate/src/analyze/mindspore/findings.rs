//! What is worth a look, by MindInsight's rules. METRICS sections 7 and 9.

use super::pipeline::EMPTY_LIMIT;
use super::{DataVerdict, Pipeline, StepTrace, Thresholds};
use crate::units::Nanos;

/// The interval between steps above which it is worth a look.
const INTERVAL_LIMIT: Nanos = Nanos(500_000);

/// The busy part of the processors above which they are what takes time.
const BUSY_LIMIT: f64 = 0.8;

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The device waits between two steps; in ns.
    IterationInterval,
    /// Steps find the queue of data empty; a share of the steps.
    DataProcessing,
    /// Data are there, and the device does not get them; the number of steps that wait.
    DataTransmission,
    /// An operator of the data pipeline holds it up; by how much its input's queue is fuller than its own.
    PipelineBottleneck,
    /// A source of the data pipeline does not keep up; how full its queue is.
    EmptySource,
    /// The machine's processors are busy; a share of the time.
    ProcessorBusy,
}

impl Rule {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::IterationInterval => "iteration_interval",
            Self::DataProcessing => "data_processing",
            Self::DataTransmission => "data_transmission",
            Self::PipelineBottleneck => "pipeline_bottleneck",
            Self::EmptySource => "empty_source",
            Self::ProcessorBusy => "processor_busy",
        }
    }
}

/// A rule that holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// What was measured.
    pub value: f64,
    /// What it was compared with.
    pub threshold: f64,
    /// What it is about, such as an operator of the pipeline; may be empty.
    pub subject: String,
}

/// The rules that hold for a rank.
#[expect(clippy::cast_precision_loss, reason = "numbers for display")]
pub(super) fn findings(steps: Option<&StepTrace>, pipeline: Option<&Pipeline>) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |rule, value, threshold, subject: String| found.push(Finding { rule, value, threshold, subject });
    if let Some(steps) = steps
        && steps.average.iteration_interval > INTERVAL_LIMIT
    {
        let value = steps.average.iteration_interval.0 as f64;
        add(Rule::IterationInterval, value, INTERVAL_LIMIT.0 as f64, String::new());
    }
    let Some(pipeline) = pipeline else { return found };
    match pipeline.verdict {
        Some(DataVerdict::Processing) => {
            let share = pipeline.queue.and_then(|queue| queue.empty_share()).unwrap_or_default();
            add(Rule::DataProcessing, share, EMPTY_LIMIT, String::new());
        }
        Some(DataVerdict::Transmission) => {
            let empty = pipeline.get_next.map_or(0, |get_next| get_next.empty);
            add(Rule::DataTransmission, empty as f64, 0.0, String::new());
        }
        _ => {}
    }
    if !pipeline.keeps_up {
        let Thresholds { low, difference, .. } = Thresholds::standard();
        for operator in pipeline.bottlenecks.iter().filter_map(|index| pipeline.operators.get(*index)) {
            let subject = [operator.kind.as_str(), "_", &operator.id.to_string()].concat();
            let of_children = pipeline.operators.iter().filter(|child| operator.children.contains(&child.id));
            match of_children.map(|child| child.usage - operator.usage).reduce(f64::max) {
                Some(fuller) => add(Rule::PipelineBottleneck, fuller, difference, subject),
                None => add(Rule::EmptySource, operator.usage, low, subject),
            }
        }
    }
    if let Some(processor) = pipeline.processor
        && 1.0 - processor.idle > BUSY_LIMIT
    {
        add(Rule::ProcessorBusy, 1.0 - processor.idle, BUSY_LIMIT, String::new());
    }
    found
}
