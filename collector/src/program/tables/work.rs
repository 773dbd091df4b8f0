//! What was done: operators, kernels, copies.

use std::borrow::Cow;

use stepscope::analyze::{
    KernelContext, KernelTable, LeftOut, OperatorsAre, PerStep, StepChoice, StepTables, Vendor, copy_use, mean,
    step_tables,
};
use stepscope::present::UnitNames;
use stepscope::present::text::{bytes, count, covered, duration, gigabytes_per_second, number, percent};
use stepscope::table::Table;
use stepscope::{Nanos, Rank};

use crate::grid::{Grid, Look, printable};

/// The tables of a step, of the average step, or of the whole trace.
fn tables(rank: &Rank, choice: StepChoice) -> StepTables {
    step_tables(&rank.trace, &rank.analysis, choice, rank.analysis.operators_config)
}

fn titled(title: &str, rank: &Rank, found: &StepTables) -> String {
    titled_of(title, rank, found.choice)
}

/// A title with what the table is about; sums over the whole trace say so where there are steps that could be meant.
pub(super) fn titled_of(title: &str, rank: &Rank, choice: StepChoice) -> String {
    let steps = &rank.analysis.steps;
    let of: Cow<'_, str> = match choice {
        StepChoice::Average if choice.divisor(steps) == 1 => "per step, of 1 step".into(),
        StepChoice::Average => format!("per step, average of {} steps", count(choice.divisor(steps))).into(),
        StepChoice::One(step) => steps.steps.get(step).map_or("", |step| &step.name).into(),
        StepChoice::Whole if steps.source.is_marked() => "whole trace".into(),
        StepChoice::Whole => return title.to_owned(),
    };
    match choice {
        StepChoice::One(_) => format!("{title}, step {}", printable(&of)),
        StepChoice::Average | StepChoice::Whole => format!("{title}, {of}"),
    }
}

/// What averages leave out, a line each.
fn left_out(found: &StepTables, sums: impl Fn(&LeftOut) -> (u64, String)) -> String {
    let lines = found.left_out.iter().map(|left| (left.steps, sums(left))).filter(|(_, (calls, _))| *calls > 0);
    let lines = lines.map(|(steps, (_, sums))| match steps {
        0 => format!("outside of all steps: {sums}\n"),
        1 => format!("in 1 step that is not averaged: {sums}\n"),
        _ => format!("in {} steps that are not averaged: {sums}\n", count(steps)),
    });
    lines.collect()
}

/// Sums per step.
#[derive(Clone, Copy)]
pub(super) struct Per(pub(super) u64);

impl Per {
    pub(super) fn time(self, sum: Nanos) -> String {
        duration(mean(sum, self.0.max(1)))
    }

    #[expect(clippy::cast_precision_loss, reason = "a mean for display")]
    pub(super) fn count(self, sum: u64) -> String {
        if sum.is_multiple_of(self.0.max(1)) { count(sum / self.0.max(1)) } else { number(sum as f64 / self.0 as f64) }
    }
}

pub(super) fn operators(rank: &Rank, choice: StepChoice, look: Look, top: usize) -> String {
    let found = tables(rank, choice);
    let per = Per(found.divisor);
    let (title, head) = match found.operators.are {
        OperatorsAre::Operators => ("Operators", "operator"),
        OperatorsAre::Slices => ("Slices", "slice"),
    };
    let heads = [head, "calls", "device\ntotal", "device\nself", "host\ntotal", "host\nself", "host\nmean"];
    let strings = &rank.trace.strings;
    let rows = found.operators.rows.iter().map(|row| {
        let mut name = row.name.clone();
        for detail in [row.shapes, row.types] {
            if !strings.get(detail).is_empty() {
                name = format!("{name} {}", strings.get(detail));
            }
        }
        if let Some(frame) = row.stack.last() {
            name = format!("{name} at {}", strings.get(*frame));
        }
        if let Some(track) = row.thread.get() {
            name = format!("{name} on {}", rank.trace.place_label(&rank.trace.tracks[track.index()]));
        }
        vec![
            name,
            per.count(row.calls),
            per.time(row.device_total),
            per.time(row.device_self),
            per.time(row.host_total),
            per.time(row.host_self),
            duration(row.host_mean()),
        ]
    });
    let rows = Grid::new(&titled(title, rank, &found), heads, rows).to_text(look, top);
    rows + &left_out(&found, |LeftOut { sums, .. }| {
        let (host, device) = (duration(sums.host_self), duration(sums.device_self));
        (sums.operator_calls, format!("{} calls, {host} on the host, {device} on devices", count(sums.operator_calls)))
    })
}

pub(super) fn kernels(rank: &Rank, choice: StepChoice, look: Look, top: usize) -> String {
    let found = tables(rank, choice);
    let context = KernelContext { trace: &rank.trace, per: PerStep(found.divisor) };
    let table = Table::of::<KernelTable>(&found.kernels, &context);
    let units = UnitNames::of(Vendor::of_trace(&rank.trace));
    let rows = Grid::of(&titled("Kernels", rank, &found), &table, units).to_text(look, top);
    rows + &left_out(&found, |LeftOut { sums, .. }| {
        (sums.kernels, format!("{} kernels, {}", count(sums.kernels), duration(sums.kernel_time)))
    })
}

pub(super) fn copies(rank: &Rank, choice: StepChoice, look: Look, top: usize) -> String {
    let found = tables(rank, choice);
    let per = Per(found.divisor);
    let heads = ["copy or set", "calls", "total", "mean", "min", "max", "bytes", "rate", "of peak"];
    let rows = found.copies.iter().map(|row| {
        vec![
            rank.trace.strings.get(row.name).to_owned(),
            per.count(row.time.calls),
            per.time(row.time.total),
            duration(row.time.mean),
            duration(row.time.min),
            duration(row.time.max),
            if row.calls_with_bytes > 0 { bytes(row.bytes / per.0.max(1)) } else { "–".to_owned() },
            covered(row.rate(), |rate| gigabytes_per_second(Some(rate))),
            covered(copy_use(&rank.trace, row, &rank.analysis.peaks).map(|used| used.share), percent),
        ]
    });
    let rows = Grid::new(&titled("Copies and sets", rank, &found), heads, rows).to_text(look, top);
    rows + &left_out(&found, |LeftOut { sums, .. }| {
        let (calls, bytes) = (count(sums.copies), bytes(sums.copy_bytes));
        (sums.copies, format!("{calls} copies and sets, {}, {bytes}", duration(sums.copy_time)))
    })
}
