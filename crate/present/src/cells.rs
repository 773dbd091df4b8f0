//! Cells and headings of tables as text.

use std::borrow::Cow;

use super::UnitNames;
use super::text::{
    amount_of_flops, bytes, count, decimal, duration, duration_change, flops_per_second, gigabytes_per_second,
    known_for, moment, number, percent, percent_change, signed_bytes,
};
use stepscope_base::Nanos;
use stepscope_table::messages::{heading as message, none, word};
use stepscope_table::{Column, Count, Unit, Value};

/// The text for a value that is not known.
pub const UNKNOWN: &str = "–";

/// Returns a value of a column as text.
///
/// ```
/// use stepscope::analyze::Vendor;
/// use stepscope::present::UnitNames;
/// use stepscope::present::cells::cell;
/// use stepscope::table::{Unit, Value};
///
/// let text = |value| cell(Unit::Share, &value, UnitNames::of(Vendor::Nvidia)).replace('\u{202f}', " ");
/// assert_eq!(text(Value::Covered(0.25.into(), 0.9)), "25.0 %");
/// assert_eq!(text(Value::Unknown), "–");
/// ```
#[must_use]
pub fn cell(unit: Unit, value: &Value<'_>, units: UnitNames) -> String {
    match value {
        Value::Text(text) if !text.is_empty() => word_of(unit, text, units),
        Value::Word(word) => word_of(unit, word, units),
        _ => plain_cell(unit, value),
    }
}

/// The same with words of lists as they are, for callers with messages of their own: a page does without the messages of
/// this library.
#[must_use]
pub fn plain_cell(unit: Unit, value: &Value<'_>) -> String {
    match value {
        Value::Unknown => UNKNOWN.to_owned(),
        Value::Text(text) if text.is_empty() => UNKNOWN.to_owned(),
        Value::Text(text) => text.to_string(),
        Value::Word(word) => (*word).to_owned(),
        Value::Lines(lines) => lines.join(" › "),
        Value::Extent(extent) => extent_text(*extent),
        Value::Ids(ids) => ids_text(ids),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Count(Count::Whole(whole)) => whole_cell(unit, *whole),
        Value::Count(Count::Mean(mean)) => real_cell(unit, *mean),
        Value::Whole(whole) => signed_cell(unit, *whole),
        Value::Real(real) => number_cell(unit, *real),
        Value::Covered(number, coverage) => {
            known_for(*coverage).unwrap_or_else(|| plain_cell(unit, &Value::Count(*number)))
        }
    }
}

/// Returns a cell of a table's column: as [`cell`], but a table may have a text for a cell without a value, and another
/// one if the row also lacks the value of [`Column::with`].
///
/// ```
/// use stepscope::analyze::{Vendor, described_tables};
/// use stepscope::present::UnitNames;
/// use stepscope::present::cells::cell_of;
/// use stepscope::table::Value;
///
/// let tables = described_tables();
/// let collectives = tables.iter().find(|table| table.id == "collectives").unwrap();
/// let ranks = collectives.columns.iter().find(|column| column.key == "group_ranks").unwrap();
/// let text = |table: &str| cell_of(table, ranks, (&Value::Unknown, false), UnitNames::of(Vendor::Nvidia));
/// assert_eq!((text("collectives").as_str(), text("kernels").as_str()), ("all groups", "–"));
/// ```
#[must_use]
pub fn cell_of(table: &str, column: &Column, (value, is_without): (&Value<'_>, bool), units: UnitNames) -> String {
    let words = if value.is_nothing() { none(table, column, is_without) } else { None };
    words.map_or_else(|| cell(column.unit, value, units), str::to_owned)
}

/// Returns a number of a unit as text.
///
/// ```
/// use stepscope::present::cells::number_cell;
/// use stepscope::table::Unit;
///
/// assert_eq!((number_cell(Unit::Bytes, 2048.0), number_cell(Unit::Id, 7.0)), ("2.00 KiB".into(), "7".into()));
/// assert_eq!(number_cell(Unit::Count, f64::NAN), "–");
/// ```
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers, for display")]
pub fn number_cell(unit: Unit, value: f64) -> String {
    match unit {
        _ if value.is_nan() => UNKNOWN.to_owned(),
        Unit::Duration | Unit::DurationChange | Unit::Moment | Unit::Id | Unit::SignedBytes => {
            signed_cell(unit, value as i64)
        }
        Unit::Bytes if value < 0.0 => signed_bytes(value as i64),
        Unit::Count | Unit::Flops | Unit::Bytes if value.fract() == 0.0 && value >= 0.0 => {
            whole_cell(unit, value as u64)
        }
        _ => real_cell(unit, value),
    }
}

/// A text, or a word of a list in words.
fn word_of(unit: Unit, text: &str, units: UnitNames) -> String {
    let Unit::Word(prefix) = unit else { return text.to_owned() };
    let said = word(prefix, text);
    // A name without a message consists of words.
    if said == text { text.replace('_', " ") } else { named(said, units).into_owned() }
}

fn signed_cell(unit: Unit, whole: i64) -> String {
    match unit {
        Unit::Id => whole.to_string(),
        Unit::SignedBytes => signed_bytes(whole),
        Unit::Moment => moment(Nanos(whole)),
        Unit::DurationChange => duration_change(Nanos(whole)),
        _ => duration(Nanos(whole)),
    }
}

fn whole_cell(unit: Unit, whole: u64) -> String {
    match unit {
        Unit::Bytes => bytes(whole),
        Unit::Flops => amount_of_flops(whole),
        _ => count(whole),
    }
}

fn real_cell(unit: Unit, real: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mean, for display")]
    let whole = real.round().max(0.0) as u64;
    match unit {
        Unit::Share => percent(real),
        Unit::Percent => percent(real / 100.0),
        Unit::Decimal => decimal(real),
        Unit::GigabytesPerSecond => gigabytes_per_second(Some(real)),
        Unit::FlopsPerSecond => flops_per_second(Some(real)),
        Unit::GigaflopsPerSecond => flops_per_second(Some(real * 1e9)),
        Unit::MillionFlops => real_cell(Unit::Flops, real * 1e6),
        Unit::Change => percent_change(Some(real)),
        Unit::BytesPerSecond => gigabytes_per_second(Some(real / 1e9)),
        Unit::Bytes | Unit::Flops => whole_cell(unit, whole),
        _ => number(real),
    }
}

/// Numbers of things, with runs as ranges: `0–3, 8`.
#[must_use]
pub fn ids_text(ids: &[u64]) -> String {
    let runs = ids.chunk_by(|one, next| one.checked_add(1) == Some(*next));
    let texts = runs.flat_map(|run| match run {
        [first, .., last] if run.len() > 2 => vec![format!("{first}–{last}")],
        few => few.iter().map(u64::to_string).collect(),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// An extent, without trailing directions in which it is one: `432`, `8,2`.
fn extent_text([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (0 | 1, 0 | 1) => x.to_string(),
        (_, 0 | 1) => format!("{x},{y}"),
        _ => format!("{x},{y},{z}"),
    }
}

/// Returns a row's name followed by the other parts of its key.
#[must_use]
pub fn name_of<'a>(name: String, parts: impl Iterator<Item = (Unit, Value<'a>)>, units: UnitNames) -> String {
    name_with(name, parts, |unit, value| match value {
        Value::Lines(lines) => format!("at {}", lines.last().map_or("", |line| &**line)),
        value => cell(unit, value, units),
    })
}

/// The same with the parts in another language.
#[must_use]
pub fn name_with<'a>(
    name: String,
    parts: impl Iterator<Item = (Unit, Value<'a>)>,
    text: impl Fn(Unit, &Value<'a>) -> String,
) -> String {
    let mut before = None;
    parts
        .filter(|(_, value)| !value.is_nothing())
        .fold(name, |name, (unit, value)| [&name, between(before.replace(unit), unit), &text(unit, &value)].concat())
}

/// The separator of two parts of a row's name.
fn between(before: Option<Unit>, unit: Unit) -> &'static str {
    match (before, unit) {
        (Some(Unit::Extent), Unit::Extent) => " × ",
        (_, Unit::Lines) => " ",
        _ => " · ",
    }
}

/// Returns the heading of a table's column in English, with a lowercase letter at its beginning, as for a line of
/// headings. An abbreviation, such as FLOP/s, stays as it is.
#[must_use]
pub fn heading(table: &str, column: &Column, units: UnitNames) -> String {
    let text = named(message(table, column), units);
    let mut letters = text.chars();
    let (first, is_short) = (letters.next(), letters.clone().next().is_some_and(char::is_uppercase));
    let first = first.filter(|_| !is_short).map(char::to_lowercase);
    first.map_or_else(|| text.to_string(), |first| first.chain(letters).collect())
}

/// A message with the names of a device's units filled in.
fn named(text: &str, units: UnitNames) -> Cow<'_, str> {
    if !text.contains('{') {
        return text.into();
    }
    let text = text.replace("{Matrix}", units.matrix_units).replace("{matrix}", units.matrix_units);
    text.replace("{unit}", units.unit).replace("{warps}", units.warps).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_analyze::{Vendor, described_tables};

    #[test]
    fn runs_of_numbers_are_named_by_their_ends() {
        assert_eq!(ids_text(&[0, 1, 2, 3, 8, 10, 11]), "0–3, 8, 10, 11");
        assert_eq!(ids_text(&[]), "");
        assert_eq!(ids_text(&[7, 6, u64::MAX]), "7, 6, 18446744073709551615");
    }

    #[test]
    fn headings_begin_small_but_for_abbreviations() {
        let table = described_tables().into_iter().find(|table| table.id == "kernel_use.kernels").expect("the table");
        let of = |key: &str| {
            let column = table.columns.iter().find(|column| column.key == key).expect("a column");
            heading(table.id, column, UnitNames::of(Vendor::Amd))
        };
        assert_eq!(of("total_ns"), "total");
        assert_eq!(of("flops_per_second"), "FLOP/s");
        assert_eq!((of("tensor_core_use"), of("launch.waves.waves")), ("matrix cores".to_owned(), "waves".to_owned()));
    }

    #[test]
    fn a_name_says_what_tells_a_row_from_others() {
        let units = UnitNames::of(Vendor::Nvidia);
        let parts = [
            (Unit::Text, Value::from("aten::mm")),
            (Unit::Text, Value::Unknown),
            (Unit::Extent, Value::from([8, 2, 1])),
            (Unit::Extent, Value::from([256, 1, 1])),
            (Unit::Lines, Value::Lines(vec!["main".into(), "attend".into()])),
        ];
        let name = name_of("gemm".to_owned(), parts.into_iter(), units);
        assert_eq!(name, "gemm · aten::mm · 8,2 × 256 at attend");
    }
}
