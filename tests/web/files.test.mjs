// Assignment of files to ranks: archives, folders, compressed files, files left out, and the user's own grouping.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import zlib from 'node:zlib';

import {generated, stepscope, thorough, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {tarred} from './lib/tar.mjs';
import {zipped} from './lib/zip.mjs';

const here = site();
const fixtures = path.join(import.meta.dirname, '../fixtures/containers');
const ranks = [0, 1, 2].map((rank) => generated(`files/rank${rank}.json`, '--rank', String(rank), '--world', '3', '--seed', String(rank + 40)));
const [zero, one] = ranks.map((file) => fs.readFileSync(file));

/** Options of the list of ranks. @param {import('./lib/site.mjs').Visit} visit */
const offered = (visit) => visit.part('rank').locator('option').allInnerTexts();

/** Opens the list of files. @param {import('./lib/site.mjs').Visit} visit */
async function list(visit) {
  await visit.part('files').click();
  await visit.page.getByRole('dialog').waitFor();
  return visit.page.getByRole('dialog');
}

/** The page's numbers are the program's. @param {import('./lib/site.mjs').Visit} visit @param {...string} args */
async function assertAsProgram(visit, ...args) {
  const {bytes} = await visit.export('json');
  // The program names a file by the path it was given, the page by that in the drop.
  const folder = `${path.dirname(args[args.length - 1])}/`;
  const expected = stepscope('summary', '--json', ...args)
    .toString()
    .replaceAll(folder, '');
  assert.ok(`${bytes}\n` === expected, args.join(' '));
}

test('a zip archive is a folder of ranks, and gives the numbers of the program', async () => {
  const archive = written(
    'files/job.zip',
    zipped([
      ['job/rank0.json', zero],
      ['job/rank1.json', one],
      ['job/notes.txt', 'what is this'],
    ]),
  );
  const visit = await here.visit();
  await visit.drop(archive);
  await visit.results();
  assert.deepEqual(await offered(visit), ['rank 0 · rank0.json', 'rank 1 · rank1.json']);
  assert.equal(await visit.part('problem').count(), 0, 'what is left out is no problem');
  assert.equal(await visit.text('files'), 'Files: 2 · left out: 1');
  await list(visit);
  assert.equal(await visit.part('files-left-out').evaluate((one) => one.hasAttribute('open')), false);
  await visit.part('files-left-out').locator('> summary').click();
  await visit.part('files-left-out').locator('[data-test="problem-tried"] > summary').click();
  assert.match(await visit.part('files-left-out').innerText(), /job\.zip\/job\/notes\.txt.*PyTorch/s);
  await visit.part('files-close').click();
  await assertAsProgram(visit, archive);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('every kind of container opens as the program opens it', thorough, async () => {
  const cases = [
    'zip_of_gzip/input.zip',
    'zip_streamed/input.zip',
    'zip_cut_streamed/input.zip',
    'zip_of_zstd/input.zip',
    'zip_paths/input.zip',
    'zstd/input.json.zst',
    'zstd_frames/input.json.zst',
    'zstd_of_gzip/input.zst',
    'zstd_cut/input.json.zst',
    'tar_gnu/input.tar',
    'tar_gz_cut/input.tar.gz',
    'utf16_le/input.json',
    'utf16_be_in_zip/input.zip',
    'utf16_half_a_pair/input.json',
  ];
  for (const name of cases) {
    const file = path.join(fixtures, name);
    const visit = await here.visit();
    await visit.open(file);
    await assertAsProgram(visit, file);
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  }
});

test('a database is read here and there, as it is, compressed and in an archive', async () => {
  const database = fs.readFileSync(path.join(import.meta.dirname, '../fixtures/nsys/schema_2023/input.sqlite'));
  const visit = await here.visit();
  for (const [name, content] of /** @type {[string, Buffer][]} */ ([
    ['plain.sqlite', database],
    ['packed.sqlite.gz', zlib.gzipSync(database)],
    ['archive.zip', zipped([['inside.sqlite', database]])],
  ])) {
    const file = written(`files/${name}`, content);
    await visit.drop(file);
    await visit.page.waitForFunction((part) => document.title.includes(part), name.replace('archive.zip', 'inside.sqlite'));
    await visit.results();
    await assertAsProgram(visit, file);
  }
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

/**
 * Makes reads of the session's worker that block it take long: each of the first some of them a while, the next a minute.
 * @param {import('./lib/site.mjs').Visit} visit @param {number} some @param {number} millis
 */
async function slow(visit, some, millis) {
  const worker = await visit.worker('session/worker.js');
  await worker.evaluate(
    ([some, millis]) => {
      const reader = /** @type {any} */ (self).FileReaderSync.prototype;
      const read = reader.readAsArrayBuffer;
      let reads = 0;
      reader.readAsArrayBuffer = function (/** @type {Blob} */ blob) {
        for (const end = Date.now() + (++reads > some ? 60_000 : millis); Date.now() < end;);
        return read.call(this, blob);
      };
    },
    [some, millis],
  );
}

test('a database that takes long can be cancelled, though the worker hears nothing meanwhile', async () => {
  const visit = await here.visit();
  // Format detection reads at once; the database itself takes a minute.
  await slow(visit, 1, 0);
  await visit.drop(path.join(import.meta.dirname, '../fixtures/nsys/schema_2023/input.sqlite'));
  await visit.part('loading').waitFor();
  await visit.page.locator('.loading-file').getByText('input.sqlite').waitFor();
  await visit.part('cancel').click();
  await visit.part('choose').waitFor();
  assert.equal(await visit.part('problem').count(), 0);
  await visit.open(ranks[0]);
  assert.match(await visit.text('file'), /rank0\.json/);
  await visit.close();
});

test('looking into a compressed archive shows how far it is, and can be cancelled', async () => {
  const big = fs.readFileSync(generated('files/two.json', '--bytes', '2000000'));
  const archive = written('files/large.tar.gz', zlib.gzipSync(tarred([['large.json', big]]), {level: 0}));
  const visit = await here.visit();
  await slow(visit, 4, 100);
  await visit.drop(archive);
  await visit.page.locator('.loading-numbers').getByText('Looking at').waitFor();
  await visit.page.waitForFunction(() => {
    const bar = /** @type {HTMLProgressElement | null} */ (document.querySelector('.loading progress'));
    return bar && bar.position > 0 && bar.position < 1;
  });
  await visit.part('cancel').click();
  await visit.part('choose').waitFor();
  assert.equal(await visit.part('problem').count(), 0);
  await visit.open(ranks[0]);
  assert.match(await visit.text('file'), /rank0\.json/);
  await visit.close();
});

test('a large compressed entry streams, with progress', async () => {
  const big = generated('files/big.json', '--bytes', '30000000');
  const archive = written('files/big.zip', zipped([['big.json', fs.readFileSync(big)]]));
  const visit = await here.visit();
  await visit.drop(archive);
  await visit.results();
  const inside = await visit.tiles();
  await visit.choose(big);
  await visit.page.getByText('Files: 1').waitFor();
  await visit.results();
  assert.deepEqual(await visit.tiles(), inside);
  await visit.close();
});

test('a folder is chosen by its button, with the folders in it', async () => {
  for (const rank of [0, 1]) written(`files/chosen/node${rank}/rank${rank}.json`, rank ? one : zero);
  written('files/chosen/notes.txt', 'what is this');
  written('files/chosen/.hidden', 'not looked at');
  const visit = await here.visit();
  const chooser = visit.page.waitForEvent('filechooser');
  await visit.part('choose-folder').click();
  await (await chooser).setFiles(path.dirname(written('files/chosen/notes.txt', 'what is this')));
  await visit.results();
  assert.deepEqual(await offered(visit), ['rank 0 · rank0.json', 'rank 1 · rank1.json']);
  const dialog = await list(visit);
  assert.match(await dialog.innerText(), /chosen\/node0\/rank0\.json/);
  assert.equal(await visit.text('files'), 'Files: 2 · left out: 1');
  await visit.close();
});

test('a person groups files otherwise, leaves one out, and goes back to the rule', async () => {
  const visit = await here.visit();
  await visit.open(...ranks);
  let dialog = await list(visit);
  const field = (/** @type {string} */ name) => dialog.getByRole('spinbutton', {name: new RegExp(name)});
  assert.deepEqual(await dialog.getByRole('spinbutton').evaluateAll((all) => all.map((one) => /** @type {HTMLInputElement} */ (one).value)), ['0', '1', '2']);
  assert.ok(await visit.part('files-apply').isDisabled());
  await field('rank1').fill('0');
  await field('rank2').fill('');
  await visit.part('files-apply').click();
  await visit.page.getByText('Files: 2 · left out: 1').waitFor();
  await visit.results();
  assert.equal(await visit.part('rank').isVisible(), false, 'one rank is left');
  await assertAsProgram(visit, '--rank', 'rank0.json=0', '--rank', 'rank1.json=0', '--rank', 'rank2.json=none', ...ranks);
  dialog = await list(visit);
  assert.match(await dialog.innerText(), /rank 0 · rank0\.json \+ 1 · files: 2/);
  assert.match(await dialog.innerText(), /Left out, but could be read/);
  // Earlier changes stay.
  await field('rank2').fill('7');
  await dialog.getByRole('spinbutton').first().press('Enter');
  await visit.page.getByText('Files: 3').waitFor();
  await visit.results();
  assert.deepEqual(await offered(visit), ['rank 0 · rank0.json + 1', 'rank 7 · rank2.json']);
  dialog = await list(visit);
  for (const [value, words] of [
    ['1.5', /whole number/],
    ['-1', /whole number/],
  ]) {
    await field('rank2').fill(/** @type {string} */ (value));
    assert.match(await dialog.getByRole('status').innerText(), /** @type {RegExp} */ (words));
    assert.ok(await visit.part('files-apply').isDisabled());
  }
  for (const one of await dialog.getByRole('spinbutton').all()) await one.fill('');
  assert.match(await dialog.getByRole('status').innerText(), /At least one file/);
  await visit.part('files-rule').click();
  await visit.page.waitForFunction(() => document.querySelectorAll('[data-test="rank"] option').length === 3);
  await visit.results();
  await assertAsProgram(visit, ...ranks);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('of two exports of a run the exact one is read; a person may choose the other', async () => {
  const folder = path.join(fixtures, '..', 'folders/exported_twice/input/log');
  const visit = await here.visit();
  await visit.drop(folder);
  await visit.results();
  assert.match(await visit.text('file'), /647153\.paddle_trace\.pb/);
  assert.equal(await visit.text('files'), 'Files: 1 · left out: 2');
  const dialog = await list(visit);
  assert.match(await dialog.innerText(), /633604\.paddle_trace\.json\s.*The same recording as log\/.*647153\.paddle_trace\.pb, which is read instead\./s);
  await dialog.getByRole('spinbutton', {name: /json;/}).fill('0');
  await dialog.getByRole('spinbutton', {name: /\.pb;/}).fill('');
  await visit.part('files-apply').click();
  await visit.page.waitForFunction(() => /633604\.paddle_trace\.json/.test(document.querySelector('[data-test="file"]')?.textContent ?? ''));
  await visit.results();
  assert.equal(await visit.text('files'), 'Files: 1 · left out: 2');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('what is known and adds nothing is counted by itself, and why files are not read is said in Chinese', async () => {
  const folder = path.join(fixtures, '..', 'mindspore/msprof/input');
  const visit = await here.visit({locale: 'zh-CN'});
  const notes = written('files/quiet/notes.txt', 'what is this');
  await visit.drop(folder, notes);
  await visit.results();
  const dialog = await list(visit);
  const shown = async (/** @type {string} */ name) => {
    await visit.part(name).locator('> summary').click();
    return visit.part(name).innerText();
  };
  const quiet = await shown('files-quiet');
  assert.match(quiet, /：3\s/);
  assert.match(quiet, /start_info\.0\.done.*已识别，没有可补充的内容：msprof 用来表示另一个文件已写完的标记/s);
  await shown('files-left-out');
  await visit.part('files-left-out').locator('[data-test="problem-tried"] > summary').click();
  const left = await visit.part('files-left-out').innerText();
  assert.match(left, /：2\s/);
  assert.match(left, /slice_0 — 已识别，但不读取：msprof 的原始记录/);
  assert.match(left, /notes\.txt.*开头不像 JSON[^:]*: [^:]*PyTorch/s);
  assert.equal(await dialog.getByRole('spinbutton').count(), 16);
  assert.match(await visit.text('files'), /2$/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("devices side by side in one of msprof's exports are ranks", async () => {
  const visit = await here.visit();
  await visit.drop(path.join(fixtures, '..', 'mindspore/several_devices/input'));
  await visit.results();
  assert.deepEqual(await offered(visit), ['rank 0 · input (rank 0)', 'rank 1 · input (rank 1)', 'rank 2 · input (rank 2)']);
  const dialog = await list(visit);
  assert.match(await dialog.innerText(), /mindstudio_profiler_output\/device 1\/step_trace_20240101120000\.csv/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('two traces that both say they are rank 0 are told apart', async () => {
  const twin = generated('files/twin.json', '--rank', '0', '--seed', '77');
  const visit = await here.visit();
  await visit.open(ranks[0], twin);
  const dialog = await list(visit);
  assert.deepEqual(await dialog.getByRole('spinbutton').evaluateAll((all) => all.map((one) => /** @type {HTMLInputElement} */ (one).value)), ['0', '1']);
  await visit.page.keyboard.press('Escape');
  await dialog.waitFor({state: 'detached'});
  await visit.close();
});

test('a drop that nothing can be read of leaves the results, and says why', async () => {
  const visit = await here.visit();
  await visit.open(ranks[1]);
  const before = (await visit.export('json')).bytes;
  const foreign = Array.from({length: 6}, (_, index) => written(`files/foreign/${index}.txt`, 'what is this'));
  const cases = /** @type {[string[], RegExp][]} */ ([
    [[foreign[0]], /0\.txt.*not a trace of a known format.*PyTorch/s],
    [[path.join(fixtures, 'zip_encrypted/input.zip')], /input\.zip\/job\/rank0\.json.*encrypted/s],
    [[path.join(fixtures, 'seven_zip/input.7z')], /a 7z archive/],
    [[written('files/foreign/no-events.json', '{"schemaVersion": 1, "traceEvents": []}')], /No event in this file/],
  ]);
  for (const [files, words] of cases) {
    await visit.drop(...files);
    await visit.page.waitForFunction((source) => new RegExp(source, 's').test(document.querySelector('.problems')?.textContent ?? ''), words.source);
    await visit.results();
    assert.match(await visit.text('file'), /rank1\.json/);
    await visit.page.getByRole('button', {name: 'Dismiss'}).first().click();
  }
  await visit.drop(...foreign);
  await visit.page.getByText('2 more files').waitFor();
  assert.equal(await visit.part('problem').count(), 5);
  assert.deepEqual((await visit.export('json')).bytes, before);
  await visit.part('step').selectOption({index: 1});
  await visit.tab('kernels');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a compressed tar archive of many ranks gives the numbers of the program, also grouped anew', async () => {
  const text = zero.toString();
  const files = /** @type {[string, string | Buffer][]} */ (
    Array.from({length: 64}, (_, index) => {
      const rank = (index * 29) % 64;
      const content = text.replace(/"rank": ?\d+/, `"rank": ${rank}`);
      // Some are packed once more, and some are no traces.
      if (index % 9 === 4) return [`job/rank${rank}.json.gz`, zlib.gzipSync(content)];
      return index % 16 === 5 ? [`job/notes${rank}.txt`, 'what is this'] : [`job/rank${rank}.json`, content];
    })
  );
  const packed = zlib.gzipSync(tarred(files), {level: 0});
  const archive = written('files/many.tar.gz', packed);
  const visit = await here.visit();
  await visit.open(archive);
  assert.equal((await offered(visit)).length, 60);
  await assertAsProgram(visit, archive);
  // Grouped anew, it is read from its beginning again.
  const dialog = await list(visit);
  await dialog.getByRole('spinbutton').first().fill('200');
  await visit.part('files-apply').click();
  await visit.page.waitForFunction(() => document.querySelector('[data-test="rank"]')?.textContent?.includes('rank 200'));
  assert.equal((await offered(visit)).length, 60);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('sixty files are a list that scrolls, in both languages, themes and widths', async () => {
  const files = /** @type {[string, string | Buffer][]} */ (
    Array.from({length: 60}, (_, rank) => [
      `a_job_with_a_rather_long_name/node_${rank >> 3}/worker${rank}.pt.trace.json`,
      zero.toString().replace(/"rank": ?\d+/, `"rank": ${rank}`),
    ])
  );
  const archive = written('files/sixty.zip', zipped(files));
  for (const look of /** @type {const} */ ([
    {width: 1280, colorScheme: 'light', locale: 'en-GB'},
    {width: 390, colorScheme: 'dark', locale: 'zh-CN'},
  ])) {
    const visit = await here.visit({viewport: {width: look.width, height: 800}, colorScheme: look.colorScheme, locale: look.locale});
    await visit.drop(archive);
    await visit.results();
    const dialog = await list(visit);
    assert.equal(await dialog.getByRole('spinbutton').count(), 60);
    const box = await dialog.boundingBox();
    assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= look.width && box.y + box.height <= 800, 'the dialog is on the screen');
    const apply = await visit.part('files-apply').boundingBox();
    assert.ok(apply && apply.y + apply.height <= 800, 'its buttons are in view');
    const wide = await dialog.locator('.files-scroll').evaluate((one) => one.scrollWidth > one.clientWidth);
    assert.equal(wide, false, 'nothing is cut off at the side');
    await visit.page.screenshot({path: written(`files/sixty-${look.width}.png`, '')});
    await visit.close();
  }
});
