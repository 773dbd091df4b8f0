//! Host ranges grouped by any key: their lengths, and the time of activities launched in them.
//!
//! A range's device time is the *sum* of the activities launched inside, directly or by inner ranges, on its thread:
//! simultaneous ones count twice. METRICS section 3, "phases" as Paddle's Model Summary counts them.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use stepscope_base::Nanos;
use stepscope_trace::{Class, EventId, Trace};

/// Sum, longest and shortest of some lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Their sum.
    pub total: Nanos,
    /// The longest; zero if there are none.
    pub max: Nanos,
    /// The shortest; the greatest possible length if there are none.
    pub min: Nanos,
}

impl Default for Spread {
    fn default() -> Self {
        Self { total: Nanos::ZERO, max: Nanos::ZERO, min: Nanos::MAX }
    }
}

impl Spread {
    /// Adds a length.
    pub fn add(&mut self, length: Nanos) {
        self.total += length;
        self.max = self.max.max(length);
        self.min = self.min.min(length);
    }
}

/// The times of a group of ranges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RangeTimes {
    /// Number of ranges.
    pub calls: u64,
    /// Their lengths on the host.
    pub host: Spread,
    /// Sums of the kernels launched in each.
    pub kernels: Spread,
    /// Sums of the kernels, copies and memsets launched in each.
    pub device: Spread,
}

impl RangeTimes {
    /// Adds a range: its length, and the sums of the kernels and of all activities launched in it.
    pub fn add(&mut self, host: Nanos, kernels: Nanos, device: Nanos) {
        self.calls += 1;
        self.host.add(host);
        self.kernels.add(kernels);
        self.device.add(device);
    }
}

/// By host slice, the sums of activities launched in it.
#[derive(Clone, Debug, Default)]
pub struct Launched(HashMap<EventId, [Nanos; 2], FxBuildHasher>);

impl Launched {
    /// The sums of a trace.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        let mut sums: HashMap<EventId, [Nanos; 2], FxBuildHasher> = HashMap::default();
        for activity in &trace.activities {
            let Some(call) = activity.call.get() else { continue };
            let length = trace.slices.length(activity.event);
            let kernel = if trace.slices.class(activity.event) == Class::Kernel { length } else { Nanos::ZERO };
            for id in std::iter::once(call).chain(trace.slices.ancestors(call)) {
                let sum = sums.entry(id).or_default();
                sum[0] += kernel;
                sum[1] += length;
            }
        }
        Self(sums)
    }

    /// The time of the kernels launched in a slice, and of all activities.
    #[must_use]
    pub fn sums(&self, id: EventId) -> (Nanos, Nanos) {
        self.0.get(&id).map_or((Nanos::ZERO, Nanos::ZERO), |sum| (sum[0], sum[1]))
    }
}

/// The times of slices by key; slices without a key are left out.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":10},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":6,"dur":9,"args":{"correlation":9}},
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":20,"dur":4}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let launched = analyze::Launched::of(&trace);
/// let times = analyze::range_times(&trace, &launched, |id| Some(trace.category_of(id)));
/// let operators = times["cpu_op"];
/// assert_eq!((operators.calls, operators.host.total, operators.host.min), (2, Nanos(14_000), Nanos(4_000)));
/// assert_eq!((operators.kernels.total, operators.kernels.min), (Nanos(9_000), Nanos(0)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn range_times<K: Ord>(
    trace: &Trace,
    launched: &Launched,
    key: impl Fn(EventId) -> Option<K>,
) -> BTreeMap<K, RangeTimes> {
    let mut groups: BTreeMap<K, RangeTimes> = BTreeMap::new();
    for id in trace.slices.ids() {
        if let Some(key) = key(id) {
            let (kernels, device) = launched.sums(id);
            groups.entry(key).or_default().add(trace.slices.length(id), kernels, device);
        }
    }
    groups
}
