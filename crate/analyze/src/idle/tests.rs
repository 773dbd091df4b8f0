//! Values worked out by hand, for the trace in `tests/fixtures/kineto/why_it_idles`.

use super::{DeviceIdle, EdgeSide, HostActivity, IdleClass, IdleConfig, IdleLeaf, IdleTimes, hosts_in};
use crate::{
    AnalysisConfig, LaunchesConfig, QueuesConfig, StepsConfig, analyze, launch_rows, launches, overview, queues, steps,
};
use stepscope_base::{Interval, Nanos, Warnings};
use stepscope_input::Loader;
use stepscope_trace::{Activity, Call, Class, Layer, NO_SERIAL, NewSlice, RawId, Stream, Trace, TraceBuilder, TrackId};

const TEXT: &str = include_str!("../../../../tests/fixtures/kineto/why_it_idles/input.json");

fn load(text: &str) -> Trace {
    let mut loader = Loader::new("test.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("a trace");
    loader.finish().expect("a trace").trace
}

/// A trace of a device's events and of calls, in µs: `(name, start, length, correlation)`.
fn trace_of(calls: &[(&str, i64, i64, u32)], kernels: &[(i64, i64, i64, u32)]) -> Trace {
    let calls = calls.iter().map(|(name, start, length, correlation)| {
        format!(
            r#"{{"ph":"X","cat":"cuda_runtime","name":"{name}","pid":1,"tid":1,"ts":{start},"dur":{length},"args":{{"correlation":{correlation}}}}}"#
        )
    });
    let kernels = kernels.iter().map(|(process, start, length, correlation)| {
        format!(
            r#"{{"ph":"X","cat":"kernel","name":"gemm","pid":{process},"tid":7,"ts":{start},"dur":{length},"args":{{"device":0,"stream":7,"correlation":{correlation}}}}}"#
        )
    });
    let events: Vec<String> = calls.chain(kernels).collect();
    load(&format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(",")))
}

fn micros<const N: usize>(times: [Nanos; N]) -> [i64; N] {
    times.map(|time| time.0 / 1000)
}

fn only(devices: Vec<DeviceIdle>) -> DeviceIdle {
    let [device] = <[DeviceIdle; 1]>::try_from(devices).expect("one device");
    device
}

fn idle(trace: &Trace, config: &IdleConfig) -> Vec<DeviceIdle> {
    super::idle(trace, &steps(trace, &StepsConfig::default()), config)
}

/// Idle times of a trace's only device with standard thresholds.
fn standard(trace: &Trace) -> IdleTimes {
    only(idle(trace, &IdleConfig::standard())).times
}

#[test]
fn classes_of_gaps_and_what_the_host_did() {
    let trace = load(TEXT);
    let device = only(idle(&trace, &IdleConfig::standard()));
    // Gaps: 10–15 unknown; 20–78, 90–152 and 243–346 host; 160–165 and 240–241 kernel; 170–210 other.
    assert_eq!(micros(device.times.classes), [5, 58 + 62 + 103, 5 + 1, 40]);
    assert_eq!(device.times.gaps, [1, 3, 2, 1]);
    assert_eq!(micros([device.times.window, device.times.busy]), [362, 362 - 5 - 223 - 6 - 40]);
    // 20–60; 243–260 in `.item()`; 95–135; 70–78, 145–152 and 335–346; 62–70, 92–95, 135–140 and 141–145;
    // 60–62, 90–92, 140–141 and 260–335.
    assert_eq!(micros(device.times.host), [40, 17, 40, 8 + 7 + 11, 8 + 3 + 5 + 4, 2 + 2 + 1 + 75, 0, 0, 0]);
    // Stream 9 runs one kernel; on stream 7 the last gap ends at 352.
    let [(stream_7, times_7), (_, times_9)] = device.streams[..] else { panic!("two streams") };
    assert_eq!((stream_7.stream, micros(times_7.classes)), (7, [5, 58 + 62 + 109, 6, 40]));
    assert_eq!(micros([times_9.window, times_9.busy, times_9.idle()]), [14, 14, 0]);
}

#[test]
fn long_gaps_with_the_slice_that_shows_why() {
    let trace = load(TEXT);
    let device = only(idle(&trace, &IdleConfig::standard()));
    assert_eq!((device.long_gaps, device.long_gaps_time), (4, Nanos(263_000)));
    let shown: Vec<(i64, IdleClass, HostActivity, &str)> = device
        .longest
        .iter()
        .map(|listed| {
            let host = listed.host.expect("their calls are known");
            let name = host.slice.map_or("", |id| trace.name_of(id));
            (listed.gap.span.len().0 / 1000, listed.gap.class, host.activity, name)
        })
        .collect();
    assert_eq!(
        shown,
        [
            (103, IdleClass::HostWait, HostActivity::Python, "<built-in function collect>"),
            (62, IdleClass::HostWait, HostActivity::Allocation, "cudaMalloc"),
            (
                58,
                IdleClass::HostWait,
                HostActivity::DataLoading,
                "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
            ),
            (40, IdleClass::Other, HostActivity::Synchronization, "cudaStreamSynchronize"),
        ]
    );
    let first = device.longest[0].gap;
    assert_eq!(trace.name_of(first.before), "Memcpy DtoH (Device -> Pageable)");
    assert_eq!(trace.name_of(first.after), "of a graph");
    assert_eq!(first.call.map(|call| trace.name_of(call)), Some("cudaGraphLaunch"));
    // In a gap that is no host wait, the thread counts until its end.
    let other = device.longest[3].host.expect("its call is known").times;
    assert_eq!(micros(other), [0, 38, 0, 0, 0, 2, 0, 0, 0]);
}

#[test]
fn thresholds_are_adjustable_and_lists_are_cut() {
    let trace = load(TEXT);
    let config = IdleConfig { kernel_wait: Nanos(5_000), long_gap: Nanos(58_000), listed: 1 };
    let device = only(idle(&trace, &config));
    // 5 µs are no longer short.
    assert_eq!(micros(device.times.classes), [5, 223, 1, 45]);
    assert_eq!((device.long_gaps, device.long_gaps_time, device.longest.len()), (2, Nanos(165_000), 1));
}

#[test]
fn a_graph_is_one_launch_on_two_streams() {
    let trace = load(TEXT);
    let rows = launch_rows(&trace);
    let graph = rows.iter().find(|launch| trace.name_of(launch.call) == "cudaGraphLaunch").expect("a graph");
    // From 346 to 362; the call ended at 338.
    assert_eq!((graph.activities, graph.cpu, graph.gpu, graph.delay), (3, Nanos(3_000), Nanos(16_000), Nanos(8_000)));
    let config = LaunchesConfig { slow: Nanos(5_000), late: Nanos(60_000), listed: 20 };
    let found = launches(&trace, &config);
    assert_eq!((found.total.calls, found.total.activities, found.unlinked), (6, 8, 2));
    // Only the copy back is shorter than its call. The copy's call takes 6 µs. `.item()`'s copy starts 63 µs later: the
    // device was busy until 1 µs before.
    assert_eq!((found.total.short, found.total.slow), (1, 1));
    assert_eq!((found.total.delayed, found.total.queued, found.total.late), (1, 1, 0));
    assert_eq!((found.slowest.len(), found.latest.len()), (1, 0));
    let waiting: Vec<(i64, u64, u64)> = queues(&trace, &QueuesConfig::standard())
        .iter()
        .map(|queue| (queue.stream.stream, queue.calls, queue.waiting.max))
        .collect();
    // At 159 µs, the second and the third kernel wait.
    assert_eq!(waiting, [(7, 6, 2), (9, 1, 1)]);
}

#[test]
fn a_gap_begins_at_the_latest_end_so_far() {
    // The second kernel lies inside the first; the third was launched at 12 µs, before the first one's end.
    let calls = [("cudaLaunchKernel", 0, 1, 1), ("cudaLaunchKernel", 1, 1, 2), ("cudaLaunchKernel", 12, 1, 3)];
    let trace = trace_of(&calls, &[(0, 2, 18, 1), (0, 4, 5, 2), (0, 25, 5, 3)]);
    assert_eq!(micros(standard(&trace).classes), [0, 0, 5, 0]);
    // Exactly at its end: no host wait.
    let calls = [("cudaLaunchKernel", 0, 1, 1), ("cudaLaunchKernel", 20, 1, 3)];
    let trace = trace_of(&calls, &[(0, 2, 18, 1), (0, 25, 5, 3)]);
    assert_eq!(micros(standard(&trace).classes), [0, 0, 5, 0]);
}

#[test]
fn two_tracks_may_be_one_stream() {
    // Two processes' rows of stream 7 of device 0: one's kernels fill the other's gaps.
    let trace = trace_of(&[], &[(0, 0, 10, 0), (0, 30, 10, 0), (5, 10, 15, 0), (5, 40, 10, 0)]);
    assert_eq!(trace.tracks.iter().filter(|track| track.stream.is_some()).count(), 2);
    let device = only(idle(&trace, &IdleConfig::standard()));
    assert_eq!(device.streams.len(), 1);
    assert_eq!(device.streams[0].1, device.times);
    assert_eq!((micros(device.times.classes), device.times.gaps[0]), ([5, 0, 0, 0], 1));
}

#[test]
fn what_starts_before_its_own_call_neither_waits_nor_is_awaited() {
    // Clocks that differ: the kernel starts at 30 µs, its call at 40.
    let calls = [("cudaMemcpy", 0, 20, 1), ("cudaLaunchKernel", 40, 5, 2)];
    let trace = trace_of(&calls, &[(0, 5, 5, 1), (0, 30, 30, 2)]);
    let times = standard(&trace);
    assert_eq!(micros(times.classes), [0, 20, 0, 0]);
    assert_eq!(micros(times.host), [0, 10, 0, 0, 0, 0, 0, 10, 0]);
    let found = launches(&trace, &LaunchesConfig::standard());
    assert_eq!((found.total.delay, found.total.short), (Nanos::ZERO, 1));
    let queue = &queues(&trace, &QueuesConfig::standard())[0];
    assert_eq!((queue.waiting.max, queue.in_flight.max), (1, 1));
    assert_eq!(queue.waiting.window.end, Nanos(40_000));
}

#[test]
fn the_host_waits_in_a_copy_of_pageable_memory() {
    // A copy from 14 to 16 µs, whose call returns at 22; the next kernel is launched at 30.
    let host_after = |kind: &str| {
        let trace = load(&format!(
            r#"{{"deviceProperties": [], "traceEvents": [
            {{"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":1,"tid":1,"ts":12,"dur":10,"args":{{"correlation":1}}}},
            {{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD ({kind} -> Device)","pid":0,"tid":7,"ts":14,"dur":2,"args":{{"correlation":1}}}},
            {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":30,"dur":1,"args":{{"correlation":2}}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":32,"dur":5,"args":{{"correlation":2}}}}
            ]}}"#
        ));
        micros(standard(&trace).host)
    };
    assert_eq!(host_after("Pageable"), [0, 6, 0, 2, 0, 0, 0, 8, 0]);
    assert_eq!(host_after("Pinned"), [0, 0, 0, 8, 0, 0, 0, 8, 0]);
}

#[test]
fn a_copy_of_pageable_memory_waits_for_its_turn() {
    // Stream 7's copy is called at 12 µs and begins at 40, when another stream's kernel has ended.
    let host_before = |kind: &str, name: &str, length: i64| {
        let trace = load(&format!(
            r#"{{"deviceProperties": [], "traceEvents": [
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":10,"args":{{"device":0,"stream":7}}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":9,"ts":0,"dur":40,"args":{{"device":0,"stream":9}}}},
            {{"ph":"X","cat":"cuda_runtime","name":"{name}","pid":1,"tid":1,"ts":12,"dur":{length},"args":{{"correlation":1}}}},
            {{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoH (Device -> {kind})","pid":0,"tid":7,"ts":40,"dur":2,"args":{{"device":0,"stream":7,"correlation":1}}}}
            ]}}"#
        ));
        let device = only(idle(&trace, &IdleConfig::standard()));
        micros(device.streams[0].1.host)
    };
    assert_eq!(host_before("Pageable", "cudaMemcpyAsync", 32), [0, 28, 0, 0, 0, 0, 0, 2, 0]);
    assert_eq!(host_before("Pinned", "cudaMemcpy", 32), [0, 28, 0, 0, 0, 0, 0, 2, 0]);
    assert_eq!(host_before("Pinned", "cudaMemcpyAsync", 20), [0, 0, 0, 28, 0, 0, 0, 2, 0]);
    // It returned after its copy's end: it waited, whatever its name.
    assert_eq!(host_before("Pinned", "cudaMemcpyAsync", 32), [0, 28, 0, 0, 0, 0, 0, 2, 0]);
}

#[test]
fn a_device_may_idle_in_steps_before_its_first_activity_and_after_its_last() {
    // Two steps, 0–100 µs and 110–200; the device runs from 60 to 70.
    let text = |mark: &str| {
        format!(
            r#"{{"deviceProperties": [], "traceEvents": [
            {{"ph":"X","cat":"user_annotation","name":"{mark}#1","pid":1,"tid":1,"ts":0,"dur":100}},
            {{"ph":"X","cat":"user_annotation","name":"{mark}#2","pid":1,"tid":1,"ts":110,"dur":90}},
            {{"ph":"X","cat":"python_function","name":"preprocess","pid":1,"tid":1,"ts":5,"dur":40,"args":{{"Python id":1}}}},
            {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":50,"dur":4,"args":{{"correlation":1}}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":60,"dur":10,"args":{{"device":0,"stream":7,"correlation":1}}}},
            {{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","pid":1,"tid":1,"ts":120,"dur":70}}
            ]}}"#
        )
    };
    let trace = load(&text("ProfilerStep"));
    let device = only(idle(&trace, &IdleConfig::standard()));
    assert_eq!(micros([device.lead_in, device.lead_out]), [60, 30 + 90]);
    // They are no part of the window.
    assert_eq!(micros([device.times.window, device.times.busy, device.times.idle()]), [10, 10, 0]);
    let edges: Vec<_> = device
        .edges
        .iter()
        .map(|edge| {
            let host = edge.host.expect("a thread marks the steps");
            (edge.side, micros([edge.span.len()]), host.activity, host.slice.map_or("", |id| trace.name_of(id)))
        })
        .collect();
    // Exactly at the threshold, 70–100 is not long.
    assert_eq!(
        edges,
        [
            (EdgeSide::LeadIn, [60], HostActivity::Python, "preprocess"),
            (EdgeSide::LeadOut, [90], HostActivity::Synchronization, "cudaDeviceSynchronize"),
        ]
    );
    let host = device.edges[0].host.expect("a thread marks the steps");
    assert_eq!(host.times.iter().copied().sum::<Nanos>(), device.edges[0].span.len());
    // Without marks the trace does not show where work begins.
    let device = only(idle(&load(&text("other")), &IdleConfig { listed: 0, ..IdleConfig::standard() }));
    assert!(device.edges.is_empty());
    let unmarked = text("other").replace("other#1", "a").replace("other#2", "b");
    let device = only(idle(&load(&unmarked), &IdleConfig::standard()));
    assert_eq!((device.lead_in, device.lead_out, device.edges.len()), (Nanos::ZERO, Nanos::ZERO, 0));
}

#[test]
fn paddle_marks_the_wait_for_data_by_its_category() {
    // Paddle's reader makes an annotation of that category; one of another category is a range.
    let mut builder = TraceBuilder::default();
    let track = builder.track(RawId::Number(1), RawId::Number(1), Layer::Host, None);
    let stream =
        builder.track(RawId::Number(0), RawId::Number(7), Layer::Device, Some(Stream { device: 0, stream: 7 }));
    let (loading, other) = (builder.category(b"Dataloader"), builder.category(b"UserDefined"));
    let name = builder.intern(b"next");
    let mut add = |track, class, category, start, end| {
        builder.slice(NewSlice { track, class, category, name, start: Nanos(start), end: Nanos(end), position: 0 })
    };
    add(track, Class::Annotation, loading, 10, 30);
    add(track, Class::Annotation, other, 30, 45);
    let call = add(track, Class::RuntimeCall, other, 45, 48);
    let kernels = [add(stream, Class::Kernel, other, 0, 10), add(stream, Class::Kernel, other, 50, 60)];
    builder.call(call, Call { correlation: 1, external: NO_SERIAL });
    for (kernel, correlation) in kernels.into_iter().zip([0, 1]) {
        builder.activity(kernel, Activity { correlation, ..Activity::default() });
    }
    let trace = builder.finish(&mut Warnings::default()).expect("few slices");
    assert_eq!(standard(&trace).host.map(|time| time.0), [20, 0, 0, 5, 0, 0, 15, 0, 0]);
}

#[test]
fn without_device_there_is_nothing_to_say() {
    let trace = trace_of(&[("cudaLaunchKernel", 0, 1, 1)], &[]);
    assert!(idle(&trace, &IdleConfig::standard()).is_empty());
    assert!(queues(&trace, &QueuesConfig::standard()).is_empty());
    let found = launches(&trace, &LaunchesConfig::standard());
    assert_eq!((found.total.calls, found.names.len(), found.cpu.statistics.max), (0, 0, Nanos::ZERO));
}

/// A step of 0–300 µs whose first kernel runs from 200 to 250, with calls of a thread, in µs: `(name, start, length)`;
/// those called `cudaLaunchKernel` launch it.
fn first_kernel(calls: &[(&str, i64, i64)]) -> Trace {
    let calls: Vec<String> = calls
        .iter()
        .map(|(name, start, length)| {
            let correlation = i64::from(*name == "cudaLaunchKernel");
            format!(
                r#"{{"ph":"X","cat":"cuda_runtime","name":"{name}","pid":1,"tid":1,"ts":{start},"dur":{length},"args":{{"correlation":{correlation}}}}},"#
            )
        })
        .collect();
    load(&format!(
        r#"{{"deviceProperties": [], "traceEvents": [{}
        {{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":300}},
        {{"ph":"X","cat":"user_annotation","name":"enumerate(DataLoader)#_It.__next__","pid":1,"tid":1,"ts":1,"dur":99}},
        {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":200,"dur":50,"args":{{"device":0,"stream":7,"correlation":1}}}}
        ]}}"#,
        calls.concat()
    ))
}

#[test]
fn a_first_activity_that_starts_late_waited_for_work_from_before_the_trace() {
    let edges = |calls: &[(&str, i64, i64)]| {
        let trace = first_kernel(calls);
        let analysis = analyze(&trace, &AnalysisConfig::standard());
        let (idle, time, shown) = (&analysis.idle[0], &analysis.step_devices[0][0], overview(&analysis, None));
        assert_eq!(time.window, time.busy + time.idle + time.before_first);
        assert_eq!((idle.before_first, shown.before_first), (time.before_first, time.before_first));
        assert_eq!(shown.tiles[4].time, time.idle);
        assert_eq!(shown.tiles[1].share, time.busy.ratio_of(time.busy + time.idle));
        let leaf = |leaf: IdleLeaf| idle.steps[0][leaf as usize];
        assert_eq!(leaf(IdleLeaf::BeforeFirst), time.before_first);
        assert_eq!(leaf(IdleLeaf::AfterLast), Nanos(50_000));
        let of_host = leaf(IdleLeaf::DataWait);
        let sides: Vec<&str> = idle.edges.iter().map(|edge| edge.side.name()).collect();
        (micros([idle.before_first, idle.lead_in, of_host, shown.tiles[3].time]), sides)
    };
    // Its call ended 88 µs before it.
    let late = edges(&[("cudaLaunchKernel", 110, 2)]);
    assert_eq!(late, ([200, 0, 0, 0], vec!["before_first_activity", "lead_out"]));
    // No call is recorded.
    assert_eq!(edges(&[]).0, [200, 0, 0, 0]);
    // It starts at once: the device was empty.
    let prompt = edges(&[("cudaLaunchKernel", 190, 2)]);
    assert_eq!(prompt, ([0, 200, 99, 99], vec!["lead_in", "lead_out"]));
    // It is known to be empty since the host waited for it.
    let synchronized = edges(&[("cudaDeviceSynchronize", 20, 40), ("cudaLaunchKernel", 190, 2)]);
    assert_eq!(synchronized.0, [60, 140, 40, 40]);
    // An event may come before the device's other work.
    assert_eq!(edges(&[("cudaEventSynchronize", 20, 40), ("cudaLaunchKernel", 190, 2)]).0[0], 0);
}

#[test]
fn a_launch_that_waits_for_earlier_work_is_not_late() {
    let found = |calls: &[(&str, i64, i64, u32)], kernels: &[(i64, i64, i64, u32)]| {
        let trace = trace_of(calls, kernels);
        let found = launches(&trace, &LaunchesConfig::standard());
        let total = &found.total;
        assert_eq!(total.delayed, total.queued + total.before_first + total.late);
        let late: Vec<i64> = found.latest.iter().map(|launch| launch.late_by.0 / 1000).collect();
        (total.delayed, [total.queued, total.before_first, total.late], late)
    };
    let calls = [("cudaLaunchKernel", 0, 5, 1), ("cudaLaunchKernel", 10, 5, 2), ("cudaLaunchKernel", 20, 5, 3)];
    // All wait for work from before the recording, the third one also for the second.
    let kernels = [(0, 500, 10, 1), (0, 510, 300, 2), (0, 820, 10, 3)];
    assert_eq!(found(&calls, &kernels), (3, [0, 3, 0], vec![]));
    // The first one starts at once: the others wait for it.
    let kernels = [(0, 6, 400, 1), (0, 410, 300, 2), (0, 715, 10, 3)];
    assert_eq!(found(&calls, &kernels), (2, [2, 0, 0], vec![]));
    // The device idles for 200 µs before the third.
    let kernels = [(0, 6, 400, 1), (0, 410, 10, 2), (0, 620, 10, 3)];
    assert_eq!(found(&calls, &kernels), (2, [1, 0, 1], vec![200]));
    // The device does not idle: a kernel without a known call runs in between.
    let kernels = [(0, 6, 400, 1), (0, 410, 10, 2), (0, 420, 190, 0), (0, 620, 10, 3)];
    assert_eq!(found(&calls, &kernels), (2, [2, 0, 0], vec![]));
    // Calls by several threads come in no order of time.
    let kernels = [(0, 820, 10, 1), (0, 6, 300, 2), (0, 310, 300, 3)];
    assert_eq!(found(&calls, &kernels), (2, [1, 0, 1], vec![210]));
}

#[test]
fn each_part_of_a_gap_has_its_leaf() {
    let leaves = |calls: &[(&str, i64, i64, u32)], kernels: &[(i64, i64, i64, u32)]| {
        let times = standard(&trace_of(calls, kernels));
        assert_eq!(times.leaves.iter().copied().sum::<Nanos>(), times.idle());
        let some = IdleLeaf::ALL.into_iter().zip(times.leaves).filter(|(_, time)| *time > Nanos::ZERO);
        some.map(|(leaf, time)| (leaf.name(), time.0 / 1000)).collect::<Vec<_>>()
    };
    // The device ends at 10 µs; a call allocates from 12 to 20, and the launching call goes from 30 to 35.
    let calls = [("cudaMalloc", 12, 8, 9), ("cudaLaunchKernel", 30, 5, 1)];
    assert_eq!(
        leaves(&calls, &[(0, 0, 10, 0), (0, 50, 5, 1)]),
        [("allocation", 8), ("unrecorded", 12), ("launching_call", 5), ("launch_latency", 15)]
    );
    let calls = [("cudaGraphLaunch", 10, 10, 1)];
    assert_eq!(
        leaves(&calls, &[(0, 0, 5, 0), (0, 70, 5, 1)]),
        [("unrecorded", 5), ("graph_launch", 10), ("start_late_unexplained", 50)]
    );
    // Launched before the gap.
    let calls = [("cudaLaunchKernel", 0, 2, 1), ("cudaLaunchKernel", 2, 2, 2)];
    assert_eq!(
        leaves(&calls, &[(0, 0, 10, 0), (0, 15, 5, 1), (0, 80, 5, 2), (0, 90, 1, 0)]),
        [("between_queued", 5), ("queued_waiting", 60), ("no_host_record", 5)]
    );
}

/// A thread's kernel ends at 10 µs, and the thread works until 40. From 50 on another one works, which launches at 60.
#[test]
fn a_thread_that_hands_over_counts_until_the_other_one_works() {
    let times = |first: &str| {
        let trace = load(&format!(
            r#"{{"deviceProperties": [], "traceEvents": [
            {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":2,"args":{{"correlation":1}}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":4,"dur":6,"args":{{"device":0,"stream":7,"correlation":1}}}},
            {first},
            {{"ph":"X","cat":"cpu_op","name":"autograd::engine::evaluate_function","pid":1,"tid":2,"ts":50,"dur":20}},
            {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":60,"dur":2,"args":{{"correlation":2}}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":65,"dur":6,"args":{{"device":0,"stream":7,"correlation":2}}}}
            ]}}"#
        ));
        let times = standard(&trace);
        let leaf = |leaf: IdleLeaf| times.leaves[leaf as usize];
        let causes = [leaf(IdleLeaf::Synchronization), leaf(IdleLeaf::Operator), leaf(IdleLeaf::Python)];
        assert_eq!(times.leaves.iter().copied().sum::<Nanos>(), times.idle());
        (micros(causes), micros([leaf(IdleLeaf::Unrecorded), times.handed_over]))
    };
    let call = |category: &str, name: &str| {
        format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":1,"ts":5,"dur":35,"args":{{"Python id":1}}}}"#
        )
    };
    assert_eq!(times(&call("cpu_op", "aten::cat")), ([0, 40, 0], [10, 30]));
    assert_eq!(times(&call("cuda_runtime", "cudaStreamSynchronize")), ([30, 10, 0], [10, 30]));
    assert_eq!(times(&call("python_function", "train.py(3): step")), ([0, 10, 30], [10, 30]));
    // It waits for the other one.
    let backward = "<built-in method run_backward of torch._C._EngineBase object>";
    assert_eq!(times(&call("python_function", backward)), ([0, 10, 0], [40, 0]));
}

/// Thread 2 launches in the marked backward alone: it is the autograd engine, whose operators are not recorded. What it
/// does between its launches there is the range's.
#[test]
fn the_engine_s_silence_in_a_marked_backward_is_the_range_s() {
    let launch = |thread: i64, at: i64, number: i64| {
        format!(
            r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":{thread},"ts":{at},"dur":2,"args":{{"correlation":{number}}}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{kernel},"dur":5,"args":{{"device":0,"stream":7,"correlation":{number}}}}}"#,
            kernel = at + 5,
        )
    };
    let trace = |more: &[String]| {
        let range =
            r###"{"ph":"X","cat":"user_annotation","name":"## backward ##","pid":1,"tid":1,"ts":10,"dur":100}"###;
        let events = [&[range.to_owned(), launch(1, 0, 1), launch(2, 40, 2), launch(2, 90, 3)], more].concat();
        load(&format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(",")))
    };
    let leaves = |more: &[String]| {
        let times = standard(&trace(more));
        micros([IdleLeaf::Range, IdleLeaf::RuntimeCall, IdleLeaf::Unrecorded].map(|leaf| times.leaves[leaf as usize]))
    };
    // From 10 to 40, and from 50 to 90.
    assert_eq!(leaves(&[]), [70, 0, 0]);
    // A thread that launches elsewhere, too, may do anything: from 50 to 90 and from 100 to 150.
    assert_eq!(leaves(&[launch(2, 150, 4)]), [30, 0, 90]);
    // The same from 50 to 90, but a longer silence of a thread with operators shows nothing: from 100 to 210.
    let operator = r#"{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":2,"ts":210,"dur":5}"#.to_owned();
    let longer = r###"{"ph":"X","cat":"user_annotation","name":"## backward ##","pid":1,"tid":1,"ts":10,"dur":300}"###;
    let more = [longer.to_owned(), operator, launch(2, 211, 4)];
    assert_eq!(leaves(&more), [70, 0, 110]);
    // A window in a silence: from 80 to 95, and from 150 to 215.
    let trace = trace(&more);
    let in_window = |start: i64, end: i64| {
        let found = hosts_in(&trace, Interval::new(Nanos(start), Nanos(end)));
        let thread = |track: TrackId| trace.tracks[track.index()].thread == RawId::Number(2);
        let (_, host) = found.iter().find(|(track, _)| thread(*track)).expect("the engine's thread");
        micros([HostActivity::Range, HostActivity::Unrecorded].map(|activity| host.times[activity as usize]))
    };
    assert_eq!(in_window(80_000, 95_000), [10, 3]);
    assert_eq!(in_window(150_000, 215_000), [0, 60]);
}
