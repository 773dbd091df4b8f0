//! The walk from a job to a cause.

use stepscope::analyze::{
    Job, OutlierRule, StragglerCause, WalkKind, WalkLook, WalkMetric, WalkNumber, WalkStep, walk as walk_of,
};
use stepscope::present::text::{count, duration, gigabytes_per_second, percent, percent_change};

use super::job::{known, place, ranks, verdict};
use crate::grid::Look;

/// Each step on a line of its own, below the one that it follows from.
pub(crate) fn walk(job: &Job, look: Look) -> String {
    let mut text = format!("{}\n", look.title("From the job to a cause"));
    let steps = walk_of(job);
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

/// Whether it is off, for those who look down the lines.
fn mark(step: &WalkStep) -> &'static str {
    if step.off { "!" } else { "·" }
}

fn head(job: &Job, step: &WalkStep) -> String {
    match step.kind {
        WalkKind::Entry => "the job".to_owned(),
        WalkKind::Parallel(kind) => {
            let source = step.source.map(|source| format!(" ({})", known(source))).unwrap_or_default();
            format!("{} parallel{source}", kind.name())
        }
        WalkKind::Metric(metric) => format!("{} of {}", words(metric), whom(metric, &step.ranks)),
        WalkKind::Place(found) => {
            let rule = step.rule.map(|rule| format!(" ({})", rule_words(rule))).unwrap_or_default();
            format!("{}{rule}", place(job, found))
        }
        WalkKind::Cause(cause) => why(cause).to_owned(),
    }
}

fn words(metric: WalkMetric) -> &'static str {
    match metric {
        WalkMetric::Own => "own time, most",
        WalkMetric::IterationInterval => "interval between iterations, most",
        WalkMetric::ForwardAndBackward => "forward and backward, most",
        WalkMetric::Tail => "tail, most",
        WalkMetric::Compute => "compute, most",
        WalkMetric::ExposedWithoutReceiving => "exposed communication without receiving, most",
        WalkMetric::BusBandwidth => "bus bandwidth, least",
        WalkMetric::StageCompute => "compute of stages, most",
        WalkMetric::ReceiveAlone => "waiting for other stages, most",
        WalkMetric::LinkBandwidth => "rate of links, least",
    }
}

fn rule_words(rule: OutlierRule) -> &'static str {
    match rule {
        OutlierRule::BeyondSpread => "beyond the spread of the others",
        OutlierRule::LargerOfTwo => "the larger of two",
        OutlierRule::FifthFromMean => "more than a fifth from the mean",
        OutlierRule::FifthAboveOthers => "more than a fifth above the others",
        OutlierRule::BelowFourFifths => "below four fifths of the others",
    }
}

fn whom(metric: WalkMetric, list: &[u64]) -> String {
    match (metric, list) {
        (WalkMetric::LinkBandwidth, [from, to]) => format!("{from} → {to}"),
        (_, [one]) => format!("rank {one}"),
        _ => format!("ranks {}", ranks(list)),
    }
}

fn why(cause: StragglerCause) -> &'static str {
    match cause {
        StragglerCause::Compute => "cause: its device works longer",
        StragglerCause::Data => "cause: it waits for data",
        StragglerCause::Host => "cause: its device waits for the host",
        StragglerCause::Link => "cause: it has less bandwidth than others of its kind",
        StragglerCause::Stage => "cause: it has more to do than the other stages",
    }
}

fn said(name: &str, number: WalkNumber) -> String {
    let name = match name {
        "last_in" => "last in collectives".to_owned(),
        // So many of so many.
        "voted" => "of".to_owned(),
        "gain_together" => "joint gain".to_owned(),
        "waiting" => "including waiting for others".to_owned(),
        "waiting_known" => "waiting for others known for".to_owned(),
        "compared" => "ranks compared".to_owned(),
        "matched" => "collectives matched".to_owned(),
        // So many of so many.
        "collectives" => "of".to_owned(),
        "only_tables" => "ranks with their profiler's tables alone".to_owned(),
        "not_averaged" => "not in the averages".to_owned(),
        "period" => "time from step to step (base of the shares)".to_owned(),
        _ => name.replace('_', " "),
    };
    match number {
        WalkNumber::Time(time) => format!("{name} {}", duration(time)),
        WalkNumber::Rate(rate) => format!("{name} {}", gigabytes_per_second(Some(rate / 1e9))),
        WalkNumber::Share(share) if name == "by" => percent_change(Some(share)),
        WalkNumber::Share(share) => format!("{name} {}", percent(share)),
        WalkNumber::Count(value) => format!("{name} {}", count(value)),
    }
}

/// Where there is more to see: of a cause, and of what is off without one, since the tables of a job are printed by one command.
fn to_see(step: &WalkStep) -> Option<String> {
    let is_last = match step.kind {
        WalkKind::Cause(_) => true,
        WalkKind::Metric(metric) => step.off && metric == WalkMetric::ExposedWithoutReceiving,
        _ => false,
    };
    if !is_last {
        return None;
    }
    let table = match step.look {
        WalkLook::Kernels => "kernels",
        WalkLook::Pipeline => "pipeline",
        WalkLook::Idle => "idle",
        _ => "job",
    };
    Some(format!("see --by {table}{}", of_rank(step)))
}

/// Whose table it is, where a rank has one.
fn of_rank(step: &WalkStep) -> String {
    match (step.look, step.ranks.as_slice()) {
        (WalkLook::Kernels | WalkLook::Pipeline | WalkLook::Idle, [first, ..]) => format!(" of rank {first}"),
        _ => String::new(),
    }
}
