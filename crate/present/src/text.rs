//! Units as text: the only place where a number becomes text.

use stepscope_analyze::{Covered, is_enough};
use stepscope_base::Nanos;
use stepscope_trace::{Cell, RecordedColumn, RecordedTable, RecordedUnit};

/// The name of a step's time in which the device's state is unknown: it may run work from before the recording.
pub const UNKNOWN_AT_START: &str = "device state unknown at start";

/// The name of later time in which the device's activity is not recorded.
pub const NOT_RECORDED: &str = "device activity not recorded";

/// A text with at most `most` characters, shortened in the middle.
#[must_use]
pub fn clipped(text: &str, most: usize) -> String {
    let all = text.chars().count();
    if all <= most {
        return text.to_owned();
    }
    let end = most / 4;
    text.chars().take(most - end).chain(std::iter::once('…')).chain(text.chars().skip(all - end)).collect()
}

/// The span of the only step of a trace without marked steps, by its kind.
#[must_use]
pub fn whole_step_span(span: &str) -> &'static str {
    match span {
        "operators" => "first to last host operator, and what they launched",
        "activities" => "first to last device activity",
        _ => "first to last event",
    }
}

/// The time of a trace outside of its only step; none if there is none.
#[must_use]
pub fn outside_of_step(outside: Nanos, busy: Nanos) -> Option<String> {
    let busy = (busy > Nanos::ZERO).then(|| format!(" (devices busy for {})", duration(busy)));
    (outside > Nanos::ZERO)
        .then(|| format!("{} of the trace lie outside of that time{}", duration(outside), busy.unwrap_or_default()))
}

/// The activity of devices outside of marked steps.
#[must_use]
pub fn busy_outside_steps(busy: Nanos) -> String {
    format!("devices busy for {} outside of the steps", duration(busy))
}

/// A length of time with three or four significant digits: `999 ns`, `12.35 µs`, `1.500 s`.
///
/// ```
/// use stepscope::{Nanos, present::text::duration};
///
/// assert_eq!(duration(Nanos(999)), "999 ns");
/// assert_eq!(duration(Nanos(12_345)), "12.35 µs");
/// assert_eq!(duration(Nanos(-1_500_000_000)), "-1.500 s");
/// assert_eq!(duration(Nanos(3_723_000_000_000)), "1 h 02 min 03 s");
/// ```
#[must_use]
pub fn duration(length: Nanos) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")];
    let sign = if length.0 < 0 { "-" } else { "" };
    let nanos = length.0.unsigned_abs();
    if nanos >= 600 * UNITS[0].0 {
        let seconds = (nanos + UNITS[0].0 / 2) / UNITS[0].0;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        return if hours > 0 {
            format!("{sign}{hours} h {minutes:02} min {seconds:02} s")
        } else {
            format!("{sign}{minutes} min {seconds:02} s")
        };
    }
    match UNITS.iter().find(|(unit, _)| nanos >= *unit) {
        Some((unit, name)) => format!("{sign}{} {name}", four_digits(nanos, *unit)),
        None => format!("{sign}{nanos} ns"),
    }
}

/// A time from the trace's start: `12.35 µs`, or `5.292 ms before the trace` where something was recorded earlier.
///
/// ```
/// use stepscope::{Nanos, present::text::moment};
///
/// assert_eq!(moment(Nanos(12_345)), "12.35 µs");
/// assert_eq!(moment(Nanos(-5_291_911)), "5.292 ms before the trace");
/// ```
#[must_use]
pub fn moment(at: Nanos) -> String {
    if at < Nanos::ZERO { format!("{} before the trace", duration(Nanos::ZERO - at)) } else { duration(at) }
}

/// Bytes, which may be negative: `1.50 KiB`, `-3 B`.
#[must_use]
pub fn signed_bytes(count: i64) -> String {
    let sign = if count < 0 { "-" } else { "" };
    format!("{sign}{}", bytes(count.unsigned_abs()))
}

/// The change of a length, with its sign: `+12.35 µs`, `-3 ns`, `0 ns`.
#[must_use]
pub fn duration_change(change: Nanos) -> String {
    let sign = if change.0 > 0 { "+" } else { "" };
    format!("{sign}{}", duration(change))
}

/// A length of time, or a dash where there is none.
#[must_use]
pub fn duration_or_dash(length: Option<Nanos>) -> String {
    length.map_or_else(|| "–".to_owned(), duration)
}

/// A change as a percentage with its sign, or a dash where there is nothing to compare with: `+12.3 %`, `+<0.1 %`.
#[must_use]
pub fn percent_change(share: Option<f64>) -> String {
    let sign = if share.is_some_and(|share| share > 0.0) { "+" } else { "" };
    format!("{sign}{}", percent_or_dash(share))
}

/// `value / unit` with as many decimals as make four significant digits, rounded half up.
fn four_digits(value: u64, unit: u64) -> String {
    let decimals = match value / unit {
        0..=9 => 3,
        10..=99 => 2,
        100..=999 => 1,
        _ => 0,
    };
    let scale = 10_u64.pow(decimals);
    let rounded = (u128::from(value) * u128::from(scale) + u128::from(unit) / 2) / u128::from(unit);
    let (whole, rest) = (rounded / u128::from(scale), rounded % u128::from(scale));
    if decimals == 0 { whole.to_string() } else { format!("{whole}.{rest:0width$}", width = decimals as usize) }
}

/// A share as a percentage: `12.3 %`. One that is not zero and would be rounded to zero is `<0.1 %`.
///
/// ```
/// use stepscope::present::text::percent;
///
/// assert_eq!([0.1234, 0.0005, 0.0004, 0.0].map(percent), ["12.3 %", "0.1 %", "<0.1 %", "0.0 %"]);
/// ```
#[must_use]
pub fn percent(share: f64) -> String {
    let text = format!("{:.1} %", share * 100.0);
    match text.strip_suffix("0.0 %") {
        Some(sign @ ("" | "-")) if share != 0.0 => format!("{sign}<0.1 %"),
        _ => text,
    }
}

/// A share as a percentage, or a dash where its denominator is zero.
#[must_use]
pub fn percent_or_dash(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), percent)
}

/// A value that is known for a part of its time: as `text` writes it, or the part of the time where that is too little
/// to describe the whole. A dash if it is not known at all.
///
/// ```
/// use stepscope::analyze::Covered;
/// use stepscope::present::text::{covered, percent};
///
/// let of = |coverage| covered(Some(Covered { value: 0.5, coverage }), percent);
/// assert_eq!((of(0.9).as_str(), of(0.04).as_str()), ("50.0 %", "known for only 4.0 % of its time"));
/// assert_eq!(covered(None, percent), "–");
/// ```
#[must_use]
pub fn covered(value: Option<Covered>, text: impl FnOnce(f64) -> String) -> String {
    match value {
        None => "–".to_owned(),
        Some(found) => known_for(found.coverage).unwrap_or_else(|| text(found.value)),
    }
}

/// The text in place of a value that is known for that share of the time; `None` if that is enough to describe the
/// whole.
#[must_use]
pub fn known_for(coverage: f64) -> Option<String> {
    (!is_enough(coverage)).then(|| format!("known for only {} of its time", percent(coverage)))
}

/// Bytes in powers of 1024: `1.50 MiB`.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {}", UNITS[unit])
}

/// A number of things with the noun's form: `1 step`, `2 steps`. The page's messages have forms of their own.
#[must_use]
pub fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { several })
}

/// A count with thin groups of three digits: `1 234 567`.
#[must_use]
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number of any kind: a whole one without decimals, else with four significant digits, but none after the point from
/// 1000 on.
///
/// ```
/// use stepscope::present::text::number;
///
/// assert_eq!(number(-1_234_567.0), "-1\u{202f}234\u{202f}567");
/// assert_eq!(number(1234.56), "1\u{202f}235");
/// assert_eq!((number(20.5), number(0.000_123_4)), ("20.5".into(), "1.234e-4".into()));
/// ```
#[must_use]
pub fn number(value: f64) -> String {
    /// Whole numbers up to this one are exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let size = value.abs();
    if size <= EXACT && value.fract() == 0.0 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number, and not negative")]
        let digits = count(size as u64);
        return if value < 0.0 { format!("-{digits}") } else { digits };
    }
    if !(0.001..1e9).contains(&size) {
        return format!("{value:.3e}");
    }
    // Numbers with four digits before the point once they are rounded.
    if size >= 999.95 {
        return number(value.round());
    }
    let decimals = match size {
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        size if size >= 1.0 => 3,
        size if size >= 0.1 => 4,
        size if size >= 0.01 => 5,
        _ => 6,
    };
    format!("{value:.decimals$}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number with two decimals.
#[must_use]
pub fn decimal(value: f64) -> String {
    format!("{value:.2}")
}

/// A rate in GB/s, or a dash.
#[must_use]
pub fn gigabytes_per_second(rate: Option<f64>) -> String {
    rate.map_or_else(|| "–".to_owned(), |rate| format!("{rate:.2} GB/s"))
}

/// A number of floating-point operations in powers of 1000: `1.23 TFLOP`.
///
/// ```
/// use stepscope::present::text::{amount_of_flops, flops_per_second};
///
/// assert_eq!((amount_of_flops(950), amount_of_flops(137_438_953_472)), ("950 FLOP".into(), "137 GFLOP".into()));
/// assert_eq!((flops_per_second(Some(1.25e13)), flops_per_second(None)), ("12.5 TFLOP/s".into(), "–".into()));
/// ```
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub fn amount_of_flops(flops: u64) -> String {
    flops_text(flops as f64)
}

/// A rate of floating-point operations, or a dash.
#[must_use]
pub fn flops_per_second(rate: Option<f64>) -> String {
    rate.map_or_else(|| "–".to_owned(), |rate| flops_text(rate) + "/s")
}

fn flops_text(mut value: f64) -> String {
    const UNITS: [&str; 6] = ["FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"];
    let mut unit = 0;
    // A value that would be rounded up to a thousand is shown in the next unit.
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let decimals = match value {
        _ if unit == 0 || value >= 99.95 => 0,
        _ if value >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.decimals$} {}", UNITS[unit])
}

/// A value of more nanoseconds is a date, counted from 1970.
const YEAR_2001: i64 = 978_307_200_000_000_000;

/// A point in time from nanoseconds since 1970, to the second: `2026-11-21 03:13:39`.
///
/// ```
/// use stepscope::present::text::date_to_second;
///
/// assert_eq!(date_to_second(1_795_230_819_865_490_727), "2026-11-21 03:13:39");
/// ```
#[must_use]
pub fn date_to_second(nanos: i64) -> String {
    let date = date(nanos);
    date.split_once('.').map_or(date.clone(), |(seconds, _)| seconds.to_owned())
}

/// A point in time from nanoseconds since 1970, to the microsecond: `2026-11-21 03:13:39.865491`.
fn date(nanos: i64) -> String {
    const DAY: i64 = 86_400;
    let (seconds, micros) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000) / 1000);
    let (days, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    // Years that begin in March end with the leap day, if they have one; 400 of them are 146 097 days.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + i64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06}")
}

/// A cell of a recorded table, in its column's unit; a dash for an empty one.
#[expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "bytes that are not negative")]
fn cell(cell: &Cell, unit: RecordedUnit) -> String {
    match (cell, unit, cell.number()) {
        (Cell::Empty, ..) => "–".to_owned(),
        (Cell::Text(text), ..) => text.clone(),
        (Cell::Integer(nanos), RecordedUnit::Nanoseconds, _) if *nanos >= YEAR_2001 => date(*nanos),
        (Cell::Integer(nanos), RecordedUnit::Nanoseconds, _) => duration(Nanos(*nanos)),
        (_, RecordedUnit::Bytes, Some(count)) if count >= 0.0 => bytes(count.round() as u64),
        (_, RecordedUnit::Share, Some(share)) => percent(share),
        (_, RecordedUnit::BytesPerSecond, Some(rate)) => gigabytes_per_second(Some(rate / 1e9)),
        (_, RecordedUnit::Flops, Some(flops)) => flops_text(flops),
        (_, RecordedUnit::FlopsPerSecond, Some(rate)) => flops_per_second(Some(rate)),
        (Cell::Integer(number), ..) => number.to_string(),
        (Cell::Real(number), ..) => format!("{}", (number * 1e6).round() / 1e6),
    }
}

/// Times of at least 10 s with small differences are treated as points in time: clocks begin when machines do.
const FAR: i64 = 10_000_000_000;

/// Ends of the names of columns of points in time, as MindSpore and CANN name them.
const POINTS: [&str; 6] = ["_point", "start", "end", "start_time", "end_time", "time_stamp"];

/// The format of the cells in a recorded table's column.
#[derive(Clone, Copy, Debug)]
pub struct ColumnText {
    unit: RecordedUnit,
    times: ColumnTimes,
}

/// The format of the times in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnTimes {
    /// As lengths.
    Lengths,
    /// Digit by digit: with four digits, cells would look equal.
    Exact,
    /// As points in time, relative to the first one of the table: alone, they would look like lengths of days.
    Points {
        /// The first point, on the clock of the profiler.
        from: i64,
    },
}

impl ColumnText {
    /// The formats of a table's columns, by their cells.
    #[must_use]
    pub fn of_table(table: &RecordedTable) -> Vec<Self> {
        // A row of means has no points, but the mean of points.
        let is_of_means = |row: &&Vec<Cell>| row.first().and_then(Cell::text) == Some("-");
        let cells =
            |index: usize| table.rows.iter().filter(move |row| !is_of_means(row)).filter_map(move |row| row.get(index));
        let of = |(index, column): (usize, &RecordedColumn)| Self::of(cells(index), &column.name, column.unit);
        let mut columns: Vec<Self> = table.columns.iter().enumerate().map(of).collect();
        // One clock for all of them.
        let firsts = columns.iter().filter_map(|column| column.first_point());
        if let Some(first) = firsts.min() {
            for column in columns.iter_mut().filter(|column| column.first_point().is_some()) {
                column.times = ColumnTimes::Points { from: first };
            }
        }
        columns
    }

    /// The point of the profiler's clock to which points in time are relative, if the table has such columns.
    #[must_use]
    pub fn points_from(columns: &[Self]) -> Option<String> {
        columns.iter().find_map(|column| column.first_point()).map(seconds)
    }

    fn first_point(self) -> Option<i64> {
        match self.times {
            ColumnTimes::Points { from } => Some(from),
            ColumnTimes::Lengths | ColumnTimes::Exact => None,
        }
    }

    fn of<'a>(cells: impl Iterator<Item = &'a Cell>, name: &str, unit: RecordedUnit) -> Self {
        let times = cells.filter_map(Cell::nanos).map(|time| time.0).filter(|time| *time < YEAR_2001);
        let ends = times.fold(None, |ends: Option<[i64; 3]>, time| {
            let [least, most, first] = ends.unwrap_or([time, time, i64::MAX]);
            Some([least.min(time), most.max(time), if time > 0 { first.min(time) } else { first }])
        });
        let is_point = POINTS.iter().any(|end| name.ends_with(end));
        let times = match ends.filter(|_| unit == RecordedUnit::Nanoseconds) {
            Some([_, most, first]) if most >= FAR && is_point => ColumnTimes::Points { from: first },
            Some([least, most, _])
                if least >= FAR
                    && most > least
                    && u128::from(most.abs_diff(least)) * 10 < u128::from(most.unsigned_abs()) =>
            {
                ColumnTimes::Exact
            }
            _ => ColumnTimes::Lengths,
        };
        Self { unit, times }
    }

    /// A cell of the column.
    #[must_use]
    pub fn cell(self, value: &Cell) -> String {
        match (value, self.times) {
            // The profiler has no average of a single step and writes a row of zeros; for several steps it writes means
            // of points.
            (Cell::Integer(nanos), ColumnTimes::Points { from }) if *nanos < from => "–".to_owned(),
            (Cell::Integer(nanos), ColumnTimes::Points { from }) if *nanos < YEAR_2001 => {
                format!("+{}", seconds(nanos.saturating_sub(from)))
            }
            (Cell::Integer(nanos), ColumnTimes::Exact) if *nanos < YEAR_2001 => seconds(*nanos),
            _ => cell(value, self.unit),
        }
    }
}

/// A point in time, digit by digit.
fn seconds(nanos: i64) -> String {
    format!("{}.{:09} s", nanos / 1_000_000_000, nanos.unsigned_abs() % 1_000_000_000)
}

/// Parses a length of time: a number and a unit, such as `50us`, `0.5 ms`, `1s`. None if the text is invalid, or finer
/// than a nanosecond.
#[must_use]
pub fn parse_duration(text: &str) -> Option<Nanos> {
    const UNITS: [(&str, usize); 6] = [("ns", 0), ("us", 3), ("µs", 3), ("μs", 3), ("ms", 6), ("s", 9)];
    let text = text.trim();
    let unit_at = text.find(|character: char| !character.is_ascii_digit() && character != '.')?;
    let (number, unit) = text.split_at(unit_at);
    let (_, places) = UNITS.iter().find(|(name, _)| *name == unit.trim())?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let (decimals, finer) = decimals.split_at_checked(*places).unwrap_or((decimals, ""));
    if whole.is_empty() || finer.chars().any(|digit| digit != '0') {
        return None;
    }
    format!("{whole}{decimals:0<places$}").parse().ok().map(Nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page, the program and the report use one name.
    #[test]
    fn the_page_names_the_unknown_start_alike() {
        let english = include_str!("../../../www/i18n/en.json");
        let english: std::collections::BTreeMap<String, String> = serde_json::from_str(english).expect("messages");
        for key in ["category.delay", "overlap.delay"] {
            assert_eq!(english[key].to_lowercase(), UNKNOWN_AT_START, "{key}");
        }
        let of_tables = stepscope_table::messages::read(stepscope_table::messages::ENGLISH);
        assert_eq!(of_tables["column.idle.before_first_activity_ns"].to_lowercase(), UNKNOWN_AT_START);
        for span in ["operators", "activities", "events"] {
            assert_eq!(english[&format!("tile.step.whole.{span}")], whole_step_span(span));
        }
    }

    #[test]
    fn written_times_are_read_exactly() {
        let good = [
            ("50us", 50_000),
            ("0.5ms", 500_000),
            ("1s", 1_000_000_000),
            ("800ns", 800),
            (" 1.25 µs ", 1_250),
            ("50.00 μs", 50_000),
            ("2.00ns", 2),
        ];
        for (text, nanos) in good {
            assert_eq!(parse_duration(text), Some(Nanos(nanos)), "{text}");
        }
        for length in [0, 7, 50_000, 30_000, 100_000, 1_234_000_000] {
            assert_eq!(parse_duration(&duration(Nanos(length))), Some(Nanos(length)), "as it is shown");
        }
        for bad in ["50", "us", "-1us", "1.5ns", "1.2.3us", "1h", "", "99999999999999999999s", ".5us"] {
            assert_eq!(parse_duration(bad), None, "{bad}");
        }
    }

    #[test]
    fn durations_round_within_their_unit() {
        let cases = [
            (0, "0 ns"),
            (1_000, "1.000 µs"),
            (9_999, "9.999 µs"),
            (99_999, "100.00 µs"),
            (123_456, "123.5 µs"),
            (999_950, "1000.0 µs"),
            (59_999_999_999, "60.00 s"),
            (599_999_999_999, "600.0 s"),
            (600_000_000_000, "10 min 00 s"),
        ];
        for (nanos, expected) in cases {
            assert_eq!(duration(Nanos(nanos)), expected);
        }
    }

    #[test]
    fn counts_and_bytes() {
        let steps = |number| counted(number, "step", "steps");
        assert_eq!([steps(0), steps(1), steps(1_000)], ["0 steps", "1 step", "1\u{202f}000 steps"]);
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!((number(999.94).as_str(), number(999.96).as_str()), ("999.9", "1\u{202f}000"));
        assert_eq!(number(-508_342_464.5), "-508\u{202f}342\u{202f}465");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1_572_864), "1.50 MiB");
        assert_eq!(bytes(u64::MAX), "16.0 EiB");
        assert_eq!(percent(0.12345), "12.3 %");
        assert_eq!([1e-9, -1e-9, -0.0, f64::NAN].map(percent), ["<0.1 %", "-<0.1 %", "-0.0 %", "NaN %"]);
        assert_eq!([4e-4, -4e-4, 0.0].map(|change| percent_change(Some(change))), ["+<0.1 %", "-<0.1 %", "0.0 %"]);
    }

    #[test]
    fn points_in_time_are_told_apart() {
        let texts_of = |name: &str, times: [i64; 2]| {
            let cells = times.map(Cell::Integer);
            let column = ColumnText::of(cells.iter(), name, RecordedUnit::Nanoseconds);
            cells.map(|cell| column.cell(&cell))
        };
        let texts = |times| texts_of("total", times);
        let one = 154_908_123_456_780_i64;
        assert_eq!(texts_of("fp_point", [one, one + 23_709_050]), ["+0.000000000 s", "+0.023709050 s"]);
        assert_eq!(texts_of("fp_point", [one, 0]), ["+0.000000000 s", "–"], "a row of zeros is no average");
        assert_eq!(texts_of("total", [one, one]), ["43 h 01 min 48 s"; 2]);
        assert_eq!(texts_of("start_point", [0, 5_000_000]), ["0 ns", "5.000 ms"]);
        assert_eq!(texts([450_000_000_000, 450_000_001_000]), ["450.000000000 s", "450.000001000 s"]);
        assert_eq!(texts([400_000_000_000, 490_000_000_000]), ["400.0 s", "490.0 s"]);
        assert_eq!(texts([90_270_000, 90_470_000]), ["90.27 ms", "90.47 ms"]);
        assert_eq!(texts([7, 7]), ["7 ns", "7 ns"]);
    }

    #[test]
    fn cells_have_their_columns_units() {
        let text = |value: Cell, unit| cell(&value, unit);
        assert_eq!(text(Cell::Empty, RecordedUnit::Bytes), "–");
        assert_eq!(text(Cell::Integer(1_500), RecordedUnit::Nanoseconds), "1.500 µs");
        assert_eq!(text(Cell::Integer(1 << 20), RecordedUnit::Bytes), "1.00 MiB");
        assert_eq!(text(Cell::Real(0.576), RecordedUnit::Share), "57.6 %");
        assert_eq!(text(Cell::Real(2e9), RecordedUnit::BytesPerSecond), "2.00 GB/s");
        assert_eq!(text(Cell::Real(8_167_743_000.0), RecordedUnit::Flops), "8.17 GFLOP");
        assert_eq!(text(Cell::Real(9.868_936e12), RecordedUnit::FlopsPerSecond), "9.87 TFLOP/s");
        assert_eq!(text(Cell::Integer(51_517), RecordedUnit::Number), "51517", "it may be an id");
        assert_eq!(text(Cell::Real(1.0 / 3.0), RecordedUnit::Number), "0.333333");
        assert_eq!(text(Cell::Text("N/A".into()), RecordedUnit::Nanoseconds), "N/A");
        let time = |nanos| text(Cell::Integer(nanos), RecordedUnit::Nanoseconds);
        assert_eq!(time(1_795_230_819_865_490_727), "2026-11-21 03:13:39.865490");
        assert_eq!(time(1_709_164_799_999_999_999), "2024-02-28 23:59:59.999999");
        assert_eq!(time(1_709_164_800_000_000_000), "2024-02-29 00:00:00.000000");
        assert_eq!(time(1_735_689_600_000_000_000), "2025-01-01 00:00:00.000000");
    }
}
