// Exports: Perfetto's own engine shows every slice of them, and opened again they give the same numbers.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, test} from 'node:test';
import zlib from 'node:zlib';

import {checkExport} from './lib/export-check.mjs';
import {Perfetto} from './lib/perfetto.mjs';
import {environment, generated, realFolders, realTraces, scratch, stepscope, summary} from './lib/program.mjs';
import {site} from './lib/site.mjs';

// Before the browser: while it starts it changes globals that a browser's driver needs.
const perfetto = await Perfetto.start(environment('PERFETTO'));
after(() => perfetto.close());

const here = site();
const trace = generated('export/trace.json.gz', '--seed', '91', '--groups', '15');

/** The numbers of a summary that an export must preserve: all but the file's names. @param {string} file */
function numbers(file) {
  const {inputs, ranks} = summary(file);
  return {
    slices: inputs[0].slices,
    ranks: ranks.map((/** @type {any} */ rank) => {
      // Tables that the profiler wrote are no part of an export, nor the curves in them.
      const {input: _, recorded, resources, ...rest} = rank;
      return rest;
    }),
  };
}

test('what the page exports in every detail, Perfetto shows without loss, and the page opens again', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const tiles = await visit.tiles();
  const {name, file} = await visit.export('perfetto');
  assert.equal(name, 'trace.perfetto.json.gz');
  const found = await checkExport(perfetto, file);
  assert.deepEqual(found.problems, []);
  assert.ok(found.slices >= summary(trace).inputs[0].slices && found.flows > 100, JSON.stringify(found));
  await visit.open(file);
  assert.match(await visit.page.title(), /^trace\.perfetto/);
  assert.deepEqual(await visit.tiles(), tiles);
  assert.deepEqual(numbers(file), numbers(trace));
  const again = await visit.export('perfetto');
  assert.equal(again.name, 'trace.perfetto.perfetto.json.gz');
  assert.deepEqual(numbers(again.file), numbers(trace));
  await visit.close();
});

test("the page's summary export is small, and Perfetto shows its lanes", async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const detail = await visit.export('perfetto');
  const {name, file, bytes} = await visit.export('summary');
  assert.equal(name, 'trace.summary.json.gz');
  assert.ok(bytes.length < detail.bytes.length / 5);
  const found = await checkExport(perfetto, file);
  assert.deepEqual(found.problems, []);
  const {steps} = summary(trace).ranks[0];
  await perfetto.load(bytes);
  const names = new Set((await perfetto.query('select distinct name from slice')).map((row) => row.name));
  for (const step of steps)
    assert.ok(
      [...names].some((one) => one.includes(step.name)),
      `step ${step.name}`,
    );
  await visit.close();
});

test('the page and the program export the same text', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  for (const [kind, option] of /** @type {const} */ ([
    ['perfetto', '--detail'],
    ['summary', '--summary'],
  ])) {
    const {bytes} = await visit.export(kind);
    const file = scratch('export/program.json');
    stepscope('export', option, '-o', file, trace);
    assert.ok(fs.readFileSync(file).equals(zlib.gunzipSync(bytes)), kind);
  }
  await visit.close();
});

test('the chosen step is exported alone, as the program does; the other entries say that they save the whole trace', async () => {
  const visit = await here.visit();
  await visit.open(trace);
  const {steps} = summary(trace).ranks[0];
  const offered = () => visit.page.locator('.menu[open] .menu-item').allInnerTexts();
  await visit.part('export').click();
  assert.deepEqual((await offered()).slice(0, 2), ['Perfetto trace, every event', 'Perfetto trace, summary']);
  await visit.part('export').click();
  await visit.part('step').selectOption('1');
  await visit.part('export').click();
  assert.deepEqual((await offered()).slice(0, 3), [
    `Step ${steps[1].name} for Perfetto`,
    'Perfetto trace, every event (whole trace)',
    'Perfetto trace, summary (whole trace)',
  ]);
  await visit.part('export').click();
  const assertIs = (/** @type {Buffer} */ bytes, /** @type {{start_ns: number, end_ns: number}} */ {start_ns: start, end_ns: end}) => {
    const file = scratch('export/step.json');
    stepscope('export', '--detail', '--range', `${start}ns..${end}ns`, '-o', file, trace);
    assert.ok(fs.readFileSync(file).equals(zlib.gunzipSync(bytes)), `${start}..${end}`);
  };
  const {name, bytes} = await visit.export('step');
  assert.equal(name, `trace.step-${steps[1].name}.perfetto.json.gz`);
  assertIs(bytes, steps[1]);
  // The same of another step, by its row.
  await visit.tab('steps');
  const row = visit.part('table-steps').locator('.rows .row').nth(2);
  await row.click();
  const link = visit.part('step-export').first();
  const shown = await link.innerText();
  const of = steps.find((/** @type {{name: string}} */ step) => shown === `Step ${step.name} for Perfetto`);
  assert.ok(of, shown);
  assertIs((await visit.saved(() => link.click())).bytes, of);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('one of several ranks is exported: the one that is shown', async () => {
  const ranks = [0, 1].map((rank) => generated(`export/job${rank}.json`, '--rank', String(rank), '--seed', String(95 + rank)));
  const visit = await here.visit();
  await visit.open(...ranks);
  await visit.part('rank').selectOption('1');
  await visit.page.waitForFunction(() => document.title.startsWith('job1'));
  const {name, file} = await visit.export('perfetto');
  assert.equal(name, 'job1.perfetto.json.gz');
  assert.deepEqual(numbers(file), numbers(ranks[1]));
  await visit.close();
});

test('all ranks are exported into one file, side by side', async () => {
  const ranks = [0, 1].map((rank) => generated(`export/all${rank}.json`, '--rank', String(rank), '--seed', String(97 + rank)));
  const visit = await here.visit();
  await visit.open(ranks[0]);
  await visit.part('export').click();
  assert.equal(await visit.part('export.perfetto.all').isVisible(), false, 'one rank needs no such choice');
  await visit.open(...ranks);
  const written = ranks.map((file, rank) => {
    const one = scratch(`export/alone${rank}.json`);
    stepscope('export', '-o', one, file);
    return one;
  });
  const {name, file} = await visit.export('perfetto.all');
  assert.equal(name, 'all0.all-ranks.perfetto.json.gz');
  const both = await checkExport(perfetto, file);
  assert.deepEqual(both.problems, []);
  const alone = [];
  for (const one of written) alone.push(await checkExport(perfetto, one));
  assert.equal(both.slices, alone[0].slices + alone[1].slices);
  await visit.close();
});

test('exports of traces of every shape and producer are without loss', async () => {
  const fixtures = path.join(import.meta.dirname, '../fixtures');
  const folders = fs.readdirSync(fixtures, {withFileTypes: true}).filter((entry) => entry.isDirectory());
  const groups = folders.map(({name}) => name).filter((name) => !['errors', 'make', 'references', 'timeline'].includes(name));
  let samples = 0;
  const exported = new Map(groups.map((group) => [group, 0]));
  for (const group of groups) {
    for (const shape of fs.readdirSync(path.join(fixtures, group))) {
      const folder = path.join(fixtures, group, shape);
      if (!fs.existsSync(path.join(folder, 'expected/summary.json'))) continue;
      const input = fs.readdirSync(folder).find((name) => name === 'input' || name.startsWith('input.')) ?? '';
      const {inputs, ranks} = JSON.parse(fs.readFileSync(path.join(folder, 'expected/summary.json'), 'utf8'));
      // A double, which Perfetto reads times into, cannot hold these; the trace's data card says so.
      const far = inputs.some((/** @type {any} */ {warnings}) => warnings.some((/** @type {{code: string}} */ {code}) => code === 'times_far_apart'));
      if (far || ranks.some((/** @type {any} */ rank) => rank.only_tables)) continue;
      for (const level of ['--detail', '--summary']) {
        const written = scratch('export/shape.json');
        stepscope('export', level, '--merge', '-o', written, path.join(folder, input));
        const found = await checkExport(perfetto, written);
        assert.deepEqual(found.problems, [], `${group}/${shape} ${level}`);
        samples += found.samples;
      }
      exported.set(group, (exported.get(group) ?? 0) + 1);
    }
  }
  assert.ok(samples > 0, 'some of them have counters');
  for (const [group, count] of exported) assert.ok(count > 0 || group === 'mindspore_tables', `${group}: nothing is exported`);
});

test('exports of real traces are without loss', async (context) => {
  const files = realTraces();
  if (!files.length) {
    context.diagnostic('SKIPPED: there are no real traces beside the project');
    return;
  }
  for (const file of files) {
    for (const level of ['--detail', '--summary']) {
      const written = scratch('export/real.json');
      stepscope('export', level, '-o', written, file);
      const started = Date.now();
      const {problems, slices} = await checkExport(perfetto, written);
      assert.deepEqual(problems, [], `${path.basename(file)} ${level}`);
      context.diagnostic(`${path.basename(file)} ${level}: ${slices} slices, ${Date.now() - started} ms`);
      if (level === '--detail') assert.deepEqual(numbers(written), numbers(file), path.basename(file));
    }
  }
});

test('exports of real traces of other producers are without loss', async (context) => {
  const found = realFolders();
  if (!found.length) {
    context.diagnostic('SKIPPED: there are no real traces beside the project');
    return;
  }
  for (const folder of found) {
    for (const level of ['--detail', '--summary']) {
      const written = scratch('export/folder.json');
      stepscope('export', level, '--merge', '-o', written, folder);
      const {problems, slices} = await checkExport(perfetto, written);
      assert.deepEqual(problems, [], `${folder} ${level}`);
      context.diagnostic(`${path.basename(folder)} ${level}: ${slices} slices`);
    }
  }
});

test('chosen ranks are exported, as the program does; a list with a fault says so', async () => {
  const ranks = [0, 1, 2].map((rank) => generated(`export/some${rank}.json`, '--rank', String(rank), '--seed', String(99 + rank)));
  const visit = await here.visit();
  await visit.open(...ranks);
  await visit.part('export').click();
  await visit.part('export.ranks').click();
  const [which, status, save] = ['which', 'status', 'save'].map((part) => visit.part(`export-ranks-${part}`));
  assert.deepEqual([await which.inputValue(), await status.innerText()], ['0–2', '3 ranks']);
  await which.fill('0, 5');
  assert.deepEqual([await status.innerText(), await save.isDisabled()], ['No trace of rank 5 is open.', true]);
  await which.fill('0, two');
  assert.match(await status.innerText(), /^Give ranks as numbers and ranges/);
  await which.fill('0, 2');
  // As in MindSpore's guide, the summary is the default.
  assert.equal(await visit.part('export-ranks-level').inputValue(), 'summary');
  await visit.part('export-ranks-level').selectOption('detail');
  const {name, bytes} = await visit.saved(() => save.click());
  assert.equal(name, 'some0.ranks-0-2.perfetto.json.gz');
  const file = scratch('export/some.json');
  stepscope('export', '--ranks', '0,2', '--merge', '-o', file, ...ranks);
  assert.ok(fs.readFileSync(file).equals(zlib.gunzipSync(bytes)));
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
