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
        return {tracks: rank ? [{longest: 9}, {longest: null}] : [{longest: 7}]};
      },
    })
  );
  const report = /** @type {TimelineReport} */ ({end_ns: 1000, shifts_ns: [0, 0, 50], rows: [], version: 1});
  assert.deepEqual(await extentOf(app, report, [0, 1, 2]), {start: 145, end: 655});
  assert.deepEqual(await extentOf(app, report, [1]), {start: 0, end: 1000}, 'no slices');
});
