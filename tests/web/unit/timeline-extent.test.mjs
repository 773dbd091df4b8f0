// Which part of time is shown first.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {extentOf, wide} from '../../../www/js/page/views/timeline/extent.js';

/** @typedef {import('../../../www/js/page/app.js').App} App */
/** @typedef {import('../../../www/js/protocol/timeline.js').TimelineReport} TimelineReport */

test('what is without slices on a side is left out where it is much', () => {
  assert.deepEqual(wide({start: 100, end: 900}, 1000), {start: 92, end: 908});
  assert.deepEqual(wide({start: 40, end: 960}, 1000), {start: 0, end: 1000});
  assert.deepEqual(wide({start: 500, end: 990}, 1000), {start: 495.1, end: 1000});
  assert.deepEqual(wide({start: Infinity, end: -Infinity}, 1000), {start: 0, end: 1000}, 'nothing is known');
});

test('of several ranks it has the slices of all, each by its own clock, up to the end of what goes on last', async () => {
  const firstAndLast = [[200, 400], null, [100, 300]];
  const ends = /** @type {Record<number, number>} */ ({7: 650, 9: 420});
  const app = /** @type {App} */ (
    /** @type {unknown} */ ({
      timeline: async (/** @type {any} */ call) => (call.call === 'slices' ? firstAndLast[call.rank] : {end: ends[call.event]}),
      report: async (/** @type {string} */ _, /** @type {any} */ ask, /** @type {number} */ rank) => {
        assert.deepEqual(ask.span_ns, [firstAndLast[rank]?.[1], rank ? 950 : 1000]);
        return {tracks: rank ? [{longest: 9}, {longest: null}] : [{longest: 7}, {layer: 'profiler', longest: 8}]};
      },
    })
  );
  const report = /** @type {TimelineReport} */ ({end_ns: 1000, shifts_ns: [0, 0, 50], rows: [], version: 1});
  assert.deepEqual(await extentOf(app, report, [0, 1, 2], () => null), {start: 145, end: 655});
  assert.deepEqual(await extentOf(app, report, [1], () => null), {start: 0, end: 1000}, 'no slices');
});

test('a rank that is shown as a summary counts with the rows of that', async () => {
  const rows = [{start: 300, end: 310, last: 600}, null, {start: 350, end: 351, last: 500}];
  const app = /** @type {App} */ (
    /** @type {unknown} */ ({
      timeline: async (/** @type {any} */ {call, rank, row, at, near}) => {
        if (call === 'slices') return rank ? [990, 991] : [100, 960];
        assert.equal(near, 1000);
        return rows[row] && (at === 0 ? {start: rows[row].start, end: rows[row].end} : {start: 0, end: rows[row].last});
      },
    })
  );
  const report = /** @type {TimelineReport} */ ({end_ns: 1000, shifts_ns: [0, 0], rows: [], version: 1});
  assert.deepEqual(await extentOf(app, report, [0], () => [0, 1, 2]), {start: 297, end: 603});
  assert.deepEqual(await extentOf(app, report, [0], () => null), {start: 91, end: 1000});
  assert.deepEqual(await extentOf(app, report, [0, 1], (rank) => (rank ? [1] : [0, 2])), {start: 293, end: 1000}, 'a summary without slices: all of the rank');
});
