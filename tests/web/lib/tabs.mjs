// Tabs of the page, wherever it is: those of a group are seen once it is open.

import {GROUPS} from '../../../www/js/page/state.js';

/** @typedef {import('playwright-core').Page | import('playwright-core').Frame | import('playwright-core').FrameLocator | import('playwright-core').Locator} Where */

/** Opens a tab, by its group where that is closed. @param {Where} where @param {string} name */
export async function openTab(where, name) {
  const tab = where.locator(`[data-test="tab-${name}"]`);
  const [group] = Object.entries(GROUPS).find(([, tabs]) => tabs.some((one) => one === name)) ?? [];
  const button = where.locator(`[data-test="group-${group}"]`);
  if (!(await tab.isVisible()) && (await button.isVisible())) await button.click();
  await tab.click();
}

/** The tabs that a trace has, by their names. @param {Where} where @returns {Promise<string[]>} */
export async function tabNames(where) {
  const names = [];
  for (const one of await where.locator('.tabs').first().locator('> *').all()) {
    if (await one.evaluate((button) => button.matches('.group'))) {
      await one.click();
      names.push(...(await where.locator('.tabs + .tabs > .tab').evaluateAll((all) => all.map((tab) => tab.id))));
    } else names.push((await one.getAttribute('id')) ?? '');
  }
  return names.map((name) => name.replace('tab-', ''));
}
