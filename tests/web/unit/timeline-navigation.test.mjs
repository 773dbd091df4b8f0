// Which part of time the timeline shows: zooming, moving, limits.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {alongArrow, around, isElsewhere, limited, reaching, shifted, zoomed} from '../../../www/js/page/timeline/navigation.js';

/** @typedef {import('../../../www/types/reports.js').TimelineFoundReport} Found */

const WHOLE = 1_000_000;

/** @param {{start: number, end: number}} window */
const length = ({start, end}) => end - start;

test('no window reaches further than a little beyond the whole, and none is shorter than can be read', () => {
  for (const [start, end] of [
    [-5e6, 9e6],
    [-4e6, -3e6],
    [3e6, 4e6],
    [500, 500],
    [10, 5],
    [0, WHOLE],
  ]) {
    const window = limited({start, end}, WHOLE);
    assert.ok(window.start >= -0.02 * WHOLE - 1e-6 && window.end <= 1.02 * WHOLE + 1e-6, `${start} to ${end}: ${JSON.stringify(window)}`);
    assert.ok(length(window) >= 20, `${start} to ${end}`);
  }
  assert.deepEqual(limited({start: 100, end: 300}, WHOLE), {start: 100, end: 300}, 'what is within the limits stays as it is');
});

test('zooming keeps what is under the pointer where it is', () => {
  const before = {start: 200_000, end: 400_000};
  for (const factor of [0.5, 0.1, 2]) {
    const at = 250_000;
    const after = zoomed(before, factor, at, WHOLE);
    assert.ok(Math.abs(length(after) - factor * length(before)) < 1e-6, String(factor));
    assert.ok(Math.abs((at - after.start) / length(after) - 0.25) < 1e-9, String(factor));
  }
  const there = zoomed(zoomed(before, 0.5, 300_000, WHOLE), 2, 300_000, WHOLE);
  assert.ok(Math.abs(there.start - before.start) < 1e-6 && Math.abs(there.end - before.end) < 1e-6, 'and back');
});

test('zooming ends at the whole and at what can be read', () => {
  let window = {start: 0, end: WHOLE};
  for (let turn = 0; turn < 200; turn++) window = zoomed(window, 0.8, 123_456, WHOLE);
  assert.ok(Math.abs(length(window) - 20) < 1e-6);
  assert.ok(window.start <= 123_456 && window.end >= 123_456);
  for (let turn = 0; turn < 200; turn++) window = zoomed(window, 1.25, 123_456, WHOLE);
  assert.ok(Math.abs(length(window) - 1.04 * WHOLE) < 1e-3);
});

test('moving keeps the length, also at the ends', () => {
  const window = {start: 100_000, end: 200_000};
  assert.deepEqual(shifted(window, 0.5, WHOLE), {start: 150_000, end: 250_000});
  for (const share of [-100, 100]) assert.ok(Math.abs(length(shifted(window, share, WHOLE)) - 100_000) < 1e-6);
  assert.ok(shifted(window, -100, WHOLE).start < 0);
});

test('what is jumped to stands in the middle with room around it; a moment, too', () => {
  assert.deepEqual(around(400_000, 600_000, WHOLE), {start: 350_000, end: 650_000});
  const moment = around(500, 500, WHOLE);
  assert.ok(length(moment) >= 20 && moment.start < 500 && moment.end > 500);
});

test('a window goes no further than to what lies outside of it', () => {
  const window = {start: 100_000, end: 200_000};
  assert.equal(reaching(window, {start: 150_000, end: 900_000}, WHOLE), window, 'what is seen in part stays');
  assert.deepEqual(reaching(window, {start: 300_000, end: 310_000}, WHOLE), {start: 255_000, end: 355_000});
  assert.deepEqual(reaching(window, {start: 300_000, end: 900_000}, WHOLE), {start: 300_000, end: 400_000}, 'of what is longer its beginning');
});

test('a person is elsewhere where something else is chosen, or hardly any of the same time is seen', () => {
  const window = {start: 100, end: 200};
  const here = {window, view: {event: 3, range: /** @type {[number, number]} */ ([1, 2])}};
  const is = (/** @type {Partial<typeof here>} */ change) => isElsewhere(here, {...here, ...change});
  assert.equal(is({}), false);
  assert.ok(is({view: {...here.view, event: 4}}) && is({view: {...here.view, range: [1, 3]}}));
  assert.equal(isElsewhere(here, {window, view: {}}), false, 'nothing is chosen any more');
  assert.ok(isElsewhere({window, view: {}}, here));
  assert.equal(is({window: {start: 120, end: 180}}), false);
  assert.equal(is({window: {start: 199, end: 299}}), false);
  assert.ok(is({window: {start: 200, end: 300}}) && is({window: {start: 0, end: 100}}), 'all of the time is other time');
  assert.ok(is({window: {start: 0, end: 400}}) && is({window: {start: 140, end: 165}}), 'much nearer, or further away');
});

test('an arrow leads from a slice to where it ends, and from an operator through the call inside of it', () => {
  const slice = (/** @type {Partial<Found>} */ of) =>
    /** @type {Found} */ ({row: 0, lane: 0, place: 0, number: 0, rank: 0, start: 0, end: 10, text: '', ...of});
  const operator = slice({number: 1, start: 0, end: 100});
  const call = slice({number: 2, start: 20, end: 30});
  const kernel = slice({number: 3, start: 50, end: 90, row: 4});
  const arrows = [{from: call, to: kernel}];
  assert.equal(alongArrow(arrows, call, false), kernel);
  assert.equal(alongArrow(arrows, operator, false), kernel);
  assert.equal(alongArrow(arrows, kernel, true), call);
  assert.equal(alongArrow(arrows, slice({number: 9, start: 200, end: 300}), false), undefined);
  assert.equal(alongArrow(arrows, slice({number: 1, rank: 1, end: 100}), false), undefined, 'another rank has the same times');
});
