// The timeline's pictures: light, dark, and with two device pixels per CSS pixel, compared with stored ones.
//
// Fonts differ between machines, and with them texts' edges: a few pixels may differ, where nothing else has moved.
// STEPSCOPE_BLESS=1 writes the expected pictures; check them before you commit them.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {scratch} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {drawn, openTimeline, until} from './lib/timeline.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();
const FIXTURES = path.join(import.meta.dirname, '../fixtures/timeline');

/** Tolerated difference of a color channel, of 255, and the share of all pixels that may exceed it. */
const CHANNEL = 32;
const SHARE = 0.02;

/** The share of pixels that differ between two PNGs, decoded by the browser; 1 if their sizes do. @param {Visit} visit @param {Buffer} a @param {Buffer} b @returns {Promise<number>} */
function differing(visit, a, b) {
  return visit.page.evaluate(
    async ({pictures, most}) => {
      const [one, other] = await Promise.all(
        pictures.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          context?.drawImage(image, 0, 0);
          return {width: image.width, height: image.height, data: context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray()};
        }),
      );
      if (one.width !== other.width || one.height !== other.height) return 1;
      let count = 0;
      for (let at = 0; at < one.data.length; at += 4) {
        if ([0, 1, 2].some((part) => Math.abs(one.data[at + part] - other.data[at + part]) > most)) count++;
      }
      return count / (one.data.length / 4);
    },
    {pictures: [a, b].map((bytes) => bytes.toString('base64')), most: CHANNEL},
  );
}

/** Hash of the address, by case. @type {Record<string, string>} */
const VIEWS = {
  training: '#tab=timeline&at=330000~620000&range=400000~450000&find=gemm&pin=0',
  crossing: '#tab=timeline&at=-6000~330000',
};

/** @type {[string, string, Parameters<typeof here.visit>[0]][]} case, picture, look */
const LOOKS = [
  ['training', 'light', {colorScheme: 'light'}],
  ['training', 'dark', {colorScheme: 'dark'}],
  ['training', 'sharp', {colorScheme: 'light', deviceScaleFactor: 2}],
  ['crossing', 'light', {colorScheme: 'light'}],
];

for (const [name, picture, look] of LOOKS) {
  test(`the canvas looks as it did: ${name}, ${picture}`, async () => {
    const visit = await here.visit({viewport: {width: 960, height: 1100}, query: VIEWS[name], ...look});
    const folder = path.join(FIXTURES, name);
    const input = fs.readdirSync(folder).find((file) => file.startsWith('input.'));
    await openTimeline(visit, path.join(folder, String(input)));
    // As large whatever stands around it.
    await visit.page.locator('.timeline-body').evaluate((body) => Object.assign(body.style, {flex: 'none', width: '928px', height: '900px'}));
    if (VIEWS[name].includes('find=')) await until(visit, ({hits}) => hits.length > 0);
    await visit.page.locator('[data-test="range-pane"]:not([aria-busy])').waitFor({state: 'attached'});
    const scene = await drawn(visit);
    assert.equal(scene.scale, look?.deviceScaleFactor ?? 1);
    assert.equal(scene.dark, look?.colorScheme === 'dark');
    await visit.page.mouse.move(2, 2);
    const bytes = await visit.part('timeline-canvas').screenshot({scale: 'device'});
    const stored = path.join(folder, 'expected', `${picture}.png`);
    if (process.env.STEPSCOPE_BLESS) {
      fs.mkdirSync(path.dirname(stored), {recursive: true});
      fs.writeFileSync(stored, bytes);
    }
    const expected = fs.readFileSync(stored);
    const share = await differing(visit, bytes, expected);
    const now = scratch(`timeline/now-${name}-${picture}.png`);
    fs.writeFileSync(now, bytes);
    assert.ok(share < SHARE, `${(share * 100).toFixed(2)} % of pixels differ: ${now} from ${stored}`);
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  });
}

test('a picture that differs is told', async () => {
  const visit = await here.visit();
  const [light, dark] = ['light', 'dark'].map((name) => fs.readFileSync(path.join(FIXTURES, 'training/expected', `${name}.png`)));
  assert.equal(await differing(visit, light, light), 0);
  assert.ok((await differing(visit, light, dark)) > 0.5);
  const other = fs.readFileSync(path.join(FIXTURES, 'crossing/expected/light.png'));
  assert.ok((await differing(visit, light, other)) > SHARE, 'another trace is another picture');
  await visit.close();
});
