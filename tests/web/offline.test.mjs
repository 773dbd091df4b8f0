// The page opens again without a network, under whatever path it lies.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {environment, generated} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site({});
const trace = generated('offline/trace.json.gz', '--seed', '91');
/** Whether the page was built where mdBook could be had. */
const hasBook = fs.existsSync(path.join(environment('STEPSCOPE_PAGE'), 'book'));

test('after one visit the page opens and reads traces without a network', async () => {
  const visit = await here.visit({serviceWorkers: 'allow'});
  const {page} = visit;
  const context = page.context();
  // The service worker controls pages that are opened after it.
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL);
  await visit.until('it rules', () => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state === 'activated'));
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope), visit.address);
  // Seldom used files are cached once the page has been idle for a while.
  const kept = () =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const lists = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({url}) => url)));
      return lists.flat();
    });
  const areKept = async (/** @type {string[]} */ files) => {
    const urls = await kept();
    return files.every((file) => urls.some((url) => url.endsWith(file)));
  };
  await visit.until('all is kept', () => areKept(['/analyzer.html', '/demo.json.gz', '/stepscope_seldom.wasm', '/stepscope_output.wasm', '/seldom.js']));
  // The book is kept as a whole once somebody opened a page of it, and not before.
  if (hasBook) {
    assert.ok(!(await kept()).some((url) => url.includes('/book/')));
    const book = await context.newPage();
    await book.goto(new URL('book/index.html', visit.address).href);
    await visit.until('the book is kept', () => areKept(['/book/numbers.html', '/book/zh/timeline.html']));
    await book.close();
  }
  await context.setOffline(true);
  await page.reload();
  await visit.part('demo').click();
  await visit.results();
  await visit.part('export').click();
  await visit.part('report.menu').click();
  await visit.part('report-what').selectOption('trace');
  await page.locator('[data-test="report-save"]:enabled').waitFor();
  await visit.part('report-cancel').click();
  await page.reload();
  await visit.part('choose').waitFor();
  await visit.open(trace);
  for (const tab of ['timeline', 'kernels', 'calls', 'compare']) await visit.tab(tab);
  await visit.part('compare-start').waitFor();
  await visit.tab('overview');
  if (hasBook) {
    const book = context.waitForEvent('page');
    await page.locator('.navigation [data-test="book"]').click();
    assert.equal(await (await book).locator('main h1').innerText(), 'What each number means');
  }
  await page
    .evaluate(() => fetch('nothing.txt'))
    .then(
      () => assert.fail('there is no network'),
      () => {},
    );
  await visit.close();
});
