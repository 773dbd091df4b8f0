// The page of `examples/web`, set up as in its README.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';

import {launchForTest} from './lib/browser.mjs';
import {environment, generated, summary, written} from './lib/program.mjs';
import {serve} from './lib/server.mjs';

const example = path.join(import.meta.dirname, '../../examples/web');
const trace = generated('web/trace.json.gz', '--seed', '71');
for (const name of fs.readdirSync(example)) written(`web/${name}`, fs.readFileSync(path.join(example, name)));
written('web/element.js', fs.readFileSync(path.join(environment('STEPSCOPE_EMBEDDED'), 'element.js')));

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {Awaited<ReturnType<typeof launchForTest>>} */
let browser;
before(async () => {
  server = await serve({'/': path.dirname(trace)});
  browser = await launchForTest();
});
after(async () => {
  await browser.close();
  server.close();
});

test('the page lists the steps of the trace that it shows', async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${server.origin}/index.html`);
  await page.locator('#steps li').first().waitFor();
  const steps = summary(trace).ranks[0].steps.map((/** @type {any} */ step) => `step ${step.name}: ${(step.length_ns / 1e6).toFixed(1)} ms`);
  assert.ok(steps.length > 1);
  assert.deepEqual(await page.locator('#steps li').allTextContents(), steps);
  await page.locator('stepscope-view [data-test="tab-overview"]').waitFor();
  assert.deepEqual(complaints, []);
});
