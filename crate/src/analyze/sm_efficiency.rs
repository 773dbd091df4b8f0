//! How well multiprocessors are filled over a span. METRICS section 4, "SM efficiency".

use crate::sort::CompactSort;
use crate::units::{Interval, Nanos};

/// The mean over a window of min(1, the sum of what goes on).
pub(super) fn efficiency(blocks: &[(Interval, f64)], window: Interval) -> f64 {
    // Sums of floats depend on their order: of what begins and ends at once, the ends come first.
    let mut edges: Vec<(Nanos, bool, usize)> = Vec::with_capacity(2 * blocks.len());
    for (index, (span, _)) in blocks.iter().enumerate() {
        edges.push((span.start, true, index));
        edges.push((span.end, false, index));
    }
    edges.compact_sort();
    let mut going_on: Vec<usize> = Vec::new();
    let (mut before, mut sum) = (Nanos::MIN, 0.0);
    for (at, starts, index) in edges {
        let stretch = Interval::new(before, at).intersection(window).len();
        if stretch > Nanos::ZERO && !going_on.is_empty() {
            let running: f64 = going_on.iter().map(|index| blocks[*index].1).sum();
            #[expect(clippy::cast_precision_loss, reason = "a mean for display")]
            let length = stretch.0 as f64;
            sum += running.min(1.0) * length;
        }
        if starts {
            going_on.push(index);
        } else {
            going_on.retain(|other| *other != index);
        }
        before = at;
    }
    #[expect(clippy::cast_precision_loss, reason = "a mean for display")]
    let whole = window.len().0 as f64;
    if whole > 0.0 { sum / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_run_at_once_fill_a_multiprocessor_once() {
        let span = |start, end| Interval::new(Nanos(start), Nanos(end));
        // 0.6 for 10, 1.2 → 1 for 10, 0.6 for 10, nothing for 10.
        let blocks = [(span(0, 20), 0.6), (span(10, 30), 0.6)];
        assert!((efficiency(&blocks, span(0, 40)) - 0.55).abs() < 1e-12);
        assert!((efficiency(&blocks, span(15, 20)) - 1.0).abs() < 1e-12);
        assert!(efficiency(&blocks, span(40, 40)).abs() < 1e-12);
    }
}
