// Values of a pretty-printed file on one line.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {factsOf} from '../../../www/js/page/views/event/event-facts.js';
import {oneLine} from '../../../www/js/page/views/event/one-line.js';

const shapes = [[1, 141, 512], [], [512, 512]];

test('line breaks between the parts of a value are left out', () => {
  assert.equal(oneLine(JSON.stringify(shapes, null, 8)), '[[1, 141, 512], [], [512, 512]]');
  assert.equal(oneLine(JSON.stringify(shapes, null, '\t').replaceAll('\n', '\r\n')), '[[1, 141, 512], [], [512, 512]]');
  assert.equal(oneLine('[\n]'), '[]');
  assert.equal(oneLine('{\n  "a": [\n    1\n  ]\n}'), '{"a": [1]}');
});

test('a value on one line stays as it stands in the file', () => {
  for (const value of ['', '[[2,3],[3,4]]', '[ [2, 3],  [] ]', '1.50', '[["a, b"]]']) assert.equal(oneLine(value), value);
});

test('strings stay as they are, also those that are cut or have quotes', () => {
  const strings = ['', 'a\nb', '[\n 1\n]', '\\"\n'];
  for (const value of [`["${strings.join('",\n "')}"]`, '["a,\n  b']) assert.equal(oneLine(value), value.replaceAll('",\n "', '", "'));
});

test('shapes, types and concrete inputs of an event are on one line', () => {
  const lines = (/** @type {unknown} */ value) => JSON.stringify(value, null, 2);
  const facts = {shapes: lines(shapes), types: lines(['float', 'int']), concrete_inputs: lines(['', '1'])};
  const app = {wasm: {}, state: {summary: null, rank: 0}};
  assert.deepEqual(factsOf(/** @type {any} */ (app), /** @type {any} */ ({facts})).slice(0, 3), [
    ['shapes', '[[1, 141, 512], [], [512, 512]]'],
    ['types', '["float", "int"]'],
    ['concrete_inputs', '["", "1"]'],
  ]);
});

test('no value takes long', () => {
  const many = 200_000;
  for (const value of [' '.repeat(many), `"${'\\"'.repeat(many)}\\`, `"${'x'.repeat(50 * many)}`, '"\\'.repeat(many), '[ '.repeat(many)])
    assert.equal(oneLine(value), value);
});
