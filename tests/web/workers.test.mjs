// Several workers read many ranks: the output has the same bytes as with one; they end when the ranks are read.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {generated, scratch, stepscope, thorough} from './lib/program.mjs';
import {site} from './lib/site.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();

/** Nine ranks: one is cut off, one holds no event, one is no trace. */
function troubled() {
  const folder = generated('workers/troubled', '--job', '3x3x1', '--seed', '11', '--steps', '4');
  const cut = path.join(folder, 'rank4.json');
  fs.truncateSync(cut, Math.floor(fs.statSync(cut).size * 0.6));
  fs.writeFileSync(path.join(folder, 'rank6.json'), '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": []}');
  fs.writeFileSync(path.join(folder, 'rank9.json.gz'), Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
  return folder;
}

/** Ranks of which a part can be read. */
const long = [0, 1, 2, 3].map((rank) =>
  generated(`workers/long/rank${rank}.json`, '--bytes', '30000000', '--seed', String(50 + rank), '--rank', String(rank), '--world', '4'),
);
const small = generated('workers/small.json', '--seed', '5');

const ALONE = ['loaders/reader.js', 'session/worker.js'];

/** The page's results for a folder. @param {string} folder @param {string} query */
async function told(folder, query) {
  const visit = await here.visit({query});
  await visit.drop(folder);
  await visit.results();
  await visit.hasWorkers(...ALONE);
  const problems = await visit.part('problem').allInnerTexts();
  const ranks = await visit.part('rank').locator('option').allInnerTexts();
  await visit.tab('ranks');
  await visit.part('ranks-facts').waitFor();
  const held = await visit.text('ranks-memory');
  await visit.part('files').click();
  await visit.part('files-rank').first().waitFor();
  const files = await visit.page.locator('dialog[open]').innerText();
  await visit.page.keyboard.press('Escape');
  const {bytes} = await visit.export('json');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
  return {problems, ranks, held, files, json: bytes.toString()};
}

test('the same bytes whatever the number of workers, with damaged and unreadable files, and little memory', thorough, async () => {
  const folder = troubled();
  const printed = stepscope('summary', '--json', folder)
    .toString()
    .replaceAll(`${path.dirname(folder)}/`, '');
  for (const memory of [0.15, 512]) {
    const alone = await told(folder, `?memory=${memory}&workers=1`);
    assert.ok(`${alone.json}\n` === printed, 'what the program prints');
    assert.equal(alone.ranks.length, 8);
    assert.match(alone.problems.join(), /rank6/);
    assert.match(alone.held, memory < 1 ? /^The traces of [1-7] of 8 ranks/ : /^The traces of all 8 ranks/);
    for (const workers of [2, 4, 20]) {
      const several = await told(folder, `?memory=${memory}&workers=${workers}`);
      for (const [key, of] of Object.entries(alone))
        assert.deepEqual(several[/** @type {keyof typeof several} */ (key)], of, `${key}, ${workers} workers, ${memory} MB`);
    }
  }
});

test('ranks in an archive, and in a packed one, are the same when several workers read them', async () => {
  const folder = generated('workers/packed', '--job', '2x2x1', '--seed', '12', '--steps', '3');
  const archive = scratch('workers/packed.tar');
  const {execFileSync} = await import('node:child_process');
  execFileSync('tar', ['-cf', archive, '-C', path.dirname(folder), path.basename(folder)]);
  for (const packed of [archive, `${archive}.gz`]) {
    if (packed.endsWith('.gz')) execFileSync('gzip', ['-kf', archive]);
    /** @type {Buffer | undefined} */
    let expected;
    for (const workers of [1, 3]) {
      const visit = await here.visit({query: `?workers=${workers}`});
      await visit.open(packed);
      await visit.hasWorkers(...ALONE);
      const {bytes} = await visit.export('json');
      expected ??= bytes;
      assert.ok(bytes.equals(expected), `${packed}, ${workers} workers`);
      await visit.close();
    }
  }
});

/** Has two workers begin to read the long ranks; they continue when the gate opens. @param {Visit} visit */
async function begin(visit) {
  here.gate.close();
  await visit.drop(...long);
  await visit.until('two files are being read', () => here.gate.held === 2);
  await visit.hasWorkers('loaders/reader.js', 'session/worker.js', 'loaders/loader.js', 'loaders/loader.js', 'loaders/reader.js', 'loaders/reader.js');
}

test('what several workers read can be cancelled; none is left', async () => {
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
  here.gate.open();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a worker that dies while it helps: what was shown comes back, and the next files open', async () => {
  const visit = await here.visit({query: '?workers=2'});
  await visit.open(small);
  await begin(visit);
  await visit.kill('loaders/loader.js', 1);
  here.gate.open();
  assert.match(await visit.problem(), /ran out of memory or failed.*made to fail/s);
  await visit.results();
  assert.match(await visit.text('file'), /small\.json/);
  await visit.hasWorkers(...ALONE);
  await visit.open(...long);
  assert.equal(await visit.part('rank').locator('option').count(), 4);
  assert.equal(await visit.part('problem').count(), 0);
  await visit.close();
});

test('a worker that reads for a loader dies: that file is told of, the other ranks are there', async () => {
  const visit = await here.visit({query: '?workers=2'});
  await begin(visit);
  // The first is the session's own.
  await visit.kill('loaders/reader.js', 1);
  here.gate.open();
  await visit.results();
  assert.match(await visit.problem(), /rank\d\.json.*made to fail/s);
  assert.equal(await visit.part('rank').locator('option').count(), 3);
  await visit.hasWorkers(...ALONE);
  await visit.close();
});

test('ranks that were read by several workers are grouped anew by them', async () => {
  const files = [0, 1, 2].map((rank) => generated(`workers/regrouped${rank}.json`, '--seed', String(60 + rank), '--rank', String(rank)));
  /** @type {Buffer | undefined} */
  let expected;
  for (const workers of [1, 2]) {
    const visit = await here.visit({query: `?workers=${workers}`});
    await visit.open(...files);
    await visit.part('files').click();
    await visit.part('files-rank').nth(1).fill('7');
    await visit.part('files-apply').click();
    // The earlier results are shown until then.
    await visit.part('rank').locator('option', {hasText: '7'}).waitFor({state: 'attached'});
    await visit.results();
    const {bytes} = await visit.export('json');
    expected ??= bytes;
    assert.ok(bytes.equals(expected), `${workers} workers`);
    await visit.close();
  }
});
