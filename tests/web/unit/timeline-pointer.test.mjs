// Pointer input on the timeline, and distances between events.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {measured} from '../../../www/js/page/timeline/measure.js';
import {followPointers} from '../../../www/js/page/views/timeline/pointer.js';

/** An element for pointer input, and the calls that it led to. */
function met() {
  /** @type {[string, ...unknown[]][]} */
  const done = [];
  const element = Object.assign(new EventTarget(), {getBoundingClientRect: () => ({left: 0, top: 0}), setPointerCapture() {}, focus() {}});
  const told =
    (/** @type {string} */ name) =>
    (/** @type {unknown[]} */ ...args) =>
      void done.push([name, ...args]);
  const actions = Object.fromEntries(['zoom', 'pan', 'range', 'part', 'pick', 'jump', 'leave', 'point'].map((name) => [name, told(name)]));
  followPointers(/** @type {any} */ (element), /** @type {any} */ ({...actions, area: () => 'rows'}));
  const send = (/** @type {string} */ type, /** @type {number} */ pointerId, /** @type {number} */ x, /** @type {object} */ more = {}) =>
    element.dispatchEvent(Object.assign(new Event(type), {pointerId, clientX: x, clientY: 0, button: 0, pointerType: 'mouse', shiftKey: false, ...more}));
  return {done, send};
}

test('a drag draws a range, which ends with it', () => {
  const {done, send} = met();
  send('pointerdown', 1, 10);
  send('pointermove', 1, 12);
  assert.deepEqual(done, [], 'a hand is never still');
  send('pointermove', 1, 40);
  send('pointerup', 1, 50);
  assert.deepEqual(done, [
    ['range', 10, 40, false],
    ['range', 10, 50, true],
  ]);
});

test('a range that is being drawn ends where a second pointer begins to zoom', () => {
  for (const shiftKey of [false, true]) {
    const {done, send} = met();
    send('pointerdown', 1, 10, {shiftKey});
    send('pointermove', 1, 40, {shiftKey});
    send('pointerdown', 2, 90, {pointerType: 'touch'});
    const kind = shiftKey ? 'part' : 'range';
    assert.deepEqual(
      done.map(([name, , , isDone]) => [name, isDone]),
      [
        [kind, false],
        [kind, true],
      ],
    );
    send('pointermove', 2, 130, {pointerType: 'touch'});
    send('pointerup', 1, 40);
    send('pointerup', 2, 130);
    assert.equal(done[2][0], 'zoom');
    assert.equal(done.length, 3, 'it ends once, and picks nothing');
  }
});

test('a click picks, and measures with Shift', () => {
  const {done, send} = met();
  send('pointerdown', 1, 10);
  send('pointerup', 1, 10);
  send('pointerdown', 1, 20, {shiftKey: true});
  send('pointerup', 1, 21, {shiftKey: true});
  assert.deepEqual(done, [
    ['pick', 10, 0, false],
    ['pick', 21, 0, true],
  ]);
});

test('two events are measured from end to start and from start to start', () => {
  const [a, b, inside] = [
    {start: 10, end: 30},
    {start: 50, end: 60},
    {start: 15, end: 20},
  ];
  assert.deepEqual(measured(a, b), {span: [10, 60], first: 0, gap: 20, starts: 40});
  assert.deepEqual(measured(b, a), {span: [10, 60], first: 1, gap: 20, starts: 40}, 'whichever was chosen first');
  assert.deepEqual(measured(a, inside), {span: [10, 30], first: 0, gap: -5, starts: 5}, 'one inside the other');
  assert.deepEqual(measured(a, {start: 25, end: 60}), {span: [10, 60], first: 0, gap: -5, starts: 15}, 'for how long both go on');
});
