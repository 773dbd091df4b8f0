//! Tables of work: operators, kernels, memcpys.

use std::borrow::Cow;

use stepscope::Rank;
use stepscope::analyze::{
    CopyContext, CopyTable, KernelContext, KernelFamilyTable, KernelTable, LeftOut, OperatorContext, OperatorRow,
    OperatorTable, OperatorsAre, PerStep, StepChoice, StepTables, Vendor, step_tables,
};
use stepscope::present::UnitNames;
use stepscope::present::text::{bytes, count, duration};
use stepscope::table::messages::title;
use stepscope::table::{Table, View};
use stepscope::trace::Class;

use crate::grid::{Grid, Look, printable};

/// The tables of a step, of the average step, or of the whole trace.
fn tables(rank: &Rank, choice: StepChoice) -> StepTables {
    step_tables(&rank.trace, &rank.analysis, choice, rank.analysis.operators_config)
}

fn titled(title: &str, rank: &Rank, found: &StepTables) -> String {
    titled_of(title, rank, found.choice)
}

/// A title with the subject of the table; sums over the whole trace are marked if there are steps.
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

/// Work that averages leave out, a line each.
fn left_out(found: &StepTables, sums: impl Fn(&LeftOut) -> (u64, String)) -> String {
    let lines = found.left_out.iter().map(|left| (left.steps, sums(left))).filter(|(_, (calls, _))| *calls > 0);
    let lines = lines.map(|(steps, (_, sums))| match steps {
        0 => format!("outside of all steps: {sums}\n"),
        1 => format!("in 1 step that is not averaged: {sums}\n"),
        _ => format!("in {} steps that are not averaged: {sums}\n", count(steps)),
    });
    lines.collect()
}

/// The names of the units of a rank's devices.
pub(crate) fn units(rank: &Rank) -> UnitNames {
    UnitNames::of(Vendor::of_trace(&rank.trace))
}

/// The table of operators, then that of ranges, which the program or its framework marked: METRICS sections 3 and 4
/// count these as containers of operators, not as operators.
pub(super) fn operators(rank: &Rank, choice: StepChoice, look: Look, (top, ranges): (usize, Option<usize>)) -> String {
    let found = tables(rank, choice);
    let context = OperatorContext { trace: &rank.trace, per: PerStep(found.divisor) };
    let has_device = !rank.analysis.devices.is_empty();
    let written = |title: &str, rows: &[OperatorRow], top: usize| {
        let table = Table::of::<OperatorTable>(rows, &context);
        let grid = Grid::of(&titled(title, rank, &found), &table, units(rank));
        // Without a device, zeros would claim that it was idle.
        grid.without(|head| !has_device && head.starts_with("device")).to_text(look, top)
    };
    let rows = match found.operators.are {
        OperatorsAre::Slices => written("Slices", &found.operators.rows, top),
        OperatorsAre::Operators => {
            let rows = found.operators.rows.iter().cloned();
            let (operators, marked): (Vec<_>, Vec<_>) = rows.partition(|row| row.class != Class::Annotation);
            let marked = ranges.map(|ranges| written("Ranges", &marked, ranges));
            written("Operators", &operators, top) + &marked.unwrap_or_default()
        }
    };
    rows + &left_out(&found, |LeftOut { sums, .. }| {
        let (host, device) = (duration(sums.host_self), duration(sums.device_self));
        (sums.operator_calls, format!("{} calls, {host} on the host, {device} on devices", count(sums.operator_calls)))
    })
}

pub(super) fn kernels(rank: &Rank, choice: StepChoice, look: Look, top: usize) -> String {
    let found = tables(rank, choice);
    let (trace, per) = (&rank.trace, PerStep(found.divisor));
    let context = KernelContext { trace, per };
    let families = Table::of::<KernelFamilyTable>(&found.families, &context);
    let families = Grid::of(&titled("Kernels by family", rank, &found), &families, units(rank)).to_text(look, 0);
    let table = Table::of::<KernelTable>(&found.kernels, &context);
    let rows = Grid::of(&titled("Kernels", rank, &found), &table, units(rank)).to_text(look, top);
    families
        + &rows
        + &left_out(&found, |LeftOut { sums, .. }| {
            (sums.kernels, format!("{} kernels, {}", count(sums.kernels), duration(sums.kernel_time)))
        })
}

pub(super) fn copies(rank: &Rank, choice: StepChoice, look: Look, top: usize) -> String {
    let found = tables(rank, choice);
    let context = CopyContext { trace: &rank.trace, peaks: &rank.analysis.peaks, per: PerStep(found.divisor) };
    let table = Table::of::<CopyTable>(&found.copies, &context);
    let rows = Grid::of(&titled("Copies and sets", rank, &found), &table, units(rank)).to_text(look, top);
    let left_out = left_out(&found, |LeftOut { sums, .. }| {
        let (calls, bytes) = (count(sums.copies), bytes(sums.copy_bytes));
        (sums.copies, format!("{calls} copies and sets, {}, {bytes}", duration(sums.copy_time)))
    });
    rows + &left_out
}

/// The tables that a view shows below its own.
pub(super) fn view_tables(rank: &Rank, view: View, choice: StepChoice, look: Look, top: usize) -> String {
    let steps = &rank.analysis.steps;
    let titled = |id: &str| {
        let choice = if choice.scope(steps).is_some() { choice } else { StepChoice::Whole };
        titled_of(title(id), rank, choice)
    };
    let tables = stepscope::analyze::view_tables(&rank.trace, &rank.analysis, choice, Some(view));
    tables.iter().map(|table| Grid::of(&titled(table.id), table, units(rank)).to_text(look, top)).collect()
}
