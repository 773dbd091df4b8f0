//! Traces of NVIDIA's profilers, compared with the run of `fixtures/make/training_run.py`.

use stepscope::analyze::{AnalysisConfig, StepSource};
use stepscope::input::{Opened, Sources};
use stepscope::trace::{Cell, Class, EventId, LaunchConfig, Layer, RawId, Trace};
use stepscope::{Code, Nanos, Rank};
use stepscope_tests::files::{real_traces, root, text_of};
use stepscope_tests::oracle::{check_trace, identities};

fn rank(case: &str) -> Rank {
    let file = if case.starts_with("nsys") { "input.sqlite" } else { "input.nvvp" };
    let path = root().join("tests/fixtures").join(case).join(file);
    stepscope_tests::files::rank(case, &text_of(&path), &AnalysisConfig::standard()).expect("a trace")
}

fn micros(time: i64) -> Nanos {
    Nanos(time * 1000)
}

fn warned(rank: &Rank, code: Code) -> u64 {
    rank.warnings.iter().find(|warning| warning.code == code).map_or(0, |warning| warning.count)
}

/// Checks the times of so many steps of the run, whichever profiler recorded it.
fn check_run(rank: &Rank, steps: i64) {
    let (trace, analysis) = (&rank.trace, &rank.analysis);
    let time = &analysis.devices[0].time;
    assert_eq!(time.window, micros((steps - 1) * 1000 + 675));
    assert_eq!(time.busy, micros(steps * 630));
    assert_eq!(time.compute, micros(steps * 300));
    assert_eq!(time.communication, micros(steps * 400));
    assert_eq!(time.overlap, micros(steps * 120));
    assert_eq!((time.memcpy, time.memset), (micros(steps * 50), micros(steps * 10)));
    assert_eq!(time.idle, time.window - time.busy);
    let totals: Nanos = trace.activities.iter().map(|work| trace.slices.length(work.event)).sum();
    assert_eq!(totals, micros(steps * 760));

    let found = &analysis.steps;
    assert_eq!((found.source, found.steps.len()), (StepSource::RepeatingRanges, usize::try_from(steps).expect("few")));
    for (index, step) in (0..).zip(&found.steps) {
        assert_eq!((step.host.len(), step.span.len(), step.activities), (micros(900), micros(900), 4));
        assert_eq!(step.host.start - found.steps[0].host.start, micros(index * 1000));
        assert!(!step.partial && !step.warm_up);
    }
    for work in &trace.activities {
        let delay = trace.slices.start(work.event) - trace.slices.end(work.call);
        let expected = match (trace.slices.class(work.event), work.communication) {
            (Class::Memcpy, _) => ("Memcpy HtoD (Pageable -> Device)", "cudaMemcpyAsync", 5, Some(400_000)),
            (Class::Memset, _) => ("", "cudaMemsetAsync", 226, Some(4096)),
            (_, false) => ("void cutlass::gemm<float, 128, 64>(float const*, float*)", "cudaLaunchKernel", 15, None),
            (_, true) => {
                let name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
                (name, "cudaLaunchKernel", 185, None)
            }
        };
        let name = trace.name_of(work.event);
        assert_eq!((trace.name_of(work.call), delay, work.known_bytes()), (expected.1, micros(expected.2), expected.3));
        assert!(name == expected.0 || name.starts_with("Memset"), "{name}");
    }
    let gemm = trace.activities.iter().find(|work| trace.name_of(work.event).contains("gemm")).expect("a kernel");
    let config = trace.config(gemm).expect("a configuration");
    let expected = LaunchConfig { grid: [64, 2, 1], block: [128, 1, 1], registers: 40, shared_memory: 3072, ..*config };
    assert_eq!((config.grid, config.block), (expected.grid, expected.block));
    assert_eq!((config.registers, config.shared_memory), (40, 3072));
    assert_eq!(warned(rank, Code::ActivityWithoutLaunch), 0);
}

fn slices<'a>(trace: &'a Trace, name: &'a str) -> Vec<EventId> {
    trace.slices.ids().filter(|id| trace.name_of(*id) == name).collect()
}

#[test]
fn nsight_systems_of_2019() {
    let rank = rank("nsys/schema_2019");
    check_run(&rank, 4);
    // The range of the step contains the calls, on the thread's own track.
    let trace = &rank.trace;
    let call = slices(trace, "cudaLaunchKernel")[0];
    assert_eq!(trace.slices.parent(call).map(|parent| trace.name_of(parent)), Some("train_step"));
    let track = &trace.tracks[trace.slices.track(call).index()];
    assert_eq!((trace.processes[track.process.index()].id, track.thread), (RawId::Number(4242), RawId::Number(4243)));
}

#[test]
fn nsight_systems_of_2021() {
    let rank = rank("nsys/schema_2021");
    check_run(&rank, 4);
    let meta = &rank.trace.meta;
    // The first event is the first step's range, 10 ms after the session's start.
    assert_eq!(meta.origin_unix_ns, Some(1_630_000_000_010_000_000));
    let device = &meta.devices[0];
    assert_eq!((device.id, device.name.as_str(), device.multiprocessors), (0, "NVIDIA A100-SXM4-80GB", Some(108)));
    assert_eq!((device.max_threads_per_multiprocessor, device.capability), (Some(2048), Some((8, 0))));
    let names: Vec<&str> = rank.analysis.steps.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["0", "1", "2", "3"]);
    assert_eq!(slices(&rank.trace, "ioctl").len(), 4);
}

#[test]
fn nsight_systems_of_2023_with_everything() {
    let rank = rank("nsys/schema_2023");
    let trace = &rank.trace;
    // Two steps and the kernels of the third, then a graph of 200 µs.
    let time = &rank.analysis.devices[0].time;
    assert_eq!(time.busy, micros(3 * 630 + 200));
    let graph = trace.activities.iter().find(|work| work.graph == 5).expect("a graph");
    assert_eq!((trace.name_of(graph.event), trace.name_of(graph.call)), ("CUDA graph 5", "cudaGraphLaunch"));
    // Operators of PyTorch launch kernels; the range of NCCL names its domain.
    let gemm = trace.activities.iter().find(|work| trace.name_of(work.event).contains("gemm")).expect("a kernel");
    assert_eq!(trace.name_of(gemm.operator), "aten::mm");
    assert_eq!(trace.operation(gemm.operator).map(|operation| operation.sequence), Some(7));
    assert_eq!(slices(trace, "NCCL:ncclAllReduce").len(), 3);
    for name in ["cublasSgemm_v2", "cudnnFind", "mpi:MPI_Allreduce", "mpi:MPI_Send", "mpi:MPI_Wait", "MPI_Comm_rank"] {
        let found = slices(trace, name);
        assert_eq!((found.len(), trace.slices.class(found[0])), (1, Class::Operator), "{name}");
    }
    assert_eq!(trace.slices.class(slices(trace, "CUPTI")[0]), Class::Overhead);
    assert_eq!(trace.category_of(slices(trace, "cuMemAlloc_v2")[0]), "cuda_driver");
    let range = slices(trace, "evaluation")[0];
    assert_eq!(trace.slices.end(range), trace.slices.ids().map(|id| trace.slices.end(id)).max().expect("slices"));
    let waits = trace.slices.ids().filter(|id| trace.slices.class(*id) == Class::Synchronization).count();
    assert_eq!((waits, slices(trace, "Stream Sync").len()), (3, 3));
    let marks: Vec<&str> = trace.instants.iter().map(|mark| trace.strings.get(mark.name)).collect();
    assert_eq!(marks, ["checkpoint"]);
    let memory: Vec<(i64, Option<u32>)> = trace.memory.iter().map(|event| (event.bytes, event.on_device())).collect();
    assert_eq!(memory, [(1 << 20, Some(0)), (4096, None), (-(1 << 20), Some(0))]);
    let curve = |name: &str| -> Vec<f64> {
        let found = trace.counters.iter().find(|counter| trace.strings.get(counter.name) == name).expect("a counter");
        found.samples.iter().map(|sample| sample.value).collect()
    };
    assert_eq!(curve("SMs Active"), [0.0, 55.0, 90.0]);
    assert_eq!(curve("running threads"), [0.0, 1.0, 2.0]);
    let distributed = &trace.meta.distributed;
    assert_eq!((distributed.rank, distributed.world_size), (Some(3), Some(8)));
    let host = trace.tracks.iter().find(|track| track.thread == RawId::Number(4243) && track.layer == Layer::Host);
    assert_eq!(host.map(|track| trace.strings.get(track.name)), Some("trainer"));
    for code in [Code::UnclosedSlice, Code::UnreadTable, Code::ProfilerErrors] {
        assert_eq!(warned(&rank, code), 1, "{code:?}");
    }
}

#[test]
fn processes_of_one_report_are_a_rank_each() {
    let file = text_of(&root().join("tests/fixtures/nsys/two_processes/input.sqlite"));
    let mut sources = Sources::default();
    sources.add("job/run.sqlite", &mut &file[..]);
    let paths: Vec<&str> = sources.list().iter().map(|source| source.path.as_str()).collect();
    assert_eq!(paths, ["job/run.sqlite/process 4242", "job/run.sqlite/process 4342"]);
    let plan = sources.plan(&std::collections::BTreeMap::new());
    let mut opened = Opened::new(|_| Ok(Box::new(&file[..])));
    let mut load = |rank| sources.load(rank, 1 << 18, &mut opened, &mut Vec::new()).expect("a rank").loaded;
    let ranks: Vec<_> = plan.ranks.iter().map(&mut load).collect();
    let merged = rank("nsys/two_processes").trace;
    assert_eq!(ranks.len(), 2);
    for loaded in &ranks {
        assert!(!loaded.warnings.iter().any(|warning| warning.code == Code::MergedRanks));
        assert_eq!(loaded.trace.activities.len() * 2, merged.activities.len());
    }
    let slices: usize = ranks.iter().map(|loaded| loaded.trace.slices.len()).sum();
    assert_eq!(slices, merged.slices.len(), "nothing is lost, nothing is there twice");
}

#[test]
fn processes_with_the_same_ids_stay_apart() {
    let rank = rank("nsys/two_processes");
    let trace = &rank.trace;
    assert_eq!(warned(&rank, Code::ActivityWithoutLaunch), 0);
    assert_eq!((warned(&rank, Code::MergedRanks), warned(&rank, Code::OverlapOnStream)), (1, 0));
    for work in &trace.activities {
        // The second process does everything 500 ns later, and runs no work that the first one launched.
        let nanos = |id: EventId| trace.slices.start(id).0 % 1000;
        assert_eq!(nanos(work.event), nanos(work.call));
    }
    let processes: Vec<&str> = trace
        .processes
        .iter()
        .filter_map(|process| match process.id {
            RawId::Text(text) => Some(trace.strings.get(text)),
            RawId::Number(_) => None,
        })
        .collect();
    assert_eq!(processes, ["GPU 0", "GPU 0 (process 4342)"]);
    let time = &rank.analysis.devices[0].time;
    // Per step 630.5 + 0.5 µs: both processes' work, half a microsecond apart, before and after the gap.
    assert_eq!(time.busy, Nanos(2 * 631_000));
}

#[test]
fn damage_costs_the_rows_on_the_damaged_pages() {
    let rank = rank("nsys/damaged_pages");
    let damaged = rank.warnings.iter().find(|warning| warning.code == Code::DatabaseDamaged).expect("a warning");
    assert!(damaged.example.starts_with("CUPTI_ACTIVITY_KIND_RUNTIME, page "), "{}", damaged.example);
    let position = damaged.position.expect("a position");
    let file = std::fs::read(root().join("tests/fixtures/nsys/damaged_pages/input.sqlite")).expect("a file");
    assert_eq!(file[usize::try_from(position).expect("small")], 0xaa);
    let kernels = rank.trace.slices.ids().filter(|id| rank.trace.slices.class(*id) == Class::Kernel).count();
    assert!((20..40).contains(&kernels), "{kernels} of 40 kernels");
    assert_eq!(damaged.count, 2);
}

#[test]
fn nvprof_of_cuda_9() {
    let rank = rank("nvvp/cuda_9");
    check_run(&rank, 4);
    let (trace, meta) = (&rank.trace, &rank.trace.meta);
    assert_eq!(meta.origin_unix_ns, Some(1_500_000_000_010_000_000));
    let device = &meta.devices[0];
    assert_eq!((device.id, device.name.as_str(), device.multiprocessors), (0, "Tesla V100-SXM2-16GB", Some(80)));
    // Ranges and calls are on one thread, whose id is an address: negative in one table, bytes in the other.
    let call = slices(trace, "cudaLaunchKernel")[0];
    assert_eq!(trace.slices.parent(call).map(|parent| trace.name_of(parent)), Some("step 0"));
    let track = &trace.tracks[trace.slices.track(call).index()];
    assert_eq!((track.thread, trace.strings.get(track.name)), (RawId::Number(0x9f00_7740), "trainer"));
    assert_eq!(trace.strings.get(trace.processes[track.process.index()].name), "python");
    let wait = slices(trace, "Stream Sync")[0];
    assert_eq!(trace.stream_of(wait).map(|stream| (stream.device, stream.stream)), Some((0, 20)));
}

#[test]
fn nvprof_with_everything_else() {
    let rank = rank("nvvp/everything_else");
    let trace = &rank.trace;
    let times: Vec<Nanos> = rank.analysis.devices.iter().map(|device| device.time.busy).collect();
    // The run's step and a copy to the other device; there a kernel and pages of unified memory.
    assert_eq!(times, [micros(630 + 10), micros(10 + 5)]);
    let launched = |name: &str| {
        let work = trace.activities.iter().find(|work| trace.name_of(work.event) == name).expect("an activity");
        work.call.get().map(|call| trace.name_of(call))
    };
    assert_eq!(launched("_Z5scalePff"), Some("cuLaunchKernel"));
    assert_eq!(launched("Memcpy PtoP (Device -> Device)"), Some("cbid 9999"));
    assert_eq!(launched("Unified Memory Memcpy HtoD"), None);
    let facts: Vec<&str> = trace.meta.facts.iter().map(|(_, fact)| fact.as_str()).collect();
    assert_eq!(facts, ["1"]);
    let range = |name: &str| trace.slices.interval(slices(trace, name)[0]).len();
    assert_eq!((range("my library:gather"), range("Buffer Flush")), (micros(2), micros(5)));
    let marks: Vec<&str> = trace.instants.iter().map(|mark| trace.strings.get(mark.name)).collect();
    assert_eq!(marks, ["checkpoint"]);
    let mut curves: Vec<(&str, f64)> =
        trace.counters.iter().map(|curve| (trace.strings.get(curve.name), curve.samples[0].value)).collect();
    curves.sort_by_key(|(name, _)| *name);
    let expected = [
        ("GPU temperature (°C)", 41.0),
        ("SM clock (MHz)", 1380.0),
        ("memory clock (MHz)", 877.0),
        ("power (mW)", 55_000.0),
        ("unified memory: CPU page faults", 2.0),
    ];
    assert_eq!(curves, expected);
    let wait = slices(trace, "Context Sync")[0];
    assert_eq!(trace.stream_of(wait).map(|stream| (stream.device, stream.stream)), Some((1, -1)));
    for code in [Code::UnclosedSlice, Code::EndWithoutBegin, Code::UnreadTable, Code::ActivityWithoutLaunch] {
        assert_eq!(warned(&rank, code), 1, "{code:?}");
    }
}

fn printed(case: &str) -> Rank {
    let path = root().join("tests/fixtures/nvprof").join(case).join("input.txt");
    stepscope_tests::files::rank(case, &text_of(&path), &AnalysisConfig::standard()).expect("a trace")
}

/// A recorded table's rows, drawn.
fn rows(rank: &Rank, id: &str) -> Vec<Vec<String>> {
    let drawn = |cell: &Cell| match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => text.clone(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
    };
    rank.trace.recorded_as(id).flat_map(|table| &table.rows).map(|row| row.iter().map(drawn).collect()).collect()
}

#[test]
fn summaries_of_nvprof() {
    let gemm = "void cutlass::gemm<float, 128, 64>(float const *)";
    let new = printed("summary_new");
    let activities = rows(&new, "gpu_activities");
    assert_eq!(activities.len(), 3);
    assert_eq!(activities[0], [gemm, "4", "1200000", "300000", "299000", "301000", "0.5865", "4242"]);
    assert_eq!(activities[2], ["[CUDA memset]", "3", "46040", "15346", "960", "30123", "0.0225", "4242"]);
    let malloc = ["cudaMalloc", "512", "2500000000", "4882800", "124", "1200000000"];
    let calls = rows(&new, "api_calls");
    assert_eq!((calls.len(), &calls[0][..6], calls[0][6].as_str()), (2, &malloc.map(str::to_owned)[..], "0.9999"));
    assert_eq!(rows(&new, "openacc")[0][..3], ["acc_wait", "1", "1000"]);
    assert_eq!((warned(&new, Code::ProfilerErrors), warned(&new, Code::MalformedRow)), (1, 0));
    let facts: Vec<(&str, &str)> =
        new.trace.meta.facts.iter().map(|(name, fact)| (name.as_str(), fact.as_str())).collect();
    let command = "python train.py --epochs 1";
    assert_eq!(facts, [("command", command), ("application", command), ("other lines", "3")]);

    let old = printed("summary_old");
    assert_eq!(rows(&old, "gpu_activities").len(), 2);
    assert_eq!(rows(&old, "api_calls")[0][..6], malloc);
    let commas = printed("summary_csv");
    assert_eq!(rows(&commas, "gpu_activities")[0][0], "void gemm<float, 64>(float const *, int)");
    assert_eq!(rows(&commas, "api_calls")[0][1..6], ["512", "2500000000", "4882812", "124", "1200000000"]);
}

#[test]
fn traces_of_nvprof() {
    for case in ["gpu_trace", "gpu_trace_csv"] {
        let rank = printed(case);
        let (trace, time) = (&rank.trace, &rank.analysis.devices[0].time);
        assert_eq!((time.window, time.busy), (micros(2 * 1000 + 675), micros(3 * 630)), "{case}");
        assert_eq!((time.compute, time.communication, time.overlap), (micros(900), micros(1200), micros(360)));
        assert_eq!((time.memcpy, time.memset), (micros(150), micros(30)));
        assert_eq!(time.device, i64::from(case == "gpu_trace_csv"));
        let gemm = trace.activities.iter().find(|work| trace.name_of(work.event).contains("gemm")).expect("a kernel");
        let config = trace.config(gemm).expect("a configuration");
        assert_eq!((config.grid, config.block), ([64, 2, 1], [128, 1, 1]));
        assert_eq!((config.registers, config.shared_memory, gemm.correlation), (40, 3072, 2));
        let copy =
            trace.activities.iter().find(|work| trace.slices.class(work.event) == Class::Memcpy).expect("a copy");
        assert_eq!(trace.name_of(copy.event), "Memcpy HtoD (Pageable -> Device)");
        // Five digits of 390.625 KB in the text.
        assert_eq!(copy.known_bytes(), Some(if case == "gpu_trace" { 399_995 } else { 400_000 }));
        let streams: Vec<i64> = trace.tracks.iter().filter_map(|track| Some(track.stream?.stream)).collect();
        assert_eq!(streams, [7, 20]);
        assert_eq!(warned(&rank, Code::MalformedRow), 0);
    }
    let calls = printed("api_trace_csv");
    assert_eq!(slices(&calls.trace, "cudaLaunchKernel").len(), 6);
    let driver = slices(&calls.trace, "cuCtxDestroy")[0];
    assert_eq!(calls.trace.category_of(driver), "cuda_driver");
    assert_eq!(
        (calls.trace.slices.length(driver), calls.trace.call(driver).map(|call| call.correlation)),
        (micros(2), Some(77))
    );
    let both = printed("both_traces");
    assert_eq!((both.trace.activities.len(), slices(&both.trace, "cudaMemcpyAsync").len()), (4, 1));
    let two = printed("two_processes");
    assert_eq!((two.trace.activities.len(), warned(&two, Code::OverlapOnStream)), (8, 0));
    let summaries = rows(&two, "gpu_activities");
    let processes: Vec<&str> = summaries.iter().map(|row| row[7].as_str()).collect();
    assert_eq!(processes, ["4242", "4242", "4243", "4243"]);
    let odd = printed("odd_lines");
    assert_eq!(
        (odd.trace.activities.len(), warned(&odd, Code::MalformedRow), warned(&odd, Code::UnreadTable)),
        (3, 2, 1)
    );
    let malformed = odd.warnings.iter().find(|warning| warning.code == Code::MalformedRow).expect("a warning");
    assert!(malformed.example.starts_with("10.120ms  300.00us"), "{}", malformed.example);
}

/// The summary that PaddlePaddle's tuning guide shows.
#[test]
fn a_printed_summary_of_the_field() {
    let Some(folder) = real_traces() else { return };
    let file = text_of(&folder.join("nvprof/summary.txt"));
    let rank = stepscope_tests::files::rank("summary.txt", &file, &AnalysisConfig::standard()).expect("a summary");
    let (activities, calls) = (rows(&rank, "gpu_activities"), rows(&rank, "api_calls"));
    assert_eq!((activities.len(), calls.len()), (4, 27));
    assert_eq!(activities[0][..6], ["[CUDA memcpy HtoD]", "5", "9630500", "1926100", "3456", "6403500"]);
    assert_eq!(calls[26][..4], ["cudaRuntimeGetVersion", "1", "830", "830"]);
    assert_eq!(warned(&rank, Code::MalformedRow), 0);
}

/// Damaged databases and texts are rejected or read; the numbers of a read one add up.
#[test]
fn flipped_bytes_are_refused_or_read() {
    let mut seed = 11_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).expect("31 bits") % below
    };
    let cases = [
        "nsys/schema_2023/input.sqlite",
        "nsys/two_processes/input.sqlite",
        "nvvp/everything_else/input.nvvp",
        "nvprof/gpu_trace/input.txt",
        "nvprof/gpu_trace_csv/input.txt",
        "nvprof/summary_new/input.txt",
    ];
    let mut read = 0;
    for case in cases {
        let whole = text_of(&root().join("tests/fixtures").join(case));
        for round in 0..25 {
            let mut file = whole.clone();
            for _ in 0..=random(20) {
                // After the first page's header, without which it is not a database; numbers of rows are flipped
                // likewise.
                let at = 100 + random(whole.len() - 100);
                file[at] =
                    [b'\n', b' ', b',', 0, 0x7f, 0x80, 0xff, u8::try_from(random(256)).expect("a byte")][random(8)];
            }
            file.truncate(if random(8) == 0 { 100 + random(whole.len() - 100) } else { whole.len() });
            match stepscope_tests::files::rank(case, &file, &AnalysisConfig::standard()) {
                Ok(rank) => {
                    read += 1;
                    let found = check_trace(case, &file).and_then(|()| identities(&rank));
                    found.unwrap_or_else(|what| panic!("{case}, round {round}: {what}"));
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    assert!(read > 80, "only {read} were read");
}
