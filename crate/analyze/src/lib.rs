//! Numbers. An analysis is one pure, total function of a trace (and other analyses' reports): no IO, no clocks, no
//! formatted text. METRICS defines each number; the doc comments cite its sections.

mod activities;
mod advice;
mod all;
mod benchmark;
mod budget;
mod by_name;
mod call_tree;
mod captures;
mod cluster;
mod compare;
mod copies;
mod coverage;
mod critical;
mod cuda_gaps;
mod data_loading;
mod data_wait;
mod definitions;
mod device_report;
mod device_time;
mod devices;
mod earlier_work;
mod event;
mod few_steps;
mod find;
mod flops;
mod flops_coverage;
mod get_next;
mod graphs;
mod histogram;
mod host_threads;
mod idle;
mod innermost;
mod intervals;
mod kernel_families;
mod kernel_family;
mod kernel_family_table;
mod kernel_use;
mod kernel_use_table;
mod kernels;
mod lanes;
mod launches;
mod linked;
mod loader_queues;
mod lost;
mod memory;
mod mindspore;
mod near_names;
mod nvprof;
mod occupancy;
mod operator_parts;
mod operators;
mod overview;
mod paddle;
mod per_step;
mod phases;
mod point_name;
mod point_source;
mod python_layer;
mod python_stacks;
mod queues;
mod range;
mod ranges;
mod rank;
mod recorder;
mod resources;
mod roofline;
mod row;
mod sampled_calls;
mod scope;
mod sm_efficiency;
mod statistics;
mod step_points;
mod step_tables;
mod step_trace;
mod step_trace_table;
mod steps;
mod steps_table;
mod stream_order;
mod tensor_cores;
mod tensorboard;
mod time_categories;
mod view_tables;
mod waiting_calls;
mod whole_step;

use stepscope_table::{Described, Description};

pub use crate::copies::{CopyUse, copy_use};
pub use crate::data_wait::is_dataloader;
pub use crate::device_report::{DeviceReport, DeviceTime};
pub use crate::point_source::PointSource;
pub use activities::DeviceSets;
pub use advice::{
    AdviceCard, AdviceConfig, AdviceRule, AdviceUnit, CLAIM_ORDER, CONTRADICTIONS, Conclusion, Condition, Evidence,
    Exemption, Judgement, Measured, Missing, NotApplicable, Outside, RULES, RuleOutcome, RuleSet, Threshold, Verdict,
    advice, advice_cards, has_printed_summary, job_advice, program_part_around, table_advice, unseen_work, with_costs,
};
pub use all::{Analysis, AnalysisConfig, StepAverage, analyze};
pub use benchmark::{Benchmark, BenchmarkConfig, Extremes, WorkDone, benchmark};
pub use budget::{
    Branch, BranchTable, Budget, BudgetBranch, BudgetCause, BudgetLeaf, BudgetMean, BudgetTimes, BudgetTwig,
    BudgetVerdict, BudgetWhole, CauseCost, CauseFunction, CauseFunctionContext, CauseFunctionRow, CauseFunctionTable,
    CauseKind, CauseTable, Confidence, CopyKind, Debt, DeviceBudget, FirstLine, InJob, JobBudget, KernelSavings, Late,
    LateRankCause, LeafTable, Longest, LongestOfLeaf, LongestTable, NamedCause, Portion, SITUATIONS, Saving, budget,
    budget_of_step, cause_functions, functions_of_cause, kernels_without_limit,
};
pub use call_tree::{
    CallCoverage, CallGrouping, CallNode, CallScope, CallTree, Called, LaunchedBy, LaunchedOutside, ModuleTimes,
    call_groupings, call_tree, has_call_tree, modules_by_path, working_call_tree,
};
pub use cluster::{
    Apart, ApartReason, Between, ClockCorrection, ClockSource, Clocks, CollectiveContext, CollectiveKind,
    CollectivePart, CollectiveRow, CollectiveSums, CollectiveTable, CollectiveTasks, CollectiveTimes, Coverage,
    CutTable, DigestGroup, DrillDownHint, DrillDownKind, DrillDownLook, DrillDownMetric, DrillDownNumber,
    DrillDownStep, Fingerprint, GridFault, GroupTable, InsertedCollectives, Job, JobCode, JobConfig, JobGroup, JobLink,
    JobWarning, LinkTable, LongerCompute, Mark, Matched, MatchedBy, Matching, NO_STEP, OutlierRule, ParallelGrid,
    ParallelKind, ParallelSource, ParallelStrategy, PartOf, Peer, PeerPart, Peers, RankClock, RankDigest, RankRow,
    RankTable, RecordedRank, RecordedTimes, Relation, RowSource, Shared, SlowAlone, StageRow, StageTable, StepDigest,
    StepGap, Straggler, StragglerCause, StragglerPlace, StragglerTable, StragglerVerdict, TransferAlone, Waiting,
    drill_down, job, job_as,
};
pub use compare::{
    CauseChange, CompareConfig, CompareSide, Comparison, Contribution, JobComparison, JobSide, OperatorChange, Outcome,
    OutcomeVerdict, PhaseChange, SideCause, SideCauses, SideContribution, SideOperator, SidePhase, SideRank, SideStep,
    Sides, Throughput, TimeChange, compare, compare_jobs,
};
pub use copies::{CopyContext, CopyRow, CopyTable, copies, copies_in};
pub use coverage::{Covered, is_enough};
pub use critical::{
    Change, CriticalPath, CriticalPaths, ExecutionGraph, PathClass, PathContext, PathPiece, PathRow, PathTable,
    PathTimes, Replay, ReplayedStep, critical_path, critical_paths, kernels_named, what_if,
};
pub use data_loading::{DataLoading, LoaderKind, LongestWaitTable, StepWaits, WaitsOfStep, WaitsTable, data_loading};
pub use definitions::{
    Definition, DefinitionBar, DefinitionKernel, DefinitionValues, Value, Values, definition_values,
};
pub use device_time::device_time;
pub use devices::{DeviceModel, GivenPeaks, PeakKind, Peaks, Precision, SmLimits, Vendor};
pub use event::{
    DrawnFlow, EventConfig, EventDetail, EventStack, Link, LinkKind, QueuePlace, SameName, collective_bytes,
    event_detail, is_collective,
};
pub use few_steps::FewSteps;
pub use find::{
    Direction, FindInText, Hit, HitEvent, HitPlace, Hits, HitsByTime, Query, QueryError, QueryFault, ShownName, StepOf,
    find, find_instants, next_hit, unmatched,
};
pub use flops::{
    ComputingCall, ComputingCalls, OperatorFlops, RoofFamily, Work, bytes_of_call, operator_flops, work_of_call,
};
pub use graphs::{GraphRow, GraphTable, graphs};
pub use histogram::{Bar, Distribution, Histogram};
pub use host_threads::WaitingThreads;
pub use idle::{
    DeviceIdle, EdgeSide, Gap, HostActivity, HostInGap, HostTimes, IdleClass, IdleConfig, IdleEdge, IdleInSteps,
    IdleLeaf, IdleSpans, IdleSplit, IdleSplitTable, IdleTime, IdleTimeTable, IdleTimes, LeafTimes, ListedGap,
    StepClasses, hosts_in, idle, idle_in_steps, idle_spans, started_late,
};
pub use intervals::IntervalSet;
pub use kernel_families::KernelFamilies;
pub use kernel_family::KernelFamily;
pub use kernel_family_table::{KernelFamilyRow, KernelFamilyTable, kernel_families};
pub use kernel_use::{Computed, DeviceUse, KernelLaunch, KernelUse, KernelUses, kernel_use, shares_of_peak};
pub use kernel_use_table::{KernelUseContext, KernelUseTable, OperatorFlopsContext, OperatorFlopsTable};
pub use kernels::{KernelContext, KernelGrouping, KernelRow, KernelTable, kernel_rows, kernels, kernels_in};
pub use launches::{
    Delayed, Launch, LaunchNameTable, LaunchSum, LaunchTable, Launches, LaunchesConfig, launch_rows, launches,
};
pub use loader_queues::{LoaderQueue, LoaderQueueTable, loader_queues};
pub use lost::LaunchRecord;
pub use memory::{
    AllocationSums, Block, BlockCount, Blocks, Fragmentation, Level, LevelSource, LiveAtPeak, LiveBlocks, Memory,
    MemoryBlockTable, MemoryByNameTable, MemoryConfig, MemoryCurve, MemoryInSpan, MemoryPoint, NamedBlocks,
    OperatorMemory, OperatorMemoryTable, PlaceMemory, PlannedMemory, PlannedOperator, PlannedTensor,
    PlannedTensorTable, ProcessMemory, RecordedBlock, RecordedBlockTable, RecordedMemory, has_memory,
    has_reserved_memory, memory, memory_in, memory_points,
};
pub use mindspore::{
    AicoreOperator, AicoreOperatorTable, AicoreSide, AicpuOperatorTable, AicpuSide, Cluster, ClusterFlopsTable,
    ClusterLinkTable, ClusterOperatorTable, ClusterPlace, ClusterRow, ClusterStageTable, ClusterTable,
    CommunicationOperatorRow, CountedSteps, DataVerdict, GetNext, GetNextAhead, HostOperator, HostOperatorTable,
    HostSide, IntervalLimits, IterationInterval, LinkRow, MindSpore, OperatorMean, OperatorShare, OperatorSide,
    OperatorTypeTable, Outlier, OutlierTable, ParallelMode, Pipeline, PipelineOperator, PipelineTable, Processor,
    QueueSample, QueueSummary, RankFlops, ShapeRow, StepSpan, StepTimes, StepTrace, Thresholds, aicore_operators,
    aicore_types, aicpu_operators, aicpu_types, bottlenecks, cluster, cluster_row, dynamic_shapes, get_next_sizes,
    host_operators, host_types, mindspore, pipeline, queue_samples, shape_times, step_lines, step_trace,
};
pub use near_names::{UnknownPoint, unknown_points};
pub use nvprof::{NvprofSummary, nvprof_name, nvprof_summary};
pub use occupancy::{Limiter, Occupancy, Waves, occupancy, waves};
pub use operators::{
    OperatorContext, OperatorGrouping, OperatorRow, OperatorTable, Operators, OperatorsAre, OperatorsConfig, operators,
    operators_in,
};
pub use overview::{HostLoss, LostOnHost, OverlapBar, Overview, StepSpread, Tile, overview};
pub use paddle::{
    CategorySide, CategoryTime, MODEL, MarkedRange, MemoryOfRange, PaddleOperator, PaddlePart, PaddleSummary,
    ProcessorUse, WorkSplit, memory_of_ranges, paddle_summary, processor_use, work_split,
};
pub use per_step::PerStep;
pub use phases::{Phase, PhaseSource, PhaseTime, Phases, phases, phases_in};
pub use python_layer::PythonLayer;
pub use queues::{Queue, QueueLength, QueueTable, QueuesConfig, queues};
pub use range::{
    RangeChange, RangeChangeTable, RangeComparison, RangeConfig, RangeContext, RangeName, RangeNameTable, RangeReport,
    RangeSums, compare_ranges, range,
};
pub use ranges::{Launched, RangeTimes, Spread, range_times};
pub use rank::{
    Rank, job_of, job_of_digests, number_in_job, numbered, numbered_digests, rank_in_name, rows_in_job, run_name,
    run_steps, runs_of,
};
pub use recorder::Recorder;
pub use resources::{
    CounterInSpan, Resource, ResourceKind, ResourceRow, ResourceSummary, ResourceTable, counters_in, has_resources,
    resources,
};
pub use roofline::{AtLimit, Bound, Hindrance, NoRoof};
pub use row::{RowConfig, RowDetail, RowEvent, RowKey, RowTimes, RowVariant, Variant, row_detail};
pub use scope::Scope;
pub use statistics::{Statistics, mean, median, median_absolute_deviation};
pub use step_tables::{LeftOut, StepChoice, StepTables, TableSums, step_tables, view_tables};
pub use step_trace::{StepTraceConfig, step_trace_of};
pub use step_trace_table::{StepCollective, StepCollectiveTable, StepTraceTable};
pub use steps::{InferenceKind, InferenceStep, Step, StepSource, Steps, StepsConfig, steps};
pub use steps_table::{StepContext, StepTable};
pub use tensor_cores::{TensorCoreUse, TensorCores, uses_tensor_cores};
pub use tensorboard::{GpuUse, TensorBoardOverview, tensorboard_overview};
pub use time_categories::{CategorySets, CategoryTimes, HostCategories, TimeCategory, categories};
pub use view_tables::{InView, TablePart, VIEW_TABLES, ViewTable};
pub use whole_step::{OutsideSteps, WholeSpan, WholeStep};

/// All tables but those of [`VIEW_TABLES`].
const PLACED: &[Described] = &[
    Described::of::<OperatorTable>(),
    Described::of::<KernelFamilyTable>(),
    Described::of::<KernelTable>(),
    Described::of::<KernelUseTable>().after::<KernelTable>(),
    Described::of::<CopyTable>(),
    Described::of::<StepTable>(),
    Described::of::<StepTraceTable<false>>(),
    Described::of::<StepCollectiveTable>(),
    Described::of::<CauseTable<false>>(),
    Described::of::<LongestTable>(),
    Described::of::<CauseFunctionTable>(),
    Described::of::<BranchTable<false>>(),
    Described::of::<LeafTable<false>>(),
    Described::of::<PathTable>(),
    Described::of::<WaitsTable>(),
    Described::of::<LoaderQueueTable>(),
    Described::of::<ResourceTable>(),
    Described::of::<PipelineTable>(),
    Described::of::<OperatorTypeTable<AicoreSide>>(),
    Described::of::<AicoreOperatorTable>(),
    Described::of::<OperatorTypeTable<AicpuSide>>(),
    Described::of::<AicpuOperatorTable>(),
    Described::of::<OperatorTypeTable<HostSide>>(),
    Described::of::<HostOperatorTable>(),
    Described::of::<StepTraceTable<true>>(),
    Described::of::<IdleSplitTable<false>>(),
    Described::of::<IdleSplitTable<true>>(),
    Described::of::<IdleTimeTable<false>>(),
    Described::of::<IdleTimeTable<true>>(),
    Described::of::<OperatorFlopsTable>(),
    Described::of::<LongestWaitTable>(),
    Described::of::<LaunchNameTable>(),
    Described::of::<LaunchTable<false>>(),
    Described::of::<LaunchTable<true>>(),
    Described::of::<QueueTable>(),
    Described::of::<OperatorMemoryTable>(),
    Described::of::<MemoryByNameTable<false>>(),
    Described::of::<MemoryBlockTable>(),
    Described::of::<MemoryByNameTable<true>>(),
    Described::of::<RecordedBlockTable>(),
    Described::of::<PlannedTensorTable>(),
    Described::of::<RangeNameTable>(),
    Described::of::<RangeChangeTable>(),
    Described::of::<CauseTable<true>>(),
    Described::of::<BranchTable<true>>(),
    Described::of::<LeafTable<true>>(),
    Described::of::<ClusterTable>(),
    Described::of::<ClusterLinkTable>(),
    Described::of::<ClusterOperatorTable>(),
    Described::of::<ClusterFlopsTable>(),
    Described::of::<ClusterStageTable>(),
    Described::of::<OutlierTable>(),
    Described::of::<CutTable<true>>(),
    Described::of::<CutTable<false>>(),
    Described::of::<RankTable>(),
    Described::of::<GroupTable>(),
    Described::of::<StageTable>(),
    Described::of::<GraphTable>(),
    Described::of::<CollectiveTable>(),
    Described::of::<LinkTable>(),
    Described::of::<StragglerTable>(),
];

/// The descriptions of all tables.
#[must_use]
pub fn described_tables() -> Vec<Description> {
    let in_view = VIEW_TABLES.iter().map(ViewTable::description);
    PLACED.iter().map(Described::description).chain(in_view).collect()
}
