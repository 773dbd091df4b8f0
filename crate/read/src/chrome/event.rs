//! Events, and the dialects of producers that interpret them.

use std::borrow::Cow;

use super::keys;
use crate::clip::clip;
use stepscope_base::{Code, Nanos, Warnings};
use stepscope_parse::{Decimal, Object, Value};
use stepscope_trace::{AddedSlice, Class, FlowPhase, InstantEvent, Layer, NameId, NewSlice, RawId, TraceBuilder, Way};

/// The receiver of events.
#[derive(Default)]
pub(crate) struct Core {
    pub(crate) builder: TraceBuilder,
    pub(crate) warnings: Warnings,
}

/// The members that events of any phase may have.
pub(crate) struct Event<'a> {
    pub(crate) object: &'a Object<'a>,
    pub(crate) phase: u8,
    pub(crate) category: Cow<'a, [u8]>,
    pub(crate) name: Option<Cow<'a, [u8]>>,
    pub(crate) process: RawId,
    pub(crate) thread: RawId,
    pub(crate) start: Option<Decimal>,
    pub(crate) duration: Option<Decimal>,
    pub(crate) position: u64,
}

/// The meaning of a producer's events.
pub(crate) trait Dialect: Default {
    /// The keys that are read: the common ones, then the dialect's own (see [`keys::keys`]).
    const WANTED: &'static [&'static str];

    /// Rewrites common members first, such as a thread's id.
    #[inline]
    fn prepare(&mut self, _core: &mut Core, _event: &mut Event<'_>) {}

    /// Start and end of a slice; `None`, with a warning, if it has none.
    #[inline]
    fn span(&mut self, core: &mut Core, event: &Event<'_>) -> Option<(Nanos, Nanos)> {
        event.span(core)
    }

    /// Adds a slice. If separate events begin and end it, its end is set later.
    fn slice(&mut self, core: &mut Core, event: &Event<'_>, name: &[u8], start: Nanos, end: Nanos) -> AddedSlice;

    /// Adds an operation without a thread, in one row per category; its end is set later.
    fn async_slice(&mut self, core: &mut Core, event: &Event<'_>, name: &[u8], start: Nanos) -> AddedSlice {
        let builder = &mut core.builder;
        let row = if event.category.is_empty() { &b"async"[..] } else { &event.category };
        let row = RawId::Text(builder.intern(row));
        let new = NewSlice {
            track: builder.track(event.process, row, Layer::Async, None),
            class: Class::Async,
            category: builder.category(&event.category),
            name: builder.intern(name),
            start,
            end: start,
            position: event.position,
        };
        builder.slice(new)
    }

    /// Receives the name of a process or thread, once for each event that sets it.
    fn named(&mut self, _event: &Event<'_>, _text: &[u8]) {}

    /// Adds one end, or a step between, of a flow.
    #[inline]
    fn flow(&mut self, core: &mut Core, event: &Event<'_>, id: u64) {
        event.flow_point(core, id);
    }

    /// Adds an instant event.
    fn instant(&mut self, core: &mut Core, event: &Event<'_>, at: Nanos) {
        let name = core.builder.intern(event.name.as_deref().unwrap_or_default());
        let track = core.builder.track(event.process, event.thread, Layer::Profiler, None);
        core.builder.instant(InstantEvent { at, track, name });
    }

    /// Takes a member of the outer object: its key and the text of its value, which is valid JSON.
    fn member(&mut self, core: &mut Core, key: &str, value: &[u8], position: u64) {
        let _ = position;
        match serde_json::from_slice(value) {
            Ok(serde_json::Value::String(fact)) => core.builder.meta.facts.push((key.to_owned(), clip(&fact))),
            Ok(fact @ (serde_json::Value::Number(_) | serde_json::Value::Bool(_))) => {
                core.builder.meta.facts.push((key.to_owned(), fact.to_string()));
            }
            _ => {}
        }
    }

    /// Whether an event can be read without the file before it. While the dialect [is in its initial
    /// state](Self::is_as_at_first), the result must not depend on that part. Its only effects on later events must
    /// be those that [`absorb`](Self::absorb) merges.
    #[inline]
    fn reads_apart(_object: &Object<'_>) -> bool {
        true
    }

    /// Whether the dialect is in its initial state: earlier events do not affect how others are read.
    fn is_as_at_first(&self) -> bool {
        true
    }

    /// Serializes or deserializes the dialect's state of a shard.
    fn serialize(&mut self, _way: &mut Way<'_>) {}

    /// Merges the state of the next shard.
    fn absorb(&mut self, _piece: Self) {}

    /// Sets the facts of the whole file, after its last event.
    fn finish(self, core: &mut Core);
}

impl<'a> Event<'a> {
    #[inline]
    pub(super) fn of(object: &'a Object<'a>, builder: &mut TraceBuilder) -> Self {
        let text = |key| match object.get(key) {
            Some(Value::Text(text)) => Some(text.bytes()),
            _ => None,
        };
        let mut raw_id = |value| match value {
            Some(Value::Number(number)) => RawId::Number(Decimal::to_i64(number).unwrap_or(i64::MAX)),
            Some(Value::Text(text)) => RawId::Text(builder.intern(&text.bytes())),
            _ => RawId::default(),
        };
        Self {
            object,
            phase: text(keys::PHASE).and_then(|text| text.first().copied()).unwrap_or_default(),
            category: text(keys::CATEGORY).unwrap_or_default(),
            name: text(keys::NAME),
            process: raw_id(object.get(keys::PROCESS)),
            thread: raw_id(object.get(keys::THREAD)),
            start: object.get(keys::START).and_then(decimal),
            duration: object.get(keys::DURATION).and_then(decimal),
            position: object.position,
        }
    }

    /// Start and end by `ts` and `dur`, in microseconds.
    #[inline]
    pub(crate) fn span(&self, core: &mut Core) -> Option<(Nanos, Nanos)> {
        let (Some(start), Some(duration)) = (self.start, self.duration) else {
            let what = if self.start.is_none() { "no ts" } else { "no dur" };
            core.warnings.add(Code::IncompleteEvent, Some(self.position), || what.into());
            return None;
        };
        let duration = if duration.negative && duration.mantissa != 0 {
            core.warnings.add(Code::NegativeDuration, Some(self.position), String::new);
            Decimal::default()
        } else {
            duration
        };
        let Some((start, end, rounded)) = Decimal::span_from_micros(start, duration) else {
            core.warnings.add(Code::BadTime, Some(self.position), String::new);
            return None;
        };
        if rounded {
            core.warnings.add(Code::FinerThanNanosecond, Some(self.position), String::new);
        }
        Some((start, end))
    }

    /// The time of an event without length; `None`, with a warning, if it has none.
    pub(crate) fn moment(&self, core: &mut Core) -> Option<Nanos> {
        let at = self.start.and_then(Decimal::nanos_from_micros);
        if at.is_none() {
            core.warnings.add(Code::BadTime, Some(self.position), String::new);
        }
        at.map(|(at, _)| at)
    }

    /// Adds one point of a flow: points of one category with one id belong together.
    pub(crate) fn flow_point(&self, core: &mut Core, id: u64) {
        let kind = core.builder.intern(&self.category);
        self.flow_point_of(core, kind, id);
    }

    /// Adds one point of a flow of a kind.
    ///
    /// An end binds to the slice around it if it says so (`"bp": "e"`), else to the next one, as the format has it.
    pub(crate) fn flow_point_of(&self, core: &mut Core, kind: NameId, id: u64) {
        let encloses = || matches!(self.object.get(keys::BIND), Some(Value::Text(text)) if &*text.bytes() == b"e");
        let category = match self.phase {
            b's' => FlowPhase::Start,
            b't' => FlowPhase::Step,
            _ if encloses() => FlowPhase::End,
            _ => FlowPhase::EndAtNext,
        };
        if let Some(at) = self.moment(core) {
            core.builder.flow_point(kind, id, category, self.process, self.thread, at);
        }
    }
}

/// A time; some producers write it as text.
#[inline]
pub(crate) fn decimal(value: Value<'_>) -> Option<Decimal> {
    match value {
        Value::Number(number) => Some(number),
        Value::Text(text) => Decimal::parse(&text.bytes()),
        _ => None,
    }
}
