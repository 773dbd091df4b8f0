//! Which ranks wait for each other.

use super::digest::RankDigest;
use super::matching::Matching;
use super::stragglers::counts;

/// Per rank, the first of those that it waits for or that wait for it, be it through others: in collectives of the steps that
/// count. Ranks of which nothing tells that they have any in common, or that belong to different jobs, do not hold each
/// other up, whatever they need.
pub(super) fn together(ranks: &[RankDigest], matching: &Matching) -> Vec<usize> {
    let mut first: Vec<usize> = (0..ranks.len()).collect();
    for of in matching.collectives.iter().filter(|of| counts(ranks, matching, of)) {
        let parts = matching.parts(of);
        for pair in parts.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|part| first_of(&mut first, part.rank as usize));
            first[a.max(b)] = a.min(b);
        }
    }
    (0..ranks.len()).map(|rank| first_of(&mut first, rank)).collect()
}

/// Follows the way to the first, and shortens it.
fn first_of(first: &mut [usize], mut rank: usize) -> usize {
    while first[rank] != rank {
        first[rank] = first[first[rank]];
        rank = first[rank];
    }
    rank
}
