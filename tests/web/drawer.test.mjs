// The drawer below the timeline's rows: its height is adjustable and the canvas keeps its width; its first content, and a step's.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, stepscope, summary, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {box, click, drag, drawn, hashed, nothing, openTimeline, until, xOf} from './lib/timeline.mjs';

const here = site();
const trace = generated('drawer/trace.json', '--seed', '81', '--steps', '4');

/** Work of 400 µs in a recording with instant events long after it. */
const events = [
  ...[0, 900, 1500, 2000].map((ts) => ({ph: 'i', cat: 'x', name: 'moment', pid: 1, tid: 1, ts, s: 't'})),
  {ph: 'X', cat: 'cpu_op', name: 'aten::outer', pid: 1, tid: 1, ts: 1000, dur: 400},
  {ph: 'X', cat: 'cpu_op', name: 'aten::inner', pid: 1, tid: 1, ts: 1100, dur: 50},
];
const moments = written('drawer/moments.json', JSON.stringify({schemaVersion: 1, traceEvents: events}));

/** @typedef {import('./lib/site.mjs').Visit} Visit */

/** Chooses an event. @param {Visit} visit @param {string} query */
async function choose(visit, query) {
  await visit.part('find').fill(query);
  await visit.part('find').press('Enter');
  await visit.page.locator('[data-test="event-pane"][data-event]:not([aria-busy])').waitFor();
  return drawn(visit);
}

const height = async (/** @type {Visit} */ visit) => (await visit.part('drawer').boundingBox())?.height ?? 0;

test('what is chosen is told below the rows; the canvas keeps its width, and what is chosen is in view', async () => {
  const visit = await here.visit();
  const before = await openTimeline(visit, trace);
  assert.equal(await visit.part('drawer').isVisible(), false, 'nothing is chosen');
  const chosen = await choose(visit, 'class:python_frame');
  assert.ok(await visit.part('drawer').isVisible());
  assert.equal(chosen.width, before.width);
  assert.ok(chosen.height < before.height);
  const seen = await until(visit, ({selected, height}) => selected.length > 0 && selected[0].y + selected[0].height <= height);
  // A range beside it.
  const {x, y} = await box(visit);
  await visit.page.mouse.move(x + 300, y + 80);
  await visit.page.mouse.down();
  await visit.page.mouse.move(x + 400, y + 80);
  await visit.page.mouse.move(x + 500, y + 80);
  await visit.page.mouse.up();
  await visit.page.locator('[data-test="range-pane"][data-range]:not([aria-busy])').waitFor();
  const both = await drawn(visit);
  assert.deepEqual([both.width, both.height], [seen.width, seen.height]);
  const [event, range] = await Promise.all(['event-pane', 'range-pane'].map((name) => visit.part(name).boundingBox()));
  assert.ok(event && range && event.x + event.width <= range.x + 1, 'side by side');
  await visit.part('timeline-canvas').press('Escape');
  await nothing(visit);
  assert.equal(await visit.part('drawer').isVisible(), false);
  await visit.close();
});

test('what is clicked stays near the pointer when the drawer opens, and the first hit moves nothing', async () => {
  const visit = await here.visit();
  const before = await openTimeline(visit, trace);
  const top = (await box(visit)).y;
  // The lowest row of slices that is seen.
  const lines = before.clips.flatMap(({lines}) => lines).filter(({curve, y, laneHeight}) => !curve && y + laneHeight < before.height);
  const lowest = lines.reduce((low, line) => (line.y > low.y ? line : low));
  for (let x = 5; x < before.width && !(await drawn(visit)).selected.length; x += 10) {
    await click(visit, x, lowest.y + lowest.laneHeight / 2);
    await visit.page.waitForTimeout(60);
  }
  const {selected, height: now} = await until(visit, ({selected, height}) => selected.length > 0 && height < before.height);
  const [{y, height: tall}] = selected;
  assert.ok(y + tall <= now && y + tall > now - 8, `at the lower edge: ${y} of ${now}`);
  await visit.part('timeline-canvas').press('Escape');
  await nothing(visit);
  await visit.part('find').fill('class:kernel');
  await visit.page.waitForFunction(() => / found$/.test(document.querySelector('[data-test="find-said"]')?.textContent ?? ''));
  await visit.part('find').press('Enter');
  await visit.page.waitForFunction(() => / of /.test(document.querySelector('[data-test="find-said"]')?.textContent ?? ''));
  await until(visit, ({selected}) => selected.length > 0);
  assert.equal((await box(visit)).y, top);
  await visit.close();
});

test('a size that changed and changed back within a frame is not the one that is drawn', async () => {
  const visit = await here.visit();
  const before = await openTimeline(visit, trace);
  // No observer reports it, but a key makes the canvas take its size in between.
  await visit.part('timeline-canvas').evaluate((canvas) => {
    canvas.style.maxHeight = '100px';
    canvas.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));
    canvas.style.maxHeight = '';
  });
  const after = await until(visit, ({frame}) => frame > before.frame);
  assert.deepEqual([after.width, after.height], [before.width, before.height]);
  await visit.close();
});

test('its height is changed by pointer and keys, and remembered; it closes to a line', async () => {
  const visit = await here.visit();
  await openTimeline(visit, trace);
  await choose(visit, 'class:kernel');
  const first = await height(visit);
  const separator = visit.page.getByRole('separator', {name: 'Height of the details'});
  await separator.focus();
  for (let press = 0; press < 3; press++) await visit.page.keyboard.press('ArrowUp');
  const higher = await height(visit);
  assert.ok(higher > first + 50, `${first} ${higher}`);
  assert.equal(Number(await separator.getAttribute('aria-valuenow')), Math.round(higher));
  assert.ok((await drawn(visit)).selected.length > 0, 'its arrows are its own');
  await visit.page.keyboard.press('End');
  const most = await height(visit);
  assert.ok(((await box(visit)).height ?? 0) > 100 && most > higher, 'rows keep their room');
  await visit.page.keyboard.press('Home');
  assert.ok((await height(visit)) < first);
  const grip = await separator.boundingBox();
  assert.ok(grip);
  await visit.page.mouse.move(grip.x + 50, grip.y + 10);
  await visit.page.mouse.down();
  await visit.page.mouse.move(grip.x + 50, grip.y - 70);
  await visit.page.mouse.up();
  const dragged = await height(visit);
  assert.ok(dragged > 160 && dragged < most, String(dragged));
  await visit.page.reload();
  await openTimeline(visit, trace);
  await choose(visit, 'class:kernel');
  assert.ok(Math.abs((await height(visit)) - dragged) < 3, 'it is remembered');
  const toggle = visit.part('drawer-toggle');
  await toggle.click();
  assert.equal(await toggle.getAttribute('aria-expanded'), 'false');
  assert.equal(await visit.part('event-pane').isVisible(), false);
  const {name} = JSON.parse(stepscope('find', trace, 'class:kernel', '--json', '--limit', '1').toString()).ranks[0].events[0];
  assert.ok((await visit.text('drawer')).includes(name), 'its line tells what is chosen');
  const chosen = await visit.part('event-pane').getAttribute('data-event');
  await visit.part('find').press('Enter');
  await visit.page.waitForFunction((chosen) => document.querySelector('[data-test="event-pane"]')?.getAttribute('data-event') !== chosen, chosen);
  assert.equal(await visit.part('event-body').isVisible(), false, 'it stays closed');
  await toggle.click();
  assert.ok(await visit.part('event-body').isVisible());
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('in a narrow window it is resized, too, and rows take what it leaves', async () => {
  const visit = await here.visit({viewport: {width: 800, height: 900}});
  await openTimeline(visit, trace);
  await choose(visit, 'class:kernel');
  const [first, rows] = [await height(visit), (await box(visit)).height];
  const grip = await visit.part('drawer-separator').boundingBox();
  assert.ok(grip);
  await visit.part('drawer-separator').scrollIntoViewIfNeeded();
  const at = await visit.part('drawer-separator').boundingBox();
  assert.ok(at);
  await visit.page.mouse.move(at.x + 50, at.y + 12);
  await visit.page.mouse.down();
  await visit.page.mouse.move(at.x + 50, at.y - 48, {steps: 6});
  await visit.page.mouse.up();
  await drawn(visit);
  const [higher, lower] = [await height(visit), (await box(visit)).height];
  assert.ok(higher > first + 40 && higher < first + 90, `${first} ${higher}`);
  assert.ok(Math.abs(rows - lower - (higher - first)) <= 1, `${rows} ${lower}`);
  await visit.part('drawer-separator').press('End');
  await drawn(visit);
  assert.ok((await box(visit)).height >= 160, 'rows keep their room');
  await visit.part('drawer-toggle').click();
  assert.ok((await box(visit)).height > lower);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a range of another step goes when a step is chosen, and no two shadings overlap', async () => {
  const [{steps}] = summary(trace).ranks;
  const visit = await here.visit();
  await openTimeline(visit, trace);
  const pick = async (/** @type {string} */ step) => {
    await visit.part('step').selectOption(step);
    return until(visit, ({step: shown}) => shown?.[0] === steps[Number(step)].start_ns);
  };
  const pane = visit.page.locator('[data-test="range-pane"][data-range]');
  let scene = await pick('1');
  assert.equal(await visit.page.locator('.toolbar [data-test="jump"]').isVisible(), false, 'the timeline is there already');
  const middle = xOf(scene, (steps[1].start_ns + steps[1].end_ns) / 2);
  await drag(visit, [middle, 120], [middle + 40, 120]);
  scene = await until(visit, ({range}) => range !== null);
  assert.ok(scene.step, 'a range within the step');
  await pane.waitFor();
  scene = await pick('2');
  assert.equal(scene.range, null);
  await pane.waitFor({state: 'hidden'});
  await drag(visit, [2, 120], [60, 120]);
  scene = await until(visit, ({range}) => range !== null);
  assert.ok(scene.range && scene.range[0] < steps[2].start_ns);
  assert.equal(scene.step, null, 'the range is chosen last');
  await visit.tab('steps');
  await visit.page.locator('.toolbar [data-test="jump"]').waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('at first, and fitted, the time with slices is shown', async () => {
  const visit = await here.visit();
  await openTimeline(visit, moments);
  const scene = await until(visit, ({start, end}) => start <= 0 && end >= 400_000 && end < 420_000);
  assert.ok(scene.whole >= 1_000_000);
  await visit.part('timeline-zoomout').click();
  await until(visit, ({start, end}) => end - start > 700_000);
  await visit.part('timeline-fit').click();
  await until(visit, ({start, end}) => start === scene.start && end === scene.end);
  assert.equal(new URL(visit.page.url()).searchParams.get('at'), null);
  await visit.close();
});

test('the timeline goes to the chosen step and highlights it', async () => {
  const [{steps}] = summary(trace).ranks;
  const visit = await here.visit();
  await visit.open(trace);
  await visit.part('step').selectOption('1');
  await openTimeline(visit, trace);
  await visit.part('step').selectOption('2');
  const shows = (/** @type {number} */ index) =>
    until(visit, ({start, end, step}) => {
      const {start_ns: from, end_ns: to} = steps[index];
      return step !== null && step[0] === from && step[1] === to && start <= from && end >= to && end - start < 2 * (to - from);
    });
  const scene = await shows(2);
  await click(visit, xOf(scene, steps[2].start_ns), 5);
  await visit.part('timeline-canvas').focus();
  await visit.part('step').selectOption('1');
  await shows(1);
  // All that it was shown of is shown again.
  await visit.part('step').selectOption('');
  await until(visit, ({start, end, whole, step}) => start <= 0 && end >= whole && !step);
  // Chosen elsewhere, it is shown once the timeline is.
  await visit.tab('overview');
  await visit.part('step').selectOption('3');
  await visit.tab('timeline');
  await shows(3);
  // A link sets the content, whatever the step is.
  await visit.part('timeline-zoomout').click();
  await visit.page.waitForFunction(() => location.hash.includes('at='));
  const at = new URLSearchParams(new URL(visit.page.url()).hash.slice(1)).get('at');
  await visit.page.reload();
  await openTimeline(visit, trace);
  await hashed(visit, 'at', at);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
