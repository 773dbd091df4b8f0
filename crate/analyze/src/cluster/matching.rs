//! Matching of the ranks' parts of collectives. METRICS section 8.
//!
//! Parts match by group and sequence number where given; else by the order within group and operation, step by step
//! where both mark steps of the same name. Operations between two ranks match by these two and their order alone: each
//! side counts its own sequence. Where the order cannot be right and the clocks are known, parts match by their common
//! moment ([`Matching::realign`]). Cost is linear in the number of parts.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::clock::{Clocks, SLACK};
use super::digest::{CollectivePart, NO_STEP, RankDigest};
use super::groups::JobGroups;
use super::operation::CollectiveKind;
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::{NO_COUNT, NO_SERIAL};

/// Criterion by which parts are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchedBy {
    /// The sequence number in the group, which the profiler recorded.
    Sequence,
    /// The order within group and operation, step by step where steps are marked.
    Order,
    /// The moment at which all of them run: their order cannot be right.
    Moment,
}

impl MatchedBy {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequence => "sequence",
            Self::Order => "order",
            Self::Moment => "moment",
        }
    }
}

/// A collective with its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// The operation; a send and its receive are [`CollectiveKind::Send`].
    pub kind: CollectiveKind,
    /// The group, by its index among the job's.
    pub group: usize,
    /// Sender and receiver of an operation between two ranks, by their numbers.
    pub link: Option<[u64; 2]>,
    /// The index of its first part in [`Matching::parts`].
    first: usize,
    count: usize,
    /// The criterion by which its parts were matched.
    pub by: MatchedBy,
    /// The number of its bucket: collectives of its group and operation in its step have the same one.
    bucket: u32,
    /// Whether all present ranks of the group have a part, one each.
    pub whole: bool,
    /// Whether nothing of it is guessed: neither the ranks of its group, nor a match by moment, which presumes that
    /// clocks are right.
    pub(super) sure: bool,
}

/// A part, by the indices of its rank and its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// Index of the rank.
    pub rank: u32,
    /// Index of the part in [`RankDigest::parts`].
    pub part: u32,
}

/// All collectives of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    /// In the order in which the first rank that has one begins them, rank by rank; then those matched by moment.
    pub collectives: Vec<Matched>,
    parts: Vec<PartOf>,
    /// By bucket: the parts that are not matched since ranks have different numbers of them.
    left: BTreeMap<u32, Left>,
    /// Number of parts of operations between two ranks that are unknown.
    pub unmatched: u64,
    /// Number of parts that match by order of which ranks have different numbers.
    pub uneven: u64,
    /// Number of collectives that lack a part of a present rank.
    pub incomplete: u64,
    /// Number of restarts of sequence numbers.
    pub restarts: u64,
    /// Ranks, by index, whose sequence numbers go back without a restart: their clocks go back.
    pub(super) back: BTreeSet<usize>,
}

/// The result of a realignment.
pub(super) struct Realigned {
    /// Number of collectives without a common moment, which are left out.
    pub(super) apart: u64,
    /// Whether any match is a different one.
    pub(super) changed: bool,
}

/// The unmatched parts of a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Left {
    kind: CollectiveKind,
    group: usize,
    parts: Vec<PartOf>,
}

impl Matching {
    /// Matches by common moment the parts whose match by order cannot be right: a collective would end on one rank
    /// before it begins on another, or ranks have different numbers of parts. A rank may lack any of them then. If the
    /// clocks are unknown, or ranks need not wait for each other, these are left out.
    pub(super) fn realign(&mut self, ranks: &[RankDigest], groups: &JobGroups, clocks: &Clocks) -> Realigned {
        let collectives = std::mem::take(&mut self.collectives);
        let sound = |parts: &[PartOf]| parts.iter().all(|part| clocks.joined(part.rank as usize));
        let by_order = |of: &Matched| of.by == MatchedBy::Order && of.kind.synchronizes();
        let apart = |of: &Matched| by_order(of) && !self.has_common_moment(ranks, clocks, of);
        let wrong: BTreeSet<u32> = collectives.iter().filter(|of| apart(of)).map(|of| of.bucket).collect();
        let mut left = std::mem::take(&mut self.left);
        let mut found = Realigned { apart: 0, changed: false };
        let mut kept = Vec::with_capacity(collectives.len());
        for of in collectives {
            // `wrong` has synchronizing collectives alone.
            if of.by == MatchedBy::Sequence || !wrong.contains(&of.bucket) {
                kept.push(of);
                continue;
            }
            let is_sound = sound(self.parts(&of));
            if !is_sound && self.has_common_moment(ranks, clocks, &of) {
                kept.push(of);
                continue;
            }
            found.changed = true;
            self.incomplete -= u64::from(!of.whole);
            if is_sound {
                let (kind, group) = (of.kind, of.group);
                let known = left.entry(of.bucket).or_insert_with(|| Left { kind, group, parts: Vec::new() });
                known.parts.extend_from_slice(&self.parts[of.first..of.first + of.count]);
            } else {
                found.apart += 1;
            }
        }
        self.collectives = kept;
        let numbers: BTreeSet<u64> = ranks.iter().map(|rank| rank.rank).collect();
        for (bucket, of) in left {
            if sound(&of.parts) && of.kind.synchronizes() {
                found.changed = true;
                self.uneven -= if wrong.contains(&bucket) { 0 } else { of.parts.len() as u64 };
                let here = groups.list[of.group].ranks.iter().filter(|number| numbers.contains(number)).count();
                self.by_moment(ranks, clocks, bucket, of, here);
            }
        }
        found
    }

    /// Whether all of a collective's parts run at a common moment, as far as the clocks are known.
    fn has_common_moment(&self, ranks: &[RankDigest], clocks: &Clocks, of: &Matched) -> bool {
        let joined = self.parts(of).iter().filter(|part| clocks.joined(part.rank as usize));
        let all = |all: (Nanos, Nanos), span: (Nanos, Nanos)| (all.0.max(span.0), all.1.min(span.1));
        let (start, end) = joined.map(|part| common_span(ranks, clocks, *part)).fold((Nanos::MIN, Nanos::MAX), all);
        start.0 <= end.0.saturating_add(SLACK.0)
    }

    /// Adds the collectives of a bucket: among all ranks' next parts, those that begin before the first of them ends.
    /// `here` is the number of the group's ranks that are present.
    fn by_moment(&mut self, ranks: &[RankDigest], clocks: &Clocks, bucket: u32, of: Left, here: usize) {
        let mut of_rank: BTreeMap<u32, VecDeque<PartOf>> = BTreeMap::new();
        let mut parts = of.parts;
        parts.compact_sort_by_key(|part| (part.rank, part.part));
        for of_one in parts.chunk_by(|a, b| a.rank == b.rank) {
            of_rank.insert(of_one[0].rank, VecDeque::from_iter(of_one.iter().copied()));
        }
        loop {
            let next = || of_rank.values().filter_map(VecDeque::front);
            let Some(end) = next().map(|part| common_span(ranks, clocks, *part).1).min() else { break };
            let first = self.parts.len();
            for parts in of_rank.values_mut() {
                let next = parts.front().map(|part| common_span(ranks, clocks, *part));
                // A part without length runs at its moment.
                if next.is_some_and(|(start, own_end)| start < end || own_end == end) {
                    self.parts.extend(parts.pop_front());
                }
            }
            let count = self.parts.len() - first;
            let whole = count == here;
            self.incomplete += u64::from(!whole);
            let (kind, group) = (of.kind, of.group);
            let by = MatchedBy::Moment;
            self.collectives.push(Matched { kind, group, link: None, first, count, by, bucket, whole, sure: false });
        }
    }

    /// Gives ranks other indices: `indices` has the new ones.
    pub(super) fn renumber(&mut self, indices: &[usize]) {
        for part in &mut self.parts {
            part.rank = u32::try_from(indices[part.rank as usize]).unwrap_or(u32::MAX);
        }
        self.back = self.back.iter().map(|rank| indices[*rank]).collect();
    }

    /// Number of collectives that have a part of each present rank of the group.
    pub(super) fn whole(&self) -> usize {
        self.collectives.iter().filter(|of| of.whole && of.count > 1).count()
    }

    /// The parts of a collective.
    #[must_use]
    pub fn parts(&self, of: &Matched) -> &[PartOf] {
        &self.parts[of.first..of.first + of.count]
    }
}

/// The span of a part on the common clock.
pub(super) fn common_span(ranks: &[RankDigest], clocks: &Clocks, part: PartOf) -> (Nanos, Nanos) {
    let rank = part.rank as usize;
    let span = ranks[rank].parts[part.part as usize].span;
    (clocks.common(rank, span.start), clocks.common(rank, span.end))
}

/// Key of a collective.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    group: usize,
    kind: CollectiveKind,
    link: Option<[u64; 2]>,
    place: Occurrence,
    /// Index among equal ones.
    occurrence: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Occurrence {
    Sequence(u64),
    /// The step, by the number of its name.
    Step(u32),
}

/// By bucket: its number, and the number of parts of each rank.
type Counts = HashMap<Key, (u32, Vec<u32>), FxBuildHasher>;

/// Matches the parts of all ranks; a rank whose number occurs again is left out.
pub(super) fn matching(ranks: &[RankDigest], groups: &JobGroups) -> Matching {
    let mut found = Matching::default();
    let mut places: HashMap<Key, u32, FxBuildHasher> = HashMap::default();
    let mut counts: Counts = HashMap::default();
    let mut of_part: Vec<(u32, PartOf)> = Vec::new();
    let mut names: HashMap<(&str, u32), u32, FxBuildHasher> = HashMap::default();
    let mut numbers: BTreeSet<u64> = BTreeSet::new();
    let mut going_back = GoingBack::new();
    for (rank, digest) in (0..).zip(ranks) {
        if !numbers.insert(digest.rank) {
            continue;
        }
        let steps = step_numbers(digest, &mut names);
        let mut occurrences: HashMap<Key, u32, FxBuildHasher> = HashMap::default();
        let mut last: HashMap<(usize, CollectiveKind), u64, FxBuildHasher> = HashMap::default();
        for (number, part) in (0..).zip(&digest.parts) {
            let group = groups.of_rank[rank as usize][part.group as usize];
            // A group without listed ranks may have more than those present.
            let of = &groups.list[group];
            let known = of.told || digest.world_size == Some(of.ranks.len() as u64);
            let Some(link) = link_of(digest.rank, part, if known { &of.ranks } else { &[] }) else {
                found.unmatched += 1;
                continue;
            };
            let kind = if link.is_some() { CollectiveKind::Send } else { part.kind };
            if part.sequence != NO_COUNT && link.is_none() {
                let before = last.insert((group, kind), part.sequence);
                if before.is_some_and(|before| part.sequence < before) {
                    *going_back.entry((group, kind)).or_default().entry(rank).or_default() += 1;
                }
            }
            let place = match part.sequence {
                sequence if sequence != NO_COUNT && link.is_none() => Occurrence::Sequence(sequence),
                _ => Occurrence::Step(steps.get(part.step as usize).copied().unwrap_or(NO_STEP)),
            };
            let bucket = Key { group, kind, link, place, occurrence: 0 };
            let occurrence = occurrences.entry(bucket).or_default();
            let key = Key { occurrence: *occurrence, ..bucket };
            *occurrence += 1;
            let next = u32::try_from(found.collectives.len()).unwrap_or(u32::MAX);
            let place = *places.entry(key).or_insert(next);
            if place == next {
                let by = match bucket.place {
                    Occurrence::Sequence(_) => MatchedBy::Sequence,
                    Occurrence::Step(_) => MatchedBy::Order,
                };
                let again = u32::try_from(counts.len()).unwrap_or(u32::MAX);
                let bucket = counts.entry(bucket).or_insert_with(|| (again, Vec::new())).0;
                let (first, count, whole) = (0, 0, true);
                let sure = of.told || by == MatchedBy::Sequence;
                found.collectives.push(Matched { kind, group, link, first, count, by, bucket, whole, sure });
            }
            of_part.push((place, PartOf { rank, part: number }));
        }
        for (bucket, count) in occurrences {
            if let Some((_, of_ranks)) = counts.get_mut(&bucket) {
                of_ranks.push(count);
            }
        }
    }
    drop_uneven(&mut found, &mut of_part, &counts);
    lay_out(&mut found, &of_part);
    tell_whole(&mut found, groups, &numbers);
    tell_restarts(&mut found, ranks, &going_back);
    found
}

/// By group and operation: how often the sequence numbers of each rank go back.
type GoingBack = BTreeMap<(usize, CollectiveKind), BTreeMap<u32, u64>>;

/// Distinguishes restarts from clocks that go back. After a restart numbers occur again, or all ranks of the group
/// restart at once. If the clock goes back, later parts have earlier times, and each number occurs once. It is the
/// clock if the numbers of another rank continue, or if numbers join without a gap where they go back.
fn tell_restarts(found: &mut Matching, ranks: &[RankDigest], going_back: &GoingBack) {
    let mut numbers: BTreeMap<(usize, CollectiveKind), BTreeMap<u32, Vec<u64>>> = BTreeMap::new();
    for of in found.collectives.iter().filter(|of| of.by == MatchedBy::Sequence) {
        if going_back.contains_key(&(of.group, of.kind)) {
            for part in found.parts(of) {
                let sequence = ranks[part.rank as usize].parts[part.part as usize].sequence;
                numbers.entry((of.group, of.kind)).or_default().entry(part.rank).or_default().push(sequence);
            }
        }
    }
    for (of, times) in going_back {
        let Some(of_ranks) = numbers.get_mut(of) else { continue };
        for numbers in of_ranks.values_mut() {
            numbers.compact_sort();
        }
        for (rank, count) in times {
            let Some(own) = of_ranks.get(rank) else { continue };
            let again = own.windows(2).any(|pair| pair[0] == pair[1]);
            let step = |pair: &[u64]| pair[1] - pair[0];
            let widest = own.windows(2).max_by_key(|pair| step(pair)).unwrap_or_default();
            let [low, high] = *widest else { continue };
            // At a restart, one number does not follow the other.
            let is_joined = own.windows(2).filter(|pair| step(pair) == high - low).count() > 1;
            let goes_on = |(other, numbers): (&u32, &Vec<u64>)| {
                let is_there =
                    |number: &u64| (own[0]..=low).contains(number) || (high..=own[own.len() - 1]).contains(number);
                let there = || numbers.iter().filter(|number| is_there(number));
                !times.contains_key(other) && there().min() <= Some(&low) && there().max() >= Some(&high)
            };
            if !again && (is_joined || of_ranks.iter().any(goes_on)) {
                found.back.insert(*rank as usize);
            } else {
                found.restarts += count;
            }
        }
    }
}

/// Each step's number, the same for steps of the same name on all ranks; steps that share a name are numbered in order.
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

/// Sender and receiver of an operation between two ranks; the outer option is none if they are unknown.
#[expect(clippy::option_option, reason = "the outer one is whether it can be matched")]
fn link_of(own: u64, part: &CollectivePart, ranks: &[u64]) -> Option<Option<[u64; 2]>> {
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
        // Both ways at once: the pair, whichever rank has it.
        _ => Some(Some([own.min(peer), own.max(peer)])),
    }
}

/// Sets aside parts that match by order if ranks have different numbers of them: the n-th of one need not be the n-th
/// of another.
fn drop_uneven(found: &mut Matching, of_part: &mut Vec<(u32, PartOf)>, counts: &Counts) {
    let even = |counts: &[u32]| counts.iter().all(|count| *count == counts[0]);
    let uneven = counts.values().filter(|(_, counts)| !even(counts)).map(|(bucket, _)| *bucket);
    let uneven: BTreeSet<u32> = uneven.collect();
    let (collectives, left) = (&found.collectives, &mut found.left);
    let before = of_part.len();
    of_part.retain(|(place, part)| {
        let of = &collectives[*place as usize];
        let is_left = of.by == MatchedBy::Order && uneven.contains(&of.bucket);
        if is_left {
            let (kind, group) = (of.kind, of.group);
            let of_bucket = left.entry(of.bucket).or_insert_with(|| Left { kind, group, parts: Vec::new() });
            of_bucket.parts.push(*part);
        }
        !is_left
    });
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
