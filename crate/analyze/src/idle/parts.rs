//! A device's time without activity, by time: in its gaps, before its first activity, after its last one.

use super::edges;
use super::gaps::{Gap, Sweep};
use super::leaves::IdleLeaf;
use crate::{DeviceReport, IntervalSet};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{EventId, Layer, Trace, Track};

/// A part of the time without activity.
pub(crate) enum IdlePart {
    /// A gap, and the part of it in which the device is known to be idle.
    Gap(Gap, IntervalSet),
    /// A part that is no gap, and its leaf.
    Outside(Interval, IdleLeaf),
}

/// The activities of a device by start.
pub(super) fn activities_of(trace: &Trace, device: i64) -> Vec<(Nanos, EventId)> {
    let is_there =
        |track: &&Track| track.layer == Layer::Device && track.stream.is_some_and(|stream| stream.device == device);
    let of_track = |track: &Track| track.events().filter(|id| trace.slices.class(*id).is_activity());
    let tracks = trace.tracks.iter().filter(is_there);
    let mut events: Vec<(Nanos, EventId)> =
        tracks.flat_map(|track| of_track(track).map(|id| (trace.slices.start(id), id))).collect();
    events.sort();
    events
}

/// Shows the parts of a device's time without activity in its window and in spans, such as the steps, and the times
/// that the timeline does not cover. Parts outside of the window may reach out of the spans.
pub(crate) fn idle_parts(
    trace: &Trace,
    report: &DeviceReport,
    spans: &IntervalSet,
    kernel_wait: Nanos,
    mut see: impl FnMut(IdlePart),
) {
    let (window, uncovered) = (report.window, &report.uncovered);
    let events = activities_of(trace, report.time.device);
    let Some((_, first)) = events.first().copied() else { return };
    let [(_, before), (_, lead_in), (_, lead_out)] = edges::outside(spans, window, report.known_from, uncovered);
    let outside = |set: &IntervalSet, leaf: IdleLeaf, see: &mut dyn FnMut(IdlePart)| {
        set.intervals().iter().for_each(|span| see(IdlePart::Outside(*span, leaf)));
    };
    outside(&before, IdleLeaf::BeforeFirst, &mut see);
    outside(&uncovered.clip(Interval::new(report.known_from, Nanos::MAX)), IdleLeaf::Uncovered, &mut see);
    if let Some(span) = lead_in.hull() {
        see(IdlePart::Gap(Gap::of(trace, span, [first, first], kernel_wait), lead_in));
    }
    let mut sweep = Sweep::new(trace, kernel_wait);
    for (start, event) in events {
        let Some(gap) = sweep.next(start, event) else { continue };
        let all = IntervalSet::from_interval(gap.span);
        if uncovered.is_empty() {
            see(IdlePart::Gap(gap, all));
            continue;
        }
        see(IdlePart::Gap(gap, all.difference(&uncovered.clip(gap.span))));
    }
    outside(&lead_out, IdleLeaf::AfterLast, &mut see);
}
