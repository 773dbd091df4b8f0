//! State of the machine during the trace: processors, context switches, host memory, the device's own gauges, hardware
//! counters.
//!
//! The trace's counters and the tables that profilers wrote, as curves of one form, by subject. Nothing is sampled
//! here: values that a trace lacks have no curve.

mod bandwidth;
mod kinds;
mod resource;
mod table;
mod tables;
mod within;

pub use self::resource::{Resource, ResourceSummary};
pub use self::table::{ResourceRow, ResourceTable};
pub use kinds::ResourceKind;
pub use within::{CounterInSpan, counters_in};

use stepscope_base::CompactSort;
use stepscope_trace::{Counter, RecordedUnit, Trace};

/// Every curve of a trace, by subject, then in the trace's order; curves without a value are left out.
///
/// ```
/// use stepscope::{Loader, analyze};
/// use stepscope::analyze::ResourceKind;
///
/// let text = br#"[{"ph":"C","name":"CPU utilization","pid":1,"ts":0,"args":{"user":40}},
///   {"ph":"C","name":"CPU utilization","pid":1,"ts":3,"args":{"user":80}},
///   {"ph":"C","name":"CPU utilization","pid":1,"ts":4,"args":{"user":10}}]"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let curve = &analyze::resources(&loader.finish()?.trace)[0];
/// assert_eq!((curve.kind, curve.points.len()), (ResourceKind::Processor, 3));
/// assert_eq!(curve.summary().map(|summary| summary.mean), Some(50.0)); // 40 for 3 µs, 80 for 1 µs
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn resources(trace: &Trace) -> Vec<Resource> {
    let mut found: Vec<Resource> = counters(trace).collect();
    tables::add(trace, &mut found);
    bandwidth::add(trace, &mut found);
    found.retain(|resource| !resource.points.is_empty());
    // A stable sort: the order of the trace within a kind.
    found.compact_sort_by_key(|resource| resource.kind);
    found
}

/// Whether a trace has any curve.
#[must_use]
pub fn has_resources(trace: &Trace) -> bool {
    trace.counters.iter().any(|counter| !counter.samples.is_empty())
        || tables::has_any(trace)
        || bandwidth::has_any(trace)
}

/// A counter's name with that of its series.
pub(crate) fn full_name(trace: &Trace, counter: &Counter) -> String {
    let (name, series) = (trace.strings.get(counter.name), trace.strings.get(counter.series));
    if series.is_empty() { name.to_owned() } else { [name, series].join(": ") }
}

#[expect(clippy::cast_precision_loss, reason = "times of a chart")]
fn counters(trace: &Trace) -> impl Iterator<Item = Resource> + '_ {
    trace.counters.iter().map(|counter| {
        let full = full_name(trace, counter);
        Resource {
            kind: ResourceKind::of_name(&full),
            owner: trace.process_label(counter.process),
            name: full,
            unit: RecordedUnit::Number,
            holds: true,
            is_regular: false,
            points: counter.samples.iter().map(|sample| (sample.at.0 as f64, sample.value)).collect(),
        }
    })
}
