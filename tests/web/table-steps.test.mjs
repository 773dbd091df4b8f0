// Tables by step: groups that add up to the whole, and curves over the steps.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {summary, written} from './lib/program.mjs';
import {csvRecords, readBack} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();

/** Three steps of 100 µs with a product each, longer from step to step, in two also a sum; after them a product. An operator begins in a step and ends in the next. */
const trace = written(
  'table-steps/trace.json',
  JSON.stringify({
    deviceProperties: [{id: 0, name: 'gpu'}],
    traceEvents: [
      ...[0, 1, 2].map((step) => ({ph: 'X', cat: 'user_annotation', name: `ProfilerStep#${step + 8}`, pid: 1, tid: 1, ts: 100 * step, dur: 100})),
      ...[
        ['aten::mm', 10, 30, 'gemm', 10],
        ['aten::add', 50, 20, 'add', 3],
        ['aten::mm', 110, 30, 'gemm', 20],
        ['aten::mm', 180, 40, 'gemm', 5],
        ['aten::mm', 230, 30, 'gemm', 40],
        ['aten::add', 270, 20, 'add', 3],
        ['aten::mm', 310, 30, 'gemm', 7],
      ].flatMap(([op, ts, dur, name, length], place) => {
        const [at, number] = [Number(ts), place + 1];
        return [
          {ph: 'X', cat: 'cpu_op', name: op, pid: 1, tid: 1, ts, dur, args: {'External id': number}},
          {ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts: at + 2, dur: 2, args: {correlation: number, 'External id': number}},
          {ph: 'X', cat: 'kernel', name, pid: 0, tid: 7, ts: at + 8, dur: length, args: {correlation: number, device: 0, stream: 7, 'External id': number}},
        ];
      }),
    ],
  }),
);

/** The lines of a table: cells by the keys of columns. @param {Visit} visit @param {string} name */
async function lines(visit, name) {
  const table = visit.part(`table-${name}`);
  const keys = await table.locator('[role="columnheader"]').evaluateAll((heads) => heads.map((head) => head.getAttribute('data-key') ?? ''));
  const rows = await table.locator('.rows [role="row"], .rows-foot [role="row"]').evaluateAll((all) =>
    all.map((row) => ({
      isHead: row.querySelector('[data-test="group"]') !== null,
      cells: [...row.querySelectorAll('[role="cell"]')].map((cell) => (cell.querySelector('.group-title') ?? cell).textContent ?? ''),
    })),
  );
  return rows.map(({isHead, cells}) => ({isHead, of: Object.fromEntries(keys.map((key, at) => [key, cells[at]]))}));
}

/** @param {any[]} rows @param {string} key */
const sum = (rows, key) => rows.reduce((all, row) => all + row[key], 0);

for (const [name, tab, choice, parts] of /** @type {const} */ ([
  ['operators', 'operators', 'grouping', ['calls', 'device_self_ns', 'host_self_ns']],
  ['kernels', 'kernels', 'kernel-grouping', ['calls', 'total_ns']],
])) {
  test(`${name} are grouped by step; groups and what is outside of steps are the whole`, async () => {
    const visit = await here.visit();
    await visit.open(trace);
    await visit.tab(tab);
    await visit.part(choice).selectOption('step');
    await visit.until('there are groups', async () => (await lines(visit, name)).some(({isHead}) => isHead));
    assert.equal(await visit.part('group-rows').first().inputValue(), 'step');
    const groups = await lines(visit, name);
    assert.deepEqual(groups.map(({of}) => of.name).sort(), ['Outside of all steps', 'Step 10', 'Step 8', 'Step 9']);
    const whole = summary(trace).ranks[0][name];
    for (const key of parts) {
      const value = (/** @type {string} */ text) => readBack(text).value;
      assert.equal(
        groups.reduce((all, {of}) => all + value(of[key]), 0),
        sum(whole, key),
        key,
      );
      // A group has the sums of its step's table.
      for (const [step, title] of ['Step 8', 'Step 9', 'Step 10'].entries()) {
        const rows = summary('--step', String(step + 8), trace).ranks[0][name];
        assert.equal(value(groups.find(({of}) => of.name === title)?.of[key] ?? ''), sum(rows, key), `${title} ${key}`);
      }
    }
    // A row has the events of its step.
    await visit.part('group').filter({hasText: 'Step 9'}).click();
    const row = (await lines(visit, name)).findIndex(({isHead}) => !isHead);
    await visit.page.locator('.rows [role="row"]').nth(row).click();
    await visit.part('row-pane').and(visit.page.locator('[aria-busy="true"]')).waitFor({state: 'detached'});
    const events = visit.part('row-events').locator('tbody tr');
    assert.equal(await events.count(), 2);
    assert.ok((await events.allInnerTexts()).every((text) => text.split('\t').includes('9')));
    // The CSV has the step of each row.
    const {bytes} = await visit.saved(() => visit.part('save-csv').first().click());
    const records = csvRecords(bytes);
    assert.deepEqual([...new Set(records.map(({step}) => step))].sort(), ['10', '8', '9']);
    if (name === 'kernels') {
      const shares = sum(
        records.map((record) => ({share: Number(record.share_of_kernel_time)})),
        'share',
      );
      assert.ok(Math.abs(shares - 81 / 88) < 1e-9, `${shares}: of the whole, of which 7 µs are outside of steps`);
    }
    // With a step chosen, the table is that step's.
    await visit.part('step').selectOption({index: 1});
    await visit.settled();
    await visit.until('no row has a step', async () => (await lines(visit, name)).every(({of}) => !('step' in of)));
    const {name: file} = await visit.saved(() => visit.part('save-csv').first().click());
    assert.equal(file, `trace.step-8.${name}.csv`);
    // Exports of more than the step say so.
    await visit.part('export').click();
    assert.equal(await visit.text('export.json'), 'Summary (JSON, all steps)');
    await visit.part('report.menu').click();
    assert.match(await visit.text('report'), /It has all steps, not only the chosen one\./);
    await visit.part('report-cancel').click();
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  });
}

test('a hidden column draws the time of each row over the steps', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('kernels');
  assert.ok(
    (await lines(visit, 'kernels')).every(({of}) => !('curve' in of)),
    'it is hidden at first',
  );
  assert.equal(await visit.text('columns'), 'Columns', 'and is not counted as hidden');
  await visit.part('columns').click();
  await visit.part('column-curve').check();
  const curves = visit.part('table-kernels').locator('[data-test="sparkline"]');
  await curves.first().waitFor();
  assert.deepEqual(await curves.evaluateAll((all) => all.map((curve) => curve.getAttribute('aria-label'))), [
    'lowest 10.00 µs, median 25.00 µs, highest 40.00 µs',
    'lowest 0 ns, median 3.000 µs, highest 3.000 µs',
  ]);
  await curves.first().hover({position: {x: 2, y: 5}});
  assert.equal(await visit.page.locator('.sparkline-frame').first().getAttribute('title'), 'Step 8: 10.00 µs');
  // It is remembered, and for each table by itself.
  await visit.page.reload();
  await visit.open(trace);
  await visit.tab('kernels');
  await curves.first().waitFor();
  await visit.tab('operators');
  assert.ok((await lines(visit, 'operators')).every(({of}) => !('curve' in of)));
  // Rows of one step each have none.
  await visit.tab('kernels');
  await visit.part('kernel-grouping').selectOption('step');
  await visit.until('there are groups', async () => (await lines(visit, 'kernels')).some(({isHead}) => isHead));
  assert.ok((await lines(visit, 'kernels')).every(({of}) => !('curve' in of)));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
