//! Conditions around the steps: the machine's curves, and waiting for data.

use stepscope::analyze::{
    LoaderKind, LoaderQueueTable, ResourceRow, ResourceTable, WaitsOfStep, WaitsTable, data_loading, loader_queues,
    resources,
};
use stepscope::present::text::{count, counted, duration};
use stepscope::table::Table;
use stepscope::{Interval, Nanos, Rank};

use super::work::units;
use crate::grid::{Grid, Look};

pub(super) fn resources_table(rank: &Rank) -> Grid {
    let rows: Vec<ResourceRow> = resources(&rank.trace).iter().filter_map(ResourceRow::of).collect();
    let table = Table::of::<ResourceTable>(&rows, &());
    Grid::of("Resources", &table, units(rank))
}

/// The host's waits for a data loader; empty if there are none.
pub(super) fn loading(rank: &Rank, look: Look, top: usize) -> String {
    let analysis = &rank.analysis;
    let Some(found) = data_loading(&rank.trace, &analysis.steps, &analysis.known_categories()) else {
        return String::new();
    };
    let span = Interval::new(Nanos::ZERO, analysis.average.length);
    let mut rows = vec![WaitsOfStep { name: "average".to_owned(), span, waits: found.average }];
    rows.extend(found.rows(&analysis.steps));
    let table = Table::of::<WaitsTable>(&rows, &());
    let mut text = Grid::of("Waiting for the data loader", &table, units(rank)).to_text(look, top);
    let times = &found.waits.statistics;
    let mut facts = vec![
        format!("a wait takes {} on average, {} in the middle", duration(times.mean), duration(times.median)),
        format!("{} of {} wait for data", count(found.waiting_steps), counted(analysis.average.steps, "step", "steps")),
    ];
    match found.kind {
        LoaderKind::SingleProcess => {
            facts.push("batches are made in the training process: num_workers is 0".to_owned());
        }
        LoaderKind::Workers => facts.push("batches are made by worker processes".to_owned()),
        LoaderKind::Threads => facts.push("batches are made by tf.data, in threads of the training process".to_owned()),
        LoaderKind::Unknown => {}
    }
    text.push_str(&look.line(&facts));
    let queues = loader_queues(&rank.trace);
    if !queues.is_empty() {
        let table = Table::of::<LoaderQueueTable>(&queues, &rank.trace);
        text.push_str(&Grid::of("Batches ready when one was asked for", &table, units(rank)).to_text(look, top));
    }
    text
}
