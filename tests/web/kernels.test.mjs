// Kernels' use of the device: columns, details, devices and grouping match the program's output.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, summary, written} from './lib/program.mjs';
import {assertShows, csvRecords} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('kernels/trace.json.gz', '--seed', '91', '--steps', '5', '--groups', '20');

/** The program's numbers: of the average step, as on the page, unless a step is named. @param {string} file @param {...string} options @returns {any} */
function use(file, ...options) {
  const step = options.includes('--step') ? [] : ['--step', 'average'];
  return summary('--by', 'kernel-use', ...step, ...options, file).ranks[0].kernel_use;
}

/** @param {import('./lib/site.mjs').Visit} visit */
async function csv(visit) {
  return csvRecords((await visit.saved(() => visit.part('save-csv').click())).bytes);
}

/** Value that a cell shows; null if it is known for less than four fifths of the time. @param {any} row @param {string} key @returns {number | null} */
const shownOf = (row, key) => ((row[`${key}_coverage`] ?? 1) >= 0.8 ? row[key] : null);

/** @param {Record<string, string>[]} found @param {any[]} expected */
function assertKernels(found, expected) {
  assert.equal(found.length, expected.length);
  const numbers = (/** @type {any} */ row) => [
    row.calls,
    row.total_ns,
    ...['theoretical_occupancy', 'tail', 'flops_per_second', 'share_of_peak', 'share_of_limit'].flatMap((key) => [row[key], row[`${key}_coverage`]]),
  ];
  const text = (/** @type {(number | null)[]} */ values) => values.map((value) => (value === null ? '' : String(value))).join();
  const of = (/** @type {any} */ row) =>
    [row.launch?.occupancy?.limiter ?? '', row.bound_by ?? '', text([...numbers(row), row.launch?.waves?.waves ?? null])].join();
  const shown = found.map((row) => [row['launch.occupancy.limiter'], row.bound_by, text([...numbers(row), row['launch.waves.waves']])].join());
  assert.deepEqual(shown.toSorted(), expected.map(of).toSorted());
}

test("the table of kernels has the program's numbers, by name and by launch, for all steps and for one", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('kernels');
  const byName = use(trace);
  assert.ok(
    byName.kernels.some((/** @type {any} */ row) => row.share_of_peak > 0),
    'something is computed',
  );
  assertKernels(await csv(visit), byName.kernels);
  await visit.part('kernel-grouping').selectOption('launch');
  await visit.settled();
  const byLaunch = use(trace, '--group-kernels', 'launch');
  assert.ok(byLaunch.kernels.length > byName.kernels.length);
  assertKernels(await csv(visit), byLaunch.kernels);
  assert.equal(
    new Set((await csv(visit)).map((row) => [row.name, row.operator, row.grid, row.block].join())).size,
    byLaunch.kernels.length,
    'each row has a name of its own',
  );
  const names = byLaunch.kernels.map((/** @type {any} */ row) => row.name);
  assert.deepEqual((await csv(visit)).map((row) => row.name).toSorted(), names.toSorted());
  assert.match(
    await visit.page.locator('.rows .row .cell').first().innerText(),
    / · [\d,]+ × [\d,]+$/,
    'the name comes first, then what tells the row from others',
  );
  const [rem, width] = await visit.page.evaluate(() => [
    parseFloat(getComputedStyle(document.documentElement).fontSize),
    document.querySelector('.rows .cell')?.getBoundingClientRect().width ?? 0,
  ]);
  assert.ok(width >= 22 * rem - 1, `${width} px for names`);
  await visit.part('kernel-grouping').selectOption('name');
  await visit.settled();
  await visit.part('step').selectOption('1');
  await visit.settled();
  const [, second] = summary(trace).ranks[0].steps;
  assertKernels(await csv(visit), use(trace, '--step', second.name).kernels);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('devices and operators show what is made of the peak, and where that is from', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('kernels');
  const {devices, operators} = use(trace);
  const cells = await visit.part('device-use').locator('tbody td').allInnerTexts();
  const [device] = devices;
  assert.match(await visit.part('device-use').locator('tbody th').innerText(), /A100 80GB SXM/);
  assert.match((await visit.part('device-use').locator('tbody th').getAttribute('title')) ?? '', /datasheet/);
  const keys = {0: 'sm_efficiency', 1: 'theoretical_occupancy', 2: 'achieved_occupancy', 5: 'share_of_peak', 7: 'peak_share_of_span'};
  const notes = (await visit.part('kernel-partly').allInnerTexts()).join();
  for (const [cell, key] of Object.entries(keys)) {
    const text = cells[Number(cell)];
    assertShows(text.replace(' *', ''), device[key], key);
    // A value for a part of the time has its coverage below.
    assert.equal(text.endsWith(' *'), shownOf(device, key) === null, key);
    if (text.endsWith(' *')) assert.match(notes, /^\* Device 0, known for only <?[\d.]+ % of its time: /);
  }
  await visit.part('operator-flops').locator('> summary').click();
  const rows = await visit.part('kernel_use.operators').locator('tbody tr').count();
  assert.equal(rows, operators.length);
  assert.match(await visit.part('kernel_use.operators').locator('tbody tr').first().innerText(), /aten::addmm.*FLOP\/s/s);
  for (const head of await visit.page.locator('.small-table thead th + th').all()) assert.ok(((await head.getAttribute('title')) ?? '').length > 10);
  await visit.close();
});

test("a kernel's details say with numbers what limits it", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('kernels');
  await visit.page.locator('.rows .row').first().click();
  const text = await visit.text('detail');
  // 40 registers are 10 240 a block of 256 threads: 6 blocks of 8 warps fit on an A100's multiprocessor.
  assert.match(text, /Occupancy\s+75\.0 %: 48 warps run on one SM at once \(blocks: 6, warps of each: 8\)/);
  assert.match(text, /Occupancy limit\s+registers: a block takes 10\s240 of them.*blocks that fit: 6\./);
  assert.match(text, /warps 8 · blocks 32 · registers 6 · shared memory 109/);
  assert.match(text, /Waves\s+\d+\.\d\d: \d/);
  await visit.close();
});

test('each kernel says which limit bounds it', async () => {
  const visit = await here.visit();
  // 2 · 4096³ FLOPs are 440 µs at an A100's 312 TFLOP/s; 2 · 128 MiB read and written are 173 µs at its 1 555 GB/s.
  const device = '{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "numSms": 108, "computeMajor": 8, "computeMinor": 0, "totalGlobalMem": 42505273344}';
  const kernels = [
    ['aten::mm', [4096, 4096], [4096, 4096], 'ampere_fp16_s16816gemm', 500],
    ['aten::relu', [8192, 8192], null, 'relu_kernel', 200],
    ['aten::gelu', [8192, 8192], null, 'gelu_kernel', 400],
  ];
  const events = kernels.map(([operator, dims, other, name, length], index) => {
    const at = index * 1000;
    const [shapes, types] = [
      [dims, other],
      ['c10::Half', 'c10::Half'],
    ].map((list) => JSON.stringify(list.slice(0, other ? 2 : 1)));
    return `{"ph":"X","cat":"cpu_op","name":"${operator}","pid":1,"tid":1,"ts":${at},"dur":20,"args":{"Input Dims":${shapes},"Input type":${types}}},
      {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":${at + 5},"dur":2,"args":{"correlation":${index + 1}}},
      {"ph":"X","cat":"kernel","name":"${name}","pid":0,"tid":7,"ts":${at + 10},"dur":${length},"args":{"correlation":${index + 1},"device":0,"stream":7}}`;
  });
  await visit.open(written('kernels/bound.json', `{"schemaVersion": 1, "deviceProperties": [${device}], "traceEvents": [${events.join(',')}]}`));
  await visit.tab('kernels');
  const rows = (await csv(visit)).map((row) => [row.name, row.bound_by, Number(row.share_of_limit).toFixed(2)].join(' '));
  assert.deepEqual(rows, ['ampere_fp16_s16816gemm compute 0.88', 'gelu_kernel latency 0.43', 'relu_kernel memory 0.86']);
  await visit.page.locator('.rows .row').first().click();
  assert.match(await visit.text('detail'), /Bound by\s+compute/);
  await visit.close();
});

test('what the trace does not tell is said to be unknown', async () => {
  const visit = await here.visit();
  const kernel = '{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":6,"dur":9,"args":{"device":0,"stream":7,"grid":[8,1,1],"block":[64,1,1]}}';
  await visit.open(written('kernels/bare.json', `{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [${kernel}]}`));
  await visit.tab('kernels');
  assert.match(await visit.part('device-use').innerText(), /model unknown/);
  await visit.page.locator('.rows .row').first().click();
  assert.match(await visit.text('detail'), /Occupancy\s+unknown: the trace does not show/);
  assert.ok(await visit.part('operator-flops').isHidden());
  await visit.close();
});

test('every heading has its formula on hover', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  for (const tab of ['steps', 'operators', 'kernels', 'copies']) {
    await visit.tab(tab);
    for (const head of await visit.page.locator('.sort').all()) {
      const key = await head.getAttribute('data-test');
      if (['sort-name', 'sort-class'].includes(key ?? '')) continue;
      assert.ok(((await head.getAttribute('title')) ?? '').length > 5, `${tab} ${key}`);
    }
  }
  await visit.close();
});

test('a family opens its kernels, and the one with the most time, which its row names', async () => {
  const demo = generated('kernels/demo.json.gz', '--demo');
  const visit = await here.visit();
  await visit.open(demo);
  await visit.tab('kernels');
  const {kernel_use: use} = summary('--by', 'kernel-use', '--group-kernels', 'family', '--step', 'average', demo).ranks[0];
  const {kernel_families: families} = summary('--by', 'kernels', '--step', 'average', demo).ranks[0];
  const [family] = families.toSorted((/** @type {any} */ a, /** @type {any} */ b) => b.names - a.names);
  const kernels = use.kernels.filter((/** @type {any} */ row) => row.family === family.family);
  assert.ok(kernels.length > 1 && kernels.length < use.kernels.length, 'it is a part of them');
  await visit.part(`family-${family.family}`).click();
  await visit.part('row-events').waitFor();
  assert.match(await visit.text('count'), new RegExp(`${kernels.length} of ${use.kernels.length}$`));
  const most = kernels.toSorted((/** @type {any} */ a, /** @type {any} */ b) => b.total_ns - a.total_ns)[0];
  assert.equal(most.name, family.largest);
  const lengths = await visit.part('row-events').locator('tbody tr td:nth-child(2)').allInnerTexts();
  assertShows(lengths[0], most.max_ns, 'its longest call is the first');
  await visit.part('row-pane').locator('[data-test="jump"]').first().click();
  await visit.page.waitForFunction(() => /tab=timeline/.test(location.hash));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('families of kernels are those of the program, for a step, too', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('kernels');
  const shown = async () =>
    visit
      .part('kernel_families')
      .evaluate((table) =>
        [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.getAttribute('title') ?? cell.textContent)),
      );
  const [rank] = summary('--by', 'kernels', '--step', 'average', trace).ranks;
  const rows = await shown();
  assert.equal(rows.length, rank.kernel_families.length);
  for (const [index, row] of rank.kernel_families.entries()) {
    assertShows(rows[index][1] ?? '', row.calls, 'calls');
    assertShows(rows[index][2] ?? '', row.total_ns, 'total_ns');
    assert.equal(rows[index][6], row.largest);
  }
  // A long name ends with an ellipsis, and makes nothing scroll.
  await visit.page.setViewportSize({width: 800, height: 600});
  const [overflow, over] = await visit.part('kernel_families').evaluate((table) => {
    const region = /** @type {HTMLElement} */ (table.parentElement);
    return [getComputedStyle(/** @type {Element} */ (table.querySelector('tbody td:last-child'))).textOverflow, region.scrollWidth - region.clientWidth];
  });
  assert.deepEqual([overflow, over], ['ellipsis', 0]);
  await visit.close();
});
