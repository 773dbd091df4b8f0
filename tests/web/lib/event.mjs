// Details of an event on the timeline.

import assert from 'node:assert/strict';

/** @typedef {import('./site.mjs').Visit} Visit */

/** Waits until an event is shown, with its arguments, and gives its name. @param {Visit} visit @param {string} [before] the number of the one that was shown */
export async function shown(visit, before = '') {
  await visit.page.waitForFunction((before) => {
    const pane = /** @type {HTMLElement | null} */ (document.querySelector('[data-test="event-pane"]:not([aria-busy])'));
    return pane?.dataset.event !== undefined && pane.dataset.event !== before && !pane.querySelector('[data-test="event-args"] [role="status"]');
  }, before);
  return visit.text('event-name');
}

/** The number of the event that is shown. @param {Visit} visit @returns {Promise<string>} */
export async function number(visit) {
  return (await visit.part('event-pane').getAttribute('data-event')) ?? '';
}

/** Looks for the first event of that name and chooses it. @param {Visit} visit @param {string} name */
export async function pick(visit, name) {
  await visit.tab('timeline');
  await visit.part('timeline-canvas').locator('canvas').waitFor();
  const before = await number(visit);
  await visit.part('find').fill(`"${name}"`);
  await visit.page.keyboard.press('Enter');
  assert.equal(await shown(visit, before), name);
}

/** Members as shown. @param {Visit} visit @param {string} test @returns {Promise<Record<string, string>>} */
export async function members(visit, test) {
  const pairs = await visit
    .part(test)
    .evaluate((list) =>
      [...list.querySelectorAll('dt')].map((name) => [
        name.textContent ?? '',
        name.nextElementSibling?.querySelector('.event-text')?.textContent ?? name.nextElementSibling?.textContent ?? '',
      ]),
    );
  return Object.fromEntries(pairs);
}
