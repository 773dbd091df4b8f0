//! The table of ranks and that of stages, after MindSpore's cluster pages. METRICS section 8.

use super::digest::{RankDigest, StepDigest, StepGap};
use super::inserted::InsertedCollectives;
use super::left_out::LeftOut;
use super::outliers::{FIFTH, OutlierRule, larger, middle};
use super::recorded::RecordedRank;
use super::relation::ApartReason;
use super::row_source::RowSource;
use super::waiting::TransferAlone;
use crate::steps::is_between;
use crate::{is_enough, mean};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_table::{Field, Rows, Unit, Value};

/// A rank in comparison with the others. Times are means over the steps that count, without those in which its clock
/// jumps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankRow {
    /// The rank.
    pub rank: u64,
    /// The file it is from.
    pub file: String,
    /// The host it ran on; empty if unknown.
    pub host: String,
    /// The devices that it used: their numbers, and their models if known.
    pub devices: Vec<(i64, String)>,
    /// Its stage from 0, if the job is a pipeline.
    pub stage: Option<u32>,
    /// Number of steps that count.
    pub steps: u64,
    /// Length of the step.
    pub step: Nanos,
    /// The rank's own time: the step, and the time to the next one, without exposed communication; none if no step
    /// shows it.
    pub own: Option<Nanos>,
    /// Number of steps in that mean: without those of which its trace lacks collectives that others have.
    pub own_steps: u64,
    /// Own time by step, without the time to the next one; none for a step that is not in that mean. Empty if none is.
    pub own_of_steps: Vec<Option<Nanos>>,
    /// Time of computing; none if there is nothing but its steps.
    pub compute: Option<Nanos>,
    /// Time of communicating: of kernels, and of the host's own collectives. None if no parts of collectives are
    /// recorded, which does not mean that there were none.
    pub communication: Option<Nanos>,
    /// Time of communicating without computing: by its collectives, else by its profiler's tables.
    pub communication_alone: Option<Nanos>,
    /// The same without waiting for other stages: a pipeline always has some of that.
    pub alone_otherwise: Option<Nanos>,
    /// The parts of that and of all of it that are waiting for other ranks, as far as the job shows it; by events
    /// alone.
    pub waiting: Option<Waiting>,
    /// Time of copying without computing or communicating; none without events.
    pub memcpy: Option<Nanos>,
    /// Idle time of the devices; none without events.
    pub idle: Option<Nanos>,
    /// The time between steps that follow each other, if it is no less than a hundredth of the step: it is time of the
    /// job, and no part of the step.
    pub between: Option<Between>,
    /// Upper bound of the time that the steps left out, in which its clock jumps, add to a mean over all that would
    /// count.
    pub added_by_jump: Nanos,
    /// Interval between iterations, forward and backward, tail.
    pub step_trace: Option<[Nanos; 3]>,
    /// The collectives that MindSpore inserted into its graph, per step.
    pub inserted: Option<InsertedCollectives>,
    /// Whether that interval is longer than the limit for the data pipeline, if known.
    pub long_interval: Option<bool>,
    /// Time of waiting for other stages (receiving) without computing; none without stages.
    pub receive_alone: Option<Nanos>,
    /// The stage's own time: the step without that.
    pub stage_time: Option<Nanos>,
    /// Floating-point operations of a step.
    pub flops: Option<u64>,
    /// The share of the computing kernels' time for which they are known; none if the profiler recorded them.
    pub flops_coverage: Option<f64>,
    /// The same per second of computing.
    pub flop_rate: Option<f64>,
    /// The most bytes allocated.
    pub memory_peak: Option<i64>,
    /// The most bytes that `MindSpore` planned to use.
    pub planned_peak: Option<i64>,
    /// Number of collectives in which it was the last to arrive.
    pub votes: u64,
    /// Number of such collectives in which it took part.
    pub voted: u64,
    /// Its values that are far from the other ranks'.
    pub marks: Vec<Mark>,
    /// Whether its number occurred before: another recording, which is not compared with the others.
    pub repeated: bool,
    /// The reason why it is no rank of the others' job, if it is none.
    pub apart: Option<ApartReason>,
    /// The source of its times.
    pub source: RowSource,
}

/// The part of a rank's exposed communication that is waiting for other ranks, per step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The part of all of it.
    pub all: Nanos,
    /// The part of communication other than receiving from other stages.
    pub otherwise: Nanos,
    /// The exposed communication in matched collectives: in the rest, the waiting is unknown.
    pub known: Nanos,
}

/// The time between two steps, as a mean over those that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Between {
    /// From the end of a step to the start of the next one.
    pub length: Nanos,
    /// Time of computing.
    pub compute: Nanos,
    /// Time of communicating without computing.
    pub communication_alone: Nanos,
    /// Idle time of the devices; none without a device.
    pub idle: Option<Nanos>,
}

impl RankRow {
    /// Sets the waiting: exposed communication beyond the transfers. Transfers that run at once each count.
    pub(super) fn tell_waiting(&mut self, transfers: &TransferAlone) {
        let is_told = self.source == RowSource::Events;
        let is_matched = transfers.matched() > Nanos::ZERO;
        let times = self.communication_alone.zip(self.alone_otherwise).filter(|_| is_told && is_matched);
        self.waiting = times.map(|(alone, otherwise)| {
            let all = (alone - transfers.of_all()).max(Nanos::ZERO);
            // Without stages both are the same.
            let apart = self.receive_alone.map(|_| (otherwise - transfers.otherwise()).max(Nanos::ZERO));
            Waiting { all, otherwise: apart.unwrap_or(all), known: transfers.matched() }
        });
    }

    /// Whether its operations are known for enough of the computing kernels' time.
    pub(super) fn knows_flops(&self) -> bool {
        self.flops_coverage.is_none_or(is_enough)
    }

    /// Whether it has steps to be compared with others'.
    pub(super) fn is_compared(&self) -> bool {
        self.steps > 0 && !self.is_left_out()
    }

    /// Whether it repeats a rank's number, or is no rank of the job.
    #[must_use]
    pub fn is_left_out(&self) -> bool {
        self.repeated || self.apart.is_some()
    }

    /// From the start of a step to that of the next one, as far as that is known.
    #[must_use]
    pub fn period(&self) -> Nanos {
        self.step + self.between.map_or(Nanos::ZERO, |between| between.length)
    }
}

/// A value of a rank that is far from the others'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// The column's name.
    pub column: &'static str,
    /// The rule by which it was marked.
    pub rule: OutlierRule,
    /// Its difference from the value that it is compared with, as a part of that; negative if it is less.
    pub by: f64,
}

/// A stage in comparison with the others. Times are means over its ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct StageRow {
    /// Its number, from 0.
    pub stage: u32,
    /// Its ranks.
    pub ranks: Vec<u64>,
    /// The step without waiting for other stages.
    pub time: Nanos,
    /// Time of computing.
    pub compute: Nanos,
    /// Time of waiting for other stages without computing.
    pub receive_alone: Nanos,
    /// Time of other communication without computing.
    pub collective_alone: Nanos,
    /// Excess of its computing over the mean of the stages, as a part of that.
    pub above_mean: f64,
}

/// The table of pipeline stages.
pub enum StageTable {}

impl Rows for StageTable {
    const ID: &'static str = "job.stages";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("stage", Unit::Id, |row, ()| Value::id(row.stage.into())),
        Field::<Self>::new("ranks", Unit::Ids, |row, ()| row.ranks[..].into()),
        Field::<Self>::new("stage_ns", Unit::Duration, |row, ()| row.time.into()),
        Field::<Self>::new("compute_ns", Unit::Duration, |row, ()| row.compute.into()),
        Field::<Self>::new("receive_alone_ns", Unit::Duration, |row, ()| row.receive_alone.into()),
        Field::<Self>::new("collective_alone_ns", Unit::Duration, |row, ()| row.collective_alone.into()),
        Field::<Self>::new("above_mean", Unit::Change, |row, ()| row.above_mean.into()),
    ];
    const SORT: &'static str = "stage_ns";
    type Row = StageRow;
    type Context<'a> = ();
}

/// The mean over steps.
pub(super) fn average<'a>(
    steps: impl Iterator<Item = (usize, &'a StepDigest)>,
    of: impl Fn(&StepDigest) -> Nanos,
) -> Nanos {
    let (mut sum, mut count) = (Nanos::ZERO, 0);
    for (_, step) in steps {
        sum += of(step);
        count += 1;
    }
    mean(sum, count)
}

/// The mean over the times between two steps that follow each other and both count.
pub(super) fn mean_gap<'a>(
    steps: impl Iterator<Item = (usize, &'a StepDigest)>,
    of: impl Fn(&StepGap) -> Nanos,
) -> Nanos {
    let steps: Vec<(usize, &StepDigest)> = steps.collect();
    let follow = steps.windows(2).filter(|pair| pair[0].0 + 1 == pair[1].0);
    let gaps: Vec<Nanos> = follow.filter_map(|pair| pair[0].1.gap.as_ref()).map(of).collect();
    mean(gaps.iter().copied().sum(), gaps.len() as u64)
}

/// The row of a rank, by its index, without votes and marks.
#[expect(clippy::cast_precision_loss, reason = "a rate for display")]
pub(super) fn rank_row(ranks: &[RankDigest], index: usize, left_out: &LeftOut, stage: Option<u32>) -> RankRow {
    let rank = &ranks[index];
    let of_steps = |of: fn(&StepDigest) -> Nanos| average(left_out.counted(ranks, index), of);
    let steps = left_out.counted(ranks, index).count() as u64;
    let own_steps = left_out.counted_whole(ranks, index).count() as u64;
    let own = average(left_out.counted_whole(ranks, index), |step| step.own[1] - step.own[0]);
    let mut own_of_steps = vec![None; if own_steps > 0 { rank.steps.len() } else { 0 }];
    left_out.counted_whole(ranks, index).for_each(|(of, step)| own_of_steps[of] = Some(step.own[1] - step.own[0]));
    let receive_alone = stage.map(|_| of_steps(|step| step.receive_alone));
    let step = of_steps(|step| step.span.len());
    let compute = of_steps(|step| step.compute);
    let of_gaps = |of: fn(&StepGap) -> Nanos| mean_gap(left_out.counted(ranks, index), of);
    let length = of_gaps(|gap| gap.length);
    // Where a clock jumps, that length is unknown.
    let between = (is_between(length, step) && !left_out.jumps(index)).then(|| Between {
        length,
        compute: of_gaps(|gap| gap.compute),
        communication_alone: of_gaps(|gap| gap.length - gap.own),
        idle: Some(of_gaps(|gap| gap.idle)).filter(|_| !rank.on_host),
    });
    // Shorter gaps are no more than the call that ends a step.
    let own_between = between.map_or(Nanos::ZERO, |_| mean_gap(left_out.counted_whole(ranks, index), |gap| gap.own));
    let if_recorded = |time: Nanos| Some(time).filter(|_| !rank.parts.is_empty());
    // Several devices have their mean, as in the rank's own report.
    let by_devices =
        rank.devices.len() > 1 && rank.average.device.communication > Nanos::ZERO && !left_out.jumps(index);
    let device = &rank.average.device;
    let [compute, communication, communication_alone] = if by_devices {
        [device.compute, device.communication, device.exposed_communication]
    } else {
        [compute, of_steps(|step| step.communication), of_steps(|step| step.communication_alone)]
    };
    let communication_alone = if_recorded(communication_alone);
    // The number of operations does not depend on clocks.
    let flops = rank.flops.map(|flops| flops.checked_div(rank.counted().count() as u64).unwrap_or_default());
    let [memcpy, idle] = if left_out.jumps(index) {
        [of_steps(|step| step.device[0]), of_steps(|step| step.device[1])]
    } else {
        [device.exposed_memcpy, device.idle]
    };
    let row = RankRow {
        rank: rank.rank,
        file: rank.file.clone(),
        host: rank.host.clone(),
        devices: rank.devices.clone(),
        stage,
        steps,
        step,
        own: Some(own + own_between).filter(|_| own_steps > 0),
        own_steps,
        own_of_steps,
        compute: Some(compute),
        communication: if_recorded(communication),
        communication_alone,
        alone_otherwise: communication_alone.map(|alone| otherwise(alone, receive_alone)),
        memcpy: Some(memcpy),
        idle: Some(idle),
        between,
        added_by_jump: left_out.added(ranks, index),
        step_trace: if left_out.jumps(index) { step_trace(rank, index, left_out) } else { rank.step_trace },
        inserted: rank.inserted,
        long_interval: rank.long_interval,
        receive_alone,
        stage_time: receive_alone.map(|receive| step - receive),
        flops,
        flops_coverage: flops.map(|_| rank.flops_coverage),
        flop_rate: flops.filter(|_| compute > Nanos::ZERO).map(|flops| flops as f64 / compute.0 as f64 * 1e9),
        memory_peak: rank.memory_peak,
        planned_peak: rank.planned_peak,
        ..RankRow::default()
    };
    rank.recorded.map_or(row.clone(), |recorded| recorded.fill(row))
}

/// The part of exposed communication that is not waiting for other stages.
pub(super) fn otherwise(alone: Nanos, receive_alone: Option<Nanos>) -> Nanos {
    (alone - receive_alone.unwrap_or_default()).max(Nanos::ZERO)
}

/// The step trace's average without the steps in which, or before which, the clock jumps.
fn step_trace(rank: &RankDigest, index: usize, left_out: &LeftOut) -> Option<[Nanos; 3]> {
    let mut before: Option<Nanos> = None;
    let mut known: Vec<[Nanos; 3]> = Vec::new();
    for (place, step) in rank.steps.iter().enumerate() {
        // Its interval is from the end of the step before.
        let is_spoiled = left_out.is_spoiled(index, place) || (place > 0 && left_out.is_spoiled(index, place - 1));
        let span = Interval { start: before.unwrap_or(step.span.start), end: step.span.end };
        before = Some(step.span.end);
        known.extend(step.step_trace.filter(|_| !is_spoiled && !left_out.jumps_in(index, span)));
    }
    let mean_of = |part: usize| mean(known.iter().map(|times| times[part]).sum(), known.len() as u64);
    (!known.is_empty()).then(|| [0, 1, 2].map(mean_of))
}

/// Marks values that are far from the others', and worse: METRICS' fifth from the mean for the interval and the rate of
/// operations; the tests for outliers for a rank's computing and its own time, among the ranks of its stage.
#[expect(clippy::cast_precision_loss, reason = "lengths, to be compared with their mean")]
pub(super) fn mark(rows: &mut [RankRow]) {
    type Column = (&'static str, fn(&RankRow) -> Option<Nanos>);
    const LEAST: f64 = 0.02;
    let interval = |row: &RankRow| row.step_trace.map(|times| times[0].0 as f64);
    from_mean(rows, "iteration_interval", interval, |by| by > FIFTH);
    // A rank with a lower rate is the slow one.
    from_mean(rows, "flop_rate", |row| row.flop_rate, |by| by < -FIFTH);
    let columns: [Column; 2] = [("compute", |row| row.compute), ("own", |row| row.own)];
    for (column, of) in columns {
        for group in alike(rows, |index| of(&rows[index]).is_some(), |_| 0) {
            let values: Vec<f64> = group.iter().filter_map(|index| Some(of(&rows[*index])?.0 as f64)).collect();
            let Some((outliers, rule)) = larger(&values) else { continue };
            let middle = middle_without(&values, &outliers);
            for outlier in outliers {
                let by = values[outlier] / middle - 1.0;
                if middle > 0.0 && by > LEAST {
                    rows[group[outlier]].marks.push(Mark { column, rule, by });
                }
            }
        }
    }
}

/// The ranks that do the same and have a known own time, by index: those of one stage and of one job, which `job`
/// numbers.
pub(super) fn peers(rows: &[RankRow], job: impl Fn(usize) -> usize) -> Vec<Vec<usize>> {
    alike(rows, |index| rows[index].own.is_some(), job)
}

fn alike(rows: &[RankRow], is_known: impl Fn(usize) -> bool, job: impl Fn(usize) -> usize) -> Vec<Vec<usize>> {
    let mut alike: std::collections::BTreeMap<(usize, Option<u32>), Vec<usize>> = std::collections::BTreeMap::new();
    for (index, row) in rows.iter().enumerate().filter(|(index, row)| row.is_compared() && is_known(*index)) {
        alike.entry((job(index), row.stage)).or_default().push(index);
    }
    alike.into_values().collect()
}

/// The median of the values that are no outliers.
pub(super) fn middle_without(values: &[f64], outliers: &[usize]) -> f64 {
    let mut others = values.to_vec();
    outliers.iter().for_each(|outlier| others[*outlier] = f64::NAN);
    others.retain(|value| !value.is_nan());
    others.compact_sort_by(f64::total_cmp);
    middle(&others)
}

#[expect(clippy::cast_precision_loss, reason = "a count of ranks")]
fn from_mean(
    rows: &mut [RankRow],
    column: &'static str,
    of: impl Fn(&RankRow) -> Option<f64>,
    is_worse: fn(f64) -> bool,
) {
    let mut sources: Vec<RowSource> = rows.iter().map(|row| row.source).collect();
    sources.compact_sort();
    sources.dedup();
    // Times by a profiler's table are only compared with each other.
    for source in sources {
        let is_alike = |row: &RankRow| row.is_compared() && row.source == source;
        let values: Vec<Option<f64>> = rows.iter().map(|row| of(row).filter(|_| is_alike(row))).collect();
        let known = values.iter().flatten().count();
        let mean = values.iter().flatten().sum::<f64>() / known.max(1) as f64;
        if known < 2 || mean <= 0.0 {
            continue;
        }
        for (row, value) in rows.iter_mut().zip(values) {
            let Some(by) = value.map(|value| value / mean - 1.0) else { continue };
            if is_worse(by) {
                row.marks.push(Mark { column, rule: OutlierRule::FifthFromMean, by });
            }
        }
    }
}

/// The table of stages.
pub(super) fn stage_rows(rows: &[RankRow]) -> Vec<StageRow> {
    let is_known = |row: &RankRow| row.is_compared() && row.source != RowSource::Steps;
    let of_stage = |stage: u32| rows.iter().filter(move |row| row.stage == Some(stage) && is_known(row));
    let last = rows.iter().filter_map(|row| row.stage).max();
    let stages = (0..=last.unwrap_or_default()).filter(|stage| last.is_some() && of_stage(*stage).next().is_some());
    let row = |stage: u32| {
        let count = of_stage(stage).count() as u64;
        let of = |time: fn(&RankRow) -> Nanos| mean(of_stage(stage).map(time).sum(), count);
        let receive = |row: &RankRow| row.receive_alone.unwrap_or_default();
        StageRow {
            stage,
            ranks: of_stage(stage).map(|row| row.rank).collect(),
            time: of(|row| row.stage_time.unwrap_or_default()),
            compute: of(|row| row.compute.unwrap_or_default()),
            receive_alone: of(receive),
            collective_alone: of(|row| row.alone_otherwise.unwrap_or_default()),
            above_mean: 0.0,
        }
    };
    let mut found: Vec<StageRow> = stages.map(row).collect();
    let all = mean(found.iter().map(|stage| stage.compute).sum(), found.len() as u64);
    for stage in &mut found {
        stage.above_mean = stage.compute.ratio_of(all).map_or(0.0, |ratio| ratio - 1.0);
    }
    found
}

impl RecordedRank {
    /// Fills a row with the recorded values, in place of those by its steps alone.
    #[expect(clippy::cast_precision_loss, reason = "a rate for display")]
    pub(super) fn fill(self, row: RankRow) -> RankRow {
        RankRow {
            source: if self.times.is_some() { RowSource::Tables } else { RowSource::Steps },
            own: None,
            compute: self.times.map(|times| times.compute),
            communication: None,
            communication_alone: self.times.map(|times| times.communication_alone),
            alone_otherwise: self.times.map(|times| otherwise(times.communication_alone, times.receive_alone)),
            memcpy: None,
            idle: None,
            receive_alone: self.times.and_then(|times| times.receive_alone),
            stage_time: self.times.and_then(|times| times.stage),
            flops: self.flops.map(|[flops, _]| flops),
            flops_coverage: None,
            flop_rate: self.flops.map(|[_, rate]| rate as f64),
            ..row
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_are_better_than_the_mean_are_not_marked() {
        let row = |interval: i64, rate: f64| RankRow {
            step_trace: Some([Nanos(interval), Nanos(0), Nanos(0)]),
            steps: 1,
            flop_rate: Some(rate),
            ..RankRow::default()
        };
        let mut rows = [row(60, 140.0), row(100, 100.0), row(140, 60.0)];
        mark(&mut rows);
        let marks = rows.map(|row| row.marks.iter().map(|mark| (mark.column, mark.by)).collect::<Vec<_>>());
        assert!(marks[0].is_empty() && marks[1].is_empty(), "{marks:?}");
        assert_eq!(marks[2].iter().map(|(column, _)| *column).collect::<Vec<_>>(), ["iteration_interval", "flop_rate"]);
        assert!(marks[2][0].1 > 0.39 && marks[2][1].1 < -0.39, "{marks:?}");
    }
}
