//! Limits of a multiprocessor.

use stepscope_trace::Device;

/// The limits of one multiprocessor, and the units in which it allocates its resources.
///
/// NVIDIA's follow the CUDA C++ Programming Guide ("Technical Specifications per Compute Capability") and the occupancy
/// calculator. Registers are allocated to warps in units of 256 from one of four partitions. Shared memory is allocated
/// to blocks in units of 128 bytes (256 before compute capability 8); from 8 on, 1 KiB more than requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmLimits {
    /// Threads that run in lockstep.
    pub warp_size: u32,
    /// Most warps.
    pub warps: u32,
    /// Most blocks.
    pub blocks: u32,
    /// Registers of 32 bits.
    pub registers: u32,
    /// Unit in which registers are allocated to a warp.
    pub register_unit: u32,
    /// Number of equal partitions of the registers: those of a warp are all in one.
    pub partitions: u32,
    /// Bytes of shared memory.
    pub shared_memory: u32,
    /// Unit in bytes in which shared memory is allocated to a block.
    pub shared_unit: u32,
    /// Bytes of each block's shared memory that the system reserves.
    pub shared_reserved: u32,
}

/// Compute capability; most threads and blocks, and KiB of shared memory of one multiprocessor.
const NVIDIA: [((u32, u32), u32, u32, u32); 16] = [
    ((5, 0), 2048, 32, 64),
    ((5, 2), 2048, 32, 96),
    ((6, 0), 2048, 32, 64),
    ((6, 1), 2048, 32, 96),
    ((7, 0), 2048, 32, 96),
    ((7, 2), 2048, 32, 96),
    ((7, 5), 1024, 16, 64),
    ((8, 0), 2048, 32, 164),
    ((8, 6), 1536, 16, 100),
    ((8, 7), 1536, 16, 164),
    ((8, 9), 1536, 24, 100),
    ((9, 0), 2048, 32, 228),
    ((10, 0), 2048, 32, 228),
    ((10, 3), 2048, 32, 228),
    ((12, 0), 1536, 24, 100),
    ((12, 1), 1536, 24, 100),
];

impl SmLimits {
    /// The limits of a device, by its compute capability and properties in the trace. `None` if the device is not
    /// NVIDIA's or not known: traces of AMD do not contain the registers.
    ///
    /// ```
    /// use stepscope::analyze::SmLimits;
    /// use stepscope::trace::Device;
    ///
    /// let ada = Device { capability: Some((8, 9)), warp_size: Some(32), ..Device::default() };
    /// let limits = SmLimits::of(&ada).expect("a known capability");
    /// assert_eq!((limits.warps, limits.blocks, limits.shared_memory), (48, 24, 102_400));
    /// let mi300 = Device { capability: Some((9, 4)), warp_size: Some(64), ..Device::default() };
    /// assert_eq!(SmLimits::of(&mi300), None);
    /// ```
    #[must_use]
    pub fn of(device: &Device) -> Option<Self> {
        const WARP: u32 = 32;
        if device.warp_size.is_some_and(|size| size != WARP) || device.name.contains("AMD") {
            return None;
        }
        let capability = device.capability?;
        let (_, threads, blocks, shared) = NVIDIA.iter().find(|(known, ..)| *known == capability)?;
        let told = device.shared_memory_per_multiprocessor.and_then(|bytes| u32::try_from(bytes).ok());
        let modern = capability.0 >= 8;
        Some(Self {
            warp_size: WARP,
            warps: device.max_threads_per_multiprocessor.unwrap_or(*threads) / WARP,
            blocks: *blocks,
            registers: device.registers_per_multiprocessor.unwrap_or(65_536),
            register_unit: 256,
            partitions: if capability == (6, 0) { 2 } else { 4 },
            shared_memory: told.unwrap_or(shared * 1024),
            shared_unit: if modern { 128 } else { 256 },
            shared_reserved: if modern { 1024 } else { 0 },
        })
    }
}
