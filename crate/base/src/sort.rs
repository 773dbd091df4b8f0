//! Sorting without a copy of the standard library's sort for each type.
//!
//! `slice::sort` and its variants are compiled anew for every type and order, 4 to 10 KB each time: made for speed on
//! any data. Here, one copy sorts positions by a given comparison, and elements are moved to their places afterwards.
//! Each comparison costs an additional indirect call. So this is for data that is short, mostly sorted or rarely
//! sorted. Code that sorts all of a trace's events uses the standard library, in the files that `tests/layers` lists.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::Nanos;

/// Sorts with small code. All of them are stable.
pub trait CompactSort<T> {
    /// Sorts by a comparison, as [`slice::sort_by`].
    fn compact_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts by a key, as [`slice::sort_by_key`].
    fn compact_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);

    /// Sorts by the elements' own order, as [`slice::sort`].
    fn compact_sort(&mut self)
    where
        T: Ord;
}

/// Sorts times or lengths, possibly as many as events: one copy of the standard library's sort for all.
///
/// Often they consist of a few sorted runs: a merge sort finds those.
pub fn sort_times(times: &mut [Nanos]) {
    times.sort();
}

/// A map of few entries, inserted one by one: `collect` sorts them before, with a copy of the standard library's sort for
/// each type.
pub fn map_of<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(entries);
    map
}

impl<T> CompactSort<T> for [T] {
    fn compact_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let order = order(self.len(), &|a, b| compare(&self[a], &self[b]));
        reorder(order, &mut |a, b| self.swap(a, b));
    }

    fn compact_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        let order = order(self.len(), &|a, b| key(&self[a]).cmp(&key(&self[b])));
        reorder(order, &mut |a, b| self.swap(a, b));
    }

    fn compact_sort(&mut self)
    where
        T: Ord,
    {
        self.compact_sort_by(T::cmp);
    }
}

/// The positions of `len` elements in sorted order; empty if they are sorted.
fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    if (1..len).all(|next| compare(next - 1, next).is_le()) {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Moves each element to its place: cycle by cycle of the order, which is consumed.
fn reorder(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for first in 0..order.len() {
        let mut place = first;
        loop {
            let from = std::mem::replace(&mut order[place], place);
            if from == first {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn as_the_standard_library_sorts(values in proptest::collection::vec((0_u8..20, 0_u8..20), 0..100)) {
            let numbered: Vec<(usize, (u8, u8))> = values.into_iter().enumerate().collect();
            let (mut expected, mut found) = (numbered.clone(), numbered.clone());
            // Equal elements keep their order, as the numbers show.
            expected.sort_by_key(|(_, (first, _))| *first);
            found.compact_sort_by_key(|(_, (first, _))| *first);
            proptest::prop_assert_eq!(&found, &expected);
            expected.sort_by_key(|(_, (_, second))| std::cmp::Reverse(*second));
            found.compact_sort_by(|(_, a), (_, b)| b.1.cmp(&a.1));
            proptest::prop_assert_eq!(&found, &expected);
            found.compact_sort();
            proptest::prop_assert_eq!(&found, &numbered);
        }
    }
}
