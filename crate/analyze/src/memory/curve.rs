//! Levels over time, thinned so that no peak is lost.

use super::config::MemoryConfig;
use stepscope_base::{CompactSort, Interval, Nanos};

/// The levels over a span of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryCurve {
    /// The covered span.
    pub span: Interval,
    /// From the first event to the last one: the longest possible span.
    pub whole: Interval,
    /// The levels from a time on, by time.
    ///
    /// The span is cut into columns of equal length. For each column, the first point, the last one, and those with the
    /// lowest and the highest value of each level are kept: a curve that is drawn no wider than that loses no peak. The
    /// level at the beginning of the span is at its start. One point after its end is kept, where there is one.
    pub points: Vec<MemoryPoint>,
}

/// The levels from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPoint {
    /// Start time.
    pub at: Nanos,
    /// Bytes allocated.
    pub allocated: i64,
    /// Bytes reserved, where known.
    pub reserved: Option<i64>,
}

/// A point and its index among all: several may have the same time.
type Placed = (usize, MemoryPoint);

/// The kept points of a column.
struct Column {
    number: i128,
    /// First, last, lowest and highest allocated, lowest and highest reserved.
    kept: [Placed; 6],
}

impl Column {
    fn add(&mut self, point: Placed) {
        let [_, last, low, high, low_reserved, high_reserved] = &mut self.kept;
        *last = point;
        let keep = |kept: &mut Placed, is_more: bool| {
            if is_more {
                *kept = point;
            }
        };
        keep(low, point.1.allocated < low.1.allocated);
        keep(high, point.1.allocated > high.1.allocated);
        keep(low_reserved, point.1.reserved < low_reserved.1.reserved);
        keep(high_reserved, point.1.reserved > high_reserved.1.reserved);
    }

    fn write(mut self, points: &mut Vec<MemoryPoint>) {
        self.kept.compact_sort_by_key(|(place, _)| *place);
        let mut before = None;
        for (place, point) in self.kept {
            if before.replace(place) != Some(place) {
                points.push(point);
            }
        }
    }
}

/// The curve through points sorted by time; the first and the last one are at the ends of `whole`.
pub(super) fn curve(
    points: &mut dyn Iterator<Item = MemoryPoint>,
    whole: Interval,
    config: &MemoryConfig,
) -> MemoryCurve {
    let span = config.span.map_or(whole, |span| {
        let start = span.start.max(whole.start).min(whole.end);
        Interval::new(start, span.end.min(whole.end).max(start))
    });
    let columns = i128::try_from(config.columns.max(1)).unwrap_or(1);
    let length = i128::from(span.len().0).max(1);
    let mut kept = Vec::new();
    let mut column: Option<Column> = None;
    let mut before = None;
    for point in points.enumerate() {
        let at = point.1.at;
        if at < span.start {
            before = Some(point);
            continue;
        }
        if let Some((place, held)) = before.take().filter(|_| at > span.start) {
            column = Some(Column { number: 0, kept: [(place, MemoryPoint { at: span.start, ..held }); 6] });
        }
        let number = i128::from((at - span.start).0) * columns / length;
        let number = if at > span.end { columns } else { number.min(columns - 1) };
        match &mut column {
            Some(open) if open.number == number => open.add(point),
            _ => {
                if let Some(full) = column.replace(Column { number, kept: [point; 6] }) {
                    full.write(&mut kept);
                }
            }
        }
        if at > span.end {
            break;
        }
    }
    if let Some(last) = column {
        last.write(&mut kept);
    }
    MemoryCurve { span, whole, points: kept }
}
