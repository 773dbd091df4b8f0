//! A curve over time: each value lasts until the next one.

use super::levels::first_in;
use super::paint::{Canvas, View};
use crate::colors::Rgb;
use stepscope_base::Nanos;

/// Number of values, or blocks of a finer level, in a block.
const BLOCK: usize = 16;

/// Values with their start times, and their extremes by blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    values: Vec<(Nanos, f64)>,
    /// The least and the greatest value of each block, by blocks of 16, 256, ….
    blocks: Vec<Vec<(f64, f64)>>,
    /// The end of the last value, if it has one.
    end: Option<Nanos>,
    /// The least upper end of the range, whatever the values are.
    top: f64,
}

impl Curve {
    /// A curve through values by time; those that are no numbers are left out.
    pub(super) fn of(values: impl Iterator<Item = (Nanos, f64)>, end: Option<Nanos>) -> Self {
        let values: Vec<(Nanos, f64)> = values.filter(|(_, value)| value.is_finite()).collect();
        let mut blocks: Vec<Vec<(f64, f64)>> = Vec::new();
        if values.len() > BLOCK {
            let of_values = |block: &[(Nanos, f64)]| block.iter().map(|(_, value)| (*value, *value)).fold(NONE, both);
            blocks.push(values.chunks(BLOCK).map(of_values).collect());
        }
        while let Some(below) = blocks.last().filter(|below| below.len() > BLOCK) {
            let above = below.chunks(BLOCK).map(|block| block.iter().copied().fold(NONE, both)).collect();
            blocks.push(above);
        }
        Self { values, blocks, end, top: 0.0 }
    }

    /// The same curve with a range up to at least a value: curves with the same one can be compared by their heights.
    pub(super) fn up_to(self, top: f64) -> Self {
        Self { top, ..self }
    }

    /// The least value, or zero, and the greatest one, or the least upper end.
    pub(super) fn range(&self) -> (f64, f64) {
        let all = self.extremes(0, self.values.len());
        if all.0 > all.1 { (0.0, 0.0) } else { (all.0.min(0.0), all.1.max(self.top)) }
    }

    /// The value at a time, and its start time.
    pub(super) fn at(&self, at: Nanos) -> Option<(Nanos, f64)> {
        let found = self.values.partition_point(|(from, _)| *from <= at);
        self.values[..found].last().copied().filter(|_| self.end.is_none_or(|end| at < end))
    }

    /// The least and the greatest of values by their indices.
    fn extremes(&self, mut from: usize, mut end: usize) -> (f64, f64) {
        let mut found = NONE;
        let mut level = 0;
        loop {
            let value = |place: usize| match level {
                0 => (self.values[place].1, self.values[place].1),
                _ => self.blocks[level - 1][place],
            };
            if end.saturating_sub(from) <= 2 * BLOCK || level == self.blocks.len() {
                return (from..end).map(value).fold(found, both);
            }
            // Whole blocks are read a level up.
            while !from.is_multiple_of(BLOCK) {
                found = both(found, value(from));
                from += 1;
            }
            while !end.is_multiple_of(BLOCK) {
                end -= 1;
                found = both(found, value(end));
            }
            (from, end, level) = (from / BLOCK, end / BLOCK, level + 1);
        }
    }

    /// Draws the curve, filled down to zero, into rows of a canvas.
    pub(super) fn paint(&self, view: &View, canvas: &mut Canvas<'_>, rows: std::ops::Range<usize>, color: Rgb) {
        let (low, high) = self.range();
        if self.values.is_empty() || high <= low || rows.is_empty() {
            return;
        }
        #[expect(clippy::cast_precision_loss, reason = "pixels")]
        let height = (rows.len() - 1) as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between zero and the height")]
        let row_of = |value: f64| rows.start + ((high - value) / (high - low) * height).round() as usize;
        let zero = row_of(0.0);
        let mut before: Option<usize> = None;
        let mut next = first_in(self.values.len(), view.time_at(0), |place| self.values[place].0);
        // The first value may begin inside of the view.
        let mut held = Some(self.values[next]).filter(|(at, _)| *at <= view.time_at(0)).map(|(_, value)| value);
        next += usize::from(held.is_some());
        for x in 0..view.width {
            let until = view.time_at(x + 1);
            if self.end.is_some_and(|end| end <= view.time_at(x)) {
                break;
            }
            let from = next;
            while next < self.values.len() && self.values[next].0 < until {
                // Advances by whole blocks: a pixel may have millions of values.
                let far = next + BLOCK;
                next = if far < self.values.len() && self.values[far].0 < until {
                    far + self.values[far..].partition_point(|(at, _)| *at < until)
                } else {
                    next + 1
                };
            }
            let mut extremes = self.extremes(from, next);
            // The previous value does not extend into the pixel if the next one starts with it.
            let replaced = next > from && self.values[from].0 <= view.time_at(x);
            if let Some(held) = held.filter(|_| !replaced) {
                extremes = both(extremes, (held, held));
            }
            if extremes.0 > extremes.1 {
                continue;
            }
            if next > from {
                held = Some(self.values[next - 1].1);
            }
            let (top, bottom) = (row_of(extremes.1), row_of(extremes.0));
            for row in top.min(zero)..=bottom.max(zero) {
                canvas.put(x, row, color, 70);
            }
            // The line itself; steps are joined.
            let join = before.map_or((top, bottom), |before| (top.min(before), bottom.max(before)));
            for row in join.0..=join.1 {
                canvas.put(x, row, color, 255);
            }
            before = held.map(row_of);
        }
    }
}

/// Neutral extremes of no values.
const NONE: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

fn both(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    fn curve(values: &[f64]) -> Curve {
        Curve::of((0..).zip(values).map(|(at, value)| (Nanos(at * 10), *value)), None)
    }

    proptest! {
        #[test]
        fn extremes_are_those_of_all_values(
            values in proptest::collection::vec(-50.0_f64..50.0, 1..2000),
            cut in (0.0_f64..1.0, 0.0_f64..1.0),
        ) {
            let of = |share: f64| (share * values.len() as f64) as usize;
            let (from, end) = (of(cut.0.min(cut.1)), of(cut.0.max(cut.1)));
            let plain = values[from..end].iter().map(|value| (*value, *value)).fold(NONE, both);
            prop_assert_eq!(curve(&values).extremes(from, end), plain);
        }
    }

    #[test]
    fn a_value_holds_until_the_next_one() {
        let curve = curve(&[1.0, 5.0, f64::NAN, 2.0]);
        assert_eq!(curve.at(Nanos(-1)), None);
        assert_eq!(curve.at(Nanos(9)), Some((Nanos(0), 1.0)));
        assert_eq!(curve.at(Nanos(25)), Some((Nanos(10), 5.0)));
        assert_eq!(curve.at(Nanos(1000)), Some((Nanos(30), 2.0)));
        assert_eq!(curve.range(), (0.0, 5.0));
        assert_eq!(curve.clone().up_to(8.0).range(), (0.0, 8.0));
        assert_eq!(curve.up_to(1.0).range(), (0.0, 5.0));
    }

    fn drawn(curve: &Curve, start: f64, pixel: f64) -> Vec<String> {
        let view = View { start, pixel, width: 12 };
        let mut pixels = vec![0; 12 * 5 * 4];
        curve.paint(&view, &mut Canvas { pixels: &mut pixels, width: 12 }, 0..5, (1, 2, 3));
        let sign = |alpha: u8| match alpha {
            0 => ' ',
            255 => '#',
            _ => '.',
        };
        (0..5).map(|row| (0..12).map(|x| sign(pixels[(row * 12 + x) * 4 + 3])).collect()).collect()
    }

    #[test]
    fn curves_are_filled_steps() {
        let steps = curve(&[1.0, 4.0, 0.0, 2.0]);
        assert_eq!(
            drawn(&steps, -10.0, 5.0),
            ["    ###     ", "    #.#     ", "    #.# ####", "  ###.# #...", "  ....###..."],
        );
    }

    #[test]
    fn peaks_are_seen_however_far_away() {
        let mut values = vec![1.0; 100_000];
        values[54_321] = 100.0;
        let lines = drawn(&curve(&values), 0.0, 1_000_000.0 / 12.0);
        assert!(lines[0].contains('#'), "{lines:?}");
    }
}
