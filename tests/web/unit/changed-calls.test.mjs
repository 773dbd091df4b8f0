// Two call trees merged into one: pairs of stacks, sums of times, and left-out stacks.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Sandwich} from '../../../www/js/page/views/calls/sandwich.js';
import {ChangedCalls, pairedNames, withoutAddress} from '../../../www/js/page/views/compare/changed-calls.js';

/** @typedef {{name: string, self: number, class?: string, calls?: Stack[], rest?: number}} Stack `rest`: time of left-out stacks below */

/** A report of threads with such stacks. @param {Stack[]} threads @param {number} [leftOut] @returns {any} */
function reportOf(threads, leftOut = 0) {
  /** @type {Record<'name' | 'parent' | 'calls' | 'host_ns' | 'host_self_ns' | 'device_ns' | 'device_self_ns' | 'longest' | 'longest_ns', number[]>} */
  const nodes = {name: [], parent: [], calls: [], host_ns: [], host_self_ns: [], device_ns: [], device_self_ns: [], longest: [], longest_ns: []};
  /** @type {string[]} */
  const names = [];
  /** @param {Stack} stack @param {number} parent @returns {number} */
  const add = ({name, self, calls = [], rest = 0}, parent) => {
    const place = nodes.name.length;
    if (!names.includes(name)) names.push(name);
    const values = {
      name: names.indexOf(name),
      parent,
      calls: 1,
      host_ns: 0,
      host_self_ns: self,
      device_ns: 0,
      device_self_ns: 0,
      longest: place,
      longest_ns: self,
    };
    for (const [key, value] of Object.entries(values)) nodes[/** @type {keyof typeof nodes} */ (key)].push(value);
    nodes.host_ns[place] = self + rest + calls.reduce((sum, call) => sum + add(call, place), 0);
    return nodes.host_ns[place];
  };
  const host = threads.reduce((sum, thread) => sum + add(thread, -1), 0);
  const rest = {grouping: 'calls', groupings: ['calls'], device_ns: 0, device_unlinked_ns: 0, steps: 1};
  return {...rest, host_ns: host, left_out: leftOut, names, nodes: {...nodes, class: nodes.name.map(() => 'operator')}};
}

/** @param {any} from @param {any} to */
const treeOf = (from, to) => ChangedCalls.of(from, to, 'host', 'all');

/** Times of each stack, by its names. @param {ChangedCalls} tree */
const timesOf = (tree) =>
  Object.fromEntries(
    tree.nodes.map(({a, b, where}, node) => [
      tree
        .path(node)
        .slice(1)
        .map((at) => tree.nameOf(at))
        .join(' '),
      [a, b, where],
    ]),
  );

/** Checks for each stack and side: self time, time of calls and time left out add up to the total. @param {ChangedCalls} tree @param {any} from @param {any} to */
function assertAddsUp(tree, from, to) {
  assert.deepEqual([tree.nodes[0].a, tree.nodes[0].b], [from.host_ns, to.host_ns]);
  for (const [node, {a, b, selfA, selfB, restA, restB, name}] of tree.nodes.entries()) {
    const below = tree.children(node).map((child) => tree.nodes[child]);
    assert.equal(
      below.reduce((sum, child) => sum + child.a, selfA + restA),
      a,
      name,
    );
    assert.equal(
      below.reduce((sum, child) => sum + child.b, selfB + restB),
      b,
      name,
    );
  }
}

test('stacks are paired by their names whatever the threads are called, and their times add up to those of both trees', () => {
  const from = reportOf([
    {
      name: 'thread 7',
      self: 0,
      calls: [
        {
          name: 'train',
          self: 10,
          calls: [
            {name: 'mm', self: 40},
            {name: 'old', self: 5, calls: [{name: 'mm', self: 1}]},
          ],
        },
      ],
    },
    {name: 'thread 8', self: 3, calls: [{name: 'load', self: 20}]},
  ]);
  const to = reportOf([
    {
      name: 'thread 12',
      self: 0,
      calls: [
        {
          name: 'train',
          self: 12,
          calls: [
            {name: 'mm', self: 30},
            {name: 'new', self: 9},
          ],
        },
        {name: 'load', self: 20},
      ],
    },
  ]);
  const tree = treeOf(from, to);
  assert.deepEqual(timesOf(tree), {
    '': [79, 71, 'both'],
    train: [56, 51, 'both'],
    'train mm': [40, 30, 'both'],
    'train old': [6, 0, 'a'],
    'train old mm': [1, 0, 'a'],
    'train new': [0, 9, 'b'],
    load: [20, 20, 'both'],
  });
  assertAddsUp(tree, from, to);
  assert.deepEqual(tree.rest, {a: 0, b: 0});
  const change = (/** @type {string} */ name) => tree.changeOf(tree.stacks(/** @type {number} */ (tree.find(['all', 'train', name]))));
  assert.deepEqual([change('mm'), change('old'), change('new')], [-0.25, -1, 1]);
});

test('boxes fit into what calls them, as wide as the mean of both times', () => {
  const tree = treeOf(reportOf([{name: 't', self: 0, calls: [{name: 'x', self: 100}]}]), reportOf([{name: 't', self: 0, calls: [{name: 'y', self: 100}]}]));
  assert.deepEqual(
    tree
      .boxes(null)
      .map(({node, width}) => [tree.nameOf(node), width])
      .sort(),
    [
      ['all', 1],
      ['x', 0.5],
      ['y', 0.5],
    ],
  );
});

test('what a side leaves out is no change', () => {
  // The other side lists `small` and `large`; this one leaves out stacks that take 10 together.
  const from = reportOf([{name: 't', self: 0, calls: [{name: 'f', self: 50, rest: 10}]}], 3);
  const to = reportOf([
    {
      name: 't',
      self: 0,
      calls: [
        {
          name: 'f',
          self: 50,
          calls: [
            {name: 'small', self: 9},
            {name: 'large', self: 40, calls: [{name: 'in', self: 5}]},
          ],
        },
      ],
    },
  ]);
  const tree = treeOf(from, to);
  assert.deepEqual(timesOf(tree), {'': [60, 104, 'both'], f: [60, 104, 'both'], 'f large': [0, 45, 'b'], 'f large in': [0, 5, 'b']});
  assertAddsUp(tree, from, to);
  assert.deepEqual(tree.rest, {a: 10, b: 9}, 'of `small` nothing is known');
  const large = /** @type {number} */ (tree.find(['all', 'f', 'large']));
  assert.equal(tree.nodes[large].most, 10);
  assert.equal(tree.changeOf(tree.stacks(large)), 35 / 45, 'it may have been there for 10');
  assert.equal(tree.changeOf(tree.stacks(tree.children(large)[0])), 0, 'of what is in it, all may have been there');
});

test('a function that moved to another line is the same one, and an object has no address', () => {
  const names = (/** @type {number[]} */ ...lines) => lines.map((line) => `net.py(${line}): forward`);
  assert.deepEqual(pairedNames([...names(10, 30), 'mm'], ['mm', ...names(34, 12)]), [
    ['mm', 'mm'],
    [names(10)[0], names(12)[0]],
    [names(30)[0], names(34)[0]],
  ]);
  assert.deepEqual(pairedNames(names(10, 30), names(30)), [
    [names(30)[0], names(30)[0]],
    [names(10)[0], null],
  ]);
  assert.equal(withoutAddress('<built-in method mm of type object at 0x7F3a9c>'), '<built-in method mm of type object>');
  const builtIn = (/** @type {string} */ address) => ({name: `<built-in method run of Engine object at ${address}>`, self: 4});
  const tree = treeOf(reportOf([{name: 't', self: 0, calls: [builtIn('0x1'), builtIn('0x2')]}]), reportOf([{name: 't', self: 0, calls: [builtIn('0xf')]}]));
  assert.deepEqual(timesOf(tree)['<built-in method run of Engine object>'], [8, 4, 'both']);
});

test('around a name, callers of both sides add up to it, and what may be left out is no change', () => {
  const mm = (/** @type {number} */ self) => ({name: 'mm', self, calls: [{name: 'launch', self: 5}]});
  const from = reportOf(
    [
      {
        name: 't',
        self: 0,
        calls: [
          {name: 'f', self: 10, calls: [mm(20)]},
          {name: 'g', self: 10, rest: 10},
        ],
      },
    ],
    3,
  );
  const to = reportOf([
    {
      name: 't',
      self: 0,
      calls: [
        {name: 'f', self: 10, calls: [mm(35)]},
        {name: 'g', self: 10, calls: [mm(15)]},
      ],
    },
  ]);
  const tree = treeOf(from, to);
  const view = new Sandwich(tree, 'mm');
  const all = tree.sum(view.stacks(0));
  assert.deepEqual([all.a, all.b, all.selfA, all.selfB, all.where], [25, 60, 20, 50, 'both']);
  const callers = view.above(0).map((node) => tree.sum(view.stacks(node)));
  assert.deepEqual([callers.length, ...['a', 'b'].map((side) => callers.reduce((sum, one) => sum + one[/** @type {'a' | 'b'} */ (side)], 0))], [2, 25, 60]);
  const [callee] = view.below(0);
  const {a, b} = tree.sum(view.stacks(callee));
  assert.deepEqual([view.nameOf(callee), a, b], ['launch', 5, 10]);
  // `g` may have called it for 10 before.
  assert.equal(all.mostInA, 10);
  assert.equal(tree.changeOf(view.stacks(0)), (60 - 25 - 10) / 60);
});
