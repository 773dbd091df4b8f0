//! What of a rank's communication is others' doing: it waits in it for who comes later.

use super::digest::RankDigest;
use super::matching::Matching;
use super::tables::CollectiveTimes;
use crate::analyze::mean;
use crate::trace::EventId;
use crate::units::Nanos;

/// What a rank's parts of collectives take of its own time: of each no more than its transfer, and only while nothing is
/// computed. Of a part that is not matched with others', all of that: nothing tells what of it is waiting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransferAlone {
    /// Of the parts in steps that count, by event.
    parts: Vec<(EventId, Nanos)>,
    steps: u64,
}

impl TransferAlone {
    /// Of each rank.
    pub(super) fn of(ranks: &[RankDigest], matching: &Matching, times: &[Option<CollectiveTimes>]) -> Vec<Self> {
        let mut lengths: Vec<Vec<Nanos>> =
            ranks.iter().map(|rank| rank.parts.iter().map(|part| part.alone).collect()).collect();
        for (of, times) in matching.collectives.iter().zip(times) {
            let Some(times) = times else { continue };
            for part in matching.parts(of) {
                let length = &mut lengths[part.rank as usize][part.part as usize];
                *length = (*length).min(times.transfer);
            }
        }
        ranks.iter().zip(lengths).map(|(rank, lengths)| Self::of_rank(rank, &lengths)).collect()
    }

    fn of_rank(rank: &RankDigest, lengths: &[Nanos]) -> Self {
        let counts = |step: u32| rank.steps.get(step as usize).map_or(!rank.marked_steps, |step| step.counts);
        let parts = rank.parts.iter().zip(lengths).filter(|(part, _)| counts(part.step));
        let mut parts: Vec<(EventId, Nanos)> = parts.map(|(part, length)| (part.event, *length)).collect();
        parts.sort_unstable();
        Self { parts, steps: rank.counted().count() as u64 }
    }

    /// Of all parts, per step. Where several go on at once, each counts.
    pub(super) fn of_all(&self) -> Nanos {
        mean(self.parts.iter().map(|(_, length)| *length).sum(), self.steps)
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
