//! The meaning of events for the trace model.

use super::category::Categories;
use super::hardware_counters::HardwareCounters;
use super::{args, keys, metadata};
use crate::chrome::args::{serial_of, unsigned};
use crate::chrome::keys::{ARGS, CATEGORY};
use crate::chrome::{Core, Dialect, Event};
use stepscope_base::Nanos;
use stepscope_parse::{Object, Value};
use stepscope_trace::{AddedSlice, Argument, ArgumentValue, Class, InstantEvent, Layer, NewSlice, Stream, TrackId};

/// The member of this tool's exports that names the trace's producer.
const EXPORT: &str = "stepscope_export";

/// The category of this tool's exports for flows whose name is another producer's category, not Kineto's.
const OTHERS_FLOW: &str = "stepscope flow";

/// The calls whose grid is in threads instead of blocks, which Kineto copies unchanged. This tool's exports have
/// blocks.
const GRIDS_IN_THREADS: &[&str] = &["hipExtModuleLaunchKernel", "hipHccModuleLaunchKernel"];

/// The meaning of Kineto's categories, names and arguments.
#[derive(Default)]
pub(super) struct Kineto {
    categories: Categories,
    counters: HardwareCounters,
    /// The producer of the trace and its version, for an export of this tool.
    exported: Option<(String, String)>,
}

impl Dialect for Kineto {
    const WANTED: &'static [&'static str] = keys::WANTED;

    #[inline]
    fn slice(&mut self, core: &mut Core, event: &Event<'_>, name: &[u8], start: Nanos, end: Nanos) -> AddedSlice {
        let category = self.categories.get(&mut core.builder, &event.category);
        let object = event.object;
        // This tool's exports of other producers' traces have the class of each slice.
        let class = match object.inner(keys::CLASS) {
            Some(Value::Text(text)) => Class::named(&text.bytes()).unwrap_or_else(|| category.kind.class(name)),
            _ => category.kind.class(name),
        };
        let new = NewSlice {
            track: track_of_slice(core, event, class),
            class,
            category: category.number,
            name: core.builder.intern(name),
            start,
            end,
            position: event.position,
        };
        let row = core.builder.slice(new);
        if let Some(Value::Text(text)) = object.inner(keys::STEP) {
            let step = core.builder.intern(&text.bytes());
            core.builder.step(row, step);
            for (key, name) in [(keys::WARM_UP, "warm_up"), (keys::PARTIAL, "partial")] {
                if let Some(Value::Bool(yes)) = object.inner(key) {
                    let argument =
                        Argument { key: core.builder.intern(name.as_bytes()), value: ArgumentValue::Bool(yes) };
                    core.builder.argument(row, argument);
                }
            }
            for (key, name) in [(keys::SAMPLES, "samples"), (keys::GRAPH, "graph")] {
                if let Some(number) = object.inner(key).and_then(unsigned) {
                    let key = core.builder.intern(name.as_bytes());
                    core.builder.argument(row, Argument { key, value: ArgumentValue::Unsigned(number) });
                }
            }
        }
        match class {
            Class::PythonFrame | Class::Overhead | Class::Async => {}
            Class::ProfilerSpan => {
                if *event.category == *HardwareCounters::CATEGORY {
                    self.counters.add(object, name, end - start);
                }
            }
            Class::Kernel | Class::Memcpy | Class::Memset => activity(core, object, row),
            Class::Operator | Class::Annotation | Class::DeviceAnnotation => operation(core, object, name, row),
            Class::RuntimeCall | Class::Synchronization | Class::DeviceMarker => {
                core.builder.call(row, args::call(object));
                if class == Class::Synchronization
                    && let Some(event) = args::awaited_event(object)
                {
                    core.builder.awaited_event(row, event);
                }
                stream_argument(core, row, object);
            }
            Class::Other => stream_argument(core, row, object),
        }
        row
    }

    #[inline]
    fn flow(&mut self, core: &mut Core, event: &Event<'_>, id: u64) {
        match &*event.category {
            category if *category == *OTHERS_FLOW.as_bytes() => {
                let kind = core.builder.intern(event.name.as_deref().unwrap_or_default());
                event.flow_point_of(core, kind, id);
            }
            b"ac2g" => core.builder.launch_flow(serial_of(id), event.phase == b's'),
            // These flows of 2022, from calls to activities, repeat the correlation.
            b"async_cpu_to_gpu" => {}
            _ => event.flow_point(core, id),
        }
    }

    fn instant(&mut self, core: &mut Core, event: &Event<'_>, at: Nanos) {
        let name = event.name.as_deref().unwrap_or_default();
        // Without a size it is not a memory event: an instant event of that name.
        if name == b"[memory]" && event.object.inner(keys::MEMORY_BYTES).is_some() {
            let track = core.builder.track(event.process, event.thread, Layer::Host, None);
            core.builder.memory(args::memory(event.object, track, at));
            return;
        }
        let name = core.builder.intern(name);
        let track = core.builder.track(event.process, event.thread, Layer::Profiler, None);
        core.builder.instant(InstantEvent { at, track, name });
    }

    fn member(&mut self, core: &mut Core, key: &str, value: &[u8], position: u64) {
        if key == EXPORT {
            self.exported = metadata::exported(value);
            return;
        }
        metadata::read(&mut core.builder.meta, &mut core.warnings, key, value, position);
    }

    /// Hardware counters form one table for the whole file.
    #[inline]
    fn reads_apart(object: &Object<'_>) -> bool {
        !matches!(object.get(CATEGORY), Some(Value::Text(text)) if *text.bytes() == *HardwareCounters::CATEGORY)
    }

    fn finish(self, core: &mut Core) {
        let meta = &mut core.builder.meta;
        match self.exported {
            Some((framework, version)) => (meta.framework, meta.framework_version) = (framework, version),
            None => {
                meta.framework = "PyTorch".into();
                core.builder.grids_in_threads(GRIDS_IN_THREADS);
            }
        }
        self.counters.finish(&mut core.builder);
    }
}

#[inline]
fn track_of_slice(core: &mut Core, event: &Event<'_>, class: Class) -> TrackId {
    let (layer, stream) = match class {
        Class::PythonFrame => (Layer::Python, None),
        Class::ProfilerSpan | Class::Overhead => (Layer::Profiler, None),
        Class::Async => (Layer::Async, None),
        Class::Kernel | Class::Memcpy | Class::Memset => {
            (Layer::Device, Some(stream(event, args::device(event.object), args::stream(event.object))))
        }
        Class::DeviceAnnotation => (
            Layer::DeviceAnnotation,
            Some(stream(event, args::device(event.object), args::stream_number(event.object))),
        ),
        // Their argument is the stream that is waited for, not that of the row.
        Class::Synchronization | Class::DeviceMarker => {
            (Layer::DeviceSync, Some(stream(event, args::device(event.object), None)))
        }
        Class::Operator | Class::Annotation | Class::RuntimeCall | Class::Other => (Layer::Host, None),
    };
    core.builder.track(event.process, event.thread, layer, stream)
}

fn activity(core: &mut Core, object: &Object<'_>, row: AddedSlice) {
    let mut activity = args::activity(object);
    if let Some(config) = args::config(object) {
        activity.config = core.builder.config(config);
    }
    if let Some(collective) = args::collective(object, &mut core.builder) {
        core.builder.collective(row, collective);
    }
    core.builder.activity(row, activity);
}

fn operation(core: &mut Core, object: &Object<'_>, name: &[u8], row: AddedSlice) {
    if object.get(ARGS).is_none() {
        return;
    }
    let mut operation = args::operation(object);
    // Objects occur in this tool's exports of Paddle's traces.
    if let Some(Value::List(text) | Value::Object(text)) = object.inner(keys::INPUT_DIMS) {
        operation.shapes = core.builder.intern(text);
    }
    if let Some(Value::List(text) | Value::Object(text)) = object.inner(keys::INPUT_TYPE) {
        operation.types = core.builder.intern(text);
    }
    core.builder.operation(row, operation);
    if depends_on_scalars(name)
        && let Some(Value::List(text)) = object.inner(keys::CONCRETE_INPUTS)
    {
        let inputs = core.builder.intern(text);
        core.builder.concrete_inputs(row, inputs);
    }
    if let Some(Value::Text(text)) = object.inner(keys::CALL_STACK) {
        let stack = text.bytes();
        if !stack.is_empty() {
            let stack = core.builder.intern(&stack);
            core.builder.stack(row, stack);
        }
    }
    if let Some(collective) = args::collective(object, &mut core.builder) {
        core.builder.collective(row, collective);
    }
    stream_argument(core, row, object);
}

/// Returns whether an operator's FLOPs depend on inputs that are not tensors: a convolution's stride and padding, or
/// whether attention is causal. Such inputs of all operators would take more memory than the trace.
fn depends_on_scalars(name: &[u8]) -> bool {
    const CONVOLUTIONS: [&[u8]; 4] = [b"conv", b"_conv", b"cudnn_conv", b"miopen_conv"];
    let Some(name) = name.strip_prefix(b"aten::").or_else(|| name.strip_prefix(b"flash_attn::")) else { return false };
    CONVOLUTIONS.iter().any(|begin| name.starts_with(begin)) || is_attention(name)
}

fn is_attention(name: &[u8]) -> bool {
    name.first() == Some(&b'_') && [&b"attention"[..], b"flash_attn"].iter().any(|part| contains(name, part))
}

fn contains(name: &[u8], part: &[u8]) -> bool {
    name.windows(part.len()).any(|window| window == part)
}

#[inline]
fn stream_argument(core: &mut Core, row: AddedSlice, object: &Object<'_>) {
    if let Some(stream) = args::stream_number(object) {
        core.builder.stream_argument(row, stream);
    }
}

/// The stream of a row: from the arguments, else from process and thread.
fn stream(event: &Event<'_>, device: Option<i64>, stream: Option<i64>) -> Stream {
    Stream {
        device: device.unwrap_or_else(|| event.process.number()),
        stream: stream.unwrap_or_else(|| event.thread.number()),
    }
}
