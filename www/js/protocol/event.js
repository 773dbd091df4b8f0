// What is said of one event: the shapes of its reports, made in crate/export/src/report_json/event.rs and crate/src/web.

/** @typedef {import('./protocol.js').Occupancy} Occupancy */
/** @typedef {import('./protocol.js').Waves} Waves */

/** @typedef {{slice: number, name: string, class: string, start_ns: number, length_ns: number}} EventRef */
/** @typedef {'call' | 'operator' | 'launched' | 'device_range' | 'host_range' | 'forward' | 'backward' | 'arrow_in' | 'arrow_out' | 'synchronization' | 'awaited' | 'awaited_by'} EventLinkKind */
/** @typedef {{kind: EventLinkKind, arrow?: string, count: number, first: EventRef[]}} EventLink */
/**
 * @typedef {object} EventCollective
 * @property {string} [name]
 * @property {string} [group]
 * @property {string} [group_description]
 * @property {string} [ranks]
 * @property {number} [group_size]
 * @property {string} [dtype]
 * @property {number} [input_elements]
 * @property {number} [output_elements]
 * @property {number} [bytes]
 * @property {number} [sequence]
 * @property {number} [source]
 * @property {number} [destination]
 */
/**
 * @typedef {object} EventFacts what its tables say, as far as they do
 * @property {number} [correlation]
 * @property {number} [external]
 * @property {number} [sequence]
 * @property {number} [forward_thread]
 * @property {string} [shapes]
 * @property {string} [types]
 * @property {string} [concrete_inputs]
 * @property {number} [bytes]
 * @property {number} [gigabytes_per_second]
 * @property {number} [graph]
 * @property {number[]} [grid]
 * @property {number[]} [block]
 * @property {number} [registers]
 * @property {number} [shared_memory]
 * @property {number} [blocks_per_sm]
 * @property {number} [warps_per_sm]
 * @property {number} [occupancy_percent]
 * @property {Occupancy} [occupancy]
 * @property {Waves} [waves]
 * @property {number} [stream_argument]
 * @property {number} [awaited_stream]
 * @property {EventCollective} [collective]
 * @property {EventMember[]} [arguments] what the program itself said of it, where its file is no text
 */
/**
 * @typedef {object} EventSame the slices of its name
 * @property {number} calls
 * @property {number} total_ns
 * @property {number} mean_ns
 * @property {number} median_ns
 * @property {number} min_ns
 * @property {number} max_ns
 * @property {number} std_ns
 * @property {number} place the first is the slowest
 * @property {number | null} previous
 * @property {number | null} next
 * @property {'operators' | 'kernels' | 'copies'} [table]
 * @property {number} [host_self_ns]
 * @property {number} [device_total_ns]
 * @property {number} [device_self_ns]
 * @property {number} [share_of_kernel_time]
 */
/**
 * @typedef {EventRef & {category: string, process: string, thread: string, layer: string, device?: number, stream?: number, self_ns: number, step: string | null,
 *   depth: number, parent: EventRef | null, children: number, first_children: EventRef[], facts: EventFacts, delay_ns?: number, ahead?: number,
 *   stack: {of: EventRef | null, text: string, frames: EventRef[]}, links: EventLink[], arrows: {kind: EventLinkKind, from: number, to: number}[],
 *   arrow_count: number, same: EventSame, is_collective: boolean}} EventReport
 */
/** @typedef {{rank: string, file: string, format: string, at: number, is_json: boolean}} EventPlace */
/** @typedef {[key: string, value: string, isText: boolean]} EventMember a text without quotes and escapes, anything else as it stands in the file */
/** @typedef {{file: string, format: string, at: number, is_json: boolean, object: {text: string, is_repaired: boolean, members: EventMember[], args: EventMember[]} | null}} EventText */
/**
 * @typedef {object} EventPeers a collective on all ranks that have a share in it
 * @property {'sequence' | 'order' | 'moment' | null} matched_by
 * @property {{index: number, rank: number | null, input: string, slice: number | null, start_ns: number | null, length_ns: number | null, offset_ns: number | null, wait_ns: number | null}[]} peers
 */

export {};

/** @typedef {{steps: number, operator_calls: number, host_self_ns: number, device_self_ns: number, kernels: number, kernel_ns: number, copies: number, copy_ns: number, copy_bytes: number}} LeftOut sums of what averages over steps leave out: of so many steps, or of what lies in none */
