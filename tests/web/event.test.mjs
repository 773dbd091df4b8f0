// Details of an event on the timeline: the program's numbers, the file's text, and links to other events.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import {test} from 'node:test';
import zlib from 'node:zlib';

import {members, number, pick, shown} from './lib/event.mjs';
import {generated, written} from './lib/program.mjs';
import {assertShows} from './lib/shown.mjs';
import {site} from './lib/site.mjs';
import {box, drawn, openTimeline, xOf} from './lib/timeline.mjs';
import {zipped} from './lib/zip.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();
const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A trace whose text is known to the last digit. */
const BIG = '18446744073709551615';
const LONG = 'x'.repeat(5000);
const EVENTS = [
  '{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":900}',
  '{"ph":"X","cat":"python_function","name":"train.py(7): step","pid":1,"tid":1,"ts":1,"dur":800}',
  `{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":10,"dur":90,"args":{"External id":${BIG},"Sequence number":4,"Fwd thread id":0,"long":"${LONG}","Input Dims":[[2,3],[3,4]],"html":"<img src=x onerror=alert(1)>","real":1.50}}`,
  '{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":20,"dur":10,"args":{"correlation":9}}',
  '{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":50,"dur":30,"args":{"device":0,"stream":7,"correlation":9,"grid":[4,1,1],"block":[64,1,1],"registers per thread":32,"shared memory":0}}',
  '{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":120,"dur":10,"args":{"correlation":10}}',
  '{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":140,"dur":40,"args":{"device":0,"stream":7,"correlation":10}}',
];
const KNOWN = `{"schemaVersion":1,"deviceProperties":[],"traceEvents":[\n${EVENTS.join(',\n')}\n]}`;

/** Follows a link and returns the name of its target. @param {Visit} visit @param {string} test */
async function follow(visit, test) {
  const before = await number(visit);
  await visit.page.locator(`[data-test="${test}"] .event-link`).first().click();
  return shown(visit, before);
}

/** Checks the arguments shown for the operator. @param {Visit} visit */
async function assertOperator(visit) {
  const args = await members(visit, 'event-args-list');
  assert.deepEqual(args, {
    'External id': BIG,
    'Sequence number': '4',
    'Fwd thread id': '0',
    long: LONG,
    'Input Dims': '[[2,3],[3,4]]',
    html: '<img src=x onerror=alert(1)>',
    real: '1.50',
  });
  const others = await members(visit, 'event-members');
  assert.deepEqual(others, {ph: 'X', cat: 'cpu_op', name: 'aten::mm', pid: '1', tid: '1', ts: '10', dur: '90'});
  assert.equal(await visit.part('event-args').locator('img').count(), 0, 'nothing of a trace is taken for HTML');
}

/** The file as it is, and packed in the ways that can be opened. @type {[string, () => string][]} */
const FILES = [
  ['known.json', () => written('event/known.json', KNOWN)],
  ['known.json.gz', () => written('event/known.json.gz', zlib.gzipSync(KNOWN))],
  [
    'known.zip',
    () =>
      written(
        'event/known.zip',
        zipped([
          ['a/other.txt', 'nothing'],
          ['a/known.json', KNOWN],
        ]),
      ),
  ],
];

for (const [name, make] of FILES) {
  test(`arguments are as they stand in the file: ${name}`, async () => {
    const visit = await here.visit();
    await visit.open(make());
    await pick(visit, 'aten::mm');
    await assertOperator(visit);
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  });
}

test('links lead from the operator to its kernel and back, and the neighbours of a name to each other', async () => {
  const visit = await here.visit();
  await visit.open(FILES[0][1]());
  await pick(visit, 'aten::mm');
  assert.equal(await follow(visit, 'event-link-launched'), 'gemm');
  // The first facts: the kernel takes 30 of the step's 900 µs.
  const first4 = await visit
    .part('event-first')
    .locator('dd')
    .evaluateAll((all) => all.map((one) => /** @type {HTMLElement} */ (one).dataset.test));
  assert.deepEqual(
    first4,
    ['length', 'step', 'start', 'share_of_step'].map((name) => `event-fact-${name}`),
  );
  assertShows(await visit.text('event-fact-length'), 30_000);
  assertShows(await visit.text('event-fact-share_of_step'), 30 / 900);
  assertShows(await visit.text('event-fact-delay'), 20_000);
  assert.equal(await visit.text('event-fact-grid'), '4 × 1 × 1');
  assert.match(await visit.text('event-fact-place'), /no\. 2 of 2/);
  assert.match(await visit.text('event-section-stack'), /train\.py\(7\): step/);
  const first = await number(visit);
  await visit.part('event-next').click();
  assert.equal(await shown(visit, first), 'gemm');
  assert.ok(await visit.part('event-next').isDisabled(), 'there are two');
  assert.match(await visit.text('event-fact-place'), /no\. 1 of 2/);
  const second = await number(visit);
  await visit.part('event-previous').click();
  await shown(visit, second);
  assert.equal(await number(visit), first);
  assert.equal(await follow(visit, 'event-link-call'), 'cudaLaunchKernel');
  assert.equal(await follow(visit, 'event-link-operator'), 'aten::mm');
  await visit.part('event-table').click();
  await visit.page.waitForFunction(() => location.hash.includes('operators'));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a kernel with a long name has a short one in heading and tooltip, which leaves room for its times and for notes', async () => {
  const name = `void split_embedding_backward_kernel<${Array.from({length: 60}, (_, at) => `long_parameter_of_a_template_${at}`).join(', ')}>(float const*, int)`;
  const kernel = {ph: 'X', cat: 'kernel', name, pid: 0, tid: 7, ts: 0, dur: 900, args: {device: 0, stream: 7}};
  const visit = await here.visit({viewport: {width: 1400, height: 900}});
  await openTimeline(visit, written('event/long-name.json', JSON.stringify({schemaVersion: 1, deviceProperties: [], traceEvents: [kernel]})));
  await visit.part('find').fill('split_embedding');
  await visit.page.keyboard.press('Enter');
  const heading = await shown(visit);
  assert.ok(heading.startsWith('split_embedding_backward_kernel') && heading.length < name.length, heading);
  const bottom = async (/** @type {import('playwright-core').Locator} */ of) => of.evaluate((one) => one.getBoundingClientRect().bottom);
  const pane = await bottom(visit.part('event-pane'));
  for (const fact of ['start', 'length']) assert.ok((await bottom(visit.part(`event-fact-${fact}`))) <= pane, `${fact} is seen without scrolling`);
  const whole = visit.part('event-whole');
  await whole.locator('summary').click();
  assert.equal(await whole.locator('p').textContent(), name);
  const scene = await drawn(visit);
  const {x, y} = await box(visit);
  await visit.page.mouse.move(x + xOf(scene, 450_000), y + scene.selected[0].y + 4);
  const tip = visit.page.locator('.timeline-tip:not([hidden])');
  await tip.waitFor();
  assert.deepEqual(await tip.locator(':scope > *').allTextContents(), [heading, '900.0 µs', 'from 0 ns']);
  assert.ok(((await tip.boundingBox())?.height ?? Infinity) < 100);
  await visit.part('notes').click();
  assert.ok((await bottom(visit.part('note-add'))) < 900, 'notes fit into the window');
  await visit.part('note-add').click();
  assert.equal(await visit.part('note-go').textContent(), name.slice(0, 200), 'a note keeps the beginning of the whole name');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a link to the chosen event is copied from its pane, the menu and the palette, and opens there again', async () => {
  const visit = await here.visit({permissions: ['clipboard-read', 'clipboard-write']});
  const {page} = visit;
  await visit.open(FILES[0][1]());
  await pick(visit, 'gemm');
  const event = await number(visit);
  await page.waitForFunction((event) => new URLSearchParams(location.hash.slice(1)).get('event') === event, event);
  const hash = await page.evaluate(() => location.hash);
  const copied = async (/** @type {() => Promise<void>} */ copy) => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await copy();
    await visit
      .part('message-text')
      .getByText(/^Link copied\. It opens this view on any machine that has the same file/)
      .waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await visit.part('message-dismiss').click();
    return link;
  };
  const links = [
    await copied(() => visit.part('event-link-copy').click()),
    await copied(async () => {
      await visit.part('more').click();
      await visit.part('link-copy').click();
    }),
    await copied(async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('copy link');
      await page.keyboard.press('Enter');
    }),
  ];
  for (const link of links) assert.equal(new URL(link).hash, hash);
  const colleague = await here.visit({query: new URL(links[0]).hash});
  await colleague.open(FILES[1][1]());
  assert.equal(await shown(colleague), 'gemm');
  assert.equal(await number(colleague), event, 'the same event of the same trace, packed');
  assert.deepEqual([visit.complaints, colleague.complaints], [[], []]);
  await colleague.close();
  await visit.close();
});

test('a collective shows when other ranks began it, and leads there', async () => {
  const rank = (/** @type {number} */ number, /** @type {number} */ start) => {
    const kernel = `{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":7,"ts":${start},"dur":${200 - start},"args":{"device":0,"stream":7,"Collective name":"allreduce","Process Group Name":"0","Seq":5,"dtype":"Float","In msg nelems":256}}`;
    const step = '{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":900}';
    return written(
      `event/rank${number}.json`,
      `{"schemaVersion":1,"deviceProperties":[],"baseTimeNanoseconds":1700000000000000000,"distributedInfo":{"rank":${number},"world_size":2},"traceEvents":[${step},${kernel}]}`,
    );
  };
  // The same where the other rank's trace is not in memory.
  for (const query of ['', '?memory=0.0001']) {
    const visit = await here.visit({query});
    await visit.open(rank(0, 100), rank(1, 130));
    await pick(visit, 'ncclDevKernel_AllReduce');
    assertShows(await visit.text('event-fact-input_bytes'), 1024);
    const rows = () =>
      visit.page.locator('[data-test="event-peer"]').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    await visit.part('event-peer').first().waitFor();
    const found = await rows();
    assert.equal(found.length, 2);
    found.forEach((row, index) => {
      assertShows(row[2] ?? '', [100_000, 70_000][index], 'how long it takes');
      assertShows(row[3] ?? '', [30_000, 0][index], 'rank 0 waits for rank 1');
    });
    const before = await visit.part('event-fact-length').innerText();
    await visit.part('event-peer').locator('button').first().click();
    await visit.page.waitForFunction((before) => document.querySelector('[data-test="event-fact-length"]')?.textContent !== before, before);
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  }
});

test('the pane is usable by keyboard, and axe finds nothing wrong with it', async () => {
  for (const look of [
    {width: 1280, colorScheme: /** @type {const} */ ('light')},
    {width: 400, colorScheme: /** @type {const} */ ('dark')},
  ]) {
    const visit = await here.visit({viewport: {width: look.width, height: 900}, colorScheme: look.colorScheme});
    await visit.open(FILES[1][1]());
    await pick(visit, 'aten::mm');
    const session = await visit.page.context().newCDPSession(visit.page);
    await session.send('Runtime.evaluate', {expression: axe});
    await session.detach();
    const violations = await visit.page.evaluate(async () => {
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const {violations} = await /** @type {any} */ (window).axe.run('[data-test="drawer"]', {runOnly: tags});
      return violations.map(
        (/** @type {any} */ one) => `${one.id}: ${one.nodes.map((/** @type {any} */ node) => `${node.target} ${node.any[0]?.message ?? ''}`).join(' | ')}`,
      );
    });
    assert.deepEqual(violations, [], `${look.width} px`);
    await visit.page.locator('[data-test="event-link-launched"] .event-link').first().focus();
    const before = await number(visit);
    await visit.page.keyboard.press('Enter');
    assert.equal(await shown(visit, before), 'gemm');
    await visit.close();
  }
});

test('events of a large packed file are read one after the other, forwards and backwards', async () => {
  const visit = await here.visit();
  await visit.open(generated('event/large.json.gz', '--bytes', '12000000'));
  await pick(visit, 'cudaLaunchKernel');
  let read = 0;
  for (const step of ['next', 'next', 'next', 'previous', 'previous', 'parent', 'next', 'previous']) {
    const button = visit.part(`event-${step}`);
    if (await button.isDisabled()) continue;
    const before = await number(visit);
    await button.click();
    const name = await shown(visit, before);
    assert.equal((await members(visit, 'event-members')).name, name);
    read++;
  }
  assert.ok(read >= 4, `${read} events were read`);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
