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
  {rank: 0, kind: 'overlap', part: 'communication', lanes: 1, device: 0},
  {rank: 0, kind: 'overlap', part: 'compute', lanes: 1, device: 0},
];

/** The rows of rank 0 alone. */
const alone = () => alignedRows([{rows: ROWS, rank: 0}])[0];

test('devices, communication, the busiest streams and the busiest threads of a rank stand below each other', () => {
  const rows = alone();
  assert.deepEqual(
    rows.map(({row, lanes}) => [row, lanes]),
    [
      [2, 1],
      [11, 1],
      [3, 1],
      [5, 2],
      [6, 1],
      [8, 3],
      [9, 6],
    ],
  );
  assert.equal(rows[0].y, AXIS);
  for (const [index, {y, height}] of rows.entries()) assert.equal(rows[index + 1]?.y ?? heightOf(rows), y + height);
  assert.deepEqual(alignedRows([{rows: ROWS, rank: 7}]), [[]]);
  assert.equal(heightOf([]), AXIS);
});

test('the same streams and threads stand beside each other', () => {
  const stream = (/** @type {number} */ stream, /** @type {number} */ slices, device = 0) => ({
    rank: 0,
    kind: 'stream',
    layer: 'device',
    lanes: 1,
    slices,
    stream,
    device,
  });
  const thread = (/** @type {string} */ name, /** @type {number} */ slices) => ({rank: 0, kind: 'thread', layer: 'host', lanes: 1, slices, name});
  const one = [1, 2, 3, 4, 5].map((number) => stream(number, number === 5 ? 1 : 10)).concat([stream(6, 2)]);
  const sides = [
    {rank: 0, rows: [...one, thread('thread 17 (python)', 50), thread('backward', 60), thread('logger', 58), thread('thread 18 (python)', 49)]},
    {
      rank: 0,
      rows: [
        stream(5, 90, 1),
        stream(1, 1, 1),
        stream(7, 80, 1),
        stream(2, 9, 1),
        thread('loader', 40),
        thread('thread 4 (python)', 55),
        thread('backward', 20),
      ],
    },
  ];
  const found = alignedRows(sides).map((rows) => rows.map(({of}) => of.stream ?? of.name));
  // The other side lacks streams 3 and 4: its busiest remaining stream takes a place.
  assert.deepEqual(found, [
    [1, 2, 3, 5, 'thread 17 (python)', 'backward'],
    [5, 1, 7, 2, 'thread 4 (python)', 'backward'],
  ]);
});

test('a height is on a lane of a row', () => {
  const rows = alone();
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
