// The parts of the charts of idle time. A chart knows a part by its color: two of one chart never have the same, and a class's color means that class.

/** @typedef {'busy_ns' | 'host_wait_ns' | 'start_late_ns' | 'kernel_wait_ns' | 'other_ns' | 'unknown_ns' | 'uncovered_ns'} PartKey */

/** The parts of a device's time, each with the token of its color. @type {[PartKey, string][]} */
export const CLASSES = [
  ['busy_ns', '--class-kernel'],
  ['host_wait_ns', '--idle-host-wait'],
  ['start_late_ns', '--idle-start-late'],
  ['kernel_wait_ns', '--idle-kernel-wait'],
  ['other_ns', '--idle-other'],
  ['unknown_ns', '--class-other'],
  ['uncovered_ns', '--class-annotation'],
];

/** The parts of steps outside of the device's window. @type {['before_first_activity_ns' | 'lead_in_ns' | 'lead_out_ns', string][]} */
export const EDGES = [
  ['before_first_activity_ns', '--class-delay'],
  ['lead_in_ns', '--idle-lead-in'],
  ['lead_out_ns', '--idle-lead-out'],
];

/** The activities of the host, each with the token of its color. @type {[Exclude<import('../../../protocol/answers.js').HostActivity, 'start_late_unexplained'>, string][]} */
export const HOST = [
  ['data_loading', '--class-dataloader'],
  ['synchronization', '--idle-synchronization'],
  ['allocation', '--idle-allocation'],
  ['launching', '--class-runtime'],
  ['operator', '--class-cpu'],
  ['python', '--class-python'],
  ['range', '--class-annotation'],
  ['unrecorded', '--class-other'],
];
