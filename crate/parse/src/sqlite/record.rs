//! Records: a row's columns, one after the other.

use super::damage::Fault;
use super::value::{Encoding, Stand, Value};

/// The wanted columns of a table's records: each has a slot.
#[derive(Debug, Default)]
pub(super) struct WantedColumns {
    /// Per column of a record, up to the last wanted one, its slot.
    slot_of_place: Vec<Option<usize>>,
    /// Slots of the rowid.
    rowid: Vec<bool>,
    /// Per slot, the value if the record has none.
    default: Vec<Stand>,
}

impl WantedColumns {
    /// Adds a slot for the column at an index of the record.
    pub(super) fn add(&mut self, place: Option<usize>, is_rowid: bool, default: Stand) {
        let slot = self.default.len();
        if let Some(place) = place {
            if place >= self.slot_of_place.len() {
                self.slot_of_place.resize(place + 1, None);
            }
            self.slot_of_place[place] = Some(slot);
        }
        self.rowid.push(is_rowid);
        self.default.push(default);
    }

    /// The number of slots.
    pub(super) fn slots(&self) -> usize {
        self.default.len()
    }
}

/// The position of a column's value in the record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The serial type: SQLite's code for the kind of value and its length.
    serial: u64,
    start: usize,
}

impl Cell {
    /// The record ends before the column.
    pub(super) const ABSENT: Self = Self { serial: u64::MAX, start: 0 };
}

/// A row of a table.
pub struct SqlRow<'a> {
    pub(super) record: &'a [u8],
    pub(super) cells: &'a [Cell],
    pub(super) wanted: &'a WantedColumns,
    pub(super) encoding: Encoding,
    /// Its rowid.
    pub rowid: i64,
    /// The byte of the file at which it begins.
    pub position: u64,
}

impl SqlRow<'_> {
    /// The value of a wanted column, by its index in the list of these.
    #[must_use]
    pub fn get(&self, wanted: usize) -> Value<'_> {
        let Some(cell) = self.cells.get(wanted) else {
            return Value::Null;
        };
        if self.wanted.rowid[wanted] {
            return Value::Integer(self.rowid);
        }
        if cell.serial == Cell::ABSENT.serial {
            return self.wanted.default[wanted].value();
        }
        value(self.record, *cell, self.encoding)
    }

    /// The integers in the first wanted columns.
    #[must_use]
    #[inline]
    pub fn integers<const COUNT: usize>(&self) -> [Option<i64>; COUNT] {
        std::array::from_fn(|wanted| self.integer(wanted))
    }

    /// The integer in a wanted column, if there is one.
    #[must_use]
    #[inline]
    pub fn integer(&self, wanted: usize) -> Option<i64> {
        self.get(wanted).integer()
    }
}

/// Finds the wanted columns in the beginning of a record; returns the number of bytes needed for them.
pub(super) fn find(record: &[u8], wanted: &WantedColumns, cells: &mut [Cell]) -> Result<usize, Fault> {
    cells.fill(Cell::ABSENT);
    let (header, mut at) = varint(record).ok_or(Fault::Record)?;
    let header = usize::try_from(header).map_err(|_| Fault::Record)?;
    if header < at {
        return Err(Fault::Record);
    }
    let Some(types) = record.get(..header) else {
        return Ok(header);
    };
    let mut start = header;
    let mut needed = header;
    for slot in &wanted.slot_of_place {
        let Some((serial, len)) = types.get(at..).and_then(varint) else {
            // The row is older than the column.
            return if at == header { Ok(needed) } else { Err(Fault::Record) };
        };
        at += len;
        let end = start.checked_add(size(serial).ok_or(Fault::Record)?).ok_or(Fault::Record)?;
        if let Some(slot) = slot {
            cells[*slot] = Cell { serial, start };
            needed = end;
        }
        start = end;
    }
    Ok(needed)
}

/// Bytes of a value in a record; none for types that do not occur in files.
fn size(serial: u64) -> Option<usize> {
    const SMALL: [usize; 10] = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];
    match serial {
        0..10 => Some(SMALL[serial as usize]),
        10 | 11 => None,
        _ => usize::try_from((serial - 12) / 2).ok(),
    }
}

fn value(record: &[u8], cell: Cell, encoding: Encoding) -> Value<'_> {
    let bytes = size(cell.serial).and_then(|size| record.get(cell.start..)?.get(..size)).unwrap_or_default();
    let bits = || bytes.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    match cell.serial {
        0 => Value::Null,
        8 => Value::Integer(0),
        9 => Value::Integer(1),
        7 => Value::Real(f64::from_bits(bits())),
        1..7 => {
            // The first byte's sign is the number's.
            let unused = 64 - 8 * bytes.len() as u32;
            Value::Integer(((bits() << unused).cast_signed()) >> unused)
        }
        serial if serial % 2 == 0 => Value::Blob(bytes),
        _ => Value::Text(encoding.decode(bytes)),
    }
}

/// A number of one to nine bytes, and the number of its bytes.
#[inline]
pub(super) fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    if first < 0x80 {
        return Some((u64::from(first), 1));
    }
    let mut number = 0;
    for (index, byte) in bytes.iter().enumerate().take(9) {
        if index == 8 {
            return Some((number << 8 | u64::from(*byte), 9));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if *byte < 0x80 {
            return Some((number, index + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_lengths() {
        assert_eq!(varint(&[0x7f, 9]), Some((127, 1)));
        assert_eq!(varint(&[0x81, 0x00]), Some((128, 2)));
        assert_eq!(varint(&[0xff; 9]), Some((u64::MAX, 9)));
        assert_eq!(varint(&[0xff; 8]), None);
        assert_eq!(varint(&[]), None);
        let one = |serial, bytes: &[u8]| value(bytes, Cell { serial, start: 0 }, Encoding::Utf8).integer();
        assert_eq!(one(1, &[0xff]), Some(-1));
        assert_eq!(one(3, &[0x7f, 0xff, 0xff]), Some(8_388_607));
        assert_eq!(one(5, &[0x80, 0, 0, 0, 0, 0]), Some(-140_737_488_355_328));
        assert_eq!(one(6, &i64::MIN.to_be_bytes()), Some(i64::MIN));
        assert_eq!((one(8, &[]), one(9, &[]), one(0, &[])), (Some(0), Some(1), None));
        assert_eq!(value(&1.5_f64.to_be_bytes(), Cell { serial: 7, start: 0 }, Encoding::Utf8), Value::Real(1.5));
    }
}
