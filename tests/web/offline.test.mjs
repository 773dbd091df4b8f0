// The page opens again without a network, under whatever path it lies.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site({});
const trace = generated('offline/trace.json.gz', '--seed', '91');

test('after one visit the page opens and reads traces without a network', async () => {
  const visit = await here.visit({serviceWorkers: 'allow'});
  const {page} = visit;
  const context = page.context();
  // It rules over what is opened after it.
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL);
  await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated');
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope), visit.address);
  await context.setOffline(true);
  await page.reload();
  await visit.part('choose').waitFor();
  await visit.open(trace);
  for (const tab of ['timeline', 'kernels', 'overview']) await visit.tab(tab);
  await page.evaluate(() => fetch('nothing.txt')).then(
    () => assert.fail('there is no network'),
    () => {},
  );
  await visit.close();
});
