// Comparison with another rank and another trace: the page shows the program's output.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, stepscope, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';
import {watch} from './lib/timeline.mjs';

const here = site();
const [a, b, third] = [81, 82, 83].map((seed) => generated(`compare/run${seed}.json.gz`, '--seed', String(seed), '--steps', '5'));

/** One that takes a while to read; made when it is first wanted. */
const big = () => (bigTrace ??= generated('compare/big.json', '--bytes', '150000000'));
/** @type {string | undefined} */
let bigTrace;

/** The program's comparison. @param {...string} args */
const diff = (...args) => JSON.parse(stepscope('diff', '--json', ...args).toString());

/** @param {{name: string}} row */
const nameOf = (row) => row.name || '(no kernel, call or operator)';

/** Cells of the table's rows in view, the first one with the whole name. @param {import('./lib/site.mjs').Visit} visit @param {string} table */
function cells(visit, table) {
  return visit.page.evaluate(
    (table) =>
      [...document.querySelectorAll(`[data-test="table-${table}"] .rows [role="row"]`)].map((row) =>
        [...row.querySelectorAll('[role="cell"]')].map((cell, index) => (index ? '' : cell.getAttribute('title')) || (cell.textContent ?? '')),
      ),
    table,
  );
}

/** Opens a file to compare with. @param {import('./lib/site.mjs').Visit} visit @param {string} file */
async function other(visit, file) {
  const chooser = visit.page.waitForEvent('filechooser');
  await visit.part('compare.open').click();
  await (await chooser).setFiles(file);
}

/** A trace of steps that wait so long for data before they launch a kernel. @param {string} name @param {number} wait in µs */
function waiting(name, wait) {
  const length = wait + 500;
  const events = [0, 1, 2, 3].flatMap((step) => {
    const at = step * length;
    const call = {ph: 'X', pid: 1, tid: 1};
    return [
      {...call, cat: 'user_annotation', name: `ProfilerStep#${step}`, ts: at, dur: length},
      {...call, cat: 'user_annotation', name: 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', ts: at + 1, dur: wait},
      {...call, cat: 'cuda_runtime', name: 'cudaLaunchKernel', ts: at + wait + 5, dur: 4, args: {correlation: step + 1}},
      {ph: 'X', pid: 0, tid: 7, cat: 'kernel', name: 'gemm', ts: at + wait + 12, dur: 480, args: {stream: 7, correlation: step + 1}},
    ];
  });
  return written(name, JSON.stringify({schemaVersion: 1, deviceProperties: [], traceEvents: events}));
}

test('where a cause is gone, what was predicted for that and what was achieved is said as the program says it', async () => {
  const [slow, fast] = [waiting('compare/slow.json', 900), waiting('compare/fast.json', 2)];
  const {outcome} = diff(slow, fast);
  assert.deepEqual([outcome.verdict, outcome.cause.cause], ['as_predicted', 'data_pipeline']);
  const visit = await here.visit();
  await visit.open(fast);
  await visit.tab('compare');
  await other(visit, slow);
  await visit.part('table-contributions').waitFor();
  assert.equal(await visit.text('compare-outcome'), outcome.sentences.join(' '));
  await visit.part('compare-table').selectOption('causes');
  await visit.part('table-compared-causes').waitFor();
  assert.match((await cells(visit, 'compared-causes'))[0][0], /waiting for data/i);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('two jobs are compared as the program compares them, besides a rank of each', async () => {
  const job = (/** @type {string} */ name, /** @type {string[]} */ ...options) =>
    generated(`compare/${name}`, '--job', '4x1x1', '--seed', '5', '--steps', '4', ...options);
  const [slow, healthy] = [job('slow-job', '--slow', '2'), job('healthy-job')];
  const expected = diff(slow, healthy).job;
  assert.equal(expected.outcome.verdict, 'as_predicted');
  const visit = await here.visit();
  await visit.drop(healthy);
  await visit.results();
  await visit.tab('compare');
  await visit.letGo(slow);
  await visit.part('compare-job').waitFor();
  assert.equal(await visit.text('compare-job-outcome'), expected.outcome.sentences.join(' '));
  const said = await visit.text('compare-job-verdict');
  const [, shorter, longer] = /shorter step: (.*) \(mean of 4 ranks\) instead of (.*) \(mean of 4 ranks\) in the other/.exec(said) ?? [];
  assertShows(shorter, expected.step.b_ns);
  assertShows(longer, expected.step.a_ns);
  const rows = await cells(visit, 'compared-job-ranks');
  assert.deepEqual(
    rows.map(([rank]) => rank),
    ['rank 0', 'rank 1', 'rank 2', 'rank 3'],
  );
  expected.ranks.forEach((/** @type {any} */ {step_ns: step, own_ns: own}, /** @type {number} */ rank) => {
    const numbers = [step.b - step.a, step.b, step.a, own.b - own.a, own.b, own.a];
    numbers.forEach((number, column) => assertShows(rows[rank][column + 1].replace('+', ''), number, `rank ${rank}, column ${column}`));
  });
  const [cause] = await cells(visit, 'compared-job-causes');
  assert.deepEqual([cause[0], expected.causes[0].cause], [expected.causes[0].name, 'late_longer_kernels']);
  // Ranks of the open job are of one job.
  await visit.part('compare-with').selectOption('rank-1');
  await visit.part('compare-job').waitFor({state: 'hidden'});
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the waterfall adds up to the change of the step, however it is split', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.compare(a);
  await visit.settled();
  const found = diff(a, b);
  const parts = visit.part('waterfall-part');
  const value = visit.page.locator('.waterfall-total .waterfall-value');
  const [names, track] = await Promise.all(
    ['tbody th', '.waterfall-track'].map((part) =>
      visit.page
        .locator(`.waterfall ${part}`)
        .first()
        .evaluate((cell) => cell.clientWidth),
    ),
  );
  assert.ok(track > 1.5 * names, `the bars have ${track} px, their names ${names}`);
  for (const split of ['budget', 'categories', 'names']) {
    await visit.part('compare-split').selectOption(split);
    assert.ok((await parts.count()) > 3, split);
    if (split !== 'budget') {
      assertShows(await value.first().innerText(), found.step.a_ns, split);
      assertShows(await value.last().innerText(), found.step.b_ns, split);
    }
    // Each bar begins where the one before it ends; the last one ends where the total does.
    const ends = await visit.page.locator('.waterfall-bar').evaluateAll((bars) =>
      bars.map((bar) => {
        const {left, right} = bar.getBoundingClientRect();
        return {left, right, kind: bar.className.replace('waterfall-bar ', '')};
      }),
    );
    let at = ends[0].right;
    for (const {left, right, kind} of ends.slice(1, -1)) {
      const [from, to] = kind === 'worse' ? [left, right] : [right, left];
      // A bar that is too narrow to be seen is as wide as one that is.
      assert.ok(Math.abs(from - at) <= 3, `${split}: from ${from}, expected ${at}`);
      at = to;
    }
    assert.ok(Math.abs(at - ends[ends.length - 1].right) <= 3, split);
  }
  await visit.part('compare-split').selectOption('categories');
  const data = found.categories.find((/** @type {any} */ {category}) => category === 'dataloader').time.change_ns;
  const row = parts.filter({hasText: 'Data loading'});
  assertShows((await row.locator('.waterfall-value').innerText()).replace('+', ''), data, 'data loading');
  await visit.close();
});

test('the spread over steps says whether the change may be chance', async () => {
  const [slow, fast, near] = [waiting('compare/spread-slow.json', 900), waiting('compare/spread-fast.json', 2), waiting('compare/spread-near.json', 2)];
  const visit = await here.visit();
  await visit.open(fast);
  await visit.compare(slow);
  await visit.settled();
  assert.match(await visit.text('compare-spread'), /^Better.*do not overlap: the difference is more than the spread/s);
  assert.match((await visit.part('compare-verdict').getAttribute('class')) ?? '', /shorter/);
  await visit.part('compare-swap').click();
  await visit.settled();
  await visit.page.waitForFunction(() => /^Worse/.test(document.querySelector('[data-test="compare-spread"]')?.textContent ?? ''));
  await visit.part('compare-swap').click();
  await other(visit, near);
  await visit.page.waitForFunction(() => /as long in both/.test(document.querySelector('[data-test="compare-verdict"]')?.textContent ?? ''));
  assert.match((await visit.part('compare-verdict').getAttribute('class')) ?? '', /same/, 'neither color is shown');
  assert.match(await visit.text('compare-spread'), /^spread-fast: the median step takes.*may be chance/s);
  await visit.close();
});

test('kernels, families and functions are paired by name, as the program sums them', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.compare(a);
  const summary = (/** @type {string} */ file) => JSON.parse(stepscope('summary', '--json', file).toString()).ranks[0];
  const [before, after] = [summary(a), summary(b)];
  for (const [table, rows, key] of /** @type {const} */ ([
    ['kernels', 'kernels', 'name'],
    ['families', 'kernel_families', 'family'],
  ])) {
    await visit.part('compare-table').selectOption(table);
    await visit.part(`table-compared-${table}`).locator('.rows .row').first().waitFor();
    const calls = (/** @type {any} */ side) => side[rows].reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row.calls, 0);
    assert.ok(calls(before) > 0 && calls(after) > 0);
    const names = new Set([...before[rows], ...after[rows]].map((/** @type {any} */ row) => row[key]));
    assert.match(await visit.text('count'), new RegExp(`Rows: ${names.size}$`));
  }
  await visit.part('compare-table').selectOption('functions');
  await visit.part('table-compared-functions').locator('.rows .row').first().waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** A trace of an operator that launches a kernel, on a device. @param {string} file @param {string} device @param {string} operator @param {string} kernel */
function launching(file, device, operator, kernel) {
  const events = [
    {ph: 'X', pid: 1, tid: 1, cat: 'cpu_op', name: operator, ts: 0, dur: 60},
    {ph: 'X', pid: 1, tid: 1, cat: 'cuda_runtime', name: 'cudaLaunchKernel', ts: 10, dur: 4, args: {correlation: 1}},
    {ph: 'X', pid: 0, tid: 7, cat: 'kernel', name: kernel, ts: 20, dur: 30, args: {device: 0, stream: 7, correlation: 1}},
  ];
  return written(file, JSON.stringify({schemaVersion: 1, deviceProperties: [{id: 0, name: device}], traceEvents: events}));
}

test('the tab says that devices, operators or kernels are others', async () => {
  const of = (/** @type {string[]} */ ...names) => launching(`compare/${names.join('-').replaceAll(':', '')}.json`, names[0], names[1], names[2]);
  const visit = await here.visit();
  await visit.open(of('A100', 'aten::mm', 'sm80_gemm'));
  const note = async (/** @type {string} */ file, /** @type {string} */ part) => {
    await visit.tab('compare');
    await other(visit, file);
    await visit.page.waitForFunction((part) => document.querySelector('[data-test="compare-note"]')?.textContent?.includes(part), part);
    return visit.text('compare-note');
  };
  const kernels = await note(of('H100', 'aten::mm', 'sm90_gemm'), '(A100, H100)');
  assert.match(kernels, /Kernels that both sides have take 0\.0 % of the kernels' time/);
  assert.doesNotMatch(kernels, /different programs/);
  assert.equal(await visit.part('compare-table').inputValue(), 'families', 'the table that the text advises');
  await visit.part('table-compared-families').waitFor();
  assert.match(await note(of('H200', 'aten::conv2d', 'conv'), '(A100, H200)'), /Operators that both sides have take 0\.0 % .* different programs/);
  const same = await note(of('A100', 'aten::mm', 'sm80_gemm'), 'Steps averaged');
  await visit.page.waitForFunction(() => !/different programs/.test(document.querySelector('[data-test="compare-note"]')?.textContent ?? ''));
  assert.doesNotMatch(await visit.text('compare-note'), /devices differ|both sides have/, same);
  assert.equal(await visit.part('compare-table').inputValue(), 'contributions');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('tables of both sides are asked for once', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.compare(a);
  await visit.settled();
  await visit.page.evaluate(() => {
    const plain = Worker.prototype.postMessage;
    const of = /** @type {any} */ (globalThis);
    of.asked = 0;
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ ...rest) {
      if (JSON.stringify(message).includes('"topic":"selection"')) of.asked++;
      return plain.call(this, message, ...rest);
    };
  });
  for (const table of ['families', 'kernels', 'families']) {
    await visit.part('compare-table').selectOption(table);
    await visit.part(`table-compared-${table}`).locator('.rows .row').first().waitFor();
  }
  assert.equal(await visit.page.evaluate(() => /** @type {any} */ (globalThis).asked), 2, 'once of each side');
  await visit.close();
});

/** The last scenes of both sides, once they are drawn. @param {import('./lib/site.mjs').Visit} visit @returns {Promise<Record<'shown' | 'other', import('./lib/timeline.mjs').Scene & {origin: number}>>} */
async function aligned(visit) {
  // The page sends the scene to draw with its next frame.
  await visit.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await visit.page.waitForFunction(() => {
    const {aligned} = /** @type {any} */ (globalThis);
    return ['shown', 'other'].every((name) => {
      const canvas = /** @type {HTMLElement | null} */ (document.querySelector(`[data-test="${name}-canvas"]`));
      return canvas?.clientWidth && aligned?.[name]?.width === canvas.clientWidth && canvas.dataset.frame === String(aligned[name].frame);
    });
  });
  return visit.page.evaluate(() => /** @type {any} */ (globalThis).aligned);
}

test('a step of each side is drawn on one scale of time, aligned where the steps begin', async () => {
  const visit = await here.visit({viewport: {width: 1280, height: 1800}});
  await watch(visit);
  await visit.open(b);
  await visit.compare(a);
  await visit.settled();
  assert.equal(await visit.page.evaluate(() => /** @type {any} */ (globalThis).aligned), undefined, 'nothing is drawn before it is wanted');
  await visit.part('aligned').locator('summary').click();
  const steps = (/** @type {string} */ file) => JSON.parse(stepscope('summary', '--json', file).toString()).ranks[0].steps;
  const [other, shown] = [steps(a), steps(b)];
  for (const [first, second] of [
    [1, 2],
    [3, 0],
  ]) {
    await visit.part('aligned-step-shown').selectOption(String(first));
    await visit.part('aligned-step-other').selectOption(String(second));
    const lengths = {shown: shown[first].length_ns, other: other[second].length_ns};
    await visit.page.waitForFunction((lengths) => {
      const {aligned} = /** @type {any} */ (globalThis);
      return ['shown', 'other'].every((name) => aligned?.[name]?.step[1] - aligned?.[name]?.step[0] === lengths[/** @type {'shown'} */ (name)]);
    }, lengths);
    const scenes = await aligned(visit);
    const of = (/** @type {'shown' | 'other'} */ name) => [scenes[name].start - scenes[name].origin, scenes[name].end - scenes[name].origin];
    // Less than a ns apart: floats are rounded.
    assert.ok(
      of('shown').every((time, end) => Math.abs(time - of('other')[end]) < 1),
      'both have the same time from where their steps begin',
    );
    assert.ok(of('shown')[0] <= 0 && of('shown')[1] >= Math.max(lengths.shown, lengths.other));
    for (const name of /** @type {const} */ (['shown', 'other'])) assert.equal(scenes[name].step?.[0], scenes[name].origin);
    assert.ok(scenes.shown.clips[0].lines.length >= 3 && scenes.other.clips[0].lines.length >= 3);
  }
  // Both move and zoom together, by keys and pointer; the plain wheel scrolls the page.
  const window = async () => {
    const {shown, other} = await aligned(visit);
    assert.ok(Math.abs(shown.start - shown.origin - (other.start - other.origin)) < 1e-6 * (shown.end - shown.start));
    return {start: shown.start, length: shown.end - shown.start};
  };
  const before = await window();
  await visit.part('aligned-zoomin').click();
  const near = await window();
  assert.ok(Math.abs(near.length / before.length - 0.5) < 0.01);
  const canvas = await visit.part('other-canvas').boundingBox();
  assert.ok(canvas);
  const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
  await visit.page.mouse.move(x, y);
  await visit.page.mouse.down();
  await visit.page.mouse.move(x - 100, y, {steps: 3});
  await visit.page.mouse.up();
  const moved = await window();
  assert.ok(Math.abs(moved.start - near.start - (100 / canvas.width) * near.length) < 0.02 * near.length, 'the time follows the pointer');
  await visit.part('shown-canvas').focus();
  await visit.page.keyboard.press('f');
  assert.ok((await window()).length > near.length);
  // A click on the shown side goes to the event.
  const scene = (await aligned(visit)).shown;
  const box = await visit.part('shown-canvas').boundingBox();
  assert.ok(box);
  const tip = visit.page.locator('.timeline-tip').first();
  const heads = await visit.part('aligned-shown').locator('.aligned-head').allInnerTexts();
  const line = scene.clips[0].lines[heads.findIndex((head) => /stream/i.test(head))];
  const at = {x: 0, y: box.y + line.y + 6};
  for (let part = 0.05; part < 1; part += 0.05) {
    at.x = box.x + part * box.width;
    await visit.page.mouse.move(at.x, at.y);
    await visit.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    if (await tip.isVisible()) break;
  }
  await tip.waitFor();
  const name = await tip.locator('strong').innerText();
  await visit.page.mouse.click(at.x, at.y);
  await visit.page.waitForFunction(() => /tab=timeline/.test(location.hash) && /event=\d+/.test(location.hash));
  await visit.page.getByText(name, {exact: true}).first().waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('what is compared no more is drawn no more, and its worker stays ended', async () => {
  const visit = await here.visit();
  await watch(visit);
  await visit.open(b);
  await visit.compare(a);
  await visit.settled();
  await visit.part('aligned').locator('summary').click();
  await aligned(visit);
  await visit.hasWorkers(...SESSION, ...SESSION);
  await visit.part('compare.forget').click();
  await visit.page.getByText('Changes', {exact: true}).first().waitFor();
  // Another size and another theme are reasons to draw.
  await visit.page.setViewportSize({width: 900, height: 700});
  await visit.page.emulateMedia({colorScheme: 'dark'});
  await visit.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await visit.hasWorkers(...SESSION);
  // It is still open for the next trace, which has other canvases.
  await other(visit, third);
  await visit.part('table-contributions').waitFor();
  await visit.page.waitForFunction(() => document.querySelector('[data-test="other-canvas"]'));
  const {shown, other: beside} = await aligned(visit);
  assert.ok(Math.abs(shown.end - shown.start - (beside.end - beside.start)) < 1);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('two ranks of one worker are aligned, too', async () => {
  const ranks = [0, 1].map((rank) => generated(`compare/rank${rank}.json.gz`, '--seed', String(90 + rank), '--rank', String(rank)));
  const visit = await here.visit();
  await watch(visit);
  await visit.open(...ranks);
  await visit.tab('compare');
  await visit.part('compare-with').selectOption('rank-1');
  await visit.part('table-contributions').waitFor();
  await visit.part('aligned').locator('summary').click();
  const {shown, other} = await aligned(visit);
  assert.ok(Math.abs(shown.end - shown.start - (other.end - other.start)) < 1);
  const rows = (/** @type {typeof shown} */ scene) => scene.clips[0].lines.map(({row}) => row);
  assert.ok(rows(shown).length > 1 && !rows(shown).some((row) => rows(other).includes(row)), 'each side has the rows of its rank');
  // The timeline itself is drawn as before.
  await visit.tab('timeline');
  await visit.page.waitForFunction(() => Number(/** @type {HTMLElement | null} */ (document.querySelector('[data-test="timeline"]'))?.dataset.frame) > 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('another trace beside the shown one, as the program compares them', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('compare');
  await visit.page.getByText('Changes', {exact: true}).first().waitFor();
  await other(visit, a);
  await visit.part('table-contributions').waitFor();
  const found = diff(a, b);
  const rows = await cells(visit, 'contributions');
  const names = found.contributions.map(nameOf);
  assert.deepEqual(
    rows.slice(0, 10).map((row) => row[0]),
    names.slice(0, 10),
  );
  for (const [index, row] of rows.slice(0, 10).entries()) {
    const {time, calls} = found.contributions[index];
    assertShows(row[2].replace('+', ''), time.change_ns, row[0]);
    assertShows(row[3], time.b_ns, row[0]);
    assertShows(row[4], time.a_ns, row[0]);
    assert.deepEqual(row.slice(5, 7), [String(calls.b), String(calls.a)]);
  }
  const gemm = visit.page.locator('[data-test="table-contributions"] .rows [role="cell"]', {hasText: /^gemm NN/}).first();
  assert.match((await gemm.getAttribute('title')) ?? '', /gemm_/, 'kernels have short names');
  const sign = Math.sign(found.step.change_ns);
  assert.match(await visit.text('compare-verdict'), sign > 0 ? /longer|No clear/ : sign < 0 ? /shorter|No clear/ : /as long/);
  const {per_second: rate, unit} = found.throughput;
  const shown = (await visit.text('compare-throughput')).match(/^(Samples|Steps) per second: ([\d.,]+) \(.*\), ([\d.,]+) \(/);
  assert.equal(shown?.[1].toLowerCase(), unit);
  for (const [text, value] of [
    [shown?.[2], rate.b],
    [shown?.[3], rate.a],
  ])
    assert.ok(Math.abs(Number(String(text).replaceAll(',', '')) / value - 1) < 1e-3, `${text}: ${value}`);
  const parts = found.categories.filter((/** @type {any} */ {time}) => time.a_ns || time.b_ns);
  assert.equal(await visit.page.locator('.compare .chart .legend li').count(), parts.length, 'the chart has every category that takes time');
  // Neither is a rank of the other's trace: only one rank is shown, and can be exported.
  assert.equal(await visit.part('rank').isVisible(), false);
  for (const [table, name] of [
    ['operators', 'compared-operators'],
    ['phases', 'compared-phases'],
    ['pairs', 'compared-pairs'],
    ['causes', 'compared-causes'],
  ]) {
    await visit.part('compare-table').selectOption(table);
    await visit.part(`table-${name}`).waitFor();
    assert.ok((await cells(visit, name)).length > 1, table);
  }
  // Another one takes its place.
  await other(visit, third);
  const again = diff(third, b);
  await visit.part('compare-table').selectOption('contributions');
  await visit.page.waitForFunction(
    (name) => document.querySelector('[data-test="table-contributions"] .rows [role="cell"]')?.getAttribute('title') === name,
    nameOf(again.contributions[0]),
  );
  await visit.part('compare.forget').click();
  await visit.page.getByText('Changes', {exact: true}).first().waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('ranks of one drop are compared with each other', async () => {
  const ranks = [0, 1].map((rank) => generated(`compare/rank${rank}.json.gz`, '--seed', String(90 + rank), '--rank', String(rank)));
  const visit = await here.visit();
  await visit.open(...ranks);
  await visit.tab('compare');
  await visit.part('compare-with').selectOption('rank-1');
  await visit.part('table-contributions').waitFor();
  const found = diff(ranks[1], ranks[0]);
  assert.deepEqual((await cells(visit, 'contributions')).map((row) => row[0]).slice(0, 5), found.contributions.slice(0, 5).map(nameOf));
  // Neither is the one before: the first line and the headings name the ranks.
  assert.match(await visit.text('compare-verdict'), /(on rank 0 (than on|and .* on) rank 1|as long in both)/);
  assert.equal(await visit.page.locator('.compare-spread .badge').count(), 0);
  assert.equal(await visit.part('compare-outcome').isVisible(), false);
  const heads = await visit.page.locator('[data-test="table-contributions"] [role="columnheader"]').allInnerTexts();
  assert.deepEqual(heads.slice(3, 6), ['rank 0', 'rank 1', 'Calls, rank 0']);
  // The other way round once the other rank is shown: a rank is not compared with itself.
  await visit.part('rank').selectOption('1');
  await visit.page.getByText('Changes', {exact: true}).first().waitFor();
  await visit.close();
});

test('the sides are swapped: the differences are those of the other trace from the shown one', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('compare');
  assert.equal(await visit.part('compare-swap').isVisible(), false, 'there is no other side yet');
  await other(visit, a);
  await visit.part('table-contributions').waitFor();
  const verdict = await visit.text('compare-verdict');
  await visit.part('compare-swap').click();
  const found = diff(b, a);
  await visit.page.waitForFunction((verdict) => document.querySelector('[data-test="compare-verdict"]')?.textContent !== verdict, verdict);
  const sign = Math.sign(found.step.change_ns);
  assert.match(await visit.text('compare-verdict'), sign > 0 ? /(^run81 has the longer|^No clear)/ : /(^run81 has the shorter|^No clear)/);
  const heads = await visit.page.locator('[data-test="table-contributions"] [role="columnheader"]').allInnerTexts();
  assert.deepEqual(
    heads.slice(2, 5).map((head) => head.replace(/ [↑↓]$/, '')),
    ['Change', 'run81', 'run82'],
  );
  for (const [index, row] of (await cells(visit, 'contributions')).slice(0, 5).entries()) {
    const {time, calls, name} = found.contributions[index];
    assert.equal(row[0], nameOf({name}));
    assertShows(row[2].replace('+', ''), time.change_ns, row[0]);
    assertShows(row[3], time.b_ns, row[0]);
    assertShows(row[4], time.a_ns, row[0]);
    assert.deepEqual(row.slice(5, 7), [String(calls.b), String(calls.a)]);
  }
  assert.match(await visit.page.title(), /^run82/, 'the shown trace stays');
  await visit.part('compare-swap').click();
  await visit.page.waitForFunction((verdict) => document.querySelector('[data-test="compare-verdict"]')?.textContent === verdict, verdict);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a drop on the tab is compared, a drop elsewhere is opened', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('compare');
  await visit.drop(a);
  await visit.part('table-contributions').waitFor();
  assert.equal(await visit.page.title(), 'run82.json.gz – Stepscope');
  await visit.tab('overview');
  await visit.drop(third);
  await visit.page.waitForFunction(() => document.title.startsWith('run83'));
  await visit.tab('compare');
  await visit.page.getByText('Changes', {exact: true}).first().waitFor();
  await visit.close();
});

test('what cannot be read is told, and what was compared stays', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('compare');
  await other(visit, a);
  await visit.part('table-contributions').waitFor();
  await other(visit, written('compare/nothing.txt', 'no trace at all'));
  assert.match(await visit.problem(), /nothing\.txt/);
  assert.ok(await visit.part('table-contributions').isVisible());
  assert.equal(await visit.page.title(), 'run82.json.gz – Stepscope');
  await visit.close();
});

const SESSION = ['loaders/reader.js', 'session/worker.js'];

/** Names of the contributions in the program's output. @param {string} a @param {string} b */
const firstNames = (a, b) => diff(a, b).contributions.slice(0, 5).map(nameOf);

/** The first names of the table. @param {import('./lib/site.mjs').Visit} visit */
async function shownNames(visit) {
  await visit.part('table-contributions').waitFor();
  return (await cells(visit, 'contributions')).map((row) => row[0]).slice(0, 5);
}

test('what is compared has a worker of its own, which ends when it is forgotten', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('compare');
  await visit.hasWorkers(...SESSION);
  await other(visit, a);
  await visit.part('table-contributions').waitFor();
  await visit.hasWorkers(...SESSION, ...SESSION);
  await other(visit, third);
  await visit.page.waitForFunction(
    (name) => document.querySelector('[data-test="table-contributions"] .rows [role="cell"]')?.getAttribute('title') === name,
    nameOf(diff(third, b).contributions[0]),
  );
  await visit.hasWorkers(...SESSION, ...SESSION);
  await visit.part('compare.forget').click();
  await visit.page.getByText('Changes', {exact: true}).first().waitFor();
  await visit.hasWorkers(...SESSION);
  // A trace that replaces the shown one is compared with nothing.
  await other(visit, a);
  await visit.part('table-contributions').waitFor();
  await visit.choose(third);
  await visit.page.waitForFunction(() => document.title.startsWith('run83'));
  await visit.page.getByText('Changes', {exact: true}).first().waitFor();
  await visit.hasWorkers(...SESSION);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('reading what is compared tells how far it is, and can be cancelled', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('compare');
  here.gate.narrow();
  await visit.drop(big());
  const progress = visit.part('compare-progress');
  await progress.getByText(/[1-9].* \/ 1\d\d\.?\d* MiB/).waitFor();
  // A slow click: the progress changes many times between press and release.
  await visit.part('compare-cancel').click({delay: 400});
  await progress.waitFor({state: 'hidden'});
  await visit.hasWorkers(...SESSION);
  assert.equal(await visit.part('problem').count(), 0, 'cancelling is no problem');
  here.gate.open();
  await other(visit, a);
  assert.deepEqual(await shownNames(visit), firstNames(a, b));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the timeline goes on being drawn while another trace is read and analysed', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('timeline');
  await visit.page.waitForFunction(() => document.querySelector('[data-test="timeline"][data-frame]'));
  await visit.tab('compare');
  // In order: frames, and messages of the other trace's worker.
  await visit.page.evaluate(() => {
    const page = /** @type {any} */ (window);
    page.seen = [];
    page.Worker = class extends Worker {
      /** @param {string | URL} url @param {WorkerOptions} options */
      constructor(url, options) {
        super(url, options);
        this.addEventListener('message', ({data}) => page.seen.push(data.kind === 'progress' ? data.progress.stage : data.kind));
      }
    };
    document.addEventListener('drawn', () => page.seen.push('drawn'), true);
  });
  await visit.drop(big());
  await visit.openTab('timeline');
  // While the key is down, each frame differs.
  await visit.page.keyboard.down('w');
  await visit.page.waitForFunction(() => /** @type {any} */ (window).seen.includes('answer'), undefined, {timeout: 120_000});
  await visit.page.keyboard.up('w');
  /** @type {string[]} */
  const seen = await visit.page.evaluate(() => /** @type {any} */ (window).seen);
  const end = seen.indexOf('answer');
  const drawn = (/** @type {number} */ from) => seen.slice(from, end).filter((one) => one === 'drawn').length;
  const analysis = seen.lastIndexOf('analyzing', end);
  assert.ok(analysis > 0, 'it was told when reading ended');
  assert.ok(drawn(seen.indexOf('reading')) > 10, `${drawn(seen.indexOf('reading'))} frames in all`);
  // One worker for both could draw none while it analyses.
  assert.ok(drawn(analysis) >= 2, `${drawn(analysis)} frames during the analysis`);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the worker of what is compared dies while it reads: told, and the shown trace stays', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('compare');
  const session = await visit.worker('session/worker.js');
  here.gate.close();
  await visit.drop(big());
  await visit.part('compare-progress').getByText(/MiB/).waitFor();
  await visit.kill('session/worker.js', 1);
  here.gate.open();
  assert.match(await visit.problem(), /compared with is gone.*The shown trace stays.*made to fail/s);
  assert.equal(await visit.part('problem').getAttribute('data-code'), 'lost_aside');
  await visit.hasWorkers(...SESSION);
  assert.equal(await visit.worker('session/worker.js'), session);
  assert.equal(await visit.page.title(), 'run82.json.gz – Stepscope');
  await other(visit, a);
  assert.deepEqual(await shownNames(visit), firstNames(a, b));
  await visit.close();
});

test('the worker of what is compared dies afterwards: it is compared with nothing', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('compare');
  await other(visit, a);
  await visit.part('table-contributions').waitFor();
  await visit.kill('session/worker.js', 1);
  assert.match(await visit.problem(), /compared with is gone/);
  await visit.page.getByText('Changes', {exact: true}).first().waitFor();
  assert.equal(await visit.part('compare.forget').isVisible(), false);
  await visit.hasWorkers(...SESSION);
  await visit.tab('overview');
  await visit.part('tile-step').waitFor();
  await visit.close();
});

test("the shown trace's worker dies: what was compared stays, and is compared again", async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('compare');
  await other(visit, a);
  await visit.part('table-contributions').waitFor();
  await visit.kill('session/worker.js', 0);
  await visit.page.locator('[data-test="problem"][data-code="opened_again"]').waitFor();
  assert.deepEqual(await shownNames(visit), firstNames(a, b));
  assert.equal(await visit.page.title(), 'run82.json.gz – Stepscope');
  await visit.hasWorkers(...SESSION, ...SESSION);
  await visit.close();
});

test('shapes are told apart on both sides', async () => {
  const visit = await here.visit();
  await visit.open(b);
  await visit.tab('compare');
  await other(visit, a);
  await visit.part('table-contributions').waitFor();
  const found = diff(a, b, '--shapes');
  const names = found.contributions.slice(0, 5).map((/** @type {any} */ row) => [nameOf(row), row.shapes].filter(Boolean).join(' '));
  assert.notDeepEqual(await shownNames(visit), names, 'shapes make a difference');
  await visit.part('compare-shapes').click();
  await visit.until('shapes are shown', async () => (await shownNames(visit)).join('\n') === names.join('\n'));
  await visit.close();
});

/** A module that calls a layer for such a time, and one that only this trace has. @param {string} name @param {number} layer in µs @param {string} own */
function layers(name, layer, own) {
  const call = {ph: 'X', pid: 1, tid: layer, cat: 'python_function'};
  const events = [
    {...call, name: 'net.py(3): train', ts: 0, dur: 1000},
    {...call, name: 'nn.Module: Net_0', ts: 0, dur: 900},
    {...call, name: 'nn.Module: Linear_0', ts: 10, dur: layer},
    {...call, name: `nn.Module: ${own}`, ts: 500, dur: 100},
  ];
  return written(name, JSON.stringify({traceEvents: events}));
}

test('the flame graph of the change has the times of both sides, and says what only one of them has', async () => {
  const visit = await here.visit();
  await visit.open(layers('compare/modules-shown.json', 400, 'Relu_0'));
  await visit.compare(layers('compare/modules-other.json', 200, 'Gelu_0'));
  await visit.settled();
  await visit.part('changed').locator('summary').click();
  await visit.part('changed-graph').waitFor();
  await visit.part('changed-grouping').selectOption('modules');
  const graph = visit.part('changed').locator('.flame-scroll');
  await visit.until('modules are shown', async () => (await graph.getAttribute('data-boxes')) === '5');
  const found = async (/** @type {string} */ name) => {
    await visit.part('changed-search').fill(name);
    return (await visit.text('changed-found')).split(' · ').map((part) => part.replace(/^.*: /, ''));
  };
  const [shown, other, change] = await found('linear');
  assertShows(shown, 400_000);
  assertShows(other, 200_000);
  const [, grown, part] = /^\+(.*) \((.*)\)$/.exec(change) ?? [];
  assertShows(grown, 200_000);
  assertShows(part.replace('+', ''), 1);
  assertShows((await found('relu'))[1], 0);
  // Keys go from all threads to the model and its parts, by their width: the layer, and then those of one side.
  await visit.part('changed-graph').focus();
  const said = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) {
    await visit.page.keyboard.press(key);
    said.push(await visit.text('changed-one'));
  }
  assert.match(said[2], /^Linear_0 /);
  const one = said.slice(3).sort();
  assert.match(one[0], /^Gelu_0 only in modules-other: 100/);
  assert.match(one[1], /^Relu_0 only in modules-shown: 100/);
  // Around the layer: the model calls it, and it takes as much there.
  await visit.part('changed-layout').selectOption('sandwich');
  await visit.part('changed-name').fill('Linear_0');
  await visit.part('changed-name').press('Enter');
  assert.match(await visit.text('changed-one'), /^Linear_0 modules-shown: 400\D.* · modules-other: 200\D.* · Change: /);
  await visit.part('changed-graph').focus();
  await visit.page.keyboard.press('ArrowUp');
  assert.match(await visit.text('changed-one'), /^Net_0 calls of the name from this caller · modules-shown: 400\D.* · modules-other: 200\D/);
  await visit.part('changed-name').fill('Gelu_0');
  await visit.part('changed-name').press('Enter');
  assert.match(await visit.text('changed-one'), /^Gelu_0 only in modules-other: 100/);
  await visit.part('changed-layout').selectOption('stacks');
  // The other way round, sides keep their names.
  await visit.part('compare-swap').click();
  await visit.settled();
  const swapped = await found('linear');
  assertShows(swapped[0], 400_000);
  assert.match(swapped[2], /^[-−]/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
