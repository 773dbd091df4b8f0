// A trace without a device: the page shows no content that needs one.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {written} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const events = [0, 1, 2].flatMap((step) => [
  {ph: 'X', cat: 'user_annotation', name: `ProfilerStep#${step}`, pid: 1, tid: 1, ts: step * 100, dur: 90},
  {ph: 'X', cat: 'cpu_op', name: 'aten::mm', pid: 1, tid: 1, ts: step * 100 + 10, dur: 50},
]);
const host = written('bare/host.json', JSON.stringify({schemaVersion: 1, traceEvents: events}));

/** @param {import('./lib/site.mjs').Visit} visit @returns {Promise<string[]>} */
function columns(visit) {
  return visit.page.locator('.table-box .sort').evaluateAll((all) => all.map((one) => (one.getAttribute('data-test') ?? '').replace('sort-', '')));
}

/** Keys count only the groups that are there. @param {import('./lib/site.mjs').Visit} visit */
async function groups(visit) {
  const main = visit.page.locator('.tabs').first();
  const shown = await main.locator('> *').evaluateAll((all) => all.map((one) => one.id));
  for (const [index, id] of shown.entries()) {
    await visit.page.locator('body').press(String(index + 1));
    assert.equal(await main.locator('[aria-selected="true"]').getAttribute('id'), id);
  }
  return shown;
}

test('without a device there are no tabs and no columns of its work', async () => {
  const visit = await here.visit();
  await visit.open(host);
  assert.deepEqual(
    await groups(visit),
    ['group-summary', 'tab-timeline', 'group-compute', 'group-host', 'tab-compare'],
    'groups have the same names in all traces',
  );
  const shown = await visit.tabs();
  assert.ok(shown.includes('operators') && !shown.includes('kernels') && !shown.includes('copies'), String(shown));
  await visit.tab('operators');
  assert.deepEqual(await columns(visit), ['name', 'calls', 'host_total_ns', 'host_self_ns', 'host_mean_ns', 'host_min_ns', 'host_max_ns']);
  await visit.tab('steps');
  const found = await columns(visit);
  assert.ok(
    found.includes('categories.cpu_ns') &&
      !found.some((key) => ['kernel', 'memcpy', 'memset', 'communication', 'runtime'].some((category) => key === `categories.${category}_ns`)),
    String(found),
  );
  await visit.close();
});

test('what was not recorded is named, with the way to record it', async () => {
  const visit = await here.visit();
  await visit.open(host);
  await visit.tab('overview');
  const missing = visit.part('missing');
  assert.deepEqual(await missing.locator('strong').allInnerTexts(), ['Device activity', 'Memory', 'Processors, clocks and counters']);
  assert.match(await visit.text('missing-device'), /ProfilerActivity\.CUDA/);
  assert.deepEqual(await visit.part('missing-memory').locator('code').allInnerTexts(), ['profile_memory=True']);
  await visit.close();
});
