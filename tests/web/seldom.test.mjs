// The second wasm module and the script of seldom opened tabs: not loaded for opening and viewing a PyTorch trace, and loaded by every view that
// needs it.

import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {generated, stepscope} from './lib/program.mjs';
import {site} from './lib/site.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

// Warming up does not need it either.
const here = site({}, {warmUp: true});
const demo = generated('seldom/trace.json.gz', '--demo');
const other = generated('seldom/other.json', '--seed', '17');

const messages = path.join(import.meta.dirname, '../../www/i18n/zh.json');

const MODULE = 'stepscope_seldom.wasm';

/** Tabs that need it, and those of a group that opens with one that does. */
const WITH_MORE = ['calls', 'modules', 'memory', 'copies', 'data', 'resources'];

/** The workers that asked for the second module, by their names; the page itself is among them. @param {Visit} visit */
async function whoLoaded(visit) {
  /** @param {string} module */
  const asked = (module) => (performance.getEntriesByType('resource').some(({name}) => name.endsWith(module)) ? self.name || 'page' : '');
  const workers = visit.page.workers().map((worker) => worker.evaluate(asked, MODULE));
  const names = await Promise.all([visit.page.evaluate(asked, MODULE), ...workers]);
  return names.filter(Boolean);
}

for (const [what, file] of [
  ['the demo', demo],
  ['a trace with all kinds of events', other],
]) {
  test(`each tab of ${what} but calls, modules, memory, copies, data and resources, and an event of it are shown without the second module`, async () => {
    // To see the tabs of a group, one of them is opened.
    const before = await here.visit();
    await before.open(file);
    const tabs = await before.tabs();
    await before.close();
    assert.ok(tabs.length > 8, tabs.join());
    const visit = await here.visit();
    await visit.open(file);
    for (const tab of tabs.filter((tab) => !WITH_MORE.includes(tab))) await visit.tab(tab);
    await visit.tab('timeline');
    await visit.part('find').fill('dur>1us');
    await visit.part('find').press('Enter');
    await visit.part('event-pane').waitFor();
    await visit.page.locator('[data-test="event-pane"]:not([aria-busy="true"])').waitFor();
    assert.deepEqual(await whoLoaded(visit), []);
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  });
}

test('it is loaded before what needs it, once for each worker, and gives what the program gives', async () => {
  const visit = await here.visit();
  await visit.open(other);
  const {bytes} = await visit.export('json');
  assert.equal(
    `${bytes}\n`,
    stepscope('summary', '--json', other)
      .toString()
      .replaceAll(`${path.dirname(other)}/`, ''),
  );
  assert.deepEqual(await whoLoaded(visit), ['session/worker.js']);
  await visit.compare(demo);
  // The other trace of a comparison has its own session.
  assert.deepEqual(await whoLoaded(visit), ['session/worker.js', 'session/worker.js']);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('where it is missing, what needs it says so and nothing else is lost', async () => {
  const visit = await here.visit();
  await visit.page.route(`**/${MODULE}`, (route) => route.fulfill({status: 404}));
  await visit.open(other);
  const tiles = await visit.tiles();
  await visit.part('export').click();
  await visit.part('export.json').click();
  assert.match(await visit.problem(), /a part of the page could not be loaded: status 404/);
  assert.deepEqual(await visit.tiles(), tiles);
  await visit.page.unroute(`**/${MODULE}`);
  const {bytes} = await visit.export('json');
  assert.ok(bytes.length > 1000);
  await visit.close();
});

test('where it is no module, that is said as well', async () => {
  const visit = await here.visit();
  await visit.page.route(`**/${MODULE}`, (route) => route.fulfill({status: 200, contentType: 'application/wasm', body: 'not a module'}));
  await visit.open(other);
  await visit.part('export').click();
  await visit.part('export.json').click();
  assert.match(await visit.problem(), /WebAssembly|wasm/);
  await visit.close();
});

test('a reader that few need waits for it, while it reads', async () => {
  const visit = await here.visit();
  const folder = path.join(import.meta.dirname, '../fixtures/nvprof/gpu_trace_csv');
  const name = readdirSync(folder).find((entry) => entry.startsWith('input.'));
  await visit.open(path.join(folder, String(name)));
  assert.deepEqual(await whoLoaded(visit), ['session/worker.js']);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the script of seldom opened tabs is loaded with the first of them, and where it is missing, the tab says so', async () => {
  const visit = await here.visit();
  const asked = () => visit.requests.filter((address) => address.endsWith('/seldom.js')).length;
  await visit.page.route('**/seldom.js', (route) => route.fulfill({status: 404}));
  await visit.open(demo);
  for (const tab of ['timeline', 'operators']) await visit.tab(tab);
  assert.equal(asked(), 0);
  await visit.tab('compare');
  assert.match(await visit.text('late-tab'), /^The script of this tab could not be loaded\. Try again, or reload the page\./);
  await visit.tab('overview');
  await visit.tiles();
  await visit.tab('compare');
  await visit.page.unroute('**/seldom.js');
  await visit.part('late-tab').getByRole('button', {name: 'Load again'}).click();
  await visit.part('compare-start').waitFor();
  assert.equal(await visit.part('late-tab').count(), 0);
  // It has what the other tabs have: the language of the page, its state.
  await visit.tab('modules');
  await visit.part('report-call_tree').waitFor();
  await visit.set('language', 'zh');
  await visit.tab('compare');
  assert.equal(await visit.part('compare-start').locator('h2').innerText(), JSON.parse(readFileSync(messages, 'utf8'))['compare.title']);
  assert.equal(asked(), 2);
  await visit.close();
});

test('who leaves the tab before its script is there finds it later', async () => {
  const visit = await here.visit();
  /** @type {() => void} */
  let go = () => {};
  const gone = new Promise((resolve) => (go = () => resolve(undefined)));
  await visit.page.route('**/seldom.js', async (route) => {
    await gone;
    await route.continue();
  });
  await visit.open(demo);
  await visit.openTab('calls');
  await visit.openTab('overview');
  await visit.openTab('compare');
  go();
  await visit.part('compare-start').waitFor();
  await visit.tab('calls');
  await visit.part('report-call_tree').waitFor();
  assert.equal(await visit.part('late-tab').count(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
