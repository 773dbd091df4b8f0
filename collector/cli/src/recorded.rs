//! The tables that a profiler wrote itself, and the contents of MindSpore's.

use stepscope::Rank;
use stepscope::analyze::{
    self, Cluster, ClusterLinkTable, ClusterOperatorTable, ClusterTable, DataVerdict, OutlierTable, PipelineTable,
    StepSource, Vendor,
};
use stepscope::present::UnitNames;
use stepscope::present::text::{ColumnText, count, counted, duration, percent};
use stepscope::table::Table;
use stepscope::{Nanos, trace::RecordedTable};

use crate::cut::shortened;
use crate::grid::{Grid, Look, printable};
use crate::tables;

/// Columns of a cell; longer words are cut.
const WIDEST: usize = 60;

/// Every recorded table of a rank.
pub(crate) fn tables(rank: &Rank, look: Look, top: usize) -> String {
    rank.trace.recorded.iter().map(|table| recorded(table).to_text(look, top)).collect()
}

/// Tables with the time of each kernel or activity by name.
const KERNELS: [&str; 3] = ["gpu_activities", "gpu_activity", "op_summary"];

/// The profiler's own times of kernels by name, of a trace without device activity.
pub(crate) fn kernels(rank: &Rank, look: Look, top: usize) -> String {
    named(rank, &KERNELS, look, top)
}

/// The profiler's own times of the host's calls by name, likewise.
pub(crate) fn calls(rank: &Rank, look: Look, top: usize) -> String {
    named(rank, &["api_calls"], look, top)
}

/// The costs of a step that a log's Perf Summary has, likewise.
pub(crate) fn costs(rank: &Rank, look: Look) -> String {
    named(rank, &["perf_summary"], look, 0)
}

fn named(rank: &Rank, ids: &[&str], look: Look, top: usize) -> String {
    if !rank.trace.activities.is_empty() {
        return String::new();
    }
    let tables = rank.trace.recorded.iter().filter(|table| ids.contains(&table.id));
    tables.map(|table| recorded(table).to_text(look, top)).collect()
}

fn recorded(table: &RecordedTable) -> Grid {
    let columns = ColumnText::of_table(table);
    let rows = table.rows.iter().map(|row| {
        let texts = row.iter().zip(&columns).map(|(value, column)| column.cell(value));
        texts.map(|text| shortened(&printable(&text), WIDEST)).collect()
    });
    let heads = table.columns.iter().map(|column| printable(&column.name));
    let from = ColumnText::points_from(&columns);
    let from = from.map(|from| format!("; points in time count from {from} of the profiler's clock"));
    Grid::new(&format!("{}  ({}{})", table.id, printable(&table.file), from.unwrap_or_default()), heads, rows)
}

/// Lists the recorded tables.
pub(crate) fn list(rank: &Rank, look: Look) -> String {
    let rows = rank
        .trace
        .recorded
        .iter()
        .map(|table| vec![table.id.to_owned(), count(table.rows.len() as u64), printable(&table.file)]);
    Grid::new("Recorded tables (--by recorded shows them)", ["table", "rows", "file"], rows).to_text(look, 0)
}

/// The data pipeline: a verdict, the queue at its end, its operators.
pub(crate) fn pipeline(rank: &Rank, look: Look, top: usize) -> String {
    let Some(found) = &rank.analysis.mindspore.pipeline else { return String::new() };
    let table = Table::of::<PipelineTable>(&found.operators, found);
    let mut text = Grid::of("Data pipeline", &table, tables::units(rank)).to_text(look, top);
    let mut facts = Vec::new();
    facts.extend(found.verdict.map(|verdict| match verdict {
        DataVerdict::Processing => "making data limits the steps".to_owned(),
        DataVerdict::Transmission => "moving data to the device limits the steps".to_owned(),
        DataVerdict::NotData => "data do not limit the steps".to_owned(),
    }));
    if found.keeps_up {
        let unless = if found.verdict.is_none() { ", unless its last operator is slow" } else { "" };
        facts.push(format!("all queues are at least 80 % full: the pipeline keeps up{unless}"));
    }
    let slow = found.slow_by_queues.iter().filter_map(|index| found.operators.get(*index));
    let slow: Vec<String> = slow.map(|one| printable(&format!("{} {}", one.id, one.kind))).collect();
    if !slow.is_empty() {
        facts.push(format!("slow by its queues, which were never found empty: {}", slow.join(", ")));
    }
    if let Some(queue) = found.queue {
        facts.push(format!(
            "queue empty in {} of {}, full in {}",
            queue.empty,
            counted(queue.steps, "step", "steps"),
            queue.full
        ));
        facts.extend(queue.start.map(|start| format!("the first batch took {}", duration(Nanos(start as i64)))));
    }
    if let Some(ahead) = found.get_next_ahead {
        let steps = counted(ahead.steps, "step", "steps");
        let alone = format!(
            "beside no operator in {} of {steps}, {} of a step of {}",
            count(ahead.late),
            duration(ahead.alone),
            duration(ahead.step)
        );
        facts.push(match ahead.runs_ahead() {
            Some(false) => format!("GetNext does not run ahead: {alone}"),
            Some(true) => format!("GetNext runs ahead of its step, beside operators, in {steps}"),
            None => format!("GetNext runs alone in part: {alone}"),
        });
    }
    if let Some(get_next) = found.get_next {
        facts.push(format!(
            "the device found none in {} of {}",
            get_next.empty,
            counted(get_next.steps, "step", "steps")
        ));
    }
    if let Some(processor) = found.processor {
        facts.push(match processor.busy() {
            Some(busy) => format!("processors busy {}", percent(busy)),
            None => format!("processors busy –, from {}", counted(processor.samples, "sample", "samples")),
        });
    }
    if !facts.is_empty() {
        text.push_str(&look.line(&facts));
    }
    text
}

/// The job in the ranks' own tables, with its parallel layout if `with_strategy`; empty if they have none. `operators`: the
/// most communication operators, of which a rank may have hundreds; without it there are none.
pub(crate) fn cluster(ranks: &[Rank], look: Look, with_strategy: bool, operators: Option<usize>) -> String {
    let numbered: Vec<_> = (0..).zip(ranks).map(|(index, rank)| (rank.rank.unwrap_or(index), &rank.trace)).collect();
    let Some(found) = analyze::cluster(&numbered) else { return String::new() };
    let mut text = cluster_facts(&found, look);
    if with_strategy {
        text.push_str(&tables::strategy(found.strategy.as_ref(), look));
    }
    let names = UnitNames::of(Vendor::Ascend);
    let described = |title: &str, table: &Table| Grid::of(title, table, names).to_text(look, 0);
    let rows = Table::of::<ClusterTable>(&found.rows, &found);
    text.push_str(&described("Average step of each rank, as the profiler has it", &rows));
    let links = Table::of::<ClusterLinkTable>(&found.links, &());
    text.push_str(&described("Links, as the profiler has them", &links));
    if let Some(top) = operators {
        let operators = Table::of::<ClusterOperatorTable>(&found.operators, &());
        let operators = Grid::of("Communication operators, as the profiler has them", &operators, names);
        text.push_str(&operators.to_text(look, top));
    }
    let worse = Table::of::<OutlierTable>(&found.outliers, &());
    text.push_str(&described("Worse than the mean by a fifth or more", &worse));
    text
}

/// The average step in the rank's own table of the job, for a trace without device activity; empty without such a table.
pub(crate) fn own_step(rank: &Rank, look: Look) -> String {
    let found = analyze::cluster(&[(rank.rank.unwrap_or_default(), &rank.trace)]);
    let Some(row) = found.as_ref().and_then(|found| found.rows.first()).filter(|row| row.computation > Nanos::ZERO)
    else {
        return String::new();
    };
    let parts = [
        ("computation", Some(row.computation)),
        ("communication alone", Some(row.communication_alone)),
        ("stage", row.stage),
        ("receive alone", row.receive_alone),
        ("collectives alone", row.collective_alone),
    ];
    let parts = parts.into_iter().filter_map(|(name, time)| Some(format!("{name} {}", duration(time?))));
    let parts = parts.collect::<Vec<_>>().join(", ");
    // Both exclude each other, so they fit into the step of the other table, if that has the same steps.
    let length = rank.analysis.average.length;
    let others = (matches!(rank.analysis.steps.source, StepSource::Marks | StepSource::Table)
        && row.computation + row.communication_alone > length)
        .then(|| format!(" The step trace beside it is of other steps: {} on average.", duration(length)));
    let text = format!("Average step, by the profiler's table: {parts}.{}", others.unwrap_or_default());
    tables::advice::wrapped(&text, look.width)
}

/// Parallel layout of the model, and the share of communication in all ranks' time.
fn cluster_facts(found: &Cluster, look: Look) -> String {
    let mut facts: Vec<String> = found.mode.iter().map(|mode| mode.name().to_owned()).collect();
    if found.stages > 1 {
        facts.push(format!("{} stages", found.stages));
    }
    let here = found.rows.iter().map(|row| row.rank).collect::<std::collections::BTreeSet<_>>().len();
    // Some profilers record links alone.
    if here > 0 {
        facts.push(format!("{here} of {} ranks", found.ranks));
    }
    let of = "of computing and communicating alone";
    facts.extend(found.communication_rate.map(|rate| format!("communication alone is {} {of}", percent(rate))));
    facts.extend(found.between_stages.map(|rate| format!("waiting for other stages {}", percent(rate))));
    let within = |(stage, rate): &(u64, f64)| format!("within stage {stage} {}", percent(*rate));
    facts.extend(found.within_stages.iter().map(within));
    look.line(&facts)
}
