//! Several ranks as MindSpore's cluster pages compare them. METRICS section 8.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::cells::{self, count_in, number_in, table, text_in, time_in};
use super::layout::{ParallelMode, layout};
use crate::cluster::ParallelStrategy;
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::{Cell, RecordedTable, Trace};

/// Part by which a rank, link or stage may differ from the mean before it is worth a look.
const OUTLIER: f64 = 0.2;

/// A rank's times per step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClusterRow {
    /// The rank.
    pub rank: u64,
    /// From the end of the step before it to its first forward operator: of the rank's step trace.
    pub iteration_interval: Option<Nanos>,
    /// Computation.
    pub computation: Nanos,
    /// Communication during which no computation runs.
    pub communication_alone: Nanos,
    /// The stage's time without waiting for other stages.
    pub stage: Option<Nanos>,
    /// Waiting for other stages (Receive) during which no computation runs.
    pub receive_alone: Option<Nanos>,
    /// The other communication during which no computation runs.
    pub collective_alone: Option<Nanos>,
}

/// A link between two ranks: a step's average, from its rank's file.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkRow {
    /// The rank of the file.
    pub rank: u64,
    /// The ranks, such as `0-1`.
    pub link: String,
    /// The kind of the connection, such as `SDMA`.
    pub kind: String,
    /// The time.
    pub time: Nanos,
    /// Bytes.
    pub bytes: i64,
    /// Bytes per second: the sum of the rates of single operators, not bytes by time.
    pub bandwidth: f64,
}

/// A communication operator of a rank: a step's average, from its file.
#[derive(Clone, Debug, PartialEq)]
pub struct CommunicationOperatorRow {
    /// The rank of the file.
    pub rank: u64,
    /// The operator, with its stream and place, such as `stream_41_0_AllReduce-op4582`.
    pub operator: String,
    /// The time of its transfers.
    pub communication: Nanos,
    /// The time of waiting for other ranks.
    pub wait: Nanos,
}

/// A rank's floating point operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankFlops {
    /// The rank.
    pub rank: u64,
    /// Operations.
    pub operations: f64,
    /// Operations per second.
    pub rate: f64,
}

/// A place that is worse than the mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlier {
    /// The rank, link or stage.
    pub place: ClusterPlace,
    /// Its value, in ns, bytes per second, operations or operations per second.
    pub value: f64,
    /// The part by which it is worse than the mean.
    pub by: f64,
}

/// The thing that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterPlace {
    /// The rank with the longest interval between steps, in ns.
    Interval(u64),
    /// The rank with the lowest rate of operations.
    Rate(u64),
    /// The slowest link of a kind, in bytes per second.
    Link(String, String),
    /// The stage, from 0, with the most operations per rank.
    Stage(u64),
}

/// The ranks of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The parallel mode of the model, by the files' names.
    pub mode: Option<ParallelMode>,
    /// Stages of the pipeline.
    pub stages: u64,
    /// Ranks of the job; some may be missing here.
    pub ranks: u64,
    /// The stages and cuts from its `parallel_strategy` file.
    pub strategy: Option<ParallelStrategy>,
    /// The average step of each rank.
    pub rows: Vec<ClusterRow>,
    /// Communication alone as a part of its sum with computation, over all ranks.
    pub communication_rate: Option<f64>,
    /// Waiting for other stages, as a part of the same.
    pub between_stages: Option<f64>,
    /// By stage, from 0: communication within it, as a part of the same of its ranks.
    pub within_stages: Vec<(u64, f64)>,
    /// The links.
    pub links: Vec<LinkRow>,
    /// The communication operators, those that wait longest first.
    pub operators: Vec<CommunicationOperatorRow>,
    /// The operations.
    pub flops: Vec<RankFlops>,
    /// The ranks, links and stages that are worse than the mean by more than a fifth.
    pub outliers: Vec<Outlier>,
}

/// Compares the ranks of a job, given with their numbers; none if no rank has a table for it.
///
/// Different runs have ranks of the same number in different folders. Only the ranks of the run with the most such
/// tables are compared.
#[must_use]
pub fn cluster(ranks: &[(u64, &Trace)]) -> Option<Cluster> {
    // Most traces have no table at all, and the page does without the rest (`xtask/src/page/split`).
    let has_tables = ranks.iter().any(|(_, trace)| !trace.recorded.is_empty());
    if has_tables { cluster_of_tables(ranks) } else { None }
}

/// Apart from [`cluster`], since the page's first module does without it.
#[inline(never)]
fn cluster_of_tables(ranks: &[(u64, &Trace)]) -> Option<Cluster> {
    let ranks = &of_one_run(ranks)[..];
    let rows: Vec<ClusterRow> = ranks.iter().filter_map(|(rank, trace)| cluster_row(*rank, trace, None)).collect();
    let links: Vec<LinkRow> = ranks.iter().flat_map(|(rank, trace)| links(*rank, trace)).collect();
    let mut operators: Vec<_> = ranks.iter().flat_map(|(rank, trace)| operators(*rank, trace)).collect();
    operators.compact_sort_by_key(|row| (Reverse(row.wait), row.rank));
    let flops: Vec<RankFlops> = ranks.iter().filter_map(|(rank, trace)| rank_flops(*rank, trace)).collect();
    if rows.is_empty() && links.is_empty() && operators.is_empty() {
        return None;
    }
    let (mode, stages, size) = ranks.iter().find_map(|(_, trace)| layout(trace)).unwrap_or((None, 1, 0));
    let strategy = ranks.iter().find_map(|(_, trace)| ParallelStrategy::of(trace));
    let told = strategy.as_ref().map_or(0, |strategy| strategy.stages.len() as u64);
    let mut found = Cluster {
        mode: mode.or_else(|| (told > 1).then_some(ParallelMode::Pipeline)),
        stages: stages.max(told),
        ranks: size.max(ranks.len() as u64),
        strategy,
        communication_rate: part(&rows, |row| Some(row.communication_alone)),
        between_stages: part(&rows, |row| row.receive_alone),
        within_stages: Vec::new(),
        rows,
        links,
        operators,
        flops,
        outliers: Vec::new(),
    };
    let mut by_stage: BTreeMap<u64, Vec<ClusterRow>> = BTreeMap::new();
    for row in found.rows.iter().filter(|row| row.collective_alone.is_some()) {
        by_stage.entry(found.stage_of(row.rank)).or_default().push(*row);
    }
    let rates = by_stage.iter().filter_map(|(stage, rows)| Some((*stage, part(rows, |row| row.collective_alone)?)));
    found.within_stages = rates.collect();
    found.outliers = found.worst().into_iter().filter(|outlier| outlier.by > OUTLIER).collect();
    Some(found)
}

/// The ranks of one run.
fn of_one_run<'a>(ranks: &[(u64, &'a Trace)]) -> Vec<(u64, &'a Trace)> {
    const TABLES: [&str; 4] = ["cluster_step_trace", "hccl_links", "hccl_operators", "flops_summary"];
    fn folder(trace: &Trace) -> Option<&str> {
        let file = TABLES.iter().find_map(|id| table(trace, id)).map(|table| table.file.as_str())?;
        Some(file.rsplit_once('/').map_or("", |(folder, _)| folder))
    }
    let mut runs: BTreeMap<&str, Vec<(u64, &Trace)>> = BTreeMap::new();
    for (rank, trace) in ranks {
        if let Some(folder) = folder(trace) {
            runs.entry(folder).or_default().push((*rank, trace));
        }
    }
    let numbers: Vec<BTreeSet<u64>> = runs.values().map(|run| run.iter().map(|(rank, _)| *rank).collect()).collect();
    let is_again = |run: usize| numbers[..run].iter().any(|earlier| !earlier.is_disjoint(&numbers[run]));
    if !(1..numbers.len()).any(is_again) {
        return ranks.to_vec();
    }
    // Among several with as many, the first.
    runs.into_values().rev().max_by_key(Vec::len).unwrap_or_default()
}

impl Cluster {
    /// The stage of a rank, from 0: by its strategy, else all stages have as many ranks, one after the other.
    fn stage_of(&self, rank: u64) -> u64 {
        if let Some(stage) = self.strategy.as_ref().and_then(|strategy| strategy.stage_of(rank)) {
            return u64::from(stage);
        }
        rank / (self.ranks / self.stages.max(1)).max(1)
    }

    /// The worst of each kind, whether or not it is worse than the mean.
    #[must_use]
    pub fn worst(&self) -> Vec<Outlier> {
        #[expect(clippy::cast_precision_loss, reason = "nanoseconds, to be compared with their mean")]
        let intervals = self
            .rows
            .iter()
            .filter_map(|row| Some((ClusterPlace::Interval(row.rank), row.iteration_interval?.0 as f64)));
        let rates = self.flops.iter().map(|flops| (ClusterPlace::Rate(flops.rank), flops.rate));
        let mut found: Vec<Outlier> = [worst(intervals, true), worst(rates, false)].into_iter().flatten().collect();

        let mut kinds: BTreeMap<&str, Vec<&LinkRow>> = BTreeMap::new();
        for link in self.links.iter().filter(|link| !link.is_within_a_rank()) {
            kinds.entry(&link.kind).or_default().push(link);
        }
        for (kind, links) in kinds {
            let place = |link: &&LinkRow| (ClusterPlace::Link(link.link.clone(), kind.to_owned()), link.bandwidth);
            found.extend(worst(links.iter().map(place), false));
        }

        if self.mode == Some(ParallelMode::Pipeline) && !self.flops.is_empty() {
            let mut stages: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
            for flops in &self.flops {
                let sum = stages.entry(self.stage_of(flops.rank)).or_default();
                *sum = (sum.0 + flops.operations, sum.1 + 1.0);
            }
            let means = stages.into_iter().map(|(stage, (sum, count))| (ClusterPlace::Stage(stage), sum / count));
            found.extend(worst(means, true));
        }
        found
    }
}

/// A rank's average step, or the step with that index.
#[must_use]
pub fn cluster_row(rank: u64, trace: &Trace, step: Option<usize>) -> Option<ClusterRow> {
    fn choose(table: &RecordedTable, step: Option<usize>) -> Option<&Vec<Cell>> {
        step.map_or_else(|| table.rows.last(), |step| table.rows.get(step))
    }
    let table = table(trace, "cluster_step_trace")?;
    let row = choose(table, step)?;
    // Versions differ in the names' ends.
    let time = |start: &str| {
        let column = table.columns.iter().position(|column| column.name.starts_with(start))?;
        row.get(column)?.nanos()
    };
    let steps = cells::table(trace, "step_trace");
    let interval = steps.and_then(|steps| steps.cell(choose(steps, step)?, "iteration_interval").nanos());
    Some(ClusterRow {
        rank,
        iteration_interval: interval,
        computation: time("computation")?,
        communication_alone: time("communication_alone")?,
        stage: time("stage"),
        receive_alone: time("receive_alone"),
        collective_alone: time("collective_communication"),
    })
}

/// A part of computation and communication alone; none if either is missing.
fn part(rows: &[ClusterRow], of: impl Fn(&ClusterRow) -> Option<Nanos>) -> Option<f64> {
    let wanted: Option<Vec<Nanos>> = rows.iter().map(of).collect();
    let wanted: Nanos = wanted?.into_iter().sum();
    let whole = rows.iter().map(|row| row.computation + row.communication_alone).sum();
    (wanted > Nanos::ZERO).then(|| wanted.ratio_of(whole)).flatten()
}

/// The rows of a table's average step.
fn averages(table: &RecordedTable) -> impl Iterator<Item = &Vec<Cell>> {
    table.rows.iter().filter(|row| text_in(table, row, "step_num") == "-")
}

fn operators(rank: u64, trace: &Trace) -> Vec<CommunicationOperatorRow> {
    let Some(table) = table(trace, "hccl_operators") else { return Vec::new() };
    let row = |row: &Vec<Cell>| CommunicationOperatorRow {
        rank,
        operator: text_in(table, row, "operator").to_owned(),
        communication: time_in(table, row, "communication_cost"),
        wait: time_in(table, row, "wait_cost"),
    };
    averages(table).map(row).collect()
}

fn links(rank: u64, trace: &Trace) -> Vec<LinkRow> {
    let Some(table) = table(trace, "hccl_links") else { return Vec::new() };
    let row = |row: &Vec<Cell>| LinkRow {
        rank,
        link: text_in(table, row, "link").to_owned(),
        kind: text_in(table, row, "type").to_owned(),
        time: time_in(table, row, "communication_cost"),
        bytes: count_in(table, row, "communication_size"),
        bandwidth: number_in(table, row, "band_width").unwrap_or_default(),
    };
    averages(table).map(row).collect()
}

/// The operations in a rank's `flops_summary`.
pub(crate) fn rank_flops(rank: u64, trace: &Trace) -> Option<RankFlops> {
    let table = table(trace, "flops_summary")?;
    let row = table.rows.first()?;
    let number = |name: &str| number_in(table, row, name);
    let both = |cube: &str, vector: &str| Some(number(cube)? + number(vector).unwrap_or_default());
    Some(RankFlops {
        rank,
        operations: number("FLOPs").or_else(|| both("cube_FLOPs", "vec_FLOPs"))?,
        rate: number("FLOPS").or_else(|| both("cube_FLOPS", "vec_FLOPS"))?,
    })
}

/// A number of operations, or of operations per second, as a whole number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of operations is not negative")]
pub(crate) fn whole_operations(number: f64) -> u64 {
    number.round() as u64
}

impl LinkRow {
    fn is_within_a_rank(&self) -> bool {
        self.link.split_once('-').is_some_and(|(from, to)| from == to)
    }
}

/// The value that is furthest above (or below) the mean.
fn worst(values: impl Iterator<Item = (ClusterPlace, f64)>, above: bool) -> Option<Outlier> {
    let values: Vec<(ClusterPlace, f64)> = values.collect();
    #[expect(clippy::cast_precision_loss, reason = "a count of ranks")]
    let mean = values.iter().map(|(_, value)| value).sum::<f64>() / values.len().max(1) as f64;
    if mean <= 0.0 {
        return None;
    }
    let by = |value: f64| if above { value / mean - 1.0 } else { 1.0 - value / mean };
    let outliers = values.into_iter().map(|(place, value)| Outlier { place, value, by: by(value) });
    // Among equally bad ones, the first.
    outliers.reduce(|worst, next| if next.by > worst.by { next } else { worst })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_trace::{Meta, RecordedColumn, RecordedUnit};

    /// A rank of a run by its folder, with its time of computation in ms.
    fn rank(folder: &str, computes: i64) -> Trace {
        let column = |name: &str| RecordedColumn { name: name.to_owned(), unit: RecordedUnit::Nanoseconds };
        let table = RecordedTable {
            id: "cluster_step_trace",
            file: format!("{folder}/ascend_cluster_analyse_data-parallel_1_2_0.csv"),
            columns: ["computation", "communication_alone"].map(column).to_vec(),
            rows: vec![[computes, 1].map(|millis| Cell::Integer(millis * 1_000_000)).to_vec()],
        };
        Trace::of_tables(Meta::default(), vec![table])
    }

    #[test]
    fn ranks_of_several_runs_are_not_compared() {
        let traces = [rank("job/a", 10), rank("job/b", 500), rank("job/b", 20), rank("job/b", 20)];
        let compared = |numbers: [u64; 4]| {
            let ranks: Vec<(u64, &Trace)> = numbers.into_iter().zip(&traces).collect();
            let found = cluster(&ranks).expect("tables");
            (found.rows.iter().map(|row| row.rank).collect::<Vec<_>>(), found.ranks)
        };
        assert_eq!(compared([1, 0, 1, 2]), (vec![0, 1, 2], 3), "both folders have a rank 1");
        assert_eq!(compared([3, 0, 1, 2]).0, [3, 0, 1, 2], "a folder for each is no run of its own");
    }

    #[test]
    fn a_row_without_a_step_trace_has_no_interval() {
        let row = cluster_row(0, &rank("job/a", 10), None).expect("a row");
        assert_eq!((row.iteration_interval, row.computation), (None, Nanos(10_000_000)));
        let traces = [rank("job/a", 10), rank("job/b", 20)];
        let found = cluster(&[(0, &traces[0]), (1, &traces[1])]).expect("tables");
        assert_eq!(found.rows.len(), 2);
        assert!(!found.worst().iter().any(|worst| matches!(worst.place, ClusterPlace::Interval(_))));
    }
}
