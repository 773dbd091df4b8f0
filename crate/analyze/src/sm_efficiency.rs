//! The use of multiprocessors over a span. METRICS section 4, "SM efficiency".

use super::coverage::Covered;
use stepscope_base::{CompactSort, Interval, Nanos};

/// The mean over a window of min(1, the blocks per multiprocessor of the kernels that run).
///
/// The blocks of some kernels are unknown (`None`): the time in which one of them runs is left out, unless the others
/// fill the multiprocessors. The coverage is the part of the kernels' time that is not left out. `None` if nothing is
/// known.
pub(super) fn efficiency(blocks: &[(Interval, Option<f64>)], window: Interval) -> Option<Covered> {
    // Sums of floats depend on their order: at the same time, ends come first.
    let mut edges: Vec<(Nanos, bool, usize)> = Vec::with_capacity(2 * blocks.len());
    for (index, (span, _)) in blocks.iter().enumerate() {
        edges.push((span.start, true, index));
        edges.push((span.end, false, index));
    }
    edges.compact_sort();
    let mut going_on: Vec<usize> = Vec::new();
    let (mut before, mut sum) = (Nanos::MIN, 0.0);
    let (mut busy, mut unknown) = (Nanos::ZERO, Nanos::ZERO);
    for (at, starts, index) in edges {
        let stretch = Interval::new(before, at).intersection(window).len();
        if stretch > Nanos::ZERO && !going_on.is_empty() {
            busy += stretch;
            let running: f64 = going_on.iter().filter_map(|index| blocks[*index].1).sum();
            if running < 1.0 && going_on.iter().any(|index| blocks[*index].1.is_none()) {
                unknown += stretch;
            } else {
                sum += running.min(1.0) * float(stretch);
            }
        }
        if starts {
            going_on.push(index);
        } else {
            going_on.retain(|other| *other != index);
        }
        before = at;
    }
    let known = window.len() - unknown;
    (known > Nanos::ZERO).then(|| Covered::of(sum / float(known), busy - unknown, busy)).flatten()
}

#[expect(clippy::cast_precision_loss, reason = "a mean for display")]
fn float(length: Nanos) -> f64 {
    length.0 as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: i64, end: i64) -> Interval {
        Interval::new(Nanos(start), Nanos(end))
    }

    #[test]
    fn blocks_that_run_at_once_fill_a_multiprocessor_once() {
        // 0.6 for 10, 1.2 → 1 for 10, 0.6 for 10, nothing for 10.
        let blocks = [(span(0, 20), Some(0.6)), (span(10, 30), Some(0.6))];
        let within = |window| efficiency(&blocks, window).map(|found| found.value);
        assert!(within(span(0, 40)).is_some_and(|value| (value - 0.55).abs() < 1e-12));
        assert!(within(span(15, 20)).is_some_and(|value| (value - 1.0).abs() < 1e-12));
        assert_eq!(within(span(40, 40)), None);
    }

    #[test]
    fn an_unknown_grid_is_not_an_empty_one() {
        // A graph's kernel without a grid for 90 of 100, a full one for 10.
        let blocks = [(span(0, 10), Some(2.0)), (span(10, 100), None)];
        let found = efficiency(&blocks, span(0, 100)).expect("a part is known");
        assert!((found.value - 1.0).abs() < 1e-12 && (found.coverage - 0.1).abs() < 1e-12, "{found:?}");
        assert_eq!(found.enough(), None);
        assert_eq!(efficiency(&blocks[1..], span(0, 100)), None);
        // Where the others fill the multiprocessors, one more changes nothing.
        let beside = [(span(0, 100), Some(1.5)), (span(10, 60), None)];
        assert_eq!(efficiency(&beside, span(0, 100)), Some(Covered { value: 1.0, coverage: 1.0 }));
    }
}
