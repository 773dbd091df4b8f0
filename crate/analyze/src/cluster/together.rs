//! Groups of ranks that wait for each other.

use std::collections::BTreeMap;

use super::digest::RankDigest;
use super::left_out::LeftOut;
use super::matching::{Matching, PartOf};

/// Groups of ranks that are connected, directly or through others.
#[derive(Debug)]
pub(super) struct Joined {
    /// By rank: the first rank of its group.
    first: Vec<usize>,
}

impl Joined {
    /// Joins ranks, of so many, that share collectives.
    pub(super) fn by<'a>(ranks: usize, collectives: impl Iterator<Item = &'a [PartOf]>) -> Self {
        let mut first: Vec<usize> = (0..ranks).collect();
        for pair in collectives.flat_map(|parts| parts.windows(2)) {
            let [a, b] = [pair[0], pair[1]].map(|part| first_of(&mut first, part.rank as usize));
            first[a.max(b)] = a.min(b);
        }
        Self { first: (0..ranks).map(|rank| first_of(&mut first, rank)).collect() }
    }

    /// Joins the ranks that wait for each other in collectives of the steps that count. Ranks without known common
    /// collectives, or of different jobs, do not delay each other.
    pub(super) fn by_waiting(ranks: &[RankDigest], matching: &Matching, left_out: &LeftOut) -> Self {
        let counting = matching.collectives.iter().filter(|of| left_out.counts(ranks, matching, of));
        Self::by(ranks.len(), counting.map(|of| matching.parts(of)))
    }

    /// Number of ranks, among those chosen, that are connected with another one of these.
    pub(super) fn count(&self, is_such: impl Fn(usize) -> bool) -> u64 {
        let mut sizes = vec![0_u64; self.first.len()];
        let such = || self.first.iter().enumerate().filter(|(rank, _)| is_such(*rank)).map(|(_, first)| *first);
        such().for_each(|first| sizes[first] += 1);
        sizes.into_iter().filter(|size| *size > 1).sum()
    }

    /// The groups of exactly two ranks.
    pub(super) fn pairs(&self) -> Vec<[usize; 2]> {
        let mut together: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (rank, first) in self.first.iter().enumerate() {
            together.entry(*first).or_default().push(rank);
        }
        together.into_values().filter_map(|some| <[usize; 2]>::try_from(some).ok()).collect()
    }

    /// The first rank of a rank's group.
    pub(super) fn first(&self, rank: usize) -> usize {
        self.first[rank]
    }
}

/// Follows the links to the first rank, and shortens them.
fn first_of(first: &mut [usize], mut rank: usize) -> usize {
    while first[rank] != rank {
        first[rank] = first[first[rank]];
        rank = first[rank];
    }
    rank
}
