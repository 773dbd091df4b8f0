// The tab of calls: a flame graph of the trace's stacks, zoom and search, functions, ways to the timeline.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const demo = generated('calls/trace.json.gz', '--demo');
/** One thread: `train` for 1 ms calls `load` for 600 µs and `mm` twice for 100 µs, each of which makes the device work for 50 µs. */
const small = written(
  'calls/small.json',
  JSON.stringify({
    deviceProperties: [{id: 0, name: 'gpu'}],
    traceEvents: [
      {ph: 'X', cat: 'python_function', name: 'train', pid: 1, tid: 1, ts: 0, dur: 1000},
      {ph: 'X', cat: 'python_function', name: 'load', pid: 1, tid: 1, ts: 10, dur: 600},
      ...[700, 850].flatMap((at, place) => [
        {ph: 'X', cat: 'cpu_op', name: 'mm', pid: 1, tid: 1, ts: at, dur: 100},
        {ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts: at + 10, dur: 10, args: {correlation: place + 1}},
        {ph: 'X', cat: 'kernel', name: 'gemm', pid: 0, tid: 7, ts: at + 30, dur: 50, args: {correlation: place + 1, device: 0, stream: 7}},
      ]),
    ],
  }),
);

/** A model with two layers; one launches a kernel of 60 µs, and autograd's thread one of 40 µs. */
const modules = written(
  'calls/modules.json',
  JSON.stringify({
    deviceProperties: [{id: 0, name: 'gpu'}],
    traceEvents: [
      ...[
        {cat: 'python_function', name: 'train.py(1): train', ts: 0, dur: 1000},
        {cat: 'python_function', name: 'nn.Module: Net_0', ts: 100, dur: 700},
        {cat: 'python_function', name: 'nn.Module: Linear_0', ts: 110, dur: 200},
        {cat: 'python_function', name: 'nn.Module: Linear_1', ts: 400, dur: 300},
        {cat: 'cpu_op', name: 'aten::linear', ts: 450, dur: 100},
        {cat: 'cpu_op', name: 'autograd::engine::evaluate_function: AddmmBackward0', tid: 2, ts: 850, dur: 100},
      ].map((event) => ({ph: 'X', pid: 1, tid: 1, ...event})),
      ...[
        [1, 460, 60],
        [2, 860, 40],
      ].flatMap(([tid, ts, dur]) => [
        {ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid, ts, dur: 10, args: {correlation: tid}},
        {ph: 'X', cat: 'kernel', name: 'gemm', pid: 0, tid: 7, ts: ts + 20, dur, args: {correlation: tid, device: 0, stream: 7}},
      ]),
    ],
  }),
);

/**
 * `mm` is called by `load`, where it calls itself, and by `step`; each outermost call launches a kernel of 50 µs. Times of calls in µs:
 * train 1000 (load 600 (mm 300 (pack 100 (mm 60), cudaLaunchKernel 10)), step 200 (mm 120 (cudaLaunchKernel 10, alloc 30))).
 */
const around = written(
  'calls/around.json',
  JSON.stringify({
    deviceProperties: [{id: 0, name: 'gpu'}],
    traceEvents: [
      ...[
        ['train', 0, 1000],
        ['load', 10, 600],
        ['mm', 20, 300],
        ['pack', 30, 100],
        ['mm', 40, 60],
        ['step', 700, 200],
        ['mm', 710, 120],
        ['alloc', 750, 30],
      ].map(([name, ts, dur]) => ({ph: 'X', cat: 'cpu_op', name, pid: 1, tid: 1, ts, dur})),
      ...[200, 730].flatMap((at, place) => [
        {ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts: at, dur: 10, args: {correlation: place + 1}},
        {ph: 'X', cat: 'kernel', name: 'gemm', pid: 0, tid: 7, ts: at + 30, dur: 50, args: {correlation: place + 1, device: 0, stream: 7}},
      ]),
    ],
  }),
);

/** @param {import('./lib/site.mjs').Visit} visit @param {string} file @param {'calls' | 'modules'} [tab] */
async function opened(visit, file, tab = 'calls') {
  await visit.open(file);
  await visit.tab(tab);
  await visit.part(`${tab}-graph`).waitFor();
}

/** A thread that trains, and one that waits as long. */
const monitored = written(
  'calls/monitored.json',
  JSON.stringify({
    traceEvents: [
      {cat: 'python_function', name: 'train.py(1): train', tid: 1, dur: 1000},
      {cat: 'cpu_op', name: 'aten::mm', tid: 1, dur: 600},
      {cat: 'python_function', name: 'tqdm/_monitor.py(60): run', tid: 2, dur: 1000},
      {cat: 'python_function', name: 'threading.py(359): wait', tid: 2, dur: 1000},
    ].map((event) => ({ph: 'X', pid: 1, ts: 0, ...event})),
  }),
);

/** A cell of the table of functions. @param {import('./lib/site.mjs').Visit} visit @param {string} name @param {number} column @param {'calls' | 'modules'} [tab] */
async function cell(visit, name, column, tab = 'calls') {
  const row = visit
    .part(`table-${tab}`)
    .locator('[role="row"]')
    .filter({has: visit.page.getByText(name, {exact: true})});
  return (await row.locator('[role="cell"]').nth(column).textContent()) ?? '';
}

test('functions have their own and their whole time, of the host and of what they make the device do', async () => {
  const visit = await here.visit();
  await opened(visit, small);
  assertShows(await cell(visit, 'load', 1), 600_000);
  assertShows(await cell(visit, 'train', 1), 200_000, 'without what it calls');
  assertShows(await cell(visit, 'train', 3), 1_000_000, 'with what it calls');
  assertShows(await cell(visit, 'mm', 3), 200_000);
  await visit.part('calls-measure').selectOption('device');
  await visit.until('the device time is shown', async () => (await cell(visit, 'train', 3)).startsWith('100'));
  assertShows(await cell(visit, 'cudaLaunchKernel', 1), 100_000);
  assertShows(await cell(visit, 'train', 1), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a search says how much is found, and a box zooms in, shows its stack and leads to the timeline', async () => {
  const visit = await here.visit();
  await opened(visit, small);
  await visit.part('calls-search').fill('mm');
  const [time, share] = ((await visit.part('calls-found').textContent()) ?? '').split(' · ');
  assertShows(time, 200_000);
  assertShows(share, 0.2);
  const box = await visit.part('calls-graph').boundingBox();
  assert.ok(box);
  // `load` stands below the thread and `train`, at the left.
  await visit.page.mouse.click(box.x + 10, box.y + 50);
  assert.match((await visit.part('calls-one').textContent()) ?? '', /^load /);
  assert.deepEqual(await visit.part('calls-one').locator('[data-test="jump"]').allInnerTexts(), ['longest call', 'all of that name']);
  await visit.part('calls-zoom').click();
  assert.match((await visit.part('calls-path').textContent()) ?? '', /train › load$/);
  await visit.part('calls-all').click();
  assert.equal(await visit.part('calls-path').textContent(), '');
  // Upside down, it stands above them.
  await visit.part('calls-upward').check();
  const turned = await visit.part('calls-graph').boundingBox();
  assert.ok(turned);
  await visit.page.mouse.click(turned.x + 10, turned.y + turned.height - 30);
  assert.match((await visit.part('calls-one').textContent()) ?? '', /^train /);
  await visit.part('calls-graph').focus();
  await visit.page.keyboard.press('ArrowUp');
  assert.match((await visit.part('calls-one').textContent()) ?? '', /^load /);
  await visit.part('calls-one').locator('[data-test="jump"]').first().click();
  await visit.page.locator('[data-test="tab-timeline"][aria-selected="true"]').waitFor();
  await visit.close();
});

test('keys move through the graph', async () => {
  const visit = await here.visit();
  await opened(visit, small);
  await visit.part('calls-graph').focus();
  const said = async () => (await visit.part('calls-one').textContent()) ?? '';
  for (const [key, name] of [
    ['ArrowDown', ''],
    ['ArrowDown', 'train'],
    ['ArrowDown', 'load'],
    ['ArrowRight', 'mm'],
    ['ArrowUp', 'train'],
  ]) {
    await visit.page.keyboard.press(key);
    if (name) assert.ok((await said()).startsWith(`${name} `), `${key}: ${await said()}`);
  }
  await visit.page.keyboard.press('ArrowDown');
  await visit.page.keyboard.press('Enter');
  assert.match((await visit.part('calls-path').textContent()) ?? '', /load$/);
  await visit.page.keyboard.press('Escape');
  assert.equal(await visit.part('calls-path').textContent(), '');
  await visit.close();
});

test('a step has its own calls', async () => {
  const visit = await here.visit();
  await opened(visit, demo);
  const all = await visit.part('calls-note').textContent();
  assert.match(all ?? '', /Mean of \d+ steps/);
  await visit.part('step').selectOption('2');
  await visit.until('the step is shown', async () => (await visit.part('calls-note').textContent()) !== all);
  assert.doesNotMatch((await visit.part('calls-note').textContent()) ?? '', /Mean of/);
  await visit.close();
});

test('modules have a tab, with the time of what they call and launch; what is launched outside of them is told', async () => {
  const visit = await here.visit();
  await opened(visit, modules, 'modules');
  assert.equal(await visit.page.locator('.group[aria-selected="true"]').getAttribute('id'), 'group-compute');
  // It opens with the device's time, the largest total first.
  assert.equal(await visit.part('modules-measure').inputValue(), 'device');
  assertShows(await cell(visit, 'Net_0', 1, 'modules'), 60_000);
  assert.equal(await visit.page.locator('[aria-sort="descending"]').getAttribute('data-key'), 'total');
  await visit.part('modules-measure').selectOption('host');
  assertShows(await cell(visit, 'Net_0', 3, 'modules'), 200_000, 'without its layers');
  assertShows(await cell(visit, 'Net_0', 1, 'modules'), 700_000);
  assertShows(await cell(visit, 'Linear_1', 3, 'modules'), 300_000, 'with its operator');
  assert.match(await visit.text('calls-coverage'), /^In modules: 700/);
  await visit.part('modules-measure').selectOption('device');
  assert.match(await visit.text('calls-coverage'), /^Launched in modules: 60\D.* 60\D.*outside of these: backward pass 40\D.*\(by operators of autograd\)\.$/);
  assertShows(await cell(visit, 'Net_0', 3, 'modules'), 0);
  assertShows(await cell(visit, 'Linear_1', 1, 'modules'), 60_000);
  // A search, the zoom and the way to an event are those of calls.
  await visit.part('modules-search').fill('linear');
  assertShows(((await visit.text('modules-found')) ?? '').split(' · ')[0], 60_000);
  await visit.part('modules-graph').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await visit.page.keyboard.press(key);
  assert.match(await visit.text('modules-one'), /^Linear_1 /);
  await visit.part('modules-one').locator('[data-test="jump"]').first().click();
  await visit.page.locator('[data-test="tab-timeline"][aria-selected="true"]').waitFor();
  // The trace has no ranges.
  await visit.tab('calls');
  await visit.part('calls-graph').waitFor();
  assert.deepEqual(await visit.part('calls-grouping').locator('option').allInnerTexts(), ['call stack', 'phase']);
  // The command palette leads to modules, and offers no ranges.
  await visit.page.keyboard.press('Control+k');
  await visit.page.keyboard.type('ranges');
  assert.equal(await visit.page.getByRole('option', {name: 'Ranges Calls'}).count(), 0);
  await visit.part('palette-input').fill('compute modules');
  await visit.page.keyboard.press('Enter');
  await visit.page.locator('[data-test="tab-modules"][aria-selected="true"]').waitFor();
  await visit.page.goBack();
  await visit.page.locator('[data-test="tab-calls"][aria-selected="true"]').waitFor();
  // A trace without modules has no such tab.
  await visit.open(small);
  assert.ok(!(await visit.tabs()).includes('modules'));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('calls are grouped by the phases that the analyzer found, which say how they were recognized', async () => {
  const visit = await here.visit();
  await visit.open(modules);
  await visit.tab('calls');
  await visit.part('calls-grouping').selectOption('phases');
  await visit.until('the table has phases', async () => /forward pass/.test(await visit.text('table-calls')));
  // The model runs for 700 of the 1000 µs of its thread, and autograd for 100 µs on another one.
  assertShows(await cell(visit, 'forward pass', 3), 700_000);
  assertShows(await cell(visit, 'backward pass', 3), 100_000);
  assertShows(await cell(visit, 'aten::linear', 3), 100_000);
  const found = 'Phases found: forward pass \\(by modules\\), backward pass \\(by operators of autograd\\)\\.$';
  assert.match(await visit.text('calls-coverage'), new RegExp(`^In phases: 800\\D.* 72\\.7 % of the threads' time\\. ${found}`));
  await visit.part('calls-measure').selectOption('device');
  assert.match(await visit.text('calls-coverage'), new RegExp(`^Launched in phases: 100\\D.* 100\\.0 % .* ${found}`));
  // A phase leads to its longest call; no event has its name.
  await visit.part('calls-graph').focus();
  for (const key of ['ArrowDown', 'ArrowDown']) await visit.page.keyboard.press(key);
  assert.match(await visit.text('calls-one'), /^forward pass /);
  assert.equal(await visit.part('calls-one').locator('[data-test="jump"]').count(), 1);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a range of the timeline has its own tree of calls, which the address keeps until it is cleared', async () => {
  const visit = await here.visit();
  await visit.page.goto(`${visit.address}#tab=timeline&range=500000~900000`);
  await visit.open(small);
  await visit.part('range-tree').click();
  await visit.part('calls-range').waitFor();
  assert.match(await visit.text('calls-range'), /^Range 500\D.* – 900\D.*: 400\D.*, 40\D/);
  assert.match(visit.page.url(), /tab=calls&calls=500000%7E900000$/);
  // `load` reaches 110 µs into it, the second `mm` 50 µs; each kernel runs 30 µs after its call began, for 50 µs.
  assertShows(await cell(visit, 'train', 3), 400_000);
  assertShows(await cell(visit, 'load', 1), 110_000);
  assertShows(await cell(visit, 'mm', 3), 150_000);
  assert.equal(await cell(visit, 'load', 5), '0', 'it began before');
  assert.equal(await cell(visit, 'mm', 5), '2');
  await visit.part('calls-measure').selectOption('device');
  assertShows(await cell(visit, 'cudaLaunchKernel', 1), 70_000, 'the second kernel is cut');
  assert.match(await visit.text('calls-note'), /^Ran in the range.* 70\D/);
  // Back and forward, and a reload.
  await visit.page.goBack();
  await visit.page.locator('[data-test="tab-timeline"][aria-selected="true"]').waitFor();
  await visit.page.goForward();
  await visit.part('calls-range').waitFor();
  await visit.page.reload();
  await visit.open(small);
  await visit.part('calls-range').waitFor();
  await visit.part('calls-range').locator('[data-test="jump"]').click();
  await visit.part('range-pane').waitFor();
  await visit.page.goBack();
  await visit.part('calls-range-clear').click();
  await visit.until('the whole trace is shown', async () => (await cell(visit, 'train', 3)).startsWith('1.0'));
  assert.ok(!(await visit.part('calls-range').isVisible()));
  assert.ok(await visit.part('calls-search').evaluate((field) => field === document.activeElement), 'the button is gone');
  assert.match(visit.page.url(), /tab=calls$/);
  await visit.page.goBack();
  await visit.part('calls-range').waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a step takes the place of a range, and modules have the range, too', async () => {
  const visit = await here.visit();
  await visit.page.goto(`${visit.address}#tab=modules&calls=400000~500000`);
  await visit.open(modules);
  await visit.part('calls-range').waitFor();
  await visit.part('modules-measure').selectOption('host');
  assertShows(await cell(visit, 'Net_0', 1, 'modules'), 100_000);
  assertShows(await cell(visit, 'Linear_1', 1, 'modules'), 100_000);
  // Else the entry of the history names the trace that was open.
  await visit.page.goto('about:blank');
  await visit.page.goto(`${visit.address}#tab=calls&calls=1000000~2000000`);
  await visit.open(demo);
  await visit.part('calls-range').waitFor();
  await visit.part('step').selectOption('2');
  await visit.part('calls-range').waitFor({state: 'hidden'});
  assert.doesNotMatch(visit.page.url(), /calls=/);
  // Where nothing ran.
  await visit.page.goto('about:blank');
  await visit.page.goto(`${visit.address}#tab=calls&calls=-9000~-5000`);
  await visit.open(small);
  await visit.part('calls-range').filter({hasText: 'No call and no device activity'}).waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/**
 * Moves with the keys from the row of a name to the adjacent callers or callees; returns their names and times in µs.
 * @param {import('./lib/site.mjs').Visit} visit @param {'ArrowUp' | 'ArrowDown'} way
 */
async function beside(visit, way) {
  const {keyboard} = visit.page;
  await visit.part('calls-graph').focus();
  await keyboard.press(way);
  /** @type {Record<string, number>} */
  const found = {};
  for (let last = '', said = await visit.text('calls-one'); said !== last; last = said, said = await visit.text('calls-one')) {
    const [, name, time] = /^(\S+) .*?[Tt]otal:? ([\d.]+)\sµs/.exec(said) ?? assert.fail(said);
    found[name] = Number(time);
    await keyboard.press('ArrowRight');
  }
  await keyboard.press(way === 'ArrowUp' ? 'ArrowDown' : 'ArrowUp');
  return found;
}

/** @param {Record<string, number>} times */
const sum = (times) => Object.values(times).reduce((all, time) => all + time, 0);

test('the sandwich view of a name has its callers and callees, which add up to its time', async () => {
  const visit = await here.visit();
  await opened(visit, around);
  // From a row of the table.
  await visit.part('table-calls').getByText('mm', {exact: true}).click();
  await visit.part('detail').locator('[data-test="calls-around"]').click();
  assert.equal(await visit.part('calls-layout').inputValue(), 'sandwich');
  assert.equal(await visit.part('calls-name').inputValue(), 'mm');
  const name = await visit.text('calls-one');
  const [, total, self] = /^mm Total: ([^·]+) · .*In recursive calls: 60\D.* · Self: ([^·]+) · Calls: 3 /.exec(name) ?? assert.fail(name);
  assertShows(total, 420_000, 'the call inside of another one counts once');
  assertShows(self, 330_000, 'of all three calls');
  assert.equal(total, await cell(visit, 'mm', 3), 'as in the table');
  assert.equal(self, await cell(visit, 'mm', 1));
  const callers = await beside(visit, 'ArrowUp');
  assert.deepEqual(callers, {load: 300, step: 120});
  assert.equal(sum(callers), 420);
  const callees = await beside(visit, 'ArrowDown');
  assert.deepEqual(callees, {pack: 100, alloc: 30, cudaLaunchKernel: 20});
  // Without the nested call, the time of which is part of `pack`.
  assert.equal(sum(callees) + (330 - 60), 420);
  // By device time, the same name has the time of the kernels that it launches.
  await visit.part('calls-measure').selectOption('device');
  await visit.until('the device time is shown', async () => / Total: 100/.test(await visit.text('calls-one')));
  assert.deepEqual(await beside(visit, 'ArrowUp'), {load: 50, step: 50});
  assert.deepEqual(await beside(visit, 'ArrowDown'), {cudaLaunchKernel: 100});
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a name is chosen by a box, by typing, and by a box of its own view', async () => {
  const visit = await here.visit();
  await opened(visit, around);
  const {keyboard} = visit.page;
  await visit.part('calls-graph').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await keyboard.press(key);
  assert.match(await visit.text('calls-one'), /^load /);
  await visit.part('calls-one').locator('[data-test="calls-around"]').click();
  assert.match(await visit.text('calls-one'), /^load Total: 600/);
  assert.equal(await visit.part('calls-graph').getAttribute('aria-label'), 'Callers and callees of load');
  assert.ok(await visit.part('calls-graph').evaluate((graph) => graph === document.activeElement), 'keys go on in the graph');
  // A function that it calls, and from there that function's view.
  await keyboard.press('ArrowDown');
  assert.match(await visit.text('calls-one'), /^mm Total: 300.* of the name's total/);
  assert.deepEqual(await visit.part('calls-one').locator('[data-test="jump"]').allInnerTexts(), ['longest call', 'all of that name']);
  await keyboard.press('Enter');
  assert.equal(await visit.text('calls-path'), 'load › mm');
  await visit.part('calls-one').locator('[data-test="calls-around"]').click();
  assert.match(await visit.text('calls-one'), /^mm Total: 420/);
  assert.equal(await visit.text('calls-path'), '');
  // A search looks at both sides.
  await visit.part('calls-search').fill('pack');
  assert.match(await visit.text('calls-found'), /^callees 100\D.* · 23\.8/);
  await visit.part('calls-search').fill('train');
  assert.match(await visit.text('calls-found'), /^callers 420\D.* · 100/);
  await visit.part('calls-search').fill('');
  await visit.part('calls-name').fill('LAUNCH');
  await visit.part('calls-name').press('Enter');
  assert.equal(await visit.part('calls-name').inputValue(), 'cudaLaunchKernel');
  assert.match(await visit.text('calls-one'), /^cudaLaunchKernel Total: 20/);
  // Upside down, callers stand below.
  await visit.part('calls-upward').check();
  await visit.part('calls-graph').focus();
  await keyboard.press('ArrowDown');
  assert.match(await visit.text('calls-one'), /^mm From this caller: total 20/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a sandwich view says why it is empty', async () => {
  const visit = await here.visit();
  await opened(visit, around);
  await visit.part('calls-layout').selectOption('sandwich');
  await visit.part('calls-name').fill('alloc');
  await visit.part('calls-name').press('Enter');
  assert.match(await visit.text('calls-one'), /^alloc /);
  await visit.part('calls-measure').selectOption('device');
  assert.equal(await visit.text('calls-empty'), 'By this measure, calls of alloc take no time.');
  assert.ok(!(await visit.part('calls-flame').isVisible()));
  await visit.part('calls-measure').selectOption('host');
  await visit.part('calls-flame').waitFor();
  await visit.part('calls-name').fill('nothing of that name');
  await visit.part('calls-name').press('Enter');
  assert.equal(await visit.text('calls-empty'), 'No name contains "nothing of that name".');
  await visit.part('calls-name').fill('');
  await visit.part('calls-name').press('Enter');
  await visit.part('calls-flame').waitFor();
  assert.equal(await visit.part('calls-name').inputValue(), 'alloc');
  // The address names a name that another trace does not have.
  const address = visit.page.url();
  await visit.page.goto('about:blank');
  await visit.page.goto(address);
  await visit.open(small);
  await visit.part('calls-empty').waitFor();
  assert.match(await visit.text('calls-empty'), /^There is no call of the chosen name here/);
  await visit.part('calls-layout').selectOption('stacks');
  await visit.part('calls-flame').waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('threads that only wait are set apart, and shown when that is wanted', async () => {
  const visit = await here.visit();
  await opened(visit, monitored);
  const line = visit.part('calls-waiting');
  assert.match((await line.innerText()) ?? '', /Not shown: 1 thread that only waits, 1(\.0+)? ms/);
  assertShows(await cell(visit, 'aten::mm', 2), 0.6, 'a share of the threads that work');
  await visit.part('calls-waiting-toggle').click();
  await visit.until('the thread is shown', async () => (await cell(visit, 'threading.py(359): wait', 2)) !== '');
  assertShows(await cell(visit, 'aten::mm', 2), 0.3);
  await visit.part('calls-waiting-toggle').click();
  await visit.until('the thread is hidden again', async () => /Not shown/.test(await line.innerText()));
  assertShows(await cell(visit, 'aten::mm', 2), 0.6);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
