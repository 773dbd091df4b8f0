// The benchmark in Chromium: `node bench/run.mjs FILE…`, as `cargo xtask bench` calls it.
//
// For every file it measures ours and what it is compared with, in turns, each in a fresh tab, and prints
// the medians as a table. Ratios of one run mean something; times alone depend on the machine.

import path from 'node:path';

import {launch, peak} from '../lib/browser.mjs';
import {median} from './median.mjs';
import {serveBench} from './served.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 5);

/** Perfetto's engine takes about a second per 70 MB. */
const ROUNDS_OF_PERFETTO = 2;

const server = await serveBench();

/** @typedef {{ms: number, bytes: number, [more: string]: number}} Measured */

/**
 * One measurement in a fresh tab.
 * @param {import('playwright-core').BrowserContext} context @param {string} file @param {string} what
 * @returns {Promise<Measured>}
 */
async function measure(context, file, what) {
  const tab = await context.newPage();
  tab.setDefaultTimeout(600_000);
  await tab.goto(`${server.origin}/bench/page.html`);
  await tab.setInputFiles('#file', file);
  const measured = await tab.evaluate((name) => /** @type {any} */ (window).bench[name](), what);
  await tab.close();
  return measured;
}

/** Peak memory of a tab that opens the file, above that of the tab before. @param {string} file */
async function memory(file) {
  const browser = await launch();
  try {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(600_000);
    await tab.goto(`${server.origin}/bench/page.html`);
    await tab.setInputFiles('#file', file);
    await tab.waitForTimeout(1000);
    const before = await peak(browser);
    const measured = await tab.evaluate(() => /** @type {any} */ (window).bench.ours());
    return {renderer: (await peak(browser)) - before, wasm: measured.wasmBytes};
  } finally {
    await browser.close();
  }
}

/** @param {string} file */
async function bench(file) {
  const packed = file.endsWith('.gz');
  const others = packed ? ['inflate'] : ['read', 'jsonParse', 'perfetto'];
  /** @type {Record<string, Measured[]>} */
  const all = {};
  for (let round = 0; round < ROUNDS; round++) {
    // A browser of its own: leftover memory of one round must not slow down the next.
    const browser = await launch();
    const context = await browser.newContext();
    for (const what of ['ours', ...others]) {
      if (what === 'perfetto' && round >= ROUNDS_OF_PERFETTO) continue;
      (all[what] ??= []).push(await measure(context, file, what));
    }
    await browser.close();
  }
  const held = process.platform === 'linux' ? await memory(file) : undefined;
  report(file, all, held);
}

/** Labels of the rows. @type {Record<string, string>} */
const NAMES = {
  ours: '**Stepscope**: from the Blob to all reports',
  read: 'reading the Blob alone',
  jsonParse: '`TextDecoder` + `JSON.parse`, bytes in memory',
  fromBlob: '`TextDecoder` + `JSON.parse`, from the Blob',
  perfetto: 'Perfetto’s engine (wasm): import, bytes in memory',
  inflate: '`DecompressionStream` alone',
};

/** @param {string} file @param {Record<string, Measured[]>} all @param {{renderer: number, wasm: number} | undefined} held */
function report(file, all, held) {
  const {bytes, slices} = all.ours[0];
  console.log(`\n### ${path.basename(file)}: ${(bytes / 1e6).toFixed(1)} MB of text, ${slices} slices\n`);
  console.log('| what | ms | MB/s | takes |\n| --- | ---: | ---: | ---: |');
  // Times are compared per byte, as some runs read less of the file.
  const perByte = (/** @type {Measured[]} */ runs) => median(runs.map(({ms, bytes}) => ms / bytes));
  const rows = {...all};
  if (all.jsonParse) rows.fromBlob = all.jsonParse.map((run) => ({...run, ms: run.fromBlob}));
  for (const [what, runs] of Object.entries(rows)) {
    const ms = median(runs.map((run) => run.ms)).toFixed(0);
    const rate = (1e-3 / perByte(runs)).toFixed(0);
    console.log(`| ${NAMES[what]} | ${ms} | ${rate} | ${(perByte(runs) / perByte(all.ours)).toFixed(2)} × |`);
  }
  const part = (/** @type {string} */ name) => `${name} ${median(all.ours.map((run) => run[name])).toFixed(0)} ms`;
  console.log(`\nOurs: ${['scanning', 'finishing', 'analyzing', 'sending', 'selection'].map(part).join(', ')}.`);
  if (held) {
    const mega = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
    console.log(`Peak memory: ${mega(held.renderer)} above the empty tab; wasm ${mega(held.wasm)}.`);
  }
}

for (const file of process.argv.slice(2)) await bench(path.resolve(file));
server.close();
