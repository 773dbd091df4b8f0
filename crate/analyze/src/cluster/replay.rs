//! Replays of the job with a changed rank, link or stage.
//!
//! Each rank does its own work until communication delays it; a collective ends on all its ranks when the last one has
//! begun it and its transfer is done. A rank's own work is taken from its trace
//! ([`CollectivePart::own`](super::CollectivePart)). So a change of one rank moves all that wait for it, and time that
//! others would hide stays hidden. The result is the difference between a replay with the change and one without, which
//! has the same errors.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::clock::{ClockCorrection, Clocks, RankClock};
use super::digest::{CollectivePart, RankDigest, StepDigest};
use super::left_out::LeftOut;
use super::matching::{Matching, PartOf};
use super::operation::CollectiveKind;
use super::rows::RankRow;
use super::tables::{CollectiveTimes, part_of};
use super::together::Joined;
use stepscope_base::{CompactSort as _, Interval, Nanos};

/// The steps that may be changed: those that count on all ranks that wait for each other, since a rank with an earlier
/// step that was not recorded would not come sooner. All that count, if these have none in common.
#[derive(Debug)]
pub(super) struct ComparableSteps<'a> {
    ranks: &'a [RankDigest],
    left_out: &'a LeftOut,
    together: &'a Joined,
    /// By the first of the ranks that wait for each other.
    names: BTreeMap<usize, BTreeSet<&'a str>>,
    /// Ranks that have no step in common with those that they wait for.
    apart: BTreeSet<usize>,
}

impl<'a> ComparableSteps<'a> {
    pub(super) fn of(ranks: &'a [RankDigest], rows: &[RankRow], left_out: &'a LeftOut, together: &'a Joined) -> Self {
        let mut found = Self { ranks, left_out, together, names: BTreeMap::new(), apart: BTreeSet::new() };
        let mut of_some: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for rank in (0..ranks.len()).filter(|rank| rows[*rank].is_compared()) {
            of_some.entry(together.first(rank)).or_default().push(rank);
        }
        let names = |whole: bool, rank: usize| -> BTreeSet<&'a str> {
            let is_told = |step: &usize| !whole || !left_out.lacks(rank, *step);
            let steps = left_out.counted(ranks, rank).filter(|(step, _)| is_told(step));
            steps.map(|(_, step)| step.name.as_str()).collect()
        };
        for (first, some) in of_some {
            let common = |whole: bool| {
                let of_rank = some.iter().map(|rank| names(whole, *rank));
                let both = |all: BTreeSet<&'a str>, own: BTreeSet<&'a str>| all.intersection(&own).copied().collect();
                of_rank.reduce(both).filter(|names| !names.is_empty())
            };
            match common(true).or_else(|| common(false)) {
                Some(names) => _ = found.names.insert(first, names),
                None => found.apart.extend(some),
            }
        }
        found
    }

    /// Whether a step of a rank is one of them, both by their index.
    pub(super) fn has(&self, rank: usize, step: usize) -> bool {
        let is_common = |step: &StepDigest| {
            let names = self.names.get(&self.together.first(rank));
            names.is_none_or(|names| names.contains(step.name.as_str()))
        };
        let found = self.ranks[rank].steps.get(step).filter(|step| step.counts);
        found.is_some_and(is_common) && !self.left_out.is_spoiled(rank, step)
    }

    /// The ranks that have no step in common with those that they wait for.
    pub(super) fn apart(&self) -> &BTreeSet<usize> {
        &self.apart
    }
}

/// The time that a rank's clock jumps over at some own time: it is no own time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Skipped {
    from: Nanos,
    by: Nanos,
}

impl Skipped {
    /// The time of a forward jump. It is at most the own time between the known moments just before and just after,
    /// since the rank may have waited in between.
    pub(super) fn of(rank: &RankDigest, clock: &RankClock) -> Self {
        let ClockCorrection::Jump { after, at, by } = clock.bend else { return Self::default() };
        let of_parts = rank.parts.iter().map(|part| (part.span.end, part.own[1]));
        let of_steps =
            rank.steps.iter().flat_map(|step| [(step.span.start, step.own[0]), (step.span.end, step.own[1])]);
        let (mut before, mut behind) = (None, None);
        for (moment, own) in of_parts.chain(of_steps) {
            if moment <= after {
                before = before.max(Some((moment, own)));
            } else if moment >= at && behind.is_none_or(|behind| (moment, own) < behind) {
                behind = Some((moment, own));
            }
        }
        match before.zip(behind) {
            Some(((_, from), (_, to))) if by > Nanos::ZERO => Self { from, by: by.min(to - from).max(Nanos::ZERO) },
            _ => Self::default(),
        }
    }

    fn taken_from(self, own: Nanos) -> Nanos {
        if own <= self.from { own } else { (own - self.by).max(self.from) }
    }
}

/// The own work of a rank.
#[derive(Clone, Debug)]
pub(super) struct Own {
    parts: Vec<OwnPart>,
    last: Nanos,
}

/// A part, as its rank reaches it.
#[derive(Clone, Copy, Debug)]
struct OwnPart {
    /// The rank's own time at its start and at its end. It stops while a rank waits, so the moments of its trace decide
    /// the order.
    at: [(Nanos, Nanos); 2],
    /// Whether later work waits for the end.
    blocks: bool,
}

impl OwnPart {
    fn of(part: &CollectivePart) -> Self {
        let ([began, ended], span) = (part.own, part.span);
        Self { at: [(began, span.start), (ended, span.end)], blocks: part.blocks }
    }

    /// The same with another own time.
    fn with(self, own: impl Fn(Nanos) -> Nanos) -> Self {
        Self { at: self.at.map(|(at, moment)| (own(at), moment)), ..self }
    }
}

impl Own {
    fn of(rank: &RankDigest, skipped: Skipped) -> Self {
        let of_steps = rank.steps.iter().map(|step| step.own[1]);
        let of_parts = rank.parts.iter().map(|part| part.own[1]);
        Self {
            parts: rank.parts.iter().map(|part| OwnPart::of(part).with(|own| skipped.taken_from(own))).collect(),
            last: skipped.taken_from(of_steps.chain(of_parts).fold(Nanos::ZERO, Nanos::max)),
        }
    }

    /// A rank's work if each of its steps that counts runs as another rank's step of the same name, both by their
    /// index; none if no step is alike.
    pub(super) fn as_other([of, by]: [usize; 2], skipped: Skipped, wanted: &ComparableSteps<'_>) -> Option<Self> {
        let (rank, other) = (&wanted.ranks[of], &wanted.ranks[by]);
        let others: HashMap<&str, usize, FxBuildHasher> =
            other.steps.iter().enumerate().map(|(index, step)| (step.name.as_str(), index)).collect();
        let (own_parts, other_parts) = (by_category(rank), by_category(other));
        let mut alike = 0;
        let own = Self::changed(of, skipped, wanted, |index, step| {
            let found = *others.get(step.name.as_str())?;
            let (mine, theirs) = (&own_parts[index], &other_parts[found]);
            let same = mine.len() == theirs.len()
                && mine.iter().zip(theirs).all(|(mine, theirs)| category(rank, *mine) == category(other, *theirs));
            let (of_other, first) = (&other.steps[found], other.steps[found].own[0]);
            if !same {
                return None;
            }
            alike += 1;
            // The time to the next step is unknown for a last one.
            let is_even = ![of, by].iter().any(|rank| wanted.left_out.jumps(*rank));
            let until_next = is_even && step.gap.is_some() && of_other.gap.is_some();
            let parts = mine
                .iter()
                .zip(theirs)
                .map(|(mine, theirs)| (*mine, OwnPart::of(&other.parts[*theirs]).with(|own| own - first)));
            let length = own_of(of_other, until_next) - own_of(step, until_next);
            Some((length, parts.collect()))
        });
        (alike > 0).then_some(own)
    }

    /// A rank's work if all of its own time in the steps that count is multiplied by a factor.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a part of a length")]
    pub(super) fn scaled(index: usize, skipped: Skipped, factor: f64, wanted: &ComparableSteps<'_>) -> Self {
        let rank = &wanted.ranks[index];
        let parts = by_step(rank);
        let jumps = wanted.left_out.jumps(index);
        let scale = |time: Nanos| Nanos((time.0 as f64 * factor).round() as i64);
        Self::changed(index, skipped, wanted, |index, step| {
            let scaled = |part: &usize| (*part, OwnPart::of(&rank.parts[*part]).with(|own| scale(own - step.own[0])));
            let length = own_of(step, !jumps);
            Some((scale(length) - length, parts[index].iter().map(scaled).collect()))
        })
    }

    /// Changes the wanted steps: `change` returns their additional time, and the parts counted from the step's start.
    /// Later work moves.
    fn changed(
        of: usize,
        skipped: Skipped,
        wanted: &ComparableSteps<'_>,
        mut change: impl FnMut(usize, &StepDigest) -> Option<(Nanos, Vec<(usize, OwnPart)>)>,
    ) -> Self {
        let rank = &wanted.ranks[of];
        let mut found = Self::of(rank, skipped);
        let parts = by_step(rank);
        let mut shift = Nanos::ZERO;
        for (index, step) in rank.steps.iter().enumerate() {
            let changed = if wanted.has(of, index) { change(index, step) } else { None };
            match changed {
                Some((longer, parts)) => {
                    let first = skipped.taken_from(step.own[0]);
                    for (part, changed) in parts {
                        found.parts[part] = changed.with(|own| own + first + shift);
                    }
                    shift += longer;
                }
                None => {
                    for part in &parts[index] {
                        found.parts[*part] = found.parts[*part].with(|own| own + shift);
                    }
                }
            }
        }
        found.last += shift;
        found
    }
}

/// A rank's own time in a step, or until the next one begins.
fn own_of(step: &StepDigest, until_next: bool) -> Nanos {
    let gap = step.gap.filter(|_| until_next).map_or(Nanos::ZERO, |gap| gap.own);
    step.own[1] - step.own[0] + gap
}

/// Category of a part: ranks that do the same have as many of each.
fn category(rank: &RankDigest, part: usize) -> (CollectiveKind, &str, usize) {
    let part = &rank.parts[part];
    let group = &rank.groups[part.group as usize];
    (part.kind, &group.description, group.ranks.len())
}

/// By step: the indices of its parts, by category. Parts that overlap need not begin in the same order on two ranks.
fn by_category(rank: &RankDigest) -> Vec<Vec<usize>> {
    let mut parts = by_step(rank);
    for of_step in &mut parts {
        of_step.compact_sort_by_key(|part| category(rank, *part));
    }
    parts
}

/// By step: the indices of its parts.
fn by_step(rank: &RankDigest) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); rank.steps.len()];
    // Without marked steps there is one step, to which no part refers.
    let is_one = !rank.marked_steps && rank.steps.len() == 1;
    for (place, part) in rank.parts.iter().enumerate() {
        if let Some(of_step) = parts.get_mut(if is_one { 0 } else { part.step as usize }) {
            of_step.push(place);
        }
    }
    parts
}

/// The job, ready to be replayed.
pub(super) struct Replay<'a> {
    ranks: &'a [RankDigest],
    /// By rank: whether it takes part.
    here: Vec<bool>,
    clocks: &'a Clocks,
    matching: &'a Matching,
    times: &'a [Option<CollectiveTimes>],
    /// Collectives in the order in which their last rank begins them.
    order: Vec<usize>,
    own: Vec<Own>,
    /// Pairs of ranks that transfer both ways at once.
    both_ways: BTreeSet<[u64; 2]>,
    together: &'a Joined,
    /// By the first of the ranks that wait for each other: the end of all work without a change; none if that is too
    /// far from the recorded one.
    base: Vec<Option<Nanos>>,
}

/// The changes of a replay.
#[derive(Default)]
pub(super) struct Changed {
    /// The work of changed ranks, by index.
    pub(super) ranks: HashMap<usize, Own, FxBuildHasher>,
    /// The factors of the transfers of collectives, by index.
    pub(super) transfers: HashMap<usize, f64, FxBuildHasher>,
}

/// The moments of a rank's own times: one after each of its waits, in their order. A part that began before some waits
/// may come after them, if other ranks reach it late.
struct At {
    waits: Vec<((Nanos, Nanos), Nanos)>,
}

impl At {
    fn of(start: Nanos) -> Self {
        Self { waits: vec![((Nanos::ZERO, Nanos::MIN), start)] }
    }

    /// The moment of an own time.
    fn moment_of(&self, at: (Nanos, Nanos)) -> Nanos {
        let place = self.waits.partition_point(|(wait, _)| *wait <= at).saturating_sub(1);
        let (wait, moment) = self.waits[place];
        moment + (at.0 - wait.0)
    }

    /// Makes the rank wait until a moment, and moves later waits with it.
    fn wait(&mut self, at: (Nanos, Nanos), until: Nanos) {
        let mut last = (at, self.moment_of(at).max(until));
        let place = self.waits.partition_point(|(wait, _)| *wait <= at);
        self.waits.insert(place, last);
        for wait in &mut self.waits[place + 1..] {
            let moved = last.1 + (wait.0.0 - last.0.0);
            if wait.1 >= moved {
                break;
            }
            wait.1 = moved;
            last = *wait;
        }
    }
}

/// A job as it was recorded.
pub(super) struct Recorded<'a> {
    pub(super) ranks: &'a [RankDigest],
    pub(super) rows: &'a [RankRow],
    pub(super) clocks: &'a Clocks,
    pub(super) matching: &'a Matching,
    pub(super) times: &'a [Option<CollectiveTimes>],
    pub(super) together: &'a Joined,
}

impl<'a> Replay<'a> {
    pub(super) fn of(Recorded { ranks, rows, clocks, matching, times, together }: Recorded<'a>) -> Self {
        let last_start = |index: usize| {
            let parts = matching.parts(&matching.collectives[index]).iter();
            let starts = parts.map(|part| clocks.common(part.rank as usize, part_of(ranks, *part).span.start));
            starts.fold(Nanos::MIN, Nanos::max)
        };
        let mut order: Vec<(Nanos, usize)> =
            (0..matching.collectives.len()).map(|index| (last_start(index), index)).collect();
        order.compact_sort();
        let order = order.into_iter().map(|(_, index)| index).collect();
        let own = ranks.iter().zip(&clocks.ranks).map(|(rank, clock)| Own::of(rank, Skipped::of(rank, clock)));
        let own = own.collect();
        let here = rows.iter().map(|row| !row.is_left_out()).collect();
        let both_ways = both_ways(ranks, matching);
        let mut replay =
            Self { ranks, here, clocks, matching, times, order, own, both_ways, together, base: Vec::new() };
        let base = replay.ends(&Changed::default()).into_iter().enumerate();
        replay.base = base.map(|(first, end)| end.filter(|end| replay.is_near(first, *end))).collect();
        replay
    }

    /// Whether the replay of ranks that wait for each other ends as recorded, to within a tenth.
    fn is_near(&self, first: usize, base: Nanos) -> bool {
        let belongs = |index: usize| self.here[index] && self.together.first(index) == first;
        let steps = || {
            self.ranks.iter().enumerate().filter(|(index, _)| belongs(*index)).flat_map(|(index, rank)| {
                rank.steps.iter().map(move |step| {
                    (self.clocks.common(index, step.span.start), self.clocks.common(index, step.span.end))
                })
            })
        };
        let (first, last) = steps().fold((Nanos::MAX, Nanos::MIN), |all, step| (all.0.min(step.0), all.1.max(step.1)));
        first < last && (base.0 - last.0).abs() < (last - first).0 / 10
    }

    /// Time by which all work would end sooner; of independent jobs, the largest.
    pub(super) fn saved(&self, changed: &Changed) -> Option<Nanos> {
        let pairs = self.base.iter().zip(self.ends(changed));
        pairs.filter_map(|(base, end)| Some((*base)? - end?)).max()
    }

    /// By the first of the ranks that wait for each other: the end of the last one.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a part of a length")]
    fn ends(&self, changed: &Changed) -> Vec<Option<Nanos>> {
        let own = |rank: usize| changed.ranks.get(&rank).unwrap_or(&self.own[rank]);
        let start = |rank: usize| At::of(self.clocks.common(rank, Nanos::ZERO));
        let mut at: Vec<At> = (0..self.ranks.len()).map(start).collect();
        // The operations of a group run one after another, and so do those of two ranks, unless both ways are seen in
        // use at once.
        let mut free: HashMap<(u32, usize, Option<[u64; 2]>), Nanos, FxBuildHasher> = HashMap::default();
        for index in self.order.iter().copied() {
            let of = &self.matching.collectives[index];
            let parts = self.matching.parts(of);
            let way = of.link.map(|link| if self.both_ways.contains(&pair_of(link)) { link } else { pair_of(link) });
            let mut began = Nanos::MIN;
            for part in parts {
                let rank = part.rank as usize;
                let ready = at[rank].moment_of(own(rank).parts[part.part as usize].at[0]);
                let before = free.get(&(part.rank, of.group, way)).copied().unwrap_or(Nanos::MIN);
                began = began.max(ready.max(before));
            }
            let transfer = match self.times[index] {
                Some(times) => times.transfer,
                None => parts.first().map_or(Nanos::ZERO, |part| part_of(self.ranks, *part).span.len()),
            };
            let factor = changed.transfers.get(&index).copied().unwrap_or(1.0);
            let end = began + Nanos((transfer.0 as f64 * factor).round() as i64);
            for part in parts {
                let rank = part.rank as usize;
                free.insert((part.rank, of.group, way), end);
                let own = own(rank).parts[part.part as usize];
                if own.blocks {
                    at[rank].wait(own.at[1], end);
                }
            }
        }
        let mut ends: Vec<Option<Nanos>> = vec![None; self.ranks.len()];
        for (rank, at) in at.iter().enumerate().filter(|(rank, _)| self.here[*rank]) {
            let end = at.moment_of((own(rank).last, Nanos::MAX));
            let all = &mut ends[self.together.first(rank)];
            *all = Some(all.map_or(end, |all| all.max(end)));
        }
        ends
    }
}

fn pair_of([from, to]: [u64; 2]) -> [u64; 2] {
    [from.min(to), from.max(to)]
}

/// Pairs of ranks of which one sends to the other while it receives from it.
fn both_ways(ranks: &[RankDigest], matching: &Matching) -> BTreeSet<[u64; 2]> {
    let mut parts: Vec<(u32, [u64; 2], Interval, [u64; 2])> = Vec::new();
    for of in &matching.collectives {
        if let Some(link) = of.link {
            let of_part = |part: &PartOf| (part.rank, pair_of(link), part_of(ranks, *part).span, link);
            parts.extend(matching.parts(of).iter().map(of_part));
        }
    }
    parts.compact_sort_by_key(|(rank, pair, span, link)| (*rank, *pair, span.start, *link));
    let mut found = BTreeSet::new();
    for of_pair in parts.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let mut ends = [Nanos::MIN; 2];
        for (_, pair, span, link) in of_pair {
            let way = usize::from(link != pair);
            if span.start < ends[1 - way] {
                found.insert(*pair);
            }
            ends[way] = ends[way].max(span.end);
        }
    }
    found
}
