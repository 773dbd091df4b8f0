//! Counters: what their curves come to.

use crate::trace::{Counter, NameId, ProcessId, Trace};
use crate::units::Nanos;

/// One curve: a series of a counter of a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CounterRow {
    /// Whose it is.
    pub process: ProcessId,
    /// The counter's name.
    pub name: NameId,
    /// Which of the counter's values; may be empty.
    pub series: NameId,
    /// How many values there are.
    pub samples: u64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The mean by time: each value holds until the next one, from the first to the last. Of values that all have
    /// one time, their plain mean.
    pub mean: f64,
    /// The last value.
    pub last: f64,
    /// When the first value was taken.
    pub from: Nanos,
    /// When the last one was.
    pub until: Nanos,
}

/// Tabulates the counters, in the trace's order. Curves without a value have no row.
///
/// ```
/// use stepscope::{Loader, analyze};
///
/// let text = br#"[{"ph":"C","name":"memory","pid":1,"ts":0,"args":{"used":4}},
///   {"ph":"C","name":"memory","pid":1,"ts":3,"args":{"used":8}},
///   {"ph":"C","name":"memory","pid":1,"ts":4,"args":{"used":1}}]"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let row = analyze::counters(&loader.finish()?.trace)[0];
/// assert_eq!((row.samples, row.min, row.max, row.last), (3, 1.0, 8.0, 1.0));
/// assert_eq!(row.mean, 5.0); // 4 for 3 µs, 8 for 1 µs; the last value holds for no known time
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn counters(trace: &Trace) -> Vec<CounterRow> {
    trace.counters.iter().filter_map(row).collect()
}

fn row(counter: &Counter) -> Option<CounterRow> {
    let (first, last) = (counter.samples.first()?, counter.samples.last()?);
    let values = || counter.samples.iter().map(|sample| sample.value);
    let span = last.at - first.at;
    let mean = if span > Nanos::ZERO {
        // Shares first: a sum of products could leave what a double holds.
        let share = |from: Nanos, until: Nanos| (until - from).ratio_of(span).unwrap_or_default();
        counter.samples.windows(2).map(|pair| pair[0].value * share(pair[0].at, pair[1].at)).sum()
    } else {
        let count = counter.samples.len() as f64;
        values().map(|value| value / count).sum()
    };
    Some(CounterRow {
        process: counter.process,
        name: counter.name,
        series: counter.series,
        samples: counter.samples.len() as u64,
        min: values().fold(f64::INFINITY, f64::min),
        max: values().fold(f64::NEG_INFINITY, f64::max),
        mean,
        last: last.value,
        from: first.at,
        until: last.at,
    })
}
