// What kernels make of the device, as the session's worker reports it.

/** @typedef {import('./protocol.js').Rank} Rank */

/** @typedef {Record<'warps' | 'blocks' | 'registers' | 'shared_memory', number | null>} Fitting the blocks that each limit lets in */
/** @typedef {{share: number, limiter: keyof Fitting, blocks: number, fitting: Fitting, warps_per_block: number, warps: number, registers_per_block: number, shared_memory_per_block: number}} Occupancy */
/** @typedef {{blocks: number, at_once: number, waves: number, last: number, tail: number}} Waves */
/** @typedef {{computed_flops: number | null, flops_per_second: number | null, flops_per_second_coverage: number | null, share_of_peak: number | null, share_of_peak_coverage: number | null}} Computed FLOPs, from the shapes of operators' inputs */
/**
 * @typedef {object} KernelLaunch the launch of a row that takes the longest
 * @property {number} device
 * @property {number} calls
 * @property {number} total_ns
 * @property {number[]} grid
 * @property {number[]} block
 * @property {number | null} registers
 * @property {number | null} shared_memory
 * @property {Occupancy} [occupancy]
 * @property {Waves} [waves]
 */
/** @typedef {Computed & {launches: number, launch?: KernelLaunch}} KernelUseRow what the details of a row say in sentences */
/**
 * @typedef {Computed & {device: number, model: string | null, vendor: Rank['vendor'], span_ns: number, sm_efficiency: number | null, sm_efficiency_coverage: number | null,
 *   theoretical_occupancy: number | null, theoretical_occupancy_coverage: number | null, achieved_occupancy: number | null, achieved_occupancy_coverage: number | null,
 *   tensor_cores: number | null, tensor_cores_coverage: number | null, flops_per_second_of_span: number | null, peak_share_of_span: number | null, peak_share_of_span_coverage: number | null,
 *   peaks?: {memory_gigabytes_per_second: number | null, link_gigabytes_per_second: number | null, teraflops_per_second: Record<string, number | null>, source: string, given?: string[]}}} DeviceUse
 */
/**
 * @typedef {object} KernelUse what kernels make of the device
 * @property {Record<'kernel_use.kernels', import('./table.js').TableValues>} tables
 * @property {DeviceUse[]} devices
 * @property {{name: string, calls: number, computed_flops: number, device_total_ns: number, flops_per_second: number | null}[]} [operators]
 */

export {};
