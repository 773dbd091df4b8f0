//! Values by ids that a producer counts up.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::details::{NO_SERIAL, Serial};

/// A value for each serial: in one array where the serials are close together, so that neighbors are near in memory.
#[derive(Debug)]
pub(super) struct SerialMap<T> {
    first: Serial,
    near: Vec<T>,
    /// The others, where there would be far more places than serials.
    far: HashMap<Serial, T, FxBuildHasher>,
}

/// Places for each serial that cost about as much as a hash table with its spare capacity.
const PLACES: usize = 3;

impl<T: Copy + Default> SerialMap<T> {
    /// Reserves places for the given serials, with default values.
    pub(super) fn with_room(serials: impl Iterator<Item = Serial>) -> Self {
        let (mut first, mut last, mut count) = (Serial::MAX, 0, 0_usize);
        for serial in serials.filter(|serial| *serial != NO_SERIAL) {
            (first, last, count) = (first.min(serial), last.max(serial), count + 1);
        }
        let places = if count == 0 { 0 } else { (last - first) as usize + 1 };
        let is_near = places <= count * PLACES;
        let near = vec![T::default(); if is_near { places } else { 0 }];
        Self { first, near, far: HashMap::with_capacity_and_hasher(if is_near { 0 } else { count }, FxBuildHasher) }
    }

    /// The value of a serial; the default if none is set.
    #[inline]
    pub(super) fn get(&self, serial: Serial) -> T {
        match self.near.get(serial.wrapping_sub(self.first) as usize) {
            Some(value) => *value,
            None => self.far.get(&serial).copied().unwrap_or_default(),
        }
    }

    /// The same, mutable.
    #[inline]
    pub(super) fn get_mut(&mut self, serial: Serial) -> &mut T {
        match self.near.get_mut(serial.wrapping_sub(self.first) as usize) {
            Some(value) => value,
            None => self.far.entry(serial).or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::{any, prop, proptest};

    use super::*;

    fn check(serials: &[Serial]) {
        // Serials without a reserved place also work.
        for room in [serials, &serials[serials.len() / 2..], &[]] {
            let mut map: SerialMap<u32> = SerialMap::with_room(room.iter().copied());
            let mut expected = BTreeMap::new();
            for (value, serial) in (1_u32..).zip(serials) {
                *map.get_mut(*serial) += value;
                *expected.entry(*serial).or_insert(0) += value;
            }
            let near = serials.iter().flat_map(|serial| [serial.saturating_sub(1), *serial, serial.saturating_add(1)]);
            for serial in near.chain([0, 7, NO_SERIAL]) {
                let known = expected.get(&serial).copied().unwrap_or_default();
                assert_eq!(map.get(serial), known, "{serial} of {serials:?}");
            }
        }
    }

    #[test]
    fn none_one_and_the_extremes() {
        check(&[]);
        check(&[5, 5]);
        check(&[0, Serial::MAX - 1]);
        check(&[NO_SERIAL]);
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
