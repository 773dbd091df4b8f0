// Nothing leaves the tab: every request of the browser passes a proxy here, whichever code makes it.

import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {attempt, baitOf, waysOut} from './lib/attempt.mjs';
import {environment, generated, scratch, stepscope, written} from './lib/program.mjs';
import {recording} from './lib/proxy.mjs';
import {site} from './lib/site.mjs';
import {openTab, tabNames} from './lib/tabs.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Worker} Worker */
/** @typedef {import('./lib/site.mjs').Visit} Visit */

const trace = generated('network/trace.json.gz', '--seed', '61');
const other = generated('network/other.json.gz', '--seed', '62');
const ranks = [0, 1, 2, 3].map((rank) =>
  generated(`network/rank${rank}.json`, '--bytes', '30000000', '--seed', String(63 + rank), '--rank', String(rank), '--world', '4'),
);

/** Pages that embed the element: under the policy that is documented, and under none. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self'; style-src 'self'";
const element = (/** @type {string} */ meta) =>
  `<!doctype html><meta charset="utf-8">${meta}<link rel="icon" href="data:,"><script type="module" src="/embedded/element.js"></script><stepscope-view src="trace.json.gz" lang="en"></stepscope-view>`;
written('network/strict.html', element(`<meta http-equiv="Content-Security-Policy" content="${POLICY}">`));
written('network/loose.html', element(''));
const here = site({'/host/': path.dirname(trace), '/embedded/': environment('STEPSCOPE_EMBEDDED')}, {warmUp: true});

/** @type {Awaited<ReturnType<typeof recording>>} */
let proxy;
before(async () => (proxy = await recording(() => here.origin)));
after(() => proxy.close());

/** A visit of which everything is recorded. @param {import('./lib/site.mjs').Look & {query?: string}} [options] */
function watched(options) {
  proxy.asked.length = 0;
  // Without that word a browser asks its own machine directly.
  return here.visit({...options, proxy: {server: proxy.address, bypass: '<-loopback>'}});
}

/** A further page of a visit, which has its proxy. @param {Visit} visit @param {string} address */
async function further(visit, address) {
  const page = await visit.page.context().newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(address);
  return page;
}

/** The ways out that code in a place tried, those it reports as reached, and those that the proxy saw. @param {Page | Worker} where @param {string} place */
async function outOf(where, place) {
  const {tried, reached} = await /** @type {Page} */ (where).evaluate(attempt, baitOf(place));
  return {tried, reached, seen: () => waysOut(proxy.asked, place)};
}

/** Checks that code in these places reaches nothing outside; returns the ways tried, by place. @param {Visit} visit @param {[string, Page | Worker][]} places */
async function assertClosed(visit, places) {
  const all = await Promise.all(places.map(async ([place, where]) => ({place, ...(await outOf(where, place))})));
  // The proxy would have seen late requests by then.
  await visit.page.waitForTimeout(500);
  for (const {place, tried, reached, seen} of all) {
    assert.ok(tried.includes('fetch'), place);
    assert.deepEqual({place, reached, seen: seen()}, {place, reached: [], seen: []});
  }
  return Object.fromEntries(all.map(({place, tried}) => [place, tried]));
}

/** Workers, each with a name of its own. @param {Worker[]} workers @returns {Promise<[string, Worker][]>} */
async function named(workers) {
  return Promise.all(
    workers.map(
      async (worker, index) => /** @type {[string, Worker]} */ ([`${(await worker.evaluate(() => self.name)).replace(/^.*\/|\W|js$/g, '')}${index}`, worker]),
    ),
  );
}

/** Sockets of calls, which no proxy sees: what a page that tries to call sends to one here. @param {Page} page */
async function calls(page) {
  const socket = dgram.createSocket('udp4');
  let packets = 0;
  socket.on('message', () => packets++);
  await new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(undefined)));
  const is = await page.evaluate(async (urls) => {
    if (typeof RTCPeerConnection === 'undefined') return 'not there';
    const connection = new RTCPeerConnection({iceServers: [{urls}]});
    connection.createDataChannel('x');
    await connection.setLocalDescription(await connection.createOffer());
    // It calls as long as it is held.
    Object.assign(globalThis, {connection});
    return 'there';
  }, `stun:127.0.0.1:${socket.address().port}`);
  for (const end = Date.now() + 30_000; is === 'there' && !packets && Date.now() < end;) await page.waitForTimeout(50);
  socket.close();
  return {is, called: packets > 0};
}

test('the proxy sees what workers ask for, and every way out of a page, and of a worker, without a policy', async () => {
  const visit = await watched();
  // Workers start beside the page.
  await visit.until('workers ask for their files', async () => ['/worker.js', '.wasm'].every((end) => proxy.asked.some((url) => url.endsWith(end))));
  const bare = await further(visit, `${here.origin}/nothing`);
  await bare.evaluate(() => void new Worker(URL.createObjectURL(new Blob(['0']))));
  await visit.until('it has a worker', () => bare.workers().length === 1);
  /** @type {[string, Page | Worker][]} */
  const places = [
    ['page', bare],
    ['worker', bare.workers()[0]],
  ];
  for (const [place, where] of places) {
    const {tried, seen} = await outOf(where, place);
    await visit.until(`all is seen of ${tried} in the ${place}: ${seen()}`, () => seen().join() === tried.join());
  }
  const {length} = waysOut(proxy.asked, 'page');
  assert.ok(length > 30, `${length} ways`);
  assert.deepEqual(await calls(bare), {is: 'there', called: true});
  await visit.close();
});

test('no way leads out of the page, or any of its workers', async () => {
  const visit = await watched({query: '?workers=2'});
  await visit.open(trace);
  await visit.compare(other);
  // There a drop would be compared, too.
  await visit.tab('overview');
  // Workers that help are there while they read.
  here.gate.close();
  await visit.drop(...ranks);
  await visit.until('two files are being read', () => here.gate.held === 2);
  // The session, the compared trace's session, the reader of each, and two loaders, each with its own reader.
  const session = ['loaders/reader.js', 'session/worker.js'];
  await visit.hasWorkers(...session, ...session, 'loaders/loader.js', 'loaders/reader.js', 'loaders/loader.js', 'loaders/reader.js');
  const tried = await assertClosed(visit, [['page', visit.page], ...(await named(visit.page.workers()))]);
  assert.equal(Object.keys(tried).length, 9);
  // That one no policy forbids: it is taken away.
  assert.ok(!tried.page.includes('calls'));
  assert.deepEqual(await calls(visit.page), {is: 'not there', called: false});
  await visit.page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.inline = true';
    document.body.append(script);
  });
  assert.equal(await visit.page.evaluate(() => 'inline' in window), false, 'inline scripts do not run');
  here.gate.open();
  await visit.results();
  assert.deepEqual(foreign(`${here.origin}/`), []);
  await visit.close();
});

test('workers that read pieces of one file have no way out either', async () => {
  const large = generated('network/large.json', '--bytes', '90000000', '--seed', '68');
  const visit = await watched({query: '?workers=2'});
  here.gate.close();
  await visit.drop(large);
  await visit.until('two pieces are being read', () => here.gate.held >= 2);
  const workers = await named(visit.page.workers());
  const loaders = workers.filter(([name]) => name.startsWith('loader'));
  assert.equal(loaders.length, 2);
  await assertClosed(visit, workers);
  here.gate.open();
  await visit.results();
  await visit.close();
});

/** The worker that keeps the page, once it rules over it. @param {Visit} visit */
async function keeper(visit) {
  await visit.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await visit.until('it rules', () => visit.page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state === 'activated'));
  // That worker rules over the page from now on.
  await visit.page.reload();
  await visit.part('choose').waitFor();
  assert.ok(await visit.page.evaluate(() => Boolean(navigator.serviceWorker.controller)));
  const [worker] = visit.page.context().serviceWorkers();
  return worker;
}

test("a whole session, with its workers and the one that serves it offline, asks for nothing but the page's own files", async () => {
  const visit = await watched({serviceWorkers: 'allow', query: '?workers=2'});
  await keeper(visit);
  await visit.part('demo').click();
  await visit.results();
  await visit.open(...ranks);
  for (const tab of await tabsOf(visit.page)) await visit.tab(tab);
  await visit.export('perfetto');
  await visit.export('perfetto.all');
  await visit.export('json');
  await visit.compare(other);
  assert.ok(proxy.asked.length > 20);
  assert.deepEqual(foreign(visit.address), []);
  await visit.close();
});

test('no way leads out of the worker that serves the page offline, which no policy binds', async () => {
  const visit = await watched({serviceWorkers: 'allow'});
  const worker = await keeper(visit);
  await assertClosed(visit, [['keeper', worker]]);
  // Nor by `fetch` with a Request object.
  assert.equal(
    await worker.evaluate(
      (url) =>
        fetch(new Request(url, {mode: 'no-cors'})).then(
          () => 'reached',
          ({name}) => name,
        ),
      baitOf('asked'),
    ),
    'TypeError',
  );
  assert.deepEqual(waysOut(proxy.asked, 'asked'), []);
  await visit.close();
});

/** A page with the element, which shows its trace. @param {Visit} visit @param {string} name */
async function embedded(visit, name) {
  proxy.asked.length = 0;
  const page = await further(visit, `${here.origin}/host/${name}`);
  await page.locator('[data-test="results"]').waitFor();
  await visit.until('its workers are there', () => page.workers().length === 2);
  return page;
}

test("no way leads out of the element's workers in a page with the policy that is documented", async () => {
  const visit = await watched();
  const page = await embedded(visit, 'strict.html');
  await assertClosed(visit, await named(page.workers()));
  await visit.close();
});

test('where a page has no policy, the element asks for nothing but the trace all the same', async () => {
  const visit = await watched();
  const page = await embedded(visit, 'loose.html');
  for (const name of await tabsOf(page)) {
    await openTab(page, name);
    await page.locator(`[data-test="tab-${name}"][aria-selected="true"]`).waitFor();
  }
  await page.locator('#panel [aria-busy="true"]').waitFor({state: 'detached'});
  const own = ['host/loose.html', 'embedded/element.js', 'host/trace.json.gz'].map((file) => `${here.origin}/${file}`);
  const asked = proxy.asked.filter((url) => !isBrowsers(url));
  // The visit's own page continues loading beside it.
  assert.deepEqual(asked.filter((url) => !url.startsWith(visit.address)).sort(), own.sort());
  await visit.close();
});

test('no way leads out of a report from the disk, or of the analyzer in it', async () => {
  const output = scratch('network/report.html');
  stepscope('report', '--trace', '--page', environment('STEPSCOPE_PAGE'), '-o', output, trace);
  assert.ok(fs.statSync(output).size > 1_000_000);
  const visit = await watched();
  const page = await further(visit, pathToFileURL(output).href);
  await page.locator('[data-test="explore"]').click();
  await page.locator('[data-test="results"]').waitFor();
  await visit.until('its workers are there', () => page.workers().length === 2);
  const {report} = await assertClosed(visit, [['report', page], ...(await named(page.workers()))]);
  assert.ok(!report.includes('calls'));
  assert.deepEqual(await calls(page), {is: 'not there', called: false});
  assert.deepEqual(foreign(visit.address), []);
  await visit.close();
});

test('what reads traces has nothing to ask with: the wasm is given no such function', () => {
  const page = environment('STEPSCOPE_PAGE');
  const assets = fs.readdirSync(page).find((name) => name.startsWith('assets-'));
  const imports = (/** @type {string} */ name) => WebAssembly.Module.imports(new WebAssembly.Module(fs.readFileSync(path.join(page, String(assets), name))));
  // The other modules are given what the first one exports.
  for (const part of ['seldom', 'output'])
    assert.deepEqual([...new Set(imports(`stepscope_${part}.wasm`).map(({kind}) => kind))].sort(), ['global', 'memory', 'table']);
  const names = imports('stepscope_bg.wasm').map(({name}) => name);
  assert.ok(names.length > 20 && names.some((name) => /fillText/.test(name)), 'they have names');
  assert.deepEqual(
    names.filter((name) => /fetch|request|response|socket|send|post|open|import|event|worker|location|navig|eval|document|window/i.test(name)),
    [],
  );
});

/** Whether a request is the browser's own: how to fill in forms. @param {string} url */
const isBrowsers = (url) => url === 'CONNECT content-autofill.googleapis.com:443';

/** Requested URLs that do not begin with a prefix, without the browser's own. @param {string} own */
function foreign(own) {
  return proxy.asked.filter((url) => !url.startsWith(own) && !isBrowsers(url));
}

/** The tabs that a trace has, by their names for tests. @param {Page} page */
async function tabsOf(page) {
  const names = await tabNames(page);
  assert.ok(names.length > 6, names.join());
  return names;
}
