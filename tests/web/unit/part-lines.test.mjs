// Tooltips of charts: a part's value, its share, and the whole.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {wholeOf} from '../../../www/js/page/views/charts/part-lines.js';

test('a part is a share of its bar, or of the mean of bars that are drawn as one', () => {
  const bars = [{values: [1, 3]}, {values: [2, 6]}, {values: [0, 0]}];
  assert.equal(wholeOf(bars, {first: 1, end: 2}), 8);
  assert.equal(wholeOf(bars, {first: 0, end: 2}), 6);
  assert.equal(wholeOf(bars, {first: 2, end: 3}), 0);
});
