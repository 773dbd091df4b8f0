//! Occupancy, waves, SM efficiency and FLOPs against the truth: METRICS section 4.

use std::collections::BTreeMap;

use proptest::prelude::{prop_assert, prop_assert_eq};
use proptest::test_runner::TestCaseError;
use stepscope::Rank;
use stepscope::analyze::{
    Covered, GivenPeaks, IntervalSet, KernelFamily, KernelGrouping, Limiter, kernel_families, kernel_use,
    operator_flops,
};
use stepscope::{Interval, Nanos};
use stepscope_tests::files::load;
use stepscope_tests::generator::{KernelTruth, Truth};

/// The A100 of the generator's traces.
const MULTIPROCESSORS: u32 = 108;
/// Its peak for 16 bits.
const FLOP_PER_NS: f64 = 312e3;
/// 40 registers a thread are 5 units of 256 a warp: 12 warps in each partition, 48 in all, 6 blocks of 8.
const BLOCKS_PER_SM: u32 = 6;

fn close(found: Option<f64>, expected: Option<f64>) -> bool {
    match (found, expected) {
        (Some(found), Some(expected)) => (found - expected).abs() <= 1e-9 * expected.abs().max(1e-3),
        (None, None) => true,
        _ => false,
    }
}

/// The mean of min(1, blocks that run / multiprocessors), moment by moment.
#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
fn efficiency(runs: &[KernelTruth], window: i64) -> f64 {
    let mut moments: Vec<i64> = runs.iter().flat_map(|run| [run.activity.0, run.activity.1]).collect();
    moments.sort_unstable();
    moments.dedup();
    let mut full = 0.0;
    for pair in moments.windows(2) {
        let here = runs.iter().filter(|run| run.activity.0 <= pair[0] && pair[1] <= run.activity.1);
        let blocks: u32 = here.map(|run| KernelTruth::blocks(run.operator)).sum();
        full += (f64::from(blocks) / f64::from(MULTIPROCESSORS)).min(1.0) * (pair[1] - pair[0]) as f64;
    }
    full / window as f64
}

/// Work of kernels by name: the FLOPs of each product, distributed by duration over the matrix kernels of its operator,
/// or over all its kernels if no name contains `gemm`.
#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
fn products(truth: &Truth) -> BTreeMap<&str, (f64, f64)> {
    let mut found: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (operator, flops) in &truth.products {
        let length = |run: &KernelTruth| (run.activity.1 - run.activity.0) as f64;
        let of_call = || truth.kernel_runs.iter().filter(|run| run.operator == *operator);
        let multiplies = of_call().any(|run| run.name.contains("gemm"));
        let launched = || of_call().filter(|run| !multiplies || run.name.contains("gemm"));
        let spans = launched().map(|run| Interval::new(Nanos(run.activity.0), Nanos(run.activity.1)));
        let (time, all) = (IntervalSet::of(spans).len(), launched().map(length).sum::<f64>());
        for run in launched() {
            let part = length(run) / all;
            let entry = found.entry(&run.name).or_default();
            *entry = (entry.0 + *flops as f64 * part, entry.1 + time.0 as f64 * part);
        }
    }
    found
}

fn value(found: Option<Covered>) -> Option<f64> {
    found.map(|found| found.value)
}

#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
pub(crate) fn same_kernel_use(rank: &Rank, truth: &Truth, shapes: bool) -> Result<(), TestCaseError> {
    let found = kernel_use(&rank.trace, KernelGrouping::Name, None, &GivenPeaks::default());
    prop_assert_eq!(found.rows.len(), truth.kernels.len());
    let products = if shapes { products(truth) } else { BTreeMap::new() };
    for used in &found.rows {
        let name = rank.trace.strings.get(used.row.name);
        let runs: Vec<&KernelTruth> = truth.kernel_runs.iter().filter(|run| run.name == name).collect();
        prop_assert_eq!(used.row.time.calls, runs.len() as u64);
        prop_assert_eq!(used.occupancy.map(|found| found.coverage), Some(1.0));
        prop_assert!(close(value(used.occupancy), Some(0.75)), "{:?}", used.occupancy);
        let (mut tail, mut all, mut by_blocks) = (0.0, 0.0, BTreeMap::new());
        for run in &runs {
            let blocks = KernelTruth::blocks(run.operator);
            let waves = f64::from(blocks) / f64::from(MULTIPROCESSORS * BLOCKS_PER_SM);
            let length = (run.activity.1 - run.activity.0) as f64;
            tail += (1.0 - waves / waves.ceil()) * length;
            all += length;
            *by_blocks.entry(blocks).or_insert(0) += run.activity.1 - run.activity.0;
        }
        prop_assert!(close(value(used.tail), Some(tail / all)), "{} {:?} is not {}", name, used.tail, tail / all);
        prop_assert_eq!(used.launches, by_blocks.len());
        let Some(main) = used.main else { return Err(TestCaseError::fail("no launch")) };
        let longest = by_blocks.values().copied().max().unwrap_or_default();
        prop_assert_eq!(main.total.0, longest);
        let occupancy = main.occupancy.map(|found| (found.blocks, found.limiter, found.warps));
        prop_assert_eq!(occupancy, Some((BLOCKS_PER_SM, Limiter::Registers, 48)));
        let at_once = u64::from(MULTIPROCESSORS * BLOCKS_PER_SM);
        prop_assert_eq!(main.waves.map(|waves| waves.at_once), Some(at_once));
        prop_assert_eq!(
            main.waves.map(|waves| by_blocks[&u32::try_from(waves.blocks).unwrap_or_default()]),
            Some(longest)
        );
        let (flops, time) = products.get(name).copied().unwrap_or_default();
        let found = (used.computed.flops as f64, used.computed.time.0 as f64);
        // Parts are whole numbers.
        let near = |found: f64, expected: f64| (found - expected).abs() <= 1.0 + used.computed.calls as f64;
        prop_assert!(near(found.0, flops) && near(found.1, time), "{} {:?} is not {} {}", name, found, flops, time);
        let share = (found.1 > 0.0).then(|| found.0 / FLOP_PER_NS / found.1);
        prop_assert!(close(value(used.computed.share_of_peak()), share), "{:?}", used.computed);
    }
    let [device] = &found.devices[..] else { return Err(TestCaseError::fail("not one device")) };
    prop_assert_eq!(device.model.map(|model| model.name), Some("A100 80GB SXM"));
    let expected = efficiency(&truth.kernel_runs, truth.device.window);
    // The trace has the blocks per multiprocessor with six decimals.
    let near = device.sm_efficiency.is_some_and(|found| (found.value - expected).abs() < 1e-6);
    prop_assert!(near, "{:?} is not {}", device.sm_efficiency, expected);
    let launched = |operator: &u64| truth.kernel_runs.iter().any(|run| run.operator == *operator);
    let all: u64 =
        truth.products.iter().filter(|(operator, _)| shapes && launched(operator)).map(|(_, flops)| flops).sum();
    prop_assert_eq!(device.computed.flops, all);
    let of_operator: u64 = operator_flops(&rank.trace, None).iter().map(|row| row.flops).sum();
    prop_assert_eq!(of_operator, if shapes { truth.products.values().sum() } else { 0 });
    same_by_launch(rank, truth)
}

/// Rows by launch are the runs by name, operator's name and blocks.
fn same_by_launch(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let found = kernel_use(&rank.trace, KernelGrouping::NameOperatorLaunch, None, &GivenPeaks::default());
    let calls: u64 = found.rows.iter().map(|used| used.row.time.calls).sum();
    prop_assert_eq!(calls, truth.kernel_runs.len() as u64);
    let mut runs: BTreeMap<(&str, u32), u64> = BTreeMap::new();
    for run in &truth.kernel_runs {
        *runs.entry((&run.name, KernelTruth::blocks(run.operator))).or_default() += 1;
    }
    let mut ours: BTreeMap<(&str, u32), u64> = BTreeMap::new();
    for used in &found.rows {
        prop_assert_eq!(used.launches, 1);
        let Some(config) = used.row.config.get() else { return Err(TestCaseError::fail("no launch")) };
        let key = (rank.trace.strings.get(used.row.name), rank.trace.configs[config.index()].grid[0]);
        *ours.entry(key).or_default() += used.row.time.calls;
    }
    prop_assert_eq!(ours, runs);
    Ok(())
}

/// The family of a kernel that the innermost of some operators launches.
fn family(operators: &[&str], kernel: &str) -> KernelFamily {
    let mut events = Vec::new();
    for (depth, name) in operators.iter().enumerate() {
        let (start, length) = (depth, 100 - 2 * depth);
        let category = if name.contains('#') { "user_annotation" } else { "cpu_op" };
        events.push(format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":1,"ts":{start},"dur":{length},"args":{{"External id":{}}}}}"#,
            depth + 1
        ));
    }
    let id = operators.len();
    events.push(
        r#"{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":20,"dur":2,"args":{"correlation":9}}"#
            .to_owned(),
    );
    events.push(format!(
        r#"{{"ph":"X","cat":"kernel","name":"{kernel}","pid":0,"tid":7,"ts":30,"dur":5,"args":{{"stream":7,"correlation":9,"External id":{id}}}}}"#
    ));
    let text = format!(r#"{{"deviceProperties":[],"traceEvents":[{}]}}"#, events.join(","));
    let trace = load("families.json", text.as_bytes(), 1 << 12).expect("a trace").trace;
    let rows = kernel_families(&trace, None);
    assert_eq!((rows.len(), rows[0].calls, rows[0].total), (1, 1, Nanos(5_000)));
    rows[0].family
}

#[test]
fn a_kernel_s_family_is_that_of_the_innermost_operator_that_says_so() {
    for (operators, kernel, expected) in [
        (&["aten::linear", "aten::addmm"][..], "any", KernelFamily::Matrix),
        (&["aten::softmax", "aten::_softmax"], "any", KernelFamily::Softmax),
        // Neither the step nor a range of the program decides.
        (&["ProfilerStep#1", "block#1"], "nvjet_tst_128x256", KernelFamily::Matrix),
        (&["ProfilerStep#1", "block#1"], "any", KernelFamily::Other),
        (&["aten::nll_loss", "aten::unknown"], "any", KernelFamily::Reduction),
        // Everything inside of an optimizer is its work.
        (&["Optimizer.step#SGD.step", "aten::mul"], "any", KernelFamily::Optimizer),
        // Preparing or finishing a product is not a product.
        (&["aten::mm"], "splitKreduce_kernel", KernelFamily::Matrix),
        (&["aten::mm"], "batched_transpose_16x32_half", KernelFamily::Copy),
        (&["aten::softmax"], "batched_transpose_16x32_half", KernelFamily::Softmax),
    ] {
        assert_eq!(family(operators, kernel), expected, "{operators:?} {kernel}");
    }
}
