//! The timeline, in the session's worker: the page's painter requests pixels and the items at positions.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::plain;
use super::session::Session;
use crate::wire::{TimelineFoundReport, TimelineReport};
use stepscope_analyze::Rank;
use stepscope_base::{Interval, Nanos};
use stepscope_export::report_json::json;
use stepscope_present::timeline::{Direction, Drawing, Picture, Strip, Timeline, TimelineSlice, View};
use stepscope_trace::EventId;

/// A painted picture.
#[wasm_bindgen]
pub struct TimelinePicture {
    picture: Picture,
}

#[wasm_bindgen]
impl TimelinePicture {
    /// RGBA, a line per lane; only once, since they are moved out.
    pub fn pixels(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.picture.pixels)
    }

    /// Room for labels: line, left, right, row, number, and whether dark text reads better, one after the other.
    pub fn labels(&self) -> Vec<f64> {
        let values = self.picture.labels.iter().flat_map(|label| {
            let (line, row, number) = (f64::from(label.line), f64::from(label.row), f64::from(label.number));
            [line, label.left, label.right, row, number, f64::from(u8::from(label.light))]
        });
        values.collect()
    }
}

#[wasm_bindgen]
impl Session {
    /// The timeline's rows, as JSON; see [`TimelineReport`].
    pub fn timeline_rows(&mut self) -> Vec<u8> {
        let (timeline, ranks) = self.drawn();
        json(&TimelineReport::of(timeline, ranks))
    }

    /// Whether a row was prepared for drawing.
    pub fn timeline_is_prepared(&self, row: usize) -> bool {
        self.timeline.as_ref().is_some_and(|timeline| timeline.is_prepared(row))
    }

    /// Prepares a row for drawing; returns whether there is one.
    pub fn timeline_prepare(&mut self, row: usize) -> bool {
        let (timeline, ranks) = self.drawn();
        timeline.prepare(ranks, row);
        row < timeline.rows().len()
    }

    /// Paints strips, each given by three numbers: a row, its first lane, the number of lanes.
    pub fn timeline_paint(
        &mut self,
        start: f64,
        pixel: f64,
        width: usize,
        dark: bool,
        labelled: f64,
        strips: &[u32],
    ) -> TimelinePicture {
        let (timeline, ranks) = self.drawn();
        let strip = |of: &[u32]| Strip { row: of[0] as usize, first: of[1] as usize, count: of[2] as usize };
        let strips: Vec<Strip> = strips.chunks_exact(3).map(strip).collect();
        let drawing = Drawing { view: View { start, pixel, width }, dark, labelled };
        TimelinePicture { picture: timeline.paint(ranks, &drawing, &strips) }
    }

    /// The label of an item by its number in a row.
    pub fn timeline_text(&self, row: usize, number: u32) -> String {
        let timeline = self.timeline.as_ref();
        timeline.map_or_else(String::new, |timeline| timeline.label(self.ranks.list(), row, number).into_owned())
    }

    /// The length of an item, in ns.
    #[expect(clippy::cast_precision_loss, reason = "a time to be shown")]
    pub fn timeline_length(&self, row: usize, number: u32) -> Option<f64> {
        let timeline = self.timeline.as_ref()?;
        Some(timeline.length(self.ranks.list(), row, number)?.0 as f64)
    }

    /// The item at a time on a lane, or within `near` of it; times in ns.
    pub fn timeline_hit(&mut self, row: usize, lane: usize, at: f64, near: f64) -> JsValue {
        let (timeline, ranks) = self.drawn();
        let found = timeline.hit(ranks, row, lane, nanos(at), nanos(near));
        self.found(found)
    }

    /// A curve's value at a time, and its minimum and maximum: three numbers, or none.
    pub fn timeline_value(&mut self, row: usize, at: f64) -> Option<Vec<f64>> {
        let (timeline, ranks) = self.drawn();
        let (low, high) = timeline.range(ranks, row)?;
        Some(vec![timeline.value(ranks, row, nanos(at))?, low, high])
    }

    /// The place of a rank's slice on the timeline; null if there is no such slice.
    pub fn timeline_place(&mut self, rank: usize, event: u32) -> JsValue {
        let (timeline, ranks) = self.drawn();
        let found = timeline.place_of(ranks, rank, EventId(event));
        self.found(found)
    }

    /// The next item of a row: `before`, `after`, `out` or `in`; null if there is none.
    pub fn timeline_neighbour(
        &mut self,
        row: usize,
        lane: usize,
        place: usize,
        number: u32,
        direction: &str,
    ) -> JsValue {
        let direction = match direction {
            "before" => Direction::Before,
            "after" => Direction::After,
            "out" => Direction::Out,
            _ => Direction::In,
        };
        let (timeline, ranks) = self.drawn();
        let from = TimelineSlice { row, lane, place, number, span: Interval::default() };
        let found = timeline.neighbour(ranks, &from, direction);
        self.found(found)
    }

    /// Highlights slices of a rank, given sorted, and dims all others; undefined ends that.
    pub fn timeline_mark(&mut self, rank: usize, events: Option<Vec<u32>>) {
        let (timeline, _) = self.drawn();
        timeline.mark(rank, events.map(|events| events.into_iter().map(EventId).collect()));
    }
}

impl Session {
    /// The timeline, created on first use, and its ranks.
    fn drawn(&mut self) -> (&mut Timeline, &[Rank]) {
        if self.timeline.is_none() {
            let all: Vec<usize> = (0..self.ranks.list().len()).collect();
            let clocks = self.ranks.clocks(&all);
            self.timeline = Some(Timeline::of(self.ranks.list(), &clocks));
        }
        (self.timeline.get_or_insert_default(), self.ranks.list())
    }

    #[expect(clippy::cast_precision_loss, reason = "times to be drawn")]
    fn found(&self, found: Option<TimelineSlice>) -> JsValue {
        let Some((timeline, found)) = self.timeline.as_ref().zip(found) else { return JsValue::NULL };
        let TimelineSlice { row, lane, place, number, span } = found;
        let is_slice = timeline.rows()[row].kind.holds_slices();
        plain(&TimelineFoundReport {
            row,
            lane,
            place,
            number,
            rank: is_slice.then_some(timeline.rows()[row].rank),
            start: span.start.0 as f64,
            end: span.end.0 as f64,
            text: timeline.text(self.ranks.list(), row, number),
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a time in ns, from JavaScript")]
fn nanos(time: f64) -> Nanos {
    Nanos(time.floor() as i64)
}
