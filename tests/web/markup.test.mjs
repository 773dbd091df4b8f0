// Whatever a trace's texts say, they stay text: in the page, in a report from the disk, in a notebook's output.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {environment, generated, scratch, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {MARKUP, tainted} from './lib/tainted.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Frame} Frame */

const here = site();

/** Files and folders may have no slash in their names. */
const NAME = 'a<img src=x onerror="window.taken=1"><b class="taken">\'&lt;i&gt;';

/** The tainted ranks of a job, in a folder of such a name. */
const folder = (() => {
  const clean = generated('markup/clean', '--job', '2x1x1', '--steps', '4', '--seed', '17');
  const folder = path.dirname(scratch(`markup/${NAME}/rank`));
  for (const name of fs.readdirSync(clean)) {
    const trace = JSON.parse(fs.readFileSync(path.join(clean, name), 'utf8'));
    trace.traceEvents.push({ph: 'C', cat: 'counter', name: 'load', pid: 1, tid: 1, ts: trace.traceEvents.find((/** @type {any} */ event) => event.ph === 'X').ts, args: {of: 3}});
    const text = tainted({...trace, [MARKUP]: MARKUP});
    fs.writeFileSync(path.join(folder, name.replace('.json', `${NAME}.json`)), JSON.stringify(text));
  }
  return folder;
})();

/** Nothing of what the texts say is there as elements, and none of it ran. @param {Page | Frame} where @param {string} when */
async function isText(where, when) {
  const found = await where.evaluate(() => ({
    ran: 'taken' in window,
    elements: document.querySelectorAll('.taken, img[src="x"], [onerror], [onmouseover]').length,
    scripts: [...document.scripts].filter((script) => script.textContent.startsWith('window.taken')).length,
  }));
  assert.deepEqual(found, {ran: false, elements: 0, scripts: 0}, when);
}

/** Goes through all tabs, with the first row of every table, and what is shown on hover. @param {Page | Frame} where */
async function walk(where) {
  const part = (/** @type {string} */ name) => where.locator(`[data-test="${name}"]`);
  await part('results').waitFor();
  await isText(where, 'opened');
  const names = await where.locator('[data-test^="tab-"]:visible').evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('data-test') ?? ''));
  assert.ok(names.length > 8, names.join());
  let shown = '';
  for (const name of names) {
    await part(name).click();
    await where.waitForFunction(() => !document.querySelector('#panel [aria-busy="true"]'));
    if (name === 'tab-timeline') await where.waitForFunction(() => document.querySelector('[data-test="timeline"][data-frame]'));
    shown += await part('results').innerText();
    const row = where.locator('#panel .rows [role="row"]:visible').first();
    if (await row.count()) {
      await row.click();
      shown += await part('results').innerText();
    }
    const closed = where.locator('#panel details:not([open]) > summary:visible');
    for (let left = 20; left && (await closed.count()); left--) await closed.first().click();
    const canvas = where.locator('#panel canvas:visible').first();
    if (await canvas.count()) {
      await canvas.hover({position: {x: 300, y: 40}, force: true});
      await canvas.click({position: {x: 300, y: 40}, force: true});
    }
    await where.waitForFunction(() => !document.querySelector('#panel [aria-busy="true"]'));
    shown += await part('results').innerText();
    await isText(where, name);
  }
  assert.ok(shown.split('onerror').length > 20, 'the texts were shown');
}

test('in the page, in every tab, in the list of files and in a problem', async () => {
  const visit = await here.visit();
  await visit.drop(folder);
  await walk(visit.page);
  await visit.part('files').click();
  await visit.part('files-rank').first().waitFor();
  assert.ok((await visit.page.locator('dialog[open]').innerText()).includes('onerror'));
  await isText(visit.page, 'the list of files');
  await visit.page.keyboard.press('Escape');
  await visit.hand([`${NAME}.json`, MARKUP]);
  assert.ok((await visit.problem()).includes(NAME));
  await isText(visit.page, 'a problem');
  await visit.close();
});

test('in what a notebook shows', async () => {
  const output = written('markup/notebook.html', '');
  const script = 'import sys, stepscope\nfrom stepscope import _show\n_show._is_watched = lambda: False\nbundle = stepscope.show(sys.argv[1])._repr_mimebundle_()[0]\nopen(sys.argv[2], "w", encoding="utf-8").write(bundle["text/html"])';
  execFileSync('python3', ['-c', script, folder, output], {
    env: {...process.env, PYTHONPATH: path.join(import.meta.dirname, '../../collector/python'), STEPSCOPE_PROGRAM: environment('STEPSCOPE_PROGRAM'), STEPSCOPE_PAGE: environment('STEPSCOPE_PAGE')},
  });
  const visit = await here.visit();
  const page = await visit.page.context().newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(pathToFileURL(output).href);
  await isText(page, 'the notebook');
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
  assert.ok(frame);
  await isText(frame, 'the report in it');
  assert.ok((await frame.locator('main').innerText()).includes('onerror'));
  await visit.close();
});
