// What a browser does to a page that works: it freezes it, and has no room for it.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, stepscope} from './lib/program.mjs';
import {site} from './lib/site.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();
const small = generated('survives/small.json', '--seed', '5');
const big = generated('survives/big.json', '--bytes', '250000000');

/** Has a file begin to be read; it goes on when the gate opens. @param {Visit} visit @param {string} file */
async function begin(visit, file) {
  here.gate.close();
  await visit.drop(file);
  await visit.until('the file is being read', () => here.gate.held === 1);
}

test('a tab in the background that the browser freezes while it reads goes on when it is wanted again', async () => {
  const visit = await here.visit();
  await begin(visit, big);
  const session = await visit.page.context().newCDPSession(visit.page);
  const other = await visit.page.context().newPage();
  await other.bringToFront();
  await session.send('Page.setWebLifecycleState', {state: 'frozen'});
  here.gate.open();
  await other.waitForTimeout(500);
  await session.send('Page.setWebLifecycleState', {state: 'active'});
  await visit.page.bringToFront();
  await visit.results();
  const {bytes} = await visit.export('json');
  assert.ok(stepscope('summary', '--json', big).equals(Buffer.concat([bytes, Buffer.from('\n')])));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('where the browser lets it keep nothing, all works but opening it without a network', async () => {
  const visit = await here.visit({serviceWorkers: 'allow'});
  const session = await visit.page.context().newCDPSession(visit.page);
  await session.send('Storage.clearDataForOrigin', {origin: here.origin, storageTypes: 'all'});
  await session.send('Storage.overrideQuotaForOrigin', {origin: here.origin, quotaSize: 1});
  await visit.page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await visit.page.reload();
  await visit.part('choose').waitFor();
  await visit.open(small);
  for (const tab of ['timeline', 'kernels', 'overview']) await visit.tab(tab);
  const {bytes} = await visit.export('json');
  assert.ok(stepscope('summary', '--json', small).equals(Buffer.concat([bytes, Buffer.from('\n')])));
  assert.equal(await visit.part('problem').count(), 0);
  await visit.close();
});
