//! Stragglers: their places, their excess and its causes. METRICS section 8.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::clock::Clocks;
use super::digest::{RankDigest, StepDigest, StepGap};
use super::groups::JobGroup;
use super::left_out::LeftOut;
use super::matching::{Matched, Matching};
use super::outliers::{FIFTH, OutlierRule, larger, middle, middle_but};
use super::replay::{Changed, ComparableSteps, Own, Recorded, Replay, Skipped};
use super::rows::{RankRow, StageRow, average, mean_gap, middle_without, peers};
use super::tables::{CollectiveRow, CollectiveTimes, JobLink, part_of};
use super::together::Joined;
use crate::FewSteps;
use crate::statistics::{mean, median};
use crate::time_categories::TimeCategory;
use stepscope_base::{CompactSort as _, Nanos, sort_times};

/// Cause of a straggler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StragglerCause {
    /// Its device works longer, or the host where there is none, and kernels do not explain most of that.
    Compute,
    /// Its device works longer, mostly as it runs more kernels that are as long as the others'.
    MoreKernels,
    /// Its device works longer, mostly as kernels take longer, of which there are as many.
    LongerKernels,
    /// It waits for data.
    Data,
    /// Its device waits for the host.
    Host,
    /// Its connection has less bandwidth than others of its kind.
    Link,
    /// It has more to do than the other stages.
    Stage,
}

impl StragglerCause {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Compute, Self::MoreKernels, Self::LongerKernels, Self::Data, Self::Host, Self::Link, Self::Stage];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::MoreKernels => "more_kernels",
            Self::LongerKernels => "longer_kernels",
            Self::Data => "data",
            Self::Host => "host",
            Self::Link => "link",
            Self::Stage => "stage",
        }
    }
}

/// Place of a straggler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StragglerPlace {
    /// A rank by its number.
    Rank(u64),
    /// The link from one rank to another one.
    Link([u64; 2]),
    /// The connection of the ranks of a group, by its index among the job's.
    Group(usize),
    /// A stage from 0.
    Stage(u32),
}

impl StragglerPlace {
    /// The ranks that it is about.
    pub(super) fn ranks_of(self, groups: &[JobGroup], stages: &[StageRow]) -> Vec<u64> {
        match self {
            Self::Rank(rank) => vec![rank],
            Self::Link(link) => link.to_vec(),
            Self::Group(group) => groups.get(group).map(|group| group.ranks.clone()).unwrap_or_default(),
            Self::Stage(stage) => {
                let found = stages.iter().find(|row| row.stage == stage);
                found.map(|row| row.ranks.clone()).unwrap_or_default()
            }
        }
    }
}

/// A rank, link, group or stage that delays the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Straggler {
    /// Its place.
    pub place: StragglerPlace,
    /// Its cause.
    pub cause: StragglerCause,
    /// The rule by which it was found.
    pub rule: OutlierRule,
    /// For a rank: the number of collectives in the steps that count in which it was the last to arrive.
    pub votes: u64,
    /// The number of collectives that these are a part of.
    pub voted: u64,
    /// Its value: the own time of a rank per step in ns, the computing of a stage, the bytes per second of a link.
    pub value: f64,
    /// The value that it is compared with: the median of the others that are not slow, too; for links, of those of
    /// their kind.
    pub usual: f64,
    /// For a rank, per step: the excess of its device's work, of its waits for data, and of its device's waits for the
    /// host.
    pub excess: [Nanos; 3],
    /// Time by which a step would be shorter if it were as usual; none if the ranks' traces cannot be replayed.
    pub gain: Option<Nanos>,
    /// For a rank: the few steps that most of the excess of its own time is in; none where it is spread over the steps.
    pub few_steps: Option<FewSteps>,
}

/// A rank with more own time than the others that is no straggler, since they wait for each other as well.
#[derive(Clone, Debug, PartialEq)]
pub struct SlowAlone {
    /// Its number.
    pub rank: u64,
    /// Excess of its own time over the usual one, as a part of that.
    pub by: f64,
    /// The part of the waiting in its collectives that such ranks cause.
    pub blamed: f64,
    /// The part above which they are stragglers.
    pub needed: f64,
    /// The few steps that most of the excess is in; none where it is spread over the steps.
    pub few_steps: Option<FewSteps>,
}

/// Ranks whose devices compute longer than the others', though their own time, which others would wait for, is not.
#[derive(Clone, Debug, PartialEq)]
pub struct LongerCompute {
    /// Their numbers, the one that computes longest first.
    pub ranks: Vec<u64>,
    /// Excess of the first one's computing over the usual one, as a part of that.
    pub by: f64,
}

/// Least excess of a straggler, as a part of the usual value.
const LEAST: f64 = 0.02;

/// Multiple of their share above which ranks are stragglers by the waiting that they cause in their collectives.
/// Collectives are not counted: a rank that is late once a step, among ranks that meet for every layer, is last in few
/// of them.
const SHARE: f64 = 1.5;

/// A rank's part in the waiting of others.
#[derive(Clone, Copy, Default)]
pub(super) struct Votes {
    /// The number of collectives in which it arrives last, and of those in which it takes part and one rank does.
    pub(super) counts: [u64; 2],
    /// The waiting of all in these: that which it causes, and all.
    waits: [Nanos; 2],
}

/// The votes of each rank. The last to arrive has the shortest part; if two parts are equal, there is none.
pub(super) fn votes(ranks: &[RankDigest], matching: &Matching, left_out: &LeftOut) -> Vec<Votes> {
    let mut votes = vec![Votes::default(); ranks.len()];
    let is_such = |of: &&Matched| of.kind.synchronizes() && left_out.counts(ranks, matching, of);
    for of in matching.collectives.iter().filter(is_such) {
        let parts = matching.parts(of);
        let mut lengths: Vec<(Nanos, u32)> =
            parts.iter().map(|part| (part_of(ranks, *part).span.len(), part.rank)).collect();
        lengths.compact_sort();
        let [first, second, ..] = lengths[..] else { continue };
        if first.0 < second.0 {
            let wait: Nanos = lengths.iter().map(|(length, _)| *length - first.0).sum();
            let mut add = |rank: u32, place: usize| {
                let votes = &mut votes[rank as usize];
                votes.counts[place] += 1;
                votes.waits[place] += wait;
            };
            add(first.1, 0);
            parts.iter().for_each(|part| add(part.rank, 1));
        }
    }
    votes
}

/// The tables and the replay that evidence comes from.
pub(super) struct Evidence<'a> {
    pub(super) ranks: &'a [RankDigest],
    pub(super) rows: &'a [RankRow],
    pub(super) votes: &'a [Votes],
    pub(super) stages: &'a [StageRow],
    pub(super) groups: &'a [JobGroup],
    pub(super) matching: &'a Matching,
    pub(super) times: &'a [Option<CollectiveTimes>],
    pub(super) collectives: &'a [CollectiveRow],
    pub(super) links: &'a [JobLink],
    pub(super) clocks: &'a Clocks,
    pub(super) left_out: &'a LeftOut,
    pub(super) together: &'a Joined,
    pub(super) wanted: &'a ComparableSteps<'a>,
}

/// All stragglers, the most gain first, and the gain per step from fixing all of them; then the ranks that are slow and
/// delay no others.
pub(super) fn stragglers(evidence: &Evidence<'_>) -> (Vec<Straggler>, Option<Nanos>, Vec<SlowAlone>) {
    let Evidence { ranks, rows, clocks, matching, times, together, .. } = *evidence;
    let replay = Replay::of(Recorded { ranks, rows, clocks, matching, times, together });
    let per_step = |changed: &Changed, steps: u64| Some(mean(replay.saved(changed)?, steps).max(Nanos::ZERO));
    let mut all = Changed::default();
    let mut all_steps = 0;
    let mut found = Vec::new();
    let (ranks, alone) = evidence.slow_ranks();
    let slow: BTreeSet<u64> = ranks.iter().flat_map(|(one, _)| one.place.ranks_of(&[], &[])).collect();
    let stages = evidence.slow_stages(&slow);
    for (mut straggler, changed) in ranks.into_iter().chain(evidence.slow_links()).chain(stages) {
        let steps = evidence.steps_of(straggler.place);
        straggler.gain = changed.as_ref().and_then(|changed| per_step(changed, steps));
        if let Some(changed) = changed {
            all_steps = all_steps.max(steps);
            all.ranks.extend(changed.ranks);
            all.transfers.extend(changed.transfers);
        }
        found.push(straggler);
    }
    found.compact_sort_by_key(|straggler| std::cmp::Reverse(straggler.gain));
    let is_nothing = all.ranks.is_empty() && all.transfers.is_empty();
    let together = if is_nothing { None } else { per_step(&all, all_steps) };
    (found, together, alone)
}

type Candidate = (Straggler, Option<Changed>);

impl Evidence<'_> {
    /// Whether all parts are in steps that may be changed; without marked steps, all are.
    fn is_wanted(&self, of: &Matched) -> bool {
        self.left_out.counts(self.ranks, self.matching, of)
            && self.matching.parts(of).iter().all(|part| {
                let (rank, step) = (part.rank as usize, part_of(self.ranks, *part).step as usize);
                step >= self.ranks[rank].steps.len() || self.wanted.has(rank, step)
            })
    }

    /// Number of steps that may be changed: the smallest over its ranks.
    fn steps_of(&self, place: StragglerPlace) -> u64 {
        let ranks: BTreeSet<u64> = place.ranks_of(self.groups, self.stages).into_iter().collect();
        let is_such = |rank: &usize| self.rows[*rank].is_compared() && ranks.contains(&self.rows[*rank].rank);
        let steps_of =
            |rank: usize| (0..self.ranks[rank].steps.len()).filter(|step| self.wanted.has(rank, *step)).count();
        let steps = (0..self.ranks.len()).filter(is_such).map(steps_of);
        steps.min().unwrap_or_default() as u64
    }

    /// Ranks with more own time than the others of their stage that they wait for.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "lengths, to be compared")]
    fn slow_ranks(&self) -> (Vec<Candidate>, Vec<SlowAlone>) {
        // It is known for peers.
        let own = |index: usize| self.rows[index].own.unwrap_or_default();
        let (mut found, mut alone) = (Vec::new(), Vec::new());
        for group in peers(self.rows, |rank| self.together.first(rank)) {
            let values: Vec<f64> = group.iter().map(|index| own(*index).0 as f64).collect();
            let Some((outliers, rule)) = larger(&values) else { continue };
            let usual = middle_without(&values, &outliers);
            let mut is_other = vec![true; group.len()];
            outliers.iter().for_each(|outlier| is_other[*outlier] = false);
            let others: Vec<usize> =
                group.iter().zip(is_other).filter(|(_, is)| *is).map(|(index, _)| *index).collect();
            // If one of them comes later than another, the other one is never last: they count together.
            let [blamed, waited] = [0, 1].map(|place| {
                outliers.iter().map(|index| self.votes[group[*index]].waits[place]).sum::<Nanos>().0 as f64
            });
            if waited > 0.0 && blamed * group.len() as f64 <= SHARE * waited {
                let (blamed, needed) = (blamed / waited, SHARE / group.len() as f64);
                alone.extend(outliers.iter().filter(|_| usual > 0.0).map(|outlier| SlowAlone {
                    rank: self.rows[group[*outlier]].rank,
                    by: values[*outlier] / usual - 1.0,
                    blamed,
                    needed,
                    few_steps: self.few_steps(group[*outlier], &others),
                }));
                continue;
            }
            let usual_parts = self.usual_parts(&others);
            for outlier in outliers {
                let (index, value) = (group[outlier], values[outlier]);
                let row = &self.rows[index];
                if value - usual <= LEAST * usual {
                    continue;
                }
                let parts = self.own_parts(index);
                let excess = std::array::from_fn(|part| parts[part] - usual_parts[part]);
                let work = self.longer_work(index, &others, excess[0]);
                let causes = [work, StragglerCause::Data, StragglerCause::Host];
                let cause = causes.into_iter().zip(excess).max_by_key(|(_, excess)| *excess);
                let straggler = Straggler {
                    place: StragglerPlace::Rank(row.rank),
                    cause: cause.map_or(StragglerCause::Host, |(cause, _)| cause),
                    rule,
                    votes: row.votes,
                    voted: row.voted,
                    value,
                    usual,
                    excess,
                    gain: None,
                    few_steps: self.few_steps(index, &others),
                };
                // The fixed rank runs as the rank nearest to the median, among those that have most of its steps.
                let distance = |other: &usize| (own(*other) - Nanos(usual as i64)).0.abs();
                let typical =
                    others.iter().copied().min_by_key(|other| (self.steps_not_told(index, *other), distance(other)));
                let own = typical.and_then(|by| Own::as_other([index, by], self.skipped(index), self.wanted));
                let changed =
                    own.map(|own| Changed { ranks: std::iter::once((index, own)).collect(), ..Changed::default() });
                found.push((straggler, changed));
            }
        }
        (found, alone)
    }

    /// The few steps that most of the excess of a rank's own time is in, over the median of others in steps of the same
    /// name.
    fn few_steps(&self, index: usize, others: &[usize]) -> Option<FewSteps> {
        let steps_of = |index: usize| {
            let own = self.rows[index].own_of_steps.iter();
            own.zip(&self.ranks[index].steps).filter_map(|(own, step)| Some(((*own)?, step.name.as_str())))
        };
        let mut usual: HashMap<&str, Vec<Nanos>, FxBuildHasher> = HashMap::default();
        for (own, name) in others.iter().flat_map(|other| steps_of(*other)) {
            usual.entry(name).or_default().push(own);
        }
        usual.values_mut().for_each(|times| sort_times(times));
        let excess =
            steps_of(index).filter_map(|(own, name)| Some(((own - median(usual.get(name)?)).max(Nanos::ZERO), name)));
        FewSteps::among(&excess.collect::<Vec<_>>())
    }

    /// The cause of a rank's device working longer than others: more kernels that are as long as theirs, or as many
    /// that take longer. If neither explains most of it, it is [`StragglerCause::Compute`].
    #[expect(clippy::cast_precision_loss, reason = "ratios")]
    fn longer_work(&self, index: usize, others: &[usize], excess: Nanos) -> StragglerCause {
        /// Largest relative difference between counts that are alike.
        const ALIKE: f64 = 0.02;
        /// Least mean length of kernels that are as long, as a part of the usual one.
        const AS_LONG: f64 = 0.9;
        // Steps that are cut off have fewer.
        let of = |index: usize| {
            let steps = || self.left_out.counted_whole(self.ranks, index);
            let all = steps().count().max(1) as f64;
            let count: u64 = steps().map(|(_, step)| step.kernels).sum();
            let time: Nanos = steps().map(|(_, step)| step.categories[TimeCategory::Kernel as usize]).sum();
            [count as f64 / all, time.0 as f64 / all]
        };
        let usual = |part: usize| {
            let mut values: Vec<f64> = others.iter().map(|other| of(*other)[part]).collect();
            values.compact_sort_by(f64::total_cmp);
            middle(&values)
        };
        let ([count, time], [usual_count, usual_time]) = (of(index), [usual(0), usual(1)]);
        let longer = time - usual_time;
        let is_known = !self.ranks[index].on_host && count > 0.0 && usual_count > 0.0;
        if !is_known || longer <= 0.0 || 2.0 * longer < excess.0 as f64 {
            return StragglerCause::Compute;
        }
        let more = count / usual_count;
        let mean = (time / count) / (usual_time / usual_count).max(1.0);
        if (more - 1.0).abs() <= ALIKE {
            StragglerCause::LongerKernels
        } else if mean >= AS_LONG && 2.0 * more.ln() > (time / usual_time.max(1.0)).ln() {
            StragglerCause::MoreKernels
        } else {
            StragglerCause::Compute
        }
    }

    fn skipped(&self, rank: usize) -> Skipped {
        Skipped::of(&self.ranks[rank], &self.clocks.ranks[rank])
    }

    /// Number of a rank's steps that count for which another one has no step of that name.
    fn steps_not_told(&self, rank: usize, by: usize) -> usize {
        let known: BTreeSet<&str> = self.left_out.counted(self.ranks, by).map(|(_, step)| step.name.as_str()).collect();
        self.left_out.counted(self.ranks, rank).filter(|(_, step)| !known.contains(step.name.as_str())).count()
    }

    /// The parts of a rank's own time: the work of its device, its waits for data, and its device's waits for the host.
    /// Without a device it is the host that works.
    fn own_parts(&self, index: usize) -> [Nanos; 3] {
        const WORK: [TimeCategory; 3] = [TimeCategory::Kernel, TimeCategory::Memcpy, TimeCategory::Memset];
        const HOST: [TimeCategory; 3] = [TimeCategory::Runtime, TimeCategory::Cpu, TimeCategory::Other];
        let mean_of = |of: &dyn Fn(&StepDigest) -> Nanos| average(self.left_out.counted_whole(self.ranks, index), of);
        let of = |categories: [TimeCategory; 3]| {
            move |step: &StepDigest| categories.iter().map(|category| step.categories[*category as usize]).sum()
        };
        let data = mean_of(&|step| step.categories[TimeCategory::Dataloader as usize]);
        let gap = |of: fn(&StepGap) -> Nanos| {
            let gaps = || mean_gap(self.left_out.counted_whole(self.ranks, index), of);
            self.rows[index].between.map_or(Nanos::ZERO, |_| gaps())
        };
        let work_between = gap(|gap| gap.compute);
        let host_between = gap(|gap| gap.own - gap.compute);
        if self.ranks[index].on_host {
            let work = mean_of(&|step| step.compute);
            let host = mean_of(&|step| step.own[1] - step.own[0]) - work - data;
            return [work + work_between, data, host + host_between];
        }
        [mean_of(&of(WORK)) + work_between, data, mean_of(&of(HOST)) + host_between]
    }

    /// The same as medians over others, each part separately.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "lengths, to be compared")]
    fn usual_parts(&self, others: &[usize]) -> [Nanos; 3] {
        let others: Vec<[Nanos; 3]> = others.iter().map(|index| self.own_parts(*index)).collect();
        std::array::from_fn(|part| {
            let values: Vec<f64> = others.iter().map(|times| times[part].0 as f64).collect();
            Nanos(middle_without(&values, &[]) as i64)
        })
    }

    /// Links and groups with less than four fifths of the median bandwidth of the others of their kind. A kind is the
    /// same operation with messages of about the same size, in groups of one size, and for links also within a host or
    /// across hosts.
    ///
    /// METRICS compares with the mean of the kind. That includes the slow one: of two, one with 70 % of the other's
    /// bandwidth would pass, and fixing it up to the mean is only a part of the possible gain.
    fn slow_links(&self) -> Vec<Candidate> {
        const FOUR_FIFTHS: f64 = 0.8;
        let mut kinds: std::collections::BTreeMap<_, Vec<(StragglerPlace, f64)>> = std::collections::BTreeMap::new();
        for link in self.links {
            if let (Some(bandwidth), Some(bytes)) = (link.bandwidth, link.bytes) {
                let kind = (None, link.across_hosts, 2, magnitude(bytes, link.count));
                kinds.entry(kind).or_default().push((StragglerPlace::Link([link.from, link.to]), bandwidth));
            }
        }
        for row in self.collectives {
            let of_group = row.group.zip(row.bus_bandwidth).zip(row.bytes).filter(|_| !row.kind.is_point_to_point());
            if let Some(((group, bandwidth), bytes)) = of_group {
                let parallel = self.groups[group].parallel.map(|(kind, _)| kind);
                let kind = (Some((row.kind, parallel)), None, row.size, magnitude(bytes, row.count));
                kinds.entry(kind).or_default().push((StragglerPlace::Group(group), bandwidth));
            }
        }
        let mut found: Vec<(Straggler, Changed, f64)> = Vec::new();
        for ((kind, ..), mut places) in kinds {
            places.compact_sort_by(|(_, a), (_, b)| a.total_cmp(b));
            let rates: Vec<f64> = places.iter().map(|(_, bandwidth)| *bandwidth).collect();
            let is_slow = |place: &usize| rates[*place] < FOUR_FIFTHS * middle_but(&rates, *place);
            let slow = (0..rates.len()).take_while(is_slow).count();
            let usual = middle(&rates[slow..]);
            for (place, value) in places.into_iter().take(slow) {
                let straggler = Straggler {
                    place,
                    cause: StragglerCause::Link,
                    rule: OutlierRule::BelowFourFifths,
                    votes: 0,
                    voted: 0,
                    value,
                    usual,
                    excess: [Nanos::ZERO; 3],
                    gain: None,
                    few_steps: None,
                };
                let is_such = |of: &Matched| match place {
                    StragglerPlace::Link(link) => of.link == Some(link),
                    StragglerPlace::Group(group) => of.group == group && Some(of.kind) == kind.map(|(kind, _)| kind),
                    _ => false,
                };
                let slow =
                    self.matching.collectives.iter().enumerate().filter(|(_, of)| is_such(of) && self.is_wanted(of));
                let changed = Changed {
                    transfers: slow.map(|(index, _)| (index, value / usual)).collect(),
                    ..Changed::default()
                };
                let lost = self.lost(&changed);
                match found.iter_mut().find(|(one, ..)| one.place == place) {
                    None => found.push((straggler, changed, lost)),
                    // A slow connection of a group is slow in all operations: it is listed once, by the operation that
                    // loses the most.
                    Some((one, all, most)) => {
                        if lost > *most {
                            (*one, *most) = (straggler, lost);
                        }
                        all.transfers.extend(changed.transfers);
                    }
                }
            }
        }
        found.into_iter().map(|(straggler, changed, _)| (straggler, Some(changed))).collect()
    }

    /// Excess time of the changed transfers.
    #[expect(clippy::cast_precision_loss, reason = "lengths, to be compared")]
    fn lost(&self, changed: &Changed) -> f64 {
        let of = |(index, factor): (&usize, &f64)| {
            self.times[*index].map_or(0.0, |times| times.transfer.0 as f64 * (1.0 - factor))
        };
        changed.transfers.iter().map(of).sum()
    }

    /// Stages that compute more than a fifth longer than the median of the others, apart from ranks that are slow on
    /// their own.
    ///
    /// The table's column compares with the mean of all, as MindSpore's pages do. That includes the stage: of two, one
    /// would have to compute half as long again.
    #[expect(clippy::cast_precision_loss, reason = "lengths, to be compared")]
    fn slow_stages(&self, slow: &BTreeSet<u64>) -> Vec<Candidate> {
        let compute = |stage: &StageRow| {
            let of_stage = self.rows.iter().filter(|row| row.stage == Some(stage.stage) && row.is_compared());
            let others: Vec<Nanos> =
                of_stage.filter(|row| !slow.contains(&row.rank)).map(|row| row.compute.unwrap_or_default()).collect();
            if others.is_empty() { stage.compute } else { mean(others.iter().copied().sum(), others.len() as u64) }
        };
        let values: Vec<f64> = self.stages.iter().map(|stage| compute(stage).0 as f64).collect();
        let is_slow = |place: &usize| {
            let others = middle_without(&values, &[*place]);
            others > 0.0 && values[*place] > (1.0 + FIFTH) * others
        };
        let places: Vec<usize> = (0..values.len()).filter(is_slow).collect();
        let usual = middle_without(&values, &places);
        let candidate = |place: usize| {
            let stage = &self.stages[place];
            let less = values[place] - usual;
            let straggler = Straggler {
                place: StragglerPlace::Stage(stage.stage),
                cause: StragglerCause::Stage,
                rule: OutlierRule::FifthAboveOthers,
                votes: 0,
                voted: 0,
                value: values[place],
                usual,
                excess: [Nanos::ZERO; 3],
                gain: None,
                few_steps: None,
            };
            let of_stage = self.rows.iter().enumerate().filter(|(_, row)| row.stage == Some(stage.stage));
            let scaled = of_stage
                .filter_map(|(index, row)| Some((index, row.own.filter(|own| *own > Nanos::ZERO)?)))
                .map(|(index, own)| (index, 1.0 - less / own.0 as f64))
                .map(|(index, factor)| (index, Own::scaled(index, self.skipped(index), factor, self.wanted)));
            let changed = Changed { ranks: scaled.collect(), ..Changed::default() };
            // A profiler's tables alone cannot be replayed.
            let replays = !changed.ranks.is_empty();
            (straggler, Some(changed).filter(|_| replays))
        };
        places.iter().copied().map(candidate).collect()
    }
}

/// The size of messages, as a power of two.
fn magnitude(bytes: u64, count: u64) -> u32 {
    bytes.checked_div(count).unwrap_or_default().max(1).ilog2()
}
