//! Lost lead: the idle time that a wait of the host costs later. INSIGHT section 5, C.

use std::collections::VecDeque;

use super::functions::Paid;
use super::leaf::{BudgetLeaf, Debt};
use crate::idle::{Gap, Hosts, IdleLeaf};
use crate::lanes::Lanes;
use crate::{IntervalSet, LoaderKind};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{Trace, TrackId};

/// The lead is not known if one in this many of a device's launches comes from another lane.
const SHARED: u64 = 10;

/// The debts of the threads that launch for a device.
///
/// A debt is the time that the host spent in something blocking while the device was busy. The host's ordinary work in later
/// gaps is paid from it: without the debt, the host would have launched that much earlier.
///
/// Debts are known where one lane of threads launches nearly all of the device's work. Else the lead is not charged: when the
/// others would have launched is not known.
pub(super) struct Lead {
    /// The lane that launches.
    lane: Option<usize>,
    /// Times that cost lead, by start.
    held: Vec<Held>,
    /// Index of the first of these that has not ended yet.
    next: usize,
    /// The times at which the device is busy.
    busy: IntervalSet,
    /// Index of the first interval of that which has not ended yet.
    next_busy: usize,
    /// The time up to which the debts are known.
    now: Nanos,
    debts: [Nanos; Debt::ALL.len()],
    /// The origins of the debts of each kind, the oldest first.
    owed: [VecDeque<Owed>; Debt::ALL.len()],
    /// The parts of the latest gap that pay for lost lead.
    paid: Vec<Paid>,
}

/// A time in which a thread lost lead, and the part of it that is not paid yet.
#[derive(Clone, Copy)]
struct Owed {
    thread: TrackId,
    span: Interval,
    time: Nanos,
}

/// A time that costs a thread lead.
#[derive(Clone, Copy)]
struct Held {
    span: Interval,
    debt: Debt,
    /// Whether the thread continues because what it waited for is done.
    is_anchor: bool,
    thread: TrackId,
}

impl Lead {
    /// Starts without debts, given a device and the times at which it is busy.
    pub(super) fn of(
        trace: &Trace,
        (device, busy): (i64, IntervalSet),
        loader: LoaderKind,
        lanes: &Lanes<'_>,
        hosts: &mut Hosts<'_>,
    ) -> Self {
        let lane = main_lane(trace, device, lanes);
        let mut held = Vec::new();
        if let Some(lane) = lane {
            let threads: Vec<_> = lanes.launching(lane).collect();
            for thread in threads {
                let of_thread = hosts.held(thread).filter_map(|(span, leaf)| {
                    let debt = Debt::of(leaf)?;
                    Some(Held { span, debt, is_anchor: is_anchor(debt, loader), thread })
                });
                held.extend(of_thread);
            }
            // The spans of each thread are sorted: a merge sort finds that.
            held.compact_sort_by_key(|held| held.span.start);
        }
        let debts = [Nanos::ZERO; Debt::ALL.len()];
        let owed = std::array::from_fn(|_| VecDeque::new());
        Self { lane, held, next: 0, busy, next_busy: 0, now: Nanos::MIN, debts, owed, paid: Vec::new() }
    }

    /// Visits the pieces of a gap, by time, and charges them to the lead that was lost before.
    pub(super) fn pay(
        &mut self,
        (trace, lanes): (&Trace, &Lanes<'_>),
        gap: &Gap,
        pieces: &[(Interval, IdleLeaf)],
        mut see: impl FnMut(Interval, BudgetLeaf),
    ) {
        self.paid.clear();
        let lane = gap.call.map(|call| lanes.lane(trace.slices.track(call)));
        if lane.is_none() || lane != self.lane {
            pieces.iter().for_each(|(span, leaf)| see(*span, BudgetLeaf::Idle(*leaf)));
            if lane.is_some() {
                // The device waited for another thread: it would have done so without the wait.
                self.go_on(gap.span.end);
                self.forget(|_| true);
            }
            return;
        }
        for (span, leaf) in pieces.iter().copied() {
            let mut from = span.start;
            if matches!(leaf, IdleLeaf::RuntimeCall | IdleLeaf::Operator | IdleLeaf::Python | IdleLeaf::Range) {
                self.go_on(from);
                for debt in Debt::ALL {
                    let paid = self.debts[debt as usize].min(span.end - from);
                    if paid > Nanos::ZERO {
                        self.debts[debt as usize] -= paid;
                        self.take(debt, Interval::new(from, from + paid));
                        see(Interval::new(from, from + paid), BudgetLeaf::LeadLost(debt));
                        from += paid;
                    }
                }
            }
            if from < span.end {
                see(Interval::new(from, span.end), BudgetLeaf::Idle(leaf));
            }
        }
    }

    /// Adds up the debts until a time.
    fn go_on(&mut self, until: Nanos) {
        while let Some(Held { span, debt, is_anchor, thread }) =
            self.held.get(self.next).copied().filter(|held| held.span.start < until)
        {
            let part = Interval::new(span.start.max(self.now), span.end.min(until));
            let held = self.busy_in(part);
            self.debts[debt as usize] += held;
            if held > Nanos::ZERO {
                self.owed[debt as usize].push_back(Owed { thread, span, time: held });
            }
            if span.end > until {
                break;
            }
            if is_anchor {
                // After this wait, the host is late for no other cause.
                self.forget(|other| other != debt);
            }
            self.next += 1;
        }
        self.now = self.now.max(until);
    }

    /// Drops the debts of some kinds.
    fn forget(&mut self, is_gone: impl Fn(Debt) -> bool) {
        for debt in Debt::ALL.into_iter().filter(|debt| is_gone(*debt)) {
            self.debts[debt as usize] = Nanos::ZERO;
            self.owed[debt as usize].clear();
        }
    }

    /// Takes a payment from the oldest origins of a debt.
    fn take(&mut self, debt: Debt, paid: Interval) {
        let owed = &mut self.owed[debt as usize];
        let mut from = paid.start;
        while let Some(oldest) = owed.front_mut().filter(|_| from < paid.end) {
            let part = Interval::new(from, paid.end.min(from + oldest.time));
            self.paid.push(Paid { debt, thread: oldest.thread, lost: oldest.span, part });
            from = part.end;
            oldest.time -= part.len();
            if oldest.time == Nanos::ZERO {
                owed.pop_front();
            }
        }
    }

    /// The parts of the latest gap that pay for lost lead, with its origins.
    pub(super) fn paid(&self) -> &[Paid] {
        &self.paid
    }

    /// The time for which the device is busy in a span; spans come by start.
    fn busy_in(&mut self, span: Interval) -> Nanos {
        let busy = self.busy.intervals();
        while busy.get(self.next_busy).is_some_and(|busy| busy.end <= span.start) {
            self.next_busy += 1;
        }
        let inside = busy[self.next_busy..].iter().take_while(|busy| busy.start < span.end);
        inside.map(|busy| busy.intersection(span).len()).sum()
    }
}

/// The lane whose threads launch nearly all of a device's work.
fn main_lane(trace: &Trace, device: i64, lanes: &Lanes<'_>) -> Option<usize> {
    let mut counts: Vec<u64> = vec![0; lanes.len() + 1];
    for activity in &trace.activities {
        let is_here = trace.stream_of(activity.event).is_some_and(|stream| stream.device == device);
        if let Some(call) = activity.call.get().filter(|_| is_here) {
            counts[lanes.lane(trace.slices.track(call)).min(lanes.len())] += 1;
        }
    }
    let all: u64 = counts.iter().sum();
    let (lane, most) = counts.iter().take(lanes.len()).enumerate().max_by_key(|(_, count)| **count)?;
    (all > 0 && (all - most).saturating_mul(SHARED) < all).then_some(lane)
}

/// Whether a thread with such a debt may continue because what it waited for is done. The trace does not show what that
/// was, so all of the other debts end there.
fn is_anchor(debt: Debt, loader: LoaderKind) -> bool {
    match debt {
        Debt::Synchronization | Debt::Allocation | Debt::HostCollective => true,
        // A wait for a worker ends at the worker's own time. This is assumed where the trace does not show that the
        // process itself loads.
        Debt::Data => loader != LoaderKind::SingleProcess,
        Debt::GarbageCollection | Debt::Compile => false,
    }
}
