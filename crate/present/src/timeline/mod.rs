//! The timeline: rows of lanes with slices, and curves; prepared once, drawn for any part of time.
//!
//! ```text
//! Rank ─ rows ─► Row ─ content ─► lanes of spans ─ levels ─► Levels ─┐
//!                             └─► Curve ─────────────────────────────┴─ paint ─► pixels, labels
//! ```
//!
//! The page decides where rows are. It draws the pixels of each lane, a single line of them, as high as the lane, and
//! writes the labels. So the cost of a frame depends on the visible part, not on the trace.

mod curve;
mod doing;
mod lanes;
mod levels;
mod paint;
mod rows;
mod shares;
mod spans;
#[cfg(test)]
mod tests;
mod tints;

pub use paint::{Label, View};
pub use rows::{OverlapPart, RowKind, TimelineRow, only_group};

use lanes::LaneNumbers;
use levels::{Levels, Prepare, first_in};
use paint::{Brush, Canvas, Paint, Stroke};
use rows::{Content, Outline};
use spans::{Items, Spans, SpansVisitor};
use tints::Tints;

use std::borrow::Cow;

use crate::colors::color;
use crate::kernel_names::event_name;
use stepscope_analyze::Rank;
use stepscope_analyze::{ClockSource, PythonLayer, RankClock};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{EventId, Layer, Trace, TrackId};

/// The timeline of some ranks.
#[derive(Debug, Default)]
pub struct Timeline {
    rows: Vec<TimelineRow>,
    /// Number of lanes of each row; none for curves.
    lanes: Vec<Option<usize>>,
    /// Properties of each row until it is prepared.
    outlines: Vec<Outline>,
    /// Number of slices of a row that has a part of a track's, or of several tracks'.
    of_layers: Vec<Option<usize>>,
    /// The prepared parts of each row.
    prepared: Vec<Option<Prepared>>,
    ranks: Vec<RankOf>,
    brush: Brush,
}

/// Properties of a rank.
#[derive(Debug)]
struct RankOf {
    /// The time from the start of the first trace to that of this rank.
    shift: Nanos,
    tints: Tints,
    /// By track, its row.
    row_of_track: Vec<Option<usize>>,
    /// Slices that are marked, sorted by handle; none without marking.
    marked: Option<Vec<EventId>>,
}

impl RankOf {
    fn is_marked(&self, event: EventId) -> bool {
        self.marked.as_ref().is_some_and(|events| events.binary_search(&event).is_ok())
    }
}

/// Opacity of slices that are not marked, where others are.
const PALE: f32 = 0.3;

#[derive(Debug)]
enum Prepared {
    Lanes { lanes: Vec<Lane>, numbers: LaneNumbers, marked: Option<Vec<Lane>> },
    Curve(curve::Curve, &'static str),
}

#[derive(Debug)]
struct Lane {
    items: Items,
    levels: Levels,
}

/// Lanes of a row to be drawn one below the other; for a curve, lines of pixels from its top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strip {
    /// The row.
    pub row: usize,
    /// Its first lane.
    pub first: usize,
    /// Number of lanes.
    pub count: usize,
}

/// Settings of drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawing {
    /// The part of time, relative to the first rank's start.
    pub view: View,
    /// Whether the page is dark.
    pub dark: bool,
    /// The width in pixels from which spans have a label.
    pub labelled: f64,
}

/// The drawn picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// RGBA without premultiplied alpha: a line of the view's width per lane, strip by strip.
    pub pixels: Vec<u8>,
    /// The places with room for text.
    pub labels: Vec<Label>,
}

/// A slice, or a computed span, on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineSlice {
    /// Its row.
    pub row: usize,
    /// Its lane there.
    pub lane: usize,
    /// Its index on the lane.
    pub place: usize,
    /// The slice's number; for computed spans, the number among these.
    pub number: u32,
    /// Its start and end, relative to the first rank's start.
    pub span: Interval,
}

/// A direction from a slice to others of its track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The previous one on the lane.
    Before,
    /// The next one on the lane.
    After,
    /// The one around it.
    Out,
    /// The first one in it.
    In,
}

impl Timeline {
    /// The timeline of some ranks, each with its clock from the job, where there is one.
    ///
    /// The clocks determine the distances of ranks, as in the tables of the job; if none is known, the start times in
    /// their traces do. Ranks without either start with the first one. Clock drift is not corrected.
    #[must_use]
    pub fn of(ranks: &[Rank], clocks: &[Option<RankClock>]) -> Self {
        let known =
            |clock: &Option<RankClock>| Some(clock.filter(|clock| clock.source != ClockSource::Unknown)?.offset.0);
        let mut zeros: Vec<Option<i64>> = clocks.iter().map(known).collect();
        if zeros.iter().all(Option::is_none) {
            zeros = ranks.iter().map(|rank| rank.trace.meta.origin_unix_ns).collect();
        }
        let first = zeros.iter().flatten().min().copied();
        let mut timeline = Self::default();
        for (index, rank) in ranks.iter().enumerate() {
            let zero = zeros.get(index).copied().flatten();
            let shift = zero.zip(first).map_or(0, |(own, first)| own.saturating_sub(first));
            let mut row_of_track = vec![None; rank.trace.tracks.len()];
            for (kind, outline) in rows::rows_of(rank) {
                // For the layers of a thread, it is the last one: the native one.
                if let RowKind::Track(track) | RowKind::Layer(track, _) = kind {
                    row_of_track[track.index()] = Some(timeline.rows.len());
                }
                timeline.lanes.push(Some(outline.numbers.count).filter(|lanes| *lanes > 0));
                let has_own = matches!(kind, RowKind::Layer(..) | RowKind::Plane(..));
                timeline.of_layers.push(has_own.then_some(outline.slices.len()));
                timeline.outlines.push(outline);
                timeline.rows.push(TimelineRow { rank: index, kind });
            }
            let tints = Tints::of_trace(&rank.trace);
            timeline.ranks.push(RankOf { shift: Nanos(shift), tints, row_of_track, marked: None });
        }
        timeline.prepared.resize_with(timeline.rows.len(), || None);
        timeline
    }

    /// The rows, rank by rank.
    #[must_use]
    pub fn rows(&self) -> &[TimelineRow] {
        &self.rows
    }

    /// Number of lanes of a row; none for a curve.
    #[must_use]
    pub fn lanes(&self, row: usize) -> Option<usize> {
        self.lanes.get(row).copied().flatten()
    }

    /// Number of slices of a row that is a layer of a thread, or the communication of a group; none for other rows.
    #[must_use]
    pub fn slices_of_layer(&self, row: usize) -> Option<usize> {
        self.of_layers.get(row).copied().flatten()
    }

    /// Length of the slots of time for which a row shows shares; none for other rows.
    #[must_use]
    pub fn slot(&self, ranks: &[Rank], row: usize) -> Option<Nanos> {
        let TimelineRow { rank, kind } = *self.rows.get(row)?;
        rows::slot(ranks.get(rank)?, kind)
    }

    /// The time from the start of the first trace to that of a rank.
    #[must_use]
    pub fn shift(&self, rank: usize) -> Nanos {
        self.ranks.get(rank).map_or(Nanos::ZERO, |rank| rank.shift)
    }

    /// From the first rank's start to the end of the last event.
    #[must_use]
    pub fn span(&self, ranks: &[Rank]) -> Interval {
        let ends = ranks.iter().zip(&self.ranks).map(|(rank, of)| rows::end_of(rank) + of.shift);
        Interval::new(Nanos::ZERO, ends.fold(Nanos(1), Nanos::max))
    }

    /// Whether a row was prepared for drawing.
    #[must_use]
    pub fn is_prepared(&self, row: usize) -> bool {
        self.prepared.get(row).is_some_and(Option::is_some)
    }

    /// Prepares a row for drawing, once.
    pub fn prepare(&mut self, ranks: &[Rank], row: usize) {
        let Some(TimelineRow { rank, kind }) = self.rows.get(row).copied() else { return };
        if self.prepared[row].is_some() {
            return;
        }
        let tints = &self.ranks[rank].tints;
        let trace = &ranks[rank].trace;
        self.prepared[row] = Some(match rows::content(&ranks[rank], kind, std::mem::take(&mut self.outlines[row])) {
            Content::Curve(curve, class) => Prepared::Curve(curve, class),
            Content::Lanes(lanes, numbers) => {
                let lanes = lanes.into_iter().map(|items| Lane::of(trace, tints, items)).collect();
                Prepared::Lanes { lanes, numbers, marked: None }
            }
        });
    }

    /// Marks slices of a rank, sorted by handle, and makes all others pale; none removes the marking.
    pub fn mark(&mut self, rank: usize, events: Option<Vec<EventId>>) {
        if let Some(of) = self.ranks.get_mut(rank) {
            of.marked = events;
        }
        for (row, prepared) in self.rows.iter().zip(&mut self.prepared) {
            if row.rank == rank
                && let Some(Prepared::Lanes { marked, .. }) = prepared
            {
                *marked = None;
            }
        }
    }

    /// Draws strips, one below the other.
    pub fn paint(&mut self, ranks: &[Rank], drawing: &Drawing, strips: &[Strip]) -> Picture {
        let width = drawing.view.width;
        let lines: usize = strips.iter().map(|strip| strip.count).sum();
        let mut picture = Picture { pixels: vec![0; width * lines * 4], labels: Vec::new() };
        let mut line = 0;
        for strip in strips {
            self.prepare(ranks, strip.row);
            self.prepare_marks(ranks, strip.row);
            self.paint_strip(ranks, drawing, strip, line, &mut picture);
            line += strip.count;
        }
        picture
    }

    fn paint_strip(&mut self, ranks: &[Rank], drawing: &Drawing, strip: &Strip, line: usize, picture: &mut Picture) {
        let Some(row) = self.rows.get(strip.row) else { return };
        let (trace, of) = (&ranks[row.rank].trace, &self.ranks[row.rank]);
        #[expect(clippy::cast_precision_loss, reason = "a time to be drawn")]
        let view = View { start: drawing.view.start - of.shift.0 as f64, ..drawing.view };
        let mut canvas = Canvas { pixels: &mut picture.pixels, width: view.width };
        match &self.prepared[strip.row] {
            Some(Prepared::Curve(curve, class)) => {
                curve.paint(&view, &mut canvas, line..line + strip.count, color(class, drawing.dark));
            }
            Some(Prepared::Lanes { lanes, marked, .. }) => {
                let pale = if marked.is_some() { PALE } else { 1.0 };
                for (lanes, strength) in [(Some(lanes), pale), (marked.as_ref(), 1.0)] {
                    let shown = lanes.into_iter().flatten().skip(strip.first).take(strip.count);
                    for (line, lane) in (line..).zip(shown) {
                        let before = picture.labels.len();
                        lane.items.with(
                            trace,
                            &of.tints,
                            Paint {
                                brush: &mut self.brush,
                                levels: &lane.levels,
                                stroke: Stroke {
                                    view: &view,
                                    line,
                                    dark: drawing.dark,
                                    strength,
                                    labelled: drawing.labelled,
                                },
                                canvas: &mut canvas,
                                labels: &mut picture.labels,
                            },
                        );
                        for label in &mut picture.labels[before..] {
                            label.row = u32::try_from(strip.row).unwrap_or(u32::MAX);
                            label.number = lane.items.number(label.number as usize);
                            // The page shows through.
                            label.light = if strength < 1.0 { !drawing.dark } else { label.light };
                        }
                        if strength < 1.0 && row.kind.holds_slices() {
                            // Marked slices are drawn and labeled above.
                            let is_marked = |label: &Label| of.is_marked(EventId(label.number));
                            let pale = picture.labels.split_off(before);
                            picture.labels.extend(pale.into_iter().filter(|label| !is_marked(label)));
                        }
                    }
                }
            }
            None => {}
        }
    }

    /// Prepares the marked slices of a row.
    fn prepare_marks(&mut self, ranks: &[Rank], row: usize) {
        let Some(TimelineRow { rank, kind }) = self.rows.get(row).copied() else { return };
        let of = &self.ranks[rank];
        let Some(events) = &of.marked else { return };
        let trace = &ranks[rank].trace;
        let Some(Prepared::Lanes { lanes, numbers, marked }) = &mut self.prepared[row] else { return };
        if marked.is_some() {
            return;
        }
        let mut found: Vec<Vec<u32>> = vec![Vec::new(); lanes.len()];
        if let RowKind::Track(track) = kind {
            let rows = trace.tracks[track.index()].rows();
            let from = events.partition_point(|event| event.index() < rows.start);
            for event in events[from..].iter().take_while(|event| event.index() < rows.end) {
                let lane = lane_of(trace, numbers, rows.start, *event);
                found[lane.min(lanes.len() - 1)].push(event.0);
            }
        } else if let RowKind::Plane(..) | RowKind::Layer(..) = kind {
            for (found, lane) in found.iter_mut().zip(&*lanes) {
                let slices = (0..lane.items.len()).map(|place| lane.items.number(place));
                found.extend(slices.filter(|slice| events.binary_search(&EventId(*slice)).is_ok()));
            }
        }
        *marked = Some(found.into_iter().map(|slices| Lane::of(trace, &of.tints, Items::Slices(slices))).collect());
    }

    /// The text of a number in a row: a slice's name, a step's.
    #[must_use]
    pub fn text<'a>(&self, ranks: &'a [Rank], row: usize, number: u32) -> &'a str {
        let Some(row) = self.rows.get(row) else { return "" };
        let rank = &ranks[row.rank];
        match row.kind {
            RowKind::Steps => rank.analysis.steps.steps.get(number as usize).map_or("", |step| &step.name),
            RowKind::Track(_) | RowKind::Layer(..) | RowKind::Plane(..) => {
                slice_of(&rank.trace, number).map_or("", |event| rank.trace.name_of(event))
            }
            _ => "",
        }
    }

    /// The text of its label: its text, or a kernel's short name.
    #[must_use]
    pub fn label<'a>(&self, ranks: &'a [Rank], row: usize, number: u32) -> Cow<'a, str> {
        let holds_slices = |row: &&TimelineRow| row.kind.holds_slices();
        let trace = self.rows.get(row).filter(holds_slices).map(|row| &ranks[row.rank].trace);
        let slice = trace.and_then(|trace| Some((trace, slice_of(trace, number)?)));
        slice.map_or_else(|| self.text(ranks, row, number).into(), |(trace, slice)| event_name(trace, slice))
    }

    /// The length of the slice or step with a number in a row; none for other rows.
    #[must_use]
    pub fn length(&self, ranks: &[Rank], row: usize, number: u32) -> Option<Nanos> {
        let row = self.rows.get(row)?;
        let rank = &ranks[row.rank];
        match row.kind {
            RowKind::Steps => rank.analysis.steps.steps.get(number as usize).map(|step| step.span.len()),
            RowKind::Track(_) | RowKind::Layer(..) | RowKind::Plane(..) => {
                slice_of(&rank.trace, number).map(|event| rank.trace.slices.interval(event).len())
            }
            _ => None,
        }
    }

    /// The span at a time on a lane, or the nearest one within `near`.
    pub fn hit(&mut self, ranks: &[Rank], row: usize, lane: usize, at: Nanos, near: Nanos) -> Option<TimelineSlice> {
        self.prepare(ranks, row);
        let TimelineRow { rank, .. } = *self.rows.get(row)?;
        let of = &self.ranks[rank];
        let Some(Prepared::Lanes { lanes, .. }) = &self.prepared[row] else { return None };
        let items = &lanes.get(lane)?.items;
        let trace = &ranks[rank].trace;
        let (place, span) = items.with(trace, &of.tints, Nearest { at: at - of.shift, near })?;
        Some(TimelineSlice { row, lane, place, number: items.number(place), span: shifted(span, of.shift) })
    }

    /// A curve's value at a time.
    pub fn value(&mut self, ranks: &[Rank], row: usize, at: Nanos) -> Option<f64> {
        self.prepare(ranks, row);
        let shift = self.ranks[self.rows.get(row)?.rank].shift;
        match &self.prepared[row] {
            Some(Prepared::Curve(curve, _)) => curve.at(at - shift).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The least and the greatest value of a curve's range.
    pub fn range(&mut self, ranks: &[Rank], row: usize) -> Option<(f64, f64)> {
        self.prepare(ranks, row);
        match self.prepared.get(row)? {
            Some(Prepared::Curve(curve, _)) => Some(curve.range()),
            _ => None,
        }
    }

    /// The place of a slice of a rank.
    pub fn place_of(&mut self, ranks: &[Rank], rank: usize, event: EventId) -> Option<TimelineSlice> {
        let trace = &ranks.get(rank)?.trace;
        let event = slice_of(trace, event.0)?;
        let track = trace.slices.track(event);
        let row = self.row_of_event(trace, rank, event)?;
        self.prepare(ranks, row);
        let Some(Prepared::Lanes { lanes, numbers, .. }) = &self.prepared[row] else { return None };
        let first = trace.tracks[track.index()].rows().start;
        let lane = match self.rows[row].kind {
            RowKind::Layer(..) => lanes.iter().position(|lane| lane.items.holds(event))?,
            _ => lane_of(trace, numbers, first, event).min(lanes.len() - 1),
        };
        let items = &lanes[lane].items;
        let place = match items {
            Items::Rows(rows) => event.index() - rows.start as usize,
            Items::Slices(slices) => slices.binary_search(&event.0).ok()?,
            Items::Computed(..) => return None,
        };
        let span = shifted(trace.slices.interval(event), self.ranks[rank].shift);
        Some(TimelineSlice { row, lane, place, number: event.0, span })
    }

    /// The row of a slice on a rank's track; for a thread with two layers, the one with the slice.
    fn row_of_event(&self, trace: &Trace, rank: usize, event: EventId) -> Option<usize> {
        let track = trace.slices.track(event);
        let native = self.row_of(rank, track)?;
        let is_split = self.rows[native].kind == RowKind::Layer(track, Layer::Host);
        let is_above = is_split && PythonLayer::of(trace).is_some_and(|layer| layer.has(trace, event));
        // The Python layer is just above.
        Some(native - usize::from(is_above))
    }

    /// The row of a rank's track; for a thread with two layers, the native one.
    #[must_use]
    pub fn row_of(&self, rank: usize, track: TrackId) -> Option<usize> {
        self.ranks.get(rank)?.row_of_track.get(track.index()).copied().flatten()
    }

    /// The next slice on a row in a direction.
    pub fn neighbour(&mut self, ranks: &[Rank], from: &TimelineSlice, direction: Direction) -> Option<TimelineSlice> {
        self.prepare(ranks, from.row);
        let TimelineRow { rank, kind } = *self.rows.get(from.row)?;
        let trace = &ranks[rank].trace;
        if let (RowKind::Track(track) | RowKind::Layer(track, _), Direction::Out | Direction::In) = (kind, direction) {
            let event = slice_of(trace, from.number)?;
            let found = match direction {
                Direction::Out => trace.slices.parent(event),
                _ => {
                    let behind = event.index() + 1..trace.tracks[track.index()].rows().end;
                    let inside = |id: &EventId| trace.slices.start(*id) < trace.slices.end(event);
                    let mut inner = behind.map(EventId::from_index).take_while(inside);
                    inner.find(|id| trace.slices.parent(*id) == Some(event))
                }
            };
            return self.place_of(ranks, rank, found?);
        }
        let Some(Prepared::Lanes { lanes, .. }) = &self.prepared[from.row] else { return None };
        let items = &lanes.get(from.lane)?.items;
        let place = match direction {
            Direction::Before => from.place.checked_sub(1),
            Direction::After => from.place.checked_add(1),
            Direction::Out | Direction::In => None,
        };
        let place = place.filter(|place| *place < items.len())?;
        let of = &self.ranks[rank];
        let span = items.with(trace, &of.tints, SpanAt(place));
        Some(TimelineSlice { place, number: items.number(place), span: shifted(span, of.shift), ..*from })
    }
}

impl Lane {
    fn of(trace: &Trace, tints: &Tints, items: Items) -> Self {
        let levels = items.with(trace, tints, Prepare);
        Self { items, levels }
    }
}

/// The slice with a number, if it exists: a caller may still use numbers of another trace.
fn slice_of(trace: &Trace, number: u32) -> Option<EventId> {
    Some(EventId(number)).filter(|event| event.index() < trace.slices.len())
}

fn shifted(span: Interval, by: Nanos) -> Interval {
    Interval::new(span.start + by, span.end + by)
}

/// The lane of a slice, given the first slice of its track.
fn lane_of(trace: &Trace, numbers: &LaneNumbers, first: usize, event: EventId) -> usize {
    numbers.at(event.index() - first).unwrap_or_else(|| usize::from(trace.slices.depth(event)))
}

struct SpanAt(usize);

impl SpansVisitor<Interval> for SpanAt {
    fn visit<S: Spans>(self, spans: &S) -> Interval {
        spans.span(self.0)
    }
}

/// Finds the span at a time, else the nearest one.
struct Nearest {
    at: Nanos,
    near: Nanos,
}

impl SpansVisitor<Option<(usize, Interval)>> for Nearest {
    fn visit<S: Spans>(self, spans: &S) -> Option<(usize, Interval)> {
        let from = first_in(spans.len(), self.at, |place| spans.span(place).start);
        let away = |span: Interval| {
            let distance = if self.at < span.start {
                span.start - self.at
            } else if self.at < span.end {
                Nanos::MIN
            } else {
                self.at - span.end
            };
            distance.0
        };
        let near = (from..spans.len().min(from + 3)).map(|place| (place, spans.span(place)));
        near.filter(|(_, span)| away(*span) <= self.near.0).min_by_key(|(_, span)| away(*span))
    }
}
