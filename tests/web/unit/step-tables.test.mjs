// The tables of steps: joined into one, shares of the whole, and a curve for each row.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {curvesOf, joined, keyIn, ofNoStep, placeOf, shareWhole, withSteps} from '../../../www/js/page/views/table/described/step-tables.js';
import {TableRows} from '../../../www/js/page/views/table/described/table-rows.js';

/** @typedef {import('../../../www/types/reports.js').TableColumnReport} DescribedColumn */
/** @typedef {import('../../../www/js/protocol/table.js').TableValues} TableValues */

const NO_WHOLE = -(2n ** 63n);

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

const description = {
  id: 'kernels',
  sort: 'total_ns',
  is_ascending: false,
  span: null,
  view: null,
  shown: ['name', 'total_ns'],
  columns: [
    column('name', {unit: 'text', is_number: false}),
    column('grid', {unit: 'extent', show: 'name', is_number: false}),
    column('total_ns', {unit: 'duration', is_part: true}),
    column('share_of_kernel_time', {unit: 'share', is_covered: true}),
    column('cumulative_share_of_kernel_time', {unit: 'share', show: 'data'}),
  ],
};

/** @param {[name: string, grid: string, total: number | bigint][]} rows @returns {TableValues} */
function table(rows) {
  const names = ['', ...new Set(rows.map(([name]) => name))];
  const grids = ['', ...new Set(rows.map(([, grid]) => grid))];
  const isWhole = rows.some(([, , total]) => typeof total === 'bigint');
  const totals = rows.map(([, , total]) => total);
  const shares = () => ({values: new Float64Array(rows.length).fill(1 / rows.length), names: null, coverage: null});
  return {
    id: 'kernels',
    rows: rows.length,
    columns: [
      {values: Uint32Array.from(rows, ([name]) => names.indexOf(name)), names, coverage: null},
      {values: Uint32Array.from(rows, ([, grid]) => grids.indexOf(grid)), names: grids, coverage: null},
      {values: isWhole ? BigInt64Array.from(totals, BigInt) : Float64Array.from(totals, Number), names: null, coverage: null},
      {...shares(), coverage: new Float64Array(rows.length).fill(0.5)},
      shares(),
    ],
  };
}

const steps = [
  table([
    ['gemm', '1,1,1', 50],
    ['add', '', 30],
  ]),
  table([]),
  table([
    ['mul', '', NO_WHOLE],
    ['add', '', 10n],
    ['gemm', '2,1,1', 6n],
  ]),
];
const described = withSteps(description);

test('the tables of steps are one, with the step of each row', () => {
  const rows = new TableRows(described, joined(steps, ['7', '8', '9']));
  const keys = ['step', 'name', 'grid', 'total_ns'];
  assert.deepEqual(
    [...Array(rows.length).keys()].map((row) => keys.map((key) => rows.value(key, row))),
    [
      ['7', 'gemm', '1,1,1', 50],
      ['7', 'add', null, 30],
      ['9', 'mul', null, null],
      ['9', 'add', null, 10],
      ['9', 'gemm', '2,1,1', 6],
    ],
  );
  assert.equal(rows.coverage('share_of_kernel_time', 4), 0.5);
  assert.deepEqual(described.shown, ['name', 'step', 'total_ns']);
  assert.deepEqual(
    [0, 1, 2, 4, 5].map((row) => placeOf(steps, row)),
    [{step: 0, row: 0}, {step: 0, row: 1}, {step: 2, row: 0}, {step: 2, row: 2}, {}],
  );
});

test('steps of one name stay apart', () => {
  const rows = new TableRows(described, joined([steps[0], steps[1], steps[0]], ['eval', 'train', 'eval']));
  const each = [0, 1, 2, 3].map((row) => [rows.value('step', row), rows.place('step', row)]);
  assert.deepEqual(each, [
    ['eval', 1],
    ['eval', 1],
    ['eval', 3],
    ['eval', 3],
  ]);
});

test('a table of no step says nothing of steps', () => {
  const rows = new TableRows(described, ofNoStep(steps[0]));
  assert.deepEqual([rows.value('step', 0), rows.value('name', 0), rows.texts('step')], [null, 'gemm', []]);
});

test('shares are of the time of all steps and of that outside of them', () => {
  const [first] = steps;
  const whole = joined([first, first], ['7', '8']);
  shareWhole(described, whole, 40);
  const rows = new TableRows(described, whole);
  const shares = (/** @type {string} */ key) => [0, 1, 2, 3].map((row) => rows.value(key, row));
  assert.deepEqual(shares('share_of_kernel_time'), [0.25, 0.15, 0.25, 0.15]);
  // Rows of steps have no order in which shares add up.
  assert.deepEqual(shares('cumulative_share_of_kernel_time'), [null, null, null, null]);
  shareWhole(described, whole, undefined);
  assert.deepEqual(shares('share_of_kernel_time'), [null, null, null, null]);
});

test('a row has a value for each step, 0 where the step has no such row', () => {
  const tables = steps.map((step) => new TableRows(description, step));
  const curves = curvesOf(tables, 'total_ns', (rows, row) => keyIn(description, rows, row, []));
  assert.deepEqual(
    [...curves].map(([key, {values}]) => [key, values]),
    [
      ['gemm\n1,1,1', [50, 0, 0]],
      ['add\n', [30, 0, 10]],
      ['mul\n', [0, 0, 0]],
      ['gemm\n2,1,1', [0, 0, 6]],
    ],
  );
  const {lowest, median, highest} = curves.get('add\n') ?? {};
  assert.deepEqual([lowest, median, highest], [0, 10, 30]);
});
