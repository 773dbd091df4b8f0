// Small charts in rows of tables: their lines, their shared scale, and the own time of ranks in each step.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {ownLines, ranksBySteps} from '../../../www/js/page/views/ranks/own-steps.js';
import {HEIGHT, WIDTH, across, down, extremes, nearest, pathOf, scaleOf} from '../../../www/js/page/views/charts/sparkline-points.js';

/** @typedef {import('../../../www/types/reports.js').JobRankReport} JobRank */

test('all rows share a scale from the lowest to the highest value', () => {
  const scale = scaleOf([
    [10, null, 30],
    [null, 50],
  ]);
  assert.deepEqual(scale, {low: 10, high: 50});
  assert.ok(scale);
  assert.deepEqual(
    [50, 30, 10].map((value) => down(value, scale)),
    [2, HEIGHT / 2, HEIGHT - 2],
    'the highest is on top, and no stroke is cut',
  );
  assert.equal(scaleOf([[null], []]), undefined);
  assert.deepEqual(scaleOf([[100, 100]], [50, null]), {low: 50, high: 100}, 'a mean below the highest of many is seen');
});

test('differences of a few percent do not fill the height', () => {
  const scale = scaleOf([[100, 101]]);
  assert.ok(scale);
  assert.ok(Math.abs(scale.high - 110) < 1e-9);
  assert.ok(down(100, scale) - down(101, scale) < HEIGHT / 8);
  assert.equal(down(0, {low: 0, high: 0}), HEIGHT / 2, 'zeros lie in the middle');
});

test('a line is broken where a value is missing, and a value between gaps is a dot', () => {
  const scale = {low: 0, high: 16};
  assert.equal(pathOf([0, 16, null, 8], scale), 'M15 18L45 2M105 10h0');
  assert.equal(pathOf([null, 8, null], scale), `M${WIDTH / 2} 10h0`);
  assert.equal(pathOf([null, null], scale), '');
  assert.equal(across(0, 1), WIDTH / 2);
});

test('the pointer finds the nearest step that has a value', () => {
  const values = [1, null, null, 4];
  assert.deepEqual(
    [0, 0.4, 0.6, 1, 2].map((share) => nearest(values, share)),
    [0, 0, 3, 3, 3],
  );
  assert.equal(nearest([null], 0.5), undefined);
});

test('lowest, median and highest leave gaps out', () => {
  assert.deepEqual(extremes([4, null, 1, 3, 2]), {lowest: 1, median: 2.5, highest: 4});
  assert.equal(extremes([null]), undefined);
});

/** @param {number} rank @param {(number | null)[]} own @param {object} [more] */
const row = (rank, own, more = {}) => /** @type {JobRank} */ (/** @type {unknown} */ ({rank, stage: null, own_of_steps_ns: own, ...more}));
/** @param {JobRank[]} rows @param {string[][]} names of the steps of each */
const bySteps = (rows, names) =>
  ranksBySteps(
    rows,
    (one) => rows.indexOf(one),
    names.map((of) => ({steps: /** @type {import('../../../www/js/page/views/ranks/own-steps.js').Steps} */ (of.map((name) => ({name})))})),
  );

test('ranks have lines on steps of the same name, with the median of their stage', () => {
  const rows = [row(0, [null, 10, 20]), row(1, [40, 30, null]), row(2, [7, 7], {stage: 1})];
  const found = ownLines(
    bySteps(rows, [
      ['#0', '#1', '#2'],
      ['#1', '#2', '#3'],
      ['#1', '#2'],
    ]),
  );
  assert.ok(found);
  assert.deepEqual(found.names, ['#1', '#2'], 'a step in which no rank has an own time is left out');
  assert.deepEqual(found.scale, {low: 7, high: 40});
  assert.deepEqual(found.lines.get(rows[0]), {values: [10, 20], usual: 25, lowest: 10, median: 15, highest: 20});
  assert.deepEqual(found.lines.get(rows[1])?.values, [40, 30]);
  assert.equal(found.lines.get(rows[2])?.usual, null, 'alone in its stage it is compared with none');
  assert.ok(!found.isGrouped);
});

test('a rank that lacks a step has a gap there', () => {
  const rows = [row(0, [1, 2, 3]), row(1, [4, null, 6]), row(2, [null, null, null])];
  const found = ownLines(
    bySteps(rows, [
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]),
  );
  assert.deepEqual(found?.lines.get(rows[1])?.values, [4, null, 6]);
  assert.equal(found?.lines.get(rows[2]), undefined, 'without any value there is no line');
});

test('of many steps neighbors share a place, which has the longest', () => {
  const names = ['1', '2', '3', '4', '5'];
  const rows = [row(0, [1, 9, 3, null, 5]), row(1, [1, 1, null, null, 2])];
  const found = ownLines(bySteps(rows, [names, names]), 3);
  assert.ok(found?.isGrouped);
  assert.deepEqual(found.names, ['1 – 2', '3 – 5']);
  assert.deepEqual(found.lines.get(rows[0])?.values, [9, 5]);
  assert.deepEqual(found.lines.get(rows[1])?.lowest, 1, 'what is said of a rank is of all its steps');
});

test('one step is no line, and ranks apart have none', () => {
  assert.equal(ownLines(bySteps([row(0, [1]), row(1, [2])], [['a'], ['a']])), undefined);
  const rows = [row(0, [1, 2]), row(1, [1, 2], {repeated: true}), row(2, [1, 2], {apart: 'other_time'})];
  const found = bySteps(rows, [
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b'],
  ]);
  assert.deepEqual(
    found.map(({index}) => index),
    [0],
  );
});
