// Data and resources: the page shows the program's JSON.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {generated, stepscope, summary, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();

/** @param {import('./lib/site.mjs').Visit} visit @param {string} table */
function cells(visit, table) {
  return visit.page.evaluate(
    (table) =>
      [...document.querySelectorAll(`[data-test="table-${table}"] .rows [role="row"]`)].map((row) =>
        [...row.querySelectorAll('[role="cell"]')].map((cell) => cell.textContent ?? ''),
      ),
    table,
  );
}

test('waits for the data loader', async () => {
  const trace = generated('data/loader.json.gz', '--seed', '91', '--steps', '6');
  const [rank] = summary(trace).ranks;
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('data');
  await visit.part('table-loading').waitFor();
  const {average, steps, mean_ns: mean} = rank.data_loading;
  assertShows(await visit.page.locator('[data-test="tile-waits"] .tile-value').innerText(), average.waiting_share_of_host_step);
  assertShows(await visit.page.locator('[data-test="tile-exposed"] .tile-more').innerText(), average.exposed_ns);
  assertShows(await visit.page.locator('[data-test="tile-mean"] .tile-value').innerText(), mean);
  const rows = await cells(visit, 'loading');
  assert.equal(rows.length, steps.length);
  for (const [index, row] of rows.entries()) {
    assert.deepEqual(row.slice(0, 2), [rank.steps[index].name, String(steps[index].waits)]);
    assertShows(row[2], steps[index].total_ns);
    assertShows(row[3], steps[index].waiting_share_of_host_step);
    assertShows(row[5], steps[index].exposed_ns);
  }
  assert.match(await visit.text('loader-kind'), /Worker processes/);
  // The curves stand over the steps' own numbers.
  const frame = visit.part('report-data').locator('.chart-frame').first();
  const {width = 0} = (await frame.boundingBox()) ?? {};
  await frame.hover({position: {x: width - 20, y: 60}});
  const at = Number.parseFloat(await frame.locator('.tip strong').innerText());
  const last = Number(rank.steps.at(-1).name);
  assert.ok(last >= steps.length && Math.abs(at - last) < 0.5, `${at} is the last step, ${last}`);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a pipeline that makes data too slowly names the operator', async () => {
  const folder = path.resolve(import.meta.dirname, '../fixtures/mindspore_tables/data_pipeline/input/profiler');
  // The same queues between the operators, in front of a queue that each step finds empty.
  const files = ['minddata_pipeline_raw_0.csv', 'device_queue_profiling_0.txt'].map((name) => {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    return written(`data/slow/profiler/${name}`, name.endsWith('.txt') ? text.replace(/^1 8 (\d+) \d+ /gm, '1 8 $1 0 ') : text);
  });
  const [{pipeline}] = summary(path.dirname(files[0])).ranks;
  assert.deepEqual([pipeline.verdict, pipeline.bottlenecks], ['processing', [3]]);
  const visit = await here.visit();
  await visit.open(...files);
  await visit.tab('data');
  assert.match(await visit.text('data-verdict'), /^Data preparation limits (\d+) of \1 steps: the queue of data is empty when they begin\.$/);
  assert.equal(await visit.page.locator('.pipe-box.slow').count(), 1);
  assert.match(await visit.text('data-advice'), /3 TFReader/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("MindData's pipeline is drawn, with what holds it up", async () => {
  const folder = path.resolve(import.meta.dirname, '../fixtures/mindspore_tables/data_pipeline/input/profiler');
  const files = fs.readdirSync(folder).map((name) => path.join(folder, name));
  const [{pipeline}] = summary(folder).ranks;
  const visit = await here.visit();
  await visit.open(...files);
  await visit.tab('data');
  await visit.part('pipeline').waitFor();
  assert.match(await visit.text('data-verdict'), pipeline.verdict === 'transmission' ? /Data transfer/ : /./);
  const boxes = visit.page.locator('.pipe-box');
  assert.equal(await boxes.count(), pipeline.operators.length);
  assert.equal(await visit.page.locator('.pipe-box.slow').count(), pipeline.bottlenecks.length);
  // Data are made in time: no operator is at fault.
  assert.deepEqual(pipeline.bottlenecks, []);
  assert.equal(await visit.part('data-advice').count(), 0);
  // A queue in the drawing opens its curve, with its usage and the operators at its ends.
  const clicked = pipeline.operators.find((/** @type {any} */ one) => one.times_empty > 0);
  await visit.part(`pipe-queue-${clicked.id}`).click();
  assert.equal(await visit.part('data-queue').inputValue(), String(clicked.id));
  const above = pipeline.operators.find((/** @type {any} */ one) => one.id === clicked.parent);
  const ends = await visit.text('data-queue-ends');
  assert.ok(ends.startsWith(`From ${clicked.id} ${clicked.type} to ${above.id} ${above.type}.`), ends);
  assert.ok(ends.includes(`Samples that found it empty: ${clicked.times_empty} of ${clicked.samples}.`), ends);
  // Samples are every 10 ms: the curve is over that time.
  const frame = visit.part('report-data').locator('.chart-frame').first();
  const width = (await frame.boundingBox())?.width ?? 0;
  await frame.hover({position: {x: width - 24, y: 60}});
  assert.match(await frame.locator('.tip strong').innerText(), /^2\d\.\d+ ms$/);
  // The device's queue has a curve, too.
  await visit.part('data-queue').selectOption('next');
  assert.ok((await visit.text('data-queue-ends')).includes(`${pipeline.get_next.times_empty} of ${pipeline.get_next.steps}`));
  assert.match(await visit.part('report-data').locator('.chart').first().innerText(), /elements[^]*empty/);
  // The tuning guide's drill-down agrees with the verdict.
  const {queue, get_next: next} = pipeline;
  assert.match(await visit.text('data-walk-interval'), /Not known/);
  assert.match(await visit.text('data-walk-device_queue'), new RegExp(`Yes: in ${next.times_empty} of ${next.steps} steps`));
  assert.match(await visit.text('data-walk-host_queue'), new RegExp(`No, or seldom: in ${queue.counted_empty} of ${queue.counted_steps} steps`));
  assert.match(await visit.text('data-walk-cause'), /transfer of data from the host to the device/);
  const rows = await cells(visit, 'pipeline');
  assert.deepEqual(
    rows.map((row) => row.slice(0, 2)),
    pipeline.operators.map((/** @type {any} */ one) => [one.type, String(one.id)]),
  );
  await visit.tab('resources');
  await visit.part('table-resources').waitFor();
  // Processors of the machine, of the process, and of each operator of the pipeline.
  const owners = new Set((await cells(visit, 'resources')).map((row) => row[1]));
  assert.ok(owners.has('machine') && owners.has('process'), [...owners].join());
  assert.ok(
    pipeline.operators.some((/** @type {any} */ one) => owners.has(`${one.id} ${one.type}`)),
    [...owners].join(),
  );
  assert.equal(await visit.part('curves-jump').isVisible(), false, 'there is no timeline');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** Four iterations of 100 µs in the layout of msprof, with `GetNext` from `start` on for 20 µs in each; the operator runs from 30 to 90. @param {string} name @param {number} start @returns {string[]} the files */
function getNextAt(name, start) {
  const head = [
    {name: 'process_name', pid: 3, tid: 0, args: {name: 'Ascend Hardware'}, ph: 'M'},
    {name: 'thread_name', pid: 3, tid: 9, args: {name: 'Step Trace(Model ID:0)'}, ph: 'M'},
  ];
  const steps = [0, 1, 2, 3].flatMap((step) => {
    const at = 1000 + 100 * step;
    const row = {pid: 3, ph: 'X', cat: ''};
    return [
      {...row, name: `Iteration ${step + 1}`, tid: 9, ts: at, dur: 100, args: {'Iteration ID': step + 1}, cat: 'Iteration Time'},
      {...row, name: 'Default/Conv2D-op1', tid: 2, ts: at + 30, dur: 60, args: {'Task Type': 'AI_CORE'}},
      {...row, name: 'Default/GetNext-op2', tid: 4, ts: at + start, dur: 20, args: {'Task Type': 'AI_CPU'}},
    ];
  });
  // The queue in front of the device has data in each step.
  const queue = [1, 2, 3, 4].flatMap((step) => [`0 0 ${step} 9 1000`, `0 1 ${step} 1 1000`, `0 2 ${step} 10 1000`, `1 8 ${step} 5 1000`]);
  return [
    written(`data/${name}/profiler/PROF_1/device_0/timeline/msprof_0_2_1.json`, JSON.stringify([...head, ...steps])),
    written(`data/${name}/profiler/device_queue_profiling_0.txt`, `${queue.join('\n')}\n`),
  ];
}

test('the walk and the program say whether GetNext runs ahead of its step; the longest one that does not is shown', async () => {
  const visit = await here.visit();
  const [ahead, late] = [getNextAt('ahead', 40), getNextAt('late', 5)];
  assert.match(stepscope('summary', '--by', 'pipeline', ...ahead).toString(), /GetNext runs ahead of its step/);
  assert.match(stepscope('summary', '--by', 'pipeline', ...late).toString(), /GetNext does not run ahead/);
  await visit.open(...ahead);
  await visit.tab('data');
  const question = visit.part('data-walk-get_next_ahead');
  assert.match(await question.innerText(), /No: wholly alone in 0 of 4 steps/);
  assert.equal(await question.locator('[data-test="jump"]').count(), 0);
  await visit.tab('overview');
  await visit.page.reload();
  await visit.open(...late);
  await visit.tab('data');
  assert.match(await question.innerText(), /Yes: beside no operator in 4 of 4 steps, 20\.00 µs of a step/);
  await question.locator('[data-test="jump"]').click();
  await visit.part('timeline').waitFor();
  await visit.page.waitForFunction(() => location.hash.includes('event='));
  assert.match(await visit.text('event-name'), /GetNext/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('curves of counters, one kind at a time', async () => {
  const count = (/** @type {string} */ name, /** @type {number} */ ts, /** @type {number} */ value) => ({ph: 'C', name, pid: 1, ts, args: {value}});
  const events = [...Array(50).keys()].flatMap((index) => [count('GPU power', index, index % 7), count('CPU utilization', index, 50 + (index % 3))]);
  const trace = written('data/counters.json', JSON.stringify([...events, {ph: 'X', name: 'work', pid: 1, tid: 1, ts: 0, dur: 50}]));
  const [{resources}] = summary(trace).ranks;
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('resources');
  await visit.part('table-resources').waitFor();
  const rows = await cells(visit, 'resources');
  assert.equal(rows.length, resources.length);
  const cut = await visit
    .part('table-resources')
    .evaluate((table) => [...table.querySelectorAll('.sort')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
  assert.deepEqual(cut, [], 'headings are whole, though the table was made before it was in the page');
  for (const [index, row] of rows.entries()) {
    assert.equal(row[0], resources[index].name);
    for (const [cell, key] of [
      [5, 'min'],
      [6, 'max'],
      [7, 'mean'],
      [8, 'last'],
    ])
      assertShows(row[Number(cell)], resources[index][key]);
  }
  // The kind that is shown has its line; rows of others have numbers until they are looked at.
  const line = (/** @type {RegExp} */ name) => visit.page.getByRole('row', {name}).locator('[data-test="sparkline"]');
  assert.equal(await line(/CPU utilization/).getAttribute('aria-label'), `lowest ${rows[0][5]}, mean ${rows[0][7]}, highest ${rows[0][6]}`);
  assert.equal(await line(/GPU power/).count(), 0);
  await line(/CPU utilization/).hover({position: {x: 2, y: 8}});
  assert.match(
    (await line(/CPU utilization/)
      .locator('..')
      .getAttribute('title')) ?? '',
    /^0 ns to .+: at most 5\d$/,
  );
  const legend = () => visit.page.locator('.report-tab .legend li').allInnerTexts();
  assert.deepEqual(await legend(), ['CPU utilization: value']);
  await visit.page.getByRole('row', {name: /GPU power/}).click();
  await visit.page.waitForFunction(() => document.querySelector('.report-tab .legend li')?.textContent?.includes('GPU power'));
  await line(/GPU power/).waitFor();
  assert.equal(await line(/CPU utilization/).count(), 1, 'it stays');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('batches of our own recordings that are ready have a table and a curve', async () => {
  const trace = path.resolve(import.meta.dirname, '../fixtures/kineto/loader_queue/input.json');
  const [queue] = summary(trace).ranks[0].data_loading.queues;
  assert.deepEqual([queue.batches, queue.times_empty, queue.max_ready], [5, 2, 3]);
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('data');
  const shown = await visit.part('data_loading.queues').locator('tbody th, tbody td').allInnerTexts();
  assert.deepEqual(shown, [queue.name, '5', '2', '40.0 %', '1.20', '3.00']);
  const frame = visit.part('data-ready-card').locator('.chart-frame');
  // In the middle are the two that were asked for while none was ready; the last one is seen, too.
  await frame.hover({position: {x: ((await frame.boundingBox())?.width ?? 0) * 0.55, y: 60}});
  assert.match(await frame.locator('.tip').innerText(), /^3\s+ready: 0$/);
  await frame.hover({position: {x: 60, y: 60}});
  assert.match(await frame.locator('.tip').innerText(), /^1\s+ready: 2$/);
  await frame.hover({position: {x: ((await frame.boundingBox())?.width ?? 0) - 24, y: 60}});
  assert.match(await frame.locator('.tip').innerText(), /^5\s+ready: 3$/);
  await visit.close();
});
