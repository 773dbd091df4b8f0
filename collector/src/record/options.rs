//! Options of a recording.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use super::clock::ClockSource;
use super::target::Target;

/// Options of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The folder for recordings: one file per process, named by its id and the time.
    pub output: PathBuf,
    /// Whether the folder is made if it is missing. Otherwise it belongs to a program that ends recording by
    /// `stop_recordings` or by removing it: after that nothing starts recording there, forked children included.
    pub make_output: bool,
    /// Source of times.
    pub clock: ClockSource,
    /// Bytes that a thread takes at a time: a multiple of 16 KiB. Small ones cost more per span, large ones more per
    /// thread.
    pub segment_bytes: usize,
    /// Whether a thread of the recorder's own makes each next segment before it is needed: spans then cost less on a disk,
    /// and the process has one thread more. Forked children have none.
    pub ahead: bool,
    /// If set, only the latest part is kept.
    pub keep: Option<Keep>,
    /// Kinds of records beside spans, instant events, counters and flows; all available ones if it is `None`.
    pub targets: Option<Vec<Target>>,
    /// The kept part of command lines.
    pub command_line: CommandLine,
    /// Facts about the process, as keys and values. They replace recorded facts of the same key: `command`, `host`,
    /// `boot`, `rank`, `world_size`, `local_rank`. Secrets in them are masked.
    pub facts: Vec<(String, String)>,
}

/// The part of command lines that a recording keeps.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum CommandLine {
    /// The arguments, with secrets masked: values of options such as `--api-key`, user info in URLs, known keys.
    #[default]
    Masked,
    /// Nothing.
    None,
}

/// Limits of a flight recorder. Threads give up whole segments, so it may keep more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// At least so long, as far as the bytes allow.
    pub time: Duration,
    /// At most so many bytes, once each thread has two segments.
    pub bytes: u64,
}

impl Options {
    /// Defaults: all records, into a folder, on the system's clock, with a thread that makes segments ahead.
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
