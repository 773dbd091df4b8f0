//! The call tree of any trace, and its trees of modules and ranges: what devices do is in each once, or without a launch, and every
//! node stands behind its caller.

use stepscope::analyze::{CallGrouping, CallNode, CallTree, StepChoice, call_tree};
use stepscope::{Nanos, Rank};

/// What must hold of the call tree of the whole trace and of the average step.
///
/// # Errors
///
/// Which does not hold, with its numbers.
pub fn call_tree_identities(rank: &Rank) -> Result<(), String> {
    let trace = &rank.trace;
    for (choice, grouping) in [StepChoice::Whole, StepChoice::Average]
        .into_iter()
        .flat_map(|choice| CallGrouping::ALL.map(|grouping| (choice, grouping)))
    {
        let tree = call_tree(trace, &rank.analysis, choice, grouping);
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
    }
    Ok(())
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
