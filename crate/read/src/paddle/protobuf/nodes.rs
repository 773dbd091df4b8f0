//! The messages of the protobuf export, one node of a thread's tree after the other.
//!
//! ```text
//! HostTraceEventProto           1 name  2 type  3 start_ns  4 end_ns  5 process_id  6 thread_id
//! CudaRuntimeTraceEventProto    1 name  2 start_ns  3 end_ns  4 process_id  5 thread_id  6 correlation_id
//! CudaRuntimeTraceEventNode…    1 runtime_trace_event  2 device_nodes*, each with 1 device_event
//! DeviceTraceEventProto         1 name  2 type  3 start_ns  4 end_ns  5 device_id  6 context_id  7 stream_id
//!                               8 correlation_id  9 kernel_info  10 memcpy_info  11 memset_info
//! KernelEventInfoProto          1–3 block x y z  4–6 grid x y z  7 dynamic, 8 static shared memory  9 registers
//!                               15 blocks_per_sm  16 warps_per_sm  17 occupancy (a part of 1)
//! MemcpyEventInfo…, MemsetEventInfoProto    1 num_bytes
//! MemTraceEventProto            1 timestamp_ns  2 type  3 addr  4 process_id  5 thread_id  6 increase_bytes
//!                               7 place  8 current_allocated  9 current_reserved  10 peak_allocated  11 peak_reserved
//! OperatorSupplementEventProto  5 input_shapes { 1 key*  2 { 1 { 1 size* }* }* }  6 dtypes { 1 key*  2 { 1 dtype* }* }
//!                               7 callstack
//! DevicePropertyProto           see `device`
//! ```

use super::wire::{self, Fields, Wire};
use crate::clip::clip;
use crate::paddle::category::{self, Categories, Category};
use crate::paddle::facts::Facts;
use stepscope_base::{Code, Nanos, Warnings};
use stepscope_trace::{
    Activity, AddedSlice, Call, Class, Device, LaunchConfig, Layer, MemoryEvent, NO_BYTES, NO_SERIAL, NO_TOTAL,
    NewSlice, Operation, RawId, Serial, Stream, TraceBuilder,
};

/// The parent id of the root.
pub(super) const ROOT: u64 = u64::MAX;

/// Kinds of memory events by their number in `TracerMemEventType`.
const MEMORY: [&str; 4] = ["Allocate", "Free", "ReservedAllocate", "ReservedFree"];

/// Turns messages into events of the trace.
pub(super) struct Nodes {
    pub(super) builder: TraceBuilder,
    pub(super) warnings: Warnings,
    /// Events of any kind.
    pub(super) seen: u64,
    categories: Categories,
    facts: Facts,
}

/// Name, time and thread of an event.
struct Span<'a> {
    name: &'a [u8],
    start: Nanos,
    end: Nanos,
    process: RawId,
    thread: RawId,
}

impl Nodes {
    pub(super) fn new(builder: TraceBuilder) -> Self {
        Self {
            builder,
            warnings: Warnings::default(),
            seen: 0,
            categories: Categories::default(),
            facts: Facts::default(),
        }
    }

    pub(super) fn finish(mut self) -> (TraceBuilder, Warnings) {
        self.facts.finish(&mut self.builder);
        (self.builder, self.warnings)
    }

    /// A field of a thread's tree.
    pub(super) fn in_tree(&mut self, field: u32, value: Wire<'_>, position: u64) {
        if let (2, Wire::Bytes(node)) = (field, value) {
            if Fields::are_sound(node) {
                self.node(node, position);
            } else {
                self.warnings.add(Code::MalformedRecord, Some(position), || "a node of a thread's tree".into());
            }
        }
    }

    /// A field outside of the trees.
    pub(super) fn outside(&mut self, field: u32, value: Wire<'_>) {
        let text = |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
        let facts = &mut self.builder.meta.facts;
        match (field, value) {
            (1, Wire::Bytes(version)) => facts.push(("Schema version".into(), clip(&text(Some(version))))),
            (2, Wire::Number(index)) => facts.push(("Span index".into(), index.to_string())),
            (4, Wire::Bytes(entry)) => {
                let (key, value) = (text(wire::bytes(entry, 1)), text(wire::bytes(entry, 2)));
                self.facts.extra(&mut self.builder, &key, &value);
            }
            (5, Wire::Bytes(entry)) => self.builder.meta.devices.push(device(entry)),
            _ => {}
        }
    }

    fn node(&mut self, node: &[u8], position: u64) {
        let host = wire::bytes(node, 3).unwrap_or_default();
        let row = if wire::number(node, 2) == Some(ROOT) { None } else { self.host(host, position) };
        for call in wire::all(node, 4) {
            self.call(call, position);
        }
        for memory in wire::all(node, 5).filter_map(|memory| wire::bytes(memory, 1)) {
            self.memory(memory, row, position);
        }
        if let Some((row, Class::Operator)) = row {
            self.supplement(node, row);
        }
    }

    /// The range or operator of a node.
    fn host(&mut self, event: &[u8], position: u64) -> Option<(AddedSlice, Class)> {
        let span = self.span(event, [1, 3, 4, 5, 6], position)?;
        let category = self.category(event);
        // An event on the host with a device's type was not on a device.
        let class = if category.class.is_activity() { Class::Other } else { category.class };
        let row = self.slice(&span, Category { class, ..category }, Layer::Host, None, position);
        self.facts.thread(span.process, span.thread.number());
        Some((row, class))
    }

    /// A runtime call and the activities that it launched.
    fn call(&mut self, node: &[u8], position: u64) {
        let event = wire::bytes(node, 1).unwrap_or_default();
        if let Some(span) = self.span(event, [1, 2, 3, 4, 5], position) {
            let category = self.categories.get(&mut self.builder, b"CudaRuntime");
            let row = self.slice(&span, category, Layer::Host, None, position);
            self.builder.call(row, Call { correlation: serial(event, 6), external: NO_SERIAL });
            self.facts.thread(span.process, span.thread.number());
        }
        for activity in wire::all(node, 2).filter_map(|activity| wire::bytes(activity, 1)) {
            self.activity(activity, position);
        }
    }

    fn activity(&mut self, event: &[u8], position: u64) {
        let Some(span) = self.span(event, [1, 3, 4, 5, 7], position) else { return };
        let category = self.category(event);
        let stream = Stream { device: span.process.number(), stream: span.thread.number() };
        if !category.class.is_activity() {
            // It was on a device, but does not have a device's type.
            let category = Category { class: Class::DeviceAnnotation, ..category };
            self.slice(&span, category, Layer::DeviceAnnotation, Some(stream), position);
            return;
        }
        let row = self.slice(&span, category, Layer::Device, Some(stream), position);
        let filled = wire::bytes(event, 10).or_else(|| wire::bytes(event, 11));
        let mut activity = Activity {
            correlation: serial(event, 8),
            bytes: filled.and_then(|info| wire::number(info, 1)).unwrap_or(NO_BYTES),
            ..Activity::default()
        };
        if let Some(info) = wire::bytes(event, 9) {
            activity.config = self.builder.config(config(info));
        }
        self.builder.activity(row, activity);
    }

    /// The category of an event by its type.
    fn category(&mut self, event: &[u8]) -> Category {
        let name = category::name(wire::number(event, 2).unwrap_or(u64::MAX));
        self.categories.get(&mut self.builder, name.as_bytes())
    }

    fn memory(&mut self, event: &[u8], owner: Option<(AddedSlice, Class)>, position: u64) {
        self.seen += 1;
        self.builder.meta.events += 1;
        let number = |field| wire::number(event, field);
        let Some(at) = number(1).and_then(nanos) else {
            self.warnings.add(Code::BadTime, Some(position), String::new);
            return;
        };
        let signed = |field| number(field).map(u64::cast_signed);
        let place = wire::bytes(event, 7).unwrap_or_default();
        let kind = number(2).and_then(|kind| MEMORY.get(usize::try_from(kind).ok()?)).copied().unwrap_or_default();
        let track = self.builder.track(id(event, 4), id(event, 5), Layer::Host, None);
        let memory = MemoryEvent {
            at,
            address: number(3).unwrap_or_default(),
            bytes: signed(6).unwrap_or_default(),
            allocated: signed(8).unwrap_or(NO_TOTAL),
            reserved: signed(9).unwrap_or(NO_TOTAL),
            track,
            device: MemoryEvent::device_number(category::device_of(place)),
            pool: category::pool(kind.as_bytes()),
        };
        match owner {
            Some((row, _)) => self.builder.memory_in(row, memory),
            None => self.builder.memory(memory),
        }
        let place = String::from_utf8_lossy(place).into_owned();
        self.facts.peaks(place, [10, 11].map(|field| signed(field).unwrap_or_default()));
    }

    /// Shapes, types and the call stack of an operator.
    fn supplement(&mut self, node: &[u8], row: AddedSlice) {
        let mut operation = Operation::default();
        let said = wire::all(node, 6).filter_map(|supplement| wire::bytes(supplement, 1)).last();
        let given = |field| said.and_then(|said| wire::bytes(said, field)).unwrap_or_default();
        let mut text =
            |text: String| if text == "{}" { Default::default() } else { self.builder.intern(text.as_bytes()) };
        operation.shapes = text(by_key(given(5), &|lists: &[u8]| {
            let list = |list: &[u8]| format!("[{}]", sizes(list).join(","));
            format!("[{}]", wire::all(lists, 1).map(list).collect::<Vec<_>>().join(","))
        }));
        operation.types = text(by_key(given(6), &|types: &[u8]| {
            format!("[{}]", wire::all(types, 1).map(json).collect::<Vec<_>>().join(","))
        }));
        self.builder.operation(row, operation);
        let stack = given(7);
        if !stack.is_empty() {
            let stack = self.builder.intern(stack);
            self.builder.stack(row, stack);
        }
    }

    /// Name, start, end, process and thread, given the numbers of their fields; none, with a warning, without a time.
    fn span<'a>(&mut self, event: &'a [u8], fields: [u32; 5], position: u64) -> Option<Span<'a>> {
        self.seen += 1;
        self.builder.meta.events += 1;
        let [name, start, end, process, thread] = fields;
        let time = |field| wire::number(event, field).and_then(nanos);
        let (Some(start), Some(end)) = (time(start), time(end)) else {
            self.warnings.add(Code::BadTime, Some(position), String::new);
            return None;
        };
        if end < start {
            self.warnings.add(Code::NegativeDuration, Some(position), String::new);
        }
        let name = wire::bytes(event, name).unwrap_or_default();
        Some(Span { name, start, end: end.max(start), process: id(event, process), thread: id(event, thread) })
    }

    fn slice(
        &mut self,
        span: &Span<'_>,
        category: Category,
        layer: Layer,
        stream: Option<Stream>,
        position: u64,
    ) -> AddedSlice {
        let track = self.builder.track(span.process, span.thread, layer, stream);
        let name = self.builder.intern(span.name);
        self.builder.slice(NewSlice {
            track,
            class: category.class,
            category: category.number,
            name,
            start: span.start,
            end: span.end,
            position,
        })
    }
}

/// A time that can be added to another one without overflow of 64 bits.
fn nanos(time: u64) -> Option<Nanos> {
    i64::try_from(time).ok().filter(|time| *time <= 1 << 62).map(Nanos)
}

fn id(event: &[u8], field: u32) -> RawId {
    RawId::Number(i64::try_from(wire::number(event, field).unwrap_or_default()).unwrap_or(i64::MAX))
}

fn serial(event: &[u8], field: u32) -> Serial {
    wire::number(event, field).and_then(|number| Serial::try_from(number).ok()).unwrap_or(NO_SERIAL)
}

fn config(info: &[u8]) -> LaunchConfig {
    let count = |field| wire::number(info, field).and_then(|number| u32::try_from(number).ok());
    let triple =
        |first: u32| std::array::from_fn(|axis| count(first + u32::try_from(axis).unwrap_or(0)).unwrap_or_default());
    let real = |field| wire::float(info, field).unwrap_or(f64::NAN);
    LaunchConfig {
        grid: triple(4),
        block: triple(1),
        registers: count(9).unwrap_or(u32::MAX),
        shared_memory: count(7).zip(count(8)).and_then(|(a, b)| a.checked_add(b)).unwrap_or(u32::MAX),
        blocks_per_sm: real(15),
        warps_per_sm: real(16),
        occupancy_percent: real(17) * 100.0,
    }
}

/// Keys with their values, as in the Chrome export: `{"X":[[2,3]]}`.
fn by_key(message: &[u8], value: &dyn Fn(&[u8]) -> String) -> String {
    let members: Vec<String> = wire::all(message, 1)
        .zip(wire::all(message, 2))
        .map(|(key, list)| format!("{}:{}", json(key), value(list)))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn json(text: &[u8]) -> String {
    serde_json::Value::from(String::from_utf8_lossy(text)).to_string()
}

/// The sizes of a shape, which may be packed.
fn sizes(shape: &[u8]) -> Vec<String> {
    let mut sizes = Vec::new();
    for (field, value) in Fields::of(shape) {
        match (field, value) {
            (1, Wire::Number(size)) => sizes.push(size.cast_signed().to_string()),
            (1, Wire::Bytes(packed)) => sizes.extend(wire::packed(packed).map(|size| size.cast_signed().to_string())),
            _ => {}
        }
    }
    sizes
}

/// `DevicePropertyProto`.
fn device(entry: &[u8]) -> Device {
    let number = |field| wire::number(entry, field);
    let small = |field| number(field).and_then(|number| u32::try_from(number).ok());
    Device {
        id: number(1).and_then(|id| i64::try_from(id).ok()).unwrap_or_default(),
        name: clip(&String::from_utf8_lossy(wire::bytes(entry, 2).unwrap_or_default())),
        memory_bytes: number(3),
        capability: small(4).zip(small(5)),
        max_threads_per_block: small(6),
        max_threads_per_multiprocessor: small(7),
        registers_per_multiprocessor: small(9),
        warp_size: small(10),
        shared_memory_per_multiprocessor: number(12),
        multiprocessors: small(13),
        shared_memory_per_block: number(14).or_else(|| number(11)),
    }
}
