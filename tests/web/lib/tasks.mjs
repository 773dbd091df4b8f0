// The ten tasks of the book's chapter: what is clicked, and what then is on the screen.

import assert from 'node:assert/strict';

import {generated} from './program.mjs';

/** @typedef {import('./site.mjs').Visit} Visit */

/** @type {string[]} */
const made = [];

/** The trace of a task that opens one, and the trace that it is compared with. */
export function traces() {
  if (!made.length) made.push(...[92, 91].map((seed) => generated(`tasks/run${seed}.json.gz`, '--seed', String(seed), '--steps', '6')));
  return made;
}

/** @typedef {{open: 'demo' | 'demo-job' | 'trace', clicks: string[], then?: (visit: Visit) => Promise<unknown>, shown: (visit: Visit) => Promise<unknown>}} Task `clicks`: what is clicked, in order; `name=value` is a choice in a list */

/** @param {string} name @param {RegExp} pattern @returns {(visit: Visit) => Promise<void>} */
const says = (name, pattern) => async (visit) => {
  await visit.part(name).first().waitFor();
  assert.match(await visit.part(name).first().innerText(), pattern);
};

/** A row of a table. @param {string} table */
const row = (table) => `[data-test="table-${table}"] .rows .row`;

/** @type {Task[]} */
export const TASKS = [
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
    await (await chooser).setFiles(traces()[1]);
  } else if (value) await part.selectOption(value);
  else if (name === 'find') {
    await part.click();
    await part.fill('class:kernel');
    await part.press('Enter');
    await visit.page.waitForFunction(() => /event=\d/.test(location.hash));
  } else await part.click();
}

/** Opens what a task is done on, makes its clicks, and waits for the answer. @param {import('./site.mjs').Visit} visit @param {Task} task */
export async function doTask(visit, {open, clicks, shown}) {
  if (open === 'trace') await visit.open(traces()[0]);
  else {
    await visit.part(open).click();
    await visit.results();
  }
  for (const click of clicks) await act(visit, click);
  await shown(visit);
}
