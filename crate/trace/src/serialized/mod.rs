//! A trace as bytes, to be passed to another worker: workers of a browser share no memory.
//!
//! The columns are copied unchanged, in little-endian order. Writing and reading are defined once, by functions that
//! visit all of a value: they write it when serializing and fill it when deserializing. The bytes are for another
//! instance of the same program, at once: they are no file format, and nothing here validates untrusted bytes.

mod facts;
mod part;
mod rows;
mod way;

use super::{NameId, Strings, Trace};
use facts::{counter, meta, recorded, warning};
use stepscope_base::{Warning, Warnings};

pub use part::part;
pub use rows::SerializedRow;
pub use way::Way;

/// Passes on a trace and its warnings in pieces of up to 1 MB. Written parts are freed.
pub fn serialize(mut trace: Trace, mut warnings: Vec<Warning>, hand: &mut dyn FnMut(&[u8])) {
    let mut way = Way::out(hand);
    whole(&mut way, &mut trace, &mut warnings);
    way.end();
}

/// The trace from these pieces, and its warnings; `next` fills in each piece, and returns whether there was one. None
/// if some are missing.
pub fn deserialize(next: &mut dyn FnMut(&mut Vec<u8>) -> bool) -> Option<(Trace, Vec<Warning>)> {
    let mut way = Way::into(next);
    let (mut trace, mut warnings) = (Trace::default(), Vec::new());
    whole(&mut way, &mut trace, &mut warnings);
    way.is_whole().then_some((trace, warnings))
}

/// Lists every field, so that none is forgotten.
fn whole(way: &mut Way<'_>, trace: &mut Trace, warnings: &mut Vec<Warning>) {
    let Trace {
        meta: own_meta,
        strings: own_strings,
        categories,
        processes,
        tracks,
        slices,
        operations,
        calls,
        activities,
        configs,
        collectives,
        slice_collectives,
        stacks,
        concrete_inputs,
        stream_arguments,
        awaited_events,
        arguments,
        instant_arguments,
        step_marks,
        flows,
        memory,
        memory_owners,
        counters,
        instants,
        recorded: tables,
    } = trace;
    meta(way, own_meta);
    strings(way, own_strings);
    way.column(categories);
    way.column(processes);
    way.column(tracks);
    self::slices(way, slices);
    way.column(operations);
    way.column(calls);
    way.column(activities);
    way.column(configs);
    way.column(collectives);
    way.column(slice_collectives);
    way.column(stacks);
    way.column(concrete_inputs);
    way.column(stream_arguments);
    way.column(awaited_events);
    way.column(arguments);
    way.column(instant_arguments);
    way.column(step_marks);
    way.column(flows);
    way.column(memory);
    way.column(memory_owners);
    way.list(counters, facts::no_counter, counter);
    way.column(instants);
    way.list(tables, facts::no_table, recorded);
    way.list(warnings, facts::no_warning, warning);
}

fn slices(way: &mut Way<'_>, slices: &mut super::Slices) {
    let super::Slices {
        start,
        length,
        name,
        track_ends,
        class,
        category,
        detail,
        parent,
        depth,
        position,
        latest_ends,
    } = slices;
    way.column(start);
    way.column(length);
    way.column(name);
    way.column(track_ends);
    way.column(class);
    way.column(category);
    way.column(detail);
    way.column(parent);
    way.column(depth);
    way.column(position);
    way.column(latest_ends);
}

/// Strings are added again one by one: handles and memory are the same.
fn strings(way: &mut Way<'_>, strings: &mut Strings) {
    let before = std::mem::take(strings);
    for index in way.times(before.len()) {
        if !way.is_whole() {
            return;
        }
        let mut text = before.get(NameId::from_index(index)).to_owned();
        way.text(&mut text);
        if way.is_in() {
            strings.restore(text.as_bytes());
        }
    }
}

/// The warnings so far.
pub fn warnings(way: &mut Way<'_>, warnings: &mut Warnings) {
    way.list(warnings.list_mut(), facts::no_warning, warning);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Class, Layer, Meta, NewSlice, RawId, RecordedTable, RecordedUnit, TraceBuilder};
    use stepscope_base::{Nanos, Warnings};

    #[test]
    fn columns_and_texts_longer_than_a_piece() {
        let mut builder = TraceBuilder::new();
        let category = builder.category(b"cpu_op");
        let long = vec![b'x'; 3 << 20];
        for row in 0..200_000_i64 {
            let track = builder.track(RawId::Number(1), RawId::Number(row % 3), Layer::Host, None);
            let name = builder.intern(if row == 7 { &long } else { b"op" });
            let (start, end) = (Nanos(row * 10), Nanos(row * 10 + 9));
            builder.slice(NewSlice { track, class: Class::Operator, category, name, start, end, position: 7 });
        }
        let mut warnings = Warnings::default();
        let mut trace = builder.finish(&mut warnings).expect("a trace");
        let mut table = RecordedTable::new("odd", "a.csv", &[("number", RecordedUnit::Share)]);
        table.rows =
            [Cell::Empty, Cell::Text("名".into()), Cell::Integer(-1), Cell::Real(0.5)].map(|cell| vec![cell]).into();
        trace.recorded.push(table);
        let mut pieces: Vec<Vec<u8>> = Vec::new();
        serialize(trace.clone(), warnings.clone().into_sorted(), &mut |piece| pieces.push(piece.to_vec()));
        assert!(pieces.len() > 8 && pieces.iter().all(|piece| piece.len() <= 1 << 20), "{} pieces", pieces.len());
        let mut given = pieces.into_iter();
        let (back, found) =
            deserialize(&mut |piece| given.next().map(|next| *piece = next).is_some()).expect("all pieces");
        assert!(format!("{back:?}") == format!("{trace:?}"));
        assert_eq!(found, warnings.into_sorted());
        assert!(std::ptr::eq(back.recorded[0].id, lasting_again()), "words are held once");
    }

    /// The word of the table above, from another trace.
    fn lasting_again() -> &'static str {
        let mut pieces: Vec<Vec<u8>> = Vec::new();
        let table = RecordedTable::new("odd", "", &[]);
        serialize(Trace::of_tables(Meta::default(), vec![table]), Vec::new(), &mut |piece| pieces.push(piece.to_vec()));
        let mut given = pieces.into_iter();
        let back = deserialize(&mut |piece| given.next().map(|next| *piece = next).is_some());
        back.expect("all pieces").0.recorded[0].id
    }
}
