// Navigation and selection on the timeline: by wheel, mouse, fingers and keys. Selections match the program's output.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {generated, stepscope} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';
import {TOP, box, click, drag, drawn, hashed, moved, nothing, openTimeline, said, timeAt, until, xOf} from './lib/timeline.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */
/** @typedef {import('./lib/timeline.mjs').Scene} Scene */

const here = site();
const trace = generated('timeline/trace.json.gz', '--seed', '97', '--groups', '8', '--steps', '4');

/** Search result of the program. @param {string} query @returns {{count: number, events: any[]}} */
function found(query) {
  return JSON.parse(stepscope('find', trace, query, '--json', '--limit', '0').toString()).ranks[0];
}

/** Times that are the same but for what computing rounds. @param {number} a @param {number} b @param {Scene} scene @param {string} what @param {number} [pixels] */
function assertSame(a, b, scene, what, pixels = 0.01) {
  const pixel = (scene.end - scene.start) / scene.width;
  assert.ok(Math.abs(a - b) <= pixel * pixels, `${what}: ${a} is not ${b}, a pixel is ${pixel} ns`);
}

/** @param {Scene} scene */
const length = ({start, end}) => end - start;

test('the wheel zooms around the pointer, moves through time, and scrolls rows', async () => {
  const visit = await here.visit({viewport: {width: 1280, height: 620}});
  const first = await openTimeline(visit, trace);
  const {x, y, width} = await box(visit);
  assert.equal(first.width, width);
  const at = Math.round(width / 4);
  await visit.page.mouse.move(x + at, y + 150);
  const {mouse, keyboard} = visit.page;
  await keyboard.down('Control');
  await mouse.wheel(0, -50);
  await keyboard.up('Control');
  const near = await moved(visit, first);
  assertSame(timeAt(near, at), timeAt(first, at), near, 'the time under the pointer stays');
  assert.ok(Math.abs(length(near) / length(first) - Math.exp(-0.4)) < 1e-6, 'it is nearer');
  await keyboard.down('Shift');
  await mouse.wheel(0, 64);
  await keyboard.up('Shift');
  const right = await moved(visit, near);
  assertSame(right.start, timeAt(near, 64), near, 'with shift it moves right');
  assertSame(length(right), length(near), near, 'and the length stays');
  await mouse.wheel(-32, 0);
  const left = await moved(visit, right);
  assertSame(left.start, timeAt(right, -32), right, 'a wheel to the left moves left');
  await mouse.wheel(0, 90);
  await visit.page.waitForFunction(() => document.querySelector('[data-test="timeline-scroller"]')?.scrollTop === 90);
  const down = await drawn(visit);
  assert.equal(down.start, left.start);
  assert.equal(
    down.clips[0].lines.find((line) => line.first === 0 && line.y > 200)?.y,
    (left.clips[0].lines.find((line) => line.row === down.clips[0].lines.find((line) => line.first === 0 && line.y > 200)?.row)?.y ?? 0) - 90,
  );
  await keyboard.down('Control');
  for (let times = 0; times < 12; times++) await mouse.wheel(0, 400);
  await keyboard.up('Control');
  const out = await until(visit, (scene) => scene.end - scene.start > scene.whole);
  assert.ok(out.start < 0 && length(out) <= 1.05 * out.whole, 'no further away than all, with a margin');
  for (let times = 0; times < 3; times++) await visit.part('timeline-zoomin').click();
  await until(visit, (scene) => length(scene) < length(out) / 7);
  for (let times = 0; times < 2; times++) await visit.part('timeline-zoomout').click();
  await until(visit, (scene) => length(scene) > length(out) / 3);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a drag chooses a range, on the axis or with the middle button it moves, on the overview it goes there', async () => {
  const visit = await here.visit();
  const first = await openTimeline(visit, trace);
  await drag(visit, [200, 150], [500, 180]);
  const ranged = await until(visit, (scene) => scene.range !== null);
  assert.ok(ranged.range);
  assertSame(ranged.range[0], timeAt(first, 200), first, 'it begins where the drag began');
  assertSame(ranged.range[1], timeAt(first, 500), first, 'and ends where it ended');
  const words = /^A span of (.*) from (.*)$/.exec(await said(visit));
  assert.ok(words);
  assertShows(words[1], ranged.range[1] - ranged.range[0], 'length');
  assertShows(words[2], ranged.range[0], 'start');
  // From right to left it is the same.
  await drag(visit, [500, 150], [200, 180]);
  assert.deepEqual((await drawn(visit)).range, ranged.range);
  await visit.part('timeline-zoomin').click();
  const near = await moved(visit, ranged);
  await drag(visit, [600, 150], [480, 150], 'middle');
  const panned = await moved(visit, near);
  assertSame(panned.start, timeAt(near, 120), near, 'what is held moves along');
  assert.deepEqual(panned.range, ranged.range, 'and the range stays');
  await drag(visit, [600, TOP - 10], [660, TOP - 10]);
  const back = await moved(visit, panned);
  assertSame(back.start, timeAt(panned, -60), panned, 'the axis is a handle');
  await click(visit, 0.75 * back.width, 8);
  const there = await moved(visit, back);
  assertSame((there.start + there.end) / 2, 0.75 * there.whole, there, 'a click on the overview', 1);
  await drag(visit, [0.75 * back.width, 8], [0.4 * back.width, 8]);
  const dragged = await moved(visit, there);
  assertSame((dragged.start + dragged.end) / 2, 0.4 * there.whole, there, 'a drag on the overview', 1);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('fingers move, pinch and choose', async () => {
  const visit = await here.visit({hasTouch: true, viewport: {width: 900, height: 620}});
  const first = await openTimeline(visit, trace);
  await visit.part('timeline-zoomin').click();
  const near = await moved(visit, first);
  const {x, y} = await box(visit);
  const session = await visit.page.context().newCDPSession(visit.page);
  const touch = (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, /** @type {[number, number][]} */ ...points) =>
    session.send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([px, py], id) => ({x: x + px, y: y + py, id}))});
  await touch('touchStart', [300, 200]);
  await touch('touchMove', [280, 190]);
  await touch('touchMove', [240, 160]);
  await touch('touchEnd');
  const panned = await moved(visit, near);
  assertSame(panned.start, timeAt(near, 60), near, 'a finger moves time', 1.5);
  assert.ok(await visit.part('timeline-scroller').evaluate((scroller) => Math.abs(scroller.scrollTop - 40) <= 1), 'and rows');
  assert.equal(panned.range, null, 'it chooses no range');
  await touch('touchStart', [200, 200]);
  await touch('touchStart', [200, 200], [300, 200]);
  await touch('touchMove', [150, 200], [350, 200]);
  await touch('touchEnd');
  const pinched = await until(visit, (scene) => length(scene) < 0.55 * length(panned));
  assertSame(length(pinched), length(panned) / 2, panned, 'twice as far apart is twice as near', 8);
  assertSame(timeAt(pinched, 250), timeAt(panned, 250), panned, 'what is between the fingers stays', 30);
  await nothing(visit);
  const line = pinched.clips[0].lines.find((line) => !line.curve);
  assert.ok(line);
  await touch('touchStart', [250, line.y + 8]);
  await touch('touchEnd');
  assert.notEqual(await said(visit), '', 'a tap selects');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('W, A, S and D move as long as they are held', async () => {
  const visit = await here.visit();
  let scene = await openTimeline(visit, trace);
  await visit.part('timeline-canvas').focus();
  const {x, y, width} = await box(visit);
  await visit.page.mouse.move(x + width / 2, y + 200);
  const middle = timeAt(scene, width / 2);
  for (const [key, holds] of /** @type {[string, (now: Scene, before: Scene) => boolean][]} */ ([
    ['w', (now, before) => length(now) < 0.8 * length(before)],
    ['d', (now, before) => now.start > before.start && Math.abs(length(now) / length(before) - 1) < 1e-9],
    ['a', (now, before) => now.start < before.start && Math.abs(length(now) / length(before) - 1) < 1e-9],
    ['s', (now, before) => length(now) > length(before)],
    ['W', (now, before) => length(now) < length(before)],
  ])) {
    const before = scene;
    await visit.page.keyboard.press(key);
    scene = await moved(visit, before);
    assert.ok(holds(scene, before), `${key}: ${JSON.stringify([before, scene].map(({start, end}) => [start, end]))}`);
    if (key === 'w') assertSame(timeAt(scene, width / 2), middle, scene, 'what is under the pointer stays');
  }
  const before = scene;
  await visit.page.keyboard.down('w');
  await visit.page.waitForFunction(
    (most) => /** @type {any} */ (globalThis).scene.end - /** @type {any} */ (globalThis).scene.start < most,
    length(before) / 4,
  );
  await visit.page.keyboard.up('w');
  const after = await drawn(visit);
  await visit.page.waitForTimeout(150);
  assert.deepEqual([(await drawn(visit)).start, (await drawn(visit)).end], [after.start, after.end], 'a key that is let go moves nothing');
  // The keys are the find bar's own while a person types there.
  await visit.part('find').focus();
  await visit.page.keyboard.type('wasd');
  assert.equal(await visit.part('find').inputValue(), 'wasd');
  assert.equal((await drawn(visit)).start, after.start);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("the keys are the timeline's again after a choice by pointer, and never a checkbox's", async () => {
  const visit = await here.visit();
  let scene = await openTimeline(visit, trace);
  const press = async (/** @type {string} */ key) => {
    const before = scene;
    await visit.page.keyboard.press(key);
    scene = await moved(visit, before);
    assert.ok(length(scene) < length(before), key);
  };
  await visit.part('find-args').focus();
  await press('w');
  await visit.part('step').focus();
  await visit.part('step').dispatchEvent('pointerdown');
  await visit.part('step').selectOption('1');
  scene = await until(visit, ({step}) => step !== null);
  await press('w');
  await visit.part('step').focus();
  await visit.page.keyboard.press('w');
  assert.equal((await drawn(visit)).start, scene.start, 'a list with the focus uses letters itself');
  await visit.page.keyboard.press('Control+k');
  await visit.part('palette-input').waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("a click chooses what is under the pointer, with the program's numbers", async () => {
  const visit = await here.visit();
  await openTimeline(visit, trace);
  for (const query of ['class:kernel', 'class:operator', 'class:runtime_call', 'class:python_frame']) {
    const {count, events} = found(query);
    assert.ok(count > 1, query);
    await visit.part('find').fill('');
    await visit.page.waitForFunction(() => document.querySelector('[data-test="find-said"]')?.textContent === '');
    await visit.part('find').fill(query);
    await visit.page.waitForFunction((count) => document.querySelector('[data-test="find-said"]')?.textContent?.replace(/\D/g, '') === count, String(count));
    let shown = '';
    for (const [number, event] of events.slice(0, 2).entries()) {
      await visit.part('find').press('Enter');
      await visit.page.waitForFunction((start) => document.querySelector('[data-test="find-said"]')?.textContent?.startsWith(start), `${number + 1} of `);
      shown = await said(visit, shown);
      const scene = await until(visit, ({selected}) => selected.some(({start, end}) => start === event.start_ns && end === event.start_ns + event.duration_ns));
      const [mark] = scene.selected;
      const scrolled = await visit.part('timeline-scroller').evaluate((one) => one.scrollTop);
      await visit.part('timeline-canvas').focus();
      await visit.page.keyboard.press('Escape');
      await nothing(visit);
      // The drawer is gone: the canvas is higher, and no wider.
      const now = await drawn(visit);
      assert.deepEqual([now.start, now.end, now.width], [scene.start, scene.end, scene.width]);
      const y = mark.y + mark.height / 2 + scrolled - (await visit.part('timeline-scroller').evaluate((one) => one.scrollTop));
      const x = xOf(now, (Math.max(mark.start, now.start) + Math.min(mark.end, now.end)) / 2);
      await click(visit, x, y);
      const words = await said(visit);
      assert.equal(words, shown, query);
      assert.ok(words.startsWith(`${event.name}, `), words);
      const [, duration, start] = /, ([^,]*), from ([^,]*), in /.exec(words) ?? [];
      assertShows(duration, event.duration_ns, words);
      assertShows(start, event.start_ns, words);
      await hashed(visit, 'event', String(event.slice));
    }
    await visit.part('timeline-canvas').focus();
    await visit.page.keyboard.press('Escape');
    await nothing(visit);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('Escape after a click wins over the late answer to it', async () => {
  const visit = await here.visit();
  await openTimeline(visit, trace);
  // The test holds the timeline's questions about a place.
  await visit.page.evaluate(() => {
    const plain = Worker.prototype.postMessage;
    const of = /** @type {any} */ (globalThis);
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ ...rest) {
      const ask = () => plain.call(this, message, ...rest);
      if (message?.argument?.call !== 'hit' || !of.held) return ask();
      const answered = new Promise((resolve) => this.addEventListener('message', ({data}) => data.id === message.id && setTimeout(resolve)));
      of.held.push(() => (ask(), answered));
    };
  });
  await visit.part('find').fill('class:kernel');
  await visit.part('find').press('Enter');
  const scene = await until(visit, ({selected}) => selected.length > 0);
  const [mark] = scene.selected;
  const x = xOf(scene, (Math.max(mark.start, scene.start) + Math.min(mark.end, scene.end)) / 2);
  const y = mark.y + mark.height / 2;
  for (const isCleared of [false, true]) {
    await visit.part('timeline-canvas').focus();
    await visit.page.keyboard.press('Escape');
    await nothing(visit);
    // A range beside it, which the click does not clear before its answer.
    await drag(visit, [x + 60, y], [x + 160, y]);
    await until(visit, ({range}) => range !== null);
    await visit.page.evaluate(() => void Object.assign(globalThis, {held: []}));
    await click(visit, x, y);
    await visit.page.waitForFunction(() => /** @type {any} */ (globalThis).held.length);
    if (isCleared) await visit.page.keyboard.press('Escape');
    await visit.page.evaluate(async () => {
      const {held} = /** @type {any} */ (globalThis);
      Object.assign(globalThis, {held: undefined});
      await Promise.all(held.map((/** @type {() => Promise<void>} */ release) => release()));
    });
    if (isCleared) await nothing(visit);
    else await until(visit, ({selected}) => selected.length > 0);
  }
  assert.equal(await visit.part('drawer').isVisible(), false);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
