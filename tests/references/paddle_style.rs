//! Paddle's printed summaries, compared with ours in its layout.
//!
//! From the protobuf export, which is exact, the same bytes; from the Chrome export, whose times are rounded, the same
//! lines but for digits, and numbers within the rounding (which `paddle_tables` compares one by one).

use std::path::Path;

use stepscope::analyze::{StepsConfig, paddle_summary, steps};
use stepscope_style::TimeUnit;
use stepscope_style::paddle::{PaddleStyle, SortKey, View, summary};
use stepscope_tests::files::{load, text_of};

use super::comparison::Comparison;
use super::paddle_tables::runs;

/// Beginning of the text after the tables: the layers, printed where the profiler was made with `with_flops`.
const TRAILER: &str = "--------------------------------------- Flops Profiler Begin";

/// The options with which a file was printed, from its name.
fn style_of(printed: &str) -> PaddleStyle {
    let standard = PaddleStyle::standard();
    let unit = |unit| PaddleStyle { unit, ..standard.clone() };
    let one = |view| PaddleStyle { unit: TimeUnit::Microseconds, views: Some(vec![view]), ..standard.clone() };
    match printed {
        "summary_all_ms.txt" => standard,
        "summary_all_ns.txt" => unit(TimeUnit::Nanoseconds),
        "summary_us.txt" => unit(TimeUnit::Microseconds),
        "summary_threadsep_us.txt" => {
            PaddleStyle { detail: false, sort: SortKey::CpuAvg, ..unit(TimeUnit::Microseconds) }
        }
        "view_DeviceView.txt" => one(View::Device),
        "view_OverView.txt" => one(View::Overview),
        "view_ModelView.txt" => one(View::Model),
        "view_DistributedView.txt" => one(View::Distributed),
        "view_OperatorView.txt" => one(View::Operator),
        "view_KernelView.txt" => one(View::Kernel),
        "view_MemoryManipulationView.txt" => one(View::MemoryManipulation),
        "view_UDFView.txt" => one(View::UserDefined),
        "view_MemoryView.txt" => one(View::Memory),
        other => panic!("{other}: with which options was it printed?"),
    }
}

/// The printed files in a folder and the traces of their runs.
fn printed(folder: &Path) -> Vec<(std::path::PathBuf, String, Vec<std::path::PathBuf>)> {
    let mut found = Vec::new();
    for (path, traces) in runs(folder) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let stem = name.split_once(".summary_").expect("a summary").0.to_owned();
        found.push((path.clone(), name[stem.len() + 1..].to_owned(), traces.clone()));
        // Views lie beside the first of the run's summaries.
        if name.ends_with("all_ms.txt") {
            let beside = std::fs::read_dir(path.parent().expect("a folder")).expect("a folder");
            let views = beside.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
            let prefix = format!("{stem}.view_");
            for view in views.filter(|view| view.starts_with(&prefix)) {
                found.push((path.with_file_name(&view), view[stem.len() + 1..].to_owned(), traces.clone()));
            }
        }
    }
    found
}

/// A line whose numbers are signs, and whose gaps, dashes and ends are as long as any.
fn masked(line: &str) -> String {
    let mut text = String::new();
    for character in line.trim_end().chars() {
        let character = if character.is_ascii_digit() { '#' } else { character };
        if !(text.ends_with(character) && matches!(character, '#' | ' ' | '-')) {
            text.push(character);
        }
    }
    text
}

/// Compares all printed files.
pub(crate) fn compare(folder: &Path) -> Vec<Comparison> {
    let mut found = Vec::new();
    for (path, kind, traces) in printed(folder) {
        let expected = String::from_utf8_lossy(&std::fs::read(&path).expect("tables")).into_owned();
        let expected = expected.trim_end_matches('\n');
        let style = PaddleStyle { flops: expected.contains(TRAILER), ..style_of(&kind) };
        for trace in traces {
            let bytes = text_of(&trace);
            let exact = !bytes.trim_ascii_start().starts_with(b"{");
            let name = trace.strip_prefix(folder).unwrap_or(&trace).display().to_string();
            let loaded = load(&name, &bytes, 1 << 16).unwrap_or_else(|error| panic!("{error}"));
            let steps = steps(&loaded.trace, &StepsConfig::default());
            let report = paddle_summary(&loaded.trace, &steps, kind.contains("threadsep"));
            let ours = summary(&loaded.trace, &report, &style);
            let ours = ours.trim_end_matches('\n');
            let mut result = same(expected, ours, exact);
            if let Err(error) = &mut result {
                error.insert_str(0, &format!("{kind}: "));
            }
            let mut comparison = Comparison::of_result("paddle style", &name, result);
            comparison.key = kind.clone();
            found.push(comparison);
        }
    }
    found
}

fn same(expected: &str, ours: &str, exact: bool) -> Result<(), String> {
    let lines = |text: &str| -> Vec<String> {
        let mut lines: Vec<String> =
            text.lines().map(|line| if exact { line.to_owned() } else { masked(line) }).collect();
        if !exact {
            // Rounded times of rows that are almost equal may change their order.
            lines.sort();
        }
        lines
    };
    let (expected, ours) = (lines(expected), lines(ours));
    match expected.iter().zip(&ours).position(|(theirs, ours)| theirs != ours) {
        Some(line) => Err(format!("line {line}\n  theirs {:?}\n  ours   {:?}\n", expected[line], ours[line])),
        None if expected.len() != ours.len() => Err(format!("{} lines, ours are {}", expected.len(), ours.len())),
        None => Ok(()),
    }
}

/// The benchmark's table: the printed one, made of its own numbers.
pub(crate) fn benchmark_is_printed_alike(folder: &Path) {
    use stepscope::analyze::{Benchmark, Extremes};
    let printed = std::fs::read_to_string(folder.join("timer_only.txt")).expect("a table");
    let table = &printed[printed.find("====").expect("a title")..];
    let row = |name: &str| -> Extremes {
        let line = table.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("no {name}"));
        let cells: Vec<f64> = line.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
        Extremes { avg: cells[0], max: cells[1], min: cells[2] }
    };
    let ratio = table.lines().find_map(|line| line.strip_prefix("Reader Ratio: ")?.strip_suffix('%'));
    let report = Benchmark {
        steps: 1,
        of: 1,
        own_lengths: false,
        samples: Some(16),
        reader_cost: Some(row("reader_cost")),
        batch_cost: row("batch_cost"),
        ips: row("ips "),
        reader_ratio: ratio.map(|ratio| ratio.parse::<f64>().expect("a number") / 100.0),
    };
    assert_eq!(stepscope_style::paddle::benchmark(&report, "images"), table);
}
