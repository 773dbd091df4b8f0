// Pictures for README and docs: `node screenshots.mjs OUT [NAME…]`; `cargo xtask screenshots [NAME…]` runs it.
//
// The page, light and dark, in English and in Chinese: the demo trace, a job of eight ranks with a straggler, two traces that are
// compared, and JupyterLab. The report is light and in English; the terminal's output is one picture for light and dark.

import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

import {launch} from './lib/browser.mjs';
import {PATIENCE, inJupyterLab, notebook, openNotebook, python, runCell, settings} from './lib/jupyter.mjs';
import {smallPng} from './lib/png.mjs';
import {environment, generated, scratch, stepscope, written} from './lib/program.mjs';
import {serve} from './lib/server.mjs';
import {openTab} from './lib/tabs.mjs';
import {COLUMNS, terminalPicture} from './lib/terminal.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {'light' | 'dark'} Scheme */
/** @typedef {{language: 'en' | 'zh', scheme: Scheme}} Look */

const SIZE = {width: 1200, height: 750};
const LOCALES = {en: 'en-GB', zh: 'zh-CN'};

/** @type {Look[]} */
const LOOKS = [
  {language: 'en', scheme: 'light'},
  {language: 'en', scheme: 'dark'},
  {language: 'zh', scheme: 'light'},
  {language: 'zh', scheme: 'dark'},
];

/** Maximum number of screenshots until two in a row are equal. */
const TRIES = 100;

/** The picture once two in a row are equal: charts and canvas are drawn. @param {Page} page */
async function settled(page) {
  let last = await page.screenshot({caret: 'hide'});
  for (let count = 0; count < TRIES; count++) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200))));
    const next = await page.screenshot({caret: 'hide'});
    if (next.equals(last)) return next;
    last = next;
  }
  throw new Error('the page does not stand still');
}

const [out, ...names] = process.argv.slice(2);
if (!out) throw new Error('usage: node screenshots.mjs OUT [NAME…]');
const browser = await launch();

/** A picture with fewer colors, which takes a third of the bytes. @param {Buffer} png */
async function smaller(png) {
  const page = await browser.newPage();
  const {width, height, text} = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const {width, height} = image;
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext('2d'));
    context.drawImage(image, 0, 0);
    const {data} = context.getImageData(0, 0, width, height);
    const parts = [];
    for (let at = 0; at < data.length; at += 1 << 15) parts.push(String.fromCharCode(...data.subarray(at, at + (1 << 15))));
    return {width, height, text: btoa(parts.join(''))};
  }, png.toString('base64'));
  await page.close();
  return smallPng({width, height, data: Buffer.from(text, 'base64')});
}

/** Writes a picture of the page. @param {Page} page @param {string} name the file's name without its end */
async function write(page, name) {
  const file = path.join(out, `${name}.png`);
  fs.mkdirSync(path.dirname(file), {recursive: true});
  const bytes = await smaller(await settled(page));
  fs.writeFileSync(file, bytes);
  console.log(`${file}: ${bytes.length} bytes`);
}

/** Takes a picture of a look. @param {Page} page @param {string} name @param {Look} look */
const take = (page, name, {language, scheme}) => write(page, `${language === 'en' ? '' : `${language}/`}${name}-${scheme}`);

/** Does something with a new page of a look. @param {Look} look @param {(page: Page) => Promise<void>} act */
async function withPage({language, scheme}, act) {
  const context = await browser.newContext({
    locale: LOCALES[language],
    viewport: SIZE,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  await act(await context.newPage());
  await context.close();
}

const folder = environment('STEPSCOPE_PAGE');
const demo = path.join(folder, String(fs.readdirSync(folder).find((name) => name.startsWith('assets-'))), 'demo.json.gz');
const server = await serve({'/': folder, '/traces/': path.dirname(scratch('traces/x'))});

/** Opens traces on the page. @param {Page} page @param {string[]} addresses */
async function opened(page, addresses) {
  const query = addresses.map((address) => `trace=${encodeURIComponent(address)}`).join('&');
  await page.goto(`${server.origin}/?${query}`);
  await page.locator('[data-test="results"]').waitFor();
}

/** Views of a trace, each a picture of a name. @param {string} address @param {string} view @param {string} [name] */
const ofTrace =
  (address, view, name = view) =>
  async () => {
    for (const look of LOOKS) {
      await withPage(look, async (page) => {
        await opened(page, [address]);
        await openTab(page, view);
        await take(page, name, look);
      });
    }
  };

/** Two runs of the demo's program. */
async function compare() {
  const before = generated('traces/before.json.gz', '--demo', '--seed', '2');
  fs.copyFileSync(demo, scratch('traces/after.json.gz'));
  for (const look of LOOKS) {
    await withPage(look, async (page) => {
      // The usual file chooser, which can be answered here.
      await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showOpenFilePicker'));
      await opened(page, ['traces/after.json.gz']);
      await openTab(page, 'compare');
      const chooser = page.waitForEvent('filechooser');
      await page.locator('[data-test="compare.open"]').click();
      await (await chooser).setFiles(before);
      await page.locator('[data-test="table-contributions"]').waitFor();
      await page.mouse.move(0, 0);
      await take(page, 'compare', look);
    });
  }
}

/** The program's report, opened from the disk. */
async function report() {
  const file = scratch('report.html');
  stepscope('report', demo, '--page', folder, '-o', file);
  await withPage(LOOKS[0], async (page) => {
    await page.goto(pathToFileURL(file).href);
    await write(page, 'report');
  });
}

/** Writes settings of JupyterLab. @param {string} name @param {object} values */
function configure(name, values) {
  const file = path.join(settings(), `@jupyterlab/apputils-extension/${name}.jupyterlab-settings`);
  fs.mkdirSync(path.dirname(file), {recursive: true});
  fs.writeFileSync(file, JSON.stringify(values));
}

/** The analyzer in a notebook. */
async function inNotebook() {
  if (!python) {
    console.log('SKIPPED: the notebook: STEPSCOPE_NOTEBOOK names no Python with JupyterLab');
    return;
  }
  // JupyterLab is as light or dark as the browser, and asks nothing.
  configure('themes', {'adaptive-theme': true});
  configure('notification', {fetchNews: 'false', checkForUpdates: false});
  for (const {language, scheme} of LOOKS) {
    const call = `stepscope.show("trace.json.gz", lang="${language}", theme="${scheme}", height=540)`;
    written(`notebook/${language}-${scheme}/train.ipynb`, notebook(`import stepscope\n${call}`));
    fs.copyFileSync(demo, scratch(`notebook/${language}-${scheme}/trace.json.gz`));
  }
  await inJupyterLab(path.dirname(scratch('notebook/x')), async (origin) => {
    for (const look of LOOKS) {
      await withPage(look, async (page) => {
        page.setDefaultTimeout(PATIENCE);
        const cells = await openNotebook(page, origin, `${look.language}-${look.scheme}/train`, 'doc');
        await runCell(page, cells.first());
        await page.locator('[data-test="results"]').waitFor();
        await page.locator('.jp-Notebook').evaluate((element) => element.scrollTo(0, 0));
        await take(page, 'notebook', look);
      });
    }
  });
}

/** Picture of the program's output for the demo trace. */
async function terminal() {
  const options = {env: {...process.env, COLUMNS: String(COLUMNS)}, cwd: path.dirname(demo)};
  const output = execFileSync(environment('STEPSCOPE_PROGRAM'), [path.basename(demo)], options).toString();
  const file = path.join(out, 'terminal.svg');
  fs.writeFileSync(file, terminalPicture(`stepscope ${path.basename(demo)}`, output));
  console.log(file);
}

/** @type {Record<string, () => Promise<void>>} */
const PICTURES = {
  overview: ofTrace('demo', 'overview'),
  timeline: ofTrace('demo', 'timeline'),
  advice: ofTrace('demo', 'advice'),
  job: ofTrace('demo-job', 'overview', 'job'),
  ranks: ofTrace('demo-job', 'ranks'),
  compare,
  report,
  notebook: inNotebook,
  terminal,
};

try {
  fs.mkdirSync(out, {recursive: true});
  for (const name of names.length ? names : Object.keys(PICTURES)) {
    if (!PICTURES[name]) throw new Error(`there is no picture ${name}; there are ${Object.keys(PICTURES).join(', ')}`);
    await PICTURES[name]();
  }
} finally {
  await browser.close();
  server.close();
}
