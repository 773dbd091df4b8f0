//! Operators. METRICS section 4.

mod config;
mod device;
mod grouping;
mod host;
mod table;

pub use self::config::{OperatorGrouping, OperatorsConfig};
pub use self::table::{OperatorContext, OperatorTable};

use self::device::DeviceTimes;
use self::grouping::Groups;
use self::host::HostTimes;
use super::scope::Scope;
use stepscope_base::{CompactSort, Nanos};
use stepscope_trace::{Class, EventId, NameId, Trace, TrackId};

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorRow {
    /// The name; in a row of a type, the type.
    pub name: String,
    /// Operator or annotation.
    pub class: Class,
    /// The inputs' shapes, where they are a part of the key.
    pub shapes: NameId,
    /// The inputs' types, where they are a part of the key.
    pub types: NameId,
    /// The Python stack, outermost first, where it is a part of the key.
    pub stack: Vec<NameId>,
    /// The modules around its calls, outermost first, where they are a part of the key; empty outside of all modules.
    pub modules: Vec<NameId>,
    /// The first track of the thread, where it is a part of the key.
    pub thread: TrackId,
    /// Number of calls; in a scope, of those that begin in it.
    pub calls: u64,
    /// Time on the host in the calls, of which in a scope only the part in its steps counts: one inside another call of the row, on the same thread, counts once. With
    /// [`OperatorsConfig::merge_only_children`] it is [`host_sum`](Self::host_sum), as in the tools that do so.
    pub host_total: Nanos,
    /// Sum of the time of all calls on the host; in a scope, of their parts in it.
    pub host_sum: Nanos,
    /// Sum of the whole durations of the calls that count, which in a scope may go on after it.
    pub host_whole: Nanos,
    /// The same without the time of operators, annotations and runtime calls inside. Parts that the framework records as
    /// ranges, such as the launch of an operator's kernel, are time of the operator.
    pub host_self: Nanos,
    /// The shortest call.
    pub host_min: Nanos,
    /// The longest call.
    pub host_max: Nanos,
    /// Device time of the activities launched by the calls and by what they called, united per
    /// outermost call of the row.
    pub device_total: Nanos,
    /// Device time of the activities that the calls themselves launched, united per call.
    pub device_self: Nanos,
    /// [`device_total`](Self::device_total) as a sum of durations.
    pub device_total_sum: Nanos,
    /// [`device_self`](Self::device_self) as a sum of durations.
    pub device_self_sum: Nanos,
}

impl OperatorRow {
    /// The mean duration of a call on the host: of whole calls, as the shortest and the longest one.
    #[must_use]
    pub fn host_mean(&self) -> Nanos {
        super::mean(self.host_whole, self.calls)
    }
}

/// The kind of the table's rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OperatorsAre {
    /// A framework's operators, and annotations.
    #[default]
    Operators,
    /// All slices of the host: the trace has no operators.
    Slices,
}

/// The operators of a trace; in a trace without operators, all slices of its host threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operators {
    /// The kind of the rows.
    pub are: OperatorsAre,
    /// The rows, the longest device time first, then the longest host time.
    pub rows: Vec<OperatorRow>,
    /// Sum of the durations of activities that no operator launched.
    pub unlinked_device_sum: Nanos,
    /// Their union.
    pub unlinked_device: Nanos,
    /// Number of these activities.
    pub unlinked_activities: u64,
}

/// Tabulates the operators and annotations; steps' marks are left out.
///
/// Where a trace has no operators, the table has all slices of the host instead: of threads, Python functions (which
/// nest among themselves) and asynchronous operations, whose self time is 0 since they occupy no thread.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":0,"dur":10},
///   {"ph":"X","cat":"cpu_op","name":"aten::addmm","pid":1,"tid":1,"ts":2,"dur":6},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":6,"dur":9,"args":{"correlation":9}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let found = analyze::operators(&trace, analyze::OperatorsConfig::standard());
/// let row = |name: &str| found.rows.iter().find(|row| row.name == name).expect("a row");
/// let (linear, addmm) = (row("aten::linear"), row("aten::addmm"));
/// assert_eq!((linear.host_total, linear.host_self), (Nanos(10_000), Nanos(4_000)));
/// assert_eq!((addmm.host_total, addmm.host_self), (Nanos(6_000), Nanos(4_000))); // the call is a child
/// assert_eq!((linear.device_total, linear.device_self), (Nanos(9_000), Nanos(0)));
/// assert_eq!((addmm.device_total, addmm.device_self), (Nanos(9_000), Nanos(9_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn operators(trace: &Trace, config: OperatorsConfig) -> Operators {
    operators_in(trace, config, None)
}

/// The calls of a row of the table with the same settings that begin in the scope, by thread, then by start. Each comes with
/// whether its length counts in the row's total.
pub(super) fn calls_of(
    trace: &Trace,
    row: &OperatorRow,
    config: OperatorsConfig,
    scope: Option<&Scope<'_>>,
) -> Vec<(EventId, bool)> {
    let groups = Groups::of(trace, config, scope);
    let is_row = |group: &usize| {
        let key = groups.key(*group);
        (key.class, key.shapes, key.types) == (row.class, row.shapes, row.types)
            && groups.thread(*group) == row.thread
            && groups.name(trace, *group) == row.name
            && groups.stack(*group) == row.stack
            && groups.modules(*group) == row.modules
    };
    let Some(group) = (0..groups.len()).find(is_row) else { return Vec::new() };
    let is_call = |id: &EventId| groups.group(*id) == Some(group);
    let is_outermost =
        |id: EventId| !groups.nested_once() || !trace.slices.ancestors(id).any(|around| is_call(&around));
    let begins = |id: &EventId| scope.is_none_or(|scope| scope.has_slice(trace, *id));
    let calls = trace.slices.ids().filter(is_call).filter(begins);
    calls.map(|id| (id, is_outermost(id))).collect()
}

/// Tabulates the operators and annotations that run in a scope, or all.
///
/// A call that a step's edge cuts has in each step the time in it, as in the call tree, and is a call of the one in which it
/// begins.
#[must_use]
pub fn operators_in(trace: &Trace, config: OperatorsConfig, scope: Option<&Scope<'_>>) -> Operators {
    let groups = Groups::of(trace, config, scope);
    let host = HostTimes::of(trace, &groups, scope);
    let device = DeviceTimes::of(trace, &groups, scope);
    let mut rows: Vec<OperatorRow> = (0..groups.len())
        .filter(|group| host.calls[*group] > 0 || host.sum[*group] > Nanos::ZERO)
        .map(|group| OperatorRow {
            name: groups.name(trace, group),
            class: groups.key(group).class,
            shapes: groups.key(group).shapes,
            types: groups.key(group).types,
            stack: groups.stack(group),
            modules: groups.modules(group),
            thread: groups.thread(group),
            calls: host.calls[group],
            host_total: host.total[group],
            host_sum: host.sum[group],
            host_whole: host.whole[group],
            host_self: host.own[group],
            host_min: host.min[group].min(host.max[group]),
            host_max: host.max[group],
            device_total: device.total[group],
            device_self: device.own[group],
            device_total_sum: device.total_sum[group],
            device_self_sum: device.own_sum[group],
        })
        .collect();
    rows.compact_sort_by(|a, b| {
        (b.device_self, b.host_self, &a.name, a.class)
            .cmp(&(a.device_self, a.host_self, &b.name, b.class))
            .then_with(|| trace.strings.get(a.shapes).cmp(trace.strings.get(b.shapes)))
            .then_with(|| trace.strings.get(a.types).cmp(trace.strings.get(b.types)))
            .then_with(|| (&a.stack, &a.modules).cmp(&(&b.stack, &b.modules)))
            .then_with(|| a.thread.cmp(&b.thread))
    });
    Operators {
        are: if groups.all_slices { OperatorsAre::Slices } else { OperatorsAre::Operators },
        rows,
        unlinked_device_sum: device.unlinked_sum,
        unlinked_device: device.unlinked,
        unlinked_activities: device.unlinked_count,
    }
}
