// Recordings of the recorder: of unchanged Python scripts, of programs with the library, of killed ones.

import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {environment, scratch, stepscope, summary} from './lib/program.mjs';
import {site} from './lib/site.mjs';
import {heads, openTimeline, until} from './lib/timeline.mjs';

/** @typedef {import('./lib/site.mjs').Visit} Visit */

const here = site();
const fixtures = path.join(import.meta.dirname, '../fixtures/stepscope');
const examples = path.join(import.meta.dirname, '../../collector/python/examples');

/** The recording of a fixture. @param {string} name */
function fixture(name) {
  const folder = path.join(fixtures, name);
  return path.join(folder, fs.readdirSync(folder).find((file) => file.startsWith('input.')) ?? '');
}

/** Rows of the open table. @param {Visit} visit */
function rows(visit) {
  return visit.page.locator('[data-test="table-steps"] .rows .row').count();
}

/** Waits until a search has found so many. @param {Visit} visit @param {number} count */
function found(visit, count) {
  return visit.page.waitForFunction((count) => document.querySelector('[data-test="find-said"]')?.textContent?.startsWith(`${count} `), count);
}

/** Records a command; gives the files. @param {string} name @param {string[]} command @param {...string} options @returns {string[]} */
function recorded(name, command, ...options) {
  const output = scratch(`recordings/${name}.stepscope`);
  const folder = path.dirname(output);
  for (const old of fs.readdirSync(folder)) if (old.startsWith(`${name}.`)) fs.rmSync(path.join(folder, old), {recursive: true});
  stepscope('record', '-o', output, ...options, '--', ...command);
  return fs
    .readdirSync(folder)
    .filter((file) => file.startsWith(`${name}.`))
    .map((file) => path.join(folder, file));
}

test('recordings of unchanged scripts show their steps and phases', async () => {
  for (const name of ['torch', 'paddle']) {
    const visit = await here.visit();
    const file = fixture(name);
    const [rank] = summary(file).ranks;
    assert.ok(rank.steps.length > 3, name);
    await openTimeline(visit, file);
    const threads = (await heads(visit)).filter(({key}) => key.startsWith('row:'));
    assert.ok(threads.length > 1, `${name}: ${threads.map(({title}) => title)}`);
    await visit.tab('steps');
    await visit.page.locator('.rows .row').first().waitFor();
    assert.equal(await rows(visit), rank.steps.length, name);
    const waits = rank.steps.filter((/** @type {any} */ {categories}) => categories.dataloader_ns > 0);
    assert.ok(waits.length > 0, `${name}: a step waits for data`);
    assert.ok(
      rank.steps.some((/** @type {any} */ {phases}) => phases.forward?.calls > 0 && phases.optimizer?.calls > 0),
      `${name}: phases`,
    );
    assert.deepEqual(visit.complaints, []);
    await visit.close();
  }
});

test('what a program says of its spans is shown with them', async () => {
  const visit = await here.visit({viewport: {width: 1280, height: 1200}});
  await openTimeline(visit, fixture('arguments'));
  // A layer of the example: its arguments and its number.
  await visit.part('find').fill('linear');
  await visit.part('find').press('Enter');
  await until(visit, ({selected}) => selected.length > 0);
  await visit.part('event-args').waitFor();
  const said = await visit.text('event-args');
  for (const part of ['dropout', '0.25', 'shift', '-1']) assert.ok(said.includes(part), said);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test("a killed program's recording is opened as it was left", async () => {
  const visit = await here.visit();
  const scene = await openTimeline(visit, fixture('killed'));
  assert.ok(scene.whole > 0);
  await visit.part('find').fill('"train step"');
  await found(visit, summary(fixture('killed')).ranks[0].steps.length);
  // The step that was open at the kill is there, with a warning.
  await visit.tab('overview');
  assert.match(await visit.page.locator('main').innerText(), /train step/);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('a command with the library in it is recorded, with the machine around it', async () => {
  const program = path.join(path.dirname(environment('STEPSCOPE_PROGRAM')), 'examples', 'mlp');
  const files = recorded('mlp', [program, scratch('recordings/own')], '--sample', '50');
  assert.equal(files.length, 1, `${files}`);
  const visit = await here.visit();
  await openTimeline(visit, ...files);
  const titles = (await heads(visit)).map(({title}) => title).join('\n');
  assert.match(titles, /CPU/i);
  await visit.tab('steps');
  await visit.page.locator('.rows .row').first().waitFor();
  const [rank] = summary(...files).ranks;
  assert.ok(rank.steps.length > 10, `${rank.steps.length} steps`);
  await visit.tab('resources');
  await visit.part('table-resources').waitFor();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

const python = process.env.STEPSCOPE_PYTHON ?? 'python3';
const has = (/** @type {string} */ module) => spawnSync(python, ['-c', `import ${module}`]).status === 0;

test('an unchanged script with NVTX is recorded', {skip: !has('nvtx') && 'SKIPPED: no nvtx in Python'}, async () => {
  const files = recorded('nvtx', [python, path.join(examples, 'ranges_nvtx.py')]);
  assert.equal(files.length, 1, `${files}`);
  const visit = await here.visit();
  await openTimeline(visit, ...files);
  await visit.part('find').fill('"load"');
  await found(visit, 4);
  await visit.part('find').fill('"library:work"');
  await found(visit, 4);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});

test('an unchanged script of PyTorch is recorded by hooks', {skip: !has('torch') && 'SKIPPED: no torch in Python'}, async () => {
  const files = recorded('torch', [python, path.join(examples, 'train_torch.py')], '--python-hooks');
  const visit = await here.visit();
  await visit.open(...files);
  const told = JSON.parse(execFileSync(environment('STEPSCOPE_PROGRAM'), ['summary', '--json', ...files]).toString());
  assert.ok(told.ranks[0].steps.length > 3);
  await visit.tab('steps');
  await visit.page.locator('.rows .row').first().waitFor();
  assert.equal(await rows(visit), told.ranks[0].steps.length);
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
