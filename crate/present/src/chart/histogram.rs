//! Distributions of lengths of time, as upright bars.

use super::{Bar, BarPart, BarUnit, StackedBars};
use crate::text::duration;
use stepscope_base::{Interval, Nanos};

/// A span of lengths, with their number.
pub type HistogramBar = (Interval, u64);

/// The bars of a histogram whose bounds double, which may leave out empty ones. The result includes those in between,
/// each with the lengths that it covers.
///
/// A distribution's shape shows only if the empty bars have their places.
#[must_use]
pub fn histogram(bars: &[HistogramBar], class: &str) -> (StackedBars, Vec<Interval>) {
    let mut spans: Vec<Interval> = Vec::new();
    let mut drawn: Vec<Bar> = Vec::new();
    let mut add = |span: Interval, count: u64| {
        spans.push(span);
        let values = vec![i64::try_from(count).unwrap_or(i64::MAX)];
        drawn.push(Bar { label: lower_bound(span.start), values, pale: false });
    };
    let mut end: Option<Nanos> = None;
    for (span, count) in bars {
        while let Some(from) = end.filter(|from| *from < span.start) {
            let to = Nanos(from.0.saturating_mul(2).max(1)).min(span.start);
            add(Interval::new(from, to), 0);
            end = Some(to);
        }
        add(*span, *count);
        end = Some(span.end);
    }
    let parts = vec![BarPart { class: class.to_owned() }];
    (StackedBars { parts, bars: drawn, lying: false, selected: None, unit: BarUnit::Count }, spans)
}

/// Two digits are enough to distinguish powers of two: `≥ 4.1 µs`.
fn lower_bound(length: Nanos) -> String {
    if length == Nanos::ZERO {
        return "0".to_owned();
    }
    let text = duration(length);
    let Some((number, unit)) = text.split_once(' ') else { return text };
    let digits = number.chars().scan(0, |seen, character| {
        *seen += usize::from(character.is_ascii_digit());
        Some((*seen, character))
    });
    let whole = number.find('.').unwrap_or(number.len());
    let short: String = digits
        .enumerate()
        .take_while(|(at, (seen, _))| *at < whole || *seen <= 2)
        .map(|(_, (_, character))| character)
        .collect();
    format!("≥ {} {unit}", short.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_bars_have_their_places() {
        let bar = |from: i64, to: i64, count: u64| (Interval::new(Nanos(from), Nanos(to)), count);
        let (chart, spans) = histogram(&[bar(0, 1, 3), bar(4, 8, 1), bar(1024, 2048, 2)], "kernel");
        let starts: Vec<i64> = spans.iter().map(|span| span.start.0).collect();
        assert_eq!(starts, [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]);
        assert!(spans.windows(2).all(|pair| pair[0].end == pair[1].start));
        let counts: Vec<i64> = chart.bars.iter().map(|bar| bar.values[0]).collect();
        assert_eq!(counts, [3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert_eq!(histogram(&[], "kernel").1, []);
        assert_eq!(histogram(&[bar(1 << 62, i64::MAX, 1)], "kernel").1.len(), 1);
    }

    #[test]
    fn labels_are_short() {
        let labels = [0, 1, 512, 4096, 65_536, 1_048_576, 1 << 40].map(|length| lower_bound(Nanos(length)));
        assert_eq!(labels, ["0", "≥ 1 ns", "≥ 512 ns", "≥ 4.0 µs", "≥ 65 µs", "≥ 1.0 ms", "≥ 18 min 20 s"]);
    }
}
