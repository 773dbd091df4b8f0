//! Distributions of lengths of time.

use super::statistics::Statistics;
use stepscope_base::{Interval, Nanos};

/// One bar of a histogram per power of two: lengths of 0, of 1 ns, of 2 to 3 ns, of 4 to 7 ns, …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Histogram([u64; Self::BARS]);

/// One bar: its lengths from the start to before the end, and their number.
pub type Bar = (Interval, u64);

impl Histogram {
    const BARS: usize = 64;

    /// The histogram of lengths; a negative one counts as zero.
    #[must_use]
    pub fn of(lengths: &[Nanos]) -> Self {
        let mut bars = [0; Self::BARS];
        for length in lengths {
            // A length of n bits.
            bars[64 - length.0.max(0).leading_zeros() as usize] += 1;
        }
        Self(bars)
    }

    /// The bars that are not empty.
    pub fn bars(&self) -> impl Iterator<Item = Bar> + '_ {
        let start = |bits: usize| if bits == 0 { Nanos::ZERO } else { Nanos(1 << (bits - 1)) };
        let end = |bits: usize| if bits < Self::BARS - 1 { Nanos(1 << bits) } else { Nanos::MAX };
        let filled = self.0.iter().enumerate().filter(|(_, count)| **count > 0);
        filled.map(move |(bits, count)| (Interval::new(start(bits), end(bits)), *count))
    }
}

/// Lengths of time by statistics and histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// Their statistics.
    pub statistics: Statistics,
    /// Number of lengths in each bar.
    pub histogram: Histogram,
}

impl Distribution {
    /// The distribution of lengths; reorders them.
    #[must_use]
    pub fn of(lengths: &mut [Nanos]) -> Self {
        Self { histogram: Histogram::of(lengths), statistics: Statistics::of(lengths) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(lengths: &[i64]) -> Vec<(i64, i64, u64)> {
        let lengths: Vec<Nanos> = lengths.iter().copied().map(Nanos).collect();
        Histogram::of(&lengths).bars().map(|(bar, count)| (bar.start.0, bar.end.0, count)).collect()
    }

    #[test]
    fn a_bar_per_power_of_two() {
        assert_eq!(bars(&[]), []);
        assert_eq!(bars(&[0, 0, 1]), [(0, 1, 2), (1, 2, 1)]);
        assert_eq!(bars(&[2, 3, 4, 31]), [(2, 4, 2), (4, 8, 1), (16, 32, 1)]);
        assert_eq!(bars(&[i64::MAX]), [(1 << 62, i64::MAX, 1)]);
    }
}
