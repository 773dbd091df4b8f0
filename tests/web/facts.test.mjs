// A fact is the same wherever it is shown: on the page's tiles and tabs, in the terminal, in the HTML report, in advice.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {generated, realFolders, realTraces, scratch, stepscope, summary, thorough} from './lib/program.mjs';
import {assertShows, readBack} from './lib/shown.mjs';
import {site} from './lib/site.mjs';

const here = site();

/** Tiles that are shares of the average step: their names in the terminal's first lines and in the report. */
const SHARES = {
  device_busy: {terminal: 'device busy', report: 'of-kernel'},
  exposed_communication: {terminal: 'exposed communication', report: 'of-communication'},
  idle: {terminal: 'idle', report: 'of-idle'},
};

/** Rules whose savings are time that the device waits for the host: the savings cannot exceed the idle time. */
const IDLE_RULES = ['low_utilization', 'long_gaps', 'launch_bound', 'short_kernels', 'synchronization', 'allocation', 'dataloader'];

/** Pairs of rules whose advice would undo each other. */
const CONTRADICTIONS = [
  ['memory_full', 'memory_unused'],
  ['processor_busy', 'data_processing'],
  ['processor_busy', 'pipeline_bottleneck'],
  ['processor_busy', 'empty_source'],
  ['processor_busy', 'iteration_interval'],
  ['processor_busy', 'processor_few_threads'],
  ['processor_many_threads', 'processor_few_threads'],
  ['processor_many_threads', 'data_processing'],
  ['processor_many_threads', 'pipeline_bottleneck'],
  ['processor_many_threads', 'empty_source'],
  ['data_processing', 'data_transmission'],
  ['exposed_communication', 'communication_backend'],
];

/** Content of the HTML report: its tiles by class, as shown, and the titles of its advice. @param {string[]} files */
function reported(files) {
  const file = scratch('facts.html');
  fs.rmSync(file, {force: true});
  stepscope('report', ...files, '-o', file);
  const html = fs.readFileSync(file, 'utf8');
  const tiles = [...html.matchAll(/<div class="tile (of-[a-z_]+)"><span>[^<]*<\/span><strong>([^<]*)<\/strong><span class="hint">([^<]*)<\/span>/g)];
  return {html, tiles: Object.fromEntries(tiles.map(([, name, value, more]) => [name, [value, more]]))};
}

/** Compares the places that show a trace of one rank. @param {import('./lib/site.mjs').Visit} visit @param {string} what @param {string[]} files */
async function assertOneRank(visit, what, files) {
  const {ranks, advice} = summary(...files);
  const [rank] = ranks;
  const {average} = rank;
  const terminal = stepscope('summary', ...files).toString();
  const report = reported(files);
  const tiles = await visit.tiles();
  const at = (/** @type {string} */ fact) => `${what}: ${fact}`;

  if (average.steps > 0) {
    assertShows(tiles.step[0], average.step_ns, at('the step on its tile'));
    assertShows(report.tiles['of-step'][0], average.step_ns, at('the step in the report'));
    assert.ok(terminal.includes(tiles.step[0]), at(`the terminal says the step's length ${tiles.step[0]}`));
  }
  const device = average.device_time;
  const hasDevice = rank.device_time.length > 0;
  // Where the trace does not show what the device does, it is neither busy nor idle.
  const before = device.before_first_activity_ns;
  for (const [name, {terminal: word, report: part}] of Object.entries(SHARES)) {
    if (!hasDevice || !tiles[name] || tiles[name][0] === '–') continue;
    const time = {device_busy: device.busy_ns, exposed_communication: device.exposed_communication_ns, idle: device.idle_ns}[name];
    assertShows(tiles[name][0], time / (device.window_ns - before), at(`${name} on its tile`));
    assertShows(tiles[name][1], time, at(`${name}'s time on its tile`));
    if (report.tiles[part]) assert.deepEqual(report.tiles[part], tiles[name], at(`${name} in the report`));
    assert.ok(
      terminal.includes(`${word} ${tiles[name][1]} (${tiles[name][0]})`),
      at(`the terminal says ${word} ${tiles[name].join(' ')}:\n${terminal.slice(0, 300)}`),
    );
  }
  if (hasDevice) {
    const sum = device.compute_ns + device.exposed_communication_ns + device.exposed_memcpy_ns + device.exposed_memset_ns + device.idle_ns + before;
    assert.ok(Math.abs(sum - device.window_ns) <= 5, at("the parts of the device's time are its window"));
  }

  // Advice: the page's cards, the report's and the program's are one list; no gain is more than there is.
  const holding = advice.filter((/** @type {any} */ rule) => rule.verdict === 'holds');
  const rules = new Set(holding.map((/** @type {any} */ rule) => rule.rule));
  for (const pair of CONTRADICTIONS) assert.ok(!pair.every((rule) => rules.has(rule)), at(`${pair.join(' and ')} contradict each other`));
  const steps = Math.max(average.steps, 1);
  for (const {rule, title, gain_ns_per_step: gain} of holding) {
    assert.ok(report.html.includes(title.replaceAll('&', '&amp;')), at(`the report has ${rule}`));
    if (typeof gain !== 'number') continue;
    assert.ok(gain <= average.step_ns, at(`${rule} gains ${gain} of a step of ${average.step_ns}`));
    // A step's mean is rounded.
    if (IDLE_RULES.includes(rule) && hasDevice)
      assert.ok(gain <= device.idle_ns + steps, at(`${rule} gains ${gain} of ${device.idle_ns} ns in which the device idles`));
  }
  const tabs = await visit.tabs();
  if (tabs.includes('advice')) {
    await visit.tab('advice');
    const shown = await visit.page
      .locator('[data-test="advice"] li.card')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('data-test')?.replace('advice-', ''), one.querySelector('.advice-gain')?.textContent]));
    assert.deepEqual(
      shown.map(([rule]) => rule),
      holding.map((/** @type {any} */ {rule}) => rule),
      at('the cards of advice'),
    );
  }

  // Why the device idles: the tab's rows are the device's time.
  if (hasDevice && tabs.includes('idle')) {
    await visit.tab('idle');
    const rows = await visit
      .part('idle-classes')
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')));
    // Idle time of the average step, as in the tiles; of the window where no steps are marked.
    const [ofSteps] = summary('--step', 'average', ...files).ranks[0].idle;
    const time = ofSteps.in_steps ?? rank.device_time[0];
    const streams = rows.length / rank.device_time.length;
    assert.ok(rows.length >= rank.device_time.length, at(`${streams} rows of idle time for each device`));
    assertShows(rows[0][0], time.window_ns, at('the window where the device idles'));
    assertShows(rows[0][1].split(' · ')[0], time.busy_ns, at('busy where the device idles'));
  }
}

/** @param {import('./lib/site.mjs').Visit} visit @param {string} what @param {string[]} files */
async function assertRanks(visit, what, files) {
  const {ranks} = summary(...files);
  await visit.tab('ranks');
  const lengths = new Map(ranks.map((/** @type {any} */ rank, /** @type {number} */ place) => [String(rank.rank ?? place), rank.average.step_ns]));
  const table = visit.part('table-job-ranks');
  if ((await table.count()) === 0) return;
  const rows = await table.locator('.row').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('.cell')].map((cell) => cell.textContent ?? '')));
  for (const cells of rows) {
    const length = lengths.get(cells[0].replace(/\D+/g, ''));
    if (length === undefined || length === 0) continue;
    const shows = cells.slice(1).some((text) => {
      try {
        const {value, error} = readBack(text);
        return Math.abs(value - length) <= error + 1;
      } catch {
        return false;
      }
    });
    assert.ok(shows, `${what}: rank ${cells[0]} has the step of ${length} ns: ${cells.join(' | ')}`);
  }
}

/** Opens each in a fresh page and compares all places. @param {[name: string, paths: string[]][]} traces */
async function compareAll(traces) {
  const visit = await here.visit();
  const problems = [];
  for (const [name, paths] of traces) {
    await visit.page.goto(visit.address);
    await visit.part('choose').waitFor();
    await visit.drop(...paths);
    await visit.results();
    const {ranks} = summary(...paths);
    try {
      if (ranks.length === 1) await assertOneRank(visit, name, paths);
      else await assertRanks(visit, name, paths);
    } catch (error) {
      problems.push(String(error instanceof Error ? error.message : error));
    }
  }
  await visit.close();
  assert.deepEqual(problems, []);
}

test('generated traces: each fact is the same wherever it is shown', async () => {
  const scenarios = /** @type {[string, string[]][]} */ ([
    ['demo', ['--demo']],
    ['one step', ['--seed', '51', '--steps', '1']],
    ['five steps', ['--seed', '52', '--steps', '5', '--groups', '6']],
  ]);
  await compareAll(scenarios.map(([name, options]) => [name, [generated(`${name.replace(' ', '-')}.json.gz`, ...options)]]));
});

test('real traces: each fact is the same wherever it is shown', thorough, async (context) => {
  const files = [...realTraces(), ...realFolders()];
  if (!files.length) {
    context.skip('there are no real traces beside the project');
    return;
  }
  await compareAll(files.map((file) => [path.basename(file), [file]]));
});
