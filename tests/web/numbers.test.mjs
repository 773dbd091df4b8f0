// The page shows the program's numbers, to the byte.

import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';

import {generated, realTraces, stepscope, summary, thorough} from './lib/program.mjs';
import {assertShows, csvRecords} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('numbers/trace.json.gz', '--seed', '31', '--steps', '6', '--groups', '12');

/** @param {Record<string, string[]>} tiles @param {number} length @param {any} device @param {number} wait */
function assertTiles(tiles, length, device, wait) {
  assertShows(tiles.step[0], length, 'step');
  const rows = /** @type {[string, number, number][]} */ ([
    ['device_busy', device.busy_ns, device.window_ns],
    ['exposed_communication', device.exposed_communication_ns, device.window_ns],
    ['data_wait', wait, length],
    ['idle', device.idle_ns, device.window_ns],
  ]);
  for (const [name, time, whole] of rows) {
    assertShows(tiles[name][0], time / whole, name);
    // That of the wait is a part of the host's whole wait, where the two differ.
    const [shown] = tiles[name][1].split(' of ');
    assertShows(shown, time, name);
  }
}

/** @param {Record<string, string>[]} found @param {any[]} expected @param {string[]} numbers @param {string} what */
function assertRows(found, expected, numbers, what) {
  assert.equal(found.length, expected.length, what);
  const byName = new Map(expected.map((row) => [row.name, row]));
  for (const row of found) {
    for (const key of numbers) assert.equal(Number(row[key]), Number(byName.get(row.name)?.[key]), `${what} ${row.name} ${key}`);
  }
}

test('wasm and the native program write the same bytes, for one file and for ranks', async () => {
  const visit = await here.visit();
  const cases = [
    [trace],
    [generated('numbers/small.json', '--seed', '32', '--steps', '1', '--groups', '1')],
    [0, 1, 2].map((rank) => generated(`numbers/job-rank${rank}.json.gz`, '--rank', String(rank), '--seed', String(40 + rank))),
  ];
  for (const files of cases) {
    await visit.open(...files);
    const {name, bytes} = await visit.export('json');
    assert.equal(name, `${path.basename(files[0]).split('.')[0]}.stepscope.json`);
    assert.ok(stepscope('summary', '--json', ...files).equals(Buffer.concat([bytes, Buffer.from('\n')])), files.join(' '));
    await visit.page.reload();
  }
  await visit.close();
});

test('wasm and the native program write the same bytes for real traces', thorough, async (context) => {
  const files = realTraces();
  if (!files.length) {
    context.diagnostic('SKIPPED: there are no real traces beside the project');
    return;
  }
  const visit = await here.visit();
  for (const file of files) {
    await visit.choose(file);
    await visit.page.waitForFunction((name) => document.title.startsWith(name) && document.querySelector('[data-test="results"]'), path.basename(file));
    await visit.results();
    const {bytes} = await visit.export('json');
    assert.ok(stepscope('summary', '--json', file).equals(Buffer.concat([bytes, Buffer.from('\n')])), path.basename(file));
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('tiles show the average step, and each step', async () => {
  const [rank] = summary(trace).ranks;
  const visit = await here.visit();
  await visit.open(trace);
  const {average} = rank;
  assertTiles(await visit.tiles(), average.step_ns, average.device_time, average.categories.dataloader_ns);
  assert.match(await visit.part('step').innerText(), new RegExp(`average of ${average.steps}`));
  for (const [index, step] of rank.steps.entries()) {
    await visit.part('step').selectOption(String(index));
    await visit.page.locator(`.tiles[aria-label="Step ${step.name}"]`).waitFor();
    assertTiles(await visit.tiles(), step.length_ns, step.device_time[0], step.categories.dataloader_ns);
  }
  await visit.close();
});

test("tables hold the program's numbers", async () => {
  const [rank] = summary('--step', 'average', trace).ranks;
  const visit = await here.visit();
  await visit.open(trace);
  /** @param {string} tab */
  const csv = async (tab) => {
    await visit.tab(tab);
    return csvRecords((await visit.saved(() => visit.part('save-csv').first().click())).bytes);
  };
  const times = ['host_total_ns', 'host_self_ns', 'host_mean_ns', 'device_total_ns', 'device_self_ns'];
  assertRows(await csv('operators'), rank.operators, ['calls', ...times], 'operator');
  const kernel = ['calls', 'total_ns', 'mean_ns', 'median_ns', 'min_ns', 'max_ns', 'share_of_kernel_time'];
  assertRows(await csv('kernels'), rank.kernels, kernel, 'kernel');
  assertRows(await csv('copies'), rank.copies, ['calls', 'total_ns', 'bytes', 'gigabytes_per_second'], 'copy');
  const categories = ['kernel', 'memcpy', 'memset', 'communication', 'runtime', 'dataloader', 'cpu', 'other'].map((category) => `categories.${category}_ns`);
  const flat = (/** @type {any} */ step) => Object.fromEntries(Object.entries(step.categories).map(([key, time]) => [`categories.${key}`, time]));
  const steps = rank.steps.map((/** @type {any} */ step) => ({...step, ...flat(step)}));
  assertRows(await csv('steps'), steps, ['length_ns', ...categories], 'step');
  for (const step of steps) {
    assert.equal(
      categories.reduce((sum, category) => sum + step[category], 0),
      step.length_ns,
      'the categories add up to the step',
    );
  }
  await visit.tab('operators');
  const [first] = rank.operators.toSorted((/** @type {any} */ a, /** @type {any} */ b) => b.device_self_ns - a.device_self_ns);
  const cells = await visit.page.locator('.rows .row').first().locator('.cell').allInnerTexts();
  assert.equal(cells[0], first.name);
  for (const [index, key] of ['calls', 'device_total_ns', 'device_self_ns', 'host_total_ns', 'host_self_ns', 'host_mean_ns'].entries()) {
    assertShows(cells[index + 1], first[key], key);
  }
  await visit.close();
});

test("another tool's definition shows what the program says under it, and stays chosen", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  for (const definition of ['hta', 'tracelens', 'tensorboard', 'paddle', 'mindspore']) {
    const [rank] = summary('--definition', definition, trace).ranks;
    await visit.set('definition', definition);
    await visit.page.locator(`[data-test="definition-values"][data-definition="${definition}"]`).waitFor();
    const shown = await visit.page.locator('[data-test="definition-values"] dd').allInnerTexts();
    const expected = /** @type {(number | null)[]} */ (Object.values(rank.definition_values.values));
    assert.equal(shown.length, expected.length, definition);
    for (const [index, value] of expected.entries()) {
      if (value === null) assert.equal(shown[index], '–');
      else assertShows(shown[index], value, `${definition} ${Object.keys(rank.definition_values.values)[index]}`);
    }
  }
  await visit.open(generated('numbers/next.json', '--seed', '33'));
  assert.equal(await visit.part('definition').inputValue(), 'mindspore');
  await visit.part('definition-values').waitFor();
  await visit.set('definition', 'stepscope');
  await visit.part('definition-values').waitFor({state: 'hidden'});
  await visit.close();
});
