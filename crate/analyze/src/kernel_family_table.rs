//! The table of kernels by family.

use std::cmp::Reverse;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::kernel_families::KernelFamilies;
use super::kernel_family::KernelFamily;
use super::kernels::KernelContext;
use super::scope::{Scope, activities_in};
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::{Class, NameId, Trace};

/// A family's kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelFamilyRow {
    /// The family.
    pub family: KernelFamily,
    /// Number of kernels.
    pub calls: u64,
    /// The sum of their durations.
    pub total: Nanos,
    /// The sum of all kernels' durations.
    pub all: Nanos,
    /// Number of different names of its kernels.
    pub names: u64,
    /// The name that takes the longest.
    pub largest: NameId,
}

/// The table of kernels by family. Rows are [`KernelFamilyRow`]s.
pub enum KernelFamilyTable {}

impl Rows for KernelFamilyTable {
    const ID: &'static str = "kernel_families";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("family", Unit::Word("kernel_family"), |row, _| Value::Word(row.family.name())),
        Field::<Self>::new("calls", Unit::Count, |row, of| of.per.count(row.calls).into()).part(),
        Field::<Self>::new("total_ns", Unit::Duration, |row, of| of.per.time(row.total).into())
            .bar(Bar::Share("share_of_kernel_time"))
            .part(),
        Field::<Self>::new("share_of_kernel_time", Unit::Share, |row, _| row.total.ratio_of(row.all).into()),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, _| super::mean(row.total, row.calls).into()),
        Field::<Self>::new("names", Unit::Count, |row, _| row.names.into()),
        Field::<Self>::new("largest", Unit::KernelName, |row, of| of.trace.strings.get(row.largest).into()),
    ];
    const SORT: &'static str = "total_ns";
    type Row = KernelFamilyRow;
    type Context<'a> = KernelContext<'a>;
}

/// The kernels of a scope, or of the whole trace, by family, the longest total first: each kernel is in one family.
#[must_use]
pub fn kernel_families(trace: &Trace, scope: Option<&Scope<'_>>) -> Vec<KernelFamilyRow> {
    let mut families = KernelFamilies::default();
    let mut sums: HashMap<(KernelFamily, NameId), (u64, Nanos), FxBuildHasher> = HashMap::default();
    for activity in activities_in(trace, scope).filter(|activity| trace.slices.class(activity.event) == Class::Kernel) {
        let sum = sums.entry((families.get(trace, activity), trace.slices.name(activity.event))).or_default();
        sum.0 += 1;
        sum.1 += trace.slices.length(activity.event);
    }
    let all = sums.values().map(|(_, total)| *total).sum();
    let row = |family: KernelFamily| {
        let of_family = sums.iter().filter(|((of, _), _)| *of == family);
        let mut row = KernelFamilyRow { family, calls: 0, total: Nanos::ZERO, all, names: 0, largest: NameId::NONE };
        let mut longest = None;
        for ((_, name), (calls, total)) in of_family {
            row.calls += calls;
            row.total += *total;
            row.names += 1;
            // Among equal ones, the first by name.
            longest = longest.max(Some((*total, Reverse(trace.strings.get(*name)), *name)));
        }
        row.largest = longest?.2;
        Some(row)
    };
    let mut rows: Vec<KernelFamilyRow> = KernelFamily::ALL.into_iter().filter_map(row).collect();
    rows.compact_sort_by_key(|row| (Reverse(row.total), row.family));
    rows
}
