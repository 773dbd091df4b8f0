// Links from rows, charts and advice to the timeline, and the browser's way back.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, summary, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {drawn, rowOf, until, watch} from './lib/timeline.mjs';

const here = site();
const trace = generated('jump/trace.json.gz', '--seed', '91', '--groups', '20', '--steps', '4');

/** @typedef {import('./lib/site.mjs').Visit} Visit */

/** Which tab is open. @param {Visit} visit */
function openTab(visit) {
  return visit.page.locator('.tab[aria-selected="true"]').getAttribute('data-test');
}

/** The timeline's status text, once it differs from an earlier one. @param {Visit} visit @param {string} before */
async function said(visit, before) {
  await visit.page.waitForFunction((before) => {
    const text = document.querySelector('[data-test="timeline-said"]')?.textContent ?? '';
    return text !== '' && text !== before;
  }, before);
  return (await visit.part('timeline-said').textContent()) ?? '';
}

/** The range that the last followed link chose, as its address has it: `start~end` in ns. */
let range = '';

/**
 * Follows a link, and goes back: to the tab, the row and the link that it came from.
 * @param {Visit} visit @param {import('playwright-core').Locator} link @param {string} before the timeline's last status text @param {boolean} toRange whether it leads to a range
 */
async function followed(visit, link, before, toRange = false) {
  const tab = await openTab(visit);
  await link.focus();
  await link.click();
  const text = await said(visit, before);
  assert.equal(await openTab(visit), 'tab-timeline');
  if (toRange) {
    const rangeOf = (/** @type {string} */ hash) => new URLSearchParams(hash.slice(1)).get('range') ?? '';
    await visit.page.waitForFunction((before) => {
      const now = new URLSearchParams(location.hash.slice(1)).get('range') ?? '';
      return now !== '' && now !== before;
    }, range);
    range = rangeOf(new URL(visit.page.url()).hash);
  }
  await visit.page.goBack();
  await visit.page.waitForFunction((tab) => document.querySelector('.tab[aria-selected="true"]')?.getAttribute('data-test') === tab, tab);
  await visit.settled();
  assert.ok(await link.evaluate((link) => link === document.activeElement), `${text}: back at the link`);
  return text;
}

/** Cells of the first rows. @param {Visit} visit */
async function openFirstRow(visit) {
  await visit.page.locator('.rows .row').first().click();
  await visit.page.locator('[data-test="row-pane"]:not([aria-busy])').waitFor();
}

test('every row of operators, kernels and copies leads to its events and back', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  let last = '';
  for (const tab of ['operators', 'kernels', 'copies']) {
    await visit.tab(tab);
    await openFirstRow(visit);
    const name = await visit.page.locator('[data-test="detail"]:visible').locator('dd').first().innerText();
    const longest = visit.page.locator('.row-pane .card-head [data-test="jump"]');
    const text = await followed(visit, longest, last);
    assert.ok(text.startsWith(`${name}, `), `${tab}: ${text}`);
    assert.ok(await visit.page.locator('[data-test="detail"]:visible').isVisible(), 'the row is open as it was');
    // The search that came with it.
    await visit.tab('timeline');
    assert.equal(await visit.part('find').inputValue(), `"${name}"`);
    await visit.tab(tab);
    const events = visit.part('row-events').locator('tbody tr');
    const [start, length] = await events.nth(1).locator('td').allInnerTexts();
    last = await followed(visit, events.nth(1).locator('[data-test="jump"]'), text);
    assert.ok(last.startsWith(`${name}, ${length}, `) && last.includes(start), `${tab}: ${last}`);
    await visit.page.locator('[data-test="detail"] .close').click();
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('steps, idle gaps, launches, queues and curves lead to their part of time', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const [rank] = summary(trace, '--slow-call', '1us').ranks;
  await visit.tab('steps');
  await visit.page.locator('.rows .row').nth(1).click();
  let last = await followed(visit, visit.part('detail').first().locator('[data-test="jump"]'), '', true);
  const ofStep = (/** @type {number} */ index) => `${rank.steps[index].start_ns}~${rank.steps[index].end_ns}`;
  assert.equal(range, ofStep(1));
  await visit.part('step').selectOption('2');
  last = await followed(visit, visit.page.locator('.toolbar [data-test="jump"]'), last);
  await visit.part('step').selectOption('');
  assert.equal(await visit.page.locator('.toolbar [data-test="jump"]').count(), 0);
  await visit.tab('idle');
  await visit.part('table-gaps').locator('.rows .row').first().click();
  const gap = visit.page.locator('[data-test="detail"]:visible [data-test="jump"]');
  for (let link = 0; link < (await gap.count()); link++) {
    last = await followed(visit, gap.nth(link), last, link === 0);
    const {start_ns: start, length_ns: length} = rank.idle[0].long_gaps.longest[0];
    if (link === 0) assert.equal(range, `${start}~${start + length}`);
  }
  // Faster calls than that are not listed.
  await visit.part('threshold-slow_call').fill('1us');
  await visit.part('threshold-slow_call').press('Enter');
  await visit.part('launches.slowest').waitFor();
  const [slowest] = rank.launches.slowest;
  last = await followed(visit, visit.part('launches.slowest').locator('[data-test="jump"]').first(), last);
  assert.ok(last.startsWith(`${slowest.name}, `), last);
  last = await followed(visit, visit.part('queues').locator('[data-test="jump"]').first(), last);
  assert.ok(last);
  // The whole curve has the queue's length: the timeline's text is the same.
  await followed(visit, visit.part('curves-jump').first(), '');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the critical path and advice lead to what they tell of', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('steps');
  await visit.part('critical').locator('> summary').click();
  await visit.part('table-critical').locator('.rows .row').first().click();
  let last = await followed(visit, visit.part('critical').locator('[data-test="jump"]').first(), '', true);
  const spans = summary('--by', 'critical', trace).ranks[0].critical_path.rows.map((/** @type {any} */ row) => `${row.longest_start_ns}~${row.longest_end_ns}`);
  assert.ok(spans.includes(range), range);
  // A piece of the lane, by a click on it.
  const lane = visit.part('lane');
  await lane.scrollIntoViewIfNeeded();
  const box = await lane.locator('canvas').boundingBox();
  assert.ok(box);
  await visit.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  last = await said(visit, last);
  assert.equal(await openTab(visit), 'tab-timeline');
  await visit.page.goBack();
  await visit.tab('advice');
  const evidence = visit.page.locator('.evidence [data-test="jump"]');
  assert.ok((await evidence.count()) > 0, 'there is advice with evidence');
  await followed(visit, evidence.first(), last);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('memory leads to its peak and to who allocated', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('memory');
  const last = await followed(visit, visit.part('memory-peak').locator('[data-test="jump"]'), '');
  await visit.part('memory-table').selectOption('blocks');
  await visit.part('table-memory-blocks').locator('.rows .row').first().click();
  const links = visit.page.locator('[data-test="detail"]:visible [data-test="jump"]');
  assert.ok((await links.count()) > 0);
  await followed(visit, links.first(), last);
  await visit.close();
});

test('a link to a gap shows the thread that causes it, and what it is shown for; the timeline has the focus, and the page is no higher', async () => {
  const slice = (/** @type {object} */ of) => ({ph: 'X', pid: 1, ...of});
  // Threads that launch nothing stand above the one that does.
  const idle = [1, 2, 3, 4, 5, 6].flatMap((tid) =>
    Array.from({length: 12}, (_, depth) => slice({cat: 'cpu_op', name: `waiting ${depth}`, tid, ts: depth, dur: 9000 - 2 * depth})),
  );
  const work = [0, 6000].flatMap((ts, index) => [
    slice({cat: 'cuda_runtime', name: 'cudaLaunchKernel', tid: 99, ts: ts + 10, dur: 20, args: {correlation: index + 1}}),
    slice({cat: 'kernel', name: `gemm ${index}`, pid: 0, tid: 7, ts: ts + 50, dur: 500, args: {device: 0, stream: 7, correlation: index + 1}}),
  ]);
  const host = slice({cat: 'cpu_op', name: 'aten::slow', tid: 99, ts: 100, dur: 5800});
  const file = written('jump/gap.json', JSON.stringify({schemaVersion: 1, deviceProperties: [{id: 0, name: 'A100'}], traceEvents: [...idle, ...work, host]}));
  const visit = await here.visit({viewport: {width: 1280, height: 720}});
  await watch(visit);
  await visit.open(file);
  const link = visit.part('budget-causes').locator('[data-test="jump"]').first();
  const name = (await visit.part('budget-causes').locator('strong').first().textContent()) ?? '';
  await link.focus();
  await link.press('Enter');
  await visit.part('range-gap').waitFor();
  assert.ok((await visit.text('range-note')).startsWith(`Shown for: ${name} · longest: `), await visit.text('range-note'));
  await visit.part('range-gap-call.name').waitFor();
  const row = await rowOf(visit, 'Thread 99');
  await until(visit, ({clips, height}) => clips.some(({lines}) => lines.some((line) => line.row === row && line.y + line.laneHeight <= height)));
  assert.equal(await visit.page.evaluate(() => document.activeElement?.getAttribute('data-test')), 'timeline-canvas');
  await visit.part('table-range').waitFor();
  await drawn(visit);
  const [page, window] = await visit.page.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
  assert.ok(page <= window, `${page} px in a window of ${window}`);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
