// Views and headings lead into the book that is shipped with the page; nothing leads there where it is not shipped.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {environment, generated} from './lib/program.mjs';
import {PATH, site} from './lib/site.mjs';

const page = environment('STEPSCOPE_PAGE');
const trace = generated('book/trace.json.gz', '--seed', '7', '--steps', '4');
const job = generated('book/job/ranks', '--job', '2x1x2', '--seed', '7', '--steps', '4', '--slow', '1');
const here = site();

/** The page was built where mdBook could not be had. */
const skip = fs.existsSync(path.join(page, 'book')) ? false : 'the page was built without the book';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

/** Targets of the shown links to the book. @param {Visit} visit @returns {Promise<string[]>} */
const links = (visit) =>
  visit.page.locator('[data-test="book"], [data-test="help-book"] a').evaluateAll((all) => all.map((one) => /** @type {HTMLAnchorElement} */ (one).href));

/** Error of an address within the page's folder, if any. @param {Visit} visit @param {string} address */
function fault(visit, address) {
  const {pathname, hash, origin} = new URL(address);
  if (!address.startsWith(`${visit.address}book/`)) return `${address} is elsewhere than ${origin}`;
  const file = path.join(page, decodeURIComponent(pathname.slice(PATH.length)));
  if (!fs.existsSync(file)) return `${address}: there is no ${file}`;
  const id = decodeURIComponent(hash.slice(1));
  return id && !fs.readFileSync(file, 'utf8').includes(`id="${id}"`) ? `${address}: the page has no heading ${id}` : undefined;
}

for (const [locale, start] of [
  ['en-GB', 'book/'],
  ['zh-CN', 'book/zh/'],
]) {
  test(`every view and its headings lead to a section of the book, ${locale}`, {skip}, async () => {
    const visit = await here.visit({locale});
    const found = new Set();
    for (const what of [trace, job]) {
      await visit.drop(what);
      await visit.results();
      for (const tab of await visit.tabs()) {
        await visit.tab(tab);
        const addresses = await links(visit);
        assert.ok(addresses.length > 0, `${tab} leads nowhere`);
        for (const address of addresses) found.add(address);
      }
    }
    await visit.part('help').click();
    const addresses = [...found, ...(await links(visit))];
    assert.ok(new Set(addresses).size >= 15, addresses.join('\n'));
    assert.deepEqual(
      addresses.filter((one) => !one.startsWith(visit.address + start)),
      [],
    );
    assert.deepEqual(addresses.map((one) => fault(visit, one)).filter(Boolean), []);
    await visit.close();
  });
}

test('the book opens beside the trace, under the policy of the page', {skip}, async () => {
  const visit = await here.visit();
  await visit.drop(trace);
  await visit.results();
  await visit.tab('timeline');
  const opened = visit.page.context().waitForEvent('page');
  await visit.page.locator('.navigation [data-test="book"]').click();
  const book = await opened;
  /** @type {string[]} */
  const complaints = [];
  book.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  // From the start, with all console messages.
  await book.reload();
  await book.locator('main h1').waitFor();
  await book.locator('#mdbook-sidebar a.active').waitFor({state: 'attached'});
  const policy = await book.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.equal(policy, await visit.page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content'));
  assert.equal(await book.locator('script:not([src])').count(), 0);
  await book.locator('#mdbook-search-toggle').click();
  await book.locator('#mdbook-searchbar').pressSequentially('straggler');
  await book.locator('#mdbook-searchresults li').first().waitFor();
  assert.deepEqual(complaints, []);
  assert.ok(await visit.part('results').isVisible());
  await visit.close();
});

test('without the book nothing leads to it', async () => {
  const visit = await here.visit();
  // As on a page that was built without it.
  await visit.page.route('**/some/where/', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({response: answer, body: (await answer.text()).replace(/<link rel="help"[^>]*>/, '')});
  });
  await visit.page.reload();
  await visit.page.locator('#main').waitFor({state: 'attached'});
  await visit.drop(trace);
  await visit.results();
  for (const tab of await visit.tabs()) {
    await visit.tab(tab);
    assert.deepEqual(await links(visit), [], tab);
  }
  await visit.part('help').click();
  assert.deepEqual(await links(visit), []);
  await visit.close();
});
