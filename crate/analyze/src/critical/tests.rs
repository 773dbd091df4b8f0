//! Critical paths and replays of small traces.

use super::{
    Change, ExecutionGraph, Gone, PathClass, critical_path, critical_paths, kernels_named, saving_without, what_if,
};
use crate::{Steps, StepsConfig, steps};
use stepscope_base::Nanos;
use stepscope_input::Loader;
use stepscope_trace::Trace;

/// Events in a shorthand: `what thread-or-stream start length [correlation] [name]`, times in µs.
fn trace_of(lines: &str) -> Trace {
    let event = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [what, row, start, length, rest @ ..] = &fields[..] else { unreachable!("{line}") };
        let correlation = rest.first().copied().unwrap_or("0");
        let name = rest.get(1).copied().unwrap_or(what);
        let (category, process) = match *what {
            "step" => ("user_annotation", 1),
            "op" => ("cpu_op", 1),
            "call" => ("cuda_runtime", 1),
            "gloo:all_reduce" | "range" => ("user_annotation", 1),
            "kernel" => ("kernel", 0),
            "copy" => ("gpu_memcpy", 0),
            other => unreachable!("{other}"),
        };
        let name = if *what == "step" { "ProfilerStep#1" } else { name };
        format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{process},"tid":{row},"ts":{start},"dur":{length},
                "args":{{"correlation":{correlation},"stream":{row},"device":0}}}}"#
        )
    };
    let events: Vec<String> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(event).collect();
    let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
    let mut loader = Loader::new("test.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("a trace");
    loader.finish().expect("a trace").trace
}

fn graph_of(trace: &Trace) -> (Steps, ExecutionGraph) {
    let steps = steps(trace, &StepsConfig::default());
    let graph = ExecutionGraph::of(trace, &steps);
    (steps, graph)
}

/// The path through the only step, as `class µs` of each piece.
fn path(lines: &str) -> String {
    let trace = trace_of(lines);
    let (steps, graph) = graph_of(&trace);
    let path = critical_path(&trace, &steps, &graph, 0).expect("a step");
    let unchanged = what_if(&trace, &steps, &graph, &Change::Nothing);
    assert_eq!(unchanged.steps[0].after, path.span);
    let piece = |piece: &super::PathPiece| format!("{} {}", piece.class.name(), piece.span.len().0 / 1000);
    path.pieces.iter().map(piece).collect::<Vec<_>>().join(", ")
}

/// Mean time of paths on the host beside work that no call launched, in µs, and whether the paths are known.
fn unlinked(lines: &str) -> (i64, bool) {
    let trace = trace_of(lines);
    let (steps, graph) = graph_of(&trace);
    let paths = critical_paths(&trace, &steps, &graph);
    (paths.unlinked_per_step().0 / 1000, paths.are_known())
}

#[test]
fn a_path_beside_work_that_no_call_launched_is_not_known() {
    let known = "
        step 1 0 100
        call 1 5 2 9 cudaLaunchKernel
        kernel 7 10 50 9
        call 1 8 54 0 cudaStreamSynchronize
    ";
    assert_eq!(unlinked(known), (0, true));
    // The call may wait for the kernel, or run beside it.
    assert_eq!(unlinked("step 1 0 100\n op 1 5 90 0 ModelExecute\n kernel 7 10 50 9"), (50, true));
    assert_eq!(unlinked("step 1 0 100\n op 1 5 90 0 ModelExecute\n kernel 7 10 80 9"), (80, false));
    // So may an activity wait for one of another stream.
    assert_eq!(unlinked("kernel 7 0 5\n kernel 8 10 70\n kernel 7 75 30"), (65, false));
    // A path through the device itself is known.
    assert!(unlinked("step 1 0 10\n kernel 7 10 80 9").1);
}

#[test]
fn a_path_goes_through_the_thread_that_waits_for_the_device() {
    let waits = "
        call 1 5 2 1 cudaLaunchKernel
        kernel 7 10 80 1
        call 2 12 79 0 cudaStreamSynchronize
        call 1 95 2 2 cudaLaunchKernel
        kernel 7 100 10 2
    ";
    let found = path(waits);
    assert!(found.contains("compute 80"), "{found}");
}

/// Length of the only step after a change, in µs.
fn length_if(lines: &str, change: &Change) -> i64 {
    let trace = trace_of(lines);
    let (steps, graph) = graph_of(&trace);
    what_if(&trace, &steps, &graph, change).mean[1].0 / 1000
}

fn faster(name: &str, factor: f64) -> Change {
    Change::Kernel { name: name.to_owned(), factor }
}

/// A kernel that computes, then a collective on another stream, then a kernel that waits for it by an event.
const EVENTS: &str = "
    step 1 0 200
    call 1 5 2 1 cudaLaunchKernel
    kernel 7 10 40 1 first
    call 1 10 1 2 cudaEventRecord
    call 1 11 1 3 cudaStreamWaitEvent
    call 1 12 2 4 cudaLaunchKernel
    kernel 20 51 60 4 ncclDevKernel_AllReduce
    call 1 20 1 5 cudaEventRecord
    call 1 21 1 6 cudaStreamWaitEvent
    call 1 22 2 7 cudaLaunchKernel
    kernel 7 112 50 7 second
    call 1 30 140 8 cudaStreamSynchronize
";

#[test]
fn a_path_goes_through_events_from_stream_to_stream() {
    assert_eq!(
        path(EVENTS),
        "other 5, runtime_call 2, launch_delay 3, compute 40, kernel_wait 1, communication 60, kernel_wait 1, \
         compute 50, sync_wait 8, other 30"
    );
}

#[test]
fn what_waits_is_earlier_when_that_is() {
    // 30 µs of the 200 are saved where the collective is twice as fast, 60 and a wait less if nothing waits for it.
    assert_eq!(length_if(EVENTS, &faster("nccl*", 2.0)), 170);
    assert_eq!(length_if(EVENTS, &Change::Overlap), 139);
    assert_eq!(length_if(EVENTS, &faster("first", 4.0)), 170);
    // The call, and the delay after it.
    assert_eq!(length_if(EVENTS, &Change::Launches), 195);
    assert_eq!(length_if(EVENTS, &Change::Data), 200);
}

#[test]
fn a_copy_to_pageable_memory_waits_for_its_stream() {
    let lines = "
        step 1 0 100
        call 1 5 2 1 cudaLaunchKernel
        kernel 7 10 60 1 gemm
        call 1 10 65 2 cudaMemcpyAsync
        copy 7 71 2 2 Memcpy_DtoH_(Device->Pageable)
    ";
    assert_eq!(
        path(lines),
        "other 5, runtime_call 2, launch_delay 3, compute 60, kernel_wait 1, memcpy 2, sync_wait 2, other 25"
    );
    assert_eq!(length_if(lines, &faster("gemm", 2.0)), 70);
}

#[test]
fn a_device_that_is_behind_ends_the_step() {
    let lines = "
        step 1 0 50
        op 1 1 30 0 aten::mm
        call 1 5 2 1 cudaLaunchKernel
        call 1 10 2 2 cudaLaunchKernel
        kernel 7 10 60 1 gemm
        kernel 7 71 30 2 gemm
    ";
    assert_eq!(
        path(lines),
        "other 1, host_operator 4, runtime_call 2, launch_delay 3, compute 60, kernel_wait 1, compute 30"
    );
    // Then the host does.
    assert_eq!(length_if(lines, &faster("gemm", 10.0)), 50);
}

#[test]
fn a_thread_that_is_silent_waits_for_the_one_that_works() {
    let lines = "
        step 1 0 400
        op 1 10 90 0 forward
        op 2 120 180 0 backward
        call 2 150 100 1 cudaMemcpy
        copy 7 160 80 1 Memcpy_DtoH
        op 1 330 50 0 optimizer
    ";
    assert_eq!(
        path(lines),
        "other 10, host_operator 90, other 20, host_operator 30, runtime_call 10, memcpy 80, sync_wait 10, \
         host_operator 50, other 30, host_operator 50, other 20"
    );
}

#[test]
fn a_silence_of_the_autograd_thread_is_its_own_while_the_main_thread_is_silent() {
    // Autograd's thread runs a hook that nothing records from 200 to 320 µs; the main thread waits all the time.
    let lines = "
        step 1 0 600
        op 1 10 90 0 forward
        op 2 120 80 0 backward
        call 2 130 5 1 cudaLaunchKernel
        kernel 7 140 10 1 gemm
        op 2 320 80 0 backward
        op 1 500 50 0 optimizer
    ";
    assert_eq!(
        path(lines),
        "other 10, host_operator 90, other 20, host_operator 10, runtime_call 5, host_operator 65, other 120, \
         host_operator 80, other 100, host_operator 50, other 50"
    );
}

#[test]
fn a_main_thread_that_looks_up_for_a_moment_still_waits() {
    let lines = "
        step 1 0 400
        op 1 10 90 0 forward
        op 2 120 180 0 backward
        call 2 150 20 1 cudaLaunchKernel
        kernel 7 180 20 1 gemm
        op 1 200 2 0 hook
        op 1 310 50 0 optimizer
    ";
    assert_eq!(
        path(lines),
        "other 10, host_operator 90, other 20, host_operator 30, runtime_call 20, host_operator 130, other 10, \
         host_operator 50, other 40"
    );
}

#[test]
fn a_copy_that_ends_just_after_its_call_was_waited_for() {
    // The device's clock runs 5 µs ahead.
    let lines = "
        step 1 0 100
        call 1 5 2 1 hipLaunchKernel
        kernel 7 12 60 1 gemm
        call 1 10 65 2 hipMemcpyWithStream
        copy 7 73 7 2 Memcpy_DtoH
    ";
    assert_eq!(path(lines), "other 5, runtime_call 2, launch_delay 5, compute 60, kernel_wait 1, memcpy 2, other 25");
    assert_eq!(length_if(lines, &faster("gemm", 2.0)), 70);
    // By that clock the copy begins when the call has returned.
    let lines = "
        step 1 0 100
        call 1 5 2 1 hipLaunchKernel
        kernel 7 12 62 1 gemm
        call 1 10 65 2 hipMemcpyWithStream
        copy 7 76 2 2 Memcpy_DtoD
    ";
    assert_eq!(path(lines), "other 5, runtime_call 2, launch_delay 5, compute 62, sync_wait 1, other 25");
}

#[test]
fn clocks_that_differ_make_no_cycle() {
    // The kernel runs before its call, which waits for it.
    let lines = "
        step 1 0 100
        call 1 50 20 1 cudaLaunchKernel
        kernel 7 10 30 1 gemm
        call 1 80 10 2 cudaDeviceSynchronize
    ";
    let trace = trace_of(lines);
    let (steps, graph) = graph_of(&trace);
    for change in [Change::Nothing, Change::Launches, Change::Overlap, Change::Data, faster("*", 3.0)] {
        let replay = what_if(&trace, &steps, &graph, &change);
        assert!(replay.mean[1] <= replay.mean[0], "{change:?}");
    }
    let path = critical_path(&trace, &steps, &graph, 0).expect("a step");
    assert_eq!(path.times.into_iter().sum::<Nanos>(), path.span.len());
    assert_eq!(path.times[PathClass::RuntimeCall as usize], Nanos(20_000));
}

#[test]
fn without_a_host_the_streams_are_the_path() {
    let lines = "
        kernel 7 0 30 0 gemm
        kernel 7 31 30 0 gemm
    ";
    assert_eq!(path(lines), "compute 30, kernel_wait 1, compute 30");
    assert_eq!(length_if(lines, &faster("gemm", 2.0)), 31);
}

#[test]
fn kernels_by_pattern() {
    let trace = trace_of(EVENTS);
    let named = |pattern| kernels_named(&trace, pattern).len();
    assert_eq!((named("*"), named("first"), named("*irs*"), named("cudaLaunchKernel")), (3, 1, 1, 0));
}

#[test]
fn a_step_that_is_not_there_has_no_path() {
    let trace = trace_of(EVENTS);
    let (steps, graph) = graph_of(&trace);
    assert_eq!(critical_path(&trace, &steps, &graph, 1), None);
}

#[test]
fn what_nothing_else_explains_is_laid_to_a_collective_of_the_host() {
    let lines =
        "step 1 0 100\nop 1 0 10\ngloo:all_reduce 7 5 40\ngloo:all_reduce 8 20 40\ngloo:all_reduce 7 95 20\nop 1 70 10";
    assert_eq!(
        path(lines),
        "host_operator 10, communication 35, communication 15, other 10, host_operator 10, other 15, communication 5"
    );
    assert_eq!(length_if(lines, &Change::Nothing), 100);
}

/// Kernels begin before their launching calls return, and a call waits for each: without any cause gone, nothing is
/// saved.
#[test]
fn nothing_gone_saves_nothing() {
    let turn = |turn: i64| {
        let (at, id) = (40 * turn, turn + 1);
        format!(
            "call 1 {at} 10 {id} cudaLaunchKernel\nkernel 7 {} 26 {id}\ncall 1 {} 21 0 cudaStreamSynchronize\n",
            at + 4,
            at + 10
        )
    };
    let lines: String = (0..5).map(turn).collect();
    let trace = trace_of(&format!("step 1 0 200\n{lines}"));
    let (steps, graph) = graph_of(&trace);
    let saving = |gone: &Gone| saving_without(&trace, (&steps, &steps.counted()), &graph, gone, &mut Vec::new());
    assert_eq!(saving(&Gone::default()), Nanos::ZERO);
    let mut free = Gone::default();
    free.latency = Nanos(30_000);
    assert!(saving(&free) > Nanos::ZERO);
}

/// Without marks and operators the step is from the first activity to the last one, while the host waits for the
/// device.
#[test]
fn a_step_of_activities_alone_ends_on_the_device() {
    let lines = "
        call 1 0 2 1 cudaLaunchKernel
        call 1 2 2 2 cudaLaunchKernel
        call 1 4 60 0 cudaDeviceSynchronize
        kernel 7 3 20 1 first
        kernel 7 23 30 2 second";
    assert_eq!(path(lines), "compute 20, compute 30");
    let trace = trace_of(lines);
    let (steps, graph) = graph_of(&trace);
    let faster = Change::Kernel { name: "second".to_owned(), factor: 2.0 };
    let replay = what_if(&trace, &steps, &graph, &faster);
    assert_eq!(replay.mean, [Nanos(50_000), Nanos(35_000)]);
}

/// Beyond the usual latency it is not the launch that delays an activity: free launches do not make it earlier.
#[test]
fn a_late_start_is_no_launch_delay() {
    let lines = "
        step 1 0 300
        call 1 5 2 1 cudaLaunchKernel
        kernel 7 10 20 1 first
        call 1 40 2 2 cudaLaunchKernel
        kernel 7 192 50 2 second
        call 1 45 205 0 cudaDeviceSynchronize";
    let expected =
        "other 5, runtime_call 2, other 33, runtime_call 2, start_late 150, compute 50, sync_wait 8, other 50";
    assert_eq!(path(lines), expected);
    // Both calls are gone, the wait is not.
    assert_eq!(length_if(lines, &Change::Launches), 296);
}

/// Where no device runs work, the step's thread shows none, and others do: the path follows them.
#[test]
fn a_silent_thread_of_a_host_only_trace_waits_for_those_that_compute() {
    // Two threads compute in turn; between them nothing is recorded for 5 µs.
    let lines = "
        step 1 0 200
        op 1 0 10 0 dispatch
        op 2 20 40 0 conv
        op 3 65 55 0 matmul
        op 1 150 20 0 loss
    ";
    assert_eq!(
        path(lines),
        "host_operator 10, other 10, host_operator 40, other 5, host_operator 55, other 30, host_operator 20, other 30"
    );
    assert_eq!(inferred(lines), 95);
    assert_eq!(length_if(lines, &Change::Nothing), 200);
}

#[test]
fn operators_that_end_with_the_wait_come_before_one_that_continues() {
    // `background` still runs when the main thread has continued: it was not waited for. `small` runs beside `large`.
    let lines = "
        step 1 0 200
        op 2 10 80 0 large
        op 3 30 20 0 small
        op 4 5 150 0 background
        op 1 100 100 0 rest
    ";
    let trace = trace_of(lines);
    let (steps, graph) = graph_of(&trace);
    let found = critical_path(&trace, &steps, &graph, 0).expect("a step");
    let pieces = found.pieces.iter().map(|piece| {
        let name = piece.slice.get().map_or("", |id| trace.name_of(id));
        format!("{name} {}", piece.span.len().0 / 1000)
    });
    // `background` explains the rest.
    let expected = "ProfilerStep#1 5, background 5, large 80, background 10, rest 100";
    assert_eq!(pieces.collect::<Vec<_>>().join(", "), expected);
}

/// The path follows threads by elimination only where no device runs work.
#[test]
fn operators_of_threads_beside_a_device_are_not_waited_for() {
    let lines = "
        step 1 0 100
        op 2 10 30 0 pin_memory
        call 1 50 2 1 cudaLaunchKernel
        kernel 7 55 20 1 gemm
        call 1 60 30 0 cudaDeviceSynchronize
    ";
    assert_eq!(path(lines), "other 50, runtime_call 2, launch_delay 3, compute 20, sync_wait 15, other 10");
    assert_eq!(inferred(lines), 0);
}

/// A range inside an operator is time of the operator.
#[test]
fn a_range_inside_an_operator_is_a_part_of_it() {
    let lines = "
        step 1 0 100
        op 1 10 60 0 matmul
        range 1 20 40 0 launch
    ";
    assert_eq!(path(lines), "other 10, host_operator 10, host_operator 40, host_operator 10, other 30");
}

/// Time for which the paths follow other threads, in µs per step.
fn inferred(lines: &str) -> i64 {
    let trace = trace_of(lines);
    let (steps, graph) = graph_of(&trace);
    critical_paths(&trace, &steps, &graph).inferred_per_step().0 / 1000
}

/// Threads of tf.data prepare later batches: of their work, only a wait for the next batch is waited for.
#[test]
fn threads_that_prepare_later_batches_are_not_waited_for() {
    let thread = |id: u32, name: &str| {
        format!(r#"{{"ph":"M","pid":701,"tid":{id},"name":"thread_name","args":{{"name":"{name}"}}}}"#)
    };
    let slice = |id: u32, name: &str, start: i64, length: i64, args: &str| {
        format!(r#"{{"ph":"X","pid":701,"tid":{id},"name":"{name}","ts":{start},"dur":{length},"args":{{{args}}}}}"#)
    };
    let operator = r#""long_name":"x","is_eager":"0""#;
    let events = [
        r#"{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}}"#.to_owned(),
        thread(1, "python"),
        thread(2, "tf_Compute/7"),
        thread(3, "tf_data_private_threadpool/8"),
        thread(4, "tf_data_iterator_get_next/9"),
        slice(1, "train", 0, 100, r#""step_num":"1""#),
        slice(1, "KernelAndDeviceFunc::Run", 10, 80, ""),
        slice(2, "MatMul", 30, 30, operator),
        slice(3, "StatelessRandomNormalV2", 20, 65, operator),
        slice(4, "IteratorGetNextOp::DoCompute", 12, 16, ""),
    ];
    let text = format!(r#"{{"displayTimeUnit":"ns","traceEvents": [{}]}}"#, events.join(","));
    let mut loader = Loader::new("vm.trace.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("a trace");
    let trace = loader.finish().expect("a trace").trace;
    let (steps, graph) = graph_of(&trace);
    let found = critical_path(&trace, &steps, &graph, 0).expect("a step");
    let pieces = found.pieces.iter().map(|piece| (piece.class, piece.span.len().0 / 1000));
    let expected = [
        (PathClass::Other, 10),
        (PathClass::Other, 2),
        (PathClass::DataLoading, 16),
        (PathClass::Other, 2),
        (PathClass::HostOperator, 30),
        (PathClass::Other, 30),
        (PathClass::Other, 10),
    ];
    assert_eq!(pieces.collect::<Vec<_>>(), expected);
    assert_eq!(found.inferred, Nanos(46_000));
}
