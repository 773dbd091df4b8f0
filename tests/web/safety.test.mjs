// Nothing leaves the tab, and nothing of a trace is ever taken for markup.

import assert from 'node:assert/strict';
import path from 'node:path';
import {after, before, test} from 'node:test';

import {generated, written} from './lib/program.mjs';
import {serve} from './lib/server.mjs';
import {site} from './lib/site.mjs';

const trace = generated('safety/files/trace.json.gz', '--seed', '51');
const fine = '{"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]}';
const here = site({'/some/where/files/': path.dirname(trace), '/beside/': path.dirname(trace)});

/** Another origin, which would answer. @type {Awaited<ReturnType<typeof serve>>} */
let elsewhere;
before(async () => {
  elsewhere = await serve({'/': path.dirname(trace)});
});
after(() => elsewhere.close());

test("a whole session asks for nothing but the page's own files", async () => {
  const visit = await here.visit();
  await visit.part('demo').click();
  await visit.results();
  await visit.open(trace);
  for (const tab of ['steps', 'operators', 'kernels', 'copies', 'overview']) await visit.tab(tab);
  await visit.part('step').selectOption({index: 1});
  await visit.export('perfetto');
  await visit.export('json');
  const own = visit.requests.filter((url) => !url.startsWith('blob:') && !url.startsWith('data:'));
  assert.ok(own.length > 10);
  assert.deepEqual(
    own.filter((url) => !url.startsWith(visit.address)),
    [],
  );
  assert.deepEqual(visit.failures, [], 'no file is missing, the icon included');
  assert.ok(own.some((url) => url.endsWith('icon.svg')));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('names from a trace stay text everywhere', async () => {
  const evil = '<img src=x onerror="window.taken = true"><b>bold</b>';
  const name = JSON.stringify(evil);
  const events = [
    `{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "ts": 0, "args": {"name": ${name}}}`,
    `{"ph": "X", "cat": "user_annotation", "name": ${JSON.stringify(`ProfilerStep#1${evil}`)}, "pid": 1, "tid": 1, "ts": 0, "dur": 90}`,
    `{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#2", "pid": 1, "tid": 1, "ts": 100, "dur": 90}`,
    `{"ph": "X", "cat": "cpu_op", "name": ${name}, "pid": 1, "tid": 1, "ts": 10, "dur": 50, "args": {"External id": 1, "Input Dims": [[${name}]], "Input type": [${name}]}}`,
    `{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 5, "args": {"correlation": 7}}`,
    `{"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 26, "dur": 2, "args": {"correlation": 9}}`,
    `{"ph": "X", "cat": "kernel", "name": ${name}, "pid": 0, "tid": 7, "ts": 30, "dur": 40, "args": {"correlation": 7, "device": 0, "stream": 7}}`,
    `{"ph": "X", "cat": "kernel", "name": ${name}, "pid": 0, "tid": 7, "ts": 75, "dur": 4, "args": {"correlation": 8, "device": 0, "stream": 7}}`,
    `{"ph": "X", "cat": "gpu_memcpy", "name": ${name}, "pid": 0, "tid": 7, "ts": 80, "dur": 4, "args": {"correlation": 9, "device": 0, "stream": 7, "bytes": 5}}`,
    `{"ph": "X", "cat": "cpu_op", "name": ${name}, "pid": 1, "tid": 1, "ts": ${name}, "dur": 50}`,
  ];
  const properties = `[{"id": 0, "name": ${name}, "totalGlobalMem": 1}]`;
  const json = `{"schemaVersion": 1, ${name}: ${name}, "deviceProperties": ${properties}, "traceEvents": [${events.join(',\n')}]}`;
  const file = 'a <img src=x onerror="window.taken = true"> b.json';
  const visit = await here.visit();
  await visit.hand([file, json]);
  await visit.results();
  assert.equal(await visit.page.title(), `${file} – Stepscope`);
  let seen = '';
  for (const tab of ['overview', 'steps', 'operators', 'kernels', 'copies']) {
    await visit.tab(tab);
    const row = visit.page.locator('.rows .row').first();
    if (tab === 'overview') {
      await visit.page
        .locator('.chart-canvas')
        .first()
        .hover({position: {x: 300, y: 150}});
      await visit.page.locator('details summary').last().click();
    } else {
      await row.click();
      await visit.page.locator('[data-test="detail"]:not([hidden])').waitFor();
    }
    seen += await visit.text('results');
  }
  assert.ok(seen.includes('onerror'), 'the names were shown');
  await visit.hand([file, 'no trace']);
  assert.ok((await visit.problem()).includes(file));
  assert.equal(await visit.page.evaluate(() => 'taken' in window), false);
  assert.equal(await visit.page.locator('img:not(.brand img), b').count(), 0);
  await visit.close();
});

test('a link opens a trace of the same origin, by any kind of address', async () => {
  for (const link of ['files/trace.json.gz', '/beside/trace.json.gz', `${here.origin}/beside/trace.json.gz`, 'demo']) {
    const visit = await here.visit({query: `?trace=${encodeURIComponent(link)}`});
    await visit.results();
    assert.match(await visit.page.title(), link === 'demo' ? /^demo/ : /^trace\.json\.gz/);
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  }
});

test('several links are ranks; one of another origin among them stops all', async () => {
  generated('safety/files/rank1.json', '--seed', '52', '--rank', '1');
  const visit = await here.visit({query: '?trace=files/trace.json.gz&trace=files/rank1.json'});
  await visit.results();
  assert.equal(await visit.part('rank').locator('option').count(), 2);
  await visit.close();
  elsewhere.requests.length = 0;
  const mixed = await here.visit({query: `?trace=files/trace.json.gz&trace=${encodeURIComponent(`${elsewhere.origin}/trace.json.gz`)}`});
  assert.match(await mixed.problem(), /only traces of this page's own origin/i);
  assert.deepEqual(elsewhere.requests, []);
  await mixed.close();
});

test('a link to another origin is refused in words, and nothing is asked there', async () => {
  elsewhere.requests.length = 0;
  const links = [`${elsewhere.origin}/trace.json.gz`, '//example.com/trace.json', 'data:application/json,{}', 'blob:null/x', 'javascript:alert(1)'];
  for (const link of links) {
    const visit = await here.visit({query: `?trace=${encodeURIComponent(link)}`});
    assert.match(await visit.problem(), /only traces of this page's own origin/i, link);
    assert.ok(await visit.part('choose').isVisible());
    assert.deepEqual(
      visit.requests.filter((url) => !url.startsWith(visit.address) && !url.startsWith('blob:http')),
      [],
      link,
    );
    await visit.close();
  }
  assert.deepEqual(elsewhere.requests, []);
});

test('a link to what is not there, or is no address, says so', async () => {
  const visit = await here.visit({query: '?trace=files/missing.json'});
  assert.match(await visit.problem(), /missing\.json.*404/s);
  await visit.close();
  const undecodable = await here.visit({query: `?trace=${encodeURIComponent('files/%zz.json')}`});
  assert.match(await undecodable.problem(), /%zz\.json.*404/s);
  await undecodable.close();
  const odd = await here.visit({query: `?trace=${encodeURIComponent('http://[')}`});
  assert.match(await odd.problem(), /http:\/\/\[/);
  await odd.open(written('safety/fine.json', fine));
  await odd.close();
});
