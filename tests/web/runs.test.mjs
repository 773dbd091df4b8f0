// Several runs that are open together: a list of them comes first, one opens alone, two are compared, and the way back leads to the list.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {assertAccessible} from './lib/accessible.mjs';
import {generated, scratch, stepscope, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const folder = scratch('runs');
fs.rmSync(folder, {recursive: true, force: true});
generated('runs/first', '--job', '2x1x1', '--seed', '5', '--steps', '3');
generated('runs/second', '--job', '2x1x1', '--seed', '6', '--steps', '4');

/** The cells of the list. @param {import('./lib/site.mjs').Visit} visit @returns {Promise<string[][]>} */
const rows = (visit) =>
  visit.part('runs-row').evaluateAll((all) => all.map((row) => [...row.children].slice(1).map((cell) => /** @type {HTMLElement} */ (cell).innerText)));

test('several runs are a list to choose from: one opens alone, and both ways back lead to the list', async () => {
  const printed = stepscope('summary', folder).toString();
  assert.match(printed, /^2 runs\./);
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  await visit.part('runs').waitFor();
  const first = await visit.page.evaluate(() => document.querySelector('.overview > section:not([hidden])')?.getAttribute('data-test'));
  assert.equal(first, 'runs', 'it is the first');
  assert.equal(await visit.part('job-card').isVisible(), false);
  await assertAccessible(visit, 'the list of runs');
  const list = await rows(visit);
  assert.deepEqual(
    list.map(([name, , framework, ranks, steps]) => [name, framework.split(' ')[0], ranks, steps]),
    [
      ['first/rank0.json and 1 more', 'PyTorch', '2', '3'],
      ['second/rank0.json and 1 more', 'PyTorch', '2', '4'],
    ],
  );
  // The average step is the one that the program prints.
  for (const [, , , , , average] of list) assert.ok(printed.includes(average.split(' – ')[0]), average);
  await visit.part('runs-open').nth(1).click();
  await visit.part('job-card').waitFor();
  assert.equal(await visit.part('runs').isVisible(), false);
  assert.equal(await visit.part('rank').locator('option').count(), 2, 'the other run is not there');
  await visit.tab('ranks');
  assert.match(await visit.text('ranks-facts'), /^2 of 2 ranks/);
  // The browser's way back leads to the tab before, and then to the list.
  await visit.page.goBack();
  await visit.part('job-card').waitFor();
  await visit.page.goBack();
  await visit.part('runs').waitFor();
  assert.equal(await visit.part('rank').locator('option').count(), 4);
  await visit.page.goForward();
  await visit.part('job-card').waitFor();
  assert.equal(await visit.part('rank').locator('option').count(), 2);
  assert.match(await visit.text('runs-back'), /All 2 runs/);
  await visit.part('runs-back').click();
  await visit.part('runs').waitFor();
  assert.equal(await visit.part('runs-back').isVisible(), false);
  assert.deepEqual(await rows(visit), list);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a run of the list that is grouped anew, or replaced and opened again, still leads to the list', async () => {
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  await visit.part('runs').waitFor();
  await visit.part('runs-open').nth(1).click();
  await visit.part('job-card').waitFor();
  await visit.part('files').click();
  const field = visit.part('files-rank').first();
  await field.fill('7');
  await visit.part('files-apply').click();
  await visit.part('rank').locator('option').filter({hasText: '7'}).waitFor({state: 'attached'});
  assert.match(await visit.text('runs-back'), /All 2 runs/);
  await visit.drop(path.join(folder, 'first', 'rank0.json'));
  await visit.part('replaced-reopen').click();
  await visit.part('rank').locator('option').filter({hasText: '7'}).waitFor({state: 'attached'});
  await visit.part('runs-back').click();
  await visit.part('runs').waitFor();
  assert.equal((await rows(visit)).length, 2);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** Writes a note on the first kernel of the shown rank. @param {import('./lib/site.mjs').Visit} visit @param {string} text */
async function note(visit, text) {
  await visit.tab('timeline');
  await visit.part('find').fill('class:kernel');
  await visit.part('find').press('Enter');
  await visit.page.waitForFunction(() => /event=\d+/.test(location.hash));
  await visit.part('notes').click();
  await visit.part('note-text').fill(text);
  await visit.part('note-text').press('Enter');
  await visit.page.keyboard.press('Escape');
}

/** The notes that the timeline lists. @param {import('./lib/site.mjs').Visit} visit */
async function noted(visit) {
  await visit.tab('timeline');
  await visit.part('notes').click();
  const texts = await visit.part('note').locator('.note-text').allInnerTexts();
  await visit.page.keyboard.press('Escape');
  return texts;
}

test('notes stay with the rank that they are on, from the list to a run alone and back', async () => {
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  await visit.part('runs').waitFor();
  // Both runs have a rank 0 and a rank 1.
  for (const [rank, text] of [
    ['0', 'first'],
    ['3', 'second'],
  ]) {
    await visit.part('rank').selectOption(rank);
    await note(visit, text);
  }
  assert.deepEqual(await noted(visit), ['first', 'second']);
  const {ranks} = JSON.parse(stepscope('summary', '--json', folder).toString());
  const run = (/** @type {number} */ rank) => ranks[rank].input.split('/').at(-2);
  assert.deepEqual([run(0), run(3)], ['first', 'second']);
  await visit.tab('overview');
  await visit.part('runs-open').nth(1).click();
  await visit.part('job-card').waitFor();
  assert.deepEqual(await noted(visit), ['second']);
  await visit.part('notes').click();
  await visit.part('note-remove').click();
  await visit.page.keyboard.press('Escape');
  await note(visit, 'written alone');
  await visit.part('runs-back').click();
  await visit.until('the list has all ranks', async () => (await visit.part('rank').locator('option').count()) === 4);
  await visit.tab('overview');
  await visit.part('runs').waitFor();
  assert.deepEqual(await noted(visit), ['first', 'written alone']);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('files that are added to a run of the list join it, and the way back leads to the list with them', async () => {
  const added = generated('runs-added/other.json.gz', '--seed', '9', '--steps', '2');
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  await visit.part('runs').waitFor();
  await visit.part('runs-open').nth(1).click();
  await visit.part('job-card').waitFor();
  await visit.letGo(added);
  await visit.replaced(() => visit.part('replace-add').click());
  const options = visit.part('rank').locator('option');
  await visit.until('the run has three ranks', async () => (await options.count()) === 3);
  assert.equal(await visit.text('runs-back'), '‹ All runs');
  await visit.part('runs-back').click();
  await visit.until('the list has all ranks', async () => (await options.count()) === 5);
  await visit.tab('overview');
  await visit.part('runs').waitFor();
  const names = (await rows(visit)).map(([name]) => name);
  assert.deepEqual(names, ['first/rank0.json and 1 more', 'other.json.gz', 'second/rank0.json and 1 more']);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the way back while a run is read leads to the list', async () => {
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  await visit.part('runs').waitFor();
  // The worker learns of the run only with the next request for the list.
  await visit.page.evaluate(() => {
    const {postMessage} = Worker.prototype;
    /** @type {any[]} */
    const held = [];
    Worker.prototype.postMessage = function (/** @type {any[]} */ ...message) {
      if (message[0].name !== 'regroup') return void postMessage.apply(this, /** @type {any} */ (message));
      held.push(message);
      if (held.length === 2) for (const one of held.splice(0)) postMessage.apply(this, one);
    };
  });
  await visit.part('runs-open').nth(1).click();
  await visit.page.locator('.loading').waitFor();
  await visit.page.goBack();
  await visit.part('runs').waitFor();
  assert.equal((await rows(visit)).length, 2);
  assert.equal(await visit.part('rank').locator('option').count(), 4);
  assert.equal(await visit.part('runs-back').isVisible(), false);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('two runs of the list are compared', async () => {
  const visit = await here.visit({locale: 'zh-CN'});
  await visit.drop(folder);
  await visit.results();
  await visit.part('runs').waitFor();
  assert.ok(await visit.part('runs-compare').isDisabled());
  for (const box of await visit.part('runs-pick').all()) await box.check();
  // By another definition the runs are the same, and still chosen.
  await visit.set('definition', 'hta');
  await visit.page.waitForFunction(() => document.querySelector('[data-test="definition-values"]')?.getAttribute('data-definition') === 'hta');
  await visit.settled();
  assert.deepEqual(await visit.part('runs-pick').evaluateAll((all) => all.map((one) => /** @type {HTMLInputElement} */ (one).checked)), [true, true]);
  await visit.part('runs-compare').click();
  await visit.part('tab-compare').waitFor();
  assert.equal(await visit.part('tab-compare').getAttribute('aria-selected'), 'true');
  // The later one of the list is shown, and compared with the earlier one.
  const chosen = (/** @type {string} */ part) => visit.part(part).locator('option:checked').innerText();
  await visit.until('the earlier one is the base', async () => (await chosen('compare-with')).includes('first/rank0.json'));
  const {ranks} = JSON.parse(stepscope('summary', '--json', folder).toString());
  const later = ranks.findIndex((/** @type {{input: string}} */ {input}) => input.endsWith('second/rank0.json'));
  assert.equal(await visit.part('rank').inputValue(), String(later));
  await visit.until('both are named', async () => /second.*first/.test(await visit.text('compare-verdict')));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('runs of which there are only tables are listed, and none is compared', async () => {
  const types = 'kernel_type,total_time,execution_frequency,percent\nCast,0.0125,3,1.25\n';
  for (const name of ['first', 'second']) written(`bare-runs/${name}/aicore_intermediate_0_type.csv`, types);
  const visit = await here.visit();
  await visit.drop(scratch('bare-runs'));
  await visit.part('tab-overview').waitFor();
  await visit.part('runs').waitFor();
  assert.equal((await rows(visit)).length, 2);
  assert.equal(await visit.part('runs-pick').count(), 0);
  assert.equal(await visit.part('runs-compare').isVisible(), false);
  assert.doesNotMatch(await visit.text('runs'), /compare/i);
  await visit.close();
});

test('one job has no list', async () => {
  const visit = await here.visit();
  await visit.drop(path.join(folder, 'first'));
  await visit.results();
  await visit.part('job-card').waitFor();
  assert.equal(await visit.part('runs').isVisible(), false);
  await visit.close();
});
