//! Arguments, under Kineto's own names.

use super::text::Out;
use stepscope_analyze::Rank;
use stepscope_base::CompactSort;
use stepscope_trace::{
    Activity, Argument, ArgumentValue, CategoryKind, Class, Collective, Device, EventId, Group, LaunchConfig,
    MemoryEvent, MemoryPool, Meta, NO_COUNT, NO_SERIAL, NameId, Trace,
};

/// Members of one object, with commas between.
struct Members<'a, 'b> {
    out: &'a mut Out<'b>,
    any: bool,
}

impl Members<'_, '_> {
    fn key(&mut self, key: &str) {
        self.out.raw(if self.any { ",\"" } else { "\"" });
        self.any = true;
        self.out.raw(key);
        self.out.raw("\":");
    }

    fn number(&mut self, key: &str, number: impl std::fmt::Display) {
        self.key(key);
        self.out.number(number);
    }

    fn serial(&mut self, key: &str, serial: u32) {
        if serial != NO_SERIAL {
            self.number(key, serial);
        }
    }

    fn finite(&mut self, key: &str, number: f64) {
        if number.is_finite() {
            self.number(key, number);
        }
    }

    fn text(&mut self, key: &str, text: &str) {
        if !text.is_empty() {
            self.key(key);
            self.out.string(text);
        }
    }

    fn optional(&mut self, key: &str, number: Option<impl std::fmt::Display>) {
        if let Some(number) = number {
            self.number(key, number);
        }
    }

    /// Writes the program's own arguments; for a repeated key, the last value.
    fn arguments<'t>(&mut self, trace: &Trace, arguments: impl Iterator<Item = &'t Argument>) {
        let said: Vec<&Argument> = arguments.collect();
        let mut last: Vec<(NameId, usize)> = said.iter().map(|argument| argument.key).zip(0..).collect();
        last.compact_sort();
        let is_last = |index: usize, key: NameId| {
            let behind = last.partition_point(|place| *place <= (key, index));
            last.get(behind).is_none_or(|(next, _)| *next != key)
        };
        let chosen = said.iter().enumerate().filter(|(index, argument)| is_last(*index, argument.key));
        for (_, Argument { key, value }) in chosen {
            self.out.raw(if self.any { "," } else { "" });
            self.any = true;
            self.out.string(trace.strings.get(*key));
            self.out.raw(":");
            match value {
                ArgumentValue::Float(number) if !number.is_finite() => self.out.string(&number.to_string()),
                ArgumentValue::Text(text) => self.out.string(trace.strings.get(*text)),
                number => self.out.raw(&number.to_text(&trace.strings)),
            }
        }
    }

    /// A value that is JSON already, as the file had it.
    fn json(&mut self, key: &str, trace: &Trace, text: NameId) {
        let text = trace.strings.get(text);
        if !text.is_empty() {
            self.key(key);
            self.out.raw(text);
        }
    }
}

/// Writes the arguments of a slice.
pub(super) fn of_slice(out: &mut Out<'_>, trace: &Trace, kinds: &[CategoryKind], id: EventId) {
    out.raw(",\"args\":{");
    let whole = trace.slices.interval(id);
    out.clipped(whole, false);
    let any = out.cut(whole) != Some(whole);
    let mut members = Members { out, any };
    let class = trace.slices.class(id);
    let kind = trace.category_number(id).map_or(CategoryKind::Class(Class::Other), |number| kinds[number]);
    if class != kind.class(trace.name_of(id).as_bytes()) {
        members.text("stepscope class", class.name());
    }
    if let Some(step) = trace.step_of(id) {
        members.text("stepscope step", trace.strings.get(step));
    }
    match class {
        Class::Kernel | Class::Memcpy | Class::Memset => {
            if let Some(activity) = trace.activity(id) {
                of_activity(&mut members, trace, activity);
            }
        }
        Class::RuntimeCall | Class::Synchronization | Class::DeviceMarker => {
            if let Some(call) = trace.call(id) {
                members.serial("External id", call.external);
                members.serial("correlation", call.correlation);
            }
            if let Some(stream) = trace.stream_of(id) {
                members.number("device", stream.device);
            }
        }
        _ => {
            if let Some(operation) = trace.operation(id) {
                members.serial("External id", operation.external);
                members.serial("Sequence number", operation.sequence);
                members.serial("Fwd thread id", operation.forward_thread);
                members.json("Input Dims", trace, operation.shapes);
                members.json("Input type", trace, operation.types);
                members.json("Concrete Inputs", trace, trace.concrete_inputs(id));
            }
            // The stream is the lane's, unless the event names one: below.
            if let Some(stream) = trace.stream_of(id) {
                members.number("device", stream.device);
            }
        }
    }
    if let Ok(index) = trace.stacks.binary_search_by_key(&id, |(event, _)| *event) {
        members.text("Call stack", trace.strings.get(trace.stacks[index].1));
    }
    if let Ok(index) = trace.stream_arguments.binary_search_by_key(&id, |(event, _)| *event) {
        members.number("stream", trace.stream_arguments[index].1);
    }
    if let Ok(index) = trace.awaited_events.binary_search_by_key(&id, |(event, _)| *event) {
        let event = trace.awaited_events[index].1;
        members.number("wait_on_stream", event.stream);
        members.serial("wait_on_cuda_event_record_corr_id", event.record);
    }
    if let Some(collective) = trace.collective(id) {
        of_collective(&mut members, trace, collective);
    }
    members.arguments(trace, trace.arguments_of(id));
    out.raw("}");
}

/// Writes the arguments of an instant event, if it has any.
pub(super) fn of_instant(out: &mut Out<'_>, trace: &Trace, instant: usize) {
    let mut arguments = trace.arguments_of_instant(instant).peekable();
    if arguments.peek().is_some() {
        out.raw(",\"args\":{");
        Members { out, any: false }.arguments(trace, arguments);
        out.raw("}");
    }
}

fn of_activity(members: &mut Members<'_, '_>, trace: &Trace, activity: &Activity) {
    members.serial("External id", activity.external);
    members.serial("correlation", activity.correlation);
    if let Some(stream) = trace.stream_of(activity.event) {
        members.number("device", stream.device);
        members.number("stream", stream.stream);
    }
    members.optional("bytes", activity.known_bytes());
    if activity.communication && (members.out.span().is_some() || members.out.parts().is_some()) {
        members.number("stepscope communication", 1);
    }
    if activity.graph != 0 {
        members.serial("graph id", activity.graph);
    }
    if let Some(config) = trace.config(activity) {
        of_config(members, config);
    }
}

fn of_config(members: &mut Members<'_, '_>, config: &LaunchConfig) {
    let triple = |[x, y, z]: [u32; 3]| format!("[{x},{y},{z}]");
    members.serial("registers per thread", config.registers);
    members.serial("shared memory", config.shared_memory);
    members.finite("blocks per SM", config.blocks_per_sm);
    members.finite("warps per SM", config.warps_per_sm);
    if config.grid != [0; 3] {
        members.number("grid", triple(config.grid));
    }
    if config.block != [0; 3] {
        members.number("block", triple(config.block));
    }
    members.finite("est. achieved occupancy %", config.occupancy_percent);
}

fn of_collective(members: &mut Members<'_, '_>, trace: &Trace, collective: &Collective) {
    let count = |number: u64| (number != NO_COUNT).then_some(number);
    members.text("Collective name", trace.strings.get(collective.name));
    members.text("dtype", trace.strings.get(collective.dtype));
    members.optional("In msg nelems", count(collective.input_elements));
    members.optional("Out msg nelems", count(collective.output_elements));
    members.serial("Group size", collective.group_size);
    members.text("Process Group Name", trace.strings.get(collective.group));
    members.text("Process Group Description", trace.strings.get(collective.group_description));
    members.text("Process Group Ranks", trace.strings.get(collective.ranks));
    members.optional("Seq", count(collective.sequence));
    members.serial("Src Rank", collective.source);
    members.serial("Dst Rank", collective.destination);
}

/// An allocation or release.
pub(super) fn of_memory(out: &mut Out<'_>, event: &MemoryEvent) {
    out.raw(",\"args\":{");
    let mut members = Members { out, any: false };
    members.number("Addr", event.address);
    members.number("Bytes", event.bytes);
    members.optional("Total Allocated", event.known_allocated());
    members.optional("Total Reserved", event.known_reserved());
    members.number("Device Type", i32::from(event.on_device().is_some()));
    members.number("Device Id", event.on_device().map_or(-1, i64::from));
    if event.pool == MemoryPool::Reserved {
        members.number("Pool", 1);
    }
    out.raw("}");
}

/// The producer of the trace, which no event names.
pub(super) fn producer(out: &mut Out<'_>, meta: Option<&Meta>) {
    let (framework, version) = meta.map_or(("", ""), |meta| (&meta.framework, &meta.framework_version));
    out.raw("\"stepscope_export\":{\"framework\":");
    out.string(framework);
    out.raw(",\"framework_version\":");
    out.string(version);
    out.raw("},\n");
}

/// The devices' properties.
pub(super) fn devices(out: &mut Out<'_>, devices: &[Device]) {
    out.raw("\"deviceProperties\":[");
    for (index, device) in devices.iter().enumerate() {
        out.raw(if index == 0 { "\n{" } else { ",\n{" });
        let mut members = Members { out, any: false };
        members.number("id", device.id);
        members.text("name", &device.name);
        members.optional("totalGlobalMem", device.memory_bytes);
        members.optional("computeMajor", device.capability.map(|(major, _)| major));
        members.optional("computeMinor", device.capability.map(|(_, minor)| minor));
        members.optional("numSms", device.multiprocessors);
        members.optional("warpSize", device.warp_size);
        members.optional("maxThreadsPerMultiprocessor", device.max_threads_per_multiprocessor);
        members.optional("maxThreadsPerBlock", device.max_threads_per_block);
        members.optional("regsPerMultiprocessor", device.registers_per_multiprocessor);
        members.optional("sharedMemPerMultiprocessor", device.shared_memory_per_multiprocessor);
        members.optional("sharedMemPerBlock", device.shared_memory_per_block);
        out.raw("}");
    }
    out.raw("],\n");
}

/// The job's ranks.
pub(super) fn distributed(out: &mut Out<'_>, rank: &Rank) {
    let distributed = &rank.trace.meta.distributed;
    if distributed.rank.or(distributed.world_size).is_none() && distributed.backend.is_empty() {
        return;
    }
    out.raw("\"distributedInfo\":{");
    let mut members = Members { out, any: false };
    members.text("backend", &distributed.backend);
    members.optional("rank", distributed.rank);
    members.optional("world_size", distributed.world_size);
    if !distributed.groups.is_empty() {
        members.key("pg_config");
        groups(out, &distributed.groups);
    }
    out.raw("},\n");
}

fn groups(out: &mut Out<'_>, groups: &[Group]) {
    out.raw("[");
    for (index, group) in groups.iter().enumerate() {
        out.raw(if index == 0 { "{" } else { ",{" });
        let ranks: Vec<String> = group.ranks.iter().map(u64::to_string).collect();
        let mut members = Members { out, any: false };
        members.text("pg_name", &group.name);
        members.text("pg_desc", &group.description);
        members.number("ranks", format!("[{}]", ranks.join(",")));
        out.raw("}");
    }
    out.raw("]");
}

/// The further facts about the trace, which the outer object carries.
pub(super) fn facts(out: &mut Out<'_>, facts: &[(String, String)]) {
    const OURS: [&str; 4] = ["schemaVersion", "displayTimeUnit", "baseTimeNanoseconds", "traceEvents"];
    for (key, value) in facts.iter().filter(|(key, _)| !OURS.contains(&key.as_str())) {
        out.string(key);
        out.raw(":");
        out.string(value);
        out.raw(",\n");
    }
}
