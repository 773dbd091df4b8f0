//! One wait is one finding, and no finding contradicts another.

use super::facts::WORTH;
use super::{Evidence, Exemption, Judgement};
use crate::{BudgetVerdict, IntervalSet};
use stepscope_base::Nanos;
use stepscope_trace::Trace;

/// Rules about the devices' time, those that name the cause before those that show the symptom: time that one of them
/// claims does not count for those after it.
pub const CLAIM_ORDER: [&str; 30] = [
    "data_parallel",
    "dataloader",
    "pageable_copies",
    "synchronous_copies",
    "slow_calls",
    "exposed_copies",
    "memory_full",
    "allocation",
    "synchronization",
    "communication_backend",
    "processor_many_threads",
    "processor_busy",
    "pipeline_bottleneck",
    "empty_source",
    "processor_few_threads",
    "data_processing",
    "data_transmission",
    "get_next",
    "iteration_interval",
    "launch_bound",
    "short_kernels",
    "long_gaps",
    "host_bound",
    "low_utilization",
    "small_collectives",
    "exposed_communication",
    "format_conversion",
    "tensor_cores",
    "slow_operator",
    "slow_unit",
];

/// Rules about the wait for data that MindSpore's tables show, in the same order.
const DATA: [&str; 9] = [
    "processor_many_threads",
    "processor_busy",
    "pipeline_bottleneck",
    "empty_source",
    "processor_few_threads",
    "data_processing",
    "data_transmission",
    "get_next",
    "iteration_interval",
];

/// Pairs of rules whose advice contradicts each other: never do both hold. For `at_the_peak` and `slow_operator` that
/// is so where they are about the same kernel.
pub const CONTRADICTIONS: [(&str, &str); 13] = [
    ("memory_full", "memory_unused"),
    ("processor_busy", "data_processing"),
    ("processor_busy", "pipeline_bottleneck"),
    ("processor_busy", "empty_source"),
    ("processor_busy", "iteration_interval"),
    ("processor_busy", "processor_few_threads"),
    ("processor_many_threads", "processor_few_threads"),
    ("processor_many_threads", "data_processing"),
    ("processor_many_threads", "pipeline_bottleneck"),
    ("processor_many_threads", "empty_source"),
    ("data_processing", "data_transmission"),
    ("at_the_peak", "slow_operator"),
    ("exposed_communication", "communication_backend"),
];

/// Rules that promise idle time of the device, even elsewhere than where the host loses it. Their promises count by
/// length, not by place: with those of the rules before them they are at most all idle time. So findings together
/// promise at least the saving of a run without all of their causes: the sum of the causes' times, or all idle time.
pub(super) const OF_IDLE_TIME: [&str; 5] =
    ["launch_bound", "short_kernels", "long_gaps", "host_bound", "low_utilization"];

/// Leaves each stretch of time to the first rule of [`CLAIM_ORDER`] that claims it, and withdraws findings that another
/// rule makes untrue. `per_step` gives the part of some time per step, including the time to the next one; `idle` is
/// the known idle time of the device in these.
pub(super) fn distinct(
    judged: &mut [Judgement],
    trace: Option<&Trace>,
    per_step: impl Fn(&IntervalSet) -> Nanos,
    idle: &IntervalSet,
) {
    at_their_peak(judged, trace);
    one_wait_for_data(judged);
    let mut promised = Nanos::ZERO;
    let mut taken: Vec<(IntervalSet, &'static str)> = Vec::new();
    for rule in CLAIM_ORDER {
        let Some(judgement) = judged.iter_mut().find(|one| one.holds && one.rule.id == rule) else { continue };
        let Ok(found) = &mut judgement.measured else { continue };
        let Some(claim) = found.claim.take() else { continue };
        let left = claim.without(taken.iter().map(|(time, _)| time));
        if claim.least >= Nanos::ZERO && left.len() <= claim.least {
            let mine = claim.without([].iter());
            let shared = |(time, _): &&(IntervalSet, &'static str)| time.intersection(&mine).len();
            let other = taken.iter().max_by_key(shared).filter(|other| shared(other) > Nanos::ZERO);
            let other = other.map(|(_, rule)| *rule).filter(|_| mine.len() > claim.least);
            judgement.leave_to(other);
            continue;
        }
        if OF_IDLE_TIME.contains(&rule) {
            let rest = (per_step(idle) - promised).max(Nanos::ZERO);
            found.gain = found.gain.map(|gain| gain.min(rest));
            promised += found.gain.unwrap_or_default();
        } else {
            let others = per_step(&claim.time) - per_step(&left);
            found.gain = found.gain.map(|gain| (gain - others).max(Nanos::ZERO));
            promised += found.gain.unwrap_or_default().min(per_step(&left.intersection(idle)));
        }
        taken.push((left, judgement.rule.id));
    }
    judged.iter_mut().filter_map(|one| one.measured.as_mut().ok()).for_each(|found| found.claim = None);
}

/// Limits the promises of rules on idle time to the device's idle time, given the budget's costs of some of them. The
/// other rules promise the rest. One with hardly any rest, or with less than half of what it would promise alone, leaves
/// its time to the largest of those with costs.
pub(super) fn within_idle(judged: &mut [Judgement], budget: &BudgetVerdict) {
    let costs = |one: &Judgement| {
        let cost = one.cost.filter(|cost| one.holds && cost.cause.kind.is_of_idle_time())?;
        Some((cost.saves(), one.rule.id, cost.length))
    };
    let Some((_, largest, length)) = judged.iter().filter_map(costs).max_by_key(|(saved, ..)| *saved) else { return };
    let mut left = judged.iter().filter_map(costs).fold(budget.idle, |left, (saved, ..)| left - saved).max(Nanos::ZERO);
    for rule in OF_IDLE_TIME {
        let is_such = |one: &&mut Judgement| one.holds && one.cost.is_none() && one.rule.id == rule;
        let Some(judgement) = judged.iter_mut().find(is_such) else { continue };
        let Some(gain) = judgement.measured.as_mut().ok().and_then(|found| found.gain.as_mut()) else { continue };
        let promised = *gain;
        *gain = left.min(promised);
        left -= *gain;
        let is_mostly_theirs = *gain + *gain < promised;
        let is_little = *gain < promised && gain.ratio_of(length).is_none_or(|share| share < WORTH);
        if is_little || is_mostly_theirs {
            judgement.leave_to(Some(largest));
            let was_left_to_it = judged.iter_mut().filter(|one| one.covered_by == Some(rule));
            was_left_to_it.for_each(|one| one.covered_by = Some(largest));
        }
    }
}

/// Leaves the wait for data to the first rule that names its cause, with the claim and the gain of another one if it
/// has none.
fn one_wait_for_data(judged: &mut [Judgement]) {
    let mut first: Option<usize> = None;
    for rule in DATA {
        let is_such = |one: &Judgement| {
            let of_data = one.measured.as_ref().is_ok_and(|found| found.waits_for_data);
            one.holds && of_data && one.rule.id == rule
        };
        let Some(place) = judged.iter().position(is_such) else { continue };
        let Some(first) = first else {
            first = Some(place);
            continue;
        };
        let other = judged[first].rule.id;
        // `GetNext` is a part of the interval; the other rules promise the same time, measured elsewhere.
        if rule == "iteration_interval" && other == "get_next" && judged[place].keeps_rest(judged[first].gain()) {
            continue;
        }
        judged[place].leave_to(Some(other));
        let (step, other_whole) = (judged[place].step, judged[place].other_whole);
        let Ok(left) = &mut judged[place].measured else { continue };
        let (Some(claim), gain) = (left.claim.take(), left.gain) else { continue };
        if let Judgement { measured: Ok(found), step: known_step, other_whole: known_whole, .. } = &mut judged[first] {
            found.claim.get_or_insert(claim);
            if found.gain.is_none() {
                (found.gain, *known_step, *known_whole) = (gain, step, other_whole);
            }
        }
    }
}

/// Exempts a slow operator that runs at the device's peak: there is no faster implementation to look for.
fn at_their_peak(judged: &mut [Judgement], trace: Option<&Trace>) {
    let Some(trace) = trace else { return };
    let peak = judged.iter().find(|one| one.holds && one.rule.id == "at_the_peak");
    let evidence = peak.and_then(|one| one.measured.as_ref().ok()).map_or(&[][..], |found| &found.evidence);
    let named = |one: &Evidence| match one {
        Evidence::Named(name, ..) => Some(name.clone()),
        Evidence::Slice(..) | Evidence::Slices(..) | Evidence::Gap { .. } | Evidence::Rank(..) => None,
    };
    let names: Vec<String> = evidence.iter().filter_map(named).collect();
    let Some(slow) = judged.iter_mut().find(|one| one.holds && one.rule.id == "slow_operator") else { return };
    let Ok(found) = &mut slow.measured else { return };
    let is_there = |one: &Evidence| match one {
        Evidence::Slice(id, _) | Evidence::Slices(id, ..) => names.iter().any(|name| name == trace.name_of(*id)),
        Evidence::Named(name, ..) => names.contains(name),
        Evidence::Gap { .. } | Evidence::Rank(..) => false,
    };
    if found.evidence.first().is_some_and(is_there) {
        found.exemption = Some(Exemption::AtThePeak);
        slow.holds = false;
    }
}

impl Judgement {
    /// Leaves its finding on the time between a rank's steps to the rule of that rank that promises all of it.
    pub(super) fn leave_to_rank<'a>(&mut self, of_rank: impl Fn(u64) -> Vec<&'a Judgement>) {
        let Some(rank) = self.measured.as_ref().ok().and_then(|found| found.between_steps_of).filter(|_| self.holds)
        else {
            return;
        };
        let judged = of_rank(rank);
        let waits = |one: &&&Judgement| one.holds && one.measured.as_ref().is_ok_and(|found| found.waits_for_data);
        let such =
            |rule: &&str| judged.iter().filter(waits).any(|one| one.rule.id == *rule && one.gain() >= self.gain());
        if let Some(rule) = DATA.iter().copied().find(|rule| such(rule)) {
            self.leave_to(Some(rule));
        }
    }

    /// Reduces its gain, a length of time, to the part that another rule leaves, if that alone is above its threshold.
    #[expect(clippy::cast_precision_loss, reason = "a length, compared with a threshold")]
    fn keeps_rest(&mut self, taken: Option<Nanos>) -> bool {
        let threshold = self.threshold;
        let Ok(found) = &mut self.measured else { return false };
        let rest = found.gain.zip(taken).map(|(gain, taken)| gain - taken);
        let is_long = rest.is_some_and(|rest| rest.0 as f64 > threshold);
        if is_long {
            found.gain = rest;
        }
        is_long
    }

    /// Withdraws the finding: another rule has it, or there is too little of it.
    pub(super) fn leave_to(&mut self, other: Option<&'static str>) {
        let Ok(found) = &mut self.measured else { return };
        found.exemption = Some(if other.is_some() { Exemption::SameTime } else { Exemption::Little });
        self.covered_by = other;
        self.holds = false;
    }

    /// Restores a finding that was left to a rule whose own is withdrawn.
    pub(super) fn take_back(&mut self) {
        let Ok(found) = &mut self.measured else { return };
        self.covered_by = None;
        // Nothing is left of its gain.
        found.exemption = (found.gain == Some(Nanos::ZERO)).then_some(Exemption::OnlyWaiting);
        if found.exemption.is_some() {
            return;
        }
        self.holds = self.rule.condition.holds(found.value, self.threshold);
    }
}
