// The timeline's rows: folded, pinned, moved, hidden; of one rank, of many; with all that overlaps, and with thousands of threads.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, summary, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';
import {TOP, act, box, click, drawn, hashed, heads, nothing, openTimeline, rowOf, said, until, watch, xOf, yOf} from './lib/timeline.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */
/** @typedef {import('./lib/timeline.mjs').Scene} Scene */

const here = site();
const trace = generated('timeline/trace.json.gz', '--seed', '97', '--groups', '8', '--steps', '4');

/** A Chrome trace of some events. @param {string} name @param {object[]} events */
function chrome(name, events) {
  return written(`timeline/${name}.json`, JSON.stringify({traceEvents: events}));
}

/** Rows that are drawn, from top to bottom. @param {Scene} scene @param {boolean} [pinned] */
function rows(scene, pinned = false) {
  const lines = scene.clips.filter((clip) => clip.pinned === pinned).flatMap((clip) => clip.lines);
  return lines.sort((a, b) => a.y - b.y).map(({row}) => row);
}

/** Height of all lanes of a row together. @param {Scene} scene @param {number} row */
function height(scene, row) {
  const line = scene.clips[0].lines.find((line) => line.row === row);
  return line ? Math.round(line.count * line.laneHeight) : 0;
}

/** Number of drawn lanes of a row. @param {Scene} scene @param {number} row */
function lanes(scene, row) {
  const line = scene.clips[0].lines.find((line) => line.row === row);
  return line && !line.curve ? line.count : 0;
}

test('communication on a stream of its own stands once, and the stream names the group', async () => {
  /** @param {number} stream @param {string} name @param {object} [args] */
  const kernel = (stream, name, args = {}) => ({
    ph: 'X',
    cat: 'kernel',
    name,
    pid: 0,
    tid: stream,
    ts: 10 * stream,
    dur: 50,
    args: {device: 0, stream, ...args},
  });
  const collective = {'Collective name': 'allreduce', 'Process Group Name': 'tp'};
  /** @param {string} name @param {object[]} events */
  const titles = async (name, ...events) => {
    const visit = await here.visit();
    await openTimeline(visit, written(`timeline/${name}.json`, JSON.stringify({deviceProperties: [], traceEvents: events})));
    const found = (await heads(visit)).map(({title}) => title).filter((title) => /communication|stream/i.test(title));
    assert.deepEqual(visit.complaints, []);
    await visit.close();
    return found;
  };
  const reduce = kernel(20, 'ncclDevKernel_AllReduce_Sum_f32', collective);
  assert.deepEqual(await titles('once', kernel(7, 'gemm'), reduce), [
    'Communication not overlapped',
    'Stream 7',
    'Stream 20 · group tp · communication',
    'Communication not overlapped, share of the time',
  ]);
  // The stream has other work, too: the group has a row that shows its communication alone.
  assert.deepEqual(await titles('twice', kernel(7, 'gemm'), reduce, {...kernel(20, 'gemm'), ts: 260}), [
    'Communication',
    'Communication not overlapped',
    'Communication · group tp',
    'Stream 7',
    'Stream 20',
    'Communication not overlapped, share of the time',
  ]);
});

test('devices and processes are in sections, which fold with everything below them and are kept by the address', async () => {
  const kernel = (/** @type {number} */ device) => ({
    ph: 'X',
    cat: 'kernel',
    name: 'gemm',
    pid: device,
    tid: 7,
    ts: 20 + device,
    dur: 50,
    args: {device, stream: 7},
  });
  const operator = (/** @type {number} */ pid) => ({ph: 'X', cat: 'cpu_op', name: 'aten::mm', pid, tid: 1, ts: 10, dur: 80});
  const load = {ph: 'C', name: 'load', pid: 900, ts: 10, args: {value: 3}};
  const file = chrome('sections', [load, {...load, ts: 60, args: {value: 5}}, operator(100), operator(200), kernel(0), kernel(1)]);
  const visit = await here.visit({viewport: {width: 1280, height: 1400}});
  const first = await openTimeline(visit, file);
  const shown = (await heads(visit)).map(({key}) => key);
  const groups = shown.filter((key) => !key.startsWith('row:'));
  assert.deepEqual(
    groups.map((key) => key.replace(/:-?\d+$/, '').replace('rank:0/', '')),
    ['devices', 'device', 'device', 'host', 'process', 'process', 'process'],
  );
  assert.match((await visit.page.locator('[data-key="rank:0/host"]').getAttribute('title')) ?? '', /2 processes/);
  const of = (/** @type {string} */ section, /** @type {string} */ next) => shown.slice(shown.indexOf(section) + 1, shown.indexOf(next));
  let scene = await act(visit, 'rank:0/host', 'fold');
  const left = (await heads(visit)).map(({key}) => key);
  assert.deepEqual(
    left,
    shown.filter((key) => !of('rank:0/host', groups[6]).includes(key)),
  );
  const threads = shown.flatMap((key, index) => (shown[index - 1]?.includes('/process:') && index < shown.indexOf(groups[6]) ? Number(key.slice(4)) : []));
  assert.equal(threads.length, 2);
  const [one, other] = threads.map((row) => scene.clips[0].lines.find((line) => line.row === row)?.y ?? NaN);
  assert.ok(other > one && other - one < 18, 'both threads stand beside the head');
  await hashed(visit, 'fold', 'rank:0/host');
  await act(visit, 'rank:0/devices', 'hide');
  await hashed(visit, 'hide', 'rank:0/devices');
  assert.ok(!(await heads(visit)).some(({key}) => key.includes('device')));
  await visit.page.reload();
  await openTimeline(visit, file);
  assert.deepEqual(
    (await heads(visit)).map(({key}) => key),
    left.filter((key) => !key.includes('device') && !of('rank:0/devices', 'rank:0/host').includes(key)),
  );
  await visit.part('timeline-unhide').click();
  scene = await act(visit, 'rank:0/host', 'fold');
  assert.deepEqual(rows(scene), rows(first));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('rows are folded, pinned, moved and hidden', async () => {
  const visit = await here.visit({viewport: {width: 1280, height: 1600}});
  const first = await openTimeline(visit, trace);
  const all = rows(first);
  const deep = all.find((row) => lanes(first, row) > 1);
  assert.ok(deep !== undefined && all.length > 6, `${all}`);
  const shown = await heads(visit);
  assert.deepEqual(
    shown.filter(({key}) => key.startsWith('row:')).map(({key}) => Number(key.slice(4))),
    all,
    'each row has its head',
  );
  // Fold a thread.
  let scene = await act(visit, `row:${deep}`, 'fold');
  assert.equal(height(scene, deep), 18, 'as high as one lane');
  assert.equal(lanes(scene, deep), lanes(first, deep), 'and yet all of them');
  assert.match(
    (await visit.page.locator(`[data-key="row:${deep}"]`).getAttribute('title')) ?? '',
    new RegExp(`folded: ${lanes(first, deep)} of ${lanes(first, deep)} levels`),
  );
  await hashed(visit, 'fold', `row:${deep}`);
  scene = await act(visit, `row:${deep}`, 'fold');
  assert.equal(height(scene, deep), height(first, deep));
  // By keys, too: the button keeps the focus.
  await visit.page.locator(`[data-key="row:${deep}"] [data-act="fold"]`).focus();
  for (const high of [18, height(first, deep)]) {
    await visit.page.keyboard.press('Enter');
    await until(visit, (scene) => height(scene, deep) === high);
    assert.equal(await visit.page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.act), 'fold');
  }
  // Fold a group.
  const group = shown.find(({key}) => key.includes('/device:'))?.key ?? '';
  scene = await act(visit, group, 'fold');
  const without = rows(scene);
  assert.ok(without.length > 0 && without.length < all.length);
  const ofDevice = shown.findIndex(({key}) => key === group) + 1;
  assert.ok(without.includes(Number(shown[ofDevice].key.slice(4))), 'what the device does stands beside its name');
  assert.ok(!without.includes(Number(shown[ofDevice + 1].key.slice(4))));
  assert.equal((await heads(visit)).find(({key}) => key === group)?.expanded, 'false');
  scene = await act(visit, group, 'fold');
  assert.deepEqual(rows(scene), all);
  // Pin two, in the order in which they were pinned.
  const [a, b] = [all[3], all[1]];
  await act(visit, `row:${a}`, 'pin');
  scene = await act(visit, `row:${b}`, 'pin');
  assert.deepEqual(rows(scene, true), [a, b]);
  assert.deepEqual(
    (await heads(visit, 'timeline-pinned')).map(({key}) => key),
    [`row:${a}`, `row:${b}`],
  );
  await hashed(visit, 'pin', `${a} ${b}`);
  assert.ok(Math.max(...scene.clips[1].lines.map((line) => line.y)) < Math.min(...scene.clips[0].lines.map((line) => line.y)), 'above all others');
  await act(visit, `row:${a}`, 'unpin', 'timeline-pinned');
  scene = await act(visit, `row:${b}`, 'unpin', 'timeline-pinned');
  assert.deepEqual(rows(scene, true), []);
  await hashed(visit, 'pin', null);
  // Move one down and up again; the first row cannot move up.
  const inGroup = shown.map(({key}) => key);
  const at = inGroup.indexOf(group);
  const [one, other] = inGroup.slice(at + 1, at + 3);
  await act(visit, one, 'up');
  assert.deepEqual(
    (await heads(visit)).map(({key}) => key),
    inGroup,
  );
  await act(visit, one, 'down');
  let keys = (await heads(visit)).map(({key}) => key);
  assert.deepEqual(keys.slice(at, at + 3), [group, other, one]);
  const order = [other, one].map((key) => key.slice(4)).join('.');
  await visit.page.waitForFunction((order) => new URLSearchParams(location.hash.slice(1)).get('order')?.startsWith(order), order);
  await act(visit, one, 'up');
  keys = (await heads(visit)).map(({key}) => key);
  assert.deepEqual(keys, inGroup);
  await hashed(visit, 'order', null);
  // Hide one, and show it again.
  scene = await act(visit, `row:${deep}`, 'hide');
  assert.deepEqual(
    rows(scene),
    all.filter((row) => row !== deep),
  );
  await hashed(visit, 'hide', String(deep));
  assert.match(await visit.text('timeline-unhide'), /1/);
  await visit.part('timeline-unhide').click();
  assert.deepEqual(rows(await until(visit, (scene) => rows(scene).length === all.length)), all);
  assert.equal(await visit.part('timeline-unhide').isVisible(), false);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('buttons of heads are as large as fingers want them, and none lies over another row', async () => {
  const visit = await here.visit();
  await openTimeline(visit, trace);
  const small = await visit.page.locator('.track-head-fold, .track-head-tools > :not(.track-head-more)').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const head = /** @type {HTMLElement} */ (button.closest('.track-head'));
      const [inside, around] = [button, head].map((one) => one.getBoundingClientRect());
      const fits = inside.top >= around.top && inside.top + 24 <= around.top + head.clientHeight;
      return inside.width >= 24 && inside.height >= 24 && fits ? [] : [`${button.getAttribute('aria-label')}: ${inside.width} × ${inside.height}`];
    }),
  );
  assert.deepEqual(small, []);
  await visit.close();
});

test('groups are pinned, moved and hidden as rows are', async () => {
  const visit = await here.visit({viewport: {width: 1280, height: 1600}});
  const first = await openTimeline(visit, trace);
  const shown = await heads(visit);
  const groups = shown.filter(({key}) => key.startsWith('rank:')).map(({key}) => key);
  assert.ok(groups.length >= 2, `${groups}`);
  const [one, other] = groups;
  const keys = async (/** @type {'timeline-heads' | 'timeline-pinned'} */ among = 'timeline-heads') => (await heads(visit, among)).map(({key}) => key);
  /** A group's own rows, as they stand. @param {string} group */
  const of = (group) => {
    const from = shown.findIndex(({key}) => key === group) + 1;
    const rest = shown.slice(from).findIndex(({key}) => key.startsWith('rank:'));
    return shown.slice(from, rest < 0 ? undefined : from + rest).map(({key}) => key);
  };
  // Moved below the other one, with all that is in it, and back.
  await act(visit, one, 'down');
  assert.deepEqual((await keys()).filter((key) => key.startsWith('rank:')).slice(0, 2), [other, one]);
  assert.equal((await keys()).indexOf(of(one)[0]), (await keys()).indexOf(one) + 1);
  await visit.page.waitForFunction((order) => new URLSearchParams(location.hash.slice(1)).get('order')?.startsWith(order), `${other}.${one}`);
  await act(visit, one, 'up');
  await hashed(visit, 'order', null);
  // Pinned with its rows, folded there, too.
  let scene = await act(visit, other, 'pin');
  assert.deepEqual(await keys('timeline-pinned'), [other, ...of(other)]);
  assert.deepEqual(
    rows(scene, true).map((row) => `row:${row}`),
    of(other),
  );
  await hashed(visit, 'pin', other);
  scene = await act(visit, other, 'fold', 'timeline-pinned');
  assert.deepEqual(await keys('timeline-pinned'), [other]);
  assert.ok(rows(scene, true).length > 0, 'what sums it up');
  await act(visit, other, 'fold', 'timeline-pinned');
  await act(visit, other, 'unpin', 'timeline-pinned');
  await hashed(visit, 'pin', null);
  // By the menu, with keys alone: hidden with its rows.
  await visit.page.locator(`[data-test="timeline-heads"] [data-key="${other}"] [data-act="fold"]`).focus();
  await visit.page.keyboard.press('Shift+F10');
  await visit.part('head-menu').waitFor();
  const items = await visit
    .part('head-menu')
    .locator('[data-menu]')
    .evaluateAll((items) => items.map((item) => /** @type {HTMLElement} */ (item).dataset.menu));
  assert.deepEqual(items, ['fold', 'pin', 'up', 'down', 'hide']);
  for (let times = 0; times < 4; times++) await visit.page.keyboard.press('ArrowDown');
  await visit.page.keyboard.press('Enter');
  const hidden = new Set([other, ...of(other)]);
  await until(visit, (scene) => rows(scene).length < rows(first).length);
  assert.deepEqual(
    await keys(),
    shown.map(({key}) => key).filter((key) => !hidden.has(key)),
  );
  await hashed(visit, 'hide', other);
  assert.equal(
    await visit.page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.test),
    'timeline-canvas',
    'keys go on from there',
  );
  assert.match(await visit.text('timeline-unhide'), /1/);
  // The address brings it back.
  await visit.page.reload();
  await watch(visit);
  await visit.open(trace);
  await drawn(visit);
  assert.deepEqual(
    await keys(),
    shown.map(({key}) => key).filter((key) => !hidden.has(key)),
  );
  await visit.part('timeline-unhide').click();
  await until(visit, (scene) => rows(scene).length === rows(first).length);
  await hashed(visit, 'hide', null);
  // Escape closes the menu, and nothing else.
  await visit.page.locator(`[data-key="${other}"] .track-head-name`).click({button: 'right', position: {x: 8, y: 8}});
  await visit.page.keyboard.press('Escape');
  assert.equal(await visit.part('head-menu').count(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('what is pinned never hides all else, and scrolls by itself', async () => {
  const events = Array.from({length: 60}, (_, tid) => ({ph: 'X', name: `work of ${tid}`, pid: 1, tid: tid + 1, ts: tid, dur: 2000}));
  const visit = await here.visit();
  await openTimeline(visit, chrome('pinned', events));
  const group = (await heads(visit)).find(({key}) => key.startsWith('rank:'))?.key ?? '';
  const scene = await act(visit, group, 'pin');
  const [moving, pinned] = scene.clips;
  assert.ok(pinned.bottom <= TOP + 0.6 * (scene.height - TOP) + 1 && moving.lines.length > 2, `${pinned.bottom} of ${scene.height}`);
  const {x, y} = await box(visit);
  await visit.page.mouse.move(x + 200, y + TOP + 60);
  await visit.page.mouse.wheel(0, 300);
  const scrolled = await until(visit, ({clips}) => clips[1].lines[0].row !== pinned.lines[0].row);
  assert.deepEqual(scrolled.clips[0].lines, moving.lines, 'the others stay');
  await click(visit, xOf(scrolled, 1_000_000), yOf(scrolled, scrolled.clips[1].lines[3].row, 0, true));
  assert.match(
    await said(visit),
    new RegExp(
      `in ${await visit.page.locator(`[data-test="timeline-pinned"] [data-key="row:${scrolled.clips[1].lines[3].row}"] .track-head-name`).textContent()}$`,
    ),
  );
  await visit.page.mouse.move(x + 200, y + scrolled.height - 40);
  await visit.page.mouse.wheel(0, 120);
  await until(visit, ({clips}) => clips[0].lines[0].y !== scrolled.clips[0].lines[0].y || clips[0].lines[0].row !== scrolled.clips[0].lines[0].row);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('of many ranks a summary is shown, and all of those that are chosen', async () => {
  const world = 24;
  const ranks = Array.from({length: world}, (_, rank) =>
    generated(`timeline/ranks/rank${rank}.json`, '--seed', '98', '--groups', '2', '--steps', '3', '--rank', String(rank), '--world', String(world)),
  );
  const visit = await here.visit({viewport: {width: 1280, height: 6500}});
  await openTimeline(visit, ...ranks);
  const shown = await heads(visit);
  const groups = shown.filter(({key}) => /^rank:\d+$/.test(key));
  assert.deepEqual(
    groups.map(({key}) => key),
    ranks.map((_, rank) => `rank:${rank}`),
  );
  const buttons = await visit.page.locator('[data-test="timeline-heads"] [data-act="detail"]').allInnerTexts();
  assert.equal(buttons.length, world);
  assert.deepEqual([...new Set(buttons)], ['All rows'], 'a summary of each');
  /** Titles of a rank's rows. @param {{key: string, title: string}[]} all @param {number} rank */
  const of = (all, rank) => {
    const from = all.findIndex(({key}) => key === `rank:${rank}`);
    const end = all.findIndex(({key}, index) => index > from && /^rank:\d+$/.test(key));
    return all
      .slice(from + 1, end < 0 ? undefined : end)
      .filter(({key}) => key.startsWith('row:'))
      .map(({title}) => title);
  };
  for (let rank = 0; rank < world; rank++) {
    const titles = of(shown, rank);
    assert.ok(titles.length > 0 && titles.every((title) => title.startsWith('Device ')), `${rank}: what its devices do: ${titles}`);
  }
  // The text for another rank's step, drawn beside the rank's head, has that rank's numbers.
  const scene = await drawn(visit);
  const all = summary(...ranks).ranks;
  assert.equal(all[17].rank, 17);
  const step = all[17].steps[1];
  const origins = all.map((/** @type {any} */ rank) => BigInt(rank.origin_unix_ns));
  const shift = Number(origins[17] - origins.reduce((/** @type {bigint} */ least, /** @type {bigint} */ origin) => (origin < least ? origin : least)));
  const head = await visit.page.locator('[data-key="rank:17"]').boundingBox();
  assert.ok(head);
  await click(visit, xOf(scene, shift + (step.start_ns + step.end_ns) / 2), head.y + head.height / 2 - (await box(visit)).y);
  assertShows(/, ([^,]*), from /.exec(await said(visit))?.[1] ?? '', step.end_ns - step.start_ns, "the step's length");
  await act(visit, 'rank:17', 'detail');
  const opened = await heads(visit);
  assert.ok(of(opened, 17).length > of(shown, 17).length, `${of(opened, 17)}`);
  assert.deepEqual(of(opened, 16), of(shown, 16));
  await hashed(visit, 'all', '17');
  await act(visit, 'rank:17', 'detail');
  assert.deepEqual(await heads(visit), shown);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('slices that overlap on a thread, and asynchronous ones, are all there', async () => {
  const slices = [
    [0, 100],
    [10, 60],
    [40, 90],
    [50, 70],
    [200, 20],
    [200, 20],
    [205, 10],
    [205, 30],
  ];
  const events = slices.map(([ts, dur], index) => ({ph: 'X', name: `crossing ${index}`, pid: 1, tid: 1, ts, dur}));
  const open = [
    [0, 50],
    [10, 40],
    [20, 90],
    [60, 30],
  ].flatMap(([ts, dur], index) =>
    ['b', 'e'].map((ph, end) => ({ph, name: `asynchronous ${index}`, cat: 'request', id: `${index}`, pid: 1, tid: 1, ts: ts + (end ? dur : 0)})),
  );
  const file = chrome('overlapping', [...events, ...open]);
  const visit = await here.visit();
  const scene = await openTimeline(visit, file);
  /** @type {Set<string>} */
  const found = new Set();
  for (const {row, first, count} of scene.clips[0].lines) {
    for (let lane = first; lane < first + count; lane++) {
      for (const at of [2, 15, 35, 50, 75, 95, 105, 115, 125, 202, 207, 213, 217, 230]) {
        const {x, y} = await box(visit);
        await visit.page.mouse.move(x + xOf(scene, at * 1000), y + yOf(scene, row, lane));
        await visit.page.waitForTimeout(25);
        const tip = visit.page.locator('.timeline-tip:not([hidden]) strong');
        if (await tip.count()) found.add((await tip.textContent({timeout: 200}).catch(() => '')) ?? '');
      }
    }
  }
  const expected = [...slices.keys()].map((index) => `crossing ${index}`).concat([0, 1, 2, 3].map((index) => `asynchronous ${index}`));
  assert.deepEqual(
    expected.filter((name) => !found.has(name)),
    [],
  );
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the label of a row stays in view as long as a part of the row does', async () => {
  const events = Array.from({length: 60}, (_, depth) => ({ph: 'X', name: `depth ${depth}`, pid: 1, tid: 1, ts: depth, dur: 1000 - 2 * depth}));
  const visit = await here.visit({viewport: {width: 1280, height: 640}});
  const first = await openTimeline(visit, chrome('deep', [...events, {ph: 'X', name: 'next', pid: 1, tid: 2, ts: 0, dur: 10}]));
  const row = await rowOf(visit, 'Thread 1');
  for (const scrolled of [300, 700, 5000]) {
    await visit.part('timeline-scroller').evaluate((scroller, to) => scroller.scrollTo(0, to), scrolled);
    await until(visit, (scene) => scene.clips[0].lines.some((line) => line.row === row && line.y < first.clips[0].lines[0].y));
    const [label, heads] = await Promise.all(
      [visit.page.locator(`.track-head[data-key="row:${row}"] .track-head-name`), visit.part('timeline-heads')].map((one) => one.boundingBox()),
    );
    assert.ok(label && heads && label.y >= heads.y && label.y + label.height <= heads.y + heads.height, `${scrolled}: ${JSON.stringify([label, heads])}`);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the rows of 5,000 threads are usable', async () => {
  const threads = 5000;
  const events = Array.from({length: threads}, (_, tid) => ({ph: 'X', name: `work of ${tid}`, pid: 1, tid: tid + 1, ts: tid, dur: 2000}));
  const visit = await here.visit();
  const first = await openTimeline(visit, chrome('threads', events));
  const count = () => visit.page.locator('[data-test="timeline-heads"] .track-head').count();
  assert.ok((await count()) <= 100, `${await count()} heads`);
  assert.ok(first.clips[0].lines.length <= 100, `${first.clips[0].lines.length} rows drawn`);
  await visit.part('timeline-scroller').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
  const bottom = await rowOf(visit, 'Thread 5000');
  const last = await until(visit, (scene) => rows(scene).includes(bottom));
  assert.ok((await count()) <= 100, `${await count()} heads`);
  await click(visit, xOf(last, (threads - 1) * 1000 + 1_000_000), yOf(last, bottom));
  assert.match(await said(visit), /^work of 4999, /);
  await visit.part('timeline-canvas').focus();
  await visit.page.keyboard.press('Escape');
  await nothing(visit);
  await visit.part('timeline-filter').fill('4321');
  await until(visit, (scene) => rows(scene).length === 1);
  const {title} = (await heads(visit)).at(-1) ?? {};
  assert.equal(title, 'Thread 4321');
  // A hit far away is scrolled to.
  await visit.part('timeline-filter').fill('');
  await visit.part('find').fill('"work of 2500"');
  await visit.part('find').press('Enter');
  assert.match(await said(visit), /^work of 2500, /);
  await until(visit, (scene) => scene.selected.length > 0);
  await rowOf(visit, 'Thread 2501');
  assert.ok((await count()) <= 100, `${await count()} heads`);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
