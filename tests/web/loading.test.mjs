// While files are read: progress, cancelling, another file in between, workers that die.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import zlib from 'node:zlib';

import {resident} from './lib/browser.mjs';
import {generated, stepscope, thorough, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {zipped} from './lib/zip.mjs';

const here = site();
const small = generated('loading/small.json', '--seed', '5');
const other = generated('loading/other.json', '--seed', '6');
const big = generated('loading/big.json', '--bytes', '200000000');

/** Uses up all memory that WebAssembly may have: the session's next allocation fails. @param {import('./lib/site.mjs').Visit} visit */
async function exhaustMemory(visit) {
  const worker = await visit.worker('session/worker.js');
  const script = await visit.page.locator('script[src]').evaluate((one) => /** @type {HTMLScriptElement} */ (one).src);
  await worker.evaluate(async (module) => {
    const {default: ready, Session} = await import(module);
    const exported = await ready();
    const {memory} = exported;
    // The allocator's name may be minified; it is the first `wasm` function passed to passStringToWasm0.
    const [, name = ''] = (await (await fetch(module)).text()).match(/passStringToWasm0\(\w+, wasm\.(\w+), /) ?? [];
    const allocate = exported[name];
    if (typeof allocate !== 'function') throw new Error(`nothing allocates: ${name}`);
    // Preparing the timeline ahead of time would fail before the tested operation.
    Session.prototype.timeline_prepare = () => false;
    for (let size = 1 << 28; size >= 64;) {
      try {
        memory.grow(size >> 16 || 1);
      } catch {
        size >>= 1;
      }
    }
    for (let size = 1 << 28; size >= 16;) {
      try {
        if (!allocate(size, 8)) throw new Error('no memory');
      } catch {
        size >>= 1;
      }
    }
  }, new URL('../../stepscope.js', script).href);
}

test('progress moves, the page reacts meanwhile, and the result is that of the program', async () => {
  const visit = await here.visit();
  await visit.page.evaluate(() => {
    const seen = /** @type {any} */ (window);
    [seen.values, seen.longest] = [[], 0];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.longest = Math.max(seen.longest, entry.duration);
    }).observe({type: 'longtask'});
    new MutationObserver(() => {
      const bar = /** @type {HTMLProgressElement | null} */ (document.querySelector('.loading progress'));
      if (bar?.hasAttribute('value')) seen.values.push(bar.value);
    }).observe(document.body, {subtree: true, childList: true, attributes: true});
  });
  await visit.drop(big);
  const numbers = visit.page.locator('.loading-numbers');
  await numbers.getByText(/[1-9].* of 1[89]\d MiB · .* events, kernels and copies: \d/).waitFor();
  assert.match(await visit.page.title(), /big\.json/);
  await visit.results();
  const {values, longest} = await visit.page.evaluate(() => {
    const {values, longest} = /** @type {any} */ (window);
    return {values: /** @type {number[]} */ (values), longest: Number(longest)};
  });
  const distinct = new Set(values);
  assert.ok(distinct.size >= 5, `progress showed ${distinct.size} values`);
  assert.ok(
    values.every((value, index) => index === 0 || value >= values[index - 1]),
    'progress goes forward only',
  );
  // All work is done in workers; only a generous bound keeps a busy machine from failing this.
  assert.ok(longest < 1000, `the page was stuck for ${longest} ms`);
  const {bytes} = await visit.export('json');
  assert.ok(stepscope('summary', '--json', big).equals(Buffer.concat([bytes, Buffer.from('\n')])));
  await visit.close();
});

test('a load can be cancelled, and the next one works', async () => {
  here.gate.close();
  const visit = await here.visit();
  for (let round = 0; round < 2; round++) {
    await visit.drop(big);
    await visit.page
      .locator('.loading-numbers')
      .getByText(/events/)
      .waitFor();
    await visit.part('cancel').click();
    await visit.part('choose').waitFor();
    assert.equal(await visit.part('problem').count(), 0, 'cancelling is no problem');
  }
  here.gate.open();
  await visit.open(small);
  assert.match(await visit.text('file'), /small\.json/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a load shows which part of it goes on, how fast it is and how long the rest takes', async () => {
  here.gate.narrow();
  const visit = await here.visit();
  await visit.drop(big);
  await visit
    .part('loading-pace')
    .getByText(/^\d.* MiB\/s · about \d+ s left to read$/)
    .waitFor();
  const current = visit.page.locator('.loading-stages [aria-current="step"]');
  assert.deepEqual(await current.allInnerTexts(), ['Read events']);
  assert.deepEqual(await visit.page.locator('.loading-stages .done').allInnerTexts(), ['Find the format']);
  assert.match(await visit.text('loading-what'), /Nothing is uploaded/);
  await visit.part('cancel').click();
  await visit.part('choose').waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('of two loads the later one is shown, whole and alone', async () => {
  const alone = await here.visit();
  await alone.open(small);
  const expected = (await alone.export('json')).bytes;
  await alone.close();
  here.gate.close();
  const visit = await here.visit();
  await visit.drop(big);
  await visit.page
    .locator('.loading-numbers')
    .getByText(/ of 1[89]\d MiB/)
    .waitFor();
  await visit.hand(['other.json', fs.readFileSync(other, 'utf8')], ['small.json', fs.readFileSync(small, 'utf8')]);
  here.gate.open();
  await visit.results();
  assert.match(await visit.text('file'), /small\.json/);
  assert.deepEqual((await visit.export('json')).bytes, expected);
  assert.equal(await visit.part('problem').count(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a session that runs out of memory says so, what was shown comes back, and the next file opens', async () => {
  const visit = await here.visit();
  await visit.open(small);
  await exhaustMemory(visit);
  await visit.drop(big);
  assert.match(await visit.problem(), /ran out of memory or failed.*opened again/);
  assert.equal(await visit.part('problem').getAttribute('data-code'), 'opened_again');
  await visit.results();
  assert.match(await visit.text('file'), /small\.json/);
  await visit.open(other);
  assert.equal(await visit.part('problem').count(), 0);
  assert.match(await visit.text('file'), /other\.json/);
  await visit.close();
});

test('a session that fails while it analyses says so, what was wanted of it comes, and the next file opens', async () => {
  const visit = await here.visit();
  await visit.open(small);
  await exhaustMemory(visit);
  await visit.part('step').selectOption({index: 1});
  assert.match(await visit.problem(), /ran out of memory or failed/);
  await visit.results();
  assert.equal(await visit.part('step').evaluate((one) => /** @type {HTMLSelectElement} */ (one).selectedIndex), 1);
  await visit.open(other);
  assert.match(await visit.text('file'), /other\.json/);
  await visit.close();
});

test('a worker that dies with an error is started again', async () => {
  here.gate.close();
  const visit = await here.visit();
  await visit.drop(big);
  await visit.page
    .locator('.loading-numbers')
    .getByText(/events/)
    .waitFor();
  await visit.kill('session/worker.js');
  here.gate.open();
  assert.match(await visit.problem(), /ran out of memory or failed.*gone.*made to fail/s);
  await visit.open(small);
  assert.match(await visit.text('file'), /small\.json/);
  await visit.close();
});

test('a panic of the analyzer itself is a crash like any other, and its words are in the console', async () => {
  const visit = await here.visit();
  await visit.open(small);
  const worker = await visit.worker('session/worker.js');
  const script = await visit.page.locator('script[src]').evaluate((one) => /** @type {HTMLScriptElement} */ (one).src);
  // More columns than fit into memory: no screen has them.
  await worker.evaluate(async (module) => {
    const {Search} = await import(module);
    const {columns} = Search.prototype;
    Search.prototype.columns = function (/** @type {any} */ session, /** @type {number} */ end) {
      return columns.call(this, session, end, 0xffffffff);
    };
  }, new URL('../../stepscope.js', script).href);
  await visit.tab('timeline');
  await visit.part('find').fill('gemm');
  assert.match(await visit.problem(), /ran out of memory or failed.*opened again/s);
  assert.ok(
    visit.complaints.some((said) => /panicked at .*capacity overflow/s.test(said)),
    visit.complaints.join('\n'),
  );
  await visit.page.waitForFunction(() => document.querySelector('[data-test="timeline"][data-frame]'));
  await visit.open(other);
  assert.match(await visit.text('file'), /other\.json/);
  await visit.close();
});

test('after a crash the view comes back: tab, rank, step, and the timeline on a new canvas', async () => {
  const ranks = [0, 1].map((rank) => generated(`loading/back${rank}.json`, '--seed', String(30 + rank), '--rank', String(rank)));
  const visit = await here.visit();
  await visit.open(...ranks);
  await visit.part('rank').selectOption('1');
  await visit.part('step').selectOption({index: 2});
  await visit.set('definition', 'hta');
  await visit.tab('timeline');
  const timeline = visit.part('timeline');
  await visit.page.waitForFunction(() => document.querySelector('[data-test="timeline"][data-frame]'));
  await visit.page.keyboard.press('w');
  await visit.page.keyboard.press('w');
  await visit.page.waitForFunction(() => /at=/.test(location.hash));
  // The page writes the view to the address once the view stays unchanged.
  await visit.page.waitForTimeout(500);
  const hash = await visit.page.evaluate(() => location.hash);
  const before = await timeline.elementHandle();
  const pictured = () => visit.part('timeline-canvas').screenshot();
  const picture = await pictured();
  await visit.kill('session/worker.js');
  assert.match(await visit.problem(), /ran out of memory or failed.*opened again.*made to fail/s);
  await visit.page.waitForFunction((old) => !old?.isConnected && document.querySelector('[data-test="timeline"][data-frame]'), before);
  assert.equal(await visit.page.evaluate(() => location.hash), hash);
  assert.match(hash, /tab=timeline.*rank=1.*step=/);
  assert.equal(await visit.part('rank').inputValue(), '1');
  assert.equal(await visit.part('definition').inputValue(), 'hta');
  assert.equal(await visit.page.locator('.timeline-canvas canvas').count(), 1);
  await visit.page.locator('[data-test="problem"] button').click();
  await visit.until('it looks as before', async () => picture.equals(await pictured()));
  // It still follows: a key draws another frame.
  const frame = Number(await timeline.getAttribute('data-frame'));
  await visit.page.keyboard.press('w');
  await visit.page.waitForFunction((frame) => Number(document.querySelector('[data-test="timeline"]')?.getAttribute('data-frame')) > frame, frame);
  await visit.hasWorkers('loaders/reader.js', 'session/worker.js');
  await visit.close();
});

test('a session that fails while nobody waits for it, or while it draws, says so and comes back', async () => {
  for (const method of ['timeline_prepare', 'timeline_paint']) {
    const visit = await here.visit();
    const worker = await visit.worker('session/worker.js');
    const script = await visit.page.locator('script[src]').evaluate((one) => /** @type {HTMLScriptElement} */ (one).src);
    await worker.evaluate(
      async ([module, method]) => {
        (await import(module)).Session.prototype[method] = () => {
          throw new WebAssembly.RuntimeError('made to fail');
        };
      },
      [new URL('../../stepscope.js', script).href, method],
    );
    await visit.open(small);
    if (method === 'timeline_paint') await visit.openTab('timeline');
    assert.match(await visit.problem(), /ran out of memory or failed.*opened again.*made to fail/s, method);
    await visit.openTab('timeline');
    await visit.page.waitForFunction(() => document.querySelector('[data-test="timeline"][data-frame]'));
    assert.equal(await visit.part('problem').count(), 1, method);
    await visit.close();
  }
});

test('what a person opens while what was lost is opened again comes instead', async () => {
  const visit = await here.visit();
  await visit.open(small);
  await visit.set('definition', 'hta');
  await visit.settled();
  await visit.page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any[]} */ ...args) {
      setTimeout(() => post.apply(this, /** @type {any} */ (args)), args[0].name === 'define' ? 500 : 0);
    };
  });
  await visit.kill('session/worker.js');
  await visit.page.locator('[data-test="problem"][data-code="opened_again"]').waitFor();
  await visit.drop(big);
  await visit.results();
  assert.match(await visit.text('file'), /big\.json/);
  assert.equal(await visit.part('problem').count(), 0);
  await visit.close();
});

test('what is opened again is opened once, and not if that is what crashes', async () => {
  const visit = await here.visit();
  await visit.open(small);
  await visit.kill('session/worker.js');
  await visit.page.locator('[data-test="problem"][data-code="opened_again"]').waitFor();
  await visit.results();
  await visit.kill('session/worker.js');
  await visit.page.locator('[data-test="problem"][data-code="crashed"]').waitFor();
  assert.equal(await visit.part('problem').count(), 1);
  await visit.part('choose').waitFor();
  // A trace that the user opened is reopened after a crash; here opening it crashes the worker.
  await visit.open(other);
  await visit.page.evaluate(() => {
    const seen = /** @type {any} */ (window);
    seen.opens = 0;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any[]} */ ...args) {
      if (args[0].name === 'open') {
        seen.opens++;
        setTimeout(() => this.dispatchEvent(new ErrorEvent('error', {message: 'made to fail again'})));
      } else post.apply(this, /** @type {any} */ (args));
    };
  });
  await visit.kill('session/worker.js');
  const gone = visit.page.locator('[data-test="problem"][data-code="crashed"]');
  await gone.waitFor();
  assert.match(await gone.innerText(), /made to fail again/);
  await visit.part('choose').waitFor();
  await visit.page.waitForTimeout(300);
  assert.equal(await visit.page.evaluate(() => /** @type {any} */ (window).opens), 1);
  await visit.close();
});

test('ranks that a person regrouped come back so', async () => {
  const files = [0, 1].map((rank) => generated(`loading/regrouped${rank}.json`, '--seed', String(40 + rank), '--rank', String(rank)));
  const visit = await here.visit();
  await visit.open(...files);
  await visit.part('files').click();
  await visit.part('files-rank').nth(1).fill('7');
  await visit.part('files-apply').click();
  await visit.results();
  const ranks = () => visit.part('rank').locator('option').allInnerTexts();
  const before = await ranks();
  assert.match(before.join(), /7/);
  await visit.kill('session/worker.js');
  await visit.problem();
  await visit.results();
  assert.deepEqual(await ranks(), before);
  await visit.close();
});

test('the worker that reads dies: the load fails with a message, the next one works', async () => {
  here.gate.close();
  const visit = await here.visit();
  await visit.drop(big);
  await visit.page
    .locator('.loading-numbers')
    .getByText(/events/)
    .waitFor();
  await visit.kill('loaders/reader.js');
  here.gate.open();
  assert.match(await visit.problem(), /big\.json.*made to fail/s);
  await visit.open(small);
  await visit.close();
});

// Chromium forgets streams and choosers of files that nothing but the browser itself still needs.
test('garbage that is collected all the time takes nothing that is still needed', async () => {
  const visit = await here.visit();
  await visit.hasWorkers('loaders/reader.js', 'session/worker.js');
  const collect = () => void setInterval(() => /** @type {any} */ (globalThis).gc(), 5);
  await visit.page.evaluate(collect);
  for (const name of /** @type {const} */ (['session/worker.js', 'loaders/reader.js'])) await (await visit.worker(name)).evaluate(collect);
  for (const file of [small, other, big]) {
    await visit.open(file);
    assert.equal(await visit.page.title(), `${path.basename(file)} – Stepscope`);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a hundred loads of all kinds in a row, some of them given up, take no more memory than a few', thorough, async () => {
  const ranks = [0, 1].map((rank) => generated(`loading/hundred${rank}.json`, '--seed', String(50 + rank), '--rank', String(rank), '--world', '2'));
  const database = path.join(import.meta.dirname, '../fixtures/nsys/schema_2023/input.sqlite');
  const kinds = [
    [small],
    [written('loading/packed.json.gz', zlib.gzipSync(fs.readFileSync(other)))],
    [database],
    ranks,
    [written('loading/archive.zip', zipped([['inside.json', fs.readFileSync(other)]]))],
  ];
  // Several workers read the ranks.
  const visit = await here.visit({query: '?workers=2'});
  const browser = visit.page.context().browser();
  assert.ok(browser);
  /** Memory of the session's wasm, the page's heap and all its processes. */
  const held = async () => {
    await visit.hasWorkers('loaders/reader.js', 'session/worker.js');
    const worker = await visit.worker('session/worker.js');
    const collect = () => /** @type {any} */ (globalThis).gc();
    await Promise.all([visit.page.evaluate(collect), worker.evaluate(collect)]);
    const heap = await visit.page.evaluate(() => /** @type {any} */ (performance).memory.usedJSHeapSize);
    const script = await visit.page.locator('script[src]').evaluate((one) => /** @type {HTMLScriptElement} */ (one).src);
    const wasm = await worker.evaluate(
      async (module) => (await (await import(module)).default()).memory.buffer.byteLength,
      new URL('../../stepscope.js', script).href,
    );
    return {heap, wasm, nodes: await visit.page.evaluate(() => document.getElementsByTagName('*').length), all: await resident(browser)};
  };
  const load = async (/** @type {number} */ number) => {
    const files = kinds[number % kinds.length];
    if (number % 4 === 3) {
      await visit.choose(big);
      // At one go: it may be read to its end between two of the test's own steps.
      await visit.page.waitForFunction(() => {
        const is = /events/.test(document.querySelector('.loading-numbers')?.textContent ?? '');
        if (is) /** @type {HTMLElement} */ (document.querySelector('[data-test="cancel"]')).click();
        return is;
      });
      await visit.part('drop-zone').or(visit.part('results')).first().waitFor();
    }
    await visit.open(...files);
    const name = path.basename(files[0]).replace('archive.zip', 'inside.json');
    await visit.page.waitForFunction((name) => document.title.includes(name), name);
  };
  // Loads each kind once, with canceled loads, so that everything made only once exists; the last load is the first kind.
  for (let number = 0; number <= 20; number++) await load(number);
  const before = await held();
  for (let number = 21; number <= 120; number++) await load(number);
  const after = await held();
  // Canceled loads have progressed more or less, and the timeline is prepared at varying times. So memory use varies a little.
  // A hundred times 42 KB would be too much.
  assert.ok(after.wasm <= before.wasm + (4 << 20), `the session's memory grew from ${before.wasm} to ${after.wasm}`);
  assert.equal(after.nodes, before.nodes);
  assert.ok(after.heap < before.heap * 1.25 + 2e6, `the page's heap grew from ${before.heap} to ${after.heap}`);
  assert.ok(after.all < before.all * 1.25 + (64 << 20), `the processes grew from ${before.all} to ${after.all}`);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
