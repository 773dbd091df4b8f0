// Files that are added to those that are open: their paths, and the numbers of their ranks.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {apart, numberingOf, uniqueNumbers} from '../../../www/js/page/files/adding.js';

/** @param {...string} paths */
const files = (...paths) => paths.map((path) => ({path, file: new File([path], path)}));
/** @param {{path: string}[]} of */
const paths = (of) => of.map(({path}) => path);
/** @param {(number | null)[]} numbers of ranks with a source each */
const ranksOf = (numbers) => numbers.map((number, source) => ({name: 'trace.json', number, sources: [source]}));

test('added files keep their paths unless one of them is taken', () => {
  const open = files('a.json', 'b.json');
  assert.deepEqual(paths(apart(open, files('c.json'))), ['c.json']);
  assert.deepEqual(paths(apart(open, files('b.json', 'c.json'))), ['2/b.json', '2/c.json'], 'what belongs together stays together');
  const again = [...open, ...apart(open, files('a.json'))];
  assert.deepEqual(paths(apart(again, files('a.json'))), ['3/a.json']);
  const [file] = files('a.json');
  assert.equal(apart(open, [file])[0].file, file.file);
});

test('each rank has a number of its own', () => {
  assert.deepEqual(uniqueNumbers(ranksOf([null, 0, 0, null, 2])), [1, 0, 3, 4, 2]);
  assert.deepEqual(uniqueNumbers([]), []);
});

test('added ranks are numbered where they have no number, or one that is taken', () => {
  const numbering = (/** @type {(number | null)[]} */ numbers, /** @type {number} */ firstAdded, /** @type {[number, number | null][]} */ changes = []) =>
    numberingOf({ranks: ranksOf(numbers), changes}, firstAdded);
  assert.deepEqual(numbering([0, 1], 1), [], 'all is well');
  assert.deepEqual(numbering([0, 0], 1), [[1, 1]]);
  assert.deepEqual(numbering([null, null], 1), [
    [0, 0],
    [1, 1],
  ]);
  assert.deepEqual(numbering([0, 0, 0], 2), [[2, 1]], 'those that were open keep theirs');
  assert.deepEqual(
    numbering([0, 0], 1, [
      [1, 0],
      [5, null],
    ]),
    [
      [1, 1],
      [5, null],
    ],
    'earlier changes stay, or are replaced',
  );
  const parts = {
    ranks: [
      {name: 'b', number: 0, sources: [2, 3]},
      {name: 'a', number: 0, sources: [0]},
    ],
    changes: [],
  };
  assert.deepEqual(
    numberingOf(parts, 1),
    [
      [2, 1],
      [3, 1],
    ],
    'whatever their order, and with all their files',
  );
});
