//! Rules about ranks, links and stages, by comparison of their traces. METRICS section 8.
//!
//! Outliers by section 8's tests are findings whatever the threshold: these tests have their own.

use super::{AdviceUnit, Evidence, Measured, NotApplicable};
use crate::cluster::{Job, RankRow, Straggler, StragglerPlace};

type Judged = Result<Measured, NotApplicable>;

/// Measures the stragglers among such places; zero if there are none.
fn worst(job: &Job, is_such: fn(&StragglerPlace) -> bool, by: fn(&Straggler) -> f64) -> Measured {
    let such: Vec<&Straggler> = job.stragglers.iter().filter(|one| is_such(&one.place)).collect();
    let evidence = |one: &&Straggler| match one.place {
        StragglerPlace::Rank(rank) => Evidence::Rank(rank, one.value, AdviceUnit::Nanoseconds),
        StragglerPlace::Link([from, to]) => {
            Evidence::Named([&from.to_string(), " → ", &to.to_string()].concat(), one.value, AdviceUnit::ByteRate)
        }
        StragglerPlace::Stage(stage) => {
            Evidence::Named(["stage ", &stage.to_string()].concat(), one.value, AdviceUnit::Nanoseconds)
        }
        StragglerPlace::Group(group) => {
            let ranks = job.groups.get(group).map(|group| group.ranks.as_slice()).unwrap_or_default();
            let numbers: Vec<String> = ranks.iter().map(u64::to_string).collect();
            Evidence::Named(["ranks ", &numbers.join(", ")].concat(), one.value, AdviceUnit::ByteRate)
        }
    };
    Measured {
        value: such.iter().map(|one| by(one)).fold(0.0, f64::max),
        threshold: Some(0.0),
        // Several together may gain what none of them gains alone.
        gain: if such.len() == job.stragglers.len() {
            job.gain
        } else {
            such.iter().filter_map(|one| one.gain).reduce(stepscope_base::Nanos::max)
        },
        step: job.averaged().map(RankRow::period).reduce(stepscope_base::Nanos::max),
        evidence: such.iter().map(evidence).collect(),
        ..Measured::default()
    }
}

/// Largest excess of a straggler rank's own time over that of the other ranks, as a part of the latter. Gain: the
/// saving of a replay with that rank as the median, or with all such ranks if there are no other stragglers.
pub(super) fn slow_rank(job: &Job) -> Judged {
    let is_known = |row: &&RankRow| row.apart.is_none() && row.steps > 0 && row.own.is_some();
    if job.ranks.iter().filter(is_known).count() < 2 {
        return Err(NotApplicable::OneRank);
    }
    if !job.verdict.is_known() {
        return Err(NotApplicable::NothingMatched);
    }
    Ok(worst(job, |place| matches!(place, StragglerPlace::Rank(_)), |one| one.value / one.usual - 1.0))
}

/// Largest shortfall of a straggler link's bandwidth against others of its kind, as a part of theirs. Gain: the saving
/// of a replay with it as the median of these.
pub(super) fn slow_link(job: &Job) -> Judged {
    if job.collectives.iter().all(|row| row.algorithm_bandwidth.is_none()) {
        return Err(NotApplicable::NoSizes);
    }
    let is_such = |place: &StragglerPlace| matches!(place, StragglerPlace::Link(_) | StragglerPlace::Group(_));
    Ok(worst(job, is_such, |one| 1.0 - one.value / one.usual))
}

/// Largest excess of a straggler stage's computing time over that of the others, as a part of theirs. Gain: the saving
/// of a replay with it as the median.
pub(super) fn unbalanced_stage(job: &Job) -> Judged {
    if job.stages.len() < 2 {
        return Err(NotApplicable::NoStages);
    }
    Ok(worst(job, |place| matches!(place, StragglerPlace::Stage(_)), |one| one.value / one.usual - 1.0))
}
