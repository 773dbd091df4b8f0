//! Serializes a builder's contents from a piece of a file, in both directions.

use stepscope_format::secrets::FoundSecrets;

use super::facts::{counter, no_counter};
use super::way::Way;
use crate::TraceBuilder;

/// The contents that a piece of a file can have; the builder's look-up maps are not needed to
/// [absorb](TraceBuilder::absorb) it.
pub fn part(way: &mut Way<'_>, builder: &mut TraceBuilder) {
    super::strings(way, &mut builder.strings);
    way.column(&mut builder.categories);
    way.column(&mut builder.processes);
    way.column(&mut builder.tracks);
    way.column(&mut builder.places);
    way.growing(&mut builder.start);
    way.growing(&mut builder.length);
    way.growing(&mut builder.name);
    way.growing(&mut builder.track);
    way.growing(&mut builder.class);
    way.growing(&mut builder.category);
    way.growing(&mut builder.detail);
    way.growing(&mut builder.position);
    way.growing(&mut builder.operations);
    way.growing(&mut builder.calls);
    way.growing(&mut builder.activities);
    way.column(&mut builder.configs);
    way.column(&mut builder.collectives);
    way.column(&mut builder.collective_rows);
    way.column(&mut builder.stack_rows);
    way.column(&mut builder.input_rows);
    way.column(&mut builder.stream_rows);
    way.column(&mut builder.awaited_rows);
    way.column(&mut builder.step_rows);
    way.column(&mut builder.argument_rows);
    way.growing(&mut builder.flow_points);
    way.growing(&mut builder.launch_starts);
    way.growing(&mut builder.launch_ends);
    way.growing(&mut builder.memory);
    way.list(&mut builder.counters, no_counter, counter);
    way.column(&mut builder.instants);
    way.row(&mut builder.meta.events);
    let FoundSecrets { count, names, more } = &mut builder.secrets;
    way.row(count);
    way.list(names, String::new, Way::text);
    way.row(more);
}
