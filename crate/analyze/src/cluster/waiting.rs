//! A rank's communication without waiting for ranks that come later.

use super::clock::Clocks;
use super::digest::{CollectivePart, RankDigest};
use super::left_out::LeftOut;
use super::matching::Matching;
use super::tables::{CollectiveTimes, length_of, start_of};
use crate::mean;
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::EventId;

/// The exposed transfers of a rank's parts of collectives: at most the length of each without its waiting, and only while nothing is
/// computed. A part without a match counts in full, since its waiting is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransferAlone {
    /// The times of the parts in steps that count, by event.
    parts: Vec<(EventId, Nanos)>,
    /// The total for parts other than receiving from one other rank.
    otherwise: Nanos,
    /// The total time of matched parts without computing.
    matched: Nanos,
    steps: u64,
}

impl TransferAlone {
    /// The times of each rank.
    pub(super) fn of(
        ranks: &[RankDigest],
        clocks: &Clocks,
        matching: &Matching,
        times: &[Option<CollectiveTimes>],
        left_out: &LeftOut,
    ) -> Vec<Self> {
        let mut lengths: Vec<Vec<Nanos>> =
            ranks.iter().map(|rank| rank.parts.iter().map(|part| part.alone).collect()).collect();
        let mut is_matched: Vec<Vec<bool>> = ranks.iter().map(|rank| vec![false; rank.parts.len()]).collect();
        for (of, times) in matching.collectives.iter().zip(times) {
            let Some(times) = times else { continue };
            for part in matching.parts(of) {
                is_matched[part.rank as usize][part.part as usize] = true;
                let length = &mut lengths[part.rank as usize][part.part as usize];
                let whole = length_of(ranks, clocks, *part);
                *length = (*length).min(whole - times.wait_of(whole, start_of(ranks, clocks, *part)));
            }
        }
        let of_ranks = (0..).zip(lengths).zip(is_matched);
        of_ranks.map(|((rank, lengths), matched)| Self::of_rank(ranks, rank, left_out, &lengths, &matched)).collect()
    }

    fn of_rank(ranks: &[RankDigest], rank: usize, left_out: &LeftOut, lengths: &[Nanos], is_matched: &[bool]) -> Self {
        let counting =
            || ranks[rank].parts.iter().zip(lengths).filter(|(part, _)| left_out.counts_part(ranks, rank, part));
        let mut parts: Vec<(EventId, Nanos)> = counting().map(|(part, length)| (part.event, *length)).collect();
        parts.compact_sort();
        let otherwise = counting().filter(|(part, _)| !part.kind.receives()).map(|(_, length)| *length).sum();
        let counts = |part: &CollectivePart| left_out.counts_part(ranks, rank, part);
        let known = ranks[rank].parts.iter().zip(is_matched).filter(|(part, is_matched)| **is_matched && counts(part));
        let matched = known.map(|(part, _)| part.alone).sum();
        Self { parts, otherwise, matched, steps: left_out.counted(ranks, rank).count() as u64 }
    }

    /// Time of all parts, per step. Parts that run at once each count.
    pub(super) fn of_all(&self) -> Nanos {
        mean(self.parts.iter().map(|(_, length)| *length).sum(), self.steps)
    }

    /// Time of matched parts without computing, per step.
    pub(super) fn matched(&self) -> Nanos {
        mean(self.matched, self.steps)
    }

    /// Time of parts other than receiving from one other rank, per step.
    pub(super) fn otherwise(&self) -> Nanos {
        mean(self.otherwise, self.steps)
    }

    /// Time of the parts of some events, per step.
    #[must_use]
    pub fn of_events(&self, events: &[EventId]) -> Nanos {
        let of = |event: &EventId| {
            let place = self.parts.binary_search_by_key(event, |(event, _)| *event).ok()?;
            Some(self.parts[place].1)
        };
        mean(events.iter().filter_map(of).sum(), self.steps)
    }
}
