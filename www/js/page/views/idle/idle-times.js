// The parts of idle time that a trace shows. Nothing here touches the page.

/** @typedef {import('../../../protocol/answers.js').WhyIdle} WhyIdle */
/** @typedef {WhyIdle['idle'][number]} IdleDevice */
/** @typedef {import('../../../protocol/answers.js').IdleTimes | import('../../../../types/reports.js').InStepsReport} Times of a device, of one of its streams, or of steps */

/** The rows of a device in the table: of its steps, or of its window and those of its streams. @param {IdleDevice} device @returns {Times[]} */
export const timesOf = (device) => (device.in_steps ? [device.in_steps] : [device, ...(device.streams.length > 1 ? device.streams : [])]);

/** Whether the causes of idle time are divided further. @param {WhyIdle} report */
export const hasLeaves = ({idle}) => idle.some((device) => Object.keys((device.in_steps ?? device).leaves_ns).length > 0);

/** Whether any of them waits for the host. @param {WhyIdle} report */
export const waitsForHost = ({idle}) => idle.some((device) => timesOf(device).some((times) => times.host_wait_until_launch_ns > 0));
