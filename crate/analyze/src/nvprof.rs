//! Totals by name as nvprof has them: activities of devices, and calls of the runtime and driver.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::statistics::Statistics;
use stepscope_base::{CompactSort, Nanos};
use stepscope_trace::{Class, EventId, Trace};

/// nvprof's summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NvprofSummary {
    /// Kernels, copies and memsets, the longest total first.
    pub activities: Vec<(String, Statistics)>,
    /// Calls of the runtime and driver, the longest total first.
    pub calls: Vec<(String, Statistics)>,
}

/// An activity's name as nvprof writes it: all copies in one direction have one name, and so have all memsets.
#[must_use]
pub fn nvprof_name(trace: &Trace, activity: EventId) -> Cow<'_, str> {
    let name = trace.name_of(activity);
    match trace.slices.class(activity) {
        Class::Memset => "[CUDA memset]".into(),
        Class::Memcpy => {
            let direction = DIRECTIONS.into_iter().find(|(direction, _)| name.contains(direction));
            direction.map_or(name, |(_, copies)| copies).into()
        }
        _ => name.into(),
    }
}

/// nvprof's names of the copies in each direction.
const DIRECTIONS: [(&str, &str); 5] = [
    ("HtoD", "[CUDA memcpy HtoD]"),
    ("DtoH", "[CUDA memcpy DtoH]"),
    ("DtoD", "[CUDA memcpy DtoD]"),
    ("HtoH", "[CUDA memcpy HtoH]"),
    ("PtoP", "[CUDA memcpy PtoP]"),
];

/// Totals by nvprof's names.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cuda_runtime","name":"cudaMemcpy","pid":1,"tid":1,"ts":0,"dur":9,"args":{"correlation":9}},
///   {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":7,"ts":1,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pageable -> Device)","pid":0,"tid":7,"ts":5,"dur":1}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let found = analyze::nvprof_summary(&trace);
/// let (name, time) = &found.activities[0];
/// assert_eq!((name.as_str(), time.calls, time.total), ("[CUDA memcpy HtoD]", 2, Nanos(3_000)));
/// assert_eq!(found.calls[0].0, "cudaMemcpy");
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn nvprof_summary(trace: &Trace) -> NvprofSummary {
    let mut activities: BTreeMap<Cow<'_, str>, Vec<Nanos>> = BTreeMap::new();
    for activity in &trace.activities {
        let length = trace.slices.length(activity.event);
        activities.entry(nvprof_name(trace, activity.event)).or_default().push(length);
    }
    let mut calls: BTreeMap<Cow<'_, str>, Vec<Nanos>> = BTreeMap::new();
    for call in trace.slices_of(Class::RuntimeCall) {
        calls.entry(trace.name_of(call).into()).or_default().push(trace.slices.length(call));
    }
    NvprofSummary { activities: by_total(activities), calls: by_total(calls) }
}

fn by_total(groups: BTreeMap<Cow<'_, str>, Vec<Nanos>>) -> Vec<(String, Statistics)> {
    let row = |(name, mut lengths): (Cow<'_, str>, Vec<Nanos>)| (name.into_owned(), Statistics::of(&mut lengths));
    let mut rows: Vec<(String, Statistics)> = groups.into_iter().map(row).collect();
    rows.compact_sort_by_key(|(_, time)| std::cmp::Reverse(time.total));
    rows
}
