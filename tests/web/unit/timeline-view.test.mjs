// The timeline's view in the address.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {sayView, viewSaid} from '../../../www/js/page/timeline/view.js';

/** @typedef {import('../../../www/js/page/timeline/view.js').TimelineView} TimelineView */

/** @param {TimelineView} view */
function said(view) {
  const address = new URLSearchParams();
  sayView(view, address);
  return address;
}

test('all that is chosen comes back', () => {
  /** @type {TimelineView} */
  const view = {
    at: [100, 2_000_000],
    event: 12,
    of: 3,
    range: [150, 160],
    kept: [500, 500],
    pin: ['4', 'rank:0/device:0', 'rank:12/system'],
    hide: ['7', 'rank:1'],
    all: [0, 17],
    among: [1, 2],
    order: [
      ['3', '2'],
      ['rank:1', 'rank:0'],
    ],
    fold: ['row:4', 'rank:0/process:-1'],
    rows: 'stream & 7 ünï',
    find: 'a=b name:"x"',
    args: true,
  };
  assert.deepEqual(viewSaid(new URLSearchParams(String(said(view)))), view);
  for (const among of /** @type {const} */ (['pinned', 'shown'])) assert.deepEqual(viewSaid(said({among})), {among});
  assert.equal(String(said({})), '', 'nothing is said of what is as at first');
});

test('a range is said in whole nanoseconds around it', () => {
  assert.equal(said({range: [10.7, 20.2]}).get('range'), '10~21');
  assert.equal(said({at: [10.7, 20.2]}).get('at'), '11~20');
  assert.equal(said({at: [-5.4, 20]}).get('at'), '-5~20');
});

test('what makes no sense is left out', () => {
  for (const address of [
    'at=9~3',
    'at=3~3',
    'at=x',
    'at=1~2~3',
    'at=1e3~2e9',
    'range=x',
    'range=9~3',
    'event=-1',
    'event=99999999999',
    'of=x',
    'pin=a',
    'pin=7000000',
    'hide=-1',
    'fold=x:1',
    'all=x',
    'among=all',
    'order=3',
    'order=3.',
    'args=yes',
    'rows=',
    'find=',
  ]) {
    assert.deepEqual(viewSaid(new URLSearchParams(address)), {}, address);
  }
  assert.deepEqual(viewSaid(new URLSearchParams('pin=7+a+rank:0&hide=rank:0/x:1')), {pin: ['7', 'rank:0']}, 'the rest is taken');
  assert.deepEqual(viewSaid(new URLSearchParams('range=3~3')), {range: [3, 3]}, 'a moment can be chosen');
});
