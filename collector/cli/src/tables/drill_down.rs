//! The drill-down from a job to a cause.

use stepscope::analyze::{
    DrillDownKind, DrillDownLook, DrillDownMetric, DrillDownNumber, DrillDownStep, Job, drill_down as drill_down_of,
};
use stepscope::export::report_json::job_text;
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
        facts.extend(step.numbers.iter().map(|(name, number)| number_text(name, *number)));
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
        DrillDownKind::Entry => job_text("drill_down.entry").to_owned(),
        DrillDownKind::Parallel(kind) => {
            let source = step.source.map(|source| format!(" ({})", known(source))).unwrap_or_default();
            format!("{} parallel{source}", kind.name())
        }
        DrillDownKind::Metric(metric) => {
            let (key, stage) = match step.stage {
                Some(stage) => ("drill_down.metric.in_stage", stage.to_string()),
                None => ("drill_down.metric", String::new()),
            };
            let name = format!("drill_down.metric.{}", metric.name());
            said(key, &[("stage", &stage), ("metric", job_text(&name)), ("of", &whom(Some(metric), &step.ranks))])
        }
        DrillDownKind::Place(found) => {
            let rule = step
                .rule
                .map(|rule| format!(" ({})", job_text(&format!("ranks.rule.{}", rule.name()))))
                .unwrap_or_default();
            format!("{}{rule}", place(job, found))
        }
        DrillDownKind::Cause(cause) => {
            said("drill_down.cause", &[("cause", job_text(&format!("ranks.cause.{}", cause.name())))])
        }
        DrillDownKind::Hint(hint) => {
            let of = whom(None, &step.ranks);
            said(&format!("drill_down.hint.{}", hint.name()), &[("of", &of)])
        }
    }
}

/// A text with its blanks filled in.
fn said(key: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(job_text(key).to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

fn whom(metric: Option<DrillDownMetric>, list: &[u64]) -> String {
    match (metric, list) {
        (Some(DrillDownMetric::LinkBandwidth), [from, to]) => format!("{from} → {to}"),
        (_, [one]) => format!("rank {one}"),
        _ => format!("ranks {}", ranks(list)),
    }
}

fn number_text(name: &str, number: DrillDownNumber) -> String {
    let is_change = name == "by";
    let key = format!("drill_down.number.{name}");
    let name = job_text(&key);
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
        DrillDownNumber::Share(share) if is_change => percent_change(Some(share)),
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
