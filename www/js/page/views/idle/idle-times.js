// The parts of idle time that a trace shows. Nothing here touches the page.

/** @typedef {import('../../../protocol/answers.js').WhyIdle} WhyIdle */
/** @typedef {WhyIdle['idle'][number]} IdleDevice */
/** @typedef {import('../../../protocol/answers.js').IdleTimes | import('../../../../types/reports.js').InStepsReport} Times of a device, of one of its streams, or of steps */

/** Times in which late starts are a part of their own: the host is late only until it has launched. @template {Times} T @param {T} times @returns {T & {start_late_ns: number}} */
export function classTimes(times) {
  const late = times.host_wait_by_activity.start_late_unexplained_ns ?? 0;
  return /** @type {any} */ ({...times, host_wait_ns: times.host_wait_ns - late, start_late_ns: late});
}

/** The streams of a device that are shown beside it: they have windows of their own. @param {IdleDevice} device */
export const streamsOf = ({in_steps: inSteps, streams}) => (inSteps || streams.length < 2 ? [] : streams);

/** Whether the causes of idle time are divided further. @param {WhyIdle} report */
export const hasLeaves = ({idle}) => idle.some((device) => Object.keys((device.in_steps ?? device).leaves_ns).length > 0);

/** Whether any of them waits for the host. @param {WhyIdle} report */
export const waitsForHost = ({idle}) =>
  idle.some((device) => [device.in_steps ?? device, ...streamsOf(device)].some((times) => classTimes(times).host_wait_ns > 0));
