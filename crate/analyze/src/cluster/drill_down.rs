//! Drill-down from the job to a cause, after `MindSpore`'s tuning guide: parallel layout, number that is off, rank,
//! cause. METRICS section 8.
//!
//! The guide has a drill-down for each layout. A job with a pipeline takes that of pipelines; else one that shares
//! operators between ranks takes that of models; else it is data parallel. Further parallelism is checked by its
//! collectives alone.

use super::Job;
use super::outliers::{FIFTH, OutlierRule};
use super::parallel_kind::{ParallelKind, ParallelSource};
use super::parallel_layout::Shared;
use super::row_source::RowSource;
use super::rows::{Between, RankRow, StageRow};
use super::stragglers::{Straggler, StragglerCause, StragglerPlace};
use super::verdict::Coverage;
use crate::mean;
use stepscope_base::{CompactSort as _, Nanos};

/// Subject of a step of the drill-down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrillDownKind {
    /// All ranks: the parts of an average step.
    Entry,
    /// A kind of parallelism of the ranks.
    Parallel(ParallelKind),
    /// A number by which they are compared.
    Metric(DrillDownMetric),
    /// The rank, link, group or stage that is off.
    Place(StragglerPlace),
    /// The cause.
    Cause(StragglerCause),
    /// A hint from MindSpore's guide on collectives that it put into the graph.
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
    /// A rank's own time, without waiting.
    Own,
    /// From the end of a step to the first forward operator of the next one.
    IterationInterval,
    /// Forward and backward pass.
    ForwardAndBackward,
    /// The time after them: gradients, optimizer.
    Tail,
    /// Time of computing.
    Compute,
    /// Exposed communication without waiting for other stages, which is a number of its own.
    ExposedWithoutReceiving,
    /// Parts of the groups' collectives: transfer, wait and reduction.
    CollectiveParts,
    /// Bandwidth of the groups' links.
    BusBandwidth,
    /// The stages' own time, without waiting.
    StageTime,
    /// Floating-point operations of the stages.
    StageFlops,
    /// Time of computing of the stages.
    StageCompute,
    /// Time of computing of the ranks of the slowest stage.
    ComputeInStage,
    /// Exposed communication of the ranks of the slowest stage, without waiting for other stages.
    ExposedInStage,
    /// Time of waiting for other stages without computing.
    ReceiveAlone,
    /// Bandwidth of links between two ranks.
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

    /// Whether a rule checks it in a job: by a limit of its own, or as a number in which stragglers show, where they are
    /// known.
    fn is_checked(self, job: &Job) -> bool {
        let shows_stragglers =
            matches!(self, Self::Own | Self::Compute | Self::StageCompute | Self::BusBandwidth | Self::LinkBandwidth);
        self.is_judged_alone() || (shows_stragglers && job.verdict.is_known())
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

/// The view with more detail.
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
    /// The stragglers.
    Stragglers,
    /// The rank's kernels, beside another rank's.
    Kernels,
    /// The rank's data pipeline and waits for data.
    Pipeline,
    /// Idle time of the rank's device.
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

/// A number of the drill-down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrillDownNumber {
    /// A time per step.
    Time(Nanos),
    /// Floating-point operations per step.
    Flops(f64),
    /// Bytes per second.
    Rate(f64),
    /// A part of 1.
    Share(f64),
    /// A count.
    Count(u64),
}

impl DrillDownNumber {
    /// The number without its unit: times in nanoseconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "numbers for display")]
    pub fn value(self) -> f64 {
        match self {
            Self::Time(time) => time.0 as f64,
            Self::Flops(number) | Self::Rate(number) | Self::Share(number) => number,
            Self::Count(count) => count as f64,
        }
    }
}

/// A step of the drill-down.
#[derive(Clone, Debug, PartialEq)]
pub struct DrillDownStep {
    /// Its subject.
    pub kind: DrillDownKind,
    /// Depth below the entry: a step belongs to the last one before it that is less deep.
    pub depth: u8,
    /// Whether something is wrong there.
    pub off: bool,
    /// Whether a rule checks its number: without one, it passes no check.
    pub checked: bool,
    /// The numbers, by stable names.
    pub numbers: Vec<(&'static str, DrillDownNumber)>,
    /// The ranks that it is about; none if it is about all.
    pub ranks: Vec<u64>,
    /// The stage whose ranks are compared; none if it is about all.
    pub stage: Option<u32>,
    /// The source of the kind of parallelism; none for other steps.
    pub source: Option<ParallelSource>,
    /// The rule by which a place is off; none for other steps.
    pub rule: Option<OutlierRule>,
    /// The view with more detail.
    pub look: DrillDownLook,
}

impl DrillDownStep {
    /// Whether the least or the most value of its number is further from the mean than a fifth of it: such a number is
    /// no passed check.
    #[must_use]
    pub fn is_uneven(&self) -> bool {
        let number = |name: &str| self.numbers.iter().find(|(one, _)| *one == name).map(|(_, number)| number.value());
        let Some(mean) = number("mean").filter(|_| matches!(self.kind, DrillDownKind::Metric(_))) else { return false };
        ["least", "most"].iter().filter_map(|name| number(name)).any(|value| (value - mean).abs() > FIFTH * mean)
    }
}

/// The drill-down of a job. Each straggler is at the end of one branch; normal parts have numbers only.
#[must_use]
pub fn drill_down(job: &Job) -> Vec<DrillDownStep> {
    let mut steps = vec![entry(job)];
    let mut shared: Vec<Shared> = job.parallel.iter().copied().filter(|shared| shared.size > 1).collect();
    shared.compact_sort_by_key(|shared| guide_order(shared.kind));
    let of_operators =
        shared.iter().position(|shared| !matches!(shared.kind, ParallelKind::Pipeline | ParallelKind::Data));
    // The ranks' own times are compared where ranks do the same: anywhere but between stages.
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
        // The numbers that a profiler's tables have instead.
        let told = [DrillDownMetric::IterationInterval, DrillDownMetric::Compute];
        let told = if own.is_empty() { told.as_slice() } else { &[] };
        steps.extend(own);
        let metrics = told.iter().copied().chain([DrillDownMetric::ExposedWithoutReceiving]);
        steps.extend(metrics.flat_map(|metric| of_metric(job, metric, None, 1)));
    }
    // Stragglers without a place below a kind of parallelism: links between ranks that are no stages, groups of unknown
    // purpose.
    for one in &job.stragglers {
        if !steps.iter().any(|step| step.kind == DrillDownKind::Place(one.place)) {
            let (metric, kind) = shown_by(job, one);
            steps.extend(of_metric(job, metric, kind, 1));
        }
    }
    steps[0].off = steps.iter().any(|step| step.off);
    steps
}

/// Position in the order of the guide: pipelines, then shared operators, then data.
fn guide_order(kind: ParallelKind) -> u8 {
    match kind {
        ParallelKind::Pipeline => 0,
        ParallelKind::Data => 2,
        _ => 1,
    }
}

/// The entry: all ranks.
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
    // Over the ranks for which it is known; no number if there are none.
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
        // The following steps decide it.
        off: false,
        checked: false,
        numbers,
        ranks: Vec::new(),
        stage: None,
        source: None,
        rule: None,
        look: DrillDownLook::Ranks,
    }
}

/// The metrics that the guide compares, in its order: all of a layout's drill-down, or those that the groups of a
/// further layout show.
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

/// The ranks of the stage that needs the most time: one of them may compute for long, or all communicate much, where
/// operators are cut. Empty without another stage.
fn in_slowest_stage(job: &Job, depth: u8) -> Vec<DrillDownStep> {
    let metrics = [DrillDownMetric::ComputeInStage, DrillDownMetric::ExposedInStage];
    metrics.into_iter().flat_map(|metric| of_metric(job, metric, None, depth)).collect()
}

/// The depth of a step that follows from the last number below a kind of parallelism, or from that kind if no number is
/// known.
fn below(steps: &[DrillDownStep]) -> u8 {
    steps.last().map_or(0, |last| last.depth.min(2)) + 1
}

/// The hint, on the rank where it is worth the most; none if no rank's collectives need it.
fn hint(job: &Job, hint: DrillDownHint, depth: u8) -> Option<DrillDownStep> {
    let asking = job.averaged().filter_map(|row| {
        let found = row.inserted?;
        let (asks, count, alone) = match hint {
            DrillDownHint::FuseAllReduces => (found.asks_for_fusion(row.step), found.small, found.small_alone),
            DrillDownHint::CutAlike => (found.asks_for_cuts(row.step), found.resharding, found.resharding_alone),
        };
        asks.then_some((alone, count, row))
    });
    // The first of equal ones.
    let (alone, count, row) = asking.reduce(|most, next| if next.0 > most.0 { next } else { most })?;
    let share = alone.ratio_of(row.step).unwrap_or_default();
    Some(DrillDownStep {
        kind: DrillDownKind::Hint(hint),
        depth,
        off: true,
        checked: false,
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

/// The parts of the collectives of groups of this kind, in all: the shares of transfer and waiting over the parts of
/// all ranks, and of reduction in those whose tasks are known. None without matched collectives.
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
        checked: false,
        numbers,
        ranks,
        stage: None,
        source: None,
        rule: None,
        look: DrillDownMetric::CollectiveParts.look(),
    })
}

/// The stage that needs the most time, the first of equal ones; none without another stage, or if a rank's time is
/// unknown.
fn slowest_stage(job: &Job) -> Option<&StageRow> {
    let several = job.stages.len() > 1 && knows_stage_times(job);
    several.then(|| job.stages.iter().rev().max_by_key(|stage| stage.time)).flatten()
}

/// Whether the stage time of each rank of a stage is known: an unknown time is not zero.
fn knows_stage_times(job: &Job) -> bool {
    let is_of_stage = |row: &&RankRow| row.stage.is_some() && row.is_compared() && row.source != RowSource::Steps;
    job.ranks.iter().filter(is_of_stage).all(|row| row.stage_time.is_some())
}

/// A number, and the steps that follow from it; empty if it is unknown.
///
/// Bus bandwidth is that of the groups of this kind; without a kind, that of groups of unknown kind.
fn of_metric(job: &Job, metric: DrillDownMetric, kind: Option<ParallelKind>, depth: u8) -> Vec<DrillDownStep> {
    if metric == DrillDownMetric::CollectiveParts {
        return collective_parts(job, kind, depth).into_iter().collect();
    }
    let is_within = matches!(metric, DrillDownMetric::ComputeInStage | DrillDownMetric::ExposedInStage);
    let stage = slowest_stage(job).filter(|_| is_within).map(|slowest| slowest.stage);
    let is_in_stage = |row: &RankRow| stage.is_some() && row.stage == stage;
    let time = |of: &dyn Fn(&RankRow) -> Option<Nanos>| -> Vec<(f64, Vec<u64>)> {
        // Ranks with tables or steps alone are not compared with those that have events.
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
        checked: metric.is_checked(job),
        numbers: numbers.to_vec(),
        // The slowest has the least rate, or the most time.
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

/// Marks long intervals: if those of all known ranks are long, by the limit for the data pipeline, no rank is at fault,
/// but the time is lost all the same.
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

/// Adds the share of waiting for other stages in all ranks' computing and exposed communication, as `MindSpore`'s
/// program judges it.
fn mark_receiving(job: &Job, step: &mut DrillDownStep) {
    let rows = || job.averaged().filter_map(|row| Some((row.receive_alone?, row.compute? + row.communication_alone?)));
    let (receiving, all): (Nanos, Nanos) = (rows().map(|row| row.0).sum(), rows().map(|row| row.1).sum());
    let Some(share) = receiving.ratio_of(all) else { return };
    step.numbers.push(("share_of_active", DrillDownNumber::Share(share)));
    step.off = share > TENTH;
}

/// Marks a stage that exceeds the mean of all stages by more than a fifth, as on `MindSpore`'s cluster pages.
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

/// Marks the ranks of the slowest stage that compute longer than its others, by the marks of the table of ranks.
fn mark_in_stage(job: &Job, step: &mut DrillDownStep, is_in_stage: impl Fn(&RankRow) -> bool) {
    let rows = job.ranks.iter().filter(|row| row.is_compared() && is_in_stage(row));
    let marked = rows.filter(|row| row.marks.iter().any(|mark| mark.column == "compute"));
    let marked: Vec<u64> = marked.map(|row| row.rank).collect();
    if !marked.is_empty() {
        step.off = true;
        step.ranks = marked;
    }
}

/// The mean of the operations of a stage's ranks, if they are known for each.
#[expect(clippy::cast_precision_loss, reason = "operations, for display")]
fn flops_of(job: &Job, stage: &StageRow) -> Option<f64> {
    let rows = job.ranks.iter().filter(|row| row.is_compared() && row.stage == Some(stage.stage));
    let known: Option<Vec<u64>> = rows.map(|row| row.flops.filter(|_| row.knows_flops())).collect();
    let known = known.filter(|known| !known.is_empty())?;
    Some(known.iter().map(|flops| *flops as f64).sum::<f64>() / known.len() as f64)
}

/// Marks exposed communication of more than a tenth of the step, the limit of `MindSpore`'s guide: the ranks that have
/// it, the worst first, and the share of that rank's that is waiting for others.
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
    // A share that is known for too small a part is left out.
    step.numbers.extend(waiting.filter(|_| known >= MOST).map(|waiting| ("waiting", DrillDownNumber::Share(waiting))));
    if known < MOST && worst.source == RowSource::Events {
        step.numbers.push(("waiting_known", DrillDownNumber::Share(known)));
    }
    step.ranks = above.iter().map(|(_, row)| row.rank).collect();
    if !job.collectives.is_empty() {
        step.look = DrillDownLook::Collectives;
    }
}

/// The number under which a straggler is shown, and the kind of parallelism of a group.
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

/// The place and the cause of a straggler.
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
        checked: false,
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

/// The gain from fixing all stragglers, if it is more than the sum of their single gains: others do not wait for a rank
/// that is slow beside another one.
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
