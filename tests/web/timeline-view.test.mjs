// The timeline's view persists in the address and in another language and theme. Also: keys alone, and nearly empty traces.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';
import {act, click, drag, drawn, hashed, heads, nothing, openTimeline, rowOf, said, until, watch, xOf, yOf} from './lib/timeline.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */
/** @typedef {import('./lib/timeline.mjs').Scene} Scene */

const here = site();
const trace = generated('timeline/trace.json.gz', '--seed', '97', '--groups', '8', '--steps', '4');

/** Times in µs, as Chrome's format has them. @param {string} name @param {string} cat @param {number} ts @param {number} dur @param {object} [more] */
const slice = (name, cat, ts, dur, more = {}) => ({ph: 'X', name, cat, pid: 1, tid: 1, ts, dur, ...more});

/** A file of known events. @param {string} name @param {object[]} events @param {object} [more] */
function known(name, events, more = {}) {
  return written(`timeline/${name}.json`, JSON.stringify({...more, traceEvents: events}));
}

/** The parts of a scene that do not depend on the time of drawing. @param {Scene} scene */
function shown({start, end, clips, range, selected, hits}) {
  return {start, end, clips, range, selected, hits};
}

/** The whole nanoseconds around a range. @param {[number, number] | null} range */
function whole(range) {
  return range && [Math.floor(range[0]), Math.ceil(range[1])];
}

/** Selects, pins, hides, folds, filters and searches, and returns what is shown then. @param {Visit} visit */
async function arrange(visit) {
  const scene = await openTimeline(visit, trace);
  const rows = (await heads(visit)).filter(({key}) => key.startsWith('row:'));
  const foldable = rows.filter(({expanded}) => expanded !== null);
  await act(visit, foldable[0].key, 'fold');
  await act(visit, rows[1].key, 'pin');
  await act(visit, rows[2].key, 'hide');
  await act(visit, rows[3].key, 'down');
  await visit.part('find').fill('gemm');
  await visit.part('find').press('Enter');
  await said(visit);
  await until(visit, ({hits, selected}) => hits.length > 0 && selected.length > 0);
  await visit.part('timeline-zoomout').click();
  const found = await visit.text('timeline-said');
  await drag(visit, [(0.2 * scene.width) / 2, 150], [(0.7 * scene.width) / 2, 150]);
  await until(visit, ({range}) => range !== null);
  await visit.part('timeline-filter').fill('stream');
  await hashed(visit, 'rows', 'stream');
  // One that is chosen is read out again where the view is restored; the range was the last here.
  return {
    scene: await drawn(visit),
    found,
    pane: await visit.part('range-pane').getAttribute('data-range'),
    titles: (await heads(visit)).map(({title}) => title),
  };
}

test('the address restores the view once the file is opened again', async () => {
  const visit = await here.visit();
  const before = await arrange(visit);
  const address = new URL(visit.page.url());
  const said = new URLSearchParams(address.hash.slice(1));
  for (const key of ['tab', 'at', 'event', 'range', 'pin', 'hide', 'fold', 'rows', 'find']) assert.ok(said.has(key), `${key}: ${address.hash}`);
  await visit.page.reload();
  await visit.page.locator('#main').waitFor({state: 'attached'});
  await watch(visit);
  await visit.open(trace);
  assert.equal(await visit.page.locator('.tab[aria-selected="true"]').getAttribute('data-test'), 'tab-timeline');
  const again = await until(visit, ({hits, selected}) => hits.length > 0 && selected.length > 0);
  // Times stand in the address in whole nanoseconds.
  const pixel = (before.scene.end - before.scene.start) / before.scene.width;
  for (const key of /** @type {const} */ (['start', 'end'])) assert.ok(Math.abs(again[key] - before.scene[key]) <= Math.max(1, pixel / 100), key);
  assert.deepEqual(again.range, whole(before.scene.range));
  const {clips, selected, hits} = shown(again);
  assert.deepEqual({clips, selected, hits}, {clips: before.scene.clips, selected: before.scene.selected, hits: before.scene.hits});
  assert.deepEqual(
    (await heads(visit)).map(({title}) => title),
    before.titles,
  );
  assert.equal(await visit.part('timeline-filter').inputValue(), 'stream');
  assert.equal(await visit.part('find').inputValue(), 'gemm');
  assert.equal(await visit.part('range-pane').getAttribute('data-range'), before.pane);
  assert.equal(await visit.text('timeline-said'), before.found);
  // And the address still says the same.
  await visit.page.waitForTimeout(500);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(new URL(visit.page.url()).hash.slice(1))), Object.fromEntries(said));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('an address that makes no sense shows all', async () => {
  const visit = await here.visit({query: '#tab=timeline&at=9~3&event=99999999&range=x&pin=7000+a&hide=-1&fold=row:x+<b>&all=99'});
  const scene = await openTimeline(visit, trace);
  assert.ok(scene.start <= 0 && scene.end >= scene.whole);
  assert.deepEqual([scene.range, scene.selected, scene.clips[1].lines], [null, [], []]);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('another language and another theme show the same', async () => {
  const visit = await here.visit({colorScheme: 'light'});
  const {scene: before} = await arrange(visit);
  assert.equal(before.dark, false);
  await visit.page.emulateMedia({colorScheme: 'dark'});
  const dark = await until(visit, ({dark}) => dark);
  assert.deepEqual(shown(dark), shown(before));
  await visit.set('language', 'zh');
  await visit.page.waitForFunction(() => document.documentElement.lang.startsWith('zh'));
  const chinese = await until(visit, ({hits, selected}) => hits.length > 0 && selected.length > 0);
  const pixel = (before.end - before.start) / before.width;
  assert.ok(Math.abs(chinese.start - before.start) <= Math.max(1, pixel / 100));
  assert.deepEqual(chinese.range, before.range);
  assert.deepEqual(
    chinese.selected.map(({start, end}) => [start, end]),
    before.selected.map(({start, end}) => [start, end]),
  );
  assert.deepEqual(
    chinese.clips[1].lines.map(({row}) => row),
    before.clips[1].lines.map(({row}) => row),
    'what is pinned',
  );
  assert.match(await said(visit), /，|、|从/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** A training step that is known to the last digit: an operator in an operator, two launches, two kernels. */
const STEP = known(
  'step',
  [
    slice('ProfilerStep#1', 'user_annotation', 0, 900),
    slice('aten::linear', 'cpu_op', 10, 200),
    slice('aten::mm', 'cpu_op', 20, 90),
    slice('cudaLaunchKernel', 'cuda_runtime', 30, 10, {args: {correlation: 9}}),
    slice('aten::add', 'cpu_op', 120, 80),
    slice('cudaLaunchKernel', 'cuda_runtime', 130, 10, {args: {correlation: 10}}),
    slice('gemm', 'kernel', 150, 100, {pid: 0, tid: 7, args: {device: 0, stream: 7, correlation: 9}}),
    slice('add_kernel', 'kernel', 260, 40, {pid: 0, tid: 7, args: {device: 0, stream: 7, correlation: 10}}),
  ],
  {schemaVersion: 1, deviceProperties: []},
);

test('by keys alone a person goes from event to event', async () => {
  const visit = await here.visit();
  await openTimeline(visit, STEP);
  const {keyboard} = visit.page;
  await keyboard.press('/');
  await keyboard.type('aten::mm');
  await keyboard.press('Enter');
  let words = await said(visit);
  assert.match(words, /^aten::mm, 90\.00 µs, from 20\.00 µs, in /);
  // Out of the search, onto the rows.
  await keyboard.press('Escape');
  await keyboard.press('Escape');
  const onRows = () => visit.part('timeline-canvas').evaluate((canvas) => canvas === document.activeElement);
  for (let times = 0; times < 60 && !(await onRows()); times++) await keyboard.press('Tab');
  assert.ok(await onRows(), 'the rows are reached by Tab');
  for (const [key, name] of [
    ['ArrowDown', 'cudaLaunchKernel'],
    [']', 'gemm'],
    ['ArrowRight', 'add_kernel'],
    ['[', 'cudaLaunchKernel'],
    ['ArrowUp', 'aten::add'],
    ['ArrowLeft', 'aten::mm'],
    ['ArrowUp', 'aten::linear'],
    ['ArrowDown', 'aten::mm'],
  ]) {
    if (key === ']' || key === '[') await until(visit, ({arrows}) => arrows.length > 0);
    await keyboard.press(key);
    words = await said(visit, words);
    assert.ok(words.startsWith(`${name}, `), `${key}: ${words}`);
  }
  const before = await drawn(visit);
  await keyboard.press('f');
  const fitted = await until(visit, ({start, end}) => start !== before.start || end !== before.end);
  assert.ok(fitted.start < 20_000 && fitted.start > -20_000 && fitted.end > 110_000 && fitted.end < 150_000, `${fitted.start}..${fitted.end}`);
  await keyboard.press('m');
  assert.deepEqual((await until(visit, ({range}) => range !== null)).range, [20_000, 110_000]);
  assert.match(await said(visit, words), /^A span of 90\.00 µs from 20\.00 µs/);
  await keyboard.press('Escape');
  await nothing(visit);
  await keyboard.press('F');
  await until(visit, ({start, end, whole}) => start <= 0 && end >= whole);
  // Without a selection, an arrow key selects the first event of the uppermost row with one.
  await keyboard.press('ArrowDown');
  assert.match(await said(visit, ''), /, from /);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("what is pointed at and chosen has the file's numbers", async () => {
  const visit = await here.visit();
  const scene = await openTimeline(visit, STEP);
  const row = await rowOf(visit, /7/);
  await click(visit, xOf(scene, 200_000), yOf(scene, row));
  const words = await said(visit);
  assert.match(words, /^gemm, /);
  assertShows(/, ([^,]*), from /.exec(words)?.[1] ?? '', 100_000);
  // A click beside everything chooses nothing.
  const now = await drawn(visit);
  await click(visit, xOf(now, 600_000), yOf(now, row));
  await nothing(visit);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a second click keeps what is selected beside others: name, duration, difference', async () => {
  const visit = await here.visit();
  const {keyboard} = visit.page;
  const kernel = (/** @type {number} */ start, /** @type {number} */ length) =>
    slice('gemm', 'kernel', start, length, {pid: 0, tid: 7, args: {device: 0, stream: 7}});
  const file = known('kept', [slice('ProfilerStep#1', 'user_annotation', 0, 900), kernel(100, 50), kernel(300, 80)]);
  const scene = await openTimeline(visit, file);
  const row = await rowOf(visit, /7/);
  const kept = visit.part('kept-event');
  const at = async (/** @type {number} */ time) => click(visit, xOf(await drawn(visit), time), yOf(await drawn(visit), row));
  const rows = () => kept.locator('tbody tr').evaluateAll((all) => all.map((one) => [...one.children].map((cell) => cell.textContent ?? '')));
  await click(visit, xOf(scene, 120_000), yOf(scene, row));
  const first = await said(visit);
  assert.equal(await kept.isVisible(), false);
  await at(120_000);
  assert.match(await said(visit, first), /^Kept to compare: gemm, 50\.00 µs/);
  assert.deepEqual(await rows(), [['Kept', 'gemm', '50.00 µs', '']]);
  await visit.part('event-name').waitFor();
  await at(340_000);
  await visit.until('both are there', async () => (await rows()).length === 2);
  assert.deepEqual((await rows())[1], ['Selected', 'gemm', '80.00 µs', '+30.00 µs (+60.0 %)']);
  assert.match(await said(visit), /80\.00 µs.*\+30\.00 µs \(\+60\.0 %\) against the kept gemm/);
  // The kept event is not compared with itself.
  await visit.part('kept-go').click();
  await visit.until('it is gone to', async () => (await rows()).length === 1);
  await keyboard.press('Escape');
  await nothing(visit);
  assert.equal(await kept.isVisible(), true, 'the first Escape clears the selection');
  await visit.part('timeline-canvas').press('Escape');
  await kept.waitFor({state: 'hidden'});
  // By key and by button.
  await visit.part('timeline-fit').click();
  await at(340_000);
  await visit.part('event-keep').click();
  await kept.waitFor();
  await visit.part('timeline-canvas').press('k');
  await kept.waitFor({state: 'hidden'});
  await visit.part('timeline-canvas').press('k');
  await kept.waitFor();
  await visit.part('kept-forget').click();
  await kept.waitFor({state: 'hidden'});
  assert.ok(await visit.part('timeline-canvas').evaluate((one) => one === document.activeElement));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** Traces that have little. @type {[string, () => string, number][]} name, file, how many rows there are at least */
const LITTLE = [
  ['one slice', () => known('one', [slice('alone', 'work', 5, 10)]), 1],
  ['one slice of no length', () => known('moment', [slice('alone', 'work', 5, 0)]), 1],
  ['counters alone', () => new URL('../fixtures/chrome/counters_alone/input.json', import.meta.url).pathname, 1],
  ['counters and marks', () => new URL('../fixtures/chrome/counters_and_marks/input.json', import.meta.url).pathname, 1],
  [
    'marks alone',
    () =>
      known(
        'marks',
        [5, 9].map((ts) => ({ph: 'i', name: 'mark', pid: 1, tid: 1, ts, s: 't'})),
      ),
    0,
  ],
  ['processors only', () => new URL('../fixtures/kineto/cpu_only/input.json', import.meta.url).pathname, 1],
];

for (const [name, file, rows] of LITTLE) {
  test(`there is a timeline of ${name}`, async () => {
    const visit = await here.visit();
    const scene = await openTimeline(visit, file());
    const lines = scene.clips[0].lines;
    assert.ok(lines.length >= rows, `${lines.length} rows`);
    assert.ok(scene.end > scene.start && Number.isFinite(scene.start));
    for (const key of ['w', 'd', 's', 'a', 'f', 'm', 'ArrowLeft', 'ArrowUp', '[', ']', 'Escape']) {
      await visit.part('timeline-canvas').focus();
      await visit.page.keyboard.press(key);
    }
    await drawn(visit);
    await visit.part('timeline-fit').click();
    // Rows without slices do not count for "fit".
    const all = await until(visit, ({start, end, whole}) => start <= 0 && end >= (name === 'counters and marks' ? whole / 4 : whole));
    if (name.startsWith('one slice')) {
      const {row} = all.clips[0].lines[all.clips[0].lines.length - 1];
      // The first whole pixel of it: the browser rounds the pointer's place down.
      await click(visit, Math.ceil(xOf(all, name === 'one slice' ? all.whole / 2 : 0)), yOf(all, row));
      assert.match(await said(visit), /^alone, /);
    }
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  });
}

test('the timeline and tables use all of a wide screen, texts do not', async () => {
  const visit = await here.visit({viewport: {width: 3840, height: 2160}});
  await openTimeline(visit, trace);
  const width = () => visit.page.locator('#panel').evaluate((panel) => panel.getBoundingClientRect().width);
  assert.ok((await width()) > 3700);
  for (const tab of ['calls', 'operators', 'kernels']) {
    await visit.tab(tab);
    assert.ok((await width()) > 3700, tab);
  }
  await visit.tab('overview');
  assert.ok((await width()) < 1700);
  await visit.close();
});

test("texts on the canvas have the page's own face", async () => {
  const visit = await here.visit();
  const scene = await openTimeline(visit, trace);
  const used = await visit.page.evaluate(() => document.documentElement.dataset.face !== undefined);
  assert.ok(used && /** @type {any} */ (scene).font.startsWith("'Stepscope Inter'"), JSON.stringify(scene));
  const faces = await Promise.all(
    visit.page.workers().map((worker) => worker.evaluate(() => [.../** @type {any} */ (self).fonts].map((/** @type {any} */ {status}) => status))),
  );
  assert.deepEqual(faces.flat(), ['loaded']);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
