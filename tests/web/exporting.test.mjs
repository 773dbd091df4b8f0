// Long exports: the page stays usable, they can be canceled, and need little memory.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import {test} from 'node:test';
import zlib from 'node:zlib';

import {peak} from './lib/browser.mjs';
import {generated, scratch, stepscope} from './lib/program.mjs';
import {site} from './lib/site.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();
const big = generated('exporting/big.json', '--bytes', '300000000');
const small = generated('exporting/small.json', '--seed', '5');

/** Begins an export that takes its time. @param {Visit} visit */
async function begin(visit) {
  await visit.part('export').click();
  await visit.part('export.perfetto').click();
  await visit.part('exporting').waitFor();
  assert.match(await visit.text('exporting'), /^Exporting: \d+(\.\d+)?.%$/);
}

/** Names of downloads from now on. @param {Visit} visit */
function downloads(visit) {
  /** @type {string[]} */
  const names = [];
  visit.page.on('download', (download) => names.push(download.suggestedFilename()));
  return names;
}

test('while a large trace is exported the page goes on; its text is never in memory as a whole', async () => {
  const visit = await here.visit();
  await visit.open(big);
  const tabs = ['kernels', 'timeline', 'overview'];
  for (const tab of tabs) await visit.tab(tab);
  const browser = visit.page.context().browser();
  assert.ok(browser);
  const before = process.platform === 'linux' ? await peak(browser, ['renderer', 'browser']) : NaN;
  const download = visit.page.waitForEvent('download');
  const names = downloads(visit);
  await begin(visit);
  await visit.tab(tabs[0]);
  assert.deepEqual(names, [], 'that was answered meanwhile');
  for (const tab of tabs) await visit.tab(tab);
  const file = scratch('exporting/page.json.gz');
  await (await download).saveAs(file);
  await visit.part('exporting').waitFor({state: 'hidden'});
  const expected = scratch('exporting/program.json');
  stepscope('export', '-o', expected, big);
  const text = zlib.gunzipSync(fs.readFileSync(file));
  assert.ok(text.equals(fs.readFileSync(expected)), 'what the program writes');
  // The compressed output, and text that the browser has not collected yet: 80 to 100 MB, about as much for 720 MB of text.
  if (process.platform === 'linux') {
    const grown = (await peak(browser, ['renderer', 'browser'])) - before;
    assert.ok(grown < text.length * 0.7, `${(grown / 1e6).toFixed(0)} of ${(text.length / 1e6).toFixed(0)} MB`);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('an export can be given up, and the next one is whole', async () => {
  const visit = await here.visit();
  await visit.open(big);
  const names = downloads(visit);
  for (let round = 0; round < 2; round++) {
    await begin(visit);
    await visit.part('exporting-cancel').click();
    await visit.part('exporting').waitFor({state: 'hidden'});
  }
  assert.equal(await visit.part('problem').count(), 0, 'who gives it up knows');
  const {bytes} = await visit.export('summary');
  const expected = scratch('exporting/summary.json');
  stepscope('export', '--summary', '-o', expected, big);
  assert.ok(zlib.gunzipSync(bytes).equals(fs.readFileSync(expected)));
  assert.deepEqual(names, ['big.summary.json.gz']);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('an export that waits says so, and can be given up before its turn', async () => {
  const visit = await here.visit();
  await visit.open(big);
  const names = downloads(visit);
  await begin(visit);
  // The first one stands still until it is canceled.
  await (
    await visit.worker('session/worker.js')
  ).evaluate(() => {
    const {write} = WritableStreamDefaultWriter.prototype;
    WritableStreamDefaultWriter.prototype.write = async function (/** @type {any} */ chunk) {
      const {held} = /** @type {{held?: Promise<void>}} */ (/** @type {unknown} */ (self));
      await held;
      return write.call(this, chunk);
    };
    Object.assign(self, {held: new Promise((resolve) => Object.assign(self, {letGo: resolve}))});
  });
  for (const one of ['summary', 'perfetto']) {
    await visit.part('export').click();
    await visit.part(`export.${one}`).click();
  }
  const told = visit.part('exporting');
  await told.nth(2).waitFor();
  const said = await told.allInnerTexts();
  assert.match(said[0], /^Exporting: /);
  assert.deepEqual(said.slice(1), Array(2).fill('Export waits'));
  assert.deepEqual(await visit.part('exporting-cancel').evaluateAll((all) => all.map((one) => one.ariaLabel)), [
    'Cancel the export big.perfetto.json.gz',
    'Cancel the export big.summary.json.gz',
    'Cancel the export big.perfetto.json.gz',
  ]);
  // The last one is canceled first, while the first one is still written.
  const last = visit.part('exporting-cancel').nth(2);
  await last.focus();
  await last.press('Enter');
  await told.nth(2).waitFor({state: 'detached'});
  assert.deepEqual(names, []);
  assert.match((await told.allInnerTexts()).join(), /^Exporting: .*,Export waits/);
  // With the first one gone, the second has its turn.
  await visit.part('exporting-cancel').first().click();
  await (await visit.worker('session/worker.js')).evaluate(() => /** @type {any} */ (self).letGo());
  await visit.until('the second one is there', () => names.length === 1);
  assert.deepEqual(names, ['big.summary.json.gz']);
  await told.first().waitFor({state: 'detached'});
  assert.equal(await visit.part('problem').count(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('who opens other files meanwhile is told that the export is given up', async () => {
  const visit = await here.visit();
  await visit.open(big);
  const names = downloads(visit);
  await begin(visit);
  await visit.open(small);
  assert.match(await visit.problem(), /The export was canceled because other files were opened/);
  assert.equal(await visit.part('exporting').isVisible(), false);
  assert.match(await visit.text('file'), /small\.json/);
  const {name} = await visit.export('perfetto');
  assert.equal(name, 'small.perfetto.json.gz');
  assert.deepEqual(names, [name]);
  await visit.close();
});

test('where nothing can be read of the other files, what was shown comes back, without the export', async () => {
  const visit = await here.visit();
  await visit.open(big);
  await begin(visit);
  await visit.hand(['broken.json', '{"traceEvents": [']);
  await visit.part('problem').filter({hasText: 'broken.json'}).waitFor();
  await visit.results();
  assert.match(await visit.text('file'), /big\.json/);
  assert.match((await visit.part('problem').allInnerTexts()).join(), /The export was canceled/);
  assert.equal(await visit.part('exporting').isVisible(), false);
  await visit.close();
});

test('a session that dies while it exports says so, and what was shown comes back', async () => {
  const visit = await here.visit();
  await visit.open(big);
  const names = downloads(visit);
  await begin(visit);
  await visit.kill('session/worker.js');
  assert.match(await visit.problem(), /ran out of memory or failed/);
  await visit.results();
  assert.match(await visit.text('file'), /big\.json/);
  assert.equal(await visit.part('exporting').isVisible(), false);
  assert.deepEqual(names, []);
  await visit.close();
});
