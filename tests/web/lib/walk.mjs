// A way through all that is shown of a trace, which sees to it that its texts stay texts.

import assert from 'node:assert/strict';

import {openTab, tabNames} from './tabs.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Frame} Frame */

/** Checks that no markup in texts became an element, and that none of it ran. @param {Page | Frame} where @param {string} when */
export async function isText(where, when) {
  // Locators look into elements' own trees, too: a report's analyzer is one.
  const elements = await where.locator('.taken, img[src="x"], [onerror], [onmouseover]').count();
  const scripts = (await where.locator('script').allTextContents()).filter((text) => text.startsWith('window.taken')).length;
  assert.deepEqual({ran: await where.evaluate(() => 'taken' in window), elements, scripts}, {ran: false, elements: 0, scripts: 0}, when);
}

/** @param {Page | Frame} where @param {string} name */
const part = (where, name) => where.locator(`[data-test="${name}"]`);

/** Waits until the requested reports are there. @param {Page | Frame} where */
async function settled(where) {
  const busy = where.locator('#panel [aria-busy="true"]');
  for (let left = 3000; left && (await busy.count()); left--) await where.waitForTimeout(20);
  assert.equal(await busy.count(), 0, 'what was asked for came');
}

/** Text of the open tab, with the details of its table's first row, unfolded sections and hover text. @param {Page | Frame} where */
export async function look(where) {
  await settled(where);
  let shown = await part(where, 'results').innerText();
  const row = where.locator('#panel .rows [role="row"]:visible').first();
  if (await row.count()) {
    await row.click();
    shown += await part(where, 'results').innerText();
  }
  const closed = where.locator('#panel details:not([open]):not(.menu) > summary:visible');
  for (let left = 20; left && (await closed.count()); left--) await closed.first().click();
  const canvas = where.locator('#panel canvas:visible').first();
  if (await canvas.count()) {
    await canvas.hover({position: {x: 300, y: 40}, force: true});
    await canvas.click({position: {x: 300, y: 40}, force: true});
  }
  await settled(where);
  return shown + (await part(where, 'results').innerText());
}

/** Searches for the markup on the timeline, and opens the hit: an event with its arguments, its hover text, a range. @param {Page | Frame} where @param {boolean} args whether its arguments are tainted */
async function lookInto(where, args) {
  // A slice: instant events have no arguments to look at.
  await part(where, 'find').fill('onerror dur>1ns');
  const said = part(where, 'find-said');
  await said.filter({hasText: /\d/}).waitFor();
  assert.doesNotMatch(await said.innerText(), /^0 /, 'it was found');
  await part(where, 'find').press('Enter');
  await where.locator('[data-test="event-pane"][data-event]:not([aria-busy])').waitFor();
  await where.locator('[data-test="event-args"] [role="status"]').waitFor({state: 'detached'});
  assert.match(await part(where, 'event-pane').innerText(), /onerror/, 'the event has its name');
  if (args) assert.match(await part(where, 'event-args').innerText(), /onerror/, 'and its arguments');
  await isText(where, 'an event');
  // The found event is as wide as the view then, in one of the rows.
  await part(where, 'timeline-canvas').press('f');
  await part(where, 'timeline-canvas').evaluate((canvas) => canvas.scrollIntoView({block: 'start'}));
  const box = await part(where, 'timeline-canvas').boundingBox();
  assert.ok(box);
  const {mouse} = 'mouse' in where ? where : where.page();
  const tip = where.locator('.timeline-tip:visible');
  const named = tip.filter({hasText: 'onerror'});
  // The tooltip comes when the session answers: a busy machine gets more time at each place.
  for (let pause = 0; pause < 1000 && !(await named.count()); pause = 4 * pause + 20) {
    for (let y = 48; y < box.height && !(await named.count()); y += 6) {
      await mouse.move(box.x + 0.5 * box.width + (y % 12), box.y + y);
      if (pause) await named.waitFor({timeout: pause}).catch(() => {});
    }
  }
  assert.match(await tip.innerText(), /onerror/, 'it is told on hover');
  await isText(where, 'what is told on hover');
  await mouse.move(box.x + 0.1 * box.width, box.y + 120);
  await mouse.down();
  await mouse.move(box.x + 0.5 * box.width, box.y + 120);
  await mouse.move(box.x + 0.9 * box.width, box.y + 120);
  await mouse.up();
  await where.locator('[data-test="range-pane"][data-range]:not([aria-busy])').waitFor();
  const range = await part(where, 'range-pane').innerText();
  assert.match(range, /onerror/, 'a range tells what is in it');
  await isText(where, 'a range');
}

/**
 * Goes through all tabs.
 * @param {Page | Frame} where @param {object} [expected] its parts that the trace has
 * @param {number} [expected.tabs] @param {number} [expected.texts] times that the markup is shown @param {boolean} [expected.events] whether its events have tainted names
 * @param {boolean} [expected.args] whether the first of them has tainted arguments
 */
export async function walk(where, {tabs = 9, texts = 21, events = true, args = true} = {}) {
  await part(where, 'results').waitFor();
  await isText(where, 'opened');
  const names = await tabNames(where);
  assert.ok(names.length >= tabs, names.join());
  let shown = '';
  for (const name of names) {
    await openTab(where, name);
    await settled(where);
    if (name === 'timeline') await where.locator('[data-test="timeline"][data-frame]').waitFor();
    shown += await look(where);
    if (name === 'timeline' && events) await lookInto(where, args);
    await isText(where, name);
  }
  const times = shown.split('onerror').length - 1;
  assert.ok(times >= texts, `the texts were shown ${times} times`);
}
