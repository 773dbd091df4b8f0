//! Rows of operators and kernels by module or family: they are parts of those by name.

use std::collections::BTreeMap;

use stepscope::analyze::{
    KernelFamily, KernelGrouping, KernelRow, OperatorGrouping, OperatorRow, OperatorsConfig, Scope, kernel_families,
    kernels_in, operators_in,
};
use stepscope::{Nanos, Rank};

/// Together, rows by module have the calls and the times of those by name, and rows by family those of the families: for the
/// whole trace and for its first step.
///
/// # Errors
///
/// The rows that differ, with their sums.
pub fn module_identities(rank: &Rank) -> Result<(), String> {
    let trace = &rank.trace;
    let first = Scope::of_step(&rank.analysis.steps, 0);
    for scope in [None, first.as_ref()] {
        let operators = |grouping| {
            let config = OperatorsConfig { grouping, merge_only_children: false };
            let sum = |rows: &[OperatorRow], time: fn(&OperatorRow) -> Nanos| rows.iter().map(time).sum::<Nanos>();
            let found = operators_in(trace, config, scope);
            let calls: u64 = found.rows.iter().map(|row| row.calls).sum();
            let times: [fn(&OperatorRow) -> Nanos; 4] =
                [|row| row.host_sum, |row| row.host_self, |row| row.device_self, |row| row.device_self_sum];
            (calls, times.map(|time| sum(&found.rows, time)), found.unlinked_device_sum)
        };
        let (by_name, by_module) = (operators(OperatorGrouping::Name), operators(OperatorGrouping::Module));
        if by_name != by_module {
            return Err(format!("operators are {by_name:?}, by module {by_module:?}"));
        }
        let kernels = |grouping| {
            let rows = kernels_in(trace, grouping, scope);
            let sum = |rows: &[KernelRow]| rows.iter().map(|row| row.time.total).sum::<Nanos>();
            (rows.iter().map(|row| row.time.calls).sum::<u64>(), sum(&rows))
        };
        let (by_name, by_module) = (kernels(KernelGrouping::Name), kernels(KernelGrouping::NameModule));
        if by_name != by_module {
            return Err(format!("kernels are {by_name:?}, by module {by_module:?}"));
        }
        let mut by_family: BTreeMap<KernelFamily, (u64, Nanos)> = BTreeMap::new();
        for row in kernels_in(trace, KernelGrouping::NameFamily, scope) {
            let sum = by_family.entry(row.family.ok_or("a row by family has none")?).or_default();
            *sum = (sum.0 + row.time.calls, sum.1 + row.time.total);
        }
        let families = kernel_families(trace, scope);
        let families = families.into_iter().map(|row| (row.family, (row.calls, row.total))).collect();
        if by_family != families {
            return Err(format!("families are {families:?}, the rows of kernels by family {by_family:?}"));
        }
    }
    Ok(())
}
