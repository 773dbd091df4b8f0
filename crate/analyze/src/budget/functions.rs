//! The functions of the host, or the activities of a device, in which a cause's time is.

use std::cmp::Reverse;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::cause_kind::CauseKind;
use super::leaf::Debt;
use crate::by_name::ByName;
use crate::idle::python_of;
use crate::innermost::Innermost;
use crate::steps::{Step, Steps, marks_step};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{EventId, NameId, Trace, TrackId};

/// The part of a cause's time that is in a function of the host, or in activities of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CauseFunction {
    /// The call or activity that has most of it.
    pub event: EventId,
    /// The time in all calls or activities of that name.
    pub time: Nanos,
    /// The longest part of that without a break.
    pub(super) longest: Nanos,
}

/// The number of functions kept for each cause.
const KEPT: usize = 20;

/// A part of a gap that is charged to an earlier time in which the host lost lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paid {
    pub(super) debt: Debt,
    pub(super) thread: TrackId,
    /// The time in which the thread lost the lead.
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

/// The times of functions, by cause and name. Those without a cause are kernels whose limit is not known.
#[derive(Default)]
struct Sums(HashMap<(Option<CauseKind>, NameId), Sum, FxBuildHasher>);

impl Sums {
    fn add(&mut self, trace: &Trace, kind: Option<CauseKind>, event: EventId, time: Nanos) {
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
}

/// The slices that mark steps: these are not functions.
struct Marks<'a> {
    trace: &'a Trace,
    steps: &'a [Step],
    names: ByName<bool>,
}

impl Marks<'_> {
    /// Whether a slice marks one of the steps, whatever the marks are called.
    fn has(&mut self, event: EventId) -> bool {
        let Self { trace, steps, names } = self;
        let span = trace.slices.interval(event);
        let after = steps.partition_point(|step| step.mark.start <= span.start);
        let is_one = after.checked_sub(1).is_some_and(|step| steps[step].mark == span);
        is_one || names.get(trace, trace.slices.name(event))
    }
}

/// The times of functions, by cause and name.
pub(super) struct Functions<'a> {
    trace: &'a Trace,
    innermost: Innermost<'a>,
    marks: Marks<'a>,
    sums: Sums,
    /// By debt, the latest time in which the host lost lead, and the function there: many gaps pay for one such time.
    lost: [Option<(TrackId, Interval, EventId)>; Debt::ALL.len()],
}

impl<'a> Functions<'a> {
    pub(super) fn new(trace: &'a Trace, steps: &'a Steps) -> Self {
        let steps = if steps.source.is_marked() { steps.steps.as_slice() } else { &[] };
        let marks = Marks { trace, steps, names: ByName::of(trace, marks_step) };
        Self { trace, innermost: Innermost::of(trace), marks, sums: Sums::default(), lost: [None; Debt::ALL.len()] }
    }

    /// Adds a time in which an activity or call takes place.
    pub(super) fn add(&mut self, kind: CauseKind, event: EventId, time: Nanos) {
        self.sums.add(self.trace, Some(kind), event, time);
    }

    /// Adds a time of a kernel whose limit is not known.
    pub(super) fn add_without_limit(&mut self, event: EventId, time: Nanos) {
        self.sums.add(self.trace, None, event, time);
    }

    /// Adds a thread's part of a cause in a span: to its innermost Python functions, or its innermost calls where none
    /// is recorded.
    pub(super) fn add_host(&mut self, kind: CauseKind, thread: TrackId, span: Interval) {
        if thread == TrackId::NONE {
            return;
        }
        let python = self.python(kind, thread);
        let Self { trace, innermost, marks, sums, .. } = self;
        each_function(innermost, marks, (python, thread), span, |event, part| {
            sums.add(trace, Some(kind), event, part.len());
        });
    }

    /// Adds a time by which the host was late because it lost lead before: to the function in which it lost most of
    /// that lead.
    pub(super) fn add_paid(&mut self, kind: CauseKind, paid: &Paid, time: Nanos) {
        let python = self.python(kind, paid.thread);
        let known = &mut self.lost[paid.debt as usize];
        let event = match *known {
            Some((thread, lost, event)) if (thread, lost) == (paid.thread, paid.lost) => event,
            _ => {
                let mut most = (Nanos::ZERO, EventId::NONE);
                each_function(&mut self.innermost, &mut self.marks, (python, paid.thread), paid.lost, |event, part| {
                    if part.len() > most.0 {
                        most = (part.len(), event);
                    }
                });
                *known = Some((paid.thread, paid.lost, most.1));
                most.1
            }
        };
        if let Some(event) = event.get() {
            self.add(kind, event, time);
        }
    }

    /// The track of Python functions that a thread's part of a cause is in. None where the cause is calls, whichever
    /// function makes them.
    fn python(&self, kind: CauseKind, thread: TrackId) -> Option<TrackId> {
        match kind {
            CauseKind::SlowCalls | CauseKind::Allocation => None,
            _ => python_of(self.trace, thread),
        }
    }

    /// The functions of each cause, those with the most time first.
    pub(super) fn finish(self) -> Vec<(Option<CauseKind>, CauseFunction)> {
        let of = |((kind, _), Sum { time, longest, event }): ((Option<CauseKind>, NameId), Sum)| {
            (kind, CauseFunction { event, time, longest })
        };
        let mut found: Vec<(Option<CauseKind>, CauseFunction)> = self.sums.0.into_iter().map(of).collect();
        found.compact_sort_by_key(|(kind, function)| (*kind, Reverse(function.time), function.event));
        let firsts = found.chunk_by(|(one, _), (other, _)| one == other).flat_map(|of_kind| of_kind.iter().take(KEPT));
        firsts.copied().collect()
    }
}

/// Visits the innermost Python function at each time of a span, or the innermost call where none is recorded. A slice
/// that marks a step is neither.
fn each_function(
    innermost: &mut Innermost<'_>,
    marks: &mut Marks<'_>,
    (python, thread): (Option<TrackId>, TrackId),
    span: Interval,
    mut see: impl FnMut(EventId, Interval),
) {
    let mut silent = Vec::new();
    match python {
        Some(python) => innermost.each(python, span, |event, part| match event.get() {
            Some(event) => see(event, part),
            None => silent.push(part),
        }),
        None => silent.push(span),
    }
    for part in silent {
        innermost.each(thread, part, |event, part| {
            if let Some(event) = event.get().filter(|event| !marks.has(*event)) {
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
            Some(known) => {
                known.time += function.time;
                if function.longest > known.longest {
                    (known.event, known.longest) = (function.event, function.longest);
                }
            }
            None => all.push(function),
        }
    }
    all.compact_sort_by_key(|function| (Reverse(function.time), function.event));
    all
}
