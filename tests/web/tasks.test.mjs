// The tasks of the book's chapter, each done by its instructions, with as many clicks.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {generated} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const [before, after] = [91, 92].map((seed) => generated(`tasks/run${seed}.json.gz`, '--seed', String(seed), '--steps', '6'));
const book = path.join(import.meta.dirname, '../../docs/src');

/** @typedef {import('./lib/site.mjs').Visit} Visit */
/** @typedef {{open: 'demo' | 'demo-job' | 'trace', clicks: string[], then?: (visit: Visit) => Promise<unknown>, shown: (visit: Visit) => Promise<unknown>}} Task `clicks`: what is clicked, in order; `name=value` is a choice in a list */

/** @param {string} name @param {RegExp} pattern @returns {(visit: Visit) => Promise<void>} */
const says = (name, pattern) => async (visit) => {
  await visit.part(name).first().waitFor();
  assert.match(await visit.part(name).first().innerText(), pattern);
};

/** A row of a table. @param {string} table */
const row = (table) => `[data-test="table-${table}"] .rows .row`;

/** @type {Task[]} */
const TASKS = [
  {open: 'demo', clicks: [], shown: says('budget-first', /lost to waiting for data/)},
  {open: 'demo', clicks: ['group-host', row('gaps')], shown: says('detail', /Main cause.*Length.*Next activity/s)},
  {
    open: 'demo',
    clicks: ['group-host', row('gaps'), '[data-test="detail"] [data-test="jump"]'],
    shown: (visit) => visit.page.waitForFunction(() => /tab=timeline.*range=/.test(location.hash)),
  },
  {open: 'demo', clicks: ['tab-steps', 'sort-length_ns'], shown: (visit) => visit.page.locator('[aria-sort="descending"][data-key="length_ns"]').waitFor()},
  {open: 'demo', clicks: ['group-compute', 'tab-kernels'], shown: says('kernel_families', /matrix products/)},
  {
    open: 'demo',
    clicks: ['group-compute', 'tab-kernels', 'copy', 'copy-markdown'],
    shown: async (visit) => assert.match(await visit.page.evaluate(() => navigator.clipboard.readText()), /^\| Name.*\n\| ---/),
  },
  {open: 'demo-job', clicks: [], shown: says('job-budget-first', /lost to rank 5 being late/)},
  {open: 'demo-job', clicks: ['job-compare', 'compare-table=kernels'], shown: (visit) => visit.page.locator(row('compared-kernels')).first().waitFor()},
  {
    open: 'trace',
    clicks: ['tab-compare', 'compare.open'],
    shown: (visit) => visit.part('waterfall-part').first().waitFor(),
  },
  {
    open: 'demo',
    clicks: ['tab-timeline', 'find', 'notes', 'note-add'],
    shown: (visit) => visit.part('note').waitFor(),
  },
];

/** Does a click of a task. @param {Visit} visit @param {string} click */
async function act(visit, click) {
  const [name, value] = click.startsWith('[') ? [click] : click.split('=');
  const part = click.startsWith('[') ? visit.page.locator(click).first() : visit.part(name).first();
  await part.waitFor();
  if (name === 'compare.open') {
    const chooser = visit.page.waitForEvent('filechooser');
    await part.click();
    await (await chooser).setFiles(before);
  } else if (value) await part.selectOption(value);
  else if (name === 'find') {
    await part.click();
    await part.fill('class:kernel');
    await part.press('Enter');
    await visit.page.waitForFunction(() => /event=\d/.test(location.hash));
  } else await part.click();
}

test('each task of the book is done with the clicks that the book counts', async () => {
  for (const language of ['', 'zh/']) {
    const chapter = fs.readFileSync(path.join(book, language, 'tasks.md'), 'utf8');
    const counted = [...chapter.matchAll(/^\| \d+ \|.*\| (\d+) \|$/gm)].map(([, clicks]) => Number(clicks));
    assert.deepEqual(
      counted,
      TASKS.map(({clicks}) => clicks.length),
      `${language}tasks.md`,
    );
  }
  for (const [index, {open, clicks, shown}] of TASKS.entries()) {
    const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
    if (open === 'trace') await visit.open(after);
    else {
      await visit.part(open).click();
      await visit.results();
    }
    for (const click of clicks) await act(visit, click);
    await shown(visit);
    assert.deepEqual(visit.complaints, [], `task ${index + 1}`);
    await visit.close();
  }
});
