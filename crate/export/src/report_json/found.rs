//! Search results, by time.

use schemars::JsonSchema;
use serde::Serialize;

use super::text::{indented, json};
use stepscope_analyze::Rank;
use stepscope_analyze::{HitEvent, Hits, HitsByTime, Query, StepOf, find, find_instants, unmatched};
use stepscope_present::kernel_names::short_name;
use stepscope_trace::EventId;

/// Name and version of this format: keys are added, never renamed.
pub(super) const SCHEMA: &str = "stepscope.find/1";

/// The events of each rank that match a query.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FindReport {
    schema: &'static str,
    query: String,
    ranks: Vec<FoundInRank>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct FoundInRank {
    input: String,
    rank: Option<u64>,
    /// The number of matching slices, listed or not.
    count: usize,
    events: Vec<FoundEvent>,
    /// The number of matching instant events, listed or not.
    instant_count: usize,
    instants: Vec<FoundInstant>,
    /// Without hits: the parts of the query that match nothing.
    unmatched: Vec<String>,
}

/// A matching instant event.
#[derive(Debug, JsonSchema, Serialize)]
struct FoundInstant {
    name: String,
    at_ns: i64,
    process: String,
    /// The thread or stream.
    place: String,
    /// The name of the step that contains it.
    step: Option<String>,
}

/// A matching event.
#[derive(Debug, JsonSchema, Serialize)]
struct FoundEvent {
    slice: u32,
    name: String,
    class: &'static str,
    category: String,
    start_ns: i64,
    duration_ns: i64,
    process: String,
    /// The thread or stream.
    place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<i64>,
    /// The step's name.
    step: Option<String>,
}

impl FindReport {
    /// Runs a query; `text` is the query as typed. Lists at most `limit` events of a rank, the first by start.
    #[must_use]
    pub fn of(ranks: &[Rank], text: &str, query: &Query, limit: usize) -> Self {
        let ranks = ranks.iter().map(|rank| FoundInRank::of(rank, text, query, limit)).collect();
        Self { schema: SCHEMA, query: text.to_owned(), ranks }
    }

    /// The report as indented text.
    #[must_use]
    pub fn to_json_pretty(&self) -> Vec<u8> {
        indented(&json(self))
    }
}

impl FoundInRank {
    fn of(rank: &Rank, text: &str, query: &Query, limit: usize) -> Self {
        let (trace, steps) = (&rank.trace, &rank.analysis.steps);
        let (slices, instants) = (find(trace, steps, query, short_name), find_instants(trace, steps, query));
        let hits = Hits { slices: &slices, instants: &instants };
        let step_of = StepOf::new(trace, steps);
        let slices_by_time = HitsByTime::new(trace, Hits { instants: &[], ..hits }).filter_map(|hit| match hit {
            HitEvent::Slice(id) => Some(id),
            HitEvent::Instant(_) => None,
        });
        let unmatched = if hits.is_empty() { unmatched(trace, steps, query, short_name) } else { Vec::new() };
        Self {
            input: rank.file.clone(),
            rank: rank.rank,
            count: slices.len(),
            events: slices_by_time.take(limit).map(|id| FoundEvent::of(rank, &step_of, id)).collect(),
            instant_count: instants.len(),
            instants: instants
                .iter()
                .take(limit)
                .filter_map(|index| FoundInstant::of(rank, &step_of, *index))
                .collect(),
            unmatched: unmatched.into_iter().filter_map(|part| text.get(part)).map(str::to_owned).collect(),
        }
    }
}

impl FoundInstant {
    fn of(rank: &Rank, step_of: &StepOf<'_>, index: usize) -> Option<Self> {
        let (trace, steps) = (&rank.trace, &rank.analysis.steps);
        let instant = trace.instants.get(index)?;
        let track = &trace.tracks[instant.track.index()];
        Some(Self {
            name: trace.strings.get(instant.name).to_owned(),
            at_ns: instant.at.0,
            process: trace.process_label(track.process),
            place: trace.place_label(track),
            step: step_of.at(instant.at).map(|step| steps.steps[step].name.clone()),
        })
    }
}

impl FoundEvent {
    fn of(rank: &Rank, step_of: &StepOf<'_>, id: EventId) -> Self {
        let (trace, steps) = (&rank.trace, &rank.analysis.steps);
        let track = &trace.tracks[trace.slices.track(id).index()];
        Self {
            slice: id.0,
            name: trace.name_of(id).to_owned(),
            class: trace.slices.class(id).name(),
            category: trace.category_of(id).to_owned(),
            start_ns: trace.slices.start(id).0,
            duration_ns: trace.slices.length(id).0,
            process: trace.process_label(track.process),
            place: trace.place_label(track),
            device: track.stream.map(|stream| stream.device),
            stream: track.stream.map(|stream| stream.stream),
            step: step_of.index(id).map(|step| steps.steps[step].name.clone()),
        }
    }
}
