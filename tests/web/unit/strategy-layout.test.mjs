// Layout of ranks in stages and groups, and neighbors of an operator in a parallel graph.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {aroundOf, isSpread, layoutOf, nodesOf, peersOf} from '../../../www/js/page/views/strategy/strategy-layout.js';

const groups = [
  {parallel: 'tensor', ranks: [0, 1]},
  {parallel: 'tensor', ranks: [4, 5]},
  {parallel: 'data', ranks: [0, 2]},
  {parallel: 'data', ranks: [1, 3]},
  {parallel: 'pipeline', ranks: [0, 4]},
  {parallel: null, ranks: [0, 1, 2, 3, 4, 5]},
];

test('ranks that share tensors stand together in their stage', () => {
  const stages = [
    [0, 1, 2, 3],
    [4, 5],
  ];
  assert.deepEqual(layoutOf(stages, groups, [0, 1, 2, 3, 4, 5]), [
    {stage: 0, bundles: [[0, 1], [2], [3]]},
    {stage: 1, bundles: [[4, 5]]},
  ]);
  assert.deepEqual(layoutOf([], [], [0, 1]), [{stage: 0, bundles: [[0], [1]]}], 'without stages all are one');
  // A group across stages is no bundle of one of them.
  assert.deepEqual(
    layoutOf([[0], [1]], [{parallel: 'tensor', ranks: [0, 1]}], [0, 1]).map(({bundles}) => bundles),
    [[[0]], [[1]]],
  );
});

test('the ranks that one shares work with are told by how they share it', () => {
  assert.deepEqual(
    [...peersOf(groups, 0)],
    [
      ['tensor', [1]],
      ['data', [2]],
      ['pipeline', [4]],
    ],
  );
  assert.deepEqual([...peersOf(groups, 9)], []);
});

test('ranks are drawn where they differ in what they hold of the model', () => {
  const of = (/** @type {(string | null)[]} */ ...parallels) => parallels.map((parallel) => ({parallel}));
  assert.ok(isSpread({ranks: [0, 1], stages: [[0], [1]], groups: []}));
  assert.ok(isSpread({ranks: [0, 1], stages: [], groups: of('data', 'tensor')}));
  assert.ok(!isSpread({ranks: [0, 1], stages: [[0, 1]], groups: of('data', null)}));
  assert.ok(!isSpread({ranks: [0], stages: [[0], [1]], groups: of('tensor')}), 'one rank');
});

test('an operator stands between those whose output it takes and those that take its own', () => {
  const names = ['name', 'opType', 'scope', 'fullName', 'input', 'strategy'];
  const nodes = nodesOf({
    columns: names.map((name) => ({name})),
    values: [
      ['1', 'GetNext', 'Default', 'Default/GetNext-op1', null, null],
      ['2', 'Conv2D', 'Default/net', '', '1, weight', '[[8, 1, 1, 1], [1, 1, 1, 1]]'],
      ['3', 'ReLU', 'Default/net', 'Default/net/ReLU-op3', '2', '[[8, 1, 1, 1]]'],
    ],
  });
  assert.equal(nodes[1].full, 'Default/net/Conv2D', 'its scope and type where it has no name');
  const {inputs, outputs} = aroundOf(nodes, nodes[1]);
  assert.deepEqual([inputs, outputs], [[nodes[0], 'weight'], [nodes[2]]]);
  assert.deepEqual(aroundOf(nodes, nodes[0]), {inputs: [], outputs: [nodes[1]]});
});
