// The browser's history, replaced traces, and the offers after a reload: no trace is lost.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {environment, generated, stepscope, written} from './lib/program.mjs';
import {PATH, site} from './lib/site.mjs';
import {openTab} from './lib/tabs.mjs';
import {openTimeline} from './lib/timeline.mjs';

const frame = written(
  'history/frame/index.html',
  `<!doctype html><title>around</title><link rel="icon" href="data:,"><iframe src="${PATH}" style="width: 90vw; height: 90vh"></iframe>`,
);
const element = written(
  'history/element/index.html',
  '<!doctype html><title>around</title><link rel="icon" href="data:,"><script type="module" src="/embedded/element.js"></script><stepscope-view style="height: 90vh"></stepscope-view>',
);
const here = site({'/frame/': path.dirname(frame), '/element/': path.dirname(element), '/embedded/': environment('STEPSCOPE_EMBEDDED')});
const a = generated('history/a.json.gz', '--seed', '71', '--groups', '20');
const b = generated('history/b.json.gz', '--seed', '72', '--groups', '20');

/** @typedef {import('./lib/site.mjs').Visit} Visit */

/** Waits until a tab is open. @param {Visit} visit @param {string} tab */
async function isOpen(visit, tab) {
  await visit.page.waitForFunction((tab) => document.querySelector('.tab[aria-selected="true"]')?.getAttribute('data-test') === `tab-${tab}`, tab);
}

/** @param {Visit} visit */
const entries = (visit) => visit.page.evaluate(() => history.length);

test('back and forward go over tabs and jumps, and keep the trace', async () => {
  const visit = await here.visit();
  await visit.open(a);
  const first = await entries(visit);
  // Another page would have none.
  await visit.page.evaluate(() => void Object.assign(window, {same: true}));
  await visit.tab('steps');
  await visit.tab('kernels');
  await visit.page.locator('.rows .row').first().click();
  await visit.page.locator('.row-pane .card-head [data-test="jump"]').click();
  await isOpen(visit, 'timeline');
  await visit.page.waitForFunction(() => location.hash.includes('event='));
  const event = await visit.page.evaluate(() => location.hash);
  // The group of kernels opened with operators, and a row is open.
  assert.equal(await entries(visit), first + 5);
  for (const tab of ['kernels', 'kernels', 'operators', 'steps', 'overview']) {
    await visit.page.goBack();
    await isOpen(visit, tab);
  }
  for (const tab of ['steps', 'operators', 'kernels', 'kernels', 'timeline']) {
    await visit.page.goForward();
    await isOpen(visit, tab);
  }
  await visit.page.waitForFunction((event) => location.hash === event, event);
  assert.match(await visit.page.title(), /^a\.json\.gz/);
  assert.ok(await visit.page.evaluate(() => 'same' in window));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('looking around on the timeline makes no entry; a step does', async () => {
  const visit = await here.visit();
  await visit.open(a);
  await visit.tab('timeline');
  const before = await entries(visit);
  await visit.part('timeline-zoomin').click();
  await visit.page.waitForFunction(() => location.hash.includes('at='));
  assert.equal(await entries(visit), before);
  await visit.part('step').selectOption('1');
  await visit.page.waitForFunction(() => location.hash.includes('step=1'));
  assert.equal(await entries(visit), before + 1);
  // A jump to a part of the timeline is one, as the way to another tab is.
  await visit.tab('overview');
  await visit.page.locator('.toolbar [data-test="jump"]').click();
  await visit.page.waitForFunction(() => location.hash.includes('range='));
  assert.equal(await entries(visit), before + 3);
  await visit.page.goBack();
  await visit.page.waitForFunction(() => !location.hash.includes('range='));
  await isOpen(visit, 'overview');
  await visit.close();
});

/** Longer than changes that are one entry follow each other, in ms. */
const PAUSE = 1100;

test('a step and a definition are entries; rapid changes are one, unless it would lead to where they began', async () => {
  const visit = await here.visit();
  const {page} = visit;
  const step = (/** @type {string} */ value) =>
    page.waitForFunction((value) => /** @type {HTMLSelectElement} */ (document.querySelector('[data-test="step"]')).value === value, value);
  await visit.open(a);
  const before = await entries(visit);
  await page.locator('#panel').focus();
  for (const value of ['0', '1', '2']) {
    await page.keyboard.press('ArrowRight');
    await step(value);
  }
  assert.equal(await entries(visit), before + 1);
  await page.keyboard.press('Escape');
  await step('');
  assert.equal(await entries(visit), before + 2, 'an entry that equals the last one would be a way back to nowhere');
  await page.goBack();
  await step('2');
  await page.waitForTimeout(PAUSE);
  await visit.part('step').selectOption('0');
  await page.waitForTimeout(PAUSE);
  await visit.part('step').selectOption('1');
  await step('1');
  assert.equal(await entries(visit), before + 3);
  await visit.set('definition', 'hta');
  await visit.part('definition-values').waitFor();
  assert.match(page.url(), /definition=hta/);
  assert.equal(await entries(visit), before + 4);
  await page.goBack();
  await visit.part('definition-values').waitFor({state: 'hidden'});
  assert.doesNotMatch(page.url(), /definition/);
  assert.equal(await visit.part('step').inputValue(), '1');
  await page.goBack();
  await step('0');
  await page.goBack();
  await step('2');
  await page.goBack();
  await step('');
  for (const value of ['2', '0', '1', '1']) {
    await page.goForward();
    await step(value);
  }
  await visit.part('definition-values').waitFor();
  assert.equal(await visit.part('definition').inputValue(), 'hta');
  assert.equal(await entries(visit), before + 4, 'ways back and forward are none');
  assert.deepEqual(visit.complaints, []);
  // Another visit to the address has it, too.
  const view = new URL(page.url()).hash;
  await page.goto('about:blank');
  await page.goto(visit.address + view);
  await visit.open(a);
  await visit.part('definition-values').waitFor();
  assert.equal(new URL(page.url()).hash, view);
  await visit.close();
});

test('a row that is opened or closed is an entry, a walk over rows is one', async () => {
  const visit = await here.visit();
  const {page} = visit;
  const name = () => visit.part('detail').locator('dd').first().innerText();
  const shows = async (/** @type {string} */ wanted) =>
    visit.until(`the row of ${wanted} is open`, async () => (await visit.part('detail').isVisible()) && (await name()) === wanted);
  await visit.open(a);
  await visit.tab('operators');
  const before = await entries(visit);
  const rows = page.locator('.rows .row:visible');
  await rows.nth(1).click();
  const first = await name();
  await page.waitForFunction(() => /open=operators%3A\w+/.test(location.hash));
  assert.ok(!decodeURIComponent(page.url()).includes(first), 'the address has nothing of the trace');
  const view = new URL(page.url()).hash;
  await page.waitForTimeout(PAUSE);
  await rows.nth(3).click();
  const second = await name();
  await page.waitForTimeout(PAUSE);
  await page.keyboard.press('ArrowDown');
  await page.waitForTimeout(PAUSE);
  await page.keyboard.press('ArrowDown');
  const third = await name();
  assert.equal(new Set([first, second, third]).size, 3);
  assert.equal(await entries(visit), before + 2);
  await page.waitForTimeout(PAUSE);
  await page.keyboard.press('Escape');
  assert.equal(await visit.part('detail').isVisible(), false);
  assert.equal(await entries(visit), before + 3);
  await page.goBack();
  await shows(third);
  await page.goBack();
  await shows(first);
  // A row stays open in other steps, and on the way back from them.
  await visit.part('step').selectOption('1');
  await page.waitForFunction(() => location.hash.includes('step=1'));
  await shows(first);
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes('step='));
  await shows(first);
  await page.goBack();
  await visit.part('detail').waitFor({state: 'hidden'});
  assert.doesNotMatch(page.url(), /open=/);
  assert.deepEqual(visit.complaints, []);
  await page.goto('about:blank');
  await page.goto(visit.address + view);
  await visit.open(a);
  await shows(first);
  await visit.close();
});

test('a way that leads to a row is one entry with it', async () => {
  const visit = await here.visit();
  await visit.open(a);
  const before = await entries(visit);
  await visit.page.keyboard.press('Control+k');
  await visit.page.keyboard.type('aten::');
  await visit.page.getByRole('option', {name: 'Operators: find'}).click();
  await visit.page.locator('[data-test="detail"]:visible').waitFor();
  await visit.page.waitForFunction(() => location.hash.includes('open=operators'));
  assert.equal(await entries(visit), before + 1);
  await visit.page.goBack();
  await isOpen(visit, 'overview');
  await visit.close();
});

test('what is zoomed into in the tree of calls, and what makes its boxes, are entries', async () => {
  const visit = await here.visit();
  const {page} = visit;
  const path = async () => (await visit.part('calls-path').innerText()).trim();
  await visit.open(a);
  await visit.tab('calls');
  const before = await entries(visit);
  await visit.part('calls-graph').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('calls-flame'));
  const inner = await path();
  assert.notEqual(inner, '');
  assert.equal(await entries(visit), before + 1, 'what is selected is none');
  await page.waitForTimeout(PAUSE);
  await page.keyboard.press('Escape');
  assert.equal(await path(), '');
  await page.waitForTimeout(PAUSE);
  const by = await visit.part('calls-grouping').locator('option').nth(1).getAttribute('value');
  await visit.part('calls-grouping').selectOption(String(by));
  await visit.settled();
  assert.equal(await entries(visit), before + 3);
  await page.goBack();
  await visit.until('boxes are calls', async () => (await visit.part('calls-grouping').inputValue()) === 'calls');
  await page.goBack();
  await visit.until('it is zoomed into', async () => (await path()) === inner);
  await page.goBack();
  await visit.until('all is shown', async () => (await path()) === '');
  await page.goForward();
  await visit.until('it is zoomed into again', async () => (await path()) === inner);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the sandwich view of a name is an entry, and so is what is zoomed into there', async () => {
  const visit = await here.visit();
  const {page} = visit;
  const path = async () => (await visit.part('calls-path').innerText()).trim();
  const layout = () => visit.part('calls-layout').inputValue();
  const name = () => visit.part('calls-name').inputValue();
  await visit.open(a);
  await visit.tab('calls');
  const before = await entries(visit);
  await visit.part('calls-graph').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  const stack = await path();
  assert.notEqual(stack, '');
  await visit.part('calls-one').locator('[data-test="calls-around"]').click();
  const first = await name();
  assert.equal(await entries(visit), before + 2);
  assert.equal(await path(), '', 'what was zoomed into belongs to the stacks');
  assert.doesNotMatch(page.url(), /calls-flame/);
  await page.waitForTimeout(PAUSE);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const inner = await path();
  assert.notEqual(inner, '');
  const address = page.url();
  await page.waitForTimeout(PAUSE);
  await visit.part('calls-one').locator('[data-test="calls-around"]').click();
  assert.notEqual(await name(), first);
  assert.equal(await entries(visit), before + 4);
  await page.goBack();
  await visit.until('the first name is shown', async () => (await name()) === first && (await path()) === inner);
  await page.goBack();
  await visit.until('nothing is zoomed into', async () => (await path()) === '');
  assert.equal(await layout(), 'sandwich');
  // A name stays in other steps.
  await visit.part('step').selectOption('2');
  await visit.settled();
  assert.equal(await name(), first);
  await page.goBack();
  await visit.settled();
  await page.goBack();
  await visit.until('stacks are shown', async () => (await layout()) === 'stacks' && (await path()) === stack);
  assert.deepEqual(visit.complaints, []);
  await page.goto('about:blank');
  await page.goto(address);
  await visit.open(a);
  await visit.until('the address leads there', async () => (await path()) === inner);
  assert.equal(await name(), first);
  await visit.close();
});

test('what is chosen on the timeline, and another part of time, are entries; looking around is none', async () => {
  const visit = await here.visit();
  const {page} = visit;
  const said = (/** @type {string} */ name) => new URLSearchParams(new URL(page.url()).hash.slice(1)).get(name);
  const until = (/** @type {string} */ name, /** @type {string | null} */ value) =>
    page.waitForFunction(([name, value]) => new URLSearchParams(location.hash.slice(1)).get(String(name)) === value, [name, value]);
  await openTimeline(visit, a);
  const before = await entries(visit);
  await visit.part('find').fill('class:kernel');
  await visit.part('find').press('Enter');
  await page.waitForFunction(() => location.hash.includes('event='));
  const first = said('event');
  const at = said('at');
  assert.equal(await entries(visit), before + 1);
  await visit.part('find').press('Enter');
  await page.waitForFunction((first) => !location.hash.includes(`event=${first}&`), first);
  const second = said('event');
  assert.equal(await entries(visit), before + 2);
  // Wheel and keys look around.
  const now = said('at');
  await visit.part('timeline-canvas').hover();
  await page.keyboard.down('Control');
  for (let turn = 0; turn < 3; turn++) await page.mouse.wheel(0, 40);
  await page.keyboard.up('Control');
  await page.waitForFunction((now) => new URLSearchParams(location.hash.slice(1)).get('at') !== now, now);
  assert.equal(await entries(visit), before + 2);
  await visit.part('timeline-canvas').press('Escape');
  await until('event', null);
  assert.equal(await entries(visit), before + 2, 'nor is choosing nothing');
  // All of it is another part of time.
  await visit.part('timeline-fit').click();
  await until('at', null);
  assert.equal(await entries(visit), before + 3);
  await page.goBack();
  await page.waitForFunction(() => location.hash.includes('at='));
  assert.equal(said('event'), null, 'as it was left');
  await page.goBack();
  await until('event', first);
  assert.equal(said('at'), at);
  await page.locator(`[data-test="event-pane"][data-event="${first}"]`).waitFor();
  await page.goBack();
  await until('event', null);
  assert.equal(said('at'), null);
  assert.equal(await entries(visit), before + 3, 'the way back is none');
  await page.goForward();
  await until('event', first);
  assert.notEqual(first, second);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a rank is an entry, and its view comes back', async () => {
  const ranks = [0, 1].map((rank) => generated(`history/rank${rank}.json`, '--rank', String(rank), '--world', '2', '--seed', String(rank + 5)));
  const visit = await here.visit();
  await visit.open(...ranks);
  const before = await entries(visit);
  await visit.part('rank').selectOption('1');
  await visit.tab('steps');
  assert.equal(await entries(visit), before + 2);
  await visit.page.goBack();
  await visit.page.goBack();
  await visit.page.waitForFunction(() => /** @type {HTMLSelectElement} */ (document.querySelector('[data-test="rank"]')).value === '0');
  await visit.page.goForward();
  await visit.page.waitForFunction(() => /** @type {HTMLSelectElement} */ (document.querySelector('[data-test="rank"]')).value === '1');
  await isOpen(visit, 'overview');
  await visit.close();
});

test('the way back to another trace takes none of its view but the tab', async () => {
  const visit = await here.visit();
  await visit.open(a);
  await visit.tab('timeline');
  await visit.part('find').fill('gemm');
  await visit.part('find').press('Enter');
  await visit.page.waitForFunction(() => location.hash.includes('event='));
  await visit.tab('operators');
  await visit.open(b);
  await visit.page.goBack();
  await isOpen(visit, 'timeline');
  await visit.page.waitForFunction(() => !location.hash.includes('event='));
  assert.match(await visit.page.title(), /^b\.json\.gz/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('in a frame and in an element, nothing enters the history', async () => {
  const visit = await here.visit();
  const {page} = visit;
  for (const [address, inside] of /** @type {const} */ ([
    ['/frame/', page.frameLocator('iframe')],
    ['/element/', page.locator('stepscope-view')],
  ])) {
    await page.goto(here.origin + address);
    const part = (/** @type {string} */ name) => inside.locator(`[data-test="${name}"]`);
    await part('choose').waitFor();
    const before = await entries(visit);
    const chooser = page.waitForEvent('filechooser');
    await part('choose').click();
    await (await chooser).setFiles(a);
    await part('results').waitFor();
    await openTab(inside, 'kernels');
    await inside.locator('.rows .row').first().click();
    await inside.locator('.row-pane .card-head [data-test="jump"]').click();
    await inside.locator('[data-test="event-name"]').waitFor();
    await part('step').selectOption('1');
    await openTab(inside, 'calls');
    await part('calls-graph').press('Enter');
    assert.equal(await entries(visit), before, address);
    assert.equal(await page.evaluate(() => location.hash), '', address);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('in a report with the analyzer, nothing enters the history', async () => {
  const report = written('history/report.html', '');
  stepscope('report', '--trace', a, '--page', environment('STEPSCOPE_PAGE'), '-o', report);
  const visit = await here.visit();
  await visit.page.goto(`file://${report}`);
  await visit.part('explore').click();
  await visit.part('results').waitFor();
  const before = await entries(visit);
  await visit.openTab('kernels');
  await visit.openTab('steps');
  await visit.page.locator('.rows .row:visible').first().click();
  await visit.part('step').selectOption('1');
  assert.equal(await entries(visit), before);
  await visit.close();
});

test('a drop over an open trace asks: nothing, compare, open', async () => {
  const visit = await here.visit();
  await visit.open(a);
  await visit.letGo(b);
  const dialog = visit.part('replace');
  await dialog.waitFor();
  await visit.page.getByText('Dropped: b.json.gz').waitFor();
  assert.match(await dialog.innerText(), /Now open: a\.json\.gz/);
  assert.equal(await visit.page.evaluate(() => document.activeElement?.getAttribute('data-test')), 'replace-open');
  await visit.page.keyboard.press('Escape');
  await dialog.waitFor({state: 'detached'});
  assert.match(await visit.page.title(), /^a\.json\.gz/);
  await visit.letGo(b);
  // A second drop takes the first one's place.
  await visit.letGo(b);
  await visit.part('replace-compare').click();
  await visit.part('table-contributions').waitFor();
  assert.match(await visit.page.title(), /^a\.json\.gz/);
  await visit.tab('kernels');
  await visit.letGo(b);
  await visit.part('replace-open').click();
  await visit.page.waitForFunction(() => document.title.startsWith('b.json.gz'));
  await visit.results();
  await isOpen(visit, 'kernels');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a drop over an open trace is added as a rank, and that is undone', async () => {
  const ranks = [0, 1].map((rank) => generated(`history/rank${rank}.json`, '--rank', String(rank), '--world', '3', '--seed', String(rank + 60)));
  const offered = (/** @type {Visit} */ visit) => visit.part('rank').locator('option').allInnerTexts();
  const visit = await here.visit();
  await visit.open(ranks[0]);
  await visit.letGo(ranks[1]);
  await visit.replaced(() => visit.part('replace-add').click());
  await isOpen(visit, 'ranks');
  assert.deepEqual(await offered(visit), ['rank 0 · rank0.json', 'rank 1 · rank1.json']);
  assert.match(await visit.text('replaced'), /1 file was added to rank0\.json/);
  // Another file of the same name and rank: it gets a path and a number of its own.
  const same = written('history/again/rank1.json', fs.readFileSync(generated('history/rank2.json', '--rank', '1', '--world', '3', '--seed', '63')));
  await visit.letGo(same);
  await visit.replaced(() => visit.part('replace-add').click());
  await visit.page.waitForFunction(() => document.querySelectorAll('[data-test="rank"] option').length === 3);
  await visit.until('the added rank has its number', async () => (await offered(visit)).some((name) => name.startsWith('rank 2 · ')));
  assert.deepEqual(await offered(visit), ['rank 0 · rank0.json', 'rank 1 · rank1.json', 'rank 2 · 2/rank1.json']);
  await visit.replaced(() => visit.part('replaced-reopen').click());
  assert.deepEqual(await offered(visit), ['rank 0 · rank0.json', 'rank 1 · rank1.json']);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('what was replaced is opened again by a click, with its view', async () => {
  const visit = await here.visit();
  await visit.open(a);
  await visit.tab('steps');
  await visit.part('step').selectOption('2');
  await visit.open(b);
  assert.match(await visit.text('replaced'), /a\.json\.gz was open before/);
  await visit.replaced(() => visit.part('replaced-reopen').click());
  assert.match(await visit.page.title(), /^a\.json\.gz/);
  await isOpen(visit, 'steps');
  assert.equal(await visit.part('step').inputValue(), '2');
  assert.match(await visit.text('replaced'), /b\.json\.gz was open before/);
  await visit.part('replaced-dismiss').click();
  assert.equal(await visit.part('replaced').count(), 0);
  await visit.close();
});

test('what was open before a load that is given up is opened again by a click', async () => {
  const small = generated('history/small.json', '--seed', '73', '--groups', '20');
  here.gate.close();
  const visit = await here.visit();
  await visit.open(small);
  await visit.choose(generated('history/big.json', '--bytes', '30000000', '--seed', '3'));
  await visit.until('the file is being read', () => here.gate.held === 1);
  await visit.part('cancel').click();
  here.gate.open();
  await visit.part('drop-zone').waitFor();
  assert.match(await visit.text('replaced'), /small\.json was open before/);
  await visit.part('replaced-reopen').click();
  await visit.results();
  assert.match(await visit.page.title(), /^small\.json/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('after a reload the page says what was open, and lets it be chosen again or forgotten', async () => {
  const visit = await here.visit();
  assert.equal(await visit.part('last').count(), 0);
  await visit.open(a);
  await visit.tab('steps');
  await visit.page.reload();
  await visit.part('last').waitFor();
  assert.match(await visit.text('last'), /a\.json\.gz · .* KiB/);
  assert.equal(await visit.part('last-open').count(), 0, 'there is no handle');
  const chooser = visit.page.waitForEvent('filechooser');
  await visit.part('last-choose').click();
  await (await chooser).setFiles(a);
  await visit.results();
  await isOpen(visit, 'steps');
  await visit.page.goto('about:blank');
  await visit.page.goBack();
  await visit.part('last').waitFor();
  // The trace that was open last cannot be forgotten. The list of recent files can, and that draws the offers anew.
  await visit.page.evaluate(() => {
    const {clear} = IDBObjectStore.prototype;
    IDBObjectStore.prototype.clear = () => {
      IDBObjectStore.prototype.clear = clear;
      throw new DOMException('made to fail', 'UnknownError');
    };
  });
  await visit.part('last-forget').click();
  const said = visit.page.locator('[data-test="last"] [data-test="unforgotten"]');
  await said.filter({hasText: 'storage failed'}).waitFor();
  await visit.page.reload();
  await visit.part('last').waitFor();
  // The browser's storage fails: nothing is gone, and the page says so.
  await visit.page.evaluate(() => {
    const {transaction} = IDBDatabase.prototype;
    Object.assign(window, {mend: () => Object.assign(IDBDatabase.prototype, {transaction})});
    IDBDatabase.prototype.transaction = () => {
      throw new DOMException('made to fail', 'UnknownError');
    };
  });
  await visit.part('last-forget').click();
  await visit.part('unforgotten').first().filter({hasText: 'storage failed'}).waitFor();
  assert.equal(await visit.part('last').count(), 1);
  await visit.page.evaluate(() => /** @type {any} */ (window).mend());
  await visit.part('last-forget').click();
  await visit.part('last').waitFor({state: 'detached'});
  await visit.page.waitForFunction(() => document.activeElement?.getAttribute('data-test') === 'choose', undefined);
  await visit.page.reload();
  await visit.part('choose').waitFor();
  await visit.page.waitForFunction(async () => (await indexedDB.databases()).length > 0);
  assert.equal(await visit.part('last').count(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('after a reload a demo is opened again, with its view', async () => {
  const visit = await here.visit();
  await visit.part('demo').click();
  await visit.results();
  await visit.tab('steps');
  await visit.page.reload();
  await visit.part('last').waitFor();
  assert.equal(await visit.part('last-choose').count(), 0, 'it is no file of the person');
  assert.equal(await visit.part('recent').count(), 0);
  await visit.part('last-open').click();
  await visit.results();
  await isOpen(visit, 'steps');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** Gives the page handles that outlive it, of which it must ask whether it may read them. @param {Visit} visit @param {'granted' | 'denied'} answer */
async function withHandles(visit, answer) {
  await visit.page.addInitScript(
    ({answer, text}) => {
      const handle = async () => {
        const folder = await navigator.storage.getDirectory();
        const file = await folder.getFileHandle('kept.json', {create: true});
        const writer = await file.createWritable();
        await writer.write(text);
        await writer.close();
        return file;
      };
      Object.assign(globalThis, {showOpenFilePicker: async () => [await handle()]});
      let allowed = false;
      Object.assign(FileSystemHandle.prototype, {
        queryPermission: async () => (allowed ? 'granted' : 'prompt'),
        requestPermission: async () => {
          if (!navigator.userActivation.isActive) throw new DOMException('no click', 'SecurityError');
          allowed = answer === 'granted';
          return answer;
        },
      });
    },
    {answer, text: fs.readFileSync(generated('history/plain.json', '--seed', '9', '--groups', '10'), 'utf8')},
  );
  await visit.page.reload();
}

test('where the browser keeps handles, a click opens the same file again', async () => {
  const visit = await here.visit();
  await withHandles(visit, 'granted');
  await visit.part('choose').click();
  await visit.results();
  await visit.tab('kernels');
  await visit.page.reload();
  await visit.part('last-open').waitFor();
  assert.match(await visit.text('last'), /kept\.json/);
  await visit.part('last-open').click();
  await visit.results();
  await isOpen(visit, 'kernels');
  assert.match(await visit.page.title(), /^kept\.json/);
  // Names, sizes and handles: nothing else.
  const kept = await visit.page.evaluate(async () => {
    /** @type {IDBDatabase} */
    const database = await new Promise((resolve) => {
      const opening = indexedDB.open('stepscope');
      opening.onsuccess = () => resolve(opening.result);
    });
    return new Promise((resolve) => {
      const all = database.transaction('opened').objectStore('opened').getAll();
      all.onsuccess = () => resolve(all.result.map((one) => Object.keys(one).sort().join()));
    });
  });
  assert.deepEqual(kept, ['at,bytes,files,folder,handles,names,tab']);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('what was opened on this device is opened again from another tab, and is forgotten by a click', async () => {
  const visit = await here.visit();
  await withHandles(visit, 'granted');
  assert.equal(await visit.part('recent').count(), 0);
  await visit.part('choose').click();
  await visit.results();
  const other = await visit.page.context().newPage();
  const part = (/** @type {string} */ name) => other.locator(`[data-test="${name}"]`);
  await other.goto(visit.address);
  await part('recent-open').waitFor();
  assert.match(await part('recent').innerText(), /kept\.json\s+\d.* KiB · /);
  assert.equal(await part('last').count(), 0, 'nothing was open in this tab');
  await part('recent-open').click();
  await part('results').waitFor();
  assert.match(await other.title(), /^kept\.json/);
  // It is offered once: not next to the offer of the tab's last trace.
  await other.reload();
  await part('last-open').waitFor();
  assert.equal(await part('recent').count(), 0);
  await other.close();
  const third = await visit.page.context().newPage();
  await third.goto(visit.address);
  await third.locator('[data-test="recent"]').waitFor();
  // A button that is replaced while it is pressed gets no click.
  const demo = await third.locator('[data-test="demo"]').elementHandle();
  await third.locator('[data-test="recent-forget"]').click();
  await third.locator('[data-test="recent"]').waitFor({state: 'detached'});
  await third.waitForFunction(() => document.activeElement?.getAttribute('data-test') === 'choose');
  assert.ok(await demo?.evaluate((button) => button.isConnected), 'the rest of the page stays in place');
  await third.reload();
  await third.locator('[data-test="choose"]').waitFor();
  const left = await third.evaluate(async () => {
    /** @type {IDBDatabase} */
    const database = await new Promise((resolve) => {
      const opening = indexedDB.open('stepscope');
      opening.onsuccess = () => resolve(opening.result);
    });
    return new Promise((resolve) => {
      const all = database.transaction('recent').objectStore('recent').getAll();
      all.onsuccess = () => resolve(all.result.length);
    });
  });
  assert.equal(left, 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a refused permission is told, and the offer stays', async () => {
  const visit = await here.visit();
  await withHandles(visit, 'denied');
  await visit.part('choose').click();
  await visit.results();
  await visit.page.reload();
  await visit.part('last-open').click();
  assert.match(await visit.problem(), /kept\.json.*does not let this page read it/s);
  await visit.part('last-open').waitFor();
  await visit.close();
});

test('a dropped folder is offered again by its name', async () => {
  const folder = path.dirname(generated('history/job/rank0.json', '--rank', '0', '--world', '2'));
  generated('history/job/rank1.json', '--rank', '1', '--world', '2');
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  await visit.page.reload();
  await visit.part('last').waitFor();
  assert.match(await visit.text('last'), /job · 2 files/);
  await visit.close();
});

test('where the browser refuses to keep anything, the page works and offers nothing', async () => {
  const visit = await here.visit();
  await visit.page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('refused', 'SecurityError');
    };
    for (const name of ['indexedDB', 'sessionStorage', 'localStorage']) Object.defineProperty(window, name, {get: refuse});
  });
  await visit.page.reload();
  await visit.open(a);
  await visit.tab('steps');
  await visit.page.goBack();
  await isOpen(visit, 'overview');
  await visit.page.reload();
  await visit.part('choose').waitFor();
  assert.equal(await visit.part('last').count(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a trace that the address names opens by itself after a reload, and nothing is offered', async () => {
  const visit = await here.visit({query: '?trace=demo'});
  await visit.results();
  await visit.page.reload();
  await visit.results();
  assert.equal(await visit.part('last').count(), 0);
  await visit.close();
});
