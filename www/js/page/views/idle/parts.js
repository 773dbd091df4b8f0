// The parts of the charts of idle time. A chart knows a part by its color: two of one chart never have the same, and a class's color means that class.

/** @typedef {'busy_ns' | 'host_wait_until_launch_ns' | 'start_late_ns' | 'kernel_wait_ns' | 'other_ns' | 'unknown_ns' | 'uncovered_ns'} PartKey */

/** The parts of a device's time, each with the token of its color. @type {[PartKey, string][]} */
export const CLASSES = [
  ['busy_ns', '--class-kernel'],
  ['host_wait_until_launch_ns', '--idle-host-wait'],
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

/** The leaves of idle time by their names in the reports, each with the token of its hue. Similar leaves share a hue. @type {Record<string, string>} */
export const LEAVES = {
  data_wait: '--class-dataloader',
  compile: '--class-python',
  module_load: '--class-python',
  garbage_collection: '--class-python',
  host_collective: '--class-communication',
  synchronization: '--idle-synchronization',
  allocation: '--idle-allocation',
  runtime_call: '--class-runtime',
  operator: '--class-cpu',
  python: '--class-python',
  range: '--class-annotation',
  unrecorded: '--class-other',
  blocking_copy: '--class-memcpy',
  launching_call: '--class-runtime',
  graph_launch: '--class-runtime',
  launch_latency: '--class-overlap',
  start_late_unexplained: '--class-other',
  between_queued: '--class-overlap',
  queued_waiting: '--class-overlap',
  no_host_record: '--class-other',
  before_first_activity: '--class-idle',
  after_last_activity: '--class-idle',
  uncovered: '--class-idle',
};

/** Leaves of the step budget that have another name among idle times. @type {Record<string, string>} */
const IDLE_LEAVES = {data: 'data_wait', slow_call: 'runtime_call'};

/** The hue of a leaf of the step budget's idle time; a leaf of the lost lead has that of its cause. @param {string} leaf */
export function leafToken(leaf) {
  const cause = leaf.replace(/^lead_lost_/, '');
  return LEAVES[IDLE_LEAVES[cause] ?? cause] ?? '--class-idle';
}

/** The token of each leaf of a branch, and the number of leaves with the same before it: these differ in shade. @param {string} part the branch's class @param {readonly {leaf: string}[]} leaves @returns {{token: string, shade: number}[]} */
export function leafColors(part, leaves) {
  const tokens = leaves.map(({leaf}) => (part === 'idle' ? leafToken(leaf) : `--class-${part}`));
  return tokens.map((token, place) => ({token, shade: tokens.slice(0, place).filter((one) => one === token).length}));
}
