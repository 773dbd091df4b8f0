//! Facts of a slice from its own tables.

use schemars::JsonSchema;
use serde::Serialize;

use super::kernel_use::{OccupancyReport, WavesReport};
use stepscope_analyze::{EventDetail, collective_bytes};
use stepscope_trace::{Argument, Collective, NO_COUNT, NO_SERIAL, NameId, Serial, Trace};

/// Known facts of an event; unknown ones are left out.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub(super) struct EventFactsReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forward_thread: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    shapes: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    types: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    concrete_inputs: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gigabytes_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<[u32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<[u32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    registers: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shared_memory: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks_per_sm: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warps_per_sm: Option<f64>,
    /// Occupancy as recorded by the profiler.
    #[serde(skip_serializing_if = "Option::is_none")]
    occupancy_percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    occupancy: Option<OccupancyReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waves: Option<WavesReport>,
    /// The stream argument of a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_argument: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    awaited_stream: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collective: Option<EventCollectiveReport>,
    /// Arguments given by the program: key, value, and whether the value is text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<(String, String, bool)>,
}

/// Arguments of a collective.
#[derive(Debug, JsonSchema, Serialize)]
struct EventCollectiveReport {
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    group: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    group_description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    ranks: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    group_size: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    dtype: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_elements: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_elements: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    destination: Option<u32>,
}

fn serial(value: Serial) -> Option<u32> {
    (value != NO_SERIAL).then_some(value)
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

impl EventCollectiveReport {
    fn of(trace: &Trace, found: &Collective) -> Self {
        let text = |name: NameId| trace.strings.get(name).to_owned();
        let count = |value: u64| (value != NO_COUNT).then_some(value);
        Self {
            name: text(found.name),
            group: text(found.group),
            group_description: text(found.group_description),
            ranks: text(found.ranks),
            group_size: serial(found.group_size),
            dtype: text(found.dtype),
            input_elements: count(found.input_elements),
            output_elements: count(found.output_elements),
            bytes: collective_bytes(trace, found),
            sequence: count(found.sequence),
            source: serial(found.source),
            destination: serial(found.destination),
        }
    }
}

fn argument_report(trace: &Trace, argument: &Argument) -> (String, String, bool) {
    let Argument { key, value } = argument;
    (trace.strings.get(*key).to_owned(), value.to_text(&trace.strings), value.is_text())
}

impl EventFactsReport {
    pub(super) fn of(trace: &Trace, found: &EventDetail) -> Self {
        let event = found.event;
        let text = |name: NameId| trace.strings.get(name).to_owned();
        let mut facts = Self {
            concrete_inputs: text(trace.concrete_inputs(event)),
            gigabytes_per_second: found.gigabytes_per_second,
            occupancy: found.occupancy.map(|occupancy| OccupancyReport::of(&occupancy)),
            waves: found.waves.map(|waves| WavesReport::of(&waves)),
            collective: trace.collective(event).map(|collective| EventCollectiveReport::of(trace, collective)),
            arguments: trace.arguments_of(event).map(|argument| argument_report(trace, argument)).collect(),
            ..Self::default()
        };
        if let Some(operation) = trace.operation(event) {
            facts.external = serial(operation.external);
            facts.sequence = serial(operation.sequence);
            facts.forward_thread = serial(operation.forward_thread).filter(|thread| *thread != 0);
            facts.shapes = text(operation.shapes);
            facts.types = text(operation.types);
        }
        if let Some(call) = trace.call(event) {
            (facts.correlation, facts.external) = (serial(call.correlation), serial(call.external));
        }
        if let Some(activity) = trace.activity(event) {
            (facts.correlation, facts.external) = (serial(activity.correlation), serial(activity.external));
            facts.bytes = activity.known_bytes();
            facts.graph = Some(activity.graph).filter(|graph| *graph != 0);
            if let Some(launch) = trace.config(activity) {
                let known = |value: u32| (value != u32::MAX).then_some(value);
                facts.grid = Some(launch.grid).filter(|grid| *grid != [0; 3]);
                facts.block = Some(launch.block).filter(|block| *block != [0; 3]);
                facts.registers = known(launch.registers);
                facts.shared_memory = known(launch.shared_memory);
                facts.blocks_per_sm = finite(launch.blocks_per_sm);
                facts.warps_per_sm = finite(launch.warps_per_sm);
                facts.occupancy_percent = launch.achieved_occupancy();
            }
        }
        let stream = trace.stream_arguments.binary_search_by_key(&event, |(id, _)| *id);
        facts.stream_argument = stream.ok().map(|index| trace.stream_arguments[index].1);
        let awaited = trace.awaited_events.binary_search_by_key(&event, |(id, _)| *id);
        facts.awaited_stream = awaited.ok().map(|index| trace.awaited_events[index].1.stream);
        facts
    }
}
