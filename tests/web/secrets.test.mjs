// Secrets of a trace: reported by name, and nowhere shown, exported or stored.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';
import zlib from 'node:zlib';

import {members, pick} from './lib/event.mjs';
import {generated, written} from './lib/program.mjs';
import {serve} from './lib/server.mjs';
import {PATH, site} from './lib/site.mjs';
import {zipped} from './lib/zip.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const fixture = path.join(import.meta.dirname, '../fixtures/kineto/secrets/input.json');
const text = fs.readFileSync(fixture, 'utf8');
const SECRET = /made[- ]up[- ]value/;
const trace = generated('secrets/files/trace.json.gz', '--seed', '51');
const here = site({[`${PATH}files/`]: path.dirname(trace)});

/** Another origin. @type {Awaited<ReturnType<typeof serve>>} */
let elsewhere;
before(async () => {
  elsewhere = await serve({'/': path.dirname(trace)});
});
after(() => elsewhere.close());

/** Everything that the page shows and stores. @param {Visit} visit */
async function kept(visit) {
  const shown = await visit.page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const open = (/** @type {string} */ name) =>
      new Promise((resolve) => Object.assign(indexedDB.open(name), {onsuccess: (/** @type {any} */ event) => resolve(event.target.result)}));
    const all = [];
    for (const {name = ''} of databases) {
      const database = await open(name);
      for (const store of database.objectStoreNames)
        all.push(
          await new Promise(
            (resolve) => (database.transaction(store).objectStore(store).getAll().onsuccess = (/** @type {any} */ event) => resolve(event.target.result)),
          ),
        );
      database.close();
    }
    return JSON.stringify([document.documentElement.outerHTML, document.title, location.href, history.state, {...localStorage}, {...sessionStorage}, all]);
  });
  return shown;
}

/** Asks for a report with the trace in it. @param {Visit} visit */
async function reportWithTrace(visit) {
  await visit.part('export').click();
  await visit.part('report.menu').click();
  await visit.part('report-what').selectOption('trace');
}

test('an event shows its secrets masked, and data quality their names', async () => {
  const visit = await here.visit();
  await visit.open(fixture);
  const warning = visit.page.locator('.warning[data-code="secrets"]');
  assert.match((await warning.textContent()) ?? '', /HF_TOKEN.*password/s);
  await pick(visit, 'aten::embedding');
  const args = await members(visit, 'event-args-list');
  assert.deepEqual(args, {'External id': '3', password: '*'.repeat('made-up-value'.length)});
  assert.doesNotMatch(await kept(visit), SECRET);
  await visit.close();
});

test('secrets that stand only in an argument of an event are told, too', async () => {
  const visit = await here.visit();
  const event = '{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"db password": "made-up-value"}}';
  await visit.open(written('secrets/only.json', `{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [${event}]}`));
  assert.match((await visit.page.locator('.warning[data-code="secrets"]').textContent()) ?? '', /db password/);
  await visit.close();
});

test('a report that carries the trace, and exports, hold no secret', async () => {
  const visit = await here.visit();
  await visit.open(fixture);
  await reportWithTrace(visit);
  await visit.page.locator('[data-test="report-save"]:enabled').waitFor();
  const html = (await visit.saved(() => visit.part('report-save').click())).bytes.toString();
  assert.doesNotMatch(html, SECRET);
  const carried = [...html.matchAll(/data-stepscope-file=[^>]*>([^<]*)</g)].map(([, piece]) => zlib.gunzipSync(Buffer.from(piece, 'base64')).toString());
  assert.equal(carried.length, 1);
  assert.equal(carried[0].length, text.length);
  assert.match(carried[0], /HF_TOKEN/);
  assert.doesNotMatch(carried[0], SECRET);
  for (const kind of /** @type {const} */ (['perfetto', 'json'])) {
    const {bytes} = await visit.export(kind);
    assert.doesNotMatch((bytes[0] === 0x1f ? zlib.gunzipSync(bytes) : bytes).toString('latin1'), SECRET, kind);
  }
  await visit.close();
});

test('an archive with secrets is refused for a report, by their names', async () => {
  const visit = await here.visit();
  await visit.open(written('secrets/packed.zip', zipped([['rank0.pt.trace.json', text]])));
  await visit.page.locator('.warning[data-code="secrets"]').first().waitFor({state: 'attached'});
  await reportWithTrace(visit);
  const problem = await visit.problem();
  assert.match(problem, /contains secrets \(.*HF_TOKEN.*`?stepscope redact`?/s);
  assert.doesNotMatch(await kept(visit), SECRET);
  await visit.close();
});

test('user and password of a link are neither shown nor kept', async () => {
  const own = here.origin.replace('://', '://me:made-up-value@');
  const visit = await here.visit({query: `?trace=${encodeURIComponent(`${own}${PATH}files/trace.json.gz`)}&memory=400#tab=kernels`});
  await visit.results();
  assert.match(await visit.page.title(), /^trace\.json\.gz/);
  const address = new URL(visit.page.url());
  assert.equal(address.searchParams.get('trace'), `${here.origin}${PATH}files/trace.json.gz`);
  assert.equal(address.searchParams.get('memory'), '400', 'the rest of the address stays');
  await visit.tab('steps');
  assert.doesNotMatch(await kept(visit), SECRET);
  const {bytes} = await visit.export('json');
  assert.doesNotMatch(bytes.toString(), SECRET);
  await visit.page.reload();
  await visit.results();
  assert.doesNotMatch(await kept(visit), SECRET);
  await visit.close();
  const host = elsewhere.origin.replace(/^.*:\/\//, '');
  for (const start of ['http://', 'http:', 'http:\\\\', '//', '  https://']) {
    const foreign = await here.visit({query: `?trace=${encodeURIComponent(`${start}me:made-up-value@${host}/trace.json.gz`)}`});
    await foreign.problem();
    assert.doesNotMatch(await kept(foreign), SECRET, start);
    await foreign.close();
  }
});
