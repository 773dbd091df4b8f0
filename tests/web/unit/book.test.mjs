// Sections of the book that the page leads to are there, in both languages.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {OF_TABS, SECTIONS, bookAddress} from '../../../www/js/page/environment/book.js';
import {setEnvironment} from '../../../www/js/page/environment/environment.js';

const root = path.join(import.meta.dirname, '../../..');

/** The text of a page of the book, with what it includes. @param {string} name */
function textOf(name) {
  const file = path.join(root, 'docs/src', name);
  return fs
    .readFileSync(file, 'utf8')
    .replace(/^<!-- include (\S+) -->.*$/m, (_, included) => fs.readFileSync(path.join(path.dirname(file), included), 'utf8'));
}

/** The ids of a page's headings, as mdBook makes them. @param {string} text */
const idsOf = (text) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Shows the page in a language. @param {string} lang @param {string} [book] */
const inLanguage = (lang, book) => setEnvironment(/** @type {any} */ ({book, holder: {lang}}));

for (const [lang, folder] of [
  ['en', ''],
  ['zh', 'zh/'],
]) {
  test(`sections of the book are there: ${lang}`, () => {
    inLanguage(lang, 'https://example.org/some/where/book/index.html');
    for (const section of /** @type {(keyof typeof SECTIONS)[]} */ (Object.keys(SECTIONS))) {
      const address = new URL(String(bookAddress(section)));
      const name = address.pathname.replace('/some/where/book/', '').replace('.html', '.md');
      assert.ok(name.startsWith(folder), name);
      const part = decodeURIComponent(address.hash.slice(1));
      const ids = idsOf(textOf(name));
      assert.ok(part === '' || ids.includes(part), `${name} has no heading ${part}: ${ids.join(', ')}`);
    }
  });
}

test('where no book is shipped there are no addresses', () => {
  inLanguage('en');
  for (const section of Object.values(OF_TABS)) assert.equal(bookAddress(section), null);
});

/** The rows of the list of other tools' documents. @param {string} name of its page */
function listed(name) {
  const rows = textOf(name)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:---|item|项目)/.test(line));
  return rows.map((row) => row.slice(2, -2).split(' | '));
}

test('the Chinese list of documents has the rows of the English one, each with its tests and state', () => {
  const states = /** @type {Record<string, string>} */ ({是: 'yes', 部分: 'partly', 否: 'no'});
  const [english, chinese] = [listed('documents.md'), listed('zh/documents.md')];
  assert.ok(english.length > 80);
  assert.deepEqual(
    chinese.map(([, , tests, state]) => [tests, states[state.split('：')[0]]]),
    english.map(([, , tests, state]) => [tests, state.split(':')[0]]),
  );
  for (const [index, row] of chinese.entries()) {
    assert.equal(row.length, 4, row.join());
    const code = (/** @type {string} */ cell) => [...cell.matchAll(/`[^`]+`/g)].map(([text]) => text).sort();
    assert.deepEqual(code(row[1]), code(english[index][1]), row.join());
  }
});
