//! The table of rules.

use super::AdviceUnit::{Bytes, Count, Nanoseconds, Share};
use super::Condition::{Above, Below};
use super::Judge::{Job, Rank, Tables};

use crate::CauseKind::{
    AboveRoof, Allocation, BetweenKernels, BetweenSteps, Communication, Copies, DataPipeline, Float32Products,
    HostCollective, LaunchBound, SlowCalls, Synchronization, Transfer, WaitingForRanks,
};
use crate::{CauseKind, Definition, IntervalLimits, RoofFamily};

use super::{AdviceRule, AdviceUnit, Condition, Judge, RuleSet, Threshold};
use super::{device, host, job, memory, recorded, slow_calls, tensor_cores, tensorboard};

const fn threshold(name: &'static str, unit: AdviceUnit, standard: f64) -> Threshold {
    Threshold { name, unit, standard }
}

/// Limits of an iteration interval without another tool's definition.
const INTERVAL: IntervalLimits = IntervalLimits::of(Definition::Stepscope);

const fn own(id: &'static str, condition: Condition, thresholds: &'static [Threshold], judge: Judge) -> AdviceRule {
    AdviceRule { id, set: RuleSet::Stepscope, condition, thresholds, judge, causes: &[], is_about_cause: false }
}

const fn plugin(id: &'static str, condition: Condition, thresholds: &'static [Threshold], judge: Judge) -> AdviceRule {
    AdviceRule { id, set: RuleSet::TensorBoard, condition, thresholds, judge, causes: &[], is_about_cause: false }
}

impl AdviceRule {
    /// Gives the causes of the step budget that it can be a detail of. Symptoms, such as a low utilization, and rules
    /// about other things than time have none. Rules on ranks stand above the causes of each.
    const fn detail_of(mut self, causes: &'static [CauseKind]) -> Self {
        self.causes = causes;
        self
    }

    /// The same for a rule that measures all of its first cause.
    const fn about(self, causes: &'static [CauseKind]) -> Self {
        Self { is_about_cause: true, ..self.detail_of(causes) }
    }
}

/// All rules of all sets: METRICS section 9's table, MindSpore's of section 7, and the plugin's.
pub static RULES: [AdviceRule; 42] = [
    own("dataloader", Above, &[threshold("dataloader", Share, 0.05)], Rank(host::dataloader)).about(&[DataPipeline]),
    own("data_parallel", Above, &[threshold("data_parallel", Count, 1.0)], Rank(host::data_parallel))
        .detail_of(&[LaunchBound, Copies]),
    own(
        "communication_backend",
        Above,
        &[threshold("communication_backend", Share, 0.0)],
        Rank(host::communication_backend),
    )
    .detail_of(&[HostCollective, Communication, Transfer]),
    own(
        "exposed_communication",
        Above,
        &[threshold("exposed_communication", Share, 0.1)],
        Rank(device::exposed_communication),
    )
    .about(&[Communication, Transfer, WaitingForRanks]),
    own("low_utilization", Below, &[threshold("low_utilization", Share, 0.5)], Rank(device::low_utilization)),
    own("tensor_cores", Above, &[threshold("tensor_cores", Share, 0.0)], Rank(tensor_cores::unused)).detail_of(&[
        Float32Products,
        AboveRoof(RoofFamily::Matrix),
        AboveRoof(RoofFamily::Convolution),
    ]),
    own("memory_full", Above, &[threshold("memory_full", Share, 0.9)], Rank(memory::memory_full)),
    own("memory_unused", Below, &[threshold("memory_unused", Share, 0.5)], Rank(memory::memory_unused)),
    own(
        "launch_bound",
        Above,
        &[threshold("launch_bound", Share, 0.5), threshold("launch_bound.kernel", Nanoseconds, 10_000.0)],
        Rank(host::launch_bound),
    )
    .about(&[LaunchBound]),
    own("short_kernels", Above, &[threshold("short_kernels", Share, 0.5)], Rank(host::short_kernels))
        .detail_of(&[LaunchBound, BetweenKernels]),
    own("host_bound", Above, &[threshold("host_bound", Share, 0.75)], Rank(host::host_bound)).about(&[LaunchBound]),
    own("synchronization", Above, &[threshold("synchronization", Share, 0.05)], Rank(host::synchronization))
        .about(&[Synchronization]),
    own("pageable_copies", Above, &[threshold("pageable_copies", Share, 0.01)], Rank(host::pageable_copies))
        .detail_of(&[Copies, Synchronization]),
    own("synchronous_copies", Above, &[threshold("synchronous_copies", Share, 0.01)], Rank(host::synchronous_copies))
        .detail_of(&[Copies, Synchronization]),
    own("slow_calls", Above, &[threshold("slow_calls", Share, 0.05)], Rank(slow_calls::rule)).about(&[SlowCalls]),
    own("exposed_copies", Above, &[threshold("exposed_copies", Share, 0.1)], Rank(host::exposed_copies))
        .about(&[Copies]),
    own("allocation", Above, &[threshold("allocation", Count, 0.0)], Rank(host::allocation)).about(&[Allocation]),
    own(
        "long_gaps",
        Above,
        &[threshold("long_gaps", Nanoseconds, 500_000.0), threshold("long_gaps.share", Share, 0.05)],
        Rank(device::long_gaps),
    ),
    own(
        "iteration_interval",
        Above,
        &[
            threshold("iteration_interval", Nanoseconds, INTERVAL.time),
            threshold("iteration_interval.share", Share, INTERVAL.share),
        ],
        Tables(recorded::iteration_interval),
    )
    .detail_of(&[DataPipeline, BetweenSteps]),
    own("data_processing", Above, &[threshold("data_processing", Share, 0.3)], Tables(recorded::data_processing))
        .detail_of(&[DataPipeline]),
    own("data_transmission", Above, &[threshold("data_transmission", Count, 0.0)], Tables(recorded::data_transmission))
        .detail_of(&[DataPipeline]),
    own("get_next", Above, &[threshold("get_next", Share, 0.05)], Tables(recorded::get_next))
        .detail_of(&[DataPipeline]),
    own(
        "pipeline_bottleneck",
        Above,
        &[threshold("pipeline_bottleneck", Share, 0.1)],
        Tables(recorded::pipeline_bottleneck),
    )
    .detail_of(&[DataPipeline]),
    own("empty_source", Below, &[threshold("empty_source", Share, 0.6)], Tables(recorded::empty_source))
        .detail_of(&[DataPipeline]),
    own("processor_busy", Above, &[threshold("processor_busy", Share, 0.8)], Tables(recorded::processor_busy))
        .detail_of(&[DataPipeline]),
    own(
        "processor_few_threads",
        Below,
        &[threshold("processor_few_threads", Share, 0.3)],
        Tables(recorded::processor_few_threads),
    )
    .detail_of(&[DataPipeline]),
    own(
        "processor_many_threads",
        Above,
        &[threshold("processor_many_threads", Share, 0.3)],
        Tables(recorded::processor_many_threads),
    )
    .detail_of(&[DataPipeline]),
    own("format_conversion", Above, &[threshold("format_conversion", Share, 0.1)], Rank(device::format_conversion)),
    own("slow_unit", Above, &[threshold("slow_unit", Share, 0.05)], Tables(recorded::slow_unit)),
    own("slow_operator", Above, &[threshold("slow_operator", Share, 0.3)], Rank(device::slow_operator)),
    own(
        "small_collectives",
        Above,
        &[threshold("small_collectives", Share, 0.2), threshold("small_collectives.size", Bytes, 16_777_216.0)],
        Rank(device::small_collectives),
    )
    .detail_of(&[Communication, Transfer]),
    own("slow_rank", Above, &[threshold("slow_rank", Share, 0.2)], Job(recorded::slow_rank, job::slow_rank)),
    own("slow_link", Above, &[threshold("slow_link", Share, 0.2)], Job(recorded::slow_link, job::slow_link)),
    own(
        "unbalanced_stage",
        Above,
        &[threshold("unbalanced_stage", Share, 0.2)],
        Job(recorded::unbalanced_stage, job::unbalanced_stage),
    ),
    own("at_the_peak", Above, &[threshold("at_the_peak", Share, 0.9)], Rank(device::at_the_peak)),
    plugin(
        "tensorboard_dataloader",
        Above,
        &[threshold("tensorboard_dataloader", Share, 0.05)],
        Rank(tensorboard::dataloader),
    )
    .detail_of(&[DataPipeline]),
    plugin(
        "tensorboard_data_parallel",
        Above,
        &[threshold("tensorboard_data_parallel", Count, 1.0)],
        Rank(tensorboard::data_parallel),
    )
    .detail_of(&[LaunchBound, Copies]),
    plugin(
        "tensorboard_backend",
        Above,
        &[threshold("tensorboard_backend", Count, 0.0)],
        Rank(tensorboard::communication_backend),
    )
    .detail_of(&[HostCollective, Communication, Transfer]),
    plugin(
        "tensorboard_communication",
        Above,
        &[threshold("tensorboard_communication", Share, 0.1)],
        Rank(tensorboard::communication),
    )
    .detail_of(&[Communication, Transfer, WaitingForRanks]),
    plugin(
        "tensorboard_utilization",
        Below,
        &[threshold("tensorboard_utilization", Share, 0.5)],
        Rank(tensorboard::utilization),
    ),
    plugin(
        "tensorboard_tensor_cores",
        Above,
        &[threshold("tensorboard_tensor_cores", Share, 0.0)],
        Rank(tensor_cores::plugin),
    )
    .detail_of(&[Float32Products, AboveRoof(RoofFamily::Matrix), AboveRoof(RoofFamily::Convolution)]),
    plugin("tensorboard_memory", Above, &[threshold("tensorboard_memory", Share, 0.9)], Rank(tensorboard::memory_full)),
];
