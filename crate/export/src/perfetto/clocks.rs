//! Each rank's time zero on the clock of a trace of several ranks.

use stepscope_analyze::Rank;
use stepscope_analyze::{ClockCorrection, ClockSource, RankClock};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Trace, Track};

/// The clocks of the ranks that are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Zeros {
    /// The start of the trace in ns since 1970, if known.
    pub(super) start: Option<i64>,
    /// The clock of each rank.
    pub(super) clocks: Vec<Clock>,
}

/// A rank's clock on that of the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// Offset of its time zero.
    later: Nanos,
    /// The correction of its jump or drift.
    bend: ClockCorrection,
    /// Whether its clock went back, so that later events may stand before earlier ones.
    goes_back: bool,
}

impl Clock {
    /// A time of the rank on the clock of the trace.
    ///
    /// A slice during a clock jump keeps its start and end; its length excludes the jump.
    pub(super) fn at(self, moment: Nanos) -> Nanos {
        Nanos(moment.0.saturating_add(self.later.0).saturating_sub(self.bend.at(moment).0))
    }

    /// A time of the trace on the rank's clock; where the clock went back and two times fit, the later one.
    fn own(self, moment: Nanos) -> Nanos {
        let even = Nanos(moment.0.saturating_sub(self.later.0));
        match self.bend {
            ClockCorrection::None => even,
            ClockCorrection::Jump { at, .. } if self.goes_back && (Nanos::ZERO..at).contains(&even) => even,
            ClockCorrection::Jump { at, by, .. } => {
                let behind = Nanos(even.0.saturating_add(by.0));
                if behind >= at || self.goes_back { behind } else { even.min(at) }
            }
            ClockCorrection::Drift { from, to, by } => {
                let [even, from, to, by] = [even, from, to, by].map(|time| i128::from(time.0));
                let own = from + ((even - from) * (to - from)).div_euclid((to - from - by).max(1));
                Nanos(i64::try_from(own).unwrap_or_default())
            }
        }
    }

    /// A span of time of the first rank on this rank's clock.
    pub(super) fn span_of(self, first: Self, span: Interval) -> Interval {
        let [start, end] = [span.start, span.end].map(|moment| self.own(first.at(moment)));
        // The clock went back within the span: it then lasts to the end of the trace.
        Interval { start, end: if end < start { Nanos::MAX } else { end } }
    }

    /// The clock with its jump fitted to all events of the trace: no event lies in the time that the clock jumps
    /// over.
    /// The order and nesting of events is kept: where there is too little room, the jump is shortened.
    pub(super) fn of_trace(self, trace: &Trace) -> Self {
        let ClockCorrection::Jump { at, by, .. } = self.bend else { return self };
        if by <= Nanos::ZERO {
            return self;
        }
        let slices = trace.tracks.iter().flat_map(Track::events).map(|id| trace.slices.interval(id));
        let points = trace.memory.iter().map(|event| event.at).chain(trace.instants.iter().map(|mark| mark.at));
        let samples = trace.counters.iter().flat_map(|counter| counter.samples.iter().map(|sample| sample.at));
        let moments = slices.flat_map(|span| [span.start, span.end]).chain(points).chain(samples);
        let bend = match self.bend.within(at, moments) {
            ClockCorrection::Jump { after, at, by } if !self.goes_back => {
                ClockCorrection::Jump { after, at, by: by.min(at - after) }
            }
            other => other,
        };
        Self { bend, ..self }
    }
}

impl Zeros {
    /// Ranks keep their distance by the clock that they share, else by their collectives, as in the tables of the
    /// job. A rank that neither relates to the others starts with the first of them.
    pub(super) fn of(ranks: &[&Rank], clocks: &[Option<RankClock>]) -> Self {
        let is_known = |clock: &RankClock| clock.source != ClockSource::Unknown;
        let mut zeros: Vec<Option<i64>> = vec![None; ranks.len()];
        let mut shown = vec![Clock::default(); ranks.len()];
        for ((zero, shown), clock) in zeros.iter_mut().zip(&mut shown).zip(clocks) {
            if let Some(clock) = clock.filter(is_known) {
                *zero = Some(clock.offset.0);
                (shown.bend, shown.goes_back) = (keeps_order(clock.bend), clock.goes_back);
            }
        }
        // The absolute time of that clock's zero, from the first rank that has one; for a single rank, its own.
        let origin = |place: usize| ranks[place].trace.meta.origin_unix_ns;
        let is_even = |place: &usize| shown[*place].bend == ClockCorrection::None;
        let even = (0..ranks.len()).filter(is_even).chain((0..ranks.len()).filter(|place| !is_even(place)));
        let absolute = even.into_iter().find_map(|place| origin(place)?.checked_sub(zeros[place]?));
        if zeros.iter().all(Option::is_none) {
            zeros = (0..ranks.len()).map(origin).collect();
        }
        // A clock that goes back shows its first times after the jump.
        let first_of = |(zero, clock): (&Option<i64>, &Clock)| {
            let back = match clock.bend {
                ClockCorrection::Jump { at, .. } if clock.goes_back => Some(at),
                _ => None,
            };
            let firsts = std::iter::once(Nanos::ZERO).chain(back);
            zero.and_then(|zero| firsts.map(|at| zero.saturating_add(at.0).saturating_sub(clock.bend.at(at).0)).min())
        };
        let first = zeros.iter().zip(&shown).filter_map(first_of).min();
        let start = match absolute {
            Some(absolute) => first.and_then(|first| absolute.checked_add(first)),
            None => first.filter(|_| !clocks.iter().flatten().any(is_known)),
        };
        for (clock, zero) in shown.iter_mut().zip(&zeros) {
            clock.later = Nanos(zero.zip(first).map_or(0, |(own, first)| own.saturating_sub(first)));
        }
        Self { start, clocks: shown }
    }
}

/// Drops a drift faster than time itself: to correct it would reverse the order of events.
fn keeps_order(bend: ClockCorrection) -> ClockCorrection {
    match bend {
        ClockCorrection::Drift { from, to, by } if by >= to - from => ClockCorrection::None,
        other => other,
    }
}
