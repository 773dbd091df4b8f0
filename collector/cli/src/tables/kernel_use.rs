//! Use of the device by kernels.

use stepscope::Rank;
use stepscope::analyze::{
    DeviceUse, GivenPeaks, KernelContext, KernelGrouping, KernelRow, KernelTable, KernelUse, KernelUseContext,
    KernelUseTable, OperatorFlopsContext, OperatorFlopsTable, OperatorsConfig, PeakKind, PerStep, StepChoice,
    kernel_use, operator_flops, operators_in,
};
use stepscope::present::UnitNames;
use stepscope::present::text::{covered, flops_per_second, number, percent};
use stepscope::table::Table;
use stepscope::table::messages::title;

use super::work::units;
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
    let (scope, per) = (choice.scope(steps), PerStep(choice.divisor(steps)));
    let given = &rank.analysis.peaks;
    let found = kernel_use(&rank.trace, grouping, scope.as_ref(), given);
    let names = units(rank);
    let mut text = devices(&found.devices, names).to_text(look, 0);
    text.push_str(&given_peaks(given));
    text.push_str(&kernels(rank, &found.rows, grouping, per).to_text(look, top));
    let rows = operator_flops(&rank.trace, scope.as_ref());
    let operators = operators_in(&rank.trace, OperatorsConfig::standard(), scope.as_ref());
    let of = OperatorFlopsContext { trace: &rank.trace, operators: &operators.rows, per };
    let table = Table::of::<OperatorFlopsTable>(&rows, &of);
    text.push_str(&Grid::of(title(table.id), &table, names).to_text(look, top));
    text
}

/// Lists the given peaks; empty if there are none.
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
    Grid::new("Use of the devices by kernels", heads, rows)
}

/// The columns of the table of kernels before those of device use.
const KERNEL_COLUMNS: [&str; 4] = ["name", "calls", "total_ns", "tensor_core_use"];

fn kernels(rank: &Rank, used: &[KernelUse], grouping: KernelGrouping, per: PerStep) -> Grid {
    let trace = &rank.trace;
    let rows: Vec<KernelRow> = used.iter().map(|used| used.row.clone()).collect();
    let table = Table::of::<KernelTable>(&rows, &KernelContext { trace, per }).only(&KERNEL_COLUMNS);
    let table = table.and(Table::of::<KernelUseTable>(used, &KernelUseContext { trace, per, grouping }));
    Grid::of("Kernels, limiter and waves of the launch that takes the longest", &table, units(rank))
}
