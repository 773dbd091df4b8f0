// While files are read: progress, cancelling, another file in between, workers that die.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import {test} from 'node:test';

import {generated, stepscope} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const small = generated('loading/small.json', '--seed', '5');
const other = generated('loading/other.json', '--seed', '6');
const big = generated('loading/big.json', '--bytes', '200000000');

/** Uses up all memory that WebAssembly may have: what a session needs next, it will not get. @param {import('./lib/site.mjs').Visit} visit */
async function exhaustMemory(visit) {
  const worker = await visit.worker('./worker.js');
  const script = await visit.page.locator('script[src]').evaluate((one) => /** @type {HTMLScriptElement} */ (one).src);
  await worker.evaluate(async (module) => {
    const {memory, __wbindgen_malloc: allocate} = await (await import(module)).default();
    for (let size = 1 << 28; size >= 64; ) {
      try {
        memory.grow(size >> 16 || 1);
      } catch {
        size >>= 1;
      }
    }
    for (let size = 1 << 28; size >= 16; ) {
      try {
        if (!allocate(size, 8)) throw new Error('no memory');
      } catch {
        size >>= 1;
      }
    }
  }, new URL('../stepscope.js', script).href);
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
  await numbers.getByText(/[1-9].* of 1[89]\d MiB · .* events, of them .* kernels/).waitFor();
  assert.match(await visit.page.title(), /big\.json/);
  await visit.results();
  const {values, longest} = await visit.page.evaluate(() => {
    const {values, longest} = /** @type {any} */ (window);
    return {values: /** @type {number[]} */ (values), longest: Number(longest)};
  });
  const distinct = new Set(values);
  assert.ok(distinct.size >= 5, `progress showed ${distinct.size} values`);
  assert.ok(values.every((value, index) => index === 0 || value >= values[index - 1]), 'progress goes forward only');
  // All work is done in workers; only a generous bound keeps a busy machine from failing this.
  assert.ok(longest < 1000, `the page was stuck for ${longest} ms`);
  const {bytes} = await visit.export('json');
  assert.ok(stepscope('summary', '--json', big).equals(Buffer.concat([bytes, Buffer.from('\n')])));
  await visit.close();
});

test('a load can be cancelled, and the next one works', async () => {
  const visit = await here.visit();
  for (let round = 0; round < 2; round++) {
    await visit.drop(big);
    await visit.page.locator('.loading-numbers').getByText(/events/).waitFor();
    await visit.part('cancel').click();
    await visit.part('choose').waitFor();
    assert.equal(await visit.part('problem').count(), 0, 'cancelling is no problem');
  }
  await visit.open(small);
  assert.match(await visit.text('results'), /small\.json/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('of two loads the later one is shown, whole and alone', async () => {
  const alone = await here.visit();
  await alone.open(small);
  const expected = (await alone.export('json')).bytes;
  await alone.close();
  const visit = await here.visit();
  await visit.drop(big);
  await visit.page.locator('.loading-numbers').getByText(/ of 1[89]\d MiB/).waitFor();
  await visit.hand(['other.json', fs.readFileSync(other, 'utf8')], ['small.json', fs.readFileSync(small, 'utf8')]);
  await visit.results();
  assert.match(await visit.text('results'), /small\.json/);
  assert.deepEqual((await visit.export('json')).bytes, expected);
  assert.equal(await visit.part('problem').count(), 0);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a session that runs out of memory says so, and the next file opens', async () => {
  const visit = await here.visit();
  await visit.open(small);
  await exhaustMemory(visit);
  await visit.drop(big);
  assert.match(await visit.problem(), /ran out of memory or failed/);
  assert.equal(await visit.part('problem').getAttribute('data-code'), 'crashed');
  await visit.open(other);
  assert.equal(await visit.part('problem').count(), 0);
  assert.match(await visit.text('results'), /other\.json/);
  await visit.close();
});

test('a session that fails while it analyses says so, and the next file opens', async () => {
  const visit = await here.visit();
  await visit.open(small);
  await exhaustMemory(visit);
  await visit.part('step').selectOption({index: 1});
  assert.match(await visit.problem(), /ran out of memory or failed/);
  await visit.open(other);
  assert.match(await visit.text('results'), /other\.json/);
  await visit.close();
});

test('a worker that dies with an error is started again', async () => {
  const visit = await here.visit();
  await visit.drop(big);
  await visit.page.locator('.loading-numbers').getByText(/events/).waitFor();
  const worker = await visit.worker('./worker.js');
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('made to fail');
    });
  });
  assert.match(await visit.problem(), /ran out of memory or failed.*made to fail/s);
  await visit.open(small);
  assert.match(await visit.text('results'), /small\.json/);
  await visit.close();
});

test('the worker that reads dies: the load fails with a message, the next one works', async () => {
  const visit = await here.visit();
  await visit.drop(big);
  await visit.page.locator('.loading-numbers').getByText(/events/).waitFor();
  const worker = await visit.worker('./source.js');
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('made to fail');
    });
  });
  assert.match(await visit.problem(), /big\.json.*made to fail/s);
  await visit.open(small);
  await visit.close();
});

test('a file that was changed since it was chosen cannot be read: told in words', async () => {
  const passing = generated('loading/passing.json', '--seed', '9');
  const visit = await here.visit();
  await visit.page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any[]} */ ...args) {
      Worker.prototype.postMessage = post;
      /** @type {any} */ (window).goOn = () => post.apply(this, /** @type {any} */ (args));
    };
  });
  await visit.choose(passing);
  await visit.page.waitForFunction(() => 'goOn' in window);
  fs.appendFileSync(passing, ' '.repeat(1000));
  await visit.page.evaluate(() => /** @type {any} */ (window).goOn());
  assert.match(await visit.problem(), /passing\.json.*changed or moved/s);
  await visit.open(small);
  await visit.close();
});
