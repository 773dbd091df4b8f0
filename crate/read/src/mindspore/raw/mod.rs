//! Raw recordings of MindSpore's profiler, before its analysis: times of operators, and small files with the clock
//! and the device.
//!
//! | file | content | time |
//! |---|---|---|
//! | `cpu_op_execute_timestamp_N.txt`, `gpu_op_…` | operators: `name;HostCpuOps;start,length,thread …` | start ns, length ms (GPU: µs) |
//! | `activity_execute_timestamp_N.txt` | a GPU's kernels and copies: `name;stream;start;length` | ns, µs |
//! | `output_timeline_data_N.txt` | an Ascend's operators, of 1.x | ms of the device's counter |
//! | `kernel_details.csv` | an Ascend's tasks, of 2.4 on | µs |
//! | `task_time_*.csv` | an Ascend's tasks, with waits and copies, by msprof | µs |
//! | `op_summary_*.csv` | an Ascend's operators, by msprof; the reader of tables reads them | µs |
//! | `start_info.N` | the time at which msprof's clock was zero | |
//! | `info.json.N` | the device | |
//! | `min_cycle_counter_N.txt` | the counter at the first task | 10 ns |
//!
//! A run that ended before `analyse` has only these files. Where there is a timeline, it has the same, and raw times
//! are left out. They are also left out if their clock differs from that of the files before. An incomplete file
//! gives its complete lines, and a warning.

mod facts;
mod kernels;
mod lines;
mod times;
mod units;

pub(crate) use self::kernels::{TableTask, is_collective};
use self::lines::Lines;
pub(crate) use self::times::add_tasks;
use super::timeline::LeftOut;
use super::{devices, repeats};
use crate::{About, Counts, Finished, Method, ReadText, Reader, Reading, RunPart};
use crate::{Head, Verdict};
use stepscope_base::{Code, Error, ErrorKind, RejectionReason, Warnings};
use stepscope_trace::TraceBuilder;

/// The reader of the raw files.
pub(crate) struct Raw;

/// The content of a raw file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Operators,
    GpuActivities,
    AscendOperators,
    Kernels,
    Start,
    Device,
    CycleCounter,
}

impl Reader for Raw {
    fn id(&self) -> &'static str {
        "mindspore_raw"
    }

    fn about(&self) -> About {
        About {
            title: "MindSpore profiler (raw times)",
            versions: "MindSpore 1.x to 2.10: runs that ended before `analyse`; msprof's exports without a timeline",
            read: "operators and activities, tasks of msprof's `task_time_*.csv`, when msprof's clock started, the device",
            not_read: "binary records of the AI cores and of the host (`*.slice_0`, `*.data`), logs",
        }
    }

    fn sniff(&self, path: &str, head: Head<'_>) -> Verdict {
        match kind(path, head.bytes, head.whole) {
            Some(_) => Verdict::Yes,
            None if !head.whole => Verdict::NeedMore,
            None => super::sniff::beside(path).unwrap_or(Verdict::No(RejectionReason::NoRawLine)),
        }
    }

    fn method(&self) -> Method {
        Method::Stream(start)
    }

    fn devices_in(&self, path: &str, read: &mut ReadText<'_>) -> std::io::Result<Vec<i64>> {
        devices::devices_in(path, read)
    }

    fn part_of(&self, path: &str, head: Head<'_>) -> Option<RunPart> {
        super::part::part_of(path, head)
    }
}

/// The kind of a file, by its first line; by its name if it has only numbers.
fn kind(path: &str, bytes: &[u8], whole: bool) -> Option<Kind> {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let line = &bytes[..end.unwrap_or(bytes.len())];
    let has = |text: &[u8]| line.windows(text.len()).any(|window| window == text);
    let file = path.rsplit('/').next().unwrap_or(path);
    if line.starts_with(b"op_name, stream_id, start_time") {
        return Some(Kind::AscendOperators);
    }
    if line.starts_with(b"{") {
        return match () {
            () if has(b"\"collectionTimeBegin\"") && has(b"\"clockMonotonicRaw\"") => Some(Kind::Start),
            () if has(b"\"DeviceInfo\"") && has(b"\"jobInfo\"") => Some(Kind::Device),
            () => None,
        };
    }
    // The rest of the line may change the kind.
    if end.is_none() && !whole {
        return None;
    }
    if kernels::Columns::of(line).is_some() {
        return Some(Kind::Kernels);
    }
    if times::operators(line).is_some_and(|(_, kind, times)| {
        kind.ends_with(b"Ops") && times::runs(times).next().is_some_and(|(_, run)| times::run(run).is_some())
    }) {
        return Some(Kind::Operators);
    }
    if file.starts_with("activity_execute_timestamp") && times::activity(line).is_some() {
        return Some(Kind::GpuActivities);
    }
    (file.starts_with("min_cycle_counter") && facts::cycle_counter(line).is_some()).then_some(Kind::CycleCounter)
}

fn start(builder: TraceBuilder) -> Box<dyn Reading> {
    match repeats::timeline(&builder) {
        // Small files have such names, too; the first line decides.
        Some(timeline) if times_by_name(builder.input_name()) => Box::new(LeftOut::new(builder, timeline)),
        _ => Box::new(RawReading { builder, lines: Lines::default(), file: None, warnings: Warnings::default() }),
    }
}

fn times_by_name(path: &str) -> bool {
    ["op_execute_timestamp", "activity_execute_timestamp", "output_timeline_data"]
        .iter()
        .any(|name| path.contains(name))
}

struct RawReading {
    builder: TraceBuilder,
    lines: Lines,
    file: Option<(Kind, times::Times)>,
    warnings: Warnings,
}

impl RawReading {
    fn line(
        builder: &mut TraceBuilder,
        file: &mut Option<(Kind, times::Times)>,
        warnings: &mut Warnings,
        line: &[u8],
        position: u64,
        last: bool,
    ) {
        let first = file.is_none();
        let new = || kind(builder.input_name(), line, true).map(|kind| (kind, times::Times::default()));
        let Some((kind, times)) = file.as_mut().map_or_else(new, |file| Some((file.0, std::mem::take(&mut file.1))))
        else {
            return;
        };
        let (_, times) = file.insert((kind, times));
        let whole = match kind {
            Kind::Operators => times.operators(builder, warnings, line, position),
            Kind::GpuActivities => times.activity(builder, warnings, line, position),
            Kind::AscendOperators if first => true,
            Kind::AscendOperators => times.ascend_operator(builder, warnings, line, position),
            Kind::Kernels => times.kernel(builder, warnings, line, position),
            Kind::Start => facts::start(builder, line),
            Kind::Device => facts::device(builder, line),
            Kind::CycleCounter => facts::note_cycle_counter(builder, line),
        };
        if !whole && !line.is_empty() {
            let code = if last { Code::Truncated } else { Code::MalformedEvent };
            warnings.add(code, Some(position), || String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned());
        }
    }
}

impl Reading for RawReading {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.lines.space(len)
    }

    fn advance(&mut self, len: usize) -> Result<(), Error> {
        let Self { builder, lines, file, warnings } = self;
        lines.advance(len, |line, at| Self::line(builder, file, warnings, line, at, false));
        Ok(())
    }

    fn counts(&self) -> Counts {
        Counts::of(&self.builder)
    }

    fn finish(mut self: Box<Self>) -> Finished {
        let Self { builder, lines, file, warnings } = &mut *self;
        if let Some((line, at)) = lines.rest() {
            Self::line(builder, file, warnings, line, at, true);
        }
        if let Some((_, times)) = file {
            times.finish(builder, warnings);
        }
        let error = file.is_none().then(|| Error::new(ErrorKind::NoEvents));
        if error.is_none() {
            builder.meta.framework = "MindSpore".into();
        }
        Finished { builder: self.builder, warnings: self.warnings, error }
    }
}
