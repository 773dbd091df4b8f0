// Which files stay where one run of several is opened.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {onlyRanks} from '../../../www/js/page/files/run-changes.js';

test('the files of all other ranks are left out, and earlier changes stay', () => {
  const ranks = [
    {name: 'none', number: null, sources: [0]},
    {name: 'a', number: 0, sources: [2]},
    {name: 'other', number: 0, sources: [3]},
    {name: 'b', number: 1, sources: [4, 5]},
  ];
  assert.deepEqual(onlyRanks({ranks, changes: []}, [1, 3]), [
    [0, null],
    [3, null],
  ]);
  assert.deepEqual(
    onlyRanks(
      {
        ranks,
        changes: [
          [4, 1],
          [5, 1],
        ],
      },
      [0],
    ),
    [
      [4, null],
      [5, null],
      [2, null],
      [3, null],
    ],
  );
});
