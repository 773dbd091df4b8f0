//! One collective on all ranks that have a share in it. METRICS section 8.

use super::Job;
use super::digest::{CollectivePart, RankDigest};
use super::matching::{Matched, MatchedBy, PartOf};
use super::tables::length_on;
use stepscope_base::Nanos;
use stepscope_trace::EventId;

/// A rank's share in a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The rank, by its index among the job's.
    pub rank: usize,
    /// Its part; none if it lacks one.
    pub part: Option<PeerPart>,
}

/// A rank's part of a collective, seen from another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerPart {
    /// The slice.
    pub event: EventId,
    /// When it starts, on the rank's own clock.
    pub start: Nanos,
    /// Its length.
    pub length: Nanos,
    /// Delay of its start against the part in question, if both are on the common clock.
    pub offset: Option<Nanos>,
    /// Its waiting for ranks that come later; none if there is no other part.
    pub wait: Option<Nanos>,
}

/// A collective on all ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peers {
    /// The criterion by which its parts were matched; none if the part has no match.
    pub by: Option<MatchedBy>,
    /// The ranks that have a share in it, in their order.
    pub peers: Vec<Peer>,
}

impl Job {
    /// The parts of other ranks that match a rank's part of a collective. `ranks` are those that the job was made of.
    ///
    /// # Panics
    ///
    /// If the rank has no such part.
    #[must_use]
    pub fn peers(&self, ranks: &[&RankDigest], own: PartOf) -> Peers {
        let part = |of: PartOf| -> &CollectivePart { &ranks[of.rank as usize].parts[of.part as usize] };
        let place = self.matching.collectives.iter().position(|of| self.matching.parts(of).contains(&own));
        let matched = place.map(|place| &self.matching.collectives[place]);
        let parts = matched.map_or(std::slice::from_ref(&own), |of| self.matching.parts(of));
        let times = place.and_then(|place| self.times.get(place).copied().flatten());
        let at_start = |of: PartOf| self.clocks.common(of.rank as usize, part(of).span.start);
        let common = |of: PartOf| {
            let rank = of.rank as usize;
            self.clocks.joined(rank).then(|| at_start(of))
        };
        let told = |of: PartOf| {
            let (span, offset) = (part(of).span, common(of).zip(common(own)).map(|(other, own)| other - own));
            PeerPart {
                event: part(of).event,
                start: span.start,
                length: span.len(),
                offset: if of == own { Some(Nanos::ZERO) } else { offset },
                wait: times.map(|times| {
                    let length = length_on(&self.clocks, of.rank as usize, span);
                    times.wait_of(length, at_start(of)).max(Nanos::ZERO)
                }),
            }
        };
        let peer = |rank: usize| {
            let of = parts.iter().find(|of| of.rank as usize == rank);
            let has_share = of.is_some() || matched.is_some_and(|matched| self.has_share(matched, rank));
            has_share.then(|| Peer { rank, part: of.copied().map(told) })
        };
        Peers {
            by: matched.filter(|_| parts.len() > 1).map(|of| of.by),
            peers: (0..ranks.len()).filter_map(peer).collect(),
        }
    }

    /// Whether a rank takes part in the group, or is one of the two.
    fn has_share(&self, of: &Matched, rank: usize) -> bool {
        let row = &self.ranks[rank];
        let group = || &self.groups[of.group].ranks;
        !row.repeated && of.link.as_ref().map_or_else(|| group().contains(&row.rank), |link| link.contains(&row.rank))
    }
}
