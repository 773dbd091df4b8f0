// The program's output follows the published schemas: all summaries of fixtures, with no key that a schema does not name.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {Ajv} from 'ajv';

const root = new URL('../../../', import.meta.url);
const schema = JSON.parse(fs.readFileSync(new URL('crate/export/schema/summary-1.json', root), 'utf8'));

/** Forbids keys that are not named, but where keys are names themselves. @param {any} part of a schema @returns {any} */
function strict(part) {
  if (!part || typeof part !== 'object') return part;
  /** @type {any} */
  const inner = Array.isArray(part) ? part.map(strict) : Object.fromEntries(Object.entries(part).map(([key, value]) => [key, strict(value)]));
  if (part.type === 'object' && part.properties && !('additionalProperties' in part)) inner.additionalProperties = false;
  return inner;
}

/** @param {string} folder @returns {string[]} the summaries below it */
function summaries(folder) {
  return fs.readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) return summaries(inside);
    return inside.endsWith(path.join('expected', 'summary.json')) ? [inside] : [];
  });
}

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: Object.fromEntries(['int64', 'uint64', 'uint32', 'uint8', 'uint', 'int', 'double', 'float'].map((name) => [name, true])),
});
const check = ajv.compile(strict(schema));
const files = summaries(new URL('tests/fixtures', root).pathname);

test('all summaries of fixtures are as their schema says', () => {
  assert.ok(files.length > 100, `${files.length} summaries`);
  const wrong = files.flatMap((file) => {
    const summary = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (check(summary)) return [];
    return [`${file}: ${(check.errors ?? []).slice(0, 3).map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)}`];
  });
  assert.deepEqual(wrong, []);
});

test('a summary that is not as its schema says is found', () => {
  /** @type {Record<string, unknown>} */
  const summary = JSON.parse(fs.readFileSync(files[0], 'utf8'));
  assert.ok(check(summary));
  for (const wrong of [
    {...summary, inputs: 1},
    {...summary, unknown: 1},
    {...summary, schema: undefined},
  ])
    assert.equal(check(JSON.parse(JSON.stringify(wrong))), false);
});
