//! Requests for an open trace: its reports, and at the timeline events, parts of time, and searches for a text.

use std::hint::black_box;
use std::time::Instant;

use serde_json::{Map, Value, json};
use stepscope::analyze::{Direction, HitPlace, Hits, Query, find, next_hit};
use stepscope::export::report_json::{ReportRequest, request, topic, topics_of};
use stepscope::present::kernel_names::short_name;
use stepscope::trace::{Class, EventId, Trace};
use stepscope::{Interval, Nanos, Rank};

use crate::clock::cpu_seconds;
use crate::measure::opened;

/// Rounds; the median is reported.
const ROUNDS: usize = 5;

/// Duration of each request, in milliseconds.
pub(crate) fn asks(file: &str) -> Result<Value, String> {
    let rank = opened(file)?;
    let trace = &rank.trace;
    let mut events = Map::new();
    for class in Class::ALL {
        if let Some(event) = usual(trace, class, |_| true) {
            events.insert(class.name().to_owned(), json!(event_ms(&rank, event)));
        }
    }
    let communicates = |id| trace.activity(id).is_some_and(|activity| activity.communication);
    if let Some(event) = usual(trace, Class::Kernel, communicates) {
        events.insert("collective".to_owned(), json!(event_ms(&rank, event)));
    }
    let whole = trace.span();
    let middle = whole.start + Nanos(whole.len().0 / 2);
    let around = |length: i64| Interval::new(middle, middle + Nanos(length));
    let steps = &rank.analysis.steps.steps;
    let step = steps.get(steps.len() / 2).map(|step| step.span);
    let mut ranges = Map::new();
    for (name, span) in [
        ("whole", Some(whole)),
        ("step", step),
        ("100_ms", Some(around(100_000_000))),
        ("1_ms", Some(around(1_000_000))),
    ] {
        if let Some(span) = span {
            ranges.insert(name.to_owned(), json!(range_ms(&rank, span)));
        }
    }
    let mut finds = Map::new();
    for text in queries(trace) {
        finds.insert(text.clone(), find_ms(&rank, &text)?);
    }
    let reports: Map<String, Value> = topics_of(&rank)
        .into_iter()
        .map(|name| {
            let report =
                || ReportRequest::of(name).and_then(|request| topic(&rank, &request)).map_or(0, |report| report.len());
            (name.to_owned(), json!(median_ms(report)))
        })
        .collect();
    Ok(
        json!({"slices": trace.slices.len(), "report_ms": reports, "event_ms": events, "range_ms": ranges, "find": finds}),
    )
}

/// The median duration of an action, in milliseconds: of the processor if that is known.
fn median_ms<T>(mut act: impl FnMut() -> T) -> f64 {
    let mut time = || {
        let (cpu, begun) = (cpu_seconds(), Instant::now());
        black_box(act());
        let wall = begun.elapsed().as_secs_f64();
        cpu_seconds().zip(cpu).map_or(wall, |(now, then)| now - then) * 1e3
    };
    let mut times: Vec<f64> = (0..ROUNDS).map(|_| time()).collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

/// The middle slice of those of a class with its most frequent name.
fn usual(trace: &Trace, class: Class, is_wanted: impl Fn(EventId) -> bool) -> Option<EventId> {
    let all = || trace.slices_of(class).filter(|id| is_wanted(*id));
    let mut counts = vec![0_usize; trace.strings.len()];
    all().for_each(|id| counts[trace.slices.name(id).index()] += 1);
    let (name, count) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
    all().filter(|id| trace.slices.name(*id).index() == name).nth(count / 2)
}

fn event_ms(rank: &Rank, event: EventId) -> f64 {
    let request = ReportRequest::Event(request::Event { event: Some(event.0) });
    median_ms(|| topic(rank, &request).map_or(0, |report| report.len()))
}

#[expect(clippy::cast_precision_loss, reason = "as the page asks")]
fn range_ms(rank: &Rank, span: Interval) -> f64 {
    let span_ns = Some((span.start.0 as f64, span.end.0 as f64));
    let request = ReportRequest::Range(request::Range { span_ns, ..request::Range::default() });
    median_ms(|| topic(rank, &request).map_or(0, |report| report.len()))
}

/// A letter that is everywhere, a frequent name, a name without events, and fields.
fn queries(trace: &Trace) -> Vec<String> {
    let usual = usual(trace, Class::Operator, |_| true).or_else(|| usual(trace, Class::Other, |_| true));
    let name = usual.map_or("e", |event| trace.name_of(event));
    let texts =
        ["e", name, "nobodyhasthis", "class:kernel", "dur>100us", "self>100us", "e dur>10us", "step:1", "corr:77"];
    texts.map(str::to_owned).to_vec()
}

fn find_ms(rank: &Rank, text: &str) -> Result<Value, String> {
    let query = Query::parse(text).map_err(|error| format!("{text}: {error:?}"))?;
    let (trace, steps) = (&rank.trace, &rank.analysis.steps);
    let slices = find(trace, steps, &query, short_name);
    let hits = Hits { slices: &slices, instants: &[] };
    let middle = HitPlace::Time(Nanos(trace.span().len().0 / 2));
    Ok(json!({
        "hits": hits.len(),
        "ms": median_ms(|| find(trace, steps, &query, short_name).len()),
        "next_ms": median_ms(|| next_hit(trace, hits, middle, Direction::Next)),
        "previous_ms": median_ms(|| next_hit(trace, hits, middle, Direction::Previous)),
    }))
}
