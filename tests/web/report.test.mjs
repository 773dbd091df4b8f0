// The report in one HTML file: opened from the disk, with and without scripts.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {after, before, test} from 'node:test';

import {launchForTest} from './lib/browser.mjs';
import {environment, generated, scratch, stepscope, summary, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {openTab} from './lib/tabs.mjs';

const here = site({});
/** @type {Awaited<ReturnType<typeof launchForTest>>} */
let browser;
before(async () => {
  browser = await launchForTest();
});
after(() => browser.close());

const trace = generated('report/trace.json.gz', '--seed', '81');
const job = generated('report/job', '--job', '2x1x1', '--steps', '4', '--seed', '3');

/** A report of the program. @param {string} name @param {...string} args */
function reported(name, ...args) {
  const file = scratch(`report/${name}.html`);
  stepscope('report', ...args, '--page', environment('STEPSCOPE_PAGE'), '-o', file);
  return file;
}

/** Opens a file of the disk. @param {string} file @param {boolean} [javaScriptEnabled] */
async function opened(file, javaScriptEnabled = true) {
  const context = await browser.newContext({javaScriptEnabled, offline: true});
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  /** @type {string[]} */
  const complaints = [];
  /** @type {string[]} */
  const requests = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  context.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  return {page, complaints, requests};
}

test('without scripts it says the verdict, advice, charts and tables', async () => {
  const {page, complaints} = await opened(reported('plain', trace), false);
  const [rank] = summary(trace).ranks;
  const text = await page.locator('main').innerText();
  assert.match(text, /Step time/);
  assert.match(text, new RegExp(`average of ${rank.average.steps} steps`));
  assert.ok((await page.locator('figure svg').count()) >= 2);
  const kernels = page.locator('details.table', {has: page.locator('summary', {hasText: /^Kernels, /})});
  assert.equal(await kernels.locator('tbody tr').count(), rank.kernels.length);
  await kernels.locator('summary').click();
  assert.ok((await kernels.innerText()).includes(rank.kernels[0].name));
  assert.equal(await page.locator('script').count(), 0);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('with the traces it opens the whole analyzer, without a server and without a request', async () => {
  for (const [name, what] of [
    ['full', trace],
    ['full-job', job],
  ]) {
    const file = reported(name, '--trace', what);
    const {page, complaints, requests} = await opened(file);
    await page.locator('[data-test="explore"]').click();
    await page.locator('[data-test="results"]').waitFor();
    await page.locator('[data-test="tab-timeline"]').click();
    await page.locator('.timeline canvas').first().waitFor();
    await openTab(page, 'steps');
    await page.locator('[role="tabpanel"] [role="row"]').nth(1).waitFor();
    await page.locator('[data-test="back"]').click();
    await page.locator('body > header h1').waitFor();
    const foreign = requests.filter((url) => !url.startsWith('blob:') && !url.startsWith('data:') && url !== pathToFileURL(file).href);
    assert.deepEqual(foreign, []);
    assert.deepEqual(complaints, [], name);
    await page.context().close();
  }
});

test('the page makes the same file as the program, and says its size before', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  for (const [what, name, args] of /** @type {[string, string, string[]][]} */ ([
    ['tables', 'same-tables', [trace]],
    ['trace', 'same-trace', ['--trace', trace]],
  ])) {
    await visit.part('export').click();
    await visit.part('report.menu').click();
    await visit.part('report-what').selectOption(what);
    await visit.page.locator('[data-test="report-save"]:enabled').waitFor();
    const expected = fs.readFileSync(reported(name, ...args));
    const told = await visit.part('report-status').innerText();
    assert.match(told, new RegExp(what === 'trace' ? 'MiB' : 'KiB'));
    const download = visit.page.waitForEvent('download');
    await visit.part('report-save').click();
    const file = await (await download).path();
    assert.equal((await download).suggestedFilename(), 'trace.html');
    assert.equal(fs.readFileSync(file).compare(expected), 0, `${what}: the same bytes`);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("a report is made of a report's analyzer, too", async () => {
  const file = reported('again', '--trace', trace);
  const {page} = await opened(file);
  await page.locator('[data-test="explore"]').click();
  await page.locator('[data-test="results"]').waitFor();
  await page.locator('[data-test="export"]').click();
  await page.locator('[data-test="report.menu"]').click();
  await page.locator('[data-test="report-what"]').selectOption('trace');
  await page.locator('[data-test="report-save"]:enabled').waitFor();
  const download = page.waitForEvent('download');
  await page.locator('[data-test="report-save"]').click();
  const again = await (await download).path();
  assert.equal(fs.readFileSync(again).compare(fs.readFileSync(file)), 0);
  await page.context().close();
});

test('a report that carries the trace shows the view that it was made in', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('timeline');
  const steps = visit.page.locator('[data-test="timeline-heads"] .track-head-row').first();
  await steps.hover();
  await steps.locator('[data-act="pin"]').click();
  await visit.part('timeline-filter').fill('stream');
  await visit.page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get('rows') === 'stream');
  const view = new URL(visit.page.url()).hash.slice(1);
  await visit.part('export').click();
  await visit.part('report.menu').click();
  await visit.part('report-what').selectOption('trace');
  await visit.page.locator('[data-test="report-save"]:enabled').waitFor();
  const download = visit.page.waitForEvent('download');
  await visit.part('report-save').click();
  const file = `${scratch('report/view')}.html`;
  await (await download).saveAs(file);
  assert.ok(fs.readFileSync(file, 'utf8').includes(`data-view="${encodeURIComponent(view)}"`), view);
  const {page, complaints} = await opened(file);
  await page.locator('[data-test="explore"]').click();
  await page.locator('[data-test="timeline-pinned"] .track-head').waitFor();
  assert.equal(await page.locator('[data-test="timeline-filter"]').inputValue(), 'stream');
  assert.deepEqual(complaints, []);
  await page.context().close();
  await visit.close();
});

test('ranks that a person put together are those of the analyzer in the report, too', async () => {
  const visit = await here.visit();
  const other = generated('report/other.json.gz', '--seed', '82');
  // The first file is left out, so that the others have other numbers in the report.
  await visit.open(generated('report/away.json.gz', '--seed', '83'), trace, other);
  await visit.part('files').click();
  const ranks = visit.page.locator('[data-test="files-rank"]');
  for (const [index, rank] of ['', '5', '7'].entries()) await ranks.nth(index).fill(rank);
  await visit.part('files-apply').click();
  const told = async (/** @type {import('playwright-core').Page} */ page) =>
    (await page.locator('[data-test="rank"] option').allInnerTexts()).map((text) => text.match(/\d+/)?.[0]);
  await visit.page.waitForFunction(() => [...document.querySelectorAll('[data-test="rank"] option')].some((option) => option.textContent?.includes('7')));
  assert.deepEqual(await told(visit.page), ['5', '7']);
  await visit.part('export').click();
  await visit.part('report.menu').click();
  await visit.part('report-what').selectOption('trace');
  await visit.page.locator('[data-test="report-save"]:enabled').waitFor();
  const download = visit.page.waitForEvent('download');
  await visit.part('report-save').click();
  const file = `${scratch('report/grouped')}.html`;
  await (await download).saveAs(file);
  const {page, complaints} = await opened(file);
  assert.match(await page.locator('main').innerText(), /Rank 7/);
  await page.locator('[data-test="explore"]').click();
  await page.locator('[data-test="results"]').waitFor();
  assert.deepEqual(await told(page), ['5', '7']);
  assert.deepEqual(complaints, []);
  await page.context().close();
  await visit.close();
});

test('text of a trace stays text, in the report and in what it carries', async () => {
  const evil = '</script><img src=x onerror="document.title=\'owned\'"><b>';
  const events = [
    {ph: 'X', cat: 'user_annotation', name: 'ProfilerStep#1', pid: 1, tid: 1, ts: 0, dur: 100},
    {ph: 'X', cat: 'cpu_op', name: evil, pid: 1, tid: 1, ts: 1, dur: 50},
  ];
  const file = written(`report/evil "&'.json`, JSON.stringify({schemaVersion: 1, traceEvents: events}));
  for (const args of [[file], ['--trace', file]]) {
    const {page, complaints} = await opened(reported(`evil-${args.length}`, ...args));
    assert.equal(await page.locator('img').count(), 0);
    assert.ok((await page.locator('main').textContent())?.includes(evil));
    if (args.length > 1) {
      await page.locator('[data-test="explore"]').click();
      await page.locator('[data-test="results"]').waitFor();
    }
    assert.doesNotMatch(await page.title(), /owned/);
    assert.deepEqual(complaints, []);
    await page.context().close();
  }
});

test('files of one name are carried apart', async () => {
  const files = ['one', 'two'].map((folder, index) => generated(`report/${folder}/trace.json.gz`, '--seed', String(85 + index)));
  const {page} = await opened(reported('apart', '--trace', ...files));
  await page.locator('[data-test="explore"]').click();
  await page.locator('[data-test="results"]').waitFor();
  const expected = summary(...files).ranks.length;
  assert.equal(await page.locator('[data-test="rank"] option').count(), expected);
  await page.context().close();
});

test('a report of several ranks stays small, and carries only what was read', async () => {
  fs.writeFileSync(path.join(job, 'notes.txt'), 'secret notes');
  const file = reported('small', job);
  assert.ok(fs.statSync(file).size < 1_500_000);
  const full = fs.readFileSync(reported('small-full', '--trace', job), 'utf8');
  assert.equal(full.match(/^<script type="text\/plain" data-stepscope-file=/gm)?.length, 2, 'a file for each rank');
  assert.ok(!full.includes('notes.txt'));
});
