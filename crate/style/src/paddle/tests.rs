use super::ranges::without_arguments;
use super::*;
use crate::TimeUnit;
use stepscope_analyze::{Benchmark, Extremes, StepsConfig, paddle_summary, steps};
use stepscope_input::Loader;

fn trace() -> Trace {
    let text = br#"{"span_index": "0", "traceEvents": [
      {"ph":"X","cat":"ProfileStep","name":"ProfileStep#0[1 us]","pid":1,"tid":"1(Python)","ts":0,"dur":1,
       "args":{"start_time":"0.000 us","end_time":"2000.000 us"}},
      {"ph":"X","cat":"Operator","name":"matmul dygraph[1 us]","pid":1,"tid":"1(C++)","ts":0,"dur":1,
       "args":{"start_time":"10.000 us","end_time":"30.000 us"}},
      {"ph":"X","cat":"CudaRuntime","name":"cudaLaunchKernel[1 us]","pid":1,"tid":"1(C++)","ts":0,"dur":1,
       "args":{"start_time":"12.000 us","end_time":"14.000 us","correlation id":1}},
      {"ph":"X","cat":"Kernel","name":"void gemm<float, (int)2>(float*, int)[1 us]","pid":0,"tid":7,"ts":0,"dur":1,
       "args":{"start_time":"20.000 us","end_time":"70.000 us","correlation id":1}},
      {"ph":"X","cat":"Operator","name":"scale dygraph[1 us]","pid":1,"tid":"1(C++)","ts":0,"dur":1,
       "args":{"start_time":"40.000 us","end_time":"140.000 us"}},
      {"ph":"X","cat":"CudaRuntime","name":"cudaLaunchKernel[1 us]","pid":1,"tid":"1(C++)","ts":0,"dur":1,
       "args":{"start_time":"42.000 us","end_time":"44.000 us","correlation id":2}},
      {"ph":"X","cat":"Kernel","name":"scale[1 us]","pid":0,"tid":7,"ts":0,"dur":1,
       "args":{"start_time":"80.000 us","end_time":"90.000 us","correlation id":2}}
    ], "ExtraInfo": {"Process Cpu Utilization": "0.5", "System Cpu Utilization": "1"}}"#;
    let mut loader = Loader::new("test.json");
    loader.space(text.len()).copy_from_slice(text);
    loader.advance(text.len()).expect("a trace");
    loader.finish().expect("a trace").trace
}

fn print(style: &PaddleStyle) -> String {
    let trace = trace();
    summary(&trace, &paddle_summary(&trace, &steps(&trace, &StepsConfig::default()), false), style)
}

#[test]
fn devices_are_shares_of_the_steps() {
    let text = print(&PaddleStyle { views: Some(vec![View::Device]), ..PaddleStyle::standard() });
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("CPU(") || line.starts_with("GPU")).collect();
    let rows: Vec<&str> = rows.into_iter().filter(|line| !line.contains('=')).collect();
    assert_eq!(
        rows,
        [
            "CPU(Process)                    50.00                 ",
            "CPU(System)                     100.00                ",
            "GPU0                            3.00                  ",
        ]
    );
}

#[test]
fn rows_are_sorted_by_any_key() {
    let names = |sort: SortKey, views: View| -> Vec<String> {
        let text = print(&PaddleStyle { sort, detail: false, views: Some(vec![views]), ..PaddleStyle::standard() });
        let rows = text.lines().filter(|line| line.contains(" 1      "));
        rows.map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect()
    };
    for sort in [SortKey::CpuTotal, SortKey::CpuAvg, SortKey::CpuMax, SortKey::GpuMin] {
        assert_eq!(names(sort, View::Operator), ["scale dygraph", "matmul dygraph"], "{sort:?}");
    }
    for sort in [SortKey::CpuMin, SortKey::GpuTotal, SortKey::GpuAvg, SortKey::GpuMax] {
        assert_eq!(names(sort, View::Operator), ["matmul dygraph", "scale dygraph"], "{sort:?}");
    }
    assert_eq!(names(SortKey::CpuMin, View::Kernel)[0], "void gemm<float,");
    assert_eq!(names(SortKey::GpuMin, View::Kernel)[0], "scale 1");
}

#[test]
fn units_and_details() {
    let table = |unit| {
        let text = print(&PaddleStyle { unit, views: Some(vec![View::Operator]), ..PaddleStyle::standard() });
        text.lines().filter(|line| line.starts_with("  ")).map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
    };
    // The operators' own times are wider than usual.
    let row = |name: &str, times: &str| format!("  {name:<50}  1       {:<41}  {times:<40}  -", "- / - / - / - / -");
    let expected = [
        row("scale", "10.00 / 10.00 / 10.00 / 10.00 / 100.00"),
        row("void gemm<float, (int)2>(float*, int)", "50.00 / 50.00 / 50.00 / 50.00 / 100.00"),
    ];
    assert_eq!(table(TimeUnit::Microseconds), expected);
    assert!(table(TimeUnit::Milliseconds)[1].contains("0.05 / 0.05 / 0.05 / 0.05 / 100.00"));
    assert!(table(TimeUnit::Nanoseconds)[1].contains("50000.00 / 50000.00"));
    assert!(table(TimeUnit::Seconds)[1].contains("0.00 / 0.00"));
}

#[test]
fn names_of_kernels_lose_their_arguments() {
    let cases = [
        ("void gemm<float, (int)2>(float*, int)", "void gemm<float, (int)2>"),
        ("gemm(float*)", "gemm(float*)"),
        ("a<b>(c<d>(e)", "a<b>(c<d>"),
        ("a<b>(c)d>(", "a<b>"),
        ("<b>(c)", "<b>(c)"),
        ("ä<b>(c)", "ä<b>"),
        ("", ""),
    ];
    for (name, expected) in cases {
        assert_eq!(without_arguments(name), expected);
    }
}

#[test]
fn the_benchmark_is_centered_as_python_centers() {
    let extremes = |avg, max, min| Extremes { avg, max, min };
    let report = Benchmark {
        steps: 20,
        of: 1,
        own_lengths: false,
        samples: Some(16),
        reader_cost: Some(extremes(0.0005, 0.002, 0.0001)),
        batch_cost: extremes(0.01, 0.02, 0.005),
        ips: extremes(1600.0, 3200.0, 800.0),
        reader_ratio: Some(0.05),
    };
    let expected = format!(
        "{0}Perf Summary{0}\n\
         Reader Ratio: 5.000%\n\
         Time Unit: s, IPS Unit: images/s\n\
         |                 |       avg       |       max       |       min       |\n\
         |   reader_cost   |     0.00050     |     0.00200     |     0.00010     |\n\
         |    batch_cost   |     0.01000     |     0.02000     |     0.00500     |\n\
         |       ips       |    1600.00000   |    3200.00000   |    800.00000    |\n",
        "=".repeat(44)
    );
    assert_eq!(benchmark(&report, "images"), expected);
    let steps = Benchmark { samples: None, reader_cost: None, reader_ratio: None, ..report };
    assert!(benchmark(&steps, "images").contains("IPS Unit: steps/s\n"));
    assert!(!benchmark(&steps, "images").contains("eader"));
}
