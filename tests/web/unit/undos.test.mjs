// Changes that can be undone.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Undos, undoKey} from '../../../www/js/page/undos.js';

/** @param {object} [more] */
const key = (key = 'z', more = {}) => /** @type {KeyboardEvent} */ ({key, ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, ...more});

test('the keys are those of each system', () => {
  assert.equal(undoKey(key()), 'undo');
  assert.equal(undoKey(key('z', {ctrlKey: false, metaKey: true})), 'undo');
  assert.equal(undoKey(key('Z', {shiftKey: true})), 'redo');
  assert.equal(undoKey(key('y')), 'redo');
  for (const other of [key('z', {ctrlKey: false}), key('z', {altKey: true}), key('a'), key('z', {metaKey: true})]) assert.equal(undoKey(other), undefined);
});

test('only what is shown is undone, the last change first; a new change leaves nothing to be done again', () => {
  /** @type {string[]} */
  const said = [];
  const undos = new Undos();
  const [a, b] = [{isConnected: true}, {isConnected: true}].map((one) => /** @type {HTMLElement} */ (/** @type {unknown} */ (one)));
  const change = (/** @type {HTMLElement} */ element, /** @type {string} */ what, kind = what) =>
    undos.add({element, what, kind, undo: () => said.push(`-${what}`), redo: () => said.push(`+${what}`)});
  change(a, 'a1');
  change(b, 'b1');
  change(b, 'b2', 'b1');
  Object.assign(a, {isConnected: false});
  assert.equal(undos.go('undo')?.what, 'b2');
  assert.equal(undos.go('undo'), undefined);
  Object.assign(a, {isConnected: true});
  undos.go('undo');
  undos.go('redo');
  undos.go('redo');
  assert.deepEqual(said, ['-b1', '-a1', '+a1', '+b2'], 'rapid changes of a kind are one, back to where they began');
  undos.go('undo');
  change(a, 'a2');
  assert.equal(undos.go('redo'), undefined);
  undos.clear();
  assert.equal(undos.go('undo'), undefined);
});

test('a message undoes its own change, also after others, and that is no further change', () => {
  /** @type {string[]} */
  const said = [];
  const undos = new Undos();
  const element = /** @type {HTMLElement} */ (/** @type {unknown} */ ({isConnected: true}));
  const [hidden, later] = ['hide', 'sort'].map((what) =>
    undos.add({element, what, kind: what, undo: () => said.push(`-${what}`), redo: () => said.push(`+${what}`)}),
  );
  undos.undo(hidden);
  undos.undo(hidden);
  assert.deepEqual(said, ['-hide'], 'once');
  assert.equal(undos.go('redo'), hidden);
  undos.undo(hidden);
  assert.equal(undos.go('undo'), later);
  assert.equal(undos.go('undo'), undefined);
});
