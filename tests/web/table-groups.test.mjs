// Rows of a table in groups: sums, keys, search, copied text, remembered state, many rows.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, summary, written} from './lib/program.mjs';
import {assertShows, csvRecords, readBack} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */
/** @typedef {{head: boolean, open: boolean | null, cells: string[]}} Line */

const here = site();
const trace = generated('table-groups/trace.json.gz', '--seed', '61', '--groups', '20');

/** The lines that are elements now, from top to bottom. @param {Visit} visit @returns {Promise<Line[]>} */
function lines(visit) {
  return visit.page.evaluate(() =>
    [...document.querySelectorAll('.rows [role="row"]')].map((row) => {
      const head = row.querySelector('[data-test="group"]');
      const cells = [...row.querySelectorAll('[role="cell"]')].map((cell) => (cell.querySelector('.group-title') ?? cell).textContent ?? '');
      return {head: head !== null, open: head ? head.getAttribute('aria-expanded') === 'true' : null, cells};
    }),
  );
}

/** Text on the clipboard after copying in a format. @param {Visit} visit @param {'csv' | 'tsv' | 'markdown'} format */
async function copied(visit, format) {
  await visit.page.evaluate(() => navigator.clipboard.writeText(''));
  await visit.part('copy').click();
  await visit.part(`copy-${format}`).click();
  await visit.page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  return visit.page.evaluate(() => navigator.clipboard.readText());
}

/** The keys of the columns. @param {Visit} visit */
const keys = (visit) =>
  visit.page
    .locator('.table-box')
    .first()
    .locator('[role="columnheader"]')
    .evaluateAll((heads) => heads.map((head) => head.getAttribute('data-key') ?? ''));

/** Operators by class, from the program. @param {any[]} operators @returns {Map<string, any[]>} */
function byClass(operators) {
  const classes = new Set(operators.map((row) => row.class));
  return new Map([...classes].map((one) => [one, operators.filter((row) => row.class === one)]));
}

/** @param {any[]} rows @param {string} key */
const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0);

/** A linear layer in a net, a sum of outputs in the net, and the loss outside of it; each launches a kernel, the loss two. */
const modules = written(
  'table-groups/modules.json',
  JSON.stringify({
    deviceProperties: [{id: 0, name: 'gpu'}],
    traceEvents: [
      ...[
        ['python_function', 'nn.Module: Net_0', 100, 700],
        ['python_function', 'nn.Module: Linear_0', 110, 200],
        ['cpu_op', 'aten::mm', 120, 100],
        ['cpu_op', 'aten::add', 400, 100],
        ['cpu_op', 'aten::mm', 820, 60],
      ].map(([cat, name, ts, dur]) => ({ph: 'X', cat, name, pid: 1, tid: 1, ts, dur})),
      ...[
        [130, 40],
        [410, 5],
        [825, 7],
        [850, 8],
      ].flatMap(([ts, dur], place) => [
        {ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts, dur: 2, args: {correlation: place + 1}},
        {ph: 'X', cat: 'kernel', name: 'gemm', pid: 0, tid: 7, ts: ts + 50, dur, args: {correlation: place + 1, device: 0, stream: 7}},
      ]),
    ],
  }),
);

/** A kernel alone. */
const bare = written(
  'table-groups/bare.json',
  JSON.stringify({deviceProperties: [{id: 0, name: 'gpu'}], traceEvents: [{ph: 'X', cat: 'kernel', name: 'gemm', pid: 0, tid: 7, ts: 1, dur: 5}]}),
);

test('operators and kernels are grouped by module, where the trace has some; the groups are the whole', async () => {
  const [rank] = summary('--group', 'module', '--group-kernels', 'module', '--by', 'kernel-use', modules).ranks;
  assert.deepEqual(
    rank.kernel_use.kernels.map((/** @type {any} */ row) => [row.module ?? null, row.total_ns]),
    [
      ['Net_0.Linear_0', 40_000],
      [null, 15_000],
      ['Net_0', 5_000],
    ],
  );
  const visit = await here.visit();
  await visit.open(modules);
  await visit.tab('operators');
  const column = async (/** @type {string} */ key) => (await keys(visit)).indexOf(key);
  const {operators} = summary(modules).ranks[0];
  await visit.part('grouping').selectOption('module');
  await visit.until('there are groups', async () => (await lines(visit)).some(({head}) => head));
  assert.equal(await visit.part('group-rows').inputValue(), 'module');
  let shown = await lines(visit);
  assert.deepEqual(shown.map(({cells}) => cells[0]).sort(), ['(outside of modules)', 'Net_0', 'Net_0.Linear_0']);
  const place = await column('device_self_ns');
  const times = Object.fromEntries(shown.map(({cells}) => [cells[0], readBack(cells[place]).value]));
  assert.deepEqual(times, {'(outside of modules)': 15_000, Net_0: 5_000, 'Net_0.Linear_0': 40_000});
  assert.equal(
    Object.values(times).reduce((all, time) => all + time, 0),
    sum(operators, 'device_self_ns'),
  );
  await visit.tab('kernels');
  await visit.part('kernel-grouping').selectOption('module');
  await visit.until('there are groups', async () => (await lines(visit)).some(({head}) => head));
  shown = await lines(visit);
  const total = await column('total_ns');
  assert.deepEqual(Object.fromEntries(shown.map(({cells}) => [cells[0], readBack(cells[total]).value])), times);
  // A row has its own events alone.
  await visit.part('group').filter({hasText: 'Net_0.Linear_0'}).click();
  const first = shown.findIndex(({cells}) => cells[0] === 'Net_0.Linear_0') + 1;
  assert.equal((await lines(visit))[first].cells[0], 'gemm', 'the head has the module');
  await visit.page.locator('.rows [role="row"]').nth(first).click();
  await visit.part('row-pane').waitFor();
  await visit.page.keyboard.press('Escape');
  await visit.part('group-rows').selectOption('');
  assert.ok(
    (await lines(visit)).some(({cells}) => cells[0] === 'gemm · Net_0.Linear_0'),
    'without groups, the row has it',
  );
  await visit.open(bare);
  await visit.part('table-kernels').waitFor();
  const offered = await visit
    .part('kernel-grouping')
    .locator('option')
    .evaluateAll((all) => all.map((one) => /** @type {HTMLOptionElement} */ (one).value));
  assert.deepEqual(offered, ['name', 'family', 'launch'], 'without modules');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** One kernel that two operators launch, a sum of two tensors and a copy, and two products. */
const twoFamilies = written(
  'table-groups/families.json',
  JSON.stringify({
    deviceProperties: [{id: 0, name: 'gpu'}],
    traceEvents: ['aten::add', 'aten::copy_', 'aten::add', 'aten::mm', 'aten::mm'].flatMap((name, index) => {
      const ts = 100 * index;
      const call = {correlation: index + 1, 'External id': index + 1};
      return [
        {ph: 'X', cat: 'cpu_op', name, pid: 1, tid: 1, ts, dur: 50, args: {'External id': index + 1}},
        {ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts: ts + 10, dur: 10, args: call},
        {
          ph: 'X',
          cat: 'kernel',
          name: ['vectorized_kernel', 'gemm', 'splitk'][Math.max(0, index - 2)],
          pid: 0,
          tid: 7,
          ts: ts + 30,
          dur: 10 + index,
          args: {...call, device: 0, stream: 7},
        },
      ];
    }),
  }),
);

test('groups by family are the families of the table above, where one kernel is of two', async () => {
  const families = summary('--by', 'kernels', twoFamilies).ranks[0].kernel_families;
  assert.deepEqual(
    families.map((/** @type {any} */ row) => [row.family, row.calls, row.total_ns]),
    [
      ['matrix', 2, 27_000],
      ['elementwise', 2, 22_000],
      ['copy', 1, 11_000],
    ],
  );
  const visit = await here.visit();
  await visit.open(twoFamilies);
  await visit.tab('kernels');
  await visit.until('each kernel is one row', async () => (await lines(visit)).length === 3);
  await visit.part('group-rows').selectOption('family');
  await visit.until('each family is a group', async () => (await lines(visit)).filter(({head}) => head).length === 3);
  const columns = await visit
    .part('table-kernels')
    .locator('[role="columnheader"]')
    .evaluateAll((heads) => heads.map((head) => head.getAttribute('data-key') ?? ''));
  const groups = (await lines(visit)).filter(({head}) => head);
  for (const [index, row] of families.entries()) {
    for (const key of ['calls', 'total_ns']) assertShows(groups[index].cells[columns.indexOf(key)], row[key], key);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('groups have the sums of their rows, open and fold, and follow sorting and search', async () => {
  const {operators} = summary('--step', 'average', trace).ranks[0];
  const groups = byClass(operators);
  assert.ok(groups.size > 1 && groups.size < operators.length, [...groups.keys()].join());
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('operators');
  await visit.part('group-rows').selectOption('class');
  assert.equal(await visit.text('count'), `Rows: ${operators.length} · Groups: ${groups.size}`);
  const columns = await keys(visit);
  const heads = await lines(visit);
  assert.equal(heads.length, groups.size, 'all groups are folded');
  const sums = [...groups.values()].map((rows) => ({rows, device: sum(rows, 'device_self_ns')})).sort((a, b) => b.device - a.device);
  for (const [index, {rows}] of sums.entries()) {
    for (const key of ['device_self_ns', 'host_self_ns']) assertShows(heads[index].cells[columns.indexOf(key)], sum(rows, key), `${index} ${key}`);
    assert.equal(heads[index].cells[columns.indexOf('host_mean_ns')], '', 'means do not add up');
  }
  await visit.part('sort-host_self_ns').click();
  const host = sums.map(({rows}) => sum(rows, 'host_self_ns')).sort((a, b) => b - a);
  for (const [index, {cells}] of (await lines(visit)).entries()) assertShows(cells[columns.indexOf('host_self_ns')], host[index], 'sorted by its sums');
  // Open, a group has its rows below it, in the order of the table.
  await visit.part('group').last().click();
  const [, ...opened] = (await lines(visit)).slice(groups.size - 1);
  const last = [...groups.values()].sort((a, b) => sum(a, 'host_self_ns') - sum(b, 'host_self_ns'))[0];
  assert.deepEqual(
    opened.map(({cells}) => cells[0]),
    last.toSorted((a, b) => b.host_self_ns - a.host_self_ns).map(({name}) => name),
  );
  // A search opens groups with hits; groups show the numbers of the remaining rows.
  const wanted = operators.filter((/** @type {any} */ {name}) => name.toLowerCase().includes('backward'));
  await visit.part('search').first().fill('backward');
  const found = await lines(visit);
  assert.deepEqual(
    found
      .filter(({head}) => !head)
      .map(({cells}) => cells[0])
      .sort(),
    wanted.map((/** @type {any} */ {name}) => name).sort(),
  );
  assert.ok(found.filter(({head}) => head).every(({open}) => open));
  assertShows(
    found[0].cells[columns.indexOf('host_self_ns')],
    Math.max(...[...byClass(wanted).values()].map((rows) => sum(rows, 'host_self_ns'))),
    'of the hits',
  );
  await visit.part('search').first().fill('');
  assert.equal((await lines(visit)).filter(({open}) => open).length, 1, 'as it was before the search');
  await visit.part('groups-all').click();
  assert.equal((await lines(visit)).length, groups.size, 'all are folded');
  await visit.part('group-rows').selectOption('');
  assert.ok((await lines(visit)).every(({head}) => !head));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('groups are walked through, opened, picked and remembered by keys', async () => {
  const {operators} = summary('--step', 'average', trace).ranks[0];
  const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
  await visit.open(trace);
  await visit.tab('operators');
  await visit.part('group-rows').selectOption('class');
  const table = visit.page.locator('.table-scroll').first();
  const current = () => table.locator('[aria-current]').evaluate((row) => (row.querySelector('.group-title') ?? row.querySelector('.cell'))?.textContent);
  await table.focus();
  await visit.page.keyboard.press('ArrowDown');
  const [first, second] = (await lines(visit)).map(({cells}) => cells[0]);
  assert.equal(await current(), first);
  await visit.page.keyboard.press('ArrowRight');
  const open = await lines(visit);
  assert.deepEqual([open[0].open, open[1].head], [true, false]);
  assert.equal(await current(), first, 'the keys stay at the head');
  await visit.page.keyboard.press('ArrowRight');
  assert.equal(await current(), open[1].cells[0]);
  assert.ok(await visit.part('detail').isVisible(), 'a row shows its details');
  await visit.page.keyboard.press('ArrowLeft');
  assert.equal(await current(), first);
  assert.equal(await visit.part('detail').isVisible(), false);
  // A group is picked with all of its rows.
  const rows = [...byClass(operators).values()].sort((a, b) => sum(b, 'device_self_ns') - sum(a, 'device_self_ns'));
  await visit.page.keyboard.press(' ');
  assert.match(await visit.text('picked'), new RegExp(`^Selected: ${rows[0].length} · `));
  assert.equal(csvRecords(Buffer.from(await copied(visit, 'csv'))).length, rows[0].length);
  await table.focus();
  await visit.page.keyboard.press('Escape');
  assert.equal(await visit.text('picked'), '');
  await visit.page.keyboard.press('ArrowLeft');
  assert.equal((await lines(visit))[0].open, false);
  // Extending the selection over a folded group selects its rows.
  await visit.page.keyboard.press('Shift+ArrowDown');
  assert.match(await visit.text('picked'), new RegExp(`^Selected: ${rows[0].length + rows[1].length} · `));
  await visit.page.keyboard.press('Escape');
  await visit.page.keyboard.press('ArrowDown');
  assert.equal(await current(), second);
  await visit.page.keyboard.press('Enter');
  await visit.page.reload();
  await visit.open(trace);
  await visit.tab('operators');
  const again = await lines(visit);
  assert.deepEqual([again[0].open, again[1].open], [false, true], 'it is remembered');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('folded groups are copied as one line with their sums, open ones as rows', async () => {
  const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
  await visit.open(trace);
  await visit.tab('operators');
  const plain = csvRecords(Buffer.from(await copied(visit, 'csv')));
  await visit.part('group-rows').selectOption('class');
  const groups = (await lines(visit)).map(({cells}) => cells[0]);
  const markdown = (await copied(visit, 'markdown')).split('\n');
  assert.deepEqual(
    markdown.slice(2).map((line) => line.split(' | ')[0].slice(2)),
    groups,
  );
  await visit.part('group').first().click();
  const {length: rows} = (await lines(visit)).filter(({head}) => !head);
  const [heads, ...values] = (await copied(visit, 'tsv')).split('\n').map((line) => line.split('\t'));
  assert.equal(heads[0], 'class');
  assert.equal(values.length, rows + groups.length - 1);
  const total = values.reduce((sum, cells) => sum + Number(cells[heads.indexOf('device_self_ns')]), 0);
  const expected = plain.reduce((sum, row) => sum + Number(row.device_self_ns), 0);
  assert.ok(Math.abs(total - expected) < 1e-6 * expected, `${total} is not ${expected}`);
  const csv = csvRecords(Buffer.from(await copied(visit, 'csv')));
  assert.deepEqual(csv.map(({name}) => name).sort(), plain.map(({name}) => name).sort(), 'the CSV has all rows');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a row that is looked for is found in a folded group', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('operators');
  await visit.part('group-rows').selectOption('class');
  await visit.part('shares').first().selectOption('pie');
  const name = (await visit.page.locator('button.pie-row .pie-name').first().innerText()).trim();
  await visit.page.locator('button.pie-row').first().click();
  const current = visit.page.locator('.rows [aria-current]');
  assert.equal(await current.locator('.cell').first().textContent(), name);
  assert.equal(await visit.part('detail').locator('dd').first().innerText(), name);
  await visit.close();
});

test('of thousands of rows in groups only those in view are elements', async () => {
  const count = 100_000;
  const kinds = ['cpu_op', 'user_annotation'];
  const events = Array.from(
    {length: count},
    (_, index) =>
      `{"ph": "X", "cat": "${kinds[index % 2]}", "name": "operator_${String(index).padStart(6, '0')}", "pid": 1, "tid": ${index % 2}, "ts": ${index * 10}, "dur": ${1 + (index % 9)}}`,
  );
  const visit = await here.visit();
  await visit.open(written('table-groups/many.json', `{"schemaVersion": 1, "traceEvents": [\n${events.join(',\n')}\n]}`));
  await visit.tab('operators');
  await visit.part('group-rows').selectOption('class');
  const table = visit.part('table-operators');
  assert.equal(await table.getAttribute('aria-rowcount'), '3');
  await visit.part('group').first().click();
  assert.equal(await table.getAttribute('aria-rowcount'), String(count / 2 + 3));
  const scrolled = async (/** @type {number} */ part) => {
    await table.evaluate(async (element, part) => {
      element.scrollTop = part * element.scrollHeight;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, part);
    const elements = await lines(visit);
    assert.ok(elements.length > 10 && elements.length < 80, `${elements.length} rows are elements`);
    return elements;
  };
  const titles = (/** @type {Line[]} */ elements) => elements.filter(({head}) => head).map(({cells}) => cells[0]);
  const [first] = titles(await scrolled(0));
  assert.deepEqual(titles(await scrolled(0.3)), [first], 'the head of the group stays');
  const box = (/** @type {string} */ part) => table.locator(part).first().boundingBox();
  const [columns, head] = [await box('.row.head'), await box('.row.of-group')];
  assert.ok(columns && head);
  assert.ok(Math.abs(columns.y + columns.height - head.y) < 1, `the head is at ${head.y}, below ${columns.y + columns.height}`);
  // A row that the keys go up to is not below it.
  await table.locator('.rows .row:not(.of-group)').nth(20).click();
  await table.press('PageUp');
  const [row, above] = [await box('.row.active'), await box('.row.of-group')];
  assert.ok(row && above && row.y >= above.y + above.height - 1, `the row is at ${row?.y}, below a head at ${above?.y}`);
  await table.press('Escape');
  for (const open of [false, true]) {
    await visit.part('groups-all').click();
    assert.equal(await table.getAttribute('aria-rowcount'), String((open ? count : 0) + 3));
  }
  const heads = titles(await scrolled(0.5));
  assert.equal(heads.length, 2, 'the second group begins in the middle');
  assert.deepEqual(titles(await scrolled(1)), heads.slice(1), 'the second group pushed the head of the first away');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
