// Comparison by module, and of a step that the recording cut off.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {stepscope, written} from './lib/program.mjs';
import {csvRecords} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();

/** The program's comparison. @param {...string} args */
const diff = (...args) => JSON.parse(stepscope('diff', '--json', ...args).toString());

/** Two steps of a network of two layers, of which the second launches a kernel of this length; the first is called only with `first`. @param {string} name @param {number} kernel in µs @param {object} [how] @param {boolean} [how.first] @param {number} [how.recorded] where the recording ends, in µs */
function network(name, kernel, {first = true, recorded} = {}) {
  const events = [0, 1].flatMap((step) => {
    const at = 1000 * step;
    const call = {ph: 'X', pid: 1, tid: 1};
    return [
      {...call, cat: 'user_annotation', name: `ProfilerStep#${step}`, ts: at, dur: 900},
      {...call, cat: 'python_function', name: 'nn.Module: Net_0', ts: at + 10, dur: 500},
      ...(first ? [{...call, cat: 'python_function', name: 'nn.Module: Linear_0', ts: at + 20, dur: 60}] : []),
      {...call, cat: 'python_function', name: 'nn.Module: Linear_1', ts: at + 100, dur: 100},
      {...call, cat: 'cpu_op', name: 'aten::linear', ts: at + 110, dur: 80},
      {...call, cat: 'cuda_runtime', name: 'cudaLaunchKernel', ts: at + 120, dur: 4, args: {correlation: step + 1}},
      {ph: 'X', pid: 0, tid: 7, cat: 'kernel', name: 'gemm', ts: at + 130, dur: kernel, args: {device: 0, stream: 7, correlation: step + 1}},
    ];
  });
  const end = {ph: 'i', s: 'g', pid: '', tid: '', name: 'Record Window End', ts: recorded};
  const kept = recorded === undefined ? events : [...events.filter(({ts}) => ts < recorded), end];
  return written(name, JSON.stringify({schemaVersion: 1, deviceProperties: [{id: 0, name: 'gpu'}], traceEvents: kept}));
}

test('modules are paired by their paths, as the program pairs them', async () => {
  const [before, after] = [network('compare/layers-a.json', 200), network('compare/layers-b.json', 300, {first: false})];
  const visit = await here.visit();
  await visit.open(after);
  await visit.compare(before);
  await visit.part('compare-table').selectOption('modules');
  await visit.part('table-compared-modules').locator('.rows .row').first().waitFor();
  /** @type {any[]} */
  const rows = diff(before, after).modules;
  const names = await visit.part('table-compared-modules').locator('.rows .row [role="cell"]:first-child').allInnerTexts();
  assert.deepEqual(
    names,
    rows.map(({name}) => name || 'Outside of modules'),
  );
  assert.equal(rows[0].name, 'Net_0.Linear_1', 'what was made slower is the first row');
  assert.deepEqual(rows.find(({name}) => name === 'Net_0.Linear_0')?.calls, {a: 2, b: 0});
  // Times with the modules inside are hidden at first.
  await visit.part('columns').filter({visible: true}).click();
  for (const side of ['change', 'a', 'b']) await visit.part(`column-device_total_${side}_ns`).check();
  const {bytes} = await visit.saved(() => visit.page.locator('.table-box:has([data-test="table-compared-modules"]) [data-test="save-csv"]').click());
  const saved = csvRecords(bytes);
  assert.equal(saved.length, rows.length);
  for (const [place, row] of rows.entries()) {
    const of = (/** @type {string} */ key) => ['a_ns', 'b_ns', 'change_ns'].map((side) => Number(saved[place][`${key}_${side.replace('_ns', '')}_ns`]));
    for (const key of ['device_self', 'host_self', 'device_total'])
      assert.deepEqual(of(key), [row[key].a_ns, row[key].b_ns, row[key].change_ns], `${row.name} ${key}`);
    assert.deepEqual([saved[place].calls_a, saved[place].calls_b].map(Number), [row.calls.a, row.calls.b], row.name);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a side whose step the recording cut off says so, and its budget is not compared with whole steps', async () => {
  const [whole, cut] = [network('compare/layers-a.json', 200), network('compare/layers-cut.json', 200, {recorded: 400})];
  const visit = await here.visit();
  await visit.open(cut);
  await visit.compare(whole);
  assert.match(await visit.text('compare-verdict'), /^layers-cut has only a part of a step: for 500\.0 µs the profiler recorded nothing/);
  assert.deepEqual(
    await visit
      .part('compare-split')
      .locator('option')
      .evaluateAll((all) => all.map((one) => /** @type {HTMLOptionElement} */ (one).value)),
    ['categories', 'names'],
  );
  assert.deepEqual(
    [diff(whole, cut).b, diff(whole, cut).a].map(({average}) => average.unrecorded_ns),
    [500_000, undefined],
  );
  assert.match(stepscope('diff', whole, cut).toString(), /: the recorded part, 500\.0 µs of the step are not recorded/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
