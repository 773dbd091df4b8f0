//! Counters in a part of the time.

use super::full_name;
use super::resource::{ResourceSummary, summary};
use stepscope_base::Interval;
use stepscope_trace::{Counter, Trace};

/// A counter's values in a span.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterInSpan {
    /// Its owner: a process or a device.
    pub owner: String,
    /// Its name as the producer writes it.
    pub name: String,
    /// Number of values that begin in the span.
    pub samples: u64,
    /// Summary of the values in the span: each lasts until the next one begins, cut off at the span's ends. The end of
    /// the last one of all is not known: it counts for no time.
    pub summary: ResourceSummary,
}

/// The counters that have a value in a span, in the trace's order.
#[must_use]
pub fn counters_in(trace: &Trace, span: Interval) -> Vec<CounterInSpan> {
    let counters = trace.counters.iter().filter(|_| !span.is_empty());
    counters.filter_map(|counter| within(trace, counter, span)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "times as in a curve")]
fn within(trace: &Trace, counter: &Counter, span: Interval) -> Option<CounterInSpan> {
    let samples = &counter.samples;
    let first = samples.partition_point(|sample| sample.at < span.start);
    let last = samples.partition_point(|sample| sample.at < span.end);
    let starts_later = samples.get(first).is_none_or(|sample| sample.at > span.start);
    let mut points: Vec<(f64, f64)> = Vec::with_capacity(last - first + 2);
    if let Some(before) = first.checked_sub(1).filter(|_| starts_later) {
        points.push((span.start.0 as f64, samples[before].value));
    }
    points.extend(samples[first..last].iter().map(|sample| (sample.at.0 as f64, sample.value)));
    if let (Some((_, value)), Some(_)) = (points.last().copied(), samples.get(last)) {
        points.push((span.end.0 as f64, value));
    }
    Some(CounterInSpan {
        owner: trace.process_label(counter.process),
        name: full_name(trace, counter),
        samples: (last - first) as u64,
        summary: summary(&points, true)?,
    })
}
