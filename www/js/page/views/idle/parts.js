// The parts of the charts of idle time. A chart knows a part by its colour: two of one chart never have the same.

/** @typedef {'busy_ns' | 'host_wait_ns' | 'start_late_ns' | 'kernel_wait_ns' | 'other_ns' | 'unknown_ns' | 'uncovered_ns'} PartKey */

/** The parts of a device's time, each with the class whose colour it has. @type {[PartKey, string][]} */
export const CLASSES = [
  ['busy_ns', 'kernel'],
  ['host_wait_ns', 'dataloader'],
  ['start_late_ns', 'runtime'],
  ['kernel_wait_ns', 'idle'],
  ['other_ns', 'overlap'],
  ['unknown_ns', 'other'],
  ['uncovered_ns', 'annotation'],
];

/** The parts of steps outside of the device's window. @type {['before_first_activity_ns' | 'lead_in_ns' | 'lead_out_ns', string][]} */
export const EDGES = [
  ['before_first_activity_ns', 'delay'],
  ['lead_in_ns', 'memcpy'],
  ['lead_out_ns', 'memset'],
];

/** The activities of the host, each with the class whose colour it has. @type {[Exclude<import('../../../protocol/answers.js').HostActivity, 'start_late_unexplained'>, string][]} */
export const HOST = [
  ['data_loading', 'dataloader'],
  ['synchronization', 'overlap'],
  ['allocation', 'memset'],
  ['launching', 'runtime'],
  ['operator', 'cpu'],
  ['python', 'delay'],
  ['range', 'annotation'],
  ['unrecorded', 'other'],
];
