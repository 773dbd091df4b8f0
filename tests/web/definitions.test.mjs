// The numbers as another tool defines them, wherever the page shows ours.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, summary} from './lib/program.mjs';
import {assertShows, csvRecords} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('definitions/trace.json.gz', '--seed', '95', '--steps', '6', '--groups', '12');

/** @param {import('./lib/site.mjs').Visit} visit @param {string} name */
async function choose(visit, name) {
  await visit.set('definition', name);
  await visit.page.waitForFunction((name) => document.querySelector('[data-test="definition-values"]')?.getAttribute('data-definition') === name, name);
}

test('tiles and device bars show what the chosen tool makes of them', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const bars = () => visit.page.locator('.chart').nth(1).boundingBox();
  const before = await bars();
  for (const name of ['hta', 'tracelens', 'tensorboard', 'paddle', 'mindspore']) {
    const {tiles, bar} = summary('--definition', name, trace).ranks[0].definition_values;
    await choose(visit, name);
    assert.equal(await visit.page.locator('.tile-theirs').count(), tiles.length, name);
    for (const tile of tiles) {
      const text = await visit.text(`theirs-${tile.name}`);
      assertShows(text.replace(/^.*: /, ''), tile.share ?? tile.time_ns, `${name} ${tile.name}`);
    }
    const now = await bars();
    assert.equal((now?.height ?? 0) > (before?.height ?? 0), Boolean(bar), `${name}: a bar of its own`);
  }
  await visit.set('definition', 'stepscope');
  await visit.page.locator('.tile-theirs').first().waitFor({state: 'detached'});
  await visit.close();
});

test("the table of steps has the chosen tool's categories where it knows steps", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await choose(visit, 'tensorboard');
  await visit.tab('steps');
  const [rank] = summary('--definition', 'tensorboard', trace).ranks;
  const rows = csvRecords((await visit.saved(() => visit.part('save-csv').first().click())).bytes);
  const theirs = new Map(rank.definition_values.steps.map((/** @type {any} */ step) => [step.name, step.values]));
  assert.equal(rows.length, theirs.size);
  let different = 0;
  for (const row of rows) {
    for (const [key, value] of Object.entries(theirs.get(row.name))) assert.equal(Number(row[`categories.${key}`]), value, `${row.name} ${key}`);
    const ours = rank.steps.find((/** @type {any} */ step) => step.name === row.name).categories;
    if (Object.keys(ours).some((key) => ours[key] !== Number(row[`categories.${key}`]))) different++;
  }
  assert.ok(different > 0, 'the plugin knows other categories than we');
  assert.match(await visit.text('steps-definition'), /TensorBoard/);
  await visit.set('definition', 'hta');
  await visit.page.getByText('defines nothing for a step').waitFor();
  const again = csvRecords((await visit.saved(() => visit.part('save-csv').first().click())).bytes);
  assert.equal(again.length, rank.steps.length);
  await visit.close();
});

test('the tab of kernels has the types of kernels that the chosen tool tells apart', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('kernels');
  assert.ok(await visit.part('kernel-types').isHidden());
  await visit.set('definition', 'hta');
  await visit.part('kernel-types').waitFor();
  const types = summary('--definition', 'hta', trace).ranks[0].definition_values.kernel_types;
  const rows = await visit.part('kernel-types').locator('dl > div').all();
  assert.equal(rows.length, types.length);
  for (const [index, row] of rows.entries()) {
    assert.equal(await row.locator('dt').innerText(), types[index].kernel_type);
    assertShows(await row.locator('dd').innerText(), types[index].sum_ns, types[index].kernel_type);
  }
  await visit.close();
});
