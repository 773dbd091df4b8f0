// Every heading shows its meaning on hover, in both languages.

import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';

import {generated} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const trace = generated('headings/trace.json.gz', '--seed', '62', '--steps', '5');
const job = generated('headings/job/ranks', '--job', '2x1x2', '--seed', '62', '--steps', '5', '--slow', '1');
const fixtures = path.join(import.meta.dirname, '../fixtures');

/** Headings of columns that hold words speak for themselves. */
const WORDS = ['name', 'owner', 'class', 'kind', 'id', 'host'];

/** @param {string} what @param {string} locale */
function explained(what, locale) {
  test(`every heading has its meaning: ${path.basename(path.dirname(what))}, ${locale}`, async () => {
    const visit = await here.visit({locale});
    await visit.drop(what);
    await visit.results();
    const tabs = await visit.tabs();
    for (const tab of tabs.filter((one) => one !== 'recorded')) {
      await visit.tab(tab);
      const bare = await visit.page.evaluate((words) => {
        const headings = document.querySelectorAll('#panel h2, #panel h3, #panel th[scope="col"], #panel .sort');
        const said = (/** @type {Element} */ one) => one.getAttribute('title') && !/^[\w.]+\.why$/.test(one.getAttribute('title') ?? '');
        const isWord = (/** @type {Element} */ one) => words.some((word) => one.getAttribute('data-test') === `sort-${word}`) || one.matches('th:first-child');
        return [...headings].filter((one) => !said(one) && !isWord(one)).map((one) => one.textContent);
      }, WORDS);
      assert.deepEqual(bare, [], tab);
    }
    await visit.close();
  });
}

for (const locale of ['en-GB', 'zh-CN']) {
  for (const what of [trace, job, path.join(fixtures, 'mindspore_tables/data_pipeline/input')]) explained(what, locale);
}
