//! What the Python package does with the program, and the wheel that carries both: their own tests, with the program of
//! this build.
#![cfg(target_os = "linux")]

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Python 3: the one of the project's set-up that has notebooks and pandas, else the system's.
fn python() -> Option<OsString> {
    let found = std::env::var_os("STEPSCOPE_NOTEBOOK").unwrap_or_else(|| "python3".into());
    Command::new(&found).arg("--version").output().is_ok().then_some(found)
}

fn unittest(module: &str) {
    let Some(python) = python() else {
        eprintln!("SKIPPED: no python3 here, nor does STEPSCOPE_NOTEBOOK name one");
        return;
    };
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("python");
    let mut command = Command::new(python);
    command.args(["-m", "unittest", "-v", module]).current_dir(package.join("tests"));
    command.env("PYTHONPATH", &package).env("STEPSCOPE_PROGRAM", env!("CARGO_BIN_EXE_stepscope"));
    command.env("PYTHONDONTWRITEBYTECODE", "1").env_remove("STEPSCOPE_OPTIONS").env_remove("STEPSCOPE_WIDGET");
    let output = command.output().expect("python starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    for line in text.lines().filter(|line| line.contains(" skipped ")) {
        eprintln!("SKIPPED: {line}");
    }
    assert!(text.contains("Ran "), "{text}");
}

#[test]
fn traces_are_summed_up_reported_and_shown() {
    unittest("test_sharing");
}

#[test]
fn the_wheel_holds_and_installs_all() {
    unittest("test_wheel");
}
