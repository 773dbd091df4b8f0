//! Reproducible randomness.

/// `SplitMix64`: ten lines that give the same numbers on every platform and in every version; no crate promises that.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Equal seeds give equal numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high.saturating_sub(low) + 1)
    }

    /// A time around a mean: half to one and a half of it, at least one.
    pub(crate) fn around(&mut self, mean: u64) -> u64 {
        self.range(mean / 2, mean + mean / 2).max(1)
    }

    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.range(0, 99) < chance
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        let last = of.len() as u64 - 1;
        of[usize::try_from(self.range(0, last)).unwrap_or_default()]
    }
}
