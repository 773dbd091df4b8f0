//! The tables of long gaps, and of the parts of steps before a device's first activity or after its last one.

use super::{DeviceIdle, HostActivity, HostInGap, IdleEdge, IdleLeaf, ListedGap};
use crate::EdgeSide;
use stepscope_base::{Interval, Nanos};
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::{EventId, Trace};

/// A time in which a device does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleTime {
    /// The device's number as the producer counts.
    pub device: i64,
    /// Its time span.
    pub span: Interval,
    /// The name of its class, or of its side of the device's window.
    pub class: &'static str,
    /// The cause that takes most of it; none where the host shows it.
    pub cause: Option<IdleLeaf>,
    /// The activity that ended last before it.
    pub before: Option<EventId>,
    /// The activity that ends it.
    pub after: Option<EventId>,
    /// The call that launched that.
    pub call: Option<EventId>,
    /// The launching thread's activity.
    pub host: Option<HostInGap>,
}

impl IdleTime {
    fn of_gap(device: i64, listed: &ListedGap) -> Self {
        let gap = &listed.gap;
        Self {
            device,
            span: gap.span,
            class: gap.class.name(),
            cause: Some(listed.cause()),
            before: Some(gap.before),
            after: Some(gap.after),
            call: gap.call,
            host: listed.host,
        }
    }

    fn of_edge(device: i64, edge: &IdleEdge) -> Self {
        let is_last = edge.side == EdgeSide::LeadOut;
        Self {
            device,
            span: edge.span,
            class: edge.side.name(),
            cause: edge.cause(),
            before: is_last.then_some(edge.activity),
            after: (!is_last).then_some(edge.activity),
            call: None,
            host: edge.host,
        }
    }
}

impl DeviceIdle {
    /// The rows of its longest gaps.
    #[must_use]
    pub fn gap_rows(&self) -> Vec<IdleTime> {
        self.longest.iter().map(|gap| IdleTime::of_gap(self.device, gap)).collect()
    }

    /// The rows of the long stretches of steps before its first activity and after its last one.
    #[must_use]
    pub fn edge_rows(&self) -> Vec<IdleTime> {
        self.edges.iter().map(|edge| IdleTime::of_edge(self.device, edge)).collect()
    }
}

/// The table of a device's longest gaps, or of the long stretches beside its window.
pub enum IdleTimeTable<const EDGES: bool> {}

fn slice<'a>(event: Option<EventId>) -> Value<'a> {
    event.map_or(Value::Unknown, |event| Value::id(event.0.into()))
}

fn name(event: Option<EventId>, trace: &Trace) -> Value<'_> {
    event.map(|event| trace.name_of(event)).into()
}

/// Time of a host activity; unknown without a host. Zero is unknown as well for an activity that hardly any trace has.
fn doing<'a>(row: &IdleTime, activity: HostActivity) -> Value<'a> {
    let is_rare = matches!(activity, HostActivity::Range | HostActivity::StartLate);
    let time = row.host.map(|host| host.times[activity as usize]);
    time.filter(|time| !is_rare || *time > Nanos::ZERO).into()
}

impl<const EDGES: bool> Rows for IdleTimeTable<EDGES> {
    const ID: &'static str = if EDGES { "idle[].edges" } else { "idle[].long_gaps.longest" };
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("device", Unit::Id, |row, _| row.device.into()),
        Field::<Self>::new("start_ns", Unit::Moment, |row, _| row.span.start.into()),
        Field::<Self>::new("length_ns", Unit::Duration, |row, _| row.span.len().into()).bar(Bar::OfLargest).part(),
        Field::<Self>::new("class", Unit::Word("gap.class"), |row, _| Value::Word(row.class)).data(),
        Field::<Self>::new("cause", Unit::Word("budget.leaf"), |row, _| {
            row.cause.map_or(Value::Unknown, |cause| Value::Word(cause.name()))
        }),
        Field::<Self>::new("before.slice", Unit::Id, |row, _| slice(row.before)).event().or_null(),
        Field::<Self>::new("before.name", Unit::KernelName, |row, trace| name(row.before, trace)),
        Field::<Self>::new("after.slice", Unit::Id, |row, _| slice(row.after)).event().or_null(),
        Field::<Self>::new("after.name", Unit::KernelName, |row, trace| name(row.after, trace)),
        Field::<Self>::new("call.slice", Unit::Id, |row, _| slice(row.call)).event().or_null(),
        Field::<Self>::new("call.name", Unit::Text, |row, trace| name(row.call, trace)).data(),
        Field::<Self>::new("host.activity", Unit::Word("host"), |row, _| {
            row.host.map_or(Value::Unknown, |host| Value::Word(host.activity.name()))
        })
        .or_null(),
        Field::<Self>::new("host.shown_by.slice", Unit::Id, |row, _| slice(row.host.and_then(|host| host.slice)))
            .event()
            .or_null(),
        Field::<Self>::new("host.shown_by.name", Unit::Text, |row, trace| {
            name(row.host.and_then(|host| host.slice), trace)
        }),
        Field::<Self>::new("host.data_loading_ns", Unit::Duration, |row, _| doing(row, HostActivity::DataLoading))
            .data(),
        Field::<Self>::new("host.synchronization_ns", Unit::Duration, |row, _| {
            doing(row, HostActivity::Synchronization)
        })
        .data(),
        Field::<Self>::new("host.allocation_ns", Unit::Duration, |row, _| doing(row, HostActivity::Allocation)).data(),
        Field::<Self>::new("host.launching_ns", Unit::Duration, |row, _| doing(row, HostActivity::Launching)).data(),
        Field::<Self>::new("host.operator_ns", Unit::Duration, |row, _| doing(row, HostActivity::Operator)).data(),
        Field::<Self>::new("host.python_ns", Unit::Duration, |row, _| doing(row, HostActivity::Python)).data(),
        Field::<Self>::new("host.range_ns", Unit::Duration, |row, _| doing(row, HostActivity::Range)).data().omitted(),
        Field::<Self>::new("host.unrecorded_ns", Unit::Duration, |row, _| doing(row, HostActivity::Unrecorded)).data(),
        Field::<Self>::new("host.start_late_unexplained_ns", Unit::Duration, |row, _| {
            doing(row, HostActivity::StartLate)
        })
        .data()
        .omitted(),
    ];
    const FIRST: &'static [&'static str] =
        &["cause", "host.activity", "host.shown_by.name", "device", "start_ns", "length_ns"];
    const SORT: &'static str = "length_ns";
    const SPAN: Option<[&'static str; 2]> = Some(["start_ns", "length_ns"]);
    type Row = IdleTime;
    type Context<'a> = Trace;
}
