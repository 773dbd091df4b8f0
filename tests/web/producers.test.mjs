// Every producer's files, dropped on the page: the page gives the program's numbers.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {stepscope, written} from './lib/program.mjs';
import {site} from './lib/site.mjs';

const here = site();
const fixtures = path.join(import.meta.dirname, '../fixtures');

/** Drops a file or folder on a fresh page; the page's numbers must be the program's. @param {string} what @param {string} format */
async function assertAsProgram(what, format) {
  const visit = await here.visit();
  const report = await assertSame(visit, what, format);
  await visit.close();
  return report;
}

/** @param {import('./lib/site.mjs').Visit} visit @param {string} what @param {string} format */
async function assertSame(visit, what, format) {
  await visit.replaced(() => visit.drop(what));
  const {bytes} = await visit.export('json');
  // The program names a file by the path it was given, the page by that in the drop.
  const expected = stepscope('summary', '--json', what)
    .toString()
    .replaceAll(`${path.dirname(what)}/`, '');
  assert.ok(`${bytes}\n` === expected, `${what} on the page is not as the program reads it`);
  const {inputs} = JSON.parse(expected);
  assert.equal(inputs[0].format, format);
  assert.deepEqual(visit.complaints, []);
  return JSON.parse(expected);
}

/** The input of a golden case: its folder or its only file. @param {string} name */
function input(name) {
  const folder = path.join(fixtures, name);
  const found = fs.readdirSync(folder).find((entry) => entry === 'input' || entry.startsWith('input.'));
  assert.ok(found, `${name} has an input`);
  return path.join(folder, found);
}

for (const name of ['ascend_display', 'ascend_view', 'cpu_view', 'msprof', 'ended_before_analyse', 'gpu_display']) {
  test(`a folder of MindSpore's profiler is dropped whole: ${name}`, () =>
    assertAsProgram(input(`mindspore/${name}`), name === 'ended_before_analyse' ? 'mindspore_raw' : 'mindspore'));
}

test("a folder of tables, its data pipeline's among them", async () => {
  const {ranks} = await assertAsProgram(input('mindspore_tables/data_pipeline'), 'mindspore_tables');
  assert.ok(ranks[0].recorded.length > 2 && ranks[0].pipeline);
});

for (const [name, format] of [
  ['nsys/schema_2019', 'nsys'],
  ['nsys/schema_2023', 'nsys'],
  ['nvvp/cuda_9', 'nvvp'],
]) {
  test(`a database is read here and there: ${name}`, async () => {
    const {ranks} = await assertAsProgram(input(name), format);
    assert.ok(ranks[0].device_time[0].busy_ns > 0);
  });
}

for (const group of ['nvprof', 'paddle', 'chrome']) {
  test(`each case of ${group}, one after the other`, async () => {
    const visit = await here.visit();
    for (const name of fs.readdirSync(path.join(fixtures, group))) {
      const report = path.join(fixtures, group, name, 'expected/summary.json');
      if (fs.existsSync(report)) await assertSame(visit, input(`${group}/${name}`), JSON.parse(fs.readFileSync(report, 'utf8')).inputs[0].format);
    }
    await visit.close();
  });
}

test('a PyTorch trace that was cut off gives what is there', async () => {
  const whole = fs.readFileSync(input('kineto/cuda'));
  const {inputs} = await assertAsProgram(written('producers/cut.json', whole.subarray(0, whole.length * 0.7)), 'kineto');
  assert.ok(inputs[0].events > 3);
  assert.ok(inputs[0].warnings.some((/** @type {{code: string}} */ {code}) => code === 'truncated'));
});

test('tables in the layout of other tools are the text that the program prints', async () => {
  const visit = await here.visit();
  const file = input('paddle/gpu');
  const says = (/** @type {string[]} */ ...options) =>
    stepscope('summary', '--style', ...options)
      .toString()
      .trimEnd();
  const shows = (/** @type {string} */ text) =>
    visit.until('the text is shown', async () => (await visit.part('printed-text').textContent())?.trimEnd() === text);
  await visit.open(file);
  await visit.part('about-printed').click();
  assert.equal(await visit.part('printed-tool').inputValue(), 'paddle', 'the own tool comes first');
  await shows(says('paddle', file));
  await visit.part('printed-view').selectOption('kernel');
  await visit.part('printed-sort').selectOption('gpu_avg');
  await visit.part('printed-unit').selectOption('us');
  await shows(says('paddle', '--views', 'kernel', '--sort', 'gpu-avg', '--time-unit', 'us', file));
  await visit.part('printed-view').selectOption('operator');
  await visit.part('printed-threads').check();
  await visit.part('printed-detail').uncheck();
  await shows(says('paddle', '--views', 'operator', '--sort', 'gpu-avg', '--time-unit', 'us', '--thread-sep', '--no-op-detail', file));
  const {bytes, name} = await visit.saved(() => visit.part('printed-save').click());
  assert.equal(bytes.toString().trimEnd(), (await visit.part('printed-text').textContent())?.trimEnd());
  assert.match(name, /\.paddle\.txt$/);
  await visit.part('printed-unit').selectOption('');
  await shows(says('paddle', '--views', 'operator', '--sort', 'gpu-avg', '--thread-sep', '--no-op-detail', file));
  // Until the other tool's tables are there nothing can be saved: what is still shown is not its text.
  const canSave = await visit.part('printed-tool').evaluate((choice) => {
    /** @type {HTMLSelectElement} */ (choice).value = 'nvprof';
    choice.dispatchEvent(new Event('change'));
    return ['copy', 'save'].map((one) => !(/** @type {HTMLButtonElement} */ (document.querySelector(`[data-test="printed-${one}"]`)).disabled));
  });
  assert.deepEqual(canSave, [false, false]);
  assert.equal(await visit.part('printed-sort').isVisible(), false, 'only Paddle sorts');
  await shows(says('nvprof', file));
  assert.match((await visit.saved(() => visit.part('printed-save').click())).name, /\.nvprof\.txt$/);
  await visit.part('printed-layout').selectOption('8');
  await shows(says('nvprof', '--nvprof-layout', '8', file));
  for (const tool of ['tensorboard', 'mindspore']) {
    await visit.part('printed-tool').selectOption(tool);
    const printed = says(tool, file);
    await shows(printed.startsWith('no step trace') ? 'No step trace: no step with a forward pass is recorded.' : printed);
  }
  // A failure differs from an empty result.
  await visit.page.evaluate(() => {
    const {postMessage} = Worker.prototype;
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ options) {
      const sent = message.name === 'printed' ? {...message, argument: {...message.argument, request: null}} : message;
      postMessage.call(this, sent, options);
    };
  });
  await visit.part('printed-tool').selectOption('paddle');
  await shows('The tables could not be printed.');
  assert.ok(await visit.part('printed-save').isDisabled());
  await visit.part('printed-close').click();
  assert.deepEqual(visit.complaints, []);
  await visit.close();
});
