//! The Python package and the hooks for unchanged scripts: their own tests, run with the library of this build.
#![cfg(target_os = "linux")]

#[path = "../support/library.rs"]
mod library;

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use library::library;

/// Python 3: the one that the project's set-up made, with packages that can be recorded, else the system's.
fn python() -> Option<OsString> {
    let told = std::env::var_os("STEPSCOPE_PYTHON");
    let found = told.unwrap_or_else(|| "python3".into());
    Command::new(&found).arg("--version").output().is_ok().then_some(found)
}

fn unittest(module: &str) {
    let Some(python) = python() else {
        eprintln!("SKIPPED: no python3 here, nor does STEPSCOPE_PYTHON name one");
        return;
    };
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python");
    let mut command = Command::new(python);
    command.args(["-m", "unittest", "-v", module]).current_dir(package.join("tests"));
    command.env("PYTHONPATH", &package).env("STEPSCOPE_LIBRARY", library()).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env_remove("STEPSCOPE_OPTIONS");
    let output = command.output().expect("python starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    for line in text.lines().filter(|line| line.contains(" skipped ")) {
        eprintln!("SKIPPED: {line}");
    }
    assert!(text.contains("Ran "), "{text}");
}

#[test]
fn the_package_records() {
    unittest("test_package");
}

#[test]
fn unchanged_scripts_are_recorded() {
    unittest("test_hooks");
}
