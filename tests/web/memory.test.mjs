// The memory tab: it shows the program's JSON; the curve is zoomed by pointer and keys.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, summary, written} from './lib/program.mjs';
import {assertShows, csvRecords} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('memory/trace.json.gz', '--seed', '81', '--steps', '5', '--groups', '30');
const memory = summary(trace).ranks[0].memory;

/** Memory that a graph plans to use, as MindSpore writes it: for each operator the live memory while it runs. */
const planned = written(
  'memory/memory_usage_details_0.json',
  JSON.stringify({
    0: {
      fp_start: 1,
      bp_end: 2,
      graph_id: 0,
      static_mem: 0.5,
      nodes: ['Conv', 'Relu', '<b>Mul</b>'].map((name, index) => ({node_name: name, node_id: index, size: 0.25, mem_change: 0.25})),
      lines: [0.75, 1.0, 0.75],
      breakdowns: [['Conv'], ['Conv', 'Relu'], ['Relu']].map((names) =>
        names.map((name) => ({tensor_name: `${name}:0`, size: 0.25, type: 'output', shape: '2,3', format: 'NCHW', data_type: 'float32'})),
      ),
    },
  }),
);

/** The values in a fact's tile. @param {import('./lib/site.mjs').Visit} visit @param {string} name */
async function fact(visit, name) {
  return (await visit.page.locator(`[data-test="memory-${name}"] .tile-value`).innerText()).trim();
}

/** The texts of the curves when they are drawn again, each with its place along the chart's width. @param {import('./lib/site.mjs').Visit} visit @returns {Promise<[string, number][]>} */
async function drawnTexts({page}) {
  await page.evaluate(() => {
    const drawn = /** @type {[string, number][]} */ ([]);
    const own = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (
      /** @type {string} */ text,
      /** @type {number} */ x,
      /** @type {number} */ y,
      /** @type {number | undefined} */ width,
    ) {
      if (this.canvas.closest('.curves')) drawn.push([text, x / this.canvas.width]);
      own.call(this, text, x, y, width);
    };
    Object.assign(globalThis, {drawn});
  });
  const {width, height} = page.viewportSize() ?? {width: 1280, height: 720};
  await page.setViewportSize({width: width - 60, height});
  await page.waitForFunction(() => /** @type {any} */ (globalThis).drawn.length > 2);
  return page.evaluate(() => /** @type {any} */ (globalThis).drawn);
}

/** Rows of the table that is shown, as saved. @param {import('./lib/site.mjs').Visit} visit */
async function saved(visit) {
  return csvRecords((await visit.saved(() => visit.part('save-csv').click())).bytes);
}

/** Number of pixels of that color in the curve's canvas. @param {import('./lib/site.mjs').Visit} visit @param {number[]} colour */
function pixels(visit, colour) {
  return visit.page.evaluate((wanted) => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.curves canvas'));
    const {data} = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200 && wanted.every((value, part) => Math.abs(data[at + part] - value) < 12)) found++;
    return found;
  }, colour);
}

test('tiles fill their lines at all widths', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('memory');
  await visit.part('memory-peak').waitFor();
  for (const width of [1600, 1280, 1000, 760, 400]) {
    await visit.page.setViewportSize({width, height: 800});
    const tops = await visit.page.locator('[data-test="memory-facts"] .tile').evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top));
    assert.equal(tops.length, 6);
    const lines = [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    assert.equal(new Set(lines).size, 1, `${width} px: ${lines}`);
  }
  await visit.close();
});

test('what the tab shows is what the program prints', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('memory');
  await visit.part('memory-peak').waitFor();
  const [place] = memory.places;
  assertShows(await fact(visit, 'peak'), place.allocated.peak_bytes);
  assertShows(await fact(visit, 'capacity'), place.capacity_bytes);
  const part = (await visit.page.locator('[data-test="memory-capacity"] .tile-more').innerText()).match(/[\d.]+ %/)?.[0] ?? '';
  assertShows(part, place.peak_share);
  assertShows(await fact(visit, 'reserved'), place.reserved.peak_bytes);
  assertShows(await fact(visit, 'unused'), place.fragmentation.max_bytes);
  assertShows(await fact(visit, 'blocks'), place.blocks.allocations);
  assertShows(await fact(visit, 'unreleased'), place.blocks.unreleased.bytes);
  assert.ok((await pixels(visit, [0, 114, 178])) > 200, 'a curve is drawn');
  assert.equal(await visit.part('memory-table').inputValue(), 'live', 'what is live at the peak comes first');
  await visit.part('memory-table').selectOption('operators');
  const operators = await saved(visit);
  assert.deepEqual(
    operators.map((row) => [row.name, Number(row.allocations), Number(row.net_bytes), Number(row.total_allocated_bytes)]).sort(),
    place.operators.map((/** @type {any} */ row) => [row.name ?? '', row.allocations, row.net_bytes, row.total_allocated_bytes]).sort(),
  );
  await visit.part('memory-table').selectOption('live');
  const live = await saved(visit);
  const known = place.live_at_peak.operators.length + Number(place.live_at_peak.from_before.bytes > 0) + 1;
  assert.equal(live.length, known);
  assert.equal(
    live.reduce((sum, row) => sum + Number(row.bytes), 0),
    place.allocated.peak_bytes,
  );
  await visit.part('memory-table').selectOption('blocks');
  const blocks = await saved(visit);
  assert.deepEqual(
    blocks.map((row) => Number(row.bytes)),
    place.blocks.largest.map((/** @type {any} */ block) => block.bytes),
  );
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the curve is zoomed by dragging, wheel and keys, and read under the pointer', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('memory');
  const frame = visit.page.locator('.curves .chart-frame');
  await frame.waitFor();
  await frame.scrollIntoViewIfNeeded();
  const reset = visit.part('curves-reset');
  assert.ok(await reset.isHidden());
  const box = await frame.boundingBox();
  assert.ok(box);
  const [left, right, middle] = [box.x + box.width * 0.4, box.x + box.width * 0.6, box.y + box.height / 2];
  await visit.page.mouse.move(left, middle);
  const tip = frame.locator('.tip');
  await tip.waitFor();
  const [, reserved, allocated] = (await tip.innerText()).split('\n');
  assert.match(reserved, /^Reserved: [\d.]+ MiB$/);
  assert.match(allocated, /^Allocated: [\d.]+ MiB$/);
  await visit.page.mouse.down();
  await visit.page.mouse.move(right, middle, {steps: 3});
  await visit.page.mouse.up();
  await reset.waitFor();
  // A double click shows all again.
  await visit.page.mouse.dblclick(left, middle);
  await reset.waitFor({state: 'hidden'});
  await frame.focus();
  await visit.page.keyboard.press('+');
  await reset.waitFor();
  await visit.page.keyboard.press('ArrowRight');
  assert.equal(await visit.part('step').inputValue(), '', 'the arrow moves the curve, and chooses no step');
  await reset.click();
  await reset.waitFor({state: 'hidden'});
  await visit.page.mouse.move(left, middle);
  await visit.page.keyboard.down('Control');
  await visit.page.mouse.wheel(0, -200);
  await visit.page.keyboard.up('Control');
  await reset.waitFor();
  // A step that is chosen is zoomed to.
  await reset.click();
  await visit.part('step').selectOption('2');
  await reset.waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("MindSpore's summary without its details shows what it has", async () => {
  const visit = await here.visit();
  await visit.choose(
    written('memory/memory_usage_summary_0.json', JSON.stringify({capacity: 32, peak_mem: 1.5, static_mem: 0.5, allocations: 3, deallocations: 3})),
  );
  await visit.part('results').waitFor();
  await visit.tab('memory');
  await visit.part('memory-static').waitFor();
  assert.deepEqual(await Promise.all(['peak', 'capacity', 'static'].map((name) => fact(visit, name))), ['1.50 GiB', '32.0 GiB', '512 MiB']);
  assert.match(await visit.text('memory-note'), /memory_usage_details/);
  assert.equal(await visit.page.locator('.curves .chart-frame').isVisible(), false, 'there is no curve');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("a graph's plan is shown over the order of execution", async () => {
  const visit = await here.visit();
  await visit.choose(planned);
  await visit.part('results').waitFor();
  await visit.tab('memory');
  await visit.part('memory-static').waitFor();
  assert.equal(await fact(visit, 'peak'), '1.00 GiB');
  assert.equal(await fact(visit, 'static'), '512 MiB');
  const tensors = await saved(visit);
  assert.deepEqual(tensors.map((row) => [row.name, row.first_index, row.last_index, row.format]).sort(), [
    ['Conv:0', '0', '1', 'NCHW'],
    ['Relu:0', '1', '2', 'NCHW'],
  ]);
  // The peak and the forward start are at the second of three operators, and the backward pass ends with the third.
  const texts = await drawnTexts(visit);
  const placeOf = (/** @type {string} */ label) => texts.find(([text]) => text === label)?.[1] ?? -1;
  const [start, end] = [placeOf('forward starts · peak'), placeOf('backward ends')];
  assert.ok(start > 0.3 && start < 0.5, JSON.stringify(texts));
  assert.ok(end > 0.8, JSON.stringify(texts));
  // The operator under the pointer, and the tensors that are live while it runs.
  const frame = visit.page.locator('.curves .chart-frame');
  const box = await frame.boundingBox();
  assert.ok(box);
  const place = /** @type {const} */ ([box.x + box.width * 0.25, box.y + box.height * 0.5]);
  await visit.page.mouse.move(...place);
  const tip = visit.page.locator('.curves .tip');
  await tip.waitFor();
  const lines = await tip.innerText();
  assert.match(lines, /0 · Conv/);
  assert.match(lines, /Operator: 256 MiB/);
  assert.match(lines, /Change: 256 MiB/);
  await visit.page.mouse.click(...place);
  await visit.part('memory-live').waitFor();
  assert.match(await visit.text('memory-live'), /0 · Conv/);
  assert.deepEqual(
    (await saved(visit)).map((row) => row.name),
    ['Conv:0'],
  );
  // By keys: the middle of what is shown.
  await frame.press('Enter');
  await visit.page.waitForFunction(() => document.querySelector('[data-test="memory-live"]')?.textContent?.includes('1 · Relu'));
  assert.equal((await saved(visit)).length, 2);
  await visit.part('memory-live-all').click();
  await visit.part('memory-live').waitFor({state: 'hidden'});
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a trace without memory has no such tab', async () => {
  const bare = written(
    'memory/bare.json',
    '{"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]}',
  );
  const visit = await here.visit();
  await visit.open(bare);
  assert.ok(!(await visit.tabs()).includes('memory'));
  await visit.close();
});
