//! Theoretical occupancy, its limit, and waves. METRICS section 4.

use super::devices::SmLimits;
use stepscope_trace::LaunchConfig;

/// The limit on the number of blocks of a kernel that run on a multiprocessor at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limiter {
    /// The most warps that it runs, given the size of the blocks.
    Warps,
    /// The most blocks that it runs.
    Blocks,
    /// Its registers.
    Registers,
    /// Its shared memory.
    SharedMemory,
}

impl Limiter {
    /// All of them. Among equal limits, the first counts: those that cannot be changed come first.
    pub const ALL: [Self; 4] = [Self::Warps, Self::Blocks, Self::Registers, Self::SharedMemory];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Warps => "warps",
            Self::Blocks => "blocks",
            Self::Registers => "registers",
            Self::SharedMemory => "shared_memory",
        }
    }
}

/// The number of blocks of a kernel that fit on a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occupancy {
    /// The blocks that fit.
    pub blocks: u32,
    /// The limit that keeps more from fitting.
    pub limiter: Limiter,
    /// The blocks that each of [`Limiter::ALL`] admits; `None` where the kernel requests nothing of it.
    pub fitting: [Option<u32>; 4],
    /// Warps of a block.
    pub warps_per_block: u32,
    /// Warps that run at once.
    pub warps: u32,
    /// The same as a share of the most warps.
    pub share: f64,
    /// Registers that a block takes, rounded up to allocation units.
    pub registers_per_block: u32,
    /// Bytes of shared memory that a block takes, with the system's part, rounded up to allocation units.
    pub shared_memory_per_block: u32,
}

/// The theoretical occupancy of a launch: active warps / the most warps of a multiprocessor, from the block's size, its
/// registers and shared memory and the device's limits; the limiter is the smallest of the four. `None` where the
/// launch lacks one of them.
///
/// ```
/// use stepscope::analyze::{Limiter, SmLimits, occupancy};
/// use stepscope::trace::{Device, LaunchConfig};
///
/// let a100 = Device { capability: Some((8, 0)), ..Device::default() };
/// let limits = SmLimits::of(&a100).expect("a known capability");
/// let launch = LaunchConfig { grid: [432, 1, 1], block: [256, 1, 1], registers: 40, shared_memory: 0, ..LaunchConfig::default() };
/// // 40 registers × 32 threads = 1280 = 5 units a warp; 16384 / 1280 = 12 warps in each of four partitions; 8 a block.
/// let found = occupancy(&limits, &launch).expect("all is told");
/// assert_eq!((found.blocks, found.limiter, found.share), (6, Limiter::Registers, 0.75));
/// ```
#[must_use]
pub fn occupancy(limits: &SmLimits, launch: &LaunchConfig) -> Option<Occupancy> {
    let threads =
        product(launch.block).and_then(|threads| u32::try_from(threads).ok()).filter(|threads| *threads > 0)?;
    if launch.registers == u32::MAX || launch.shared_memory == u32::MAX {
        return None;
    }
    let warps_per_block = threads.div_ceil(limits.warp_size);
    let by_warps = limits.warps / warps_per_block;
    let per_warp = launch.registers.checked_mul(limits.warp_size)?.checked_next_multiple_of(limits.register_unit)?;
    let by_registers = (limits.registers / limits.partitions)
        .checked_div(per_warp)
        .map(|warps| warps * limits.partitions / warps_per_block);
    let shared =
        launch.shared_memory.checked_add(limits.shared_reserved)?.checked_next_multiple_of(limits.shared_unit)?;
    let by_shared = limits.shared_memory.checked_div(shared);
    let fitting = [Some(by_warps), Some(limits.blocks), by_registers, by_shared];
    let found = Limiter::ALL.into_iter().zip(fitting).filter_map(|(limiter, blocks)| Some((blocks?, limiter)));
    // Among equal ones, the first.
    let (blocks, limiter) = found.min_by_key(|(blocks, _)| *blocks)?;
    let warps = blocks * warps_per_block;
    Some(Occupancy {
        blocks,
        limiter,
        fitting,
        warps_per_block,
        warps,
        share: f64::from(warps) / f64::from(limits.warps),
        registers_per_block: per_warp * warps_per_block,
        shared_memory_per_block: shared,
    })
}

/// The execution of a grid in waves of as many blocks as the device runs at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waves {
    /// Blocks of the grid.
    pub blocks: u64,
    /// Blocks that the device runs at once: multiprocessors × blocks on each.
    pub at_once: u64,
    /// blocks / `at_once`.
    pub waves: f64,
    /// The filled part of the last wave; 1 if the grid fills it.
    pub last: f64,
    /// The tail effect: the part of all waves' capacity that stays empty because the last one is not full, 1 − waves /
    /// ⌈waves⌉.
    pub tail: f64,
}

/// The waves of a launch; `None` if nothing runs at once, or the grid is unknown.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "ratios for display")]
pub fn waves(launch: &LaunchConfig, multiprocessors: u32, blocks_at_once: u32) -> Option<Waves> {
    let blocks = product(launch.grid).filter(|blocks| *blocks > 0)?;
    let at_once = u64::from(multiprocessors) * u64::from(blocks_at_once);
    if at_once == 0 {
        return None;
    }
    let full = blocks.div_ceil(at_once);
    let waves = blocks as f64 / at_once as f64;
    let rest = blocks % at_once;
    let last = if rest == 0 { 1.0 } else { rest as f64 / at_once as f64 };
    Some(Waves { blocks, at_once, waves, last, tail: 1.0 - waves / full as f64 })
}

/// The product of three sizes; `None` if it is absurd.
pub(super) fn product(sizes: [u32; 3]) -> Option<u64> {
    sizes.iter().try_fold(1_u64, |product, size| product.checked_mul(u64::from(*size)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_trace::Device;

    fn limits(capability: (u32, u32)) -> SmLimits {
        SmLimits::of(&Device { capability: Some(capability), ..Device::default() }).expect("a known capability")
    }

    fn launch(block: u32, registers: u32, shared_memory: u32) -> LaunchConfig {
        LaunchConfig { block: [block, 1, 1], registers, shared_memory, ..LaunchConfig::default() }
    }

    /// By hand, after the occupancy calculator's sheet; the first ones are also what `cudaOccupancyMaxActiveBlocks…`
    /// gave where PyTorch's profiler recorded them.
    #[test]
    fn blocks_that_fit() {
        // Capability; block, registers, shared memory; blocks, share and limiter.
        let cases = [
            // 16 warps of 64: four blocks, and nothing else in the way.
            ((8, 0), (512, 16, 0), (4, 1.0, Limiter::Warps)),
            // One warp a block: 32 blocks are the most, half of the warps.
            ((8, 0), (32, 16, 0), (32, 0.5, Limiter::Blocks)),
            // 255 → 8160 → 8192 registers a warp: two warps in each of four partitions.
            ((8, 0), (128, 255, 0), (2, 0.125, Limiter::Registers)),
            // 168 → 5376 registers a warp, 3 in a partition's 16384: 12 warps, one block of 8.
            ((9, 0), (256, 168, 0), (1, 0.125, Limiter::Registers)),
            // 72 → 2304: 7 in each partition, 28 in all, where 65536 / 2304 would be 28.4.
            ((8, 0), (128, 72, 0), (7, 0.4375, Limiter::Registers)),
            // 128 KiB of dynamic shared memory and 1 KiB of the system's: one block on 164 KiB.
            ((8, 0), (256, 128, 131_072), (1, 0.125, Limiter::SharedMemory)),
            // 32 KiB + 1 KiB: 228 / 33 = 6 blocks of 4 warps.
            ((9, 0), (128, 32, 32_768), (6, 0.375, Limiter::SharedMemory)),
            // Volta reserves nothing: 96 / 32 = 3.
            ((7, 0), (128, 32, 32_768), (3, 0.1875, Limiter::SharedMemory)),
            // Turing runs 1024 threads: 4 blocks of 256.
            ((7, 5), (256, 32, 0), (4, 1.0, Limiter::Warps)),
            // 1536 threads on capability 8.6: one block of 1024 leaves a third unused.
            ((8, 6), (1024, 32, 0), (1, 2.0 / 3.0, Limiter::Warps)),
            // A block takes whole warps: 33 threads are 2 warps.
            ((8, 9), (33, 32, 0), (24, 1.0, Limiter::Warps)),
            // More than a multiprocessor has: it cannot have run there.
            ((8, 0), (256, 32, 200_000), (0, 0.0, Limiter::SharedMemory)),
        ];
        for (capability, (block, registers, shared), (blocks, share, limiter)) in cases {
            let found = occupancy(&limits(capability), &launch(block, registers, shared)).expect("all is told");
            assert_eq!((found.blocks, found.limiter), (blocks, limiter), "{block} {registers} {shared}: {found:?}");
            assert!((found.share - share).abs() < 1e-12, "{block} {registers} {shared}: {found:?}");
        }
    }

    #[test]
    fn what_is_not_told_is_not_guessed() {
        let limits = limits((8, 0));
        assert_eq!(occupancy(&limits, &launch(256, u32::MAX, 0)), None);
        assert_eq!(occupancy(&limits, &launch(256, 32, u32::MAX)), None);
        assert_eq!(occupancy(&limits, &launch(0, 32, 0)), None);
        assert_eq!(occupancy(&limits, &launch(u32::MAX, u32::MAX - 1, 0)), None);
    }

    #[test]
    fn the_last_wave_is_rarely_full() {
        let of = |blocks| waves(&LaunchConfig { grid: [blocks, 1, 1], ..LaunchConfig::default() }, 100, 2);
        let found = of(500).expect("a grid");
        assert_eq!((found.blocks, found.at_once), (500, 200));
        assert!((found.waves - 2.5).abs() < 1e-12 && (found.last - 0.5).abs() < 1e-12);
        assert!((found.tail - 1.0 / 6.0).abs() < 1e-12, "2.5 of 3 waves are used: {found:?}");
        let full = of(400).expect("a grid");
        assert!((full.last - 1.0).abs() < 1e-12 && full.tail.abs() < 1e-12);
        let small = of(20).expect("a grid");
        assert!((small.waves - 0.1).abs() < 1e-12 && (small.tail - 0.9).abs() < 1e-12);
        assert_eq!((of(0), waves(&LaunchConfig { grid: [1; 3], ..LaunchConfig::default() }, 0, 2)), (None, None));
    }
}
