//! `stepscope record`: a command, and all processes that it starts, recorded.
//!
//! ```text
//! environment ─► the command and what it starts: each process with the recorder in it writes a raw recording ┐
//! sampler thread ─► this process's own raw recording: samples of all of them ────────────────────────── ┤
//!                                         NAME.recording/  ◄─────────────────────────────────────────────────┘
//!                                               ▼ once the command has ended: convert
//!                                         NAME.stepscope, one per rank
//! ```
//!
//! Even if a process dies, the folder remains: `stepscope recover` makes the same files of it, and every command that
//! reads traces reads it directly.

mod command;
pub(crate) mod convert;
pub(crate) mod environment;
pub(crate) mod messages;
pub(crate) mod options;
pub(crate) mod result;
mod summary;
mod system;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use stepscope_collector::sample::{self, SampleOptions, Sampled, Sampling};
use stepscope_collector::{Options, create_private_folder, ignore_environment, start, stop, stop_recordings};

use self::command::{Ended, Running};
use self::environment::Environment;
use self::messages::{bad_usage, fail, say};
use self::options::{Format, RecordOptions};
use crate::result::Result;
use crate::written::is_standard;

/// A shell's exit codes for a missing command, and for one that cannot be run.
const NOT_FOUND: u8 = 127;
const NOT_RUNNABLE: u8 = 126;

/// Runs a command, records it, and exits with its status.
///
/// A wrong option or a read-only folder is reported before the command runs. If recording fails for another reason,
/// such as a full disk, the command still runs.
pub(crate) fn run(options: &RecordOptions) -> Result<ExitCode> {
    // The variable is meant for processes below this one; or this process is recorded by another one, which samples it.
    ignore_environment();
    let (output, format) = match output(options) {
        Ok(output) => output,
        Err(message) => return Ok(bad_usage(&message)),
    };
    let folder = match raw_folder(options, &output) {
        Ok(folder) => folder,
        Err(message) => return Ok(unrecorded(options, &message)),
    };
    let environment = Environment::new(options, &folder, |name| std::env::var_os(name))
        .inspect_err(|_| drop(std::fs::remove_dir(&folder)))?;
    if options.sample > 0.0
        && let Err(message) = start_own(options, &folder)
    {
        let _ = std::fs::remove_dir_all(&folder);
        return Ok(unrecorded(options, &message));
    }
    if !options.quiet {
        environment.notes.iter().for_each(|note| say(format_args!("{note}")));
    }
    system::take_signals();
    let mut running = match Running::start(&options.command, &environment, options.quiet) {
        Ok(running) => running,
        Err(error) => {
            stop();
            let _ = std::fs::remove_dir_all(&folder);
            return Ok(not_run(options, &error));
        }
    };
    let sampling = SampleOptions { command_line: options.command_lines.kept(), ..SampleOptions::new(options.sample) };
    // After the command: it must not get as many open files as the sampler asks for.
    let sampling = if options.sample > 0.0 { Sampling::start(sampling).ok() } else { None };
    let ended = running.wait(options.wait, &folder);
    let sampled = sampling.map_or_else(Sampled::default, Sampling::stop);
    stop();
    if ended.left
        && let Err(error) = stop_recordings(&folder)
    {
        fail(format_args!("{}: {error}", folder.display()));
    }
    command::hold_signals(&folder, options.quiet);
    // If anything fails from here on, the command's status is still returned, and the recordings stay.
    let finished = finish(options, (&folder, &output, format), &ended, sampled);
    if let Err(error) = finished {
        fail(format_args!("{error}"));
        if folder.exists() {
            say(format_args!("the raw recordings are in {}: stepscope recover makes a file of them", folder.display()));
        }
    }
    let code = ended.status.code().unwrap_or_else(|| 128 + ended.status.signal().unwrap_or_default());
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
}

/// Replaces this process by the command: a recording failure never stops the command.
fn unrecorded(options: &RecordOptions, why: &str) -> ExitCode {
    fail(format_args!("{why}: nothing is recorded; the command runs nevertheless"));
    let Some((program, arguments)) = options.command.split_first() else { return ExitCode::from(NOT_RUNNABLE) };
    not_run(options, &Command::new(program).args(arguments).exec())
}

/// Prints why the command could not be started.
fn not_run(options: &RecordOptions, error: &io::Error) -> ExitCode {
    let program = options.command.first().map(|program| program.to_string_lossy()).unwrap_or_default();
    fail(format_args!("{program}: {error}"));
    ExitCode::from(if error.kind() == io::ErrorKind::NotFound { NOT_FOUND } else { NOT_RUNNABLE })
}

/// Starts this process's own recording, which contains the samples.
fn start_own(options: &RecordOptions, folder: &Path) -> Result {
    let fact = |key: &str, value: String| (key.to_owned(), value);
    let facts = vec![fact(sample::ROLE, format!("{} Hz", options.sample)), fact("command", "machine".to_owned())];
    let own = Options { segment_bytes: 256 << 10, facts, ahead: false, ..Options::new(folder) };
    start(&own).map(drop).map_err(|error| error.to_string())
}

/// Makes the files, lists them, and prints a summary.
fn finish(
    options: &RecordOptions,
    (folder, output, format): (&Path, &Path, Format),
    ended: &Ended,
    sampled: Sampled,
) -> Result {
    let raw_bytes = result::size(folder);
    if raw_bytes == 0 {
        let _ = std::fs::remove_dir_all(folder);
        if !options.quiet {
            say(format_args!("nothing was recorded; `stepscope doctor` says what can be"));
        }
        return Ok(());
    }
    let with_summary = !options.no_summary && !options.quiet;
    let (made, ranks) = convert::convert(folder, output, format, with_summary)?;
    if !options.quiet {
        result::tell(&made, raw_bytes, ended, sampled, folder);
        say(format_args!("{}", result::contents(options.command_lines)));
        result::earlier(&made, output);
    }
    if !options.raw {
        let _ = std::fs::remove_dir_all(folder);
    } else if !options.quiet {
        say(format_args!("the raw recordings are in {}", folder.display()));
    }
    if with_summary {
        // Standard output is the command's. A closed terminal is not a failure.
        let _ = io::stderr().write_all(summary::text(&ranks).as_bytes());
    }
    Ok(())
}

/// The output file and its format.
fn output(options: &RecordOptions) -> Result<(PathBuf, Format)> {
    let output = match &options.output {
        Some(output) if is_standard(output) => {
            return Err("-o -: standard output is the command's: name a file, as in -o run.stepscope".to_owned());
        }
        Some(output) => output.clone(),
        None => free_name(&options.command, options.format.unwrap_or(Format::Stepscope).end()),
    };
    let format = Format::of(&output, options.format)?;
    let output = std::path::absolute(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    let folders = [output.parent(), options.temporary.as_deref()];
    if let Some(missing) = folders.into_iter().flatten().find(|folder| !folder.is_dir()) {
        return Err(format!("{}: this folder does not exist", missing.display()));
    }
    for folder in folders.into_iter().flatten() {
        system::may_write(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    if output.is_dir() {
        return Err(format!("{}: it is a folder", output.display()));
    }
    Ok((output, format))
}

/// A name after the command: the script's if an interpreter runs one.
fn free_name(command: &[std::ffi::OsString], end: &str) -> PathBuf {
    let path = |word: &std::ffi::OsString| PathBuf::from(word);
    let script = command.iter().skip(1).map(path).find(|path| path.extension() == Some(OsStr::new("py")));
    let stem = script.or_else(|| command.first().map(path)).and_then(|path| Some(path.file_stem()?.to_owned()));
    let stem = stem.map_or_else(|| "recording".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let name = |number: u32| if number == 1 { format!("{stem}{end}") } else { format!("{stem}-{number}{end}") };
    let taken = |name: &str| {
        let base = name.strip_suffix(end).unwrap_or(name);
        [name.to_owned(), format!("{base}.rank0{end}"), format!("{base}.recording")]
            .iter()
            .any(|name| Path::new(name).exists())
    };
    (1..).map(name).find(|name| !taken(name)).unwrap_or_else(|| name(1)).into()
}

/// A new folder for raw recordings: `NAME.recording` beside the output.
fn raw_folder(options: &RecordOptions, output: &Path) -> Result<PathBuf> {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let base = Format::of_name(&name).map_or(&*name, |(_, base)| base);
    let place = options.temporary.as_deref().or(output.parent()).unwrap_or(Path::new("."));
    let place = std::path::absolute(place).map_err(|error| format!("{}: {error}", place.display()))?;
    for number in 1..1000 {
        let name = if number == 1 { format!("{base}.recording") } else { format!("{base}-{number}.recording") };
        let folder = place.join(name);
        match create_private_folder(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{}: {error}", folder.display())),
        }
    }
    Err(format!("{}: there are too many {base}.recording folders in it", place.display()))
}
