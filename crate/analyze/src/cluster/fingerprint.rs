//! Fingerprint of a recording, independent of its file's name and its export format.

use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, Trace};

/// The amounts of events in a trace. Two exports of one recording have the same, apart from rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// From its first event to its last.
    pub span: Interval,
    /// Kernels among the activities.
    pub kernels: u64,
    /// Their lengths, in all.
    pub kernel_time: Nanos,
    /// Activities of devices.
    pub activities: u64,
    /// Their lengths, in all.
    pub activity_time: Nanos,
    /// Operators of the host.
    pub operators: u64,
    /// Their lengths, in all.
    pub operator_time: Nanos,
}

impl Fingerprint {
    pub(super) fn of(trace: &Trace) -> Self {
        let sum = |all: (u64, Nanos), length: Nanos| (all.0 + 1, all.1 + length);
        let kernels = trace.activities.iter().map(|activity| activity.event);
        let kernels = kernels.filter(|id| trace.slices.class(*id) == Class::Kernel);
        let kernels = kernels.map(|id| trace.slices.interval(id).len());
        let activities = trace.activities.iter().map(|activity| trace.slices.interval(activity.event).len());
        let operators = trace.slices_of(Class::Operator).map(|id| trace.slices.interval(id).len());
        let (kernels, kernel_time) = kernels.fold((0, Nanos::ZERO), sum);
        let (activities, activity_time) = activities.fold((0, Nanos::ZERO), sum);
        let (operators, operator_time) = operators.fold((0, Nanos::ZERO), sum);
        Self { span: trace.span(), kernels, kernel_time, activities, activity_time, operators, operator_time }
    }

    /// Whether both have the same events: equal counts and lengths. Kernels are compared separately as well: copies of
    /// other processes may take long and hide that their kernels differ.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let of_kernels = |of: &Self| (of.kernels, of.kernel_time);
        let of_all = |of: &Self| (of.activities, of.activity_time);
        let of_host = |of: &Self| (of.operators, of.operator_time);
        let same = |one: (u64, Nanos), other: (u64, Nanos)| one.0 == other.0 && is_near(one.1, other.1, one.0);
        let same_on_devices = same(of_all(self), of_all(other)) && same(of_kernels(self), of_kernels(other));
        match (self.activities, self.operators) {
            (0, 0) => false,
            (0, _) => other.activities == 0 && same(of_host(self), of_host(other)),
            (_, 0) => same_on_devices,
            // Devices decide where a format lacks events of the host.
            _ => same_on_devices && (other.operators == 0 || self.operators == other.operators),
        }
    }
}

/// Whether two sums of lengths differ by rounding alone: by a microsecond for each of them at most.
fn is_near(one: Nanos, other: Nanos, count: u64) -> bool {
    (one.0 - other.0).unsigned_abs() <= count.saturating_mul(1_000).min(one.0.unsigned_abs() >> 13)
}
