// The idle tab: what its captions say of the listed gaps, and the steps of a trace with one.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {summary, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();

/** A trace with steps of 30 kernels each, with 100 µs between them. @param {string} name @param {number} steps */
function kernels(name, steps) {
  const slice = (/** @type {object} */ of) => ({ph: 'X', pid: 1, tid: 1, ...of});
  const events = Array.from({length: steps}, (_, step) => [
    slice({cat: 'user_annotation', name: `ProfilerStep#${step + 3}`, ts: step * 4000, dur: 3900}),
    ...Array.from({length: 30}, (_, index) => [
      slice({cat: 'cuda_runtime', name: 'cudaLaunchKernel', ts: step * 4000 + 10 + index * 125, dur: 5, args: {correlation: step * 30 + index + 1}}),
      slice({
        cat: 'kernel',
        name: 'gemm',
        pid: 0,
        tid: 7,
        ts: step * 4000 + 20 + index * 125,
        dur: 25,
        args: {device: 0, stream: 7, correlation: step * 30 + index + 1},
      }),
    ]).flat(),
  ]).flat();
  return written(`idle/${name}.json`, JSON.stringify({schemaVersion: 1, deviceProperties: [{id: 0, name: 'A100'}], traceEvents: events}));
}

test('the caption of the longest gaps says how many are listed, and that they are of the whole trace', async () => {
  const trace = kernels('gaps', 4);
  const [{long_gaps: gaps}] = summary(trace).ranks[0].idle;
  const visit = await here.visit();
  await visit.open(trace);
  await visit.tab('idle');
  const lists = `The table lists the ${gaps.longest.length} longest.`;
  assert.equal((await visit.text('gaps-scope')).includes(lists), gaps.count > gaps.longest.length, `${gaps.count} gaps`);
  assert.ok(gaps.count > gaps.longest.length, 'more gaps than are listed');
  await visit.part('step').selectOption('1');
  await visit.until('the caption is about the step', async () => (await visit.text('gaps-scope')).startsWith('Whole trace, not the chosen step alone.'));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a trace with one step has no chart of one bar, and the number of its step is as wide as it is', async () => {
  const visit = await here.visit({viewport: {width: 1440, height: 900}});
  await visit.open(kernels('one', 1));
  assert.equal(await visit.page.locator('#panel [aria-labelledby="steps-title"]').isVisible(), false, 'one step needs no card');
  await visit.tab('steps');
  assert.equal(await visit.part('steps-chart').isVisible(), false);
  const scroll = visit.part('table-steps');
  const other = await scroll.locator('.row.head .cell', {hasText: 'Other'}).first().boundingBox();
  const frame = await scroll.boundingBox();
  assert.ok(other && frame && other.x + other.width <= frame.x + frame.width, 'all categories are in view');
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
