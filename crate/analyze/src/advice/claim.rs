//! Claims of rules on the devices' time: a wait of the host costs no more than a device idles for it, and no two rules
//! claim the same time.

use crate::IntervalSet;
use stepscope_base::{Interval, Nanos};

/// The time of the devices that a rule is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Claim {
    /// The claimed time, over all steps that count.
    pub(super) time: IntervalSet,
    /// Shorter stretches of it do not count.
    pub(super) shortest: Nanos,
    /// Total time up to which there is no finding.
    pub(super) least: Nanos,
}

impl Claim {
    /// The claimed time without other times.
    pub(super) fn without<'a>(&self, others: impl Iterator<Item = &'a IntervalSet>) -> IntervalSet {
        let left = others.fold(self.time.clone(), |left, other| left.difference(other));
        if self.shortest == Nanos::ZERO {
            return left;
        }
        IntervalSet::of(left.intervals().iter().copied().filter(|span| span.len() >= self.shortest))
    }
}

/// The part of a device's idle time that the host can have caused.
///
/// It is the idle time during a delay of the host, and idle time after it: at most as long as the delay while the
/// device was busy. A later wait of the host for the device ends this, since both are in step then. Without the delay
/// the host is that much earlier, and no activity begins earlier than that.
///
/// `held` has the delays of the host, `late` further times with work on its way to the device (a launch's delay), and
/// `waits` the sorted ends of calls that waited for the device.
pub(super) fn caused(idle: &IntervalSet, held: &IntervalSet, late: &IntervalSet, waits: &[Nanos]) -> IntervalSet {
    let direct = held.union(late);
    let (mut held, mut waits) = (held.intervals(), waits);
    let mut parts: Vec<Interval> = Vec::new();
    let (mut credit, mut at) = (Nanos::ZERO, Nanos::MIN);
    for gap in idle.intervals() {
        // While the device is busy, the host falls behind.
        (credit, waits) = forget(waits, gap.start, &mut at, credit, &mut held);
        let inside = direct.clip(*gap);
        let mut from = gap.start;
        for span in inside.intervals().iter().copied().chain([Interval::new(gap.end, gap.end)]) {
            while from < span.start {
                // A wait that returns here shows that the host was no further behind.
                let next = waits.first().copied().filter(|wait| *wait < span.start);
                if next.is_some_and(|wait| wait <= from) {
                    credit = Nanos::ZERO;
                    waits = &waits[1..];
                    continue;
                }
                let until = next.unwrap_or(span.start);
                let taken = credit.min(until - from);
                parts.push(Interval::new(from, from + taken));
                credit -= taken;
                from = until;
            }
            parts.push(span);
            from = from.max(span.end);
        }
        at = gap.end;
    }
    IntervalSet::of(parts)
}

/// The delay of the host at a time, and the waits that return later.
fn forget<'a>(
    mut waits: &'a [Nanos],
    until: Nanos,
    at: &mut Nanos,
    mut credit: Nanos,
    held: &mut &[Interval],
) -> (Nanos, &'a [Nanos]) {
    let mut go_on = |to: Nanos, credit: &mut Nanos| {
        while let Some((first, rest)) = held.split_first() {
            let part = first.intersection(Interval::new(*at, to.max(*at)));
            *credit += part.len();
            if first.end > to {
                break;
            }
            *held = rest;
        }
        *at = to.max(*at);
    };
    while let Some((first, rest)) = waits.split_first().filter(|(first, _)| **first <= until) {
        go_on(*first, &mut credit);
        credit = Nanos::ZERO;
        waits = rest;
    }
    go_on(until, &mut credit);
    (credit, waits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(spans: &[(i64, i64)]) -> IntervalSet {
        IntervalSet::of(spans.iter().map(|(start, end)| Interval::new(Nanos(*start), Nanos(*end))))
    }

    fn of(idle: &[(i64, i64)], held: &[(i64, i64)], waits: &[i64]) -> IntervalSet {
        let waits: Vec<Nanos> = waits.iter().map(|at| Nanos(*at)).collect();
        caused(&set(idle), &set(held), &IntervalSet::new(), &waits)
    }

    #[test]
    fn a_wait_costs_what_the_device_idles_for_it() {
        // The device is busy throughout.
        assert_eq!(of(&[], &[(10, 60)], &[]), set(&[]));
        // It idled before the wait began.
        assert_eq!(of(&[(0, 10)], &[(10, 60)], &[]), set(&[]));
        // It idles while the host waits.
        assert_eq!(of(&[(40, 50)], &[(10, 60)], &[]), set(&[(40, 50)]));
        // It idles when the host begins to launch again, no longer than the host waited.
        assert_eq!(of(&[(58, 70)], &[(10, 60)], &[]), set(&[(58, 70)]));
        assert_eq!(of(&[(58, 70)], &[(55, 60)], &[]), set(&[(58, 63)]));
        assert_eq!(of(&[(80, 85), (90, 99)], &[(50, 60)], &[]), set(&[(80, 85), (90, 95)]));
    }

    #[test]
    fn a_host_that_waited_for_the_device_again_is_no_longer_behind() {
        assert_eq!(of(&[(80, 90)], &[(10, 60)], &[70]), set(&[]));
        assert_eq!(of(&[(64, 66), (80, 90)], &[(10, 60)], &[70]), set(&[(64, 66)]));
        assert_eq!(of(&[(64, 90)], &[(10, 60)], &[70]), set(&[(64, 70)]));
        assert_eq!(of(&[(80, 90)], &[(10, 60), (75, 78)], &[70]), set(&[(80, 83)]));
    }

    #[test]
    fn what_is_on_its_way_is_late_only_while_the_device_idles() {
        let found = caused(&set(&[(40, 50), (70, 80)]), &set(&[(10, 12)]), &set(&[(12, 45)]), &[]);
        assert_eq!(found, set(&[(40, 47)]));
    }

    #[test]
    fn what_is_left_of_a_claim() {
        let claim = Claim { time: set(&[(0, 10), (20, 60)]), shortest: Nanos(8), least: Nanos::ZERO };
        assert_eq!(claim.without([].iter()), set(&[(0, 10), (20, 60)]));
        assert_eq!(claim.without([set(&[(5, 40)])].iter()), set(&[(40, 60)]));
    }
}
