//! Benchmark of the native analyzer: `bench-native FILE…` prints JSON lines, one per measurement.
//!
//! Each measurement runs in a process of its own, so that its peak memory is its own and it starts without another
//! one's memory. Times are never asserted, results are. Measurements of each file:
//!
//! - `ours`: the file to all reports, with its stages; `bytes_per_slice` and the peak of memory;
//! - `another_worker`: reading the file, and passing the trace on as the page's workers do;
//! - `timeline`: the rows of the timeline, preparing them, frames at all zooms;
//! - `asks`: requests at the timeline for events, for parts of time, and for a text;
//! - `tokenize`: the same text through the tokenizer alone;
//! - `serde_json`: the same text (its first 256 MB at most) to a `serde_json::Value`;
//! - `inflate`: flate2 alone, for compressed files.
//!
//! `bench-native --readers FILE…` compares readers: the speed of `ours` for each file, the best of three rounds, and its ratio
//! to the first file's.
//!
//! `bench-native --ranks` generates jobs of 4, 16 and 64 ranks and prints the cost of a rank, alone and combined with
//! the others, and the memory of each further rank.
//!
//! Megabytes are 10^6 bytes of uncompressed text. CPU time is known on Linux only, else `null`.

mod asks;
mod clock;
mod measure;
mod ranks;

use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Command, ExitCode};

use serde_json::{Value, json};

use self::measure::MEASUREMENTS;

/// The argument that makes a process one measurement's.
const CHILD: &str = "--measure";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.iter().map(String::as_str).collect::<Vec<&str>>()[..] {
        [] => Err("usage: bench-native [--readers] FILE… or --ranks".to_owned()),
        ["--ranks"] => ranks::ranks(),
        [ranks::OF_FOLDER, folder] => ranks::of_folder(folder),
        ["--readers", ref files @ ..] => readers(files),
        [CHILD, name, file] => child(name, file),
        _ => args.iter().try_for_each(|file| all(file)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The speed of each file's reader, in turns so that a busy moment of the machine hits all of them.
fn readers(files: &[&str]) -> Result<(), String> {
    const ROUNDS: usize = 3;
    let mut best: Vec<Option<(f64, Value)>> = vec![None; files.len()];
    for _ in 0..ROUNDS {
        for (file, best) in files.iter().zip(&mut best) {
            let line = measure("ours", file)?;
            let speed = speed(&line).unwrap_or_default();
            if best.as_ref().is_none_or(|(known, _)| speed > *known) {
                *best = Some((speed, line));
            }
        }
    }
    let first = best.first().and_then(Option::as_ref).map_or(0.0, |(speed, _)| *speed);
    for (speed, line) in best.into_iter().flatten() {
        let found = json!({
            "file": line["file"], "format": line["format"], "text_bytes": line["text_bytes"], "events": line["events"],
            "mb_per_s": speed, "of_the_first": speed / first, "stages": line["stages"],
        });
        writeln!(io::stdout(), "{found}").map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Runs one measurement in a process of its own.
fn measure(name: &str, file: &str) -> Result<Value, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program).args([CHILD, name, file]).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{name} of {file}: {}", String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{name} of {file}: {error}"))
}

/// Runs every measurement of a file, and prints each one's ratio to ours.
fn all(file: &str) -> Result<(), String> {
    let named = |error: io::Error| format!("{file}: {error}");
    let mut bytes = File::open(file).map_err(named)?;
    let mut head = Vec::new();
    Read::by_ref(&mut bytes).take(2).read_to_end(&mut head).map_err(named)?;
    let compressed = head == [0x1f, 0x8b];
    // So that the first measurement does not pay for the disk.
    io::copy(&mut bytes, &mut io::sink()).map_err(named)?;
    let mut ours = None;
    for (name, _) in MEASUREMENTS.iter().filter(|(name, _)| compressed || *name != "inflate") {
        let mut line = measure(name, file)?;
        let speed = speed(&line);
        line["mb_per_s"] = json!(speed);
        let ours = *ours.get_or_insert(speed);
        line["ours_is_faster_by"] = json!(ours.zip(speed).map(|(ours, theirs)| ours / theirs));
        writeln!(io::stdout(), "{line}").map_err(named)?;
    }
    Ok(())
}

/// Megabytes of text per second: of the processor where that is known, else of the clock.
fn speed(line: &Value) -> Option<f64> {
    let seconds = line["cpu_s"].as_f64().filter(|seconds| *seconds > 0.0).or_else(|| line["wall_s"].as_f64())?;
    Some(line["text_bytes"].as_f64()? / 1e6 / seconds)
}

fn child(name: &str, file: &str) -> Result<(), String> {
    let (_, measure) = MEASUREMENTS.iter().find(|(known, _)| *known == name).ok_or("no such measurement")?;
    let mut line = measure(file)?;
    line["file"] = json!(file);
    line["measure"] = json!(name);
    line["peak_rss_bytes"] = json!(clock::peak_memory());
    writeln!(io::stdout(), "{line}").map_err(|error| error.to_string())
}
