// Texts of start and end of the timeline's range, with as many digits as the length needs.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {startText} from '../../../www/js/page/timeline/start-text.js';

const wasm = {duration: (/** @type {number} */ nanos) => `${nanos} as durations have it`};

test('both ends of a short range differ by its length', () => {
  assert.equal(startText(228_341_230, 39_410, wasm), '228.34123 ms');
  assert.equal(startText(228_380_640, 39_410, wasm), '228.38064 ms');
  assert.equal(startText(1_500_000_000, 2_000, wasm), '1.500000000 s');
  assert.equal(startText(1_500_002_000, 2_000, wasm), '1.500002000 s');
  assert.equal(startText(-2_000_000, 1_000, wasm), '-2.000000 ms');
});

test('no time has fewer digits than a duration has', () => {
  for (const [at, length] of [
    [12_345, 1_000_000_000],
    [12_345, 12_345],
    [0, 5],
    [12_345, 0],
  ])
    assert.equal(startText(at, length, wasm), wasm.duration(at));
});
