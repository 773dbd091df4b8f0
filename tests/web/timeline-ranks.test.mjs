// One timeline of several ranks: numbers are the shown rank's, and selections in another rank stay.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {act, click, drag, drawn, hashed, heads, openTimeline, until, watch, xOf, yOf} from './lib/timeline.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();
const ranks = [0, 1].map((rank) =>
  generated(`timeline/pair/rank${rank}.json`, '--seed', '99', '--groups', String(3 + rank), '--steps', '3', '--rank', String(rank), '--world', '2'),
);

/** The page's texts for a range and a search. @param {Visit} visit */
async function told(visit) {
  await visit.page.waitForFunction(() => document.querySelector('[data-test="range-pane"]')?.getAttribute('aria-busy') !== 'true');
  return {range: await visit.text('range-facts'), found: await visit.text('find-said')};
}

test('a rank that is chosen on another tab is the one that is told of', async () => {
  const visit = await here.visit();
  const scene = await openTimeline(visit, ...ranks);
  await visit.part('find').fill('class:kernel');
  await visit.page.waitForFunction(() => /\d/.test(document.querySelector('[data-test="find-said"]')?.textContent ?? ''));
  await drag(visit, [0.2 * scene.width, 150], [0.7 * scene.width, 150]);
  await until(visit, ({range}) => range !== null);
  await visit.part('range-facts').waitFor();
  const first = await told(visit);
  await visit.tab('overview');
  await visit.part('rank').selectOption('1');
  await visit.tab('timeline');
  await hashed(visit, 'rank', '1');
  const tells = (/** @type {{range: string, found: string}} */ wanted, equal = true) =>
    visit.page.waitForFunction(([wanted, equal]) => {
      const text = (/** @type {string} */ part) => /** @type {HTMLElement | null} */ (document.querySelector(`[data-test="${part}"]`))?.innerText;
      return (text('range-facts') === wanted.range && text('find-said') === wanted.found) === equal;
    }, /** @type {const} */ ([wanted, equal]));
  await tells(first, false);
  const second = await told(visit);
  // The same as where the rank is changed on the timeline itself.
  await visit.part('rank').selectOption('0');
  await tells(first);
  assert.deepEqual(await told(visit), first);
  await visit.part('rank').selectOption('1');
  await tells(second);
  assert.deepEqual(await told(visit), second);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a slice of another rank than the shown one stays chosen', async () => {
  const visit = await here.visit({viewport: {width: 1280, height: 1600}});
  await openTimeline(visit, ...ranks);
  await act(visit, 'rank:1', 'detail');
  const scene = await drawn(visit);
  const all = await heads(visit);
  const from = all.findIndex(({key}) => key === 'rank:1');
  const row = Number(
    all
      .slice(from + 1)
      .find(({key, title}) => key.startsWith('row:') && /stream/i.test(title))
      ?.key.slice(4),
  );
  for (let x = 5; x < scene.width; x += 20) {
    await click(visit, x, yOf(scene, row));
    if ((await drawn(visit)).selected.length) break;
  }
  const {selected} = await drawn(visit);
  assert.ok(selected.length > 0, 'a slice of rank 1');
  await hashed(visit, 'of', '1');
  const hash = await visit.page.evaluate(() => location.hash);
  await visit.page.reload();
  await watch(visit);
  await visit.open(...ranks);
  const again = await until(visit, ({selected}) => selected.length > 0);
  assert.equal(await visit.page.evaluate(() => location.hash), hash);
  assert.deepEqual([again.selected[0].start, again.selected[0].end], [selected[0].start, selected[0].end]);
  assert.ok(xOf(again, again.selected[0].start) >= 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a jump is followed once', async () => {
  const visit = await here.visit();
  await watch(visit);
  await visit.open(ranks[0]);
  await visit.tab('steps');
  await visit.page.locator('.rows .row').first().click();
  await visit.page.locator('[data-test="jump"]').first().click();
  await until(visit, ({range}) => range !== null);
  await visit.part('timeline-canvas').focus();
  await visit.page.keyboard.press('Escape');
  await visit.page.keyboard.press('f');
  const whole = await until(visit, ({range, start, end, whole}) => range === null && end - start >= whole);
  await hashed(visit, 'range', null);
  await visit.set('language', 'zh');
  await visit.page.waitForFunction(() => document.documentElement.lang.startsWith('zh'));
  const {range, start, end} = await drawn(visit);
  assert.deepEqual([range, start, end], [null, whole.start, whole.end]);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
