//! The performance summary that Paddle prints when profiling ends (`timer_only` or not).

use crate::columns::centered;
use stepscope_analyze::{Benchmark, Extremes};

/// The table; `unit` is the name of samples, such as `images`.
#[must_use]
pub fn benchmark(report: &Benchmark, unit: &str) -> String {
    let rate = if report.samples.is_some() { unit } else { "steps" };
    let mut text = centered("Perf Summary", 100, "=") + "\n";
    if let Some(ratio) = report.reader_ratio.filter(|ratio| *ratio != 0.0) {
        text += &format!("Reader Ratio: {:.3}%\n", ratio * 100.0);
    }
    text += &format!("Time Unit: s, IPS Unit: {rate}/s\n");
    text += &row(["", "avg", "max", "min"].map(str::to_owned));
    let values = |name: &str, values: Extremes| {
        let [avg, max, min] = [values.avg, values.max, values.min].map(|value| format!("{value:.5}"));
        row([name.to_owned(), avg, max, min])
    };
    if let Some(reader) = report.reader_cost.filter(|reader| reader.avg != 0.0) {
        text += &values("reader_cost", reader);
    }
    text + &values("batch_cost", report.batch_cost) + &values("ips", report.ips)
}

fn row(cells: [String; 4]) -> String {
    let cells = cells.map(|cell| centered(&cell, 15, " "));
    format!("| {} |\n", cells.join(" | "))
}
