// A range of time on the timeline: the pane shows the program's numbers, compares, copies and exports.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import {after, test} from 'node:test';

import {checkExport} from './lib/export-check.mjs';
import {Perfetto} from './lib/perfetto.mjs';
import {environment, generated, scratch, stepscope, summary, written} from './lib/program.mjs';
import {assertShows, parseCsv, readBack} from './lib/shown.mjs';
import {site} from './lib/site.mjs';
import {act, click, drag, drawn, hashed, heads, openTimeline, rowOf, watch, xOf, yOf} from './lib/timeline.mjs';

// Before the browser: while it starts it changes globals that a browser's driver needs.
const perfetto = await Perfetto.start(environment('PERFETTO'));
after(() => perfetto.close());

const messages = Object.assign(
  {},
  ...['www/i18n', 'crate/table/src/messages', 'crate/present/src/messages'].map((folder) =>
    JSON.parse(fs.readFileSync(new URL(`../../${folder}/en.json`, import.meta.url), 'utf8')),
  ),
);
const here = site();
const trace = generated('range/trace.json.gz', '--seed', '93', '--groups', '12', '--steps', '4');

/** The program's summary of a range. @param {...string} options @returns {any} */
function told(...options) {
  return summary(...options, trace).ranks[0];
}

/**
 * Draws a range over the rows, and waits until the pane shows it.
 * @param {import('./lib/site.mjs').Visit} visit @param {number} from its ends as parts of the canvas's width @param {number} to
 * @returns {Promise<string>} the range as the program takes it
 */
async function choose(visit, from, to) {
  const pane = visit.part('range-pane');
  const before = await pane.getAttribute('data-range');
  // The pane is below the rows: a click there may have scrolled the rows away.
  await visit.page.evaluate(() => document.querySelector('[data-test="timeline-canvas"]')?.scrollIntoView({block: 'start'}));
  const box = await visit.part('timeline-canvas').boundingBox();
  assert.ok(box);
  // Below the overview and the axis.
  const y = box.y + 120;
  await visit.page.mouse.move(box.x + from * box.width, y);
  await visit.page.mouse.down();
  await visit.page.mouse.move(box.x + 0.5 * (from + to) * box.width, y);
  await visit.page.mouse.move(box.x + to * box.width, y);
  await visit.page.mouse.up();
  await visit.page.waitForFunction((before) => {
    const pane = document.querySelector('[data-test="range-pane"]');
    return pane?.getAttribute('data-range') !== before && !pane?.hasAttribute('aria-busy');
  }, before);
  return String(await pane.getAttribute('data-range'));
}

/** Cells of a table of a few rows. @param {import('./lib/site.mjs').Visit} visit @param {string} name @returns {Promise<string[][]>} */
function cells(visit, name) {
  return visit
    .part(name)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
}

/** Opens the trace at its timeline. @param {Parameters<typeof here.visit>} look */
async function timeline(...look) {
  const visit = await here.visit(...look);
  await visit.open(trace);
  await visit.tab('timeline');
  await visit.page.locator('[data-test="timeline"][data-frame]').waitFor();
  return visit;
}

/** The rows of a table as it saves them, all of them. @param {import('./lib/site.mjs').Visit} visit @param {string} name @returns {Promise<string[][]>} */
async function rows(visit, name) {
  const {bytes} = await visit.saved(() => visit.page.locator(`.table-box:has([data-test="table-${name}"]) [data-test="save-csv"]`).click());
  return parseCsv(bytes.toString());
}

test("a range that is drawn has the program's numbers", async () => {
  const visit = await timeline();
  assert.ok(!(await visit.part('range-pane').isVisible()), 'rows have the room until a range is chosen');
  const range = await choose(visit, 0.3, 0.55);
  const found = told('--range', range);
  assertShows(await visit.text('range-fact-length'), found.length_ns, 'length');
  assertShows(await visit.text('range-fact-sum_ns'), found.slices.sum_ns, 'sum');
  assert.equal((await visit.text('range-fact-count')).replace(/\D/g, ''), String(found.slices.count));
  const saved = await rows(visit, 'range');
  assert.deepEqual(saved[0].slice(0, 6), ['name', 'class', 'share', 'count', 'begun', 'sum_ns']);
  assert.equal(saved.length - 1, found.names.length);
  assert.equal(
    saved.slice(1).reduce((sum, row) => sum + Number(row[saved[0].indexOf('sum_ns')]), 0),
    found.slices.sum_ns,
  );
  const tracks = await cells(visit, 'range-tracks');
  assert.equal(tracks.length, found.tracks.length);
  for (const [index, row] of tracks.entries()) assertShows(row[4], found.tracks[index].sum_ns, row[0]);
  await visit.part('range-hosts').locator('xpath=ancestor::details').locator('summary').click();
  const hosts = await cells(visit, 'range-hosts');
  for (const [index, row] of hosts.entries()) assertShows(row[5], found.hosts[index].launching_ns, row[0]);
  await visit.part('timeline-canvas').focus();
  await visit.page.keyboard.press('Escape');
  await visit.page.locator('[data-test="range-pane"] .range-body').waitFor({state: 'hidden'});
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a click on a computed slice chooses its time: of a step, an activity, an idle gap with its cause', async () => {
  const visit = await here.visit({viewport: {width: 1400, height: 1400}});
  await openTimeline(visit, trace);
  const [rank] = summary(trace).ranks;
  const pane = visit.part('range-pane');
  /** Clicks in the middle of a time of a row, and waits until the pane shows that time. @param {string} title @param {number} from @param {number} to */
  const pick = async (title, from, to) => {
    const scene = await drawn(visit);
    await click(visit, xOf(scene, (from + to) / 2), yOf(scene, await rowOf(visit, title)));
    await shown(from, to);
  };
  const shown = (/** @type {number} */ from, /** @type {number} */ to) =>
    visit.page.locator(`[data-test="range-pane"][data-range="${from}ns..${to}ns"]:not([aria-busy])`).waitFor();
  const step = rank.steps[1];
  await pick('Steps', step.start_ns, step.end_ns);
  assert.match(await visit.part('range-pane').locator('h2').innerText(), new RegExp(`^Step ${step.name} ·`));
  await hashed(visit, 'range', `${step.start_ns}~${step.end_ns}`);
  const found = told('--range', `${step.start_ns}ns..${step.end_ns}ns`);
  assert.equal((await visit.text('range-fact-count')).replace(/\D/g, ''), String(found.slices.count));
  const [device] = rank.idle;
  const gap = device.long_gaps.longest[0];
  const end = gap.start_ns + gap.length_ns;
  await pick('Idle', gap.start_ns, end);
  await hashed(visit, 'range', `${gap.start_ns}~${end}`);
  const assertGap = async () => {
    assert.equal(await visit.text('range-gap-cause'), messages[`budget.leaf.${gap.cause}`]);
    assert.equal(await visit.text('range-gap-host.activity'), messages[`host.${gap.host.activity}`]);
    assert.equal(await visit.text('range-gap-call.name'), gap.call.name);
  };
  await assertGap();
  // Its ends have enough digits for their difference to be its length.
  const ends = (await pane.locator('h2').innerText()).split(': ')[0].split(' – ').map(readBack);
  assert.ok(Math.abs(ends[1].value - ends[0].value - gap.length_ns) <= ends[0].error + ends[1].error, JSON.stringify(ends));
  assert.ok(
    ends.every(({error}) => error <= gap.length_ns / 1000),
    JSON.stringify(ends),
  );
  // The way back, and forward again.
  await visit.page.goBack();
  await shown(step.start_ns, step.end_ns);
  assert.equal(await visit.part('range-gap').count(), 0);
  await visit.page.goForward();
  await shown(gap.start_ns, end);
  await visit.part('range-gap').waitFor();
  await assertGap();
  // The activity after the gap leads to its event; the range goes with the computed slice.
  await visit.part('range-gap-after.name').getByRole('button').click();
  await hashed(visit, 'event', String(gap.after.slice));
  await visit.page.goBack();
  await shown(gap.start_ns, end);
  await pick('Activity', gap.start_ns, end);
  await visit.part('timeline-canvas').focus();
  await visit.page.keyboard.press('Escape');
  await pane.waitFor({state: 'hidden'});
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a range that was kept is shown beside the next one', async () => {
  const visit = await timeline();
  const kept = await choose(visit, 0.1, 0.3);
  await visit.part('range-keep').click();
  assert.equal(await visit.part('range-keep').getAttribute('aria-pressed'), 'true');
  const next = await choose(visit, 0.5, 0.8);
  const found = told('--range', next, '--compare-range', kept);
  const saved = await rows(visit, 'range-changes');
  assert.equal(saved.length - 1, found.changes.length);
  const change = saved[0].indexOf('sum_ns.change');
  assert.equal(Number(saved[1][change]), found.changes[0].sum_ns.change);
  assert.match(await visit.text('range-fact-length'), /kept: /);
  await visit.part('range-keep').click();
  await visit.part('table-range').waitFor();
  assert.equal(await visit.part('table-range-changes').isVisible(), false);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a range is exported as the program does, Perfetto shows it, and it reads back to its device time', async () => {
  const visit = await timeline();
  const range = await choose(visit, 0.35, 0.5);
  const {name, file} = await visit.saved(() => visit.part('range-export').click());
  assert.equal(name, 'trace.range.perfetto.json.gz');
  const found = await checkExport(perfetto, file);
  assert.deepEqual(found.problems, []);
  const expected = told('--range', range);
  assert.ok(found.slices >= expected.slices.count, `${found.slices} slices`);
  const again = summary(file).ranks[0].device_time[0];
  for (const key of ['busy_ns', 'compute_ns', 'communication_ns', 'memcpy_ns', 'memset_ns', 'overlap_ns', 'exposed_communication_ns']) {
    assert.equal(again[key], expected.device_time[0][key], key);
  }
  const own = scratch('range/program.json.gz');
  stepscope('export', '--range', range, '-o', own, trace);
  assert.deepEqual(summary(own).ranks[0].device_time, summary(file).ranks[0].device_time);
  await visit.close();
});

test('a range of chosen tracks is told, compared and exported of these alone', async () => {
  const visit = await here.visit({viewport: {width: 1280, height: 1600}});
  await openTimeline(visit, trace);
  const streams = (await heads(visit)).filter(({title}) => /^stream \d+( · group .*)?$/i.test(title)).map(({key}) => Number(key.slice(4)));
  assert.ok(streams.length > 1, JSON.stringify(await heads(visit)));
  const scene = await drawn(visit);
  const pane = visit.part('range-pane');
  const settled = (/** @type {string | null} */ before) =>
    visit.page.waitForFunction((before) => {
      const pane = document.querySelector('[data-test="range-pane"]');
      return pane?.getAttribute('data-tracks') !== before && !pane?.hasAttribute('aria-busy');
    }, before);
  const y = yOf(scene, streams[0]);
  await visit.page.keyboard.down('Shift');
  await drag(visit, [0.3 * scene.width, y], [0.6 * scene.width, y + 2]);
  await visit.page.keyboard.up('Shift');
  await settled(null);
  const marked = await drawn(visit);
  assert.equal(marked.among?.length, 1, 'one row is marked');
  assert.ok(marked.among && marked.among[0][0] < y && y < marked.among[0][1]);
  const range = String(await pane.getAttribute('data-range'));
  const all = told('--range', range);
  const one = Number(await pane.getAttribute('data-tracks'));
  const expected = all.tracks.find((/** @type {any} */ row) => row.track === one);
  assert.equal((await visit.text('range-fact-count')).replace(/\D/g, ''), String(expected.count));
  assertShows(await visit.text('range-fact-sum_ns'), expected.sum_ns, 'sum');
  assert.equal((await cells(visit, 'range-tracks')).length, 1);
  assert.equal(await visit.part('range-memory').count(), 0, 'what is of the whole rank is not told');
  const saved = await rows(visit, 'range');
  assert.equal(
    saved.slice(1).reduce((sum, row) => sum + Number(row[saved[0].indexOf('sum_ns')]), 0),
    expected.sum_ns,
  );
  // Exported, it is that stream alone.
  const {file} = await visit.saved(() => visit.part('range-export').click());
  const found = await checkExport(perfetto, file);
  assert.deepEqual(found.problems, []);
  const again = summary('--range', `0ns..${2 ** 40}ns`, file).ranks[0];
  assert.deepEqual(
    again.tracks.map((/** @type {any} */ row) => [row.count, row.sum_ns]),
    [[expected.count, expected.sum_ns]],
  );
  // Another one is added by its box.
  await act(visit, `row:${streams[1]}`, 'among');
  await settled(String(one));
  assert.equal((await cells(visit, 'range-tracks')).length, 2);
  await hashed(visit, 'among', `${streams[0]} ${streams[1]}`);
  // The address brings it back.
  await visit.page.waitForTimeout(400);
  const both = await visit.text('range-fact-sum_ns');
  await visit.page.reload();
  await watch(visit);
  await visit.open(trace);
  await visit.page.waitForFunction(
    (both) => /** @type {HTMLElement | null} */ (document.querySelector('[data-test="range-fact-sum_ns"]'))?.innerText === both,
    both,
  );
  // Pinned rows only, then all rows.
  await act(visit, `row:${streams[1]}`, 'pin');
  await visit.part('range-among').selectOption('pinned');
  await settled(await pane.getAttribute('data-tracks'));
  assert.equal((await cells(visit, 'range-tracks')).length, 1);
  await hashed(visit, 'among', 'pinned');
  await visit.part('range-among').selectOption('');
  await settled(await pane.getAttribute('data-tracks'));
  assert.equal((await cells(visit, 'range-tracks')).length, all.tracks.length);
  // A filter leaves some: the choice follows it.
  await visit.part('range-among').selectOption('shown');
  await visit.part('timeline-filter').fill('stream');
  await visit.page.waitForFunction((all) => document.querySelectorAll('[data-test="range-tracks"] tbody tr').length < all, all.tracks.length);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('ranges of every width are exported without loss', async () => {
  const {steps} = summary(trace).ranks[0];
  const length = steps[1].end_ns - steps[1].start_ns;
  const spans = [
    [steps[1].start_ns, steps[1].end_ns],
    [steps[1].start_ns + length * 0.4, steps[1].start_ns + length * 0.41],
    [0, steps[2].start_ns + length * 0.3],
  ];
  for (const [from, to] of spans) {
    for (const level of ['--detail', '--summary']) {
      const written = scratch('range/part.json');
      stepscope('export', level, '--range', `${Math.round(from)}ns..${Math.round(to)}ns`, '-o', written, trace);
      const found = await checkExport(perfetto, written);
      assert.deepEqual(found.problems, [], `${from}..${to} ${level}`);
    }
  }
});

test('time of Python is named where a thread runs it', async () => {
  const slice = (/** @type {string} */ cat, /** @type {string} */ name, /** @type {number} */ ts, /** @type {number} */ dur) => ({
    ph: 'X',
    cat,
    name,
    pid: 1,
    tid: 1,
    ts,
    dur,
  });
  const operator = slice('cpu_op', 'aten::mm', 100, 50);
  const python = {...slice('python_function', 'train.py(1): main', 0, 1000), args: {'Python id': 1}};
  const legends = [];
  for (const [name, events] of /** @type {const} */ ([
    ['python', [python, operator]],
    ['plain', [operator, slice('cpu_op', 'aten::add', 900, 100)]],
  ])) {
    const visit = await here.visit({query: '#tab=timeline&range=0~1000000'});
    await visit.open(written(`range/${name}.json`, JSON.stringify({schemaVersion: 1, traceEvents: events})));
    const legend = visit.part('range-pane').getByRole('figure', {name: 'Categories'}).locator('.legend li');
    await legend.first().waitFor();
    legends.push(await legend.allInnerTexts());
  }
  assert.deepEqual(legends, [
    ['Host operators', 'Python and other'],
    ['Host operators', 'Other'],
  ]);
});

test('the pane is said in Chinese, and copied as text', async () => {
  const visit = await timeline({locale: 'zh-CN', permissions: ['clipboard-read', 'clipboard-write']});
  await choose(visit, 0.3, 0.4);
  assert.match(await visit.part('range-pane').innerText(), /设备时间/);
  await visit.part('range-copy').click();
  await visit.until('it is copied', () => visit.page.evaluate(async () => (await navigator.clipboard.readText()).includes('并集')));
  await visit.close();
});
