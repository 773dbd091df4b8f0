//! Rates of copies over time, by kind: METRICS section 4, "bandwidth over time".

use std::collections::BTreeMap;

use super::ResourceKind;
use super::resource::Resource;
use stepscope_base::{CompactSort, Nanos};
use stepscope_trace::{Activity, Class, NameId, RecordedUnit, Trace};

/// Whether the bytes of any copy or memset are recorded.
pub(super) fn has_any(trace: &Trace) -> bool {
    trace.activities.iter().any(|activity| rate(trace, activity).is_some())
}

/// Bytes per second; none for a kernel, and where bytes or time are unknown.
#[expect(clippy::cast_precision_loss, reason = "a rate for display")]
fn rate(trace: &Trace, activity: &Activity) -> Option<f64> {
    let length = trace.slices.length(activity.event);
    let moves = trace.slices.class(activity.event) != Class::Kernel && length > Nanos::ZERO;
    let bytes = activity.known_bytes().filter(|bytes| moves && *bytes > 0)?;
    Some(bytes as f64 / length.0 as f64 * 1e9)
}

/// Adds a curve per device and kind: the sum of the rates of the running copies, each at its own mean rate.
#[expect(clippy::cast_precision_loss, reason = "times of a chart")]
pub(super) fn add(trace: &Trace, found: &mut Vec<Resource>) {
    let mut changes: BTreeMap<(i64, NameId), Vec<(Nanos, f64)>> = BTreeMap::new();
    for activity in &trace.activities {
        if let (Some(rate), Some(stream)) = (rate(trace, activity), trace.stream_of(activity.event)) {
            let span = trace.slices.interval(activity.event);
            let list = changes.entry((stream.device, trace.slices.name(activity.event))).or_default();
            list.extend([(span.start, rate), (span.end, -rate)]);
        }
    }
    let mut changes: Vec<_> = changes.into_iter().collect();
    // Names' numbers depend on the reader: two readings may differ in them.
    changes.compact_sort_by(|((a, one), _), ((b, other), _)| {
        a.cmp(b).then_with(|| trace.strings.get(*one).cmp(trace.strings.get(*other)))
    });
    for ((device, name), mut changes) in changes {
        changes.compact_sort_by_key(|(at, _)| *at);
        let mut points: Vec<(f64, f64)> = Vec::new();
        let (mut running, mut rate) = (0_u32, 0.0);
        for (at, change) in changes {
            running = if change > 0.0 { running + 1 } else { running.saturating_sub(1) };
            // Sums and differences of rates leave a rounding error.
            rate = if running == 0 { 0.0 } else { rate + change };
            match points.last_mut().filter(|(known, _)| *known == at.0 as f64) {
                Some((_, value)) => *value = rate,
                None => points.push((at.0 as f64, rate)),
            }
        }
        found.push(Resource {
            kind: ResourceKind::Bandwidth,
            owner: device.to_string(),
            name: trace.strings.get(name).to_owned(),
            unit: RecordedUnit::BytesPerSecond,
            holds: true,
            is_regular: false,
            points,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ResourceKind, resources};
    use stepscope_input::Loader;

    #[test]
    fn rates_of_copies_at_once_add_up() {
        let copy = |stream: u32, ts: u32, dur: u32, bytes: u32| {
            format!(
                r#"{{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":{stream},"ts":{ts},
                  "dur":{dur},"args":{{"bytes":{bytes},"device":0,"stream":{stream}}}}}"#
            )
        };
        let events = [copy(7, 0, 4, 8000), copy(9, 2, 4, 4000), copy(7, 6, 1, 1000)].join(",");
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{events}]}}"#);
        let mut loader = Loader::new("copies.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let found = resources(&loader.finish().expect("a trace").trace);
        assert_eq!((found.len(), found[0].kind, found[0].owner.as_str()), (1, ResourceKind::Bandwidth, "0"));
        // The last begins when the second ends.
        assert_eq!(found[0].points, [(0.0, 2e9), (2000.0, 3e9), (4000.0, 1e9), (6000.0, 1e9), (7000.0, 0.0)]);
    }
}
