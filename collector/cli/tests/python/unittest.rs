//! Running the Python package's own tests. The injection library's tests use it, too.

use std::path::Path;
use std::process::Command;

/// Runs a module of `collector/python/tests` with the Python that a variable names, else with the system's; `prepare`
/// passes it the paths of this build.
pub(crate) fn unittest(module: &str, variable: &str, prepare: impl FnOnce(&mut Command)) {
    let python = std::env::var_os(variable).unwrap_or_else(|| "python3".into());
    if Command::new(&python).arg("--version").output().is_err() {
        eprintln!("SKIPPED: no python3 here, nor does {variable} name one");
        return;
    }
    // Either package's folder.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = here.ancestors().map(|folder| folder.join("python")).find(|folder| folder.join("tests").is_dir());
    let package = package.expect("the Python package");
    let mut command = Command::new(python);
    command.args(["-m", "unittest", "-v", module]).current_dir(package.join("tests"));
    command.env("PYTHONPATH", &package).env("PYTHONDONTWRITEBYTECODE", "1").env_remove("STEPSCOPE_OPTIONS");
    prepare(&mut command);
    let output = command.output().expect("python starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    for line in text.lines().filter(|line| line.contains(" skipped ")) {
        eprintln!("SKIPPED: {line}");
    }
    assert!(text.contains("Ran "), "{text}");
}
