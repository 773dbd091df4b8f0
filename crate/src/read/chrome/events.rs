//! Events, one by one, by their phase.

use super::event::{Core, Dialect, Event};
use super::own::OwnExport;
use super::{COMPUTED, args, keys, own};
use crate::parse::{Fault, FaultKind, Object, Sink, Value};
use crate::trace::{NameId, Sample, TraceBuilder};
use crate::warn::Code;

/// Turns the document's objects into events of the trace.
pub(super) struct Events<D> {
    pub(super) core: Core,
    pub(super) dialect: D,
    pub(super) own: OwnExport,
    pub(super) first_fault: Option<Fault>,
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
            seen: 0,
        }
    }

    /// Ends what the file left open.
    pub(super) fn ended(self) -> Self {
        self
    }

    #[inline]
    fn slice(&mut self, event: &Event<'_>) {
        let Some(name) = &event.name else {
            self.core.warnings.add(Code::IncompleteEvent, Some(event.position), || "no name".into());
            return;
        };
        if let Some((start, end)) = self.dialect.span(&mut self.core, event) {
            self.dialect.slice(&mut self.core, event, name, start, end);
        }
    }

    #[inline]
    fn arrow(&mut self, event: &Event<'_>) {
        match event.id() {
            Some(id) => self.dialect.arrow(&mut self.core, event, id),
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
        let name = builder.intern(event.name.as_deref().unwrap_or_default());
        // The series' names are the producer's own, so that no list of wanted keys has them.
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
        let builder = &mut self.core.builder;
        let text = match event.object.inner(keys::NAME).or_else(|| event.object.inner(keys::LABELS)) {
            Some(Value::Text(text)) => builder.intern(&text.bytes()),
            _ => NameId::NONE,
        };
        let sort_index = event.object.inner(keys::SORT_INDEX).and_then(args::signed);
        let (process, thread) = (event.process, event.thread);
        match event.name.as_deref().unwrap_or_default() {
            b"process_name" => builder.process_mut(process).name = text,
            b"process_labels" => builder.process_mut(process).labels = text,
            b"process_sort_index" => builder.process_mut(process).sort_index = sort_index.unwrap_or_default(),
            b"thread_name" => builder.name_thread(process, thread, text.get(), None),
            b"thread_sort_index" => builder.name_thread(process, thread, None, sort_index),
            _ => {}
        }
    }
}

impl<D: Dialect> Sink for Events<D> {
    #[inline]
    fn object(&mut self, object: &Object<'_>) {
        let mut event = Event::of(object, &mut self.core.builder);
        self.seen += 1;
        self.core.builder.meta.events += 1;
        self.dialect.prepare(&mut self.core, &mut event);
        if *event.category == *COMPUTED.as_bytes() && event.phase != b'M' {
            return;
        }
        match event.phase {
            b'X' => self.slice(&event),
            b's' | b'f' | b't' => self.arrow(&event),
            b'i' | b'I' | b'R' => self.instant(&event),
            b'M' => self.name(&event),
            b'C' => self.counter(&event),
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
        } else {
            self.dialect.member(&mut self.core, key, value, position);
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
