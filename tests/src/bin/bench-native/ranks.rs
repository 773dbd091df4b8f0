//! The cost of many ranks: each is read, digested and dropped, then all digests are combined.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use stepscope::Rank;
use stepscope::analyze::{RankDigest, job};
use stepscope::export::report_json::digest_to_bytes;
use stepscope_tests::generator::JobSpec;

use crate::clock::{cpu_seconds, peak_memory};
use crate::measure::opened;

/// The argument that makes a process one job's.
pub(crate) const OF_FOLDER: &str = "--ranks-of";

/// Prints a line per number of ranks: the time per rank, its ratio to the smallest number's, and the growth of memory
/// for each further rank. Linear cost has ratios near 1.
pub(crate) fn ranks() -> Result<(), String> {
    let said = |error: io::Error| error.to_string();
    let folder = std::env::temp_dir().join(format!("stepscope-ranks-{}", std::process::id()));
    let mut first: Option<Value> = None;
    for data in [1, 4, 16] {
        let spec = JobSpec { parallel: [data, 2, 2], layers: 8, steps: 16, ..JobSpec::three_dimensional(1) };
        fs::create_dir_all(&folder).map_err(said)?;
        for (number, text) in spec.traces().into_iter().enumerate() {
            fs::write(folder.join(format!("rank{number}.json")), text).map_err(said)?;
        }
        // A process of its own: its memory is that of reading, without that of generating.
        let program = std::env::current_exe().map_err(said)?;
        let output = Command::new(program).arg(OF_FOLDER).arg(&folder).output().map_err(said)?;
        fs::remove_dir_all(&folder).map_err(said)?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned());
        }
        let mut line: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        let of = |line: &Value, key: &str| line[key].as_f64().unwrap_or(f64::NAN);
        let before = first.get_or_insert_with(|| line.clone());
        for key in ["read_s_per_rank", "job_s_per_rank"] {
            let ratio = of(&line, key) / of(before, key);
            line[format!("{key}_of_the_first")] = json!(ratio);
        }
        let more = of(&line, "ranks") - of(before, "ranks");
        let grown = (of(&line, "peak_rss_bytes") - of(before, "peak_rss_bytes")) / more;
        line["memory_per_rank_more"] = json!(Some(grown).filter(|_| more > 0.0));
        writeln!(io::stdout(), "{line}").map_err(said)?;
    }
    Ok(())
}

/// Prints the cost of a folder's ranks in this process.
pub(crate) fn of_folder(folder: &str) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let count = entries.count();
    let mut times = [0.0; 2];
    let (mut parts, mut bytes, mut text) = (0, 0, 0);
    let mut digests = Vec::new();
    for number in 0..count {
        let file = Path::new(folder).join(format!("rank{number}.json"));
        let file = file.to_string_lossy();
        text += fs::metadata(&*file).map_err(|error| error.to_string())?.len();
        let begun = cpu_seconds();
        let Rank { trace, analysis, .. } = opened(&file)?;
        let digest = RankDigest::of(&trace, &analysis, number as u64, &file);
        times[0] += since(begun);
        parts += digest.parts.len();
        bytes += digest_to_bytes(&digest).len();
        digests.push(digest);
    }
    let begun = cpu_seconds();
    let found = job(&digests);
    times[1] += since(begun);
    let ranks = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let line = json!({
        "ranks": count, "text_bytes": text, "parts": parts, "digest_bytes": bytes,
        "collectives": found.matching.collectives.len(), "read_s_per_rank": times[0] / ranks,
        "job_s_per_rank": times[1] / ranks, "peak_rss_bytes": peak_memory(),
    });
    writeln!(io::stdout(), "{line}").map_err(|error| error.to_string())
}

fn since(begun: Option<f64>) -> f64 {
    cpu_seconds().zip(begun).map_or(f64::NAN, |(now, begun)| now - begun)
}
