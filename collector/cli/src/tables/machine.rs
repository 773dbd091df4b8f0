//! What surrounds the steps: the machine's curves, and waiting for data.

use stepscope::analyze::{
    LoaderKind, LoaderQueueTable, WaitsOfStep, WaitsTable, data_loading, loader_queues, resources,
};
use stepscope::present::text::{bytes, count, counted, duration, gigabytes_per_second, number, percent};
use stepscope::table::Table;
use stepscope::trace::RecordedUnit;
use stepscope::{Interval, Nanos, Rank};

use super::work::units;
use crate::grid::{Grid, Look};

pub(super) fn resources_table(rank: &Rank) -> Grid {
    let heads = ["curve", "owner", "kind", "values", "min", "max", "mean", "last"];
    let rows = resources(&rank.trace).into_iter().filter_map(|resource| {
        let summary = resource.summary()?;
        let said = |value: f64| quantity(resource.unit, value);
        let kind = resource.kind.name().replace('_', " ");
        let values = [summary.min, summary.max, summary.mean, summary.last].map(said);
        let about = [resource.name.clone(), resource.owner.clone(), kind, count(resource.points.len() as u64)];
        Some(about.into_iter().chain(values).collect())
    });
    Grid::new("Resources", heads, rows.collect::<Vec<_>>())
}

/// A value in its unit.
fn quantity(unit: RecordedUnit, value: f64) -> String {
    match unit {
        RecordedUnit::Share => percent(value),
        RecordedUnit::BytesPerSecond => gigabytes_per_second(Some(value / 1e9)),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole bytes")]
        RecordedUnit::Bytes if value >= 0.0 => bytes(value as u64),
        #[expect(clippy::cast_possible_truncation, reason = "whole nanoseconds")]
        RecordedUnit::Nanoseconds => duration(Nanos(value as i64)),
        _ => number(value),
    }
}

/// How the host waits for a data loader; nothing if it never does.
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
