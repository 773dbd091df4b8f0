// Arrangements are undone and done again by keys: sorting, filters, columns and groups of tables, and notes.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {act, heads, openTimeline} from './lib/timeline.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();
const trace = generated('undo/trace.json.gz', '--seed', '64', '--groups', '20');

/** Longer than changes that are undone together follow each other, in ms. */
const PAUSE = 1100;

/** Arrangement of the visible table. @param {Visit} visit */
const arranged = (visit) =>
  visit.page.evaluate(() => {
    const table = [...document.querySelectorAll('.table-box')].find((one) => one.checkVisibility());
    const heads = [...(table?.querySelectorAll('[role="columnheader"]') ?? [])];
    return {
      heads: heads.map((head) => head.querySelector('.sort')?.textContent).join(),
      sort: heads.map((head) => head.getAttribute('aria-sort')).join(),
      filters: heads.map((head) => head.querySelector('input')?.value ?? '-').join(),
      search: /** @type {HTMLInputElement | null | undefined} */ (table?.querySelector('[data-test="search"]'))?.value,
      groups: table?.querySelectorAll('.of-group').length,
      count: table?.querySelector('[data-test="count"]')?.textContent,
    };
  });

test('changes of a table are undone one by one, and done again; a field undoes its own text', async () => {
  const visit = await here.visit();
  const {page} = visit;
  await visit.open(trace);
  await visit.tab('kernels');
  const table = page.locator('.table-box', {has: visit.part('table-kernels')});
  const part = (/** @type {string} */ name) => table.locator(`[data-test="${name}"]`);
  await part('table-kernels').focus();
  await page.keyboard.press('Control+z');
  assert.match(await visit.text('said'), /Nothing to undo/, 'what the page arranged is not undone');
  const states = [await arranged(visit)];
  const changes = [
    () => part('sort-calls').click(),
    async () => {
      await part('filters').click();
      await page.keyboard.press('Escape');
    },
    async () => {
      await part('filter-name').pressSequentially('gemm');
      await page.keyboard.press('Escape');
    },
    async () => {
      await part('columns').click();
      await part('column-calls').uncheck();
      await page.keyboard.press('Escape');
    },
    () => part('group-rows').selectOption('class'),
    async () => {
      await part('search').fill('bf16');
      await page.keyboard.press('Escape');
      await part('search').fill('nn');
    },
  ];
  for (const change of changes) {
    await page.waitForTimeout(PAUSE);
    await change();
    states.push(await arranged(visit));
  }
  for (const [index, state] of states.slice(1).entries()) assert.notDeepEqual(state, states[index], `change ${index} is seen`);
  // In a field, the key is the browser's.
  await part('search').press('Control+z');
  assert.equal((await arranged(visit)).groups, states.at(-1)?.groups);
  await part('search').fill('nn');
  await part('table-kernels').focus();
  let undone = 0;
  for (; JSON.stringify(await arranged(visit)) !== JSON.stringify(states[5]) && undone < 4; undone++) await page.keyboard.press('Control+z');
  assert.ok(undone > 0 && undone < 4, 'what is typed is undone at once');
  for (const state of states.slice(0, -2).reverse()) {
    await page.keyboard.press('Control+z');
    assert.deepEqual(await arranged(visit), state);
    assert.match(await visit.text('said'), /Undone: Kernels/);
  }
  for (const state of states.slice(1, -1)) {
    await page.keyboard.press('Control+Shift+z');
    assert.deepEqual(await arranged(visit), state);
  }
  assert.match(await visit.text('said'), /Done again: Kernels/);
  // Another tab's changes are its own.
  await visit.tab('steps');
  await page.locator('#panel').focus();
  await page.keyboard.press('Control+z');
  assert.match(await visit.text('said'), /Nothing to undo/);
  await visit.tab('kernels');
  assert.deepEqual(await arranged(visit), states[5]);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the grouping of operators and a note are undone', async () => {
  const visit = await here.visit();
  const {page} = visit;
  await visit.open(trace);
  await visit.tab('operators');
  await visit.part('grouping').selectOption('thread');
  await visit.part('merge').check();
  await visit.part('table-operators').focus();
  await page.keyboard.press('Control+z');
  assert.equal(await visit.part('grouping').inputValue(), 'name');
  assert.equal(await visit.part('merge').isChecked(), false);
  await page.keyboard.press('Control+y');
  assert.equal(await visit.part('grouping').inputValue(), 'thread');
  await visit.tab('timeline');
  await visit.part('find').fill('class:kernel');
  await visit.part('find').press('Enter');
  await page.waitForFunction(() => /event=\d+/.test(location.hash));
  await visit.part('notes').click();
  await visit.part('note-text').fill('slow');
  await visit.part('note-text').press('Enter');
  await page.keyboard.press('Escape');
  assert.match(await visit.text('notes'), /1/);
  await visit.part('timeline-canvas').press('Control+z');
  assert.equal(await visit.text('said'), 'Undone: Notes');
  assert.doesNotMatch(await visit.text('notes'), /1/);
  await visit.part('timeline-canvas').press('Control+Shift+z');
  assert.match(await visit.text('notes'), /1/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a hidden row of the timeline is brought back by its message, and by keys', async () => {
  const visit = await here.visit();
  await openTimeline(visit, trace);
  const all = await heads(visit);
  const [steps, activity] = ['Steps', 'Activity'].map((title) => all.find((head) => head.title === title)?.key ?? '');
  const without = (/** @type {string[]} */ ...hidden) => all.filter(({key}) => !hidden.includes(key));
  /** The rows that must be there: those below come up as others go. @param {ReturnType<typeof without>} expected */
  const assertRows = async (expected) => assert.deepEqual((await heads(visit)).slice(0, expected.length), expected);
  await act(visit, activity, 'hide');
  await assertRows(without(activity));
  assert.equal(await visit.text('message-text'), 'Activity is hidden.');
  await visit.part('message-undo').click();
  await assertRows(all);
  assert.equal(await visit.part('message').isVisible(), false);
  // It took back the change itself: nothing else is left to undo.
  await visit.part('timeline-canvas').press('Control+z');
  assert.match(await visit.text('said'), /Nothing to undo/);
  await visit.part('timeline-canvas').press('Control+Shift+z');
  await assertRows(without(activity));
  await visit.part('timeline-canvas').press('Control+z');
  await assertRows(all);
  // One by one, the last one first; hidden again, too.
  await act(visit, activity, 'hide');
  await act(visit, steps, 'hide');
  await assertRows(without(activity, steps));
  await visit.part('timeline-canvas').press('Control+z');
  await assertRows(without(activity));
  assert.equal(await visit.text('said'), 'Undone: Visibility of Steps');
  await visit.part('timeline-canvas').press('Control+z');
  await assertRows(all);
  await visit.part('timeline-canvas').press('Control+Shift+z');
  await assertRows(without(activity));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
