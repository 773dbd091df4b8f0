//! PyTorch's own tables, `key_averages()`, for traces that it wrote on a CPU.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use stepscope::Rank;
use stepscope::analyze::{AnalysisConfig, OperatorGrouping, OperatorsConfig, operator_flops, operators};
use stepscope_tests::files::load_file;
use stepscope_tests::oracle::{identities, reread};

use super::comparison::{Comparison, float};

/// Reads every trace below a folder, those with hostile names and metadata, too: numbers add up and survive the export,
/// or the error is clear.
pub(crate) fn read_all(folder: &Path) -> Vec<Comparison> {
    /// Compressed; the next larger one is half a gigabyte of text, for load tests.
    const LARGEST: u64 = 20 << 20;
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            let path = entry.path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if (name.ends_with(".json") || name.ends_with(".json.gz"))
                && entry.metadata().expect("metadata").len() < LARGEST
            {
                let file = fs::read(&path).expect("a file");
                let short = entry.file_name().to_string_lossy().into_owned();
                found.push(Comparison::of_result("torch files", &short, read_one(&short, &file)));
            }
        }
    }
    found
}

fn read_one(name: &str, file: &[u8]) -> Result<(), String> {
    match load_file(name, file, 64 << 10) {
        Ok(loaded) => {
            let rank = Rank::new(name, file.len() as u64, loaded, &AnalysisConfig::standard());
            identities(&rank)?;
            reread(&rank)
        }
        // Tables, memory timelines and execution traces lie among the traces.
        Err(error) if ["unknown_format", "unread"].contains(&error.code()) && !name.contains(".pt.trace") => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

#[derive(Deserialize)]
struct ReferenceRow {
    key: String,
    count: u64,
    flops: i64,
    cpu_time_total_us: f64,
    self_cpu_time_total_us: f64,
}

/// The operators whose FLOPs the profiler's `with_flops` computes as `flop_counter` does; it also counts additions and
/// products element by element, which take hardly any time.
const WITH_FLOPS: [&str; 5] = ["aten::conv2d", "aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm"];

/// Compares the FLOPs of every such name, where the trace has shapes.
pub(crate) fn flops(folder: &Path) -> Vec<Comparison> {
    let mut found = Vec::new();
    for trace in ["gpt/gpt_nostack", "cnn/cnn_nostack"] {
        let file = fs::read(folder.join(format!("{trace}.json.gz"))).expect("a trace");
        let table = fs::read(folder.join(format!("{trace}.key_averages.json"))).expect("a table");
        let table: Vec<ReferenceRow> = serde_json::from_slice(&table).expect("JSON");
        let loaded = load_file(trace, &file, 256 << 10).expect("a trace");
        let ours = operator_flops(&loaded.trace, None);
        for name in WITH_FLOPS {
            let expected: i64 = table.iter().filter(|row| row.key == name).map(|row| row.flops).sum();
            let row = ours.iter().find(|row| loaded.trace.strings.get(row.name) == name);
            let flops = row.map_or(0, |row| i64::try_from(row.flops).expect("few"));
            found.push(Comparison::exact("key_averages flops", trace, name, expected, flops));
        }
        assert!(
            table.iter().any(|row| row.flops > 0 && WITH_FLOPS.contains(&row.key.as_str())),
            "{trace} has no FLOPs"
        );
    }
    found
}

/// With stacks on, the framework's own table is wrong for annotations: only these are exact.
const TRACES: [&str; 4] = ["gpt/gpt_lean", "gpt/gpt_nostack", "cnn/cnn_lean", "cnn/cnn_nostack"];

/// Compares calls, total and self time of every name.
pub(crate) fn compare(folder: &Path) -> Vec<Comparison> {
    let mut found = Vec::new();
    for trace in TRACES {
        let file = fs::read(folder.join(format!("{trace}.json.gz"))).expect("a trace");
        let table = fs::read(folder.join(format!("{trace}.key_averages.json"))).expect("a table");
        let table: Vec<ReferenceRow> = serde_json::from_slice(&table).expect("JSON");
        let loaded = load_file(trace, &file, 256 << 10).expect("a trace");
        let config = OperatorsConfig { grouping: OperatorGrouping::Name, merge_only_children: true };
        // The table counts all steps as one name.
        let mut ours: BTreeMap<String, [f64; 3]> = BTreeMap::new();
        for row in operators(&loaded.trace, config).rows {
            let step = row.name.starts_with("ProfilerStep");
            let name = if step { "ProfilerStep*".to_owned() } else { row.name };
            let sums = ours.entry(name).or_default();
            for (sum, of_row) in sums.iter_mut().zip([row.calls as f64, float(row.host_total), float(row.host_self)]) {
                *sum += of_row;
            }
        }
        for row in table {
            let values = [row.count as f64, row.cpu_time_total_us * 1e3, row.self_cpu_time_total_us * 1e3];
            let of_name = ours.remove(&row.key).unwrap_or([f64::NAN; 3]);
            for ((what, tolerance), (expected, found_value)) in
                [("calls", 0.0), ("total", 0.5), ("self", 0.5)].into_iter().zip(values.into_iter().zip(of_name))
            {
                let key = format!("{} {what}", row.key);
                found.push(Comparison::close("key_averages", trace, key, expected, found_value, tolerance));
            }
        }
        for (name, [calls, ..]) in ours {
            found.push(Comparison::close("key_averages", trace, format!("{name} calls"), 0.0, calls, 0.0));
        }
    }
    found
}
