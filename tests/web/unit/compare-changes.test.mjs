// Comparison: waterfall of changes, spread of steps, and names of both sides beside each other.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {byBudget, byCategory, byName, inCommon, isApart, ownTime, spreadOf, verdictOf} from '../../../www/js/page/views/compare/changes.js';
import {sideNames} from '../../../www/js/page/views/compare/sides.js';
import {paired, pairedCalls, sumsOfCalls} from '../../../www/js/page/views/compare/paired.js';

/** @param {number} length @param {any[]} branches @param {object} [more] @returns {any} */
const budget = (length, branches, more = {}) => ({budget: {windows: 'steps', length_ns: length, branches, ...more}, causes: []});

/** @param {import('../../../www/js/page/views/compare/changes.js').Changes | null} changes */
function assertAddsUp(changes) {
  assert.ok(changes);
  assert.equal(
    changes.parts.reduce((sum, {change}) => sum + change, changes.a),
    changes.b,
  );
}

test('leaves that only one side has, and branches whose leaf is not named, add up', () => {
  const a = budget(120, [
    {branch: 'compute', class: 'kernel', mean_ns: 60},
    {
      branch: 'idle',
      class: 'idle',
      mean_ns: 60,
      leaves: [
        {leaf: 'data', mean_ns: 45},
        {leaf: 'launch', mean_ns: 15},
      ],
    },
  ]);
  const b = budget(160, [
    {
      branch: 'compute',
      class: 'kernel',
      mean_ns: 90,
      leaves: [
        {leaf: 'limit', mean_ns: 50},
        {leaf: 'beyond', mean_ns: 40},
      ],
    },
    {branch: 'communication', class: 'communication', mean_ns: 70},
  ]);
  const changes = byBudget(a, b);
  assertAddsUp(changes);
  assert.deepEqual(
    changes?.parts.map(({key, change}) => [key, change]),
    [
      ['budget.branch.communication', 70],
      ['budget.leaf.data', -45],
      ['budget.branch.compute', 30],
      ['budget.leaf.launch', -15],
    ],
  );
});

test('leaves of communication and copies are named behind their branch', () => {
  const of = (/** @type {number} */ time) =>
    budget(time + 100, [
      {branch: 'exposed_copies', class: 'memcpy', mean_ns: time, leaves: [{leaf: 'copy_on_device', mean_ns: time}]},
      {
        branch: 'idle',
        class: 'idle',
        mean_ns: 100,
        leaves: [
          {leaf: 'python', mean_ns: 100 - time},
          {leaf: 'operator', mean_ns: time},
        ],
      },
    ]);
  const named = byBudget(of(30), of(80))?.parts.map(({of, key}) => [of, key]);
  assert.deepEqual(named?.[0], ['budget.branch.exposed_copies', 'budget.leaf.copy_on_device']);
  assert.deepEqual(
    named?.slice(1).map(([of]) => of),
    [undefined, undefined],
  );
});

test('budgets of other windows are not compared', () => {
  assert.equal(byBudget(budget(1, []), undefined), null);
  assert.equal(byBudget(budget(1, []), budget(1, [], {windows: 'trace'})), null);
  // A side without a device has no budget to compare.
  assert.equal(byBudget(budget(0, []), budget(0, [])), null);
  assert.equal(byBudget(budget(1, []), budget(1, [], {shares_of: 'periods'})), null);
  // A recorded part of a step is not the same work as whole steps.
  assert.equal(byBudget(budget(1, [], {shares_of: 'recorded'}), budget(1, [])), null);
});

test('small parts and what rounding leaves are put together', () => {
  const time = (/** @type {number} */ change) => ({a_ns: 0, b_ns: change, change_ns: change});
  const diff = /** @type {any} */ ({
    step: {a_ns: 1000, b_ns: 2003, change_ns: 1003},
    categories: [
      {category: 'kernel', time: time(1000)},
      {category: 'cpu', time: time(2)},
      {category: 'memcpy', time: time(0)},
    ],
    contributions: Array.from({length: 40}, (_, index) => ({category: 'cpu', name: `n${index}`, shapes: '', time: time(25)})),
  });
  const changes = byCategory(diff);
  assertAddsUp(changes);
  assert.deepEqual(
    changes.parts.map(({key, change}) => [key, change]),
    [
      ['category.kernel', 1000],
      ['compare.small', 3],
    ],
  );
  const names = byName(diff);
  assertAddsUp(names);
  assert.equal(names.parts.length, 15);
});

test('the middle half of steps, of enough of them', () => {
  assert.equal(spreadOf([1, 2, 3]), null);
  assert.deepEqual(spreadOf([50, 10, 30, 20, 40]), {median: 30, low: 20, high: 40});
  assert.ok(isApart({median: 2, low: 1, high: 3}, {median: 5, low: 4, high: 6}));
  assert.ok(!isApart({median: 2, low: 1, high: 4}, {median: 5, low: 4, high: 6}));
});

test('a name that one side lacks has nothing there', () => {
  const rows = paired(new Map([['x', {calls: 1, time: 10}]]), new Map([['y', {calls: 2, time: 4}]]));
  assert.deepEqual(rows, [
    {name: 'x', calls: {a: 1, b: 0}, a: 10, b: 0, change: -10},
    {name: 'y', calls: {a: 0, b: 2}, a: 0, b: 4, change: 4},
  ]);
});

test('functions are paired without addresses and lines, and a nested call adds no time', () => {
  /** @param {[name: string, parent: number, total: number][]} nodes @returns {any} */
  const report = (nodes) => {
    const names = [...new Set(nodes.map(([name]) => name))];
    const totals = nodes.map(([, , total]) => total);
    const own = {host_ns: totals, host_self_ns: totals, device_ns: totals, device_self_ns: totals, longest_ns: totals, longest: totals.map(() => -1)};
    return {
      names,
      steps: 2,
      nodes: {name: nodes.map(([name]) => names.indexOf(name)), parent: nodes.map(([, parent]) => parent), calls: totals.map(() => 2), ...own},
    };
  };
  const a = report([
    ['thread', -1, 30],
    ['module.py(1743): _call_impl', 0, 30],
    ['<built-in method mm of X object at 0x7f01>', 1, 20],
    ['<built-in method mm of X object at 0x7f02>', 2, 5],
  ]);
  const b = report([
    ['thread', -1, 24],
    ['module.py(1755): _call_impl', 0, 24],
    ['<built-in method mm of X object at 0x55aa>', 1, 14],
  ]);
  const rows = pairedCalls(sumsOfCalls(a, 'host'), sumsOfCalls(b, 'host'));
  assert.deepEqual(rows, [
    {name: 'module.py(1755): _call_impl', calls: {a: 1, b: 1}, a: 30, b: 24, change: -6},
    {name: '<built-in method mm of X object>', calls: {a: 2, b: 1}, a: 20, b: 14, change: -6},
  ]);
});

test('how much of the time has names that both sides have', () => {
  const time = (/** @type {number} */ a, /** @type {number} */ b) => ({a_ns: a, b_ns: b, change_ns: b - a});
  const operator = (/** @type {number} */ a, /** @type {number} */ b) => ({host_self: time(a, b)});
  const part = (/** @type {string} */ category, /** @type {number} */ a, /** @type {number} */ b) => ({category, time: time(a, b)});
  const of = (/** @type {any[]} */ operators, /** @type {any[]} */ contributions) => inCommon({operators, contributions});
  assert.deepEqual(of([operator(30, 50), operator(20, 0)], [part('kernel', 0, 10), part('kernel', 10, 20), part('other', 5, 0)]), {
    operators: 0.8,
    kernels: 0.75,
  });
  assert.deepEqual(of([operator(0, 0)], [part('cpu', 7, 7)]), {operators: null, kernels: null});
});

test('a change within the spread over steps is not clear, nor one in which mean and median disagree', () => {
  const [low, high, wide] = [
    {median: 2, low: 1, high: 3},
    {median: 5, low: 4, high: 6},
    {median: 3, low: 2, high: 5},
  ];
  assert.deepEqual(verdictOf(3, low, high), {kind: 'longer', why: 'apart'});
  assert.deepEqual(verdictOf(-3, high, low), {kind: 'shorter', why: 'apart'});
  assert.deepEqual(verdictOf(1, low, wide), {kind: 'unclear', why: 'within'});
  assert.deepEqual(verdictOf(-1, low, high), {kind: 'unclear', why: 'mixed'});
  assert.deepEqual(verdictOf(-1, null, high), {kind: 'shorter', why: 'few'});
  assert.deepEqual(verdictOf(0, low, low), {kind: 'same', why: 'within'});
});

test('sides have the names of their ranks in one run, else what the names of their files have that differs', () => {
  const of = (/** @type {[string, number | null]} */ shown, /** @type {[string, number | null]} */ other, isOneRun = false, longest = 14) => {
    const names = sideNames({input: shown[0], rank: shown[1]}, {input: other[0], rank: other[1]}, isOneRun, (rank) => `rank ${rank}`, longest);
    return names && [names.shown, names.other];
  };
  assert.deepEqual(of(['a/r0.json', 0], ['a/r5.json', 5], true), ['rank 0', 'rank 5']);
  assert.deepEqual(of(['a/r0.json', 0], ['a/r5.json', 5]), ['r0', 'r5']);
  assert.deepEqual(of(['run/before.pt.trace.json.gz', 0], ['after.json', 0]), ['before', 'after']);
  assert.deepEqual(of(['before/rank0.json', 0], ['after/rank0.json', 0]), ['before', 'after']);
  assert.deepEqual(of(['t.json', 0], ['t.json.gz', 0]), ['t.json', 't.json.gz']);
  assert.deepEqual(of(['t.json', 0], ['t.json', 3]), ['rank 0', 'rank 3']);
  assert.equal(of(['t.json', 0], ['t.json', 0]), null);
  const long = of(['a_long_name_of_a_run_with_tf32.json', 0], ['a_long_name_of_a_run_with_bf16.json', 0]);
  assert.deepEqual(long, ['a_lo…with_tf32', 'a_lo…with_bf16']);
});

test('ranks of a job are compared by their own time, where it is known and they wait', () => {
  const row = (/** @type {object} */ more) => ({own_ns: 30, own_of_steps_ns: [null, 29, 31], repeated: false, apart: undefined, ...more});
  const job = (/** @type {string} */ verdict, /** @type {object[]} */ ...ranks) =>
    /** @type {import('../../../www/types/reports.js').JobReport} */ (/** @type {unknown} */ ({verdict, ranks: ranks.map(row)}));
  assert.deepEqual(ownTime(job('found', {}), 0), {mean: 30, steps: [29, 31]});
  assert.deepEqual(ownTime(job('none', {own_of_steps_ns: undefined}), 0), {mean: 30, steps: []});
  assert.equal(ownTime(job('only_tables', {own_ns: null}), 0), 'unknown');
  assert.equal(ownTime(job('no_collectives', {}), 0), null, 'none waits');
  assert.equal(ownTime(job('found', {apart: 'other_time'}), 0), null);
  assert.equal(ownTime(job('found', {}), -1), null);
});
