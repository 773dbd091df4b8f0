// JupyterLab for tests and pictures: without the user's own settings, with the working tree's package.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import path from 'node:path';

import {environment, scratch} from './program.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** A Python that has JupyterLab and anywidget. */
export const python = process.env.STEPSCOPE_NOTEBOOK;

/** Timeout for starting a server, a kernel and a page of many scripts on a busy machine, in ms. */
export const PATIENCE = 120_000;
const TOKEN = 'of-the-tests';

/** A cell of code. @param {string} source @param {number} [index] */
export const cell = (source, index = 0) => ({
  cell_type: 'code',
  id: `cell-${index}`,
  execution_count: null,
  metadata: {},
  outputs: /** @type {object[]} */ ([]),
  source,
});

/** The text of a notebook with cells that have not been run. @param {...string} sources */
export const notebook = (...sources) =>
  JSON.stringify({
    cells: sources.map(cell),
    metadata: {kernelspec: {name: 'python3', display_name: 'Python 3', language: 'python'}},
    nbformat: 4,
    nbformat_minor: 5,
  });

/** The folder of the settings of JupyterLab. */
export const settings = () => scratch('jupyter-own/JUPYTERLAB_SETTINGS_DIR');

/** The variables of JupyterLab and of its kernels. */
export function variables() {
  const own = Object.fromEntries(
    ['JUPYTER_CONFIG_DIR', 'JUPYTER_DATA_DIR', 'JUPYTER_RUNTIME_DIR', 'IPYTHONDIR', 'JUPYTERLAB_WORKSPACES_DIR'].map((name) => [
      name,
      scratch(`jupyter-own/${name}`),
    ]),
  );
  return {
    ...process.env,
    ...own,
    JUPYTERLAB_SETTINGS_DIR: settings(),
    PYTHONPATH: path.join(import.meta.dirname, '../../../collector/python'),
    STEPSCOPE_WIDGET: path.join(environment('STEPSCOPE_EMBEDDED'), 'widget.js'),
  };
}

/** Does something with a JupyterLab of a folder. @param {string} folder @param {(origin: string) => Promise<void>} act */
export async function inJupyterLab(folder, act) {
  const server = spawn(
    String(python),
    [
      '-m',
      'jupyterlab',
      '--no-browser',
      '--allow-root',
      '--ServerApp.ip=127.0.0.1',
      '--ServerApp.port=0',
      `--IdentityProvider.token=${TOKEN}`,
      `--ServerApp.root_dir=${folder}`,
    ],
    {env: variables(), stdio: ['ignore', 'ignore', 'pipe']},
  );
  try {
    const origin = await new Promise((resolve, reject) => {
      let said = '';
      server.stderr.on('data', (chunk) => {
        said += chunk;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (found) resolve(found[0]);
      });
      server.on('exit', () => reject(new Error(`JupyterLab ended: ${said}`)));
    });
    await act(origin);
  } finally {
    server.removeAllListeners('exit');
    server.kill('SIGTERM');
  }
}

/** Opens a notebook alone, without JupyterLab's panels, or with them. @param {Page} page @param {string} origin @param {string} name @param {'lab' | 'doc'} [mode] */
export async function openNotebook(page, origin, name, mode = 'lab') {
  await page.goto(`${origin}/${mode}/tree/${name}.ipynb?reset&token=${TOKEN}`);
  const cells = page.locator('.jp-Notebook .jp-CodeCell');
  await cells.first().waitFor();
  return cells;
}

/**
 * Runs a cell. As long as there is no kernel, JupyterLab selects the next cell without running this one, whatever its prompt shows.
 * @param {Page} page @param {Locator} cell
 */
export async function runCell(page, cell) {
  const prompt = cell.locator('.jp-InputPrompt');
  const isRun = async () => /\[[*\d]/.test(await prompt.innerText());
  const end = Date.now() + PATIENCE;
  while (!(await isRun())) {
    assert.ok(Date.now() < end, 'the cell never ran');
    await cell.locator('.cm-content').click();
    await page.keyboard.press('Shift+Enter');
    for (let left = 10; left && !(await isRun()); left--) await page.waitForTimeout(200);
  }
}
