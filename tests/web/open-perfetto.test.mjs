// Opening in Perfetto: a page that speaks its messages gets the export, after a warning that the trace leaves the tab.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, test} from 'node:test';

import {generated, scratch} from './lib/program.mjs';
import {serve} from './lib/server.mjs';
import {site} from './lib/site.mjs';

const here = site();
const ranks = [0, 1].map((rank) => generated(`perfetto/rank${rank}.json`, '--seed', String(70 + rank), '--rank', String(rank), '--world', '2'));

/** A stand-in for Perfetto: it begins to listen late, and stores the trace it gets and the sender's origin. */
const STAND_IN = `<!doctype html><title>Stand-in</title><script>
  window.asked = 0;
  setTimeout(() => window.addEventListener('message', ({data, source, origin}) => {
    if (source !== window.opener) return;
    if (data === 'PING') {
      window.asked++;
      source.postMessage('PONG', '*');
    } else if (data.perfetto) {
      window.given = {...data.perfetto, origin, keys: Object.keys(data.perfetto).sort()};
    }
  }), 600);
</script>`;

/** A page that never answers. */
const MUTE = '<!doctype html><title>Mute</title>';

/** @type {Awaited<ReturnType<typeof serve>>} */
let elsewhere;
before(async () => {
  fs.writeFileSync(scratch('perfetto/stand-in.html'), STAND_IN);
  const mute = scratch('perfetto/mute.html');
  fs.writeFileSync(mute, MUTE);
  elsewhere = await serve({'/': path.dirname(mute)});
});
after(() => elsewhere?.close());

/** @typedef {import('./lib/site.mjs').Visit} Visit */

/** Opens the dialog and types an address. @param {Visit} visit @param {string} address */
async function ask(visit, address) {
  await visit.part('export').click();
  await visit.part('perfetto.menu').click();
  await visit.part('perfetto-address').fill(address);
}

/** Hands over and returns the tab that opened. @param {Visit} visit */
async function handed(visit) {
  const [page] = await Promise.all([visit.page.context().waitForEvent('page'), visit.part('perfetto-open').click()]);
  return page;
}

/** Content that the stand-in received. @param {import('playwright-core').Page} page */
async function given(page) {
  await page.waitForFunction(() => 'given' in window);
  const {buffer, ...rest} = await page.evaluate(() => {
    const found = /** @type {any} */ (window).given;
    return {...found, buffer: Array.from(new Uint8Array(found.buffer))};
  });
  return {...rest, bytes: Buffer.from(buffer)};
}

test('what is exported is handed over, after a notice, and only then', async () => {
  const visit = await here.visit();
  await visit.open(...ranks);
  const all = await visit.export('perfetto.all');
  const one = await visit.export('summary');
  await visit.part('export').click();
  await visit.part('perfetto.menu').click();
  assert.match(await visit.part('perfetto').innerText(), /leaves this tab/);
  assert.equal(await visit.part('perfetto-address').inputValue(), 'https://ui.perfetto.dev/');
  await visit.part('perfetto-cancel').click();
  assert.equal(visit.page.context().pages().length, 1);
  for (const [key, {name, bytes}] of /** @type {const} */ ([
    ['export.perfetto.all', all],
    ['export.summary', one],
  ])) {
    await ask(visit, `${elsewhere.origin}/stand-in.html`);
    await visit.part('perfetto-what').selectOption(key);
    const page = await handed(visit);
    const found = await given(page);
    assert.deepEqual({...found, bytes: undefined}, {title: name, fileName: name, origin: here.origin, keys: ['buffer', 'fileName', 'title'], bytes: undefined});
    assert.ok(found.bytes.equals(bytes), key);
    await visit.part('perfetto').waitFor({state: 'detached'});
    // It stops asking.
    const asked = await page.evaluate(() => /** @type {any} */ (window).asked);
    await page.waitForTimeout(400);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).asked), asked);
    await page.close();
  }
  // The address is kept.
  await visit.part('export').click();
  await visit.part('perfetto.menu').click();
  assert.equal(await visit.part('perfetto-address').inputValue(), `${elsewhere.origin}/stand-in.html`);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a page that does not answer, a tab that is closed or blocked, an address that is none', async () => {
  const visit = await here.visit();
  await visit.open(ranks[0]);
  const status = visit.part('perfetto-status');
  await ask(visit, 'javascript:alert(1)');
  await visit.part('perfetto-open').click();
  await status.getByText('not the URL of a page').waitFor();
  assert.equal(visit.page.context().pages().length, 1);
  await visit.part('perfetto-address').fill(`${elsewhere.origin}/mute.html`);
  const page = await handed(visit);
  await status.getByText('does not answer').waitFor();
  await page.close();
  await status.getByText('was closed').waitFor();
  await visit.page.evaluate(() => (window.open = () => null));
  await visit.part('perfetto-open').click();
  await status.getByText('blocked').waitFor();
  await visit.part('perfetto-cancel').click();
  await visit.part('perfetto').waitFor({state: 'detached'});
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('nobody else can answer in its place', async () => {
  const visit = await here.visit();
  await visit.open(ranks[0]);
  await ask(visit, `${elsewhere.origin}/mute.html`);
  const page = await handed(visit);
  await visit.part('perfetto-status').getByText('Waiting').waitFor();
  await visit.page.evaluate(() => window.postMessage('PONG', '*'));
  await page.waitForTimeout(500);
  assert.ok(await visit.part('perfetto').isVisible(), 'it still waits');
  // Canceling closes the tab that was opened.
  const closed = page.waitForEvent('close');
  await visit.part('perfetto-cancel').click();
  await closed;
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
