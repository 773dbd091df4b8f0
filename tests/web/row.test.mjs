// Rows looked into, charts of shares, the tab of idle times, the tab of steps: they show the program's numbers.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, summary, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('row/trace.json.gz', '--seed', '71', '--groups', '20', '--steps', '5');

/** Waits until a pane has its reports. @param {import('./lib/site.mjs').Visit} visit */
async function looked(visit) {
  await visit.page.locator('[data-test="row-pane"]:not([aria-busy])').waitFor();
}

/** Cells of a table of a few rows. @param {import('./lib/site.mjs').Visit} visit @param {string} name @returns {Promise<string[][]>} */
function cells(visit, name) {
  return visit
    .part(name)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
}

/** Whether anything is drawn on a canvas. @param {import('./lib/site.mjs').Visit} visit @param {string} inside */
async function isDrawn(visit, inside) {
  return visit.page
    .locator(`${inside} canvas`)
    .first()
    .evaluate((canvas) => {
      const {width, height} = /** @type {HTMLCanvasElement} */ (canvas);
      // A copy: the browser complains of pages that read their own canvases back.
      const copy = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
      copy?.drawImage(/** @type {HTMLCanvasElement} */ (canvas), 0, 0);
      const pixels = copy?.getImageData(0, 0, width, height).data ?? [];
      return new Set(new Uint32Array(/** @type {Uint8ClampedArray} */ (pixels).buffer)).size > 2;
    });
}

test('a row of each table is looked into: its slowest event is its longest, its first one the earliest', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const [rank] = summary(trace).ranks;
  for (const [tab, rows, longest] of /** @type {[string, any[], string][]} */ ([
    ['kernels', rank.kernels, 'max_ns'],
    ['copies', rank.copies, 'max_ns'],
    ['operators', rank.operators, 'host_max_ns'],
  ])) {
    await visit.tab(tab);
    for (const place of [0, rows.length - 1]) {
      const {name, calls, [longest]: length} = rows[place];
      await visit.part('search').first().fill(name);
      await visit.page
        .locator('.rows .row', {has: visit.page.getByTitle(name)})
        .first()
        .click();
      await looked(visit);
      const shown = await visit.part('detail').locator('dd').first().innerText();
      const row = rows.find((one) => one.name === shown);
      await visit.part('row-list').selectOption('slowest');
      const events = await cells(visit, 'row-events');
      assert.equal(events.length, Math.min(20, row.calls), `${tab} ${shown}`);
      assertShows(events[0][1], row === rows[place] ? length : row[longest], `${tab} ${shown}`);
      await visit.part('row-list').selectOption('first');
      const first = await cells(visit, 'row-events');
      assert.equal(first.length, events.length);
      assert.ok(calls > 0 && (await isDrawn(visit, '.histogram')) && (await isDrawn(visit, '.row-pane .chart')), `${tab} ${shown}`);
      for (const as of ['lines', 'bars']) await visit.part('row-as').selectOption(as);
      await visit.page.locator('[data-test="detail"] .close').click();
      await visit.part('search').first().fill('');
    }
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('what is chosen of a step is looked into there', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const [{steps}] = summary(trace).ranks;
  await visit.tab('kernels');
  await visit.part('step').selectOption('2');
  await visit.page.waitForFunction(() => document.querySelectorAll('.rows .row').length > 0);
  await visit.page.locator('.rows .row').first().click();
  await looked(visit);
  const events = await cells(visit, 'row-events');
  assert.ok(events.length > 0 && events.every((event) => event[2] === steps[2].name), 'every event is of the step');
  await visit.close();
});

test('operators of changing shapes show how much each shape takes in each step', async () => {
  const call = (/** @type {number} */ index) =>
    `{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":${index * 100 + 10},"dur":${20 + index},"args":{"Input Dims":[[${8 + (index % 2)}, 4]]}}`;
  const step = (/** @type {number} */ index) =>
    `{"ph":"X","cat":"user_annotation","name":"ProfilerStep#${index}","pid":1,"tid":1,"ts":${index * 100},"dur":90}`;
  const events = [0, 1, 2, 3].flatMap((index) => [step(index), call(index)]);
  const file = written('row/shapes.json', `{"schemaVersion":1,"deviceProperties":[],"traceEvents":[${events.join(',')}]}`);
  const visit = await here.visit();
  await visit.open(file);
  await visit.tab('operators');
  await visit.page.locator('.rows .row').first().click();
  await looked(visit);
  const legend = await visit.page.locator('.row-pane .legend li').allInnerTexts();
  assert.deepEqual(legend.sort(), ['[[8, 4]]', '[[9, 4]]']);
  assert.deepEqual(
    (await cells(visit, 'row-events')).map((event) => [event[3], event.at(-1)]),
    [
      ['3', '[[9, 4]]'],
      ['2', '[[8, 4]]'],
      ['1', '[[9, 4]]'],
      ['0', '[[8, 4]]'],
    ],
  );
  await visit.close();
});

test('shares are those of the rows that are shown, largest first; a click leads to the row', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const {kernels} = summary('--step', 'average', trace).ranks[0];
  await visit.tab('kernels');
  await visit.part('shares').selectOption('pie');
  await visit.part('shares-top').selectOption('5');
  const rows = () =>
    visit.page
      .locator('.pie-row')
      .evaluateAll((all) =>
        all.map((row) => [row.querySelector('.pie-name')?.getAttribute('title') ?? '', row.querySelector('.pie-value')?.textContent ?? '']),
      );
  const found = await rows();
  const all = kernels.reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row.total_ns, 0);
  assert.ok(kernels.length > 5);
  assert.equal(found.length, 6);
  for (const [index, [name, value]] of found.slice(0, 5).entries()) {
    assert.equal(name, kernels[index].name);
    const [time, share] = value.split(' · ');
    assertShows(time, kernels[index].total_ns, name);
    assertShows(share, kernels[index].total_ns / all, name);
  }
  assert.equal(found[5][0], `the other ${kernels.length - 5}`);
  assert.ok(await isDrawn(visit, '.pie'));
  await visit.page.locator('button.pie-row').nth(1).click();
  assert.equal(await visit.part('detail').locator('dd').first().innerText(), kernels[1].name);
  await visit.part('search').first().fill(kernels[2].name);
  assert.deepEqual(
    (await rows()).map(([name]) => name),
    [kernels[2].name],
  );
  await visit.part('search').first().fill('');
  await visit.part('shares').selectOption('bars');
  assert.ok(await isDrawn(visit, '.share-chart'));
  await visit.part('sort-calls').click();
  assert.equal(await visit.part('shares-of').inputValue(), 'calls', 'the shares are of what the table is sorted by');
  await visit.close();
});

test("the tab of idle times shows the program's classes, launches, queues and gaps", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('idle');
  await visit.part('section-queue').waitFor();
  // The classes are those of the average step, as the program's are with this option.
  const {launches, queues, idle} = summary('--step', 'average', trace).ranks[0];
  const times = idle.flatMap((/** @type {any} */ device) =>
    device.in_steps ? [device.in_steps] : [device, ...(device.streams.length > 1 ? device.streams : [])],
  );
  const rows = await cells(visit, 'idle-classes');
  assert.equal(rows.length, times.length);
  for (const [index, row] of rows.entries()) {
    const of = times[index];
    assertShows(row[1], of.window_ns);
    for (const [column, key] of ['busy_ns', 'host_wait_until_launch_ns', 'kernel_wait_ns', 'other_ns', 'unknown_ns'].entries()) {
      const [time, share] = row[column + 2].split(' · ');
      assertShows(time, of[key], key);
      assertShows(share, of[key] / of.window_ns, key);
    }
  }
  assertShows(await visit.text('launch-calls'), launches.calls);
  for (const key of ['short', 'slow', 'delayed', 'queued', 'before_first_activity', 'late'])
    assertShows((await visit.text(`launch-${key}`)).split(' (')[0], launches[key], key);
  const queued = await cells(visit, 'queues');
  assert.equal(queued.length, queues.length);
  for (const [index, row] of queued.entries()) {
    assertShows(row[2], queues[index].calls);
    assertShows(row[4], queues[index].waiting.max);
    assertShows(row[6], queues[index].in_flight.max);
  }
  const listed = idle.flatMap((/** @type {any} */ device) => device.long_gaps.longest);
  assert.ok(listed.length > 0);
  const sections = await visit.page.locator('[data-test^="section-"]').evaluateAll((all) => all.map((one) => one.getAttribute('data-test')));
  assert.deepEqual([sections[0], sections.at(-1)], ['section-idle.gaps', 'section-queue'], 'the gaps come first');
  const {y} = /** @type {{y: number}} */ (await visit.part('table-gaps').locator('.rows .row').first().boundingBox());
  assert.ok(y < 400, `the first gap is on the first screen, at ${y} px`);
  assert.match(await visit.part('section-idle.gaps').locator('[data-test="count"]').innerText(), new RegExp(`: ${listed.length}$`));
  const longest = await visit.part('table-gaps').locator('.rows .row').first().locator('.cell').allInnerTexts();
  assertShows(longest[5], Math.max(...listed.map((/** @type {any} */ gap) => gap.length_ns)));
  assert.ok(longest[2].includes(listed[0].host.shown_by.name), longest[2]);
  assert.ok((await isDrawn(visit, '[data-test="section-launch"] .histogram')) && (await isDrawn(visit, '[data-test="curves"]')));
  await visit.part('table-launches').locator('.rows .row').first().click();
  await looked(visit);
  assertShows((await cells(visit, 'row-events'))[0][1], launches.names[0].cpu_max_ns);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("thresholds change what is slow, late and long, as the program's options do", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('idle');
  await visit.part('section-queue').waitFor();
  assert.equal(await visit.part('threshold-slow_call').inputValue(), '50.00 µs');
  const options = {slow_call: '3 us', late: '0.01 ms', kernel_wait: '2us', long_gap: '10 µs'};
  const slow = visit.part('threshold-slow_call');
  await slow.fill(options.slow_call);
  await slow.press('Enter');
  await visit.part('threshold-late').fill('0.0');
  // The answer to the first one comes while the next is typed, and keeps the typed text.
  await visit.page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector('[data-test="threshold-slow_call"]')).value === '3.000 µs');
  assert.equal(await visit.part('threshold-late').inputValue(), '0.0');
  for (const [name, value] of Object.entries(options)) {
    await visit.part(`threshold-${name}`).fill(value);
    await visit.part(`threshold-${name}`).press('Enter');
  }
  await visit.page.locator('[data-test="report-why_idle"]:not([aria-busy])').waitFor();
  await visit.page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector('[data-test="threshold-long_gap"]')).value === '10.00 µs');
  const [{launches, idle}] = summary('--step', 'average', '--slow-call', '3us', '--late', '10us', '--kernel-wait', '2us', '--long-gap', '10us', trace).ranks;
  assertShows((await visit.text('launch-slow')).split(' (')[0], launches.slow);
  assertShows((await visit.text('launch-late')).split(' (')[0], launches.late);
  assert.ok(launches.slow > 0 && launches.slow < launches.calls);
  const heads = await visit.part('idle-classes').locator('thead td, thead th').allTextContents();
  const ofDevice = await visit.part('idle-classes').locator('tbody tr').first().locator('th, td').allTextContents();
  assertShows(ofDevice[heads.indexOf('Kernel wait')].split(' · ')[0], (idle[0].in_steps ?? idle[0]).kernel_wait_ns);
  await visit.part('threshold-late').fill('soon');
  await visit.part('threshold-late').press('Enter');
  assert.equal(await visit.part('threshold-late').getAttribute('aria-invalid'), 'true');
  await visit.part('threshold-reset').click();
  await visit.page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector('[data-test="threshold-slow_call"]')).value === '50.00 µs');
  assert.equal(await visit.part('threshold-late').getAttribute('aria-invalid'), 'false');
  assert.notEqual(await visit.part('threshold-late').inputValue(), 'soon');
  await visit.close();
});

test("the steps' tab shows the step trace, throughput, the critical path and what-ifs of the program", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('steps');
  const asked = summary('--by', 'critical', '--what-if', 'overlap', '--what-if', 'data', trace).ranks[0];
  const rank = {...summary(trace).ranks[0], ...asked};
  for (const key of ['total_ns', 'iteration_interval_ns', 'forward_and_backward_ns', 'tail_ns']) {
    assertShows(await visit.text(`step-trace-${key}`), rank.step_trace.average[key], key);
  }
  // Its three parts over the steps, as bars and as curves.
  for (const as of ['bars', 'lines']) {
    await visit.part('step-trace-as').selectOption(as);
    assert.ok(await isDrawn(visit, '[data-test="report-step_trace"]'), as);
  }
  assert.match(await visit.text('benchmark'), /steps\/s/);
  for (const of of ['phases_host', 'phases_device', 'categories']) {
    await visit.part('steps-of').selectOption(of);
    for (const as of ['lines', 'bars']) {
      await visit.part('steps-as').selectOption(as);
      assert.ok(await isDrawn(visit, '.steps-tab'), `${of} ${as}`);
    }
  }
  await visit.part('critical').locator('summary').first().click();
  await visit.part('table-critical').locator('.rows .row').first().waitFor();
  assert.ok(await isDrawn(visit, '.lane'));
  assertShows(
    await visit.part('table-critical').locator('.rows .row').first().locator('.cell').nth(3).innerText(),
    Math.max(...rank.critical_path.rows.map((/** @type {any} */ row) => row.total_ns)),
  );
  for (const change of ['overlap', 'data']) {
    await visit.part(`what-if-${change}`).click();
    await visit
      .part('what-if-results')
      .locator('tbody tr')
      .nth(change === 'overlap' ? 0 : 1)
      .waitFor();
  }
  for (const [index, row] of (await cells(visit, 'what-if-results')).entries()) {
    assertShows(row[2], rank.what_if[index].step_ns);
    assertShows(row[3], rank.what_if[index].new_step_ns);
  }
  const kernel = rank.kernels[0].name;
  await visit.part('what-if-kernel').fill(kernel);
  await visit.part('what-if-factor').fill('4');
  await visit.part('what-if-faster').click();
  await visit.part('what-if-results').locator('tbody tr').nth(2).waitFor();
  const [
    {
      what_if: [faster],
    },
  ] = summary('--what-if', `kernel=${kernel}:4`, trace).ranks;
  assertShows((await cells(visit, 'what-if-results'))[2][3], faster.new_step_ns);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("forward start and backward end are adjusted by hand as by the program's options", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('steps');
  const before = await visit.text('step-trace-forward_and_backward_ns');
  await visit.part('forward-start').fill('aten::addmm');
  await visit.part('forward-start').press('Enter');
  await visit.page.waitForFunction((text) => document.querySelector('[data-test="step-trace-forward_and_backward_ns"]')?.textContent !== text, before);
  const [{step_trace: named}] = summary('--fp-start', 'aten::addmm', trace).ranks;
  assert.equal(named.source, 'named');
  assertShows(await visit.text('step-trace-forward_and_backward_ns'), named.average.forward_and_backward_ns);
  assertShows(await visit.text('step-trace-iteration_interval_ns'), named.average.iteration_interval_ns);
  // An unknown name is reported, with similar names.
  await visit.part('forward-start').fill('Addmm_');
  await visit.part('forward-start').press('Enter');
  await visit.part('step-trace-unknown').waitFor();
  assert.match(await visit.text('step-trace-unknown'), /Addmm_\. Similar names: .*aten::addmm/);
  await visit.close();
});
