// Opening files: by dropping and choosing, whole and damaged, traces and other things.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import zlib from 'node:zlib';

import {generated, scratch, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const plain = generated('open/plain.json', '--seed', '3', '--groups', '30');
const text = fs.readFileSync(plain);

/** @param {import('./lib/site.mjs').Visit} visit @returns {Promise<string[]>} codes of the data-quality card */
async function warnings(visit) {
  return visit.page.locator('.warning').evaluateAll((all) => all.map((one) => one.getAttribute('data-code') ?? ''));
}

test('a plain file, a gzip file and one of several members give the same numbers', async () => {
  const half = text.length >> 1;
  const files = [
    plain,
    written('open/one.json.gz', zlib.gzipSync(text)),
    written('open/members.json.gz', Buffer.concat([text.subarray(0, half), text.subarray(half)].map((part) => zlib.gzipSync(part)))),
  ];
  const visit = await here.visit();
  /** @type {Record<string, string[]>[]} */
  const found = [];
  for (const file of files) {
    await visit.drop(file);
    await visit.page.getByText(path.basename(file)).first().waitFor();
    await visit.results();
    found.push(await visit.tiles());
    assert.ok(!(await warnings(visit)).includes('compression_damaged'), file);
  }
  assert.equal(Object.keys(found[0]).length, 5);
  assert.deepEqual(found[1], found[0]);
  assert.deepEqual(found[2], found[0]);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('files that a script hands over with a drop event open too', async () => {
  const visit = await here.visit();
  await visit.page.evaluate((json) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([json], 'made.json'));
    const event = (/** @type {string} */ type) => new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true});
    const main = /** @type {HTMLElement} */ (document.querySelector('main'));
    main.dispatchEvent(event('dragenter'));
    if (!document.body.classList.contains('dropping')) throw new Error('the page does not show that files may be dropped');
    main.dispatchEvent(event('dragover'));
    main.dispatchEvent(event('drop'));
    if (document.body.classList.contains('dropping')) throw new Error('the page still waits for a drop');
  }, text.toString());
  await visit.results();
  assert.match(await visit.text('file'), /made\.json/);
  await visit.close();
});

test('a drag that goes away again leaves nothing behind, whatever it passed', async () => {
  const visit = await here.visit();
  const states = await visit.page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['{}'], 'held.json'));
    const main = /** @type {Element} */ (document.querySelector('main'));
    const zone = /** @type {Element} */ (document.querySelector('.drop-zone'));
    const say = (/** @type {string} */ type, /** @type {Element} */ target, /** @type {Element | null} */ relatedTarget) =>
      target.dispatchEvent(new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true, relatedTarget}));
    const shown = () => document.body.classList.contains('dropping');
    const states = [];
    say('dragenter', main, null);
    states.push(shown());
    say('dragenter', zone, main);
    say('dragleave', main, zone);
    states.push(shown());
    // The element below the pointer may be removed: then it gets no `dragleave`.
    zone.remove();
    say('dragover', main, null);
    states.push(shown());
    say('dragleave', main, null);
    states.push(shown());
    return states;
  });
  assert.deepEqual(states, [true, true, true, false]);
  await visit.close();
});

test('several files are ranks, in the order of their numbers', async () => {
  const ranks = [1, 0, 2].map((rank) => generated(`open/part-${rank}.json.gz`, '--rank', String(rank), '--world', '3', '--seed', String(rank + 20)));
  const visit = await here.visit();
  await visit.open(...ranks);
  assert.deepEqual(
    await visit.part('rank').locator('option').allInnerTexts(),
    [0, 1, 2].map((rank) => `rank ${rank} · part-${rank}.json.gz`),
  );
  const first = await visit.tiles();
  await visit.part('rank').selectOption({label: 'rank 2 · part-2.json.gz'});
  await visit.page.getByText('2 of 3').waitFor();
  await visit.page.waitForFunction((value) => document.querySelector('.tile-value')?.textContent !== value, first.step[0]);
  await visit.close();
});

test('a folder is opened with the folders in it; what is no trace in it is left out and named', async () => {
  const folder = path.dirname(scratch('open/job/.hidden.json'));
  fs.writeFileSync(path.join(folder, '.hidden.json'), 'not looked at');
  for (const rank of [0, 1]) generated(`open/job/node${rank}/rank${rank}.json`, '--rank', String(rank));
  written('open/job/notes.txt', 'a shopping list');
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  assert.equal(await visit.part('rank').locator('option').count(), 2);
  assert.equal(await visit.part('problem').count(), 0);
  await visit.part('files').click();
  await visit.page.getByText('Left out, format unknown').click();
  assert.match(await visit.text('files-left-out'), /job\/notes\.txt.*not a trace/s);
  await visit.close();
});

test('times that JavaScript cannot count exactly are shown all the same', async () => {
  const slice = (/** @type {string} */ name, /** @type {string} */ cat, /** @type {number} */ ts, /** @type {number} */ dur) => ({
    ph: 'X',
    cat,
    name,
    pid: 1,
    tid: 1,
    ts,
    dur,
  });
  const year = 3.15e13;
  const events = [
    slice('ProfilerStep#3', 'user_annotation', 0, 14 * year),
    slice('aten::mm', 'cpu_op', 5, 14 * year - 10),
    slice('ProfilerStep#4', 'user_annotation', 14 * year, 50),
  ];
  const visit = await here.visit();
  await visit.open(written('open/years.json', JSON.stringify({deviceProperties: [], traceEvents: events})));
  for (const tab of ['steps', 'operators', 'compare', 'overview']) await visit.tab(tab);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a damaged gzip file opens as far as it can be read, with a warning', async () => {
  const packed = zlib.gzipSync(text);
  const flipped = Buffer.from(packed);
  flipped[packed.length >> 1] ^= 0x40;
  const visit = await here.visit();
  const files = {
    'cut.json.gz': packed.subarray(0, Math.round(packed.length * 0.7)),
    'flipped.json.gz': flipped,
    'junk-behind.json.gz': Buffer.concat([packed, Buffer.from('junk')]),
  };
  for (const [name, bytes] of Object.entries(files)) {
    await visit.choose(written(`open/${name}`, bytes));
    await visit.page.getByText(name).first().waitFor();
    await visit.results();
    assert.ok((await warnings(visit)).includes('compression_damaged'), name);
    assert.match(await visit.page.locator('[data-code="compression_damaged"]').innerText(), /byte \d/, name);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('broken JSON opens as far as it can be read, and says where it breaks', async () => {
  const visit = await here.visit();
  const json = text.toString();
  const cut = json.slice(0, Math.round(json.length * 0.6));
  const control = json.replace('aten::', 'aten\u0001\n::');
  const cases = /** @type {const} */ ([
    ['cut.json', cut, 'truncated'],
    ['control.json', control, null],
    ['bad-event.json', json.replace(/"dur": /, '"dur": !!'), 'malformed_event'],
    ['bom.json', `\ufeff${json}`, null],
  ]);
  for (const [name, content, code] of cases) {
    await visit.choose(written(`open/${name}`, content));
    await visit.page.getByText(name).first().waitFor();
    await visit.results();
    assert.equal(await visit.part('problem').count(), 0, name);
    if (code) assert.match(await visit.page.locator(`[data-code="${code}"]`).innerText(), /byte \d/, name);
  }
  await visit.close();
});

test('what is no trace is refused with its name, place and what was tried; the page stays usable', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(5000, 7)]);
  const files = /** @type {[string, string | Buffer][]} */ ([
    ['empty.json', ''],
    ['picture.png', png],
    ['page.html', '<!doctype html><title>no</title><p>nothing here'],
    ['style.css', 'body { color: red }'],
    ['table.csv', 'name,calls\nx,1\n'],
    ['settings.json', '{"editor": {"font": "serif"}, "list": [1, 2, 3]}'],
    ['number.json', '42'],
    ['list.json', '["a", "b"]'],
    ['empty.json.gz', zlib.gzipSync('')],
    ['noise.json.gz', Buffer.concat([Buffer.from('1f8b0800', 'hex'), Buffer.alloc(100, 0x55)])],
    ['no-events.json', '{"schemaVersion": 1, "traceEvents": []}'],
    ['broken-head.json', '{"schemaVersion": 1, "deviceProperties": [], ! }'],
  ]);
  const visit = await here.visit();
  for (const [name, content] of files) {
    await visit.choose(written(`open/foreign/${name}`, content));
    const words = visit.part('problem').filter({hasText: name});
    await words.waitFor();
    assert.equal(await visit.part('problem').count(), 1, name);
    assert.ok(await visit.part('choose').isVisible(), name);
    const code = await words.getAttribute('data-code');
    assert.ok((await words.innerText()).includes(`Code: ${code}`), name);
    if (code === 'unknown_format') {
      await words.locator('summary').click();
      assert.match(await words.innerText(), /\(byte 0\).*Choose a file that a profiler wrote.*Formats tried: \d+.*PyTorch/s, name);
    }
    if (code === 'syntax') assert.match(await words.innerText(), /expected a key in quotes.*\(byte 45\)/, name);
    assert.ok(['empty', 'unknown_format', 'no_events', 'syntax', 'compression'].includes(code ?? ''), `${name}: ${code}`);
  }
  await visit.page.getByRole('button', {name: 'Dismiss'}).click();
  assert.equal(await visit.part('problem').count(), 0);
  await visit.open(plain);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a trace without one usable event is no blank page', async () => {
  const events = ['"ts": "abc"', '"ts": 1, "dur": "x"', '"dur": 5'].map((times) => `{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, ${times}}`);
  const visit = await here.visit();
  await visit.choose(written('open/useless.json', `{"schemaVersion": 1, "traceEvents": [${events.join(',')}]}`));
  await visit.page.getByText('useless.json').first().waitFor();
  await visit.part('results').or(visit.part('problem')).first().waitFor();
  if (await visit.part('results').count()) {
    for (const tab of ['steps', 'operators', 'kernels', 'copies', 'overview']) await visit.tab(tab);
    assert.ok((await warnings(visit)).length > 0);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a good file opens beside bad ones, which are left out and named', async () => {
  const visit = await here.visit();
  await visit.choose(plain, written('open/foreign/beside.txt', 'nothing'), written('open/foreign/void.json', ''));
  await visit.results();
  assert.equal(await visit.part('problem').count(), 0);
  await visit.part('files').click();
  await visit.page.getByText('Left out, format unknown').click();
  assert.match(await visit.text('files-left-out'), /beside\.txt.*void\.json.*The file is empty/s);
  await visit.close();
});

test("the demo opens by its button, and its name is the window's title", async () => {
  const visit = await here.visit();
  assert.equal(await visit.page.title(), 'Stepscope');
  await visit.part('demo').click();
  await visit.results();
  assert.equal(await visit.page.title(), 'demo.json.gz – Stepscope');
  assert.deepEqual(visit.failures, []);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('the demo of several ranks names its straggler, by its button and by its address', async () => {
  const visit = await here.visit();
  await visit.part('demo-job').click();
  await visit.results();
  const straggler = async () => {
    await visit.tab('ranks');
    return visit.text('stragglers');
  };
  assert.match(await straggler(), /rank 5/);
  await visit.page.goto(new URL('?trace=demo-job', visit.address).href);
  await visit.results();
  assert.match(await straggler(), /rank 5/);
  assert.deepEqual(visit.failures, []);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
