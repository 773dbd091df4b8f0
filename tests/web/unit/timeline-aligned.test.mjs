// Steps of two ranks side by side: which rows, where they stand, and which step.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {AXIS} from '../../../www/js/shared/axis.js';
import {alignedRows, heightOf, laneAt, typicalStep} from '../../../www/js/page/timeline/aligned.js';

/** @typedef {import('../../../www/types/reports.js').TimelineRowReport} TimelineRow */

/** @type {TimelineRow[]} */
const ROWS = [
  {rank: 1, kind: 'doing', lanes: 1, device: 0},
  {rank: 0, kind: 'steps', lanes: 1},
  {rank: 0, kind: 'doing', lanes: 1, device: 0},
  {rank: 0, kind: 'stream', layer: 'device', lanes: 1, slices: 10, device: 0},
  {rank: 0, kind: 'stream', layer: 'device_annotation', lanes: 3, slices: 90, device: 0},
  {rank: 0, kind: 'stream', layer: 'device', lanes: 2, slices: 70, device: 0},
  {rank: 0, kind: 'stream', layer: 'device', lanes: 1, slices: 40, device: 0},
  {rank: 0, kind: 'thread', layer: 'python', lanes: 50, slices: 900},
  {rank: 0, kind: 'thread', layer: 'host', lanes: 3, slices: 5},
  {rank: 0, kind: 'thread', layer: 'host', lanes: 9, slices: 500},
  {rank: 0, kind: 'counter', lanes: null},
];

test('devices, the busiest streams and the busiest thread of a rank stand below each other', () => {
  const rows = alignedRows(ROWS, 0);
  assert.deepEqual(
    rows.map(({row, lanes}) => [row, lanes]),
    [
      [2, 1],
      [5, 2],
      [6, 1],
      [9, 6],
    ],
  );
  assert.equal(rows[0].y, AXIS);
  for (const [index, {y, height}] of rows.entries()) assert.equal(rows[index + 1]?.y ?? heightOf(rows), y + height);
  assert.deepEqual(alignedRows(ROWS, 7), []);
  assert.equal(heightOf([]), AXIS);
});

test('a height is on a lane of a row', () => {
  const rows = alignedRows(ROWS, 0);
  assert.equal(laneAt(rows, AXIS - 1), undefined);
  assert.equal(laneAt(rows, heightOf(rows)), undefined);
  for (const place of rows)
    for (let lane = 0; lane < place.lanes; lane++) {
      const at = laneAt(rows, place.y + 3 + (lane + 0.5) * place.laneHeight);
      assert.deepEqual([at?.place.row, at?.lane], [place.row, lane]);
    }
});

test('the typical step is the counted one of the middle length', () => {
  const step = (/** @type {number} */ length_ns, counted = true) => ({length_ns, counted});
  assert.equal(typicalStep([]), null);
  assert.equal(typicalStep([step(900, false), step(30), step(10), step(20)]), 3);
  assert.equal(typicalStep([step(10), step(20)]), 0);
  assert.equal(typicalStep([step(9, false), step(5, false), step(7, false)]), 2, 'without counted ones, of all');
});
