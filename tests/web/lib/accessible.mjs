// Accessibility checks of a page by axe.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import {createRequire} from 'node:module';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe finds nothing wrong. @param {import('./site.mjs').Visit} visit @param {string} where @param {string[]} [rules] all of them if none are given */
export async function assertAccessible(visit, where, rules = []) {
  if (await visit.page.evaluate(() => !('axe' in window))) {
    const session = await visit.page.context().newCDPSession(visit.page);
    // Past the page's own policy, as a debugger may.
    await session.send('Runtime.evaluate', {expression: axe});
    await session.detach();
  }
  const violations = await visit.page.evaluate(async (rules) => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const runOnly = rules.length ? rules : tags;
    // Checks that pass need no description.
    const {violations} = await /** @type {any} */ (window).axe.run(document, {runOnly, resultTypes: ['violations']});
    return violations.map(
      (/** @type {any} */ one) => `${one.id}: ${one.nodes.map((/** @type {any} */ node) => `${node.target} ${node.any[0]?.message ?? ''}`).join(' | ')}`,
    );
  }, rules);
  assert.deepEqual(violations, [], where);
}
