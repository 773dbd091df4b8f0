// The drawn graph of operators: boxes by scope, edges between closed boxes, left-out operators, and a layout without overlaps.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {HEADING, itemAfter, pathOf, pictureOf} from '../../../www/js/page/views/strategy/graph-layout.js';
import {MOST, PAGE, ScopedGraph, kindOf} from '../../../www/js/page/views/strategy/graph-scopes.js';
import {layered, spread} from '../../../www/js/page/views/strategy/layered.js';

/** @typedef {import('../../../www/js/page/views/strategy/graph-scopes.js').Item} Item */

/** @param {string} full @param {string[]} inputs @param {string} [strategy] @param {string} [name] */
const operator = (full, inputs, strategy = '', name = full) => ({
  name,
  type:
    full
      .split('/')
      .at(-1)
      ?.replace(/-op\d+$/, '') ?? '',
  full,
  strategy,
  inputs,
});

/** Layers of a network, each with a branch around its middle, and a part that takes gradients of all. @param {number} layers */
function network(layers) {
  const nodes = [operator('Default/GetNext-op0', [])];
  let before = nodes[0].name;
  for (let layer = 0; layer < layers; layer += 1) {
    const at = (/** @type {string} */ name) => `Default/net/layers/${layer}-Block/${name}`;
    nodes.push(operator(at('attention/MatMul-op1'), [before, 'weight'], '[[4, 1], [1, 8]]'));
    nodes.push(operator(at('attention/AllReduce-op2'), [at('attention/MatMul-op1')]));
    nodes.push(operator(at('mlp/Gelu-op3'), [at('attention/AllReduce-op2')], '[[1, 1]]'));
    nodes.push(operator(at('Add-op4'), [before, at('mlp/Gelu-op3')], '[[4, 1], [4, 1]]'));
    before = at('Add-op4');
  }
  nodes.push(operator('Gradients/Default/net/Mul-op5', [before]));
  for (let weight = 0; weight < 3 * PAGE; weight += 1) nodes.push(operator(`Default/optimizer/Adam-op${weight + 6}`, ['Gradients/Default/net/Mul-op5']));
  return nodes;
}

/** Each box with the names of its children. @param {ScopedGraph} graph @returns {unknown} */
const outline = (graph, scope = graph.root) =>
  scope.children.map((child) => (typeof child === 'number' ? graph.nodes[child].full.split('/').at(-1) : {[child.name]: outline(graph, child)}));

/** The drawn thing of an operator, by the end of its name. @param {ScopedGraph} graph @param {string} name */
const indexOf = (graph, name) => graph.nodes.findIndex(({full}) => full.endsWith(name));

test('operators are in boxes by their scope; those with nothing but another one are one box', () => {
  const graph = new ScopedGraph([
    operator('Default/net/deep/a/MatMul-op1', []),
    operator('Default/net/deep/a/ReLU-op2', ['Default/net/deep/a/MatMul-op1']),
    operator('Default/net/deep/b/Add-op3', ['Default/net/deep/a/ReLU-op2']),
    operator('Default/loss/inner/Mul-op4', ['Default/net/deep/b/Add-op3']),
    operator('Default/GetNext-op5', []),
  ]);
  assert.deepEqual(outline(graph), [{'net/deep': [{a: ['MatMul-op1', 'ReLU-op2']}, {b: ['Add-op3']}]}, {'loss/inner': ['Mul-op4']}, 'GetNext-op5']);
  assert.equal(graph.root.path, '/Default', 'the scope of all is no box');
  // Inputs come first, whatever the order of the file.
  const turned = new ScopedGraph([operator('B-op1', ['A-op2']), operator('A-op2', []), operator('C-op3', ['B-op1'])]);
  assert.deepEqual(outline(turned), ['A-op2', 'B-op1', 'C-op3']);
  const circle = new ScopedGraph([operator('A-op1', ['B-op2']), operator('B-op2', ['A-op1', 'A-op1', 'B-op2', 'weight'])]);
  assert.equal(circle.edges.length, 2, 'neither an edge twice, nor to itself, nor of a parameter');
});

test('an operator is split, whole, communication, or nothing is recorded of it', () => {
  const kind = (/** @type {string} */ type, strategy = '') => kindOf({...operator(type, [], strategy), type});
  assert.deepEqual(
    [kind('MatMul', '[[8, 1], [1, 1]]'), kind('MatMul', '[[1, 1], [1, 1]]'), kind('Mul', '[[], []]'), kind('Reshape')],
    ['split', 'whole', 'whole', 'unknown'],
  );
  for (const type of [
    'AllReduce',
    'AllGather',
    'ReduceScatter',
    'AllToAll',
    'AlltoAll',
    'AlltoAllV',
    'Send',
    'Receive',
    'Broadcast',
    '_MirrorOperator',
    '_MiniStepAllGather',
    'NeighborExchangeV2',
  ])
    assert.equal(kind(type), 'communication', type);
  for (const type of ['BroadcastTo', 'ReduceSum', 'ReceiveMask', 'Mirror', '']) assert.equal(kind(type), 'unknown', type);
});

test('edges join what is drawn: between closed boxes all of their operators, with their count', () => {
  const graph = new ScopedGraph(network(2));
  graph.close(graph.root);
  const {items, links, closed, paged} = graph.drawing();
  assert.deepEqual(
    items.map(({key}) => key),
    ['scope /Default', 'scope /Gradients/Default/net'],
  );
  assert.equal(closed, graph.nodes.length);
  assert.equal(paged, 0);
  assert.deepEqual(
    [...links.values()].map(({from, to, count}) => [from.scope.name, to.scope.name, count]),
    [
      ['Default', 'Gradients/Default/net', 1],
      ['Gradients/Default/net', 'Default', 3 * PAGE],
    ],
  );
});

test('what is left out is counted: in closed boxes, and on other pages of an open one', () => {
  const graph = new ScopedGraph(network(2));
  graph.reveal(indexOf(graph, 'Adam-op40'));
  const {all, itemOf, closed, paged} = graph.drawing();
  assert.equal(itemOf[indexOf(graph, 'Adam-op40')].type, 'operator');
  assert.deepEqual(
    all.flatMap(({type, operators}) => (type === 'earlier' || type === 'later' ? [[type, operators.length]] : [])),
    [
      ['earlier', PAGE],
      ['later', PAGE],
    ],
  );
  assert.equal(paged, 2 * PAGE);
  assert.equal(all.filter(({type}) => type === 'operator').length, graph.nodes.length - closed - paged);
  const scope = /** @type {Item} */ (itemOf[indexOf(graph, 'Adam-op40')].parent).scope;
  graph.turn(scope, 1);
  graph.turn(scope, 1);
  assert.deepEqual(
    graph.drawing().all.flatMap(({type}) => (type === 'earlier' || type === 'later' ? type : [])),
    ['earlier'],
    'there is no page after the last one',
  );
  for (const index of graph.nodes.keys()) {
    graph.reveal(index);
    const found = graph.drawing().itemOf[index];
    assert.deepEqual([found.type, found.index], ['operator', index], 'each operator can be found');
  }
});

test('thousands of operators are never drawn at once', () => {
  const graph = new ScopedGraph(network(1500));
  assert.ok(graph.nodes.length > 6000);
  assert.ok(graph.drawing().all.length <= 20, 'a few at first');
  let closed = 0;
  for (const index of [1, 900, 1300, 2100, 3000, 4000, 5000, 5900]) {
    closed += graph.reveal(index);
    const {all, itemOf} = graph.drawing();
    assert.ok(all.length <= MOST, `${all.length} are drawn`);
    assert.equal(itemOf[index].index, index);
    // All that is left to open around it.
    for (;;) {
      const next = graph.drawing().all.find(({type, scope, children}) => type === 'scope' && !children && scope.parent === itemOf[index].parent?.scope.parent);
      if (!next) break;
      closed += graph.open(next.scope);
      if (closed) break;
    }
  }
  assert.ok(graph.drawing().all.length <= MOST);
});

/** Overlapping boxes, except a box and its content. @param {ReturnType<typeof pictureOf>} picture */
function overlaps({boxes}) {
  const isIn = (/** @type {Item | null} */ item, /** @type {Item} */ other) => {
    for (let at = item; at; at = at.parent) if (at === other) return true;
    return false;
  };
  const all = [...boxes];
  return all.flatMap(([a, one], index) =>
    all.slice(index + 1).flatMap(([b, other]) => {
      if (isIn(a, b) || isIn(b, a)) return [];
      const apart = one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y;
      return apart ? [] : [`${a.key} and ${b.key}`];
    }),
  );
}

test('nothing overlaps; children are in their box, below its heading; lines meet what they join', () => {
  const graph = new ScopedGraph(network(6));
  for (const index of [3, 12, indexOf(graph, 'Adam-op40')]) graph.reveal(index);
  const {items, all, links} = graph.drawing();
  assert.ok(all.length > 40);
  for (const most of [380, 960]) {
    const picture = pictureOf(items, links.values(), most);
    assert.equal(picture.boxes.size, all.length);
    assert.deepEqual(overlaps(picture), []);
    for (const [item, box] of picture.boxes) {
      const around = item.parent ? picture.boxes.get(item.parent) : {x: 0, y: -HEADING, width: picture.width, height: picture.height + HEADING};
      assert.ok(around);
      const fits =
        box.x >= around.x - 0.01 &&
        box.x + box.width <= around.x + around.width + 0.01 &&
        box.y >= around.y + HEADING &&
        box.y + box.height <= around.y + around.height;
      assert.ok(fits, `${item.key} is in ${item.parent?.key}`);
    }
    // Each link is a way of lines from the one to the other.
    for (const link of links.values()) {
      const of = picture.lines.filter((line) => line.links.has(link));
      const touches = (/** @type {Item} */ item) => {
        const {x, y, width, height} = /** @type {import('../../../www/js/page/views/strategy/graph-layout.js').Box} */ (picture.boxes.get(item));
        return of.some(({points}) =>
          [points[0], points[points.length - 1]].some(
            (point) => point.x >= x && point.x <= x + width && (Math.abs(point.y - y) < 0.01 || Math.abs(point.y - y - height) < 0.01),
          ),
        );
      };
      assert.ok(touches(link.from) && touches(link.to), `${link.from.key} to ${link.to.key}`);
    }
  }
});

test('rows lead down along the edges, have few crossings, and are no wider than they may be', () => {
  const cells = Array.from({length: 9}, () => ({width: 100, height: 40}));
  /** @type {[number, number][]} */
  const edges = [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
    [0, 3],
  ];
  const {places, routes} = layered(cells, edges, 350);
  for (const [from, to] of edges) assert.ok(places[from].y + 40 < places[to].y, `${from} is above ${to}`);
  for (const {y} of places) assert.ok(places.filter((one) => one.y === y).length <= 3, 'cells without edges stand below each other where a row is full');
  assert.ok(routes[4].points.length > 4, 'an edge passes a row');
  const passing = routes[4].points.find(({y}) => y > places[1].y - 1 && y < places[1].y + 41);
  for (const {x, y} of places) if (passing && passing.y >= y && passing.y <= y + 40) assert.ok(passing.x < x || passing.x > x + 100, 'beside what is in it');
  // Two edges that would cross do not.
  const crossed = layered(
    cells.slice(0, 4),
    [
      [0, 3],
      [1, 2],
    ],
    960,
  );
  assert.equal(Math.sign(crossed.places[0].x - crossed.places[1].x), Math.sign(crossed.places[3].x - crossed.places[2].x));
  // A circle: one edge leads up.
  const circle = layered(
    cells.slice(0, 2),
    [
      [0, 1],
      [1, 0],
    ],
    960,
  );
  assert.deepEqual(
    circle.routes.map(({isUp}) => isUp),
    [false, true],
  );
  assert.notEqual(circle.routes[0].points[0].x, circle.routes[1].points[0].x, 'beside the other one');
});

test('places are as near to those wanted as they may be', () => {
  assert.deepEqual(spread([0, 10, 20], [5, 5], [1, 1, 1]), [0, 10, 20]);
  assert.deepEqual(spread([10, 10], [6], [1, 1]), [7, 13]);
  assert.deepEqual(spread([5, 0, 30], [2, 2], [1, 1, 1]), [1.5, 3.5, 30]);
  assert.deepEqual(spread([10, 10], [6], [1, 2]), [6, 12], 'what weighs more stays');
});

test('a line is straight through rows and bent between them', () => {
  assert.equal(
    pathOf([
      {x: 1, y: 2},
      {x: 1, y: 10},
      {x: 5, y: 20},
    ]),
    'M1 2V10C1 15 5 15 5 20',
  );
});

test('arrow keys lead along the edges, and without one to what is beside', () => {
  const graph = new ScopedGraph([
    operator('a/MatMul-op1', []),
    operator('a/ReLU-op2', ['a/MatMul-op1']),
    operator('a/Mul-op3', ['a/MatMul-op1']),
    operator('b/Add-op4', ['a/ReLU-op2', 'a/Mul-op3']),
    operator('b/Sub-op5', ['b/Add-op4']),
  ]);
  const {items, itemOf, links} = graph.drawing();
  const picture = pictureOf(items, links.values(), 960);
  const after = (/** @type {string} */ key, /** @type {Item} */ from) => itemAfter(key, from, picture, links.values())?.key;
  assert.equal(after('ArrowDown', itemOf[2]), 'operator 3', 'into another box');
  assert.equal(after('ArrowUp', itemOf[2]), 'operator 0');
  assert.deepEqual(new Set([after('ArrowRight', itemOf[1]), after('ArrowLeft', itemOf[1])]).has('operator 2'), true);
  assert.equal(after('ArrowUp', itemOf[0]), 'scope /a', 'to the heading of its box');
  assert.equal(after('ArrowDown', items[0]), 'operator 0', 'and back');
  assert.equal(after('Home', itemOf[3]), 'scope /a');
  assert.equal(after('End', itemOf[0]), 'operator 4');
  assert.equal(after('a', itemOf[0]), undefined);
});

test('a search looks at what the list shows, inputs first', () => {
  const graph = new ScopedGraph(network(2));
  assert.deepEqual(
    graph.matching('GELU').map((index) => graph.nodes[index].full),
    ['Default/net/layers/0-Block/mlp/Gelu-op3', 'Default/net/layers/1-Block/mlp/Gelu-op3'],
  );
  assert.equal(graph.matching('[[4, 1], [1, 8]]').length, 2);
  assert.deepEqual(graph.matching(' '), []);
});
