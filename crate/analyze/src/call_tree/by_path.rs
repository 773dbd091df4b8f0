//! Modules by their paths: the nodes of the tree of modules, whichever thread calls them.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::{CallGrouping, CallNode, Called, Sums};
use crate::Analysis;
use crate::call_tree::grouping::has_modules;
use crate::python_stacks::module_path;
use crate::step_tables::StepChoice;
use stepscope_base::Nanos;
use stepscope_trace::{NameId, Trace};

/// The times of the modules at a path, as sums of the steps that count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleTimes {
    /// The modules, outermost first, as in `Net_0.Linear_0`; empty for the time outside of all modules.
    pub path: String,
    /// Number of calls.
    pub calls: u64,
    /// Their time, with the modules inside.
    pub host: Nanos,
    /// The same without these.
    pub host_self: Nanos,
    /// Time of device activities that were launched in it, with the modules inside.
    pub device: Nanos,
    /// The same without these.
    pub device_self: Nanos,
}

impl ModuleTimes {
    fn add(&mut self, node: &CallNode, host: Nanos, device: Nanos) {
        self.calls += node.calls;
        self.host += host;
        self.host_self += node.host_self;
        self.device += device;
        self.device_self += node.device_self;
    }
}

/// The modules of the steps that count, or of the whole trace where none does, and the time outside of them, which includes device
/// activities without a recorded launching call: their own times are those of all threads, and of all device
/// activities. Nothing where the trace has no modules.
#[must_use]
pub fn modules_by_path(trace: &Trace, analysis: &Analysis) -> Vec<ModuleTimes> {
    if !has_modules(trace) {
        return Vec::new();
    }
    let sums = Sums::of(trace, analysis, StepChoice::Average.into(), CallGrouping::Modules, false);
    let outside = ModuleTimes { device: sums.unlinked, device_self: sums.unlinked, ..ModuleTimes::default() };
    let mut rows = vec![outside];
    let mut paths: Vec<Vec<NameId>> = vec![Vec::new()];
    let mut below: HashMap<(usize, NameId), usize, FxBuildHasher> = HashMap::default();
    let mut row_of: Vec<usize> = Vec::with_capacity(sums.nodes.len());
    for node in &sums.nodes {
        let Called::Name(name) = node.call else {
            rows[0].add(node, node.host_self, node.device_self);
            row_of.push(0);
            continue;
        };
        // A node comes after its caller.
        let caller = node.parent.map_or(0, |parent| row_of[parent]);
        let row = *below.entry((caller, name)).or_insert_with(|| {
            let mut path = paths[caller].clone();
            path.push(name);
            let path_text = module_path(trace, &path);
            rows.push(ModuleTimes { path: path_text, ..ModuleTimes::default() });
            paths.push(path);
            rows.len() - 1
        });
        rows[row].add(node, node.host, node.device);
        row_of.push(row);
    }
    rows.retain(|row| row.host > Nanos::ZERO || row.device > Nanos::ZERO);
    rows
}
