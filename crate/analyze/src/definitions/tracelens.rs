//! AMD's TraceLens: its GPU timeline.
//!
//! Memsets count as computation. An activity is left out unless it was launched by a graph launch, or a flow `ac2g`
//! with both ends has its correlation as id.

use super::value::{Value, Values};
use crate::IntervalSet;
use stepscope_trace::{Activity, Class, Trace};

pub(super) fn values(trace: &Trace) -> Values {
    let graph_launch = trace.strings.map(|name| name.contains("GraphLaunch"));
    let communicates = trace.strings.map(|name| {
        let name = name.to_ascii_lowercase();
        ["rccl", "nccl", "cross_device_reduce"].iter().any(|part| name.contains(part))
    });
    let launched_by_graph =
        |activity: &Activity| activity.call.get().is_some_and(|call| graph_launch[trace.slices.name(call).index()]);
    let linked: Vec<&Activity> =
        trace.activities.iter().filter(|activity| activity.has_flow || launched_by_graph(activity)).collect();
    let set = |wanted: &dyn Fn(&Activity) -> bool| {
        let chosen = linked.iter().filter(|activity| wanted(activity));
        IntervalSet::of(chosen.map(|activity| trace.slices.interval(activity.event)))
    };
    let is_copy = |activity: &Activity| trace.slices.class(activity.event) == Class::Memcpy;
    let is_communication = |activity: &Activity| communicates[trace.slices.name(activity.event).index()];
    let copies = set(&is_copy);
    let communication = set(&|activity| !is_copy(activity) && is_communication(activity));
    let computation = set(&|activity| !is_copy(activity) && !is_communication(activity));
    let all = set(&|_| true);
    let total = all.hull().unwrap_or_default().len();
    vec![
        ("computation_time_ns", Value::Time(computation.len())),
        ("exposed_comm_time_ns", Value::Time(communication.difference(&computation).len())),
        ("exposed_memcpy_time_ns", Value::Time(copies.difference(&computation).difference(&communication).len())),
        ("busy_time_ns", Value::Time(all.len())),
        ("idle_time_ns", Value::Time(total - all.len())),
        ("total_time_ns", Value::Time(total)),
        ("total_comm_time_ns", Value::Time(communication.len())),
        ("total_memcpy_time_ns", Value::Time(copies.len())),
    ]
}
