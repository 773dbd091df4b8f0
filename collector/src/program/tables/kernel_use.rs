//! What kernels make of the device.

use stepscope::Rank;
use stepscope::analyze::{
    DeviceUse, GivenPeaks, KernelGrouping, KernelUse, Limiter, PeakKind, StepChoice, TensorCores, Vendor, kernel_use,
    operator_flops,
};
use stepscope::present::UnitNames;
use stepscope::present::text::{amount_of_flops, covered, flops_per_second, number, percent};
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
    let given = &rank.analysis.peaks;
    let found = kernel_use(&rank.trace, grouping, scope.as_ref(), given);
    let names = UnitNames::of(Vendor::of_trace(&rank.trace));
    let mut text = devices(&found.devices, names).to_text(look, 0);
    text.push_str(&given_peaks(given));
    text.push_str(&kernels(rank, &found.rows, grouping, (names, per)).to_text(look, top));
    let rows = operator_flops(&rank.trace, scope.as_ref());
    let rows = rows.iter().map(|row| {
        let name = rank.trace.strings.get(row.name).to_owned();
        vec![name, per.count(row.calls), amount_of_flops(row.flops / per.0.max(1))]
    });
    let heads = ["operator", "calls", "FLOPs"];
    text.push_str(&Grid::new("FLOPs by operator, computed from the inputs' shapes", heads, rows).to_text(look, top));
    text
}

/// Says which peaks the person gave; nothing if none.
fn given_peaks(given: &GivenPeaks) -> String {
    let one = |(kind, value): &(PeakKind, f64)| {
        let name = PeakKind::ALL.iter().find(|(other, _)| other == kind).map_or("", |(_, name)| name);
        let unit = if matches!(kind, PeakKind::Memory | PeakKind::Link) { "GB/s" } else { "TFLOP/s" };
        format!("{name} {} {unit}", number(*value))
    };
    let list: Vec<String> = given.list().iter().map(one).collect();
    if list.is_empty() { String::new() } else { format!("Peaks as given: {}\n", list.join(", ")) }
}

fn devices(devices: &[DeviceUse], names: UnitNames) -> Grid {
    let heads = [
        "device".to_owned(),
        format!("{}\nefficiency", names.unit),
        "theoretical\noccupancy".to_owned(),
        "achieved,\nestimated".to_owned(),
        format!("{},\nof kernel time", names.matrix_units),
        "FLOP/s of\nkernels".to_owned(),
        "of peak".to_owned(),
        "FLOP/s of\nall time".to_owned(),
        "of peak".to_owned(),
    ];
    let rate = |value: f64| flops_per_second(Some(value));
    let rows = devices.iter().map(|used| {
        let model = used.model.map_or("model unknown", |model| model.name);
        vec![
            format!("{} ({model})", used.device),
            covered(used.sm_efficiency, percent),
            covered(used.occupancy, percent),
            covered(used.achieved_occupancy, percent),
            covered(used.tensor_cores, percent),
            covered(used.computed.per_second(), rate),
            covered(used.computed.share_of_peak(), percent),
            covered(used.flops_per_second_of_span(), rate),
            covered(used.peak_share_of_span(), percent),
        ]
    });
    Grid::new("What kernels make of the devices", heads, rows)
}

fn kernels(rank: &Rank, rows: &[KernelUse], grouping: KernelGrouping, (names, per): (UnitNames, Per)) -> Grid {
    let heads = [
        "kernel".to_owned(),
        "calls".to_owned(),
        "total".to_owned(),
        "occu-\npancy".to_owned(),
        "limited\nby".to_owned(),
        format!("blocks\nper {}", names.unit),
        "waves".to_owned(),
        "tail".to_owned(),
        names.matrix_units.replace(' ', "\n"),
        "FLOP/s".to_owned(),
        "of\npeak".to_owned(),
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
            covered(used.occupancy, percent),
            occupancy.map_or_else(dash, |found| limiter(found.limiter, names)),
            occupancy.map_or_else(dash, |found| found.blocks.to_string()),
            waves.map_or_else(dash, |waves| format!("{:.2}", waves.waves)),
            covered(used.tail, percent),
            matrix_units(used.row.tensor_cores).to_owned(),
            covered(used.computed.per_second(), |value| flops_per_second(Some(value))),
            covered(used.computed.share_of_peak(), percent),
        ]
    });
    Grid::new("Kernels, limiter and waves of the launch that takes the longest", heads, rows)
}

/// Whether a kernel uses matrix units, as tables show it.
pub(super) fn matrix_units(used: TensorCores) -> &'static str {
    match used {
        TensorCores::Used => "yes",
        TensorCores::NotUsed => "no",
        TensorCores::Unknown => "unknown",
    }
}

fn limiter(limiter: Limiter, names: UnitNames) -> String {
    match limiter {
        Limiter::Warps => names.warps.to_owned(),
        other => other.name().replace('_', " "),
    }
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
