// The tables of every step while a person goes on: they are all of one rank and choice, or there are none. Curves of rows from them.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {columnsOf} from '../../../www/js/page/views/table/arrange.js';
import {EveryStep, RowCurves} from '../../../www/js/page/views/table/described/every-step.js';
import {ofNoStep, withSteps} from '../../../www/js/page/views/table/described/step-tables.js';
import {TableRows} from '../../../www/js/page/views/table/described/table-rows.js';
import {speak} from './lib/page.mjs';

const column = (/** @type {string} */ key) => /** @type {any} */ ({key, unit: key === 'name' ? 'text' : 'duration', show: 'always'});
const described = withSteps(/** @type {any} */ ({id: 'kernels', shown: ['name', 'total_ns'], columns: [column('name'), column('total_ns')]}));

/** @param {Record<string, number>} times by name @returns {any} */
const table = (times) => ({
  id: 'kernels',
  rows: Object.keys(times).length,
  columns: [
    {values: Uint32Array.from(Object.keys(times), (_, place) => place + 1), names: ['', ...Object.keys(times)], coverage: null},
    {values: Float64Array.from(Object.values(times)), names: null, coverage: null},
  ],
});

/** Two ranks of three steps, and requests that are answered one by one. */
function shown() {
  const rank = {steps: [{name: '1'}, {name: '1'}, {name: '2'}]};
  const state = {summary: {ranks: [rank, rank]}, rank: 0, grouping: 'name'};
  const app = /** @type {any} */ ({state, wasm: {duration: (/** @type {number} */ time) => `${time} ns`}});
  /** @type {{asked: any[], answer: (table: any) => void}[]} */
  const requests = [];
  const steps = new EveryStep(
    app,
    (request, rank) => new Promise((answer) => requests.push({asked: [rank, request], answer})),
    () => /** @type {any} */ ({grouping: state.grouping}),
  );
  const answer = async (/** @type {any} */ table) => {
    requests.at(-1)?.answer(table);
    await new Promise((done) => setTimeout(done));
  };
  return {app, state, steps, requests, answer};
}

test('requests keep the rank and the choice with which reading began', async () => {
  const {state, steps, requests, answer} = shown();
  const found = steps.tables;
  assert.equal(steps.tables, found);
  assert.ok(steps.isReading && steps.areOf(found));
  // There and back before an answer: the tables are those that are wanted.
  state.rank = 1;
  state.rank = 0;
  for (const time of [5, 6, 7]) await answer(table({gemm: time}));
  assert.deepEqual(
    requests.map(({asked}) => asked),
    [0, 1, 2].map((step) => [0, {grouping: 'name', step}]),
  );
  assert.equal((await found)?.length, 3);
  assert.equal(steps.isReading, false);
  assert.equal(steps.tables, found);
});

for (const [name, change] of /** @type {const} */ ([
  ['rank', {rank: 1}],
  ['grouping', {grouping: 'shapes'}],
  ['trace', {summary: {ranks: [{steps: [{name: '1'}, {name: '2'}]}]}}],
])) {
  test(`with another ${name}, reading is given up and forgotten`, async () => {
    const {state, steps, requests, answer} = shown();
    const before = {...state};
    const found = steps.tables;
    await answer(table({gemm: 5}));
    Object.assign(state, change);
    assert.equal(steps.areOf(found), false);
    await answer(table({gemm: 6}));
    assert.equal(await found, undefined);
    assert.equal(requests.length, 2);
    Object.assign(state, before);
    assert.notEqual(steps.tables, found, 'it is asked for again');
  });
}

test('after a failed request, tables can be asked for again', async () => {
  const {steps, answer} = shown();
  const found = steps.tables;
  await answer(undefined);
  assert.equal(await found, null);
  assert.equal(steps.isReading, false);
  assert.notEqual(steps.tables, found);
});

test('a curve has a value to sort by once it is there', async () => {
  await speak('en');
  const {app, state, steps, requests, answer} = shown();
  let changes = 0;
  const curves = new RowCurves(app, described, {steps, of: () => 'total_ns'}, () => changes++);
  let rows = new TableRows(described, ofNoStep(table({gemm: 9, outside: 1})));
  const curve = curves.column(() => rows);
  const read = () => [0, 1].map((row) => [curve.value(row), curve.text(row)]);
  const draw = () => assert.equal(curve.picture?.(0), null);
  const unread = [
    [null, '…'],
    [null, '…'],
  ];
  assert.deepEqual(columnsOf([curve], [0, 1], false), [curve], 'the column is there before its values');
  draw();
  assert.deepEqual(read(), unread);
  await answer(undefined);
  const failed = [
    [null, '–'],
    [null, '–'],
  ];
  assert.deepEqual([read(), changes], [failed, 1]);
  draw();
  assert.equal(requests.length, 1, 'drawing does not ask again');
  rows = new TableRows(described, ofNoStep(table({gemm: 9, outside: 1})));
  draw();
  for (const time of [3, 4, 2]) await answer(table({gemm: time}));
  assert.deepEqual(
    [read(), changes],
    [
      [
        [4, '2 ns – 4 ns'],
        [null, '–'],
      ],
      2,
    ],
  );
  state.rank = 1;
  assert.deepEqual(read(), unread, 'not those of another rank');
});

test('where steps are too many for curves, the column says so and asks for nothing', async () => {
  await speak('en');
  const {app, state, steps, requests} = shown();
  state.summary.ranks[0] = {steps: Array.from({length: 101}, (_, step) => ({name: String(step)}))};
  const rows = new TableRows(described, ofNoStep(table({gemm: 9})));
  const curve = new RowCurves(app, described, {steps, of: () => 'total_ns'}, () => {}).column(() => rows);
  assert.deepEqual(columnsOf([curve], [0], false), [curve], 'it can be chosen');
  assert.deepEqual([curve.picture?.(0), curve.text(0), curve.value(0)], [null, 'more than 100 steps', null]);
  assert.equal(requests.length, 0);
});
