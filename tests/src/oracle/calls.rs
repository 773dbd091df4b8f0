//! The call tree of any trace: what devices do is in it once, or without a launch, and every node stands behind its caller.

use stepscope::analyze::{CallNode, StepChoice, call_tree};
use stepscope::{Nanos, Rank};

/// What must hold of the call tree of the whole trace and of the average step.
///
/// # Errors
///
/// Which does not hold, with its numbers.
pub fn call_tree_identities(rank: &Rank) -> Result<(), String> {
    let trace = &rank.trace;
    for choice in [StepChoice::Whole, StepChoice::Average] {
        let tree = call_tree(trace, &rank.analysis, choice);
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
