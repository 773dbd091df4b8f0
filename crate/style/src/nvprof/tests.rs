use super::number::{bytes, throughput, time};
use super::*;
use stepscope_analyze::nvprof_summary;
use stepscope_base::Nanos;
use stepscope_input::Loader;

fn read(name: &str, text: &str) -> Trace {
    let mut loader = Loader::new(name);
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("a trace");
    loader.finish().expect("a trace").trace
}

#[test]
fn numbers_have_about_five_digits() {
    let cases = [(0, "0ns"), (302, "302ns"), (12_639, "12.639us"), (1_926_100, "1.9261ms"), (682_280_000, "682.28ms")];
    for (nanos, expected) in cases {
        assert_eq!(time(Nanos(nanos), None), expected);
    }
    assert_eq!(time(Nanos(3_168_100_000), None), "3.16810s");
    assert_eq!(time(Nanos(31_681_000_000), None), "31.6810s");
    assert_eq!(time(Nanos(12_639), Some(TimeUnit::Milliseconds)), "0.0126ms");
    assert_eq!((bytes(0), bytes(1023), bytes(2048)), ("0B".into(), "1023B".into(), "2.0000KB".into()));
    assert_eq!((bytes(262_144), bytes(16 << 20)), ("256.00KB".into(), "16.000MB".into()));
    // As printed by an nvprof of CUDA 11 for a Tesla T4.
    assert_eq!(throughput(262_144, Nanos(26_016)), Some("9.3842GB/s".into()));
    assert_eq!(throughput(5, Nanos(0)), None);
}

const PRINTED: &str = "\
==4242== Profiling application: python train.py --epochs 1
==4242== Profiling result:
            Type  Time(%)      Time     Calls       Avg       Min       Max  Name
 GPU activities:   58.65%  1.2000ms         4  300.00us  299.00us  301.00us  void gemm<float, 64>(float const *)
                   41.35%  846.04us         5  169.21us     960ns  400.00us  [CUDA memcpy HtoD]
      API calls:   99.99%  2.50000s       512  4.8828ms     124ns  1.20000s  cudaMalloc
                    0.01%  250.00us         1  250.00us  250.00us  250.00us  cuInit
";

#[test]
fn a_printed_summary_is_printed_again() {
    let trace = read("summary.txt", PRINTED);
    let style = NvprofStyle::default();
    assert_eq!(summary(&trace, &nvprof_summary(&trace), style), PRINTED);
    let csv = summary(&trace, &nvprof_summary(&trace), NvprofStyle { csv: true, ..style });
    let expected = "\
==4242== Profiling application: python train.py --epochs 1
==4242== Profiling result:
\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"
,%,us,,us,ns,us,
\"GPU activities\",58.650000,1200.000000,4,300.000000,299000.000000,301.000000,\"void gemm<float, 64>(float const *)\"
\"GPU activities\",41.350000,846.040000,5,169.210000,960.000000,400.000000,\"[CUDA memcpy HtoD]\"
\"API calls\",99.990000,2500000.000000,512,4882.800000,124.000000,1200000.000000,\"cudaMalloc\"
\"API calls\",0.010000,250.000000,1,250.000000,250000.000000,250.000000,\"cuInit\"
";
    assert_eq!(csv, expected);
}

/// From Paddle's tuning guide.
const PRINTED_BEFORE_9: &str = "\
==78544== Profiling application: ./paddle/legacy/math/tests/test_GpuProfiler
==78544== Profiling result:
Time(%)     Time     Calls       Avg       Min       Max  Name
27.60%  9.6305ms         5  1.9261ms  3.4560us  6.4035ms  [CUDA memcpy HtoD]
26.07%  9.0957ms         1  9.0957ms  9.0957ms  9.0957ms  KeBilinearInterpBw

==78544== API calls:
Time(%)     Time     Calls       Avg       Min       Max  Name
9.82%   143.03ms         9  15.892ms  8.7090us  142.78ms  cudaStreamCreate
0.00%      830ns         1     830ns     830ns     830ns  cudaRuntimeGetVersion
";

#[test]
fn a_summary_of_cuda_8_is_printed_again_in_its_own_layout() {
    let trace = read("summary.txt", PRINTED_BEFORE_9);
    let style = NvprofStyle { before_9: true, ..NvprofStyle::default() };
    let report = nvprof_summary(&trace);
    assert_eq!(summary(&trace, &report, style), PRINTED_BEFORE_9);
    let csv = summary(&trace, &report, NvprofStyle { csv: true, ..style });
    let lines: Vec<&str> = csv.lines().collect();
    let titles = "\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"";
    assert_eq!((lines[2], lines[3], lines[8]), (titles, "%,ms,,ms,us,ms,", titles));
    // Both layouts of events, read back, have the same numbers.
    let events = read("trace.json", EVENTS);
    let texts = [style, NvprofStyle::default()].map(|style| summary(&events, &nvprof_summary(&events), style));
    assert_ne!(texts[0], texts[1]);
    let [old, new] = texts.map(|text| read("again.txt", &text));
    assert_eq!(old.recorded.len(), new.recorded.len());
    for (old, new) in old.recorded.iter().zip(&new.recorded) {
        assert_eq!((old.id, &old.rows), (new.id, &new.rows));
    }
}

const EVENTS: &str = r#"{"deviceProperties": [{"id": 0, "name": "NVIDIA GeForce RTX 3090"}], "traceEvents": [
  {"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":1,"tid":1,"ts":0,"dur":10,"args":{"correlation":1}},
  {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pageable -> Device)","pid":0,"tid":7,"ts":5,"dur":26.016,
   "args":{"device":0,"stream":7,"correlation":1,"bytes":262144}},
  {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":20,"dur":5,"args":{"correlation":2}},
  {"ph":"X","cat":"kernel","name":"gemm(float*)","pid":0,"tid":7,"ts":40,"dur":4.992,"args":{"device":0,"stream":7,
   "correlation":2,"grid":[64,1,1],"block":[1024,1,1],"registers per thread":16,"shared memory":2048}}
]}"#;

#[test]
fn activities_and_calls_one_by_one() {
    let trace = read("trace.json", EVENTS);
    let style = NvprofStyle::default();
    let text = devices(&trace, style);
    let rows: Vec<&str> = text.lines().skip(1).take(3).collect();
    assert_eq!(
        rows,
        [
            TITLE_LINE,
            "5.0000us  26.016us                    -               -         -         -         -  256.00KB  9.3842GB/s    \
             Pageable      Device  NVIDIA GeForce          -         7  [CUDA memcpy HtoD]",
            "40.000us  4.9920us             (64 1 1)      (1024 1 1)        16  2.0000KB         -         -           -           \
             -           -  NVIDIA GeForce          -         7  gemm(float*) [2]",
        ]
    );
    let text = calls(&trace, style);
    let expected = "======== Profiling result:\n   Start  Duration  Name\n     0ns  10.000us  cudaMemcpyAsync\n\
                    20.000us  5.0000us  cudaLaunchKernel (gemm(float*) [2])\n";
    assert_eq!(text, expected);
}

const TITLE_LINE: &str = "   Start  Duration            Grid Size      Block Size     Regs*    SSMem*    DSMem*      Size  \
                          Throughput  SrcMemType  DstMemType           Device   Context    Stream  Name";

#[test]
fn what_is_printed_with_commas_can_be_read_again() {
    let trace = read("trace.json", EVENTS);
    let style = NvprofStyle { csv: true, ..NvprofStyle::default() };
    for text in [devices(&trace, style), calls(&trace, style), devices(&trace, NvprofStyle::default())] {
        let again = read("again.txt", &text);
        assert_eq!(again.slices.len(), 2, "{text}");
    }
    let again = read("again.txt", &devices(&trace, style));
    let (ours, theirs) = (&trace.activities[1], &again.activities[1]);
    assert_eq!(trace.name_of(ours.event), again.name_of(theirs.event));
    assert_eq!(trace.slices.length(ours.event), again.slices.length(theirs.event));
    assert_eq!((again.config(theirs).map(|config| config.grid), theirs.correlation), (Some([64, 1, 1]), 2));
    assert_eq!(again.activities[0].known_bytes(), Some(262_144));
}
