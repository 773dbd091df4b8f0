// Names of ranks.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {rankName, rankTitle, titleInJob} from '../../../www/js/page/views/parts/rank-name.js';
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

test('a number of the job, which tables have for every rank, leads to the same title', () => {
  const of = (/** @type {(number | null)[]} */ ...ranks) =>
    /** @type {any} */ ({ranks: ranks.map((rank, index) => ({rank, input: `file ${index}`, only_tables: index === 0 && ranks.length > 2}))});
  assert.deepEqual([titleInJob(of(4, 2), 2), titleInJob(of(4, 2), 4)], ['rank 2', 'rank 4']);
  assert.deepEqual([titleInJob(of(null, null), 0), titleInJob(of(null, null), 1)], ['file 0', 'file 1']);
  assert.equal(titleInJob(of(null, null, null), 1), 'file 2', 'the first one has nothing but tables');
  assert.equal(titleInJob(of(4, 2), 1), 'rank 1', 'of which no trace is open');
  assert.equal(titleInJob(null, 1), 'rank 1');
});
