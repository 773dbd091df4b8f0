//! Occupancy, compared with the estimate of PyTorch's profiler: METRICS section 4.

use stepscope::Rank;
use stepscope::analyze::{SmLimits, occupancy};

use super::comparison::Comparison;

/// Dynamic shared memory that a block gets without asking for more in a call of its own.
const SHARED_WITHOUT_OPT_IN: u32 = 48 << 10;

/// Each launch's estimated achieved occupancy. The profiler computes it with `cuda_occupancy.h`: as many blocks as fit,
/// or the grid's blocks per multiprocessor if those are fewer, in threads relative to the most, in whole percent.
pub(crate) fn estimated(rank: &Rank, trace: &str, found: &mut Vec<Comparison>) {
    let Some(device) = rank.trace.meta.devices.first() else { return };
    let (Some(limits), Some(most)) = (SmLimits::of(device), device.max_threads_per_multiprocessor) else { return };
    // Launches on devices whose shared memory is in the trace.
    for config in rank.trace.configs.iter().filter(|config| config.occupancy_percent >= 0.0) {
        let Some(ours) = occupancy(&limits, config) else { continue };
        let threads: f64 = config.block.map(f64::from).iter().product();
        let percent = f64::from(ours.blocks).min(config.blocks_per_sm) * threads / f64::from(most) * 100.0;
        let large = config.shared_memory + limits.shared_reserved > SHARED_WITHOUT_OPT_IN;
        let [block, registers, shared] =
            [threads.to_string(), config.registers.to_string(), config.shared_memory.to_string()];
        let kind = if large { "large shared memory" } else { "launch" };
        let key =
            format!("{kind} {block} threads, {registers} registers, {shared} bytes, {} blocks", config.blocks_per_sm);
        // Rounded by the profiler; its blocks per multiprocessor are, too.
        found.push(Comparison::close("kineto occupancy", trace, key, config.occupancy_percent, percent, 0.51));
    }
}
