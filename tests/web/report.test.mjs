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

/** Number of printed pages of a report. @param {import('playwright-core').Page} page @param {'A4' | 'Letter'} format */
async function pagesOf(page, format) {
  const pdf = await page.pdf({format, preferCSSPageSize: false});
  return pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
}

test('its summary prints on at most four pages, and an open table after it', async () => {
  const ranks = generated('report/ranks', '--job', '4x2x2', '--steps', '3', '--seed', '5');
  for (const [name, what] of [
    ['print', trace],
    ['print-job', job],
    ['print-ranks', ranks],
  ]) {
    const {page, complaints} = await opened(reported(name, what), false);
    for (const format of /** @type {const} */ (['A4', 'Letter'])) {
      const pages = await pagesOf(page, format);
      assert.ok(pages >= 1 && pages <= 4, `${name} on ${format}: ${pages} pages`);
    }
    await page.emulateMedia({media: 'print'});
    assert.ok(await page.locator('p.print-only').isVisible(), 'it says what is not printed');
    for (const hidden of ['nav', 'details.markdown', 'details.table:not([open])']) assert.ok(!(await page.locator(hidden).first().isVisible()), hidden);
    assert.ok(await page.locator('#verdict').isVisible());
    await page.emulateMedia({media: 'screen'});
    assert.deepEqual(complaints, []);
    await page.context().close();
  }
  const {page} = await opened(reported('print-open', trace), false);
  const before = await pagesOf(page, 'A4');
  for (const table of await page.locator('details.table').all()) await table.locator('summary').click();
  assert.ok((await pagesOf(page, 'A4')) > before, 'what a person opens is printed');
  await page.context().close();
});

test('no number is broken in print, whatever is open', async () => {
  for (const [name, what] of [
    ['print-numbers', trace],
    ['print-numbers-job', job],
  ]) {
    const {page} = await opened(reported(name, what), false);
    await page.locator('details').evaluateAll((all) => all.forEach((details) => details.setAttribute('open', '')));
    await page.emulateMedia({media: 'print'});
    // The width of A4 without its margins.
    await page.setViewportSize({width: 718, height: 1000});
    const broken = await page.evaluate(() => {
      const found = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const {parentElement: cell, data} = /** @type {Text} */ (text);
        // In a long name anything may be broken.
        if (!cell?.checkVisibility() || cell.classList.contains('long') || !cell.closest('td')) continue;
        for (const {index, 0: number} of data.matchAll(/\d[\d.,\u2009\u202f\u00a0]*\d/g)) {
          range.setStart(text, index);
          range.setEnd(text, index + number.length);
          const lines = new Set([...range.getClientRects()].map(({top}) => Math.round(top)));
          if (lines.size > 1) found.push(`${number} in ${data.slice(0, 60)}`);
        }
      }
      return found;
    });
    assert.deepEqual(broken, [], name);
    await page.context().close();
  }
});

test('its colors follow the preferred theme, on paper they are light', async () => {
  const {page} = await opened(reported('dark', trace), false);
  const looks = () =>
    page.evaluate(() => {
      // Relative luminance, as WCAG defines it.
      const luminance = (/** @type {string} */ color) => {
        const parts = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => Number(part) / 255);
        const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const of = (/** @type {string} */ selector, /** @type {'color' | 'backgroundColor' | 'fill'} */ property) =>
        luminance(getComputedStyle(/** @type {Element} */ (document.querySelector(selector)))[property]);
      const ground = of('figure', 'backgroundColor');
      const contrast = (/** @type {number} */ value) => (Math.max(value, ground) + 0.05) / (Math.min(value, ground) + 0.05);
      return {
        body: of('body', 'backgroundColor'),
        texts: [of('main h2', 'color'), of('.hint', 'color'), of('figure text', 'fill')].map(contrast),
        bar: getComputedStyle(/** @type {Element} */ (document.querySelector('figure rect'))).fill,
      };
    });
  await page.emulateMedia({colorScheme: 'light'});
  const light = await looks();
  await page.emulateMedia({colorScheme: 'dark'});
  const dark = await looks();
  await page.emulateMedia({colorScheme: 'dark', media: 'print'});
  const paper = await looks();
  assert.ok(light.body > 0.8 && dark.body < 0.05 && paper.body > 0.9, JSON.stringify([light.body, dark.body, paper.body]));
  for (const {texts} of [light, dark, paper]) assert.ok(Math.min(...texts) > 4.5, JSON.stringify([light, dark, paper]));
  assert.notEqual(light.bar, dark.bar);
  assert.equal(light.bar, paper.bar);
  await page.context().close();
});

test('its contents lead to its parts; a click selects the Markdown as a whole', async () => {
  const {page} = await opened(reported('contents', trace), false);
  const links = page.locator('nav a');
  assert.ok((await links.count()) > 5);
  for (const link of await links.all()) {
    const target = (await link.getAttribute('href')) ?? '';
    assert.equal(await page.locator(target).count(), 1, target);
  }
  // The link opens what it leads to.
  await page.locator('nav a[href="#markdown"]').click();
  const text = page.locator('#markdown pre');
  await text.waitFor({state: 'visible'});
  await text.click();
  const selected = await page.evaluate(() => String(getSelection()));
  assert.equal(selected.trim(), (await text.textContent())?.trim());
  assert.match(selected, /^### /);
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
  const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
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
    await visit.part('report-copy').click();
    await visit.page.locator('[data-test="report-status"]', {hasText: /Copied/}).waitFor();
    const copied = await visit.page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, stepscope('report', '--markdown', '-o', '-', trace).toString());
    const download = visit.page.waitForEvent('download');
    await visit.part('report-save').click();
    const file = await (await download).path();
    assert.equal((await download).suggestedFilename(), 'trace.html');
    assert.equal(fs.readFileSync(file).compare(expected), 0, `${what}: the same bytes`);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('in Chinese, too, it is the same file', async () => {
  const visit = await here.visit({locale: 'zh-CN'});
  await visit.open(trace);
  await visit.part('export').click();
  await visit.part('report.menu').click();
  await visit.page.locator('[data-test="report-save"]:enabled').waitFor();
  const download = visit.page.waitForEvent('download');
  await visit.part('report-save').click();
  const file = await (await download).path();
  const expected = fs.readFileSync(reported('chinese', '--language', 'zh', trace));
  assert.equal(fs.readFileSync(file).compare(expected), 0);
  assert.match(expected.toString(), /<html lang="zh-Hans">/);
  // The sentences of the budget, and what advice saves, too.
  assert.doesNotMatch(expected.toString(), / of the step | per step/);
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
    const markdown = (await page.locator('.markdown pre').textContent()) ?? '';
    assert.match(markdown, /: `evil "&'\.json, /);
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
