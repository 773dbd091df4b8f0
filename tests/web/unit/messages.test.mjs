// Messages: none that the page asks for is missing, none is left over. (That the languages agree is tested natively.)

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

const root = path.join(import.meta.dirname, '../../..');
const read = (/** @type {string} */ name) => fs.readFileSync(path.join(root, name), 'utf8');
/** @type {Record<string, string>} */
const own = JSON.parse(read('www/i18n/en.json'));
/** All English messages, with those of tables. The analyzer's descriptions use the latter, which native tests check. @type {Record<string, string>} */
const english = Object.assign({}, own, ...['table', 'present'].map((name) => JSON.parse(read(`crate/${name}/src/messages/en.json`))));

const scripts = [
  ...fs.readdirSync(path.join(root, 'www/js'), {recursive: true, encoding: 'utf8'}).map((name) => `www/js/${name}`),
  ...fs.readdirSync(path.join(root, 'www/embed')).map((name) => `www/embed/${name}`),
]
  .filter((name) => name.endsWith('.js'))
  .map(read)
  .join('\n');

test('every message that is asked for is there, and each is asked for', () => {
  const asked = new Set([...scripts.matchAll(/'([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*)'/g)].map(([, key]) => key));
  const direct = [...scripts.matchAll(/\bt\('([^']+)'/g)].map(([, key]) => key);
  assert.ok(direct.length > 50);
  assert.deepEqual(
    direct.filter((key) => !(key in english)),
    [],
  );
  const made = [...scripts.matchAll(/`([a-z$][^`]*)`/g)].map(([, text]) => text).filter((text) => /^[\w.]*\$\{[^}]+\}[\w.]*$/.test(text));
  const patterns = made.map((text) => new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{[^}]+\}/, '[\\w.]+')}$`)).filter((one) => one.source.length > 12);
  const left = Object.keys(own).filter((key) => !asked.has(key) && !patterns.some((pattern) => pattern.test(key)));
  assert.deepEqual(left, []);
});

test('no message is written twice', () => {
  const files = ['en', 'zh'].flatMap((language) =>
    ['www/i18n', 'crate/table/src/messages', 'crate/present/src/messages'].map((folder) => `${folder}/${language}.json`),
  );
  for (const file of files) {
    const keys = [...read(file).matchAll(/^ {2}"([^"]+)":/gm)].map(([, key]) => key);
    assert.ok(keys.length > 50, file);
    assert.deepEqual(
      keys.filter((key, place) => keys.indexOf(key) !== place),
      [],
      file,
    );
  }
});

test('a number before a noun chooses its form', () => {
  // Counts that are never one, and values that are not numbers.
  const fine = /\{(?:all|most|world|rate|name|part|device|operator|unit|time|length|input|rank|window|side|nameA|nameB)\}|ranks\.(?:not_a_job|one_recording)/;
  const found = Object.entries(english).flatMap(([key, message]) =>
    [...message.matchAll(/\{\w+\} (?:more |other |call |launch )?[a-z]+s\b/g)]
      .filter(([text]) => !fine.test(`${text} ${key}`))
      .map(([text]) => `${key}: ${text}`),
  );
  assert.deepEqual(found, []);
});
