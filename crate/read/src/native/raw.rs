//! Reads raw recordings with random access: a name may be far after its first use.

use stepscope_format::raw::{HEADER_TAG, Recording, Sink, Source, read as read_recording};
use stepscope_format::{Damage, Kind, Record};

use super::compact::expected;
use super::model::{Model, ProcessFacts, RecordOrigin};
use super::windows;
use crate::reader::{About, Method, Reader, RunPart};
use crate::{Head, Verdict, Windows};
use stepscope_base::{Error, ErrorKind, ReadAt, RejectionReason, Warnings};
use stepscope_trace::TraceBuilder;

/// The reader of `.steprec`.
pub(crate) struct Raw;

impl Reader for Raw {
    fn id(&self) -> &'static str {
        "stepscope_raw"
    }

    fn about(&self) -> About {
        About {
            title: "Stepscope raw recordings (.steprec)",
            versions: "1",
            read: "as .stepscope; of processes that were killed or still run, too",
            not_read: "-",
        }
    }

    fn sniff(&self, _path: &str, head: Head<'_>) -> Verdict {
        let tag = HEADER_TAG.to_le_bytes();
        match head.bytes.first_chunk::<8>() {
            Some(first) if *first == tag => Verdict::Yes,
            None if !head.whole && tag.starts_with(head.bytes) => Verdict::NeedMore,
            _ => Verdict::No(RejectionReason::NoStepscopeTag),
        }
    }

    fn method(&self) -> Method {
        Method::Random(read)
    }

    fn part_of(&self, path: &str, head: Head<'_>) -> Option<RunPart> {
        let recording = Recording::of(head.bytes).ok()?;
        let run = path.rsplit_once('/').map(|(folder, _)| folder.to_owned()).unwrap_or_default();
        Some(RunPart { run, rank: recording.fact("rank").and_then(|rank| rank.parse().ok()), order: 0 })
    }

    fn windows_of(&self, head: Head<'_>) -> Option<Windows> {
        Recording::of(head.bytes).ok().as_ref().map(windows::of_raw)
    }
}

struct File<'a>(&'a mut dyn ReadAt);

impl Source for File<'_> {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&mut self, position: u64, buffer: &mut [u8]) -> Result<usize, String> {
        let mut filled = 0;
        while filled < buffer.len() {
            let rest = &mut buffer[filled..];
            match self.0.read_at(position + filled as u64, rest).map_err(|error| error.to_string())? {
                0 => break,
                read => filled += read,
            }
        }
        Ok(filled)
    }
}

struct Contents<'a> {
    model: Model,
    thread: u64,
    builder: &'a mut TraceBuilder,
    warnings: &'a mut Warnings,
}

impl Sink for Contents<'_> {
    fn recording(&mut self, recording: &Recording) {
        let facts = ProcessFacts {
            id: recording.process,
            closed: recording.closed,
            dropped: recording.dropped,
            reused: recording.reused,
            unix_offset: recording.unix_offset(),
            facts: &recording.facts,
        };
        self.model.process(0, &facts, self.builder, self.warnings);
        Model::began(recording.process, recording.begin.monotonic, self.builder);
    }

    fn name(&mut self, number: u32, text: &[u8]) {
        self.model.name(0, number, text, self.builder);
    }

    fn record(&mut self, record: &Record, position: u64) {
        if record.kind == Kind::Thread {
            self.thread = record.value;
            self.model.thread(0, record.value, record.extent, record.name, self.builder);
        } else {
            let place = RecordOrigin { process: 0, thread: self.thread, position };
            self.model.record(record, place, self.builder, self.warnings);
        }
    }

    fn damage(&mut self, damage: Damage) {
        Model::damage(&damage, self.warnings);
    }
}

fn read(
    file: &mut dyn ReadAt,
    builder: &mut TraceBuilder,
    warnings: &mut Warnings,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let mut contents = Contents { model: Model::default(), thread: 0, builder, warnings };
    read_recording(&mut File(file), &mut contents, progress).map_err(|(damage, message)| match damage {
        Some(damage) => Error::at(ErrorKind::Syntax { expected: expected(&damage) }, damage.position),
        None => Error::new(ErrorKind::Io(message)),
    })?;
    let Contents { mut model, builder, warnings, .. } = contents;
    match model.finish(builder, warnings) {
        0 => Err(Error::new(ErrorKind::NoEvents)),
        _ => Ok(()),
    }
}
