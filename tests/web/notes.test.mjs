// Notes on events and ranges: stored on the device by trace, followed, removed and undone, and shared in links and reports.

import assert from 'node:assert/strict';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {test} from 'node:test';

import {generated} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {TOP, drawn, watch} from './lib/timeline.mjs';

const here = site();
const trace = generated('notes/trace.json.gz', '--seed', '71', '--steps', '4');
const other = generated('notes/other.json.gz', '--seed', '72', '--steps', '5');

/** @typedef {import('./lib/site.mjs').Visit} Visit */

/** Chooses the first hit of a search on the timeline. @param {Visit} visit @param {string} query */
async function choose(visit, query) {
  await visit.tab('timeline');
  await visit.part('find').fill(query);
  await visit.part('find').press('Enter');
  await visit.page.waitForFunction(() => /event=\d+/.test(location.hash));
}

/** Writes a note on the selection. @param {Visit} visit @param {string} text */
async function write(visit, text) {
  await visit.part('notes').click();
  await visit.part('note-text').fill(text);
  await visit.part('note-text').press('Enter');
}

/** Writes a note on an event of the trace, and opens the dialog of reports. @param {Visit} visit @param {string} text */
async function noteInReport(visit, text) {
  await visit.open(trace);
  await choose(visit, 'class:kernel');
  await write(visit, text);
  await visit.page.keyboard.press('Escape');
  await visit.part('export').click();
  await visit.part('report.menu').click();
}

/** Texts of the notes in the open menu. @param {Visit} visit */
const listed = (visit) => visit.part('note').locator('.note-text').allInnerTexts();

test('a note is kept with its trace, leads to its event, and is removed and brought back', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('timeline');
  await visit.part('notes').click();
  assert.ok(await visit.part('note-add').isDisabled(), 'nothing is chosen');
  await visit.page.keyboard.press('Escape');
  await choose(visit, 'class:kernel');
  const event = new URLSearchParams((await visit.page.evaluate(() => location.hash)).slice(1)).get('event');
  await write(visit, 'too slow <b>here</b>');
  assert.deepEqual(await listed(visit), ['too slow <b>here</b>']);
  assert.match(await visit.text('notes'), /1/);
  await visit.page.keyboard.press('Escape');
  // Another trace has notes of its own; this one's are there again after a reload.
  await visit.open(other);
  await visit.tab('timeline');
  await visit.part('notes').click();
  assert.equal(await visit.part('note').count(), 0);
  await visit.page.reload();
  await visit.open(trace);
  await visit.tab('timeline');
  await visit.part('notes').click();
  await visit.part('note-go').click();
  await visit.page.waitForFunction((event) => new URLSearchParams(location.hash.slice(1)).get('event') === event, event);
  if (!(await visit.part('note-remove').isVisible())) await visit.part('notes').click();
  await visit.part('note-remove').click();
  assert.equal(await visit.part('note').count(), 0);
  await visit.part('note-undo').click();
  assert.equal(await visit.part('note').count(), 1);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a link carries the notes, to the same files alone', async () => {
  const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
  await visit.open(trace);
  await choose(visit, 'class:kernel');
  await write(visit, 'look at this');
  await visit.part('notes-link').click();
  await visit.part('notes-status').getByText('Link copied.').waitFor();
  const link = await visit.page.evaluate(() => navigator.clipboard.readText());
  await visit.close();
  for (const [file, expected] of /** @type {const} */ ([
    [trace, ['look at this']],
    [other, []],
  ])) {
    const colleague = await here.visit({query: new URL(link).hash});
    await colleague.open(file);
    await colleague.tab('timeline');
    await colleague.part('notes').click();
    assert.deepEqual(await listed(colleague), expected);
    assert.ok(!(await colleague.page.evaluate(() => location.hash)).includes('notes='), 'the address does not keep them');
    await colleague.close();
  }
});

test('links and reports have no secrets that a note has', async () => {
  const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
  await noteInReport(visit, 'rerun with --api-key made-up-secret --steps 3');
  await visit.page.locator('[data-test="report-save"]:enabled').waitFor();
  const {bytes} = await visit.saved(() => visit.part('report-save').click());
  assert.ok(!bytes.toString().includes('made-up-secret'));
  assert.ok(bytes.toString().includes('rerun with --api-key ************** --steps 3'));
  await visit.part('notes').click();
  await visit.part('notes-link').click();
  await visit.part('notes-status').getByText('Secrets in notes are masked').waitFor();
  const link = decodeURIComponent((await visit.page.evaluate(() => navigator.clipboard.readText())).replaceAll('+', ' '));
  assert.ok(link.includes('rerun with --api-key ************** --steps 3'), link);
  assert.deepEqual(await listed(visit), ['rerun with --api-key made-up-secret --steps 3'], 'this device keeps what was written');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a report with the trace carries the notes', async () => {
  const visit = await here.visit();
  await noteInReport(visit, 'for the report');
  await visit.part('report-what').selectOption('trace');
  await visit.page.locator('[data-test="report-save"]:enabled').waitFor();
  const {file} = await visit.saved(() => visit.part('report-save').click());
  const page = await visit.page.context().newPage();
  await page.goto(pathToFileURL(path.resolve(file)).href);
  const part = (/** @type {string} */ name) => page.locator(`[data-test="${name}"]`);
  await part('explore').click();
  await part('notes').click();
  assert.deepEqual(await part('note').locator('.note-text').allInnerTexts(), ['for the report']);
  await visit.close();
});

test('a report without the trace lists the notes, and so does its Markdown', async () => {
  const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
  await noteInReport(visit, 'slow <b>here</b>');
  await visit.page.locator('[data-test="report-save"]:enabled').waitFor();
  await visit.part('report-copy').click();
  await visit.part('report-status').getByText('Copied').waitFor();
  const markdown = await visit.page.evaluate(() => navigator.clipboard.readText());
  assert.match(markdown, /\*\*Notes\*\*\n\n- `slow <b>here<\/b>` – `[^`]+ · \d[^`]+ at \d[^`]+`\n/);
  const {file} = await visit.saved(() => visit.part('report-save').click());
  const page = await visit.page.context().newPage();
  await page.goto(pathToFileURL(path.resolve(file)).href);
  assert.equal(await page.locator('#notes li strong').innerText(), 'slow <b>here</b>');
  assert.match(await page.locator('#notes li').innerText(), / · \d\S* \S+ at \d/);
  assert.ok(await page.locator('nav a[href="#notes"]').isVisible());
  await visit.close();
});

test('a note is written on a range, and leads back to it', async () => {
  const visit = await here.visit({query: '#tab=timeline&range=100000~300000'});
  await visit.open(trace);
  await write(visit, 'this part');
  assert.match(await visit.part('note-go').innerText(), /^200\.0 µs from 100\.0 µs$/);
  await visit.page.keyboard.press('Escape');
  await visit.page.keyboard.press('Escape');
  await visit.page.waitForFunction(() => !location.hash.includes('range='));
  await visit.part('notes').click();
  await visit.part('note-go').click();
  await visit.page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get('range') === '100000~300000');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** The hash of a link with notes on any files. @param {unknown[]} notes */
const linked = (notes) => `#${new URLSearchParams({tab: 'timeline', notes: JSON.stringify(notes)})}`;

/** Notes that this device keeps, of all traces. @param {Visit} visit */
const kept = (visit) => visit.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('stepscope.notes.')).length);

test('a link that is opened where its trace is open brings its notes; what is on no rank is left out', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('timeline');
  assert.equal(await kept(visit), 0);
  await visit.page.evaluate(
    (hash) => (location.hash = hash),
    linked([
      [0, 1, null, null, 'one', 'here'],
      [7, 1, null, null, 'nowhere', 'rank 7'],
    ]),
  );
  await visit.part('notes').filter({hasText: '1'}).click();
  assert.deepEqual(await listed(visit), ['here']);
  assert.equal(await kept(visit), 1);
  await visit.part('note-remove').click();
  assert.equal(await kept(visit), 0, 'without notes nothing is kept');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a hundredth note is the last, and the page says so', async () => {
  const visit = await here.visit({query: linked(Array.from({length: 100}, (_, index) => [0, index, null, null, 'x', `${index}`]))});
  await visit.open(trace);
  await choose(visit, 'class:kernel');
  await write(visit, 'one more');
  assert.equal(await visit.text('notes-status'), 'A trace has at most 100 notes. Remove one first.');
  assert.equal(await visit.part('note-text').inputValue(), 'one more');
  await visit.part('note-remove').first().click();
  await visit.part('note-text').press('Enter');
  assert.ok((await listed(visit)).includes('one more'));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('notes have flags on the axis: the pointer reads them, a click selects what they are on', async () => {
  const visit = await here.visit({query: linked([[0, null, 100_000, 300_000, 'a part', 'too <b>slow</b>']])});
  await watch(visit);
  await visit.open(trace);
  await choose(visit, 'class:kernel');
  const event = new URLSearchParams((await visit.page.evaluate(() => location.hash)).slice(1)).get('event');
  await write(visit, '');
  await visit.page.keyboard.press('Escape');
  const canvas = visit.part('timeline-canvas');
  await canvas.focus();
  for (const key of ['Escape', 'f']) await visit.page.keyboard.press(key);
  await visit.page.waitForFunction(() => !location.hash.includes('event='));
  const scene = await drawn(visit);
  const [range, slice] = scene.notes;
  assert.equal(scene.notes.length, 2);
  assert.deepEqual([range.start, range.end], [100_000, 300_000]);
  const box = await canvas.boundingBox();
  assert.ok(box);
  const point = async (/** @type {number} */ time) => {
    const x = box.x + ((time - scene.start) / (scene.end - scene.start)) * scene.width + 3;
    const y = box.y + TOP - 12;
    await visit.page.mouse.move(x, y);
    return {x, y};
  };
  const tip = visit.page.locator('.timeline-tip');
  const at = await point(range.start);
  await tip.getByText('too <b>slow</b>').waitFor();
  assert.deepEqual(await tip.locator('> *').allInnerTexts(), ['too <b>slow</b>', 'a part']);
  assert.equal(await canvas.evaluate((canvas) => getComputedStyle(canvas).cursor), 'pointer');
  await visit.page.mouse.click(at.x, at.y);
  await visit.page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get('range') === '100000~300000');
  await visit.page.goBack();
  await visit.page.waitForFunction(() => !location.hash.includes('range='));
  await drawn(visit);
  const there = await point(slice.start);
  await visit.page.mouse.click(there.x, there.y);
  await visit.page.waitForFunction((event) => new URLSearchParams(location.hash.slice(1)).get('event') === event, event);
  // A removed note has no flag.
  await visit.part('notes').click();
  await visit.part('note-remove').first().click();
  await visit.page.waitForFunction(() => /** @type {any} */ (globalThis).scene.notes.length === 1);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
