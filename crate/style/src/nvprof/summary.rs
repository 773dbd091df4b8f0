//! Totals by name.

use super::number::{Unit, time};
use super::{NvprofStyle, heading, sign};
use stepscope_analyze::{NvprofSummary, Statistics};
use stepscope_base::Nanos;
use stepscope_present::csv::quoted;
use stepscope_trace::{Cell, RecordedTable, Trace};

/// A row, computed or recorded.
struct SummaryRow {
    kind: &'static str,
    share: f64,
    total: Nanos,
    calls: i64,
    mean: Nanos,
    min: Nanos,
    max: Nanos,
    name: String,
}

/// The kind of rows of devices.
const ACTIVITIES: &str = "GPU activities";

/// The kinds of rows, by their recorded table.
const KINDS: [(&str, &str); 4] = [
    ("gpu_activities", ACTIVITIES),
    ("api_calls", "API calls"),
    ("openacc", "OpenACC (excl)"),
    ("other_activities", "Other"),
];

/// nvprof's summary, computed from the events; for a file without events, the recorded one.
#[must_use]
pub fn summary(trace: &Trace, report: &NvprofSummary, style: NvprofStyle) -> String {
    let mut text = String::new();
    if report.activities.is_empty() && report.calls.is_empty() {
        for process in processes(trace) {
            text += &table(trace, process, &recorded(trace, process), style);
        }
        return text;
    }
    let rows: Vec<SummaryRow> =
        counted(KINDS[0].1, &report.activities).chain(counted(KINDS[1].1, &report.calls)).collect();
    table(trace, None, &rows, style)
}

fn counted<'a>(kind: &'static str, rows: &'a [(String, Statistics)]) -> impl Iterator<Item = SummaryRow> + use<'a> {
    let whole: Nanos = rows.iter().map(|(_, time)| time.total).sum();
    rows.iter().map(move |(name, time)| SummaryRow {
        kind,
        share: time.total.ratio_of(whole).unwrap_or(0.0),
        total: time.total,
        calls: i64::try_from(time.calls).unwrap_or(i64::MAX),
        mean: time.mean,
        min: time.min,
        max: time.max,
        name: name.clone(),
    })
}

fn tables(trace: &Trace) -> impl Iterator<Item = (&'static str, &RecordedTable)> {
    KINDS.into_iter().flat_map(|(id, kind)| trace.recorded_as(id).map(move |table| (kind, table)))
}

fn process_of(table: &RecordedTable, row: &[Cell]) -> Option<i64> {
    table.cell(row, "process").nanos().map(|process| process.0)
}

/// The processes with summaries in a file, in their order.
fn processes(trace: &Trace) -> Vec<Option<i64>> {
    let mut found = Vec::new();
    for (_, table) in tables(trace) {
        for process in table.rows.iter().map(|row| process_of(table, row)) {
            if !found.contains(&process) {
                found.push(process);
            }
        }
    }
    found
}

fn recorded(trace: &Trace, process: Option<i64>) -> Vec<SummaryRow> {
    let of_table = |(kind, table): (&'static str, &RecordedTable)| -> Vec<SummaryRow> {
        let rows = table.rows.iter().filter(|row| process_of(table, row) == process);
        let row = |row: &Vec<Cell>| {
            let time = |name: &str| table.cell(row, name).nanos().unwrap_or_default();
            SummaryRow {
                kind,
                share: table.cell(row, "share").number().unwrap_or(0.0),
                total: time("total"),
                calls: time("calls").0,
                mean: time("average"),
                min: time("min"),
                max: time("max"),
                name: table.cell(row, "name").text().unwrap_or_default().to_owned(),
            }
        };
        rows.map(row).collect()
    };
    tables(trace).flat_map(of_table).collect()
}

fn table(trace: &Trace, process: Option<i64>, rows: &[SummaryRow], style: NvprofStyle) -> String {
    let head = heading(trace, process, style);
    if rows.is_empty() {
        return format!("{head}No kernels were profiled.\nNo API activities were profiled.\n");
    }
    if style.before_9 {
        return head + &parts(process, rows, style);
    }
    if style.csv { head + &csv(rows, style) } else { head + &columns(rows, style) }
}

/// The tables of CUDA 5 to 8: each kind has its own, and all but the first have a heading.
fn parts(process: Option<i64>, rows: &[SummaryRow], style: NvprofStyle) -> String {
    let part = |rows: &[SummaryRow]| {
        let heading = match rows.first().map(|row| row.kind) {
            None | Some(ACTIVITIES) => String::new(),
            Some(kind) => format!("\n{}{kind}:\n", sign(process)),
        };
        heading + &if style.csv { csv(rows, style) } else { columns_of_part(rows, style) }
    };
    rows.chunk_by(|a, b| a.kind == b.kind).map(part).collect()
}

fn columns_of_part(rows: &[SummaryRow], style: NvprofStyle) -> String {
    let mut text = "Time(%)     Time     Calls       Avg       Min       Max  Name\n".to_owned();
    for row in rows {
        let times = [row.mean, row.min, row.max].map(|length| format!("{:>8}", time(length, style.unit))).join("  ");
        let (share, total) = (format!("{:.2}%", row.share * 100.0), time(row.total, style.unit));
        text += &format!("{share:6}  {total:>8}  {:>8}  {times}  {}\n", row.calls, row.name);
    }
    text
}

fn columns(rows: &[SummaryRow], style: NvprofStyle) -> String {
    let mut text = "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n".to_owned();
    let mut kind = "";
    for row in rows {
        // Only the first row of a kind has it.
        let label = if row.kind == kind { String::new() } else { format!("{}:", row.kind) };
        kind = row.kind;
        let times = [row.mean, row.min, row.max].map(|length| format!("{:>8}", time(length, style.unit))).join("  ");
        let (share, total) = (row.share * 100.0, time(row.total, style.unit));
        text += &format!("{label:>16}  {share:>6.2}%  {total:>8}  {:>8}  {times}  {}\n", row.calls, row.name);
    }
    text
}

fn csv(rows: &[SummaryRow], style: NvprofStyle) -> String {
    let unit = |of: fn(&SummaryRow) -> Nanos| match style.unit {
        Some(unit) => Unit::Time(unit),
        None => Unit::of_times(rows.iter().map(of)),
    };
    let columns: [fn(&SummaryRow) -> Nanos; 4] = [|row| row.total, |row| row.mean, |row| row.min, |row| row.max];
    let units = columns.map(unit);
    let symbols = units.map(Unit::symbol);
    let kinds = !style.before_9;
    let mut text = if kinds { "\"Type\"," } else { "" }.to_owned();
    text += "\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n";
    text += if kinds { "," } else { "" };
    text += &format!("%,{},,{},{},{},\n", symbols[0], symbols[1], symbols[2], symbols[3]);
    for row in rows {
        #[expect(clippy::cast_precision_loss, reason = "six decimals are shown")]
        let cell = |column: usize| format!("{:.6}", units[column].of(columns[column](row).0 as f64));
        let times = [cell(1), cell(2), cell(3)].join(",");
        let (share, name) = (row.share * 100.0, quoted(&row.name));
        let kind = if kinds { quoted(row.kind) + "," } else { String::new() };
        text += &format!("{kind}{share:.6},{},{},{times},{name}\n", cell(0), row.calls);
    }
    text
}
