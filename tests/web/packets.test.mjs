// Exports in Perfetto's own format: its engine shows the same of them as of the JSON.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, test} from 'node:test';

import {comparePackets} from './lib/export-check.mjs';
import {Perfetto} from './lib/perfetto.mjs';
import {environment, generated, realTraces, scratch, stepscope} from './lib/program.mjs';

const perfetto = await Perfetto.start(environment('PERFETTO'));
after(() => perfetto.close());

/** @param {string} name @param {string} trace @param {...string} options */
async function compared(name, trace, ...options) {
  const [json, packets] = [scratch(`packets/${name}.json`), scratch(`packets/${name}.pftrace`)];
  for (const file of [json, packets]) stepscope('export', trace, '-o', file, ...options);
  const found = await comparePackets(perfetto, json, packets);
  assert.deepEqual(found.problems, []);
  return {...found, share: fs.statSync(packets).size / fs.statSync(json).size};
}

test('slices, arrows, counters and arguments are those of the JSON', async () => {
  const trace = generated('packets/trace.json.gz', '--seed', '91', '--groups', '15');
  const found = await compared('all', trace);
  assert.ok(found.slices > 100 && found.arrows > 100 && found.arguments > 100, JSON.stringify(found));
  assert.ok(found.share < 0.5, `${found.share} of the JSON's bytes`);
  await compared('summary', trace, '--summary');
  await compared('part', trace, '--range', '1ms..4ms');
});

test('of recordings of our own, too, with counters and arrows that end where a slice began before', async () => {
  const folder = path.join(import.meta.dirname, '../fixtures/stepscope');
  const found = await compared('own', path.join(folder, 'compact/input.stepscope'));
  assert.ok(found.counters > 0 && found.arrows > 0, JSON.stringify(found));
});

test('real traces, where there are any', async () => {
  const traces = realTraces()
    .filter((file) => fs.statSync(file).size < 3e6)
    .slice(0, 1);
  if (!traces.length) console.log('SKIPPED: no real traces beside the project');
  for (const [index, trace] of traces.entries()) await compared(`real${index}`, trace);
});
