// The picture of the parallel layout: colors by a value, frames of ranks that share tensors, its keys.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, summary} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const small = generated('layout/small', '--job', '2x2x2', '--seed', '5', '--steps', '5', '--slow', '3');

test('ranks are colored by the chosen value, and those that share tensors are framed', async () => {
  const {job} = summary(small);
  const visit = await here.visit();
  await visit.drop(small);
  await visit.results();
  await visit.tab('ranks');
  await visit.part('strategy').waitFor();
  const frames = await visit.page.locator('.strategy-bundle').evaluateAll((all) => all.map((one) => [...one.children].map((rank) => Number(rank.textContent))));
  const tensor = job.groups.filter((/** @type {any} */ one) => one.parallel === 'tensor').map((/** @type {any} */ one) => one.ranks);
  assert.ok(tensor.length > 1);
  assert.deepEqual(frames.map(String).sort(), tensor.map(String).sort());
  assert.equal(await visit.page.locator('.strategy-stage').count(), job.stages.length);

  // The greatest value is the strongest, the least the palest.
  for (const key of ['own_ns', 'idle_ns']) {
    await visit.part('strategy-color').selectOption(key);
    const heats = await visit
      .part('strategy-rank')
      .evaluateAll((all) =>
        all.map((one) => [Number(one.textContent), Number.parseInt(/** @type {HTMLElement} */ (one).style.getPropertyValue('--heat'), 10)]),
      );
    const values = job.ranks.map((/** @type {any} */ row) => row[key]);
    const [least, range] = [Math.min(...values), Math.max(...values) - Math.min(...values)];
    assert.ok(range > 0, key);
    for (const [rank, heat] of heats) assert.equal(heat, Math.round((100 * (values[rank] - least)) / range), `${key} of rank ${rank}`);
  }

  // One stop of the tab key: arrows lead on, along a stage and to the next one, Enter to the rank's row.
  const [first, second] = job.stages.map((/** @type {any} */ one) => one.ranks);
  const picture = visit.part('strategy-stages');
  assert.equal(await picture.locator('[tabindex="0"]').count(), 1);
  await visit.part('strategy-color').focus();
  await visit.page.keyboard.press('Tab');
  const focused = () => picture.locator(':focus').innerText();
  assert.equal(await focused(), String(first[0]));
  await visit.page.keyboard.press('ArrowRight');
  assert.equal(await focused(), String(first[1]));
  await visit.page.keyboard.press('ArrowDown');
  assert.equal(await focused(), String(second[1]));
  assert.equal(await picture.locator('[tabindex="0"]').count(), 1);
  // The ranks with which it shares work are marked; it is none of them itself.
  const shares = (/** @type {any} */ {parallel, ranks}) => parallel !== null && ranks.includes(second[1]);
  const peers = new Set(job.groups.filter(shares).flatMap((/** @type {any} */ one) => one.ranks));
  peers.delete(second[1]);
  assert.deepEqual((await picture.locator('.is-peer').allInnerTexts()).sort(), [...peers].map(String).sort());
  await visit.page.keyboard.press('Enter');
  assert.equal(await visit.text('rank-open'), `Show rank ${second[1]} alone`);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
