//! A range of time: its slices, and the use of its time.
//!
//! A slice counts in a range `[from, to)` with the part inside it. So sums of consecutive ranges are exactly those of
//! both together. A step's range has the step's device time and categories, and the range of the whole trace has the
//! values of the tables.

mod compare;
mod sums;
mod table;
#[cfg(test)]
mod tests;

pub use self::compare::{RangeChange, RangeComparison, compare_ranges};
pub use self::sums::RangeSums;
pub use self::table::{RangeChangeTable, RangeContext, RangeNameTable};

use self::sums::sweep;
use std::collections::BTreeMap;

use super::activities::DeviceSets;
use super::all::Analysis;
use super::idle::{HostInGap, hosts_in};
use super::memory::{MemoryInSpan, memory_in};
use super::phases::{PhaseTime, phases_in};
use super::resources::{CounterInSpan, counters_in};
use super::time_categories::{CategorySets, CategoryTimes, categories_known_in};
use crate::device_report::DeviceTime;
use stepscope_base::{CompactSort, Interval};
use stepscope_trace::{Activity, Class, NameId, Trace, TrackId};

/// A range and its tracks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeConfig {
    /// Its start and end.
    pub span: Interval,
    /// Only slices of these tracks count in sums, device times, categories and hosts; none: all tracks. Phases, memory
    /// and counters are of the whole rank.
    pub tracks: Option<Vec<TrackId>>,
}

impl RangeConfig {
    /// A span of all tracks.
    #[must_use]
    pub fn of(span: Interval) -> Self {
        Self { span, tracks: None }
    }
}

/// Contents of a range of time.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeReport {
    /// Its start and end.
    pub span: Interval,
    /// By name and class, the most time first; among equal times, in the order of their first slices.
    pub names: Vec<RangeName>,
    /// By class, in the order of [`Class::ALL`]; only those that occur.
    pub classes: Vec<(Class, RangeSums)>,
    /// By track, in the trace's order; only those with a slice there.
    pub tracks: Vec<(TrackId, RangeSums)>,
    /// All of them.
    pub whole: RangeSums,
    /// Each device's times: the window is the range.
    pub devices: Vec<DeviceTime>,
    /// The eight categories; the sum is the range.
    pub categories: CategoryTimes,
    /// The part of the host's own categories while a device's state is unknown, as [`Analysis::categories_before_first`].
    pub categories_before_first: CategoryTimes,
    /// The phases; on the host the sum is the range.
    pub phases: [PhaseTime; 5],
    /// Work of the host's threads that have any slice there; each one's times add up to the range.
    pub hosts: Vec<(TrackId, HostInGap)>,
    /// Memory, where it is recorded.
    pub memory: Vec<MemoryInSpan>,
    /// Counters that have a value there.
    pub counters: Vec<CounterInSpan>,
}

/// The slices of a name and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeName {
    /// The name.
    pub name: NameId,
    /// The class.
    pub class: Class,
    /// Their sums.
    pub sums: RangeSums,
}

/// Returns the contents of a range of time.
///
/// Takes time in proportion to the range's contents, not to the trace, except for a look at every 64th slice, at names
/// and at memory events.
///
/// ```
/// use stepscope::{Interval, Loader, Nanos, Rank, analyze};
/// use stepscope::analyze::{AnalysisConfig, RangeConfig};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":4,"dur":10},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":12,"dur":6}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let rank = Rank::new("example.json", 0, loader.finish()?, &AnalysisConfig::standard());
/// let span = Interval::new(Nanos(10_000), Nanos(16_000));
/// let found = analyze::range(&rank.trace, &rank.analysis, &RangeConfig::of(span));
/// let linear = &found.names[0].sums;
/// assert_eq!((linear.slices, linear.begun, linear.sum, linear.own), (1, 0, Nanos(6_000), Nanos(2_000)));
/// assert_eq!((linear.longest, found.whole.sum, found.whole.union), (Nanos(20_000), Nanos(14_000), Nanos(6_000)));
/// // The call of the first kernel is not recorded: before it, the device may have run earlier work.
/// assert_eq!((found.devices[0].busy, found.devices[0].before_first), (Nanos(4_000), Nanos(2_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn range(trace: &Trace, analysis: &Analysis, config: &RangeConfig) -> RangeReport {
    let span = config.span;
    let is_chosen = |track: TrackId| config.tracks.as_ref().is_none_or(|chosen| chosen.contains(&track));
    let swept = sweep(trace, span, &is_chosen);
    let mut names: Vec<RangeName> =
        swept.names.into_iter().map(|(name, class, sums)| RangeName { name, class, sums }).collect();
    names.compact_sort_by_key(|row| -row.sums.sum.0);
    let devices: Vec<(i64, DeviceSets)> = match &config.tracks {
        Some(tracks) => sets_of(trace, tracks, span),
        None if analysis.devices.iter().all(|device| device.uncovered.is_empty()) => {
            analysis.devices.iter().map(|device| (device.time.device, device.sets.clip(span))).collect()
        }
        // Categories are of everything that is recorded.
        None => DeviceSets::by_device(trace).into_iter().map(|(device, sets)| (device, sets.clip(span))).collect(),
    };
    let sets: Vec<DeviceSets> = devices.iter().map(|(_, sets)| sets.clone()).collect();
    let mut hosts = hosts_in(trace, span);
    hosts.retain(|(track, _)| is_chosen(*track));
    let exclusive = CategorySets::within(trace, &sets, span, &is_chosen).exclusive();
    let (categories, categories_before_first) = categories_known_in(&exclusive, span, analysis.known_from());
    RangeReport {
        span,
        names,
        classes: swept.classes,
        tracks: swept.tracks,
        whole: swept.whole,
        devices: devices.iter().map(|(device, sets)| time_of(analysis, *device, sets, span)).collect(),
        categories,
        categories_before_first,
        phases: phases_in(trace, &analysis.phases, span),
        hosts,
        memory: memory_in(trace, span),
        counters: counters_in(trace, span),
    }
}

/// The times of a device, or of some of its streams, in a span.
fn time_of(analysis: &Analysis, device: i64, sets: &DeviceSets, span: Interval) -> DeviceTime {
    let report = analysis.devices.iter().find(|report| report.time.device == device);
    match report {
        Some(report) => {
            let sets = sets.without(&report.uncovered);
            DeviceTime::of_known(device, &sets, span, (report.known_from, &report.uncovered))
        }
        None => DeviceTime::of(device, sets, span),
    }
}

/// Activities in a span on some streams, by device.
fn sets_of(trace: &Trace, tracks: &[TrackId], span: Interval) -> Vec<(i64, DeviceSets)> {
    let mut activities: BTreeMap<i64, Vec<Activity>> = BTreeMap::new();
    for track in tracks.iter().filter_map(|track| trace.tracks.get(track.index())) {
        let Some(stream) = track.stream else { continue };
        let of_device = activities.entry(stream.device).or_default();
        of_device.extend(trace.touching(track, Some(span)).filter_map(|id| trace.activity(id)).copied());
    }
    let sets = |activities: Vec<Activity>| DeviceSets::of(trace, &activities).clip(span);
    activities.into_iter().map(|(device, activities)| (device, sets(activities))).collect()
}
