//! Windows of time for rates of processor time.
//!
//! A thread's time is accounted at the scheduler's next tick, some milliseconds later. In a shorter window the thread
//! seems not to have run at all, and in the next one for several times as long.

use crate::record::scheduler_tick;

/// Ticks that a rate covers at least.
const TICKS: u64 = 8;

/// Relation of a sample to a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    /// There is no sample before it.
    First,
    /// The window is too short for a rate.
    Short,
    /// The rate covers the time from then on.
    Since(u64),
}

/// Consecutive windows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    since: Option<u64>,
    shortest: u64,
}

impl Windows {
    /// From a time at which the process did not exist yet, if one is known.
    pub(super) fn new(since: Option<u64>) -> Self {
        Self { since, shortest: TICKS * scheduler_tick() }
    }

    /// Window that a sample ends; the next one begins with it, unless the window is still too short.
    pub(super) fn next(&mut self, now: u64) -> Window {
        let window = match self.since {
            None => Window::First,
            Some(since) if now.saturating_sub(since) < self.shortest => return Window::Short,
            Some(since) => Window::Since(since),
        };
        self.since = Some(now);
        window
    }
}

/// The part of an accounted time that fits into a window; the rest, accounted too late, counts for the next one.
pub(super) fn within(late: &mut u64, told: u64, most: u64) -> u64 {
    *late = late.saturating_add(told);
    let now = most.min(*late);
    *late -= now;
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: u64 = 1_000_000;

    #[test]
    fn rates_are_of_several_ticks() {
        let mut windows = Windows { since: None, shortest: 32 * MILLISECOND };
        let mut found = Vec::new();
        for pass in 0..100 {
            let now = (7 + pass) * MILLISECOND;
            match windows.next(now) {
                Window::First => assert_eq!(pass, 0),
                Window::Short => {}
                Window::Since(at) => found.push((at / MILLISECOND, now / MILLISECOND)),
            }
        }
        assert_eq!(found, [(7, 39), (39, 71), (71, 103)]);
        let mut known = Windows { since: Some(5), ..windows };
        assert_eq!(known.next(5 + 32 * MILLISECOND), Window::Since(5));
        assert!(Windows::new(None).shortest >= 8 * MILLISECOND);
    }

    /// A thread that runs all the time, sampled each millisecond by a kernel of 250 ticks a second.
    #[test]
    fn nobody_runs_longer_than_there_is_time() {
        let (mut late, mut before, mut sum) = (0, 0, 0);
        for now in 1..=1000_u64 {
            let told = now / 4 * 4;
            let ran = within(&mut late, told - before, 1);
            assert!(ran <= 1, "at {now}");
            assert!(now <= 4 || ran == 1, "without a gap: at {now}");
            (before, sum) = (told, sum + ran);
        }
        assert_eq!((sum, late), (997, 3), "nothing is lost");
        assert_eq!(within(&mut late, 0, 10), 3);
        assert_eq!(within(&mut late, u64::MAX, 7), 7);
    }
}
