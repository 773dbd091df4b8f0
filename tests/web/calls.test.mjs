// The tab of calls: a flame graph of the trace's stacks, zoom and search, functions, ways to the timeline.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const demo = generated('calls/trace.json.gz', '--demo');
/** One thread: `train` for 1 ms calls `load` for 600 µs and `mm` twice for 100 µs, each of which makes the device work for 50 µs. */
const small = written(
  'calls/small.json',
  JSON.stringify({
    deviceProperties: [{id: 0, name: 'gpu'}],
    traceEvents: [
      {ph: 'X', cat: 'python_function', name: 'train', pid: 1, tid: 1, ts: 0, dur: 1000},
      {ph: 'X', cat: 'python_function', name: 'load', pid: 1, tid: 1, ts: 10, dur: 600},
      ...[700, 850].flatMap((at, place) => [
        {ph: 'X', cat: 'cpu_op', name: 'mm', pid: 1, tid: 1, ts: at, dur: 100},
        {ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts: at + 10, dur: 10, args: {correlation: place + 1}},
        {ph: 'X', cat: 'kernel', name: 'gemm', pid: 0, tid: 7, ts: at + 30, dur: 50, args: {correlation: place + 1, device: 0, stream: 7}},
      ]),
    ],
  }),
);

/** @param {import('./lib/site.mjs').Visit} visit @param {string} file */
async function opened(visit, file) {
  await visit.open(file);
  await visit.tab('calls');
  await visit.part('flame').waitFor();
}

/** A cell of the table of functions. @param {import('./lib/site.mjs').Visit} visit @param {string} name @param {number} column */
async function cell(visit, name, column) {
  const row = visit
    .part('table-calls')
    .locator('[role="row"]')
    .filter({has: visit.page.getByText(name, {exact: true})});
  return (await row.locator('[role="cell"]').nth(column).textContent()) ?? '';
}

test('functions have their own and their whole time, of the host and of what they make the device do', async () => {
  const visit = await here.visit();
  await opened(visit, small);
  assertShows(await cell(visit, 'load', 1), 600_000);
  assertShows(await cell(visit, 'train', 1), 200_000, 'without what it calls');
  assertShows(await cell(visit, 'train', 3), 1_000_000, 'with what it calls');
  assertShows(await cell(visit, 'mm', 3), 200_000);
  await visit.part('calls-measure').selectOption('device');
  await visit.until('the device time is shown', async () => (await cell(visit, 'train', 3)).startsWith('100'));
  assertShows(await cell(visit, 'cudaLaunchKernel', 1), 100_000);
  assertShows(await cell(visit, 'train', 1), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a search says how much is found, and a box zooms in, shows its stack and leads to the timeline', async () => {
  const visit = await here.visit();
  await opened(visit, small);
  await visit.part('calls-search').fill('mm');
  const [time, share] = ((await visit.part('calls-found').textContent()) ?? '').split(' · ');
  assertShows(time, 200_000);
  assertShows(share, 0.2);
  const box = await visit.part('flame').boundingBox();
  assert.ok(box);
  // `load` stands below the thread and `train`, at the left.
  await visit.page.mouse.click(box.x + 10, box.y + 50);
  assert.match((await visit.part('calls-one').textContent()) ?? '', /^load /);
  await visit.part('calls-zoom').click();
  assert.match((await visit.part('calls-path').textContent()) ?? '', /train › load$/);
  await visit.part('calls-all').click();
  assert.equal(await visit.part('calls-path').textContent(), '');
  await visit.part('calls-one').locator('[data-test="jump"]').click();
  await visit.page.locator('[data-test="tab-timeline"][aria-selected="true"]').waitFor();
  await visit.close();
});

test('keys move through the graph', async () => {
  const visit = await here.visit();
  await opened(visit, small);
  await visit.part('flame').focus();
  const said = async () => (await visit.part('calls-one').textContent()) ?? '';
  for (const [key, name] of [
    ['ArrowDown', ''],
    ['ArrowDown', 'train'],
    ['ArrowDown', 'load'],
    ['ArrowRight', 'mm'],
    ['ArrowUp', 'train'],
  ]) {
    await visit.page.keyboard.press(key);
    if (name) assert.ok((await said()).startsWith(`${name} `), `${key}: ${await said()}`);
  }
  await visit.page.keyboard.press('ArrowDown');
  await visit.page.keyboard.press('Enter');
  assert.match((await visit.part('calls-path').textContent()) ?? '', /load$/);
  await visit.page.keyboard.press('Escape');
  assert.equal(await visit.part('calls-path').textContent(), '');
  await visit.close();
});

test('a step has its own calls', async () => {
  const visit = await here.visit();
  await opened(visit, demo);
  const all = await visit.part('calls-note').textContent();
  assert.match(all ?? '', /Mean of \d+ steps/);
  await visit.part('step').selectOption('2');
  await visit.until('the step is shown', async () => (await visit.part('calls-note').textContent()) !== all);
  assert.doesNotMatch((await visit.part('calls-note').textContent()) ?? '', /Mean of/);
  await visit.close();
});
