// Numbers of the overview, and statistics of the step lengths.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {isFirstLevel, spreadOfSteps, tilesWithValues} from '../../../www/js/page/views/overview/summary-numbers.js';

const tile = (/** @type {string} */ name, /** @type {number | null} */ share) => ({name, share, time_ns: 5});

/** @param {number} device communication of the device @param {number} host and of the host @returns {any} */
const rank = (device, host) => ({device_time: [{communication_ns: device}], steps: [{categories: {communication_ns: host}}]});

test('a number that the trace does not have is not shown', () => {
  const tiles = [tile('step', null), tile('device_busy', 0), tile('exposed_communication', 0), tile('data_wait', null), tile('idle', 0)];
  const names = (/** @type {any} */ of) => tilesWithValues(tiles, of).map(({name}) => name);
  assert.deepEqual(names(rank(0, 0)), ['step', 'device_busy', 'idle'], 'nothing communicates');
  assert.deepEqual(names(rank(7, 0)), ['step', 'device_busy', 'exposed_communication', 'idle'], 'all of it overlaps');
  assert.deepEqual(names(rank(0, 7)), ['step', 'device_busy', 'exposed_communication', 'idle']);
});

test('median, 90th percentile and outliers of the steps that count', () => {
  const steps = (/** @type {number[]} */ ...lengths) => lengths.map((length) => ({length_ns: length, counted: true}));
  assert.equal(spreadOfSteps(steps(1, 2, 3)), null);
  assert.deepEqual(spreadOfSteps(steps(100, 101, 99, 100, 180, 40)), {median: 100, p90: 141, outliers: [4, 5], groups: []});
  assert.deepEqual(spreadOfSteps(steps(100, 100, 100, 100, 101)), {median: 100, p90: 101, outliers: [], groups: []}, 'one percent is none');
  const warm = [{length_ns: 900, counted: false}, ...steps(100, 100, 100, 100)];
  assert.deepEqual(spreadOfSteps(warm), {median: 100, p90: 100, outliers: [], groups: []});
});

test('two groups of steps are no outliers of each other', () => {
  const groups = (/** @type {number[]} */ ...lengths) => {
    const {outliers, groups} = /** @type {import('../../../www/js/page/views/overview/summary-numbers.js').StepSpread} */ (
      spreadOfSteps(lengths.map((length) => ({length_ns: length, counted: true})))
    );
    return [outliers, groups.map(({typical, count}) => [lengths[typical], count])];
  };
  const found = [
    [100, 4],
    [200, 4],
  ];
  assert.deepEqual(groups(100, 200, 101, 202, 100, 199, 99, 200), [[], found]);
  // Every fifth step is longer, as with gradients that are accumulated.
  assert.deepEqual(groups(100, 100, 101, 100, 180, 100, 99, 100, 100, 181), [
    [],
    [
      [100, 8],
      [181, 2],
    ],
  ]);
  assert.deepEqual(groups(100, 100, 101, 100, 100, 100, 99, 100, 100, 180), [[9], []], 'one of ten is an outlier');
  // A step that is far from both is an outlier still.
  const long = [200, 201, 199, 200, 202, 200, 199, 900];
  assert.deepEqual(groups(...long.flatMap((one) => [100, one])), [
    [15],
    [
      [100, 8],
      [200, 8],
    ],
  ]);
  assert.deepEqual(groups(100, 110, 120, 130, 140, 150, 160, 170), [[], []], 'even lengths are no groups');
  assert.deepEqual(groups(100, 104, 100, 104, 100, 104), [[], []], 'four percent are none');
});

test('device time that the budget has already, and device time that it has not', () => {
  const bar = {
    ...{device: 0, compute_alone_ns: 60, overlap_ns: 10, exposed_communication_ns: 20, exposed_memcpy_ns: 0},
    ...{exposed_memset_ns: 0, idle_ns: 10, before_first_activity_ns: 0, uncovered_ns: 0},
  };
  const branches = (/** @type {Record<string, number>} */ times) => Object.entries(times).map(([branch, mean_ns]) => ({branch, mean_ns}));
  const same = {compute: 70, exposed_communication: 20, idle: 10};
  assert.ok(isFirstLevel(bar, branches(same)));
  assert.ok(isFirstLevel(bar, branches({...same, compute: 71})), 'rounded');
  assert.ok(isFirstLevel(bar, branches({...same, between_steps: 50})), 'the budget may have more');
  assert.ok(!isFirstLevel(bar, branches({...same, idle: 40})));
  assert.ok(!isFirstLevel({...bar, exposed_memcpy_ns: 5}, branches(same)));
  assert.ok(!isFirstLevel(bar, []));
});
