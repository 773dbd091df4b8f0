// The list of content that a trace lacks.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {missingOf} from '../../../www/js/page/views/overview/missing-card.js';

/** A summary of one rank, and of others like it. @param {object} rank @param {object} [input] @param {number} [ranks] @returns {any} */
const summary = (rank, input = {}, ranks = 1) => ({
  ranks: Array.from({length: ranks}, () => ({device_time: [{}], step_source: 'marks', world_size: null, topics: ['memory', 'resources'], ...rank})),
  inputs: Array.from({length: ranks}, () => ({slices: 5, framework: 'PyTorch', ...input})),
});

test('a whole trace lacks nothing', () => {
  assert.deepEqual(missingOf(summary({}), 0), []);
});

test('each part that was not recorded is missing', () => {
  assert.deepEqual(missingOf(summary({device_time: []}), 0), ['device']);
  assert.deepEqual(missingOf(summary({step_source: 'whole_trace'}), 0), ['steps']);
  assert.deepEqual(missingOf(summary({topics: ['resources']}), 0), ['memory']);
  assert.deepEqual(missingOf(summary({topics: undefined}), 0), ['memory', 'resources']);
});

test('other ranks are missing where one of several is open', () => {
  assert.deepEqual(missingOf(summary({world_size: 8}), 0), ['ranks']);
  assert.deepEqual(missingOf(summary({world_size: 1}), 0), []);
  assert.deepEqual(missingOf(summary({world_size: 8}, {}, 2), 1), []);
});

test('without events, or with tables alone, the rest is no news', () => {
  assert.deepEqual(missingOf(summary({device_time: [], topics: []}, {slices: 0}), 0), ['events']);
  assert.deepEqual(missingOf(summary({only_tables: true, device_time: []}, {slices: 0}), 0), ['timeline']);
});
