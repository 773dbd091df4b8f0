// Cards and tables that the command palette leads to.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {knownDetails, learnDetails} from '../../../www/js/page/views/palette/details.js';
import {maybeSectionsOf, sectionsOf} from '../../../www/js/page/views/palette/sections.js';
import {TABS} from '../../../www/js/page/state.js';

/** @typedef {import('../../../www/js/page/views/palette/sections.js').Known} Known */

const english = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../../www/i18n/en.json'), 'utf8'));

/** A rank with all topics, and one that only has events. */
const full = {
  topics: ['selection', 'budget', 'call_tree', 'why_idle', 'data', 'resources', 'memory', 'advice', 'critical_path', 'step_trace'],
  recorded: [{id: 'gpu_op_type'}],
  call_groupings: ['calls', 'modules', 'ranges'],
  device_time: [{}],
  steps: [{covered: false}, {covered: true}],
  step_source: 'marks',
  world_size: 8,
};
const bare = {topics: ['selection'], device_time: [], steps: [], step_source: 'whole_trace', world_size: null};

const job = {job: {ranks: [{}, {}], groups: [{parallel: 'tensor'}], stages: [{}], links: [{}]}, stragglers: [{}], collectives: []};
/** A device that idles for its host, with a cause that is divided further. */
const idle = {idle: [{streams: [], leaves_ns: {copy: 1}, host_wait_ns: 5, host_wait_until_launch_ns: 3, start_late_ns: 2}]};
const memory = {places: [{live_at_peak: {operators: [{}]}}]};
const details = {job, budget: {causes: [{}]}, data: {pipeline: {}, loading: {}}, idle, memory};

/** @param {object[]} ranks @param {object} [known] @returns {Known} */
const known = (ranks, known) => /** @type {any} */ ({summary: {ranks, inputs: ranks.map(() => ({slices: 1}))}, rank: 0, other: null, details: {}, ...known});

const everything = known([full, full], {other: full, details});

/** @param {Known} of @param {import('../../../www/js/page/state.js').Tab[]} [tabs] */
const keys = (of, tabs = TABS) => sectionsOf(tabs, of).map(({key}) => key);

test('each section has a name, and is offered where its tab is', () => {
  const all = keys(everything);
  assert.deepEqual(
    all.filter((key) => !(key in english)),
    [],
  );
  const names = all.map((key) => english[key]).join('\n');
  for (const word of [/famil/i, /launch/i, /critical/i, /waterfall/i, /^Ranges$/m]) assert.match(names, word);
  assert.deepEqual(
    sectionsOf(['memory'], everything).map(({key, choose}) => [key, choose?.[1]]),
    [
      ['memory.chart', undefined],
      ['memory.table.live', 'live'],
    ],
  );
});

test('a comparison has its cards and tables where both sides have what they show', () => {
  const compared = (/** @type {object} */ shown, /** @type {object | null} */ other) => keys(known([shown], {other}), ['compare']);
  assert.deepEqual(compared(full, null), []);
  for (const key of ['compare.waterfall', 'compare.tree', 'compare.aligned', 'compare.kernels', 'compare.functions'])
    assert.ok(compared(full, full).includes(key), key);
  const plain = ['compare.waterfall', 'compare.contributions', 'compare.operators', 'compare.phases', 'compare.pairs', 'compare.causes'];
  assert.deepEqual(compared(bare, full), plain);
});

test('optional cards are offered where the trace has them', () => {
  const optional = ['budget.title', 'budget.causes', 'advice.top', 'overview.types', 'about.missing', 'critical', 'step_trace'];
  const some = keys(known([bare]));
  assert.deepEqual(
    optional.filter((key) => some.includes(key)),
    ['about.missing'],
  );
  assert.deepEqual(
    optional.filter((key) => !keys(everything).includes(key)),
    ['about.missing'],
  );
  const tables = keys(known([{...bare, only_tables: true, recorded: [{id: 'op_flops'}]}]), ['overview']);
  assert.deepEqual(tables, ['quality', 'about', 'about.missing']);
  const named = (/** @type {object} */ rank) => keys(known([{...bare, only_tables: true, ...rank}], {}), ['overview']);
  for (const id of ['gpu_op_type', 'op_statistic'])
    assert.deepEqual(named({recorded: [{id}]}), ['profile', 'overview.types', 'quality', 'about', 'about.missing']);
  const framed = (/** @type {string} */ framework) => {
    const of = known([{...bare, only_tables: true, topics: ['step_trace']}]);
    of.summary.inputs[0].framework = framework;
    return keys(of, ['overview']).includes('profile');
  };
  assert.deepEqual(['MindSpore', 'PyTorch'].map(framed), [true, false]);
});

test('modules are a tab, and no heading of another', () => {
  assert.deepEqual(keys(everything, ['calls', 'modules']), ['calls.flame', 'calls.names.calls', 'calls.names.ranges']);
  assert.deepEqual(keys(known([{...full, call_groupings: ['calls']}]), ['calls']), ['calls.flame', 'calls.names.calls']);
});

test('what only reports say is offered once they are there', () => {
  const tabs = /** @type {const} */ (['idle', 'data', 'ranks']);
  const of = (/** @type {object} */ details) => keys(known([full, full], {details}), [...tabs]);
  const always = ['idle.classes', 'idle.gaps', 'launch', 'queue'];
  assert.deepEqual(of({}), always);
  assert.deepEqual(of({data: {loading: {}}}), [...always, 'data.loading']);
  const alone = {...job, stragglers: [], job: {ranks: [{}, {}], groups: [], stages: [], links: []}};
  assert.deepEqual(of({job: alone}), [...always, 'ranks.chart', 'ranks.steps', 'ranks.collectives', 'drill_down']);
  assert.ok(of(details).includes('ranks.stragglers'));
  const layout = (/** @type {object} */ of, /** @type {object} */ rank = full) =>
    keys(known([rank, full], {details: {job: of}}), ['ranks']).includes('strategy');
  assert.deepEqual([layout(job), layout(alone)], [true, false], 'where ranks differ in what they hold');
  assert.ok(layout(alone, {...full, recorded: [{id: 'parallel_nodes', row_count: 3}]}), 'or the graph is there');
  assert.deepEqual(of({job: null, data: null, idle: null}), always, 'the trace has none of it');
});

test('headings of idle time are offered where the trace has such', () => {
  const of = (/** @type {object} */ device) => keys(known([full], {details: {idle: {idle: [{...idle.idle[0], ...device}]}}}), ['idle']);
  assert.deepEqual(of({}), ['idle.classes', 'idle.leaves', 'idle.host', 'idle.gaps', 'launch', 'queue']);
  assert.ok(!of({leaves_ns: {}}).includes('idle.leaves'));
  assert.ok(!of({host_wait_ns: 2, host_wait_until_launch_ns: 0}).includes('idle.host'), 'what starts late is no wait for the host');
  const steps = {leaves_ns: {}, host_wait_ns: 0, host_wait_until_launch_ns: 0};
  assert.deepEqual(of({in_steps: steps}), ['idle.classes', 'idle.gaps', 'launch', 'queue'], 'of the steps, if there are some');
});

test('what is not known says which report tells it, and nothing else does', () => {
  const of = (/** @type {Known} */ of) => maybeSectionsOf(TABS, of).map(({key, detail}) => `${detail} ${key}`);
  const all = of(known([full, full], {details: {}}));
  for (const one of ['budget budget.causes', 'idle idle.leaves', 'data data.pipeline', 'job ranks.stragglers']) assert.ok(all.includes(one), one);
  assert.deepEqual(of(everything), []);
  assert.deepEqual(of(known([bare], {details: {job: null, data: null, idle: null, memory: null}})), [], 'it has no budget');
});

test('reports are asked for once for the files, a rank, a layout and a step, each when it is wanted', async () => {
  /** @type {string[]} */
  const asked = [];
  const report = (/** @type {string} */ topic, /** @type {object} */ request) => {
    asked.push(`${topic} ${JSON.stringify(request ?? null)}`);
    return Promise.resolve(topic === 'data' ? undefined : {topic});
  };
  const state = {files: {}, rank: 0, parallel: '', step: null, summary: {ranks: [full, bare]}};
  const app = (/** @type {object} */ other) => /** @type {any} */ ({state: {...state, ...other}, report, job: () => Promise.resolve({not_a_job: {}})});
  assert.deepEqual(knownDetails(app({})), {});
  await learnDetails(app({}), ['budget', 'data', 'job']);
  assert.deepEqual(knownDetails(app({})), {budget: {topic: 'budget'}, data: null, job: null});
  assert.deepEqual(asked, ['budget {"step":null,"language":"en"}', 'data null']);
  assert.deepEqual(knownDetails(app({rank: 1})), {});
  await learnDetails(app({step: 2}), ['idle']);
  assert.deepEqual(asked.slice(2), ['why_idle {"step":2,"average":false}']);
  assert.deepEqual(knownDetails(app({files: {}})), {});
});
