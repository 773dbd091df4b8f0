// Several workers read pieces of one file: the output has the same bytes as with one; they end when it is read.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {generated, scratch, stepscope, thorough} from './lib/program.mjs';
import {site} from './lib/site.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();

const long = generated('pieces/long.json', '--bytes', '60000000', '--seed', '71');
const small = generated('pieces/small.json', '--seed', '5');

const ALONE = ['loaders/reader.js', 'session/worker.js'];
const SEVERAL = [...ALONE, 'loaders/loader.js', 'loaders/loader.js', 'loaders/reader.js', 'loaders/reader.js'];

/** Part of the long trace with an event that is broken, one that is none, and no end. */
function damaged() {
  const text = fs.readFileSync(long).subarray(0, 12_000_000);
  const put = (/** @type {string} */ before, /** @type {number} */ from, /** @type {string} */ damage) => {
    const at = text.indexOf(before, from);
    assert.ok(at > 0);
    text.write(damage, at + before.length);
  };
  put('"name": "', 2_000_000, 'a "b" c');
  put('"name": "', 5_000_000, '\u0001');
  put('"args": {', 7_000_000, '17, {');
  const file = scratch('pieces/damaged.json');
  fs.writeFileSync(file, text);
  return file;
}

/** The page's results for a file, and the number of loaders it started. @param {string} file @param {number} workers */
async function told(file, workers) {
  const visit = await here.visit({query: `?workers=${workers}`});
  let loaders = 0;
  visit.page.on('worker', async (worker) => {
    if ((await worker.evaluate(() => self.name).catch(() => '')) === 'loaders/loader.js') loaders++;
  });
  await visit.open(file);
  await visit.hasWorkers(...ALONE);
  const {bytes} = await visit.export('json');
  const problems = await visit.part('problem').allInnerTexts();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
  return {json: bytes.toString(), problems, loaders};
}

test('the same bytes whatever the number of workers, of a damaged file too', thorough, async () => {
  for (const file of [long, damaged()]) {
    const printed = stepscope('summary', '--json', file)
      .toString()
      .replaceAll(`${path.dirname(file)}/`, '');
    for (const workers of [1, 2, 3, 4]) {
      const {json, problems, loaders} = await told(file, workers);
      assert.ok(`${json}\n` === printed, `${path.basename(file)}, ${workers} workers: what the program prints`);
      assert.deepEqual(problems, []);
      assert.equal(loaders, workers === 1 ? 0 : workers);
    }
  }
});

/** Has two workers begin to read the long file; they continue when the gate opens. @param {Visit} visit */
async function begin(visit) {
  // The session's own reader passes the gate. It would wait there, too, where it reads the text after several pieces.
  await visit.hasWorkers(...ALONE);
  await visit.workersAreUp();
  here.gate.close();
  await visit.drop(long);
  await visit.until('two workers read pieces', () => here.gate.held === 2);
  await visit.hasWorkers(...SEVERAL);
  // That one is started anew where it was reading when that is given up.
  here.gate.letOthersPass();
}

test('what several workers read of a file can be cancelled; none is left', async () => {
  const visit = await here.visit({query: '?workers=2'});
  await begin(visit);
  await visit.part('cancel').click();
  await visit.part('choose').waitFor();
  await visit.hasWorkers(...ALONE);
  assert.equal(await visit.part('problem').count(), 0, 'cancelling is no problem');
  // Another load in between is the same.
  await begin(visit);
  await visit.hand(['small.json', fs.readFileSync(small, 'utf8')]);
  await visit.results();
  assert.match(await visit.text('file'), /small\.json/);
  await visit.hasWorkers(...ALONE);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a worker that dies while it reads a piece: what was shown comes back, and the next file opens', async () => {
  const visit = await here.visit({query: '?workers=2'});
  await visit.open(small);
  await begin(visit);
  await visit.kill('loaders/loader.js', 1);
  here.gate.open();
  assert.match(await visit.problem(), /ran out of memory or failed.*made to fail/s);
  await visit.results();
  assert.match(await visit.text('file'), /small\.json/);
  await visit.hasWorkers(...ALONE);
  await visit.open(long);
  assert.equal(await visit.part('problem').count(), 0);
  await visit.close();
});

test('a worker that reads for a loader dies: the session reads that piece by itself', async () => {
  const expected = await told(long, 1);
  const visit = await here.visit({query: '?workers=2'});
  await begin(visit);
  // The first is the session's own.
  await visit.kill('loaders/reader.js', 1);
  here.gate.open();
  await visit.results();
  await visit.hasWorkers(...ALONE);
  const {bytes} = await visit.export('json');
  assert.ok(bytes.toString() === expected.json);
  assert.equal(await visit.part('problem').count(), 0);
  await visit.close();
});
