//! `stepscope summary --by TABLE -o FILE.csv`: a table with all its columns, as CSV.

use std::io::Write;
use std::path::Path;

use clap::ValueEnum;
use stepscope::Rank;
use stepscope::analyze::{AnalysisConfig, StepChoice};
use stepscope::export::report_json::{ReportRequest, answer, request};
use stepscope::present::csv::{csv, rows_of};

use crate::args::{SummaryOptions, Table};
use crate::open;
use crate::result::Result;
use crate::written::beside_first;

/// The table's key in its report; `None` for a table without a description.
fn described(table: Table) -> Option<&'static str> {
    match table {
        Table::Operators => Some("operators"),
        Table::Kernels => Some("kernels"),
        Table::Copies => Some("copies"),
        Table::KernelUse => Some("kernel_use.kernels"),
        _ => None,
    }
}

/// The report that contains the table.
fn asked(options: &SummaryOptions, choice: Option<StepChoice>) -> ReportRequest {
    let named = |value: clap::builder::PossibleValue| value.get_name().to_owned();
    let step = if let Some(StepChoice::One(step)) = choice { Some(step) } else { None };
    let average = choice == Some(StepChoice::Average);
    if options.by == Some(Table::KernelUse) {
        let kernel_grouping = options.group_kernels.to_possible_value().map(named).unwrap_or_default();
        return ReportRequest::KernelUse(request::KernelUse { step, average, kernel_grouping });
    }
    let grouping = options.group.to_possible_value().map(named).unwrap_or_default();
    ReportRequest::Selection(request::Selection { step, average, grouping, merge: options.merge_same_name })
}

/// Writes the chosen table of all ranks. Each row has its rank and that rank's file.
pub(crate) fn write(
    options: &SummaryOptions,
    config: &AnalysisConfig,
    path: &Path,
    mut see: impl FnMut(&Rank),
) -> Result {
    let wanted = options.by.and_then(described);
    let Some(id) = wanted else {
        return Err("--output writes the tables operators, kernels, kernel-use and copies".to_owned());
    };
    if path.extension().is_none_or(|ending| ending != "csv") {
        return Err(format!("{}: the name of a CSV file ends in .csv", path.display()));
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    open::each_rank(&options.input, config, |rank| {
        see(&rank);
        let choice = options.step.as_ref().map(|name| StepChoice::named(name, &rank.analysis.steps));
        let tables = answer(&rank, &asked(options, choice)).map(|answer| answer.tables).unwrap_or_default();
        let Some(table) = tables.into_iter().find(|table| table.id == id) else { return };
        let mut of_rank = rows_of(&table).into_iter();
        let head = of_rank.next().unwrap_or_default();
        if rows.is_empty() {
            rows.push(["input", "rank"].map(str::to_owned).into_iter().chain(head).collect());
        }
        let number = rank.rank.map(|rank| rank.to_string()).unwrap_or_default();
        let whose = [rank.file.clone(), number];
        let of_rank = of_rank.take(options.top.filter(|top| *top > 0).unwrap_or(usize::MAX));
        rows.extend(of_rank.map(|row| whose.iter().cloned().chain(row).collect()));
    })?;
    let text = csv(&rows);
    beside_first(path, |file| file.write_all(&text))
}
