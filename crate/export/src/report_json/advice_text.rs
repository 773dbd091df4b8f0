//! English texts of rules; the page's messages have the same texts in all languages.

/// The title and the fix of a rule; empty for an unknown rule.
#[must_use]
pub fn words(rule: &str) -> (&'static str, &'static str) {
    RULES.iter().find(|(id, ..)| *id == rule).map_or(("", ""), |(_, title, text)| (title, text))
}

/// The text of a reason why a rule could not be judged, by its name.
#[must_use]
pub fn reason(name: &str) -> &'static str {
    REASONS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

/// The text of an exemption, by its name: why a rule passes although its value is reached.
#[must_use]
pub fn exemption(name: &str) -> &'static str {
    EXCUSES.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

/// The text for data that a trace lacks for the verdict that nothing is to be done, by its name.
#[must_use]
pub fn lack(name: &str) -> &'static str {
    LACKS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

/// The total that a rule's value is a share of, to follow the value, by rule or wording; none if it is not a share. `window` is
/// the name of the steps: see [`BudgetWhole`](stepscope_analyze::BudgetWhole).
#[must_use]
pub fn whole(rule: &str, window: &str) -> Option<String> {
    WHOLES.iter().find(|(id, _)| *id == rule).map(|(_, whole)| whole.replace("{window}", window))
}

const WHOLES: [(&str, &str); 43] = [
    ("dataloader", "of the {window} idle in data loading"),
    ("dataloader.host", "of the {window} in data loading"),
    ("dataloader.tf_data", "of the {window} in data loading"),
    ("dataloader.tf_data_ahead", "of the {window} in data loading"),
    ("communication_backend", "of the {window}"),
    ("exposed_communication", "of the {window}"),
    ("low_utilization", "of the time in kernels"),
    ("tensor_cores", "of the compute kernels' time"),
    ("memory_full", "of the device's memory reserved"),
    ("memory_unused", "of the device's memory allocated"),
    ("launch_bound", "of the idle time"),
    ("short_kernels", "of the launches"),
    ("host_bound", "of the critical path"),
    ("synchronization", "of the {window}"),
    ("pageable_copies", "of the {window}"),
    ("synchronous_copies", "of the {window}"),
    ("slow_calls", "of the {window}"),
    ("exposed_copies", "of the {window}"),
    ("data_processing", "of the steps"),
    ("get_next", "of the {window}"),
    ("pipeline_bottleneck", "of the capacity more in the input queue"),
    ("empty_source", "of its queue's capacity"),
    ("processor_busy", "of the processors"),
    ("processor_few_threads", "of the processors"),
    ("processor_many_threads", "of the processors"),
    ("format_conversion", "of the kernels' time"),
    ("slow_unit", "of the operators' time"),
    ("slow_operator", "of the device's busy time"),
    ("small_collectives", "of the bytes"),
    ("slow_rank", "worse than usual"),
    ("slow_link", "slower than usual"),
    ("unbalanced_stage", "more computing than usual"),
    ("unbalanced_stage.operations", "more operations than the mean stage"),
    ("low_utilization.nvprof", "of the longest call or activity"),
    ("synchronous_copies.nvprof", "of the copies between host and device"),
    ("exposed_copies.nvprof", "of the activities' time"),
    ("tensor_cores.ascend", "of the AI Cores' time"),
    ("at_the_peak", "of the device's peak"),
    ("tensorboard_dataloader", "of the {window}"),
    ("tensorboard_communication", "of the {window}"),
    ("tensorboard_utilization", "of the time in kernels"),
    ("tensorboard_tensor_cores", "of the launched kernels' time"),
    ("tensorboard_memory", "of the device's memory"),
];

const RULES: [(&str, &str, &str); 72] = [
    (
        "dataloader",
        "Waiting for data",
        "Give the data loader more workers (num_workers), prefetch further ahead, keep workers alive between epochs, pin memory, and move slow transforms out of the loop or onto the device.",
    ),
    (
        "dataloader.host",
        "Waiting for data",
        "Give the data loader more workers (num_workers), prefetch further ahead, keep workers alive between epochs, and move slow transforms out of the loop.",
    ),
    (
        "dataloader.tf_data",
        "Waiting for data",
        "Let the input pipeline prefetch (tf.data: prefetch), run slow maps in parallel (num_parallel_calls), cache what does not change, and move slow transforms out of the loop or onto the device.",
    ),
    (
        "dataloader.tf_data_ahead",
        "Waiting for data",
        "Raise the calls of the slowest stage (num_parallel_calls, or AUTOTUNE) and make it cheaper, read files in parallel (interleave), cache what does not change, or move slow transforms onto the device. The pipeline prefetches and maps in parallel already.",
    ),
    (
        "data_parallel",
        "One process feeds several devices",
        "Replace DataParallel by DistributedDataParallel: one process for each device, gradients reduced while the backward pass runs.",
    ),
    (
        "communication_backend",
        "Hosts communicate, not devices",
        "Use the devices' own communication library (NCCL, RCCL, HCCL) as back end: data then go from device to device and beside computation.",
    ),
    (
        "exposed_communication",
        "Communication is not hidden",
        "Start collectives earlier, so that they run beside the backward pass; reduce in a shorter type; or accumulate gradients over several steps.",
    ),
    (
        "exposed_communication.exchange",
        "Exchanges of data are not hidden",
        "Much of this is exchange between ranks: split the batch, so that one part's exchange runs beside the computation of another, or send less.",
    ),
    (
        "exposed_communication.gather",
        "Gathering data is not hidden",
        "Much of this gathers data of other ranks, as sharded parameters: prefetch them, so that they arrive beside the computation before, or shard over fewer ranks.",
    ),
    (
        "exposed_communication.short",
        "Communication is not hidden",
        "Start collectives earlier, so that they run beside the backward pass; or accumulate gradients over several steps. The numbers sent are short already.",
    ),
    (
        "low_utilization.nvprof",
        "The device is mostly idle",
        "The kernels of the whole run take less time than the longest call or activity below. Shorten or move what the program does besides: creating contexts, allocating memory, waiting. Print the GPU trace (nvprof --print-gpu-trace), which shows when the device idles.",
    ),
    (
        "low_utilization",
        "The device is mostly idle",
        "See what the host does in the longest gaps below, and on the critical path.",
    ),
    (
        "low_utilization.periods",
        "The device is mostly idle from step to step",
        "See what the host does in the longest gaps below, and on the critical path.",
    ),
    (
        "tensor_cores.ascend",
        "Products are computed in 32 bits",
        "Compute in float16 (amp_level O2 or O3, or Cast before the product) where that does not hurt accuracy: the cube unit computes 16-bit numbers several times as fast.",
    ),
    (
        "tensor_cores",
        "Matrix units are not used",
        "Compute in 16 bits (automatic mixed precision with bfloat16 or float16); sizes that are multiples of 8 help.",
    ),
    (
        "tensor_cores.nvidia_tf32",
        "Tensor cores are not used",
        "Compute in 16 bits (automatic mixed precision with bfloat16 or float16), or allow TF32 for float32 products; sizes that are multiples of 8 help.",
    ),
    (
        "tensor_cores.nvidia",
        "Tensor cores are not used",
        "Compute in float16 (automatic mixed precision); sizes that are multiples of 8 help.",
    ),
    (
        "tensor_cores.amd",
        "Matrix cores are not used",
        "Compute in 16 bits (automatic mixed precision with bfloat16 or float16); sizes that are multiples of 16 help.",
    ),
    (
        "memory_full",
        "Memory is nearly full",
        "Recompute activations (checkpointing), use shorter types or shard optimizer state: near the limit the allocator frees and allocates again and again.",
    ),
    (
        "memory_unused",
        "There is memory for larger batches",
        "A larger batch fits: fewer launches and collectives for the same samples. Measure whether it is faster; in training, check that the model still converges.",
    ),
    (
        "launch_bound",
        "Short kernels are launched too slowly",
        "Capture the step as a graph (CUDA graph, HIP graph), compile or fuse the model, use fused optimizers, and keep Python out of the hot loop.",
    ),
    (
        "launch_bound.unrecorded",
        "The host launches too slowly, or its work is not recorded",
        "Record the host's operators and Python functions: in most of this time the trace does not show what the host does, and the budget names no cause for it. If it launches, capture the step as a graph (CUDA graph, HIP graph), compile or fuse the model.",
    ),
    (
        "launch_bound.long",
        "The device waits for the host",
        "Most of this time is in few long pieces of work on the host before launches: make them cheaper, or move them to other threads or processes. A graph or a compiled model shortens many short calls, not these.",
    ),
    (
        "short_kernels",
        "Launching takes longer than the kernels",
        "Fuse small operators (compile the model, foreach or fused optimizers), or replay them as a graph (CUDA graph, HIP graph).",
    ),
    (
        "host_bound",
        "The device waits for the host",
        "Most of the critical path is host work: shorten what the host does there. Compile the model, capture it as a graph (CUDA graph, HIP graph) or fuse small operators, and move Python, logging and data preparation out of the loop.",
    ),
    (
        "host_bound.compiled",
        "The device waits for the host",
        "Most of the critical path is host work: shorten what the host does there. The model is compiled already: capture it as a graph (CUDA graph, HIP graph), remove graph breaks where there are any, and move Python, logging and data preparation out of the loop.",
    ),
    (
        "host_bound.long",
        "The device waits for the host",
        "Most of this time is in few long pieces of work on the host before launches: make them cheaper, or move them to other threads or processes. A graph or a compiled model shortens many short calls, not these.",
    ),
    (
        "synchronization",
        "The host waits for the device",
        "Read values on the host (.item(), .cpu(), print: losses, metrics, sizes) less often or later, and leave out torch.cuda.synchronize(): while the host waits it launches nothing. The calls below show where.",
    ),
    (
        "pageable_copies",
        "Copies from or to pageable memory",
        "Pin the host's memory (pin_memory=True) and copy with non_blocking=True: only then copies are fast and run beside computation.",
    ),
    (
        "synchronous_copies.nvprof",
        "The host waits for most copies",
        "Copy asynchronously on a stream (cudaMemcpyAsync) from pinned memory (cudaHostAlloc): only then copies run beside computation. nvprof's summary lists fewer asynchronous calls than copies.",
    ),
    (
        "synchronous_copies",
        "The host waits for copies or memsets",
        "Copy and set memory asynchronously on a stream (PyTorch: non_blocking=True; else cudaMemcpyAsync, hipMemcpyAsync).",
    ),
    (
        "dataloader.once",
        "One step waits for data",
        "See what the data loader did for that step: a slow file, workers that start, a shuffle. The other steps hardly wait.",
    ),
    (
        "synchronization.other",
        "The host waits for the device",
        "Read losses and metrics less often, log later, and leave out calls that wait for the device: while the host waits it launches nothing.",
    ),
    (
        "slow_calls",
        "Single calls take very long",
        "Each of these calls takes more than 100 times as long as a usual launch. Probably it loads kernels or initializes the device, which happens once. Run some warm-up steps before the recording begins.",
    ),
    (
        "exposed_copies.nvprof",
        "Copies take much of the device's time",
        "Copy less: keep on the device what is used again, and join small copies. Whether computation hides the rest, the summary does not say: print the GPU trace (nvprof --print-gpu-trace), which also shows sizes, rates and kinds of memory.",
    ),
    (
        "exposed_copies",
        "Copies are not hidden",
        "Copy from pinned memory on a stream of its own, beside computation: load the next batch or layer while this one is computed (prefetch). Copy few large blocks rather than many small ones, and keep on the device what is used again.",
    ),
    (
        "exposed_copies.on_device",
        "Copies on or between devices are not hidden",
        "Write results where they are needed instead of copying them. Copy the rest on a stream of its own, beside computation.",
    ),
    (
        "allocation",
        "Memory is allocated inside steps",
        "Allocate before the loop and reuse buffers; keep shapes the same from step to step so that the caching allocator finds blocks, or try expandable segments.",
    ),
    (
        "long_gaps",
        "Long pauses of a whole device",
        "See what the host did in each pause below: garbage collection, evaluation, saving, waiting for data or for another rank.",
    ),
    (
        "long_gaps.queued",
        "Long pauses of a whole device",
        "The next work is in the queue before these pauses end. Find the dependency that it waits for: an event, another stream, a collective of other ranks, or work that the trace does not show.",
    ),
    (
        "long_gaps.no_host",
        "Long pauses of a whole device",
        "The trace does not show what the host does in these pauses. Record Python functions (PyTorch: with_stack=True), and the host's operators and calls where they are missing.",
    ),
    (
        "long_gaps.no_host.mindspore",
        "Long pauses of a whole device",
        "The trace does not show what the host does in these pauses. Record the queues of data (MindSpore: data_process=True), which Data shows (--by pipeline), and the host (profile_framework=\"all\").",
    ),
    (
        "iteration_interval",
        "Too long between two steps",
        "See what the host does between two steps: waiting for data, logging, evaluating, saving. Move it out of the loop, or let it run beside the step.",
    ),
    (
        "iteration_interval.step_trace",
        "The iteration interval is too long",
        "See what the host does between two steps: waiting for data, logging, evaluating, saving. Move it out of the loop, or let it run beside the step.",
    ),
    (
        "iteration_interval.step_trace.no_host",
        "The iteration interval is too long",
        "The trace does not show what the host does between two steps. Record Python functions (PyTorch: with_stack=True), and the host's operators and calls where they are missing.",
    ),
    (
        "iteration_interval.step_trace.no_host.mindspore",
        "The iteration interval is too long",
        "The trace does not show what the host does between two steps. Record the queues of data (MindSpore: data_process=True), which Data shows (--by pipeline), and the host (profile_framework=\"all\").",
    ),
    (
        "iteration_interval.no_host",
        "Too long between two steps",
        "The trace does not show what the host does between two steps. Record Python functions (PyTorch: with_stack=True), and the host's operators and calls where they are missing.",
    ),
    (
        "iteration_interval.no_host.mindspore",
        "Too long between two steps",
        "The trace does not show what the host does between two steps. Record the queues of data (MindSpore: data_process=True), which Data shows (--by pipeline), and the host (profile_framework=\"all\").",
    ),
    (
        "data_processing",
        "Data are prepared too slowly",
        "Give the slowest operator of the data pipeline more workers or a faster function; store data as MindRecord; do costly transforms offline.",
    ),
    (
        "data_transmission",
        "Data reach the device too slowly",
        "Send more batches at a time (sink size), make what is sent smaller (types, padding), and check the link between host and device.",
    ),
    (
        "get_next",
        "GetNext takes long though data are there",
        "See on the timeline whether GetNext runs ahead of its step, beside operators of the AI Core. If it does not, or takes long itself, report it to MindSpore.",
    ),
    (
        "pipeline_bottleneck",
        "An operator limits the data pipeline",
        "Raise the workers (num_parallel_workers) of the operators below or make their function faster; for a batch raise the prefetch size.",
    ),
    (
        "empty_source",
        "A source of the data pipeline is too slow",
        "Read with more workers, from a faster disk or from fewer and larger files (MindRecord); for a generator use several processes.",
    ),
    (
        "processor_busy",
        "The machine's processors are busy",
        "Do costly transforms offline or on the device, reduce workers that compete for cores, or use a machine with more cores.",
    ),
    (
        "processor_few_threads",
        "Processors have room for more threads",
        "Raise the workers of the data pipeline's operators (num_parallel_workers); for Python functions use several processes (python_multiprocessing).",
    ),
    (
        "processor_many_threads",
        "Too many threads compete for the processors",
        "Use fewer workers for the data pipeline's operators (num_parallel_workers): the system may spend the time on changing between them.",
    ),
    (
        "format_conversion",
        "Much time is spent on changing formats and types",
        "Keep one layout (such as channels_last) and one type throughout, and let the compiler fuse what is left.",
    ),
    (
        "slow_unit",
        "Operators run on the slow unit",
        "Replace operators of the AI CPU by ones that run on the AI core, or change their types and shapes so that they do.",
    ),
    (
        "slow_operator",
        "One operator takes a large part of the device's busy time",
        "Look for a faster implementation, another algorithm, layout or type for it, or split it over devices.",
    ),
    (
        "small_collectives",
        "Collectives are small",
        "Join them into larger buckets (bucket_cap_mb, fused all-reduce): small ones do not fill the links.",
    ),
    (
        "slow_rank",
        "A rank is slower than the others",
        "Look at its host and device: other jobs, clock and temperature, its share of the data; all others wait for it.",
    ),
    (
        "slow_link",
        "A link is slower than others of its kind",
        "Check the cable, port and switch of that link, and which traffic shares it.",
    ),
    ("unbalanced_stage", "A pipeline stage has more to do than others", "Move layers from that stage to the others."),
    (
        "unbalanced_stage.operations",
        "A pipeline stage has more to do than others",
        "Move layers from that stage to the others.",
    ),
    ("at_the_peak", "No headroom left", "These kernels run at the device's peak: only less work makes them faster."),
    (
        "tensorboard_dataloader",
        "High time cost on input data loading",
        "Set num_workers on the DataLoader's construction to load data in several processes.",
    ),
    (
        "tensorboard_data_parallel",
        "DataParallel on several GPUs",
        "Use DistributedDataParallel instead of DataParallel to train on several GPUs.",
    ),
    (
        "tensorboard_backend",
        "Distributed without NCCL",
        "Use the NCCL back end: it is the fastest for distributed training on GPUs.",
    ),
    (
        "tensorboard_communication",
        "High time cost on communication",
        "Try gradient compression or gradient accumulation, or a larger batch. Accumulation makes the effective batch larger, which may hurt convergence.",
    ),
    (
        "tensorboard_utilization",
        "A GPU has low utilization",
        "Make the batch larger, if memory allows. This may affect the speed and stability of convergence.",
    ),
    (
        "tensorboard_tensor_cores",
        "Tensor cores could be used",
        "Enable automatic mixed precision, so that kernels use tensor cores.",
    ),
    (
        "tensorboard_memory",
        "Device memory is at its limit",
        "Use gradient checkpointing or automatic mixed precision to get more out of the memory.",
    ),
];

const REASONS: [(&str, &str); 25] = [
    ("no_steps", "There are no marked steps."),
    ("one_step", "There is one step only."),
    ("no_device", "No events of a device are recorded."),
    ("no_kernels", "No kernel is recorded in the steps."),
    ("no_operators", "No operators are recorded."),
    ("no_calls", "No calls of the device's runtime are recorded in the steps."),
    ("unlinked", "Most device activities are not linked to the call that launched them."),
    ("no_communication", "No communication is recorded."),
    ("no_stages", "The job has no pipeline stages."),
    ("no_sizes", "The sizes of collectives are not known."),
    ("no_memory", "Allocations are not recorded."),
    ("unknown_device", "The trace does not say what the device is or has."),
    ("unknown_peak", "The device's peak is not known."),
    (
        "unknown_work",
        "For most of the larger kernels and copies it is not known how much they compute or move, or the numbers cannot be right.",
    ),
    ("unknown_units", "It is not known which units the kernels run on."),
    ("no_table", "The profiler wrote no table for it."),
    ("few_samples", "Fewer than 10 samples of the processors' load are recorded."),
    (
        "implausible_samples",
        "Most samples of the processors' load are implausible: their parts do not add up to the processors' time.",
    ),
    ("first_step_alone", "The queue of data is recorded for the first step alone, in which the pipeline starts."),
    ("one_rank", "The rule needs tables of several ranks."),
    ("one_device", "One device is used."),
    ("nothing_matched", "No collective that several ranks share is matched in the steps that count."),
    (
        "path_unrecorded",
        "Much of the critical path lies where nothing is recorded on the host: it may wait for the device there.",
    ),
    ("no_computing", "Hardly any computation is recorded: nothing shows whether it runs beside communication."),
    ("other_steps", "The profiler's table is of other steps: its times are longer than the recorded ones."),
];

const EXCUSES: [(&str, &str); 22] = [
    ("tensor_cores_used", "A kernel uses matrix units."),
    ("no_tensor_cores", "The device has no matrix units."),
    ("long_kernels", "The mean kernel is longer than the limit."),
    ("devices_communicate", "The devices communicate themselves."),
    ("old_device", "The device is too old for its own communication library."),
    ("data_are_late", "Data are prepared too late already: their transfer is not the bottleneck."),
    ("keeps_up", "The data pipeline keeps up."),
    ("only_waiting", "All of it is waiting for other ranks."),
    ("mostly_waiting", "Most of it is waiting for other ranks; the rest is within the limit."),
    ("clock_jumps", "The rank's clock jumps in a step, which may explain the value."),
    ("same_time", "Another rule says more about the same time."),
    ("little", "Removing it would save little time."),
    ("at_the_peak", "It runs at the device's peak already."),
    ("memory_is_held", "The allocator has reserved nearly all of the device's memory."),
    ("memory_is_pool", "Steps allocate less than what is free: the rest is reserved, as by a pool."),
    ("data_are_there", "Data do not limit the steps."),
    ("captures_graph", "The step captures a graph, which happens once: it is not a steady step."),
    ("queue_was_empty", "GetNext found the queue empty: it waits for data."),
    ("interval_is_short", "The iteration interval is within the definition's limit."),
    ("transfer_is_late", "Data are prepared in time: their transfer to the device is late."),
    ("never_empty", "No queue of such an operator was ever found empty: nothing waited for it."),
    ("threads_fit", "Programs take more of the processors than the system, or no process waits for a processor."),
];

const LACKS: [(&str, &str); 10] = [
    ("lost", "A part of the file is lost: it was cut off or is damaged."),
    ("complete_step", "No step is complete."),
    (
        "steady_step",
        "The step captures a graph, which happens once: it is not a steady step. Record steps after the capture.",
    ),
    ("device", "No events of a device are recorded."),
    ("events", "There are no events, only tables that the profiler wrote."),
    ("start", "For a large part of the time the trace does not show what the device does."),
    ("late_start", "For a large part of the time, launched work starts late, and the trace does not show why."),
    ("errors", "The profiler reported errors while it recorded: activities may be missing."),
    ("cause", "The cause of a large part of the time is not known."),
    ("rules", "Hardly any rule could be judged."),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{exemption, lack, reason, whole, words};
    use stepscope_analyze::{AdviceUnit, Exemption, Missing, NotApplicable, RULES};

    #[test]
    fn every_share_says_of_what() {
        for rule in &RULES {
            let is_share = rule.thresholds.first().is_some_and(|first| first.unit == AdviceUnit::Share);
            assert_eq!(whole(rule.id, "step").is_some(), is_share, "{}", rule.id);
        }
    }

    #[test]
    fn the_page_says_the_same_and_more() {
        let read = |text: &str| serde_json::from_str::<BTreeMap<String, String>>(text).expect("messages");
        let english = read(include_str!("../../../../www/i18n/en.json"));
        let message = |key: String| english.get(&key).unwrap_or_else(|| panic!("{key} has no message")).as_str();
        for rule in &RULES {
            let (title, text) = words(rule.id);
            assert!(!title.is_empty() && !text.is_empty(), "{}", rule.id);
            assert_eq!(message(["advice.", rule.id, ".title"].concat()), title);
            assert_eq!(message(["advice.", rule.id].concat()), text);
            message(["advice.", rule.id, ".why"].concat());
            for threshold in &rule.thresholds[1..] {
                message(["advice.limit.", threshold.name].concat());
            }
        }
        for (id, title, text) in super::RULES {
            assert_eq!(message(["advice.", id, ".title"].concat()), title);
            assert_eq!(message(["advice.", id].concat()), text);
            // Wordings of a rule are judged alike, unless they say otherwise.
            let of_rule = RULES.iter().find(|rule| id.starts_with(rule.id)).expect("a rule of this wording");
            let why = |id: &str| english.get(&["advice.", id, ".why"].concat());
            assert!(id == of_rule.id || why(id) != why(of_rule.id), "{id} repeats how {} is judged", of_rule.id);
        }
        for why in NotApplicable::ALL {
            assert_eq!(message(["advice.not_applicable.", why.name()].concat()), reason(why.name()));
        }
        for what in Missing::ALL {
            assert_eq!(message(["advice.missing.", what.name()].concat()), lack(what.name()));
        }
        for why in Exemption::ALL {
            assert_eq!(message(["advice.exemption.", why.name()].concat()), exemption(why.name()));
        }
    }
}
