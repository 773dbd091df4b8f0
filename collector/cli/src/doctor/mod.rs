//! `stepscope doctor`: what can be recorded on this machine, and why not.

mod check;
mod kernel;
mod nvidia;
mod place;
mod python;
mod root;
mod system;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use self::check::{Check, State};
use self::root::Root;
use crate::grid::printable;
use crate::output::print;
use crate::result::Result;

#[derive(Debug, Args)]
pub(crate) struct DoctorOptions {
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
    /// The folder into which recordings are to be written.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
    /// The Python that runs the scripts.
    #[arg(long, value_name = "PROGRAM", env = "STEPSCOPE_PYTHON", default_value = "python3")]
    python: String,
    /// Look at `/proc`, `/sys` and the like below this folder, such as one copied from another machine.
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    root: PathBuf,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    version: &'static str,
    /// The operating system, its kernel and the processor's architecture.
    system: String,
    checks: &'a [Check],
}

/// Runs all checks, and prints their findings.
pub(crate) fn run(options: &DoctorOptions) -> Result {
    let root = Root(options.root.clone());
    let mut checks = vec![nvidia::injection()];
    let python = python::look(&options.python);
    checks.push(python::check(&options.python, &python));
    checks.extend(nvidia::checks(&root, &python.folders));
    checks.extend(kernel::checks(&root));
    checks.extend(place::checks(&root, &options.output));
    let (version, system) = (env!("CARGO_PKG_VERSION"), system_of(&root));
    if options.json {
        let report = Report { schema: "stepscope.doctor/1", version, system, checks: &checks };
        let mut json = serde_json::to_vec_pretty(&report).map_err(|error| error.to_string())?;
        json.push(b'\n');
        return print(&json);
    }
    print(format!("stepscope {version} on {}\n\n{}", printable(&system), text(&checks)).as_bytes())
}

/// Names a machine's operating system, kernel and architecture, such as `Debian GNU/Linux 12, Linux 6.1.0, x86_64`.
fn system_of(root: &Root) -> String {
    let release = root.text("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map(|name| name.trim_matches('"').to_owned());
    let kernel = root.text("/proc/sys/kernel/osrelease").map(|kernel| format!("Linux {kernel}"));
    let known = [name, kernel, Some(std::env::consts::ARCH.to_owned())];
    known.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn text(checks: &[Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let state = match check.state {
            State::Ok => "ok",
            State::Limited => "limited",
            State::Missing => "missing",
        };
        text.push_str(&format!("{state:<8} {}: {}\n", check.title, printable(&check.found)));
        for line in check.fix.iter().flat_map(|fix| fix.lines()) {
            text.push_str(&format!("         → {}\n", printable(line)));
        }
    }
    let count = |state: State| checks.iter().filter(|check| check.state == state).count();
    let (limited, missing) = (count(State::Limited), count(State::Missing));
    text.push_str(&format!("\n{} ok, {limited} limited, {missing} missing\n", count(State::Ok)));
    text
}
