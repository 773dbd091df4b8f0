//! The meaning of events, as far as their producers show it.

use super::device::Devices;
use super::keys;
use super::producer::Signs;
use crate::chrome::args::{intern, serial};
use crate::chrome::keys::{LABELS, NAME, PHASE};
use crate::chrome::{Core, Dialect, Event};
use crate::clip::clip;
use stepscope_base::{Code, Nanos};
use stepscope_parse::{Object, Value};
use stepscope_trace::{
    Activity, AddedSlice, Call, Class, Layer, NO_BYTES, NO_SERIAL, NewSlice, Operation, Stream, Way, is_xla_wait,
};

/// The meaning of events of any producer that has no reader of its own.
#[derive(Default)]
pub(super) struct Generic {
    signs: Signs,
    devices: Devices,
    /// The category of the previous slice: most slices repeat it.
    category: Vec<u8>,
    number: Option<u16>,
    overflow: bool,
    version: String,
}

/// The most facts of the outer object's `metadata` that are kept.
const MOST_FACTS: usize = 30;

impl Dialect for Generic {
    const WANTED: &'static [&'static str] = keys::WANTED;

    #[inline]
    fn slice(&mut self, core: &mut Core, event: &Event<'_>, name: &[u8], start: Nanos, end: Nanos) -> AddedSlice {
        let category = self.category(core, &event.category);
        let (class, stream) = self.class(event, name);
        let layer = match class {
            Class::Kernel | Class::Memcpy | Class::Memset => Layer::Device,
            Class::DeviceAnnotation => Layer::DeviceAnnotation,
            Class::PythonFrame => Layer::Python,
            _ => Layer::Host,
        };
        let builder = &mut core.builder;
        let track = builder.track(event.process, event.thread, layer, stream);
        let name = builder.intern(name);
        let row = builder.slice(NewSlice { track, class, category, name, start, end, position: event.position });
        let object = event.object;
        match class {
            Class::Kernel | Class::Memcpy | Class::Memset => builder.activity(row, activity(object)),
            Class::RuntimeCall => {
                builder.call(row, Call { correlation: serial(object, keys::CORRELATION), external: NO_SERIAL });
            }
            Class::Operator => builder.operation(row, Operation::default()),
            Class::Annotation => {
                if let Some(step) = object.inner(keys::STEP_NUMBER).and_then(|step| intern(builder, step)) {
                    builder.step(row, step);
                }
            }
            _ => {}
        }
        row
    }

    /// Flows of this format belong together by category, name and id.
    fn flow(&mut self, core: &mut Core, event: &Event<'_>, id: u64) {
        let name = event.name.as_deref().unwrap_or_default();
        let kind = match &*event.category {
            category if category.is_empty() || category == name => core.builder.intern(name),
            category if name.is_empty() => core.builder.intern(category),
            category => core.builder.intern(&[category, b": ", name].concat()),
        };
        event.flow_point_of(core, kind, id);
    }

    fn named(&mut self, event: &Event<'_>, text: &[u8]) {
        match event.name.as_deref() {
            Some(b"process_name") => {
                self.signs.xprof |= is_of_xprof(text);
                self.devices.process(event.process, text);
            }
            Some(b"thread_name") => self.devices.thread(event.process, event.thread, text),
            _ => {}
        }
    }

    fn member(&mut self, core: &mut Core, key: &str, value: &[u8], position: u64) {
        let parsed = || serde_json::from_slice::<serde_json::Value>(value).unwrap_or_default();
        match key {
            "viztracer_metadata" => {
                let about = parsed();
                let overflow = about.get("overflow").and_then(serde_json::Value::as_bool);
                self.signs.viztracer = true;
                self.overflow = overflow.unwrap_or_default();
                self.version =
                    about.get("version").and_then(|text| Some(text.as_str()?.to_owned())).unwrap_or_default();
            }
            "metadata" | "otherData" => {
                let about = parsed();
                self.signs.chromium |= about.get("command_line").is_some() || about.get("user-agent").is_some();
                for (name, fact) in about.as_object().into_iter().flatten().take(MOST_FACTS) {
                    if let Some(text) = fact.as_str() {
                        core.builder.meta.facts.push((name.clone(), clip(text)));
                    }
                }
            }
            "systemTraceEvents" => {
                core.warnings.add(Code::UnusedSystemTrace, Some(position), String::new);
            }
            // The sources of the traced program, which can be large.
            "file_info" => {}
            _ if value.starts_with(b"{") || value.starts_with(b"[") => {}
            _ => match parsed() {
                serde_json::Value::String(fact) => core.builder.meta.facts.push((key.to_owned(), clip(&fact))),
                fact @ (serde_json::Value::Number(_) | serde_json::Value::Bool(_)) => {
                    core.builder.meta.facts.push((key.to_owned(), fact.to_string()));
                }
                _ => {}
            },
        }
    }

    /// xprof's names of processes change how all later events are read.
    #[inline]
    fn reads_apart(object: &Object<'_>) -> bool {
        let is_named = matches!(object.get(PHASE), Some(Value::Text(text)) if text.bytes().starts_with(b"M"));
        !is_named
            || !matches!(object.inner(NAME).or_else(|| object.inner(LABELS)), Some(Value::Text(text)) if is_of_xprof(&text.bytes()))
    }

    fn is_as_at_first(&self) -> bool {
        !self.signs.xprof
    }

    fn serialize(&mut self, way: &mut Way<'_>) {
        let Signs { xprof: _, jax, tensorflow, viztracer: _, node, v8, chromium: _ } = &mut self.signs;
        way.row(jax);
        way.row(tensorflow);
        way.row(node);
        way.row(v8);
    }

    fn absorb(&mut self, piece: Self) {
        self.signs.jax |= piece.signs.jax;
        self.signs.tensorflow |= piece.signs.tensorflow;
        self.signs.node |= piece.signs.node;
        self.signs.v8 |= piece.signs.v8;
    }

    fn finish(self, core: &mut Core) {
        if self.overflow {
            core.warnings.add(Code::RingBufferOverflow, None, String::new);
        }
        core.builder.meta.framework = self.signs.framework().into();
        core.builder.meta.framework_version = self.version;
    }
}

impl Generic {
    /// The number of a category.
    #[inline]
    fn category(&mut self, core: &mut Core, category: &[u8]) -> u16 {
        match self.number {
            Some(number) if self.category == category => number,
            _ => {
                self.signs.category(category);
                let number = core.builder.category(category);
                category.clone_into(&mut self.category);
                *self.number.insert(number)
            }
        }
    }

    /// The class of a slice, and the device stream on which it ran.
    #[inline]
    fn class(&mut self, event: &Event<'_>, name: &[u8]) -> (Class, Option<Stream>) {
        if let Some((class, stream)) = self.devices.slice(event.process, event.thread, name) {
            return (class, Some(stream));
        }
        let object = event.object;
        let class = match &*event.category {
            b"fee" => Class::PythonFrame,
            b"FEE" => Class::Annotation,
            b"" => self.class_without_category(object, name),
            _ => Class::Other,
        };
        (class, None)
    }

    /// xprof writes no categories: arguments and names decide.
    fn class_without_category(&mut self, object: &Object<'_>, name: &[u8]) -> Class {
        self.signs.tensorflow |= object.has_inner(keys::LONG_NAME, keys::EAGER);
        self.signs.jax |= name.starts_with(b"PjitFunction(");
        let is_call = || name.starts_with(b"cu") || name.starts_with(b"hip");
        if object.inner(keys::STEP_NUMBER).is_some() {
            Class::Annotation
        } else if name.starts_with(b"Iterator::") && self.signs.xprof {
            // A stage of tf.data: it prepares batches, mostly ahead of the step.
            Class::Annotation
        } else if name.starts_with(b"EagerLocalExecute: ") && self.signs.xprof {
            // TensorFlow runs an operator by itself, not as a part of a graph.
            Class::Operator
        } else if object.inner(keys::CORRELATION).is_some() && (self.devices.are_known() || is_call()) {
            // XLA also gives the call its operator and the name of what it launches.
            Class::RuntimeCall
        } else if object.has_inner(keys::HLO_OP, keys::LONG_NAME) {
            Class::Operator
        } else if self.devices.are_known() && std::str::from_utf8(name).is_ok_and(is_xla_wait) {
            Class::RuntimeCall
        } else if !self.signs.xprof {
            Class::Other
        } else if name.starts_with(b"$") && name.contains(&b' ') {
            Class::PythonFrame
        } else {
            Class::Annotation
        }
    }
}

/// Whether a process has the name of an xprof plane.
fn is_of_xprof(name: &[u8]) -> bool {
    name.starts_with(b"/host:") || name.starts_with(b"/device:")
}

/// The activity of a kernel, memcpy or memset; its links are found later.
fn activity(object: &Object<'_>) -> Activity {
    let bytes = || {
        let Some(Value::Text(details)) = object.inner(keys::MEMCPY_DETAILS) else { return None };
        // `kind_src:host kind_dst:device size:1024 dest:0 async:1`
        details.to_str().split(' ').find_map(|detail| detail.strip_prefix("size:")?.parse().ok())
    };
    Activity {
        correlation: serial(object, keys::CORRELATION),
        bytes: bytes().unwrap_or(NO_BYTES),
        ..Activity::default()
    }
}
