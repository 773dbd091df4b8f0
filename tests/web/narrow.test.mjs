// A narrow window: nothing makes the page wider than it, whatever files and ranks are called.

import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';

import {generated} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const long = 'a_run_of_the_large_model_on_all_of_the_machines_of_the_second_cluster_after_the_change_of_the_scheduler';
const ranks = [0, 1].map((rank) => generated(`narrow/${long}.rank${rank}.json.gz`, '--seed', `${rank + 61}`, '--steps', '4'));
const pipeline = path.join(import.meta.dirname, '../fixtures/mindspore_tables/data_pipeline/input');

/** @param {string} name @param {(visit: import('./lib/site.mjs').Visit) => Promise<void>} open */
function fits(name, open) {
  test(`no tab is wider than 400 px: ${name}`, async () => {
    const visit = await here.visit({viewport: {width: 400, height: 800}});
    await open(visit);
    await visit.results();
    const tabs = await visit.tabs();
    assert.ok(tabs.length > 2, String(tabs));
    for (const tab of tabs) {
      await visit.tab(tab);
      const over = await visit.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${tab} makes the page ${over} px too wide`);
      const squeezed = await visit.page
        .locator('.facts:not(.in-columns) > dd:visible')
        .evaluateAll((all) =>
          all.flatMap((one) =>
            one.clientWidth < (one.parentElement?.clientWidth ?? 0) * 0.4 ? [`${one.previousElementSibling?.textContent}: ${one.textContent}`] : [],
          ),
        );
      assert.deepEqual(squeezed, [], `${tab}: a value has less room than its name`);
      for (const tile of await visit.page.locator('.tile').all()) {
        await tile.hover();
        const [left, right, page] = await tile.evaluate((one) => {
          const {left, right} = one.querySelector('.formula')?.getBoundingClientRect() ?? {left: 0, right: 1e6};
          return [left, right, document.documentElement.scrollWidth];
        });
        assert.ok(left >= 0 && right <= 400 && page <= 400, `${tab}: a formula from ${left} to ${right} px, the page ${page} px`);
      }
    }
    await visit.close();
  });
}

fits('ranks whose files have long names', (visit) => visit.choose(...ranks));
fits('a folder of tables', (visit) => visit.drop(pipeline));

test('the chosen tab is scrolled into view, and heads of rows show which rank and row they are of', async () => {
  const visit = await here.visit({viewport: {width: 400, height: 800}});
  await visit.choose(...ranks);
  await visit.results();
  const isSeen = (/** @type {string} */ selector) =>
    visit.page.waitForFunction((selector) => {
      const [one, list] = [document.querySelector(selector), document.querySelector(selector)?.closest('.tabs')].map((one) => one?.getBoundingClientRect());
      return one && list && one.left >= list.left - 1 && one.right <= list.right + 1;
    }, selector);
  await visit.page.evaluate(() => (location.hash = '#tab=compare'));
  await isSeen('[data-test="tab-compare"][aria-selected="true"]');
  await visit.page.evaluate(() => (location.hash = '#tab=timeline'));
  await isSeen('[data-test="tab-timeline"][aria-selected="true"]');
  /** Names that are cut, or lie under a button: of the rows that every trace has. */
  const cut = async () => (await cutNames()).filter((name) => !name.includes('·'));
  const cutNames = () =>
    visit.page.locator('.track-head').evaluateAll((heads) =>
      heads.flatMap((head) => {
        const [name, tools] = ['.track-head-name', '.track-head-tools'].map((part) => /** @type {HTMLElement} */ (head.querySelector(part)));
        const [text, button] = [name, tools].map((one) => one.getBoundingClientRect());
        return name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight + 1 && text.right <= button.left + 1
          ? []
          : [name.textContent ?? ''];
      }),
    );
  // Few lines above the rows: the rank and the step, the tabs and the book, the ways to zoom stand beside each other.
  const boxOf = async (/** @type {string} */ selector) => (await visit.page.locator(selector).boundingBox()) ?? assert.fail(selector);
  const besides = async (/** @type {string[]} */ ...selectors) => {
    const middles = (await Promise.all(selectors.map(boxOf))).map(({y, height}) => y + height / 2);
    assert.ok(Math.max(...middles) - Math.min(...middles) < 12, `${selectors}: ${middles}`);
  };
  /** Where the timeline begins in a window. @param {number} width @param {number} height */
  const beginsAt = async (width, height) => {
    await visit.page.setViewportSize({width, height});
    await besides('[data-test="rank"]', '[data-test="step"]');
    await besides('.tabs:first-child', '.navigation-book a');
    await besides(...['zoomin', 'zoomout', 'fit'].map((key) => `[data-test="timeline-${key}"]`));
    return (await boxOf('[data-test="timeline-canvas"]')).y;
  };
  for (const [width, height, most] of [
    [700, 450, 180],
    [400, 800, 250],
  ]) {
    const top = await beginsAt(width, height);
    assert.ok(top <= most, `${width} × ${height}: the timeline begins at ${top} px`);
  }
  const rank = visit.page.locator('[data-key="rank:1"]');
  await rank.waitFor();
  assert.deepEqual(await cut(), []);
  await rank.locator('[data-act="more"]').click();
  await visit.page.locator('[data-menu="detail"]').click();
  await visit.page.locator('[data-key="rank:1/device:0"], [data-key^="rank:1/"]').first().waitFor();
  assert.deepEqual(await cut(), []);
  await visit.page.setViewportSize({width: 1280, height: 800});
  await rank.hover();
  const [name, tools] = await Promise.all(['.track-head-name', '.track-head-tools'].map((part) => rank.locator(part).boundingBox()));
  assert.ok(name && tools && tools.x >= name.x + 50, 'the rank is seen beside its buttons');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the details of a clicked row come into a low window', async () => {
  const visit = await here.visit({viewport: {width: 400, height: 800}});
  await visit.open(generated('narrow/details.json.gz', '--demo'));
  for (const tab of ['kernels', 'operators', 'idle']) {
    await visit.tab(tab);
    await visit.page.locator('[data-test^="table-"] .rows .row:visible').nth(1).click();
    const detail = visit.part('detail').filter({visible: true});
    const box = await detail.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + Math.min(box.height, 100) <= 800, `${tab}: ${JSON.stringify(box)}`);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the first facts of an event are in a low window', async () => {
  const visit = await here.visit({viewport: {width: 400, height: 800}});
  await visit.open(generated('narrow/details.json.gz', '--demo'));
  await visit.tab('timeline');
  await visit.part('find').fill('class:kernel');
  await visit.part('find').press('Enter');
  for (const fact of ['length', 'start']) {
    const part = visit.part(`event-fact-${fact}`);
    await part.waitFor();
    const box = await part.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 800, `${fact}: ${JSON.stringify(box)}`);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('columns have the widths of the window, also after it changes', async () => {
  const trace = generated('narrow/widths.json.gz', '--demo');
  /** Width of the names' column and of the table. @param {import('./lib/site.mjs').Visit} visit */
  const widths = async (visit) => {
    const parts = ['[data-key="name"]', '.row.head'].map((part) => visit.part('table-kernels').locator(part).first().boundingBox());
    return (await Promise.all(parts)).map((box) => Math.round(box?.width ?? 0));
  };
  const opened = async (/** @type {number} */ width) => {
    const visit = await here.visit({viewport: {width, height: 800}});
    await visit.open(trace);
    await visit.tab('kernels');
    return visit;
  };
  const [wide, narrow] = await Promise.all([opened(1280), opened(400)]);
  const [ofWide, ofNarrow] = [await widths(wide), await widths(narrow)];
  assert.ok(ofNarrow[0] < ofWide[0], `${ofNarrow} beside ${ofWide}`);
  await wide.page.setViewportSize({width: 400, height: 800});
  await wide.until('the columns are narrow', async () => String(await widths(wide)) === String(ofNarrow));
  await narrow.page.setViewportSize({width: 1280, height: 800});
  await narrow.until('the columns are wide', async () => String(await widths(narrow)) === String(ofWide));
  await wide.close();
  await narrow.close();
});
