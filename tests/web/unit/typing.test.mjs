// Keys that a control with the focus uses itself; all others are the page's.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {afterChoice, isTextField, usesKey} from '../../../www/js/page/environment/typing.js';

/** @param {string} localName @param {string} [type] @returns {HTMLElement} */
const element = (localName, type) => /** @type {any} */ ({localName, type});

test('text fields use all keys, other controls those that choose', () => {
  const used = (/** @type {string} */ localName, /** @type {string} */ type) =>
    ['w', '?', '/', ' ', 'ArrowDown', 'Home', 'Escape'].filter((key) => usesKey(element(localName, type), key)).join('');
  for (const [name, type] of [
    ['input', 'search'],
    ['input', 'text'],
    ['input', 'number'],
    ['textarea', 'textarea'],
  ])
    assert.equal(used(name, type), 'w?/ ArrowDownHomeEscape', type);
  assert.equal(used('select', 'select-one'), 'w?/ ArrowDownHome');
  assert.equal(used('input', 'checkbox'), ' ');
  assert.equal(used('input', 'range'), ' ArrowDownHome');
  assert.equal(used('button', 'button') + used('div', ''), '');
  assert.deepEqual(
    [
      element('input', 'search'),
      element('input', 'checkbox'),
      element('select', 'select-one'),
      /** @type {any} */ ({localName: 'p', isContentEditable: true}),
    ].map(isTextField),
    [true, false, false, true],
  );
});

test('a choice by pointer from a list gives the keys back, one by keys does not', () => {
  const body = new EventTarget();
  const list = element('select');
  let chosen = 0;
  afterChoice(/** @type {any} */ (body), () => chosen++);
  const send = (/** @type {string} */ type, target = list) => body.dispatchEvent(Object.defineProperty(new Event(type), 'target', {value: target}));
  send('keydown');
  send('change');
  assert.equal(chosen, 0);
  send('pointerdown');
  send('change');
  assert.equal(chosen, 1);
  send('pointerdown');
  send('keydown');
  send('change');
  send('pointerdown', element('input', 'checkbox'));
  send('change');
  assert.equal(chosen, 1);
});
