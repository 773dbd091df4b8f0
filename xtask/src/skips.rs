//! Checks that a run skips: each is printed when it happens and counted at the end.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::shell::{Result, run_with};

/// The checks skipped so far, with reasons.
static SKIPPED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Notes and prints that a check is skipped.
pub(crate) fn skip(what: &str) {
    eprintln!("SKIPPED: {what}");
    note(what);
}

fn note(what: &str) {
    if let Ok(mut all) = SKIPPED.lock() {
        all.push(what.to_owned());
    }
}

/// All skipped checks, in their order.
pub(crate) fn all() -> Vec<String> {
    SKIPPED.lock().map(|all| all.clone()).unwrap_or_default()
}

/// Runs `cargo test`, and prints and counts the lines with which tests report `SKIPPED`; other output of passing
/// tests is hidden, as usual.
pub(crate) fn cargo_test(command: &mut Command) -> Result {
    let mut passed = false;
    watched(command.args(["--", "--show-output"]), |line| {
        // The test harness lists the output of passing tests between these lines.
        passed = match line {
            "successes:" => true,
            "failures:" => false,
            _ => passed && !line.starts_with("test result: "),
        };
        let skipped = line.trim_start().strip_prefix("SKIPPED: ");
        if let Some(what) = skipped {
            note(what);
        }
        !passed || skipped.is_some()
    })
}

/// Runs `node --test` with the `spec` reporter, counting the tests that it skips.
pub(crate) fn node_test(command: &mut Command) -> Result {
    watched(command, |line| {
        if let Some(what) = line.trim_start().strip_prefix("﹣ ") {
            note(what);
        }
        true
    })
}

/// Runs a command, and prints the lines of its standard output for which `is_shown` is true.
fn watched(command: &mut Command, mut is_shown: impl FnMut(&str) -> bool) -> Result {
    run_with(command.stdout(Stdio::piped()), |child| {
        let lines = child.stdout.take().map(|out| BufReader::new(out).split(b'\n'));
        for line in lines.into_iter().flatten().map_while(std::result::Result::ok) {
            let line = String::from_utf8_lossy(&line);
            if is_shown(&line) {
                println!("{line}");
            }
        }
    })
}
