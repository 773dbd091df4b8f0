//! Lines with the times of operators and activities.

use super::kernels::{Columns, TableTask};
use super::units::{MILLISECONDS, NANOSECONDS, scaled};
use crate::Head;
use crate::mindspore::facts::{clock, fact, note};
use crate::mindspore::tasks::{self, Task};
use crate::mindspore::{part, repeats};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use stepscope_base::{Code, Nanos, Warnings};
use stepscope_parse::Decimal;
use stepscope_trace::{Activity, Class, Layer, NewSlice, RawId, Stream, TraceBuilder};

/// Properties of the current file.
#[derive(Default)]
pub(super) struct Times {
    device: Option<i64>,
    /// Whether the file's clock differs from the rank's.
    other_clock: Option<bool>,
    /// The columns of a table.
    columns: Option<Columns>,
    /// The only device whose tasks are read.
    only: Option<i64>,
    /// Whether earlier files have a table's tasks.
    repeats: bool,
    /// Copies of a table, which belong to a collective if their stream does.
    copies: Vec<TableTask>,
    /// The streams of collectives, each with its device.
    collective_streams: HashSet<(Option<i64>, Option<i64>), FxBuildHasher>,
}

/// One slice of a line.
struct LineSlice<'a> {
    name: &'a [u8],
    class: Class,
    communicates: bool,
    process: &'static [u8],
    thread: RawId,
    device: Option<i64>,
    stream: Option<i64>,
    span: (Nanos, Nanos),
    clock: &'static str,
    position: u64,
}

/// Name, kind and runs from a line of operators.
pub(super) fn operators(line: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let mut parts = line.rsplitn(3, |byte| *byte == b';');
    let (times, kind, name) = (parts.next()?, parts.next()?, parts.next()?);
    Some((name, kind, times))
}

/// The runs of an operator, each with its position in the text.
pub(super) fn runs(times: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    times.split(|byte| *byte == b' ').filter_map(move |run| {
        let start = at;
        at += run.len() + 1;
        (!run.is_empty()).then_some((start, run))
    })
}

/// Start, length and thread of a run.
pub(super) fn run(run: &[u8]) -> Option<(Decimal, Decimal, i64)> {
    let mut parts = run.split(|byte| *byte == b',');
    let (start, length) = (Decimal::parse(parts.next()?)?, Decimal::parse(parts.next()?)?);
    let thread = match parts.next() {
        Some(thread) => Decimal::parse(thread)?.to_i64()?,
        None => 0,
    };
    parts.next().is_none().then_some((start, length, thread))
}

/// Name, stream, start and length from a line of a GPU's activities.
pub(super) fn activity(line: &[u8]) -> Option<(&[u8], i64, Decimal, Decimal)> {
    let mut parts = line.rsplitn(4, |byte| *byte == b';');
    let (length, start) = (Decimal::parse(parts.next()?)?, Decimal::parse(parts.next()?)?);
    let stream = Decimal::parse(parts.next()?)?.to_i64()?;
    Some((parts.next()?, stream, start, length))
}

impl Times {
    /// Reads a line of an operator; returns whether it is complete.
    pub(super) fn operators(
        &mut self,
        builder: &mut TraceBuilder,
        warnings: &mut Warnings,
        line: &[u8],
        position: u64,
    ) -> bool {
        let Some((name, kind, times)) = operators(line) else { return false };
        let is_gpu = kind.starts_with(b"Gpu");
        let mut whole = true;
        for (at, text) in runs(times) {
            let span = run(text).and_then(|(start, length, thread)| {
                let length = if is_gpu { length } else { scaled(length, MILLISECONDS) };
                let (start, end, _) = Decimal::span_from_micros(scaled(start, NANOSECONDS), length)?;
                Some((start, end, thread))
            });
            let Some((start, end, thread)) = span else {
                whole = false;
                continue;
            };
            let place = line.len() - times.len() + at;
            let found = LineSlice {
                name,
                class: Class::Operator,
                communicates: false,
                process: if is_gpu { b"GPU OP" } else { b"CPU OP" },
                thread: RawId::Number(thread),
                device: None,
                stream: None,
                span: (start, end),
                clock: "monotonic",
                position: position + place as u64,
            };
            self.add(builder, warnings, &found);
        }
        whole
    }

    /// Reads a line of a GPU's activity; returns whether it is complete.
    pub(super) fn activity(
        &mut self,
        builder: &mut TraceBuilder,
        warnings: &mut Warnings,
        line: &[u8],
        position: u64,
    ) -> bool {
        let span = activity(line).and_then(|(name, stream, start, length)| {
            let (start, end, _) = Decimal::span_from_micros(scaled(start, NANOSECONDS), length)?;
            Some((name, stream, (start, end)))
        });
        let Some((name, stream, span)) = span else { return false };
        let class = tasks::gpu_class(&String::from_utf8_lossy(name));
        let found = LineSlice {
            name,
            class,
            communicates: false,
            process: b"Activity Op",
            thread: RawId::Number(stream),
            device: None,
            stream: Some(stream),
            span,
            clock: "monotonic",
            position,
        };
        self.add(builder, warnings, &found);
        true
    }

    /// Reads a line of an Ascend's operator, `name,stream,start,length`; returns whether it is complete.
    pub(super) fn ascend_operator(
        &mut self,
        builder: &mut TraceBuilder,
        warnings: &mut Warnings,
        line: &[u8],
        position: u64,
    ) -> bool {
        let mut parts = line.rsplitn(4, |byte| *byte == b',');
        let mut time = || Decimal::parse(parts.next()?.trim_ascii()).map(|time| scaled(time, MILLISECONDS));
        let (Some(length), Some(start)) = (time(), time()) else { return false };
        let Some((start, end, _)) = Decimal::span_from_micros(start, length) else { return false };
        let (Some(stream), Some(name)) = (parts.next(), parts.next()) else { return false };
        // Rows of AI CPU have no stream.
        let stream = Decimal::parse(stream.trim_ascii()).and_then(Decimal::to_i64).unwrap_or(9000);
        let found = LineSlice {
            name,
            class: Class::Kernel,
            communicates: false,
            process: b"Ascend Op",
            thread: RawId::Number(stream),
            device: None,
            stream: Some(stream),
            span: (start, end),
            clock: "device counter",
            position,
        };
        self.add(builder, warnings, &found);
        true
    }

    /// Reads a line of a table of tasks, which begins with a header; returns whether it is complete.
    pub(super) fn kernel(
        &mut self,
        builder: &mut TraceBuilder,
        warnings: &mut Warnings,
        line: &[u8],
        position: u64,
    ) -> bool {
        let Some(columns) = self.columns else {
            self.columns = Columns::of(line);
            self.only = builder.only_device();
            // A timeline may be of the host alone.
            let has_tasks = self.columns.is_some() && builder.activities() > 0;
            if let Some(other) = has_tasks.then(|| repeats::tasks(builder)).flatten() {
                self.repeats = true;
                warnings.add(Code::RepeatedTimeline, None, || other);
            }
            return self.columns.is_some();
        };
        if self.repeats {
            return true;
        }
        let Some(task) = columns.kernel(line, position) else { return false };
        if self.only.is_none() || task.device == self.only {
            self.task_of_table(builder, warnings, task);
        }
        true
    }

    /// Adds a task of a table, or keeps it until all streams are known.
    fn task_of_table(&mut self, builder: &mut TraceBuilder, warnings: &mut Warnings, task: TableTask) {
        if task.task == Task::Copy {
            return self.copies.push(task);
        }
        if task.task == (Task::Order { notifies: true }) {
            self.collective_streams.insert((task.device, task.stream));
        }
        self.task(builder, warnings, &task);
    }

    /// Adds the copies of a table, whose streams are known at its end.
    pub(super) fn finish(&mut self, builder: &mut TraceBuilder, warnings: &mut Warnings) {
        for mut copy in std::mem::take(&mut self.copies) {
            copy.communicates = self.collective_streams.contains(&(copy.device, copy.stream));
            self.task(builder, warnings, &copy);
        }
    }

    fn task(&mut self, builder: &mut TraceBuilder, warnings: &mut Warnings, kernel: &TableTask) {
        let communicates = kernel.communicates || kernel.task == Task::Reduce;
        let class = match kernel.task {
            Task::Copy if !communicates => Class::Memcpy,
            Task::Fill => Class::Memset,
            Task::Order { .. } => Class::DeviceMarker,
            Task::Compute | Task::Copy | Task::Reduce => Class::Kernel,
        };
        // Collectives have no stream.
        let stream = kernel.stream.unwrap_or(if communicates { 70_000 } else { 0 });
        let found = LineSlice {
            name: kernel.name.as_bytes(),
            class,
            communicates,
            process: b"Ascend Hardware",
            thread: RawId::Number(stream),
            device: kernel.device,
            stream: Some(stream),
            span: (kernel.span[0], kernel.span[1]),
            clock: "uptime",
            position: kernel.position,
        };
        self.add(builder, warnings, &found);
    }

    fn add(&mut self, builder: &mut TraceBuilder, warnings: &mut Warnings, found: &LineSlice<'_>) {
        if self.is_on_another_clock(builder, warnings, found) {
            return;
        }
        let device = found.device.unwrap_or_else(|| *self.device.get_or_insert_with(|| device(builder)));
        let name = builder.intern(found.process);
        let process = RawId::Text(name);
        builder.process_mut(process).name = name;
        let stream = found.stream.map(|stream| Stream { device, stream });
        let layer = match found.class {
            Class::DeviceMarker => Layer::DeviceSync,
            _ if stream.is_some() => Layer::Device,
            _ => Layer::Host,
        };
        let category = match found.class {
            Class::DeviceMarker => "npu_event",
            Class::Operator => "cpu_op",
            Class::Kernel if found.communicates => "hccl",
            class => class.name(),
        };
        let new = NewSlice {
            track: builder.track(process, found.thread, layer, stream),
            class: found.class,
            category: builder.category(category.as_bytes()),
            name: builder.intern(found.name),
            start: found.span.0,
            end: found.span.1,
            position: found.position,
        };
        let row = builder.slice(new);
        builder.meta.events += 1;
        if found.class.is_activity() {
            builder.activity(row, Activity::default());
        }
    }

    /// Whether the file's clock differs from that of the rank's earlier files.
    fn is_on_another_clock(
        &mut self,
        builder: &mut TraceBuilder,
        warnings: &mut Warnings,
        found: &LineSlice<'_>,
    ) -> bool {
        if let Some(known) = self.other_clock {
            return known;
        }
        let clock = clock(found.clock, found.span.0);
        let other = fact(builder, "clock").filter(|rank| *rank != clock).map(str::to_owned);
        match &other {
            Some(rank) => warnings.add(Code::OtherClock, Some(found.position), || format!("{clock}, not {rank}")),
            None => {
                note(builder, "clock", clock);
                warnings.add(Code::RawTimes, None, String::new);
            }
        }
        *self.other_clock.insert(other.is_some())
    }
}

/// Adds the tasks of the current file, another table with a row for each task, unless an earlier file has them.
pub(crate) fn add_tasks(
    builder: &mut TraceBuilder,
    warnings: &mut Warnings,
    tasks: impl IntoIterator<Item = TableTask>,
) {
    // A timeline may be of the host alone.
    if builder.activities() > 0 && repeats::tasks(builder).is_some() {
        return;
    }
    let mut times = Times::default();
    for task in tasks {
        times.task_of_table(builder, warnings, task);
    }
    times.finish(builder, warnings);
}

/// The device of the current file: the rank number in its path.
fn device(builder: &TraceBuilder) -> i64 {
    let part = part::part_of(builder.input_name(), Head { bytes: &[], whole: true });
    part.and_then(|part| part.rank).and_then(|rank| i64::try_from(rank).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_lines() {
        let line = b"Default/f;g/Mul-op1;HostCpuOps;100,0.5,0 200,1.25,3 ";
        let (name, kind, times) = operators(line).expect("an operator");
        assert_eq!((name, kind), (&b"Default/f;g/Mul-op1"[..], &b"HostCpuOps"[..]));
        let found: Vec<(usize, Option<i64>)> =
            runs(times).map(|(at, text)| (at, run(text).map(|(_, _, thread)| thread))).collect();
        assert_eq!(found, [(0, Some(0)), (10, Some(3))]);
        assert!(run(b"100,0.5x,0").is_none() && run(b"100").is_none());
        let (name, stream, start, length) = activity(b"void f(int);17;1600695897737724800;5.792").expect("an activity");
        assert_eq!((name, stream, start.to_u64()), (&b"void f(int)"[..], 17, Some(1_600_695_897_737_724_800)));
        assert_eq!((length.mantissa, length.exponent), (5792, -3));
    }
}
