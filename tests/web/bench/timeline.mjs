// The benchmark of the timeline in Chromium: `node bench/timeline.mjs FILE`, as `cargo xtask bench --timeline` calls it.
//
// It opens a trace and moves through it as a user does, for a number of frames each, and prints the worker's time per
// frame: the median and the second slowest of a hundred.

import {launch} from '../lib/browser.mjs';
import {serve} from '../lib/server.mjs';

const [file] = process.argv.slice(2);
const server = await serve({'/': process.env.STEPSCOPE_PAGE ?? ''});
const browser = await launch();
const page = await browser.newPage({viewport: {width: 1920, height: 1080}});
page.setDefaultTimeout(600_000);
// The dialog for files that the page asks for again is the browser's own, which nothing can fill.
await page.addInitScript(() => void Reflect.deleteProperty(globalThis, 'showOpenFilePicker'));
await page.goto(`${server.origin}/`);
const chooser = page.waitForEvent('filechooser');
await page.locator('[data-test="choose"]').click();
const begun = performance.now();
await (await chooser).setFiles(file);
await page.locator('[data-test="results"]').waitFor();
await page.locator('[data-test="tile-step"]').waitFor();
console.log(`opened in ${((performance.now() - begun) / 1000).toFixed(1)} s`);

/** Frames that were drawn while something was done. @param {() => Promise<void>} act */
async function frames(act) {
  await page.evaluate(() => {
    const bench = /** @type {any} */ (window);
    bench.drawnFrames ??= [];
    bench.drawnFrames.length = 0;
    if (bench.listening) return;
    bench.listening = true;
    document.querySelector('[data-test="timeline"]')?.addEventListener('drawn', (event) => bench.drawnFrames.push(/** @type {CustomEvent} */ (event).detail));
  });
  await act();
  await page.waitForTimeout(200);
  return /** @type {Promise<{cpu: number, labels: number}[]>} */ (page.evaluate(() => /** @type {any} */ (window).drawnFrames));
}

const clicked = performance.now();
// A frame that still lacks rows is `begun`, one that has them all is a `frame`.
const told = (/** @type {string[]} */ names) =>
  page.waitForFunction(
    (names) => names.some((name) => Number(/** @type {HTMLElement | null} */ (document.querySelector('[data-test="timeline"]'))?.dataset[name] ?? 0) > 0),
    names,
  );
await page.locator('[data-test="tab-timeline"]').click();
await told(['begun', 'frame']);
const first = performance.now() - clicked;
await told(['frame']);
console.log(`first picture ${first.toFixed(0)} ms after the click, with all rows after ${(performance.now() - clicked).toFixed(0)} ms`);
const box = await page.locator('[data-test="timeline-canvas"]').boundingBox();
if (!box) throw new Error('there is no timeline');
const middle = {x: box.x + box.width / 2, y: box.y + box.height / 2};

/** @param {string} key @param {number} ms */
const hold = (key, ms) => async () => {
  await page.keyboard.down(key);
  await page.waitForTimeout(ms);
  await page.keyboard.up(key);
};
/** @param {number} dx @param {number} dy @param {number} times */
const wheel = (dx, dy, times) => async () => {
  for (let time = 0; time < times; time++) {
    await page.mouse.wheel(dx, dy);
    await page.waitForTimeout(16);
  }
};
await page.mouse.move(middle.x, middle.y);
/** @type {[string, () => Promise<void>][]} */
const moves = [
  ['move, all shown', wheel(30, 0, 100)],
  ['zoom in', hold('w', 4000)],
  ['move, near', wheel(60, 0, 150)],
  ['scroll', wheel(0, 40, 60)],
  ['scroll back', wheel(0, -40, 60)],
  ['zoom out', hold('s', 2000)],
  ['move, between', wheel(60, 0, 150)],
  ['zoom out to all', hold('s', 3000)],
];
const all = [];
/** @param {number[]} sorted @param {number} share */
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
console.log('what                 frames  median ms  p99 ms  longest ms  texts');
for (const [name, act] of moves) {
  const found = await frames(act);
  const times = found.map(({cpu}) => cpu).sort((a, b) => a - b);
  all.push(...times);
  const texts = Math.max(0, ...found.map(({labels}) => labels));
  console.log(
    `${name.padEnd(20)} ${String(times.length).padStart(6)} ${at(times, 0.5).toFixed(1).padStart(10)} ${at(times, 0.99).toFixed(1).padStart(7)} ${at(times, 1).toFixed(1).padStart(11)} ${String(texts).padStart(6)}`,
  );
}
all.sort((a, b) => a - b);
console.log(
  `${'all'.padEnd(20)} ${String(all.length).padStart(6)} ${at(all, 0.5).toFixed(1).padStart(10)} ${at(all, 0.99).toFixed(1).padStart(7)} ${at(all, 1).toFixed(1).padStart(11)}`,
);
await browser.close();
server.close();
