// The benchmark of many ranks in Chromium: `node bench/ranks.mjs FOLDER`, as `cargo xtask bench --ranks` calls it.
//
// It opens the first 4, 16 and 64 files of the folder, read by one worker and by several, each in a browser of its own, and
// prints how long it takes until results, and until what all ranks say together is shown, what the tab's processor time is, and the
// peak of its memory. On a busy machine only the latter two mean something.

import fs from 'node:fs';
import path from 'node:path';

import {cpu, launch, peak} from '../lib/browser.mjs';
import {serve} from '../lib/server.mjs';

const folder = path.resolve(process.argv[2]);
const files = fs
  .readdirSync(folder)
  .sort((a, b) => a.localeCompare(b, 'en', {numeric: true}))
  .map((name) => path.join(folder, name));
const COUNTS = (process.env.RANKS ?? '4,16,64')
  .split(',')
  .map(Number)
  .filter((count) => count <= files.length);
const WORKERS = (process.env.WORKERS ?? '1,2').split(',').map(Number);
const server = await serve({'/': process.env.STEPSCOPE_PAGE ?? ''});

/** @param {string[]} files @param {number} workers */
async function open(files, workers) {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(1_200_000);
    await page.goto(`${server.origin}/?workers=${workers}`);
    // Time for the browser's compilation and the workers' start, which are not measured.
    await page.waitForTimeout(3000);
    const before = process.platform === 'linux' ? await peak(browser) : NaN;
    const warm = await cpu(browser);
    const chooser = page.waitForEvent('filechooser');
    await page.locator('[data-test="choose"]').click();
    const begun = performance.now();
    await (await chooser).setFiles(files);
    await page.locator('[data-test="results"]').waitFor();
    await page.locator('[data-test="tile-step"]').waitFor();
    const read = (performance.now() - begun) / 1000;
    const memoryRead = process.platform === 'linux' ? (await peak(browser)) - before : NaN;
    const atWork = (await cpu(browser)) - warm;
    await page.locator('[data-test="tab-ranks"]').click();
    await page.locator('[data-test="ranks-facts"]').waitFor();
    const seconds = (performance.now() - begun) / 1000;
    const held = await page.locator('[data-test="ranks-memory"]').innerText();
    const memory = process.platform === 'linux' ? (await peak(browser)) - before : NaN;
    return {read, atWork, seconds, memoryRead, held: /^The traces of (\S+)/.exec(held)?.[1] ?? '', memory};
  } finally {
    await browser.close();
  }
}

console.log('| ranks | MB | workers | s | MB/s | s of the processor | s with the job | traces in memory | peak MB above the empty tab | with the job |');
console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const count of COUNTS) {
  const some = files.slice(0, count);
  const size = some.reduce((sum, file) => sum + fs.statSync(file).size, 0) / 1e6;
  for (const workers of WORKERS) {
    const {read, atWork, seconds, held, memoryRead, memory} = await open(some, workers);
    const times = [read, size / read, atWork, seconds].map((number) => number.toFixed(1));
    const peaks = [memoryRead, memory].map((bytes) => (bytes / 1e6).toFixed(0));
    console.log(`| ${[count, size.toFixed(0), workers, ...times, held, ...peaks].join(' | ')} |`);
  }
}
server.close();
