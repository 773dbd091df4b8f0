//! Which ranks wait for each other.

use std::collections::BTreeMap;

use super::digest::RankDigest;
use super::left_out::LeftOut;
use super::matching::{Matching, PartOf};

/// Ranks that have something in common, be it through others.
#[derive(Debug)]
pub(super) struct Joined {
    /// Per rank, the first of those.
    first: Vec<usize>,
}

impl Joined {
    /// By collectives that they have in common, of so many ranks.
    pub(super) fn by<'a>(ranks: usize, collectives: impl Iterator<Item = &'a [PartOf]>) -> Self {
        let mut first: Vec<usize> = (0..ranks).collect();
        for pair in collectives.flat_map(|parts| parts.windows(2)) {
            let [a, b] = [pair[0], pair[1]].map(|part| first_of(&mut first, part.rank as usize));
            first[a.max(b)] = a.min(b);
        }
        Self { first: (0..ranks).map(|rank| first_of(&mut first, rank)).collect() }
    }

    /// The ranks that wait for each other: in collectives of the steps that count. Ranks of which nothing tells that they have
    /// any in common, or that belong to different jobs, do not hold each other up, whatever they need.
    pub(super) fn by_waiting(ranks: &[RankDigest], matching: &Matching, left_out: &LeftOut) -> Self {
        let counting = matching.collectives.iter().filter(|of| left_out.counts(ranks, matching, of));
        Self::by(ranks.len(), counting.map(|of| matching.parts(of)))
    }

    /// How many have something in common with another one, of those that are asked for.
    pub(super) fn count(&self, is_such: impl Fn(usize) -> bool) -> u64 {
        let mut sizes = vec![0_u64; self.first.len()];
        let such = || self.first.iter().enumerate().filter(|(rank, _)| is_such(*rank)).map(|(_, first)| *first);
        such().for_each(|first| sizes[first] += 1);
        sizes.into_iter().filter(|size| *size > 1).sum()
    }

    /// Those that have something in common with one other alone, two by two.
    pub(super) fn pairs(&self) -> Vec<[usize; 2]> {
        let mut together: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (rank, first) in self.first.iter().enumerate() {
            together.entry(*first).or_default().push(rank);
        }
        together.into_values().filter_map(|some| <[usize; 2]>::try_from(some).ok()).collect()
    }

    /// The first of those that a rank has something in common with, itself among them.
    pub(super) fn first(&self, rank: usize) -> usize {
        self.first[rank]
    }
}

/// Follows the way to the first, and shortens it.
fn first_of(first: &mut [usize], mut rank: usize) -> usize {
    while first[rank] != rank {
        first[rank] = first[first[rank]];
        rank = first[rank];
    }
    rank
}
