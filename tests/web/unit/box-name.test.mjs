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
  // The number is all that differs between equal parts of a model.
  assert.equal(written('nn.Module: Linear_0', 5), 'Li…_0');
  assert.equal(written('nn.Module: Linear_0', 2), 'L…');
});

test('a narrow box is without the first folders, as many as it must', () => {
  const name = 'torch/nn/modules/linear.py(114): forward';
  assert.equal(written(name, 38), 'nn/modules/linear.py(114): forward');
  assert.equal(written(name, 33), 'modules/linear.py(114): forward');
  assert.equal(written(name, 25), 'linear.py(114): forward');
  assert.equal(written(name, 5), 'line…');
  assert.equal(written('/usr/lib my/x.py(3): f', 9), 'x.py(3):…');
  assert.equal(written('C:\\env\\torch\\x.py(3): f', 12), 'x.py(3): f');
  assert.equal(written('Default/network/Net/Dense/MatMul-op1', 10), 'MatMul-op1');
});

test('other names are cut at their end, where that is seen', () => {
  for (const name of ['aten::div', '<built-in method a of B/C object>', 'void f<a/b>(int)', 'a/']) {
    assert.equal(written(name, name.length), name);
    assert.equal(written(name, name.length - 1), `${name.slice(0, -2)}…`);
  }
  assert.equal(written('tf_Compute/-8486670513429940035', 24), 'tf_…-8486670513429940035');
  assert.equal(written('', 0), '');
});
