// Ranks whose traces were dropped from memory: they are read again when one is chosen, and exports are as if none were.

import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';

import {generated, stepscope, summary} from './lib/program.mjs';
import {openRanks, saved} from './lib/ranks.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';
import {drawn, watch} from './lib/timeline.mjs';

const here = site();
const large = generated('dropped-ranks/large', '--job', '8x2x4', '--seed', '5', '--steps', '3', '--slow', '21');
const small = generated('dropped-ranks/small', '--job', '2x2x2', '--seed', '5', '--steps', '5', '--slow', '3');

/** The program's summary of a folder, as it prints it of the files that the page names. @param {string} folder */
const printed = (folder) =>
  stepscope('summary', '--json', folder)
    .toString()
    .replaceAll(`${path.dirname(folder)}/`, '');

test('a rank whose trace was dropped comes back when it is chosen', async () => {
  const visit = await here.visit({query: '?memory=2'});
  await openRanks(visit, large);
  const last = 63;
  const {ranks} = summary(large);
  await visit.part('rank').selectOption(String(last));
  await visit.tab('overview');
  await visit.page.waitForFunction(() => document.querySelector('[data-test="tile-step"] .tile-value'));
  assertShows((await visit.tiles()).step[0], ranks[last].average.step_ns);
  await visit.tab('kernels');
  await visit.part('table-kernels').locator('.rows .row').first().waitFor();
  const kernels = await saved(visit, 'kernels');
  assert.deepEqual(kernels.map(({name}) => name).sort(), ranks[last].kernels.map((/** @type {any} */ row) => row.name).sort());
  await watch(visit);
  await visit.tab('timeline');
  assert.match(await visit.text('timeline-dropped'), /^\d+ of 64 ranks are in memory and drawn/);
  await visit.page.waitForFunction(() => [...document.querySelectorAll('[data-test="timeline-heads"] *')].some((head) => head.textContent === 'rank 63'));
  // From the table of ranks to a step of a rank dropped from memory, on the timeline.
  await visit.tab('ranks');
  await visit.page.locator('.table-box:has([data-test="table-ranks"]) [data-test="search"]').fill('rank40.json');
  await visit.part('table-ranks').locator('.rows .row').first().click();
  await visit.part('rank-step').click();
  await visit.page.waitForFunction(() => location.hash.includes('rank=40') && location.hash.includes('range='));
  await visit.page.waitForFunction(() => [...document.querySelectorAll('[data-test="timeline-heads"] *')].some((head) => head.textContent === 'rank 40'));
  assert.ok((await drawn(visit)).range);
  assert.equal(await visit.text('rereading'), '');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('while a dropped rank is read again, the page says why its numbers are not there yet', async () => {
  const visit = await here.visit({query: '?memory=2'});
  await openRanks(visit, large);
  await visit.page.evaluate(() => {
    const seen = /** @type {any} */ (window);
    seen.texts = [];
    new MutationObserver(() => {
      const notice = /** @type {HTMLElement | null} */ (document.querySelector('[data-test="reread"]:not([hidden])'));
      if (notice && document.querySelector('.panel.is-stale')) seen.texts.push(notice.textContent);
    }).observe(document.body, {subtree: true, childList: true, attributes: true});
  });
  await visit.part('rank').selectOption('63');
  await visit.page.waitForFunction(() => /** @type {any} */ (window).texts.length > 0 && !document.querySelector('.panel.is-stale'));
  const texts = /** @type {string[]} */ (await visit.page.evaluate(() => /** @type {any} */ (window).texts));
  assert.match(texts[0], /^The trace of rank 63 was dropped from memory, since .* limit\. It is read again/);
  assert.ok(await visit.part('reread').isHidden());
  await visit.close();
});

test('what is saved of dropped ranks is what the program prints', async () => {
  const visit = await here.visit({query: '?memory=0.2'});
  await openRanks(visit, small);
  assert.match(await visit.text('ranks-memory'), /^The traces of \d of 8 ranks/);
  const {bytes} = await visit.export('json');
  assert.ok(`${bytes}\n` === printed(small), 'the summary');
  const perfetto = await visit.export('perfetto.all');
  await visit.close();
  const all = await here.visit();
  await openRanks(all, small);
  assert.match(await all.text('ranks-memory'), /^The traces of all 8 ranks/);
  assert.deepEqual((await all.export('perfetto.all')).bytes, perfetto.bytes);
  await all.close();
});
