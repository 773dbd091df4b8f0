// Markup in the texts of any producer's files stays text, as markup.test.mjs checks for PyTorch's.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {generated, thorough} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {taintedCopy, taintedRecording} from './lib/tainted-files.mjs';
import {walk} from './lib/walk.mjs';

/** @typedef {Parameters<typeof walk>[1]} Expected */

const here = site();
const fixtures = path.join(import.meta.dirname, '../fixtures');

/** The input of a golden case, tainted. @param {string} name */
function fixture(name) {
  const folder = path.join(fixtures, name);
  const input = fs.readdirSync(folder).find((entry) => entry === 'input' || entry.startsWith('input.'));
  assert.ok(input, `${name} has an input`);
  return taintedCopy(path.join(folder, input), `markup-formats/${name}${path.extname(input)}`);
}

/** A tainted copy of the generator's file for a producer. @param {string} producer @param {string} file */
function written(producer, file) {
  return taintedCopy(generated(`markup-formats/clean/${file}`, '--as', producer, '--seed', '5', '--steps', '4'), `markup-formats/${file}`);
}

/** Each producer's file, its maker, and the page's view of it; the first one of each reader is always tested. @type {[what: string, format: string, make: () => string, expected: Expected][]} */
const producers = [
  ['a database of Nsight Systems, with all that those hold', 'nsys', () => fixture('nsys/schema_2023'), {}],
  ['an older one', 'nsys', () => fixture('nsys/schema_2019'), {}],
  ["a database of NVIDIA's Visual Profiler", 'nvvp', () => fixture('nvvp/cuda_9'), {}],
  ["nvprof's text", 'nvprof', () => fixture('nvprof/both_traces'), {}],
  ["nvprof's tables", 'nvprof', () => written('nvprof', 'nvprof.csv'), {}],
  ["Paddle's JSON", 'paddle', () => written('paddle', 'paddle.json'), {}],
  ["Paddle's messages", 'paddle_protobuf', () => fixture('paddle/protobuf_gpu'), {}],
  ["a folder of MindSpore's profiler", 'mindspore', () => fixture('mindspore/ascend_view'), {}],
  ['what CANN exports', 'mindspore', () => fixture('mindspore/msprof'), {}],
  ['what MindSpore left before it was analysed', 'mindspore_raw', () => fixture('mindspore/kernel_table'), {}],
  ['what its processors wrote down', 'mindspore_raw', () => fixture('mindspore/ended_before_analyse'), {}],
  ['what a GPU did', 'mindspore_raw', () => fixture('mindspore/raw_times_of_a_gpu'), {}],
  ['what an Ascend did', 'mindspore_raw', () => fixture('mindspore/raw_times_of_an_ascend'), {}],
  ["MindSpore's tables of an Ascend", 'mindspore_tables', () => fixture('mindspore_tables/ascend_two_ranks'), {events: false}],
  ['of a GPU', 'mindspore_tables', () => fixture('mindspore_tables/gpu'), {events: false}],
  ['of how data came', 'mindspore_tables', () => fixture('mindspore_tables/data_pipeline'), {events: false}],
  ["JAX's trace", 'chrome', () => fixture('chrome/jax_gpu'), {}],
  ["Chrome's, as VizTracer writes it", 'chrome', () => fixture('chrome/viztracer'), {}],
  ["V8's samples", 'v8_cpuprofile', () => fixture('chrome/cpuprofile'), {}],
  ['a recording of our own', 'stepscope', () => taintedRecording('markup-formats/recording.stepscope'), {}],
];

for (const [place, [what, format, make, expected]] of producers.entries()) {
  const isFirst = producers.findIndex(([, other]) => other === format) === place;
  test(`${what} (${format})`, isFirst ? {} : thorough, async () => {
    const visit = await here.visit();
    await visit.drop(make());
    await visit.results();
    const {bytes} = await visit.export('json');
    const {inputs} = JSON.parse(bytes.toString());
    assert.equal(inputs[0].format, format, 'it is still taken for what it is');
    await walk(visit.page, {tabs: 3, texts: 3, args: false, ...expected});
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  });
}
