// Rows as objects become columns, from which the same objects come back.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {runsOf} from '../../../www/js/page/views/table/described/described-columns.js';
import {columnsOf} from '../../../www/js/page/views/table/described/rows-of-json.js';
import {TableRows} from '../../../www/js/page/views/table/described/table-rows.js';

/** @param {string} key @param {string} unit @param {object} [more] */
const column = (key, unit, more) => ({
  key,
  unit,
  words: null,
  unit_key: null,
  is_number: !['text', 'word', 'flag', 'lines', 'extent'].includes(unit),
  is_covered: false,
  show: 'always',
  ...more,
});

const description = /** @type {any} */ ({
  id: 'things',
  columns: [
    column('name', 'text'),
    column('calls', 'count'),
    column('of.share', 'share'),
    column('busy', 'share', {is_covered: true}),
    column('late', 'flag'),
    column('grid', 'extent'),
    column('stack', 'lines'),
  ],
});

test('objects come back as they were', () => {
  const rows = [
    {name: 'a', calls: 2, of: {share: 0.5}, busy: 0.25, busy_coverage: 0.75, late: true, grid: [3, 2, 1], stack: ['x', 'y']},
    {name: 'b', calls: null, of: {share: 0}, busy: null, busy_coverage: null, late: false, grid: null, stack: null},
    {name: 'a', calls: 0, of: {share: 1}, busy: 0, busy_coverage: 1, late: null, grid: [1, 1, 1], stack: ['x']},
  ];
  const found = new TableRows(description, columnsOf(description, rows));
  assert.equal(found.length, 3);
  assert.deepEqual(
    rows.map((_, index) => found.object(index)),
    rows,
  );
  assert.deepEqual(found.texts('name'), ['a', 'b']);
});

test('what an object does not have is not known', () => {
  const found = new TableRows(description, columnsOf(description, [{name: 'a'}]));
  assert.deepEqual(
    description.columns.map((/** @type {{key: string}} */ {key}) => found.value(key, 0)),
    ['a', null, null, null, null, null, null],
  );
});

test('runs of numbers are named by their ends', () => {
  assert.deepEqual(['0,1,2,3,8,10,11', '', '7,6', '4'].map(runsOf), ['0–3, 8, 10, 11', '', '7, 6', '4']);
});
