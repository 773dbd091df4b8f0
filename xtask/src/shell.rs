//! Runs other programs, and prints their commands.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use crate::paths;

/// A task's outcome; the error is one clear sentence for users.
pub(crate) type Result<T = ()> = std::result::Result<T, String>;

/// Prints a heading, so that long output stays readable.
pub(crate) fn heading(text: &str) {
    eprintln!("\n== {text}");
}

/// The first program with that name: the project's own tools first, then PATH.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let ends: &[&str] = if cfg!(windows) { &[".exe", ".cmd"] } else { &[""] };
    let names: Vec<String> = ends.iter().map(|end| format!("{program}{end}")).collect();
    search_path().iter().flat_map(|folder| names.iter().map(|name| folder.join(name))).find(|path| path.is_file())
}

/// Python 3.
pub(crate) fn python() -> Result<PathBuf> {
    find("python3").ok_or_else(|| "python3 is missing; install Python 3 from https://python.org".into())
}

/// The folders in which programs are searched.
pub(crate) fn search_path() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = vec![paths::tools().join("bin")];
    folders.extend(std::env::split_paths(&path));
    folders
}

/// A command in the repository's root that finds the project's own tools first.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(paths::root());
    if let Ok(path) = std::env::join_paths(search_path()) {
        command.env("PATH", path);
    }
    command
}

/// The `cargo` that runs this task.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// `cargo` by its name on PATH, so that `RUSTUP_TOOLCHAIN` chooses the toolchain.
///
/// rustup sets `CARGO` to one toolchain's own binary, which supports no other toolchain.
pub(crate) fn cargo_of_toolchain(toolchain: Option<&str>) -> Command {
    let mut cargo = command("cargo");
    cargo.env_remove("CARGO").env_remove("RUSTC").env_remove("RUSTDOC");
    match toolchain {
        Some(name) => cargo.env("RUSTUP_TOOLCHAIN", name),
        None => cargo.env_remove("RUSTUP_TOOLCHAIN"),
    };
    cargo
}

/// Runs a command with its output shown.
pub(crate) fn run(command: &mut Command) -> Result {
    run_with(command, |_| ())
}

/// Runs a command with a function that works at the same time, such as reading its output.
pub(crate) fn run_with(command: &mut Command, meanwhile: impl FnOnce(&mut Child)) -> Result {
    let shown = show(command);
    eprintln!("$ {shown}");
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("`{shown}` could not be started: {error}"))?;
    meanwhile(&mut child);
    let status = child.wait().map_err(|error| format!("`{shown}`: {error}"))?;
    if !status.success() {
        return Err(format!("`{shown}` failed ({status})"));
    }
    eprintln!("  done in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs a command and returns its standard output, trimmed; `None` if it failed.
pub(crate) fn capture(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether a command succeeds, with its output hidden.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    capture(command).is_some()
}

fn show(command: &Command) -> String {
    let mut text = String::new();
    for part in std::iter::once(command.get_program()).chain(command.get_args()) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&part.to_string_lossy());
    }
    text
}
