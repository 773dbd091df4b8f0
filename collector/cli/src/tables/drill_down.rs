//! The drill-down from a job to a cause.

use stepscope::analyze::{
    DrillDownHint, DrillDownKind, DrillDownLook, DrillDownMetric, DrillDownNumber, DrillDownStep, Job, OutlierRule,
    StragglerCause, drill_down as drill_down_of,
};
use stepscope::present::text::{amount_of_flops, count, duration, gigabytes_per_second, percent, percent_change};

use super::job::{known, place, ranks, verdict};
use crate::grid::Look;

/// Each step on a line of its own, below its parent.
pub(crate) fn drill_down(job: &Job, look: Look) -> String {
    let mut text = format!("{}\n", look.title("From the job to a cause"));
    let steps = drill_down_of(job);
    for step in &steps {
        let indent = "  ".repeat(usize::from(step.depth));
        let mut facts = vec![format!("{indent}{} {}", mark(step), head(job, step))];
        facts.extend(step.numbers.iter().map(|(name, number)| said(name, *number)));
        facts.extend(to_see(step));
        text.push_str(&look.line(&facts));
    }
    text.push_str(&verdict(job));
    text
}

/// Mark of a step that is off, for a quick scan of the lines.
fn mark(step: &DrillDownStep) -> &'static str {
    if step.off { "!" } else { "·" }
}

fn head(job: &Job, step: &DrillDownStep) -> String {
    match step.kind {
        DrillDownKind::Entry => "the job".to_owned(),
        DrillDownKind::Parallel(kind) => {
            let source = step.source.map(|source| format!(" ({})", known(source))).unwrap_or_default();
            format!("{} parallel{source}", kind.name())
        }
        DrillDownKind::Metric(metric) => {
            let stage = step.stage.map(|stage| format!("stage {stage}: ")).unwrap_or_default();
            format!("{stage}{} of {}", words(metric), whom(metric, &step.ranks))
        }
        DrillDownKind::Place(found) => {
            let rule = step.rule.map(|rule| format!(" ({})", rule_words(rule))).unwrap_or_default();
            format!("{}{rule}", place(job, found))
        }
        DrillDownKind::Cause(cause) => why(cause).to_owned(),
        DrillDownKind::Hint(hint) => format!("{}, most on rank {}", to_try(hint), ranks(&step.ranks)),
    }
}

fn to_try(hint: DrillDownHint) -> &'static str {
    match hint {
        DrillDownHint::FuseAllReduces => "try: fuse small all-reduces (all_reduce_fusion_config)",
        DrillDownHint::CutAlike => "try: cut operators that follow each other alike",
    }
}

fn words(metric: DrillDownMetric) -> &'static str {
    match metric {
        DrillDownMetric::Own => "own time, most",
        DrillDownMetric::IterationInterval => "interval between iterations, most",
        DrillDownMetric::ForwardAndBackward => "forward and backward, most",
        DrillDownMetric::Tail => "tail, most",
        DrillDownMetric::Compute => "compute, most",
        DrillDownMetric::ExposedWithoutReceiving => "exposed communication without receiving, most",
        DrillDownMetric::CollectiveParts => "time of collectives",
        DrillDownMetric::BusBandwidth => "bus bandwidth, least",
        DrillDownMetric::StageTime => "time of stages without receiving, most",
        DrillDownMetric::StageFlops => "FLOPs of stages, most",
        DrillDownMetric::StageCompute => "compute of stages, most",
        DrillDownMetric::ComputeInStage => "compute, most",
        DrillDownMetric::ExposedInStage => "exposed communication without receiving, most",
        DrillDownMetric::ReceiveAlone => "waiting for other stages, most",
        DrillDownMetric::LinkBandwidth => "rate of links, least",
    }
}

fn rule_words(rule: OutlierRule) -> &'static str {
    match rule {
        OutlierRule::BeyondSpread => "beyond the spread of the others",
        OutlierRule::LargerOfTwo => "the larger of two",
        OutlierRule::FifthFromMean => "worse than the mean by more than a fifth",
        OutlierRule::FifthAboveOthers => "more than a fifth above the others",
        OutlierRule::BelowFourFifths => "below four fifths of the others",
    }
}

fn whom(metric: DrillDownMetric, list: &[u64]) -> String {
    match (metric, list) {
        (DrillDownMetric::LinkBandwidth, [from, to]) => format!("{from} → {to}"),
        (_, [one]) => format!("rank {one}"),
        _ => format!("ranks {}", ranks(list)),
    }
}

fn why(cause: StragglerCause) -> &'static str {
    match cause {
        StragglerCause::Compute => "cause: its device works longer",
        StragglerCause::MoreKernels => "cause: it runs more kernels",
        StragglerCause::LongerKernels => "cause: its kernels take longer",
        StragglerCause::Data => "cause: it waits for data",
        StragglerCause::Host => "cause: its device waits for the host",
        StragglerCause::Link => "cause: it has less bandwidth than others of its kind",
        StragglerCause::Stage => "cause: it has more to do than the other stages",
    }
}

fn said(name: &str, number: DrillDownNumber) -> String {
    let name = match name {
        "last_in" => "last in collectives".to_owned(),
        // So many of so many.
        "voted" => "of".to_owned(),
        "gain_together" => "joint gain".to_owned(),
        "waiting" => "including waiting for others".to_owned(),
        "waiting_known" => "waiting for others known for".to_owned(),
        "compared" => "ranks compared".to_owned(),
        "matched" => "collectives found on several ranks".to_owned(),
        "collectives" => "collectives in all".to_owned(),
        "wait" => "waiting for others".to_owned(),
        "reduce" => "reducing, of the time with known tasks".to_owned(),
        "exposed_time" => "exposed".to_owned(),
        "share_of_step" => "share of its step".to_owned(),
        "tasks_known" => "tasks known for".to_owned(),
        "long" => "ranks with a long interval".to_owned(),
        "share_of_active" => "of the time of computing and exposed communication".to_owned(),
        "above_mean" => "above the mean of the stages".to_owned(),
        "only_tables" => "ranks with their profiler's tables alone".to_owned(),
        "not_averaged" => "not in the averages".to_owned(),
        "period" => "time from step to step (base of the shares)".to_owned(),
        _ => name.replace('_', " "),
    };
    match number {
        DrillDownNumber::Time(time) => format!("{name} {}", duration(time)),
        DrillDownNumber::Flops(flops) => {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "operations, no fewer than none"
            )]
            let flops = flops.round() as u64;
            format!("{name} {}", amount_of_flops(flops))
        }
        DrillDownNumber::Rate(rate) => format!("{name} {}", gigabytes_per_second(Some(rate / 1e9))),
        DrillDownNumber::Share(share) if name == "by" => percent_change(Some(share)),
        DrillDownNumber::Share(share) => format!("{name} {}", percent(share)),
        DrillDownNumber::Count(value) => format!("{name} {}", count(value)),
    }
}

/// The option that shows more: for a cause, and for a deviation without one, since one command prints all tables of a
/// job.
fn to_see(step: &DrillDownStep) -> Option<String> {
    let is_last = match step.kind {
        DrillDownKind::Cause(_) | DrillDownKind::Hint(_) => true,
        DrillDownKind::Metric(metric) => step.off && metric.is_judged_alone(),
        _ => false,
    };
    if !is_last {
        return None;
    }
    let table = match step.look {
        DrillDownLook::Kernels => "kernels",
        DrillDownLook::Pipeline => "pipeline",
        DrillDownLook::Idle => "idle",
        _ => "job",
    };
    Some(format!("see --by {table}{}", of_rank(step)))
}

/// The rank of a table, for tables of a single rank.
fn of_rank(step: &DrillDownStep) -> String {
    match (step.look, step.ranks.as_slice()) {
        (DrillDownLook::Kernels | DrillDownLook::Pipeline | DrillDownLook::Idle, [first, ..]) => {
            format!(" of rank {first}")
        }
        _ => String::new(),
    }
}
