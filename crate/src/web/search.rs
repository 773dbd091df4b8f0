//! Looking for events, in the session's worker.

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
use stepscope_present::query::query_error;
use stepscope_read::has_json_events;
use stepscope_trace::{EventId, InputFile, Trace};

/// Events whose places in the input are looked up at a time: some milliseconds.
const ROWS: usize = 1 << 19;

/// What a person looks for in a rank, and what is found. It holds while the session's ranks stay as they are.
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

/// How many UTF-16 units lie before a byte of a text.
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
    /// Finds what a query asks for.
    ///
    /// # Errors
    ///
    /// If it is no query: `{fault, from, to, message}`.
    #[wasm_bindgen(constructor)]
    pub fn new(session: &Session, rank: usize, query: &str) -> Result<Self, JsValue> {
        let text = query.to_owned();
        let query = Query::parse(&text).map_err(|error| plain(&QueryFaultReport::of(&text, &error)))?;
        let found = |rank: &Rank| {
            let (trace, steps) = (&rank.trace, &rank.analysis.steps);
            (find(trace, steps, &query), find_instants(trace, steps, &query))
        };
        let (hits, instants) = session.ranks.list().get(rank).map(found).unwrap_or_default();
        Ok(Self { rank, query, text, hits, instants, in_text: None })
    }

    /// The parts of the query that by themselves match nothing, as their begins and ends in UTF-16 units.
    pub fn unmatched(&self, session: &Session) -> Vec<usize> {
        let Some(rank) = session.ranks.list().get(self.rank) else { return Vec::new() };
        let parts = unmatched(&rank.trace, &rank.analysis.steps, &self.query);
        parts.into_iter().flat_map(|part| [part.start, part.end].map(|end| units(&self.text, end))).collect()
    }

    /// How many hits there are.
    pub fn count(&self) -> usize {
        self.found().len()
    }

    /// Where hits begin, in ns of the rank's time: the first one in each of so many equal parts of the time until `end`.
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

    /// The numbers of the slices among the hits, rising.
    pub fn hits(&self) -> Vec<u32> {
        self.hits.iter().map(|id| id.0).collect()
    }

    /// The hit after (or before) a slice or an instant event, or else a time in ns, and which it is of all, by time; null
    /// without hits.
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

    /// The rank's files in the order of their texts, as `{rank, file, is_json}`: of JSON the texts can be looked through.
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

    /// Begins to look for a text in the files' own text.
    pub fn look(&mut self, session: &Session, text: &str) {
        self.in_text = session.ranks.list().get(self.rank).map(|rank| FindInText::new(&rank.trace, text));
    }

    /// Goes on with finding out which event stands where; whether all is ready for the text.
    pub fn prepare(&mut self, session: &Session) -> bool {
        let Some((search, rank)) = self.in_text.as_mut().zip(session.ranks.list().get(self.rank)) else { return true };
        search.prepare(&rank.trace, ROWS)
    }

    /// One of the files begins.
    pub fn begin(&mut self, session: &Session, file: usize) {
        let Some((search, rank)) = self.in_text.as_mut().zip(session.ranks.list().get(self.rank)) else { return };
        if let Some(input) = rank.trace.meta.inputs.get(file) {
            search.begin(input);
        }
    }

    /// The next part of its text.
    pub fn push(&mut self, session: &Session, bytes: &[u8]) {
        let Some((search, rank)) = self.in_text.as_mut().zip(session.ranks.list().get(self.rank)) else { return };
        search.push(&rank.trace, bytes);
    }

    /// Its text is over: whether its events were looked into.
    pub fn end(&mut self) -> bool {
        self.in_text.as_mut().is_some_and(FindInText::end)
    }

    /// All texts are over: what was found in them is among the hits from here on.
    pub fn finish(&mut self) {
        if let Some(mut search) = self.in_text.take() {
            search.include(&self.hits);
            self.hits = search.hits();
        }
    }
}
