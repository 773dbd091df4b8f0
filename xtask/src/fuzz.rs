//! `cargo xtask fuzz`: the fuzz targets, one after the other. `cargo xtask campaign`: damaged files of every format.

use crate::paths;
use crate::shell::{Result, capture, cargo, command, find, heading, run};

/// Damaged files of every format, always the same ones of a seed: a first look for those who have changed a reader, and
/// small enough for every test run.
pub(crate) fn campaign(args: &[String]) -> Result {
    heading("damaged files of every format");
    // Overflows are found by a build that looks for them, which one for release does not.
    let mut campaign = cargo();
    campaign.args(["run", "--quiet", "-p", "stepscope-tests", "--bin", "campaign", "--"]);
    run(campaign.args(args).arg("--save").arg(paths::target().join("campaign")))
}

/// Runs each target for the given seconds (default 30); what crashes it stays in `crate/fuzz/artifacts`.
pub(crate) fn task(args: &[String]) -> Result {
    let seconds: u32 = match args {
        [] => 30,
        [text] => text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?,
        _ => return Err("fuzz takes one number of seconds".into()),
    };
    if find("c++").is_none() {
        return Err("the fuzz targets' runtime needs a C++ compiler; as root, run: apt-get install g++".into());
    }
    if find("cargo-fuzz").is_none() {
        heading("set-up: cargo-fuzz (may take 1 minute)");
        run(cargo().args(["install", "cargo-fuzz", "--locked", "--root"]).arg(paths::tools())).map_err(|error| {
            format!("{error}; if this machine reaches no registry, install it by: cargo install cargo-fuzz --locked")
        })?;
    }
    let folder = paths::root().join("crate");
    let fuzz = || {
        let mut fuzz = command("cargo-fuzz");
        fuzz.current_dir(&folder).arg("fuzz");
        // The sanitizer's flags are unstable; this lets a stable compiler take them.
        fuzz.env("RUSTC_BOOTSTRAP", "1");
        fuzz
    };
    let targets = capture(fuzz().arg("list")).ok_or("cargo-fuzz could not list its targets")?;
    heading("the corpora to start from");
    let mut seeds = cargo();
    seeds.args(["run", "--quiet", "--example", "seeds", "--manifest-path"]);
    run(seeds.arg(folder.join("fuzz/Cargo.toml")).env("CARGO_TARGET_DIR", paths::target().join("fuzz")))?;
    for target in targets.lines() {
        heading(&format!("fuzzing {target} for {seconds} s"));
        run(fuzz().args(["run", target, "--", "-rss_limit_mb=4096", &format!("-max_total_time={seconds}")]))?;
    }
    Ok(())
}
