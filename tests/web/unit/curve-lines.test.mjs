// Lines of curves in the table of resources: the highest value in each part of the time, on scales of like curves.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {curveKey, curveLines, highestIn} from '../../../www/js/page/views/resources/curve-lines.js';

/** @typedef {import('../../../www/js/page/views/resources/curve-lines.js').Resource} Resource */

/** @param {string} name @param {[number, number][] | undefined} points @param {Partial<Resource>} [more] */
const curve = (name, points, more = {}) =>
  /** @type {Resource} */ (/** @type {unknown} */ ({name, owner: 'machine', kind: 'processor', unit: 'share', holds: true, points, ...more}));

test('a value is valid until the next one, and the highest of a part stays', () => {
  const places = {from: 0, each: 10, count: 5, holds: true};
  assert.deepEqual(
    highestIn(
      [
        [10, 1],
        [20, 9],
        [22, 2],
        [41, 3],
      ],
      places,
    ),
    [null, 1, 9, 2, 3],
    'nothing is known before the first, and a short peak is not lost',
  );
  assert.deepEqual(highestIn([[0, -5]], places), [-5, null, null, null, null], 'nothing is known after the last');
});

test('a measurement that does not hold counts where it is', () => {
  const points = /** @type {[number, number][]} */ ([
    [0, 4],
    [3, 6],
  ]);
  assert.deepEqual(highestIn(points, {from: 0, each: 1, count: 4, holds: false}), [4, null, null, 6]);
});

test('curves of one kind and unit share time and scale', () => {
  const curves = [
    curve('a', [
      [0, 1],
      [40, 3],
    ]),
    curve('b', [
      [20, 8],
      [40, 8],
    ]),
    curve(
      'bytes',
      [
        [0, 100],
        [8, 300],
      ],
      {unit: 'bytes'},
    ),
    curve('of another kind', undefined),
    curve('one point', [[0, 1]]),
  ];
  const lines = curveLines(curves, 4);
  assert.deepEqual([...lines.keys()], [curves[0], curves[1], curves[2]].map(curveKey));
  const [a, b, bytes] = lines.values();
  assert.deepEqual(a, {values: [1, 1, 1, 3], scale: {low: 1, high: 8}, from: 0, each: 10, holds: true});
  assert.deepEqual(b.values, [null, null, 8, 8]);
  assert.equal(b.scale, a.scale);
  assert.deepEqual([bytes.scale, bytes.each], [{low: 100, high: 300}, 2]);
});

test('numbered points have a place each, as far as there is room', () => {
  const points = /** @type {[number, number][]} */ ([0, 1, 2, 3, 4, 5].map((at) => [at, at * at]));
  const [few] = curveLines([curve('a', points, {holds: false})], 60).values();
  assert.deepEqual([few.values, few.each], [[0, 1, 4, 9, 16, 25], 1]);
  const [shared] = curveLines([curve('a', points, {holds: false})], 3).values();
  assert.deepEqual(shared.values, [1, 9, 25]);
});
