// The view in the address, and which tabs there are.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {EMPTY, Store, TABS, clusterOf, comparedRanks, tabsOf} from '../../../www/js/page/state.js';
import {
  definitionOfHash,
  firstTab,
  isOfOther,
  numberSaid,
  parallelOfHash,
  replacedOf,
  traceOf,
  viewAs,
  viewOfHash,
  viewToCarry,
} from '../../../www/js/page/view-hash.js';
import {inPage} from './lib/page.mjs';

/** @typedef {import('../../../www/js/page/state.js').State} State */
/** @typedef {import('../../../www/js/protocol/requests.js').Grouping} Grouping */
/** @typedef {import('../../../www/types/reports.js').Summary} Summary */

/** @param {object[]} ranks with only their differing properties @param {object} [more] */
const summaryOf = (ranks, more = {}) =>
  /** @type {Summary} */ (
    /** @type {unknown} */ ({
      ranks: ranks.map((rank) => ({input: 'a.json', steps: [{}, {}, {}], device_time: [{}], topics: ['selection', 'advice'], ...rank})),
      cluster: null,
      ...more,
    })
  );
const two = summaryOf([{}, {}]);
/** @param {string} path @param {Grouping['changes']} [changes] */
const files = (path, changes = []) => /** @type {Grouping} */ (/** @type {unknown} */ ({sources: [{path, bytes: 5}], ranks: [], changes}));
/** @param {Partial<State>} state @returns {State} */
const stateOf = (state) => ({...EMPTY, phase: 'ready', summary: two, files: files('a.json'), ...state});

test('the address says the view, and gives it back', () => {
  const opened = {timeline: {a: '1x', 'b.c-flame': '0z.3'}};
  const state = stateOf({tab: 'timeline', rank: 1, step: 2, parallel: 'tp=2', timeline: {at: [1, 9], pin: ['3']}, opened: {...opened, steps: {steps: 'x'}}});
  const view = String(viewAs(state));
  inPage({view});
  assert.deepEqual(viewOfHash(two, 'overview'), {tab: 'timeline', rank: 1, step: 2, callsRange: null, timeline: {at: [1, 9], pin: ['3']}, opened});
  assert.equal(parallelOfHash(), 'tp=2');
  assert.equal(String(viewAs(stateOf({tab: 'steps', timeline: {at: [1, 9]}}))), 'tab=steps', 'what is chosen on the timeline is said there alone');
});

test('the range of a tree of calls is said where such a tree is shown', () => {
  const state = stateOf({tab: 'calls', callsRange: [-5, 20]});
  const view = String(viewAs(state));
  assert.equal(view, 'tab=calls&calls=-5%7E20');
  inPage({view});
  assert.deepEqual(viewOfHash(two, 'overview').callsRange, [-5, 20]);
  assert.equal(String(viewAs({...state, tab: 'modules'})), 'tab=modules&calls=-5%7E20');
  assert.equal(String(viewAs({...state, tab: 'steps'})), 'tab=steps');
  for (const said of ['9~9', '9~5', '5', 'a~b', '']) {
    inPage({view: `tab=calls&calls=${said}`});
    assert.equal(viewOfHash(two, 'overview').callsRange, null, said);
  }
});

test('what the loaded traces do not have is as at first', () => {
  for (const view of ['tab=nothing&rank=2&step=3', 'rank=-1&step=x', 'rank=1.5', 'open=a b: :c <a>:b a:<b> a:B&definition=other', '']) {
    inPage({view});
    assert.deepEqual(viewOfHash(two, 'steps'), {tab: 'steps', rank: 0, step: null, callsRange: null, timeline: {}, opened: {steps: {}}}, view);
    assert.equal(definitionOfHash(), 'stepscope');
  }
  inPage({view: 'rank=1&step=2'});
  assert.deepEqual(viewOfHash(summaryOf([{}, {steps: [{}]}]), 'steps').step, null, "a step is one of the rank's");
});

test('the address says the definition, unless it is ours', () => {
  assert.equal(String(viewAs(stateOf({summary: summaryOf([{definition: 'hta'}])}))), 'tab=overview&definition=hta');
  assert.equal(String(viewAs(stateOf({summary: summaryOf([{definition: 'stepscope'}])}))), 'tab=overview');
  inPage({view: 'definition=hta'});
  assert.equal(definitionOfHash(), 'hta');
});

test('a report carries nothing of a view that opens by itself', () => {
  assert.equal(viewToCarry(stateOf({})), '');
  assert.equal(viewToCarry(stateOf({tab: 'steps'})), 'tab=steps');
});

test('an entry of the history names its trace, and how a person changed what it makes', () => {
  const grouping = files('a.json');
  assert.equal(traceOf(grouping), traceOf(grouping));
  assert.equal(traceOf(grouping), traceOf(files('a.json')));
  const others = [files('b.json'), files('a.json', [[0, 1]]), {...grouping, changes: /** @type {Grouping['changes']} */ ([[0, null]])}];
  for (const other of others) assert.notEqual(traceOf(other), traceOf(grouping));
  inPage({trace: traceOf(grouping)});
  assert.deepEqual([isOfOther(grouping), isOfOther(others[0])], [false, true]);
  inPage();
  assert.equal(isOfOther(grouping), false, 'a link names none');
});

test('the way back to what was replaced has its name and its view', () => {
  const shown = {files: [], changes: []};
  const runs = {changes: [], count: 2};
  assert.deepEqual(replacedOf(stateOf({tab: 'steps', rank: 1, runs}), shown), {
    name: 'a.json',
    shown,
    runs,
    view: 'tab=steps&rank=1',
    trace: traceOf(files('a.json')),
    added: 0,
  });
  const [one, other, third] = ['1', '2', '3'].map((path) => ({path, file: new File([], path)}));
  const open = {files: [one, other], changes: []};
  const added = (/** @type {import('../../../www/js/protocol/requests.js').Dropped[]} */ opened) => replacedOf(stateOf({}), open, opened)?.added;
  assert.deepEqual([[one, other, third], [one, third], [third]].map(added), [1, 0, 0], 'whether it is still open, and how much more is');
  assert.equal(replacedOf(EMPTY, shown), null);
  assert.equal(replacedOf(stateOf({}), undefined), null);
  assert.equal(replacedOf(undefined, shown), null);
});

test('numbers of the address are numbers, or nothing', () => {
  inPage({asked: 'memory=512&workers=0&half=0.5&bad=-1&worse=1e3&empty='});
  assert.deepEqual(['memory', 'workers', 'half', 'bad', 'worse', 'empty', 'none'].map(numberSaid), [512, 0, 0.5, undefined, undefined, undefined, undefined]);
});

test('a tab is there if it has something to show', () => {
  assert.deepEqual(tabsOf(summaryOf([{}]), 0), ['overview', 'steps', 'advice', 'timeline', 'operators', 'kernels', 'copies', 'compare']);
  assert.ok(!tabsOf(summaryOf([{device_time: []}]), 0).includes('kernels'), 'without a device');
  assert.ok(tabsOf(two, 1).includes('ranks') && !tabsOf(summaryOf([{}]), 0).includes('ranks'), 'a single rank is compared with none');
  assert.ok(tabsOf(summaryOf([{recorded: [{}]}]), 0).includes('recorded'));
  assert.deepEqual(
    tabsOf(summaryOf([{topics: {includes: () => true}, call_groupings: ['calls', 'modules'], device_time: [{communication_ns: 1}], recorded: [{}]}, {}]), 0),
    TABS,
    'in their order',
  );
  assert.ok(!tabsOf(summaryOf([{call_groupings: ['calls', 'ranges']}]), 0).includes('modules'), 'without modules');
  assert.ok(!tabsOf(summaryOf([{device_time: [{communication_ns: 0}]}]), 0).includes('communication'), 'without communication');
});

test('a rank without events has its tables first, and opens with them', () => {
  const tables = summaryOf([{only_tables: true, recorded: [{}], topics: ['data']}, {}]);
  assert.deepEqual(tabsOf(tables, 0), ['recorded', 'data', 'overview']);
  assert.equal(firstTab(tables, 0, 'overview'), 'recorded');
  assert.equal(firstTab(two, 0, 'steps'), 'steps');
  assert.equal(firstTab(two, 0, 'memory'), 'overview', 'a tab that it has not');
  assert.deepEqual(comparedRanks(tables), [1]);
});

test('a cluster is of several ranks', () => {
  const cluster = (/** @type {number[]} */ ...ranks) => summaryOf([{}], {cluster: {rows: ranks.map((rank) => ({rank})), links: []}});
  assert.equal(clusterOf(two), null);
  assert.equal(clusterOf(cluster(0, 0)), null);
  assert.ok(clusterOf(cluster(0, 1)));
});

test('who listens is told what the state was and is', () => {
  const store = new Store();
  /** @type {[string, string][]} */
  const heard = [];
  store.listen((now, before) => heard.push([before.tab, now.tab]));
  store.set({tab: 'steps'});
  store.set({rank: 1});
  assert.deepEqual(heard, [
    ['overview', 'steps'],
    ['steps', 'steps'],
  ]);
  assert.equal(EMPTY.tab, 'overview', 'it is replaced, never changed');
});
