//! Advice on the ranks of a job: rules that compare ranks come first, and equal findings of one rule on several ranks
//! share a card.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{Condition, Exemption, Judgement, NotApplicable};
use crate::cluster::{Job, RankRow, RowSource};
use crate::median;
use stepscope_base::{CompactSort, Nanos, sort_times};

/// A judgement with its evidence.
#[derive(Clone, Debug)]
pub struct RuleOutcome<E> {
    /// The judgement.
    pub judgement: Judgement,
    /// The evidence, in the form that the caller needs.
    pub evidence: E,
}

/// A rule's outcome, with its ranks. Ranks run in step: the job saves at most what one rank saves, never the sum of
/// all.
#[derive(Clone, Debug)]
pub struct AdviceCard<E> {
    /// The outcome for the job, or for the rank with the most to gain.
    pub outcome: RuleOutcome<E>,
    /// The index of that rank; none if it is the job.
    pub rank: Option<usize>,
    /// The other ranks with the same outcome, in the same order.
    pub others: Vec<(usize, RuleOutcome<E>)>,
    /// Reason why the job's averages exclude these ranks; none if they do not, or there is no job.
    pub outside: Option<Outside>,
}

/// Reason why the averages of a job exclude a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outside {
    /// Only tables of its profiler are known.
    Tables,
    /// Only its steps are known.
    Steps,
    /// Its number occurred before.
    Repeated,
    /// It is no rank of the job.
    Apart,
}

impl Outside {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tables => "tables",
            Self::Steps => "steps",
            Self::Repeated => "repeated",
            Self::Apart => "apart",
        }
    }

    fn of(job: &Job, row: &RankRow) -> Option<Self> {
        match row.source {
            _ if row.apart.is_some() => Some(Self::Apart),
            _ if row.repeated => Some(Self::Repeated),
            RowSource::Tables if job.is_aside(row) => Some(Self::Tables),
            RowSource::Steps if job.is_aside(row) => Some(Self::Steps),
            _ => None,
        }
    }
}

impl<E> AdviceCard<E> {
    /// The ranks that it is about, by their index, those with the most to gain first; none if it is about their job.
    pub fn ranks(&self) -> impl Iterator<Item = (usize, &RuleOutcome<E>)> {
        let first = self.rank.map(|rank| (rank, &self.outcome));
        first.into_iter().chain(self.others.iter().map(|(rank, outcome)| (*rank, outcome)))
    }

    /// The median gain of several ranks. None for fewer than two ranks, or if a rank's step budget gives a range
    /// instead.
    #[must_use]
    pub fn median_gain(&self) -> Option<Nanos> {
        if self.ranks().any(|(_, outcome)| outcome.judgement.cost.is_some()) {
            return None;
        }
        let mut gains: Vec<Nanos> = self.ranks().filter_map(|(_, outcome)| outcome.judgement.gain()).collect();
        sort_times(&mut gains);
        (gains.len() > 1).then(|| median(&gains))
    }
}

/// The cards for the outcomes of all ranks, by index, and of the job, by importance. Findings that compare ranks come
/// first, unless another one gains more than ten times as much. `rows` has each rank's row in the job, if it has one.
///
/// A finding is about the traces of one run, never of several: these have no step in common. A recording that was
/// exported twice counts once. Ranks that the job's averages do not include have cards of their own, after those of the
/// others.
#[must_use]
pub fn advice_cards<E>(
    ranks: Vec<Vec<RuleOutcome<E>>>,
    mut of_job: Vec<RuleOutcome<E>>,
    job: Option<(&Job, &[Option<usize>])>,
) -> Vec<AdviceCard<E>> {
    let is_apart = job.is_some_and(|(job, _)| !job.is_one());
    let relation_of = |index: usize| job.and_then(|(job, rows)| Some((&job.relation, (*rows.get(index)?)?)));
    let is_copy = |index: usize| relation_of(index).is_some_and(|(relation, row)| relation.copy_of(row).is_some());
    // If the run of a trace is unknown and the others are of several runs, it is a run of its own.
    let run_of = |index: usize| match relation_of(index).and_then(|(relation, row)| relation.run_of(row)) {
        None if is_apart => Run::Trace(index),
        run => Run::Known(run),
    };
    let copies: Vec<bool> = (0..ranks.len()).map(is_copy).collect();
    let several = copies.iter().filter(|is_copy| !**is_copy).count() > 1;
    let job = job.filter(|(job, _)| job.is_one());
    let row_of = |index: usize| job.and_then(|(job, rows)| Some((job, job.ranks.get((*rows.get(index)?)?)?)));
    let is_unbalanced = |outcome: &RuleOutcome<E>| outcome.judgement.rule.id == UNBALANCED && outcome.judgement.holds;
    let unbalanced = job.filter(|_| of_job.iter().any(is_unbalanced));
    let longest = unbalanced.and_then(|(job, _)| job.averaged().filter_map(|row| row.compute).max());
    let mut alike: Vec<Alike<E>> = Vec::new();
    // Their places, by outcome.
    let mut places: BTreeMap<Outcome, usize> = BTreeMap::new();
    for (index, judged) in ranks.into_iter().enumerate().filter(|(index, _)| !copies[*index]) {
        let row = job.and_then(|(job, rows)| {
            let row = (*rows.get(index)?)?;
            job.ranks.get(row).filter(|row| !row.is_left_out()).zip(job.transfers.get(row))
        });
        let mut judged: Vec<RuleOutcome<E>> =
            judged.into_iter().filter(|outcome| !several || !outcome.judgement.is_of_job()).collect();
        if let Some((row, transfers)) = row {
            let of_stages = waits_for_stage(row, longest);
            judged.iter_mut().for_each(|outcome| outcome.judgement.among_ranks(row, transfers, of_stages));
            let holding: Vec<&str> = judged
                .iter()
                .filter(|outcome| outcome.judgement.holds)
                .map(|outcome| outcome.judgement.rule.id)
                .collect();
            let is_alone = |outcome: &&mut RuleOutcome<E>| {
                outcome.judgement.covered_by.is_some_and(|other| !holding.contains(&other))
            };
            judged.iter_mut().filter(is_alone).for_each(|outcome| outcome.judgement.take_back());
        }
        let outside = row_of(index).and_then(|(job, row)| Outside::of(job, row));
        for outcome in judged {
            let run = outcome.judgement.holds.then(|| run_of(index));
            let place = *places.entry((Said::by(&outcome.judgement), outside, run)).or_insert(alike.len());
            match alike.get_mut(place) {
                Some(same) => same.ranks.push((index, outcome)),
                None => alike.push(Alike { outside, ranks: vec![(index, outcome)] }),
            }
        }
    }
    let of_rank = |number: u64| -> Vec<&Judgement> {
        let is_it = |index: usize| row_of(index).is_none_or(|(_, row)| row.rank == number && !row.is_left_out());
        let all = alike.iter().flat_map(|same| &same.ranks);
        all.filter(|(index, _)| is_it(*index)).map(|(_, outcome)| &outcome.judgement).collect()
    };
    of_job.iter_mut().for_each(|outcome| outcome.judgement.leave_to_rank(of_rank));
    let of_ranks = alike.into_iter().filter_map(|Alike { ranks: mut same, outside, .. }| {
        same.compact_sort_by(|(_, a), (_, b)| compare(&a.judgement, &b.judgement));
        let mut same = same.into_iter();
        let (rank, outcome) = same.next()?;
        Some(AdviceCard { outcome, rank: Some(rank), others: same.collect(), outside })
    });
    let of_job = of_job.into_iter().filter(|_| several);
    let of_job = of_job.map(|outcome| AdviceCard { outcome, rank: None, others: Vec::new(), outside: None });
    let cards: Vec<AdviceCard<E>> = of_job.chain(of_ranks).collect();
    let gain_of = |card: &AdviceCard<E>| card.outcome.judgement.saves().filter(|_| card.outcome.judgement.holds);
    let most = cards.iter().filter_map(gain_of).max().unwrap_or_default();
    // Findings that compare ranks, unless they gain less than a tenth of the largest gain.
    let is_first = |card: &AdviceCard<E>| {
        card.rank.is_none() && gain_of(card).is_none_or(|gain| gain.0.saturating_mul(10) >= most.0)
    };
    // Ranks may lose different times to a cause: its largest loss gives its place.
    let place_of = |card: &AdviceCard<E>| card.outcome.judgement.place_of_cause();
    let mut first: Vec<_> = Vec::new();
    for place in cards.iter().map(place_of) {
        match first.iter_mut().find(|(_, kind)| *kind == place.1) {
            Some(known) => *known = place.min(*known),
            None => first.push(place),
        }
    }
    let first_of = |(_, kind)| first.iter().copied().find(|(_, known)| *known == kind);
    let causes: Vec<_> = cards.iter().map(|card| first_of(place_of(card))).collect();
    let mut placed: Vec<(_, AdviceCard<E>)> = causes.into_iter().zip(cards).collect();
    placed.compact_sort_by_key(|(cause, card)| {
        let (passes, is_unjudged, gain) = card.outcome.judgement.order();
        let is_outside = card.outside.is_some();
        (passes, is_unjudged, !passes && !is_first(card), !passes && is_outside, *cause, gain)
    });
    placed.into_iter().map(|(_, card)| card).collect()
}

/// The rule about a pipeline stage that has more to do than the others.
const UNBALANCED: &str = "unbalanced_stage";

/// The time for which a rank waits for a stage that computes longer, where no event shows its waiting and transfers take
/// all ranks as long: beside the time without communication, and beside its receiving, which counts as waiting anyway.
fn waits_for_stage(row: &RankRow, longest: Option<Nanos>) -> Nanos {
    let [Some(longest), Some(alone), None] = [longest, row.communication_alone, row.waiting.map(|told| told.all)]
    else {
        return Nanos::ZERO;
    };
    let receiving = row.alone_otherwise.map_or(Nanos::ZERO, |otherwise| alone - otherwise);
    (longest - (row.step - alone) - receiving).max(Nanos::ZERO)
}

/// The outcome of a rule on a rank, and the rank's run if the rule holds.
type Outcome = (Said, Option<Outside>, Option<Run>);

/// Ranks with the same outcome of a rule, by their index.
struct Alike<E> {
    outside: Option<Outside>,
    ranks: Vec<(usize, RuleOutcome<E>)>,
}

/// The run of a trace.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Run {
    /// The index among the runs of the relation; none for traces that are not compared with each other.
    Known(Option<usize>),
    /// The run of the trace with this index alone.
    Trace(usize),
}

/// The outcome of a rule without numbers.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Said(&'static str, bool, Option<Exemption>, Option<NotApplicable>);

impl Said {
    fn by(judgement: &Judgement) -> Self {
        Self(judgement.rule.id, judgement.holds, judgement.exemption(), judgement.measured.as_ref().err().copied())
    }
}

/// Order of two judgements by one rule: the most to gain first, then the worst value.
fn compare(a: &Judgement, b: &Judgement) -> Ordering {
    let value = |judgement: &Judgement| judgement.measured.as_ref().map_or(0.0, |found| found.value);
    let worse = match a.rule.condition {
        Condition::Above => value(b).total_cmp(&value(a)),
        Condition::Below => value(a).total_cmp(&value(b)),
    };
    a.order().cmp(&b.order()).then(worse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::{Measured, RULES};
    use crate::cluster::{ApartReason, Fingerprint, RankDigest, Relation, job};

    fn told(gain: i64) -> Vec<RuleOutcome<()>> {
        let rule = RULES.iter().find(|rule| rule.id == "dataloader").expect("the rule");
        let measured = Measured { value: 0.5, gain: Some(Nanos(gain)), ..Measured::default() };
        let judgement = Judgement::of(rule, vec![0.1], Ok(measured), Some(Nanos(1_000)));
        vec![RuleOutcome { judgement, evidence: () }]
    }

    /// A stage that computes 108 µs longer: the others receive for 56 µs, and wait for the rest in other communication.
    #[test]
    fn ranks_wait_for_the_longest_stage() {
        let row = |compute: i64, receiving: i64| RankRow {
            step: Nanos(160 + compute),
            communication_alone: Some(Nanos(160)),
            alone_otherwise: Some(Nanos(160 - receiving)),
            ..RankRow::default()
        };
        let of = |row: &RankRow, longest: i64| waits_for_stage(row, Some(Nanos(longest)));
        assert_eq!(of(&row(15, 56), 123), Nanos(52));
        assert_eq!(of(&row(15, 120), 123), Nanos::ZERO, "all of it is in its receiving");
        assert_eq!(of(&row(123, 3), 123), Nanos::ZERO);
        assert_eq!(waits_for_stage(&row(15, 56), None), Nanos::ZERO, "no stage has more to do");
    }

    #[test]
    fn of_traces_that_are_no_job_each_finding_is_about_one() {
        let digest = |kernels: u64| RankDigest {
            unnumbered: true,
            fingerprint: Fingerprint { kernels, activities: kernels, ..Fingerprint::default() },
            ..RankDigest::default()
        };
        let job = job(&[digest(5), digest(7), digest(5)]);
        assert!(!job.is_one());
        let rows = [Some(0), Some(1), Some(2)];
        let cards = advice_cards(vec![told(100), told(200), told(100)], Vec::new(), Some((&job, &rows)));
        let about: Vec<_> = cards.iter().map(|card| (card.rank, card.others.len(), card.median_gain())).collect();
        assert_eq!(about, [(Some(1), 0, None), (Some(0), 0, None)], "the copy counts once");
        // A rank that the job's averages do not include has a card of its own, after the others, whatever it promises.
        let of_job = |runs: Vec<Vec<usize>>| Job {
            relation: Relation { is_job: true, apart: Vec::new(), runs },
            ..Job::default()
        };
        let mut of_three = of_job(vec![vec![0, 1, 2]]);
        let source = [RowSource::Events, RowSource::Events, RowSource::Steps];
        of_three.ranks = source.map(|source| RankRow { steps: 2, source, ..RankRow::default() }).to_vec();
        let cards = advice_cards(vec![told(100), told(200), told(900)], Vec::new(), Some((&of_three, &rows)));
        let about: Vec<_> = cards.iter().map(|card| (card.rank, card.others.len(), card.outside)).collect();
        assert_eq!(about, [(Some(1), 1, None), (Some(2), 0, Some(Outside::Steps))]);
        // Traces of other runs have no step in common: nothing is a median over several runs.
        let mut of_runs = of_job(vec![vec![0, 1], vec![2], vec![3]]);
        let apart = [None, None, Some(ApartReason::OtherWorld), Some(ApartReason::OtherTime)];
        of_runs.ranks = apart.map(|apart| RankRow { steps: 2, apart, ..RankRow::default() }).to_vec();
        let rows = [Some(0), Some(1), Some(2), Some(3)];
        let cards = advice_cards(vec![told(100), told(200), told(900), told(300)], Vec::new(), Some((&of_runs, &rows)));
        let about: Vec<_> = cards.iter().map(|card| (card.rank, card.others.len(), card.outside)).collect();
        let apart = Some(Outside::Apart);
        assert_eq!(about, [(Some(1), 1, None), (Some(2), 0, apart), (Some(3), 0, apart)]);
        // Ranks without a known job share a card for the same finding.
        let cards = advice_cards(vec![told(100), told(200)], Vec::new(), None);
        assert_eq!((cards.len(), cards[0].others.len()), (1, 1));
    }

    #[test]
    fn what_compares_ranks_comes_first_unless_it_gains_next_to_nothing() {
        let of = |rule: &str, gain: i64| {
            let rule = RULES.iter().find(|one| one.id == rule).expect("the rule");
            let measured = Measured { value: 500_000.5, gain: Some(Nanos(gain)), ..Measured::default() };
            RuleOutcome { judgement: Judgement::of(rule, vec![0.1], Ok(measured), None), evidence: () }
        };
        let first = |gain: i64| {
            let of_rank = || vec![of("iteration_interval", 77_000)];
            let cards = advice_cards(vec![of_rank(), of_rank()], vec![of("slow_link", gain)], None);
            cards.first().map(|card| card.outcome.judgement.rule.id)
        };
        assert_eq!((first(8_000), first(163)), (Some("slow_link"), Some("iteration_interval")));
    }

    /// The excess of the slowest rank's time between steps is a part of that time: it is promised once.
    #[test]
    fn the_time_between_steps_is_promised_once() {
        let of = |rule: &str, gain: i64, found: Measured| {
            let rule = RULES.iter().find(|one| one.id == rule).expect("the rule");
            let measured = Measured { value: 500_000.5, gain: Some(Nanos(gain)), ..found };
            RuleOutcome { judgement: Judgement::of(rule, vec![0.1], Ok(measured), None), evidence: () }
        };
        let slow = |gain| of("slow_rank", gain, Measured { between_steps_of: Some(1), ..Measured::default() });
        let interval = |gain| of("iteration_interval", gain, Measured { waits_for_data: true, ..Measured::default() });
        let cards = |of_job| advice_cards(vec![vec![interval(100)], vec![interval(300)]], vec![of_job], None);
        let said = |of_job| {
            let told = cards(of_job).into_iter().map(|card| card.outcome.judgement);
            told.map(|one| (one.rule.id, one.gain().map(|gain| gain.0), one.covered_by)).collect::<Vec<_>>()
        };
        let interval_rule = ("iteration_interval", Some(300), None);
        assert_eq!(said(slow(80)), [interval_rule, ("slow_rank", None, Some("iteration_interval"))]);
        // More than that is a finding.
        assert_eq!(said(slow(400)), [("slow_rank", Some(400), None), interval_rule]);
    }
}
