// Advice on the operators of a data pipeline, one for each kind, as in MindSpore's guide.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {adviceKey} from '../../../www/js/page/views/data/pipeline-advice.js';

test('dataset, generator, map and batch operators have advice of their own', () => {
  const of = (/** @type {string} */ type, /** @type {number[]} */ children) => adviceKey({type, children});
  assert.deepEqual(
    [of('TFReader', []), of('Generator', []), of('GeneratorOp', []), of('Map', [3]), of('MapOp', [3]), of('Batch', [2]), of('Repeat', [1])],
    ['source', 'generator', 'generator', 'map', 'map', 'batch', 'other'].map((kind) => `data.advice.${kind}`),
  );
});
