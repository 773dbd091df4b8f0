// A trace in JupyterLab, and in the HTML that a notebook is exported as.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';

import {launchForTest} from './lib/browser.mjs';
import {PATIENCE, cell, inJupyterLab as inJupyterLabOf, notebook, openNotebook, python, runCell as run, variables} from './lib/jupyter.mjs';
import {generated, realTraces, summary, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {tainted} from './lib/tainted.mjs';
import {until} from './lib/until.mjs';
import {isText, walk} from './lib/walk.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').FrameLocator} FrameLocator */

const options = {skip: !python && 'SKIPPED: STEPSCOPE_NOTEBOOK names no Python with JupyterLab'};

const trace = generated('jupyter/trace.json.gz', '--seed', '71');
const folder = path.dirname(trace);
written(
  'jupyter/show.ipynb',
  notebook(
    'import stepscope\nview = stepscope.show("trace.json.gz", lang="en", theme="light", height=600)\nview',
    'print("told", view.selected["tab"], repr(view.error), len(view.files[0]["bytes"]))',
  ),
);
written('jupyter/tainted.json', JSON.stringify(tainted(JSON.parse(fs.readFileSync(generated('jupyter/clean.json', '--seed', '72', '--steps', '4'), 'utf8')))));
written(
  'jupyter/tainted.ipynb',
  notebook(
    'import stepscope\nstepscope.show("tainted.json", lang="en", theme="light", height=900)',
    'stepscope.show("tainted.json", widget=False, longest=64_000_000)',
    'stepscope.summary("tainted.json")',
    'stepscope.summary("<img src=x onerror=window.taken=1><b class=taken>.json")',
  ),
);

/** @type {Awaited<ReturnType<typeof launchForTest>>} */
let browser;
before(async () => {
  browser = await launchForTest();
});
after(() => browser.close());

/** A page, and its requests to other machines. @returns {Promise<{page: Page, foreign: string[]}>} */
async function opened() {
  const page = await browser.newPage({viewport: {width: 1280, height: 1000}});
  page.setDefaultTimeout(PATIENCE);
  /** @type {string[]} */
  const foreign = [];
  page.context().on('request', (request) => {
    if (!/^(blob:|data:|file:|wss?:\/\/127\.0\.0\.1|http:\/\/127\.0\.0\.1)/.test(request.url())) foreign.push(request.url());
  });
  return {page, foreign};
}

/** Exports a notebook and checks that the report in it, and the analyzer in that, show the trace. @param {string} name @param {...string} flags */
async function exported(name, ...flags) {
  const command = [
    '-m',
    'nbconvert',
    '--to',
    'html',
    `--ExecutePreprocessor.startup_timeout=${PATIENCE / 1000}`,
    ...flags,
    '--output',
    `${name}.html`,
    path.join(folder, `${name}.ipynb`),
  ];
  execFileSync(String(python), command, {env: variables(), stdio: ['ignore', 'pipe', 'pipe']});
  const {page, foreign} = await opened();
  await page.goto(pathToFileURL(path.join(folder, `${name}.html`)).href, {waitUntil: 'domcontentloaded'});
  const frame = page.frameLocator('iframe[title="Stepscope"]');
  await frame.locator('[data-test="explore"]').click();
  assertShows(await stepShown(frame), summary(trace).ranks[0].average.step_ns);
  await page.close();
  // All pages of nbconvert ask for these two, and for more where they hold widgets.
  assert.deepEqual(
    foreign.filter((url) => !/require(\.min)?\.js|mathjax/i.test(url)),
    [],
  );
}

/** The length of a step, as an analyzer shows it. @param {Page | FrameLocator} where */
async function stepShown(where) {
  return (await where.locator('[data-test="tile-step"] .tile-value').innerText()).trim();
}

/** Does something with a JupyterLab of the folder. @param {(origin: string) => Promise<void>} act */
const inJupyterLab = (act) => inJupyterLabOf(folder, act);

/** Opens a notebook in JupyterLab. @param {string} origin @param {string} name */
async function inLab(origin, name) {
  const {page, foreign} = await opened();
  const cells = await openNotebook(page, origin, name);
  return {page, cells, foreign};
}

test('JupyterLab shows the analyzer, which tells Python what is chosen, and what it saves is exported with the report', options, () =>
  inJupyterLab(async (origin) => {
    const {page, cells, foreign} = await inLab(origin, 'show');
    await cells.nth(1).waitFor();
    await run(page, cells.nth(0));
    const {average} = summary(trace).ranks[0];
    assertShows(await stepShown(page), average.step_ns);
    // It is the widget, and not the report beside it.
    assert.equal(await page.locator('iframe[title="Stepscope"]').count(), 0);
    await page.locator('[data-test="tab-steps"]').click();
    await page.locator('[data-test="tab-steps"][aria-selected="true"]').waitFor();
    await run(page, cells.nth(1));
    await cells.nth(1).locator('.jp-OutputArea-output', {hasText: 'told'}).waitFor();
    assert.equal((await cells.nth(1).locator('.jp-OutputArea-output').innerText()).trim(), `told steps '' ${fs.statSync(trace).size}`);
    assert.deepEqual(foreign, []);
    await page.keyboard.press('Control+s');
    const saved = () => fs.readFileSync(path.join(folder, 'show.ipynb'), 'utf8').includes('srcdoc');
    await until('the notebook is saved', saved);
    await page.close();
    await exported('show');
  }),
);

test('texts of a trace stay text in a cell, as the analyzer, as a report and as what went wrong', options, () =>
  inJupyterLab(async (origin) => {
    const {page, cells, foreign} = await inLab(origin, 'tainted');
    await cells.nth(3).waitFor();
    await run(page, cells.nth(0));
    await page.locator('[data-test="results"]').waitFor();
    await walk(page);
    await run(page, cells.nth(1));
    const frame = await (await page.locator('iframe[title="Stepscope"]').elementHandle())?.contentFrame();
    assert.ok(frame);
    await frame.locator('body > header h1').waitFor();
    assert.match(await frame.locator('main').innerText(), /onerror/);
    await isText(frame, 'the report');
    await isText(page, 'around it');
    for (const [index, what] of /** @type {[number, string][]} */ ([
      [2, 'a summary'],
      [3, 'a problem'],
    ])) {
      await run(page, cells.nth(index));
      await cells.nth(index).locator('.jp-OutputArea-output').first().waitFor();
      if (what === 'a problem') await cells.nth(index).locator('.jp-OutputArea-output', {hasText: 'onerror'}).first().waitFor();
      await isText(page, what);
    }
    assert.deepEqual(foreign, []);
    await page.close();
  }),
);

test('a notebook that nobody watches is exported with the report, from which the trace can be explored', options, async () => {
  written('jupyter/unwatched.ipynb', notebook('import stepscope\nstepscope.show("trace.json.gz")'));
  await exported('unwatched', '--execute');
});

/** A notebook with the stored output of a cell, without a kernel. @param {string} name @param {string} call the cell's expression */
function saved(name, call) {
  const code = `import json, stepscope; print(json.dumps(${call}._repr_mimebundle_()[0]))`;
  const data = JSON.parse(execFileSync(String(python), ['-c', code], {env: variables(), cwd: folder, maxBuffer: 1 << 28}).toString());
  const made = {...cell(call), execution_count: 1, outputs: [{output_type: 'execute_result', execution_count: 1, metadata: {}, data}]};
  return written(`jupyter/${name}.ipynb`, JSON.stringify({...JSON.parse(notebook()), cells: [made]}));
}

test('a notebook with the frame alone shows the trace when it is opened again, or what to do where it is not trusted', options, () =>
  inJupyterLab(async (origin) => {
    const hint = '.stepscope-hint';
    const call = (/** @type {string} */ file) => `stepscope.show(${JSON.stringify(file)}, widget=False, longest=64_000_000)`;
    saved('foreign', call('trace.json.gz'));
    const untrusted = await inLab(origin, 'foreign');
    await untrusted.page.locator(hint, {hasText: 'not trusted'}).waitFor();
    assert.equal(await untrusted.page.locator('iframe[title="Stepscope"]').count(), 0);
    await untrusted.page.close();
    // A real one, too, where there are any.
    const real = realTraces().find((file) => file.includes('h100_bert'));
    for (const [name, file] of [['trusted', trace], ...(real ? [['real', real]] : [])]) {
      const made = saved(name, call(file));
      execFileSync(String(python), ['-c', 'from nbformat.sign import TrustNotebookApp as app; app.launch_instance()', made], {
        env: variables(),
        stdio: 'pipe',
      });
      const {page, foreign} = await inLab(origin, name);
      const frame = page.frameLocator('iframe[title="Stepscope"]');
      await frame.locator('[data-test="explore"]').click();
      assertShows(await stepShown(frame), summary(file).ranks[0].average.step_ns);
      assert.equal(await page.locator(hint).isVisible(), false);
      assert.deepEqual(foreign, []);
      await page.close();
    }
  }),
);
