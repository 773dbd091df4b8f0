//! Values worked out by hand, of one trace with one device and with two.

use super::definition_values;
use super::value::{Definition, Value};
use crate::{StepsConfig, steps};
use stepscope_base::Nanos;
use stepscope_input::Loader;

/// The host's events, in µs: two steps, ranges of two collectives and one that only looks like it, and the calls that
/// launch the devices' activities.
const HOST: &str = r##"
  {"ph":"X","cat":"user_annotation","name":"ProfilerStep#0","pid":1,"tid":1,"ts":100,"dur":20},
  {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":120,"dur":20},
  {"ph":"X","cat":"user_annotation","name":"nccl:all_reduce","pid":1,"tid":2,"ts":102,"dur":4},
  {"ph":"X","cat":"cpu_op","name":"gloo:broadcast","pid":1,"tid":2,"ts":122,"dur":2},
  {"ph":"X","cat":"cpu_op","name":"my nccl:all_reduce","pid":1,"tid":2,"ts":125,"dur":5},
  {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":100,"dur":1,"args":{"correlation":1}},
  {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":101,"dur":1,"args":{"correlation":2}},
  {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":102,"dur":1,"args":{"correlation":3}},
  {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":103,"dur":1,"args":{"correlation":4}},
  {"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":1,"tid":1,"ts":121,"dur":1,"args":{"correlation":5}},
  {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":138,"dur":1,"args":{"correlation":6}}"##;

/// Computation from before the steps, from 4 to 12 and from 42 to 50 µs, which extends the last step;
/// communication from 10 to 16; a copy from 30 to 35.
const DEVICE_0: &str = r#",
  {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":95,"dur":3,"args":{"device":0,"stream":7}},
  {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":104,"dur":8,"args":{"device":0,"stream":7,"correlation":1}},
  {"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":9,"ts":110,"dur":6,"args":{"device":0,"stream":9,"correlation":2}},
  {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":7,"ts":130,"dur":5,"args":{"device":0,"stream":7,"correlation":5}},
  {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":142,"dur":8,"args":{"device":0,"stream":7,"correlation":6}}"#;

/// Computation from 8 to 14 µs, communication from 15 to 18.
const DEVICE_1: &str = r#",
  {"ph":"X","cat":"kernel","name":"gemm","pid":1,"tid":7,"ts":108,"dur":6,"args":{"device":1,"stream":7,"correlation":3}},
  {"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":1,"tid":9,"ts":115,"dur":3,"args":{"device":1,"stream":9,"correlation":4}}"#;

#[track_caller]
fn check(definition: Definition, devices: &[&str], expected: &[(&str, Value)]) {
    let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{HOST}{}]}}"#, devices.concat());
    let mut loader = Loader::new("test.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("a trace");
    let trace = loader.finish().expect("a trace").trace;
    assert_eq!(trace.active_devices().len(), devices.len());
    let found = definition_values(&trace, &steps(&trace, &StepsConfig::default()), definition);
    assert_eq!(found.values, expected);
}

fn us(time: i64) -> Value {
    Value::Time(Nanos(time * 1_000))
}

fn ratio(value: f64) -> Value {
    Value::Ratio(Some(value))
}

#[test]
fn paddle_counts_ranges_of_the_host_and_the_whole_trace() {
    // Communication 2–6, 10–16, 22–24; computation −5–−2, 4–12, 42–50; both 4–6, 10–12.
    let expected = [
        ("profile_step_ns", us(40)),
        ("communication_ns", us(12)),
        ("computation_ns", us(19)),
        ("overlap_ns", us(4)),
        ("communication_of_profile_step", ratio(0.3)),
        ("computation_of_profile_step", ratio(0.475)),
        ("overlap_of_profile_step", ratio(0.1)),
    ];
    check(Definition::Paddle, &[DEVICE_0], &expected);
}

#[test]
fn paddle_unites_the_devices() {
    // Communication 2–6, 10–18, 22–24; computation −5–−2, 4–14, 42–50; both 4–6, 10–14.
    let expected = [
        ("profile_step_ns", us(40)),
        ("communication_ns", us(14)),
        ("computation_ns", us(21)),
        ("overlap_ns", us(6)),
        ("communication_of_profile_step", ratio(0.35)),
        ("computation_of_profile_step", ratio(0.525)),
        ("overlap_of_profile_step", ratio(0.15)),
    ];
    check(Definition::Paddle, &[DEVICE_0, DEVICE_1], &expected);
}

#[test]
fn mindspore_is_free_between_kernels_of_a_step() {
    // Computation 4–12, 42–50; communication 10–16, of which 12–16 alone; the copy is before the second step's first.
    let expected = [
        ("span_ns", us(20)),
        ("computation_ns", us(16)),
        ("communication_ns", us(6)),
        ("communication_not_overlapped_ns", us(4)),
        ("free_ns", us(0)),
    ];
    check(Definition::MindSpore, &[DEVICE_0], &expected);
    // One more computation at the end of the first step, 19–20, after 3 µs without any.
    let later = r#",
  {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":119,"dur":1,"args":{"device":0,"stream":7,"correlation":3}}"#;
    let expected = [("span_ns", us(24)), ("computation_ns", us(17)), expected[2], expected[3], ("free_ns", us(3))];
    check(Definition::MindSpore, &[&[DEVICE_0, later].concat()], &expected);
}

#[test]
fn mindspore_takes_devices_as_one() {
    // Computation 4–14, 42–50; communication 10–18, of which 14–18 alone.
    let expected = [
        ("span_ns", us(22)),
        ("computation_ns", us(18)),
        ("communication_ns", us(8)),
        ("communication_not_overlapped_ns", us(4)),
        ("free_ns", us(0)),
    ];
    check(Definition::MindSpore, &[DEVICE_0, DEVICE_1], &expected);
}

/// Bars are parts of the whole that the definition divides by.
#[test]
fn parts_of_a_bar_add_up_to_the_definitions_whole() {
    let text = br#"{"deviceProperties": [], "traceEvents": [
        {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":100},
        {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":2,"dur":2,"args":{"correlation":1}},
        {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{"correlation":2}},
        {"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":1,"tid":1,"ts":8,"dur":2,"args":{"correlation":3}},
        {"ph":"s","cat":"ac2g","name":"ac2g","pid":1,"tid":1,"ts":2,"id":1},
        {"ph":"s","cat":"ac2g","name":"ac2g","pid":1,"tid":1,"ts":5,"id":2},
        {"ph":"s","cat":"ac2g","name":"ac2g","pid":1,"tid":1,"ts":8,"id":3},
        {"ph":"f","cat":"ac2g","name":"ac2g","pid":0,"tid":7,"ts":10,"id":1,"bp":"e"},
        {"ph":"f","cat":"ac2g","name":"ac2g","pid":0,"tid":9,"ts":20,"id":2,"bp":"e"},
        {"ph":"f","cat":"ac2g","name":"ac2g","pid":0,"tid":7,"ts":70,"id":3,"bp":"e"},
        {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":30,"args":{"correlation":1,"stream":7,"device":0}},
        {"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce_Sum","pid":0,"tid":9,"ts":20,"dur":40,"args":{"correlation":2,"stream":9,"device":0}},
        {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":7,"ts":70,"dur":10,"args":{"correlation":3,"stream":7,"device":0}}
    ]}"#;
    let mut loader = Loader::new("bar.json");
    loader.space(text.len()).copy_from_slice(text);
    loader.advance(text.len()).expect("a trace");
    let trace = loader.finish().expect("a trace").trace;
    let steps = steps(&trace, &StepsConfig::default());
    let micros = |time: Nanos| time.0 / 1000;
    // Whole; computation alone, overlap, exposed communication, exposed copies, other, idle: 10 – 40, 20 – 60, 70 – 80.
    let cases = [
        (Definition::Hta, 70, [10, 20, 20, 0, 10, 10], Some((60, 20))),
        (Definition::TraceLens, 70, [10, 20, 20, 10, 0, 10], Some((60, 20))),
        (Definition::MindSpore, 50, [10, 20, 20, 0, 0, 0], Some((50, 20))),
        (Definition::Paddle, 100, [10, 20, 20, 0, 50, 0], None),
    ];
    for (definition, whole, parts, tiles) in cases {
        let found = definition_values(&trace, &steps, definition);
        let bar = found.bar().expect("a bar");
        let all = [bar.compute_alone, bar.overlap, bar.exposed_communication, bar.exposed_memcpy, bar.other, bar.idle];
        assert_eq!(all.map(micros), parts, "{definition:?}");
        assert_eq!(parts.iter().sum::<i64>(), whole, "{definition:?}");
        let time = |name: &str| found.tiles().iter().find(|tile| tile.name == name).map(|tile| micros(tile.time));
        assert_eq!(time("device_busy").zip(time("exposed_communication")), tiles, "{definition:?}");
    }
    let plugin = definition_values(&trace, &steps, Definition::TensorBoard);
    assert_eq!(plugin.bar(), None);
    let names: Vec<&str> = plugin.tiles().iter().map(|tile| tile.name).collect();
    assert_eq!(names, ["device_busy", "step", "exposed_communication", "data_wait"]);
}
