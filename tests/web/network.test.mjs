// Nothing leaves the tab: every request of the browser goes through a proxy here, whoever in the page makes it.

import assert from 'node:assert/strict';
import path from 'node:path';
import {after, before, test} from 'node:test';

import {attempt} from './lib/attempt.mjs';
import {generated} from './lib/program.mjs';
import {recording} from './lib/proxy.mjs';
import {serve} from './lib/server.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('network/trace.json.gz', '--seed', '61');
const other = generated('network/other.json.gz', '--seed', '62');
const ranks = [0, 1, 2, 3].map((rank) => generated(`network/rank${rank}.json`, '--bytes', '30000000', '--seed', String(63 + rank), '--rank', String(rank), '--world', '4'));

/** Another origin, which would answer. @type {Awaited<ReturnType<typeof serve>>} */
let elsewhere;
/** @type {Awaited<ReturnType<typeof recording>>} */
let proxy;
before(async () => {
  elsewhere = await serve({'/': path.dirname(trace)});
  proxy = await recording(() => here.origin);
});
after(() => {
  elsewhere.close();
  proxy.close();
});

/** A visit of which everything is recorded. @param {import('./lib/site.mjs').Look & {query?: string}} [options] */
function watched(options) {
  proxy.asked.length = 0;
  // Without that word a browser asks its own machine directly.
  return here.visit({...options, proxy: {server: proxy.address, bypass: '<-loopback>'}});
}

test('the proxy sees what workers ask for, and what leaves a page without a policy', async () => {
  const visit = await watched();
  // Workers start beside the page.
  await visit.until('workers ask for their files', async () => ['/worker.js', '.wasm'].every((end) => proxy.asked.some((url) => url.endsWith(end))));
  const bare = await visit.page.context().newPage();
  await bare.goto(`${here.origin}/nothing`);
  await bare.evaluate(attempt, `${elsewhere.origin}/bait`);
  const bait = proxy.asked.filter((url) => url.includes(elsewhere.origin.slice(7)));
  assert.ok(bait.some((url) => url.startsWith('CONNECT')) && bait.length >= 8, `what should be seen: ${bait.join('\n')}`);
  await visit.close();
});

test('a whole session, with its workers and the one that serves it offline, asks for nothing but the page\'s own files', async () => {
  const visit = await watched({serviceWorkers: 'allow', query: '?workers=2'});
  await visit.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await visit.until('it rules', () => visit.page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state === 'activated'));
  // That worker rules over the page from now on.
  await visit.page.reload();
  await visit.part('choose').waitFor();
  assert.ok(await visit.page.evaluate(() => Boolean(navigator.serviceWorker.controller)));
  await visit.part('demo').click();
  await visit.results();
  await visit.open(...ranks);
  for (const tab of await tabs(visit)) await visit.tab(tab);
  await visit.export('perfetto');
  await visit.export('perfetto.all');
  await visit.export('json');
  await visit.compare(other);
  assert.ok(proxy.asked.length > 20);
  assert.deepEqual(foreign(visit.address), []);
  await visit.close();
});

/** What was asked for that does not begin so; the browser itself asks how to fill in forms. @param {string} own */
function foreign(own) {
  return proxy.asked.filter((url) => !url.startsWith(own) && url !== 'CONNECT content-autofill.googleapis.com:443');
}

/** The names of the tabs that a trace has. @param {import('./lib/site.mjs').Visit} visit */
async function tabs(visit) {
  const names = await visit.page.locator('[data-test^="tab-"]:visible').evaluateAll((found) => found.map((tab) => tab.getAttribute('data-test') ?? ''));
  assert.ok(names.length > 6, names.join());
  return names.map((name) => name.slice('tab-'.length));
}
