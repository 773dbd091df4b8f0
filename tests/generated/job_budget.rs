//! The step budget of jobs: it adds up, and names the planted fault with the gain of a run without it.

use stepscope::analyze::{
    AnalysisConfig, Branch, BudgetLeaf, BudgetMean, CauseKind, CompareConfig, Job, JobBudget, JobSide, Late,
    OutcomeVerdict, SideRank, Sides, StragglerCause, compare_jobs,
};
use stepscope::export::report_json::DiffSide;
use stepscope::present::budget::{first_sentences, outcome_sentences};
use stepscope::table::messages::Language;
use stepscope::{Nanos, Rank, job_of};
use stepscope_tests::files::rank;
use stepscope_tests::generator::{Fault, HostCall, JobSpec};

/// The job of a spec, its ranks, and its budget.
fn budget(spec: &JobSpec) -> (Job, Vec<Rank>, JobBudget) {
    budget_of(spec.traces().into_iter().enumerate())
}

/// The same for the traces of some ranks.
fn budget_of(traces: impl Iterator<Item = (usize, Vec<u8>)>) -> (Job, Vec<Rank>, JobBudget) {
    let trace = |(number, text): (usize, Vec<u8>)| {
        rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace")
    };
    let ranks: Vec<Rank> = traces.map(trace).collect();
    let job = job_of(&ranks).expect("several ranks");
    let budgets: Vec<Option<&BudgetMean>> = ranks.iter().map(Rank::step_budget).collect();
    let found = JobBudget::of(&job, &budgets).expect("a budget");
    (job, ranks, found)
}

fn specs() -> Vec<JobSpec> {
    let tensor = JobSpec { parallel: [1, 4, 1], ..JobSpec::data_parallel(4) };
    vec![
        JobSpec::data_parallel(1),
        JobSpec { jitter: 20, ..JobSpec::data_parallel(2) },
        JobSpec { details: true, ..JobSpec::three_dimensional(3) },
        JobSpec { faults: vec![Fault::Compute(2, 30)], ..tensor },
        JobSpec { faults: vec![Fault::Compute(1, 40), Fault::Compute(6, 40)], ..JobSpec::data_parallel(8) },
    ]
}

/// Largest difference between a sum of so many rounded means and the mean of the sum.
fn rounding(parts: usize) -> i64 {
    i64::try_from(parts).expect("few") + 1
}

#[test]
fn branches_and_leaves_add_up_to_the_mean_of_the_ranks() {
    for spec in specs() {
        let (_, ranks, JobBudget { mean, ranks: count, .. }) = budget(&spec);
        let lengths: Vec<i64> = ranks.iter().filter_map(Rank::step_budget).map(|budget| budget.length.0).collect();
        assert_eq!(count, lengths.len() as u64);
        let expected = lengths.iter().sum::<i64>() / i64::try_from(lengths.len()).expect("few");
        assert!((mean.length.0 - expected).abs() <= 1, "{} of {expected}", mean.length.0);
        let sum: i64 = mean.branches.iter().map(|branch| branch.portion.time.0).sum();
        assert!((sum - mean.length.0).abs() <= rounding(mean.branches.len()), "{sum} of {}", mean.length.0);
        for branch in mean.branches.iter().filter(|branch| !branch.leaves.is_empty()) {
            let leaves: i64 = branch.leaves.iter().map(|leaf| leaf.portion.time.0).sum();
            assert!((leaves - branch.portion.time.0).abs() <= rounding(branch.leaves.len()), "{branch:?}");
        }
    }
}

/// All collectives are matched: communication is either transfer or waiting.
#[test]
fn communication_is_split_as_the_ranks_rows_are() {
    for spec in specs() {
        let (job, _, JobBudget { mean, .. }) = budget(&spec);
        let exposed = mean.branches.iter().find(|branch| branch.branch == Branch::ExposedCommunication);
        let exposed = exposed.expect("communication");
        let leaf = |name: &str| {
            exposed.leaves.iter().find(|leaf| leaf.name == name).map_or(Nanos::ZERO, |leaf| leaf.portion.time)
        };
        let rows = || job.ranks.iter();
        let alone: Nanos = rows().filter_map(|row| row.communication_alone).sum();
        let waiting: Nanos = rows().filter_map(|row| row.waiting).map(|waiting| waiting.all).sum();
        let told = waiting.ratio_of(alone).expect("communication alone");
        let found = leaf("waiting_for_ranks").ratio_of(exposed.portion.time).expect("communication");
        assert!((told - found).abs() < 0.02, "{found}, and {told} by the rows");
        let left = leaf("communication_not_split").ratio_of(exposed.portion.time).expect("communication");
        assert!(left < 0.01, "{left} is not split");
    }
}

#[test]
fn what_is_late_is_one_cause_with_the_gain_of_a_run_without_it() {
    let link = JobSpec {
        parallel: [1, 1, 4],
        microbatches: 8,
        layers: 4,
        bytes: [40_000_000, 0, 0],
        ..JobSpec::data_parallel(9)
    };
    let stage = JobSpec { parallel: [1, 1, 4], ..JobSpec::three_dimensional(52) };
    for (spec, fault, cause, late) in [
        (JobSpec::data_parallel(3), Fault::Compute(5, 60), StragglerCause::LongerKernels, Late::Rank(5)),
        (JobSpec::data_parallel(6), Fault::Data(2, 12_000_000), StragglerCause::Data, Late::Rank(2)),
        (JobSpec::data_parallel(7), Fault::Host(7, 10_000_000), StragglerCause::Host, Late::Rank(7)),
        (link, Fault::Link(1, 2, 400), StragglerCause::Link, Late::Link([1, 2])),
        (stage, Fault::Stage(3, 45), StragglerCause::Stage, Late::Stage(3)),
    ] {
        let spec = JobSpec { faults: vec![fault], ..spec };
        let (_, _, JobBudget { mean, .. }) = budget(&spec);
        let found: Vec<_> = mean.causes.iter().filter(|found| matches!(found.kind, CauseKind::Late(_))).collect();
        let [found] = &found[..] else { panic!("{:?}: {:?}", spec.faults, mean.causes) };
        assert_eq!((found.kind, &found.late[..]), (CauseKind::Late(cause), &[late][..]));
        let gain = spec.gain();
        assert!((found.score.0 - gain).abs() * 10 < gain, "{} of {gain} for {:?}", found.score.0, spec.faults);
        // It takes a tenth of the step or more, which is more than any other known cause.
        assert!(found.share > 0.1, "{} for {:?}", found.share, spec.faults);
        let said = first_sentences(&mean, Language::English).join(" ");
        let first = mean.causes.first().expect("causes");
        assert!(first.kind == found.kind && !said.contains("{late}"), "{:?}: {said}", spec.faults);
    }
}

/// Without the fault, a comparison of the jobs says that its cause is gone and that the job gained as predicted; the late
/// rank's own time fell, its step as that of all ranks.
#[test]
fn a_comparison_of_jobs_says_what_was_predicted_and_achieved() {
    for (seed, fault) in [(3, Fault::Compute(5, 60)), (6, Fault::Data(2, 12_000_000)), (7, Fault::Host(7, 10_000_000))]
    {
        let healthy = JobSpec::data_parallel(seed);
        let spec = JobSpec { faults: vec![fault], ..healthy.clone() };
        let [before, after] = [&spec, &healthy].map(|spec| {
            let (job, ranks, _) = budget(spec);
            let side = JobSide::of(&ranks).expect("a job");
            assert_eq!(JobSide::of_job(&job, &ranks.iter().collect::<Vec<_>>()).as_ref(), Some(&side));
            // The page sends a side from one worker to another.
            let sent = DiffSide::of(&ranks[0], CompareConfig { shapes: false }).in_job(Some(side.clone()));
            assert_eq!(DiffSide::from_bytes(&sent.to_bytes()), Some(sent));
            side
        });
        let found = compare_jobs(Sides { a: &before, b: &after });
        let outcome = found.outcome.as_ref().expect("an outcome");
        assert!(matches!(outcome.cause.kind, CauseKind::Late(_)), "{fault:?}: {outcome:?}");
        assert_eq!(outcome.verdict, OutcomeVerdict::AsPredicted, "{fault:?}: {outcome:?}");
        let said = outcome_sentences(outcome, Language::English).join(" ");
        assert!(said.contains("rank ") && !said.contains('{'), "{said}");
        let gain = spec.gain();
        assert!((outcome.achieved.0 - gain).abs() * 10 < gain, "{outcome:?}: {gain} for {fault:?}");
        assert_eq!(found.ranks.len(), 8);
        let fell = |of: fn(&SideRank) -> Nanos| -> Vec<i64> {
            let change = |sides: &Sides<Option<SideRank>>| Some((of(&sides.a?) - of(&sides.b?)).0);
            found.ranks.iter().map(|(_, sides)| change(sides).expect("on both sides")).collect()
        };
        let own = fell(|rank| rank.own.expect("own time"));
        let most = (0..own.len()).max_by_key(|rank| own[*rank]);
        let (Fault::Compute(late, _) | Fault::Data(late, _) | Fault::Host(late, _)) = fault else {
            unreachable!("no such fault here")
        };
        assert_eq!(most, Some(usize::try_from(late).expect("small")), "{own:?}");
        assert!(fell(|rank| rank.step).iter().all(|step| (step - gain).abs() * 10 < gain), "{fault:?}");
    }
}

/// Jobs without devices have no causes, but steps, whose means and ranks are compared.
#[test]
fn jobs_without_devices_are_compared_by_their_steps() {
    let healthy = JobSpec::data_parallel(6);
    let spec = JobSpec { faults: vec![Fault::Data(2, 12_000_000)], ..healthy.clone() };
    let [before, after] = [&spec, &healthy].map(|spec| {
        let traces = spec.traces().into_iter().enumerate();
        let ranks: Vec<Rank> = traces
            .map(|(number, text)| {
                let text = without_devices(&text);
                rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace")
            })
            .collect();
        let side = JobSide::of(&ranks).expect("a job");
        let steps: i64 = side.ranks.iter().map(|one| one.step.0).sum();
        assert!(side.averaged == 8 && (side.causes.length.0 - steps / 8).abs() <= 1, "{side:?}");
        assert!(side.causes.causes.is_empty() && !side.causes.is_known);
        side
    });
    let found = compare_jobs(Sides { a: &before, b: &after });
    assert!(found.length.a > found.length.b, "{:?}", found.length);
    assert_eq!((found.ranks.len(), found.causes.len(), found.outcome), (8, 0, None));
}

/// A rank's trace without what its device did.
fn without_devices(text: &[u8]) -> Vec<u8> {
    let mut trace: serde_json::Value = serde_json::from_slice(text).expect("JSON");
    let events = trace["traceEvents"].as_array_mut().expect("events");
    events.retain(|event| !matches!(event["cat"].as_str(), Some("kernel" | "gpu_memcpy" | "gpu_memset")));
    serde_json::to_vec(&trace).expect("JSON")
}

/// A late rank's own cause is named, with the time by which it exceeds the other ranks'.
#[test]
fn what_makes_a_rank_late_is_named() {
    for (call, kind) in [
        (HostCall::GarbageCollection, CauseKind::GarbageCollection),
        (HostCall::Allocation, CauseKind::Allocation),
        (HostCall::Compilation, CauseKind::Compile),
    ] {
        let fault = Fault::Call(4, 10_000_000, call);
        let spec = JobSpec { faults: vec![fault], ..JobSpec::data_parallel(11) };
        let (_, _, JobBudget { mean, .. }) = budget(&spec);
        let first = mean.causes.first().expect("causes");
        assert_eq!((first.kind, &first.late[..]), (CauseKind::Late(StragglerCause::Host), &[Late::Rank(4)][..]));
        let by = first.rank_cause.expect("a cause of its own");
        assert_eq!((by.rank, by.wording), (4, kind.name()));
        assert!((by.more.0 - 10_000_000).abs() < 500_000, "{call:?}: {by:?}");
        let said = first_sentences(&mean, Language::English).join(" ");
        assert!(said.contains("The cause on rank 4: ") && !said.contains('{'), "{said}");
    }
    // Unrecorded work has no cause, the wait for data is said already, and slower kernels are no cause of their own.
    for fault in [Fault::Host(4, 10_000_000), Fault::Data(4, 10_000_000), Fault::Compute(4, 60)] {
        let (_, _, JobBudget { mean, .. }) = budget(&JobSpec { faults: vec![fault], ..JobSpec::data_parallel(11) });
        let late = mean.causes.iter().find(|cause| matches!(cause.kind, CauseKind::Late(_))).expect("a late rank");
        assert_eq!(late.rank_cause, None, "{fault:?}");
    }
}

#[test]
fn ranks_that_gain_only_together_are_one_cause() {
    let faults = vec![Fault::Compute(1, 40), Fault::Compute(6, 40)];
    let spec = JobSpec { faults, ..JobSpec::data_parallel(8) };
    let (job, _, JobBudget { mean, .. }) = budget(&spec);
    let late: Vec<_> = mean.causes.iter().filter(|cause| !cause.late.is_empty()).collect();
    let [late] = &late[..] else { panic!("{:?}", mean.causes) };
    let mut ranks = late.late.clone();
    ranks.sort_by_key(|one| if let Late::Rank(rank) = one { *rank } else { u64::MAX });
    assert_eq!((ranks, Some(late.score)), (vec![Late::Rank(1), Late::Rank(6)], job.gain));
}

/// Waiting for a rank that is not loaded looks like transfer.
#[test]
fn what_is_waiting_for_a_missing_rank_is_no_transfer() {
    let spec = JobSpec { faults: vec![Fault::Compute(3, 40)], ..JobSpec::data_parallel(2) };
    let there = spec.traces().into_iter().enumerate().filter(|(number, _)| *number != 3);
    let (_, _, JobBudget { mean, ranks, world_size }) = budget_of(there);
    assert_eq!((ranks, world_size), (7, 8));
    let first = mean.causes.first().expect("causes");
    assert_eq!(first.kind, CauseKind::Communication);
    // Nearly nothing is split, so that the longest span is of what the cause says.
    assert!(
        matches!(&first.longest[..], [(BudgetLeaf::CommunicationNotSplit, longest)] if longest.rank.is_some()),
        "{first:?}"
    );
    let leaves: Vec<&str> = mean.branches.iter().flat_map(|branch| &branch.leaves).map(|leaf| leaf.name).collect();
    assert!(leaves.contains(&"communication_not_split") && !leaves.contains(&"transfer"), "{leaves:?}");
}

#[test]
fn a_rank_without_marked_steps_is_left_out_beside_others() {
    let spec = JobSpec { faults: vec![Fault::Compute(3, 40)], ..JobSpec::data_parallel(2) };
    let (_, _, whole) = budget(&spec);
    let unmarked = |(number, text): (usize, Vec<u8>)| {
        let text = String::from_utf8(text).expect("text");
        (number, if number == 1 { text.replace("ProfilerStep#", "part ") } else { text }.into_bytes())
    };
    let (_, _, found) = budget_of(spec.traces().into_iter().enumerate().map(unmarked));
    assert_eq!((whole.ranks, found.ranks), (8, 7));
    let (length, expected) = (found.mean.length.0, whole.mean.length.0);
    assert!((length - expected).abs() * 100 < expected, "{length}, not {expected}");
}

/// A pipeline's stages wait for each other although none is late.
#[test]
fn waiting_in_a_pipeline_is_for_stages() {
    let (_, _, JobBudget { mean, .. }) = budget(&JobSpec { parallel: [1, 1, 4], ..JobSpec::three_dimensional(3) });
    let waiting = mean.causes.iter().find(|cause| cause.kind == CauseKind::WaitingForRanks).expect("a bubble");
    assert_eq!(waiting.wording, "waiting_for_stages");
    let (_, _, JobBudget { mean, .. }) = budget(&JobSpec { jitter: 20, ..JobSpec::data_parallel(2) });
    let waiting = mean.causes.iter().find(|cause| cause.kind == CauseKind::WaitingForRanks).expect("jitter");
    assert_eq!(waiting.wording, "waiting_for_ranks");
}

/// Each leaf of a cause has its longest span over the ranks, and names the rank; parts of communication have none, since a span may be both.
#[test]
fn causes_have_the_longest_span_of_all_ranks() {
    let spec = JobSpec { faults: vec![Fault::Host(2, 10_000_000)], ..JobSpec::data_parallel(7) };
    let (job, ranks, JobBudget { mean, .. }) = budget(&spec);
    let mut found = 0;
    for cause in &mean.causes {
        for (leaf, longest) in &cause.longest {
            let spans = job.ranks.iter().zip(&ranks).flat_map(|(row, rank)| {
                let causes = rank.step_budget().into_iter().flat_map(|budget| &budget.causes);
                let of_leaf = causes.flat_map(|cause| &cause.longest).filter(|(own, _)| own == leaf);
                of_leaf.map(|(_, own)| (own.span, row.rank)).collect::<Vec<_>>()
            });
            let most = spans.reduce(|most, one| if one.0.len() > most.0.len() { one } else { most });
            assert_eq!(most, longest.rank.map(|rank| (longest.span, rank)), "{}", leaf.name());
            assert_eq!((longest.activity, longest.host), (None, None));
            found += 1;
        }
        let is_split = matches!(cause.kind, CauseKind::Transfer | CauseKind::WaitingForRanks);
        assert!(!is_split || cause.longest.is_empty(), "{cause:?}");
    }
    assert!(found > 0, "{:?}", mean.causes);
}

#[test]
fn nobody_is_late_in_healthy_jobs() {
    for seed in 0..4 {
        for spec in [JobSpec::data_parallel(seed), JobSpec::three_dimensional(seed)] {
            let (_, _, JobBudget { mean, .. }) = budget(&spec);
            assert!(mean.causes.iter().all(|cause| cause.late.is_empty()), "{spec:?}");
        }
    }
}
