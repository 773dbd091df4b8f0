//! Records as columns.

use crate::varint::{read, unzigzag, write, zigzag};
use crate::{ArgumentValue, Category, Kind, Record};

const COLUMNS: usize = 8;
const TAGS: usize = 0;
const NAMES: usize = 1;
const ENDS: usize = 2;
const EXTENTS: usize = 3;
const CATEGORIES: usize = 4;
const AUX: usize = 5;
const VALUES: usize = 6;

const HAS_EXTENT: u8 = 1 << 4;
const HAS_CATEGORY: u8 = 1 << 5;
const HAS_AUX: u8 = 1 << 6;
const HAS_VALUE: u8 = 1 << 7;

/// Where a record's end is; not capped, so that any record can be given back.
fn end_of(record: &Record) -> u64 {
    if record.kind.lasts() { record.at.wrapping_add(record.extent) } else { record.at }
}

/// Appends the columns of some records.
pub(super) fn encode(records: &[Record], columns: &mut [Vec<u8>; COLUMNS], into: &mut Vec<u8>) {
    columns.iter_mut().for_each(Vec::clear);
    let (mut end, mut aux) = (0, 0);
    for record in records {
        let mut tag = record.kind as u8;
        let mut flag = |is: bool, bit: u8| {
            tag |= if is { bit } else { 0 };
            is
        };
        if flag(record.extent != 0, HAS_EXTENT) {
            write(record.extent, &mut columns[EXTENTS]);
        }
        if flag(record.category != Category::General, HAS_CATEGORY) {
            columns[CATEGORIES].push(record.category as u8);
        }
        if flag(record.aux != aux, HAS_AUX) {
            write(zigzag(i64::from(record.aux) - i64::from(aux)), &mut columns[AUX]);
        }
        if flag(record.value != 0, HAS_VALUE) {
            write(small(record.kind, record.extent, record.value), &mut columns[VALUES]);
        }
        columns[TAGS].push(tag);
        write(record.name.into(), &mut columns[NAMES]);
        aux = record.aux;
        if record.kind.has_time() {
            write(zigzag(end_of(record).wrapping_sub(end) as i64), &mut columns[ENDS]);
            end = end_of(record);
        } else {
            write(record.at, &mut columns[ENDS]);
        }
    }
    for column in columns {
        write(column.len() as u64, into);
        into.extend_from_slice(column);
    }
}

/// Whether a value is the bits of an `f64`: those of round numbers end in zeros.
fn is_float(kind: Kind, extent: u64) -> bool {
    kind == Kind::Counter || (kind == Kind::Argument && extent == ArgumentValue::FLOAT)
}

/// A value encoded so that usual ones are small.
fn small(kind: Kind, extent: u64, value: u64) -> u64 {
    match kind {
        _ if is_float(kind, extent) => value.swap_bytes(),
        // Two numbers of 32 bits, or one without a sign.
        Kind::Activity | Kind::Detail => value,
        _ => zigzag(value as i64),
    }
}

fn large(kind: Kind, extent: u64, value: u64) -> u64 {
    match kind {
        _ if is_float(kind, extent) => value.swap_bytes(),
        Kind::Activity | Kind::Detail => value,
        _ => unzigzag(value) as u64,
    }
}

/// The records of some columns, which must use all of the bytes; `None` if the bytes are damaged.
pub(super) fn decode(count: usize, mut bytes: &[u8]) -> Option<Vec<Record>> {
    let mut columns = [&[][..]; COLUMNS];
    for column in &mut columns {
        let len = usize::try_from(read(&mut bytes)?).ok()?;
        (*column, bytes) = bytes.split_at_checked(len)?;
    }
    if columns[TAGS].len() != count || !bytes.is_empty() {
        return None;
    }
    let mut records = Vec::with_capacity(count);
    let (mut end, mut aux) = (0_u64, 0_u16);
    for tag in columns[TAGS] {
        let kind = Kind::of(tag & 15)?;
        let has = |bit: u8| tag & bit != 0;
        let name = u32::try_from(read(&mut columns[NAMES])?).ok()?;
        let place = read(&mut columns[ENDS])?;
        if kind.has_time() {
            end = end.wrapping_add(unzigzag(place) as u64);
        }
        let extent = if has(HAS_EXTENT) { read(&mut columns[EXTENTS])? } else { 0 };
        let mut category = Category::General;
        if has(HAS_CATEGORY) {
            let (first, rest) = columns[CATEGORIES].split_first()?;
            (category, columns[CATEGORIES]) = (Category::of(*first)?, rest);
        }
        if has(HAS_AUX) {
            aux = u16::try_from(i64::from(aux).checked_add(unzigzag(read(&mut columns[AUX])?))?).ok()?;
        }
        let value = if has(HAS_VALUE) { large(kind, extent, read(&mut columns[VALUES])?) } else { 0 };
        let at = match kind {
            kind if kind.lasts() => end.wrapping_sub(extent),
            kind if kind.has_time() => end,
            _ => place,
        };
        records.push(Record { kind, category, aux, name, at, extent, value });
    }
    let rest = &columns[NAMES..COLUMNS - 1];
    rest.iter().all(|column| column.is_empty()).then_some(records)
}
