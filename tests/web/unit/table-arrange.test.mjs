// Which rows and columns of a table are shown, and in which order.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {arranged, columnsOf, csvRowsOf, rowByKey} from '../../../www/js/page/views/table/arrange.js';

/** @typedef {import('../../../www/js/page/views/table/arrange.js').Value} Value */
/** @typedef {{name: string, value: Value}} Row */

const rows = /** @type {Row[]} */ ([
  {name: 'aten::mm', value: 3},
  {name: 'aten::add', value: null},
  {name: 'Memcpy HtoD', value: -2},
  {name: 'aten::mm_backward', value: 3},
  {name: 'nccl', value: 0},
]);
const byName = {value: (/** @type {Row} */ row) => row.name};
const byValue = {value: (/** @type {Row} */ row) => row.value};

/** @param {{search?: string, column?: {value: (row: Row) => Value, order?: (row: Row) => number}, down?: boolean}} how @param {Row[]} [of] */
const shown = ({search = '', column = byValue, down = false}, of = rows) => arranged(of, {search, searched: ({name}) => name, column, down});
/** @param {Row[]} of */
const names = (of) => of.map(({name}) => name);
/** @param {Value[]} values */
const sorted = (...values) =>
  shown(
    {},
    values.map((value) => ({name: '', value})),
  ).map(({value}) => value);

test('numbers sort as numbers, both ways, and nothing is less than any of them', () => {
  assert.deepEqual(
    shown({}).map(({value}) => value),
    [null, -2, 0, 3, 3],
  );
  assert.deepEqual(
    shown({down: true}).map(({value}) => value),
    [3, 3, 0, -2, null],
  );
  assert.deepEqual(sorted(10, 9, 100, null, -1), [null, -1, 9, 10, 100]);
});

test('numbers that are too large for a double sort by their last digit, also beside others', () => {
  const large = 2n ** 60n;
  assert.deepEqual(sorted(large + 1n, large, null, large - 1n), [null, large - 1n, large, large + 1n]);
  assert.deepEqual(sorted(5n, 4, 4.5), [4, 4.5, 5n]);
});

test('rows that are alike stay in their order, both ways', () => {
  for (const down of [false, true])
    assert.deepEqual(
      names(shown({down})).filter((name) => name.startsWith('aten::mm')),
      ['aten::mm', 'aten::mm_backward'],
      String(down),
    );
});

test('texts sort as in English, whatever language is spoken', () => {
  assert.deepEqual(names(shown({column: byName})), ['aten::add', 'aten::mm', 'aten::mm_backward', 'Memcpy HtoD', 'nccl']);
  assert.deepEqual(names(shown({column: byName, down: true})), ['nccl', 'Memcpy HtoD', 'aten::mm_backward', 'aten::mm', 'aten::add']);
});

test('a column may be sorted by something else than its value', () => {
  const bySize = {...byValue, order: (/** @type {Row} */ {value}) => Math.abs(Number(value))};
  assert.deepEqual(
    shown({column: bySize, down: true}).map(({value}) => value),
    [3, 3, -2, null, 0],
  );
});

test('a search finds any part of what is searched, in any case', () => {
  assert.deepEqual(names(shown({search: 'MM', column: byName})), ['aten::mm', 'aten::mm_backward']);
  assert.deepEqual(names(shown({search: '  backward '})), ['aten::mm_backward']);
  assert.deepEqual(shown({search: 'no such row'}), []);
  assert.equal(shown({search: '   '}).length, rows.length);
});

test('the rows that were given stay as they are', () => {
  const before = [...rows];
  shown({down: true});
  assert.deepEqual(rows, before);
});

test('a column that says nothing of the rows is left out', () => {
  const column = (/** @type {string} */ key, /** @type {Value[]} */ values, /** @type {object} */ more = {}) => ({
    key,
    title: key,
    text: String,
    value: (/** @type {number} */ row) => values[row],
    ...more,
  });
  const all = [
    column('name', ['a', 'b']),
    column('blank', [null, ''], {optional: true}),
    column('some', [null, 1], {optional: true}),
    column('zero', [0, null], {seldom: true}),
    column('seldom', [0, 1], {seldom: true}),
    column('device', [0, 0], {ofDevice: true}),
    column('needed', [null, null]),
  ];
  const keys = (/** @type {number[]} */ of, /** @type {boolean} */ bare) => columnsOf(all, of, bare).map(({key}) => key);
  assert.deepEqual(keys([0, 1], false), ['name', 'some', 'seldom', 'device', 'needed']);
  assert.deepEqual(keys([0, 1], true), ['name', 'some', 'seldom', 'needed'], 'without a device zeros of one say nothing');
  assert.deepEqual(keys([], false), ['name', 'blank', 'some', 'device', 'needed'], 'a table without rows says what it would have');
});

test('the CSV has the keys, and nothing where nothing is known', () => {
  const columns = [
    {key: 'name', title: 'Name', text: String, ...byName},
    {key: 'value', title: 'Value', text: String, ...byValue},
  ];
  assert.deepEqual(csvRowsOf(columns, rows.slice(0, 3)), [
    ['name', 'value'],
    ['aten::mm', '3'],
    ['aten::add', ''],
    ['Memcpy HtoD', '-2'],
  ]);
  assert.deepEqual(
    csvRowsOf(columns, [
      {name: 'zero', value: 0},
      {name: 'large', value: 2n ** 62n},
    ]).slice(1),
    [
      ['zero', '0'],
      ['large', '4611686018427387904'],
    ],
  );
});

test('keys lead from row to row and end at the first and the last one', () => {
  const to = (/** @type {string} */ key, /** @type {number} */ active) => rowByKey(key, active, 10, 25);
  assert.deepEqual(
    ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].map((key) => to(key, 12)),
    [13, 11, 22, 2, 0, 24],
  );
  assert.deepEqual([to('ArrowDown', -1), to('ArrowUp', -1), to('ArrowDown', 24), to('PageDown', 20), to('PageUp', 3)], [0, 0, 24, 24, 0]);
  assert.equal(to('a', 3), undefined);
  assert.equal(rowByKey('End', -1, 10, 0), undefined, 'of no rows');
});

test('each letter of a search looks at texts that are made once', () => {
  let made = 0;
  const searched = (/** @type {Row} */ {name}) => {
    made += 1;
    return name;
  };
  const of = [...rows];
  const found = (/** @type {string} */ search) => names(arranged(of, {search, searched, column: byName, down: false}));
  assert.deepEqual(found('MM'), ['aten::mm', 'aten::mm_backward']);
  assert.deepEqual(found('mm_'), ['aten::mm_backward']);
  assert.equal(made, of.length);
  // Other rows, or other texts of them, are another matter.
  assert.deepEqual(names(arranged([of[4]], {search: 'n', searched, column: byName, down: false})), ['nccl']);
  assert.deepEqual(arranged(of, {search: 'x', searched: () => 'x', column: byName, down: false}).length, of.length);
});
