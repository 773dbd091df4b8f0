//! The tables that Paddle printed, compared with ours from the traces of the same runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use stepscope::analyze::{
    CategorySide, MemoryOfRange, PaddleSummary, RangeTimes, Spread, StepsConfig, paddle_summary, steps,
};
use stepscope::trace::{MemoryPool, RawId, Trace};
use stepscope_tests::files::{load, text_of};

use super::comparison::{Comparison, float};

/// A printed table.
struct Table {
    title: String,
    /// ns of its unit.
    unit: f64,
    /// Cells, and the thread that the row belongs to.
    rows: Vec<(String, Vec<String>)>,
    /// Lines such as `Peak Allocated Memory: 3736704`.
    facts: BTreeMap<String, String>,
}

/// The tables of a printed summary.
fn tables(text: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut thread = String::new();
    for line in text.lines() {
        let bare = line.trim_matches('-').trim();
        if line.starts_with('-') && bare.contains("Summary") {
            let title = bare.to_owned();
            tables.push(Table { title, unit: 1.0, rows: Vec::new(), facts: BTreeMap::new() });
            thread.clear();
        } else if let Some(name) = bare.strip_prefix("Thread: ") {
            name.clone_into(&mut thread);
        } else if let Some(table) = tables.last_mut() {
            // Cells end in two spaces; a name begins with two where it belongs to the row before.
            let indent = line.len() - line.trim_start().len();
            let mut cells: Vec<String> = line
                .trim()
                .split("  ")
                .filter(|cell| !cell.trim().is_empty())
                .map(|cell| cell.trim().to_owned())
                .collect();
            match line.split_once(": ") {
                Some(("Time unit", unit)) => table.unit = unit_of(unit),
                Some((key, value)) if cells.len() == 1 => drop(table.facts.insert(key.to_owned(), value.to_owned())),
                _ if cells.len() < 2 || bare.is_empty() || bare.contains("---") || line.starts_with('-') => {}
                _ => {
                    cells[0] = format!("{}{}", " ".repeat(indent), cells[0]);
                    table.rows.push((thread.clone(), cells));
                }
            }
        }
    }
    tables
}

fn unit_of(unit: &str) -> f64 {
    match unit.trim() {
        "ns" => 1.0,
        "us" => 1e3,
        "ms" => 1e6,
        unit => panic!("unit {unit}"),
    }
}

/// Our numbers on one trace, and the comparisons.
struct Run<'a> {
    name: String,
    trace: &'a Trace,
    summary: &'a PaddleSummary,
    /// Allowed error of a time in ns besides the printed precision: the Chrome export rounds.
    slack: f64,
    found: &'a mut Vec<Comparison>,
}

/// The files with printed tables, each with the traces of its run.
pub(crate) fn runs(folder: &Path) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let Some((stem, "all_ns.txt" | "all_ms.txt" | "threadsep_us.txt" | "us.txt")) =
                name.split_once(".summary_")
            else {
                continue;
            };
            let traces =
                ["pb", "pb.gz", "json", "json.gz"].map(|end| folder.join(format!("{stem}.paddle_trace.{end}")));
            found.push((path, traces.into_iter().filter(|path| path.is_file()).collect()));
        }
    }
    found.sort();
    found
}

/// Compares all runs.
pub(crate) fn compare(folder: &Path) -> Vec<Comparison> {
    let mut found = Vec::new();
    for (printed, traces) in runs(folder) {
        let text = String::from_utf8_lossy(&std::fs::read(&printed).expect("tables")).into_owned();
        let by_thread = printed.to_string_lossy().contains("threadsep");
        for path in traces {
            let bytes = text_of(&path);
            let chrome = bytes.trim_ascii_start().starts_with(b"{");
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            let loaded = load(&name, &bytes, 1 << 16).unwrap_or_else(|error| panic!("{error}"));
            let last = loaded.trace.slices.ids().map(|id| loaded.trace.slices.end(id)).max().unwrap_or_default();
            let slack = if chrome { 2.0 * float(last) * (-23_f64).exp2() + 2.0 } else { 0.0 };
            let steps = steps(&loaded.trace, &StepsConfig::default());
            let summary = paddle_summary(&loaded.trace, &steps, by_thread);
            let name = format!("{name}{}", if by_thread { " by thread" } else { "" });
            let mut run = Run { name, trace: &loaded.trace, summary: &summary, slack, found: &mut found };
            for table in tables(&text) {
                run.compare(&table, by_thread);
            }
        }
    }
    found
}

/// A number as printed, or `-` for none.
fn number(text: &str) -> Option<f64> {
    (text != "-").then(|| text.parse().unwrap_or_else(|_| panic!("{text} is no number")))
}

#[expect(clippy::cast_precision_loss, reason = "counts")]
fn count(count: u64) -> f64 {
    count as f64
}

impl Run<'_> {
    fn add(&mut self, key: impl Into<String>, printed: f64, ours: f64, tolerance: f64) {
        self.found.push(Comparison::close("paddle tables", &self.name, key, printed, ours, tolerance));
    }

    fn compare(&mut self, table: &Table, by_thread: bool) {
        match table.title.as_str() {
            "Device Summary" => self.devices(table),
            "Overview Summary" => self.overview(table),
            "Model Summary" => self.model(table),
            "Operator Summary" => self.operators(table, by_thread),
            "UserDefined Summary" => self.user_defined(table),
            title => match title.strip_prefix("Memory Summary - ") {
                Some(place) => self.memory(table, place),
                None => panic!("{}: nobody compares the table {title}", self.name),
            },
        }
    }

    fn devices(&mut self, table: &Table) {
        for (_, cells) in table.rows.iter().filter(|(_, cells)| cells[0].starts_with("CPU(") && cells.len() == 2) {
            let what = if cells[0] == "CPU(Process)" { "Process" } else { "System" };
            let key = format!("{what} Cpu Utilization");
            let fact = self.trace.meta.facts.iter().find(|(name, _)| *name == key).expect("a fact");
            let ours: f64 = fact.1.parse().expect("a number");
            self.add(&cells[0], number(&cells[1]).expect("a number"), ours * 100.0, 0.005_001);
        }
    }

    fn overview(&mut self, table: &Table) {
        let names = |place: CategorySide| {
            let of = move |row: &&stepscope::analyze::CategoryTime| row.place == place;
            self.summary.overview.iter().filter(of).map(|row| (row.category.as_str(), row)).collect::<Vec<_>>()
        };
        let mut ours = names(CategorySide::Host);
        assert!(names(CategorySide::Device).is_empty(), "runs without a device");
        for (_, cells) in table.rows.iter().filter(|(_, cells)| cells.len() == 4 && cells[0] != "Event Type") {
            let name = cells[0].trim();
            let Some(index) = ours.iter().position(|(known, _)| *known == name) else {
                self.add(format!("overview {name}"), number(&cells[1]).unwrap_or(f64::NAN), f64::NAN, 0.0);
                continue;
            };
            let (_, row) = ours.remove(index);
            let slack = self.slack * count(row.calls).max(1.0);
            let time = float(row.time);
            self.add(format!("overview {name} calls"), number(&cells[1]).expect("calls"), count(row.calls), 0.0);
            let printed = number(&cells[2]).expect("a time") * table.unit;
            self.add(format!("overview {name} time"), printed, time, 0.005 * table.unit + slack);
            let ratio = time / float(self.summary.steps) * 100.0;
            self.add(format!("overview {name} ratio"), number(&cells[3]).expect("a ratio"), ratio, 0.0051);
        }
        for (name, row) in ours {
            self.add(format!("overview {name} calls"), 0.0, count(row.calls), 0.0);
        }
    }

    /// `total / average / longest / shortest / ratio` against a spread whose ratio is to a whole.
    fn spread(&mut self, key: &str, printed: &str, ours: Spread, calls: u64, whole: f64, unit: f64) {
        let values: Vec<Option<f64>> = printed.split(" / ").map(number).collect();
        let [total, mean, max, min, ratio] = values[..] else { panic!("{key}: {printed}") };
        let times = [
            ("total", total, float(ours.total), count(calls)),
            ("mean", mean, float(ours.total) / count(calls), 1.0),
            ("max", max, float(ours.max), 1.0),
            ("min", min, float(ours.min), 1.0),
        ];
        for (what, printed, ours, of) in times {
            if let Some(printed) = printed {
                self.add(format!("{key} {what}"), printed * unit, ours, 0.005_001 * unit + self.slack * of);
            }
        }
        let ours = if whole == 0.0 { 0.0 } else { float(ours.total) / whole * 100.0 };
        if let Some(ratio) = ratio {
            // The rounded number is a share of a rounded number.
            let slack = if whole == 0.0 { 0.0 } else { self.slack * count(calls) * 200.0 / whole };
            self.add(format!("{key} ratio"), ratio, ours, 0.005_001 + slack);
        }
    }

    fn times(&mut self, key: &str, cells: &[String], ours: &RangeTimes, whole: [f64; 2], unit: f64) {
        self.add(format!("{key} calls"), number(&cells[1]).expect("calls"), count(ours.calls), 0.0);
        self.spread(&format!("{key} host"), &cells[2], ours.host, ours.calls, whole[0], unit);
        self.spread(&format!("{key} device"), &cells[3], ours.device, ours.calls, whole[1], unit);
    }

    fn model(&mut self, table: &Table) {
        let steps = float(self.summary.steps);
        let summary = self.summary;
        let mut ours: BTreeMap<&str, RangeTimes> = summary.model.iter().copied().collect();
        for (_, cells) in table.rows.iter().filter(|(_, cells)| cells.len() == 4 && cells[0] != "Name") {
            let name = cells[0].trim();
            if name == "Others" {
                let printed = cells[2].split(" / ").next().and_then(number).expect("a time") * table.unit;
                let slack = self.slack * 100.0;
                self.add("model Others", printed, float(summary.others[0]), 0.005_001 * table.unit + slack);
                continue;
            }
            match ours.remove(name) {
                Some(times) => self.times(&format!("model {name}"), cells, &times, [steps, 0.0], table.unit),
                None => self.add(format!("model {name}"), 1.0, 0.0, 0.0),
            }
        }
        self.add("phases that Paddle does not show", 0.0, count(ours.len() as u64), 0.0);
    }

    fn operators(&mut self, table: &Table, by_thread: bool) {
        let summary = self.summary;
        let thread = |id: Option<RawId>| match id {
            Some(RawId::Number(id)) => id.to_string(),
            _ => "All threads merged".to_owned(),
        };
        let mut ours: BTreeMap<(String, &str), &stepscope::analyze::PaddleOperator> =
            summary.operators.iter().map(|row| ((thread(row.thread), self.trace.strings.get(row.name)), row)).collect();
        let of_thread = |wanted: &str| -> f64 {
            let rows = summary.operators.iter().filter(|row| thread(row.thread) == wanted);
            rows.map(|row| float(row.times.host.total)).sum()
        };
        let has_parts = table.rows.iter().any(|(_, cells)| cells[0].starts_with(' '));
        let mut parts: Vec<(&str, RangeTimes)> = Vec::new();
        let mut operator: Option<(&str, f64)> = None;
        for (of, cells) in table.rows.iter().filter(|(_, cells)| cells.len() == 5 && cells[0] != "Name") {
            let name = cells[0].trim();
            if let Some((around, whole)) = operator.filter(|_| cells[0].starts_with(' ')) {
                // Long names are cut short.
                let same =
                    |known: &str| name.strip_suffix("...").map_or(known == name, |start| known.starts_with(start));
                match parts.iter().position(|(known, _)| same(known)) {
                    Some(index) => {
                        let (_, times) = parts.remove(index);
                        self.times(&format!("part {around} / {name}"), cells, &times, [whole, 0.0], table.unit);
                    }
                    None => self.add(format!("part {around} / {name}"), 1.0, 0.0, 0.0),
                }
                continue;
            }
            self.add("parts that Paddle does not show", 0.0, count(parts.len() as u64), 0.0);
            let Some(row) = ours.remove(&(of.clone(), name)) else {
                self.add(format!("operator {name}"), 1.0, 0.0, 0.0);
                continue;
            };
            self.times(&format!("operator {name}"), cells, &row.times, [of_thread(of), 0.0], table.unit);
            operator = Some((name, float(row.times.host.total)));
            parts = row.parts.iter().map(|part| (self.trace.strings.get(part.name), part.times)).collect();
            if !has_parts && by_thread {
                parts.clear();
            }
        }
        self.add("operators that Paddle does not show", 0.0, count(ours.len() as u64), 0.0);
        self.add("parts that Paddle does not show", 0.0, count(parts.len() as u64), 0.0);
    }

    fn user_defined(&mut self, table: &Table) {
        let thread = |id: Option<RawId>| match id {
            Some(RawId::Number(id)) => id.to_string(),
            _ => "All threads merged".to_owned(),
        };
        let rows = self.summary.user_defined.iter();
        let mut ours: BTreeMap<(String, &str), RangeTimes> =
            rows.map(|row| ((thread(row.thread), self.trace.strings.get(row.name)), row.times)).collect();
        let whole = [float(self.summary.steps), 0.0];
        for (of, cells) in table.rows.iter().filter(|(_, cells)| cells.len() == 4 && cells[0] != "Name") {
            let name = cells[0].trim();
            match ours.remove(&(of.clone(), name)) {
                Some(times) => self.times(&format!("range {name}"), cells, &times, whole, table.unit),
                None => self.add(format!("range {name}"), 1.0, 0.0, 0.0),
            }
        }
        self.add("ranges that Paddle does not show", 0.0, count(ours.len() as u64), 0.0);
    }

    fn memory(&mut self, table: &Table, place: &str) {
        for (what, key) in [("allocated", "Peak Allocated Memory"), ("reserved", "Peak Reserved Memory")] {
            let fact = self.trace.meta.facts.iter().find(|(name, _)| *name == format!("Peak {what} memory, {place}"));
            let ours = fact.and_then(|(_, value)| value.parse().ok()).unwrap_or(f64::NAN);
            self.add(format!("memory {key}"), number(&table.facts[key]).expect("bytes"), ours, 0.0);
        }
        let mut ours: BTreeMap<(&str, &str), &MemoryOfRange> = BTreeMap::new();
        for row in self.summary.memory.iter().filter(|row| row.device.is_none()) {
            let pool = if row.pool == MemoryPool::Allocated { "Allocated" } else { "Reserved" };
            ours.insert((self.trace.strings.get(row.name), pool), row);
        }
        for (_, cells) in table.rows.iter().filter(|(_, cells)| cells.len() == 7 && cells[0] != "Name") {
            let Some(row) = ours.remove(&(cells[0].trim(), cells[1].as_str())) else {
                self.add(format!("memory {}", cells[0]), 1.0, 0.0, 0.0);
                continue;
            };
            #[expect(clippy::cast_precision_loss, reason = "bytes of small runs")]
            let values = [
                count(row.sums.allocations),
                count(row.sums.releases),
                row.sums.allocated as f64,
                row.sums.released as f64,
                row.sums.net() as f64,
            ];
            let columns = ["allocations", "releases", "allocated", "released", "increase"];
            for ((what, ours), printed) in columns.into_iter().zip(values).zip(&cells[2..]) {
                self.add(format!("memory {} {what}", cells[0]), number(printed).expect("a number"), ours, 0.0);
            }
        }
        self.add("memory rows that Paddle does not show", 0.0, count(ours.len() as u64), 0.0);
    }
}
