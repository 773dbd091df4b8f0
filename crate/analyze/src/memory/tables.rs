//! The tables of memory.

use super::blocks::{Block, NamedBlocks};
use super::operators::{LiveAtPeak, OperatorMemory};
use super::planned::PlannedTensor;
use super::recorded::RecordedBlock;
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::{EventId, NameId, Trace};

impl LiveAtPeak {
    /// The rows of [`MemoryByNameTable`].
    #[must_use]
    pub fn rows(&self, trace: &Trace) -> Vec<NamedBlocks> {
        let name = |name: Option<NameId>| name.map(|name| trace.strings.get(name).to_owned());
        let rows = self.operators.iter();
        rows.map(|row| NamedBlocks::new(name(row.name), Some(row.blocks), row.bytes)).collect()
    }
}

/// The table of allocations and releases by operator, on a device or the host.
pub enum OperatorMemoryTable {}

impl Rows for OperatorMemoryTable {
    const ID: &'static str = "memory.places[].operators";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, trace| row.name.map(|name| trace.strings.get(name)).into()),
        Field::<Self>::new("allocations", Unit::Count, |row, _| row.own.allocations.into()),
        Field::<Self>::new("releases", Unit::Count, |row, _| row.own.releases.into()),
        Field::<Self>::new("allocated_bytes", Unit::SignedBytes, |row, _| row.own.allocated.into()),
        Field::<Self>::new("released_bytes", Unit::SignedBytes, |row, _| row.own.released.into()),
        Field::<Self>::new("net_bytes", Unit::SignedBytes, |row, _| row.own.net().into()),
        Field::<Self>::new("total_allocations", Unit::Count, |row, _| row.total.allocations.into()).data(),
        Field::<Self>::new("total_releases", Unit::Count, |row, _| row.total.releases.into()).data(),
        Field::<Self>::new("total_allocated_bytes", Unit::SignedBytes, |row, _| row.total.allocated.into()),
        Field::<Self>::new("total_released_bytes", Unit::SignedBytes, |row, _| row.total.released.into()).data(),
        Field::<Self>::new("total_net_bytes", Unit::SignedBytes, |row, _| row.total.net().into()),
    ];
    const FIRST: &'static [&'static str] = &["name", "allocations", "allocated_bytes", "releases"];
    const SORT: &'static str = "net_bytes";
    type Row = OperatorMemory;
    type Context<'a> = Trace;
}

/// The table of blocks by operator: those that are live at the peak of a device's or the host's memory, or those that a
/// profiler recorded.
pub enum MemoryByNameTable<const RECORDED: bool> {}

impl<const RECORDED: bool> Rows for MemoryByNameTable<RECORDED> {
    const ID: &'static str =
        if RECORDED { "memory.recorded_operators" } else { "memory.places[].live_at_peak.operators" };
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_deref().into()),
        Field::<Self>::new("blocks", Unit::Count, |row, ()| row.blocks.into()),
        Field::<Self>::new("bytes", Unit::SignedBytes, |row, ()| row.bytes.into()).bar(Bar::OfLargest),
    ];
    const SORT: &'static str = "bytes";
    type Row = NamedBlocks;
    type Context<'a> = ();
}

/// The table of the largest blocks of a device or the host.
pub enum MemoryBlockTable {}

fn slice<'a>(event: Option<EventId>) -> Value<'a> {
    event.map_or(Value::Unknown, |event| Value::id(event.0.into()))
}

impl Rows for MemoryBlockTable {
    const ID: &'static str = "memory.places[].blocks.largest";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("address", Unit::Text, |row, _| Value::address(row.address)).wide(),
        Field::<Self>::new("bytes", Unit::SignedBytes, |row, _| row.bytes.into()),
        Field::<Self>::new("allocated_ns", Unit::Moment, |row, _| row.allocated.into()),
        Field::<Self>::new("released_ns", Unit::Moment, |row, _| row.released.into()),
        Field::<Self>::new("lifetime_ns", Unit::Duration, |row, _| row.lifetime().into()),
        Field::<Self>::new("allocated_by.slice", Unit::Id, |row, _| slice(row.allocated_by)).event().or_null(),
        Field::<Self>::new("allocated_by.name", Unit::Text, |row, trace| {
            row.allocated_by.map(|event| trace.name_of(event)).into()
        })
        .with("allocated_ns"),
        Field::<Self>::new("released_by.slice", Unit::Id, |row, _| slice(row.released_by)).event().or_null(),
        Field::<Self>::new("released_by.name", Unit::Text, |row, trace| {
            row.released_by.map(|event| trace.name_of(event)).into()
        })
        .with("released_ns"),
    ];
    const FIRST: &'static [&'static str] =
        &["allocated_by.name", "bytes", "allocated_ns", "released_ns", "lifetime_ns", "released_by.name"];
    const SORT: &'static str = "bytes";
    const SPAN: Option<[&'static str; 2]> = Some(["allocated_ns", "released_ns"]);
    type Row = Block;
    type Context<'a> = Trace;
}

/// The table of the blocks that a profiler recorded.
pub enum RecordedBlockTable {}

impl Rows for RecordedBlockTable {
    const ID: &'static str = "memory.recorded_blocks";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_str().into()),
        Field::<Self>::new("device", Unit::Text, |row, ()| row.device.as_str().into()),
        Field::<Self>::new("bytes", Unit::SignedBytes, |row, ()| row.bytes.into()),
        Field::<Self>::new("allocated_ns", Unit::Moment, |row, ()| row.allocated.into()),
        Field::<Self>::new("released_ns", Unit::Moment, |row, ()| row.released.into()),
        Field::<Self>::new("lifetime_ns", Unit::Duration, |row, ()| row.lifetime.into()),
    ];
    const FIRST: &'static [&'static str] = &["name", "bytes", "allocated_ns", "released_ns", "lifetime_ns"];
    const SORT: &'static str = "bytes";
    const SPAN: Option<[&'static str; 2]> = Some(["allocated_ns", "released_ns"]);
    type Row = RecordedBlock;
    type Context<'a> = ();
}

/// The table of the tensors that a graph plans.
pub enum PlannedTensorTable {}

impl Rows for PlannedTensorTable {
    const ID: &'static str = "memory.planned[].tensors";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_str().into()),
        Field::<Self>::new("bytes", Unit::SignedBytes, |row, ()| row.bytes.into()),
        Field::<Self>::new("type", Unit::Text, |row, ()| row.kind.as_str().into()),
        Field::<Self>::new("shape", Unit::Text, |row, ()| row.shape.as_str().into()),
        Field::<Self>::new("data_type", Unit::Text, |row, ()| row.data_type.as_str().into()),
        Field::<Self>::new("format", Unit::Text, |row, ()| row.format.as_str().into()),
        Field::<Self>::new("first_index", Unit::Id, |row, ()| row.life.map(|life| life.0).into()),
        Field::<Self>::new("last_index", Unit::Id, |row, ()| row.life.map(|life| life.1).into()),
        Field::<Self>::new("at_peak", Unit::Flag, |row, ()| row.at_peak.into()),
    ];
    const FIRST: &'static [&'static str] = &["name", "bytes", "type", "data_type"];
    const SORT: &'static str = "bytes";
    type Row = PlannedTensor;
    type Context<'a> = ();
}
