//! `cargo xtask fuzz`: the fuzz targets, one after the other, and a summary. `cargo xtask campaign`: damaged files of every format.

use crate::shell::{Result, capture, cargo, command, find, heading, run};
use crate::{paths, programs, setup};

/// Damaged files of every format, always the same for a seed: a first check for a changed reader, small enough for
/// every test run. Its program must be built.
pub(crate) fn campaign(args: &[String]) -> Result {
    heading("damaged files of every format");
    // A debug build finds overflows, which a release build does not check.
    run(command(programs::debug("campaign")).args(args).arg("--save").arg(paths::target().join("campaign")))
}

/// Runs each target, or the named ones; failing inputs stay in `crate/fuzz/artifacts`, and are listed at the end.
pub(crate) fn task(args: &[String]) -> Result {
    let (chosen, seconds) = options(args)?;
    if find("c++").is_none() {
        return Err("the fuzz targets' runtime needs a C++ compiler; as root, run: apt-get install g++".into());
    }
    setup::fuzz()?;
    let folder = paths::root().join("crate");
    let fuzz = || {
        let mut fuzz = command("cargo-fuzz");
        fuzz.current_dir(&folder).arg("fuzz");
        // The sanitizer's flags are unstable; this makes a stable compiler accept them.
        fuzz.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", paths::target().join("fuzz"));
        fuzz
    };
    let targets = capture(fuzz().arg("list")).ok_or("cargo-fuzz could not list its targets")?;
    let targets: Vec<&str> = targets.lines().collect();
    if let Some(unknown) = chosen.iter().find(|target| !targets.contains(target)) {
        return Err(format!("there is no target `{unknown}`; there are {}", targets.join(", ")));
    }
    heading("the corpora to start from");
    let mut seeds = cargo();
    seeds.args(["run", "--locked", "--quiet", "--example", "seeds", "--manifest-path"]);
    run(seeds.arg(folder.join("fuzz/Cargo.toml")).env("CARGO_TARGET_DIR", paths::target().join("fuzz")))?;
    let mut summary = Vec::new();
    let mut failed = false;
    for target in targets.iter().filter(|target| chosen.is_empty() || chosen.contains(target)) {
        heading(&format!("fuzzing {target} for {seconds} s"));
        let before = inputs(target);
        let limits = ["-rss_limit_mb=4096", "-timeout=20", "-max_len=65536"];
        let outcome = run(fuzz().args(["run", target, "--"]).args(limits).arg(format!("-max_total_time={seconds}")));
        failed |= outcome.is_err();
        let words = if outcome.is_ok() { "nothing found" } else { "FAILED; the input is in crate/fuzz/artifacts" };
        summary.push(format!("{target:>10}: {words}; {before} inputs became {}", inputs(target)));
    }
    heading("fuzzed");
    eprintln!("{}", summary.join("\n"));
    if failed {
        Err("put what was found into tests/found/TARGET, where every test run tries it".into())
    } else {
        Ok(())
    }
}

/// The named targets, and the seconds.
fn options(args: &[String]) -> Result<(Vec<&str>, u32)> {
    let (mut targets, mut seconds) = (Vec::new(), 30);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => {
                let text = args.next().ok_or("--seconds needs a number")?;
                seconds = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
            }
            option if option.starts_with('-') => return Err(format!("fuzz has no option `{option}`")),
            target => targets.push(target),
        }
    }
    Ok((targets, seconds))
}

/// The number of inputs in the corpus of a target.
fn inputs(target: &str) -> usize {
    std::fs::read_dir(paths::root().join("crate/fuzz/corpus").join(target)).map_or(0, Iterator::count)
}
