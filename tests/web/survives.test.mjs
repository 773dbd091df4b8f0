// Browser actions on a working page: it is hidden, frozen, or refused storage.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';

import {generated, scratch, stepscope} from './lib/program.mjs';
import {PATH, Visit, site} from './lib/site.mjs';
import {untouched} from './lib/untouched.mjs';

/** @typedef {Window & {life: string[]}} Noted what a page notes of itself */

const here = site();
const small = generated('survives/small.json', '--seed', '5');
const big = generated('survives/big.json', '--bytes', '80000000');

/** @type {Awaited<ReturnType<typeof untouched>>} */
let browser;
before(async () => void (browser = await untouched()));
after(() => browser?.close());

/** A worker notes the time many times a second. */
function tick() {
  const noted = /** @type {any} */ (self);
  noted.ticks = [performance.now()];
  setInterval(() => noted.ticks.push(performance.now()), 20);
}

/** The longest time in which it did not, in ms. @param {import('playwright-core').Worker} worker */
async function stoodStill(worker) {
  const ticks = await worker.evaluate(() => [.../** @type {any} */ (self).ticks, performance.now()]);
  return Math.max(...ticks.slice(1).map((/** @type {number} */ at, /** @type {number} */ index) => at - ticks[index]));
}

/** A visit in which a file is being read, with another tab in front of it. */
async function inBackground() {
  const page = await browser.context.newPage();
  const visit = new Visit(page, here.origin);
  // It would keep the reader without its gate.
  await page.addInitScript(() => (navigator.serviceWorker.register = () => Promise.reject(new Error('not here'))));
  // Its choice of files cannot be answered by a test.
  await page.addInitScript(() => void Reflect.deleteProperty(globalThis, 'showOpenFilePicker'));
  // The page has its reader ready before a file is there.
  here.gate.close();
  await page.goto(`${here.origin}${PATH}`);
  await page.locator('#main').waitFor({state: 'attached'});
  await page.bringToFront();
  await page.evaluate(() => {
    const noted = /** @type {Noted} */ (/** @type {unknown} */ (window));
    noted.life = [];
    for (const name of ['freeze', 'resume']) document.addEventListener(name, () => noted.life.push(name));
    document.addEventListener('visibilitychange', () => noted.life.push(document.visibilityState));
  });
  await visit.choose(big);
  await visit.until('the file is being read', () => here.gate.held === 1);
  const reader = await visit.worker('loaders/reader.js');
  await reader.evaluate(tick);
  const front = await browser.context.newPage();
  await front.bringToFront();
  await visit.until('it is hidden', () => page.evaluate(() => document.visibilityState === 'hidden'));
  /** The page's lifecycle and visibility events so far. */
  const life = () => page.evaluate(() => /** @type {Noted} */ (/** @type {unknown} */ (window)).life.join());
  return {visit, page, front, reader, life};
}

/** Checks that the numbers are those of the whole file, once the page is visible again. @param {Visit} visit */
async function isWhole(visit) {
  await visit.page.bringToFront();
  await visit.results();
  const session = await browser.context.newCDPSession(visit.page);
  const folder = fs.mkdtempSync(scratch('survives/saved-'));
  await session.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: folder});
  await visit.part('export').click();
  await visit.part('export.json').click();
  const expected = stepscope('summary', '--json', big).toString();
  const saved = () => fs.readdirSync(folder).map((name) => `${fs.readFileSync(path.join(folder, name), 'utf8')}\n`);
  await visit.until('the summary is saved', () => saved().some((text) => text.length >= expected.length));
  assert.ok(saved()[0] === expected);
  fs.rmSync(folder, {recursive: true});
  assert.deepEqual(visit.complaints, []);
}

test('a tab in the background that the browser freezes while it reads goes on when it is wanted again', async () => {
  const {visit, page, front, reader, life} = await inBackground();
  const session = await browser.context.newCDPSession(page);
  await session.send('Page.setWebLifecycleState', {state: 'frozen'});
  here.gate.open();
  await front.waitForTimeout(1500);
  await session.send('Page.setWebLifecycleState', {state: 'active'});
  assert.equal(await life(), 'hidden,freeze,resume');
  assert.ok((await stoodStill(reader)) > 1000, 'its workers stood still, too');
  await isWhole(visit);
  await front.close();
  await page.close();
});

test('a tab in the background that nobody freezes has its results when it is looked at', async () => {
  const {visit, page, front, life} = await inBackground();
  here.gate.open();
  await visit.until('results are there', () => page.evaluate(() => Boolean(document.querySelector('[data-test="tile-step"]'))));
  assert.equal(await life(), 'hidden');
  await isWhole(visit);
  await front.close();
  await page.close();
});

test('where the browser has no room for the page, it says so, and all works but opening it without a network', async () => {
  const visit = await here.visit({serviceWorkers: 'allow'});
  const {page} = visit;
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {origin: here.origin, storageTypes: 'all'});
  await session.send('Storage.overrideQuotaForOrigin', {origin: here.origin, quotaSize: 1000});
  await page.reload();
  await visit.part('full').waitFor();
  assert.match(await page.locator('main').innerText(), /no space for this page/);
  // It did not fail for another reason, and the page's cached files are deleted.
  await visit.until('nothing of the page is kept', () => page.evaluate(async () => (await caches.keys()).length === 0));
  const kept = await page.evaluate(async () => {
    const refused = await caches
      .open('another')
      .then((cache) => cache.put('/some', new Response('x'.repeat(5000))))
      .catch((error) => error.name);
    return [refused, await caches.delete('another'), await caches.keys(), (await navigator.serviceWorker.getRegistration())?.active ?? null];
  });
  assert.deepEqual(kept, ['QuotaExceededError', true, [], null]);
  await visit.open(small);
  for (const tab of ['timeline', 'kernels', 'overview']) await visit.tab(tab);
  const {bytes} = await visit.export('json');
  assert.ok(stepscope('summary', '--json', small).equals(Buffer.concat([bytes, Buffer.from('\n')])));
  assert.equal(await visit.part('problem').count(), 0);
  await visit.close();
});

test('where the browser has no room for choices, it says so, and they hold as long as the tab', async () => {
  const visit = await here.visit();
  const {page} = visit;
  await page.evaluate(() => {
    let length = 1 << 23;
    for (let name = 0; length; name++) {
      try {
        localStorage.setItem(`x${name}`, 'x'.repeat(length));
      } catch {
        length >>= 1;
      }
    }
  });
  assert.equal(await visit.part('full').count(), 0);
  await visit.set('theme', 'dark');
  await visit.part('full').waitFor();
  await visit.set('language', 'zh');
  await page.locator('[data-theme="dark"][lang^="zh"]').waitFor({state: 'attached'});
  await visit.open(small);
  assert.equal(await visit.part('theme').inputValue(), 'dark');
  assert.equal(await page.evaluate(() => localStorage.getItem('stepscope.theme')), null);
  // With room again, they are kept.
  await page.evaluate(() => localStorage.clear());
  await visit.set('theme', 'light');
  assert.equal(await page.evaluate(() => localStorage.getItem('stepscope.theme')), 'light');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
