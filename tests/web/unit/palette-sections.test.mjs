// Cards and tables that the command palette leads to.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {detailsOf} from '../../../www/js/page/views/palette/details.js';
import {sectionsOf} from '../../../www/js/page/views/palette/sections.js';
import {TABS} from '../../../www/js/page/state.js';

/** @typedef {import('../../../www/js/page/views/palette/sections.js').Known} Known */

const english = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../../www/i18n/en.json'), 'utf8'));

/** A rank with all topics, and one that only has events. */
const full = {
  topics: ['selection', 'budget', 'call_tree', 'why_idle', 'data', 'resources', 'memory', 'advice', 'critical_path', 'step_trace'],
  recorded: [{id: 'gpu_op_type'}],
  device_time: [{}],
  steps: [{covered: false}, {covered: true}],
  step_source: 'marks',
  world_size: 8,
};
const bare = {topics: ['selection'], device_time: [], steps: [], step_source: 'whole_trace', world_size: null};

const job = {job: {groups: [{}], stages: [{}], links: [{}]}, stragglers: [{}], collectives: []};
const details = {job, budget: {causes: [{}]}, data: {pipeline: {}, loading: {}}, groupings: ['calls', 'modules', 'ranges']};

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
  for (const word of [/famil/i, /launch/i, /critical/i, /waterfall/i, /^Modules$/m]) assert.match(names, word);
  assert.deepEqual(
    sectionsOf(['memory'], everything).map(({tab}) => tab),
    ['memory'],
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
  const tables = keys(known([{...bare, only_tables: true, recorded: [{id: 'op_statistic'}]}]), ['overview']);
  assert.deepEqual(tables, ['quality', 'about', 'about.missing']);
});

test('what only reports say is offered once they are there', () => {
  const of = (/** @type {object} */ details) => keys(known([full, full], {details}), ['calls', 'data', 'ranks']);
  assert.deepEqual(of({}), ['calls.names.calls']);
  assert.deepEqual(of({data: {loading: {}}, groupings: ['calls', 'modules']}), ['calls.names.calls', 'calls.names.modules', 'data.loading']);
  const alone = {...job, stragglers: [], job: {groups: [], stages: [], links: []}};
  assert.deepEqual(of({job: alone}), ['calls.names.calls', 'ranks.chart', 'ranks.steps', 'ranks.collectives', 'drill_down']);
  assert.ok(of(details).includes('ranks.stragglers'));
});

test('reports are asked for once for the files, a rank and a layout, and only where there is a tab of them', async () => {
  /** @type {string[]} */
  const asked = [];
  const report = (/** @type {string} */ topic, /** @type {object} */ request) => {
    asked.push(`${topic} ${JSON.stringify(request ?? null)}`);
    return Promise.resolve({groupings: ['calls', 'modules']});
  };
  const state = {files: {}, rank: 0, parallel: '', summary: {ranks: [full, bare]}};
  const app = (/** @type {object} */ other) => /** @type {any} */ ({state: {...state, ...other}, report, job: () => Promise.resolve({not_a_job: {}})});
  const found = await detailsOf(app({}), ['ranks', 'calls']);
  assert.deepEqual([found.groupings, found.job, found.data], [['calls', 'modules'], undefined, undefined]);
  assert.deepEqual(asked, ['budget {"step":null,"language":"en"}', 'call_tree {"step":1,"average":false,"grouping":"modules"}']);
  assert.equal(await detailsOf(app({}), ['ranks', 'calls']), found);
  await detailsOf(app({rank: 1}), ['data', 'calls']);
  assert.deepEqual(asked.slice(2), ['data null', 'call_tree {"step":null,"average":false,"grouping":"modules"}']);
});
