// Tables that a profiler wrote itself: of ranks that have nothing else, and beside events.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {written} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const types = written(
  'recorded/aicore_intermediate_0_type.csv',
  'kernel_type,total_time,execution_frequency,percent\nCast,0.0125,3,1.25\nMatMul,0.9875,2,98.75\n<b>Mul</b>,0,10,0\n',
);
const queue = written('recorded/device_queue_profiling_0.txt', '0 0 1 10 1000\n1 8 1 0 1000\n0 0 2 2 1002\n1 8 2 5 1002\n');

test('a table without events opens its own tab, and nothing claims a zero', async () => {
  const visit = await here.visit();
  await visit.choose(types);
  await visit.part('table-aicore_type').waitFor();
  const tabs = visit.page.locator('.tab:visible');
  assert.deepEqual(await tabs.evaluateAll((all) => all.map((one) => one.getAttribute('data-test'))), ['tab-recorded', 'tab-advice', 'tab-overview']);
  assert.equal(await visit.part('tab-recorded').getAttribute('aria-selected'), 'true');
  const cells = await visit.page
    .locator('[data-test="table-aicore_type"] .rows .row')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(cells, [
    ['1', 'Cast', '12.50 µs', '3', '1.2 %'],
    ['2', 'MatMul', '987.5 µs', '2', '98.8 %'],
    ['3', '<b>Mul</b>', '0 ns', '10', '0.0 %'],
  ]);
  assert.match(await visit.text('recorded-note'), /aicore_intermediate_0_type\.csv/);
  await visit.part('sort-total_time [ns]').click();
  assert.match(await visit.page.locator('.rows .row').first().innerText(), /MatMul/);
  await visit.part('search').fill('cast');
  assert.match(await visit.text('count'), /1/);
  const saved = await visit.saved(() => visit.part('save-csv').click());
  assert.equal(saved.bytes.toString().replace('\ufeff', '').trim().split(/\r?\n/)[0], 'kernel_type,total_time [ns],execution_frequency,percent [share]');
  assert.match(saved.bytes.toString(), /Cast,12500,3,0\.0125/);
  await visit.tab('overview');
  assert.equal(await visit.page.locator('.tile:visible').count(), 0);
  assert.equal(await visit.page.locator('.overview canvas:visible').count(), 0);
  const codes = await visit.page.locator('.warning').evaluateAll((all) => all.map((one) => one.getAttribute('data-code')));
  assert.deepEqual(codes, ['only_tables']);
  assert.equal(await visit.page.locator('[data-test="step"]:visible').count(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('several tables are chosen from, in Chinese too', async () => {
  const visit = await here.visit({locale: 'zh-CN'});
  await visit.choose(types, queue);
  await visit.part('recorded').waitFor();
  const options = await visit.part('recorded').locator('option').allInnerTexts();
  assert.ok(
    options.every((option) => /[\u4e00-\u9fff]/.test(option)),
    options.join(),
  );
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
