//! Events of the threads.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::{Profile, callbacks, id, thread_of};
use crate::cupti::{HostSlice, span};
use stepscope_base::{Code, Nanos};
use stepscope_trace::{Class, InstantEvent, Layer, NO_SERIAL, NameId, RawId, Serial};

/// A range that has started.
struct Started {
    name: NameId,
    thread: (i64, i64),
    at: Nanos,
    id: i64,
    position: u64,
}

impl Profile<'_, '_> {
    /// Calls of the CUDA runtime and driver.
    pub(super) fn calls(&mut self) {
        let (runtime, driver) = (self.categories.runtime, self.categories.driver);
        self.calls_of("CUPTI_ACTIVITY_KIND_RUNTIME", runtime, callbacks::runtime);
        self.calls_of("CUPTI_ACTIVITY_KIND_DRIVER", driver, callbacks::driver);
    }

    fn calls_of(&mut self, table: &str, category: u16, name_of: fn(i64) -> Option<&'static str>) {
        const COLUMNS: [&str; 6] = ["start", "end", "processId", "threadId", "correlationId", "cbid"];
        let Self { tables, builder, warnings, .. } = self;
        let mut names: HashMap<i64, NameId, FxBuildHasher> = HashMap::default();
        let mut unnamed = 0_u64;
        tables.scan(table, &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, process, thread, correlation, function]: [Option<i64>; 6] = row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            let function = function.unwrap_or_default();
            let name = *names.entry(function).or_insert_with(|| match name_of(function) {
                Some(name) => builder.intern(name.as_bytes()),
                None => {
                    unnamed += 1;
                    builder.intern(format!("cbid {function}").as_bytes())
                }
            });
            let call = HostSlice {
                class: Class::RuntimeCall,
                category,
                name,
                span,
                thread: (id(process), id(thread)),
                position: row.position,
            };
            let correlation = correlation.filter(|id| *id > 0).and_then(|id| Serial::try_from(id).ok());
            call.add_call(builder, correlation.unwrap_or(NO_SERIAL));
        });
        if unnamed > 0 {
            builder.meta.facts.push((format!("{table}: functions known by number only"), unnamed.to_string()));
        }
    }

    /// The profiler's own overhead.
    pub(super) fn overhead(&mut self) {
        const COLUMNS: [&str; 5] = ["start", "end", "objectKind", "overheadKind", "objectId"];
        let Self { tables, builder, warnings, categories, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_OVERHEAD", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, object, kind]: [Option<i64>; 4] = row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            // Documented: `CUpti_ActivityOverheadKind`; CUPTI's own kinds begin at bit 16.
            let name = match kind.unwrap_or_default() {
                1 => "Driver Compiler",
                0x1_0000 => "Buffer Flush",
                0x2_0000 => "Instrumentation",
                0x3_0000 => "Resource",
                _ => "Overhead",
            };
            let slice = HostSlice {
                class: Class::Overhead,
                category: categories.overhead,
                name: builder.intern(name.as_bytes()),
                span,
                thread: thread_of(object, row.get(4).bytes()),
                position: row.position,
            };
            slice.add(builder);
        });
    }

    /// NVTX: a range is two rows with one id, of which only the first has a name.
    pub(super) fn markers(&mut self) {
        const COLUMNS: [&str; 7] = ["timestamp", "id", "flags", "objectKind", "name", "domain", "objectId"];
        const AT_ONCE: i64 = 1;
        const START: i64 = 2;
        const END: i64 = 4;
        let Self { tables, builder, warnings, strings, categories, .. } = self;
        let mut started: Vec<Started> = Vec::new();
        let mut ends: HashMap<i64, Nanos, FxBuildHasher> = HashMap::default();
        tables.scan("CUPTI_ACTIVITY_KIND_MARKER", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [at, id, flags, object, name, domain]: [Option<i64>; 6] = row.integers();
            let (Some(at), Some(id)) = (at, id) else {
                warnings.add(Code::BadTime, Some(row.position), String::new);
                return;
            };
            let (at, flags) = (Nanos(at), flags.unwrap_or_default());
            if flags & END != 0 {
                ends.insert(id, at);
                return;
            }
            let domain = domain.filter(|domain| *domain != 0).and_then(|domain| strings.bytes(domain));
            let name = match domain.filter(|domain| !domain.is_empty()) {
                Some(domain) => {
                    let text = name.and_then(|name| strings.bytes(name)).unwrap_or_default();
                    builder.intern(&[domain, b":", text].concat())
                }
                None => strings.name(builder, name),
            };
            let thread = thread_of(object, row.get(6).bytes());
            if flags & START != 0 {
                started.push(Started { name, thread, at, id, position: row.position });
            } else if flags & AT_ONCE != 0 {
                let (process, thread) = (RawId::Number(thread.0), RawId::Number(thread.1));
                let track = builder.track(process, thread, Layer::Profiler, None);
                builder.instant(InstantEvent { at, track, name });
            }
        });
        let mut latest = None;
        for range in started {
            let end = ends.remove(&range.id).unwrap_or_else(|| {
                let text = || format!("marker {}", range.id);
                warnings.add(Code::UnclosedSlice, Some(range.position), text);
                *latest.get_or_insert_with(|| builder.latest().unwrap_or(Nanos::MIN))
            });
            let slice = HostSlice {
                class: Class::Annotation,
                category: categories.annotation,
                name: range.name,
                span: (range.at, end.max(range.at)),
                thread: range.thread,
                position: range.position,
            };
            slice.add(builder);
        }
        let left = ends.len() as u64;
        warnings.add_many(Code::EndWithoutBegin, left, None, || "an end of a range that has no start".into());
    }
}
