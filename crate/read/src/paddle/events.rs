//! The meaning of the Chrome export's events for the trace model.

use serde_json::Value as Json;

use super::category::{self, Categories};
use super::clock::{self, Clock};
use super::facts::{self, Facts};
use super::{args, keys};
use crate::chrome::args::{intern, serial};
use crate::chrome::keys::THREAD;
use crate::chrome::{Core, Dialect, Event};
use crate::clip::clip;
use stepscope_base::{Code, Nanos};
use stepscope_parse::{Decimal, Value};
use stepscope_trace::{AddedSlice, Call, Class, InstantEvent, Layer, NO_SERIAL, NewSlice, Operation, RawId, Stream};

/// The meaning of Paddle's categories, names and arguments.
#[derive(Default)]
pub(super) struct Paddle {
    categories: Categories,
    clock: Clock,
    facts: Facts,
    /// The last slice of the host: memory events after it belong to it.
    last: Option<(RawId, AddedSlice)>,
}

impl Dialect for Paddle {
    const WANTED: &'static [&'static str] = keys::WANTED;

    /// Merges the rows `123(Python)` and `123(C++)` into one thread.
    #[inline]
    fn prepare(&mut self, _core: &mut Core, event: &mut Event<'_>) {
        if let Some(Value::Text(text)) = event.object.get(THREAD)
            && let Some(thread) = category::thread_of(&text.bytes())
        {
            event.thread = RawId::Number(thread);
            self.facts.thread(event.process, thread);
        }
    }

    #[inline]
    fn span(&mut self, core: &mut Core, event: &Event<'_>) -> Option<(Nanos, Nanos)> {
        let own = |key| event.object.inner(key).and_then(clock::micros);
        let (Some(start), Some(end)) = (own(keys::START_TIME), own(keys::END_TIME)) else {
            let (start, end) = event.span(core)?;
            return Some((self.clock.moment(start), self.clock.moment(end)));
        };
        if end < start {
            core.warnings.add(Code::NegativeDuration, Some(event.position), String::new);
        }
        if end >= clock::COARSE {
            core.warnings.add(Code::CoarseTimes, Some(event.position), String::new);
        }
        let cut = event.start.and_then(Decimal::nanos_from_micros).map(|(cut, _)| cut);
        Some(self.clock.place(cut, start, end.max(start)))
    }

    #[inline]
    fn slice(&mut self, core: &mut Core, event: &Event<'_>, name: &[u8], start: Nanos, end: Nanos) -> AddedSlice {
        let category = self.categories.get(&mut core.builder, &event.category);
        let (object, builder) = (event.object, &mut core.builder);
        let (layer, stream) = if category.class.is_activity() {
            let device = args::device(object).unwrap_or_else(|| event.process.number());
            let stream = args::stream(object).unwrap_or_else(|| event.thread.number());
            (Layer::Device, Some(Stream { device, stream }))
        } else {
            (Layer::Host, None)
        };
        let track = builder.track(event.process, event.thread, layer, stream);
        let name = builder.intern(category::without_duration(name));
        let row = builder.slice(NewSlice {
            track,
            class: category.class,
            category: category.number,
            name,
            start,
            end,
            position: event.position,
        });
        match category.class {
            Class::Kernel | Class::Memcpy | Class::Memset => {
                let mut activity = args::activity(object);
                if let Some(config) = args::config(object) {
                    activity.config = builder.config(config);
                }
                builder.activity(row, activity);
            }
            Class::RuntimeCall => {
                let correlation = serial(object, keys::CORRELATION);
                builder.call(row, Call { correlation, external: NO_SERIAL });
            }
            class => {
                self.last = Some((event.thread, row));
                if class == Class::Operator {
                    operation(core, event, row);
                }
            }
        }
        row
    }

    fn flow(&mut self, core: &mut Core, event: &Event<'_>, id: u64) {
        // `launch` repeats the correlation, incompletely: short kernels have no end of such a flow.
        if event.name.as_deref() != Some(b"launch") {
            event.flow_point(core, id);
        }
    }

    fn instant(&mut self, core: &mut Core, event: &Event<'_>, at: Nanos) {
        let name = event.name.as_deref().unwrap_or_default();
        let at = self.clock.moment(at);
        let builder = &mut core.builder;
        if name != b"[memory]" {
            let name = builder.intern(name);
            let track = builder.track(event.process, event.thread, Layer::Profiler, None);
            builder.instant(InstantEvent { at, track, name });
            return;
        }
        let track = builder.track(event.process, event.thread, Layer::Host, None);
        let memory = args::memory(event.object, &event.category, track, at);
        // Events outside of all ranges precede the first slice of their thread.
        match self.last {
            Some((thread, row)) if thread == event.thread => builder.memory_in(row, memory),
            _ => builder.memory(memory),
        }
        if let Some((place, peaks)) = args::peaks(event.object) {
            self.facts.peaks(place, peaks);
        }
    }

    fn member(&mut self, core: &mut Core, key: &str, value: &[u8], position: u64) {
        let Ok(value) = serde_json::from_slice::<Json>(value) else {
            core.warnings.add(Code::MalformedMetadata, Some(position), || key.to_owned());
            return;
        };
        let meta = &mut core.builder.meta;
        match (key, &value) {
            ("deviceProperties", Json::Array(devices)) => meta.devices = devices.iter().map(facts::device).collect(),
            ("ExtraInfo", Json::Object(extra)) => {
                for (key, value) in extra {
                    self.facts.extra(&mut core.builder, key, value.as_str().unwrap_or_default());
                }
            }
            ("displayTimeUnit", _) => {}
            // Exports of this tool have a number with that name.
            ("schemaVersion", Json::String(version)) => meta.facts.push(("Schema version".into(), clip(version))),
            // With its own name, an export of this tool would look like Paddle's.
            ("span_index" | "span_indx", Json::String(index)) => meta.facts.push(("Span index".into(), clip(index))),
            (_, Json::String(fact)) => meta.facts.push((key.to_owned(), clip(fact))),
            (_, Json::Number(_) | Json::Bool(_)) => meta.facts.push((key.to_owned(), value.to_string())),
            _ => {}
        }
    }

    fn finish(self, core: &mut Core) {
        core.builder.meta.origin_unix_ns = self.clock.late().map(|late| late.0);
        self.facts.finish(&mut core.builder);
    }
}

fn operation(core: &mut Core, event: &Event<'_>, row: AddedSlice) {
    let mut operation = Operation::default();
    // Empty objects mean that shapes were not recorded.
    let mut given = |key| match event.object.inner(key) {
        Some(Value::Object(text)) if text != b"{}" => Some(core.builder.intern(text)),
        _ => None,
    };
    operation.shapes = given(keys::INPUT_SHAPES).unwrap_or_default();
    operation.types = given(keys::INPUT_TYPES).unwrap_or_default();
    core.builder.operation(row, operation);
    let stack = event.object.inner(keys::CALL_STACK).and_then(|stack| intern(&mut core.builder, stack));
    if let Some(stack) = stack {
        core.builder.stack(row, stack);
    }
}
