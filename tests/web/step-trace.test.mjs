// The step trace as it is drawn: stages and collectives, of the mean and of each step.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {gunzipSync} from 'node:zlib';

import {summary, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const root = path.resolve(import.meta.dirname, '../fixtures');

/** The files below a folder. @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return fs
    .readdirSync(folder, {recursive: true, encoding: 'utf8', withFileTypes: true})
    .flatMap((one) => (one.isFile() ? [path.join(one.parentPath, one.name)] : []));
}

/** The lanes: names and where pieces are, in hundredths of the width. @param {import('./lib/site.mjs').Visit} visit */
function lanes(visit) {
  return visit.page.locator('[data-test="step-picture"] .step-lane:not(.step-axis)').evaluateAll((all) =>
    all.map((lane) => {
      const track = /** @type {Element} */ (lane.querySelector('.step-lane-track')).getBoundingClientRect();
      const pieces = [...lane.querySelectorAll('.step-piece')].map((piece) => {
        const {left, width} = piece.getBoundingClientRect();
        return [Math.round((100 * (left - track.left)) / track.width), Math.round((100 * width) / track.width)];
      });
      return [[...(lane.firstElementChild?.children ?? [])].map((text) => text.textContent), pieces];
    }),
  );
}

test("the profiler's table draws its stages and a lane for each stream", async () => {
  const folder = path.join(root, 'mindspore_tables/ascend_two_ranks/input/profiler');
  const [{step_trace: found}] = summary(folder).ranks;
  const visit = await here.visit();
  await visit.open(...filesIn(folder));
  await visit.tab('steps');
  await visit.part('step-lane-stream').waitFor();
  // 12 ms: 2 of interval, 8 of forward and backward, 2 of tail; the all-reduce from 9 to 11 ms.
  const mean = [
    [
      ['Stages', '12.00 ms'],
      [
        [0, 17],
        [17, 67],
        [83, 17],
      ],
    ],
    [['Stream 9', '1 · 2.000 ms'], [[75, 17]]],
  ];
  assert.deepEqual(await lanes(visit), mean);
  assert.match(
    (await visit.page.locator('[data-test="step-lane-stream"] .step-piece').getAttribute('title')) ?? '',
    /AllReduce-op1: 9\.000 ms to 11\.00 ms, 2\.000 ms/,
  );
  assert.equal(await visit.part('step-trace-step').inputValue(), '', 'the mean comes first');
  await visit.part('step-trace-step').selectOption({label: `Step ${found.steps[0].name}`});
  const [[[, length], stages]] = await lanes(visit);
  assertShows(/** @type {string} */ (length), found.steps[0].total_ns);
  assert.equal(stages.length, 2, 'the first step has no interval');
  // A row of the table draws its step; its details have the collectives.
  const table = visit.part('table-step-trace');
  await table.locator('.rows .row').nth(1).click();
  assert.equal(await visit.part('step-trace-step').inputValue(), '1');
  assert.deepEqual(await table.locator('.rows .row').evaluateAll((rows) => rows.map((row) => row.lastElementChild?.textContent)), ['1', '1']);
  assert.match(
    await visit.page.locator('.step-trace .detail, [data-test="report-step_trace"] .detail').innerText(),
    /AllReduce-op1[^]*from 9\.000 ms, 2\.000 ms/i,
  );
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('collectives that are events are drawn as well', async () => {
  const folder = path.join(root, 'mindspore/msprof/input/summary/profiler/PROF_000002_20230818142704322_X');
  const [{step_trace: found}] = summary(folder).ranks;
  const visit = await here.visit({locale: 'zh-CN'});
  await visit.open(...filesIn(folder));
  await visit.tab('steps');
  await visit.part('step-lane-stages').waitFor();
  const index = found.steps.findIndex((/** @type {any} */ step) => step.collectives?.length);
  assert.ok(index >= 0, 'the case has a step with collectives');
  await visit.part('step-trace-step').selectOption(String(index));
  const {collectives} = found.steps[index];
  const streams = new Set(collectives.map((/** @type {any} */ one) => one.stream));
  assert.equal(await visit.part('step-lane-stream').count(), streams.size);
  assert.equal(await visit.page.locator('[data-test="step-lane-stream"] .step-piece').count(), collectives.length);
  assert.match((await visit.part('step-lane-stream').first().innerText()) ?? '', /流 \d+\s+\d+ 次/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('several graphs have a table, a choice, and an export of their own', async () => {
  const folder = path.join(root, 'mindspore/graphs/input/profiler');
  const [{graphs, steps}] = summary(folder).ranks;
  const visit = await here.visit();
  await visit.open(...filesIn(folder));
  await visit.tab('steps');
  const rows = visit.part('graphs').locator('tbody tr');
  assert.equal(await rows.count(), graphs.length);
  for (const [index, {graph, iterations, total_ns: total}] of graphs.entries()) {
    const cells = await rows.nth(index).locator('th, td').allInnerTexts();
    assert.deepEqual(cells.slice(0, 2), [String(graph), String(iterations)]);
    assertShows(cells[2], total);
  }
  const names = () =>
    visit
      .part('table-steps')
      .locator('.rows .row')
      .evaluateAll((all) => all.map((row) => row.firstElementChild?.textContent?.split(' ')[0]));
  // The timeline shows nothing of the last iteration.
  assert.equal((await names()).length, steps.filter((/** @type {any} */ step) => step.covered).length);
  await visit.part('steps-graph').selectOption('2');
  assert.deepEqual(await names(), ['2:1', '2:2']);
  // The step trace is of that graph, too.
  const traced = async () =>
    await visit
      .part('table-step-trace')
      .locator('.rows .row')
      .evaluateAll((all) => all.map((row) => row.firstElementChild?.textContent ?? ''));
  await visit.until('its step trace is there', async () => (await traced()).length > 0 && (await traced()).every((name) => name.startsWith('2:')));
  await visit.part('graphs-export-2').uncheck();
  await visit.part('graphs-apart').check();
  // As in MindSpore's guide, the summary is the default.
  assert.equal(await visit.part('graphs-level').inputValue(), 'summary');
  await visit.part('graphs-level').selectOption('detail');
  const [download] = await Promise.all([visit.page.waitForEvent('download'), visit.part('graphs-export').click()]);
  assert.match(download.suggestedFilename(), /\.graph-1\.perfetto\.json\.gz$/);
  const text = gunzipSync(fs.readFileSync(await download.path())).toString();
  const {traceEvents: events} = JSON.parse(text);
  const kernels = events.filter((/** @type {any} */ event) => event.cat === 'kernel').map((/** @type {any} */ event) => event.name);
  assert.equal(kernels.length, 4);
  assert.ok(kernels.every((/** @type {string} */ name) => name.startsWith('Default/eval/')));
  assert.ok(events.some((/** @type {any} */ event) => event.args?.name === 'Steps of graph 1'));
  await visit.part('graphs-export-1').uncheck();
  assert.ok(await visit.part('graphs-export').isDisabled(), 'of no graph there is nothing to save');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('graphs of several ranks are exported together, as the program does', async () => {
  const folder = path.join(root, 'mindspore/graphs/input/profiler');
  // The same graphs on another device.
  const files = filesIn(folder).flatMap((file) =>
    [0, 1].map((rank) => written(`graphs/${path.basename(file).replace('_0_', `_${rank}_`)}`, fs.readFileSync(file, 'utf8'))),
  );
  const visit = await here.visit();
  await visit.open(...files);
  await visit.part('export').click();
  await visit.part('export.ranks').click();
  assert.equal(await visit.part('export-ranks-level').inputValue(), 'summary');
  for (const graph of [1, 2]) await visit.part(`export-ranks-graphs-export-${graph}`).uncheck();
  assert.ok(await visit.part('export-ranks-save').isDisabled(), 'of no graph there is nothing to save');
  await visit.part('export-ranks-graphs-export-1').check();
  await visit.part('export-ranks-level').selectOption('detail');
  const {name, bytes} = await visit.saved(() => visit.part('export-ranks-save').click());
  assert.match(name, /\.graph-1\.all-ranks\.perfetto\.json\.gz$/);
  const {traceEvents: events} = JSON.parse(gunzipSync(bytes).toString());
  const kernels = events.filter((/** @type {any} */ event) => event.cat === 'kernel');
  assert.equal(kernels.length, 8, 'four of each rank');
  assert.ok(kernels.every((/** @type {any} */ event) => event.name.startsWith('Default/eval/')));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('an export of ranks offers the graphs of the chosen ones', async () => {
  const folder = path.join(root, 'mindspore/graphs/input/profiler');
  // The second rank has another graph in place of the second one.
  const files = filesIn(folder).flatMap((file) =>
    [0, 1].map((rank) => {
      const name = path.basename(file).replace('_0_', `_${rank}_`);
      const text = fs.readFileSync(file, 'utf8');
      return rank
        ? written(`other-graphs/${name.replace('_1_2_', '_1_7_')}`, text.replaceAll('Model ID:2', 'Model ID:7'))
        : written(`other-graphs/${name}`, text);
    }),
  );
  const visit = await here.visit();
  await visit.open(...files);
  await visit.part('export').click();
  await visit.part('export.ranks').click();
  const offered = () =>
    visit.page.locator('[data-test^="export-ranks-graphs-export-"]:visible').evaluateAll((boxes) => boxes.map((box) => box.dataset.test?.split('-').at(-1)));
  assert.deepEqual(await offered(), ['1', '2', '7']);
  await visit.part('export-ranks-which').fill('0');
  assert.deepEqual(await offered(), ['1', '2']);
  await visit.part('export-ranks-which').fill('1');
  assert.deepEqual(await offered(), ['1', '7']);
  // A graph of the other rank counts no longer.
  for (const graph of [1, 7]) await visit.part(`export-ranks-graphs-export-${graph}`).uncheck();
  assert.ok(await visit.part('export-ranks-save').isDisabled());
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a named operator divides a trace without marks into steps', async () => {
  const visit = await here.visit();
  const row = (/** @type {string} */ name, /** @type {number} */ ts, /** @type {number} */ dur) => ({name, ph: 'X', tid: 'HostCpuOps0', ts, dur, pid: 0});
  const events = [1000, 2500, 4000].flatMap((at) => [row('Conv2D-op1', at, 200), row('MatMul-op2', at + 300, 400), row(`Print-op${at}`, at + 800, 100)]);
  const file = written('cpu_timeline_display_0.json', JSON.stringify(events));
  const [{step_trace: found}] = summary('--fp-start', 'Conv2D-op1', '--bp-end', 'MatMul-op2', file).ranks;
  await visit.open(file);
  await visit.tab('steps');
  await visit.part('step-trace-unmarked').waitFor();
  // Leaving the first field already asks for steps by it alone: only what is asked last is the answer.
  await visit.part('forward-start').fill('Conv2D-op1');
  await visit.part('backward-end').fill('MatMul-op2');
  await visit.part('backward-end').press('Enter');
  await visit.settled();
  for (const key of /** @type {const} */ (['total_ns', 'iteration_interval_ns', 'forward_and_backward_ns', 'tail_ns'])) {
    assertShows(await visit.text(`step-trace-${key}`), found.average[key], key);
  }
  assert.match(await visit.text('report-step_trace'), /Steps by the given operators: the trace marks none/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
