// Commands that match the typed text, and their order.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {matching, score} from '../../../www/js/page/views/palette/match.js';

const of = (/** @type {string} */ kind, /** @type {string[]} */ ...texts) => texts.map((text) => ({kind, text}));
const all = [
  ...of('View', 'Overview', 'Steps', 'Operators', 'Kernels', 'Copies'),
  ...of('Step', ...Array.from({length: 30}, (_, index) => `Step ${index}`)),
  ...of('Export', 'Summary (JSON)'),
];
const found = (/** @type {string} */ query, most = 60) => matching(all, query, most, 3).map(({text}) => text);

test('the begin of a text fits better than that of a word, which fits better than its inside and single letters', () => {
  const scores = ['step', 'one step', 'footsteps', 'a shteep'].map((text) => score('step', text));
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  assert.equal(new Set(scores).size, 4);
  assert.ok(scores[3] > 0);
  assert.equal(score('step', 'pets'), 0);
});

test('all words must fit, in any order and case', () => {
  assert.ok(score('json SUM', 'Summary (JSON)') > 0);
  assert.equal(score('json step', 'Summary (JSON)'), 0);
});

test('numbers are meant as they are typed', () => {
  assert.equal(found('step 12')[0], 'Step 12');
  assert.ok(!found('12').some((text) => !text.includes('12')));
});

test('without a query there are the first few of each kind; a query finds them all, by its kind, too', () => {
  assert.deepEqual(found(' '), ['Overview', 'Steps', 'Operators', 'Step 0', 'Step 1', 'Step 2', 'Summary (JSON)']);
  assert.equal(found('step ').length, 31);
  assert.deepEqual(found('step', 2), ['Steps', 'Step 0']);
  assert.deepEqual(found('export json'), ['Summary (JSON)']);
  assert.deepEqual(found('kern'), ['Kernels']);
  assert.deepEqual(found('nothing'), []);
});

test('Chinese texts are found by a part of them', () => {
  assert.ok(score('线', '时间线') > 0);
  assert.equal(score('核', '时间线'), 0);
});

test('letters that are scattered over a text do not fit', () => {
  assert.equal(score('notes', 'Definitions: Stepscope'), 0);
  assert.equal(score('step', 'sit up there, peter'), 0);
  assert.ok(score('krnls', 'Kernels') > 0);
});

test('a view is found by the name of its group', () => {
  const views = [
    {kind: 'View', text: 'Operators', also: ['Compute', 'slowest operators']},
    {kind: 'View', text: 'Memory use', also: ['Memory']},
  ];
  assert.deepEqual(
    matching(views, 'compute', 60, 3).map(({text}) => text),
    ['Operators'],
  );
  assert.deepEqual(
    matching(views, 'slowest', 60, 3).map(({text}) => text),
    ['Operators'],
    'and by another word for what it shows',
  );
});
