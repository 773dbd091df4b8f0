//! Serializes the parts of a trace without fixed size, in both directions.

use super::way::Way;
use crate::{
    Cell, Counter, Device, Distributed, Group, InputFile, Meta, NameId, ProcessId, RecordedColumn, RecordedTable,
    RecordedUnit,
};
use stepscope_base::{Code, Warning};

pub(super) fn meta(way: &mut Way<'_>, meta: &mut Meta) {
    let Meta {
        format,
        inputs,
        framework,
        framework_version,
        devices,
        distributed,
        origin_unix_ns,
        facts,
        events,
        bytes,
    } = meta;
    way.word(format);
    way.list(inputs, InputFile::default, input);
    way.text(framework);
    way.text(framework_version);
    way.list(devices, Device::default, device);
    let Distributed { rank, world_size, backend, groups } = distributed;
    way.row(rank);
    way.row(world_size);
    way.text(backend);
    way.list(groups, Group::default, group);
    way.row(origin_unix_ns);
    way.list(facts, Default::default, |way, (name, value)| {
        way.text(name);
        way.text(value);
    });
    way.row(events);
    way.row(bytes);
}

fn input(way: &mut Way<'_>, InputFile { name, format, start, bytes, events }: &mut InputFile) {
    way.text(name);
    way.word(format);
    way.row(start);
    way.row(bytes);
    way.row(events);
}

fn device(way: &mut Way<'_>, device: &mut Device) {
    let Device {
        id,
        name,
        memory_bytes,
        capability,
        multiprocessors,
        warp_size,
        max_threads_per_multiprocessor,
        max_threads_per_block,
        registers_per_multiprocessor,
        shared_memory_per_multiprocessor,
        shared_memory_per_block,
    } = device;
    way.row(id);
    way.text(name);
    way.row(memory_bytes);
    way.row(capability);
    way.row(multiprocessors);
    way.row(warp_size);
    way.row(max_threads_per_multiprocessor);
    way.row(max_threads_per_block);
    way.row(registers_per_multiprocessor);
    way.row(shared_memory_per_multiprocessor);
    way.row(shared_memory_per_block);
}

fn group(way: &mut Way<'_>, Group { name, description, ranks }: &mut Group) {
    way.text(name);
    way.text(description);
    way.column(ranks);
}

pub(super) fn no_counter() -> Counter {
    Counter { process: ProcessId::NONE, name: NameId::NONE, series: NameId::NONE, samples: Vec::new() }
}

pub(super) fn counter(way: &mut Way<'_>, Counter { process, name, series, samples }: &mut Counter) {
    way.row(process);
    way.row(name);
    way.row(series);
    way.column(samples);
}

pub(super) fn no_table() -> RecordedTable {
    RecordedTable::new("", "", &[])
}

pub(super) fn recorded(way: &mut Way<'_>, RecordedTable { id, file, columns, rows }: &mut RecordedTable) {
    way.word(id);
    way.text(file);
    let no_column = || RecordedColumn { name: String::new(), unit: RecordedUnit::Text };
    way.list(columns, no_column, |way, RecordedColumn { name, unit }| {
        way.text(name);
        way.row(unit);
    });
    way.list(rows, Vec::new, |way, cells| way.list(cells, Cell::default, cell));
}

fn cell(way: &mut Way<'_>, cell: &mut Cell) {
    let mut kind = match cell {
        Cell::Empty => 0_u8,
        Cell::Text(_) => 1,
        Cell::Integer(_) => 2,
        Cell::Real(_) => 3,
    };
    way.row(&mut kind);
    if way.is_in() {
        *cell = match kind {
            1 => Cell::Text(String::new()),
            2 => Cell::Integer(0),
            3 => Cell::Real(0.0),
            _ => Cell::Empty,
        };
    }
    match cell {
        Cell::Empty => {}
        Cell::Text(text) => way.text(text),
        Cell::Integer(number) => way.row(number),
        Cell::Real(number) => way.row(number),
    }
}

pub(super) fn no_warning() -> Warning {
    Warning { code: Code::Truncated, count: 0, example: String::new(), position: None, file: String::new() }
}

pub(super) fn warning(way: &mut Way<'_>, Warning { code, count, example, position, file }: &mut Warning) {
    way.row(code);
    way.row(count);
    way.text(example);
    way.row(position);
    way.text(file);
}
