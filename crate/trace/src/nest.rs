//! Nesting of slices. METRICS section 4: on one track, half-open, a child has `parent.start ≤ start < parent.end` and
//! `end ≤ parent.end`; the innermost such slice is the parent.

use super::ids::EventId;
use super::slices::Slices;
use super::tracks::{Layer, Track};
use stepscope_base::{Code, Nanos, Warnings};

/// Fills the columns `parent` and `depth`; slices must be sorted.
///
/// The stack has candidates with falling ends. A slice that a later one outlasts can never again be the *innermost*
/// container of anything, so it is dropped at once: the time is linear, however they overlap.
pub(super) fn nest(slices: &mut Slices, tracks: &[Track], warnings: &mut Warnings) {
    let mut parent = vec![EventId::NONE; slices.len()];
    let mut depth = vec![0_u16; slices.len()];
    let mut stack: Vec<(Nanos, EventId)> = Vec::new();
    for track in tracks {
        if track.layer == Layer::Async {
            continue;
        }
        stack.clear();
        let mut overlaps = 0;
        let mut first = None;
        for id in track.events() {
            let (start, end) = (slices.start(id), slices.end(id));
            let mut crossed = false;
            while let Some((open_end, _)) = stack.last() {
                if *open_end <= start {
                    stack.pop();
                } else if *open_end < end {
                    crossed = true;
                    stack.pop();
                } else {
                    break;
                }
            }
            if crossed {
                overlaps += 1;
                first.get_or_insert(id);
            }
            if let Some((_, container)) = stack.last() {
                parent[id.index()] = *container;
                depth[id.index()] = depth[container.index()].saturating_add(1);
            }
            stack.push((end, id));
        }
        if let Some(first) = first {
            let code = match track.layer {
                Layer::Device => Code::OverlapOnStream,
                Layer::Host | Layer::Python => Code::OverlapOnThread,
                _ => continue,
            };
            // Activities of a stream never contain each other: there, every parent is an overlap, too.
            warnings.add_many(code, overlaps, Some(slices.position(first)), String::new);
        }
    }
    slices.parent = parent;
    slices.depth = depth;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, NewSlice, RawId, TraceBuilder};

    /// Nests spans of one thread and draws each as `start-end:parent's start-end`.
    fn drawn(spans: &[(i64, i64)]) -> Vec<String> {
        let mut builder = TraceBuilder::new();
        let track = builder.track(RawId::Number(1), RawId::Number(1), Layer::Host, None);
        let category = builder.category(b"cpu_op");
        let name = builder.intern(b"op");
        for (start, end) in spans {
            let (start, end) = (Nanos(*start), Nanos(*end));
            builder.slice(NewSlice { track, class: Class::Operator, category, name, start, end, position: 0 });
        }
        let trace = builder.finish(&mut Warnings::default()).expect("a small trace");
        let origin = spans.iter().map(|span| span.0).min().unwrap_or_default();
        let draw = |id: EventId| {
            let span = trace.slices.interval(id);
            format!("{}-{}", span.start.0 + origin, span.end.0 + origin)
        };
        trace
            .slices
            .ids()
            .map(|id| match trace.slices.parent(id) {
                Some(parent) => format!("{}:{}", draw(id), draw(parent)),
                None => draw(id),
            })
            .collect()
    }

    #[test]
    fn the_innermost_container_is_the_parent() {
        assert_eq!(
            drawn(&[(0, 10), (1, 5), (2, 3), (5, 10), (10, 12)]),
            ["0-10", "1-5:0-10", "2-3:1-5", "5-10:0-10", "10-12"]
        );
    }

    #[test]
    fn equal_spans_nest_in_the_order_of_the_file() {
        assert_eq!(drawn(&[(0, 4), (0, 4), (0, 4)]), ["0-4", "0-4:0-4", "0-4:0-4"]);
    }

    #[test]
    fn a_span_that_crosses_an_end_belongs_to_what_wholly_contains_it() {
        assert_eq!(
            drawn(&[(0, 20), (1, 5), (3, 9), (4, 5), (8, 9)]),
            ["0-20", "1-5:0-20", "3-9:0-20", "4-5:3-9", "8-9:3-9"]
        );
        // 4-5 is inside both 1-5 and 3-9; the innermost is the one that starts last.
    }

    #[test]
    fn moments_belong_to_what_is_open_but_not_to_what_has_just_ended() {
        assert_eq!(drawn(&[(0, 10), (2, 2), (10, 10)]), ["0-10", "2-2:0-10", "10-10"]);
    }
}
