//! From a recording's clock to nanoseconds.

/// One moment on three clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    /// On the recording's clock.
    pub clock: u64,
    /// `CLOCK_MONOTONIC` in ns.
    pub monotonic: u64,
    /// `CLOCK_REALTIME` in ns since 1970.
    pub realtime: u64,
}

/// Clock of a recording's times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// `CLOCK_MONOTONIC` in ns.
    Monotonic,
    /// A counter that ran evenly from one anchor to another.
    Counter {
        /// An early moment.
        first: Anchor,
        /// A late one.
        last: Anchor,
        /// Ticks per second, used when the two anchors are too close to measure it.
        nominal: u64,
    },
}

impl Clock {
    /// Anchors closer than this cannot measure a counter's speed: 10 ms, read to ~50 ns each.
    const CLOSE: u64 = 10_000_000;

    /// A time in ns of `CLOCK_MONOTONIC`.
    #[must_use]
    pub fn nanos(&self, at: u64) -> u64 {
        match self {
            Self::Monotonic => at,
            Self::Counter { first, .. } => {
                let (ns, ticks) = self.speed();
                let since = i128::from(at) - i128::from(first.clock);
                // Damaged anchors give products beyond even 128 bits.
                let since = since.saturating_mul(i128::from(ns)) / i128::from(ticks);
                let time = since.saturating_add(i128::from(first.monotonic));
                u64::try_from(time.max(0)).unwrap_or(u64::MAX)
            }
        }
    }

    /// The inverse: a time in ns of `CLOCK_MONOTONIC` on this clock.
    #[must_use]
    pub fn of_nanos(&self, nanos: u64) -> u64 {
        match self {
            Self::Monotonic => nanos,
            Self::Counter { first, .. } => {
                let (ns, ticks) = self.speed();
                let since = i128::from(nanos) - i128::from(first.monotonic);
                let since = since.saturating_mul(i128::from(ticks)) / i128::from(ns);
                let at = since.saturating_add(i128::from(first.clock));
                u64::try_from(at.max(0)).unwrap_or(u64::MAX)
            }
        }
    }

    /// Nanoseconds, and the ticks in the same time.
    fn speed(&self) -> (u64, u64) {
        match self {
            Self::Counter { first, last, .. }
                if last.monotonic.saturating_sub(first.monotonic) >= Self::CLOSE && last.clock > first.clock =>
            {
                (last.monotonic - first.monotonic, last.clock - first.clock)
            }
            Self::Counter { nominal, .. } => (1_000_000_000, (*nominal).max(1)),
            Self::Monotonic => (1, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_become_nanoseconds() {
        let first = Anchor { clock: 3_000, monotonic: 1_000, realtime: 0 };
        let nominal = 3_000_000_000;
        let alone = Clock::Counter { first, last: Anchor::default(), nominal };
        assert_eq!((alone.nanos(3_300), alone.nanos(2_700), alone.nanos(0)), (1_100, 900, 0));
        let last = Anchor { clock: 3_000 + 40_000_000, monotonic: 1_000 + 20_000_000, realtime: 0 };
        let measured = Clock::Counter { first, last, nominal };
        assert_eq!((measured.nanos(3_000), measured.nanos(last.clock)), (1_000, last.monotonic));
        assert_eq!(measured.nanos(3_002), 1_001);
        assert_eq!(measured.nanos(u64::MAX), 1_000 + (u64::MAX - 3_000) / 2);
        assert_eq!(Clock::Counter { first, last, nominal: 0 }.nanos(3_002), 1_001);
        assert_eq!(Clock::Monotonic.nanos(5), 5);
    }

    #[test]
    fn anchors_that_are_nonsense_overflow_nothing() {
        let first = Anchor { clock: 0, monotonic: 0, realtime: 0 };
        let fast = Clock::Counter { first, last: Anchor { clock: 1, monotonic: u64::MAX, realtime: 0 }, nominal: 1 };
        assert_eq!((fast.nanos(u64::MAX), fast.of_nanos(u64::MAX)), (u64::MAX, 1));
        let slow =
            Clock::Counter { first, last: Anchor { clock: u64::MAX, monotonic: 1 << 30, realtime: 0 }, nominal: 1 };
        assert_eq!((slow.nanos(u64::MAX), slow.of_nanos(u64::MAX)), (1 << 30, u64::MAX));
    }

    #[test]
    fn nanoseconds_become_ticks() {
        let first = Anchor { clock: 3_000, monotonic: 1_000, realtime: 0 };
        let last = Anchor { clock: 3_000 + 40_000_000, monotonic: 1_000 + 20_000_000, realtime: 0 };
        let clock = Clock::Counter { first, last, nominal: 3_000_000_000 };
        assert_eq!((clock.of_nanos(1_000), clock.of_nanos(last.monotonic)), (3_000, last.clock));
        assert_eq!((clock.of_nanos(900), clock.of_nanos(0)), (2_800, 1_000));
        for nanos in [0, 999, 12_345_678, 40_000_001] {
            assert_eq!(clock.nanos(clock.of_nanos(nanos)), nanos);
            assert_eq!(Clock::Monotonic.of_nanos(nanos), nanos);
        }
    }
}
