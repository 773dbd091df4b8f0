//! What was done: operators, kernels, copies.

use stepscope::Rank;
use stepscope::analyze::{OperatorsAre, Vendor, copy_use};
use stepscope::present::UnitNames;
use stepscope::present::text::{bytes, count, covered, duration, gigabytes_per_second, percent};

use super::kernel_use::matrix_units;
use crate::grid::Grid;

pub(super) fn operators(rank: &Rank) -> Grid {
    let (title, head) = match rank.analysis.operators.are {
        OperatorsAre::Operators => ("Operators", "operator"),
        OperatorsAre::Slices => ("Slices", "slice"),
    };
    let heads = [head, "calls", "device\ntotal", "device\nself", "host\ntotal", "host\nself", "host\nmean"];
    let strings = &rank.trace.strings;
    let rows = rank.analysis.operators.rows.iter().map(|row| {
        let mut name = row.name.clone();
        for detail in [row.shapes, row.types] {
            if !strings.get(detail).is_empty() {
                name = format!("{name} {}", strings.get(detail));
            }
        }
        if let Some(frame) = row.stack.last() {
            name = format!("{name} at {}", strings.get(*frame));
        }
        if let Some(track) = row.thread.get() {
            name = format!("{name} on {}", rank.trace.place_label(&rank.trace.tracks[track.index()]));
        }
        vec![
            name,
            count(row.calls),
            duration(row.device_total),
            duration(row.device_self),
            duration(row.host_total),
            duration(row.host_self),
            duration(row.host_mean()),
        ]
    });
    Grid::new(title, heads, rows)
}

pub(super) fn kernels(rank: &Rank) -> Grid {
    let units = UnitNames::of(Vendor::of_trace(&rank.trace)).matrix_units.replace(' ', "\n");
    let heads = ["kernel", "calls", "total", "share", "mean", "median", "min", "max", "std", "class", &units];
    let rows = rank.analysis.kernels.iter().map(|row| {
        vec![
            rank.trace.strings.get(row.name).to_owned(),
            count(row.time.calls),
            duration(row.time.total),
            percent(row.share),
            duration(row.time.mean),
            duration(row.time.median),
            duration(row.time.min),
            duration(row.time.max),
            duration(row.time.std),
            if row.communication { "communication" } else { "compute" }.to_owned(),
            matrix_units(row.tensor_cores).to_owned(),
        ]
    });
    Grid::new("Kernels", heads, rows)
}

pub(super) fn copies(rank: &Rank) -> Grid {
    let heads = ["copy or set", "calls", "total", "mean", "min", "max", "bytes", "rate", "of peak"];
    let rows = rank.analysis.copies.iter().map(|row| {
        vec![
            rank.trace.strings.get(row.name).to_owned(),
            count(row.time.calls),
            duration(row.time.total),
            duration(row.time.mean),
            duration(row.time.min),
            duration(row.time.max),
            if row.calls_with_bytes > 0 { bytes(row.bytes) } else { "–".to_owned() },
            covered(row.rate(), |rate| gigabytes_per_second(Some(rate))),
            covered(copy_use(&rank.trace, row, &rank.analysis.peaks).map(|used| used.share), percent),
        ]
    });
    Grid::new("Copies and sets", heads, rows)
}
