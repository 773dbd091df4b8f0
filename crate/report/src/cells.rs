//! A value of the summary as text. Its key says the unit: `_ns`, `_bytes`, `share`, ….

use serde_json::Value;

use super::tables::at;
use stepscope_base::{Code, Nanos};
use stepscope_present::UnitNames;
use stepscope_present::text::{
    amount_of_flops, bytes, count, duration, flops_per_second, gigabytes_per_second, known_for, moment, number,
    percent, percent_change,
};
use stepscope_table::{Column, Count, Unit, Value as Cell};

/// Where there is nothing.
pub(super) const NONE: &str = "–";

/// Characters of a text at most: kernels' names go on for thousands.
const LONGEST: usize = 400;

/// Keys of shares whose names do not end so.
const SHARES: [&str; 3] = ["overlap_of_communication", "reader_ratio", "fragmentation"];

/// What a key's values are, as text.
pub(super) fn cell(key: &str, value: &Value) -> String {
    match value {
        Value::Null => NONE.to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "" }.to_owned(),
        Value::String(text) if key == "code" => sentence(text),
        Value::String(text) => clipped(text),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(|item| cell(key, item)).collect::<Vec<_>>().join(", ")
        }
        Value::Array(items) if key == "marks" => items.iter().map(mark).collect::<Vec<_>>().join(", "),
        // What is said of a slice, a call: its name.
        Value::Object(object) => object.get("name").map_or_else(|| NONE.to_owned(), |name| cell("name", name)),
        Value::Array(items) => count(items.len() as u64),
        Value::Number(_) => of_number(key, value),
    }
}

/// The same of a row's value: where a key of the row says that it is known for too little of the time, for how much it is known.
pub(super) fn covered(key: &str, value: &Value, row: &Value) -> String {
    let coverage = row[[key, "_coverage"].concat()].as_f64();
    coverage.and_then(known_for).unwrap_or_else(|| cell(key, value))
}

/// A row's value in a column of a described table.
pub(super) fn described(table: &str, column: &Column, row: &Value, units: UnitNames) -> String {
    clipped(&stepscope_present::cells::cell_of(table, column, &value_of(column, row), units))
}

/// The value itself.
pub(super) fn value_of<'a>(column: &Column, row: &'a Value) -> Cell<'a> {
    let value = at(row, column.key);
    let coverage = at(row, &[column.key, "_coverage"].concat()).as_f64();
    let real =
        |value: &Value| value.as_f64().map(|real| coverage.map_or(Cell::Real(real), |of| Cell::Covered(real, of)));
    let found = match column.unit {
        Unit::Text | Unit::KernelName | Unit::Word(_) => value.as_str().map(Cell::from),
        Unit::Flag => value.as_bool().map(Cell::Flag),
        Unit::Lines => {
            let lines = value.as_array().map(|lines| lines.iter().filter_map(Value::as_str).map(Into::into).collect());
            lines.map(Cell::Lines)
        }
        Unit::Extent => extent(value).map(Cell::Extent),
        Unit::Ids => {
            let ids = value.as_array().map(|ids| ids.iter().filter_map(Value::as_u64).collect::<Vec<_>>());
            ids.map(|ids| Cell::Ids(ids.into()))
        }
        Unit::Count | Unit::Bytes | Unit::Flops => {
            value.as_u64().map(Count::Whole).or_else(|| value.as_f64().map(Count::Mean)).map(Cell::Count)
        }
        Unit::Duration | Unit::Id => value.as_i64().map(Cell::Whole),
        _ => real(value),
    };
    found.unwrap_or(Cell::Unknown)
}

/// An extent in three directions, if a value is one.
fn extent(value: &Value) -> Option<[u32; 3]> {
    let of = |place: usize| value.get(place)?.as_u64().and_then(|extent| u32::try_from(extent).ok());
    Some([of(0)?, of(1)?, of(2)?])
}

/// A text, its middle left out if it is too long to be read in a table.
fn clipped(text: &str) -> String {
    let all = text.chars().count();
    if all <= LONGEST {
        return text.to_owned();
    }
    let begin = text.chars().take(LONGEST - LONGEST / 4);
    begin.chain(std::iter::once('…')).chain(text.chars().skip(all - LONGEST / 4)).collect()
}

/// What a warning says.
pub(super) fn sentence(code: &str) -> String {
    let known = Code::ALL.iter().find(|known| known.name() == code);
    known.map_or_else(|| code.to_owned(), |known| known.describe().to_owned())
}

/// A value that is far from the others': its column, by how much, by what rule.
fn mark(mark: &Value) -> String {
    let [column, rule] = ["column", "rule"].map(|key| text(&mark[key]).replace('_', " "));
    [&column, " ", &percent_change(mark["by"].as_f64()), " (", &rule, ")"].concat()
}

fn of_number(key: &str, value: &Value) -> String {
    let real = value.as_f64().unwrap_or_default();
    let whole = value.as_i64();
    let last = key.rsplit('.').next().unwrap_or(key);
    #[expect(clippy::cast_possible_truncation, reason = "a mean of times, written with four digits")]
    let nanos = whole.unwrap_or(real as i64);
    match last {
        _ if last.ends_with("_at_ns") => moment(Nanos(nanos)),
        _ if last.ends_with("_ns") => duration(Nanos(nanos)),
        _ if last.ends_with("gigabytes_per_second") => gigabytes_per_second(Some(real)),
        _ if last.ends_with("bytes_per_second") => gigabytes_per_second(Some(real / 1e9)),
        "flops_per_second" => flops_per_second(Some(real)),
        "flops" => value.as_u64().map_or_else(|| number(real), amount_of_flops),
        "bytes" => size(value),
        _ if last.ends_with("_bytes") => size(value),
        _ if last.contains("share") || SHARES.contains(&last) => percent(real),
        // Numbers by which things are called.
        "rank" | "device" | "stream" | "stage" | "name" => value.to_string(),
        _ => value.as_u64().map_or_else(|| number(real), count),
    }
}

fn size(value: &Value) -> String {
    match (value.as_u64(), value.as_i64()) {
        (Some(size), _) => bytes(size),
        (None, Some(less)) => format!("-{}", bytes(less.unsigned_abs())),
        (None, None) => value.as_f64().map_or_else(|| NONE.to_owned(), number),
    }
}

/// A value in the unit that its report names.
pub(super) fn in_unit(value: &Value, unit: &str) -> String {
    let key = match unit {
        "ns" => "_ns",
        "bytes" => "bytes",
        "share" => "share",
        "bytes_per_second" | "gigabytes_per_second" => unit,
        _ => "value",
    };
    cell(key, value)
}

/// A text, as it is.
pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A column's head from its key: `host_self_ns` is `host self`.
pub(super) fn heading(key: &str) -> String {
    let key = key.strip_prefix("categories.").unwrap_or(key);
    let key = key.strip_suffix("_ns").unwrap_or(key);
    let words = key.replace(['_', '.'], " ");
    match words.as_str() {
        "dataloader" => "data wait".to_owned(),
        "kernel" => "kernels".to_owned(),
        _ => words.replace("per second", "/ s"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{cell, heading};

    #[test]
    fn a_key_says_the_unit() {
        let all = [
            ("host_self_ns", json!(12_345), "12.35 µs"),
            ("peak_at_ns", json!(12_345), "12.35 µs"),
            ("peak_at_ns", json!(-5_291_911), "5.292 ms before the trace"),
            ("peak_bytes", json!(2048), "2.00 KiB"),
            ("net_bytes", json!(-2048), "-2.00 KiB"),
            ("share_of_kernel_time", json!(0.125), "12.5 %"),
            ("calls", json!(1234), "1\u{2009}234"),
            ("stream", json!(1234), "1234"),
            ("ranks", json!([0, 2]), "0, 2"),
            ("call", json!({"slice": 1, "name": "cudaLaunchKernel"}), "cudaLaunchKernel"),
            ("rank", json!(null), "–"),
            (
                "marks",
                json!([{"column": "flop_rate", "rule": "fifth_from_mean", "by": -0.25}]),
                "flop rate -25.0 % (fifth from mean)",
            ),
        ];
        for (key, value, expected) in all {
            assert_eq!(cell(key, &value).replace(['\u{a0}', '\u{202f}'], "\u{2009}"), expected, "{key}");
        }
        let long = cell("name", &json!(format!("{}{}z", "a".repeat(400), "b".repeat(99))));
        assert_eq!(long, format!("{}…{}z", "a".repeat(300), "b".repeat(99)));
        assert_eq!(heading("categories.dataloader_ns"), "data wait");
        assert_eq!(heading("bus_bytes_per_second"), "bus bytes / s");
    }
}
