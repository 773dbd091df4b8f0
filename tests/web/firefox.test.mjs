// A report with the traces, opened from the disk in Firefox, which starts other workers there than Chromium does.

import assert from 'node:assert/strict';
import {pathToFileURL} from 'node:url';
import {test} from 'node:test';

import puppeteer from 'puppeteer-core';

import {environment, generated, scratch, stepscope, summary} from './lib/program.mjs';
import {PATIENCE} from './lib/until.mjs';

const {FIREFOX} = process.env;
const trace = generated('firefox/trace.json.gz', '--seed', '83');

test('Firefox opens a report from the disk, and the analyzer in it', {skip: FIREFOX ? false : 'there is no Firefox'}, async () => {
  const file = scratch('firefox/report.html');
  stepscope('report', '--trace', trace, '--page', environment('STEPSCOPE_PAGE'), '-o', file);
  const browser = await puppeteer.launch({browser: 'firefox', executablePath: FIREFOX, headless: true});
  try {
    const page = await browser.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on('console', (message) => ['error', 'warn'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(pathToFileURL(file).href);
    await page.locator('[data-test="explore"]').click();
    // Elements in the shadow root are found through their host.
    const part = (/** @type {string} */ name) => page.waitForSelector(`.stepscope-analyzer >>> [data-test="${name}"]`, {timeout: PATIENCE});
    await part('results');
    const steps = await part('tab-steps');
    await steps?.click();
    const shown = await page.waitForFunction(
      () => document.querySelector('.stepscope-analyzer')?.shadowRoot?.querySelectorAll('[role="tabpanel"] [role="row"]').length || false,
      {timeout: PATIENCE},
    );
    assert.ok(Number(await shown.jsonValue()) > summary(trace).ranks[0].steps.length, 'a row for each step, and the head');
    await (await part('tab-timeline'))?.click();
    await page.waitForFunction(() => document.querySelector('.stepscope-analyzer')?.shadowRoot?.querySelector('.timeline canvas'), {timeout: PATIENCE});
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
});
