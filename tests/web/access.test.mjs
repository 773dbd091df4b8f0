// Usable by keyboard alone and with a screen reader, readable in both themes and at both widths.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {assertAccessible} from './lib/accessible.mjs';
import {generated, thorough, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('access/trace.json.gz', '--seed', '81');
const other = generated('access/other.json.gz', '--seed', '84');
const job = generated('access/job', '--job', '2x1x2', '--seed', '62', '--steps', '5', '--slow', '1');
const profiler = path.join(import.meta.dirname, '../fixtures/mindspore_tables/ascend_two_ranks/input/profiler');
const profiled = fs.readdirSync(profiler).flatMap((name) => (/_1[._]/.test(name) ? [] : [path.join(profiler, name)]));

/** Tabs that the test opens by name. */
const SEEN = ['overview', 'steps', 'idle', 'operators', 'kernels', 'communication', 'copies', 'timeline', 'ranks', 'compare'];

/** Rules whose result may depend on theme and width. */
const BY_LOOK = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'meta-viewport'];

test('axe finds nothing wrong in any view, theme and width', async () => {
  for (const look of [
    {width: 1280, colorScheme: /** @type {const} */ ('light')},
    {width: 400, colorScheme: /** @type {const} */ ('dark')},
  ]) {
    const {width, colorScheme} = look;
    const visit = await here.visit({viewport: {width, height: 900}, colorScheme});
    const where = (/** @type {string} */ view) => `${view}, ${colorScheme}, ${width} px`;
    const assertFine = (/** @type {import('./lib/site.mjs').Visit} */ visit, /** @type {string} */ at) =>
      assertAccessible(visit, at, colorScheme === 'dark' && thorough.skip ? BY_LOOK : []);
    await assertFine(visit, where('empty'));
    await visit.choose(written('access/no-trace.txt', 'nothing'));
    await visit.problem();
    await assertFine(visit, where('a problem'));
    await visit.drop(job);
    await visit.results();
    await visit.part('step-map-line').first().waitFor();
    await visit.part('rank-part').locator('summary').first().click();
    await visit.part('tile-step').waitFor();
    await assertFine(visit, where('the overview of a job'));
    await visit.tab('ranks');
    for (const as of ['heat', 'bars']) {
      await visit.part('ranks-as').selectOption(as);
      await assertFine(visit, where(`ranks as ${as}`));
    }
    await visit.open(trace);
    await visit.letGo(trace);
    await visit.page.getByText('Dropped: trace.json.gz').waitFor();
    await assertFine(visit, where('a drop over a trace'));
    await visit.page.keyboard.press('Escape');
    await visit.part('replace').waitFor({state: 'detached'});
    for (const tab of ['overview', 'steps', 'idle', 'operators', 'kernels', 'copies']) {
      await visit.tab(tab);
      await assertFine(visit, where(tab));
      const row = visit.page.locator('.rows .row').first();
      if (tab === 'overview') {
        await visit.set('definition', 'tensorboard');
        await visit.part('definition-values').waitFor();
      } else await row.click();
      await assertFine(visit, where(`${tab}, opened up`));
    }
    await visit.tab('kernels');
    await visit.part('search').fill('no such row');
    await assertFine(visit, where('an empty table'));
    await visit.part('search').fill('');
    await visit.part('filters').click();
    await visit.part('filter-name').fill('> nothing');
    await assertFine(visit, where('filters'));
    await visit.part('filters').click();
    await visit.part('columns').click();
    await assertFine(visit, where('columns'));
    await visit.page.keyboard.press('Escape');
    await visit.tab('operators');
    await visit.part('group-rows').selectOption('class');
    await visit.part('group').first().click();
    await assertFine(visit, where('groups of rows'));
    await visit.part('group-rows').selectOption('');
    await visit.tab('timeline');
    await visit.part('find').fill('class:kernel');
    await visit.part('find-list').click();
    await visit.part('hit').first().waitFor();
    await visit.part('hit').first().click();
    await assertFine(visit, where('hits'));
    await visit.part('notes').click();
    await visit.part('note-text').fill('slow');
    await visit.part('note-text').press('Enter');
    await assertFine(visit, where('notes'));
    await visit.part('note-remove').click();
    await assertFine(visit, where('a note that was removed'));
    await visit.page.keyboard.press('Escape');
    for (const tab of (await visit.tabs()).filter((name) => !SEEN.includes(name))) {
      await visit.tab(tab);
      await assertFine(visit, where(tab));
      if (tab !== 'calls') continue;
      await visit.part('calls-layout').selectOption('sandwich');
      await assertFine(visit, where('calls around a name'));
      await visit.part('calls-name').fill('no such name');
      await visit.part('calls-name').press('Enter');
      await visit.part('calls-empty').waitFor();
      await assertFine(visit, where('calls without a name'));
    }
    await visit.compare(other);
    await visit.settled();
    await visit.part('aligned').locator('summary').click();
    await visit.part('other-canvas').waitFor();
    await assertFine(visit, where('a comparison'));
    await visit.part('compare-table').selectOption('families');
    await visit.settled();
    await assertFine(visit, where('a comparison by family'));
    await visit.tab('overview');
    await visit.part('export').click();
    await assertFine(visit, where('menu'));
    await visit.page.keyboard.press('Escape');
    await visit.part('more').click();
    await assertFine(visit, where('settings'));
    await visit.page.keyboard.press('Escape');
    await visit.page.keyboard.press('Control+k');
    await assertFine(visit, where('palette'));
    await visit.page.keyboard.type('no such thing');
    await assertFine(visit, where('palette, with finds alone'));
    await visit.page.keyboard.press('Escape');
    await visit.page.keyboard.press('?');
    await visit.page.getByRole('dialog').waitFor();
    await assertFine(visit, where('help'));
    await visit.page.keyboard.press('Escape');
    await visit.part('files').click();
    await visit.page.getByRole('dialog').waitFor();
    await assertFine(visit, where('files'));
    await visit.page.reload();
    await visit.part('last').waitFor();
    await assertFine(visit, where('what was open before'));
    await visit.close();
  }
});

test('axe finds nothing wrong in what a profiler of MindSpore wrote', async () => {
  for (const look of [
    {viewport: {width: 400, height: 800}, colorScheme: /** @type {const} */ ('dark')},
    {viewport: {width: 640, height: 800}, colorScheme: /** @type {const} */ ('light'), deviceScaleFactor: 2},
  ]) {
    const visit = await here.visit(look);
    await visit.open(...profiled);
    for (const tab of ['overview', 'steps']) {
      await visit.tab(tab);
      await visit.part('step-picture').filter({visible: true}).first().waitFor();
      if (tab === 'overview') await visit.part('operator-types-all').waitFor();
      await assertAccessible(visit, `${tab} of MindSpore, ${look.viewport.width} px`);
    }
    await visit.close();
  }
});

test('the focus goes through the page in the order in which one reads, and is always seen', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.page.locator('.skip').focus();
  const order = ['skip'];
  for (let presses = 0; presses < 60; presses++) {
    await visit.page.keyboard.press('Tab');
    const {name, seen} = await visit.page.evaluate(() => {
      const element = /** @type {HTMLElement} */ (document.activeElement);
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      return {
        name: element.dataset.test ?? (element.id || element.className || element.tagName),
        seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && box.width > 0 && box.left >= 0,
      };
    });
    if (name === 'BODY' || name === 'skip') break;
    assert.ok(seen, `${name} shows no focus`);
    // Not every page is shipped with the book.
    if (name !== 'book') order.push(name);
  }
  const tiles = ['step', 'device_busy', 'exposed_communication', 'data_wait', 'idle'].map((name) => `tile-${name}`);
  const expected = [
    'skip',
    'brand',
    'open',
    'step',
    'palette',
    'files',
    'export',
    'more',
    'help',
    'group-summary',
    'tab-overview',
    'panel',
    'budget-branch-compute',
  ];
  assert.deepEqual(order.slice(0, expected.length), expected);
  const after = order.slice(expected.length).filter((name) => name === 'advice-more' || tiles.includes(name));
  assert.deepEqual(after, ['advice-more', ...tiles], 'the budget, what to fix first, then the tiles');
  await visit.close();
});

test('a formula is shown on hover and on focus', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  for (const name of ['step', 'device_busy', 'exposed_communication', 'data_wait', 'idle']) {
    const tile = visit.part(`tile-${name}`);
    const formula = tile.getByRole('tooltip', {includeHidden: true});
    await visit.page.mouse.move(5, 5);
    assert.equal(await formula.isVisible(), false, name);
    await tile.hover();
    assert.ok(await formula.isVisible(), name);
    assert.ok((await formula.innerText()).length > 20);
    const box = await formula.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 1280, `${name}: the formula is on the screen`);
    await visit.page.mouse.move(5, 5);
    await tile.focus();
    assert.ok(await formula.isVisible(), name);
    await tile.blur();
  }
  await visit.close();
});

test('groups are one stop, as are the tabs of one, walked through by arrows, and keep the focus', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  assert.equal(await visit.page.locator('[role="tab"][tabindex="0"]').count(), 2);
  const chosen = visit.page.locator('[role="tab"][aria-selected="true"]');
  const walk = async (/** @type {[key: string, chosen: string[]][]} */ moves, /** @type {number} */ row) => {
    for (const [key, expected] of moves) {
      await visit.page.keyboard.press(key);
      assert.deepEqual(await chosen.allInnerTexts(), expected, key);
      assert.ok(await chosen.nth(row).evaluate((one) => one === document.activeElement), `${key}: it has the focus`);
    }
  };
  await visit.part('group-summary').click();
  await walk(
    [
      ['ArrowRight', ['Timeline']],
      ['ArrowRight', ['Compute', 'Operators']],
      ['ArrowRight', ['Idle & host', 'Idle time']],
      ['End', ['Compare']],
      ['ArrowRight', ['Summary', 'Overview']],
      ['ArrowLeft', ['Compare']],
      ['Home', ['Summary', 'Overview']],
      ['3', ['Compute', 'Operators']],
    ],
    0,
  );
  await visit.page.keyboard.press('Tab');
  await walk(
    [
      ['ArrowRight', ['Compute', 'Kernels']],
      ['ArrowRight', ['Compute', 'Modules']],
      ['ArrowRight', ['Compute', 'Communication']],
      ['ArrowRight', ['Compute', 'Operators']],
      ['End', ['Compute', 'Communication']],
    ],
    1,
  );
  const before = await visit.part('tab-timeline').elementHandle();
  await visit.part('tab-timeline').click();
  assert.ok(await before?.evaluate((one) => one.isConnected && one === document.activeElement), 'the tab is the same element');
  await visit.page.keyboard.press('3');
  assert.deepEqual(await chosen.allInnerTexts(), ['Compute', 'Communication'], 'a group opens as it was left');
  await visit.close();
});

test('help opens by its key and by its button, and gives the focus back', async () => {
  const visit = await here.visit();
  const dialog = visit.page.getByRole('dialog');
  await visit.page.setViewportSize({width: 1280, height: 420});
  await visit.part('help').focus();
  await visit.page.keyboard.press('Enter');
  await dialog.waitFor();
  assert.equal(await dialog.evaluate((one) => one.scrollTop), 0, 'its beginning is in view');
  const words = await dialog.innerText();
  for (const said of [/search the table/, /On the timeline/, /fit the selection/, /follow an arrow/, /two fingers zoom/]) assert.match(words, said);
  await visit.page.keyboard.press('Escape');
  await dialog.waitFor({state: 'detached'});
  assert.ok(await visit.part('help').evaluate((one) => one === document.activeElement));
  await visit.page.keyboard.press('?');
  await dialog.waitFor();
  await visit.page.keyboard.press('?');
  assert.equal(await dialog.count(), 1, 'one help is enough');
  await dialog.getByRole('button').click();
  assert.equal(await dialog.count(), 0);
  await visit.close();
});

test('everything can be done by keys: from opening the demo to a search and an export', async () => {
  const visit = await here.visit();
  const press = async (/** @type {string} */ key, times = 1) => {
    for (let time = 0; time < times; time++) await visit.page.keyboard.press(key);
  };
  await visit.part('choose').focus();
  await press('Tab', 2);
  await press('Enter');
  await visit.results();
  await press('/');
  await visit.page.keyboard.type('layer_norm');
  assert.match(await visit.text('count'), /of/);
  await press('Escape', 2);
  await visit.part('export').focus();
  await press('Enter');
  await press('Tab', 3);
  const {name} = await visit.saved(() => press('Enter'));
  assert.equal(name, 'demo.stepscope.json');
  assert.ok(await visit.part('export').evaluate((one) => one === document.activeElement), 'the menu gives the focus back');
  await visit.close();
});

test('motion is reduced where that is asked for', async () => {
  const visit = await here.visit({reducedMotion: 'reduce'});
  await visit.open(trace);
  const moving = await visit.page.evaluate(
    () => [...document.querySelectorAll('*')].filter((one) => !['0s', ''].includes(getComputedStyle(one).transitionDuration)).length,
  );
  assert.equal(moving, 0);
  await visit.close();
});
