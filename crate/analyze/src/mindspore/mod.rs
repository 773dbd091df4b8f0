//! Contents of MindSpore's recorded tables: its step trace, its operators, its data pipeline, its ranks.
//!
//! These take numbers that the profiler computed, not events; METRICS sections 3, 7 and 8. They are what MindInsight
//! shows from the same files.

mod cells;
mod cluster;
mod cluster_table;
mod get_next_ahead;
mod interval;
mod layout;
mod operators;
mod operators_table;
mod pipeline;
mod pipeline_table;
mod step_trace;

pub(super) use cells::table;
pub use cluster::{
    Cluster, ClusterPlace, ClusterRow, CommunicationOperatorRow, LinkRow, Outlier, RankFlops, cluster, cluster_row,
};
pub(super) use cluster::{rank_flops, whole_operations};
pub use cluster_table::{
    ClusterFlopsTable, ClusterLinkTable, ClusterOperatorTable, ClusterStageTable, ClusterTable, OutlierTable,
};
pub use get_next_ahead::GetNextAhead;
pub use interval::{IntervalLimits, IterationInterval};
pub use layout::ParallelMode;
pub(super) use layout::layout;
pub(crate) use operators::are_of_others;
pub use operators::{
    AicoreOperator, HostOperator, OperatorMean, OperatorShare, ShapeRow, aicore_operators, aicore_types,
    aicpu_operators, aicpu_types, dynamic_shapes, host_operators, host_types, shape_times,
};
pub use operators_table::{
    AicoreOperatorTable, AicoreSide, AicpuOperatorTable, AicpuSide, HostOperatorTable, HostSide, OperatorSide,
    OperatorTypeTable,
};
pub use pipeline::{
    CountedSteps, DataVerdict, GetNext, Pipeline, PipelineOperator, Processor, QueueSample, QueueSummary, Thresholds,
    bottlenecks, get_next_sizes, pipeline, queue_samples,
};
pub use pipeline_table::PipelineTable;
pub use step_trace::{StepSpan, StepTimes, StepTrace, step_lines, step_trace};
pub(super) use step_trace::{average, recorded_step};

use stepscope_trace::Trace;

/// All contents of MindSpore's tables of one rank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MindSpore {
    /// The step trace.
    pub step_trace: Option<StepTrace>,
    /// Operators on the AI core by type.
    pub aicore_types: Vec<OperatorShare>,
    /// Operators on the AI core by name.
    pub aicore_operators: Vec<AicoreOperator>,
    /// Operators on the AI CPU by type.
    pub aicpu_types: Vec<OperatorShare>,
    /// Operators on the AI CPU by name.
    pub aicpu_operators: Vec<OperatorMean>,
    /// Operators of the host or of a GPU by type.
    pub host_types: Vec<OperatorShare>,
    /// Operators of the host or of a GPU by name.
    pub host_operators: Vec<HostOperator>,
    /// The data pipeline.
    pub pipeline: Option<Pipeline>,
}

impl MindSpore {
    /// Adds what the timeline shows of `GetNext`: to a data pipeline from tables, else only where it is a finding.
    pub(super) fn add_get_next(&mut self, found: Option<GetNextAhead>) {
        let Some(found) = found.filter(|found| self.pipeline.is_some() || found.is_late()) else { return };
        self.pipeline.get_or_insert_default().get_next_ahead = Some(found);
    }

    /// Whether there is a table that rules judge: of the data pipeline, or of the AI core's operators.
    pub(super) fn has_judged_tables(&self) -> bool {
        self.pipeline.is_some() || !self.aicore_types.is_empty()
    }

    /// Whether there are no contents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// All contents of the recorded tables of a trace.
#[must_use]
pub fn mindspore(trace: &Trace) -> MindSpore {
    if trace.recorded.is_empty() {
        return MindSpore::default();
    }
    let (step_trace, pipeline) = (step_trace(trace), pipeline(trace));
    MindSpore {
        step_trace,
        pipeline,
        aicore_types: aicore_types(trace),
        aicore_operators: aicore_operators(trace),
        aicpu_types: aicpu_types(trace),
        aicpu_operators: aicpu_operators(trace),
        host_types: host_types(trace),
        host_operators: host_operators(trace),
    }
}
