//! A collective's counterparts on other ranks.

use crate::analyze::cluster::CollectiveKind;
use crate::analyze::find::StepOf;
use crate::analyze::roles::names_collective;
use crate::analyze::steps::Steps;
use crate::sort::CompactSort as _;
use crate::trace::{Class, EventId, NO_COUNT, NameId, Trace, Track};
use crate::units::Nanos;

use super::communicates;

/// A rank whose collectives are matched.
#[derive(Clone, Copy, Debug)]
pub struct PeerOf<'a> {
    /// Its trace.
    pub trace: &'a Trace,
    /// Its steps.
    pub steps: &'a Steps,
}

/// By what collectives were matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerMatch {
    /// The group and the number of the operation in it, which the profiler recorded.
    Sequence,
    /// The place among those of the same group and kind in the step of the same name.
    PlaceInStep,
    /// The place among those of the same group and kind.
    Place,
}

impl PeerMatch {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequence => "sequence",
            Self::PlaceInStep => "place_in_step",
            Self::Place => "place",
        }
    }
}

/// A collective on a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The rank by its place in the list that was given.
    pub rank: usize,
    /// The slice; none if the rank has no such one.
    pub event: EventId,
    /// How much later it starts than the one that is looked into, where both clocks are known.
    pub offset: Option<Nanos>,
    /// How long it takes.
    pub length: Nanos,
    /// From its start until it starts on the last rank, or its end: what it waited for others.
    pub wait: Option<Nanos>,
}

/// A collective on all ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peers {
    /// By what they were matched.
    pub matched_by: PeerMatch,
    /// The ranks in their order, the one that is looked into among them.
    pub peers: Vec<Peer>,
}

/// What makes two slices of two ranks the same collective, as far as texts tell.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kind<'a> {
    class: Class,
    /// The operation, or the slice's name where nothing tells it.
    name: &'a str,
    group: &'a str,
    ranks: &'a str,
    has_arguments: bool,
}

impl<'a> Kind<'a> {
    /// The kind of a slice that is a collective, and its number in the group.
    fn of(trace: &'a Trace, id: EventId) -> Option<(Self, u64)> {
        if !is_collective(trace, id) {
            return None;
        }
        let (class, text) = (trace.slices.class(id), |name: NameId| trace.strings.get(name));
        let name = match CollectiveKind::of_slice(trace, id) {
            // One's send is the other's receive.
            kind if kind.is_point_to_point() => CollectiveKind::SendReceive.name(),
            CollectiveKind::Other => trace.name_of(id),
            kind => kind.name(),
        };
        let Some(told) = trace.collective(id) else {
            return Some((Self { class, name, group: "", ranks: "", has_arguments: false }, NO_COUNT));
        };
        let (group, ranks) = (text(told.group), text(told.ranks));
        Some((Self { class, name, group, ranks, has_arguments: true }, told.sequence))
    }
}

/// Whether a slice is a collective, of which other ranks may have a part.
#[must_use]
pub fn is_collective(trace: &Trace, id: EventId) -> bool {
    trace.collective(id).is_some() || communicates(trace, id) || names_collective(trace.name_of(id))
}

/// The counterparts of a collective on other ranks; nothing if the slice is no collective.
///
/// Starts are compared where both traces tell their absolute time, as the ranks' clocks have it: what these differ by is
/// in the result.
#[must_use]
pub fn peers(ranks: &[PeerOf<'_>], own: usize, event: EventId) -> Option<Peers> {
    let rank = ranks.get(own)?;
    if event.index() >= rank.trace.slices.len() {
        return None;
    }
    let (kind, sequence) = Kind::of(rank.trace, event)?;
    let step = step_name(rank, &StepOf::new(rank.trace, rank.steps), event);
    let matched_by = match (sequence, step) {
        (NO_COUNT, None) => PeerMatch::Place,
        (NO_COUNT, Some(_)) => PeerMatch::PlaceInStep,
        _ => PeerMatch::Sequence,
    };
    // Those of a rank among which it is told by its place: usually one, if they are numbered.
    let candidates = |of: &PeerOf<'_>| -> Vec<EventId> {
        let steps = StepOf::new(of.trace, of.steps);
        let same = |id: &EventId| {
            Kind::of(of.trace, *id).is_some_and(|(other, number)| {
                let alike = matched_by != PeerMatch::Sequence || number == sequence;
                alike && other == kind && (matched_by != PeerMatch::PlaceInStep || step_name(of, &steps, *id) == step)
            })
        };
        let of_class = |id: &EventId| of.trace.slices.class(*id) == kind.class;
        let mut found: Vec<EventId> =
            of.trace.tracks.iter().flat_map(Track::events).filter(of_class).filter(same).collect();
        found.compact_sort_by_key(|id| (of.trace.slices.start(*id), *id));
        found
    };
    let place = candidates(rank).iter().position(|id| *id == event)?;
    let found = ranks.iter().enumerate().map(|(index, of)| {
        let peer = if index == own { Some(event) } else { candidates(of).get(place).copied() };
        peer_of(ranks, own, event, index, peer)
    });
    let mut peers: Vec<Peer> = found.collect();
    tell_waits(&mut peers);
    Some(Peers { matched_by, peers })
}

fn step_name<'a>(rank: &PeerOf<'a>, steps: &StepOf<'_>, id: EventId) -> Option<&'a str> {
    Some(&rank.steps.steps[steps.index(id)?].name)
}

fn peer_of(ranks: &[PeerOf<'_>], own: usize, event: EventId, rank: usize, peer: Option<EventId>) -> Peer {
    let none = Peer { rank, event: EventId::NONE, offset: None, length: Nanos::ZERO, wait: None };
    let Some(found) = peer else { return none };
    let trace = ranks[rank].trace;
    let absolute = |trace: &Trace, id: EventId| {
        Some(i128::from(trace.meta.origin_unix_ns?) + i128::from(trace.slices.start(id).0))
    };
    let offset = absolute(trace, found).zip(absolute(ranks[own].trace, event)).map(|(other, own)| other - own);
    let offset = offset.and_then(|offset| i64::try_from(offset).ok()).map(Nanos);
    Peer {
        event: found,
        offset: offset.or((rank == own).then_some(Nanos::ZERO)),
        length: trace.slices.length(found),
        ..none
    }
}

/// Tells each how long it waited for the last one, where all that were found are on one clock.
fn tell_waits(peers: &mut [Peer]) {
    let found = || peers.iter().filter(|peer| peer.event.get().is_some());
    if found().count() < 2 || found().any(|peer| peer.offset.is_none()) {
        return;
    }
    let Some(last) = found().filter_map(|peer| peer.offset).max() else { return };
    for peer in peers {
        peer.wait = peer.offset.map(|offset| (last - offset).min(peer.length));
    }
}
