//! A value of the summary as text. Its key shows the unit: `_ns`, `_bytes`, `share`, ….

use serde_json::Value;

use super::texts::Texts;
use crate::path::at;
use stepscope_analyze::is_enough;
use stepscope_base::Nanos;
use stepscope_present::cells::{name_with, plain_cell};
use stepscope_present::text::{
    amount_of_flops, bytes, count, duration, flops_per_second, gigabytes_per_second, number, percent, percent_change,
};
use stepscope_table::messages::{heading_keys, none_key};
use stepscope_table::{Bar, Column, Count, Show, Unit, Value as Cell};

/// The text for no value.
pub(super) const NONE: &str = "–";

/// The most characters of a text: names of kernels may have thousands.
const LONGEST: usize = 400;

/// Keys of shares without `share` in their names.
const SHARES: [&str; 3] = ["overlap_of_communication", "reader_ratio", "fragmentation"];

/// Keys whose values are words of lists, with the prefixes and ends of these words' messages.
const WORDS: [(&str, [&str; 2]); 6] = [
    ("wording", ["budget.cause.", ""]),
    ("branch", ["budget.branch.", ""]),
    ("severity", ["severity.", ""]),
    ("kind", ["drill_down.parallel.", ""]),
    ("source", ["drill_down.source.", ""]),
    ("rule", ["advice.", ".title"]),
];

/// A key's value as text.
pub(super) fn cell(key: &str, value: &Value, texts: &Texts) -> String {
    match value {
        Value::Null => NONE.to_owned(),
        Value::Bool(yes) => {
            if *yes {
                texts.word("report.yes")
            } else {
                String::new()
            }
        }
        Value::String(text) if key == "code" => sentence(text, texts),
        Value::String(text) => clipped(&word(key, text, texts)),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(|item| cell(key, item, texts)).collect::<Vec<_>>().join(texts.comma())
        }
        Value::Array(items) if key == "marks" => {
            items.iter().map(|item| mark(item, texts)).collect::<Vec<_>>().join(texts.comma())
        }
        // An event is shown as its name.
        Value::Object(object) => object.get("name").map_or_else(|| NONE.to_owned(), |name| cell("name", name, texts)),
        Value::Array(items) => count(items.len() as u64),
        Value::Number(_) => of_number(key, value, texts),
    }
}

/// A word of the list for a key's values; the text itself if there is no such list.
fn word(key: &str, text: &str, texts: &Texts) -> String {
    let last = key.rsplit('.').next().unwrap_or(key).trim_start_matches('^');
    let of_key = WORDS.iter().find(|(known, _)| *known == last);
    let found = of_key.and_then(|(_, [before, after])| texts.find(&[before, text, after].concat()));
    found.unwrap_or(text).to_owned()
}

/// A row's value; if the row's coverage for the key is too small, the text for that coverage.
pub(super) fn covered(key: &str, value: &Value, row: &Value, texts: &Texts) -> String {
    let coverage = row[[key, "_coverage"].concat()].as_f64();
    let unknown = coverage.and_then(|coverage| known_for(coverage, texts));
    unknown.unwrap_or_else(|| cell(key, value, texts))
}

/// A word of a row: that of a cause may have a blank for the rank, link or stage that its row says is late.
pub(super) fn about_late(text: String, row: &Value) -> String {
    match row["late"].as_str() {
        Some(late) => text.replace("{late}", late),
        None => text,
    }
}

/// The text in place of a value that is known for too little of the time.
fn known_for(coverage: f64, texts: &Texts) -> Option<String> {
    (!is_enough(coverage)).then(|| texts.say("known_for", &[("share", &percent(coverage))]))
}

/// The context of cells and headings of a described table.
#[derive(Clone, Copy)]
pub(super) struct Described<'a> {
    /// The table's name.
    pub table: &'a str,
    /// The device's vendor, by name.
    pub vendor: &'a str,
    /// The words.
    pub texts: &'a Texts,
}

impl Described<'_> {
    /// A column's heading.
    pub(super) fn heading(self, column: &Column) -> String {
        let keys = heading_keys(self.table, column);
        let found = keys.iter().find_map(|key| self.texts.find(key));
        found.map_or_else(|| column.last_key().to_owned(), |text| self.named(text))
    }

    /// A row's value in a column.
    pub(super) fn cell(self, column: &Column, row: &Value) -> String {
        let value = value_of(column, row);
        if value.is_nothing() {
            let is_without = column.with.is_some_and(|key| at(row, key).is_null());
            let none =
                heading_keys(self.table, column).iter().find_map(|key| self.texts.find(&none_key(key, is_without)));
            return none.unwrap_or(NONE).to_owned();
        }
        let text = self.text(unit_of(column, row), &value);
        let text = match share_of_whole(column, row) {
            Some(share) => [&text, " · ", &percent(share)].concat(),
            None => text,
        };
        clipped(&if matches!(column.unit, Unit::Word(_)) { about_late(text, row) } else { text })
    }

    /// A row's name, with the values that distinguish rows of the same name.
    pub(super) fn name(self, text: String, columns: &[&Column], row: &Value) -> String {
        let parts = columns.iter().filter(|column| column.show == Show::Name);
        let parts = parts.map(|part| (part.unit, value_of(part, row)));
        name_with(text, parts, |unit, value| match value {
            Cell::Lines(lines) => self.texts.say("report.at", &[("place", lines.last().map_or("", |line| &**line))]),
            value => self.text(unit, value),
        })
    }

    fn text(self, unit: Unit, value: &Cell<'_>) -> String {
        match (unit, value) {
            (Unit::Word(prefix), Cell::Text(word)) => {
                self.texts.find(&[prefix, ".", word].concat()).map_or_else(|| word.to_string(), |text| self.named(text))
            }
            (Unit::Word(prefix), Cell::Word(word)) => self
                .texts
                .find(&[prefix, ".", word].concat())
                .map_or_else(|| (*word).to_owned(), |text| self.named(text)),
            (Unit::Moment, Cell::Whole(at)) => moment(Nanos(*at), self.texts),
            (_, Cell::Flag(yes)) => self.texts.word(if *yes { "report.yes" } else { "report.no" }),
            (_, Cell::Covered(number, coverage)) => {
                known_for(*coverage, self.texts).unwrap_or_else(|| plain_cell(unit, &Cell::Count(*number)))
            }
            _ => plain_cell(unit, value),
        }
    }

    /// A message with the names of the device's units.
    fn named(self, text: &str) -> String {
        if !text.contains('{') {
            return text.to_owned();
        }
        let unit = |name: &str| {
            let key = |vendor: &str| format!("units.{name}.{vendor}");
            let known = self.texts.find(&key(self.vendor)).or_else(|| self.texts.find(&key("unknown")));
            known.unwrap_or(name).to_owned()
        };
        let matrix = unit("matrix");
        let mut letters = matrix.chars();
        let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let names = ["unit", "units", "warps"].map(|name| (["{", name, "}"].concat(), unit(name)));
        let text = text.replace("{Matrix}", &capital).replace("{matrix}", &matrix);
        names.iter().fold(text, |text, (blank, name)| text.replace(blank, name))
    }
}

/// The unit of a row's value in a column.
fn unit_of(column: &Column, row: &Value) -> Unit {
    match column.unit {
        Unit::Measure(key) => at(row, key).as_str().and_then(Unit::named).unwrap_or(Unit::Number),
        unit => unit,
    }
}

/// The value in the type of its column.
fn value_of<'a>(column: &Column, row: &'a Value) -> Cell<'a> {
    let value = at(row, column.key);
    let coverage = at(row, &[column.key, "_coverage"].concat()).as_f64();
    let real = |value: &Value| {
        value.as_f64().map(|real| coverage.map_or(Cell::Real(real), |of| Cell::Covered(real.into(), of)))
    };
    let counted = |count: Count| coverage.map_or(Cell::Count(count), |of| Cell::Covered(count, of));
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
            value.as_u64().map(Count::Whole).or_else(|| value.as_f64().map(Count::Mean)).map(counted)
        }
        Unit::Duration | Unit::DurationChange | Unit::Moment | Unit::Id | Unit::SignedBytes => {
            value.as_i64().map(Cell::Whole)
        }
        _ => real(value),
    };
    found.unwrap_or(Cell::Unknown)
}

/// The share of a row's value in its whole, if the column names one that is not zero.
fn share_of_whole(column: &Column, row: &Value) -> Option<f64> {
    let Bar::PartOf(whole) = column.bar else { return None };
    Some(at(row, column.key).as_f64()? / at(row, whole).as_f64().filter(|whole| *whole != 0.0)?)
}

/// An extent in three directions, if a value is one.
fn extent(value: &Value) -> Option<[u32; 3]> {
    let of = |place: usize| value.get(place)?.as_u64().and_then(|extent| u32::try_from(extent).ok());
    Some([of(0)?, of(1)?, of(2)?])
}

/// A text, shortened in the middle if it is too long for a table.
pub(super) fn clipped(text: &str) -> String {
    stepscope_present::text::clipped(text, LONGEST)
}

/// The sentence of a warning of a reader or of a job.
pub(super) fn sentence(code: &str, texts: &Texts) -> String {
    let keys = ["warning.", "ranks.warning."].map(|prefix| [prefix, code].concat());
    keys.iter().find_map(|key| texts.find(key)).unwrap_or(code).to_owned()
}

/// An outlier: its column, deviation and rule.
fn mark(mark: &Value, texts: &Texts) -> String {
    let [column, rule] = [("ranks.mark", "column"), ("ranks.rule", "rule")]
        .map(|(prefix, key)| texts.listed(prefix, mark[key].as_str().unwrap_or_default()));
    let by = percent_change(mark["by"].as_f64());
    texts.say("report.marked", &[("column", &column), ("by", &by), ("rule", &rule)])
}

/// A time from the trace's start.
fn moment(at: Nanos, texts: &Texts) -> String {
    if at >= Nanos::ZERO {
        return duration(at);
    }
    texts.say("report.before_trace", &[("time", &duration(Nanos::ZERO - at))])
}

fn of_number(key: &str, value: &Value, texts: &Texts) -> String {
    let real = value.as_f64().unwrap_or_default();
    let whole = value.as_i64();
    let last = key.rsplit('.').next().unwrap_or(key);
    #[expect(clippy::cast_possible_truncation, reason = "a mean of times, written with four digits")]
    let nanos = whole.unwrap_or(real as i64);
    match last {
        _ if last.ends_with("_at_ns") => moment(Nanos(nanos), texts),
        _ if last.ends_with("_ns") => duration(Nanos(nanos)),
        _ if last.ends_with("gigabytes_per_second") => gigabytes_per_second(Some(real)),
        _ if last.ends_with("bytes_per_second") => gigabytes_per_second(Some(real / 1e9)),
        "flops_per_second" => flops_per_second(Some(real)),
        "flops" => value.as_u64().map_or_else(|| number(real), amount_of_flops),
        "bytes" => size(value),
        _ if last.ends_with("_bytes") => size(value),
        _ if last.contains("share") || SHARES.contains(&last) => percent(real),
        // Numbers that identify things.
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

/// A value in the unit named by its report.
pub(super) fn in_unit(value: &Value, unit: &str, texts: &Texts) -> String {
    let key = match unit {
        "ns" => "_ns",
        "bytes" => "bytes",
        "share" => "share",
        "bytes_per_second" | "gigabytes_per_second" | "flops" | "flops_per_second" => unit,
        _ => "value",
    };
    cell(key, value, texts)
}

/// A text, unchanged.
pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A column's head from its key: `phases.forward.host_ns` has the message `report.column.phases_forward_host`.
pub(super) fn heading(key: &str, texts: &Texts) -> String {
    let key = key.strip_suffix("_ns").unwrap_or(key).replace('.', "_");
    let found = texts.find(&["report.column.", &key].concat());
    found.map_or_else(|| key.replace('_', " "), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use stepscope_table::messages::Language;

    use super::{Texts, cell, heading};

    #[test]
    fn a_key_says_the_unit() {
        let texts = Texts::of(Language::English);
        let cell = |key: &str, value: &serde_json::Value| cell(key, value, &texts);
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
                "rate of operations -25.0 % (worse than the mean by more than a fifth)",
            ),
        ];
        for (key, value, expected) in all {
            assert_eq!(cell(key, &value).replace(['\u{a0}', '\u{202f}'], "\u{2009}"), expected, "{key}");
        }
        let long = cell("name", &json!(format!("{}{}z", "a".repeat(400), "b".repeat(99))));
        assert_eq!(long, format!("{}…{}z", "a".repeat(300), "b".repeat(99)));
        assert_eq!(heading("phases.forward.host_ns", &texts), "Forward, host");
        assert_eq!(heading("exposed_memcpy_ns", &texts), "Exposed copies");
        assert_eq!(heading("phases.forward.host_ns", &Texts::of(Language::Chinese)), "前向：主机");
        assert_eq!(heading("never_seen", &texts), "never seen");
    }
}
