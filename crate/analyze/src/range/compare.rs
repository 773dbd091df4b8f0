//! Comparison of two ranges.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::{RangeReport, RangeSums};
use crate::{DeviceTime, Sides};
use stepscope_base::{CompactSort, Nanos};
use stepscope_trace::{Class, Trace};

/// The slices of a name and class on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeChange<'a> {
    /// The name.
    pub name: &'a str,
    /// The class.
    pub class: Class,
    /// Their sums; zero where there are none.
    pub sums: Sides<RangeSums>,
}

impl RangeChange<'_> {
    /// Additional time of their sum in the second; less than zero if it is shorter.
    #[must_use]
    pub fn difference(&self) -> Nanos {
        self.sums.b.sum - self.sums.a.sum
    }
}

/// The differences between two ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeComparison<'a> {
    /// By name and class, the largest difference in either direction first; among equal ones, the longer first.
    pub rows: Vec<RangeChange<'a>>,
    /// The devices of either by their numbers, rising.
    pub devices: Vec<Sides<DeviceTime>>,
}

/// Compares two ranges, of one trace or of two: names are compared by their texts.
#[must_use]
pub fn compare_ranges<'a>(a: (&'a Trace, &RangeReport), b: (&'a Trace, &RangeReport)) -> RangeComparison<'a> {
    let mut rows: Vec<RangeChange<'a>> = Vec::new();
    let mut row_of: HashMap<(&str, Class), usize, FxBuildHasher> = HashMap::default();
    for (is_second, (trace, report)) in [(false, a), (true, b)] {
        for found in &report.names {
            let name = trace.strings.get(found.name);
            let row = *row_of.entry((name, found.class)).or_insert_with(|| {
                rows.push(RangeChange { name, class: found.class, sums: Sides::default() });
                rows.len() - 1
            });
            let sums = &mut rows[row].sums;
            *(if is_second { &mut sums.b } else { &mut sums.a }) = found.sums;
        }
    }
    rows.compact_sort_by_key(|row| {
        let longer = row.sums.a.sum.max(row.sums.b.sum);
        (-row.difference().0.abs(), -longer.0, row.name, row.class)
    });
    RangeComparison { rows, devices: devices(a.1, b.1) }
}

/// The devices of both ranges; one that is missing from a range idles there.
fn devices(a: &RangeReport, b: &RangeReport) -> Vec<Sides<DeviceTime>> {
    let mut numbers: Vec<i64> = a.devices.iter().chain(&b.devices).map(|time| time.device).collect();
    numbers.compact_sort();
    numbers.dedup();
    let of = |report: &RangeReport, device: i64| {
        let found = report.devices.iter().find(|time| time.device == device).copied();
        let window = report.span.len();
        found.unwrap_or(DeviceTime { device, window, idle: window, ..DeviceTime::default() })
    };
    numbers.into_iter().map(|device| Sides { a: of(a, device), b: of(b, device) }).collect()
}
