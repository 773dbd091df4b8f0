// Rows and nodes that are open, as the address names them.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {StackTree} from '../../../www/js/page/views/calls/stack-tree.js';
import {keyOf, nodeKey, nodeKeys, rowOf} from '../../../www/js/page/views/parts/opened.js';

const text = (/** @type {{name: string}} */ {name}) => name;

test('a row has the same key wherever it stands, and rows of one name have keys of their own', () => {
  const rows = ['gemm', 'copy', 'gemm', 'add'].map((name) => ({name}));
  const keys = rows.map((row) => keyOf(rows, row, text));
  assert.equal(new Set(keys).size, 4);
  assert.deepEqual(
    keys.map((key) => rowOf(rows, key ?? '', text)),
    rows,
  );
  const others = [rows[3], rows[0]];
  assert.equal(rowOf(others, keys[3] ?? '', text), rows[3]);
  assert.equal(rowOf(others, keys[1] ?? '', text), undefined, 'this one is not among them');
  for (const key of keys) assert.match(key ?? '', /^[0-9a-z]+(\.\d+)?$/, 'nothing of the trace is in it');
});

test('a node has a key by the names on its path', () => {
  class Tree extends StackTree {
    /** @param {number[]} parents @param {string[]} names */
    constructor(parents, names) {
      super(
        parents,
        names.map(() => 1),
      );
      this.names = names;
    }

    /** @override @param {number} node */
    nameOf(node) {
      return this.names[node];
    }
  }
  const tree = new Tree([-1, 0, 0, 1], ['main', 'a', 'b', 'c']);
  const keys = nodeKeys(tree);
  assert.deepEqual(
    keys.map((_, node) => nodeKey(tree, node)),
    keys,
  );
  assert.equal(new Set(keys).size, 4);
  const others = nodeKeys(new Tree([-1, -1, 1, 2], ['other', 'main', 'a', 'c']));
  assert.deepEqual(others.slice(1), [keys[0], keys[1], keys[3]]);
  assert.notEqual(nodeKeys(new Tree([-1, 0], ['main', 'c']))[1], keys[3]);
});
