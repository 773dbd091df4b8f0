// Messages: every language has each, with the same gaps to fill; none is missing, none is left over.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

const root = path.join(import.meta.dirname, '../..');
const read = (/** @type {string} */ name) => fs.readFileSync(path.join(root, name), 'utf8');
/** @type {Record<string, string>} */
const english = JSON.parse(read('www/i18n/en.json'));
const languages = fs.readdirSync(path.join(root, 'www/i18n')).filter((name) => name !== 'en.json');

const scripts = fs
  .readdirSync(path.join(root, 'www/js'), {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.js'))
  .map((name) => read(`www/js/${name}`))
  .join('\n');

/** Stable names that a Rust source gives to its variants. @param {string} file @param {RegExp} pattern */
function names(file, pattern) {
  const found = [...read(file).matchAll(pattern)].map(([, name]) => name);
  assert.ok(found.length > 5, file);
  return found;
}

test('every language has the same messages with the same gaps', () => {
  assert.ok(languages.length > 0);
  const gaps = (/** @type {string} */ text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const language of languages) {
    const messages = JSON.parse(read(`www/i18n/${language}`));
    assert.deepEqual(Object.keys(messages), Object.keys(english), language);
    for (const [key, text] of Object.entries(english)) {
      assert.deepEqual(gaps(messages[key]), gaps(text), `${language} ${key}`);
      assert.ok(messages[key].trim(), `${language} ${key}`);
    }
  }
});

test('every message that is asked for is there, and each is asked for', () => {
  const asked = new Set([...scripts.matchAll(/'([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*)'/g)].map(([, key]) => key));
  const direct = [...scripts.matchAll(/\bt\('([^']+)'/g)].map(([, key]) => key);
  assert.ok(direct.length > 50);
  assert.deepEqual(direct.filter((key) => !(key in english)), []);
  const made = [...scripts.matchAll(/`([a-z$][^`]*)`/g)].map(([, text]) => text).filter((text) => /^[\w.]*\$\{[^}]+\}[\w.]*$/.test(text));
  const patterns = made.map((text) => new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{[^}]+\}/, '[\\w.]+')}$`)).filter((one) => one.source.length > 12);
  const left = Object.keys(english).filter((key) => !asked.has(key) && !patterns.some((pattern) => pattern.test(key)));
  assert.deepEqual(left, []);
});

test('every warning and every error of the analyzer has a message', () => {
  const warnings = names('crate/src/warn.rs', /^    \w+ = "(\w+)", \w+;$/gm);
  assert.deepEqual(warnings.filter((code) => !(`warning.${code}` in english)), []);
  // An error of the system says by itself what it is.
  const errors = names('crate/src/error.rs', /ErrorKind::\w+[^=\n]*=> "(\w+)",$/gm).filter((code) => code !== 'io');
  assert.deepEqual(errors.filter((code) => !(`problem.${code}` in english)), []);
  const shown = Object.keys(english).filter((key) => key.startsWith('warning.')).map((key) => key.replace('warning.', ''));
  assert.deepEqual(shown.filter((code) => !warnings.includes(code)), [], 'messages of warnings that are no more');
});
