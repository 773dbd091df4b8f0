//! Slow calls of the runtime: long ones, and first launches of kernels, which load or tune them.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use stepscope_base::{CompactSort as _, Interval, Nanos, sort_times};
use stepscope_trace::{EventId, NameId, Trace, TrackId};

use super::leaf::BudgetLeaf;
use crate::IdleLeaf;
use crate::statistics::median;

/// The length from which a call, or the host's work in a gap, is long.
pub(super) const LONG: Nanos = Nanos(1_000_000);

/// The length from which the first launch of a kernel may be slow.
const FIRST: Nanos = Nanos(100_000);

/// A slow first launch takes that many times as long as the median launch.
const TIMES: i64 = 10;

/// The first launch of a kernel takes that many times as long as the shortest other one, if there is another.
const NEW: i64 = 3;

/// The first launches of kernels that are slow, by thread and time.
#[derive(Debug, Default)]
pub(super) struct SlowCalls {
    first: Vec<(TrackId, Interval)>,
}

impl SlowCalls {
    pub(super) fn of(trace: &Trace) -> Self {
        // The first launch of each kernel, and the shortest of the others.
        let mut first: HashMap<NameId, (EventId, Option<Nanos>), FxBuildHasher> = HashMap::default();
        let mut lengths = Vec::with_capacity(trace.activities.len());
        for activity in &trace.activities {
            let Some(call) = activity.call.get() else { continue };
            lengths.push(trace.slices.length(call));
            let (known, shortest) = first.entry(trace.slices.name(activity.event)).or_insert((call, None));
            if call == *known {
                continue;
            }
            let mut other = call;
            if trace.slices.start(call) < trace.slices.start(*known) {
                std::mem::swap(known, &mut other);
            }
            let length = trace.slices.length(other);
            *shortest = Some(shortest.map_or(length, |shortest| shortest.min(length)));
        }
        sort_times(&mut lengths);
        let least = FIRST.max(Nanos(median(&lengths).0.saturating_mul(TIMES)));
        let slow = first.into_values().filter(|(call, shortest)| {
            let length = trace.slices.length(*call);
            // A kernel whose launches are always slow is not slow for being new.
            length >= least && shortest.is_none_or(|other| length.0 >= NEW.saturating_mul(other.0))
        });
        let slow = slow.map(|(call, _)| (trace.slices.track(call), trace.slices.interval(call)));
        let mut slow: Vec<(TrackId, Interval)> = slow.collect();
        // A call that launches several kernels is one.
        slow.compact_sort_by_key(|(thread, span)| (*thread, span.start, span.end));
        slow.dedup();
        Self { first: slow }
    }

    /// The leaf of a piece of a thread's time: that of a slow call where it is in one.
    pub(super) fn leaf(&self, thread: Option<TrackId>, span: Interval, leaf: BudgetLeaf) -> BudgetLeaf {
        let is_first = |thread| {
            let until = self.first.partition_point(|(of, call)| (*of, call.start) <= (thread, span.start));
            let before = until.checked_sub(1).map(|last| self.first[last]);
            before.is_some_and(|(of, call)| of == thread && span.end <= call.end)
        };
        if is_call(leaf) && (span.len() >= LONG || thread.is_some_and(is_first)) { BudgetLeaf::SlowCall } else { leaf }
    }
}

/// Whether the host is in a call of the runtime or driver that launches or does anything else.
fn is_call(leaf: BudgetLeaf) -> bool {
    matches!(leaf, BudgetLeaf::Idle(IdleLeaf::RuntimeCall | IdleLeaf::LaunchingCall | IdleLeaf::GraphLaunch))
}
