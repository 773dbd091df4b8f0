// The command palette: whatever there is, found by typing; by keys and by a screen reader.

import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';

import {environment, generated, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const trace = generated('palette/trace.json.gz', '--seed', '81', '--steps', '5');
const ranks = [0, 1].map((rank) => generated(`palette/rank${rank}.json`, '--rank', String(rank), '--world', '2', '--seed', String(rank + 5)));
const element = written(
  'palette/host/index.html',
  '<!doctype html><title>around</title><link rel="icon" href="data:,"><input><script type="module" src="/embedded/element.js"></script><stepscope-view src="trace.json.gz" style="height: 90vh"></stepscope-view>',
);
generated('palette/host/trace.json.gz', '--seed', '81');
const here = site({'/host/': path.dirname(element), '/embedded/': environment('STEPSCOPE_EMBEDDED')});

/** @typedef {import('./lib/site.mjs').Visit} Visit */

/** Text of the active option, as a screen reader reads it. @param {Visit} visit */
const active = (visit) =>
  visit.part('palette-input').evaluate((input) => {
    const option = document.getElementById(input.getAttribute('aria-activedescendant') ?? '');
    return option?.getAttribute('aria-selected') === 'true' ? option.innerText.replace(/\s+/g, ' ') : '';
  });

/** Opens it, types, and takes the first. @param {Visit} visit @param {string} query */
async function take(visit, query) {
  await visit.page.keyboard.press('Control+k');
  await visit.page.keyboard.type(query);
  await visit.page.keyboard.press('Enter');
  await visit.part('palette-dialog').waitFor({state: 'detached'});
}

const chosen = (/** @type {Visit} */ visit) => visit.page.locator('.tab[aria-selected="true"]').getAttribute('id');

test('views, steps, settings and exports are a few letters away, and the focus goes along', async () => {
  const visit = await here.visit();
  await visit.page.keyboard.press('Control+k');
  assert.equal(await visit.part('palette-dialog').count(), 0, 'nothing is open yet');
  await visit.open(trace);
  await take(visit, 'kern');
  assert.equal(await chosen(visit), 'tab-kernels');
  assert.ok(await visit.part('tab-kernels').evaluate((one) => one === document.activeElement));
  await take(visit, 'step 4');
  await visit.part('step').locator('option:checked', {hasText: 'Step 4'}).waitFor({state: 'attached'});
  await take(visit, 'theme dark');
  await visit.page.locator('html[data-theme="dark"]').waitFor();
  await take(visit, 'tensorboard');
  await visit.tab('overview');
  await visit.part('definition-values').waitFor();
  await take(visit, 'critical path');
  assert.equal(await chosen(visit), 'tab-steps');
  await visit.page.waitForFunction(() => {
    const heading = [...document.querySelectorAll('.panel h2')].find((one) => one.textContent?.startsWith('Critical path'));
    const box = heading?.getBoundingClientRect();
    return box && box.top >= 0 && box.bottom <= innerHeight;
  });
  // Cards that are not there are not offered.
  await visit.page.keyboard.press('Control+k');
  for (const title of ['Types of operators', 'Waterfall', 'Flame graph of the change']) {
    await visit.part('palette-input').fill(title);
    assert.equal(await visit.page.getByRole('option', {name: new RegExp(`^${title}`)}).count(), 0, title);
  }
  await visit.page.keyboard.press('Escape');
  await take(visit, 'notes');
  await visit.page.locator('details[open] > [data-test="notes"]').waitFor();
  const {name} = await visit.saved(() => take(visit, 'summary json'));
  assert.match(name, /\.stepscope\.json$/);
  await take(visit, 'html rep');
  await visit.page.getByRole('dialog').waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('ranks are chosen, and events and rows are found', async () => {
  const visit = await here.visit();
  await visit.open(...ranks);
  await take(visit, 'rank 1');
  await visit.page.waitForFunction(() => /** @type {HTMLSelectElement} */ (document.querySelector('[data-test="rank"]')).value === '1');
  await take(visit, 'gemm dur>1ns');
  await visit.part('timeline').waitFor();
  await visit.part('find-said').filter({hasText: /\d/}).waitFor();
  assert.equal(await visit.part('find').inputValue(), 'gemm dur>1ns');
  assert.equal(await visit.page.evaluate(() => document.activeElement?.getAttribute('data-test')), 'find', 'Enter moves between its hits');
  await visit.part('palette').click();
  await visit.page.keyboard.type('layer_norm');
  await visit.page.getByRole('option', {name: /Operators/}).click();
  await visit.part('table-operators').waitFor();
  assert.equal(await visit.part('search').inputValue(), 'layer_norm');
  await visit.close();
});

test('a screen reader hears what is chosen and how much is found; keys walk through it', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.part('palette').focus();
  await visit.page.keyboard.press('Enter');
  const input = visit.page.getByRole('combobox', {name: /view, step/});
  assert.ok(await input.evaluate((one) => one === document.activeElement));
  assert.equal(await input.getAttribute('aria-expanded'), 'true');
  assert.equal(await active(visit), 'Overview View');
  await visit.page.keyboard.press('ArrowDown');
  assert.equal(await active(visit), 'Steps View');
  await visit.page.keyboard.press('ArrowUp');
  await visit.page.keyboard.press('ArrowUp');
  const options = visit.page.getByRole('listbox').getByRole('option');
  const last = options.last();
  assert.equal(await last.getAttribute('aria-selected'), 'true', 'the last one comes before the first');
  const [box, list] = [await last.boundingBox(), await visit.page.getByRole('listbox').boundingBox()];
  assert.ok(box && list && box.y + box.height <= list.y + list.height + 1, 'it is in view');
  await visit.page.keyboard.type('copies');
  // Entries that only reports have come later.
  await visit.page.locator('[role="listbox"]:not([aria-busy])').waitFor();
  assert.match(await active(visit), /^Copies/);
  assert.equal(await visit.text('palette-said'), `Results: ${await options.count()}`);
  // None of the page's own keys: 1, /, ?.
  await visit.page.keyboard.type(' 1/?');
  assert.equal(await visit.page.getByRole('dialog').count(), 1);
  assert.equal(await chosen(visit), 'tab-overview');
  await visit.page.keyboard.press('Escape');
  assert.equal(await visit.page.getByRole('dialog').count(), 0);
  assert.ok(await visit.part('palette').evaluate((one) => one === document.activeElement), 'the focus comes back');
  await visit.close();
});

test('it takes no keys of text fields, and none outside of an element', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('operators');
  await visit.part('search').focus();
  await visit.page.keyboard.press('Control+k');
  assert.equal(await visit.part('palette-dialog').count(), 0);
  await visit.page.goto(`${here.origin}/host/`);
  await visit.part('tab-overview').waitFor();
  for (const around of ['input', 'body']) {
    await visit.page.locator(around).press('Control+k');
    await visit.page.locator(around).press('?');
    assert.equal(await visit.page.getByRole('dialog').count(), 0, around);
  }
  await visit.part('tab-overview').focus();
  await visit.page.keyboard.press('Control+k');
  await visit.part('palette-input').waitFor();
  await visit.page.keyboard.type('steps');
  await visit.page.keyboard.press('Enter');
  await visit.page.locator('[data-test="tab-steps"][aria-selected="true"]').waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('views are found by other words for what they show', async () => {
  const words = {
    en: {
      ...{flame: 'Flame graph of calls', families: 'Kernels by family', share: 'HTML report…', 'export step': 'Perfetto trace, every event'},
      ...{'gpu idle': 'Idle time', 'memory peak': 'Memory use', measure: 'Timeline', slowest: 'Operators', 'copy link': 'Copy link'},
    },
    zh: {火焰图: '调用的火焰图', 分享: 'HTML 报告…', 内存峰值: '内存使用', 测量: '时间线', 最慢: '算子'},
  };
  for (const [locale, expected] of [
    ['en-GB', words.en],
    ['zh-CN', words.zh],
  ]) {
    const visit = await here.visit({locale: /** @type {string} */ (locale)});
    await visit.open(trace);
    await visit.page.keyboard.press('Control+k');
    const found = [];
    for (const word of Object.keys(expected)) {
      await visit.part('palette-input').fill(word);
      found.push([word, await visit.page.locator('.palette-option .palette-text').first().innerText()]);
    }
    assert.deepEqual(Object.fromEntries(found), expected);
    await visit.part('palette-input').fill('');
    await visit.close();
  }
  const visit = await here.visit();
  await visit.open(trace);
  await visit.page.keyboard.press('Control+k');
  await visit.page.keyboard.type('live at the peak');
  // The report shows whether there is such a table.
  await visit.page.getByRole('option', {name: 'Live at the peak Memory use', exact: true}).click();
  await visit.page.locator('[data-test="tab-memory"][aria-selected="true"]').waitFor();
  await visit.until('the table is that of what is live', async () => (await visit.part('memory-table').inputValue()) === 'live');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('names of files stay text, and Chinese finds Chinese', async () => {
  const markup = '<img src=x onerror=window.taken=1>.json';
  const rows = JSON.stringify({schemaVersion: 1, traceEvents: [{ph: 'X', cat: 'cpu_op', name: 'aten::mm', pid: 1, tid: 1, ts: 1, dur: 2}]});
  const visit = await here.visit({locale: 'zh-CN'});
  await visit.hand([markup, rows]);
  await visit.results();
  await visit.page.keyboard.press('Control+k');
  await visit.page.keyboard.type('<img src=x onerror=window.taken=1>');
  await visit.part('palette-input').fill('时间');
  assert.match(await active(visit), /^时间线/);
  await visit.page.keyboard.press('Enter');
  await visit.part('timeline').waitFor();
  assert.equal(await visit.page.evaluate(() => 'taken' in window), false);
  await visit.close();
});

test('the language is changed from the palette, in either language', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const choose = async (/** @type {string} */ typed) => {
    await visit.page.keyboard.press('Control+k');
    await visit.part('palette-input').fill(typed);
    await visit.page.keyboard.press('Enter');
  };
  await choose('language 中文');
  await visit.page.waitForFunction(() => document.documentElement.lang.startsWith('zh'));
  await choose('language english');
  await visit.page.waitForFunction(() => document.documentElement.lang.startsWith('en'));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
