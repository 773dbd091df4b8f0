//! Grids of calls that give them in threads instead of blocks.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::Trace;
use super::details::LaunchConfig;
use super::ids::{ConfigId, NameId};

/// Converts the grids of kernels that were launched by calls with these names from threads to blocks.
///
/// `hipExtModuleLaunchKernel` takes the number of work items in each dimension; a partial block at the end is a block.
pub(super) fn in_blocks(trace: &mut Trace, calls: &[&str]) {
    if calls.is_empty() || trace.configs.is_empty() {
        return;
    }
    let mut named: HashMap<NameId, bool, FxBuildHasher> = HashMap::default();
    let mut converted: HashMap<ConfigId, ConfigId, FxBuildHasher> = HashMap::default();
    let mut known: HashMap<[u64; 7], ConfigId, FxBuildHasher> = HashMap::default();
    let mut activities = std::mem::take(&mut trace.activities);
    for activity in &mut activities {
        let (Some(config), Some(call)) = (activity.config.get(), activity.call.get()) else { continue };
        let name = trace.slices.name(call);
        if !*named.entry(name).or_insert_with(|| calls.contains(&trace.strings.get(name))) {
            continue;
        }
        activity.config = *converted.entry(config).or_insert_with(|| {
            if known.is_empty() {
                known =
                    trace.configs.iter().enumerate().map(|(at, one)| (one.bits(), ConfigId::from_index(at))).collect();
            }
            let blocks = blocks_of(trace.configs[config.index()]);
            *known.entry(blocks.bits()).or_insert_with(|| {
                trace.configs.push(blocks);
                ConfigId::from_index(trace.configs.len() - 1)
            })
        });
    }
    trace.activities = activities;
}

/// The same launch with its grid in blocks; unchanged if the size of a block is unknown.
fn blocks_of(launch: LaunchConfig) -> LaunchConfig {
    if launch.block.contains(&0) {
        return LaunchConfig { grid: [0; 3], ..launch };
    }
    let grid = std::array::from_fn(|axis| launch.grid[axis].div_ceil(launch.block[axis]));
    LaunchConfig { grid, ..launch }
}
