// The map of ranks by steps, and which rank another one is compared with.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {spotAfter} from '../../../www/js/page/views/ranks/grid-keys.js';
import {PARTS, checksOf, isNoted, partsOf, peerOf} from '../../../www/js/page/views/ranks/metrics.js';
import {latest, stepCells} from '../../../www/js/page/views/ranks/step-cells.js';

/** @param {(number | null)[]} own @param {string[]} [names] @param {number | null} [stage] */
const rank = (own, names = own.map((_, step) => String(step)), stage = null) => ({stage, names, own});
/** @param {import('../../../www/js/page/views/ranks/step-cells.js').StepCells} found */
const above = ({cells}) => cells.map((line) => line.map((cell) => (cell && cell.above !== null ? Math.round(cell.above * 100) : null)));

test('a cell says how far a rank is above the median of its peers', () => {
  const found = stepCells([rank([null, 10, 10]), rank([null, 10, 30]), rank([null, 20, 10])], 40);
  assert.deepEqual(found.steps, ['1', '2'], 'a step of which no rank has an own time is left out');
  assert.deepEqual(above(found), [
    [0, 0],
    [0, 200],
    [100, 0],
  ]);
  assert.deepEqual(found.cells[1][1], {own: 30, usual: 10, above: 2, step: 2});
});

test('ranks of other stages are no peers', () => {
  const found = stepCells([rank([10], ['a'], 0), rank([12], ['a'], 0), rank([100], ['a'], 1)], 40);
  assert.deepEqual(above(found), [[-9], [9], [null]], 'alone in its stage it is compared with none');
});

test('steps are those of the same name, wherever each rank has them', () => {
  const found = stepCells([rank([10, 20], ['#1', '#2']), rank([30, 10], ['#2', '#1'])], 40);
  assert.deepEqual(found.steps, ['#1', '#2']);
  assert.deepEqual(
    found.cells.map((line) => line.map((cell) => [cell?.own, cell?.step])),
    [
      [
        [10, 0],
        [20, 1],
      ],
      [
        [10, 1],
        [30, 0],
      ],
    ],
  );
  const repeated = stepCells([rank([10, 20], ['step', 'step']), rank([1, 2, 3], ['step', 'step', 'step'])], 40);
  assert.deepEqual(repeated.steps.length, 3, 'names that occur twice are taken by their order');
  assert.equal(repeated.cells[0][2], null);
});

test('of many steps neighbours share a cell', () => {
  const found = stepCells([rank([1, 3, 5, 7, 9]), rank([null, 3, 5, 7, 9])], 2);
  assert.deepEqual(found.steps, ['0 – 2', '3 – 4']);
  assert.deepEqual(
    found.cells.map((line) => line.map((cell) => cell?.own)),
    [
      [3, 8],
      [4, 8],
    ],
    'the mean of those that are known',
  );
});

test('the ranks that are furthest above stay in their order', () => {
  const found = stepCells([rank([10]), rank([30]), rank([10]), rank([20]), rank([10])], 40);
  assert.deepEqual(latest(found, 2), [1, 3]);
  assert.deepEqual(latest(found, 9), [0, 1, 2, 3, 4]);
});

/** @param {number} number @param {object} [more] */
const row = (number, more = {}) =>
  /** @type {import('../../../www/types/reports.js').JobRankReport} */ (
    /** @type {unknown} */ ({rank: number, stage: null, own_ns: number, step_ns: 100, marks: [], ...more})
  );

test('a rank is compared with one in the middle that does the same', () => {
  const slow = row(9, {marks: [{column: 'own', rule: '', by: 1}]});
  const rows = [row(1), row(2), row(3), slow, row(4, {stage: 1}), row(5, {repeated: true}), row(6, {apart: 'other_time'}), row(7, {source: 'tables'})];
  assert.equal(peerOf(rows, slow)?.rank, 2);
  assert.equal(peerOf(rows, rows[1])?.rank, 1, 'never with itself, and not with the slow one');
  assert.equal(peerOf([slow, row(1, {marks: [{column: 'compute', rule: '', by: 1}]})], slow)?.rank, 1, 'with a marked one if there is no other');
  assert.equal(peerOf([slow], slow), undefined);
});

test('a check that an outlier belies has not passed', () => {
  const walk = (/** @type {string} */ name) =>
    /** @type {import('../../../www/types/reports.js').DrillDownStepReport} */ (/** @type {unknown} */ ({step: 'metric', name}));
  const marked = {ranks: [row(1), row(2, {marks: [{column: 'compute', rule: '', by: 1}]})]};
  assert.deepEqual(
    ['own', 'compute', 'tail'].map((name) => isNoted(walk(name), marked)),
    [false, true, false],
  );
  assert.ok(isNoted(walk('own'), {ranks: [], slow_alone: [{rank: 1, longer_share: 1, waiting_share: 0, straggler_above: 0.5, text: ''}]}));
  assert.ok(!isNoted({...walk('own'), step: 'entry'}, marked));
});

test('a number of a late rank, or one that ranks differ in, is no passed check', () => {
  const numbers = (/** @type {number[]} */ ...[least, mean, most]) => ({least: {value: least}, mean: {value: mean}, most: {value: most}});
  const step = (/** @type {string} */ name, /** @type {number} */ rank, /** @type {object} */ values, {off = false, checked = true, uneven = false} = {}) => ({
    step: 'metric',
    name,
    off,
    checked,
    ranks: [rank],
    numbers: values,
    uneven,
  });
  const walk = [
    {step: 'entry', off: true, numbers: {}},
    step('own', 2, numbers(90, 100, 130), {off: true, uneven: true}),
    step('iteration_interval', 1, numbers(10, 10, 10)),
    step('forward_and_backward', 2, numbers(95, 100, 105), {checked: false}),
    step('tail', 1, numbers(2, 8, 10), {checked: false, uneven: true}),
    step('compute', 2, numbers(90, 100, 130), {uneven: true}),
    {step: 'parallel', off: false, numbers: {size: {value: 2}}},
    step('receive_alone', 1, numbers(0, 0, 0)),
  ];
  const ranks = [row(1), row(2, {marks: [{column: 'compute', rule: '', by: 1}]})];
  const of = (/** @type {object[]} */ steps, more = {}) =>
    /** @type {import('../../../www/types/reports.js').JobReport} */ (/** @type {unknown} */ ({drill_down: steps, ranks, ...more}));
  const job = of(walk);
  const names = (/** @type {{name?: string, step: string}[]} */ steps) => steps.map(({name, step}) => name ?? step);
  const found = checksOf(job, [{place: 'rank', ranks: [2]}]);
  assert.deepEqual(names(found.noted), ['compute']);
  assert.deepEqual(names(found.other), ['forward_and_backward', 'tail']);
  assert.deepEqual(names(found.fine), ['iteration_interval', 'parallel', 'receive_alone']);
  assert.deepEqual(names(checksOf(job, []).other), ['forward_and_backward', 'tail'], 'where none is late, what is uneven or has no rule');
  const apart = (/** @type {boolean} */ checked) => [
    {step: 'entry', off: false, numbers: {}},
    step('own', 1, numbers(99, 100, 101), {checked}),
    step('iteration_interval', 1, numbers(9, 10, 11)),
  ];
  const lists = (/** @type {ReturnType<typeof checksOf>} */ {other, fine}) => [names(other), names(fine)];
  assert.deepEqual(lists(checksOf(of(apart(true)), [])), [['entry'], ['own', 'iteration_interval']], 'the job is no check');
  assert.deepEqual(lists(checksOf(of(apart(false)), [])), [['entry', 'own'], ['iteration_interval']], 'nothing checks its own time');
  const parts = {step: 'metric', name: 'collective_parts', off: false, ranks: [1, 2], checked: false, numbers: {wait: {value: 0.615}}};
  const stage = {...step('stage_time', 2, numbers(123, 149, 175)), ranks: [2, 3]};
  const staged = of([parts, stage, step('compute_in_stage', 2, numbers(9, 10, 11))], {ranks: [0, 1, 2, 3].map((one) => row(one))});
  assert.deepEqual(lists(checksOf(staged, [{place: 'stage', ranks: [2, 3]}])), [['collective_parts', 'stage_time', 'compute_in_stage'], []]);
  assert.deepEqual(lists(checksOf(staged, [])), [['collective_parts'], ['stage_time', 'compute_in_stage']]);
});

test("the parts of a rank's bar add up to its step", () => {
  const host = row(0, {step_ns: 41_651_082, compute_ns: 22_505_154, exposed_communication_ns: 6_679_097, exposed_memcpy_ns: 0, idle_ns: null});
  assert.deepEqual(partsOf(host, PARTS), [22_505_154, 6_679_097, 0, 0, 12_466_831]);
  const full = row(1, {step_ns: 10, compute_ns: 6, exposed_communication_ns: 1, exposed_memcpy_ns: 1, idle_ns: 3});
  assert.deepEqual(partsOf(full, PARTS), [6, 1, 1, 3, 0], 'means that are rounded leave no negative rest');
  const told = row(2, {step_ns: 10, compute_ns: null, exposed_communication_ns: null, exposed_memcpy_ns: null, idle_ns: null});
  assert.deepEqual(partsOf(told, PARTS), [0, 0, 0, 0, 0], 'a rank of which no part is known has no bar');
});

test('keys lead from cell to cell, and stay within the table', () => {
  const sizes = [3, 7, 7];
  const after = (/** @type {string} */ key, /** @type {number} */ line, /** @type {number} */ place, ctrlKey = false) => {
    const to = spotAfter({key, ctrlKey}, {line, place}, sizes);
    return to && [to.line, to.place];
  };
  assert.deepEqual(after('ArrowRight', 1, 2), [1, 3]);
  assert.deepEqual(after('ArrowRight', 1, 6), [1, 6]);
  assert.deepEqual(after('ArrowUp', 1, 6), [0, 2], 'a shorter line');
  assert.deepEqual(after('ArrowUp', 0, 2), [0, 2]);
  assert.deepEqual(after('Home', 2, 4), [2, 0]);
  assert.deepEqual(after('End', 1, 4, true), [2, 6]);
  assert.deepEqual(after('PageDown', 0, 1), [2, 1]);
  assert.equal(after('Enter', 0, 0), null);
  assert.equal(after('toString', 0, 0), null);
});
