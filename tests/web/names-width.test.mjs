// The column with the names of the timeline's rows: its width is adjustable, and names keep what differs.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {written} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {drawn, openTimeline} from './lib/timeline.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();

const LONG = 'a thread of a pool with a name that is longer than its place';
const events = [1, 2].flatMap((tid) => [
  {ph: 'M', name: 'thread_name', pid: 1, tid, args: {name: `${LONG} ${tid}`}},
  {ph: 'X', cat: 'cpu_op', name: 'aten::mm', pid: 1, tid, ts: 10, dur: 100},
]);
const trace = written('names/trace.json', JSON.stringify({schemaVersion: 1, traceEvents: events}));

/** The widths of the names and of the rows beside them, once they are drawn. @param {Visit} visit */
async function widths(visit) {
  const {width: rows} = await drawn(visit);
  const names = await visit.page.locator('.timeline-left').evaluate((left) => /** @type {HTMLElement} */ (left).offsetWidth);
  return {names, rows};
}

/** Whether something of a name is cut, by thread. @param {Visit} visit */
const cut = (visit) =>
  visit.page
    .locator('.track-head-row .track-head-parts')
    .evaluateAll((all) => all.map((parts) => [...parts.children].map((part) => part.scrollWidth > part.clientWidth)));

test('the width of the names is changed by keys, by pointer and to fit, and is remembered', async () => {
  const visit = await here.visit();
  await openTimeline(visit, trace);
  const first = await widths(visit);
  const separator = visit.page.getByRole('separator', {name: 'Width of the names'});
  const value = async () => Number(await separator.getAttribute('aria-valuenow'));
  assert.equal(await value(), first.names);
  assert.deepEqual(
    await cut(visit),
    [
      [true, false],
      [true, false],
    ],
    'the numbers at the end are seen, the begin gives way',
  );
  await separator.focus();
  await visit.page.keyboard.press('ArrowRight');
  const wider = await widths(visit);
  assert.deepEqual(wider, {names: first.names + 24, rows: first.rows - 24});
  await visit.page.keyboard.press('Home');
  const least = await widths(visit);
  assert.equal(least.names, Number(await separator.getAttribute('aria-valuemin')));
  await visit.page.keyboard.press('End');
  const most = await widths(visit);
  assert.ok(Math.abs(most.names - most.rows) < 24, JSON.stringify(most));
  await visit.page.keyboard.press('ArrowRight');
  assert.deepEqual(await widths(visit), most);
  await visit.until('it is read out', async () => (await value()) === most.names);
  // Along the edge beside any row.
  const grip = await separator.boundingBox();
  assert.ok(grip);
  const {mouse} = visit.page;
  const edge = grip.x + grip.width;
  await mouse.move(edge - 2, grip.y + 90);
  await mouse.down();
  await mouse.move(edge - 102, grip.y + 90);
  await mouse.up();
  const dragged = await widths(visit);
  assert.ok(Math.abs(dragged.names - (most.names - 100)) <= 3, `${dragged.names} of ${most.names}`);
  await separator.dblclick();
  const fitting = await widths(visit);
  assert.ok(
    (await cut(visit)).flat().every((isCut) => !isCut),
    'nothing is cut',
  );
  await visit.page.keyboard.press('ArrowLeft');
  assert.ok((await cut(visit)).flat().some(Boolean), 'it is no wider than that takes');
  await visit.page.keyboard.press('Enter');
  assert.deepEqual(await widths(visit), fitting);
  await visit.page.reload();
  await openTimeline(visit, trace);
  assert.deepEqual(await widths(visit), fitting);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a name is one text for those who read or copy it', async () => {
  const visit = await here.visit();
  await openTimeline(visit, trace);
  const names = await visit.page.locator('.track-head-row .track-head-name').allTextContents();
  assert.deepEqual(names, ['Steps', `${LONG} 1`, `${LONG} 2`]);
  assert.match(await visit.part('timeline-heads').ariaSnapshot(), new RegExp(`${LONG} 1`));
  await visit.close();
});
