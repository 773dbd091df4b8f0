// Names of ranks.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {rankName, rankTitle} from '../../../www/js/page/views/parts/rank-name.js';
import {speak} from './lib/page.mjs';

await speak();

test('a rank has its number; without one it has the name of its file, and no invented number', () => {
  const [numbered, unnumbered] = [
    {rank: 3, input: 'left.json'},
    {rank: null, input: 'process 111'},
  ];
  assert.deepEqual([rankTitle(numbered), rankName(numbered)], ['rank 3', 'rank 3 · left.json']);
  assert.deepEqual([rankTitle(unnumbered), rankName(unnumbered)], ['process 111', 'process 111']);
});
