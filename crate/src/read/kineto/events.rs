//! Events, one by one: what each means to the model.

use std::borrow::Cow;

use super::category::{COMPUTED, Categories, Kind};
use super::{args, keys, metadata, own};
use crate::parse::{Decimal, Fault, FaultKind, Object, Sink, Value};
use crate::trace::{Class, Layer, Mark, NameId, NewSlice, RawId, Row, Sample, Stream, TraceBuilder, TrackId};
use crate::units::Nanos;
use crate::warn::{Code, Warnings};

/// Turns the document's objects into events of the trace.
#[derive(Default)]
pub(super) struct Events {
    pub(super) builder: TraceBuilder,
    pub(super) warnings: Warnings,
    pub(super) first_fault: Option<Fault>,
    pub(super) own: own::OwnExport,
    categories: Categories,
}

/// The members that events of any phase may have.
struct Fields<'a> {
    phase: u8,
    category: Cow<'a, [u8]>,
    name: Option<Cow<'a, [u8]>>,
    process: RawId,
    thread: RawId,
    start: Option<Decimal>,
    duration: Option<Decimal>,
    position: u64,
}

impl Sink for Events {
    #[inline]
    fn object(&mut self, object: &Object<'_>) {
        self.builder.meta.events += 1;
        let fields = self.fields(object);
        match fields.phase {
            b'X' => self.slice(object, &fields),
            b's' | b'f' | b't' => self.arrow(object, &fields),
            b'i' | b'I' | b'R' => self.instant(object, &fields),
            b'M' => self.name(object, &fields),
            b'C' => self.counter(object, &fields),
            // Some writers end the list with an empty object.
            0 if object.is_empty() => self.builder.meta.events -= 1,
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
            FaultKind::Punctuation => Code::ListPunctuation,
            FaultKind::MalformedMember => Code::MalformedMetadata,
            FaultKind::LongMember => Code::MetadataTooLong,
            FaultKind::TrailingText => Code::TrailingText,
            FaultKind::Truncated => Code::Truncated,
            FaultKind::Unclosed => Code::Unclosed,
            FaultKind::ControlCharacter => Code::ControlCharacter,
            FaultKind::Quote => Code::UnescapedQuote,
            FaultKind::Escape => Code::BadEscape,
            FaultKind::Encoding => Code::InvalidUtf8,
            FaultKind::Word => Code::UnknownWord,
            FaultKind::Number => Code::OddNumber,
            FaultKind::Deep => Code::TooDeep,
            FaultKind::Lines => Code::JsonLines,
            FaultKind::SecondDocument => Code::SecondDocument,
            FaultKind::SecondList => Code::SecondList,
        };
        self.first_fault.get_or_insert(fault);
        self.warnings.add(code, Some(fault.position), || format!("expected {}", fault.expected));
    }
}

impl Events {
    #[inline]
    fn fields<'a>(&mut self, object: &Object<'a>) -> Fields<'a> {
        let text = |key| match object.get(key) {
            Some(Value::Text(text)) => Some(text.bytes()),
            _ => None,
        };
        Fields {
            phase: text(keys::PHASE).and_then(|text| text.first().copied()).unwrap_or_default(),
            category: text(keys::CATEGORY).unwrap_or_default(),
            name: text(keys::NAME),
            process: self.raw_id(object.get(keys::PROCESS)),
            thread: self.raw_id(object.get(keys::THREAD)),
            start: object.get(keys::START).and_then(decimal),
            duration: object.get(keys::DURATION).and_then(decimal),
            position: object.position,
        }
    }

    #[inline]
    fn raw_id(&mut self, value: Option<Value<'_>>) -> RawId {
        match value {
            Some(Value::Number(number)) => RawId::Number(number.to_i64().unwrap_or(i64::MAX)),
            Some(Value::Text(text)) => RawId::Text(self.builder.intern(&text.bytes())),
            _ => RawId::default(),
        }
    }

    #[inline]
    fn slice(&mut self, object: &Object<'_>, fields: &Fields<'_>) {
        let Some(name) = &fields.name else {
            self.warnings.add(Code::IncompleteEvent, Some(fields.position), || "no name".into());
            return;
        };
        let category = self.categories.get(&mut self.builder, &fields.category);
        if category.kind == Kind::Computed {
            return;
        }
        let Some((start, end)) = self.span(fields) else { return };
        let class = category.class(name);
        let new = NewSlice {
            track: self.track_of_slice(object, fields, class),
            class,
            category: category.number,
            name: self.builder.intern(name),
            start,
            end,
            position: fields.position,
        };
        let row = self.builder.slice(new);
        match class {
            Class::PythonFrame | Class::ProfilerSpan | Class::Overhead => {}
            Class::Kernel | Class::Memcpy | Class::Memset => self.activity(object, row),
            Class::Operator | Class::Annotation | Class::DeviceAnnotation => self.operation(object, row),
            Class::RuntimeCall | Class::Synchronization | Class::DeviceMarker => {
                self.builder.call(row, args::call(object));
                self.stream_argument(row, object);
            }
            Class::Other => self.stream_argument(row, object),
        }
    }

    #[inline]
    fn track_of_slice(&mut self, object: &Object<'_>, fields: &Fields<'_>, class: Class) -> TrackId {
        let (layer, stream) = match class {
            Class::PythonFrame => (Layer::Python, None),
            Class::ProfilerSpan | Class::Overhead => (Layer::Profiler, None),
            Class::Kernel | Class::Memcpy | Class::Memset => {
                (Layer::Device, Some(stream(fields, args::device(object), args::stream(object))))
            }
            Class::DeviceAnnotation => {
                (Layer::DeviceAnnotation, Some(stream(fields, args::device(object), args::stream_number(object))))
            }
            // Their argument names the stream that is waited for, not the row.
            Class::Synchronization | Class::DeviceMarker => {
                (Layer::DeviceSync, Some(stream(fields, args::device(object), None)))
            }
            Class::Operator | Class::Annotation | Class::RuntimeCall | Class::Other => (Layer::Host, None),
        };
        self.builder.track(fields.process, fields.thread, layer, stream)
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

    fn activity(&mut self, object: &Object<'_>, row: Row) {
        let mut activity = args::activity(object);
        if let Some(config) = args::config(object) {
            activity.config = self.builder.config(config);
        }
        if let Some(collective) = args::collective(object, &mut self.builder) {
            self.builder.collective(row, collective);
        }
        self.builder.activity(row, activity);
    }

    fn operation(&mut self, object: &Object<'_>, row: Row) {
        if object.get(keys::ARGS).is_none() {
            return;
        }
        let mut operation = args::operation(object);
        if let Some(Value::List(text)) = object.inner(keys::INPUT_DIMS) {
            operation.shapes = self.builder.intern(text);
        }
        if let Some(Value::List(text)) = object.inner(keys::INPUT_TYPE) {
            operation.types = self.builder.intern(text);
        }
        self.builder.operation(row, operation);
        if let Some(Value::Text(text)) = object.inner(keys::CALL_STACK) {
            let stack = text.bytes();
            if !stack.is_empty() {
                let stack = self.builder.intern(&stack);
                self.builder.stack(row, stack);
            }
        }
        if let Some(collective) = args::collective(object, &mut self.builder) {
            self.builder.collective(row, collective);
        }
        self.stream_argument(row, object);
    }

    #[inline]
    fn stream_argument(&mut self, row: Row, object: &Object<'_>) {
        if let Some(stream) = args::stream_number(object) {
            self.builder.stream_argument(row, stream);
        }
    }

    #[inline]
    fn arrow(&mut self, object: &Object<'_>, fields: &Fields<'_>) {
        let Some(id) = object.get(keys::ID).and_then(args::unsigned) else {
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
        if let Some(at) = self.moment(fields) {
            let kind = self.builder.intern(&fields.category);
            self.builder.flow_point(kind, id, start, fields.process, fields.thread, at);
        }
    }

    /// When something without a length is; `None`, with a warning, if it does not say.
    fn moment(&mut self, fields: &Fields<'_>) -> Option<Nanos> {
        let at = fields.start.and_then(Decimal::nanos_from_micros);
        if at.is_none() {
            self.warnings.add(Code::BadTime, Some(fields.position), String::new);
        }
        at.map(|(at, _)| at)
    }

    fn instant(&mut self, object: &Object<'_>, fields: &Fields<'_>) {
        let Some(at) = self.moment(fields) else { return };
        let name = fields.name.as_deref().unwrap_or_default();
        if name == b"[memory]" {
            let track = self.builder.track(fields.process, fields.thread, Layer::Host, None);
            self.builder.memory(args::memory(object, track, at));
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
        let Some(at) = self.moment(fields) else { return };
        let name = self.builder.intern(fields.name.as_deref().unwrap_or_default());
        // The series' names are the producer's own, so that no list of wanted keys has them.
        for (series, value) in args::counter_values(object) {
            match value {
                Ok(value) => {
                    let series = self.builder.intern(series.as_bytes());
                    self.builder.sample(fields.process, name, series, Sample { at, value });
                }
                Err(text) => {
                    let example = || format!("{series}: {text}");
                    self.warnings.add(Code::CounterWithoutNumber, Some(fields.position), example);
                }
            }
        }
    }

    fn name(&mut self, object: &Object<'_>, fields: &Fields<'_>) {
        let text = match object.inner(keys::NAME).or_else(|| object.inner(keys::LABELS)) {
            Some(Value::Text(text)) => self.builder.intern(&text.bytes()),
            _ => NameId::NONE,
        };
        let sort_index = object.inner(keys::SORT_INDEX).and_then(args::signed);
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

/// The stream of a row: as the arguments say, else as process and thread do.
fn stream(fields: &Fields<'_>, device: Option<i64>, stream: Option<i64>) -> Stream {
    Stream {
        device: device.unwrap_or_else(|| fields.process.number()),
        stream: stream.unwrap_or_else(|| fields.thread.number()),
    }
}

/// A time, which some producers write as a text.
#[inline]
fn decimal(value: Value<'_>) -> Option<Decimal> {
    match value {
        Value::Number(number) => Some(number),
        Value::Text(text) => Decimal::parse(&text.bytes()),
        _ => None,
    }
}
