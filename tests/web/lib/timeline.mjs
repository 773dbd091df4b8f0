// The timeline as the user sees it, and the scenes that the page sends to the worker.

import assert from 'node:assert/strict';

/** @typedef {import('./site.mjs').Visit} Visit */
/** @typedef {{start: number, end: number, y: number, height: number, pinned: boolean}} Mark */
/** @typedef {{row: number, first: number, count: number, y: number, laneHeight: number, curve: boolean}} Line */
/**
 * @typedef {{frame: number, width: number, height: number, scale: number, dark: boolean, start: number, end: number, whole: number,
 *   clips: {lines: Line[], top: number, bottom: number, pinned: boolean}[], range: [number, number] | null, step: [number, number] | null, among: [number, number][] | null, selected: Mark[], arrows: {from: Mark, to: Mark}[], hits: number[], notes: {start: number, end: number}[]}} Scene
 *   as www/js/page/timeline/scene.js has it
 */

/** Top of the rows, in CSS pixels: below the whole trace and the axis. */
export const TOP = 44;

/** Notes each scene that goes to a worker: `scene` is the last one. @param {Visit} visit */
export async function watch(visit) {
  await visit.page.evaluate(() => {
    const plain = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ ...rest) {
      const of = /** @type {any} */ (globalThis);
      if (message?.kind === 'scene' && message.name === 'timeline') of.scene = message.scene;
      else if (message?.kind === 'scene') (of.aligned ??= {})[message.name] = message.scene;
      return plain.call(this, message, ...rest);
    };
  });
}

/** Opens files at their timeline. @param {Visit} visit @param {...string} files */
export async function openTimeline(visit, ...files) {
  await watch(visit);
  await visit.open(...files);
  await visit.tab('timeline');
  return drawn(visit);
}

/** Timeout of a scene, in ms. */
const PATIENCE = 20_000;

/** Waits until the last scene is drawn, as large as the canvas is, and nothing is to be drawn any more. @param {Visit} visit @returns {Promise<Scene>} */
export async function drawn(visit) {
  return visit.page.evaluate(async (patience) => {
    const [timeline, canvas] = ['timeline', 'timeline-canvas'].map(
      (name) => /** @type {HTMLElement | null} */ (document.querySelector(`[data-test="${name}"]`)),
    );
    const of = /** @type {any} */ (globalThis);
    const end = performance.now() + patience;
    for (let still = 0, last = -1; still < 3;) {
      await new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));
      const frame = Number(timeline?.dataset.frame ?? 0);
      const fits = of.scene?.width === canvas?.clientWidth && of.scene?.height === canvas?.clientHeight;
      still = fits && frame === of.scene.frame && frame === last ? still + 1 : 0;
      last = frame;
      if (performance.now() > end) {
        const size = (/** @type {any} */ of, /** @type {string} */ width, /** @type {string} */ height) => `${of?.[width]} × ${of?.[height]}`;
        throw new Error(
          `frame ${frame} is drawn, ${of.scene?.frame} was asked for with ${size(of.scene, 'width', 'height')}; the canvas has ${size(canvas, 'clientWidth', 'clientHeight')}`,
        );
      }
    }
    return of.scene;
  }, PATIENCE);
}

/** Waits until the scene is as wanted, and drawn. @param {Visit} visit @param {(scene: Scene) => boolean} wanted */
export async function until(visit, wanted) {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const scene = await drawn(visit);
    if (wanted(scene)) return scene;
    if (performance.now() > end) {
      const {start, end, whole, range, selected} = scene;
      assert.fail(`not ${wanted}: ${JSON.stringify({start, end, whole, range, selected})}`);
    }
  }
}

/** Waits until another time is shown than in a scene. @param {Visit} visit @param {Scene} before */
export function moved(visit, before) {
  return until(visit, (scene) => scene.start !== before.start || scene.end !== before.end);
}

/** The canvas's box. @param {Visit} visit */
export async function box(visit) {
  const found = await visit.part('timeline-canvas').boundingBox();
  assert.ok(found);
  return found;
}

/** Distance of a time from the canvas's left edge. @param {Scene} scene @param {number} at */
export function xOf(scene, at) {
  return ((at - scene.start) / (scene.end - scene.start)) * scene.width;
}

/** The time at a place. @param {Scene} scene @param {number} x */
export function timeAt(scene, x) {
  return scene.start + (x / scene.width) * (scene.end - scene.start);
}

/** The middle of a lane, from the canvas's top. @param {Scene} scene @param {number} row @param {number} [lane] @param {boolean} [pinned] */
export function yOf(scene, row, lane = 0, pinned = false) {
  const lines = scene.clips.filter((clip) => clip.pinned === pinned).flatMap((clip) => clip.lines);
  const line = lines.find((line) => line.row === row && (line.curve || (line.first <= lane && lane < line.first + line.count)));
  assert.ok(line, `lane ${lane} of row ${row} is not drawn`);
  return line.curve ? line.y + line.count / 2 : line.y + (lane - line.first + 0.5) * line.laneHeight;
}

/** Clicks at a place of the canvas. @param {Visit} visit @param {number} x @param {number} y */
export async function click(visit, x, y) {
  const {x: left, y: top} = await box(visit);
  await visit.page.mouse.click(left + x, top + y);
}

/** Drags over the canvas. @param {Visit} visit @param {[number, number]} from @param {[number, number]} to @param {'left' | 'middle'} [button] */
export async function drag(visit, [x1, y1], [x2, y2], button = 'left') {
  const {x, y} = await box(visit);
  const {mouse} = visit.page;
  await mouse.move(x + x1, y + y1);
  await mouse.down({button});
  await mouse.move(x + (x1 + x2) / 2, y + (y1 + y2) / 2);
  await mouse.move(x + x2, y + y2);
  await mouse.up({button});
}

/** The text that is read out, once it differs from an earlier one. @param {Visit} visit @param {string} [before] @returns {Promise<string>} */
export async function said(visit, before = '') {
  await visit.page.waitForFunction((before) => {
    const text = document.querySelector('[data-test="timeline-said"]')?.textContent ?? '';
    return text !== '' && text !== before;
  }, before);
  return (await visit.part('timeline-said').textContent()) ?? '';
}

/** Waits until the address has a value: the page writes it once a view stays. @param {Visit} visit @param {string} name @param {string | null} value null: nothing */
export async function hashed(visit, name, value) {
  await visit.page.waitForFunction(([name, value]) => new URLSearchParams(location.hash.slice(1)).get(String(name)) === value, [name, value]);
}

/** Waits until the selection is clear. @param {Visit} visit */
export async function nothing(visit) {
  await until(visit, (scene) => !scene.selected.length && !scene.range);
  await visit.page.waitForFunction(() => document.querySelector('[data-test="timeline-said"]')?.textContent === '');
}

/**
 * Heads of rows and groups that are in the page, from top to bottom. @param {Visit} visit @param {'timeline-heads' | 'timeline-pinned'} [among]
 * @returns {Promise<{key: string, title: string, expanded: string | null}[]>}
 */
export async function heads(visit, among = 'timeline-heads') {
  await drawn(visit);
  return visit.page.locator(`[data-test="${among}"] .track-head`).evaluateAll((heads) => {
    const placed = heads.map((head) => ({head: /** @type {HTMLElement} */ (head), top: head.getBoundingClientRect().top}));
    placed.sort((a, b) => a.top - b.top);
    return placed.map(({head}) => ({
      key: head.dataset.key ?? '',
      title: head.querySelector('.track-head-name')?.textContent ?? '',
      expanded: head.querySelector('.track-head-fold')?.getAttribute('aria-expanded') ?? null,
    }));
  });
}

/** The row of that title, as a number. @param {Visit} visit @param {string | RegExp} title */
export async function rowOf(visit, title) {
  const all = await heads(visit);
  const found = all.find((head) => head.key.startsWith('row:') && (typeof title === 'string' ? head.title === title : title.test(head.title)));
  assert.ok(found, `there is no row ${title} among ${all.map((head) => head.title).join(', ')}`);
  return Number(found.key.slice(4));
}

/** Does something with a row or group by its button. @param {Visit} visit @param {string} key @param {string} act @param {'timeline-heads' | 'timeline-pinned'} [among] */
export async function act(visit, key, act, among = 'timeline-heads') {
  const head = visit.page.locator(`[data-test="${among}"] .track-head[data-key="${key}"]`);
  await head.hover();
  await head.locator(`[data-act="${act}"]`).click();
  return drawn(visit);
}
