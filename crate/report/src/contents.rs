//! Which tables there are, in which order, with which columns.
//!
//! A test finds lists of the summary that are in none.

/// A table: its title, the path to its rows, the keys of its columns. `[]` goes into each item of a list; a column of the
/// item around begins with `^`; behind a `:` stands what a head says instead of the key; what `@` begins
/// is in the unit that its row names.
pub(super) type Table = (&'static str, &'static str, &'static str);

/// Of each rank, as the page's tabs follow each other.
pub(super) const OF_RANK: [Table; 47] = [
    ("Causes of lost time", "causes", "cause mean_ns score_ns share saving_low_ns saving_high_ns"),
    ("The longest spans of each cause", "causes[].longest", "^cause leaf start_ns length_ns name host"),
    ("Budget of the mean step", "budget.branches", "branch mean_ns share"),
    (
        "Budget of the mean step by leaf",
        "budget.branches[].leaves",
        "leaf ^branch mean_ns share longest.start_ns longest.length_ns longest.name longest.host",
    ),
    (
        "Steps",
        "steps",
        "name start_ns length_ns categories.kernel_ns categories.communication_ns categories.memcpy_ns categories.memset_ns categories.runtime_ns \
         categories.dataloader_ns categories.cpu_ns categories.other_ns \
         categories_before_first_activity.total_ns:device_state_unknown_at_start partial warmup",
    ),
    (
        "Steps by device",
        "steps[].device_time",
        "^name:step device window_ns busy_ns idle_ns before_first_activity_ns uncovered_ns compute_ns communication_ns overlap_ns exposed_communication_ns \
         memcpy_ns exposed_memcpy_ns memset_ns exposed_memset_ns overlap_of_communication",
    ),
    (
        "Phases of the steps",
        "steps",
        "name phases.dataloader.host_ns phases.forward.host_ns phases.forward.device_ns phases.backward.host_ns \
         phases.backward.device_ns phases.optimizer.host_ns phases.optimizer.device_ns phases.other.host_ns \
         phases.other.device_ns",
    ),
    (
        "Devices",
        "device_time",
        "device window_ns busy_ns idle_ns before_first_activity_ns uncovered_ns compute_ns communication_ns overlap_ns exposed_communication_ns memcpy_ns \
         exposed_memcpy_ns memset_ns exposed_memset_ns overlap_of_communication",
    ),
    ("Step trace", "step_trace.steps", "name start_ns total_ns iteration_interval_ns forward_and_backward_ns tail_ns"),
    ("Collectives of the step trace", "step_trace.steps[].collectives", "^name:step stream name start_ns length_ns"),
    (
        "Why the devices idle, whole trace",
        "idle",
        "device window_ns busy_ns idle_ns host_wait_ns kernel_wait_ns other_ns unknown_ns uncovered_ns before_first_activity_ns \
         host_wait_by_activity.data_loading_ns host_wait_by_activity.synchronization_ns \
         host_wait_by_activity.allocation_ns host_wait_by_activity.launching_ns host_wait_by_activity.operator_ns \
         host_wait_by_activity.python_ns host_wait_by_activity.range_ns host_wait_by_activity.unrecorded_ns",
    ),
    (
        "Why the streams idle, whole trace",
        "idle[].streams",
        "stream ^device window_ns busy_ns idle_ns host_wait_ns kernel_wait_ns other_ns unknown_ns uncovered_ns",
    ),
    ("The longest pauses", "idle[].long_gaps.longest", "class start_ns length_ns before after call host"),
    ("Pauses at the edges", "idle[].edges", "class ^device start_ns length_ns before after call host"),
    ("Launches, whole trace", "launches.names", ""),
    ("The latest launches", "launches.latest", ""),
    ("The slowest launches", "launches.slowest", ""),
    ("How long calls that launch take", "launches.cpu.histogram", "from_ns to_ns count"),
    ("How long what they launch takes", "launches.gpu.histogram", "from_ns to_ns count"),
    ("How long it is till it begins", "launches.delay.histogram", "from_ns to_ns count"),
    ("Queues", "queues", ""),
    ("Operators, whole trace", "operators", ""),
    ("Kernels by family, whole trace", "kernel_families", ""),
    ("Kernels, whole trace", "kernels", ""),
    ("Copies, whole trace", "copies", ""),
    (
        "Memory, whole trace",
        "memory.places",
        "device events allocated.peak_bytes allocated.peak_at_ns reserved.peak_bytes blocks.allocations blocks.releases \
         blocks.unreleased.bytes blocks.mean_lifetime_ns blocks.median_lifetime_ns",
    ),
    (
        "Memory by operator, whole trace",
        "memory.places[].operators",
        "name ^device allocations releases allocated_bytes released_bytes net_bytes total_allocated_bytes",
    ),
    ("Held at the peak", "memory.places[].live_at_peak.operators", "name ^device blocks bytes"),
    (
        "The largest blocks",
        "memory.places[].blocks.largest",
        "address ^device bytes allocated_by allocated_ns lifetime_ns released_by released_ns",
    ),
    ("Memory, as recorded", "memory.recorded", "component device records allocated.peak_bytes reserved.peak_bytes"),
    ("Memory by operator, as recorded", "memory.recorded_operators", ""),
    ("Blocks, as recorded", "memory.recorded_blocks", ""),
    (
        "Memory, as planned",
        "memory.planned",
        "graph tensors static_bytes total_bytes peak_bytes peak_index peak_operator",
    ),
    (
        "Tensors, as planned",
        "memory.planned[].tensors",
        "name ^graph type data_type shape format bytes first_index last_index at_peak",
    ),
    (
        "Waits for data by step",
        "data_loading.steps",
        "waits total_ns longest_ns waiting_ns host_step_ns waiting_share_of_host_step exposed_ns",
    ),
    ("The longest waits for data", "data_loading.longest", "name start_ns length_ns"),
    ("How long waits for data take", "data_loading.histogram", "from_ns to_ns count"),
    ("Resources", "resources", "name owner kind samples unit @min @max @mean @last"),
    (
        "Operators of the data pipeline",
        "pipeline.operators",
        "id type parent workers queue_mean_size queue_capacity queue_usage times_empty times_full samples",
    ),
    ("Findings of MindSpore's tables", "mindspore.findings", "rule subject value threshold"),
    ("Step trace, as recorded", "mindspore.step_trace.steps", ""),
    ("AI Core by type", "mindspore.aicore_types", ""),
    ("Operators on AI Core", "mindspore.aicore_operators", ""),
    ("AI CPU by type", "mindspore.aicpu_types", ""),
    ("Operators on AI CPU", "mindspore.aicpu_operators", ""),
    ("The host by type", "mindspore.host_types", ""),
    ("Device properties", "devices", "id name capability multiprocessors memory_bytes"),
];

/// Of the job.
pub(super) const OF_JOB: [Table; 15] = [
    (
        "Ranks",
        "job.ranks",
        "rank input host devices stage steps_counted step_ns own_ns compute_ns communication_ns exposed_communication_ns \
         exposed_memcpy_ns idle_ns iteration_interval_ns forward_and_backward_ns tail_ns receive_alone_ns stage_ns flops \
         flops_per_second memory_peak_bytes votes voted marks",
    ),
    ("Parallelism", "job.parallel", "kind size source"),
    ("Groups of ranks", "job.groups", "name description size ranks parallel"),
    ("Pipeline stages", "job.stages", ""),
    ("Links", "job.links", ""),
    ("Collectives", "collectives", ""),
    ("Stragglers", "stragglers", ""),
    ("Operators split by the strategy", "job.strategy.cuts", ""),
    ("Job warnings", "job.warnings", ""),
    ("Ranks, as recorded", "cluster.rows", ""),
    ("Links, as recorded", "cluster.links", ""),
    ("FLOPs, as recorded", "cluster.flops", ""),
    ("Outliers, as recorded", "cluster.outliers", "what rank stage link value worse_by"),
    ("Rates within stages, as recorded", "cluster.within_stages", ""),
    ("Operators split by the recorded strategy", "cluster.strategy.cuts", ""),
];

/// Of what was read.
pub(super) const OF_INPUTS: [Table; 3] = [
    ("Files", "inputs", "name format framework framework_version bytes text_bytes events slices"),
    ("The files of each", "inputs[].files", "name ^name:rank format text_bytes events"),
    ("Warnings", "inputs[].warnings", "code:what ^name severity count example"),
];
