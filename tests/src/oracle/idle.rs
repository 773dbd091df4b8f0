//! Invariants of idle time in any trace: each nanosecond has one cause, and all places agree on it.

use stepscope::analyze::{
    DeviceIdle, DeviceReport, IdleClass, IdleLeaf, IdleTimes, LeafTimes, OverlapBar, StepSource, idle_spans, overview,
};
use stepscope::{Nanos, Rank};

fn same(what: &str, left: Nanos, right: Nanos) -> Result<(), String> {
    if left == right { Ok(()) } else { Err(format!("{what}: {left:?} is not {right:?}")) }
}

fn sum(leaves: &LeafTimes) -> Nanos {
    leaves.iter().copied().sum()
}

/// The leaves of a device or a stream add up to its idle time, and classes and activities are sums of leaves.
fn of_times(what: &str, times: &IdleTimes) -> Result<(), String> {
    same(&format!("{what}: leaves, idle time"), sum(&times.leaves), times.window - times.busy - times.uncovered)?;
    same(&format!("{what}: classes, idle time"), times.idle(), times.window - times.busy - times.uncovered)?;
    let host_wait = times.classes[IdleClass::HostWait as usize];
    same(&format!("{what}: activities, host wait"), times.host.iter().copied().sum(), host_wait)?;
    let leaf = |leaf: IdleLeaf| times.leaves[leaf as usize];
    same(&format!("{what}: unknown"), leaf(IdleLeaf::NoHostRecord), times.classes[IdleClass::Unknown as usize])?;
    same(&format!("{what}: outside"), leaf(IdleLeaf::BeforeFirst) + leaf(IdleLeaf::AfterLast), Nanos(0))
}

/// Checks the idle time of a rank.
///
/// # Errors
///
/// If parts do not add up, or if two places have different times.
pub(super) fn idle_is_one_fact(rank: &Rank) -> Result<(), String> {
    let analysis = &rank.analysis;
    let spans = idle_spans(&analysis.steps, &analysis.devices);
    if analysis.idle.len() != analysis.devices.len() || spans.len() != analysis.devices.len() {
        return Err("not all devices have an idle time".to_owned());
    }
    for (number, (device, idle)) in analysis.devices.iter().zip(&analysis.idle).enumerate() {
        of_device(rank, number, device, idle)?;
        // Positions and lengths of idle times.
        let outside = idle.lead_in + idle.lead_out;
        same("idle spans", spans[number].idle.len(), idle.times.idle() + outside)?;
        let before_first = spans[number].before_first.unwrap_or_default();
        let steps = analysis.steps.steps.iter().map(|step| step.span.intersection(before_first).len());
        same("before the first activity", steps.sum(), idle.before_first)?;
    }
    if analysis.steps.source == StepSource::WholeTrace && !analysis.devices.is_empty() {
        let shown = overview(analysis, None);
        let [bar] = &shown.overlap[..] else { return Ok(()) };
        same("tile and bar", shown.tiles[4].time, bar.idle)?;
        same("before the first activity, tile and bar", shown.before_first, bar.before_first)?;
        let idle = &analysis.idle[0];
        same("tile and tab before the first activity", shown.before_first, idle.before_first)?;
    }
    Ok(())
}

fn of_device(rank: &Rank, number: usize, device: &DeviceReport, idle: &DeviceIdle) -> Result<(), String> {
    let analysis = &rank.analysis;
    of_times("device", &idle.times)?;
    same("device time", device.time.idle, idle.times.idle())?;
    same("device time, uncovered", device.time.uncovered, idle.times.uncovered)?;
    for (stream, times) in &idle.streams {
        of_times(&format!("stream {}", stream.stream), times)?;
    }
    for (step, leaves) in idle.steps.iter().enumerate() {
        let time = &analysis.step_devices[step][number];
        let what = |what: &str| format!("step {}: {what}", analysis.steps.steps[step].name);
        same(&what("leaves"), sum(leaves), time.window - time.busy)?;
        same(&what("before the first activity"), leaves[IdleLeaf::BeforeFirst as usize], time.before_first)?;
        same(&what("uncovered"), leaves[IdleLeaf::Uncovered as usize], time.uncovered)?;
        same(&what("idle"), sum(leaves) - time.before_first - time.uncovered, time.idle)?;
        let of = &idle.step_classes[step];
        let classes = of.classes.iter().copied().sum::<Nanos>() + of.lead_in + leaves[IdleLeaf::AfterLast as usize];
        same(&what("classes"), classes, time.idle)?;
        let host_wait = of.classes[IdleClass::HostWait as usize];
        same(&what("activities, host wait"), of.host.iter().copied().sum(), host_wait)?;
        same(&what("bar"), OverlapBar::of(time).idle, time.idle)?;
        let early: Nanos = analysis.categories_before_first[step].iter().copied().sum();
        if early > time.before_first {
            return Err(what("categories before the first activity"));
        }
    }
    for listed in &idle.longest {
        same("a gap's leaves", sum(&listed.leaves), listed.gap.span.len())?;
    }
    Ok(())
}
