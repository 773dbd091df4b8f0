//! Which parts of which ranks are one collective. METRICS section 8.
//!
//! Group and sequence number where given; else the order within group and operation, step by step where both mark steps
//! of the same name. What goes between two ranks is told by these two and its order alone: each side counts its own
//! sequence. Cost is linear in the number of parts.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::clocks::{Clocks, SLACK};
use super::digest::{NO_STEP, Part, RankDigest};
use super::groups::JobGroups;
use super::operation::CollectiveKind;
use crate::trace::{NO_COUNT, NO_SERIAL};
use crate::units::Nanos;

/// A collective of which there are parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// Which operation; what one rank sends and another one receives is [`CollectiveKind::Send`].
    pub kind: CollectiveKind,
    /// The group, by its place among the job's.
    pub group: usize,
    /// Sender and receiver, by their numbers, of what goes between two ranks.
    pub link: Option<[u64; 2]>,
    /// Where its parts stand in [`Matching::parts`].
    first: usize,
    count: usize,
    /// Whether it is told by its number in the group, or its order.
    pub by_sequence: bool,
    /// Whether all ranks that are there and take part in the group have a part, one each.
    pub whole: bool,
}

/// A part by its rank and place, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// Index of the rank.
    pub rank: u32,
    /// Index of the part in [`RankDigest::parts`].
    pub part: u32,
}

/// All collectives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    /// In the order in which the first rank that has one begins them, rank by rank.
    pub collectives: Vec<Matched>,
    parts: Vec<PartOf>,
    /// Parts that go between two ranks, and nobody tells which.
    pub unmatched: u64,
    /// Parts that are told by their order, and ranks differ in how many there are.
    pub uneven: u64,
    /// Collectives of which a rank that is there has no part.
    pub incomplete: u64,
    /// How often a sequence number begins anew.
    pub restarts: u64,
}

impl Matching {
    /// Leaves out what was told by its order and cannot be one collective, since it ends somewhere before it begins elsewhere;
    /// returns how many these are.
    pub(super) fn drop_apart(&mut self, ranks: &[RankDigest], clocks: &Clocks) -> u64 {
        let before = self.collectives.len();
        let mut collectives = std::mem::take(&mut self.collectives);
        collectives.retain(|of| {
            let spans = self.parts(of).iter().filter(|part| clocks.joined(part.rank as usize)).map(|part| {
                let rank = part.rank as usize;
                let span = ranks[rank].parts[part.part as usize].span;
                (clocks.common(rank, span.start), clocks.common(rank, span.end))
            });
            let all = |all: (Nanos, Nanos), span: (Nanos, Nanos)| (all.0.max(span.0), all.1.min(span.1));
            let (start, end) = spans.fold((Nanos::MIN, Nanos::MAX), all);
            of.by_sequence || !of.kind.synchronizes() || start.0 <= end.0.saturating_add(SLACK.0)
        });
        self.collectives = collectives;
        (before - self.collectives.len()) as u64
    }

    /// The parts of a collective.
    #[must_use]
    pub fn parts(&self, of: &Matched) -> &[PartOf] {
        &self.parts[of.first..of.first + of.count]
    }
}

/// What makes parts the same collective.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    group: usize,
    kind: CollectiveKind,
    link: Option<[u64; 2]>,
    place: Place,
    /// Which of those that are alike otherwise.
    occurrence: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Sequence(u64),
    /// The step, by the number of its name.
    Step(u32),
}

/// Parts of a group and operation in a step that are told by their order: how many each rank has.
type Counts = HashMap<Key, Vec<(u32, u32)>, FxBuildHasher>;

/// Matches the parts of all ranks; a rank whose number occurs again is left out.
pub(super) fn matching(ranks: &[RankDigest], groups: &JobGroups) -> Matching {
    let mut found = Matching::default();
    let mut places: HashMap<Key, u32, FxBuildHasher> = HashMap::default();
    let mut counts: Counts = HashMap::default();
    let mut of_part: Vec<(u32, PartOf)> = Vec::new();
    let mut names: HashMap<(&str, u32), u32, FxBuildHasher> = HashMap::default();
    let mut numbers: BTreeSet<u64> = BTreeSet::new();
    for (rank, digest) in (0..).zip(ranks) {
        if !numbers.insert(digest.rank) {
            continue;
        }
        let steps = step_numbers(digest, &mut names);
        let mut occurrences: HashMap<Key, u32, FxBuildHasher> = HashMap::default();
        let mut last: HashMap<(usize, CollectiveKind), u64, FxBuildHasher> = HashMap::default();
        for (number, part) in (0..).zip(&digest.parts) {
            let group = groups.of_rank[rank as usize][part.group as usize];
            // Of a group whose ranks nobody tells, there may be more than are here.
            let of = &groups.list[group];
            let known = of.told || digest.world_size == Some(of.ranks.len() as u64);
            let Some(link) = link_of(digest.rank, part, if known { &of.ranks } else { &[] }) else {
                found.unmatched += 1;
                continue;
            };
            let kind = if link.is_some() { CollectiveKind::Send } else { part.kind };
            if part.sequence != NO_COUNT && link.is_none() {
                let before = last.insert((group, kind), part.sequence);
                found.restarts += u64::from(before.is_some_and(|before| part.sequence < before));
            }
            let place = match part.sequence {
                sequence if sequence != NO_COUNT && link.is_none() => Place::Sequence(sequence),
                _ => Place::Step(steps.get(part.step as usize).copied().unwrap_or(NO_STEP)),
            };
            let bucket = Key { group, kind, link, place, occurrence: 0 };
            let occurrence = occurrences.entry(bucket).or_default();
            let key = Key { occurrence: *occurrence, ..bucket };
            *occurrence += 1;
            let next = u32::try_from(found.collectives.len()).unwrap_or(u32::MAX);
            let place = *places.entry(key).or_insert(next);
            if place == next {
                let by_sequence = matches!(bucket.place, Place::Sequence(_));
                found.collectives.push(Matched { kind, group, link, first: 0, count: 0, by_sequence, whole: true });
            }
            of_part.push((place, PartOf { rank, part: number }));
        }
        for (bucket, count) in occurrences {
            counts.entry(bucket).or_default().push((rank, count));
        }
    }
    drop_uneven(&mut found, &mut of_part, &places, &counts);
    lay_out(&mut found, &of_part);
    tell_whole(&mut found, groups, &numbers);
    found
}

/// Each step's number, the same for steps of the same name on all ranks; of several of a name, in their order.
fn step_numbers<'a>(digest: &'a RankDigest, names: &mut HashMap<(&'a str, u32), u32, FxBuildHasher>) -> Vec<u32> {
    let mut seen: HashMap<&str, u32, FxBuildHasher> = HashMap::default();
    let number = |step: &'a super::digest::StepDigest| {
        let again = seen.entry(&step.name).or_default();
        *again += 1;
        let next = u32::try_from(names.len()).unwrap_or(NO_STEP);
        *names.entry((step.name.as_str(), *again)).or_insert(next)
    };
    digest.steps.iter().map(number).collect()
}

/// Sender and receiver, where it goes between two ranks; nothing if it does and nobody tells between which.
#[expect(clippy::option_option, reason = "the outer one is whether it can be matched")]
fn link_of(own: u64, part: &Part, ranks: &[u64]) -> Option<Option<[u64; 2]>> {
    if !part.kind.is_point_to_point() {
        return Some(None);
    }
    let only_other = || match ranks {
        [a, b] => [*a, *b].into_iter().find(|rank| *rank != own),
        _ => None,
    };
    let peer = Some(part.peer).filter(|peer| *peer != NO_SERIAL).map(u64::from).or_else(only_other)?;
    match part.kind {
        CollectiveKind::Send => Some(Some([own, peer])),
        CollectiveKind::Receive => Some(Some([peer, own])),
        // Both ways at once: the pair, whoever tells of it.
        _ => Some(Some([own.min(peer), own.max(peer)])),
    }
}

/// Leaves out what is told by its order where the ranks differ in how many there are: the n-th of one need not be the
/// n-th of another.
fn drop_uneven(
    found: &mut Matching,
    of_part: &mut Vec<(u32, PartOf)>,
    places: &HashMap<Key, u32, FxBuildHasher>,
    counts: &Counts,
) {
    let mut dropped = vec![false; found.collectives.len()];
    for (key, place) in places {
        let bucket = Key { occurrence: 0, ..*key };
        let even = |counts: &Vec<(u32, u32)>| counts.iter().all(|(_, count)| *count == counts[0].1);
        let by_order = matches!(key.place, Place::Step(_));
        dropped[*place as usize] = by_order && !counts.get(&bucket).is_none_or(even);
    }
    let before = of_part.len();
    of_part.retain(|(place, _)| !dropped[*place as usize]);
    found.uneven = (before - of_part.len()) as u64;
}

/// Puts the parts of each collective side by side.
fn lay_out(found: &mut Matching, of_part: &[(u32, PartOf)]) {
    for (place, _) in of_part {
        found.collectives[*place as usize].count += 1;
    }
    let mut first = 0;
    for collective in &mut found.collectives {
        collective.first = first;
        first += collective.count;
    }
    let mut next: Vec<usize> = found.collectives.iter().map(|collective| collective.first).collect();
    found.parts = vec![PartOf { rank: 0, part: 0 }; of_part.len()];
    for (place, part) in of_part {
        let next = &mut next[*place as usize];
        found.parts[*next] = *part;
        *next += 1;
    }
    found.collectives.retain(|collective| collective.count > 0);
}

fn tell_whole(found: &mut Matching, groups: &JobGroups, numbers: &BTreeSet<u64>) {
    let here: Vec<usize> =
        groups.list.iter().map(|group| group.ranks.iter().filter(|rank| numbers.contains(rank)).count()).collect();
    for collective in &mut found.collectives {
        let expected = match collective.link {
            Some(link) => link.iter().filter(|rank| numbers.contains(rank)).count(),
            None => here[collective.group],
        };
        collective.whole = collective.count == expected;
        found.incomplete += u64::from(!collective.whole);
    }
}
