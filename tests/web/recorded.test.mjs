// Tables that a profiler wrote itself: for ranks without events, and beside events.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {summary, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
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
    ['2', 'MatMul', '987.5 µs', '2', '98.8 %', '493.8 µs'],
    ['1', 'Cast', '12.50 µs', '3', '1.2 %', '4.166 µs'],
    ['3', '<b>Mul</b>', '0 ns', '10', '0.0 %', '0 ns'],
  ]);
  assert.match(await visit.text('recorded-note'), /aicore_intermediate_0_type\.csv/);
  await visit.part('sort-total_time [ns]').click();
  assert.match(await visit.page.locator('.rows .row').first().innerText(), /<b>Mul<\/b>/, 'it was the first order, and is turned round');
  await visit.part('search').fill('cast');
  assert.match(await visit.text('count'), /1/);
  const saved = await visit.saved(() => visit.part('save-csv').click());
  assert.equal(saved.bytes.toString().replace('\ufeff', '').trim().split(/\r?\n/)[0], 'kernel_type,total_time [ns],execution_frequency,percent [share]');
  assert.match(saved.bytes.toString(), /Cast,12500,3,0\.0125/);
  await visit.tab('overview');
  assert.equal(await visit.page.locator('.tile:visible').count(), 0);
  // The share of each type is all that such a table has about the whole; it links back to the table.
  await visit.part('operator-types').locator('.pie-row').first().waitFor();
  assert.equal(await visit.page.locator('.overview canvas:visible').count(), 1);
  assert.match(await visit.part('operator-types').locator('.pie-row').first().innerText(), /MatMul\s+98\.8.% · 987\.5.µs/);
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

/** The files of a folder of fixtures. @param {string} name */
function fixture(name) {
  const folder = path.resolve(import.meta.dirname, `../fixtures/mindspore_tables/${name}/input/profiler`);
  return {folder, files: fs.readdirSync(folder).map((file) => path.join(folder, file))};
}

/** Chooses a recorded table by its name. @param {import('./lib/site.mjs').Visit} visit @param {string} name */
async function choose(visit, name) {
  const option = visit.part('recorded').locator('option', {hasText: name});
  await visit.part('recorded').selectOption((await option.getAttribute('value')) ?? '');
}

/** The cells of a table. @param {import('./lib/site.mjs').Visit} visit @param {string} table */
function cells(visit, table) {
  return visit.page
    .locator(`[data-test="table-${table}"] .rows .row`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
}

test("the share of a type is the profiler's own, also where its rows are not all of its total", async () => {
  const visit = await here.visit();
  await visit.choose(
    written('recorded/part/aicore_intermediate_0_type.csv', 'kernel_type,total_time,execution_frequency,percent\nMatMul,2.8,25,57.6\nCast,0.6,27,12.34\n'),
  );
  await visit.part('table-aicore_type').waitFor();
  const ofTable = (await cells(visit, 'aicore_type')).map(([, name, , , share, mean]) => [name, share, mean]);
  assert.deepEqual(ofTable, [
    ['MatMul', '57.6 %', '112.0 µs'],
    ['Cast', '12.3 %', '22.22 µs'],
  ]);
  await visit.tab('overview');
  const card = visit.part('operator-types');
  await card.locator('.pie-row').first().waitFor();
  const ofPie = await card.locator('.pie-row').evaluateAll((all) => all.map((one) => [...one.children].slice(1).map((part) => part.textContent)));
  assert.deepEqual(ofPie, [
    ['MatMul', '57.6 % · 2.800 ms'],
    ['not in the table', '30.1 %'],
    ['Cast', '12.3 % · 600.0 µs'],
  ]);
  assert.match(await visit.text('operator-types-whole'), /profiler's own total/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the overview has the shares of types, which lead to their table', async () => {
  const visit = await here.visit();
  await visit.choose(types, queue);
  await visit.part('recorded').waitFor();
  await choose(visit, 'queue');
  await visit.tab('overview');
  const card = visit.part('operator-types');
  assert.equal(await visit.text('operator-types-table'), 'AI core operators by type');
  assert.match(await card.locator('.pie-row', {hasText: 'MatMul'}).innerText(), /MatMul\s+98\.8.% · 987\.5.µs/);
  await card.locator('button.pie-row', {hasText: 'MatMul'}).click();
  await visit.part('table-aicore_type').waitFor();
  // Another table that is chosen by hand stays; the link leads back, as often as it is followed.
  await choose(visit, 'queue');
  await visit.tab('overview');
  await visit.tab('recorded');
  await visit.part('table-device_queue').waitFor();
  await visit.tab('overview');
  await visit.part('operator-types-all').click();
  await visit.part('table-aicore_type').waitFor();
  await visit.choose(queue);
  await visit.tab('overview');
  assert.equal(await visit.part('operator-types').isVisible(), false);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a type of operators leads to its operators, an operator to its tensors', async () => {
  const {folder, files} = fixture('ascend_two_ranks');
  const [{mindspore}] = summary(folder).ranks;
  const visit = await here.visit();
  await visit.open(...files);
  await visit.tab('recorded');
  await choose(visit, 'AI core operators by type');
  await visit.part('table-aicore_type').waitFor();
  await visit.page.locator('[data-test="table-aicore_type"] .row', {hasText: 'MatMul'}).click();
  await visit.part('table-operators-of-type').waitFor();
  const wanted = mindspore.aicore_operators.filter((/** @type {any} */ one) => one.type === 'MatMul');
  await visit.until('its operators are there', async () => (await cells(visit, 'operators-of-type')).length === wanted.length);
  const [[name, calls, mean, operations, rate]] = await cells(visit, 'operators-of-type');
  assert.deepEqual([name, calls], [wanted[0].name, String(wanted[0].calls)]);
  assertShows(mean, wanted[0].mean_ns);
  assert.deepEqual([operations, rate], ['500 MFLOP', '1.01 TFLOP/s']);

  await choose(visit, 'AI CPU operators by type');
  await visit.part('table-aicpu_type').waitFor();
  const types = await cells(visit, 'aicpu_type');
  assert.deepEqual(
    types.map((row) => row[0]),
    mindspore.aicpu_types.map((/** @type {any} */ one) => one.name),
  );
  await visit.page.locator('[data-test="table-aicpu_type"] .row', {hasText: 'GetNext'}).click();
  await visit.until('the operators of the AI CPU are there', async () => (await cells(visit, 'operators-of-type'))[0]?.[0] === 'GetNext');

  await choose(visit, 'AI core operators by name');
  await visit.part('table-aicore_detail').waitFor();
  await visit.part('search').first().fill('cast');
  await visit.until('it is found by its type', async () => (await cells(visit, 'aicore_detail')).length === 1);
  await visit.page.locator('[data-test="table-aicore_detail"] .rows .row').click();
  await visit.part('tensors').waitFor();
  const tensors = await visit.page
    .locator('[data-test="tensors"] tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(tensors, [['input_0', 'FLOAT32', '[2, 3]', 'NCHW']]);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("msprof's operators stand by their time and have tensors; a type leads to its operators", async () => {
  const operators = written(
    'recorded/op_summary_0.csv',
    'Op Name,OP Type,Task Type,Task Duration(us),Input Shapes,Input Data Types,Input Formats,aic_mac_ratio\n' +
      'add,Add,AI_VECTOR_CORE,4,"16,64",FLOAT,ND,\nmm,MatMul,AI_CORE,30,"16,128;128,64",FLOAT16;FLOAT16,ND;NZ,0.9\nmm,MatMul,AI_CORE,10,"16,128;128,64",FLOAT16;FLOAT16,ND;NZ,0.5\n',
  );
  const types = written(
    'recorded/op_statistic_0.csv',
    'OP Type,Core Type,Count,Total Time(us),Ratio(%)\nAdd,AI_VECTOR_CORE,1,4,9.1\nMatMul,AI_CORE,2,40,90.9\n',
  );
  const visit = await here.visit();
  await visit.choose(operators, types);
  await visit.part('results').waitFor();
  await visit.tab('recorded');
  await choose(visit, 'Operators, added up');
  await visit.part('table-op_summary').waitFor();
  const rows = await cells(visit, 'op_summary');
  assert.deepEqual(
    rows.map((row) => row[1]),
    ['mm', 'add'],
  );
  assert.ok(rows[0].includes('40.00 µs') && rows[0].includes('0.8'), rows[0].join(' '));
  await visit.page.locator('[data-test="table-op_summary"] .row', {hasText: 'mm'}).click();
  await visit.part('tensors').waitFor();
  assert.match(await visit.text('tensors'), /input_1\s*FLOAT16\s*\[128, 64\]\s*NZ/);
  await choose(visit, 'Operator statistics');
  await visit.part('table-op_statistic').waitFor();
  await visit.page.locator('[data-test="table-op_statistic"] .row', {hasText: 'MatMul'}).click();
  await visit.until('its operators are there', async () => (await cells(visit, 'operators-of-type'))[0]?.[0] === 'mm');
  assert.ok((await cells(visit, 'operators-of-type'))[0].includes('20.00 µs'));
  // Metrics of operators are no curves over time.
  assert.equal(await visit.part('tab-resources').isVisible(), false);
  await visit.tab('overview');
  assert.match(await visit.part('operator-types').locator('.pie-row').first().innerText(), /MatMul/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('types of operators are drawn as a pie and as bars; those of a GPU have operators, too', async () => {
  const {folder, files} = fixture('gpu');
  const [{mindspore}] = summary(folder).ranks;
  const visit = await here.visit();
  await visit.open(...files);
  await visit.tab('recorded');
  await choose(visit, 'GPU operators by type');
  await visit.part('table-gpu_op_type').waitFor();
  await visit.part('shares').first().selectOption('pie');
  const names = await visit.page.locator('.pie-name').allInnerTexts();
  assert.deepEqual(
    names,
    mindspore.host_types.map((/** @type {any} */ one) => one.name),
  );
  await visit.page.locator('button.pie-row', {hasText: 'Conv2D'}).click();
  await visit.until('its operator is there', async () => (await cells(visit, 'operators-of-type'))[0]?.[0] === 'Default/Conv2D-op1');
  await visit.page.locator('[data-test="table-gpu_op_type"] .row', {hasText: 'ReLU'}).click();
  await visit.part('type-none').waitFor();
  // Means are bars alone, the longest first: a pie would add them up.
  const offered = () => visit.part('shares-of').first().locator('option').allInnerTexts();
  assert.ok(!(await offered()).includes('avg_time'));
  await visit.part('shares').first().selectOption('bars');
  assert.ok((await offered()).includes('avg_time'), JSON.stringify(await offered()));
  await visit.part('shares-of').first().selectOption({label: 'avg_time'});
  const bars = visit.page.locator('.share-chart .chart-frame').first();
  await bars.waitFor();
  const box = await bars.boundingBox();
  assert.ok(box);
  await visit.page.mouse.move(box.x + box.width * 0.3, box.y + 12);
  await visit.until(
    'the first bar says its mean',
    async () => /Conv2D/.test((await bars.innerText()) + (await bars.getAttribute('aria-label'))) || /50\.13 µs/.test(await bars.innerText()),
  );
  assert.equal(await visit.page.locator('.share-panel .hint').first().isVisible(), false, 'there is no sum');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('operators of changing shapes have curves by type and by name; a click shows the shapes of a step', async () => {
  const {files} = fixture('gpu');
  const visit = await here.visit();
  await visit.open(...files);
  await visit.tab('recorded');
  await choose(visit, 'Operators of each step by type');
  const card = visit.part('shape-card');
  // Another table of shapes may have been open: its curves stay until those of types come.
  const legend = () => card.locator('.legend li').allInnerTexts();
  await visit.until('the curves are of types', async () => (await legend()).join() === 'Add');
  const frame = card.locator('.chart-frame');
  const {width = 0} = (await frame.boundingBox()) ?? {};
  const shown = () => card.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  // The curve goes from step 1 at the left to step 2 at the right.
  await frame.hover({position: {x: width - 40, y: 100}});
  assert.deepEqual(await frame.locator('.tip').evaluate((tip) => [...tip.children].map((line) => line.textContent)), ['2', 'Add: 40.00 µs']);
  await frame.click({position: {x: width - 40, y: 100}});
  assert.deepEqual(await shown(), [['Add-op6', '40.00 µs', '[[16, 1], [16, 1]]']]);
  await frame.click({position: {x: width * 0.15, y: 100}});
  assert.deepEqual(await shown(), [['Add-op6', '75.62 µs', '[[32, 1], [32, 1]]']]);
  await visit.part('shape-filter').fill('mul');
  assert.equal(await card.locator('.legend li').count(), 0);
  await choose(visit, 'Kernels of each step (');
  await visit.part('table-dynamic_shape_kernels').waitFor();
  assert.deepEqual(await card.locator('.legend li').allInnerTexts(), ['Default/Add-op6']);
  await frame.click({position: {x: width / 2, y: 100}});
  assert.deepEqual(await shown(), [['add', '3.904 µs', '1,1,1 × 256,1,1']]);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("the overview of MindSpore's files has the average step, shares of types, steps that waited for data and totals", async () => {
  const steps = written(
    'recorded/step_trace_raw_0_detail_time.csv',
    'step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail,stream_9_parallel_0,stream_9_parallel_0_start_point,stream_9_parallel_0_end_point\n' +
      '1,0,100000,100000,10000,80000,10000,70000,20000,5000,80000,85000\n2,100000,220000,120000,120000,200000,20000,80000,20000,5000,200000,205000\n' +
      '-,100000,220000,120000,120000,200000,20000,80000,20000,5000,200000,205000\n',
  );
  const totals = written('recorded/timeline_summary_0.json', '{"total_time": 1771, "num_of_streams": 11, "num_of_ops": 199, "op_exe_times": 2817}');
  const {files} = fixture('data_pipeline');
  const visit = await here.visit();
  await visit.choose(types, steps, totals, ...files.filter((file) => /device_queue|minddata_aicpu|pipeline_profiling/.test(file)));
  await visit.results();
  await visit.tab('overview');
  await visit.part('profile').waitFor();
  assert.match(await visit.text('profile-step'), /in the step trace\. On average, as the profiler recorded it/);
  assert.equal(await visit.part('step-lane-stages').locator('.step-piece').count(), 3);
  assert.equal(await visit.part('step-lane-stream').count(), 1);
  assert.match(await visit.part('operator-types').locator('.pie-row').first().innerText(), /MatMul/);
  assert.match(await visit.text('profile-data'), /Steps that found the data queue empty: 0 of 3\./);
  assert.match(await visit.text('profile-timeline'), /Streams: 11\s+Operators: 199\s+Operator runs: 2817/);
  // Each part leads to what has more.
  await visit.part('profile-timeline-more').click();
  await visit.part('table-timeline_summary').waitFor();
  assert.deepEqual((await cells(visit, 'timeline_summary'))[0].slice(1, 3), ['1.771 ms', '11']);
  await visit.tab('overview');
  await visit.part('profile-data-more').click();
  assert.equal(await visit.part('tab-data').getAttribute('aria-selected'), 'true');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("a rank without a device shows its row of the job's table on the overview", async () => {
  const row = written(
    'recorded/rank/ascend_cluster_analyse_pipeline-parallel_1_2_1.csv',
    'computation,communication_alone_time,stage_time,receive_alone_time,collective_communication_time\n651.9051,1293.1231,1577.1234,368.7766,227.1234\n',
  );
  const steps = written(
    'recorded/rank/step_trace_raw_1_detail_time.csv',
    'step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n1,100000,2100000,2000000,100000,2000000,0,1900000,100000\n',
  );
  const visit = await here.visit();
  for (const files of [[row, steps], [row]]) {
    await visit.choose(...files);
    await visit.results();
    await visit.tab('overview');
    await visit.part('profile-step').waitFor();
    const cells = await visit.part('profile-step').locator('tbody tr').first().locator('th, td').allInnerTexts();
    // The interval is the step trace's.
    const interval = files.length > 1 ? ['0 ns'] : [];
    assert.deepEqual(cells, ['1', ...interval, '651.9 ms', '1.293 s', '1.577 s', '368.8 ms', '227.1 ms']);
    assert.equal(await visit.part('profile-step-more').count(), files.length - 1, 'steps to go to');
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the Perf Summary at the end of a log is a table, and its ratio is judged', async () => {
  const printed =
    'Reader Ratio: 53.514%\nTime Unit: s, IPS Unit: steps/s\n| | avg | max | min |\n| reader_cost | 0.01367 | 0.01407 | 0.0131 |\n' +
    '| batch_cost | 0.02555 | 0.02381 | 0.0222 |\n| ips | 39.13907 | 45.03588 | 41.9993 |\n';
  const log = written('recorded/log/train.log', `${'epoch: 0\n'.repeat(9000)}====Perf Summary====\n${printed}`);
  const visit = await here.visit();
  await visit.drop(log);
  await visit.part('table-perf_summary').waitFor();
  const rows = await visit.page
    .locator('[data-test="table-perf_summary"] .rows .row')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(rows, [
    ['1', 'avg', '53.5 %', '13.67 ms', '25.55 ms', '39.13907', 'steps/s'],
    ['2', 'max', '–', '14.07 ms', '23.81 ms', '45.03588', 'steps/s'],
    ['3', 'min', '–', '13.10 ms', '22.20 ms', '41.9993', 'steps/s'],
  ]);
  await visit.tab('advice');
  await visit.page.getByText('Waiting for data').first().waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a table with steps has curves of the columns that are chosen', async () => {
  const times = written(
    'recorded/all/device_queue_profiling_0.txt',
    '0 0 1 10 1000\n0 1 1 20 1000\n0 2 1 30 1000\n1 8 1 0 1000\n0 0 2 2 1002\n0 1 2 4 1002\n0 2 2 6 1002\n1 8 2 5 1002\n',
  );
  const visit = await here.visit();
  await visit.choose(times, types);
  await visit.part('recorded').waitFor();
  await choose(visit, 'AI core operators by type');
  await visit.part('table-aicore_type').waitFor();
  assert.equal(await visit.part('curves-card').count(), 0, 'a table without times or steps has none');
  await choose(visit, 'Queue in front of the device');
  await visit.part('table-device_queue').waitFor();
  const card = visit.part('curves-card');
  await card.locator('summary').click();
  const legend = () => card.locator('.legend li').allInnerTexts();
  assert.deepEqual(await legend(), ['get']);
  // A column of the same unit is drawn beside it, one of another unit in its place.
  await card.locator('label', {hasText: 'total'}).locator('input').check();
  assert.deepEqual(await legend(), ['get', 'total']);
  await card.locator('label', {hasText: 'size'}).locator('input').check();
  assert.deepEqual(await legend(), ['size']);
  assert.ok(await card.locator('canvas').isVisible());
  assert.equal(await card.locator('[data-test="curves-jump"]').isVisible(), false, 'these times are not those of the timeline');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the parallel strategy is drawn: its stages, and an operator between its inputs and outputs', async () => {
  const whole = (/** @type {number[]} */ values) => ({dtype: 'DT_TUPLE', values: values.map((value) => ({dtype: 'DT_INT64', intVal: String(value)}))});
  const split = (/** @type {number[][]} */ ...parts) => [{name: 'gen_strategy', value: {dtype: 'DT_TUPLE', values: parts.map(whole)}}];
  const node = [
    {name: '1', opType: 'GetNext', scope: 'Default', fullName: 'Default/GetNext-op1'},
    {name: '2', opType: 'MatMul', scope: 'Default', fullName: 'Default/MatMul-op2', input: [{name: '1'}, {name: 'w<b>'}], attribute: split([2, 1], [1, 4])},
    {name: '3', opType: 'ReLU', scope: 'Default', fullName: 'Default/ReLU-op3', input: [{name: '2'}], attribute: split([2, 4])},
  ];
  const dim = (/** @type {number[]} */ ...ranks) => ({dim: ranks.map((size) => ({size: String(size)}))});
  const config = {rankId: 0, stageId: 0, parallelType: 'semi_auto_parallel', stageDevices: [dim(0, 1), dim(2, 3)]};
  const visit = await here.visit();
  await visit.choose(written('recorded/parallel_strategy_0.json', JSON.stringify({config, graph: {node}})));
  await visit.part('recorded').waitFor();
  await choose(visit, 'Parallel strategy');
  await visit.part('strategy').waitFor();
  const stages = await visit.page.locator('.strategy-stage').evaluateAll((all) => all.map((one) => one.textContent));
  assert.deepEqual(stages, ['stage 001', 'stage 123']);
  // Only a rank that is open leads to something.
  const leads = await visit.part('strategy-rank').evaluateAll((all) => all.filter((one) => one.localName === 'button').map((one) => one.textContent));
  assert.deepEqual(leads, ['0']);
  await visit.page.locator('[data-test="table-strategy-operators"] .row', {hasText: 'MatMul'}).click();
  assert.match(await visit.text('strategy-chosen'), /MatMul\s+Default\/MatMul-op2\s+split as \[\[2, 1\], \[1, 4\]\]/);
  const beside = await visit.text('strategy-beside');
  for (const name of ['Default/GetNext-op1', 'w<b>', 'Default/ReLU-op3']) assert.ok(beside.includes(name), `${name} in ${beside}`);
  // An operator beside it leads to its own row, also in the table of all.
  await visit.part('strategy-node').last().click();
  await visit.until('the next one is chosen', async () => (await visit.text('strategy-chosen')).includes('ReLU'));
  await choose(visit, 'Operators of the parallel graph');
  await visit.page.locator('[data-test="table-parallel_nodes"] .rows .row', {hasText: 'ReLU'}).click();
  await visit.until('it is drawn there', async () => (await visit.text('strategy-beside')).includes('MatMul'));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
