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
