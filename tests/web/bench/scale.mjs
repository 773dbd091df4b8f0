// The benchmark of size in Chromium: `node bench/scale.mjs FILE…`, as `cargo xtask bench --scale` calls it.
//
// It opens each file in a browser of its own, ours and what it is compared with, and prints times by stage, peak memory of the
// tab, bytes per slice, where each dies, and how time and memory grow beyond those of the smallest file: the slope of a line
// through their logarithms, 1 if they grow as the text does. The processor's time means something on a busy machine, too.

import fs from 'node:fs';
import path from 'node:path';

import {cpu, launch, peak} from '../lib/browser.mjs';
import {serveBench} from './served.mjs';

const server = await serveBench();

/** The longest that anything may take before it counts as dead. */
const PATIENCE = Number(process.env.PATIENCE ?? 900) * 1000;

/** @typedef {{ms: number, bytes: number, slices?: number, scanning?: number, finishing?: number, analyzing?: number, sending?: number, selection?: number, wasmBytes?: number, cpu: number, memory: number}} Measured */

/**
 * One measurement in a fresh browser; how it died, if it did.
 * @param {string} file @param {string} what @returns {Promise<Measured | string>}
 */
async function measure(file, what) {
  // The disk is not measured: the system's memory holds the file, as much as it can.
  for await (const _ of fs.createReadStream(file, {highWaterMark: 1 << 20}));
  const browser = await launch();
  try {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(PATIENCE);
    const crashed = new Promise((resolve) => tab.once('crash', () => resolve('the tab dies')));
    await tab.goto(`${server.origin}/bench/page.html`);
    await tab.setInputFiles('#file', file);
    await tab.waitForTimeout(1000);
    const before = {memory: process.platform === 'linux' ? await peak(browser) : NaN, cpu: 0};
    if (what === 'ours') await tab.evaluate(() => /** @type {any} */ (window).bench.warm());
    before.cpu = await cpu(browser);
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, `not after ${PATIENCE / 1000} s`).unref());
    const asked = tab.evaluate((name) => /** @type {any} */ (window).bench[name](), what).catch(said);
    const measured = await Promise.race([asked, crashed, late]);
    if (typeof measured === 'string') return measured;
    const memory = process.platform === 'linux' ? (await peak(browser)) - before.memory : NaN;
    return {...measured, memory, cpu: (await cpu(browser)) - before.cpu};
  } finally {
    await browser.close();
  }
}

/**
 * Milliseconds from the worker's answer to the picture on the page itself.
 * @param {string} file
 */
async function drawing(file) {
  const browser = await launch();
  try {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(PATIENCE);
    await tab.addInitScript(() => {
      const bench = /** @type {any} */ (window);
      bench.Worker = class extends Worker {
        constructor(/** @type {[string | URL, WorkerOptions?]} */ ...given) {
          super(...given);
          // Before the page hears of it.
          this.addEventListener('message', ({data}) => {
            if (!data.answer?.summary) return;
            const begun = performance.now();
            const look = () => {
              if (!document.querySelector('[data-test="tile-step"]')) return void requestAnimationFrame(look);
              const {port1, port2} = new MessageChannel();
              // After the frame.
              port1.onmessage = () => (bench.drawing = performance.now() - begun);
              port2.postMessage(0);
            };
            requestAnimationFrame(look);
          });
        }
      };
    });
    await tab.goto(`${server.origin}/`);
    const chooser = tab.waitForEvent('filechooser');
    await tab.locator('[data-test="choose"]').click();
    await (await chooser).setFiles(file);
    await tab.locator('[data-test="results"]').waitFor();

    return await tab.evaluate(async () => {
      const bench = /** @type {any} */ (window);
      while (!bench.drawing) await new Promise((resolve) => setTimeout(resolve, 10));
      return /** @type {number} */ (bench.drawing);
    });
  } finally {
    await browser.close();
  }
}

/** A failure in a line. @param {Error} error */
function said(error) {
  return error.message
    .replace(/^page\.evaluate: /, '')
    .split('\n')[0]
    .slice(0, 90);
}

/** The exponent of y as a power of x, by least squares of the logarithms. @param {[number, number][]} points */
function exponent(points) {
  const logs = points.map((point) => point.map(Math.log));
  const mean = (/** @type {number} */ at) => logs.reduce((sum, log) => sum + log[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  return logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0) / logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0);
}

const seconds = (/** @type {number | undefined} */ ms) => ((ms ?? NaN) / 1000).toFixed(2);
const mega = (/** @type {number | undefined} */ bytes) => ((bytes ?? NaN) / 1e6).toFixed(0);

/** @type {{packed: boolean, measured: Measured}[]} */
const ours = [];
const files = process.argv.slice(2).map((file) => path.resolve(file));
// Reading, inflating, tokenizing and building run in parallel: the whole may be less than the sum of the stages.
console.log(
  '| file | MB of text | s | reading or inflating alone | tokenizing, building | finishing | analyzing | sending | drawing | a table | s of the processor | peak MB | of the text | wasm MB | of it per slice |',
);
console.log(`|${' --- |'.repeat(15)}`);
for (const file of files) {
  const packed = file.endsWith('.gz');
  const read = await measure(file, packed ? 'inflate' : 'read');
  const measured = await measure(file, 'ours');
  if (typeof measured === 'string') {
    console.log(`| ${path.basename(file)} | ${mega(fs.statSync(file).size)} | ${measured} |`);
    continue;
  }
  ours.push({packed, measured});
  const {ms, bytes, slices, scanning, finishing, analyzing, sending, selection, wasmBytes, memory} = measured;
  const alone = typeof read === 'string' ? read : seconds(read.ms);
  const times = [ms, scanning, finishing, analyzing, sending, await drawing(file), selection].map(seconds);
  const share = `${((memory / bytes) * 100).toFixed(0)} %`;
  const row = [path.basename(file), mega(bytes), times[0], alone, ...times.slice(1), measured.cpu.toFixed(2), mega(memory), share, mega(wasmBytes)];
  console.log(`| ${row.join(' | ')} | ${((wasmBytes ?? NaN) / (slices || 1)).toFixed(0)} |`);
}
for (const packed of [false, true]) {
  const runs = ours.filter((run) => run.packed === packed).map((run) => run.measured);
  if (runs.length < 3) continue;
  // The smallest file stands for the fixed cost of every file.
  const [least] = runs.sort((a, b) => a.bytes - b.bytes);
  const others = runs.filter(({bytes}) => bytes > least.bytes);
  const of = (/** @type {(run: Measured) => number} */ y) => exponent(others.map((run) => [run.bytes - least.bytes, y(run) - y(least)])).toFixed(2);
  console.log(
    `\n${packed ? 'Packed' : 'Plain'}: time grows as the text to the power of ${of((run) => run.ms)}, the processor's ${of((run) => run.cpu)}, memory ${of((run) => run.memory)}.`,
  );
}

if (process.env.PEERS !== '0') {
  console.log('\n| file | `TextDecoder` + `JSON.parse` of all of it | Perfetto’s engine (wasm, 64 bits) | 32 bits |\n| --- | --- | --- | --- |');
  for (const file of files.filter((file) => !file.endsWith('.gz'))) {
    const results = [];
    for (const what of ['jsonParseAll', 'perfettoAll', 'perfettoAll32']) {
      const measured = await measure(file, what);
      results.push(typeof measured === 'string' ? measured : `${seconds(measured.ms)} s, ${mega(measured.memory)} MB`);
    }
    console.log(`| ${[path.basename(file), ...results].join(' | ')} |`);
  }
}
server.close();
