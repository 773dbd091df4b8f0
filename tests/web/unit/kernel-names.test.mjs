// Short names of kernels in tables, whose rows have the full ones.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {KernelNames} from '../../../www/js/page/views/parts/kernel-names.js';

test('kernels that are shown together are named together, each once; other names stay', () => {
  /** @type {string[][]} */
  const asked = [];
  const names = new KernelNames({
    kernel_names: (all) => {
      asked.push(all);
      return all.map((name) => name.replace(/<.*>/, ''));
    },
  });
  names.set(['a<int>', 'b', 'a<int>']);
  assert.deepEqual(asked, [['a<int>', 'b']]);
  assert.deepEqual(
    ['a<int>', 'b', 'aten::mm'].map((name) => names.of(name)),
    ['a', 'b', 'aten::mm'],
  );
  names.set([]);
  assert.equal(names.of('a<int>'), 'a<int>', 'what is no longer shown has no short name');
});
