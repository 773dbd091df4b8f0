// The walk of MindInsight's tuning guide from a long iteration interval to its cause.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {dataWalk} from '../../../www/js/page/views/data/data-walk.js';

/** @param {boolean} device @param {number} empty @param {number} [steps] */
const queue = (device, empty, steps = 10) => ({
  device,
  steps,
  times_empty: empty,
  counted_steps: steps - 1,
  counted_empty: Math.max(0, empty - 1),
  times_full: 0,
  mean_usage: null,
  mean_get_ns: 0,
  mean_push_ns: 0,
  mean_total_ns: 0,
});
/** @param {number} empty @param {number} [steps] */
const next = (empty, steps = 10) => ({steps, times_empty: empty, mean_ns: 0});
const LIMIT = 1_000_000;
const LONG = LIMIT + 1;

/** @param {number | null} interval @param {Partial<Parameters<typeof dataWalk>[0]>} of */
function walked(interval, of) {
  const known = {interval_ns: interval, interval_limit_ns: interval === null ? null : LIMIT};
  const {steps, cause} = dataWalk({...known, queue: null, get_next: null, verdict: null, bottlenecks: [], keeps_up: false, ...of});
  return [...steps.map(({question, answer}) => `${question} ${answer}`), cause];
}

test('a short interval ends the walk unless it is much of the step; its limit is that of the report, and not long', () => {
  assert.deepEqual(walked(LIMIT, {queue: queue(true, 0), get_next: next(10), verdict: 'not_data'}), ['interval no', 'not_data']);
  assert.deepEqual(walked(1000, {queue: queue(true, 9), get_next: next(9), verdict: 'processing', bottlenecks: [1]}), [
    'interval no',
    'device_queue yes',
    'host_queue yes',
    'operators yes',
    'operators',
  ]);
  assert.deepEqual(walked(LIMIT, {interval_limit_ns: 500_000, get_next: next(0)}), ['interval yes', 'device_queue no', 'get_next']);
});

test('with data sinking the device is asked first, then the host, then the operators', () => {
  assert.deepEqual(walked(LONG, {queue: queue(true, 9), get_next: next(0), verdict: 'not_data'}), ['interval yes', 'device_queue no', 'get_next']);
  assert.deepEqual(walked(LONG, {queue: queue(true, 0), get_next: next(4), verdict: 'transmission'}), [
    'interval yes',
    'device_queue yes',
    'host_queue no',
    'transfer',
  ]);
  assert.deepEqual(walked(LONG, {queue: queue(true, 9), get_next: next(4), verdict: 'processing', bottlenecks: [2]}), [
    'interval yes',
    'device_queue yes',
    'host_queue yes',
    'operators yes',
    'operators',
  ]);
});

test('without data sinking the host is asked alone', () => {
  assert.deepEqual(walked(LONG, {queue: queue(false, 1), verdict: 'not_data'}), ['interval yes', 'host_queue no', 'after_iterator']);
  assert.deepEqual(walked(LONG, {queue: queue(false, 9), verdict: 'processing', bottlenecks: [1], keeps_up: true}), [
    'interval yes',
    'host_queue yes',
    'operators unknown',
    'operators',
  ]);
});

test('what was not recorded is said, and nothing is claimed of it', () => {
  assert.deepEqual(walked(LONG, {queue: queue(false, 1, 1)}), ['interval yes', 'host_queue first', 'unknown']);
  assert.deepEqual(walked(null, {}), ['interval unknown', 'host_queue unknown', 'unknown']);
  assert.deepEqual(walked(null, {get_next: next(0), queue: queue(true, 9), verdict: 'not_data'}), ['interval unknown', 'device_queue no', 'not_data']);
  assert.deepEqual(walked(LONG, {queue: queue(true, 0), verdict: 'not_data'}), ['interval yes', 'device_queue unknown', 'host_queue no', 'unknown']);
  assert.deepEqual(walked(LONG, {queue: queue(true, 9), get_next: next(0, 0), verdict: 'processing'}), [
    'interval yes',
    'device_queue unknown',
    'host_queue yes',
    'operators unknown',
    'operators',
  ]);
  assert.deepEqual(walked(null, {queue: queue(false, 1), verdict: 'not_data'}), ['interval unknown', 'host_queue no', 'unknown']);
});

test('GetNext that runs by itself is a cause where data are there, and one of two where no queue is recorded', () => {
  const ahead = (/** @type {boolean} */ isLate) => ({get_next_ahead: {steps: 8, steps_late: isLate ? 8 : 1, alone_ns: 900, step_ns: 9000, is_late: isLate}});
  assert.deepEqual(walked(LONG, {queue: queue(true, 9), get_next: next(0), verdict: 'not_data', ...ahead(true)}), [
    'interval yes',
    'device_queue no',
    'get_next_ahead yes',
    'get_next_late',
  ]);
  assert.deepEqual(walked(LONG, {queue: queue(true, 9), get_next: next(0), verdict: 'not_data', ...ahead(false)}), [
    'interval yes',
    'device_queue no',
    'get_next_ahead no',
    'get_next',
  ]);
  // With late data, the cause is the transfer.
  assert.equal(walked(LONG, {queue: queue(true, 0), get_next: next(4), verdict: 'transmission', ...ahead(true)}).at(-1), 'transfer');
  assert.deepEqual(walked(null, ahead(true)), ['interval unknown', 'host_queue unknown', 'get_next_ahead yes', 'get_next_alone']);
  assert.equal(walked(1000, {verdict: 'not_data', ...ahead(true)}).at(-1), 'not_data');
});
