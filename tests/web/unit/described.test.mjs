// Tables as the analyzer describes them: values by columns, headings, cells, names, details.

import assert from 'node:assert/strict';
import {before, test} from 'node:test';

import {DescribedColumns} from '../../../www/js/page/views/table/described/described-columns.js';
import {TableRows} from '../../../www/js/page/views/table/described/table-rows.js';
import {speak} from './lib/page.mjs';

/** @typedef {import('../../../www/types/reports.js').TableColumnReport} DescribedColumn */
/** @typedef {import('../../../www/js/protocol/table.js').ColumnValues} ColumnValues */

const NO_WHOLE = -(2n ** 63n);
const wasm = {
  kernel_names: (/** @type {string[]} */ names) => names.map((name) => name.replace(/<.*/, '')),
  is_enough: (/** @type {number} */ coverage) => coverage >= 0.8,
  number_text: (/** @type {string} */ unit, /** @type {number} */ value) => `${value} ${unit}`,
  percent: (/** @type {number | null | undefined} */ share) => `${Math.round((share ?? 0) * 100)} %`,
};

/** @param {string} key @param {Partial<DescribedColumn>} [more] @returns {DescribedColumn} */
const column = (key, more = {}) => ({
  key,
  unit: 'count',
  words: null,
  unit_key: null,
  is_number: true,
  is_covered: false,
  show: 'always',
  bar: null,
  part_of: null,
  is_part: false,
  is_of_device: false,
  is_event: false,
  with: null,
  order: null,
  is_ranked: false,
  ...more,
});
/** @param {ColumnValues['values']} values @param {Partial<ColumnValues>} [more] @returns {ColumnValues} */
const values = (values, more = {}) => ({values, names: null, coverage: null, ...more});
/** @param {string[]} names without the empty one, which stands for none @param {...number} places */
const texts = (names, ...places) => values(Uint32Array.from(places), {names: ['', ...names]});

/** Three kernels: one with all values, one with none, one known for half of the time. */
const described = {
  id: 'kernels',
  sort: 'total_ns',
  is_ascending: false,
  span: null,
  view: null,
  shown: ['name', 'calls', 'total_ns', 'occupancy_percent', 'tensor_core_use'],
  columns: [
    column('name', {unit: 'text', is_number: false}),
    column('grid', {unit: 'extent', show: 'name', is_number: false}),
    column('block', {unit: 'extent', show: 'name', is_number: false}),
    column('stack', {unit: 'lines', show: 'name', is_number: false}),
    column('calls', {bar: 'share_of_kernel_time'}),
    column('total_ns', {unit: 'duration', is_part: true, bar: ''}),
    column('occupancy_percent', {unit: 'percent', is_covered: true, is_of_device: true}),
    column('tensor_core_use', {unit: 'word', words: 'tensor_cores', is_number: false}),
    column('is_short', {unit: 'flag', show: 'data'}),
    column('share_of_kernel_time', {unit: 'share', show: 'wide'}),
    column('limits.blocks', {show: 'data'}),
    column('limits.reason', {unit: 'text', show: 'data', is_number: false}),
  ],
};
const table = {
  id: 'kernels',
  rows: 3,
  columns: [
    texts(['gemm', 'add'], 1, 2, 1),
    texts(['128,1,1', '4,2,1'], 1, 0, 2),
    texts(['256,1,1'], 1, 0, 1),
    texts(['main\ntrain\nforward'], 1, 0, 0),
    values(BigInt64Array.from([3n, NO_WHOLE, 2n ** 60n])),
    values(Float64Array.from([500, NaN, 1000])),
    values(Float64Array.from([40, NaN, 60]), {coverage: Float64Array.from([0.9, NaN, 0.5])}),
    texts(['yes', 'no'], 1, 0, 2),
    values(Float64Array.from([1, NaN, 0])),
    values(Float64Array.from([0.25, NaN, 0.5])),
    values(Float64Array.from([7, NaN, NaN])),
    texts(['registers'], 1, 0, 0),
  ],
};

const rows = new TableRows(described, table);
/** @type {DescribedColumns} */
let columns;
before(async () => {
  await speak();
  columns = new DescribedColumns(described, wasm, 'nvidia');
  columns.rows = rows;
});

/** @param {string} key */
const shown = (key) => /** @type {NonNullable<ReturnType<typeof columns.shown.find>>} */ (columns.shown.find((one) => one.key === key));
/** Values of a column for each row. @template Value @param {(row: number) => Value} of */
const each = (of) => [0, 1, 2].map(of);

test('values come by columns as in JSON, with nothing where nothing is known', () => {
  const all = (/** @type {string} */ key) => each((row) => rows.value(key, row));
  assert.deepEqual(all('name'), ['gemm', 'add', 'gemm']);
  assert.deepEqual(all('calls'), [3n, null, 2n ** 60n]);
  assert.deepEqual(all('total_ns'), [500, null, 1000]);
  assert.deepEqual(all('is_short'), [true, null, false]);
  assert.deepEqual(all('no such column'), [null, null, null]);
  assert.deepEqual(
    each((row) => rows.coverage('occupancy_percent', row)),
    [0.9, null, 0.5],
  );
  assert.deepEqual(rows.texts('tensor_core_use'), ['yes', 'no']);
  assert.deepEqual([rows.largest('total_ns'), rows.largest('occupancy_percent'), rows.largest('limits.blocks'), rows.largest('name')], [1000, 60, 7, NaN]);
});

test('people see short names of kernels, data and details the whole', () => {
  const one = {...described, columns: [column('name', {unit: 'kernel_name', is_number: false})], shown: ['name']};
  const made = new DescribedColumns(one, wasm, 'nvidia');
  made.rows = new TableRows(one, {id: 'kernels', rows: 2, columns: [texts(['gemm<float>', 'add'], 1, 2)]});
  const [name] = made.shown;
  assert.deepEqual([name.text(0), name.text(1)], ['gemm', 'add']);
  assert.deepEqual([name.whole?.(0), name.value?.(0)], ['gemm<float>', 'gemm<float>']);
  assert.deepEqual([name.order?.(0), name.order?.(1)], ['gemm', 'add'], 'sorted as they are seen');
  assert.deepEqual(made.detail(0)[0][1], 'gemm<float>');
  assert.ok(made.searched(0).includes('gemm<float>'));
  assert.equal(made.saved[0].text(0), 'gemm<float>');
});

test('a row is the object that JSON has of it', () => {
  assert.deepEqual(rows.object(0), {
    name: 'gemm',
    grid: [128, 1, 1],
    block: [256, 1, 1],
    stack: ['main', 'train', 'forward'],
    calls: 3n,
    total_ns: 500,
    occupancy_percent: 40,
    occupancy_percent_coverage: 0.9,
    tensor_core_use: 'yes',
    is_short: true,
    share_of_kernel_time: 0.25,
    limits: {blocks: 7, reason: 'registers'},
  });
  assert.equal('limits' in rows.object(1), false, 'nothing is known of it: there is no object');
});

test("columns stand in the description's order, with headings and meanings in words", () => {
  assert.deepEqual(
    columns.shown.map(({key}) => key),
    described.shown,
  );
  for (const {key, title, why} of columns.shown) assert.ok(title && title !== key && (key === 'name' || why), key);
  assert.match(shown('tensor_core_use').why ?? '', /tensor cores/, "the meaning names the vendor's units");
  assert.match(new DescribedColumns(described, wasm, 'amd').shown[4].why ?? '', /matrix cores/);
  assert.deepEqual(
    columns.shown.map(({left, ofDevice, optional, part}) => [left, ofDevice, optional, part]),
    [
      [true, false, false, undefined],
      [false, false, true, undefined],
      [false, false, true, 'time'],
      [false, true, true, undefined],
      [true, false, true, undefined],
    ],
  );
});

test('rows are grouped by texts that several of them have in common', () => {
  const groupings = columns.groupings;
  assert.deepEqual(
    groupings.map(({key, title}) => [key, title]),
    [
      ['name', shown('name').title],
      ['tensor_core_use', shown('tensor_core_use').title],
    ],
    'neither by numbers and sizes, nor by stacks',
  );
  assert.deepEqual(
    each((row) => groupings.map(({of}) => of(row))),
    [
      ['gemm', 'yes'],
      ['add', '–'],
      ['gemm', 'no'],
    ],
  );
  assert.equal(groupings[1].text(1), '–');
  const [first] = described.columns;
  const alone = new DescribedColumns({...described, columns: [first]}, wasm, 'nvidia');
  alone.rows = new TableRows({...described, columns: [first]}, {...table, columns: [texts(['a', 'b', 'c'], 1, 2, 3)]});
  assert.deepEqual(alone.groupings, [], 'each row would be a group');
});

test('a share adds up where it is the bar of what adds up', () => {
  const share = column('share_of_kernel_time', {unit: 'share'});
  const of = (/** @type {string} */ bar) => ({
    ...described,
    shown: ['share_of_kernel_time'],
    columns: [column('total_ns', {unit: 'duration', is_part: true, bar}), share],
  });
  assert.deepEqual(
    ['share_of_kernel_time', ''].map((bar) => new DescribedColumns(of(bar), wasm, 'nvidia').shown[0].part),
    ['share', undefined],
  );
});

test('what is known for too little of the time is neither shown as a number nor sorted by', () => {
  const {text, value} = shown('occupancy_percent');
  assert.deepEqual(each(text), ['40 percent', '–', 'known for only 50 % of its time']);
  assert.deepEqual(each(value), [40, null, null]);
});

test('bars are shares of another column, or of the largest value', () => {
  const close = (/** @type {number[]} */ found, /** @type {number[]} */ wanted) => found.every((one, index) => Math.abs(one - wanted[index]) < 1e-9);
  assert.ok(
    close(
      each((row) => shown('calls').share?.(row) ?? NaN),
      [0.25, 0, 0.5],
    ),
  );
  assert.ok(
    close(
      each((row) => shown('total_ns').share?.(row) ?? NaN),
      [0.5, 0, 1],
    ),
  );
  assert.equal(shown('occupancy_percent').share, undefined);
});

test('a part stands with its share of the whole, and a column that is seldom used is left out where it is zero', () => {
  const keys = ['window_ns', 'busy_ns', 'start_late_ns'];
  const parts = {
    ...described,
    id: 'idle',
    shown: keys,
    columns: keys.map((key) =>
      column(key, {unit: 'duration', ...(key !== 'window_ns' && {part_of: 'window_ns'}), show: key === 'start_late_ns' ? 'seldom' : 'always'}),
    ),
  };
  const of = (/** @type {[number, number, number][]} */ all) => {
    const made = new DescribedColumns(parts, wasm, 'nvidia');
    made.rows = new TableRows(parts, {id: 'idle', rows: all.length, columns: keys.map((_, place) => values(Float64Array.from(all, (row) => row[place])))});
    return made;
  };
  const [, busy, late] = of([[200, 50, 0]]).shown;
  assert.deepEqual([busy.text(0), busy.seldom, late.seldom], ['50 duration · 25 %', false, true]);
  assert.equal(of([[0, 0, 0]]).shown[1].text(0), '0 duration · 0 %');
  const has = (/** @type {number} */ time) => of([[200, 50, time]]).hasAny('start_late_ns', true);
  assert.deepEqual([has(0), has(3)], [false, true]);
});

test('a name says what tells a row from others of it; a search finds that, and the whole stack', () => {
  const {text, whole} = shown('name');
  assert.deepEqual(each(text), ['gemm · 128 × 256 at forward', 'add', 'gemm · 4,2 × 256']);
  assert.equal(whole?.(0), 'gemm · 128 × 256 at forward\nmain\ntrain\nforward');
  assert.match(columns.searched(0), /train/);
  assert.doesNotMatch(columns.searched(1), /forward/);
});

test('details say all that is known and has a heading, or what else is said of it', () => {
  const detail = columns.detail(0);
  assert.deepEqual(
    detail.slice(0, 3).map(([, value]) => value),
    ['gemm', '3 count', '500 duration'],
  );
  assert.ok(
    detail.some(([, value]) => value.includes('main\ntrain\nforward')),
    'what tells a row from others has lines of its own',
  );
  assert.ok(columns.detail(1).length < detail.length);
  assert.ok(detail.every(([heading, value]) => heading && value));
  const said = columns.detail(0, (row) => ({
    texts: {calls: `${row.calls} calls`},
    more: [
      ['More', 'said'],
      ['Less', ''],
    ],
  }));
  assert.equal(said[1][1], '3 calls');
  assert.deepEqual(said[said.length - 1], ['More', 'said'], 'nothing is left out');
  assert.equal(said.length, detail.length + 1);
});

test('the CSV has every column with its values as in JSON, and coverage beside what is covered', () => {
  assert.deepEqual(
    columns.saved.map(({key}) => key),
    [...described.columns.slice(0, 7).map(({key}) => key), 'occupancy_percent_coverage', ...described.columns.slice(7).map(({key}) => key)],
  );
  const csv = Object.fromEntries(columns.saved.map(({key, value}) => [key, each(value)]));
  assert.deepEqual(
    [csv.occupancy_percent, csv.occupancy_percent_coverage, csv.is_short, csv.calls],
    [
      [40, null, 60],
      [0.9, null, 0.5],
      ['true', null, 'false'],
      [3n, null, 2n ** 60n],
    ],
  );
  assert.deepEqual(each(columns.saved[4].text), ['3', '', '1152921504606846976']);
});

test('without rows there are columns', () => {
  const empty = new DescribedColumns(described, wasm, undefined);
  assert.deepEqual([empty.shown[1].text(0), empty.shown[1].value(0), empty.shown[2].share?.(0)], ['–', null, 0]);
});

test('rows without a name are found by their words, and told apart by them and by when they begin', () => {
  const gaps = {
    id: 'idle[].long_gaps.longest',
    sort: 'length_ns',
    is_ascending: false,
    span: /** @type {[string, string]} */ (['start_ns', 'length_ns']),
    view: null,
    shown: ['cause', 'after.name', 'device', 'length_ns'],
    columns: [
      column('device', {unit: 'id'}),
      column('start_ns', {unit: 'duration', show: 'data'}),
      column('length_ns', {unit: 'duration'}),
      column('cause', {unit: 'word', words: 'budget.leaf', is_number: false}),
      column('after.name', {unit: 'kernel_name', is_number: false}),
    ],
  };
  const columns = new DescribedColumns(gaps, wasm, undefined);
  columns.rows = new TableRows(gaps, {
    id: gaps.id,
    rows: 2,
    columns: [
      values(Float64Array.of(0, 0)),
      values(Float64Array.of(10, 90)),
      values(Float64Array.of(5, 5)),
      texts(['python'], 1, 1),
      texts(['gemm<float>'], 1, 1),
    ],
  });
  assert.match(columns.searched(0), /Python.*gemm.*gemm<float>/);
  assert.doesNotMatch(columns.searched(0), /–/);
  assert.notEqual(columns.identity(0), columns.identity(1), 'alike but for their starts');
});
