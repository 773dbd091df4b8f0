//! Numbers of a step with a device, worked out by hand; those of the host are compared with printed tables.

use super::kinds::MODEL;
use super::{CategorySide, paddle_summary};
use crate::{Definition, OperatorsConfig, StepsConfig, Value, definition_values, operators, steps};
use stepscope_base::Nanos;
use stepscope_input::Loader;
use stepscope_trace::{MemoryPool, Trace};

/// Times in µs.
fn slice(category: &str, name: &str, start: i64, end: i64, args: &str) -> String {
    let (process, thread) = match category {
        "Kernel" | "Memcpy" | "Memset" => ("0", "7"),
        _ => ("1", "\"1(C++)\""),
    };
    format!(
        r#"{{"ph":"X","cat":"{category}","name":"{name}[1.000 us]","pid":{process},"tid":{thread},"ts":{start},"dur":1,
            "args":{{"start_time":"{start}.000 us","end_time":"{end}.000 us"{args}}}}}"#
    )
}

fn memory(kind: &str, bytes: i64) -> String {
    format!(
        r#"{{"ph":"i","cat":"{kind}","name":"[memory]","pid":1,"tid":"1(C++)","ts":26,
            "args":{{"place":"CategorySide(gpu:0)","addr":"16","increase_bytes":{bytes}}}}}"#
    )
}

fn trace() -> Trace {
    let launch = |start: i64, id: i64| {
        slice("CudaRuntime", "cudaLaunchKernel", start, start + 1, &format!(r#","correlation id":{id}"#))
    };
    let on_device = |category: &str, name: &str, start: i64, end: i64, id: i64| {
        slice(category, name, start, end, &format!(r#","correlation id":{id}"#))
    };
    let events = [
        slice("ProfileStep", "ProfileStep#0", 0, 100, ""),
        slice("Forward", "Model", 10, 60, ""),
        slice("Forward", "Linear", 15, 55, ""),
        slice("Operator", "matmul dygraph", 20, 50, ""),
        launch(46, 2),
        on_device("Memcpy", "MEMCPY_DtoD", 95, 100, 2),
        slice("OperatorInner", "matmul infer_meta", 21, 22, ""),
        memory("Allocate", 8),
        slice("DygraphKernelLaunch", "matmul kernel launch", 25, 45, ""),
        launch(30, 1),
        on_device("Kernel", "gemm", 40, 90, 1),
        memory("ReservedAllocate", 1024),
        memory("Allocate", 64),
        memory("Free", -24),
        slice("Communication", "ProcessGroupNCCL::AllReduce", 62, 80, ""),
        launch(64, 3),
        on_device("Kernel", "ncclKernel_AllReduce", 70, 110, 3),
        launch(67, 4),
        on_device("Kernel", "scale", 110, 118, 4),
        slice("PythonUserDefined", "memcpy of mine", 82, 90, ""),
        launch(84, 5),
        on_device("Memset", "MEMSET", 120, 121, 5),
        slice("PythonUserDefined", "mine", 91, 95, ""),
    ];
    let text = format!(r#"{{"span_index": "0", "traceEvents": [{}]}}"#, events.join(","));
    let mut loader = Loader::new("test.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("a trace");
    loader.finish().expect("a trace").trace
}

fn us(time: i64) -> Nanos {
    Nanos(time * 1000)
}

/// An operator's own time has its launch and other parts, without the calls of the runtime in them.
#[test]
fn parts_of_an_operator_are_its_own_time() {
    let found = operators(&trace(), OperatorsConfig::standard());
    let own = |name: &str| found.rows.iter().find(|row| row.name == name).map(|row| row.host_self);
    assert_eq!(own("matmul dygraph"), Some(us(28)));
    assert_eq!((own("matmul infer_meta"), own("matmul kernel launch")), (Some(us(1)), Some(us(19))));
    assert_eq!(own("Linear"), Some(us(10)));
}

#[test]
fn times_on_a_device_are_sums_of_what_was_launched_inside() {
    let trace = trace();
    let summary = paddle_summary(&trace, &steps(&trace, &StepsConfig::default()), false);
    let model: Vec<_> = summary
        .model
        .iter()
        .map(|(name, times)| (*name, times.calls, times.host.total, times.kernels.total, times.device.total))
        .collect();
    // Among nested forward ranges, only the outer one counts.
    assert_eq!(model, [(MODEL[0], 1, us(100), us(98), us(104)), ("Forward", 1, us(50), us(50), us(55))]);
    assert_eq!((summary.steps, summary.others), (us(100), [us(50), us(48)]));
    let [matmul] = &summary.operators[..] else { panic!("one operator") };
    assert_eq!((matmul.times.device.total, matmul.times.kernels.max), (us(55), us(50)));
    let names = |list: &[(stepscope_trace::NameId, crate::Statistics)]| -> Vec<(String, Nanos)> {
        list.iter().map(|(name, time)| (trace.strings.get(*name).to_owned(), time.total)).collect()
    };
    assert_eq!(names(&matmul.activities), [("MEMCPY_DtoD".to_owned(), us(5))]);
    let parts: Vec<(&str, Nanos)> =
        matmul.parts.iter().map(|part| (trace.strings.get(part.name), part.times.device.total)).collect();
    assert_eq!(parts, [("matmul infer_meta", us(0)), ("matmul kernel launch", us(50))]);
    assert_eq!(names(&matmul.parts[1].activities), [("gemm".to_owned(), us(50))]);
}

#[test]
fn ranges_that_move_memory_have_a_table_of_their_own() {
    let trace = trace();
    let summary = paddle_summary(&trace, &steps(&trace, &StepsConfig::default()), true);
    let rows = |list: &[(stepscope_trace::NameId, super::RangeTimes)]| -> Vec<(String, Nanos, Nanos)> {
        let row = |(name, times): &(stepscope_trace::NameId, super::RangeTimes)| {
            (trace.strings.get(*name).to_owned(), times.host.total, times.device.total)
        };
        list.iter().map(row).collect()
    };
    assert_eq!(rows(&summary.memory_manipulation), [("memcpy of mine".to_owned(), us(8), us(1))]);
    let [mine] = &summary.user_defined[..] else { panic!("one range") };
    assert_eq!((trace.strings.get(mine.name), mine.times.host.total), ("mine", us(4)));
    assert!(mine.thread.is_some());
    assert!(summary.operators[0].thread.is_some());
}

#[test]
fn devices_and_categories_are_united() {
    let trace = trace();
    let summary = paddle_summary(&trace, &steps(&trace, &StepsConfig::default()), false);
    // 40–90, 70–110 and 110–118.
    assert_eq!(summary.kernels_of_devices, [(0, us(78))]);
    let device: Vec<(&str, u64, Nanos)> = summary
        .overview
        .iter()
        .filter(|row| row.place == CategorySide::Device)
        .map(|row| (row.category.as_str(), row.calls, row.time))
        .collect();
    // By the calls' ranges, the last first; then collectives: 70–110 and 110–118 of the range; one of them is NCCL's.
    let expected = [("Memset", 1, us(1)), ("Kernel", 3, us(78)), ("Memcpy", 1, us(5)), ("Communication", 2, us(48))];
    assert_eq!(device, expected);
    let forward = summary.overview.iter().find(|row| row.category.as_str() == "Forward").expect("a row");
    assert_eq!((forward.calls, forward.time), (1, us(50)));
}

#[test]
fn what_a_part_allocates_its_operator_allocates_too() {
    let trace = trace();
    let rows: Vec<_> = paddle_summary(&trace, &steps(&trace, &StepsConfig::default()), false)
        .memory
        .iter()
        .map(|row| {
            (trace.strings.get(row.name).to_owned(), row.pool, row.sums.allocations, row.sums.releases, row.sums.net())
        })
        .collect();
    let (allocated, reserved) = (MemoryPool::Allocated, MemoryPool::Reserved);
    // The 8 bytes of `infer_meta` count for the operator alone.
    let expected = [
        ("matmul dygraph", allocated, 2, 1, 48),
        ("matmul kernel launch", allocated, 1, 1, 40),
        ("matmul dygraph", reserved, 1, 0, 1024),
        ("matmul kernel launch", reserved, 1, 0, 1024),
    ];
    let expected: Vec<_> = expected.into_iter().map(|(name, pool, a, r, i)| (name.to_owned(), pool, a, r, i)).collect();
    assert_eq!(rows, expected);
}

#[test]
fn kernels_of_a_collective_communicate_and_may_compute() {
    let trace = trace();
    let values = definition_values(&trace, &steps(&trace, &StepsConfig::default()), Definition::Paddle).values;
    // Communication 62–80, 70–110, 110–118; computation 40–90, 110–118; both 62–90, 110–118.
    for (key, time) in [("communication_ns", 56), ("computation_ns", 58), ("overlap_ns", 36)] {
        assert!(values.contains(&(key, Value::Time(us(time)))), "{key}: {values:?}");
    }
}
