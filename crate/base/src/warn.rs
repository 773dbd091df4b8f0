//! Problems of an input that are not fatal: counted, with the first example kept, and shown to the user.

use std::fmt;

use stepscope_format::secrets::{FoundSecrets, masked};

use crate::sort::CompactSort;

/// The importance of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; no number is affected.
    Info,
    /// Some numbers may be affected, or the file needs care.
    Warning,
    /// Part of the input is lost.
    Loss,
}

impl Severity {
    /// A stable name, as in the program's JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Loss => "loss",
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $severity:ident;)+) => {
        /// Kinds of problems of an input.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// Every code, for tests that each is explained in every language.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// A stable name, as in the program's JSON and the page's messages.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// Its severity.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)+ }
            }

            /// One sentence for the user.
            #[must_use]
            pub fn describe(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii_start(),)+ }
            }
        }
    };
}

codes! {
    /// The file ends in the middle; everything before the end was read.
    Truncated = "truncated", Loss;
    /// The compressed data ends early or is damaged; everything before that was read.
    CompressionDamaged = "compression_damaged", Loss;
    /// A part of the database is damaged; the rows there are missing.
    DatabaseDamaged = "database_damaged", Loss;
    /// The database has changes in a file beside it (-wal), which was not read.
    WriteAheadLog = "write_ahead_log", Warning;
    /// A table of the database is not read.
    UnreadTable = "unread_table", Info;
    /// The archive is damaged; the files that could be found in it were read.
    ArchiveDamaged = "archive_damaged", Loss;
    /// A path in the archive would lead out of it or is another file's too; it was changed.
    ArchivePath = "archive_path", Info;
    /// An event is not valid JSON and was skipped.
    MalformedEvent = "malformed_event", Loss;
    /// A record of a binary trace is damaged and was skipped.
    MalformedRecord = "malformed_record", Loss;
    /// Something other than an event stands in the list of events and was skipped.
    NotAnEvent = "not_an_event", Loss;
    /// A comma or bracket is missing, or there is one too many.
    ListPunctuation = "list_punctuation", Info;
    /// The text after the end of the trace was ignored.
    TrailingText = "trailing_text", Loss;
    /// The list or the file is not closed; no event is cut off.
    Unclosed = "unclosed", Info;
    /// A text contains control characters that should be escaped; they were kept.
    ControlCharacter = "control_character", Info;
    /// A text contains quotes without a backslash; its end was derived from the text after it.
    UnescapedQuote = "unescaped_quote", Warning;
    /// A text contains a backslash that begins no escape; it was kept.
    BadEscape = "bad_escape", Info;
    /// A text is not valid UTF-8 or contains half a surrogate pair; unreadable bytes were replaced.
    InvalidUtf8 = "invalid_utf8", Warning;
    /// A value is missing or is not JSON (NaN, Infinity, N/A, None); it was read as absent, or as text.
    UnknownWord = "unknown_word", Warning;
    /// A number is not valid JSON (+1, .5, 007, hexadecimal); it was read nevertheless.
    OddNumber = "odd_number", Info;
    /// A value is nested deeper than 127 levels and was left out.
    TooDeep = "too_deep", Loss;
    /// The events stand one after another, not in a list.
    JsonLines = "json_lines", Info;
    /// Another document follows the first; its events were read as well.
    SecondDocument = "second_document", Warning;
    /// The list of events occurs again, or is not a list; everything was read.
    SecondList = "second_list", Warning;
    /// An event lacks a time, a name or a phase and was skipped.
    IncompleteEvent = "incomplete_event", Loss;
    /// A time is not a number, or is outside what can be shown; the event was skipped.
    BadTime = "bad_time", Loss;
    /// A counter's value is not a number and was skipped.
    CounterWithoutNumber = "counter_without_number", Info;
    /// An event with a negative duration was kept as a moment.
    NegativeDuration = "negative_duration", Warning;
    /// Times finer than a nanosecond were rounded.
    FinerThanNanosecond = "finer_than_nanosecond", Info;
    /// The profiler rounded times far from the trace's start to whole microseconds or more: short events there are inexact.
    CoarseTimes = "coarse_times", Warning;
    /// Events lie more than 104 days apart: one of the times is wrong, and exports cannot be exact.
    TimesFarApart = "times_far_apart", Warning;
    /// An end without a beginning was skipped: the event began before the trace, or its beginning was lost.
    EndWithoutBegin = "end_without_begin", Loss;
    /// Slices without an end last until the slice around them ends, until their process was last seen alive, or until the
    /// trace ends.
    UnclosedSlice = "unclosed_slice", Warning;
    /// Asynchronous operations that were not finished last until the trace ends.
    UnfinishedAsync = "unfinished_async", Info;
    /// The profiler kept only the latest events: earlier ones are lost, and callers among them.
    RingBufferOverflow = "ring_buffer_overflow", Loss;
    /// Samples of call stacks are shown as slices from one sample to the next: their times are estimates.
    SampledStacks = "sampled_stacks", Info;
    /// Samples without a call stack that can be read are not shown.
    UnusedSamples = "unused_samples", Info;
    /// Call stacks are circular, or too long to be shown with each sample: frames of some samples are left out.
    CutStacks = "cut_stacks", Loss;
    /// Marks that link the clocks of several traces are not used: all times are taken as one clock's.
    UnusedClockSync = "unused_clock_sync", Info;
    /// Marks of contexts and links between objects are not shown.
    UnusedContexts = "unused_contexts", Info;
    /// Memory dumps are not shown.
    UnusedMemoryDumps = "unused_memory_dumps", Info;
    /// Events of the operating system's own format inside the trace are not read.
    UnusedSystemTrace = "unused_system_trace", Info;
    /// An event of a kind that this reader does not use was skipped.
    UnusedPhase = "unused_phase", Loss;
    /// A name is longer than 16 KB and was cut: names that begin alike count as one.
    LongName = "long_name", Warning;
    /// A row of a table is damaged or has not the header's columns; what fits was read.
    MalformedRow = "malformed_row", Loss;
    /// A value among the trace's metadata is too long and was skipped.
    MetadataTooLong = "metadata_too_long", Loss;
    /// A value among the trace's metadata is not valid JSON and was skipped.
    MalformedMetadata = "malformed_metadata", Loss;
    /// Device activities without the call that launched them: they belong to no step and no operator.
    ActivityWithoutLaunch = "activity_without_launch", Warning;
    /// Activities run on their stream after one that was launched later: their links to calls or their times are wrong, and they extend
    /// no step.
    OutOfOrder = "out_of_order", Warning;
    /// Launching calls without device activity: what they started ran after the recording, or is missing. Until the next recorded
    /// activity the device is not known to be idle.
    LaunchWithoutActivity = "launch_without_activity", Warning;
    /// Launching calls inside the capture of a graph start nothing: they are recorded into the graph, which runs when it is launched.
    CapturedLaunches = "captured_launches", Info;
    /// Activities on one stream overlap: unions count that time once.
    OverlapOnStream = "overlap_on_stream", Info;
    /// Slices on one thread overlap without one being inside the other; they are shown on lanes.
    OverlapOnThread = "overlap_on_thread", Info;
    /// Flows without a partner were dropped.
    UnmatchedFlow = "unmatched_flow", Info;
    /// Recording began or stopped in the middle of a step, or before its kernels ended: it is partial, and left out of averages.
    PartialStep = "partial_step", Info;
    /// The profiler recorded only a part of a step: numbers are of this part, and it is left out of averages where another step is complete.
    StepNotRecorded = "step_not_recorded", Warning;
    /// Another profiler had CUPTI for a while: CUDA is not recorded then, what devices did is not known, and its steps enter averages only where no other step is complete.
    CudaNotRecorded = "cuda_not_recorded", Warning;
    /// The first step is much longer than most others (warm-up) and is left out of averages.
    WarmUpStep = "warm_up_step", Info;
    /// A step captures a graph, which happens once: it is not a steady step, and enters averages only where no other step is complete.
    CaptureStep = "capture_step", Warning;
    /// The trace marks no steps: numbers are of the recorded time, from the first to the last of these.
    NoStepMarks = "no_step_marks", Info;
    /// The trace marks no steps: they are found by operators that repeat.
    StepsByOperators = "steps_by_operators", Info;
    /// The profiler's table of steps and the timeline have different clocks: step times are the table's, and no event belongs to a step.
    StepsNotPlaced = "steps_not_placed", Warning;
    /// The timeline shows operators of some steps only: device times, categories and tables of the average step are of these.
    StepsNotCovered = "steps_not_covered", Warning;
    /// The profiler's table of steps and the timeline show different steps: step times are the timeline's.
    OtherSteps = "other_steps", Warning;
    /// The profiler's table of operators is of another network: hardly any of its operators is on the timeline.
    OtherOperators = "other_operators", Warning;
    /// The files contain the profiler's own tables and no events: there is no timeline, and there are no steps.
    OnlyTables = "only_tables", Info;
    /// The trace has no device activity: apart from the profiler's own tables, only host numbers can be shown.
    NoDeviceActivity = "no_device_activity", Warning;
    /// The profiler itself reported errors while recording.
    ProfilerErrors = "profiler_errors", Warning;
    /// Another file of the rank has the same timeline: this one was left out, so that nothing counts twice.
    RepeatedTimeline = "repeated_timeline", Info;
    /// The file's times are on another clock than those of the rank's files before it: its events were left out.
    OtherClock = "other_clock", Loss;
    /// The profiler made no timeline of this run, which may have ended early: its raw times were read. MindSpore's
    /// `Profiler.offline_analyse(PATH)` makes one.
    RawTimes = "raw_times", Info;
    /// The profiler's steps overlap: each was cut to start at the end of the previous one.
    StepsOverlap = "steps_overlap", Warning;
    /// The file contains several ranks, merged by an export or recorded together; they are read as one.
    MergedRanks = "merged_ranks", Warning;
    /// Several processes of the rank mark steps: these may be recordings of several runs or ranks; they are read as one.
    SeveralRuns = "several_runs", Warning;
    /// The file contains likely secrets (passwords, tokens, keys). They are masked here and in everything
    /// saved from here, but not in the file itself. `stepscope redact` makes a copy without them.
    Secrets = "secrets", Warning;
}

/// The cases of one kind of problem of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The kind of problem.
    pub code: Code,
    /// Number of cases.
    pub count: u64,
    /// The first case, in words or as in the file; may be empty.
    pub example: String,
    /// The byte of the uncompressed file of the first case, where that is known.
    pub position: Option<u64>,
    /// The file of the first case, if there are several.
    pub file: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.describe().trim_end_matches('.'))?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        if !self.example.is_empty() {
            write!(f, ": {}", self.example)?;
        }
        match (self.file.as_str(), self.position) {
            ("", None) => {}
            ("", Some(position)) => write!(f, " (byte {position})")?,
            (file, None) => write!(f, " ({file})")?,
            (file, Some(position)) => write!(f, " ({file}, byte {position})")?,
        }
        Ok(())
    }
}

/// Collects warnings, one per code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    list: Vec<Warning>,
}

impl From<Vec<Warning>> for Warnings {
    fn from(list: Vec<Warning>) -> Self {
        Self { list }
    }
}

impl Warnings {
    /// Counts one case; its example is made only for the first one.
    pub fn add(&mut self, code: Code, position: Option<u64>, example: impl FnOnce() -> String) {
        self.add_many(code, 1, position, example);
    }

    /// Counts several cases at once; none if `count` is zero.
    pub fn add_many(&mut self, code: Code, count: u64, position: Option<u64>, example: impl FnOnce() -> String) {
        if count > 0 && !self.counted(code, count) {
            self.list.push(Warning { code, count, example: example(), position, file: String::new() });
        }
    }

    /// Counts more cases of a code that is known.
    fn counted(&mut self, code: Code, count: u64) -> bool {
        let known = self.list.iter_mut().find(|warning| warning.code == code);
        known.map(|known| known.count += count).is_some()
    }

    /// Adds the cases of another collection.
    pub fn merge(&mut self, other: Self) {
        for warning in other.list {
            match self.list.iter_mut().find(|known| known.code == warning.code) {
                Some(known) => known.count += warning.count,
                None => self.list.push(warning),
            }
        }
    }

    /// The warnings in the order of their first cases.
    pub fn list_mut(&mut self) -> &mut Vec<Warning> {
        &mut self.list
    }

    /// Adds the cases in one of several files.
    pub fn merge_of_file(&mut self, file: &str, mut other: Self) {
        for warning in &mut other.list {
            file.clone_into(&mut warning.file);
        }
        self.merge(other);
    }

    /// The warnings, the worst first, then in the order of [`Code`].
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Warning> {
        for warning in &mut self.list {
            // It may be a part of the file.
            warning.example = masked(std::mem::take(&mut warning.example), &mut FoundSecrets::default());
        }
        self.list.compact_sort_by_key(|warning| (std::cmp::Reverse(warning.code.severity()), warning.code));
        self.list
    }

    /// Number of cases of a code.
    #[must_use]
    pub fn count(&self, code: Code) -> u64 {
        self.list.iter().find(|warning| warning.code == code).map_or(0, |warning| warning.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_case_is_the_example() {
        let mut warnings = Warnings::default();
        warnings.add(Code::NoStepMarks, None, String::new);
        warnings.add(Code::BadTime, Some(7), || "first".into());
        warnings.add(Code::BadTime, Some(9), || unreachable!("only the first case is described"));
        warnings.add_many(Code::UnmatchedFlow, 0, None, String::new);
        let mut other = Warnings::default();
        other.add_many(Code::BadTime, 3, Some(1), || "other".into());
        warnings.merge(other);
        assert_eq!((warnings.count(Code::BadTime), warnings.count(Code::UnmatchedFlow)), (5, 0));
        let sorted = warnings.into_sorted();
        let text =
            "A time is not a number, or is outside what can be shown; the event was skipped (5 times): first (byte 7)";
        assert_eq!(sorted[0].to_string(), text);
        assert_eq!(sorted[1].code, Code::NoStepMarks, "what only informs comes last");
    }

    #[test]
    fn names_are_unique_and_sentences_end() {
        let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|code| code.describe().ends_with('.')));
    }
}
