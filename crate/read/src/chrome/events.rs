//! Events, one by one, by their phase.

use std::borrow::Cow;

use stepscope_format::secrets::mask_member;

use super::event::{Core, Dialect, Event};
use super::naming::{Named, Naming};
use super::own::{self, OwnExport};
use super::pairs::{Group, Pairs};
use super::samples::Samples;
use super::skipped::SkippedSecrets;
use super::{args, keys};
use stepscope_base::{Code, Nanos};
use stepscope_parse::{Fault, FaultKind, Object, Sink, Value};
use stepscope_trace::{AddedSlice, NameId, Sample, TraceBuilder};

/// The category of computed events in this tool's exports; they are skipped when an export is read back.
pub(crate) const COMPUTED: &str = "stepscope";

/// Turns the document's objects into events of the trace.
pub(super) struct Events<D> {
    pub(super) core: Core,
    pub(super) dialect: D,
    pub(super) own: OwnExport,
    pub(super) first_fault: Option<Fault>,
    pub(super) pairs: Pairs,
    samples: Samples,
    skipped: SkippedSecrets,
    /// Names of processes and threads, in order, if they are to be replayed.
    pub(super) naming: Option<Vec<Naming>>,
    /// Events of any phase.
    pub(super) seen: u64,
}

impl<D: Dialect> Events<D> {
    pub(super) fn new(builder: TraceBuilder) -> Self {
        Self {
            core: Core { builder, ..Core::default() },
            dialect: D::default(),
            own: OwnExport::default(),
            first_fault: None,
            pairs: Pairs::default(),
            samples: Samples::default(),
            skipped: SkippedSecrets::default(),
            naming: None,
            seen: 0,
        }
    }

    /// Ends open slices, and adds the results that need the whole file.
    pub(super) fn ended(mut self) -> Self {
        std::mem::take(&mut self.samples).finish(&mut self.core);
        std::mem::take(&mut self.pairs).finish(&mut self.core);
        self
    }

    /// Begins a slice of a thread that a separate event ends.
    fn begin(&mut self, event: &Event<'_>) {
        let Some(name) = self.name_of(event) else { return };
        let Some(at) = event.moment(&mut self.core) else { return };
        let row = self.dialect.slice(&mut self.core, event, name, at, at);
        let name = self.core.builder.intern(name);
        self.pair(Group::Thread(event.process, event.thread), event, at, Some(name), Some(row));
    }

    fn end(&mut self, event: &Event<'_>) {
        let Some(at) = event.moment(&mut self.core) else { return };
        let name = event.name.as_deref().filter(|name| !name.is_empty());
        let name = name.map(|name| self.core.builder.intern(name));
        self.pair(Group::Thread(event.process, event.thread), event, at, name, None);
    }

    /// Begins or ends an operation that belongs to no thread.
    fn operation(&mut self, event: &Event<'_>, begins: bool) {
        let Some(name) = self.name_of(event) else { return };
        let Some(id) = event.id(&mut self.core) else {
            return self.core.warnings.add(Code::IncompleteEvent, Some(event.position), || "no id".into());
        };
        let Some(at) = event.moment(&mut self.core) else { return };
        let row = begins.then(|| self.dialect.async_slice(&mut self.core, event, name, at));
        let builder = &mut self.core.builder;
        let scope = event.scope();
        let kind = builder.intern(scope.as_deref().unwrap_or(&event.category));
        let name = builder.intern(name);
        self.pair(Group::Id(kind, name, id), event, at, Some(name), row);
    }

    fn pair(&mut self, group: Group, event: &Event<'_>, at: Nanos, name: Option<NameId>, row: Option<AddedSlice>) {
        self.pairs.add(group, event.process, (at, event.position), name, row);
    }

    #[inline]
    fn name_of<'e>(&mut self, event: &'e Event<'_>) -> Option<&'e [u8]> {
        if event.name.is_none() {
            self.core.warnings.add(Code::IncompleteEvent, Some(event.position), || "no name".into());
        }
        event.name.as_deref()
    }

    #[inline]
    fn slice(&mut self, event: &Event<'_>) {
        let Some(name) = self.name_of(event) else { return };
        if let Some((start, end)) = self.dialect.span(&mut self.core, event) {
            self.dialect.slice(&mut self.core, event, name, start, end);
        }
    }

    #[inline]
    fn flow(&mut self, event: &Event<'_>) {
        match event.id(&mut self.core) {
            Some(id) => self.dialect.flow(&mut self.core, event, id),
            None => self.core.warnings.add(Code::UnmatchedFlow, Some(event.position), || "no id".into()),
        }
    }

    fn instant(&mut self, event: &Event<'_>) {
        if let Some(at) = event.moment(&mut self.core) {
            self.dialect.instant(&mut self.core, event, at);
        }
    }

    fn counter(&mut self, event: &Event<'_>) {
        let Some(at) = event.moment(&mut self.core) else { return };
        let Core { builder, warnings } = &mut self.core;
        let name = event.name.as_deref().unwrap_or_default();
        // The same name with several ids means several counters.
        let name = match event.object.get(keys::ID) {
            Some(Value::Text(id)) => builder.intern(&[name, b" [", &*id.bytes(), b"]"].concat()),
            Some(Value::Number(id)) => builder.intern(&[name, format!(" [{}]", id.to_f64()).as_bytes()].concat()),
            _ => builder.intern(name),
        };
        // Series' names are the producer's own, so they are not among the wanted keys.
        for (series, value) in args::counter_values(event.object) {
            match value {
                Ok(value) => {
                    let series = builder.intern(series.as_bytes());
                    builder.sample(event.process, name, series, Sample { at, value });
                }
                Err(text) => {
                    warnings.add(Code::CounterWithoutNumber, Some(event.position), || format!("{series}: {text}"));
                }
            }
        }
    }

    fn name(&mut self, event: &Event<'_>) {
        let text = match event.object.inner(keys::NAME).or_else(|| event.object.inner(keys::LABELS)) {
            Some(Value::Text(text)) => text.bytes(),
            _ => Cow::default(),
        };
        self.dialect.named(event, &text);
        let builder = &mut self.core.builder;
        let text = if text.is_empty() { NameId::NONE } else { builder.intern(&text) };
        let sort_index = event.object.inner(keys::SORT_INDEX).and_then(args::signed);
        let what = match event.name.as_deref().unwrap_or_default() {
            b"process_name" => Named::Process,
            b"process_labels" => Named::Labels,
            b"process_sort_index" => Named::ProcessOrder,
            b"thread_name" => Named::Thread,
            b"thread_sort_index" => Named::ThreadOrder,
            _ => return,
        };
        let naming = Naming { what, process: event.process, thread: event.thread, text, sort_index };
        naming.apply(builder);
        if let Some(all) = &mut self.naming {
            all.push(naming);
        }
    }
}

impl<D: Dialect> Sink for Events<D> {
    #[inline]
    fn object(&mut self, object: &Object<'_>) {
        let mut event = Event::of(object, &mut self.core.builder);
        self.seen += 1;
        self.core.builder.meta.events += 1;
        self.skipped.look(object, &mut self.core.builder.secrets);
        self.dialect.prepare(&mut self.core, &mut event);
        if *event.category == *COMPUTED.as_bytes() && event.phase != b'M' {
            return;
        }
        match event.phase {
            b'X' => self.slice(&event),
            b's' | b'f' | b't' => self.flow(&event),
            b'i' | b'I' | b'R' => self.instant(&event),
            b'M' => self.name(&event),
            b'C' => self.counter(&event),
            b'B' => self.begin(&event),
            b'E' => self.end(&event),
            b'b' | b'S' | b'N' => self.operation(&event, true),
            b'e' | b'F' | b'D' => self.operation(&event, false),
            // Instants of operations, and snapshots of objects.
            b'n' | b'T' | b'p' | b'O' => self.instant(&event),
            b'P' => self.samples.event(&mut self.core, &event),
            b'c' => self.core.warnings.add(Code::UnusedClockSync, Some(object.position), String::new),
            b'(' | b')' | b'=' => self.core.warnings.add(Code::UnusedContexts, Some(object.position), String::new),
            b'v' | b'V' => self.core.warnings.add(Code::UnusedMemoryDumps, Some(object.position), String::new),
            // Some writers end the list with an empty object.
            0 if object.is_empty() => {
                self.seen -= 1;
                self.core.builder.meta.events -= 1;
            }
            0 => self.core.warnings.add(Code::IncompleteEvent, Some(object.position), || "no phase".into()),
            phase => {
                let phase = char::from(phase).to_string();
                self.core.warnings.add(Code::UnusedPhase, Some(object.position), || phase);
            }
        }
    }

    fn member(&mut self, key: &str, value: &[u8], position: u64) {
        if key == own::KEY {
            self.own.read(value);
        } else if !self.samples.member(&mut self.core, key, value) {
            let value = mask_member(key, value, &mut self.core.builder.secrets);
            self.dialect.member(&mut self.core, key, &value, position);
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
        self.core.warnings.add(code, Some(fault.position), || format!("expected {}", fault.expected));
    }
}
