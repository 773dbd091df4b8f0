//! From points to pixels.

use super::plot::Plot;
use super::series::Series;

/// Maps values to places on the screen.
pub(super) struct Scale {
    left: f64,
    bottom: f64,
    /// Pixels per unit.
    across: f64,
    up: f64,
    from: f64,
    low: f64,
}

impl Scale {
    pub(super) fn of(plot: &Plot) -> Self {
        Self {
            left: f64::from(plot.left),
            bottom: f64::from(plot.bottom),
            across: f64::from(plot.right - plot.left) / (plot.shown.1 - plot.shown.0),
            up: f64::from(plot.bottom - plot.top) / (plot.values.1 - plot.values.0),
            from: plot.shown.0,
            low: plot.values.0,
        }
    }

    pub(super) fn x(&self, at: f64) -> i32 {
        whole(self.left + (at - self.from) * self.across)
    }

    pub(super) fn y(&self, value: f64) -> i32 {
        whole(self.bottom - (value - self.low) * self.up)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a place on a screen")]
fn whole(place: f64) -> i32 {
    place.round() as i32
}

/// The points within the shown part, and the curve's values at its edges.
pub(super) fn visible(series: &Series, shown: (f64, f64)) -> Vec<(f64, f64)> {
    let points = &series.points;
    let first = points.partition_point(|point| point.0 < shown.0);
    let end = points.partition_point(|point| point.0 <= shown.1);
    let at_edge = |edge: f64, next: usize| {
        let before = points.get(next.checked_sub(1)?)?;
        if series.step {
            return Some((edge, before.1));
        }
        let after = points.get(next)?;
        Some((edge, before.1 + (after.1 - before.1) * (edge - before.0) / (after.0 - before.0)))
    };
    // A point on the edge needs no other there.
    let starts = points.get(first).is_none_or(|point| point.0 > shown.0);
    let left = at_edge(shown.0, first).filter(|_| starts);
    let ends = points[..end].last().is_none_or(|point| point.0 < shown.1);
    let right = at_edge(shown.1, end).filter(|_| ends);
    left.into_iter().chain(points[first..end].iter().copied()).chain(right).collect()
}

/// A path: for each column of pixels the first, the lowest, the highest and the last value.
pub(super) fn pixels(points: &[(f64, f64)], step: bool, scale: &Scale) -> Vec<(i32, i32)> {
    let mut path: Vec<(i32, i32)> = Vec::new();
    let push = |path: &mut Vec<(i32, i32)>, place: (i32, i32)| {
        if path.last() != Some(&place) {
            path.push(place);
        }
    };
    for column in points.chunk_by(|one, other| scale.x(one.0) == scale.x(other.0)) {
        let places = column.iter().map(|point| scale.y(point.1));
        let (Some(first), Some(last)) = (places.clone().next(), places.clone().next_back()) else { continue };
        let x = scale.x(column[0].0);
        if let (true, Some(held)) = (step, path.last().map(|place| place.1)) {
            push(&mut path, (x, held));
        }
        let (top, bottom) = (places.clone().min().unwrap_or(first), places.max().unwrap_or(first));
        // Only different values: most columns have one point.
        push(&mut path, (x, first));
        if bottom != first.max(last) || top != first.min(last) {
            push(&mut path, (x, bottom));
            push(&mut path, (x, top));
        }
        push(&mut path, (x, last));
    }
    path
}
