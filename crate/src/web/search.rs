//! Search for events, in the session's worker.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::plain;
use super::session::Session;
use crate::wire::{FindHitReport, FoundInstantReport, QueryFaultReport};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    Direction, FindInText, Hit, HitEvent, HitPlace, Hits, Query, QueryError, find, find_instants, next_hit, unmatched,
};
use stepscope_base::Nanos;
use stepscope_present::kernel_names::short_name;
use stepscope_present::query::query_error;
use stepscope_read::has_json_events;
use stepscope_trace::{EventId, InputFile, Trace};

/// Events per step of finding positions in the input: a step takes some milliseconds.
const ROWS: usize = 1 << 19;

/// A search in a rank, with its hits. It is valid until the session's ranks change.
#[wasm_bindgen]
pub struct Search {
    rank: usize,
    query: Query,
    /// The query's text.
    text: String,
    hits: Vec<EventId>,
    instants: Vec<usize>,
    in_text: Option<FindInText>,
}

impl QueryFaultReport {
    fn of(query: &str, error: &QueryError) -> Self {
        let QueryError { fault, from, to } = *error;
        let [from, to] = [from, to].map(|end| units(query, end));
        Self { fault: fault.name(), from, to, message: query_error(query, error) }
    }
}

/// The number of UTF-16 units before a byte of a text.
fn units(text: &str, end: usize) -> usize {
    text.get(..end).unwrap_or_default().encode_utf16().count()
}

impl<'a> FindHitReport<'a> {
    fn of(trace: &'a Trace, hit: Hit) -> Self {
        let (event, instant) = match hit.event {
            HitEvent::Slice(id) => (Some(id.0), None),
            HitEvent::Instant(index) => (None, trace.instants.get(index).map(|instant| (index, instant))),
        };
        let instant = instant.map(|(index, instant)| FoundInstantReport {
            index,
            name: trace.strings.get(instant.name),
            at_ns: instant.at.0,
        });
        Self { event, instant, number: hit.number }
    }
}

/// A file of a rank, for JavaScript.
#[derive(Serialize)]
struct TextReport {
    rank: String,
    file: String,
    is_json: bool,
}

impl Search {
    fn found(&self) -> Hits<'_> {
        Hits { slices: &self.hits, instants: &self.instants }
    }
}

#[wasm_bindgen]
impl Search {
    /// Finds the events that match a query.
    ///
    /// # Errors
    ///
    /// If the query is invalid: `{fault, from, to, message}`.
    #[wasm_bindgen(constructor)]
    pub fn new(session: &Session, rank: usize, query: &str) -> Result<Self, JsValue> {
        let text = query.to_owned();
        let query = Query::parse(&text).map_err(|error| plain(&QueryFaultReport::of(&text, &error)))?;
        let found = |rank: &Rank| {
            let (trace, steps) = (&rank.trace, &rank.analysis.steps);
            (find(trace, steps, &query, short_name), find_instants(trace, steps, &query))
        };
        let (hits, instants) = session.ranks.list().get(rank).map(found).unwrap_or_default();
        Ok(Self { rank, query, text, hits, instants, in_text: None })
    }

    /// The parts of the query that match nothing on their own, as begins and ends in UTF-16 units.
    pub fn unmatched(&self, session: &Session) -> Vec<usize> {
        let Some(rank) = session.ranks.list().get(self.rank) else { return Vec::new() };
        let parts = unmatched(&rank.trace, &rank.analysis.steps, &self.query, short_name);
        parts.into_iter().flat_map(|part| [part.start, part.end].map(|end| units(&self.text, end))).collect()
    }

    /// The number of hits.
    pub fn count(&self) -> usize {
        self.found().len()
    }

    /// The starts of hits, in ns of the rank's time: the first one in each of `columns` equal parts of the time until
    /// `end`.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a drawing"
    )]
    pub fn columns(&self, session: &Session, end: f64, columns: usize) -> Vec<f64> {
        let Some(rank) = session.ranks.list().get(self.rank) else { return Vec::new() };
        let mut found = vec![f64::INFINITY; columns];
        let instants = self.instants.iter().filter_map(|index| Some(rank.trace.instants.get(*index)?.at));
        for at in self.hits.iter().map(|hit| rank.trace.slices.start(*hit)).chain(instants) {
            let at = at.0 as f64;
            let column = (at / end.max(1.0) * columns as f64).max(0.0) as usize;
            if let Some(first) = found.get_mut(column.min(columns.saturating_sub(1))) {
                *first = first.min(at);
            }
        }
        found.retain(|at| at.is_finite());
        found
    }

    /// The numbers of the slices among the hits, in ascending order.
    pub fn hits(&self) -> Vec<u32> {
        self.hits.iter().map(|id| id.0).collect()
    }

    /// The hit after (or before) a slice or an instant event, or else a time in ns, with its position among all hits,
    /// by time. Null without hits.
    pub fn next(
        &self,
        session: &Session,
        at: f64,
        event: Option<u32>,
        instant: Option<usize>,
        backwards: bool,
    ) -> JsValue {
        let Some(rank) = session.ranks.list().get(self.rank) else { return JsValue::NULL };
        let slice = event.map(EventId).filter(|id| id.index() < rank.trace.slices.len()).map(HitEvent::Slice);
        let instant = instant.filter(|index| *index < rank.trace.instants.len()).map(HitEvent::Instant);
        let known = slice.or(instant);
        #[expect(clippy::cast_possible_truncation, reason = "a time in ns, from JavaScript")]
        let from = known.map_or(HitPlace::Time(Nanos(at.ceil() as i64)), HitPlace::Event);
        let direction = if backwards { Direction::Previous } else { Direction::Next };
        let hit = next_hit(&rank.trace, self.found(), from, direction);
        plain(&hit.map(|hit| FindHitReport::of(&rank.trace, hit)))
    }

    /// The rank's files in the order of their texts, as `{rank, file, is_json}`; only JSON texts can be searched.
    pub fn texts(&self, session: &Session) -> JsValue {
        let texts = session.ranks.list().get(self.rank).map(|rank| {
            let text = |input: &InputFile| TextReport {
                rank: rank.file.clone(),
                file: input.name.clone(),
                is_json: has_json_events(input.format),
            };
            rank.trace.meta.inputs.iter().map(text).collect::<Vec<_>>()
        });
        plain(&texts.unwrap_or_default())
    }

    /// Begins to search a text in the files' own text.
    pub fn look(&mut self, session: &Session, text: &str) {
        self.in_text = session.ranks.list().get(self.rank).map(|rank| FindInText::new(&rank.trace, text));
    }

    /// Continues to find the events' positions; returns whether all are found, so that texts can be pushed.
    pub fn prepare(&mut self, session: &Session) -> bool {
        let Some((search, rank)) = self.in_text.as_mut().zip(session.ranks.list().get(self.rank)) else { return true };
        search.prepare(&rank.trace, ROWS)
    }

    /// Begins one of the files.
    pub fn begin(&mut self, session: &Session, file: usize) {
        let Some((search, rank)) = self.in_text.as_mut().zip(session.ranks.list().get(self.rank)) else { return };
        if let Some(input) = rank.trace.meta.inputs.get(file) {
            search.begin(input);
        }
    }

    /// Takes the next part of its text.
    pub fn push(&mut self, session: &Session, bytes: &[u8]) {
        let Some((search, rank)) = self.in_text.as_mut().zip(session.ranks.list().get(self.rank)) else { return };
        search.push(&rank.trace, bytes);
    }

    /// Ends its text; returns whether its events were searched.
    pub fn end(&mut self) -> bool {
        self.in_text.as_mut().is_some_and(FindInText::end)
    }

    /// Ends the search in texts: its hits are added to the others.
    pub fn finish(&mut self) {
        if let Some(mut search) = self.in_text.take() {
            search.include(&self.hits);
            self.hits = search.hits();
        }
    }
}
