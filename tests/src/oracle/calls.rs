//! The call tree of any trace, and its trees of modules and ranges: each device activity is in a tree once, or without
//! a launch, and every node follows its caller.

use std::collections::BTreeMap;

use stepscope::analyze::{CallGrouping, CallNode, CallScope, CallTree, Called, StepChoice, call_tree};
use stepscope::{Interval, Nanos, Rank};

/// Checks the call trees of the whole trace and of the average step.
///
/// # Errors
///
/// The check that fails, with its numbers.
pub fn call_tree_identities(rank: &Rank) -> Result<(), String> {
    let trace = &rank.trace;
    for (choice, grouping) in [StepChoice::Whole, StepChoice::Average]
        .into_iter()
        .flat_map(|choice| CallGrouping::ALL.map(|grouping| (choice, grouping)))
    {
        let tree = call_tree(trace, &rank.analysis, choice.into(), grouping);
        covers_all(&tree)?;
        for (place, node) in tree.nodes.iter().enumerate() {
            let times = [node.host, node.host_self, node.device, node.device_self];
            if node.parent.is_some_and(|parent| parent >= place) || times.iter().any(|time| *time < Nanos::ZERO) {
                return Err(format!("node {place}: {node:?}"));
            }
            let calls = tree.nodes.iter().filter(|other| other.parent == Some(place));
            if node.parent.is_none()
                && calls.map(|call| call.host).sum::<Nanos>() > node.host + Nanos(tree.nodes.len() as i64)
            {
                return Err(format!("calls take more than thread {place}: {node:?}"));
            }
            if node.host_self > node.host || node.device_self > node.device {
                return Err(format!("node {place} takes more without what it calls: {node:?}"));
            }
        }
        if choice == StepChoice::Average || tree.left_out > 0 {
            continue;
        }
        let of_nodes = |time: fn(&CallNode) -> Nanos| tree.nodes.iter().map(time).sum::<Nanos>();
        let launched = of_nodes(|node| node.device_self);
        let all: Nanos = trace.activities.iter().map(|activity| trace.slices.length(activity.event)).sum();
        let own = of_nodes(|node| node.host_self);
        if own != tree.host {
            return Err(format!("{own:?} of {:?} on threads is in one node without its calls", tree.host));
        }
        if launched + tree.device_unlinked != all || launched != tree.device {
            return Err(format!("{launched:?} and {:?} unlinked of {all:?} on devices", tree.device_unlinked));
        }
        parts_add_up(rank, grouping, &tree)?;
    }
    Ok(())
}

/// Trees of consecutive ranges, from the trace's start to its end, add up to that of the whole: in total, and stack by
/// stack.
fn parts_add_up(rank: &Rank, grouping: CallGrouping, whole: &CallTree) -> Result<(), String> {
    let span = rank.trace.span();
    let at = |part: i64| Nanos(span.start.0 + (i128::from(span.len().0) * i128::from(part) / 7) as i64);
    let longest = rank.trace.activities.iter().map(|activity| rank.trace.slices.interval(activity.event));
    let longest = longest.max_by_key(|activity| activity.len()).unwrap_or(span);
    // One edge cuts the longest activity.
    let mut edges = vec![at(0), at(2), at(3), at(7), Nanos(longest.start.0 + longest.len().0 / 2)];
    edges.sort();
    let mut sums = (Nanos::ZERO, Nanos::ZERO, Nanos::ZERO);
    let mut stacks = BTreeMap::new();
    for pair in edges.windows(2) {
        let range = CallScope::Range(Interval::new(pair[0], pair[1]));
        let part = call_tree(&rank.trace, &rank.analysis, range, grouping);
        sums.0 += part.host;
        sums.1 += part.device;
        sums.2 += part.device_unlinked;
        add_stacks(&part, &mut stacks);
    }
    if sums != (whole.host, whole.device, whole.device_unlinked) {
        let all = (whole.host, whole.device, whole.device_unlinked);
        return Err(format!("ranges at {edges:?} have {sums:?} of {all:?} of {grouping:?}"));
    }
    let mut of_whole = BTreeMap::new();
    add_stacks(whole, &mut of_whole);
    for (stack, times) in of_whole {
        if stacks.get(&stack) != Some(&times) {
            let found = stacks.get(&stack);
            return Err(format!("ranges at {edges:?} have {found:?} of {times:?} of {stack:?} of {grouping:?}"));
        }
    }
    Ok(())
}

/// Adds host and device time, and both without calls, by stack.
fn add_stacks(tree: &CallTree, stacks: &mut BTreeMap<Vec<u64>, [Nanos; 4]>) {
    let mut paths: Vec<Vec<u64>> = Vec::new();
    for node in &tree.nodes {
        let mut path = node.parent.map_or_else(Vec::new, |parent| paths[parent].clone());
        path.push(match node.call {
            Called::Thread(track) => track.index() as u64,
            Called::Name(name) => name.index() as u64,
            Called::Phase(phase) => u64::MAX - phase as u64,
        });
        let times = stacks.entry(path.clone()).or_default();
        for (sum, time) in times.iter_mut().zip([node.host, node.host_self, node.device, node.device_self]) {
            *sum += time;
        }
        paths.push(path);
    }
}

/// The time in modules or ranges and the time outside of them add up to the whole, but for the rounding of means.
fn covers_all(tree: &CallTree) -> Result<(), String> {
    let Some(coverage) = &tree.coverage else { return Ok(()) };
    let of_threads =
        |time: fn(&CallNode) -> Nanos| tree.nodes.iter().filter(|node| node.parent.is_none()).map(time).sum::<Nanos>();
    let outside: Nanos = coverage.outside.iter().map(|part| part.device).sum();
    let rounding = tree.nodes.len() as i64 + 8;
    let is_near = |a: Nanos, b: Nanos| (a.0 - b.0).abs() <= rounding;
    if !is_near(coverage.device + outside, tree.device) || !is_near(outside, of_threads(|node| node.device_self)) {
        return Err(format!("{:?} and {outside:?} outside of {:?} on devices", coverage.device, tree.device));
    }
    if !is_near(coverage.host + of_threads(|node| node.host_self), tree.host) {
        return Err(format!("{:?} of {:?} on threads", coverage.host, tree.host));
    }
    Ok(())
}
