// The drawn graph of operators of MindSpore's parallel graph: boxes, choices, search, keys, and that names stay text.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {assertAccessible} from './lib/accessible.mjs';
import {written} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const LAYERS = 30;
const TAINT = '<img src="x" onerror="window.taken = 1">';

/** A file of the parallel strategy: layers of a network, and operators of an optimizer that all take the same. */
function strategy() {
  /** @type {object[]} */
  const node = [];
  const whole = (/** @type {number[]} */ values) => ({dtype: 'DT_TUPLE', values: values.map((value) => ({dtype: 'DT_INT64', intVal: String(value)}))});
  const add = (/** @type {string} */ scope, /** @type {string} */ opType, /** @type {string[]} */ inputs, /** @type {number[][]} */ ...parts) => {
    const name = String(node.length + 1);
    const attribute = parts.length ? [{name: 'gen_strategy', value: {dtype: 'DT_TUPLE', values: parts.map(whole)}}] : [];
    node.push({name, opType, scope, fullName: `${scope}/${opType}-op${name}`, input: inputs.map((name) => ({name})), attribute});
    return name;
  };
  let before = add('Default', 'GetNext', []);
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const scope = `Default/net/${layer}-Block`;
    const product = add(`${scope}/mlp`, 'MatMul', [before, 'weight'], [4, 1], [1, 8]);
    const sum = add(`${scope}/mlp`, 'AllReduce', [product]);
    before = add(scope, 'Add', [before, sum], [1, 1], [1, 1]);
  }
  before = add('Default/loss', `Loss${TAINT.replace('/', '')}`, [before]);
  for (let weight = 0; weight < 60; weight += 1) add('Default/optimizer', 'Adam', [before]);
  const config = {rankId: 0, stageId: 0, parallelType: 'semi_auto_parallel', stageDevices: [{dim: [{size: '0'}]}, {dim: [{size: '1'}]}]};
  return {count: node.length, file: written('strategy-graph/parallel_strategy_0.json', JSON.stringify({config, graph: {node}}))};
}

const {count, file} = strategy();

/** @param {import('playwright-core').BrowserContextOptions} [look] */
async function opened(look) {
  const visit = await here.visit(look);
  await visit.choose(file);
  const option = visit.part('recorded').locator('option', {hasText: /Parallel strategy|并行策略/});
  await visit.part('recorded').selectOption((await option.getAttribute('value')) ?? '');
  await visit.part('strategy-graph').waitFor();
  const box = (/** @type {string} */ name) => visit.part('strategy-graph-scope').filter({has: visit.page.locator('.strategy-graph-name', {hasText: name})});
  const operator = (/** @type {string} */ name) => visit.part('strategy-graph-operator').filter({hasText: name});
  /** Number of drawn operators; checks the graph's text against the buttons. */
  const drawn = async () => {
    const [, said, all] = /([\d ]+) of ([\d ]+) operators drawn/.exec(await visit.text('strategy-graph-said')) ?? [];
    assert.equal(Number(all), count);
    assert.equal(await visit.part('strategy-graph-operator').count(), Number(said));
    return Number(said);
  };
  return {visit, box, operator, drawn};
}

test('a box opens and closes, and says what is in it', async () => {
  const {visit, box, operator, drawn} = await opened();
  // The script of the graph comes with it.
  assert.ok(visit.requests.some((address) => address.endsWith('/strategy-graph.js')));
  assert.match(
    await visit.text('strategy-graph-legend'),
    new RegExp(`Split\\s*${LAYERS}\\s*Not split\\s*${LAYERS}\\s*Communication\\s*${LAYERS}\\s*No split recorded\\s*62`),
  );
  await visit.part('strategy-graph-close').click();
  assert.equal(await drawn(), 1);
  assert.match(await visit.text('strategy-graph-said'), new RegExp(`${count - 1} in closed boxes`));
  assert.equal(await visit.part('strategy-graph-close').isDisabled(), true);
  const net = box('net');
  assert.equal(await net.getAttribute('aria-expanded'), 'false');
  assert.match(
    (await net.getAttribute('title')) ?? '',
    new RegExp(`Default/net\\n${3 * LAYERS} operators: Split ${LAYERS}, Not split ${LAYERS}, Communication ${LAYERS}`),
  );
  await net.click();
  assert.equal(await net.getAttribute('aria-expanded'), 'true');
  assert.equal(await visit.page.locator('.strategy-graph-item:focus').innerText(), await net.innerText(), 'it keeps the focus');
  // Not all of it: the rest is on another page.
  assert.equal(await box('-Block').count(), 24);
  assert.match(await visit.text('strategy-graph-said'), /18 before or after those shown in an open box/);
  await visit.part('strategy-graph-later').click();
  assert.equal(await box('-Block').count(), LAYERS - 24);
  await box('29-Block').click();
  await operator('Add-op').waitFor();
  assert.equal(await drawn(), 2);
  await box('mlp').click();
  assert.equal(
    await operator('MatMul')
      .innerText()
      .then((text) => text.replace(/\s+/g, ' ')),
    'MatMul-op89 [[4, 1], [1, 8]]',
  );
  assert.equal(await operator('MatMul').getAttribute('data-kind'), 'split');
  assert.equal(await operator('Add').getAttribute('data-kind'), 'whole');
  assert.equal(await operator('AllReduce').getAttribute('data-kind'), 'communication');
  await net.click();
  assert.equal(await drawn(), 1);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('an operator that is chosen in the graph has its details, and leads to the list and back', async () => {
  const {visit, operator} = await opened();
  await operator('GetNext').click();
  const detail = visit.part('strategy-graph-detail');
  assert.match(await detail.locator('[data-test="strategy-chosen"]').innerText(), /GetNext\s+Default\/GetNext-op1/);
  assert.equal(await operator('GetNext').getAttribute('aria-pressed'), 'true');
  assert.ok((await visit.page.locator('.strategy-graph-line.is-lit').count()) > 0, 'its edges are marked');
  // Choosing the operator that takes its output opens that operator's boxes.
  await detail.locator('[data-test="strategy-node"]', {hasText: 'MatMul'}).click();
  assert.match(await detail.locator('[data-test="strategy-chosen"]').innerText(), /MatMul-op2\s+split as \[\[4, 1\], \[1, 8\]\]/);
  assert.equal(await operator('MatMul-op2').getAttribute('aria-pressed'), 'true');
  await visit.part('strategy-graph-list').click();
  const list = visit.part('strategy-operators').locator('[data-test="detail"]');
  await list.waitFor();
  assert.match(await list.innerText(), /MatMul-op2/);
  assert.equal(await detail.isVisible(), false, 'once is enough');
  // A row of the list is shown in the graph.
  await visit.part('strategy-operators').locator('[data-test="search"]').fill('Adam-op140');
  await visit.page.locator('[data-test="table-strategy-operators"] .row', {hasText: 'Adam-op140'}).click();
  assert.equal(await operator('Adam-op140').getAttribute('aria-pressed'), 'true');
  const isSeen = () =>
    operator('Adam-op140').evaluate((one) => {
      const [box, place] = [one, one.closest('.strategy-graph')].map((of) => /** @type {Element} */ (of).getBoundingClientRect());
      return box.top >= place.top && box.bottom <= place.bottom && box.left >= place.left && box.right <= place.right;
    });
  assert.equal(await isSeen(), true, 'it is in view');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a search marks boxes, and Enter opens those around what was found', async () => {
  const {visit, box, operator} = await opened();
  await visit.part('strategy-graph-close').click();
  const search = visit.part('strategy-graph-search');
  await search.fill('allreduce');
  assert.equal(await visit.text('strategy-graph-found'), `${LAYERS} found: Enter opens the first`);
  assert.match((await box('net').getAttribute('class')) ?? '', /is-found/);
  assert.doesNotMatch((await box('loss').getAttribute('class')) ?? '', /is-found/);
  await search.press('Enter');
  assert.equal(await operator('AllReduce-op3').getAttribute('aria-pressed'), 'true');
  await search.press('Shift+Enter');
  assert.equal(await visit.text('strategy-graph-found'), `${LAYERS} of ${LAYERS}`);
  assert.equal(await operator('AllReduce-op90').getAttribute('aria-pressed'), 'true');
  assert.match(await visit.text('strategy-graph-detail'), /AllReduce-op90/);
  await search.fill('no such operator');
  assert.match(await visit.text('strategy-graph-found'), /^0 found/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the graph is one stop of the tab key: arrows lead along edges, Enter opens and chooses', async () => {
  const {visit} = await opened();
  await visit.part('strategy-graph-close').click();
  const graph = visit.part('strategy-graph');
  assert.equal(await graph.locator('[tabindex="0"]').count(), 1);
  await visit.part('strategy-graph-search').focus();
  // The button that closes all boxes has nothing to do.
  await visit.page.keyboard.press('Tab');
  const focused = async () => (await graph.locator(':focus .strategy-graph-name').innerText()).trim();
  assert.equal(await focused(), 'GetNext-op1');
  await visit.page.keyboard.press('ArrowDown');
  assert.equal(await focused(), 'net');
  await visit.page.keyboard.press('Enter');
  assert.equal(await graph.locator(':focus').getAttribute('aria-expanded'), 'true');
  await visit.page.keyboard.press('ArrowDown');
  assert.equal(await focused(), '0-Block');
  await visit.page.keyboard.press('ArrowDown');
  assert.equal(await focused(), '1-Block');
  await visit.page.keyboard.press('ArrowUp');
  await visit.page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'GetNext-op1');
  await visit.page.keyboard.press('Enter');
  assert.match(await visit.text('strategy-graph-detail'), /GetNext/);
  assert.equal(await focused(), 'GetNext-op1');
  assert.equal(await graph.locator('[tabindex="0"]').count(), 1);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('names of operators stay text, the graph is accessible, and fits a narrow page', async () => {
  for (const look of [
    {viewport: {width: 1280, height: 900}, colorScheme: /** @type {const} */ ('light')},
    {viewport: {width: 400, height: 800}, colorScheme: /** @type {const} */ ('dark'), locale: 'zh-CN'},
  ]) {
    const {visit, operator} = await opened(look);
    await visit.part('strategy-graph-search').fill('onerror');
    await visit.part('strategy-graph-search').press('Enter');
    assert.ok((await operator('onerror').innerText()).includes(`Loss${TAINT.slice(0, 20)}`));
    assert.equal(await visit.page.locator('img[src="x"]').count(), 0);
    assert.equal(await visit.page.evaluate(() => 'taken' in window), false);
    await assertAccessible(visit, `the graph, ${look.colorScheme}`);
    assert.ok((await visit.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, 'the graph scrolls in its own place');
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  }
});

test('one stage is drawn at a time, by choice', async () => {
  // A job of two stages: the second rank's file has its own operators.
  const fixture = path.join(import.meta.dirname, '../fixtures/mindspore_tables/ascend_two_ranks/input');
  const {config, graph} = JSON.parse(fs.readFileSync(path.join(fixture, 'profiler/parallel_strategy_0.json'), 'utf8'));
  const [first] = graph.node;
  const second = {config: {...config, rankId: 1, stageId: 1}, graph: {node: [first, {...first, name: '2', opType: 'Receive', attribute: []}]}};
  const folder = path.join(path.dirname(file), 'stages');
  fs.cpSync(fixture, folder, {recursive: true});
  fs.writeFileSync(path.join(folder, 'profiler/parallel_strategy_1.json'), JSON.stringify(second));
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  await visit.tab('ranks');
  await visit.part('strategy-graph').waitFor();
  const names = await visit.part('strategy-of').locator('option').allInnerTexts();
  assert.deepEqual(
    names.map((name) => name.split(' · ').at(-1)),
    ['stage 0', 'stage 1'],
  );
  assert.match(await visit.text('strategy-graph-said'), /^1 of 1 operator drawn$/);
  await visit.part('strategy-of').selectOption({index: 1});
  await visit.until('the other one is drawn', async () => /^2 of 2 operators drawn$/.test(await visit.text('strategy-graph-said')));
  assert.equal(
    await visit
      .part('strategy-graph-legend')
      .innerText()
      .then((text) => text.replace(/\s+/g, ' ')),
    'Not split 1 Communication 1',
  );
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
