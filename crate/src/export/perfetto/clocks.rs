//! Where each rank's time zero stands on the time of a trace of several ranks.

use crate::analyze::{ClockSource, RankDigest, job};
use crate::summary::{Rank, number_in_job};
use crate::units::Nanos;

/// The clocks of the ranks that are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Zeros {
    /// When the trace starts, in ns since 1970, where that is known.
    pub(super) start: Option<i64>,
    /// By rank, how much later its time zero is.
    pub(super) later: Vec<Nanos>,
}

impl Zeros {
    /// Ranks keep their distance by the clock that they share, else by their collectives, as in the tables of the job; what nothing
    /// joins to the others starts with the first of them.
    pub(super) fn of(ranks: &[&Rank], digests: Vec<Option<RankDigest>>) -> Self {
        let number = |place: usize| number_in_job(place, ranks[place].rank);
        let there = digests
            .into_iter()
            .enumerate()
            .filter_map(|(place, digest)| Some((place, RankDigest { rank: number(place), ..digest? })));
        let (places, digests): (Vec<usize>, Vec<RankDigest>) = there.unzip();
        let clocks = job(&digests).clocks.ranks;
        let mut zeros: Vec<Option<i64>> = vec![None; ranks.len()];
        for (place, clock) in places.iter().zip(&clocks).filter(|(_, clock)| clock.source != ClockSource::Unknown) {
            zeros[*place] = Some(clock.offset.0);
        }
        // The absolute time of zero on that clock, by the first rank that tells its own; of a rank alone, its own.
        let origin = |place: usize| ranks[place].trace.meta.origin_unix_ns;
        let absolute = (0..ranks.len()).find_map(|place| origin(place)?.checked_sub(zeros[place]?));
        if zeros.iter().all(Option::is_none) {
            zeros = (0..ranks.len()).map(origin).collect();
        }
        let first = zeros.iter().flatten().min().copied();
        let start = match absolute {
            Some(absolute) => first.and_then(|first| absolute.checked_add(first)),
            None => first.filter(|_| clocks.iter().all(|clock| clock.source == ClockSource::Unknown)),
        };
        let later = |zero: &Option<i64>| Nanos(zero.zip(first).map_or(0, |(own, first)| own.saturating_sub(first)));
        Self { start, later: zeros.iter().map(later).collect() }
    }
}
