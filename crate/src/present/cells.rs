//! Cells and headings of tables as text.

use super::UnitNames;
use super::text::{count, duration, known_for, number, percent};
use crate::table::messages::{heading as message, word};
use crate::table::{Column, Count, Unit, Value};
use crate::units::Nanos;

/// Stands for a value that is not known.
pub const UNKNOWN: &str = "–";

/// Returns a value of a column as text.
///
/// ```
/// use stepscope::present::cells::cell;
/// use stepscope::table::{Column, Show, Unit, Value};
///
/// let column = Column { key: "tail", unit: Unit::Share, is_covered: true, show: Show::Always };
/// assert_eq!(cell(&column, &Value::Covered(0.25, 0.9)).replace('\u{202f}', " "), "25.0 %");
/// assert_eq!(cell(&column, &Value::Unknown), "–");
/// ```
#[must_use]
pub fn cell(column: &Column, value: &Value<'_>) -> String {
    match value {
        Value::Unknown => UNKNOWN.to_owned(),
        Value::Text(text) => word_of(column.unit, text),
        Value::Word(word) => word_of(column.unit, word),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Count(Count::Whole(whole)) => count(*whole),
        Value::Count(Count::Mean(mean)) => number(*mean),
        Value::Whole(nanos) => duration(Nanos(*nanos)),
        Value::Real(real) => real_cell(column.unit, *real),
        Value::Covered(real, coverage) => known_for(*coverage).unwrap_or_else(|| real_cell(column.unit, *real)),
    }
}

/// A text, or a word of a list.
fn word_of(unit: Unit, text: &str) -> String {
    if let Unit::Word(prefix) = unit { word(prefix, text) } else { text }.to_owned()
}

fn real_cell(unit: Unit, real: f64) -> String {
    match unit {
        Unit::Share => percent(real),
        Unit::Percent => percent(real / 100.0),
        _ => number(real),
    }
}

/// Returns the heading of a table's column in English, with a small letter at its beginning, as text stands in a line of headings.
///
/// ```
/// use stepscope::analyze::Vendor;
/// use stepscope::present::UnitNames;
/// use stepscope::present::cells::heading;
///
/// assert_eq!(heading("kernels", "total_ns", UnitNames::of(Vendor::Nvidia)), "total");
/// assert_eq!(heading("kernels", "tensor_core_use", UnitNames::of(Vendor::Amd)), "matrix cores");
/// ```
#[must_use]
pub fn heading(table: &str, key: &'static str, units: UnitNames) -> String {
    let text = message(table, key);
    let text = text.replace("{Matrix}", units.matrix_units).replace("{matrix}", units.matrix_units);
    let text = text.replace("{unit}", units.unit);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
