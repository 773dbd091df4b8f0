//! Composition of the average step's time.

use stepscope::analyze::{BudgetCause, CauseKind, StepSource, overview};
use stepscope::present::text::{
    NOT_RECORDED, UNKNOWN_AT_START, busy_outside_steps, count, duration, outside_of_step, percent, whole_step_span,
};
use stepscope::{Nanos, Rank};

use crate::grid::printable;

pub(super) const NO_STEP: &str = "no complete step to average";

/// The contents of a rank without a timeline.
pub(super) fn only_tables(rank: &Rank) -> String {
    format!("no timeline: {}", profilers_tables(rank))
}

/// The profiler's own tables: their number and names.
pub(super) fn profilers_tables(rank: &Rank) -> String {
    /// Tables that are named.
    const NAMED: usize = 4;
    let tables: Vec<&str> = rank.trace.recorded.iter().map(|table| table.id).collect();
    let more = if tables.len() > NAMED { ", …" } else { "" };
    let named = tables[..tables.len().min(NAMED)].join(", ");
    format!("{} of the profiler's own tables ({named}{more})", count(tables.len() as u64))
}

/// Composition of the average step's time.
pub(super) fn verdict(rank: &Rank) -> Vec<String> {
    let average = &rank.analysis.average;
    let steps = average.steps;
    if steps == 0 {
        return vec![if rank.trace.has_events() { NO_STEP.to_owned() } else { only_tables(rank) }];
    }
    let found = overview(&rank.analysis, None);
    let [step, parts @ ..] = found.tiles;
    // Shares are of the rest of the step.
    let early =
        (found.before_first > Nanos::ZERO).then(|| format!("{UNKNOWN_AT_START} for {}", duration(found.before_first)));
    let lost = (found.uncovered > Nanos::ZERO).then(|| format!("{NOT_RECORDED} for {}", duration(found.uncovered)));
    let early: Vec<String> = early.into_iter().chain(lost).collect();
    let mut of_rest = if !early.is_empty() { "of the rest: " } else { "" };
    // A missing share has no base: no device, or no time.
    let parts = parts.iter().filter_map(|tile| {
        let share = percent(tile.share?);
        let text = format!(
            "{of_rest}{} {} ({share})",
            tile_name(tile.name, !rank.trace.activities.is_empty()),
            duration(tile.time)
        );
        of_rest = "";
        let late = found.start_late;
        Some(match tile.name {
            "idle" if late.0.saturating_mul(10) > tile.time.0 => {
                format!(
                    "{text}; in {} of that, launched work starts late and the host is not the cause",
                    duration(late)
                )
            }
            "data_wait" if !rank.trace.activities.is_empty() => text + &host_waits(rank, (tile.time, tile.share?)),
            _ => text,
        })
    });
    let on_host = host_communication(rank)
        .map(|(time, share)| format!("{HOST_COMMUNICATION} {} ({})", duration(time), percent(share)));
    let parts = parts.chain(on_host);
    if let Some(whole) = rank.analysis.whole_step {
        let length = format!("no steps marked: {}, {}", whole_step_span(whole.span.name()), duration(step.time));
        let outside = outside_of_step(whole.outside, whole.busy_outside);
        return std::iter::once(length).chain(early).chain(parts).chain(outside).collect();
    }
    let of = if steps == 1 && found.unrecorded > Nanos::ZERO {
        "recorded part of the step:".to_owned()
    } else if steps == 1 {
        "step of".to_owned()
    } else {
        let found =
            if rank.analysis.steps.source == StepSource::RepeatingOperators { " by repeating operators" } else { "" };
        format!("average of {} steps{found}:", count(steps))
    };
    let length = match (rank.analysis.steps.source, average.covered_steps) {
        (StepSource::Operator, _) => format!("{of} {}, by the named operator", duration(step.time)),
        (StepSource::Table, _) => format!("{of} {}, by the profiler's table of steps", duration(step.time)),
        (_, covered) if covered < steps => {
            format!("{of} {}; of the {} that the timeline shows", duration(step.time), count(covered))
        }
        _ if rank.analysis.average_is_recorded() => {
            format!("{of} {}, by the average that the profiler recorded", duration(step.time))
        }
        _ => format!("{of} {}", duration(step.time)),
    };
    let unrecorded = (found.unrecorded > Nanos::ZERO).then(|| format!("{} not recorded", duration(found.unrecorded)));
    let name = |step: usize| rank.analysis.steps.steps.get(step).map_or("", |step| &step.name);
    let spread = found.spread.map(|spread| {
        let longest = format!("step {} took {}", printable(name(spread.longest)), duration(spread.length));
        format!("{longest}, the median step {}", duration(spread.median))
    });
    let between = (found.between > Nanos::ZERO).then(|| format!("{} between steps", duration(found.between)));
    let outside = rank.analysis.outside_steps.map(|outside| busy_outside_steps(outside.busy));
    std::iter::once(length)
        .chain(unrecorded)
        .chain(spread)
        .chain(between)
        .chain(early)
        .chain(parts)
        .chain(outside)
        .collect()
}

/// A tile's name in a sentence. That of data names the measured time: the budget has its later costs, too. Without a
/// device, nothing is known to idle.
fn tile_name(name: &str, has_devices: bool) -> String {
    match name {
        "data_wait" if has_devices => "idle in data loading".to_owned(),
        "data_wait" => "data loading".to_owned(),
        _ => name.replace('_', " "),
    }
}

/// The time in which the host waits for data, where a device idles in a part of it only; and what the budget, which has
/// the first sentence, counts: the idle time that follows, too.
fn host_waits(rank: &Rank, (idle, idle_share): (Nanos, f64)) -> String {
    /// The least part of the step that a difference is worth a word.
    const WORTH: f64 = 0.01;
    let waits = rank.analysis.average.data_wait;
    let waits = if duration(waits) == duration(idle) {
        String::new()
    } else {
        format!(" of {} that the host waits", duration(waits))
    };
    let causes = rank.step_budget().map(|budget| budget.causes.as_slice()).unwrap_or_default();
    let is_longer = |cause: &&BudgetCause| cause.share >= idle_share + WORTH;
    let lost = causes.iter().find(|cause| cause.kind == CauseKind::DataPipeline).filter(is_longer);
    let lost =
        lost.map(|cause| format!(", with the idle time after it {} ({})", duration(cause.score), percent(cause.share)));
    waits + &lost.unwrap_or_default()
}

/// Name of the hosts' communication if nothing shows whether anything computes at the same time.
const HOST_COMMUNICATION: &str = "communication on the host";

/// The time of that communication, and its share of the step; `None` without any.
fn host_communication(rank: &Rank) -> Option<(Nanos, f64)> {
    let found = overview(&rank.analysis, None);
    let time = Some(found.host_communication).filter(|time| *time > Nanos::ZERO)?;
    Some((time, time.ratio_of(found.tiles[0].time)?))
}
