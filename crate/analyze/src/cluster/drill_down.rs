//! From the job to a cause, step by step, after `MindSpore`'s tuning guide: how it is spread, which number is off, on which
//! rank, why. METRICS section 8.
//!
//! The guide has a walk for each layout. A job with a pipeline takes that of pipelines; else one that shares operators between
//! ranks takes that of models; else it is data parallel. What ranks share besides is checked by its collectives alone.

use super::Job;
use super::outliers::OutlierRule;
use super::parallel_kind::{ParallelKind, ParallelSource};
use super::parallel_layout::Shared;
use super::row_source::RowSource;
use super::rows::{Between, RankRow, StageRow};
use super::stragglers::{Straggler, StragglerCause, StragglerPlace};
use super::verdict::Coverage;
use crate::mean;
use stepscope_base::{CompactSort as _, Nanos};

/// What a step of the walk looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrillDownKind {
    /// All ranks: what an average step holds.
    Entry,
    /// What ranks share between them.
    Parallel(ParallelKind),
    /// A number by which they are compared.
    Metric(DrillDownMetric),
    /// The rank, link, group or stage that is off.
    Place(StragglerPlace),
    /// Why.
    Cause(StragglerCause),
    /// What MindSpore's guide says to try about collectives that it put into the graph.
    Hint(DrillDownHint),
}

/// A hint about collectives that MindSpore put into the graph itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrillDownHint {
    /// Sum several gradients in one all-reduce.
    FuseAllReduces,
    /// Cut operators that follow each other alike, so that nothing is redistributed between them.
    CutAlike,
}

impl DrillDownHint {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FuseAllReduces => "fuse_all_reduces",
            Self::CutAlike => "cut_alike",
        }
    }
}

/// A number by which ranks are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrillDownMetric {
    /// What a rank needs by itself.
    Own,
    /// From the end of a step to the first forward operator of the next one.
    IterationInterval,
    /// Forward and backward pass.
    ForwardAndBackward,
    /// What follows them: gradients, optimizer.
    Tail,
    /// Computing.
    Compute,
    /// Communicating, and nothing is computed; but waiting for other stages, which is a number of its own.
    ExposedWithoutReceiving,
    /// What the collectives of the groups do: they transfer, wait or reduce.
    CollectiveParts,
    /// What the groups' links carry.
    BusBandwidth,
    /// What the stages need by themselves.
    StageTime,
    /// Floating-point operations of the stages.
    StageFlops,
    /// What the stages compute.
    StageCompute,
    /// What the ranks of the slowest stage compute.
    ComputeInStage,
    /// What the ranks of the slowest stage communicate while nothing is computed, but for waiting for other stages.
    ExposedInStage,
    /// Waiting for other stages, and nothing is computed.
    ReceiveAlone,
    /// What links between two ranks carry.
    LinkBandwidth,
}

impl DrillDownMetric {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::IterationInterval => "iteration_interval",
            Self::ForwardAndBackward => "forward_and_backward",
            Self::Tail => "tail",
            Self::Compute => "compute",
            Self::ExposedWithoutReceiving => "exposed_without_receiving",
            Self::CollectiveParts => "collective_parts",
            Self::BusBandwidth => "bus_bandwidth",
            Self::StageTime => "stage_time",
            Self::StageFlops => "stage_flops",
            Self::StageCompute => "stage_compute",
            Self::ComputeInStage => "compute_in_stage",
            Self::ExposedInStage => "exposed_in_stage",
            Self::ReceiveAlone => "receive_alone",
            Self::LinkBandwidth => "link_bandwidth",
        }
    }

    /// Whether it is off by a limit of its own, without a place or a cause that follow.
    #[must_use]
    pub fn is_judged_alone(self) -> bool {
        matches!(
            self,
            Self::IterationInterval
                | Self::StageTime
                | Self::StageFlops
                | Self::ComputeInStage
                | Self::ExposedInStage
                | Self::ExposedWithoutReceiving
                | Self::ReceiveAlone
        )
    }

    /// The table that has it.
    fn look(self) -> DrillDownLook {
        match self {
            Self::CollectiveParts | Self::BusBandwidth => DrillDownLook::Collectives,
            Self::StageTime | Self::StageFlops | Self::StageCompute => DrillDownLook::Stages,
            Self::LinkBandwidth => DrillDownLook::Links,
            _ => DrillDownLook::Ranks,
        }
    }
}

/// Where there is more to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrillDownLook {
    /// The job's ranks.
    Ranks,
    /// Its stages.
    Stages,
    /// Its collectives.
    Collectives,
    /// Its links.
    Links,
    /// What holds the others up.
    Stragglers,
    /// The rank's kernels, beside another rank's.
    Kernels,
    /// The rank's data pipeline and waits for data.
    Pipeline,
    /// Why the rank's device idles.
    Idle,
}

impl DrillDownLook {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ranks => "ranks",
            Self::Stages => "stages",
            Self::Collectives => "collectives",
            Self::Links => "links",
            Self::Stragglers => "stragglers",
            Self::Kernels => "kernels",
            Self::Pipeline => "pipeline",
            Self::Idle => "idle",
        }
    }
}

/// A number of the walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrillDownNumber {
    /// Per step.
    Time(Nanos),
    /// Floating-point operations per step.
    Flops(f64),
    /// Bytes per second.
    Rate(f64),
    /// A part of 1.
    Share(f64),
    /// How many.
    Count(u64),
}

/// A step of the walk.
#[derive(Clone, Debug, PartialEq)]
pub struct DrillDownStep {
    /// What it looks at.
    pub kind: DrillDownKind,
    /// How far from the entry: a step belongs to the last one before it that is nearer.
    pub depth: u8,
    /// Whether something is wrong there.
    pub off: bool,
    /// The numbers, by stable names.
    pub numbers: Vec<(&'static str, DrillDownNumber)>,
    /// The ranks that it is about; none if it is about all.
    pub ranks: Vec<u64>,
    /// The stage whose ranks are compared; none if it is about all.
    pub stage: Option<u32>,
    /// How it is known; of parallelism alone.
    pub source: Option<ParallelSource>,
    /// By what rule it is off; of places alone.
    pub rule: Option<OutlierRule>,
    /// Where there is more to see.
    pub look: DrillDownLook,
}

/// The walk through a job. Each straggler is at its end once; of what is as it should be, only the numbers are told.
#[must_use]
pub fn drill_down(job: &Job) -> Vec<DrillDownStep> {
    let mut steps = vec![entry(job)];
    let mut shared: Vec<Shared> = job.parallel.iter().copied().filter(|shared| shared.size > 1).collect();
    shared.compact_sort_by_key(|shared| guide_place(shared.kind));
    let of_operators =
        shared.iter().position(|shared| !matches!(shared.kind, ParallelKind::Pipeline | ParallelKind::Data));
    // What ranks need by themselves is compared where they do the same: anywhere but between stages.
    let alike = shared.iter().position(|shared| shared.kind != ParallelKind::Pipeline).unwrap_or_default();
    for (place, Shared { kind, size, source }) in shared.iter().copied().enumerate() {
        let at = steps.len();
        steps.push(DrillDownStep {
            kind: DrillDownKind::Parallel(kind),
            depth: 1,
            numbers: vec![("size", DrillDownNumber::Count(size))],
            source: Some(source),
            ..steps[0].clone()
        });
        for metric in metrics(kind, place == 0, place == alike) {
            steps.extend(of_metric(job, metric, Some(kind), 2));
            match metric {
                DrillDownMetric::StageTime => steps.extend(in_slowest_stage(job, 3)),
                // Sums of gradients come after the backward pass.
                DrillDownMetric::Tail => steps.extend(hint(job, DrillDownHint::FuseAllReduces, below(&steps))),
                DrillDownMetric::CollectiveParts if Some(place) == of_operators => {
                    steps.extend(hint(job, DrillDownHint::CutAlike, below(&steps)));
                }
                _ => {}
            }
        }
        steps[at].off = steps[at..].iter().any(|step| step.off);
    }
    if shared.is_empty() {
        let own = of_metric(job, DrillDownMetric::Own, None, 1);
        // What the tables of a profiler have instead.
        let told = [DrillDownMetric::IterationInterval, DrillDownMetric::Compute];
        let told = if own.is_empty() { told.as_slice() } else { &[] };
        steps.extend(own);
        let metrics = told.iter().copied().chain([DrillDownMetric::ExposedWithoutReceiving]);
        steps.extend(metrics.flat_map(|metric| of_metric(job, metric, None, 1)));
    }
    // What has no place below what ranks share: links between ranks that are no stages, groups that nobody knows the purpose of.
    for one in &job.stragglers {
        if !steps.iter().any(|step| step.kind == DrillDownKind::Place(one.place)) {
            let (metric, kind) = shown_by(job, one);
            steps.extend(of_metric(job, metric, kind, 1));
        }
    }
    steps[0].off = steps.iter().any(|step| step.off);
    steps
}

/// Where the guide looks first: pipelines, then what shares operators, then data.
fn guide_place(kind: ParallelKind) -> u8 {
    match kind {
        ParallelKind::Pipeline => 0,
        ParallelKind::Data => 2,
        _ => 1,
    }
}

/// All ranks.
fn entry(job: &Job) -> DrillDownStep {
    let counted = || job.averaged();
    let count = counted().count() as u64;
    let step = mean(counted().map(|row| row.step).sum(), count);
    let mut numbers = vec![
        ("ranks", DrillDownNumber::Count(job.ranks.iter().filter(|row| !row.is_left_out()).count() as u64)),
        ("world_size", DrillDownNumber::Count(job.world_size)),
        ("step", DrillDownNumber::Time(step)),
    ];
    let of_gaps = |of: fn(&Between) -> Nanos| -> Nanos {
        let known: Vec<Nanos> = counted().filter_map(|row| row.between.as_ref()).map(of).collect();
        mean(known.iter().copied().sum(), known.len() as u64)
    };
    let between = of_gaps(|between| between.length);
    if between > Nanos::ZERO {
        numbers.push(("between_steps", DrillDownNumber::Time(between)));
    }
    let tables = job.ranks.iter().filter(|row| !row.is_left_out() && row.source != RowSource::Events).count() as u64;
    if tables > 0 {
        numbers.push(("only_tables", DrillDownNumber::Count(tables)));
    }
    let aside = job.ranks.iter().filter(|row| row.is_compared()).count() as u64 - count;
    if aside > 0 {
        numbers.push(("not_averaged", DrillDownNumber::Count(aside)));
    }
    if between > Nanos::ZERO {
        let period = mean(counted().map(RankRow::period).sum(), count);
        numbers.push(("period", DrillDownNumber::Time(period)));
    }
    // Of the ranks of which it is known; of none, nothing.
    type CollectivePart = (&'static str, fn(&RankRow) -> Option<Nanos>, fn(&Between) -> Option<Nanos>);
    let parts: [CollectivePart; 4] = [
        ("compute", |row| row.compute, |between| Some(between.compute)),
        ("exposed_communication", |row| row.communication_alone, |between| Some(between.communication_alone)),
        ("exposed_memcpy", |row| row.memcpy, |_| None),
        ("idle", |row| row.idle, |between| between.idle),
    ];
    for (name, of, of_gap) in parts {
        let of_period = |row: &RankRow| Some(of(row)? + row.between.as_ref().and_then(of_gap).unwrap_or_default());
        let known: Vec<(Nanos, Nanos)> = counted().filter_map(|row| Some((of_period(row)?, row.period()))).collect();
        let count = known.len() as u64;
        let whole = mean(known.iter().map(|(_, step)| *step).sum(), count);
        let part = mean(known.iter().map(|(part, _)| *part).sum(), count);
        if count > 0 {
            numbers.push((name, DrillDownNumber::Share(part.ratio_of(whole).unwrap_or_default())));
        }
    }
    numbers.extend(job.gain.map(|gain| ("gain", DrillDownNumber::Time(gain))));
    let Coverage { ranks, matched, collectives } = job.coverage;
    numbers.extend([
        ("compared", DrillDownNumber::Count(ranks)),
        ("matched", DrillDownNumber::Count(matched)),
        ("collectives", DrillDownNumber::Count(collectives)),
    ]);
    DrillDownStep {
        kind: DrillDownKind::Entry,
        depth: 0,
        // What follows tells.
        off: false,
        numbers,
        ranks: Vec::new(),
        stage: None,
        source: None,
        rule: None,
        look: DrillDownLook::Ranks,
    }
}

/// The metrics that the guide compares, in its order: all of a layout's walk, or those that the groups of another layout show.
fn metrics(kind: ParallelKind, is_guide: bool, with_own: bool) -> Vec<DrillDownMetric> {
    use DrillDownMetric as M;
    let own: &[M] = if with_own { &[M::Own] } else { &[] };
    let interval: &[M] = if is_guide { &[M::IterationInterval] } else { &[] };
    let of_kind: &[M] = match kind {
        ParallelKind::Data if is_guide => &[M::ForwardAndBackward, M::Tail],
        ParallelKind::Data => &[],
        ParallelKind::Pipeline => &[M::StageTime, M::StageFlops, M::StageCompute, M::ReceiveAlone, M::LinkBandwidth],
        _ => &[M::Compute],
    };
    let exposed: &[M] = if with_own { &[M::ExposedWithoutReceiving] } else { &[] };
    let groups: &[M] = if kind == ParallelKind::Pipeline { &[] } else { &[M::CollectiveParts, M::BusBandwidth] };
    [own, interval, of_kind, exposed, groups].into_iter().flatten().copied().collect()
}

/// The ranks of the stage that needs the most time: one of them may compute for long, or all communicate much, where operators are
/// cut. Nothing if the stage has no other stage beside it.
fn in_slowest_stage(job: &Job, depth: u8) -> Vec<DrillDownStep> {
    let metrics = [DrillDownMetric::ComputeInStage, DrillDownMetric::ExposedInStage];
    metrics.into_iter().flat_map(|metric| of_metric(job, metric, None, depth)).collect()
}

/// The depth of what follows from the last number below what ranks share; of that, if no number is known.
fn below(steps: &[DrillDownStep]) -> u8 {
    steps.last().map_or(0, |last| last.depth.min(2)) + 1
}

/// What to try, on the rank where it is worth the most; nothing where no rank's collectives ask for it.
fn hint(job: &Job, hint: DrillDownHint, depth: u8) -> Option<DrillDownStep> {
    let asking = job.averaged().filter_map(|row| {
        let found = row.inserted?;
        let (asks, count, alone) = match hint {
            DrillDownHint::FuseAllReduces => (found.asks_for_fusion(row.step), found.small, found.small_alone),
            DrillDownHint::CutAlike => (found.asks_for_cuts(row.step), found.resharding, found.resharding_alone),
        };
        asks.then_some((alone, count, row))
    });
    // The first of those with the same.
    let (alone, count, row) = asking.reduce(|most, next| if next.0 > most.0 { next } else { most })?;
    let share = alone.ratio_of(row.step).unwrap_or_default();
    Some(DrillDownStep {
        kind: DrillDownKind::Hint(hint),
        depth,
        off: true,
        numbers: vec![
            ("per_step", DrillDownNumber::Count(count)),
            ("exposed_time", DrillDownNumber::Time(alone)),
            ("share_of_step", DrillDownNumber::Share(share)),
        ],
        ranks: vec![row.rank],
        stage: None,
        source: None,
        rule: None,
        look: DrillDownLook::Collectives,
    })
}

/// What the collectives of the groups that share this do, in all: how much of them is transfer and how much is waiting, by the parts
/// of all ranks, and what their tasks reduce, of those whose tasks are known. Nothing of groups without matched collectives.
fn collective_parts(job: &Job, kind: Option<ParallelKind>, depth: u8) -> Option<DrillDownStep> {
    let rows = job.collectives.iter().filter(|row| {
        let group = row.group.map(|group| &job.groups[group]);
        group.is_some_and(|group| group.parallel.map(|(of, _)| of) == kind) && !row.kind.is_point_to_point()
    });
    let (mut transfer, mut wait, mut reduce, mut known) = (Nanos::ZERO, Nanos::ZERO, Nanos::ZERO, Nanos::ZERO);
    let mut ranks: Vec<u64> = Vec::new();
    for row in rows {
        let Some(sums) = row.sums else { continue };
        transfer += sums.transfer;
        wait += sums.wait;
        if let Some((tasks, of)) = row.tasks {
            reduce += tasks.reduce;
            known += of;
        }
        ranks.extend(row.group.iter().flat_map(|group| &job.groups[*group].ranks));
    }
    ranks.compact_sort();
    ranks.dedup();
    let all = transfer + wait;
    let share = |part: Nanos, of: Nanos| part.ratio_of(of).map(DrillDownNumber::Share);
    let mut numbers = vec![("transfer", share(transfer, all)?), ("wait", share(wait, all)?)];
    numbers.extend(share(reduce, known).map(|share| ("reduce", share)));
    numbers.extend(share(known, all).filter(|_| known > Nanos::ZERO).map(|share| ("tasks_known", share)));
    Some(DrillDownStep {
        kind: DrillDownKind::Metric(DrillDownMetric::CollectiveParts),
        depth,
        off: false,
        numbers,
        ranks,
        stage: None,
        source: None,
        rule: None,
        look: DrillDownMetric::CollectiveParts.look(),
    })
}

/// The stage that needs the most time, the first of several; none without another stage beside it, or where a rank's is not known.
fn slowest_stage(job: &Job) -> Option<&StageRow> {
    let several = job.stages.len() > 1 && knows_stage_times(job);
    several.then(|| job.stages.iter().rev().max_by_key(|stage| stage.time)).flatten()
}

/// Whether the time of the stage is known of each rank of a stage: one that is not known is no time of zero.
fn knows_stage_times(job: &Job) -> bool {
    let is_of_stage = |row: &&RankRow| row.stage.is_some() && row.is_compared() && row.source != RowSource::Steps;
    job.ranks.iter().filter(is_of_stage).all(|row| row.stage_time.is_some())
}

/// A number, and what follows from it; nothing if it is not known.
///
/// Of bandwidth it is that of the groups that share this; of those of which nothing is known if there is none.
fn of_metric(job: &Job, metric: DrillDownMetric, kind: Option<ParallelKind>, depth: u8) -> Vec<DrillDownStep> {
    if metric == DrillDownMetric::CollectiveParts {
        return collective_parts(job, kind, depth).into_iter().collect();
    }
    let is_within = matches!(metric, DrillDownMetric::ComputeInStage | DrillDownMetric::ExposedInStage);
    let stage = slowest_stage(job).filter(|_| is_within).map(|slowest| slowest.stage);
    let is_in_stage = |row: &RankRow| stage.is_some() && row.stage == stage;
    let time = |of: &dyn Fn(&RankRow) -> Option<Nanos>| -> Vec<(f64, Vec<u64>)> {
        // A rank of which there are tables or steps alone is not compared with those that have events.
        job.averaged().filter_map(|row| Some((float(of(row)?), vec![row.rank]))).collect()
    };
    let of_stages = |of: &dyn Fn(&StageRow) -> Option<f64>| -> Vec<(f64, Vec<u64>)> {
        job.stages.iter().filter_map(|stage| Some((of(stage)?, stage.ranks.clone()))).collect()
    };
    let of_trace = |index: usize| time(&|row: &RankRow| row.step_trace.map(|times| times[index]));
    let values = match metric {
        DrillDownMetric::Own => time(&|row| row.own),
        DrillDownMetric::IterationInterval => of_trace(0),
        DrillDownMetric::ForwardAndBackward => of_trace(1),
        DrillDownMetric::Tail => of_trace(2),
        DrillDownMetric::Compute => time(&|row| row.compute),
        DrillDownMetric::ExposedWithoutReceiving => time(&|row| row.alone_otherwise),
        DrillDownMetric::ReceiveAlone => time(&|row| row.receive_alone),
        DrillDownMetric::ComputeInStage => time(&|row| row.compute.filter(|_| is_in_stage(row))),
        DrillDownMetric::ExposedInStage => time(&|row| row.alone_otherwise.filter(|_| is_in_stage(row))),
        DrillDownMetric::StageTime if !knows_stage_times(job) => Vec::new(),
        DrillDownMetric::StageTime => of_stages(&|stage| Some(float(stage.time))),
        DrillDownMetric::StageCompute => of_stages(&|stage| Some(float(stage.compute))),
        DrillDownMetric::StageFlops => of_stages(&|stage| flops_of(job, stage)),
        DrillDownMetric::BusBandwidth => {
            let rows = job.collectives.iter().filter_map(|row| {
                let group = &job.groups[row.group?];
                let is_such = group.parallel.map(|(of, _)| of) == kind && !row.kind.is_point_to_point();
                Some((row.bus_bandwidth.filter(|_| is_such)?, group.ranks.clone()))
            });
            rows.collect()
        }
        DrillDownMetric::CollectiveParts => Vec::new(),
        DrillDownMetric::LinkBandwidth => {
            job.links.iter().filter_map(|link| Some((link.bandwidth?, vec![link.from, link.to]))).collect()
        }
    };
    let Some(first) = values.first() else { return Vec::new() };
    let least = values.iter().fold(first, |least, value| if value.0 < least.0 { value } else { least });
    let most = values.iter().fold(first, |most, value| if value.0 > most.0 { value } else { most });
    #[expect(clippy::cast_precision_loss, reason = "a count of ranks")]
    let middle = values.iter().map(|(value, _)| value).sum::<f64>() / values.len() as f64;
    let is_rate = matches!(metric, DrillDownMetric::BusBandwidth | DrillDownMetric::LinkBandwidth);
    let number = |value: f64| match metric {
        _ if is_rate => DrillDownNumber::Rate(value),
        DrillDownMetric::StageFlops => DrillDownNumber::Flops(value),
        _ => DrillDownNumber::Time(nanos(value)),
    };
    let numbers = [("least", least.0), ("mean", middle), ("most", most.0)].map(|(name, value)| (name, number(value)));
    let found = job.stragglers.iter().filter(|one| {
        let (by, of) = shown_by(job, one);
        by == metric && (by != DrillDownMetric::BusBandwidth || of == kind)
    });
    let found: Vec<&Straggler> = found.collect();
    let mut steps = vec![DrillDownStep {
        kind: DrillDownKind::Metric(metric),
        depth,
        off: !found.is_empty(),
        numbers: numbers.to_vec(),
        // Slow is the one with the least rate, or the most time.
        ranks: if is_rate { least.1.clone() } else { most.1.clone() },
        stage,
        source: None,
        rule: None,
        look: metric.look(),
    }];
    match metric {
        DrillDownMetric::ExposedWithoutReceiving => mark_exposed(job, &mut steps[0], |_| true),
        DrillDownMetric::ExposedInStage => mark_exposed(job, &mut steps[0], is_in_stage),
        DrillDownMetric::IterationInterval => mark_interval(job, &mut steps[0]),
        DrillDownMetric::ReceiveAlone => mark_receiving(job, &mut steps[0]),
        DrillDownMetric::StageTime => mark_stages(job, &mut steps[0], |stage| Some(float(stage.time))),
        DrillDownMetric::StageFlops => mark_stages(job, &mut steps[0], |stage| flops_of(job, stage)),
        DrillDownMetric::ComputeInStage => mark_in_stage(job, &mut steps[0], is_in_stage),
        _ => {}
    }
    for straggler in found {
        steps.extend(why(job, straggler, depth + 1));
    }
    steps
}

/// The share of the step above which `MindSpore`'s guide and program find communication too long.
const TENTH: f64 = 0.1;

/// By which part of the mean over the stages one is unlike them, as `MindSpore`'s cluster pages have it.
const FIFTH: f64 = 0.2;

/// Long intervals of all ranks alike are no rank's fault, but time that is lost all the same: it is off where all that are known are
/// long, by the limit of the data walk.
fn mark_interval(job: &Job, step: &mut DrillDownStep) {
    let known = || job.averaged().filter_map(|row| Some((row.rank, row.long_interval?)));
    let long: Vec<u64> = known().filter(|(_, is_long)| *is_long).map(|(rank, _)| rank).collect();
    if known().next().is_none() {
        return;
    }
    step.numbers.push(("long", DrillDownNumber::Count(long.len() as u64)));
    step.off = long.len() == known().count();
    if step.off {
        step.ranks = long;
    }
}

/// Waiting for other stages as a share of what all ranks compute and communicate alone, which `MindSpore`'s program judges so.
fn mark_receiving(job: &Job, step: &mut DrillDownStep) {
    let rows = || job.averaged().filter_map(|row| Some((row.receive_alone?, row.compute? + row.communication_alone?)));
    let (receiving, all): (Nanos, Nanos) = (rows().map(|row| row.0).sum(), rows().map(|row| row.1).sum());
    let Some(share) = receiving.ratio_of(all) else { return };
    step.numbers.push(("share_of_active", DrillDownNumber::Share(share)));
    step.off = share > TENTH;
}

/// A stage that has more than the mean of all stages by more than a fifth.
fn mark_stages(job: &Job, step: &mut DrillDownStep, of: impl Fn(&StageRow) -> Option<f64>) {
    let values: Vec<f64> = job.stages.iter().filter_map(of).collect();
    #[expect(clippy::cast_precision_loss, reason = "a count of stages")]
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let most = values.iter().copied().fold(0.0, f64::max);
    if mean > 0.0 && values.len() == job.stages.len() {
        step.numbers.push(("above_mean", DrillDownNumber::Share(most / mean - 1.0)));
        step.off = most > (1.0 + FIFTH) * mean;
    }
}

/// A rank of the slowest stage that computes longer than the others of it, by the marks of the table of ranks.
fn mark_in_stage(job: &Job, step: &mut DrillDownStep, is_in_stage: impl Fn(&RankRow) -> bool) {
    let rows = job.ranks.iter().filter(|row| row.is_compared() && is_in_stage(row));
    let marked = rows.filter(|row| row.marks.iter().any(|mark| mark.column == "compute"));
    let marked: Vec<u64> = marked.map(|row| row.rank).collect();
    if !marked.is_empty() {
        step.off = true;
        step.ranks = marked;
    }
}

/// The mean of the operations of a stage's ranks, where they are known of each.
#[expect(clippy::cast_precision_loss, reason = "operations, for display")]
fn flops_of(job: &Job, stage: &StageRow) -> Option<f64> {
    let rows = job.ranks.iter().filter(|row| row.is_compared() && row.stage == Some(stage.stage));
    let known: Option<Vec<u64>> = rows.map(|row| row.flops.filter(|_| row.knows_flops())).collect();
    let known = known.filter(|known| !known.is_empty())?;
    Some(known.iter().map(|flops| *flops as f64).sum::<f64>() / known.len() as f64)
}

/// Of exposed communication `MindSpore`'s guide says that more than a tenth of the step is too much: the ranks that have it,
/// the worst first, and how much of that rank's is waiting for others.
fn mark_exposed(job: &Job, step: &mut DrillDownStep, is_wanted: impl Fn(&RankRow) -> bool) {
    const MOST: f64 = 0.8;
    let rows = job.averaged().filter(|row| is_wanted(row));
    let shares = rows.filter_map(|row| Some((row.alone_otherwise?.ratio_of(row.step)?, row)));
    let mut above: Vec<(f64, &RankRow)> = shares.filter(|(share, _)| *share > TENTH).collect();
    above.compact_sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let Some((share, worst)) = above.first() else { return };
    step.off = true;
    step.numbers.push(("share_of_step", DrillDownNumber::Share(*share)));
    let waiting = worst.waiting.zip(worst.alone_otherwise).zip(worst.communication_alone);
    let known = waiting.and_then(|((waiting, _), alone)| waiting.known.ratio_of(alone)).unwrap_or_default();
    let waiting = waiting.and_then(|((waiting, all), _)| waiting.otherwise.ratio_of(all));
    // What is known of a part alone is not told of all.
    step.numbers.extend(waiting.filter(|_| known >= MOST).map(|waiting| ("waiting", DrillDownNumber::Share(waiting))));
    if known < MOST && worst.source == RowSource::Events {
        step.numbers.push(("waiting_known", DrillDownNumber::Share(known)));
    }
    step.ranks = above.iter().map(|(_, row)| row.rank).collect();
    if !job.collectives.is_empty() {
        step.look = DrillDownLook::Collectives;
    }
}

/// The number under which a straggler is told, and of a group what its ranks share.
fn shown_by(job: &Job, straggler: &Straggler) -> (DrillDownMetric, Option<ParallelKind>) {
    match straggler.place {
        StragglerPlace::Rank(_) => (DrillDownMetric::Own, None),
        StragglerPlace::Stage(_) => (DrillDownMetric::StageCompute, None),
        StragglerPlace::Link(_) => (DrillDownMetric::LinkBandwidth, None),
        StragglerPlace::Group(group) => {
            (DrillDownMetric::BusBandwidth, job.groups[group].parallel.map(|(kind, _)| kind))
        }
    }
}

/// Where, and why.
fn why(job: &Job, found: &Straggler, depth: u8) -> [DrillDownStep; 2] {
    let is_rate = matches!(found.place, StragglerPlace::Link(_) | StragglerPlace::Group(_));
    let number = |value: f64| if is_rate { DrillDownNumber::Rate(value) } else { DrillDownNumber::Time(nanos(value)) };
    let mut numbers = vec![
        ("value", number(found.value)),
        ("usual", number(found.usual)),
        ("by", DrillDownNumber::Share(found.value / found.usual - 1.0)),
    ];
    if found.voted > 0 {
        numbers
            .extend([("last_in", DrillDownNumber::Count(found.votes)), ("voted", DrillDownNumber::Count(found.voted))]);
    }
    let place = DrillDownStep {
        kind: DrillDownKind::Place(found.place),
        depth,
        off: true,
        numbers,
        ranks: found.place.ranks(job),
        stage: None,
        source: None,
        rule: Some(found.rule),
        look: DrillDownLook::Stragglers,
    };
    let mut numbers = Vec::new();
    if matches!(found.place, StragglerPlace::Rank(_)) {
        let parts = ["compute", "data", "host"].into_iter().zip(found.excess);
        numbers.extend(parts.map(|(name, time)| (name, DrillDownNumber::Time(time))));
    }
    numbers.extend(found.gain.map(|gain| ("gain", DrillDownNumber::Time(gain))));
    numbers.extend(gain_together(job).map(|gain| ("gain_together", DrillDownNumber::Time(gain))));
    let has_events = |row: &RankRow| row.source == RowSource::Events && place.ranks.contains(&row.rank);
    let look = match found.cause {
        // There are no kernels to look at.
        StragglerCause::Stage if !job.ranks.iter().any(has_events) => DrillDownLook::Stages,
        StragglerCause::Compute
        | StragglerCause::MoreKernels
        | StragglerCause::LongerKernels
        | StragglerCause::Stage => DrillDownLook::Kernels,
        StragglerCause::Data => DrillDownLook::Pipeline,
        StragglerCause::Host => DrillDownLook::Idle,
        StragglerCause::Link if matches!(found.place, StragglerPlace::Link(_)) => DrillDownLook::Links,
        StragglerCause::Link => DrillDownLook::Collectives,
    };
    let cause = DrillDownStep {
        kind: DrillDownKind::Cause(found.cause),
        depth: depth + 1,
        numbers,
        rule: None,
        look,
        ..place.clone()
    };
    [place, cause]
}

/// What mending all stragglers gains, where that is more than what each of them does alone: who is slow beside another one is not
/// what the others wait for.
fn gain_together(job: &Job) -> Option<Nanos> {
    const MORE: f64 = 1.05;
    let alone: Nanos = job.stragglers.iter().filter_map(|one| one.gain).sum();
    job.gain.filter(|all| job.stragglers.len() > 1 && float(*all) > MORE * float(alone))
}

#[expect(clippy::cast_precision_loss, reason = "a length, to be compared with others")]
fn float(time: Nanos) -> f64 {
    time.0 as f64
}

#[expect(clippy::cast_possible_truncation, reason = "it was whole nanoseconds, or their mean")]
fn nanos(value: f64) -> Nanos {
    Nanos(value.round() as i64)
}
