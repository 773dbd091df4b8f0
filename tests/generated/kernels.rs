//! Occupancy, waves, SM efficiency and FLOPs against the truth: METRICS section 4.

use std::collections::BTreeMap;

use proptest::prelude::{prop_assert, prop_assert_eq};
use proptest::test_runner::TestCaseError;
use stepscope::Rank;
use stepscope::analyze::{KernelGrouping, Limiter, kernel_use, operator_flops, uses_tensor_cores};
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

/// Which kernels compute the products: of each, the longest on tensor cores, else the longest.
fn products(truth: &Truth) -> BTreeMap<&str, (u64, i64)> {
    let mut found: BTreeMap<&str, (u64, i64)> = BTreeMap::new();
    for (operator, flops) in &truth.products {
        let length = |run: &KernelTruth| run.activity.1 - run.activity.0;
        let launched = truth.kernel_runs.iter().filter(|run| run.operator == *operator);
        // Of equals the first, where `max_by_key` gives the last.
        let best = launched.rev().max_by_key(|run| (uses_tensor_cores(&run.name), length(run)));
        if let Some(run) = best {
            let entry = found.entry(&run.name).or_default();
            *entry = (entry.0 + flops, entry.1 + length(run));
        }
    }
    found
}

#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
pub(crate) fn same_kernel_use(rank: &Rank, truth: &Truth, shapes: bool) -> Result<(), TestCaseError> {
    let found = kernel_use(&rank.trace, KernelGrouping::Name, None);
    prop_assert_eq!(found.rows.len(), truth.kernels.len());
    let products = if shapes { products(truth) } else { BTreeMap::new() };
    for used in &found.rows {
        let name = rank.trace.strings.get(used.row.name);
        let runs: Vec<&KernelTruth> = truth.kernel_runs.iter().filter(|run| run.name == name).collect();
        prop_assert_eq!(used.row.time.calls, runs.len() as u64);
        prop_assert!(close(used.occupancy, Some(0.75)), "{:?}", used.occupancy);
        let (mut tail, mut all, mut by_blocks) = (0.0, 0.0, BTreeMap::new());
        for run in &runs {
            let blocks = KernelTruth::blocks(run.operator);
            let waves = f64::from(blocks) / f64::from(MULTIPROCESSORS * BLOCKS_PER_SM);
            let length = (run.activity.1 - run.activity.0) as f64;
            tail += (1.0 - waves / waves.ceil()) * length;
            all += length;
            *by_blocks.entry(blocks).or_insert(0) += run.activity.1 - run.activity.0;
        }
        prop_assert!(close(used.tail, Some(tail / all)), "{} {:?} is not {}", name, used.tail, tail / all);
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
        prop_assert_eq!((used.computed.flops, used.computed.time.0), (flops, time), "{}", name);
        let share = (time > 0).then(|| flops as f64 / FLOP_PER_NS / time as f64);
        prop_assert!(close(used.computed.share_of_peak(), share), "{:?}", used.computed);
    }
    let [device] = &found.devices[..] else { return Err(TestCaseError::fail("not one device")) };
    prop_assert_eq!(device.model.map(|model| model.name), Some("A100 80GB SXM"));
    let expected = efficiency(&truth.kernel_runs, truth.device.window);
    // The trace has the blocks per multiprocessor with six decimals.
    let near = device.sm_efficiency.is_some_and(|found| (found - expected).abs() < 1e-6);
    prop_assert!(near, "{:?} is not {}", device.sm_efficiency, expected);
    let all: u64 = products.values().map(|(flops, _)| flops).sum();
    prop_assert_eq!(device.computed.flops, all);
    let of_operator: u64 = operator_flops(&rank.trace, None).iter().map(|row| row.flops).sum();
    prop_assert_eq!(of_operator, if shapes { truth.products.values().sum() } else { 0 });
    same_by_launch(rank, truth)
}

/// Rows by launch are the runs by name, operator's name and blocks.
fn same_by_launch(rank: &Rank, truth: &Truth) -> Result<(), TestCaseError> {
    let found = kernel_use(&rank.trace, KernelGrouping::NameOperatorLaunch, None);
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
