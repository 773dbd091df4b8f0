//! The environment of the command, which makes all processes below it record themselves.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use stepscope_collector::{EnvironmentOptions, MINDSPORE_VARIABLE, VARIABLE};

use super::options::{CommandLines, RecordOptions};
use crate::beside::{beside, in_checkout, installed};
use crate::result::Result;

/// The injection library's file name.
const LIBRARY: &str = "libstepscope_inject.so";

/// The variable with the path of the injection library; the command gets it, too.
pub(crate) const LIBRARY_VARIABLE: &str = "STEPSCOPE_LIBRARY";

/// The variable with the path of the hooks for Python.
const HOOKS_VARIABLE: &str = "STEPSCOPE_PYTHON_HOOKS";

/// Variables that name the library for NVIDIA's libraries to load.
const INJECTIONS: [(&str, &str); 2] = [("nvtx", "NVTX_INJECTION64_PATH"), ("cuda", "CUDA_INJECTION64_PATH")];

/// Variables to set, and notes for the user about them.
#[derive(Debug, Default)]
pub(super) struct Environment {
    pub(super) variables: Vec<(&'static str, OsString)>,
    pub(super) notes: Vec<String>,
}

impl Environment {
    /// Sets a variable.
    fn add(&mut self, name: &'static str, value: impl Into<OsString>) {
        self.variables.push((name, value.into()));
    }

    /// The environment for raw recordings into a folder.
    pub(super) fn new(options: &RecordOptions, folder: &Path, own: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let mut environment = Self::default();
        let json = environment.options(options, folder, own(VARIABLE))?;
        let of_mindspore =
            own(MINDSPORE_VARIABLE).and_then(|text| EnvironmentOptions::parse(&text.to_string_lossy()).ok());
        if of_mindspore.is_some_and(|options| options.start) {
            environment
                .notes
                .push(format!("{MINDSPORE_VARIABLE} is set: MindSpore's own profiler runs beside this recording"));
        }
        environment.add(VARIABLE, json);
        let wants = |target: &str| options.targets.is_empty() || options.targets.iter().any(|one| one.name() == target);
        let library = library(own(LIBRARY_VARIABLE));
        match &library {
            Some(library) => {
                environment.add(LIBRARY_VARIABLE, library);
                for (_, variable) in INJECTIONS.into_iter().filter(|(target, _)| wants(target)) {
                    match own(variable).filter(|value| !value.is_empty()) {
                        Some(other) if Path::new(&other) != library => {
                            let other = other.to_string_lossy();
                            environment.notes.push(format!("{variable} is set already and stays: {other}"));
                        }
                        _ => environment.add(variable, library),
                    }
                }
            }
            None if wants("nvtx") || wants("cuda") => {
                let note = format!(
                    "no NVTX, no CUDA: {LIBRARY} is neither beside this program nor in ../lib, nor does {LIBRARY_VARIABLE} say where"
                );
                environment.notes.push(note);
            }
            None => {}
        }
        if options.python_hooks {
            match hooks(own(HOOKS_VARIABLE)) {
                Some(hooks) => {
                    let mut path = hooks.into_os_string();
                    if let Some(other) = own("PYTHONPATH").filter(|other| !other.is_empty()) {
                        path.push(":");
                        path.push(other);
                    }
                    environment.add("PYTHONPATH", path);
                }
                None => {
                    let note = format!(
                        "no hooks for Python: the folder is neither beside this program nor does {HOOKS_VARIABLE} say where"
                    );
                    environment.notes.push(note);
                }
            }
        }
        Ok(environment)
    }

    /// The options as JSON: those of the caller's environment, with our own output and start.
    fn options(&mut self, options: &RecordOptions, folder: &Path, own: Option<OsString>) -> Result<String> {
        let mut json = Map::new();
        if let Some(own) = own.filter(|own| !own.is_empty()) {
            let own = own.to_string_lossy();
            let known = EnvironmentOptions::parse(&own).map_err(|error| error.to_string())?;
            // They stay: recorded programs may have a newer library.
            self.notes.extend(known.told());
            json = serde_json::from_str(&own).map_err(|error| format!("{VARIABLE}: {error}"))?;
            self.notes.push(format!(
                "{VARIABLE} is set already: its options stay, except `start`, `output` and the options given here"
            ));
        }
        let folder = folder.to_str().ok_or("the output's path must be UTF-8")?;
        json.insert("start".to_owned(), Value::Bool(true));
        json.insert("output".to_owned(), Value::from(folder));
        // A process that runs on after the end must not make the folder again.
        json.insert("make_output".to_owned(), Value::Bool(false));
        let mut add = |key: &str, value: Value| drop(json.insert(key.to_owned(), value));
        if !options.targets.is_empty() {
            add("targets", options.targets.iter().map(|target| Value::from(target.name())).collect());
        }
        if let Some(keep) = options.keep {
            add("keep", json!({"seconds": keep.0.as_secs_f64(), "bytes": options.keep_bytes}));
        }
        if options.command_lines != CommandLines::Masked {
            add("command", Value::from(options.command_lines.name()));
        }
        if options.fast_clock {
            add("clock", Value::from("counter"));
        }
        Ok(Value::Object(json).to_string())
    }
}

/// Path of the injection library: from the variable, installed with the program, in `../lib`, or where a checkout
/// builds it, with a profile of its own.
pub(crate) fn library(variable: Option<OsString>) -> Option<PathBuf> {
    if let Some(path) = variable.filter(|path| !path.is_empty()).map(PathBuf::from) {
        return path.is_file().then(|| std::path::absolute(&path).unwrap_or(path));
    }
    let elsewhere = || ["../lib", "../inject"].iter().find_map(|at| beside(&format!("{at}/{LIBRARY}"), Path::is_file));
    installed(LIBRARY, Path::is_file).or_else(elsewhere)
}

/// Path of the hooks for Python: from the variable, installed with the program, or, for a debug build, in its checkout.
fn hooks(variable: Option<OsString>) -> Option<PathBuf> {
    let has_hooks = |folder: &Path| folder.join("sitecustomize.py").is_file();
    if let Some(path) = variable.filter(|path| !path.is_empty()).map(PathBuf::from) {
        return has_hooks(&path).then(|| std::path::absolute(&path).unwrap_or(path));
    }
    installed("python/hooks", has_hooks).or_else(|| in_checkout("collector/python/hooks", has_hooks))
}
