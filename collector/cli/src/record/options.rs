//! The options of `stepscope record`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use stepscope_collector::CommandLine;

use crate::written::is_standard;

#[derive(Debug, Args)]
pub(crate) struct RecordOptions {
    /// The file to write; it replaces an existing one. By default it is named after the command, with a number after the
    /// name where such a file exists.
    ///
    /// Where several ranks are recorded, each has a file of its own: NAME.rank0.stepscope and so on. Rank files of an earlier
    /// recording stay, and a message names them.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the output; by default from its name (.stepscope, .json, .json.gz, .pftrace, .pftrace.gz), which it must
    /// not contradict.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Samples a second of processors, memory, pressure, processes, threads and GPUs; 0 for none.
    #[arg(long, default_value_t = 10.0, value_name = "HZ", value_parser = rate)]
    pub(crate) sample: f64,
    /// Data to record besides spans of this library; all by default.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "TARGETS")]
    pub(crate) targets: Vec<Target>,
    /// Keep only the latest data of each process: at least of this time, within --keep-bytes.
    #[arg(long, value_name = "TIME")]
    pub(crate) keep: Option<Time>,
    /// Limit of --keep in bytes of a process.
    #[arg(long, default_value_t = 1 << 30, value_name = "BYTES", requires = "keep")]
    pub(crate) keep_bytes: u64,
    /// Record steps, data loading and phases of unchanged scripts of PyTorch and Paddle, by hooks that Python loads at its
    /// start.
    #[arg(long)]
    pub(crate) python_hooks: bool,
    /// Read times from the processor's counter, where the kernel trusts it: some 10 ns less per span.
    #[arg(long)]
    pub(crate) fast_clock: bool,
    /// When to stop.
    #[arg(long, value_enum, default_value_t = Wait::Command)]
    pub(crate) wait: Wait,
    /// How command lines are stored.
    ///
    /// A recording also contains paths, the host name, and the names and arguments of spans: run `stepscope redact` before
    /// you share it.
    #[arg(long = "command", value_enum, default_value_t = CommandLines::Masked, value_name = "WHAT")]
    pub(crate) command_lines: CommandLines,
    /// Folder of the raw recordings until the command has ended; by default beside the output. Use a local disk.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) temporary: Option<PathBuf>,
    /// Keep the raw recordings, too.
    #[arg(long)]
    pub(crate) raw: bool,
    /// Print no summary. A summary goes to standard error: standard output is the command's.
    #[arg(long)]
    pub(crate) no_summary: bool,
    /// Print errors only, and no summary.
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// The command and its arguments.
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A recording (.stepscope): complete, and the smallest.
    Stepscope,
    /// Chrome's JSON, compressed, for Perfetto and others.
    #[value(name = "json.gz", alias = "json")]
    Json,
    /// Perfetto's own format (.pftrace), for Perfetto alone.
    Pftrace,
}

impl Format {
    /// All, with the ends of their files' names.
    const ENDS: [(Self, &'static str); 5] = [
        (Self::Stepscope, ".stepscope"),
        (Self::Json, ".json.gz"),
        (Self::Json, ".json"),
        (Self::Pftrace, ".pftrace"),
        (Self::Pftrace, ".pftrace.gz"),
    ];

    /// The format from a file's name, and the name without that end.
    pub(crate) fn of_name(name: &str) -> Option<(Self, &str)> {
        Self::ENDS.iter().find_map(|(format, end)| Some((*format, name.strip_suffix(end)?)))
    }

    /// The format of a file from its name alone; a recording for standard output.
    pub(crate) fn of_output(path: &Path) -> Result<Self, String> {
        Self::of(path, is_standard(path).then_some(Self::Stepscope))
    }

    /// The format of a file: `told`, or the one of its name; an error if the two differ.
    pub(crate) fn of(path: &Path, told: Option<Self>) -> Result<Self, String> {
        let named = Self::of_name(&path.to_string_lossy()).map(|(format, _)| format);
        match (told, named) {
            (Some(told), Some(named)) if told != named => {
                Err(format!("{}: --format says another format than the name ({})", path.display(), named.end()))
            }
            (Some(format), _) | (None, Some(format)) => Ok(format),
            (None, None) => Err(format!(
                "{}: no name of a recording (.stepscope) or of another format (.json, .json.gz, .pftrace, .pftrace.gz)",
                path.display()
            )),
        }
    }

    /// The end of a file's name.
    pub(crate) fn end(self) -> &'static str {
        Self::ENDS.iter().find(|(format, _)| *format == self).map_or("", |(_, end)| *end)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// Ranges and marks of NVTX.
    Nvtx,
    /// GPU activity, and the calls that launch it.
    Cuda,
    /// Steps, phases and data loading of Python's frameworks.
    Python,
}

impl Target {
    /// Its name in `STEPSCOPE_OPTIONS`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Nvtx => "nvtx",
            Self::Cuda => "cuda",
            Self::Python => "python",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CommandLines {
    /// All arguments, with secrets masked: passwords, tokens, keys.
    Masked,
    /// Nothing; processes are named after their programs.
    None,
}

impl CommandLines {
    /// Its name in `STEPSCOPE_OPTIONS`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Masked => "masked",
            Self::None => "none",
        }
    }

    /// The recorder's value for it.
    pub(crate) fn kept(self) -> CommandLine {
        match self {
            Self::Masked => CommandLine::Masked,
            Self::None => CommandLine::None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Wait {
    /// When the command ends; what it leaves running is not recorded further.
    Command,
    /// When all processes that it started have ended, too.
    All,
}

/// A length of time as a person writes it: `30s`, `1.5m`, `200ms`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Time(pub(crate) Duration);

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
        let seconds = match &text[number.len()..] {
            "ms" => 1e-3,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "" => return Err("it takes a unit: ms, s, m, h".to_owned()),
            unit => return Err(format!("`{unit}` is none of ms, s, m, h")),
        };
        let value: f64 = number.trim().parse().map_err(|_| format!("`{number}` is no number"))?;
        let time = Duration::try_from_secs_f64(value * seconds).map_err(|error| error.to_string())?;
        if time.is_zero() { Err("it is no time at all".to_owned()) } else { Ok(Self(time)) }
    }
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if rate == 0.0 || (0.01..=1000.0).contains(&rate) {
        return Ok(rate);
    }
    Err("it is neither 0 nor from 0.01 to 1000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_what_a_person_writes() {
        for (text, millis) in [("30s", 30_000), ("1.5m", 90_000), ("200ms", 200), ("2s", 2_000), ("1h", 3_600_000)] {
            assert_eq!(text.parse(), Ok(Time(Duration::from_millis(millis))), "{text}");
        }
        for text in ["", "s", "5", "0s", "3 weeks", "-1s", "1e30h"] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_name_says_the_format() {
        assert_eq!(Format::of_name("a/b.json.gz"), Some((Format::Json, "a/b")));
        assert_eq!(Format::of_name("a.stepscope"), Some((Format::Stepscope, "a")));
        assert_eq!(Format::of_name("a.pftrace.gz"), Some((Format::Pftrace, "a")));
        assert_eq!(Format::of_name("a.txt"), None);
        let of = |name: &str, told| Format::of(Path::new(name), told);
        assert_eq!(of("a.json", None), Ok(Format::Json));
        assert_eq!(of("a.json", Some(Format::Json)), Ok(Format::Json));
        assert_eq!(of("a", Some(Format::Pftrace)), Ok(Format::Pftrace));
        assert!(of("a.stepscope", Some(Format::Json)).is_err() && of("a.txt", None).is_err());
    }
}
