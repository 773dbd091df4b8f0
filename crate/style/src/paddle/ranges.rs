//! The tables with several times in a cell: model, operators, kernels, memory manipulation, user-defined ranges.

use super::number::ratio;
use super::options::{PaddleStyle, SortKey, unit_line};
use crate::Columns;
use stepscope_analyze::{MODEL, PaddleOperator, PaddleSummary, RangeTimes, Spread, Statistics};
use stepscope_base::{CompactSort, Nanos};
use stepscope_trace::{NameId, RawId, Trace};

const HOST: &str = "CPU Total / Avg / Max / Min / Ratio(%)";
const DEVICE: &str = "GPU Total / Avg / Max / Min / Ratio(%)";

/// The minimum widths of calls and of several times.
const CALLS: usize = 6;
const TIMES: usize = 40;

/// The width of operators' names; names of their parts are cut to it.
const OPERATOR: usize = 52;

/// The width of kernels' names.
const KERNEL: usize = 90;

/// Paddle's cell for no times on the host.
const NO_TIMES: &str = "- / - / - / - / -";

/// The times for a row's cells.
#[derive(Clone, Copy)]
struct Times {
    calls: u64,
    total: Nanos,
    max: Nanos,
    min: Nanos,
}

impl Times {
    fn of(spread: Spread, calls: u64) -> Self {
        Self { calls, total: spread.total, max: spread.max, min: spread.min }
    }

    fn of_statistics(found: &Statistics) -> Self {
        Self { calls: found.calls, total: found.total, max: found.max, min: found.min }
    }

    #[expect(clippy::cast_precision_loss, reason = "Paddle prints doubles")]
    fn mean(self) -> f64 {
        self.total.0 as f64 / self.calls.max(1) as f64
    }

    /// `total / mean / longest / shortest / ratio`.
    fn cell(self, style: &PaddleStyle, whole: Nanos) -> String {
        let mean = format!("{:.2}", self.mean() / style.unit.nanos());
        let times =
            [style.time(self.total), mean, style.time(self.max), style.time(self.min), ratio(self.total, whole)];
        times.join(" / ")
    }
}

/// A line of a table: a row, or the name of the thread before its rows.
enum Line {
    Thread(String),
    Row(Vec<String>),
}

fn rows(lines: &[Line]) -> impl Iterator<Item = &[String]> {
    lines.iter().filter_map(|line| match line {
        Line::Row(cells) => Some(cells.as_slice()),
        Line::Thread(_) => None,
    })
}

fn table(title: &str, heads: &[&str], columns: &Columns, style: &PaddleStyle, lines: &[Line]) -> String {
    let mut text = columns.title(title) + &unit_line(style) + &columns.rule();
    text += &columns.row(heads);
    text += &columns.rule();
    for line in lines {
        text += &match line {
            Line::Thread(thread) => columns.title(thread),
            Line::Row(cells) => columns.row(cells),
        };
    }
    text
}

const MODEL_NOTE: &str = "\
Note:
In this table, GPU time is the sum of all device(GPU) events called in the phase.
Unlike overview summary, if two device(GPU) events execute on different streams with overlap time, we sum them directly here.

";

pub(super) fn model(report: &PaddleSummary, style: &PaddleStyle) -> String {
    if report.model.len() < 2 {
        return String::new();
    }
    let step = report.model.iter().find(|(name, _)| *name == MODEL[0]);
    let whole = step.map_or(Nanos::ZERO, |(_, times)| times.kernels.total);
    let row = |(name, times): &(&str, RangeTimes)| {
        let indent = if *name == MODEL[0] { "" } else { "  " };
        Line::Row(vec![
            format!("{indent}{name}"),
            times.calls.to_string(),
            Times::of(times.host, times.calls).cell(style, report.steps),
            Times::of(times.kernels, times.calls).cell(style, whole),
        ])
    };
    let other = |time: Nanos, whole: Nanos| format!("{} / - / - / - / {}", style.time(time), ratio(time, whole));
    let mut lines: Vec<Line> = report.model.iter().map(row).collect();
    let [host, device] = report.others;
    lines.push(Line::Row(vec!["  Others".into(), "-".into(), other(host, report.steps), other(device, whole)]));
    let columns = Columns::fitting(&[15, CALLS, TIMES, TIMES], rows(&lines));
    let text = table("Model Summary", &["Name", "Calls", HOST, DEVICE], &columns, style, &lines);
    text + &columns.rule() + MODEL_NOTE + &columns.end() + "\n\n"
}

/// Sorts rows by a key; equal rows keep their order, which is Paddle's.
fn sorted<'a, T>(items: impl Iterator<Item = &'a T>, key: SortKey, times: impl Fn(&T) -> &RangeTimes) -> Vec<&'a T> {
    let mut items: Vec<&T> = items.collect();
    let host = |item: &T| Times::of(times(item).host, times(item).calls);
    let device = |item: &T| Times::of(times(item).device, times(item).calls);
    items.compact_sort_by(|a, b| match key {
        SortKey::CpuTotal => host(b).total.cmp(&host(a).total),
        SortKey::CpuAvg => host(b).mean().total_cmp(&host(a).mean()),
        SortKey::CpuMax => host(b).max.cmp(&host(a).max),
        SortKey::CpuMin => host(a).min.cmp(&host(b).min),
        SortKey::GpuTotal => device(b).total.cmp(&device(a).total),
        SortKey::GpuAvg => device(b).mean().total_cmp(&device(a).mean()),
        SortKey::GpuMax => device(b).max.cmp(&device(a).max),
        SortKey::GpuMin => device(a).min.cmp(&device(b).min),
    });
    items
}

/// The threads of rows, each once, in their order.
fn threads<T>(items: &[T], thread: impl Fn(&T) -> Option<RawId>) -> Vec<Option<RawId>> {
    let mut found = Vec::new();
    for item in items {
        let thread = thread(item);
        if !found.contains(&thread) {
            found.push(thread);
        }
    }
    found
}

fn thread_line(trace: &Trace, thread: Option<RawId>) -> Line {
    Line::Thread(match thread {
        None => "Thread: All threads merged".to_owned(),
        Some(RawId::Number(number)) => format!("Thread: {number}"),
        Some(RawId::Text(text)) => format!("Thread: {}", trace.strings.get(text)),
    })
}

/// A name on one line with its indent, cut at the end of the name column.
fn shortened(indent: usize, name: &str, width: usize) -> String {
    let room = width - indent;
    let name = if name.chars().count() > room {
        name.chars().take(room - 3).chain("...".chars()).collect()
    } else {
        name.to_owned()
    };
    format!("{}{name}", " ".repeat(indent))
}

pub(super) fn operators(trace: &Trace, report: &PaddleSummary, style: &PaddleStyle) -> String {
    if report.operators.is_empty() {
        return String::new();
    }
    let mut lines = Vec::new();
    for thread in threads(&report.operators, |row| row.thread) {
        let of_thread = || report.operators.iter().filter(|row| row.thread == thread);
        let sum = |of: fn(&RangeTimes) -> Nanos| of_thread().map(|row| of(&row.times)).sum::<Nanos>();
        let whole = [sum(|times| times.host.total), sum(|times| times.device.total)];
        lines.push(thread_line(trace, thread));
        for row in sorted(of_thread(), style.sort, |row| &row.times) {
            let name = trace.strings.get(row.name).to_owned();
            lines.push(operator_row(name, &row.times, whole, &row.flops.to_string(), style));
            if style.detail {
                details(trace, row, style, &mut lines);
            }
        }
    }
    let columns = Columns::fitting(&[OPERATOR, CALLS, TIMES, TIMES, 10], rows(&lines));
    // Operators' names may exceed their column.
    let columns = columns.with_width(0, OPERATOR).with_width(4, 10);
    table("Operator Summary", &["Name", "Calls", HOST, DEVICE, "FLOPs"], &columns, style, &lines)
        + &columns.rule()
        + "\n\n"
}

fn operator_row(name: String, times: &RangeTimes, whole: [Nanos; 2], flops: &str, style: &PaddleStyle) -> Line {
    Line::Row(vec![
        name,
        times.calls.to_string(),
        Times::of(times.host, times.calls).cell(style, whole[0]),
        Times::of(times.device, times.calls).cell(style, whole[1]),
        flops.to_owned(),
    ])
}

/// The parts of an operator, and the activities that it launched.
fn details(trace: &Trace, operator: &PaddleOperator, style: &PaddleStyle, lines: &mut Vec<Line>) {
    let whole = [operator.times.host.total, operator.times.device.total];
    let activity = |indent: usize, (name, time): &(NameId, Statistics), whole: Nanos| {
        Line::Row(vec![
            shortened(indent, trace.strings.get(*name), OPERATOR),
            time.calls.to_string(),
            NO_TIMES.to_owned(),
            Times::of_statistics(time).cell(style, whole),
            "-".to_owned(),
        ])
    };
    for part in &operator.parts {
        let name = shortened(2, trace.strings.get(part.name), OPERATOR);
        lines.push(operator_row(name, &part.times, whole, "-", style));
        let whole = part.times.device.total;
        lines.extend(part.activities.iter().map(|row| activity(4, row, whole)));
    }
    lines.extend(operator.activities.iter().map(|row| activity(2, row, whole[1])));
}

pub(super) fn kernels(trace: &Trace, report: &PaddleSummary, style: &PaddleStyle) -> String {
    if report.kernels.is_empty() {
        return String::new();
    }
    let mut kernels: Vec<&(NameId, Statistics)> = report.kernels.iter().collect();
    let mean = |time: &Statistics| Times::of_statistics(time).mean();
    kernels.compact_sort_by(|(_, a), (_, b)| match style.sort {
        SortKey::GpuAvg => mean(b).total_cmp(&mean(a)),
        SortKey::GpuMax => b.max.cmp(&a.max),
        SortKey::GpuMin => a.min.cmp(&b.min),
        _ => b.total.cmp(&a.total),
    });
    let whole: Nanos = kernels.iter().map(|(_, time)| time.total).sum();
    let row = |(name, time): &&(NameId, Statistics)| {
        let name = shortened(0, without_arguments(trace.strings.get(*name)), KERNEL);
        Line::Row(vec![name, time.calls.to_string(), Times::of_statistics(time).cell(style, whole)])
    };
    let lines: Vec<Line> = kernels.iter().map(row).collect();
    let columns = Columns::fitting(&[KERNEL, CALLS, TIMES], rows(&lines));
    table("Kernel Summary", &["Name", "Calls", DEVICE], &columns, style, &lines) + &columns.rule() + "\n\n"
}

/// The name of a kernel that is a template's instance, without the function's arguments.
pub(super) fn without_arguments(name: &str) -> &str {
    let line = name.split('\n').next().unwrap_or(name);
    let open = line.char_indices().skip(1).find(|(_, character)| *character == '<').map(|(at, _)| at);
    let closed = open.and_then(|open| {
        let mut ends = line.rmatch_indices(">(").map(|(at, _)| at);
        ends.find(|at| *at > open && line[at + 2..].contains(')'))
    });
    closed.map_or(name, |at| &line[..=at])
}

/// The kernels and copies of the steps.
fn device_of_steps(report: &PaddleSummary) -> Nanos {
    report.model.iter().find(|(name, _)| *name == MODEL[0]).map_or(Nanos::ZERO, |(_, times)| times.device.total)
}

fn range_row(trace: &Trace, name: NameId, times: &RangeTimes, report: &PaddleSummary, style: &PaddleStyle) -> Line {
    Line::Row(vec![
        trace.strings.get(name).to_owned(),
        times.calls.to_string(),
        Times::of(times.host, times.calls).cell(style, report.steps),
        Times::of(times.device, times.calls).cell(style, device_of_steps(report)),
    ])
}

pub(super) fn memory_manipulation(trace: &Trace, report: &PaddleSummary, style: &PaddleStyle) -> String {
    if report.memory_manipulation.is_empty() {
        return String::new();
    }
    let row = |(name, times): &(NameId, RangeTimes)| range_row(trace, *name, times, report, style);
    let lines: Vec<Line> = report.memory_manipulation.iter().map(row).collect();
    let columns = Columns::fitting(&[0, CALLS, TIMES, TIMES], rows(&lines));
    let heads = ["Name", "Calls", HOST, DEVICE];
    table("Memory Manipulation Summary", &heads, &columns, style, &lines) + &columns.rule() + "\n\n"
}

pub(super) fn user_defined(trace: &Trace, report: &PaddleSummary, style: &PaddleStyle) -> String {
    if report.user_defined.is_empty() {
        return String::new();
    }
    let mut lines = Vec::new();
    for thread in threads(&report.user_defined, |row| row.thread) {
        let of_thread = report.user_defined.iter().filter(|row| row.thread == thread);
        lines.push(thread_line(trace, thread));
        let rows = sorted(of_thread, style.sort, |row| &row.times);
        lines.extend(rows.into_iter().map(|row| range_row(trace, row.name, &row.times, report, style)));
    }
    let columns = Columns::fitting(&[0, CALLS, TIMES, TIMES], rows(&lines));
    // Paddle does not end this table with a line.
    table("UserDefined Summary", &["Name", "Calls", HOST, DEVICE], &columns, style, &lines) + "\n\n"
}
