//! What kernels make of the device.

use stepscope::Rank;
use stepscope::analyze::{DeviceUse, KernelGrouping, KernelUse, StepChoice, kernel_use, operator_flops};
use stepscope::present::text::{amount_of_flops, flops_per_second, percent_or_dash};
use stepscope::trace::LaunchConfig;

use super::work::Per;
use crate::grid::{Grid, Look};

/// The devices, then the kernels, then the operators whose FLOPs are computed.
pub(super) fn kernel_use_tables(
    rank: &Rank,
    grouping: KernelGrouping,
    choice: StepChoice,
    look: Look,
    top: usize,
) -> String {
    let steps = &rank.analysis.steps;
    let (scope, per) = (choice.scope(steps), Per(choice.divisor(steps)));
    let found = kernel_use(&rank.trace, grouping, scope.as_ref());
    let mut text = devices(&found.devices).to_text(look, 0);
    text.push_str(&kernels(rank, &found.rows, grouping, per).to_text(look, top));
    let rows = operator_flops(&rank.trace, scope.as_ref());
    let rows = rows.iter().map(|row| {
        let name = rank.trace.strings.get(row.name).to_owned();
        vec![name, per.count(row.calls), amount_of_flops(row.flops / per.0.max(1))]
    });
    let heads = ["operator", "calls", "FLOPs"];
    text.push_str(&Grid::new("FLOPs by operator, computed from the inputs' shapes", heads, rows).to_text(look, top));
    text
}

fn devices(devices: &[DeviceUse]) -> Grid {
    let heads = [
        "device",
        "SM\nefficiency",
        "theoretical\noccupancy",
        "achieved,\nestimated",
        "tensor cores,\nof kernel time",
        "FLOP/s of\nkernels",
        "of peak",
        "FLOP/s of\nall time",
        "of peak",
    ];
    let rows = devices.iter().map(|used| {
        let model = used.model.map_or("model unknown", |model| model.name);
        vec![
            format!("{} ({model})", used.device),
            percent_or_dash(used.sm_efficiency),
            percent_or_dash(used.occupancy),
            percent_or_dash(used.achieved_occupancy),
            percent_or_dash(used.tensor_cores),
            flops_per_second(used.computed.per_second()),
            percent_or_dash(used.computed.share_of_peak()),
            flops_per_second(used.flops_per_second_of_span()),
            percent_or_dash(used.peak_share_of_span()),
        ]
    });
    Grid::new("What kernels make of the devices", heads, rows)
}

fn kernels(rank: &Rank, rows: &[KernelUse], grouping: KernelGrouping, per: Per) -> Grid {
    let heads = [
        "kernel",
        "calls",
        "total",
        "occu-\npancy",
        "limited\nby",
        "blocks\nper SM",
        "waves",
        "tail",
        "tensor\ncores",
        "FLOP/s",
        "of\npeak",
    ];
    let strings = &rank.trace.strings;
    let rows = rows.iter().map(|used| {
        let mut name = strings.get(used.row.name).to_owned();
        if grouping == KernelGrouping::NameOperatorLaunch {
            if let Some(config) = used.row.config.get() {
                name = format!("{} {name}", launched(&rank.trace.configs[config.index()]));
            }
            if !strings.get(used.row.operator).is_empty() {
                name = format!("{name} by {}", strings.get(used.row.operator));
            }
        }
        let occupancy = used.main.and_then(|main| main.occupancy);
        let waves = used.main.and_then(|main| main.waves);
        let dash = || "–".to_owned();
        vec![
            name,
            per.count(used.row.time.calls),
            per.time(used.row.time.total),
            percent_or_dash(used.occupancy),
            occupancy.map_or_else(dash, |found| found.limiter.name().replace('_', " ")),
            occupancy.map_or_else(dash, |found| found.blocks.to_string()),
            waves.map_or_else(dash, |waves| format!("{:.2}", waves.waves)),
            percent_or_dash(used.tail),
            if used.row.tensor_cores { "yes" } else { "" }.to_owned(),
            flops_per_second(used.computed.per_second()),
            percent_or_dash(used.computed.share_of_peak()),
        ]
    });
    Grid::new("Kernels, limiter and waves of the launch that takes the longest", heads, rows)
}

/// `[432 × 256, 40 regs, 1024 B]`: blocks, threads of each, registers of a thread, shared memory of a block.
fn launched(config: &LaunchConfig) -> String {
    let sizes = |[x, y, z]: [u32; 3]| match (y, z) {
        (0 | 1, 0 | 1) => x.to_string(),
        (_, 0 | 1) => format!("{x},{y}"),
        _ => format!("{x},{y},{z}"),
    };
    let mut text = format!("[{} × {}", sizes(config.grid), sizes(config.block));
    if config.registers != u32::MAX {
        text.push_str(&format!(", {} regs", config.registers));
    }
    if config.shared_memory != u32::MAX {
        text.push_str(&format!(", {} B", config.shared_memory));
    }
    text + "]"
}
