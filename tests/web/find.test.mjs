// Search for events: the page finds the program's hits; from hit to hit by time; in the files' own text, too.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import zlib from 'node:zlib';

import {generated, stepscope, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';
import {zipped} from './lib/zip.mjs';

/** The page's scripts and messages as in the sources: the served page has bundled modules. */
const SOURCES = '/sources/';
const here = site({
  [SOURCES]: fileURLToPath(new URL('../../www', import.meta.url)),
  [`${SOURCES}i18n/tables/`]: fileURLToPath(new URL('../../crate/table/src/messages', import.meta.url)),
  [`${SOURCES}i18n/sentences/`]: fileURLToPath(new URL('../../crate/present/src/messages', import.meta.url)),
});
const trace = generated('find/trace.json.gz', '--seed', '95', '--groups', '20', '--steps', '4');

/** @typedef {import('./lib/site.mjs').Visit} Visit */

/** Search result of the program. @param {string} query @returns {{count: number, events: any[]}} */
function found(query) {
  return JSON.parse(stepscope('find', trace, query, '--json', '--limit', '0').toString()).ranks[0];
}

/** Searches, and waits for the bar's text. @param {Visit} visit @param {string} query */
async function look(visit, query) {
  await visit.part('find').fill('');
  await visit.page.waitForFunction(() => document.querySelector('[data-test="find-said"]')?.textContent === '');
  await visit.part('find').fill(query);
  await visit.page.waitForFunction(() => document.querySelector('[data-test="find-said"]')?.textContent !== '');
  return visit.text('find-said');
}

/** Presses Enter, and waits for the bar's text. @param {Visit} visit @param {string} expected @param {boolean} [backwards] */
async function go(visit, expected, backwards = false) {
  await visit.part('find').press(backwards ? 'Shift+Enter' : 'Enter');
  await visit.page.waitForFunction((expected) => document.querySelector('[data-test="find-said"]')?.textContent === expected, expected);
  return visit.text('timeline-said');
}

test('the page finds what the program finds, and goes from hit to hit and round', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.page.keyboard.press('/');
  await visit.tab('timeline');
  await visit.page.locator('[data-test="timeline-canvas"]').focus();
  await visit.page.keyboard.press('/');
  assert.ok(await visit.part('find').evaluate((input) => input === document.activeElement), 'the key / leads to the search');
  for (const query of ['gemm class:kernel', 'class:runtime_call -launch', 'no such event']) {
    const {count, events} = found(query);
    if (count) assert.equal(await look(visit, query), `${count} found`, query);
    else assert.match(await look(visit, query), /^0 found: no event matches /, query);
    assert.equal(await visit.part('find-next').isDisabled(), count === 0);
    if (!count) continue;
    assert.ok(count > 3, query);
    for (const number of [0, 1, 2]) {
      const said = await go(visit, `${number + 1} of ${count}`);
      assert.ok(said.startsWith(`${events[number].name}, `), said);
      const start = /, from (.*), in /.exec(said)?.[1] ?? '';
      assertShows(start, events[number].start_ns, said);
    }
    for (const number of [1, 0, count - 1]) await go(visit, `${number + 1} of ${count}`, true);
    await go(visit, `1 of ${count}`);
    await visit.page.keyboard.press('Escape');
    await visit.page.keyboard.press('Escape');
    // The selection is clear: the next search begins at the visible range.
    await visit.page.locator('[data-test="timeline-canvas"]').focus();
    await visit.page.keyboard.press('Escape');
    await visit.part('timeline-fit').click();
  }
  assert.match(await look(visit, 'gemm dur>5'), /^5 is not a time/);
  assert.equal(await visit.part('find').getAttribute('aria-invalid'), 'true');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the hits are listed in the order of time, and each leads to its place', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('timeline');
  assert.ok(await visit.part('find-list').isDisabled(), 'nothing is found yet');
  const {count, events} = found('class:kernel');
  assert.ok(count > 200, String(count));
  await look(visit, 'class:kernel');
  await visit.part('find-list').click();
  await visit.page.waitForFunction(() => document.querySelectorAll('[data-test="hit"]').length === 200);
  assert.equal(await visit.part('find-list').getAttribute('aria-expanded'), 'true');
  const texts = await visit
    .part('hit')
    .evaluateAll((all) => all.map((one) => [one.getAttribute('title'), ...[...one.children].map((part) => part.textContent)].map(String)));
  let shorter = 0;
  for (const [index, [whole, name, seen, times]] of texts.slice(0, 20).entries()) {
    assert.equal(whole.split('\n')[0], events[index].name, 'the whole name is there on hover');
    assert.equal(seen, name, 'what is read is what is seen');
    if (name.length < events[index].name.length) shorter++;
    assertShows(times.split(' · ')[0], events[index].start_ns, times);
  }
  assert.ok(shorter > 0, 'kernels have short names');
  // In a narrow list, names are cut in their middle.
  await visit.page.setViewportSize({width: 400, height: 900});
  const cut = await visit.page.locator('[data-test="hit"] .is-cut').evaluateAll((all) =>
    all.flatMap((one) => {
      const [first, last] = [...one.children];
      return first.scrollWidth > first.clientWidth ? [last.clientWidth >= last.scrollWidth && last.getBoundingClientRect().right <= innerWidth] : [];
    }),
  );
  assert.ok(cut.length > 0 && cut.every(Boolean), 'their ends are seen');
  await visit.page.setViewportSize({width: 1280, height: 900});
  await visit.part('hits-more').click();
  await visit.page.waitForFunction((count) => document.querySelectorAll('[data-test="hit"]').length === Math.min(400, count), count);
  await visit.part('hit').nth(4).click();
  await visit.page.waitForFunction((count) => document.querySelector('[data-test="find-said"]')?.textContent === `5 of ${count}`, count);
  assert.ok((await visit.text('timeline-said')).startsWith(`${events[4].name}, `));
  assert.equal(await visit.part('hit').nth(4).getAttribute('aria-current'), 'true');
  // The keys continue from there, and the list follows.
  await visit.part('find').press('Enter');
  await visit.page.waitForFunction(() => document.querySelectorAll('[data-test="hit"]')[5]?.getAttribute('aria-current') === 'true');
  // Another search has another list; an empty search has none.
  const {count: few} = found('gemm class:kernel');
  await look(visit, 'gemm class:kernel');
  await visit.page.waitForFunction((few) => document.querySelectorAll('[data-test="hit"]').length === Math.min(200, few), few);
  await look(visit, 'no such event');
  assert.equal(await visit.part('hits').isVisible(), false);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('two events are measured by keys: from end to start, and from start to start', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('timeline');
  const {events} = found('class:kernel');
  await look(visit, 'class:kernel');
  const choose = async (/** @type {number} */ number) => {
    await visit.part('find').press('Enter');
    await visit.page.waitForFunction((number) => document.querySelector('[data-test="find-said"]')?.textContent?.startsWith(`${number} of `), number);
    await visit.part('timeline-canvas').focus();
    await visit.page.keyboard.press('x');
  };
  await choose(1);
  assert.match(await visit.text('timeline-said'), /^Measuring from /);
  await choose(2);
  await visit.part('range-note').waitFor();
  const [, gap, starts] = /^(.+) from the end of .+; (.+) from start to start$/s.exec(await visit.text('range-note')) ?? [];
  assertShows(gap, events[1].start_ns - events[0].start_ns - events[0].duration_ns, 'gap');
  assertShows(starts, events[1].start_ns - events[0].start_ns, 'starts');
  // Another range is no measurement.
  await visit.page.keyboard.press('m');
  await visit.part('range-note').waitFor({state: 'hidden'});
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/** Events with longer arguments than the session keeps. */
const EVENTS = Array.from({length: 300}, (_, index) => ({
  ph: 'X',
  cat: 'cpu_op',
  name: `op ${index % 7}`,
  pid: 1,
  tid: 1,
  ts: index * 10,
  dur: 5,
  args: {note: index % 100 === 7 ? 'Rare "words"' : 'common', more: 'x'.repeat(500)},
}));
const TEXT = JSON.stringify({deviceProperties: [], note: 'rare "words"', traceEvents: EVENTS});

test('instant events are found and gone to, and a word that nothing has is named', async () => {
  const slice = (/** @type {string} */ name, /** @type {number} */ ts, /** @type {number} */ dur) => ({ph: 'X', cat: 'cpu_op', name, pid: 1, tid: 1, ts, dur});
  const instant = (/** @type {string} */ name, /** @type {number} */ ts) => ({ph: 'i', name, pid: 1, tid: 1, ts, s: 't'});
  const events = [
    slice('load batch', 0, 40),
    instant('epoch begins', 50),
    slice('epoch of training', 60, 100),
    instant('epoch ends', 170),
    slice('momentary', 180, 0),
  ];
  const visit = await here.visit();
  await visit.open(written('find/instants.json', JSON.stringify({schemaVersion: 1, deviceProperties: [], traceEvents: events})));
  await visit.tab('timeline');
  assert.equal(await look(visit, 'epoch'), '3 found');
  const said = async (/** @type {boolean} */ backwards, /** @type {string} */ expected) => {
    await visit.part('find').press(backwards ? 'Shift+Enter' : 'Enter');
    await visit.page.waitForFunction((expected) => document.querySelector('[data-test="find-said"]')?.textContent === expected, expected);
  };
  const [first, last] = ['1 of 3 · instant event epoch begins at 50.00 µs', '3 of 3 · instant event epoch ends at 170.0 µs'];
  await said(false, first);
  await said(false, '2 of 3');
  await said(false, last);
  await said(false, first);
  await said(true, last);
  await said(true, '2 of 3');
  await said(true, first);
  assert.equal(await look(visit, 'class:instant'), '2 found');
  assert.equal(await look(visit, 'epoch bogus stream:77'), '0 found: no event matches bogus, stream:77');
  assert.equal(await look(visit, 'load training'), '0 found: no event matches all terms');
  // An event without a length is shown as an instant event.
  assert.equal(await look(visit, 'momentary'), '1 found');
  await visit.part('find').press('Enter');
  await visit.page.waitForFunction(() => /instant event/.test(document.querySelector('[data-test="event-fact-length"]')?.textContent ?? ''));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

for (const [name, bytes] of /** @type {[string, string | Buffer][]} */ ([
  ['args.json', TEXT],
  ['args.json.gz', zlib.gzipSync(TEXT)],
  ['args.zip', zipped([['a/one.json', TEXT]])],
])) {
  test(`what the files' own text has is found, too: ${name}`, async () => {
    const visit = await here.visit();
    await visit.open(written(`find/${name}`, bytes));
    await visit.tab('timeline');
    assert.match(await look(visit, 'rare "words"'), /^0 found: no event matches /);
    await visit.part('find-args').check();
    const said = await go(visit, '1 of 3');
    assert.match(said, /^op 0, 5\.000 µs, from 70\.00 µs/);
    await go(visit, '2 of 3');
    assert.match(await visit.text('timeline-said'), /^op 2, .* from 1\.070 ms/);
    await visit.part('find').fill('note":"common');
    // On from where one is: two of the 108 before are none.
    await go(visit, '107 of 297');
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  });
}

test('a search in the text makes way for another one, and for another trace', async () => {
  const visit = await here.visit();
  const large = generated('find/large.json', '--seed', '96', '--groups', '400', '--steps', '20');
  assert.ok(fs.statSync(large).size > 5e6, `${fs.statSync(large).size} bytes`);
  await visit.open(large);
  await visit.tab('timeline');
  await visit.part('find-args').check();
  for (const query of ['correlation', 'External id', 'stream', 'nowhere']) {
    await visit.part('find').fill(query);
    await visit.part('find').press('Enter');
  }
  await visit.page.waitForFunction(() => document.querySelector('[data-test="find-said"]')?.textContent === '0 found: no event matches nowhere');
  await visit.part('find').fill('correlation');
  await visit.part('find').press('Enter');
  await visit.tab('overview');
  await visit.open(trace);
  await visit.tab('timeline');
  await visit.part('find-args').uncheck();
  await visit.part('find').fill('gemm class:kernel');
  await visit.page.waitForFunction(
    (count) => document.querySelector('[data-test="find-said"]')?.textContent === `${count} found`,
    found('gemm class:kernel').count,
  );
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a search that another one of the same text replaces does not end that', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('timeline');
  const said = await visit.page.evaluate(async (sources) => {
    const [{FindBar}, {loadLanguage}] = await Promise.all([import(`${sources}views/timeline/find/find-bar.js`), import(`${sources}environment/i18n.js`)]);
    await loadLanguage('en');
    /** @type {((found: object | undefined) => void)[]} */
    const answers = [];
    const app = {client: {}, state: {rank: 0}, wasm: {count: String}, look: () => new Promise((answer) => answers.push(answer))};
    const bar = new FindBar(app, {end: () => 1, mark() {}});
    const first = bar.show('gemm');
    bar.renew();
    answers[0](undefined);
    await first;
    const second = bar.show('gemm');
    answers[1]({count: 3, fault: null, unmatched: [], unread: [], at: []});
    await second;
    return [answers.length, bar.element.textContent];
  }, `${SOURCES}js/page/`);
  assert.equal(said[0], 2);
  assert.match(String(said[1]), /3 found/);
  await visit.close();
});

test('Enter waits for the last of two searches of the same text, and goes to its hit', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('timeline');
  const went = await visit.page.evaluate(async (sources) => {
    const [{FindBar}, {loadLanguage}] = await Promise.all([import(`${sources}views/timeline/find/find-bar.js`), import(`${sources}environment/i18n.js`)]);
    await loadLanguage('en');
    /** @type {((found: object | undefined) => void)[]} */
    const answers = [];
    /** @type {number[]} */
    const events = [];
    const app = {
      client: {},
      state: {rank: 0},
      wasm: {count: String},
      look: () => new Promise((answer) => answers.push(answer)),
      nextHit: async () => ({event: 7, instant: null, number: 0}),
    };
    const goTo = async (/** @type {number} */ event) => void events.push(event);
    const bar = new FindBar(app, {end: () => 1, mark() {}, goTo, from: () => ({at: 0, event: null, moment: null})});
    bar.show('gemm');
    const gone = bar.go(false);
    // The timeline knows only now which rank it shows.
    bar.renew();
    answers[0](undefined);
    answers[1]({count: 3, fault: null, unmatched: [], unread: [], at: []});
    await gone;
    return [answers.length, ...events];
  }, `${SOURCES}js/page/`);
  assert.deepEqual(went, [2, 7]);
  await visit.close();
});

test('files whose events are no JSON are told', async () => {
  const visit = await here.visit();
  await visit.open(new URL('../fixtures/nvprof/gpu_trace_csv/input.txt', import.meta.url).pathname);
  await visit.tab('timeline');
  await visit.part('find-args').check();
  await visit.part('find').fill('memcpy');
  await visit.part('find').press('Enter');
  await visit.page.waitForFunction(() => /not searched/.test(document.querySelector('[data-test="find-said"]')?.textContent ?? ''));
  await visit.close();
});

test('who presses Enter while the search goes on is led to the first hit', async () => {
  const visit = await here.visit();
  await visit.open(written('find/enter.json', TEXT));
  await visit.tab('timeline');
  await visit.part('find').evaluate((input) => {
    /** @type {HTMLInputElement} */ (input).value = 'op 3';
    // The search is begun by the page itself, some time after the last letter: just before Enter.
    const {setTimeout} = window;
    window.setTimeout = /** @type {any} */ ((/** @type {() => void} */ act) => (act(), 0));
    input.dispatchEvent(new Event('input', {bubbles: true}));
    window.setTimeout = setTimeout;
    input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
  });
  await visit.page.waitForFunction(() => document.querySelector('[data-test="timeline-said"]')?.textContent?.startsWith('op 3,'));
  await visit.close();
});

test('what is typed while the timeline is made stays', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  await visit.page.evaluate(() => {
    const part = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (document.querySelector(`[data-test="${name}"]`));
    part('tab-timeline').click();
    // The worker cannot have answered yet.
    part('find').value = 'gemm class:kernel';
    part('find').dispatchEvent(new Event('input', {bubbles: true}));
  });
  const {count} = found('gemm class:kernel');
  await visit.page.waitForFunction((said) => document.querySelector('[data-test="find-said"]')?.textContent === said, `${count} found`, {timeout: 10_000});
  assert.equal(await visit.part('find').inputValue(), 'gemm class:kernel');
  await visit.close();
});
