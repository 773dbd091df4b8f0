// Labels of boxes in flame graphs: shortened names.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {boxName} from '../../../www/js/page/views/calls/box-name.js';

/** @param {string} name @param {number} letters that fit */
const written = (name, letters) => boxName(name, (text) => text.length <= letters);

test('a name that fits is whole', () => {
  for (const name of ['nn.Module: Linear_0', 'torch/nn/modules/linear.py(114): forward', 'a/b']) assert.equal(written(name, name.length), name);
});

test('a narrow box is without the mark of modules', () => {
  assert.equal(written('nn.Module: Linear_0', 18), 'Linear_0');
  assert.equal(written('nn.Module: Linear_0', 3), 'Linear_0');
});

test('a narrow box is without the first folders, as many as it must', () => {
  const name = 'torch/nn/modules/linear.py(114): forward';
  assert.equal(written(name, 38), 'nn/modules/linear.py(114): forward');
  assert.equal(written(name, 33), 'modules/linear.py(114): forward');
  assert.equal(written(name, 25), 'linear.py(114): forward');
  assert.equal(written(name, 5), 'linear.py(114): forward');
  assert.equal(written('/usr/lib my/x.py(3): f', 9), 'x.py(3): f');
  assert.equal(written('C:\\env\\torch\\x.py(3): f', 12), 'x.py(3): f');
  assert.equal(written('Default/network/Net/Dense/MatMul-op1', 10), 'MatMul-op1');
});

test('other names stay as they are', () => {
  for (const name of ['aten::div', '<built-in method a of B/C object>', 'void f<a/b>(int)', 'a/', 'tf_Compute/-8486670513429940035', ''])
    assert.equal(written(name, 0), name);
});
