// A screen reader's walk: the verdict, a table and the timeline, as the accessibility tree has them, and the texts of live regions.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('read-out/trace.json.gz', '--seed', '66', '--groups', '20');

/** Lines without a name: a role that needs a name, and has none. @param {string} tree */
const nameless = (tree) =>
  tree
    .split('\n')
    .filter((line) => /^\s*- (button|link|img|heading|region|group|searchbox|combobox|checkbox|columnheader|application)( \[[^\]]*\])*:?$/.test(line));

test('the verdict: what is lost, what to do, and its evidence, by names that are no longer than needed', async () => {
  const visit = await here.visit();
  // The demo has a cause whose saving is known.
  await visit.part('demo').click();
  await visit.results();
  const tree = await visit.page.locator('#panel').ariaSnapshot();
  assert.deepEqual(nameless(tree), []);
  assert.match(tree, /- heading "Where the time goes" \[level=2\]/, 'the name of a heading has no link in it');
  const order = [
    /- heading "Where the time goes"/,
    /- paragraph: ["'\d].*%/,
    /- paragraph: Use more workers/,
    /- heading "Causes of lost time"/,
    /Show in the timeline: longest: /,
  ].map((part) => tree.search(part));
  assert.ok(
    order.every((at) => at >= 0),
    String(order),
  );
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    order,
    'they are read in this order',
  );
  for (const [, name] of tree.matchAll(/button "(Show in the timeline: longest[^"]*)"/g)) assert.ok(name.length < 140, name);
  // Numbers change far from the focus.
  await visit.part('step').selectOption('1');
  await visit.until('the step is said', async () => /^Step/i.test(await visit.text('said')));
  await visit.part('step').selectOption('');
  await visit.until('all steps are said', async () => /All steps/.test(await visit.text('said')));
  await visit.close();
});

test('a card of the overview is busy until its report comes', async () => {
  const visit = await here.visit();
  await visit.page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any[]} */ ...args) {
      const go = () => post.apply(this, /** @type {any} */ (args));
      if (args[0]?.argument?.topic === 'budget') Object.assign(window, {go});
      else go();
    };
  });
  await visit.part('demo').click();
  await visit.part('tile-step').waitFor();
  assert.equal(await visit.part('budget-card').getAttribute('aria-busy'), 'true');
  await visit.page.evaluate(() => /** @type {any} */ (window).go());
  await visit.results();
  assert.equal(await visit.part('budget-card').getAttribute('aria-busy'), null);
  assert.equal(await visit.page.getByRole('heading', {name: 'Where the time goes', level: 2}).count(), 1);
  await visit.close();
});

test('a table: headings, sorting, how many rows there are, and the row that is open', async () => {
  const visit = await here.visit();
  const {page} = visit;
  await visit.open(trace);
  await visit.tab('kernels');
  const table = visit.part('table-kernels');
  const tree = await table.ariaSnapshot();
  assert.deepEqual(nameless(tree), []);
  assert.match(tree, /^- table "Kernels":/);
  assert.match(tree, /columnheader "Total"/, 'the arrow is no part of the name');
  const all = Number(await table.getAttribute('aria-rowcount'));
  assert.equal(all, 1 + (await table.locator('.rows [role="row"]').count()));
  assert.equal(await table.locator('[aria-sort="descending"]').getAttribute('data-key'), 'total_ns');
  const said = table.locator('xpath=ancestor::*[contains(@class, "table-box")]').locator('[data-test="table-said"]');
  assert.equal(await said.getAttribute('role'), 'status');
  await table.locator('[data-test="sort-calls"]').click();
  assert.equal(await said.textContent(), 'Sorted by Calls, descending');
  await page.keyboard.press('Enter');
  assert.equal(await said.textContent(), 'Sorted by Calls, ascending');
  await table.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const row = table.locator('[aria-current="true"]');
  assert.equal(await row.getAttribute('aria-rowindex'), '3');
  const name = await row.locator('[role="cell"]').first().textContent();
  assert.equal(await said.textContent(), `${name}, row 2 of ${all - 1}. Details are below the table.`);
  assert.equal(await page.getByRole('region', {name: `Details: ${name}`}).count(), 1);
  await page.keyboard.press('Escape');
  assert.equal(await said.textContent(), '');
  await visit.close();
});

test('the timeline: what is seen, rows in their order, and what is selected', async () => {
  const visit = await here.visit();
  const {page} = visit;
  await visit.open(trace);
  await visit.tab('timeline');
  const canvas = page.getByRole('application');
  await canvas.waitFor();
  const seen = async () => (await visit.part('timeline-seen').textContent()) ?? '';
  assert.equal(await canvas.getAttribute('aria-describedby'), await visit.part('timeline-seen').getAttribute('id'));
  await visit.until('what is seen is said', async () => /^Shows .* to .* of .*\. Rows: \d+\. Steps, /.test(await seen()));
  const all = await seen();
  await visit.part('timeline-zoomin').click();
  await visit.until('another part is said', async () => (await seen()) !== all);
  assert.deepEqual(nameless(await visit.part('timeline').ariaSnapshot()), []);
  // Rows that come into view are read where they stand.
  const inOrder = () =>
    visit.part('timeline-heads').evaluate((heads) => {
      const tops = [...heads.querySelectorAll('[role="listitem"]')].map((head) => head.getBoundingClientRect().top);
      return tops.length > 3 && tops.every((top, index) => index === 0 || top > tops[index - 1]);
    });
  assert.ok(await inOrder());
  await canvas.hover();
  for (const by of [600, 600, -500, -700]) {
    await page.mouse.wheel(0, by);
    await page.waitForTimeout(150);
    assert.ok(await inOrder(), `after ${by}`);
  }
  // A live region announces the selected event.
  assert.equal(await visit.part('timeline-said').getAttribute('aria-live'), 'polite');
  await visit.part('find').fill('class:kernel');
  await visit.part('find').press('Enter');
  await visit.until('the hit is said', async () => /, from .*, in /.test((await visit.part('timeline-said').textContent()) ?? ''));
  const first = await visit.part('timeline-said').textContent();
  await canvas.press('ArrowRight');
  await visit.until('the next event is said', async () => (await visit.part('timeline-said').textContent()) !== first);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
