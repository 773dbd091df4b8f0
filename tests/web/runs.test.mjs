// Several runs that are open together: a list of them comes first, one opens alone, two are compared, and the way back leads to the list.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {generated, scratch, stepscope} from './lib/program.mjs';
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

test('two runs of the list are compared', async () => {
  const visit = await here.visit({locale: 'zh-CN'});
  await visit.drop(folder);
  await visit.results();
  await visit.part('runs').waitFor();
  assert.ok(await visit.part('runs-compare').isDisabled());
  for (const box of await visit.part('runs-pick').all()) await box.check();
  await visit.part('runs-compare').click();
  await visit.part('tab-compare').waitFor();
  assert.equal(await visit.part('tab-compare').getAttribute('aria-selected'), 'true');
  await visit.until('both are compared', async () => (await visit.page.locator('.panel').innerText()).includes(path.join('first', 'rank0.json')));
  assert.deepEqual(visit.complaints, []);
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
