// Files that change before or while they are read, or before they are read again: the error messages.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import zlib from 'node:zlib';

import {generated, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {tarred} from './lib/tar.mjs';
import {zipped} from './lib/zip.mjs';

const here = site();
const small = generated('changed/small.json', '--seed', '5');
const ranks = [0, 1].map((rank) =>
  fs.readFileSync(generated(`changed/rank${rank}.json`, '--bytes', '40000000', '--seed', String(81 + rank), '--rank', String(rank), '--world', '2')),
);
const database = fs.readFileSync(path.join(import.meta.dirname, '../fixtures/nsys/schema_2023/input.sqlite'));

const WORDS = /changed or moved/;

/** Changes made to a file, by name. @type {Record<string, (file: string) => void>} */
const CHANGES = {
  'written anew, and shorter': (file) => fs.writeFileSync(file, 'something else'),
  'written anew, as long as before': (file) => {
    const {size} = fs.statSync(file);
    fs.writeFileSync(file, Buffer.alloc(size, ' '));
    // Clocks of files may be coarse.
    fs.utimesSync(file, new Date(), new Date(Date.now() + 5000));
  },
  longer: (file) => fs.appendFileSync(file, ' '.repeat(1000)),
  gone: (file) => fs.rmSync(file),
};

/** Each kind of file that is read in its own way. @type {[kind: string, name: string, content: () => Buffer, query?: string][]} */
const FILES = [
  ['a plain file', 'plain.json', () => ranks[0]],
  ['one that several workers read', 'pieces.json', () => fs.readFileSync(generated('changed/long.json', '--bytes', '80000000', '--seed', '83')), '?workers=2'],
  ['a packed file', 'packed.json.gz', () => zlib.gzipSync(ranks[0], {level: 1})],
  [
    'an archive',
    'archive.zip',
    () =>
      zipped([
        ['rank0.json', ranks[0]],
        ['rank1.json', ranks[1]],
      ]),
  ],
  [
    'a packed archive',
    'archive.tar.gz',
    () =>
      zlib.gzipSync(
        tarred([
          ['rank0.json', ranks[0]],
          ['rank1.json', ranks[1]],
        ]),
        {level: 1},
      ),
  ],
];

for (const [kind, name, content, query] of FILES) {
  for (const [how, change] of Object.entries(CHANGES).slice(0, name === 'plain.json' ? undefined : 2)) {
    test(`${kind} that is ${how} while it is read`, async () => {
      const file = written(`changed/${name}`, content());
      here.gate.close();
      const visit = await here.visit({query});
      await visit.choose(file);
      await visit.until('it is being read', () => here.gate.held > 0);
      change(file);
      here.gate.open();
      const said = await visit.problem();
      assert.match(said, WORDS);
      assert.ok(said.includes(name), said);
      // The part of an archive that was read before the change is shown.
      if (!name.startsWith('archive')) assert.equal(await visit.part('results').count(), 0);
      await visit.open(small);
      await visit.close();
    });
  }
}

test('a database that is changed before it is read', async () => {
  const file = written('changed/database.sqlite', database);
  const visit = await here.visit();
  await visit.page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any[]} */ ...args) {
      Worker.prototype.postMessage = post;
      Object.assign(window, {goOn: () => post.apply(this, /** @type {any} */ (args))});
    };
  });
  await visit.choose(file);
  await visit.page.waitForFunction(() => 'goOn' in window);
  CHANGES.longer(file);
  await visit.page.evaluate(() => /** @type {any} */ (window).goOn());
  const said = await visit.problem();
  assert.match(said, WORDS);
  assert.match(said, /database\.sqlite/);
  await visit.open(small);
  await visit.close();
});

test('a rank whose trace was dropped and whose file changed: that is told, and the others are shown', async () => {
  const files = [0, 1, 2].map((rank) => generated(`changed/again${rank}.json`, '--seed', String(90 + rank), '--rank', String(rank), '--world', '3'));
  const visit = await here.visit({query: '?memory=0.0001'});
  await visit.open(...files);
  for (const file of files) CHANGES['written anew, and shorter'](file);
  await visit.part('rank').selectOption('1');
  await visit.tab('kernels');
  const said = await visit.problem();
  assert.match(said, WORDS);
  assert.match(said, /again1\.json/);
  // The ranks' summaries are still there.
  await visit.tab('ranks');
  assert.equal(await visit.part('table-ranks').locator('.rows .row').count(), 3);
  await visit.open(small);
  assert.equal(await visit.part('problem').count(), 0);
  await visit.close();
});

test('the text of an event, and a search in the text, of a file that changed', async () => {
  const file = generated('changed/text.json', '--seed', '95');
  const visit = await here.visit();
  await visit.open(file);
  CHANGES.longer(file);
  await visit.tab('timeline');
  await visit.part('find').fill('gemm');
  await visit.page.keyboard.press('Enter');
  assert.match(await visit.problem(), /^text\.json.*changed or moved/s);
  await visit.part('event-args').getByText('The file could not be read.').waitFor();
  await visit.page.locator('[data-test="problem"] button').click();
  await visit.part('find-args').check();
  await visit.part('find').fill('correlation');
  await visit.page.keyboard.press('Enter');
  assert.match(await visit.problem(), /^text\.json.*changed or moved/s);
  // Once is enough.
  const told = visit.part('find-said');
  await told.evaluate((element) => (element.textContent = 'before'));
  await visit.part('find').fill('External id');
  await visit.page.keyboard.press('Enter');
  await visit.until('the second search ended', async () => !/before|Reading/.test(await told.innerText()));
  assert.equal(await visit.part('problem').count(), 1);
  // Everything else still works.
  await visit.tab('kernels');
  await visit.part('table-kernels').locator('.rows .row').first().waitFor();
  await visit.close();
});
