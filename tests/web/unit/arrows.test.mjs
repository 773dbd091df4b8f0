// Flow arrows of the selection on the timeline: all if there are few, else a spread subset.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {APART, FEW, thinned} from '../../../www/js/shared/arrows.js';

const mark = (/** @type {number} */ at, y = 0) => ({start: at, end: at, y, height: 18, pinned: false});
/** One pixel apart, from one lane to another. @param {number} count */
const dense = (count, y = 0) => Array.from({length: count}, (_, at) => ({from: mark(at, y), to: mark(at + 5, 90)}));
const x = (/** @type {number} */ at) => at;

test('a few arrows are all drawn, however near', () => {
  assert.equal(thinned(dense(FEW), x, 1000).length, FEW);
});

test('of many between the same lanes those are drawn that are apart, more of them nearer by', () => {
  assert.deepEqual(
    thinned(dense(100), x, 1000).map(({from}) => from.start),
    Array.from({length: 9}, (_, at) => at * APART),
  );
  assert.equal(thinned([...dense(100), ...dense(100, 40)], x, 1000).length, 18, 'each pair of lanes has its own');
  assert.equal(thinned(dense(100), (at) => at * APART, 2000).length, 100);
  assert.equal(thinned(dense(100), (at) => at * 50, 1000).length, 21, 'only what is seen');
});

test('arrows from one call to many kernels are apart at their ends', () => {
  const fan = Array.from({length: 100}, (_, at) => ({from: mark(0), to: mark(at * 6, 90)}));
  assert.equal(thinned(fan, x, 1000).length, 50);
});
