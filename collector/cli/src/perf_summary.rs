//! Perf Summaries beside each other: what Paddle's `Profiler(timer_only=True)` and ours print at the end of a run.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde_json::json;
use stepscope::Nanos;
use stepscope::present::text::{duration, number, percent, percent_change};
use stepscope::read::PerfSummary;

use crate::args::DiffOptions;
use crate::grid::{Grid, Look, printable};
use crate::output::print;
use crate::result::Result;

/// The longest log in which one is looked for.
const LONGEST: u64 = 4 << 20;

/// The last Perf Summary near the end of a file; none where it has none, as a trace. Pipes are left to the reader of traces.
fn summary_of(path: &Path) -> Option<PerfSummary> {
    let mut file = File::open(path).ok()?;
    let about = file.metadata().ok()?;
    if !about.is_file() {
        return None;
    }
    file.seek(SeekFrom::Start(about.len().saturating_sub(LONGEST))).ok()?;
    let mut end = Vec::new();
    file.take(LONGEST).read_to_end(&mut end).ok()?;
    PerfSummary::last_in(&end)
}

/// Compares the summaries of two runs, where both files have one; none where neither has.
///
/// # Errors
///
/// Fails if only one of them has, or if a table of traces is asked for.
pub(crate) fn run(options: &DiffOptions) -> Option<Result> {
    let sides = [&options.a, &options.b].map(|path| (path, summary_of(path)));
    match &sides {
        [(_, None), (_, None)] => None,
        [(path_a, Some(a)), (path_b, Some(b))] => {
            if options.by.is_some() {
                return Some(Err("--by: a Perf Summary has none of the tables of traces".to_owned()));
            }
            if a.unit != b.unit {
                let units = format!("{} counts {}, {} counts {}", path_a.display(), a.unit, path_b.display(), b.unit);
                return Some(Err(format!("{units}: rates of other units cannot be compared")));
            }
            Some(print(&if options.json {
                json_of([a, b])
            } else {
                text_of([(path_a.as_path(), a), (path_b.as_path(), b)]).into_bytes()
            }))
        }
        [(of, Some(_)), (other, None)] | [(other, None), (of, Some(_))] => Some(Err(format!(
            "{}: a Perf Summary, but {} has none: compare two summaries, or two traces",
            of.display(),
            other.display()
        ))),
    }
}

fn change(a: f64, b: f64) -> Option<f64> {
    (a > 0.0).then(|| b / a - 1.0)
}

fn text_of(sides: [(&Path, &PerfSummary); 2]) -> String {
    let look = Look::of_output();
    let [(path_a, a), (path_b, b)] = sides;
    let mut text = String::new();
    for (side, path) in [("A", path_a), ("B", path_b)] {
        text += &look.title(&format!("{side}  {}", printable(&path.display().to_string())));
        text.push('\n');
    }
    if let (Some([a, ..]), Some([b, ..]), unit) = (a.ips, b.ips, printable(&b.unit)) {
        let change = percent_change(change(a, b));
        text += &format!("throughput: {} to {} {unit} ({change})\n", number(a), number(b));
    }
    #[expect(clippy::cast_possible_truncation, reason = "seconds of steps")]
    let time = |seconds: f64| duration(Nanos((seconds * 1e9).round() as i64));
    let row = |name: &str, a: Option<f64>, b: Option<f64>, text: &dyn Fn(f64) -> String| {
        let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), text);
        let by = a.zip(b).and_then(|(a, b)| change(a, b));
        vec![name.to_owned(), cell(a), cell(b), percent_change(by)]
    };
    let mut rows = vec![row("reader ratio", a.reader_ratio, b.reader_ratio, &percent)];
    let mut add = |name: &str, [a, b]: [Option<[f64; 3]>; 2], text: &dyn Fn(f64) -> String| {
        for (place, which) in ["avg", "max", "min"].into_iter().enumerate() {
            let at = |values: Option<[f64; 3]>| values.map(|values| values[place]);
            rows.push(row(&format!("{name} {which}"), at(a), at(b), text));
        }
    };
    add("reader_cost", [a.reader_cost, b.reader_cost], &time);
    add("batch_cost", [a.batch_cost, b.batch_cost], &time);
    add("ips", [a.ips, b.ips], &number);
    text + &Grid::new("Perf Summary", ["", "A", "B", "change"], rows).to_text(look, 0)
}

fn json_of(sides: [&PerfSummary; 2]) -> Vec<u8> {
    let side = |of: &PerfSummary| {
        let row = |values: Option<[f64; 3]>| values.map(|[avg, max, min]| json!({"avg": avg, "max": max, "min": min}));
        json!({
            "reader_ratio": of.reader_ratio, "reader_cost": row(of.reader_cost), "batch_cost": row(of.batch_cost),
            "ips": row(of.ips), "ips_unit": of.unit,
        })
    };
    let [a, b] = sides;
    let rates = a.ips.zip(b.ips).and_then(|([a, ..], [b, ..])| change(a, b));
    let whole = json!({"perf_summary": {"a": side(a), "b": side(b), "ips_change": rates}});
    let mut json = serde_json::to_vec_pretty(&whole).unwrap_or_default();
    json.push(b'\n');
    json
}
