// The call tree: boxes, functions, sums of a search.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Calls} from '../../../www/js/page/views/calls/calls.js';
import {speak} from './lib/page.mjs';

// Thread 1 (100): train (90) calls step (60), which calls itself (20) and mm (30); and mm (10). Thread 2 (40): mm (40).
const names = ['thread 1', 'train', 'step', 'mm', 'thread 2'];
const nodes = {
  name: [0, 1, 2, 2, 3, 3, 4, 3],
  parent: [-1, 0, 1, 2, 2, 1, -1, 6],
  class: ['', 'python_frame', 'python_frame', 'python_frame', 'operator', 'operator', '', 'operator'],
  calls: [0, 1, 2, 1, 3, 1, 0, 4],
  host_ns: [90, 90, 60, 20, 30, 10, 40, 40],
  host_self_ns: [0, 20, 10, 20, 30, 10, 0, 40],
  device_ns: [70, 70, 50, 0, 50, 20, 5, 5],
  device_self_ns: [0, 0, 0, 0, 50, 20, 0, 5],
  longest: [-1, 1, 2, 3, 4, 5, -1, 7],
  longest_ns: [0, 90, 40, 20, 25, 10, 0, 10],
};
const report = {
  grouping: 'calls',
  groupings: ['calls'],
  host_ns: 130,
  device_ns: 75,
  device_unlinked_ns: 0,
  steps: 1,
  waiting_threads: 0,
  waiting_ns: 0,
  left_out: 0,
  names,
  nodes,
};
const host = new Calls(report, 'host');

/** @param {Calls} calls @param {number | null} focus */
const boxes = (calls, focus) =>
  Object.fromEntries(calls.boxes(focus).map(({node, depth, left, width}) => [node, [depth, Math.round(left * 1000), Math.round(width * 1000)]]));

test('boxes are as wide as their time, what takes most first, and stand below what calls them', () => {
  const found = boxes(host, null);
  assert.deepEqual(found[0], [0, 0, 692]);
  assert.deepEqual(found[6], [0, 692, 308]);
  assert.deepEqual(found[2], [2, 0, 462]);
  assert.deepEqual(found[4], [3, 0, 231], 'mm takes more than the inner step');
  assert.deepEqual(found[3], [3, 231, 154]);
  for (const [node, [depth, left, width]] of Object.entries(found)) {
    const around = found[nodes.parent[Number(node)]];
    if (around) assert.ok(depth === around[0] + 1 && left >= around[1] && left + width <= around[1] + around[2] + 1, node);
  }
});

test('a node in focus and what it is called by are as wide as all', () => {
  const found = boxes(host, 2);
  assert.deepEqual(
    [found[0], found[1], found[2]],
    [
      [0, 0, 1000],
      [1, 0, 1000],
      [2, 0, 1000],
    ],
  );
  assert.deepEqual(found[4], [3, 0, 500]);
  assert.equal(found[6], undefined, 'what is not below it is not shown');
});

test('a phase has its name in the language of the page, though a function may have the same', async () => {
  await speak();
  const tree = {
    ...nodes,
    name: [0, 1, 2, 2],
    parent: [-1, 0, 1, 2],
    class: ['', 'phase', 'python_frame', 'python_frame'],
  };
  const calls = new Calls(/** @type {any} */ ({...report, grouping: 'phases', names: ['thread 1', 'forward', 'forward'], nodes: tree}), 'host');
  assert.deepEqual(
    [1, 2].map((node) => calls.nameOf(node)),
    ['forward pass', 'forward'],
  );
  assert.deepEqual([...calls.matching((name) => name.includes('pass'))], [1]);
});

test('what takes no time by a measure has no box by it', () => {
  assert.equal(boxes(new Calls(report, 'device'), null)[3], undefined);
});

test('functions by name: a call inside of one of the same name counts once', () => {
  const sums = Object.fromEntries(host.byName().map((sum) => [names[sum.name], sum]));
  assert.deepEqual([sums.step.total, sums.step.self, sums.step.calls], [60, 30, 3]);
  assert.deepEqual([sums.mm.total, sums.mm.self, sums.mm.calls, sums.mm.node], [80, 80, 8, 4], 'the node with its longest call');
  assert.equal(sums['thread 1'], undefined, 'a thread is no function');
  const selves = host.byName().reduce((sum, {self}) => sum + self, 0);
  assert.equal(selves, report.host_ns, 'the time without calls adds up to all');
});

test('callers and calls of a function', () => {
  const list = (/** @type {'callers' | 'callees'} */ which, /** @type {string} */ name) =>
    host.around(names.indexOf(name), which).map(({name, total}) => [names[name], total]);
  assert.deepEqual(list('callers', 'mm'), [
    ['thread 2', 40],
    ['step', 30],
    ['train', 10],
  ]);
  assert.deepEqual(list('callees', 'train'), [
    ['step', 60],
    ['mm', 10],
  ]);
});

test('what a search finds is added up once', () => {
  assert.equal(host.totalOf(host.matching((name) => name === 'step')), 60);
  assert.equal(host.totalOf(host.matching((name) => name === 'mm')), 80);
  assert.equal(host.totalOf(host.matching((name) => name.includes('thread'))), 0, 'threads are not found');
});
