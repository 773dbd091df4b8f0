// The lanes of a step of the step trace: from the profiler's table, from events, and their mean.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {averageText, countOf, lanesOfMean, lanesOfStep, lanesOfTable, meanLanes, spanOf} from '../../../www/js/page/views/steps/step-lanes.js';

/** @param {string[]} names @param {(string | number | null)[][]} values */
const table = (names, values) => ({columns: names.map((name) => ({name})), values});
/** @param {import('../../../www/js/page/views/steps/step-lanes.js').StreamLane[] | undefined} lanes */
const short = (lanes) => lanes?.map(({stream, pieces}) => [stream, ...pieces.map(({name, start_ns: start, length_ns: length}) => [name, start, length])]);

const step = (/** @type {object[]} */ ...collectives) =>
  /** @type {any} */ ({name: '1', start_ns: 0, total_ns: 100, iteration_interval_ns: 0, forward_and_backward_ns: 90, tail_ns: 10, collectives});

test('columns of collectives are read as MindSpore 1.x and 2.x name them', () => {
  const head = ['step_num', 'start_point', 'end_point', 'total'];
  const old = ['stream_12_parallel_0_start_point', 'stream_12_parallel_0_end_point', 'stream_12_parallel_0'];
  const second = ['stream_12_parallel_1_start_point', 'stream_12_parallel_1_end_point', 'stream_12_parallel_1'];
  const named = ['stream_9_0_AllReduce-op1', 'stream_9_0_AllReduce-op1_start_point', 'stream_9_0_AllReduce-op1_end_point'];
  const lanes = lanesOfTable(
    table(
      [...head, ...old, ...second, ...named],
      [
        ['1', 1000, 1100, 100, 1060, 1070, 10, 1020, 1040, 20, 5, 1090, 1095],
        ['-', 1000, 1100, 100, 1050, 1070, 20, 0, 0, 0, 5, null, 1095],
      ],
    ),
  );
  assert.deepEqual(short(lanes?.get('1')), [
    ['9', ['AllReduce-op1', 90, 5]],
    ['12', [null, 20, 20], [null, 60, 10]],
  ]);
  assert.deepEqual(
    lanes?.get('1')?.[1].pieces.map(({number}) => number),
    [1, 2],
    'in the order of time',
  );
  assert.deepEqual(short(lanes?.get('')), [['12', [null, 50, 20]]], 'the mean, without what it has no times of');
  assert.equal(lanes?.has('-'), false);
});

test('a step 0 that is not the last row is a step; a table without collectives has no lanes', () => {
  const head = ['step_num', 'start_point', 'stream_1_0_a_start_point', 'stream_1_0_a_end_point'];
  const rows = table(head, [
    ['0', 0, 1, 2],
    ['1', 0, 3, 4],
  ]);
  assert.deepEqual([...(lanesOfTable(rows)?.keys() ?? [])], ['0', '1']);
  assert.equal(lanesOfTable(table(['step_num', 'start_point', 'total'], [['1', 0, 3]])), undefined);
});

test('collectives that were recorded as events are by stream', () => {
  const lanes = lanesOfStep(
    step(
      {name: 'b', stream: 7, start_ns: 50, length_ns: 5},
      {name: 'a', stream: 7, start_ns: -10, length_ns: 5},
      {name: 'c', stream: null, start_ns: 95, length_ns: 20},
    ),
  );
  assert.deepEqual(short(lanes), [
    ['7', ['a', -10, 5], ['b', 50, 5]],
    [null, ['c', 95, 20]],
  ]);
  assert.equal(countOf(lanes), 3);
  assert.equal(lanes[0].total_ns, 10);
  assert.deepEqual(spanOf(100, lanes), [-10, 115], 'a collective may begin before its step');
  assert.deepEqual(spanOf(100, []), [0, 100]);
  assert.deepEqual(lanesOfStep(step()), []);
});

test('steps of one shape have a mean, others none', () => {
  const one = lanesOfStep(step({name: 'a', stream: 7, start_ns: 10, length_ns: 4}, {name: 'b', stream: 7, start_ns: 20, length_ns: 4}));
  const two = lanesOfStep(step({name: 'a', stream: 7, start_ns: 20, length_ns: 8}, {name: 'x', stream: 7, start_ns: 40, length_ns: 6}));
  assert.deepEqual(short(meanLanes([one, two])), [['7', ['a', 15, 6], [null, 30, 5]]]);
  assert.equal(meanLanes([one, two])?.[0].total_ns, 11);
  assert.equal(meanLanes([one, lanesOfStep(step({name: 'a', stream: 7, start_ns: 20, length_ns: 8}))]), undefined);
  assert.equal(
    meanLanes([one, lanesOfStep(step({name: 'a', stream: 7, start_ns: 2, length_ns: 8}, {name: 'a', stream: 8, start_ns: 2, length_ns: 8}))]),
    undefined,
  );
  assert.deepEqual(meanLanes([[], []]), []);
});

test('the average is said to be of the steps whose lanes it has', () => {
  const lane = (/** @type {number} */ length) => step({stream: 9, name: 'AllReduce', start_ns: 10, length_ns: length});
  const report = (/** @type {object} */ change) =>
    /** @type {any} */ ({average_is_recorded: false, average_is_of_other_steps: false, steps: [lane(90), lane(20), lane(40)], ...change});
  const several = report({});
  assert.equal(averageText(several), 'step_trace.average');
  assert.deepEqual(short(lanesOfMean(several, undefined)), [['9', ['AllReduce', 10, 30]]], 'without the first step');
  const one = report({steps: [lane(90)]});
  assert.equal(averageText(one), 'step_trace.average.only');
  assert.deepEqual(short(lanesOfMean(one, undefined)), [['9', ['AllReduce', 10, 90]]]);
  const recorded = report({average_is_recorded: true});
  assert.equal(averageText(recorded), 'step_trace.recorded_average');
  assert.deepEqual(lanesOfMean(recorded, undefined), [], 'none of its own');
  assert.equal(averageText(report({average_is_recorded: true, average_is_of_other_steps: true})), 'step_trace.recorded_average.other');
});
