//! Reads compact files as bytes arrive.

use stepscope_format::Damage;
use stepscope_format::compact::{Item, Reader as Decoder};

use super::model::{Model, ProcessFacts, RecordOrigin};
use super::windows;
use crate::reader::{About, Counts, Finished, Method, Reader, Reading};
use crate::{Head, Verdict, Windows};
use stepscope_base::{Error, ErrorKind, RejectionReason, Warnings};
use stepscope_trace::TraceBuilder;

/// The reader of `.stepscope`.
pub(crate) struct Compact;

impl Reader for Compact {
    fn id(&self) -> &'static str {
        "stepscope"
    }

    fn about(&self) -> About {
        About {
            title: "Stepscope recording (.stepscope)",
            versions: "1",
            read: "spans, steps, phases, marks, their arguments, counters, asynchronous operations, flows, memory events; \
                   kernels, copies, waits, CUDA calls, devices",
            not_read: "-",
        }
    }

    fn sniff(&self, _path: &str, head: Head<'_>) -> Verdict {
        match Decoder::knows(head.bytes) {
            Some(true) => Verdict::Yes,
            None if !head.whole => Verdict::NeedMore,
            _ => Verdict::No(RejectionReason::NoStepscopeTag),
        }
    }

    fn windows_of(&self, head: Head<'_>) -> Option<Windows> {
        windows::of_compact(head.bytes)
    }

    fn method(&self) -> Method {
        Method::Stream(|builder| {
            Box::new(File {
                room: Vec::new(),
                decoder: Decoder::new(),
                model: Model::default(),
                builder,
                warnings: Warnings::default(),
                damage: None,
            })
        })
    }
}

struct File {
    /// The buffer for the next bytes.
    room: Vec<u8>,
    decoder: Decoder,
    model: Model,
    builder: TraceBuilder,
    warnings: Warnings,
    /// The first damage.
    damage: Option<Damage>,
}

impl File {
    fn take_items(&mut self) {
        let Self { decoder, model, builder, warnings, damage: first, .. } = self;
        while let Some(item) = decoder.next() {
            match item {
                Item::Process(process) => model.process(
                    process.number,
                    &ProcessFacts {
                        id: process.id,
                        closed: process.closed,
                        dropped: process.dropped,
                        reused: process.reused,
                        unix_offset: process.unix_offset,
                        facts: &process.facts,
                    },
                    builder,
                    warnings,
                ),
                Item::Names { process, names } => {
                    for (number, text) in names {
                        model.name(process, number, text.as_bytes(), builder);
                    }
                }
                Item::Thread(thread) => model.thread(thread.process, thread.serial, thread.id, thread.name, builder),
                Item::Records { process, thread, position, records } => {
                    for record in &records {
                        model.record(record, RecordOrigin { process, thread, position }, builder, warnings);
                    }
                }
                Item::Damage(damage) => {
                    Model::damage(&damage, warnings);
                    first.get_or_insert(damage);
                }
            }
        }
    }
}

impl Reading for File {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.room.resize(len, 0);
        &mut self.room
    }

    fn advance(&mut self, len: usize) -> Result<(), Error> {
        self.decoder.feed(self.room.get(..len).unwrap_or(&self.room));
        self.take_items();
        Ok(())
    }

    fn counts(&self) -> Counts {
        Counts::of(&self.builder)
    }

    fn finish(mut self: Box<Self>) -> Finished {
        self.decoder.close();
        self.take_items();
        let seen = self.model.finish(&mut self.builder, &mut self.warnings);
        let error = (seen == 0).then(|| match &self.damage {
            Some(damage) => Error::at(ErrorKind::Syntax { expected: expected(damage) }, damage.position),
            None => Error::new(ErrorKind::NoEvents),
        });
        Finished { builder: self.builder, warnings: self.warnings, error }
    }
}

/// The expected content at the position of damage.
pub(super) fn expected(damage: &Damage) -> &'static str {
    damage.what.strip_prefix("expected ").unwrap_or(damage.what)
}
