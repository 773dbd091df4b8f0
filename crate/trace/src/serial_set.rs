//! Sets of ids that a producer counts up.

use super::details::Serial;

/// A set of serials, at about a bit each where they are close together.
pub(super) struct SerialSet {
    first: Serial,
    bits: Vec<u64>,
    /// The serials in order, where a bit for each between the first and the last would take more memory.
    sorted: Vec<Serial>,
}

impl SerialSet {
    /// The set of the given serials, in any order.
    pub(super) fn of(serials: impl Iterator<Item = Serial> + Clone) -> Self {
        let (mut first, mut last, mut count) = (Serial::MAX, 0, 0_usize);
        for serial in serials.clone() {
            (first, last, count) = (first.min(serial), last.max(serial), count + 1);
        }
        let mut set = Self { first, bits: Vec::new(), sorted: Vec::new() };
        let words = last.saturating_sub(first) as usize / 64 + 1;
        if count == 0 {
            return set;
        }
        if words * size_of::<u64>() > count * size_of::<Serial>() {
            set.sorted = serials.collect();
            set.sorted.sort_unstable();
            return set;
        }
        set.bits = vec![0; words];
        for serial in serials {
            let bit = (serial - first) as usize;
            set.bits[bit / 64] |= 1 << (bit % 64);
        }
        set
    }

    /// Whether the set has a serial.
    #[inline]
    pub(super) fn contains(&self, serial: Serial) -> bool {
        let Some(bit) = serial.checked_sub(self.first) else { return false };
        match self.bits.get(bit as usize / 64) {
            Some(word) => word & (1 << (bit % 64)) != 0,
            None => self.sorted.binary_search(&serial).is_ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, proptest};

    use super::*;

    fn check(serials: &[Serial]) {
        let set = SerialSet::of(serials.iter().copied());
        let near = serials.iter().flat_map(|serial| [serial.saturating_sub(1), *serial, serial.saturating_add(1)]);
        for serial in near.chain([0, 7, Serial::MAX]) {
            assert_eq!(set.contains(serial), serials.contains(&serial), "{serial} in {serials:?}");
        }
    }

    #[test]
    fn none_one_and_the_extremes() {
        check(&[]);
        check(&[5]);
        check(&[0, Serial::MAX]);
        check(&[Serial::MAX]);
    }

    proptest! {
        #[test]
        fn near_each_other(serials in prop::collection::vec(1000..1300_u32, 0..200)) {
            check(&serials);
        }

        #[test]
        fn far_from_each_other(serials in prop::collection::vec(any::<u32>(), 0..200)) {
            check(&serials);
        }
    }
}
