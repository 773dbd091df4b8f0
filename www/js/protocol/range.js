// What the page is told of a range of time: the report's shape is made in crate/export/src/report_json/range.rs.

/** @typedef {import('./protocol.js').DeviceTime} DeviceTime */
/** @typedef {import('./protocol.js').OverlapBar} OverlapBar */
/** @typedef {import('./protocol.js').Roles} Roles */
/** @typedef {import('./protocol.js').HostActivity} HostActivity */
/** @typedef {import('./protocol.js').Slice} Slice */
/** @typedef {import('./protocol.js').MemoryLevel} MemoryLevel */

/** @typedef {{count: number, begun: number, sum_ns: number, union_ns: number, self_ns: number, mean_ns: number, min_ns: number, max_ns: number, longest: number | null}} RangeSums what slices come to in a range; `longest` is one of them */
/** @typedef {RangeSums & {name: string, class: string, share: number | null}} RangeName */
/** @typedef {{track: number, layer: string, thread: string, device?: number, stream?: number}} TrackPlace */
/** @typedef {{other: number, this: number, change: number}} RangeBoth */
/** @typedef {{name: string, class: string, count: RangeBoth, sum_ns: RangeBoth, union_ns: RangeBoth}} RangeChange */
/**
 * @typedef {object} OneRange what a range of time holds
 * @property {number} start_ns
 * @property {number} end_ns
 * @property {number} length_ns
 * @property {RangeSums} slices
 * @property {RangeName[]} names
 * @property {(RangeSums & {class: string, share: number | null})[]} classes
 * @property {(RangeSums & TrackPlace & {busy_share: number | null})[]} tracks
 * @property {DeviceTime[]} device_time
 * @property {OverlapBar[]} overlap
 * @property {Roles} roles
 * @property {import('./protocol.js').EarlyRoles} [roles_before_first_activity] the part of the host's own roles
 * @property {Record<string, {calls: number, host_ns: number, device_ns: number}>} phases
 * @property {(TrackPlace & {activity: HostActivity, shown_by: Slice | null} & Record<`${HostActivity}_ns`, number>)[]} hosts
 * @property {{device: number | null, allocations: number, releases: number, allocated_bytes: number, released_bytes: number, change_bytes: number, allocated: MemoryLevel, reserved: MemoryLevel | null}[]} [memory]
 * @property {{owner: string, name: string, samples: number, mean: number, min: number, max: number, last: number}[]} [counters]
 */
/** @typedef {OneRange & {other?: OneRange, changes?: RangeChange[]}} RangeReport beside another one of the same rank */

export {};
