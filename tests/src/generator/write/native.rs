//! Stepscope's own compact file, as it is made of a recording with CUPTI: without Python's functions.

use std::collections::HashMap;

use stepscope_format::compact::{Process, Thread, Writer};
use stepscope_format::device::{Activity, Detail};
use stepscope_format::{Category, Kind as RecordKind, Record};

use super::{BACKWARD_THREAD, BASE, CLOCK_OFFSET, MAIN_THREAD, PROCESS, Style};
use crate::generator::simulate::{Event, Kind};
use crate::generator::{KernelTruth, Spec};

/// Serial numbers of threads: the two of the program, and the one that records device activities.
const SERIALS: [(u64, u64, &str); 3] = [(1, MAIN_THREAD, "python3"), (2, BACKWARD_THREAD, "pt_autograd_0"), (3, 9, "")];

/// The serial number of CUPTI's thread.
const CUPTI: u64 = 3;

#[derive(Debug, Default)]
pub(super) struct Native {
    spec: Spec,
    writer: Writer,
    names: HashMap<String, u32>,
    rest: Vec<u8>,
}

impl Style for Native {
    fn head(&mut self) {
        let facts = [("rank", self.spec.rank), ("world_size", self.spec.world_size)];
        self.writer.process(&Process {
            number: 0,
            id: small(PROCESS),
            closed: true,
            unix_offset: i64::try_from(BASE).unwrap_or(i64::MAX),
            facts: facts.map(|(key, value)| (key.to_owned(), value.to_string())).to_vec(),
            ..Process::default()
        });
        for (serial, id, name) in SERIALS {
            let name = self.name(name);
            self.writer.thread(&Thread { process: 0, serial, id, name });
        }
        let name = self.name("NVIDIA A100-SXM4-80GB");
        self.detail(&Detail::Device {
            device: 0,
            name,
            memory: 84_987_740_160,
            multiprocessors: 108,
            capability: [8, 0],
            warp: 32,
        });
        self.detail(&Detail::Limits {
            device: 0,
            threads: 2048,
            block_threads: 1024,
            registers: 65_536,
            shared: 167_936,
            block_shared: 49_152,
        });
    }

    fn event(&mut self, event: &Event) {
        match &event.kind {
            Kind::Operator { .. } => self.span(event, Category::Operator),
            Kind::Annotation { .. } => self.span(event, Category::General),
            Kind::Python { .. } => {}
            Kind::Call { correlation, .. } => {
                let name = self.name(&event.name);
                let thread = if event.backward_thread { BACKWARD_THREAD } else { MAIN_THREAD };
                self.activity(event, (Category::Runtime, 211), name, (*correlation, small(thread)), &[]);
            }
            Kind::Kernel { id, correlation, stream, .. } => {
                let name = self.name(&event.name);
                let launch = Detail::Launch {
                    grid: [KernelTruth::blocks(*id), 1, 1],
                    block: [256, 1, 1],
                    registers: 40,
                    fixed_shared: 144,
                    dynamic_shared: 256,
                };
                self.activity(event, (Category::Kernel, 0), name, (*correlation, small(*stream)), &[launch]);
            }
            Kind::Memcpy { correlation, bytes, .. } => {
                let (source, destination) = if event.name.contains("DtoH") { (3, 1) } else { (2, 3) };
                let kind = if source == 3 { 2 } else { 1 };
                let copy = Detail::Copy { kind, source, destination, flags: 0, bytes: *bytes, devices: [0; 2] };
                self.activity(event, (Category::Memcpy, 0), 0, (*correlation, 7), &[copy]);
            }
            Kind::Memset { correlation, bytes, .. } => {
                let set = Detail::Set { memory: 3, flags: 0, bytes: *bytes, value: 0 };
                self.activity(event, (Category::Memset, 0), 0, (*correlation, 7), &[set]);
            }
            Kind::Wait { correlation, stream, event: awaited } => {
                let kind = ["Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"];
                let kind = (1..).zip(kind).find(|(_, name)| *name == event.name).map_or(0, |(code, _)| code);
                let (awaited_stream, awaited_record) = awaited.unwrap_or_default();
                let wait = Detail::Wait {
                    kind,
                    context: 1,
                    event: small(awaited_record),
                    awaited_stream: small(awaited_stream),
                    awaited_record: small(awaited_record),
                    returned: 0,
                };
                let stream = u32::try_from(*stream).unwrap_or(u32::MAX);
                self.activity(event, (Category::Synchronization, 0), 0, (small(*correlation), stream), &[wait]);
            }
            Kind::ForwardBackward { id, end } => {
                let kind = if *end { RecordKind::FlowEnd } else { RecordKind::FlowStart };
                let name = self.name("fwdbwd");
                self.record(event, Record { kind, value: *id, ..blank(event.start, name) });
            }
            Kind::Memory { address, bytes, .. } => {
                let value = bytes.cast_unsigned();
                let record = Record { kind: RecordKind::Memory, extent: *address, value, ..blank(event.start, 0) };
                self.record(event, record);
            }
        }
    }

    fn tail(&mut self) {
        self.rest = std::mem::take(&mut self.writer).finish();
    }

    fn pending(&self) -> usize {
        // The writer limits its buffered records.
        0
    }

    fn take(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(self.writer.output());
        // An empty writer begins a file.
        if !self.rest.is_empty() {
            bytes = std::mem::take(&mut self.rest);
        }
        bytes
    }
}

fn small(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

fn time(at: i64) -> u64 {
    (at + CLOCK_OFFSET).unsigned_abs()
}

fn blank(at: i64, name: u32) -> Record {
    let at = time(at);
    Record { kind: RecordKind::Mark, category: Category::General, aux: 0, name, at, extent: 0, value: 0 }
}

impl Native {
    pub(super) fn new(spec: &Spec) -> Self {
        Self { spec: spec.clone(), ..Self::default() }
    }

    fn name(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if let Some(number) = self.names.get(text) {
            return *number;
        }
        let number = small(self.names.len() + 1);
        self.names.insert(text.to_owned(), number);
        self.writer.name(0, number, text);
        number
    }

    fn record(&mut self, event: &Event, record: Record) {
        self.writer.record(0, if event.backward_thread { 2 } else { 1 }, record);
    }

    fn span(&mut self, event: &Event, category: Category) {
        let (name, extent) = (self.name(&event.name), event.length.unsigned_abs());
        self.record(event, Record { kind: RecordKind::Span, category, extent, ..blank(event.start, name) });
    }

    fn detail(&mut self, detail: &Detail) {
        self.writer.record(0, CUPTI, detail.record());
    }

    fn activity(
        &mut self,
        event: &Event,
        (category, device): (Category, u16),
        name: u32,
        (correlation, place): (impl TryInto<u32>, u32),
        details: &[Detail],
    ) {
        let (at, duration) = (time(event.start), event.length.unsigned_abs());
        let activity = Activity { category, device, name, at, duration, correlation: small(correlation), place };
        self.writer.record(0, CUPTI, activity.record());
        for detail in details {
            self.detail(detail);
        }
    }
}
