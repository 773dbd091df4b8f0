// Pictures of the page on its demo trace, for README and docs: `node screenshots.mjs OUT`; `cargo xtask screenshots` runs it.

import fs from 'node:fs';
import path from 'node:path';

import {launch} from './lib/browser.mjs';
import {environment} from './lib/program.mjs';
import {serve} from './lib/server.mjs';
import {openTab} from './lib/tabs.mjs';

const VIEWS = ['overview', 'timeline', 'advice'];
const SCHEMES = /** @type {const} */ (['light', 'dark']);
const SIZE = {width: 1200, height: 750};

/** How often a picture is taken until it stays the same. */
const TRIES = 100;

/** The picture once two in a row are equal: charts and canvas are drawn. @param {import('playwright-core').Page} page */
async function settled(page) {
  let last = await page.screenshot();
  for (let count = 0; count < TRIES; count++) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200))));
    const next = await page.screenshot();
    if (next.equals(last)) return next;
    last = next;
  }
  throw new Error('the page does not stand still');
}

const out = process.argv[2];
if (!out) throw new Error('usage: node screenshots.mjs OUT');
fs.mkdirSync(out, {recursive: true});
const folder = environment('STEPSCOPE_PAGE');
const assets = fs.readdirSync(folder).find((name) => name.startsWith('assets-'));
const [browser, server] = await Promise.all([launch(), serve({'/': folder})]);
try {
  for (const colorScheme of SCHEMES) {
    const context = await browser.newContext({locale: 'en-GB', viewport: SIZE, colorScheme, reducedMotion: 'reduce', serviceWorkers: 'block'});
    const page = await context.newPage();
    await page.goto(`${server.origin}/?trace=${assets}/demo.json.gz`);
    await page.locator('[data-test="results"]').waitFor();
    for (const view of VIEWS) {
      await openTab(page, view);
      const file = path.join(out, `${view}-${colorScheme}.png`);
      fs.writeFileSync(file, await settled(page));
      console.log(file);
    }
    await context.close();
  }
} finally {
  await browser.close();
  server.close();
}
