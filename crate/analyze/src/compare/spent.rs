//! Charges each moment of a trace's steps to a category and a name.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::intervals::IntervalSet;
use crate::steps::Steps;
use crate::time_categories::{CategorySets, HostCategories, TimeCategory};
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{EventId, NameId, Trace};

/// Key of a row of slices: category, name, and the shapes where they count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) category: TimeCategory,
    pub(super) name: NameId,
    /// The shapes of the operator; for a device's activity, of the one that launched it.
    pub(super) shapes: NameId,
}

/// The slices of a key in the steps that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// Number of slices that began there.
    pub(super) calls: u64,
    /// The sum of their durations.
    pub(super) total: Nanos,
    /// The time that is charged to them alone.
    pub(super) own: Nanos,
}

/// Divides the steps that count among all names. Each moment goes to its category by [`TimeCategory::ALL`], and there
/// to the running slice that began last. So the sum of all own times is the steps' length, without the host's own
/// categories before the first recorded activity: see
/// [`Analysis::known_categories`](crate::Analysis::known_categories).
pub(super) fn spent(
    trace: &Trace,
    steps: &Steps,
    shapes: bool,
    known_from: Nanos,
) -> HashMap<Key, Spent, FxBuildHasher> {
    let windows = IntervalSet::of(steps.counted().into_iter().map(|step| steps.steps[step].span));
    let exclusive = CategorySets::of(trace).exclusive();
    let mut unknown = windows.clip(Interval::new(Nanos::MIN, known_from));
    for set in &exclusive.0[..=TimeCategory::Communication as usize] {
        unknown = unknown.difference(set);
    }
    let windows_known = windows.difference(&unknown);
    let mut slices = by_category(trace, windows.hull().unwrap_or_default());
    let mut found = HashMap::default();
    for (index, category) in TimeCategory::ALL[..7].iter().enumerate() {
        let mut slices = std::mem::take(&mut slices[index]);
        // A slice that begins together with a longer one is inside of it.
        slices.compact_sort_by_key(|(id, _)| (trace.slices.start(*id), std::cmp::Reverse(trace.slices.end(*id))));
        let keyed = slices.into_iter().map(|(id, shaped)| {
            let shapes = if shapes { shapes_of(trace, shaped) } else { NameId::NONE };
            (trace.slices.interval(id), Key { category: *category, name: trace.slices.name(id), shapes })
        });
        divide(keyed, &windows, &exclusive.0[index].intersection(&windows_known), &mut found);
    }
    let named: Nanos = found.values().map(|spent| spent.own).sum();
    let rest = Spent { calls: 0, total: Nanos::ZERO, own: windows_known.len() - named };
    if rest.own > Nanos::ZERO {
        found.insert(Key { category: TimeCategory::Other, name: NameId::NONE, shapes: NameId::NONE }, rest);
    }
    found
}

/// A slice, and the one whose shapes it has.
type Slice = (EventId, Option<EventId>);

fn shapes_of(trace: &Trace, id: Option<EventId>) -> NameId {
    id.and_then(|id| trace.operation(id)).map_or(NameId::NONE, |operation| operation.shapes)
}

/// The slices of each category that run inside a window.
fn by_category(trace: &Trace, window: Interval) -> [Vec<Slice>; 7] {
    let mut slices: [Vec<Slice>; 7] = Default::default();
    let inside = |id: EventId| trace.slices.start(id) < window.end && trace.slices.end(id) > window.start;
    for activity in trace.activities.iter().filter(|activity| inside(activity.event)) {
        slices[TimeCategory::of_activity(trace, activity) as usize].push((activity.event, activity.operator.get()));
    }
    let host = HostCategories::of(trace);
    for track in trace.tracks.iter().filter(|track| HostCategories::counts(track)) {
        for id in track.events().filter(|id| inside(*id)) {
            let [by_class, by_name] = host.categories(trace, id);
            for category in [by_class, by_name.filter(|category| by_class != Some(*category))].into_iter().flatten() {
                slices[category as usize].push((id, Some(id)));
            }
        }
    }
    slices
}

/// Charges each moment of `ours` to the running slice that began last, and counts the slices that begin in `windows`.
/// The slices come by start.
fn divide(
    slices: impl Iterator<Item = (Interval, Key)>,
    windows: &IntervalSet,
    ours: &IntervalSet,
    found: &mut HashMap<Key, Spent, FxBuildHasher>,
) {
    let mut windows = windows.intervals().iter().peekable();
    let mut sweep = Sweep { running: Vec::new(), at: Nanos::MIN, ours: ours.intervals(), found };
    for (span, key) in slices {
        sweep.go_on(span.start);
        while windows.next_if(|window| window.end <= span.start).is_some() {}
        if windows.peek().is_some_and(|window| window.start <= span.start) {
            let spent = sweep.found.entry(key).or_default();
            spent.calls += 1;
            spent.total += span.len();
        }
        sweep.running.push((span.end, key));
    }
    sweep.go_on(Nanos::MAX);
}

/// A sweep over time with the slices that run.
struct Sweep<'a> {
    /// By start; some may have ended.
    running: Vec<(Nanos, Key)>,
    at: Nanos,
    /// The moments that are charged, from the first that has not ended.
    ours: &'a [Interval],
    found: &'a mut HashMap<Key, Spent, FxBuildHasher>,
}

impl Sweep<'_> {
    /// Charges the moments before `until`.
    fn go_on(&mut self, until: Nanos) {
        while let Some((end, key)) = self.running.last().copied() {
            if end > self.at {
                let to = end.min(until);
                self.give(Interval::new(self.at, to), key);
                self.at = to;
                if end > until {
                    return;
                }
            }
            self.running.pop();
        }
        self.at = self.at.max(until);
    }

    fn give(&mut self, part: Interval, key: Key) {
        let mut own = Nanos::ZERO;
        while let Some((first, rest)) = self.ours.split_first() {
            own += first.intersection(part).len();
            if first.end > part.end {
                break;
            }
            self.ours = rest;
        }
        if own > Nanos::ZERO {
            self.found.entry(key).or_default().own += own;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    proptest! {
        #[test]
        fn each_moment_goes_to_what_began_last(
            spans in proptest::collection::vec((0_i64..60, 0_i64..20), 0..30),
            holes in proptest::collection::vec((0_i64..60, 0_i64..9), 0..6),
            window in (0_i64..40, 1_i64..40),
        ) {
            let span = |(start, length): (i64, i64)| Interval::new(Nanos(start), Nanos(start + length));
            let mut slices: Vec<Interval> = spans.into_iter().map(span).collect();
            slices.sort_by_key(|slice| (slice.start, std::cmp::Reverse(slice.end)));
            let window = IntervalSet::of([span(window)]);
            let taken = IntervalSet::of(holes.into_iter().map(span));
            let ours = IntervalSet::of(slices.iter().copied()).difference(&taken).intersection(&window);
            // A row for each slice.
            let key = |index| Key { category: TimeCategory::Cpu, name: NameId::from_index(index), shapes: NameId::NONE };
            let mut found = HashMap::default();
            divide(slices.iter().enumerate().map(|(index, slice)| (*slice, key(index))), &window, &ours, &mut found);
            let mut own = vec![0_i64; slices.len()];
            for moment in (0..100).map(Nanos).filter(|moment| ours.has(*moment)) {
                let runs = |slice: &Interval| slice.start <= moment && moment < slice.end;
                own[slices.iter().rposition(runs).unwrap()] += 1;
            }
            for (index, slice) in slices.iter().enumerate() {
                let spent = found.get(&key(index)).copied().unwrap_or_default();
                prop_assert_eq!(spent.own.0, own[index]);
                let counts = window.has(slice.start);
                prop_assert_eq!(spent.calls, u64::from(counts));
                prop_assert_eq!(spent.total, if counts { slice.len() } else { Nanos::ZERO });
            }
        }
    }
}
