// From a long iteration interval to its cause, in the steps of MindInsight's tuning guide. Nothing here touches the page.

/** @typedef {import('../../../../types/reports.js').PipelineReport} Pipeline */
/** @typedef {'interval' | 'device_queue' | 'host_queue' | 'operators' | 'get_next_ahead'} Question */
/** @typedef {'yes' | 'no' | 'unknown' | 'first'} Answer whether data are late there; `first` where only the first step is recorded */
/** @typedef {'not_data' | 'get_next' | 'get_next_late' | 'get_next_alone' | 'transfer' | 'after_iterator' | 'operators' | 'unknown'} Cause */
/** @typedef {{question: Question, answer: Answer, empty?: number, steps?: number}} WalkStep */
/** @typedef {{steps: WalkStep[], cause: Cause}} Walk */

/**
 * The walk. With data sinking the queue on the device comes first; without it there is none. The host's queue counts as empty where the
 * verdict on the pipeline, which stands beside the walk, says so.
 * @param {Pick<Pipeline, 'interval_ns' | 'interval_limit_ns' | 'queue' | 'get_next' | 'verdict' | 'bottlenecks' | 'keeps_up' | 'get_next_ahead'>} pipeline
 * @returns {Walk}
 */
export function dataWalk(pipeline) {
  const walk = queueWalk(pipeline);
  const {get_next_ahead: ahead} = pipeline;
  if (!ahead) return walk;
  walk.steps.push({question: 'get_next_ahead', answer: ahead.is_late ? 'yes' : 'no', empty: ahead.steps_late, steps: ahead.steps});
  if (!ahead.is_late) return walk;
  // Where data come late, GetNext waits for these, whenever it is started.
  const causes = /** @type {Partial<Record<Cause, Cause>>} */ ({get_next: 'get_next_late', unknown: 'get_next_alone'});
  return {steps: walk.steps, cause: causes[walk.cause] ?? walk.cause};
}

/** The walk by the queues. @param {Pick<Pipeline, 'interval_ns' | 'interval_limit_ns' | 'queue' | 'get_next' | 'verdict' | 'bottlenecks' | 'keeps_up'>} pipeline @returns {Walk} */
function queueWalk({interval_ns: interval, interval_limit_ns: limit, queue, get_next: next, verdict, bottlenecks, keeps_up: keepsUp}) {
  const isLong = interval === null || limit === null ? null : interval > limit;
  /** @type {WalkStep[]} */
  const steps = [{question: 'interval', answer: isLong === null ? 'unknown' : isLong ? 'yes' : 'no'}];
  // A short interval may be a large part of a short step: the verdict, which stands beside the walk, knows.
  if (isLong === false && (verdict === null || verdict === 'not_data')) return {steps, cause: 'not_data'};
  const sinks = next !== null || queue?.device === true;
  if (sinks) {
    const isKnown = next !== null && next.steps > 0;
    const isEmpty = isKnown && next.times_empty > 0;
    steps.push(
      isKnown
        ? {question: 'device_queue', answer: isEmpty ? 'yes' : 'no', empty: next.times_empty, steps: next.steps}
        : {question: 'device_queue', answer: 'unknown'},
    );
    if (isKnown && !isEmpty) return {steps, cause: isLong ? 'get_next' : 'not_data'};
  }
  const {host, cause} = hostWalk({queue, verdict, bottlenecks, keeps_up: keepsUp});
  steps.push(...host);
  if (cause !== null) return {steps, cause};
  // The host has data: the cause lies after its queue, or is unknown.
  if (sinks) return {steps, cause: next?.steps ? 'transfer' : 'unknown'};
  return {steps, cause: isLong ? 'after_iterator' : 'unknown'};
}

/** The walk on the host: its queue, then the operators. No cause where the queue has data. @param {Pick<Pipeline, 'queue' | 'verdict' | 'bottlenecks' | 'keeps_up'>} pipeline @returns {{host: WalkStep[], cause: Cause | null}} */
function hostWalk({queue, verdict, bottlenecks, keeps_up: keepsUp}) {
  if (!queue?.steps) return {host: [{question: 'host_queue', answer: 'unknown'}], cause: 'unknown'};
  if (!queue.counted_steps) return {host: [{question: 'host_queue', answer: 'first'}], cause: 'unknown'};
  const isEmpty = verdict === 'processing';
  /** @type {WalkStep} */
  const first = {question: 'host_queue', answer: isEmpty ? 'yes' : 'no', empty: queue.counted_empty, steps: queue.counted_steps};
  if (!isEmpty) return {host: [first], cause: null};
  return {host: [first, {question: 'operators', answer: bottlenecks.length > 0 && !keepsUp ? 'yes' : 'unknown'}], cause: 'operators'};
}
