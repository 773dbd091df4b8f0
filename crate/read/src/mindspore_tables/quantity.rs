//! Units of a column, and exact conversion of its numbers to cells in ns, bytes and shares.

use std::borrow::Cow;

use stepscope_parse::{Decimal, Tree};
use stepscope_trace::{Cell, RecordedTable, RecordedUnit};

/// The unit of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// Words, or ids.
    Text,
    /// Numbers; other text stays text.
    Number,
    /// Seconds times a power of ten, converted to nanoseconds; ticks of the system counter are 10⁻⁸ s.
    Time(i32),
    /// Percent.
    Percent,
    /// A share from 0 to 1.
    Share,
    /// Multiples of this number of bytes.
    Bytes(u32),
    /// The same, where zero says that nothing was measured.
    MeasuredBytes(u32),
    /// Multiples of this number of bytes per second.
    Rate(u32),
    /// Millions of floating-point operations.
    MegaFlops,
    /// Billions of floating-point operations per second.
    GigaFlopsPerSecond,
}

/// Milliseconds.
pub(super) const MILLIS: Quantity = Quantity::Time(-3);
/// Microseconds.
pub(super) const MICROS: Quantity = Quantity::Time(-6);
/// Nanoseconds.
pub(super) const NANOS: Quantity = Quantity::Time(-9);
/// Ticks of the system counter.
pub(super) const TICKS: Quantity = Quantity::Time(-8);

impl Quantity {
    /// The unit of the table's column.
    pub(super) fn unit(self) -> RecordedUnit {
        match self {
            Self::Text => RecordedUnit::Text,
            Self::Number => RecordedUnit::Number,
            Self::Time(_) => RecordedUnit::Nanoseconds,
            Self::Percent | Self::Share => RecordedUnit::Share,
            Self::Bytes(_) | Self::MeasuredBytes(_) => RecordedUnit::Bytes,
            Self::Rate(_) => RecordedUnit::BytesPerSecond,
            Self::MegaFlops => RecordedUnit::Flops,
            Self::GigaFlopsPerSecond => RecordedUnit::FlopsPerSecond,
        }
    }

    /// The unit in a column's name, such as `Duration(us)`, and the name without it.
    pub(super) fn in_name(name: &str) -> (&str, Option<Self>) {
        match name {
            "MFLOPs(10^6 cube)" => return ("FLOPs(cube)", Some(Self::MegaFlops)),
            "MFLOPs(10^6 vector)" => return ("FLOPs(vec)", Some(Self::MegaFlops)),
            "GFLOPS(10^9 cube)" => return ("FLOPS(cube)", Some(Self::GigaFlopsPerSecond)),
            "GFLOPS(10^9 vector)" => return ("FLOPS(vec)", Some(Self::GigaFlopsPerSecond)),
            _ => {}
        }
        let split = name.strip_suffix(')').and_then(|inside| inside.rsplit_once('('));
        let Some((bare, unit)) = split else { return (name, None) };
        let quantity = match unit {
            "s" => Self::Time(0),
            "ms" => MILLIS,
            "us" => MICROS,
            "ns" => NANOS,
            "%" => Self::Percent,
            "Byte" => Self::Bytes(1),
            "KB" | "kB" => Self::Bytes(1 << 10),
            "MB" => Self::Bytes(1 << 20),
            // Msprof's constants: a megabyte has 1024 times 1024 bytes.
            "MB/s" => Self::Rate(1 << 20),
            "GB/s" => Self::Rate(1_000_000_000),
            _ => return (name, None),
        };
        (bare.trim_end(), Some(quantity))
    }

    /// The cell for a text.
    pub(super) fn cell(self, text: &str) -> Cell {
        let text = text.trim();
        match text {
            "" | "-" | "N/A" | "NA" | "None" | "null" | "nan" | "NaN" if self != Self::Text => Cell::Empty,
            "" => Cell::Empty,
            _ if self == Self::Text => Cell::Text(text.to_owned()),
            _ => {
                let number = Decimal::parse(text.as_bytes()).and_then(|number| self.of(number));
                number.unwrap_or_else(|| Cell::Text(text.to_owned()))
            }
        }
    }

    /// The cell for a value of a JSON document.
    pub(super) fn cell_of(self, tree: Option<&Tree>) -> Cell {
        match tree {
            None | Some(Tree::Null) => Cell::Empty,
            Some(Tree::Text(text)) => self.cell(text),
            Some(Tree::Number(number)) if self != Self::Text => self.of(*number).unwrap_or_default(),
            Some(other) => Cell::Text(written(other).into_owned()),
        }
    }

    /// The cell for a number; none if it is too large.
    pub(super) fn of(self, number: Decimal) -> Option<Cell> {
        Some(match self {
            Self::Text | Self::Number => number.to_i64().map_or_else(|| Cell::Real(number.to_f64()), Cell::Integer),
            Self::Time(exponent) => Cell::Integer(scaled(number, exponent + 6).nanos_from_micros()?.0.0),
            Self::Percent => Cell::Real(scaled(number, -2).to_f64()),
            Self::Share => Cell::Real(number.to_f64()),
            Self::Bytes(1) => whole(number.to_f64())?,
            Self::Bytes(each) => whole(number.to_f64() * f64::from(each))?,
            Self::MeasuredBytes(_) if number.mantissa == 0 => Cell::Empty,
            Self::MeasuredBytes(each) => Self::Bytes(each).of(number)?,
            Self::Rate(each) => Cell::Real(number.to_f64() * f64::from(each)),
            Self::MegaFlops => Cell::Real(scaled(number, 6).to_f64()),
            Self::GigaFlopsPerSecond => Cell::Real(scaled(number, 9).to_f64()),
        })
    }
}

/// Sets the unit of columns to text if all of their cells are.
pub(super) fn settle_units(table: &mut RecordedTable) {
    for (index, column) in table.columns.iter_mut().enumerate().filter(|(_, one)| one.unit == RecordedUnit::Number) {
        let cells = || table.rows.iter().filter_map(|row| row.get(index));
        if cells().any(|cell| cell.text().is_some()) && cells().all(|cell| cell.number().is_none()) {
            column.unit = RecordedUnit::Text;
        }
    }
}

/// A number times a power of ten.
fn scaled(number: Decimal, exponent: i32) -> Decimal {
    Decimal { exponent: number.exponent.saturating_add(exponent), ..number }
}

/// The nearest whole number.
fn whole(number: f64) -> Option<Cell> {
    const MOST: f64 = (1_u64 << 62) as f64;
    #[expect(clippy::cast_possible_truncation, reason = "it is in range")]
    (number.abs() < MOST).then(|| Cell::Integer(number.round() as i64))
}

/// A value as text for users: lists with commas, objects by their members.
pub(super) fn written(tree: &Tree) -> Cow<'_, str> {
    let joined = |parts: Vec<String>| parts.join(", ");
    match tree {
        Tree::Null => Cow::Borrowed(""),
        Tree::Bool(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
        Tree::Number(number) => Cow::Owned(match Quantity::Number.of(*number) {
            Some(Cell::Integer(number)) => number.to_string(),
            _ => number.to_f64().to_string(),
        }),
        Tree::Text(text) => Cow::Borrowed(text),
        Tree::List(items) => {
            Cow::Owned(format!("[{}]", joined(items.iter().map(|item| written(item).into_owned()).collect())))
        }
        Tree::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{name}: {}", written(value)));
            Cow::Owned(format!("{{{}}}", joined(members.collect())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_kept() {
        assert_eq!(MILLIS.cell("0.007283"), Cell::Integer(7_283));
        assert_eq!(MILLIS.cell("2.807820000000000064"), Cell::Integer(2_807_820));
        assert_eq!(TICKS.cell("45000030081"), Cell::Integer(450_000_300_810));
        assert_eq!(MICROS.cell("1795230819865490.727"), Cell::Integer(1_795_230_819_865_490_727));
        assert_eq!(Quantity::Percent.cell("73.80"), Cell::Real(0.738));
        assert_eq!(Quantity::Bytes(1 << 10).cell("0.5"), Cell::Integer(512));
        assert_eq!(Quantity::Number.cell("-"), Cell::Empty);
        assert_eq!(Quantity::Text.cell("-"), Cell::Text("-".into()));
        assert_eq!(Quantity::Number.cell("1,2"), Cell::Text("1,2".into()));
        assert_eq!(MILLIS.cell("1e99"), Cell::Text("1e99".into()), "what is no time stays as it is");
    }

    #[test]
    fn names_tell_units() {
        assert_eq!(Quantity::in_name("Avg. time (us)"), ("Avg. time", Some(MICROS)));
        assert_eq!(Quantity::in_name("Communication(Not Overlapped)"), ("Communication(Not Overlapped)", None));
        assert_eq!(Quantity::in_name("total_time"), ("total_time", None));
    }
}
