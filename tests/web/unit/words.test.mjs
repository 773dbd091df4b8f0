// Texts: messages and their language, names of units, values that are known in part, problems.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {has, preferredLanguage, t} from '../../../www/js/page/environment/i18n.js';
import {stepPlaces} from '../../../www/js/page/views/parts/step-places.js';
import {known, knownValue, peaksText, unitNames} from '../../../www/js/page/views/parts/units.js';
import {isCrash, problemOf} from '../../../www/js/shared/problem.js';
import {inPage, speak} from './lib/page.mjs';

const wasm = {
  is_enough: (/** @type {number} */ coverage) => coverage >= 0.8,
  percent: (/** @type {number | null | undefined} */ share) => `${Math.round((share ?? 0) * 100)} %`,
};

/** Has the browser prefer languages. @param {...string} languages */
function browser(...languages) {
  Object.defineProperty(globalThis, 'navigator', {value: {languages, language: languages[0]}, configurable: true});
}

test('messages are said in the language that is loaded, with names filled in', async () => {
  assert.equal((await speak('en')).lang, 'en');
  const english = t('table.found', {shown: 3, all: 10});
  assert.match(english, /3.*10/);
  assert.equal((await speak('zh')).lang, 'zh-Hans');
  const chinese = t('table.found', {shown: 3, all: 10});
  assert.match(chinese, /3.*10|10.*3/);
  assert.match(chinese, /\p{Script=Han}/u);
  await speak('en');
  assert.equal(t('table.found', {shown: 3, all: 10}), english, 'and back');
});

test('a key without a message is said as it is, and a name without a value stays', async () => {
  await speak();
  assert.equal(t('no.such.message'), 'no.such.message');
  assert.deepEqual([has('no.such.message'), has('table.found')], [false, true]);
  assert.match(t('table.found', {shown: 3}), /\{all\}/);
  assert.equal(t('{a}', {a: '{b}', b: 'x'}), '{b}', 'a value is no pattern');
});

test('a noun has the form that fits its number', () => {
  const of = (/** @type {string | number} */ n) => t('{n} {n|rule|rules} {n|applies|apply}', {n});
  assert.deepEqual([of(0), of(1), of('1'), of(2), of('1 001')], ['0 rules apply', '1 rule applies', '1 rule applies', '2 rules apply', '1 001 rules apply']);
});

test("the language is the one that was chosen, else the browser's", () => {
  inPage();
  for (const [languages, wanted] of /** @type {[string[], string][]} */ ([
    [['zh-CN'], 'zh'],
    [['zh-TW', 'en'], 'zh'],
    [['de', 'zh'], 'zh'],
    [['en-GB', 'zh'], 'en'],
    [['fr'], 'en'],
  ])) {
    browser(...languages);
    assert.equal(preferredLanguage(), wanted, languages.join());
  }
  browser('zh-CN');
  inPage({remembered: {language: 'en'}});
  assert.equal(preferredLanguage(), 'en');
  inPage({remembered: {language: 'tlh'}});
  assert.equal(preferredLanguage(), 'zh', 'another page may have kept something there');
});

test('units are called as the vendor calls them', async () => {
  await speak();
  const [nvidia, other] = [unitNames('nvidia'), unitNames(undefined)];
  assert.deepEqual(Object.keys(nvidia), Object.keys(other));
  assert.notDeepEqual(nvidia, other);
  for (const names of [nvidia, other]) {
    for (const [name, text] of Object.entries(names)) {
      assert.ok(text && !text.startsWith('units.'), name);
      if (/^[A-Z]/.test(name))
        assert.equal(
          text,
          names[name.toLowerCase()].replace(/^./, (first) => first.toUpperCase()),
        );
    }
  }
});

test('a value that is known for too little of the time is not said, and does not sort', async () => {
  await speak();
  assert.equal(known(wasm, '50 %', 0.9), '50 %');
  assert.equal(known(wasm, '50 %', undefined), '50 %');
  assert.equal(known(wasm, '50 %', 0.3), 'known for only 30 % of its time');
  assert.deepEqual([knownValue(wasm, 5, null), knownValue(wasm, 5, 0.9), knownValue(wasm, 5, 0.3)], [5, 5, null]);
});

test('peaks are said as they are typed', () => {
  assert.equal(peaksText(/** @type {any} */ ({given_peaks: {bf16: 989, memory: 3.35}})), 'bf16=989, memory=3.35');
  assert.equal(peaksText(undefined), '');
});

test('steps stand at their numbers if these rise, else one after the other', () => {
  const places = (/** @type {string[]} */ ...names) => stepPlaces(names.map((name) => ({name})));
  assert.deepEqual(places('7', '8', '10'), [7, 8, 10]);
  assert.deepEqual(places('8', '7'), [0, 1]);
  assert.deepEqual(places('1', 'warm-up'), [0, 1]);
  assert.deepEqual(places('3', '3'), [0, 1]);
  assert.deepEqual(places(), []);
});

test('what is thrown is told as a problem of the file', () => {
  const codeOf = (/** @type {unknown} */ error) => problemOf(error, 'a.json').code;
  assert.equal(codeOf(new DOMException('', 'AbortError')), 'cancelled');
  assert.equal(codeOf(new DOMException('', 'NotReadableError')), 'unreadable');
  assert.equal(codeOf(new DOMException('', 'NotFoundError')), 'unreadable');
  assert.equal(codeOf(new WebAssembly.RuntimeError('unreachable')), 'crashed');
  assert.equal(codeOf(new RangeError('Out of memory')), 'crashed');
  assert.equal(codeOf(new Error('else')), 'io');
  assert.deepEqual(problemOf('a text', 'a.json'), {code: 'io', file: 'a.json', position: null, message: 'a text', tried: [], expected: ''});
  const problem = {code: 'not_json', file: 'b.json', position: 7, message: 'x', tried: [], expected: ''};
  assert.equal(problemOf(problem, 'a.json'), problem, 'what is one already is told as it is');
  assert.deepEqual([isCrash(new Error('no')), isCrash(null)], [false, false]);
});
