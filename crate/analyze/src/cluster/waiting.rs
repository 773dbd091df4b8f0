//! What of a rank's communication is others' doing: it waits in it for who comes later.

use super::digest::{CollectivePart, RankDigest};
use super::left_out::LeftOut;
use super::matching::Matching;
use super::tables::CollectiveTimes;
use crate::mean;
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::EventId;

/// What a rank's parts of collectives take of its own time: of each no more than its transfer, and only while nothing is
/// computed. Of a part that is not matched with others', all of that: nothing tells what of it is waiting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransferAlone {
    /// Of the parts in steps that count, by event.
    parts: Vec<(EventId, Nanos)>,
    /// Of those that receive nothing from one other rank, in all.
    otherwise: Nanos,
    /// For how long nothing is computed during those that are matched with others', in all.
    matched: Nanos,
    steps: u64,
}

impl TransferAlone {
    /// Of each rank.
    pub(super) fn of(
        ranks: &[RankDigest],
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
                *length = (*length).min(times.transfer);
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

    /// Of all parts, per step. Where several go on at once, each counts.
    pub(super) fn of_all(&self) -> Nanos {
        mean(self.parts.iter().map(|(_, length)| *length).sum(), self.steps)
    }

    /// For how long nothing is computed during parts that are matched with others', per step.
    pub(super) fn matched(&self) -> Nanos {
        mean(self.matched, self.steps)
    }

    /// Of those that receive nothing from one other rank, per step.
    pub(super) fn otherwise(&self) -> Nanos {
        mean(self.otherwise, self.steps)
    }

    /// Of those of some events, per step.
    #[must_use]
    pub fn of_events(&self, events: &[EventId]) -> Nanos {
        let of = |event: &EventId| {
            let place = self.parts.binary_search_by_key(event, |(event, _)| *event).ok()?;
            Some(self.parts[place].1)
        };
        mean(events.iter().filter_map(of).sum(), self.steps)
    }
}
