// Rows of tables in groups: sums, order, open and remembered groups, copied text.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Folding, RowGroup, copiedColumns, copiedOf, groupsOf, linesOf} from '../../../www/js/page/views/table/groups.js';
import {sumText, sumsOf} from '../../../www/js/page/views/table/sums.js';
import {markdownOf, tsvOf} from '../../../www/js/page/views/table/text-of-rows.js';

/** @typedef {{name: string, kind: string | null, calls: bigint, time: number | null}} Row */
/** @typedef {import('../../../www/js/page/views/table/columns/column.js').Column<Row>} Column */

/** @type {Column[]} */
const columns = [
  {key: 'name', title: 'Name', left: true, text: ({name}) => name, value: ({name}) => name},
  {key: 'calls', title: 'Calls', part: 'count', text: ({calls}) => String(calls), value: ({calls}) => calls},
  {key: 'time_ns', title: 'Time', part: 'time', text: ({time}) => `${time} ns`, value: ({time}) => time},
  {key: 'mean_ns', title: 'Mean', text: ({calls, time}) => `${(time ?? 0) / Number(calls)} ns`, value: ({calls, time}) => (time ?? 0) / Number(calls)},
];
const grouping = {key: 'kind', title: 'Kind', of: (/** @type {Row} */ {kind}) => kind ?? '', text: (/** @type {Row} */ {kind}) => kind ?? '–'};

const [gemm, add, mul, other] = /** @type {Row[]} */ ([
  {name: 'gemm', kind: 'matrix', calls: 1n, time: 50},
  {name: 'add', kind: 'elementwise', calls: 30n, time: 40},
  {name: 'mul', kind: 'elementwise', calls: 2n, time: 30},
  {name: 'other', kind: null, calls: 5n, time: null},
]);

/** @param {string} key @param {boolean} down @param {Row[]} rows */
const titles = (key, down, rows) => groupsOf(rows, grouping, columns, {key, down}).map(({title}) => title);

test('groups have the sums of what adds up, and rows in their order', () => {
  const groups = groupsOf([gemm, add, mul, other], grouping, columns, {key: 'time_ns', down: true});
  assert.deepEqual(
    groups.map(({key, title, rows, sums}) => [key, title, rows.map(({name}) => name), Object.fromEntries(sums)]),
    [
      ['elementwise', 'elementwise', ['add', 'mul'], {calls: 32, time_ns: 70}],
      ['matrix', 'matrix', ['gemm'], {calls: 1, time_ns: 50}],
      ['', '–', ['other'], {calls: 5, time_ns: 0}],
    ],
  );
});

test('groups are ordered by their sums, by their names, else as their first rows', () => {
  assert.deepEqual(titles('time_ns', false, [other, mul, add, gemm]), ['–', 'matrix', 'elementwise']);
  assert.deepEqual(titles('name', false, [add, gemm, mul, other]), ['–', 'elementwise', 'matrix']);
  assert.deepEqual(titles('name', true, [other, mul, gemm, add]), ['matrix', 'elementwise', '–']);
  // A mean does not add up.
  assert.deepEqual(titles('mean_ns', true, [gemm, mul, add, other]), ['matrix', 'elementwise', '–']);
});

test('rows of folded groups have no lines', () => {
  const groups = groupsOf([gemm, add, mul], grouping, columns, {key: 'time_ns', down: true});
  const [elementwise, matrix] = groups;
  assert.deepEqual(
    linesOf(groups, ({key}) => key === 'elementwise'),
    [elementwise, add, mul, matrix],
  );
  assert.deepEqual(
    linesOf(groups, () => false),
    [elementwise, matrix],
  );
  assert.ok(elementwise instanceof RowGroup);
});

test('what is copied counts nothing twice: rows of open groups, sums of folded ones', () => {
  const groups = groupsOf([gemm, add, mul], grouping, columns, {key: 'time_ns', down: true});
  const say = {rows: (/** @type {number} */ count) => `${count} rows`, sum: (/** @type {string} */ part, /** @type {number} */ sum) => `${sum} ${part}`};
  const of = copiedColumns(columns, grouping, say);
  const some = copiedOf(groups, ({key}) => key === 'matrix');
  assert.equal(
    markdownOf(of, some),
    [
      '| Kind | Name | Calls | Time | Mean |',
      '| --- | --- | ---: | ---: | ---: |',
      '| elementwise | 2 rows | 32 count | 70 time |  |',
      '| matrix | gemm | 1 | 50 ns | 50 ns |',
    ].join('\n'),
  );
  assert.equal(tsvOf(of, some), 'kind\tname\tcalls\ttime_ns\tmean_ns\nelementwise\t2 rows\t32\t70\t\nmatrix\tgemm\t1\t50\t50');
  const time = of.findIndex(({key}) => key === 'time_ns');
  for (const open of [[], ['matrix'], ['elementwise', 'matrix']]) {
    const lines = copiedOf(groups, ({key}) => open.includes(key));
    assert.equal(
      lines.reduce((sum, line) => sum + Number(of[time].value(line)), 0),
      120,
      open.join(),
    );
  }
  // The column of the groups may be shown as well.
  const keys = copiedColumns(columns, {...grouping, key: 'name'}, say).map(({key}) => key);
  assert.equal(new Set(keys).size, keys.length, keys.join());
});

test('which groups are open is remembered', () => {
  const folding = new Folding(null);
  assert.equal(folding.by, '');
  folding.choose('kind');
  assert.equal(folding.isOpen('matrix'), false);
  folding.toggle('matrix');
  const again = new Folding(folding.text);
  assert.deepEqual([again.by, again.isOpen('matrix'), again.isOpen('elementwise')], ['kind', true, false]);
  again.all(true);
  again.toggle('matrix');
  const last = new Folding(again.text);
  assert.deepEqual([last.isOpen('matrix'), last.isOpen('elementwise')], [false, true]);
  last.choose('name');
  assert.equal(last.isOpen('elementwise'), false, 'other groups are folded first');
});

test('what is remembered of groups may be anything, and stays small', () => {
  for (const text of ['', '{', '5', 'null', '[]', '{"by": 3}']) assert.equal(new Folding(text).by, '', text);
  const odd = new Folding('{"by": "kind", "open": "yes", "others": ["a", 7, null]}');
  assert.deepEqual([odd.by, odd.isOpen('a'), odd.isOpen('b')], ['kind', true, false]);
  for (let index = 0; index < 5000; index++) odd.toggle(`group ${index}`);
  assert.ok(odd.text.length < 10_000, `${odd.text.length}`);
});

test('sums are written with the units of their columns', () => {
  const wasm = {
    bytes: (/** @type {number | null | undefined} */ value) => `${value} B`,
    count: (/** @type {number | null | undefined} */ value) => `${value}`,
    duration: (/** @type {number | null | undefined} */ value) => `${value} ns`,
    number: (/** @type {number | null | undefined} */ value) => `~${value}`,
    percent: (/** @type {number | null | undefined} */ value) => `${100 * (value ?? 0)} %`,
  };
  const texts = /** @type {const} */ (['time', 'bytes', 'share', 'count']).map((part) => sumText(wasm, part, 0.5));
  assert.deepEqual(texts, ['0.5 ns', '0.5 B', '50 %', '~0.5']);
  assert.equal(sumText(wasm, 'count', 12), '12');
  assert.deepEqual(
    sumsOf(columns, [gemm, other]).map(({title, sum}) => [title, sum]),
    [
      ['Calls', 6],
      ['Time', 50],
    ],
  );
});
