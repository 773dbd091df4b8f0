//! PyTorch's profiler (libkineto), Chrome JSON.
//!
//! Producer: `torch.profiler`'s `export_chrome_trace` and `tensorboard_trace_handler`, of PyTorch 1.8 to
//! 2.15, on CUDA, ROCm, XPU, MTIA and CPU; also what other tools derived from such a file (a bare list
//! of events, other orders of keys, other spaces).
//!
//! Read: `X` slices of every category, with the arguments of operators (shapes, types, sequence numbers),
//! runtime calls, kernels, copies and collectives; `i` memory events and marks; `s`/`f` arrows (`ac2g`,
//! `async_cpu_to_gpu`, `fwdbwd`); `C` counters; `M` names; the members around the list.
//! Not read, but counted: other phases.
//!
//! Times are microseconds with at most three decimals, from `baseTimeNanoseconds` (since 2024) or from
//! 1970 (before). The category decides what an event is, never pid or tid: python functions can carry
//! pid 0, which is also the first device's.
//!
//! Source: libkineto's `output_json.cpp` and torch's `kineto_shim`; facts seen in real files.

mod args;
mod category;
mod keys;
mod metadata;
mod own;

use std::borrow::Cow;

use self::args::{ActivityArgs, CollectiveArgs};
use self::category::{COMPUTED, Categories, Kind};
use super::{Reader, Reading};
use crate::error::{Error, ErrorKind};
use crate::input::{Head, Verdict};
use crate::parse::{Decimal, Document, Fault, FaultKind, Keys, Member, Object, Sink, Value};
use crate::trace::{
    Activity, Class, Layer, Mark, MemoryEvent, NameId, NewSlice, Operation, RawId, Row, Sample, Stream, Trace,
    TraceBuilder, TrackId,
};
use crate::units::Nanos;
use crate::warn::{Code, Warnings};

/// The reader of PyTorch's traces.
pub(super) struct Kineto;

impl Reader for Kineto {
    fn id(&self) -> &'static str {
        "kineto"
    }

    fn title(&self) -> &'static str {
        "PyTorch profiler (Kineto JSON)"
    }

    fn sniff(&self, head: Head<'_>) -> Verdict {
        const SIGNS: [&str; 12] = [
            "\"deviceProperties\"",
            "\"cpu_op\"",
            "\"External id\"",
            "\"Ev Idx\"",
            "\"ProfilerStep#",
            "\"cuda_runtime\"",
            "\"gpu_memcpy\"",
            "\"python_function\"",
            "\"baseTimeNanoseconds\"",
            "\"user_annotation\"",
            "\"distributedInfo\"",
            "\"cpu_instant_event\"",
        ];
        if !matches!(head.trimmed().first(), Some(b'{' | b'[')) {
            return Verdict::No("it does not start like JSON");
        }
        if SIGNS.iter().any(|sign| head.contains(sign)) {
            Verdict::Yes
        } else if !head.whole {
            Verdict::NeedMore
        } else if head.contains("\"traceEvents\"") || head.contains("\"ph\"") {
            Verdict::No("a Chrome trace, but nothing in its beginning is PyTorch's")
        } else {
            Verdict::No("JSON without a list of trace events in its beginning")
        }
    }

    fn start(&self) -> Box<dyn Reading> {
        Box::new(KinetoReading {
            document: Document::new("traceEvents", Keys::new(keys::WANTED)),
            events: Events::default(),
        })
    }
}

struct KinetoReading {
    document: Document,
    events: Events,
}

impl Reading for KinetoReading {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.document.space(len)
    }

    fn advance(&mut self, len: usize) -> Result<(), Error> {
        self.document.advance(len, &mut self.events);
        Ok(())
    }

    fn events(&self) -> u64 {
        self.events.builder.meta.events
    }

    fn finish(mut self: Box<Self>, warnings: &mut Warnings) -> Result<Trace, Error> {
        self.document.finish(&mut self.events);
        let Events { mut builder, warnings: found, first_fault, own, .. } = self.events;
        if builder.meta.events == 0 {
            return Err(match first_fault {
                Some(fault) => Error::at(ErrorKind::Syntax { expected: fault.expected }, fault.position),
                None => Error::new(ErrorKind::NoEvents),
            });
        }
        warnings.merge(found);
        builder.meta.format = "kineto";
        "PyTorch".clone_into(&mut builder.meta.framework);
        own.apply(&mut builder);
        builder.finish(warnings)
    }
}

/// Turns the document's objects into events of the trace.
#[derive(Default)]
struct Events {
    builder: TraceBuilder,
    categories: Categories,
    warnings: Warnings,
    first_fault: Option<Fault>,
    own: own::OwnExport,
}

/// The members of an event that every phase may have.
struct Fields<'a> {
    phase: u8,
    category: Cow<'a, [u8]>,
    name: Option<Cow<'a, [u8]>>,
    process: RawId,
    thread: RawId,
    start: Option<Decimal>,
    duration: Option<Decimal>,
    id: Option<u64>,
    position: u64,
}

impl Sink for Events {
    #[inline]
    fn object(&mut self, object: &Object<'_>) {
        self.builder.meta.events += 1;
        let fields = self.fields(object);
        match fields.phase {
            b'X' => self.slice(object, &fields),
            b's' | b'f' | b't' => self.arrow(&fields),
            b'i' | b'I' | b'R' => self.instant(object, &fields),
            b'M' => self.name(object, &fields),
            b'C' => self.counter(object, &fields),
            // Some writers end the list with an empty object.
            0 if object.members().next().is_none() => self.builder.meta.events -= 1,
            0 => self.warnings.add(Code::IncompleteEvent, Some(object.position), || "no phase".into()),
            phase => {
                let phase = char::from(phase).to_string();
                self.warnings.add(Code::UnusedPhase, Some(object.position), || phase);
            }
        }
    }

    fn member(&mut self, key: &str, value: &[u8], position: u64) {
        if key == own::KEY {
            self.own.read(value);
        } else {
            metadata::read(&mut self.builder.meta, &mut self.warnings, key, value, position);
        }
    }

    fn fault(&mut self, fault: Fault) {
        let code = match fault.kind {
            FaultKind::MalformedObject => Code::MalformedEvent,
            FaultKind::NotAnObject => Code::NotAnEvent,
            FaultKind::Comma => Code::ListPunctuation,
            FaultKind::MalformedMember => Code::MalformedMetadata,
            FaultKind::LongMember => Code::MetadataTooLong,
            FaultKind::TrailingText => Code::TrailingText,
            FaultKind::Truncated => Code::Truncated,
        };
        self.first_fault.get_or_insert(fault);
        self.warnings.add(code, Some(fault.position), || format!("expected {}", fault.expected));
    }
}

impl Events {
    #[inline]
    fn fields<'a>(&mut self, object: &Object<'a>) -> Fields<'a> {
        let mut fields = Fields {
            phase: 0,
            category: Cow::Borrowed(b""),
            name: None,
            process: RawId::default(),
            thread: RawId::default(),
            start: None,
            duration: None,
            id: None,
            position: object.position,
        };
        for Member { key, inner, value } in object.members() {
            if inner {
                continue;
            }
            match (key, value) {
                (keys::PHASE, Value::Text(text)) => fields.phase = text.bytes().first().copied().unwrap_or_default(),
                (keys::CATEGORY, Value::Text(text)) => fields.category = text.bytes(),
                (keys::NAME, Value::Text(text)) => fields.name = Some(text.bytes()),
                (keys::PROCESS, value) => fields.process = self.raw_id(value),
                (keys::THREAD, value) => fields.thread = self.raw_id(value),
                (keys::START, value) => fields.start = decimal(value),
                (keys::DURATION, value) => fields.duration = decimal(value),
                (keys::ID, value) => fields.id = args::unsigned(value),
                _ => {}
            }
        }
        fields
    }

    fn raw_id(&mut self, value: Value<'_>) -> RawId {
        match value {
            Value::Number(number) => RawId::Number(number.to_i64().unwrap_or(i64::MAX)),
            Value::Text(text) => RawId::Text(self.builder.intern(&text.bytes())),
            _ => RawId::default(),
        }
    }

    fn slice(&mut self, object: &Object<'_>, fields: &Fields<'_>) {
        let Some(name) = &fields.name else {
            self.warnings.add(Code::IncompleteEvent, Some(fields.position), || "no name".into());
            return;
        };
        let category = self.categories.get(&mut self.builder, &fields.category);
        if category.kind == Kind::Computed {
            return;
        }
        let Some((start, end)) = self.span(fields) else {
            return;
        };
        let class = category.class(name);
        let name = self.builder.intern(name);
        let place = (fields.process, fields.thread);
        let new =
            |track| NewSlice { track, class, category: category.number, name, start, end, position: fields.position };
        match class {
            Class::Kernel | Class::Memcpy | Class::Memset => self.activity(object, place, new),
            Class::Operator | Class::Annotation => self.operation(object, place, new),
            Class::RuntimeCall => self.runtime_call(object, place, new),
            Class::DeviceAnnotation => {
                let (device, stream) = (args::device(object), args::stream_number(object));
                let track = self.device_track(place, device, stream, Layer::DeviceAnnotation);
                let row = self.builder.slice(new(track));
                let external = args::external(object);
                self.builder.operation(row, Operation { external, ..Operation::default() });
            }
            Class::Synchronization | Class::DeviceMarker => {
                let track = self.device_track(place, args::device(object), None, Layer::DeviceSync);
                let row = self.builder.slice(new(track));
                self.builder.call(row, args::call(object));
                self.stream_argument(row, object);
            }
            Class::PythonFrame => {
                let track = self.builder.track(place.0, place.1, Layer::Python, None);
                self.builder.slice(new(track));
            }
            Class::ProfilerSpan | Class::Overhead => {
                let track = self.builder.track(place.0, place.1, Layer::Profiler, None);
                self.builder.slice(new(track));
            }
            Class::Other => {
                let track = self.builder.track(place.0, place.1, Layer::Host, None);
                let row = self.builder.slice(new(track));
                self.stream_argument(row, object);
            }
        }
    }

    /// Start and end of a slice; `None`, with a warning, if it has none.
    #[inline]
    fn span(&mut self, fields: &Fields<'_>) -> Option<(Nanos, Nanos)> {
        let (Some(start), Some(duration)) = (fields.start, fields.duration) else {
            let what = if fields.start.is_none() { "no ts" } else { "no dur" };
            self.warnings.add(Code::IncompleteEvent, Some(fields.position), || what.into());
            return None;
        };
        let duration = if duration.negative && duration.mantissa != 0 {
            self.warnings.add(Code::NegativeDuration, Some(fields.position), String::new);
            Decimal::default()
        } else {
            duration
        };
        let Some((start, end, rounded)) = Decimal::span_from_micros(start, duration) else {
            self.warnings.add(Code::BadTime, Some(fields.position), String::new);
            return None;
        };
        if rounded {
            self.warnings.add(Code::FinerThanNanosecond, Some(fields.position), String::new);
        }
        Some((start, end))
    }

    fn activity(&mut self, object: &Object<'_>, place: (RawId, RawId), new: impl Fn(TrackId) -> NewSlice) {
        let mut args = ActivityArgs::default();
        let mut collective = CollectiveArgs::default();
        for member in object.members().filter(|member| member.inner) {
            if !args.read(member) {
                collective.read(member);
            }
        }
        let track = self.device_track(place, args.device, args.stream, Layer::Device);
        let row = self.builder.slice(new(track));
        let activity = Activity {
            correlation: args.correlation,
            external: args.external,
            config: args.config().map_or_else(Default::default, |config| self.builder.config(config)),
            bytes: args.bytes,
            graph: args.graph,
            collective: collective
                .into_collective()
                .map_or_else(Default::default, |found| self.builder.collective(row, found)),
            ..Activity::default()
        };
        self.builder.activity(row, activity);
    }

    fn operation(&mut self, object: &Object<'_>, place: (RawId, RawId), new: impl Fn(TrackId) -> NewSlice) {
        let track = self.builder.track(place.0, place.1, Layer::Host, None);
        let row = self.builder.slice(new(track));
        let mut operation = Operation::default();
        let mut collective = CollectiveArgs::default();
        let mut found = false;
        for member in object.members().filter(|member| member.inner) {
            found = true;
            match (member.key, member.value) {
                (keys::EXTERNAL_ID, value) => operation.external = args::serial(value),
                (keys::SEQUENCE_NUMBER, value) => operation.sequence = args::serial(value),
                (keys::FORWARD_THREAD, value) => operation.forward_thread = args::serial(value),
                (keys::INPUT_DIMS, Value::List(text)) => operation.shapes = self.builder.intern(text),
                (keys::INPUT_TYPE, Value::List(text)) => operation.types = self.builder.intern(text),
                (keys::CALL_STACK, Value::Text(text)) => {
                    let stack = text.bytes();
                    if !stack.is_empty() {
                        let stack = self.builder.intern(&stack);
                        self.builder.stack(row, stack);
                    }
                }
                (keys::STREAM, Value::Number(number)) => {
                    if let Some(stream) = number.to_i64() {
                        self.builder.stream_argument(row, stream);
                    }
                }
                _ => collective.read(member),
            }
        }
        if found {
            self.builder.operation(row, operation);
        }
        if let Some(collective) = collective.into_collective() {
            self.builder.collective(row, collective);
        }
    }

    fn runtime_call(&mut self, object: &Object<'_>, place: (RawId, RawId), new: impl Fn(TrackId) -> NewSlice) {
        let track = self.builder.track(place.0, place.1, Layer::Host, None);
        let row = self.builder.slice(new(track));
        self.builder.call(row, args::call(object));
        self.stream_argument(row, object);
    }

    fn stream_argument(&mut self, row: Row, object: &Object<'_>) {
        if let Some(stream) = args::stream_number(object) {
            self.builder.stream_argument(row, stream);
        }
    }

    fn device_track(
        &mut self,
        place: (RawId, RawId),
        device: Option<i64>,
        stream: Option<i64>,
        layer: Layer,
    ) -> TrackId {
        let number = |id: RawId| match id {
            RawId::Number(number) => number,
            RawId::Text(_) => 0,
        };
        let stream = Stream {
            device: device.unwrap_or_else(|| number(place.0)),
            stream: stream.unwrap_or_else(|| number(place.1)),
        };
        self.builder.track(place.0, place.1, layer, Some(stream))
    }

    fn arrow(&mut self, fields: &Fields<'_>) {
        let Some(id) = fields.id else {
            self.warnings.add(Code::UnmatchedFlow, Some(fields.position), || "no id".into());
            return;
        };
        let start = fields.phase == b's';
        match &*fields.category {
            b"ac2g" => return self.builder.launch_arrow(args::serial_of(id), start),
            // The arrows of 2022 from calls to activities say what the correlation says.
            b"async_cpu_to_gpu" => return,
            category if category == COMPUTED.as_bytes() => return,
            _ => {}
        }
        let Some((at, _)) = fields.start.and_then(Decimal::nanos_from_micros) else {
            self.warnings.add(Code::BadTime, Some(fields.position), String::new);
            return;
        };
        let kind = self.builder.intern(&fields.category);
        self.builder.flow_point(kind, id, start, fields.process, fields.thread, at);
    }

    fn instant(&mut self, object: &Object<'_>, fields: &Fields<'_>) {
        let Some((at, _)) = fields.start.and_then(Decimal::nanos_from_micros) else {
            self.warnings.add(Code::BadTime, Some(fields.position), String::new);
            return;
        };
        let name = fields.name.as_deref().unwrap_or_default();
        if name == b"[memory]" {
            let track = self.builder.track(fields.process, fields.thread, Layer::Host, None);
            let args = args::MemoryArgs::read(object);
            self.builder.memory(MemoryEvent {
                at,
                track,
                address: args.address,
                bytes: args.bytes,
                allocated: args.allocated,
                reserved: args.reserved,
                device: args.device(),
            });
            return;
        }
        let name = self.builder.intern(name);
        let track = self.builder.track(fields.process, fields.thread, Layer::Profiler, None);
        self.builder.mark(Mark { at, track, name });
    }

    fn counter(&mut self, object: &Object<'_>, fields: &Fields<'_>) {
        if *fields.category == *COMPUTED.as_bytes() {
            return;
        }
        let Some((at, _)) = fields.start.and_then(Decimal::nanos_from_micros) else {
            self.warnings.add(Code::BadTime, Some(fields.position), String::new);
            return;
        };
        let name = self.builder.intern(fields.name.as_deref().unwrap_or_default());
        // The series' names are the producer's own, so that no list of wanted keys has them.
        for (series, value) in args::counter_values(object) {
            let series = self.builder.intern(series.as_bytes());
            self.builder.sample(fields.process, name, series, Sample { at, value });
        }
    }

    fn name(&mut self, object: &Object<'_>, fields: &Fields<'_>) {
        let mut text = NameId::NONE;
        let mut sort_index = None;
        for Member { key, value, .. } in object.members().filter(|member| member.inner) {
            match (key, value) {
                (keys::NAME | keys::LABELS, Value::Text(found)) => text = self.builder.intern(&found.bytes()),
                (keys::SORT_INDEX, value) => sort_index = args::signed(value),
                _ => {}
            }
        }
        let (process, thread) = (fields.process, fields.thread);
        match fields.name.as_deref().unwrap_or_default() {
            b"process_name" => self.builder.process_mut(process).name = text,
            b"process_labels" => self.builder.process_mut(process).labels = text,
            b"process_sort_index" => self.builder.process_mut(process).sort_index = sort_index.unwrap_or_default(),
            b"thread_name" => self.builder.name_thread(process, thread, text.get(), None),
            b"thread_sort_index" => self.builder.name_thread(process, thread, None, sort_index),
            _ => {}
        }
    }
}

/// A time, which some producers write as a text.
fn decimal(value: Value<'_>) -> Option<Decimal> {
    match value {
        Value::Number(number) => Some(number),
        Value::Text(text) => Decimal::parse(&text.bytes()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
