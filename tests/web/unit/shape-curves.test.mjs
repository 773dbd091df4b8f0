// Curves of operators whose shapes change.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {callsIn, callsTable, curvesOf, isOfTypes, nearest} from '../../../www/js/page/views/tables/shape-curves.js';

/** @param {string[]} names @param {(string | number | null)[][]} values */
const rows = (names, values) => ({columns: names.map((name) => ({name})), values});

const calls = rows(
  ['step', 'op_side', 'op_type', 'op_name', 'dur', 'shape_info'],
  [
    [3, 'gpu', 'Add', 'Add-op6', 20, '[[1]]'],
    [1, 'gpu', 'GetNext', 'GetNext-op7', 100, '[]'],
    [1, 'gpu', 'GetNext', 'GetNext-op7', 200, '[]'],
    [1, 'gpu', 'Add', 'Add-op6', 30, '[[2]]'],
    [1, 'gpu', 'Add', 'Add-op9', 31, '[[4]]'],
  ],
);

test('curves by name are means of the calls of a step, with gaps where there is none', () => {
  assert.deepEqual(curvesOf('dynamic_shape_operators', calls), {
    steps: [1, 3],
    curves: [
      {name: 'GetNext-op7', total: 300, times: [150, null]},
      {name: 'Add-op6', total: 50, times: [30, 20]},
      {name: 'Add-op9', total: 31, times: [31, null]},
    ],
  });
});

test('curves by type are the means that the profiler wrote', () => {
  const types = rows(
    ['step', 'type', 'total', 'count', 'avg'],
    [
      [1, 'GetNext', 300, 2, 150],
      [1, 'Add', 61, 2, 30],
      [3, 'Add', 20, 1, 20],
    ],
  );
  assert.ok(isOfTypes('dynamic_shape_operator_types') && !isOfTypes('dynamic_shape_operators'));
  assert.deepEqual(curvesOf('dynamic_shape_operator_types', types).curves, [
    {name: 'GetNext', total: 300, times: [150, null]},
    {name: 'Add', total: 81, times: [30, 20]},
  ]);
});

test('a step has the calls of the chosen types or names', () => {
  assert.equal(callsTable('dynamic_shape_operator_types'), 'dynamic_shape_operators');
  assert.equal(callsTable('step_trace'), undefined);
  const named = (/** @type {string} */ id, /** @type {string} */ name, /** @type {number} */ step) =>
    callsIn(id, calls, new Set([name]), step).map((call) => [call.name, call.time, call.shapes]);
  assert.deepEqual(named('dynamic_shape_operator_types', 'Add', 1), [
    ['Add-op6', 30, '[[2]]'],
    ['Add-op9', 31, '[[4]]'],
  ]);
  assert.deepEqual(named('dynamic_shape_operators', 'Add-op6', 3), [['Add-op6', 20, '[[1]]']]);
  assert.deepEqual(named('dynamic_shape_operators', 'GetNext-op7', 3), []);
  assert.deepEqual([nearest([1, 3, 9], 1.9), nearest([1, 3, 9], 2.1), nearest([1, 3, 9], 40)], [1, 3, 9]);
});
