//! The functions of the host, or the activities of a device, in which a cause's time is.

use std::cmp::Reverse;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::cause_kind::CauseKind;
use super::leaf::Debt;
use crate::idle::python_of;
use crate::innermost::innermost;
use crate::steps::marks_step;
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{EventId, NameId, Trace, TrackId};

/// The part of a cause's time that is in a function of the host, or in activities of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CauseFunction {
    /// The call or activity that has most of it.
    pub event: EventId,
    /// The time in all calls or activities of that name.
    pub time: Nanos,
}

/// So many functions of a cause are kept.
const KEPT: usize = 20;

/// A part of a gap that a time pays for in which the host lost lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paid {
    pub(super) debt: Debt,
    pub(super) thread: TrackId,
    /// When it lost the lead.
    pub(super) lost: Interval,
    /// The part of the gap.
    pub(super) part: Interval,
}

#[derive(Clone, Copy)]
struct Sum {
    time: Nanos,
    longest: Nanos,
    event: EventId,
}

/// The times of functions, by cause and name.
#[derive(Default)]
pub(super) struct Functions(HashMap<(CauseKind, NameId), Sum, FxBuildHasher>);

impl Functions {
    /// Adds a time in which an activity or call takes place.
    pub(super) fn add(&mut self, trace: &Trace, kind: CauseKind, event: EventId, time: Nanos) {
        if time == Nanos::ZERO {
            return;
        }
        let none = Sum { time: Nanos::ZERO, longest: Nanos::ZERO, event };
        let sum = self.0.entry((kind, trace.slices.name(event))).or_insert(none);
        sum.time += time;
        if time > sum.longest {
            (sum.longest, sum.event) = (time, event);
        }
    }

    /// Adds what a thread did in a span: its innermost Python functions, or where none is recorded its innermost calls.
    pub(super) fn add_host(&mut self, trace: &Trace, kind: CauseKind, thread: TrackId, span: Interval) {
        if thread == TrackId::NONE {
            return;
        }
        each_function(trace, thread, span, |event, part| self.add(trace, kind, event, part.len()));
    }

    /// Adds a time by which the host was late since it lost lead before: to the function in which it lost most of that.
    pub(super) fn add_paid(&mut self, trace: &Trace, kind: CauseKind, paid: &Paid, time: Nanos) {
        let mut most: Option<(Nanos, EventId)> = None;
        each_function(trace, paid.thread, paid.lost, |event, part| {
            if most.is_none_or(|(longest, _)| part.len() > longest) {
                most = Some((part.len(), event));
            }
        });
        if let Some((_, event)) = most {
            self.add(trace, kind, event, time);
        }
    }

    /// The functions of each cause, those with the most time first.
    pub(super) fn finish(self) -> Vec<(CauseKind, CauseFunction)> {
        let of =
            |((kind, _), Sum { time, event, .. }): ((CauseKind, NameId), Sum)| (kind, CauseFunction { event, time });
        let mut found: Vec<(CauseKind, CauseFunction)> = self.0.into_iter().map(of).collect();
        found.compact_sort_by_key(|(kind, function)| (*kind, Reverse(function.time), function.event));
        let firsts = found.chunk_by(|(one, _), (other, _)| one == other).flat_map(|of_kind| of_kind.iter().take(KEPT));
        firsts.copied().collect()
    }
}

/// Shows the innermost function at each time of a span, where one is recorded: a step's mark is none.
fn each_function(trace: &Trace, thread: TrackId, span: Interval, mut see: impl FnMut(EventId, Interval)) {
    let mut silent = Vec::new();
    match python_of(trace, thread) {
        Some(python) => innermost(trace, python, span, |event, part| match event.get() {
            Some(event) => see(event, part),
            None => silent.push(part),
        }),
        None => silent.push(span),
    }
    for part in silent {
        innermost(trace, thread, part, |event, part| {
            if let Some(event) = event.get().filter(|event| !marks_step(trace.name_of(*event))) {
                see(event, part);
            }
        });
    }
}

/// The functions of a cause on several devices, those with the most time first.
pub(super) fn merged(trace: &Trace, of_devices: impl Iterator<Item = CauseFunction>) -> Vec<CauseFunction> {
    let mut all: Vec<CauseFunction> = Vec::new();
    for function in of_devices {
        let name = trace.slices.name(function.event);
        match all.iter_mut().find(|known| trace.slices.name(known.event) == name) {
            Some(known) => known.time += function.time,
            None => all.push(function),
        }
    }
    all.compact_sort_by_key(|function| (Reverse(function.time), function.event));
    all
}
