//! What to record, and where.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use super::clock::ClockSource;
use super::target::Target;

/// How a recording is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The folder for recordings: one file per process, named by its id and the time.
    pub output: PathBuf,
    /// Whether the folder is made if it is not there. Otherwise it is somebody's who ends recording by
    /// `stop_recordings` or by removing it: nothing begins to be recorded after that, forked children among it.
    pub make_output: bool,
    /// What times are read from.
    pub clock: ClockSource,
    /// Bytes that a thread takes at a time: a multiple of 16 KiB. Small ones cost more per span, large ones more per
    /// thread.
    pub segment_bytes: usize,
    /// Whether a thread of the recorder's own makes each next segment before it is needed: spans then cost less on a disk,
    /// and the process has one thread more. Forked children have none.
    pub ahead: bool,
    /// Only the latest is kept, if set.
    pub keep: Option<Keep>,
    /// What is recorded beside spans, marks, counters and flows; all that is there if it is `None`.
    pub targets: Option<Vec<Target>>,
    /// What is kept of command lines.
    pub command_line: CommandLine,
    /// Facts about the process, as keys and values; in place of what is recorded under the same key otherwise: `command`,
    /// `host`, `boot`, `rank`, `world_size`, `local_rank`. Secrets in them are masked.
    pub facts: Vec<(String, String)>,
}

/// What a recording keeps of the command lines of the processes in it.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum CommandLine {
    /// The arguments, with secrets masked: values of options such as `--api-key`, user info in URLs, known keys.
    #[default]
    Masked,
    /// Nothing.
    None,
}

/// How much of the past a flight recorder keeps. Threads give up whole segments, so it may be more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// At least so long, as far as the bytes allow.
    pub time: Duration,
    /// At most so many bytes, once each thread has two segments.
    pub bytes: u64,
}

impl Options {
    /// All of it, into a folder, on the system's clock, with a thread that makes segments ahead.
    #[must_use]
    pub fn new(output: impl Into<PathBuf>) -> Self {
        Self {
            output: output.into(),
            make_output: true,
            clock: ClockSource::Monotonic,
            segment_bytes: 1 << 20,
            ahead: true,
            keep: None,
            targets: None,
            command_line: CommandLine::Masked,
            facts: Vec::new(),
        }
    }
}
