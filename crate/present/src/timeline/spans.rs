//! The spans of a lane: they come in order and never overlap.

use super::tints::{Tint, Tints};
use stepscope_base::Interval;
use stepscope_trace::{EventId, Trace};

/// Spans by start; each ends before the next one starts.
pub(super) trait Spans {
    /// Number of spans.
    fn len(&self) -> usize;
    /// Start and end of a span, by its index on the lane.
    fn span(&self, place: usize) -> Interval;
    /// Its look.
    fn tint(&self, place: usize) -> Tint;
}

/// The spans of a lane, by their source.
#[derive(Clone, Debug)]
pub(super) enum Items {
    /// All slices of a track.
    Rows(std::ops::Range<u32>),
    /// Some slices, by start.
    Slices(Vec<u32>),
    /// Computed spans, each with its number, and the class of each number; numbers after the last one have the last
    /// class.
    Computed(Vec<(Interval, u32)>, &'static [&'static str]),
}

impl Items {
    /// Number of spans.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.len(),
            Self::Slices(ids) => ids.len(),
            Self::Computed(spans, _) => spans.len(),
        }
    }

    /// The number of the slice, or of the computed span, at an index.
    pub(super) fn number(&self, place: usize) -> u32 {
        match self {
            Self::Rows(rows) => rows.start + u32::try_from(place).unwrap_or(u32::MAX),
            Self::Slices(ids) => ids[place],
            Self::Computed(spans, _) => spans[place].1,
        }
    }

    /// Whether a slice is one of the listed slices.
    pub(super) fn holds(&self, event: EventId) -> bool {
        matches!(self, Self::Slices(ids) if ids.binary_search(&event.0).is_ok())
    }

    /// Calls a visitor with the spans.
    pub(super) fn with<T>(&self, trace: &Trace, tints: &Tints, act: impl SpansVisitor<T>) -> T {
        match self {
            Self::Rows(rows) => act.visit(&RowSpans { trace, tints, rows: rows.start as usize..rows.end as usize }),
            Self::Slices(ids) => act.visit(&SliceSpans { trace, tints, ids }),
            Self::Computed(spans, classes) => {
                let tints: Vec<Tint> = classes.iter().map(|class| Tint::of_class(class)).collect();
                act.visit(&ComputedSpans { spans, tints: &tints })
            }
        }
    }
}

/// A function of spans of any kind.
pub(super) trait SpansVisitor<T> {
    /// Calls it.
    fn visit<S: Spans>(self, spans: &S) -> T;
}

/// The slices of a track whose slices never overlap.
struct RowSpans<'a> {
    trace: &'a Trace,
    tints: &'a Tints,
    rows: std::ops::Range<usize>,
}

impl Spans for RowSpans<'_> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    fn span(&self, place: usize) -> Interval {
        self.trace.slices.interval(EventId::from_index(self.rows.start + place))
    }

    #[inline]
    fn tint(&self, place: usize) -> Tint {
        self.tints.of(self.trace, EventId::from_index(self.rows.start + place))
    }
}

/// Some slices.
struct SliceSpans<'a> {
    trace: &'a Trace,
    tints: &'a Tints,
    ids: &'a [u32],
}

impl Spans for SliceSpans<'_> {
    fn len(&self) -> usize {
        self.ids.len()
    }

    #[inline]
    fn span(&self, place: usize) -> Interval {
        self.trace.slices.interval(EventId(self.ids[place]))
    }

    #[inline]
    fn tint(&self, place: usize) -> Tint {
        self.tints.of(self.trace, EventId(self.ids[place]))
    }
}

struct ComputedSpans<'a> {
    spans: &'a [(Interval, u32)],
    tints: &'a [Tint],
}

impl Spans for ComputedSpans<'_> {
    fn len(&self) -> usize {
        self.spans.len()
    }

    fn span(&self, place: usize) -> Interval {
        self.spans[place].0
    }

    fn tint(&self, place: usize) -> Tint {
        let number = self.spans[place].1 as usize;
        self.tints.get(number).or(self.tints.last()).copied().unwrap_or_default()
    }
}

/// Spans for tests; their tint is a function of their index.
#[cfg(test)]
pub(super) struct Plain(pub(super) Vec<Interval>, pub(super) fn(usize) -> Tint);

#[cfg(test)]
impl Spans for Plain {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn span(&self, place: usize) -> Interval {
        self.0[place]
    }

    fn tint(&self, place: usize) -> Tint {
        (self.1)(place)
    }
}
