//! Communication and computation, as Paddle's Distribution Summary separates them.
//!
//! Communication is the union of the host's ranges of collectives and the communication kernels. The ranges are in
//! Paddle's traces the category `Communication` and operators with such names; in PyTorch's `nccl:`, `gloo:`, `mpi:`.
//! Computation is the union of the other kernels.
//!
//! Not per device: Paddle puts the kernels of all devices into one list of ranges. It looks at the whole trace, so
//! that a share of the steps' time can exceed 1.

use crate::{DeviceSets, IntervalSet};
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{Activity, Class, EventId, Trace};

/// The Distribution Summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkSplit {
    /// Different spans of collectives on the host, and their union.
    pub host: (u64, Nanos),
    /// Different spans of communication kernels, and their union.
    pub device: (u64, Nanos),
    /// The union of both.
    pub communication: Nanos,
    /// The union of the other kernels.
    pub computation: Nanos,
    /// Both at once.
    pub overlap: Nanos,
}

/// Separates communication and computation.
#[must_use]
pub fn work_split(trace: &Trace) -> WorkSplit {
    let category = trace.category_named("Communication");
    let is_paddle = trace.category_named("ProfileStep").is_some();
    let named = trace.strings.map(|name| {
        let says_so = || {
            let name = name.to_ascii_lowercase();
            ["allreduce", "broadcast", "rpc"].iter().any(|word| name.contains(word))
        };
        ["nccl:", "gloo:", "mpi:"].iter().any(|library| name.starts_with(library)) || (is_paddle && says_so())
    });
    let is_range = |id: EventId| {
        let class = trace.slices.class(id);
        let is_host = class == Class::Operator || (class == Class::Annotation && !is_paddle);
        is_host && (named[trace.slices.name(id).index()] || Some(trace.slices.category(id)) == category)
    };
    // In Paddle's own traces, all kernels that such a range launched communicate, even if they also compute.
    let communicates = |activity: &&Activity| {
        let kernel = trace.slices.class(activity.event) == Class::Kernel;
        let call = activity.call.get().filter(|_| is_paddle);
        kernel && (activity.communication || call.is_some_and(|call| trace.slices.ancestors(call).any(is_range)))
    };
    let host: Vec<Interval> =
        trace.slices.ids().filter(|id| is_range(*id)).map(|id| trace.slices.interval(id)).collect();
    let kernels = trace.activities.iter().filter(communicates);
    let kernels: Vec<Interval> = kernels.map(|activity| trace.slices.interval(activity.event)).collect();
    let counted = |mut spans: Vec<Interval>| {
        spans.compact_sort();
        spans.dedup();
        (spans.len() as u64, IntervalSet::of(spans))
    };
    let ((host_calls, host), (device_calls, device)) = (counted(host), counted(kernels));
    let communication = host.union(&device);
    let computation = DeviceSets::of(trace, &trace.activities).compute;
    WorkSplit {
        host: (host_calls, host.len()),
        device: (device_calls, device.len()),
        communication: communication.len(),
        computation: computation.len(),
        overlap: communication.intersection(&computation).len(),
    }
}
