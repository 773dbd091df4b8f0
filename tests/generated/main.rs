//! Reports, compared with the true answers of generated traces.

mod advice;
mod advice_hand;
mod advice_late;
mod advice_reasons;
mod advice_unrecorded;
mod attention;
mod calls;
mod compare;
mod critical;
mod data;
mod dropped;
mod event;
mod idle;
mod job;
mod job_advice;
mod job_budget;
mod job_clocks;
mod job_shapes;
mod job_slow;
mod job_troubles;
mod job_truth;
mod job_whole;
mod kernels;
mod memory;
mod planted;
mod range;
mod row;
mod savings;
mod serialized;
mod steps;
mod styles;
mod truth;

use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, proptest};
use proptest::test_runner::TestCaseError;
use stepscope::analyze::{AnalysisConfig, DeviceTime};
use stepscope::{Nanos, Rank};
use stepscope_tests::files::{load, rank};
use stepscope_tests::generator::{DeviceTruth, Producer, Spec, Truth};
use stepscope_tests::oracle::{budget_identities, call_tree_identities, critical_identities, module_identities};

fn specs() -> impl Strategy<Value = Spec> {
    let shape = (1..6_usize, 1..12_usize, 0..=100_u64, 0..=100_u64, 0..4_usize);
    let times = ([1..60_000_u64, 1..60_000, 1..60_000], 0..40_000_u64, 1..2_000_000_u64, 0..3_000_000_u64);
    (any::<u64>(), shape, times, any::<[bool; 4]>()).prop_map(|(seed, shape, times, switches)| {
        let (steps, groups, communicating, overlap, orphans) = shape;
        let (kernel, gap, data_wait, pause) = times;
        let [python, shapes, memory, synchronize] = switches;
        Spec {
            steps,
            groups,
            communicating,
            overlap,
            kernel,
            gap,
            data_wait,
            synchronize,
            pause,
            orphans,
            python,
            shapes,
            memory,
            ..Spec::small(seed)
        }
    })
}

fn same_device(time: &DeviceTime, truth: &DeviceTruth) -> Result<(), TestCaseError> {
    let found = [
        time.window,
        time.busy,
        // The truth knows that the device idles before its first activity, and before each stream's.
        time.idle + time.before_first + time.uncovered,
        time.compute,
        time.communication,
        time.memcpy,
        time.memset,
        time.overlap,
        time.exposed_communication,
        time.exposed_memcpy,
        time.exposed_memset,
    ];
    let expected = [
        truth.window,
        truth.busy,
        truth.idle,
        truth.compute,
        truth.communication,
        truth.memcpy,
        truth.memset,
        truth.overlap,
        truth.exposed_communication,
        truth.exposed_memcpy,
        truth.exposed_memset,
    ];
    prop_assert_eq!(found.map(|time| time.0), expected);
    let parts = time.compute + time.exposed_communication + time.exposed_memcpy + time.exposed_memset + time.idle;
    prop_assert_eq!(parts + time.before_first + time.uncovered, time.window);
    Ok(())
}

fn same_steps(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let analysis = &rank.analysis;
    prop_assert_eq!(analysis.steps.steps.len(), truth.steps.len());
    let first = |pairs: &[(i64, i64)]| pairs.first().map_or(0, |pair| pair.0);
    let zero = first(&truth.steps.iter().map(|step| step.host).collect::<Vec<_>>());
    let ours = analysis.steps.steps.first().map_or(0, |step| step.host.start.0);
    for (index, (step, truth)) in analysis.steps.steps.iter().zip(&truth.steps).enumerate() {
        let shifted = |span: (i64, i64)| (span.0 - zero + ours, span.1 - zero + ours);
        prop_assert_eq!(&step.name, &truth.name);
        prop_assert_eq!((step.host.start.0, step.host.end.0), shifted(truth.host));
        prop_assert_eq!((step.span.start.0, step.span.end.0), shifted(truth.span));
        prop_assert_eq!(step.activities, truth.activities);
        same_device(&analysis.step_devices[index][0], &truth.device)?;
        prop_assert_eq!(analysis.categories[index].map(|time| time.0), truth.categories);
        prop_assert_eq!(analysis.categories[index].iter().copied().sum::<Nanos>(), step.span.len());
    }
    Ok(())
}

fn same_phases(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    for (index, truth) in truth.steps.iter().enumerate() {
        let phases = &rank.analysis.phases.steps[index];
        let known = truth.phases_host.iter().zip(&truth.phases_device);
        for (number, (phase, (host, device))) in phases.iter().zip(known).enumerate() {
            prop_assert_eq!(phase.calls, truth.phases_calls[number], "calls of phase {}", number);
            prop_assert_eq!(phase.host.0, *host, "host time of phase {}", number);
            prop_assert_eq!(phase.device.0, *device, "device time of phase {}", number);
        }
        prop_assert_eq!(
            phases.iter().map(|phase| phase.host).sum::<Nanos>(),
            rank.analysis.steps.steps[index].host.len()
        );
    }
    Ok(())
}

/// Compared with plain definitions in floating point, with a tolerance: the report's are exact integers.
#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
fn same_kernels(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let rows = &rank.analysis.kernels;
    prop_assert_eq!(rows.len(), truth.kernels.len());
    let all: i64 = truth.kernels.values().flatten().sum();
    let mut before = 0;
    for row in rows {
        let name = rank.trace.strings.get(row.name);
        let mut lengths = truth.kernels.get(name).cloned().unwrap_or_default();
        lengths.sort_unstable();
        let (count, total) = (lengths.len(), lengths.iter().sum::<i64>());
        prop_assert_eq!((row.time.calls, row.time.total.0), (count as u64, total), "{}", name);
        prop_assert_eq!(Some(row.time.min.0), lengths.first().copied());
        prop_assert_eq!(Some(row.time.max.0), lengths.last().copied());
        let mean = total as f64 / count as f64;
        let median = (lengths[(count - 1) / 2] + lengths[count / 2]) as f64 / 2.0;
        let squares: f64 = lengths.iter().map(|length| (*length as f64 - mean).powi(2)).sum();
        let deviation = if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 };
        for (what, found, expected) in
            [("mean", row.time.mean, mean), ("median", row.time.median, median), ("std", row.time.std, deviation)]
        {
            prop_assert!((found.0 as f64 - expected).abs() <= 0.5 + 1e-6, "{} {:?} of {:?}", what, found, lengths);
        }
        before += total;
        let shares = [(row.share, total), (row.cumulative_share, before)];
        for (found, part) in shares {
            prop_assert!((found - part as f64 / all as f64).abs() <= 1e-12, "{} of {} of {}", found, part, all);
        }
    }
    prop_assert!(rows.is_sorted_by(|a, b| a.time.total >= b.time.total));
    prop_assert_eq!(before, all);
    Ok(())
}

fn same_tables(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let analysis = &rank.analysis;
    prop_assert_eq!(analysis.operators.rows.len(), truth.operators.len());
    for row in &analysis.operators.rows {
        let Some(truth) = truth.operators.get(&row.name) else {
            return Err(TestCaseError::fail(format!("no operator {}", row.name)));
        };
        let found = [row.host_total.0, row.host_self.0, row.device_self.0, row.device_total.0];
        let expected = [truth.host_total, truth.host_self, truth.device_self, truth.device_total];
        prop_assert_eq!((row.calls, found), (truth.calls, expected), "{}", &row.name);
    }
    same_kernels(rank, truth)?;
    prop_assert_eq!(analysis.copies.len(), truth.copies.len());
    for row in &analysis.copies {
        let name = rank.trace.strings.get(row.name);
        let expected = truth.copies.get(name).copied().unwrap_or_default();
        prop_assert_eq!((row.time.calls, row.bytes, row.time.total.0), expected, "{}", name);
    }
    Ok(())
}

fn check(spec: &Spec) -> Result<(), TestCaseError> {
    let (text, truth) = spec.generate();
    let rank = rank("generated.json", &text, &AnalysisConfig::standard())
        .map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(rank.trace.slices.len() as u64, truth.slices);
    prop_assert_eq!(rank.trace.flows.len() as u64, truth.forward_backward_flows);
    prop_assert_eq!(rank.trace.memory.len() as u64, truth.memory_events);
    same_device(&rank.analysis.devices[0].time, &truth.device)?;
    same_steps(&rank, &truth)?;
    same_phases(&rank, &truth)?;
    same_tables(&rank, &truth)?;
    idle::same_launches(&rank, &truth)?;
    idle::same_queues(&rank, &truth)?;
    idle::same_idle(&rank, &truth)?;
    memory::same_memory(&rank, &truth)?;
    kernels::same_kernel_use(&rank, &truth, spec.shapes)?;
    row::same_rows(&rank, &truth)?;
    calls::covers_threads(&rank)?;
    calls::same_as_operators(&rank)?;
    call_tree_identities(&rank).map_err(TestCaseError::fail)?;
    module_identities(&rank).map_err(TestCaseError::fail)?;
    range::ranges_hold(&rank, spec.seed)?;
    steps::averages_hold(&rank)?;
    styles::same_step_trace(&rank, &truth)?;
    styles::same_benchmark(&rank, &truth)?;
    styles::same_summaries(&rank, &truth)?;
    budget_identities(&rank).map_err(TestCaseError::fail)?;
    critical_identities(&rank).map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_report_is_the_truth(spec in specs()) {
        check(&spec)?;
    }
}

/// The device is idle before the host reads a value from it: it waits for a call that waits for it.
#[test]
fn a_copy_back_that_the_device_waits_for_is_the_truth() {
    let spec = Spec {
        steps: 3,
        groups: 2,
        communicating: 7,
        overlap: 43,
        kernel: [18_917, 16_895, 225],
        gap: 520,
        data_wait: 442_180,
        pause: 1_627_805,
        shapes: false,
        ..Spec::small(2_079_353)
    };
    check(&spec).expect("the truth");
}

#[test]
fn the_demo_is_the_truth() {
    check(&Spec::demo()).expect("the demo trace");
}

#[test]
fn the_demo_has_something_to_tell() {
    let (text, _) = Spec::demo().generate();
    let rank = rank("demo.json", &text, &AnalysisConfig::standard()).expect("the demo trace");
    let average = &rank.analysis.average;
    let share = |part: Nanos| part.ratio_of(average.length).expect("steps have a length");
    assert!((0.10..0.35).contains(&share(average.data_wait)), "data: {:?}", average.data_wait);
    assert!((0.03..0.15).contains(&share(average.device.exposed_communication)), "{:?}", average.device);
    assert!((0.40..0.75).contains(&share(average.device.busy)), "{:?}", average.device);
    let steps = &rank.analysis.steps.steps;
    let longest = steps.iter().max_by_key(|step| step.span.len()).expect("there are steps");
    assert_eq!(longest.name, steps[steps.len() / 2].name, "the step with the pause");
    // The device has caught up at each step's end: no step begins with work of the one before.
    for step in steps {
        assert_eq!(step.span.end, step.host.end, "step {}", step.name);
    }
    // The forward part is bound by its launches, the backward part by the device.
    let (mut forward, mut backward) = ((Nanos::ZERO, Nanos::ZERO), (Nanos::ZERO, Nanos::ZERO));
    for phases in &rank.analysis.phases.steps {
        backward = (backward.0 + phases[2].host, backward.1 + phases[2].device);
        forward = (forward.0 + phases[3].host, forward.1 + phases[3].device);
    }
    assert!(forward.1 < forward.0 && backward.1 > backward.0, "forward {forward:?}, backward {backward:?}");
}

/// One simulated run is the same on the device, whichever profiler recorded it.
#[test]
fn each_producer_tells_the_same_of_the_device() {
    let of_devices = Producer::ALL.into_iter().filter(|(_, producer)| *producer != Producer::Chrome);
    for (name, producer) in of_devices {
        for seed in 1..5 {
            let (text, truth) = Spec { producer, memory: false, ..Spec::small(seed) }.generate();
            let rank =
                rank("run.json", &text, &AnalysisConfig::standard()).unwrap_or_else(|error| panic!("{name}: {error}"));
            let [device] = &rank.analysis.devices[..] else {
                panic!("{name}: {} devices", rank.analysis.devices.len())
            };
            same_device(&device.time, &truth.device).unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
        }
    }
}

/// A recording of our own has everything in Kineto's trace except Python's functions, shapes, levels of memory and the
/// marks of backward operators.
#[test]
fn a_recording_tells_as_much_as_kineto() {
    for seed in 1..30 {
        let wide = Spec { groups: 40, gap: seed * 500, ..Spec::small(seed) };
        for spec in [Spec::small(seed), wide] {
            let spec = Spec { producer: Producer::Native, python: false, shapes: false, memory: false, ..spec };
            let (text, truth) = spec.generate();
            let rank = rank("run.stepscope", &text, &AnalysisConfig::standard()).expect("a recording");
            let same = || {
                prop_assert_eq!(rank.trace.slices.len() as u64, truth.slices);
                prop_assert_eq!(rank.trace.flows.len() as u64, truth.forward_backward_flows);
                same_device(&rank.analysis.devices[0].time, &truth.device)?;
                same_steps(&rank, &truth)?;
                same_tables(&rank, &truth)?;
                idle::same_launches(&rank, &truth)?;
                idle::same_queues(&rank, &truth)?;
                idle::same_idle(&rank, &truth)?;
                kernels::same_kernel_use(&rank, &truth, spec.shapes)
            };
            same().unwrap_or_else(|error: TestCaseError| panic!("seed {seed}: {error}"));
            let [device] = &rank.trace.meta.devices[..] else { panic!("{:?}", rank.trace.meta.devices) };
            assert_eq!((&*device.name, device.multiprocessors), ("NVIDIA A100-SXM4-80GB", Some(108)));
            assert_eq!((device.capability, device.memory_bytes), (Some((8, 0)), Some(84_987_740_160)));
        }
    }
}

/// Cases that do not occur are not tested by a comparison.
#[test]
fn devices_wait_for_all_there_is_to_wait_for() {
    let (mut classes, mut host) = ([0; 4], [0; 7]);
    for spec in [Spec::small(1), Spec { gap: 40_000, ..Spec::small(2) }, Spec { pause: 3_000_000, ..Spec::small(3) }] {
        let idle = spec.generate().1.idle;
        classes = std::array::from_fn(|class| classes[class] + idle.classes[class]);
        host = std::array::from_fn(|activity| host[activity] + idle.host[activity]);
    }
    assert!(classes.iter().all(|time| *time > 0), "{classes:?}");
    let absent: Vec<usize> = (0..7).filter(|activity| host[*activity] == 0).collect();
    assert_eq!(absent, [2], "the simulation allocates nothing: {host:?}");
}

#[test]
fn sizes_are_as_asked_and_memory_is_bounded() {
    for asked in [200_000_u64, 3_000_000, 20_000_000] {
        let (text, _) = Spec::of_size(Producer::Kineto, asked).generate();
        let loaded = load("size.json", &text, 1 << 18).expect("a trace");
        let bytes = text.len() as u64;
        assert!(bytes.abs_diff(asked) * 5 < asked, "{bytes} bytes instead of {asked}");
        let per_event = bytes / loaded.trace.meta.events;
        assert!((270..=340).contains(&per_event), "{per_event} bytes per event; real traces have about 300");
        let held = loaded.trace.bytes_held() / loaded.trace.slices.len();
        assert!(held <= 64, "{held} bytes per slice, memory events and all");
    }
}

#[test]
fn the_same_spec_gives_the_same_bytes() {
    assert_eq!(Spec::small(5).generate().0, Spec::small(5).generate().0);
    assert_ne!(Spec::small(5).generate().0, Spec::small(6).generate().0);
}

/// Collectives repeat long texts, such as the ranks of their group: each text is stored once.
#[test]
fn collectives_take_little_memory() {
    let ranks: Vec<String> = (0..256).map(|rank| rank.to_string()).collect();
    let event = |index: usize| {
        format!(
            r#"{{"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":1,"tid":1,"ts":{index},"dur":1,"args":{{
                "Collective name":"allreduce","dtype":"Float","Process Group Name":"0","Process Group Ranks":"[{}]",
                "In msg nelems":{index},"Out msg nelems":{index},"Group size":256,"Seq":{index}}}}}"#,
            ranks.join(", ")
        )
    };
    let events: Vec<String> = (0..2000).map(event).collect();
    let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
    let trace = load("collectives.json", text.as_bytes(), 1 << 16).expect("a trace").trace;
    let held = trace.bytes_held() + trace.strings.bytes_held();
    assert!(held < text.len() / 4, "{held} bytes for {} of text", text.len());
    assert_eq!(trace.collective(trace.slices.ids().next().expect("a slice")).map(|found| found.group_size), Some(256));
}
