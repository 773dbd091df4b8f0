// The sandwich view of one name: callers and callees add up to it, and recursive time counts once.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Calls} from '../../../www/js/page/views/calls/calls.js';
import {Sandwich} from '../../../www/js/page/views/calls/sandwich.js';
import {nodeKey, nodeKeys} from '../../../www/js/page/views/parts/opened.js';

/** @typedef {[name: string, self: number, ...below: any[]]} Made */

/** A report of the threads' call trees; a call's own device time is a tenth of its self time. @param {...Made} threads */
function reportOf(...threads) {
  /** @type {string[]} */
  const names = [];
  /** @type {Record<string, any[]>} */
  const nodes = {name: [], parent: [], class: [], calls: [], host_ns: [], host_self_ns: [], device_ns: [], device_self_ns: [], longest: [], longest_ns: []};
  /** @param {Made} made @param {number} parent @returns {number} */
  const put = ([name, self, ...below], parent) => {
    const place = nodes.name.length;
    const isThread = parent < 0;
    // A thread that is called as a function has a name of its own.
    const key = isThread ? names.length : names.indexOf(name);
    if (isThread || key < 0) names.push(name);
    nodes.name.push(key < 0 ? names.length - 1 : key);
    nodes.parent.push(parent);
    nodes.class.push(isThread ? '' : 'operator');
    nodes.calls.push(isThread ? 0 : 1);
    nodes.host_self_ns.push(self);
    nodes.device_self_ns.push(self / 10);
    nodes.longest.push(isThread ? -1 : place);
    nodes.longest_ns.push(self);
    nodes.host_ns.push(0);
    nodes.device_ns.push(0);
    const total = below.reduce((sum, child) => sum + put(child, place), self);
    nodes.host_ns[place] = total;
    nodes.device_ns[place] = total / 10;
    return total;
  };
  const host = threads.reduce((sum, thread) => sum + put(thread, -1), 0);
  const rest = {grouping: 'calls', groupings: ['calls'], device_unlinked_ns: 0, steps: 1, left_out: 0};
  return /** @type {any} */ ({...rest, host_ns: host, device_ns: host / 10, names, nodes});
}

// `mm` is called by two stacks of one thread and by another thread, which is called as a function is.
const plain = reportOf(
  ['thread 1', 0, ['train', 20, ['step', 10, ['mm', 30, ['launch', 10]]], ['mm', 5, ['launch', 3], ['alloc', 2]]]],
  ['step', 0, ['mm', 40, ['launch', 20]]],
);

// `f` calls itself, at once and by `g`, which `f` calls in the end: f(10) → g(5) → f(20) → f(7) → h(3); and h(4).
const recursive = reportOf(['thread 1', 0, ['main', 1, ['f', 10, ['g', 5, ['f', 20, ['f', 7, ['h', 3]]]], ['h', 4]], ['g', 2, ['f', 8, ['h', 6]]]]]);

/** Trees by the two measures. @param {any} report @returns {Calls[]} */
const both = (report) => [new Calls(report, 'host'), new Calls(report, 'device')];

/** A side of the view, level by level: names with totals, as text. @param {Sandwich} view @param {number} node @param {'above' | 'below'} way @returns {any} */
function side(view, node, way) {
  return Object.fromEntries(view[way](node).map((next) => [`${view.nameOf(next)} ${view.totals[next]}`, side(view, next, way)]));
}

test('callers and callees of all places of a name are merged by their names', () => {
  const view = new Sandwich(new Calls(plain, 'host'), 'mm');
  assert.equal(view.totals[0], 110);
  assert.deepEqual(side(view, 0, 'above'), {
    'step 40': {'train 40': {'thread 1 40': {}}},
    'step 60': {},
    'train 10': {'thread 1 10': {}},
  });
  assert.deepEqual(side(view, 0, 'below'), {'launch 33': {}, 'alloc 2': {}});
  const device = new Sandwich(new Calls(plain, 'device'), 'mm');
  assert.equal(device.totals[0], 11);
  assert.deepEqual(
    device.above(0).map((node) => device.totals[node]),
    [6, 4, 1],
    'the same by the device',
  );
});

test('a name has the total, the self time and the calls of the table of functions, and so have its callers together', () => {
  for (const report of [plain, recursive])
    for (const calls of both(report))
      for (const {name, total, self, calls: times} of calls.byName()) {
        const view = new Sandwich(calls, calls.label(name));
        const sum = calls.sum(view.stacks(0));
        assert.deepEqual([sum.total, sum.self, sum.calls].map(rounded), [total, self, times].map(rounded));
        assert.equal(view.totals[0], sum.total);
        const callers = view.above(0).map((node) => calls.sum(view.stacks(node)));
        for (const key of /** @type {const} */ (['total', 'self', 'calls']))
          assert.equal(rounded(callers.reduce((all, one) => all + one[key], 0)), rounded(sum[key]), `${key} of ${calls.label(name)}`);
        for (const {whole} of callers) assert.equal(whole, sum.total, 'their shares are of the name');
      }
});

test('callees and the time without them add up to the total, at each box', () => {
  for (const report of [plain, recursive])
    for (const calls of both(report))
      for (const {name} of calls.nameSums) {
        const view = new Sandwich(calls, name);
        const waiting = [0];
        for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
          const {timed} = view.stacks(node);
          const self = timed.reduce((sum, one) => sum + calls.selves[one], 0);
          const below = view.below(node);
          assert.equal(rounded(below.reduce((sum, one) => sum + view.totals[one], self)), rounded(view.totals[node]), `${name}: ${view.nameOf(node)}`);
          waiting.push(...below);
        }
        // Callers with callers of their own: their sum is at most the total, as stacks end at a thread.
        for (const node of view.above(0).filter((node) => view.above(node).length > 0))
          assert.ok(view.above(node).reduce((sum, one) => sum + view.totals[one], 0) <= view.totals[node] + 1e-9);
      }
});

test('a call inside of another call of the name counts once', () => {
  const calls = new Calls(recursive, 'host');
  const view = new Sandwich(calls, 'f');
  const sum = calls.sum(view.stacks(0));
  assert.equal(sum.total, 10 + 5 + 20 + 7 + 3 + 4 + 8 + 6);
  assert.equal(sum.self, 10 + 20 + 7 + 8, 'the time without other calls, of inner calls, too');
  assert.equal(sum.calls, 4);
  assert.equal(sum.again, 20 + 7 + 3, 'the innermost call is a part of the one around it');
  assert.deepEqual(side(view, 0, 'above'), {'main 49': {'thread 1 49': {}}, 'g 14': {'main 14': {'thread 1 14': {}}}}, 'inner calls have no callers here');
  assert.deepEqual(side(view, 0, 'below'), {'g 35': {'f 30': {'f 10': {'h 3': {}}}}, 'h 10': {}});
});

test('recursion of two names: each time counts once in the view of either', () => {
  const view = new Sandwich(new Calls(recursive, 'host'), 'g');
  assert.equal(view.totals[0], 35 + 16);
  assert.deepEqual(Object.keys(side(view, 0, 'above')), ['f 35', 'main 16']);
});

test('a name without calls, or a thread, gives an empty view; one without time gives no boxes', () => {
  const calls = new Calls(plain, 'host');
  for (const name of ['no such', 'thread 1']) {
    const view = new Sandwich(calls, name);
    assert.equal(view.middle, null);
    assert.deepEqual([view.boxes(null), view.parents], [[], []]);
  }
  const still = new Sandwich(new Calls(reportOf(['thread', 5, ['idle', 0, ['nothing', 0]]]), 'host'), 'idle');
  assert.equal(still.middle, 0);
  assert.deepEqual(still.boxes(null), []);
});

test('boxes of callers stand above the name and are as wide as it together; those of callees stand below', () => {
  const view = new Sandwich(new Calls(plain, 'host'), 'mm');
  const boxes = view.boxes(null);
  const of = (/** @type {number} */ node) =>
    /** @type {import('../../../www/js/page/views/calls/stack-tree.js').Box} */ (boxes.find((box) => box.node === node));
  assert.equal(boxes.length, view.parents.length);
  const middle = of(0);
  assert.deepEqual([middle.depth, middle.left, middle.width], [3, 0, 1], 'three callers are the most');
  for (const [way, step] of /** @type {const} */ ([
    ['above', -1],
    ['below', 1],
  ])) {
    const waiting = [0];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
      for (const next of view[way](node)) {
        assert.equal(of(next).depth, of(node).depth + step);
        assert.ok(of(next).left >= of(node).left - 1e-9 && of(next).left + of(next).width <= of(node).left + of(node).width + 1e-9);
        waiting.push(next);
      }
  }
});

test('a zoom widens its side alone', () => {
  const view = new Sandwich(new Calls(plain, 'host'), 'mm');
  const [step] = view.above(0).filter((node) => view.above(node).length > 0);
  const boxes = view.boxes(step);
  const width = (/** @type {number} */ node) => boxes.find((box) => box.node === node)?.width;
  assert.deepEqual([width(0), width(step), width(view.above(step)[0])], [1, 1, 1]);
  assert.deepEqual(
    view.siblings(step).filter((node) => node !== step && width(node) !== undefined),
    [],
    'other callers are not shown',
  );
  assert.deepEqual(
    view.below(0).map((node) => rounded(width(node) ?? 0)),
    [33 / 110, 2 / 110].map(rounded),
  );
});

test('keys go from callers by the name to callees, and a caller has no callee beside it', () => {
  const view = new Sandwich(new Calls(plain, 'host'), 'mm');
  const [caller] = view.above(0);
  const [callee, next] = view.below(0);
  assert.deepEqual([view.below(caller), view.above(callee)], [[0], [0]]);
  assert.deepEqual(view.beside(callee, 1), [next]);
  assert.ok(!view.siblings(caller).includes(callee));
});

test('a caller and a callee of one name have keys of their own', () => {
  const view = new Sandwich(new Calls(recursive, 'host'), 'f');
  const keys = nodeKeys(view);
  assert.equal(new Set(keys).size, keys.length);
  assert.deepEqual(
    keys.map((_, node) => nodeKey(view, node)),
    keys,
  );
  const path = (/** @type {number} */ node) => view.path(node).map((one) => view.markOf(one));
  for (const node of keys.keys()) assert.equal(view.find(path(node)), node);
});

test('a search finds boxes on both sides, and adds up the time of each side once', () => {
  const calls = new Calls(recursive, 'host');
  const view = new Sandwich(calls, 'f');
  const marked = view.holding(calls.matching((name) => name === 'g'));
  assert.equal(marked.size, 2);
  assert.equal(calls.totalOf(view.timed(marked, 'caller')), 14);
  assert.equal(calls.totalOf(view.timed(marked, 'callee')), 35);
  const all = view.holding(calls.matching(() => true));
  assert.equal(calls.totalOf(view.timed(all, 'caller')), 63, 'a caller of a caller adds nothing');
  assert.equal(calls.totalOf(view.timed(view.holding(calls.matching((name) => name === 'h')), 'callee')), 13);
});

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 1e6) / 1e6;
}
