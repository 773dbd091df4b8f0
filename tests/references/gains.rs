//! Promises of each rule on real traces, compared with the leaves of the step budget that it could remove.

use std::path::Path;

use stepscope::Rank;
use stepscope::analyze::{AdviceConfig, AnalysisConfig, BudgetLeaf, BudgetTimes, CauseKind, IdleLeaf, advice, budget};
use stepscope_tests::files::{files_of, folder_ranks, real_traces};

use crate::steps::{below, rank_of};

/// Whether a rule's remedy could remove a leaf; `None` for a rule without leaves in the budget.
fn removes(rule: &str, leaf: BudgetLeaf) -> Option<bool> {
    let is_copy = matches!(leaf, BudgetLeaf::Copy(_) | BudgetLeaf::Memset);
    let is_idle = matches!(leaf, BudgetLeaf::Idle(_) | BudgetLeaf::LeadLost(_) | BudgetLeaf::SlowCall);
    let is_known = !matches!(leaf, BudgetLeaf::Idle(IdleLeaf::BeforeFirst | IdleLeaf::Uncovered));
    let between = leaf == BudgetLeaf::BetweenSteps;
    let of_cause = |cause| CauseKind::of(leaf) == Some(cause);
    // Ordinary work after a wait is late because of the wait, and because of the work.
    let is_work = of_cause(CauseKind::LaunchBound) || matches!(leaf, BudgetLeaf::LeadLost(_) | BudgetLeaf::SlowCall);
    let is_host = match leaf {
        BudgetLeaf::Idle(IdleLeaf::StartLate) => false,
        BudgetLeaf::Idle(leaf) => leaf.activity().is_some() || leaf == IdleLeaf::AfterLast,
        _ => false,
    };
    Some(match rule {
        // Without the launches' own time, all activities of the host come earlier, recorded or not.
        "launch_bound" | "short_kernels" => is_work || of_cause(CauseKind::BetweenKernels) || is_host,
        "host_bound" => is_work || is_host,
        "long_gaps" => (is_idle && is_known) || between,
        "low_utilization" => (is_idle && is_known) || is_copy || between,
        "data_parallel" => is_idle && is_known,
        "iteration_interval"
        | "get_next"
        | "processor_busy"
        | "pipeline_bottleneck"
        | "empty_source"
        | "processor_few_threads"
        | "processor_many_threads" => is_idle || between,
        "dataloader" => is_work || of_cause(CauseKind::DataPipeline),
        "synchronization" => is_work || of_cause(CauseKind::Synchronization),
        "allocation" | "memory_full" => is_work || of_cause(CauseKind::Allocation),
        "slow_calls" => is_work || of_cause(CauseKind::Allocation) || of_cause(CauseKind::Compile),
        "communication_backend" => is_work || of_cause(CauseKind::HostCollective),
        "pageable_copies" | "synchronous_copies" => is_work || is_copy || of_cause(CauseKind::Synchronization),
        "exposed_copies" => is_copy,
        "exposed_communication" | "small_collectives" => {
            matches!(leaf, BudgetLeaf::Transfer | BudgetLeaf::WaitingForRanks | BudgetLeaf::CommunicationNotSplit)
        }
        "tensor_cores" | "format_conversion" | "slow_operator" => {
            matches!(leaf, BudgetLeaf::AtRoof(_) | BudgetLeaf::AboveRoof(_) | BudgetLeaf::RoofUnknown(_))
        }
        _ => return None,
    })
}

/// Adds the rules of a trace that promise more than the budget shows they can gain.
fn beyond(name: &str, rank: &Rank, found: &mut Vec<String>) {
    let budget = budget(&rank.trace, &rank.analysis);
    let counted = budget.counted.len().max(1) as i64;
    let slack = rank.analysis.average.length.0 / 100 + 1_000;
    for one in advice(&rank.trace, &rank.analysis, &AdviceConfig::default()) {
        let Some(gain) = one.gain() else { continue };
        let of_device = |times: &[BudgetTimes]| -> Option<i64> {
            let mut sum = 0;
            for window in budget.counted.iter().filter_map(|window| times.get(*window)) {
                for (leaf, time) in window.leaves() {
                    sum += if removes(one.rule.id, leaf)? { time.0 } else { 0 };
                }
            }
            let between = removes(one.rule.id, BudgetLeaf::BetweenSteps)?;
            Some(sum / counted + if between { budget.between.0 } else { 0 })
        };
        let most = budget.devices.iter().map(|device| of_device(&device.windows)).max().flatten();
        let Some(most) = most else { continue };
        if gain.0 > most + slack {
            found.push(format!("{name}: {} promises {} ns, the budget has {most} ns", one.rule.id, gain.0));
        }
    }
}

#[test]
fn no_rule_promises_more_than_the_budget_shows() {
    let Some(folder) = real_traces() else { return };
    let (mut files, mut found) = (Vec::new(), Vec::new());
    for part in ["pytorch", "more", "paddle_gpu_synthetic", "nvprof", "generated"] {
        below(&folder.join(part), &mut files);
    }
    for path in &files {
        let Some(rank) = rank_of(path) else { continue };
        beyond(&path.display().to_string(), &rank, &mut found);
    }
    let runs = std::fs::read_dir(folder.join("mindspore")).expect("runs").flatten().map(|entry| entry.path());
    for run in runs.filter(|run| Path::is_dir(run)) {
        let Ok(ranks) = folder_ranks(&files_of(&run), 1 << 16, &AnalysisConfig::standard()) else { continue };
        for rank in &ranks.ranks {
            beyond(&format!("{}, rank {:?}", run.display(), rank.rank), rank, &mut found);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
