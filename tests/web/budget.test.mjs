// The budget on the overview: the program's numbers, a bar whose parts add up, and links to the timeline.

import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';

import {generated, summary, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('budget/trace.json.gz', '--demo');

/** @param {import('./lib/site.mjs').Visit} visit */
const shown = (visit) => visit.part('budget-bar').waitFor();

/** Checks that means add up to a whole, with each rounded separately. @param {{mean_ns: number}[]} parts @param {number} whole @param {string} what */
function addsUp(parts, whole, what) {
  const sum = parts.reduce((sum, {mean_ns: time}) => sum + time, 0);
  assert.ok(Math.abs(sum - whole) <= parts.length, `${sum} of ${whole} is not all of ${what}`);
}

test('the overview opens with the sentences, branches and causes of the program', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await shown(visit);
  const {budget, causes} = summary(trace).ranks[0];
  assert.equal(await visit.part('budget-first').textContent(), budget.sentences[0]);
  assert.equal(await visit.part('budget-fix').textContent(), budget.sentences.slice(1).join(' '));
  const numbers = visit.page.locator('.budget-body .number');
  assert.ok((await numbers.count()) > 2, 'sentences have numbers');
  for (const width of [1440, 1000, 610, 400]) {
    await visit.page.setViewportSize({width, height: 800});
    const broken = await numbers.evaluateAll((all) => all.flatMap((one) => (one.getClientRects().length > 1 ? [one.textContent] : [])));
    assert.deepEqual(broken, [], `${width} px: lines end between a number and its unit`);
  }
  assert.equal(await visit.page.locator('.overview > :not([hidden])').first().getAttribute('data-test'), 'budget-card');
  addsUp(budget.branches, budget.length_ns, 'the step');
  const rows = visit.part('budget-branches').locator('> li');
  assert.equal(await rows.count(), budget.branches.length);
  for (const [place, {branch, mean_ns: time, share}] of budget.branches.entries()) {
    assertShows((await rows.nth(place).locator('.budget-share').textContent()) ?? '', share, branch);
    assertShows((await rows.nth(place).locator('.budget-time').textContent()) ?? '', time, branch);
  }
  const title = visit.page.locator('[data-test="budget-card"] h3', {hasText: 'Causes of lost time'});
  assert.match((await title.getAttribute('title')) ?? '', /sorted by the expected saving/);
  const listed = await visit
    .part('budget-causes')
    .locator('> li')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-test')));
  assert.deepEqual(
    listed,
    causes.slice(0, 5).map((/** @type {{wording: string}} */ {wording}) => `budget-cause-${wording}`),
  );
  // The fix of the cause in the headline is there once; others have theirs in the list.
  const fixes = await visit
    .part('budget-causes')
    .locator('> li')
    .evaluateAll((all) => all.map((one) => one.querySelector('p')?.textContent ?? ''));
  assert.equal(fixes[0], '');
  assert.ok(
    fixes.slice(1).every((fix) => fix.length > 20 && !budget.sentences[1].includes(fix)),
    fixes.join('\n'),
  );
  // The card of the device's time would repeat the budget.
  assert.ok(await visit.part('device-time').isHidden());
  const {overlap_of_communication: overlap, communication_ns: communication} = summary(trace).ranks[0].average.device_time;
  const [, share, time] = /^(.+ %) of the communication \((.+)\) overlaps with computation\.$/.exec(await visit.text('overlapped')) ?? [];
  assertShows(share, overlap);
  assertShows(time, communication);
  await visit.close();
});

test('the parts of the bar are as wide as their times are long', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await shown(visit);
  const {budget} = summary(trace).ranks[0];
  const widths = await visit
    .part('budget-bar')
    .locator('.budget-segment')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
  const whole = widths.reduce((sum, width) => sum + width, 0);
  for (const [place, {branch, share}] of budget.branches.entries())
    assert.ok(Math.abs(widths[place] / whole - share) < 0.01, `${branch}: ${widths[place]} of ${whole}`);
  await visit.close();
});

test('a part opens into its leaves, and a leaf leads to its longest span', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await shown(visit);
  const {budget} = summary(trace).ranks[0];
  const idle = budget.branches.find((/** @type {{branch: string}} */ {branch}) => branch === 'idle');
  assert.ok(idle.leaves.length >= 2, 'the demo idles for several reasons');
  await visit.part('budget-segment-idle').click();
  for (const {leaf, mean_ns: time} of idle.leaves) {
    const row = visit.part(`budget-leaf-${leaf}`);
    assertShows((await row.locator('.budget-time').textContent()) ?? '', time, leaf);
  }
  addsUp(idle.leaves, idle.mean_ns, 'the branch');
  await visit.part('budget-branch-idle').click();
  assert.equal(await visit.part(`budget-leaf-${idle.leaves[0].leaf}`).count(), 0, 'a second click closes it');
  await visit.part('budget-branch-idle').click();
  await visit.part(`budget-leaf-${idle.leaves[0].leaf}`).locator('[data-test="jump"]').click();
  await visit.page.locator('[data-test="tab-timeline"][aria-selected="true"]').waitFor();
  await visit.close();
});

test('a step has its own budget', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await shown(visit);
  const {budget} = summary('--by', 'budget', trace).ranks[0];
  const {steps} = summary(trace).ranks[0];
  const place = budget.devices[0].steps.findIndex((/** @type {{counts: boolean}} */ {counts}) => counts);
  await visit.part('step').selectOption(String(place));
  const name = `Step ${steps[place].name}: `;
  await visit.until('the budget is that of the step', async () => ((await visit.part('budget-whole').textContent()) ?? '').startsWith(name));
  const [length] = ((await visit.part('budget-whole').textContent()) ?? '').slice(name.length).split(/\.(?!\d)/);
  assertShows(length, budget.devices[0].steps[place].length_ns, name);
  await visit.close();
});

test('the sentences are in the language of the page', async () => {
  const visit = await here.visit({locale: 'zh-CN'});
  await visit.open(trace);
  await shown(visit);
  assert.match((await visit.part('budget-first').textContent()) ?? '', /[\u4e00-\u9fff]/);
  await visit.set('language', 'en');
  await visit.until('the sentence is English', async () => (await visit.part('budget-first').textContent()) === summary(trace).ranks[0].budget.sentences[0]);
  await visit.close();
});

test('functions and activities of the causes lead to their events', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await shown(visit);
  const {cause_functions: functions} = summary(trace).ranks[0];
  assert.ok(functions.length > 2, `${functions.length} functions`);
  await visit.part('budget-functions').locator('summary').click();
  const rows = visit.part('cause_functions').locator('tbody tr');
  assert.equal(await rows.count(), functions.length);
  for (const [place, {mean_ns: time, share, within}] of functions.entries()) {
    const [, shownTime, shownShare, part] = await rows.nth(place).locator('td').allInnerTexts();
    assert.equal(part, within ?? '–');
    assertShows(shownTime, time, functions[place].name);
    assertShows(shownShare, share, functions[place].name);
  }
  await visit.page.setViewportSize({width: 1440, height: 900});
  const [table, share] = await Promise.all(
    [visit.part('budget-functions').locator('.scroll'), rows.first().locator('td').nth(2)].map((one) => one.boundingBox()),
  );
  assert.ok(table && share && share.x + share.width <= table.x + table.width, 'cause, time and share are in view');
  await rows.first().locator('th button').click();
  await visit.until(
    'its event is chosen on the timeline',
    async () => (await visit.part('event-pane').getAttribute('data-event')) === String(functions[0].slice),
  );
  await visit.close();
});

/** A trace of a rank that marks no steps: three launches with their kernels. @param {number} rank */
function unmarked(rank) {
  const events = [1000, 2000, 3000].flatMap((ts, correlation) => [
    {ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts, dur: 5, args: {correlation}},
    {ph: 'X', cat: 'kernel', name: 'gemm', pid: 0, tid: 7, ts: ts + 30, dur: 700, args: {device: 0, stream: 7, correlation}},
  ]);
  return JSON.stringify({schemaVersion: 1, deviceProperties: [], distributedInfo: {backend: 'nccl', rank, world_size: 2}, traceEvents: events});
}

test('a job whose traces mark no steps does not speak of steps', async () => {
  const folder = path.dirname(written('budget/unmarked/a.json', unmarked(0)));
  written('budget/unmarked/b.json', unmarked(1));
  const {job, ranks} = summary(folder);
  assert.deepEqual(
    ranks.map((/** @type {any} */ rank) => rank.step_source),
    ['whole_trace', 'whole_trace'],
  );
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  await visit.part('step-map-line').first().waitFor();
  const whole = await visit.text('job-budget-whole');
  const said = 'No steps are marked. Mean of the recorded time of 2 of 2 ranks: ';
  assert.equal(whole.slice(0, said.length), said);
  assertShows(whole.slice(said.length, -1), job.budget.length_ns, 'the mean');
  assert.deepEqual(await visit.part('step-map').locator('thead th').allInnerTexts(), ['Rank', 'Whole trace']);
  assert.match((await visit.part('step-map-cell').first().getAttribute('title')) ?? '', /^rank 0 · Whole trace\n/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the fix for a late rank leads to the comparison with another one, and the evidence to the rank', async () => {
  const job = generated('budget/job', '--job', '2x2x2', '--seed', '5', '--steps', '3', '--slow', '3');
  const visit = await here.visit();
  await visit.drop(job);
  await visit.results();
  const link = visit.part('job-budget-fix-late_longer_kernels');
  await link.waitFor();
  assert.equal(await link.innerText(), 'Compare rank 3 with a similar rank kernel by kernel');
  assert.equal(await visit.text('job-budget-fix'), summary(job).job.budget.sentences.slice(1).join(' '), 'the text is whole');
  const offered = await visit.part('job-compare').first().innerText();
  await link.click();
  await visit.page.locator('[data-test="tab-compare"][aria-selected="true"]').waitFor();
  const sides = offered.match(/\d+/g);
  assert.equal(await visit.part('rank').inputValue(), sides?.[0]);
  await visit.part('table-contributions').waitFor();
  const verdict = await visit.text('compare-verdict');
  assert.match(verdict, new RegExp(`longer on rank 3 than on rank ${sides?.[1]}:`), 'it is the rank that the button offers');
  await visit.tab('advice');
  assert.equal(await visit.part('evidence-slow_rank').innerText(), 'rank 3');
  await visit.part('rank').selectOption('0');
  await visit.part('evidence-slow_rank').click();
  await visit.page.locator('[data-test="tab-overview"][aria-selected="true"]').waitFor();
  assert.equal(await visit.part('rank').inputValue(), '3');
  await visit.part('tile-step').waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('without a device, the first card says so, and nothing is said to idle', async () => {
  const slice = (/** @type {string} */ name, /** @type {string} */ cat, /** @type {number} */ ts, /** @type {number} */ dur) => ({
    ph: 'X',
    name,
    cat,
    pid: 1,
    tid: 1,
    ts,
    dur,
  });
  const step = (/** @type {number} */ index) => [
    slice(`ProfilerStep#${index}`, 'user_annotation', index * 1000, 1000),
    slice('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', 'user_annotation', index * 1000, 200),
    slice('aten::mm', 'cpu_op', index * 1000 + 300, 500),
  ];
  const file = written('budget/host.json', JSON.stringify({schemaVersion: 1, traceEvents: [0, 1, 2, 3, 4].flatMap(step)}));
  const visit = await here.visit();
  await visit.open(file);
  const {sentences} = summary('--by', 'budget', file).ranks[0].budget;
  assert.equal(sentences[0], 'The trace shows no device activity.');
  assert.match(sentences[1], /waiting for data: 20\.0 %/);
  assert.equal(await visit.text('budget-none'), sentences.join(' '));
  assert.equal(await visit.part('device-time').isVisible(), false, 'that is not said again');
  const {step: length, data_wait: wait} = await visit.tiles();
  assert.deepEqual(length, ['1.000 ms', 'as the step is marked']);
  assert.equal(wait[0], '20.0 %');
  assert.match(await visit.text('tile-data_wait'), /^Data loading/);
  await visit.tab('data');
  assert.equal((await visit.tiles()).steps.at(-1), 'for more than 5 % of the step');
  await visit.tab('advice');
  const advice = await visit.part('advice-dataloader').innerText();
  assert.match(advice, /num_workers/);
  assert.doesNotMatch(advice, /pin memory|onto the device|idle/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
