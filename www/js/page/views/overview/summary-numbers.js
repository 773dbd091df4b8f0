// The numbers of the overview, and statistics on the lengths of steps. Nothing here touches the page.

import {quantile} from '../parts/quantile.js';

/** @typedef {import('../../../../types/reports.js').TileReport} Tile */
/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {Pick<import('../../../../types/reports.js').BudgetBranchReport, 'branch' | 'mean_ns'>[]} Branches of a budget */
/** @typedef {{median: number, p90: number, outliers: number[], groups: {typical: number, count: number}[]}} StepSpread `outliers`: places of steps, those that differ most first; `groups`: two, or none; `typical`: the place of a step of such a length */

/** As few steps as show which of them is unusual. */
const ENOUGH = 4;

/** By how much of the median an outlier differs at least: steps that are nearly equal have none. */
const LEAST = 0.05;

/** As small a part of the steps as is a group, and as little of the median as is between two. */
const GROUP = 0.2;
const APART = 0.1;

/** Whether a rank's trace has communication: without it, 0 % exposed would be a claim about nothing. @param {Pick<Rank, 'device_time' | 'steps'>} rank */
function communicates({device_time: devices, steps}) {
  return devices.some(({communication_ns: time}) => time > 0) || steps.some(({categories}) => categories.communication_ns > 0);
}

/** The numbers that say something about this trace. @param {Tile[]} tiles @param {Pick<Rank, 'device_time' | 'steps'>} rank @returns {Tile[]} */
export function tilesWithValues(tiles, rank) {
  return tiles.filter(({name, share}) => name === 'step' || (share !== null && (name !== 'exposed_communication' || communicates(rank))));
}

/** @typedef {{length: number, place: number}[]} Lengths of steps, by length */

/** @param {Lengths} steps @param {...number} shares */
const quantiles = (steps, ...shares) => {
  const lengths = steps.map(({length}) => length);
  return shares.map((share) => quantile(lengths, share));
};

/**
 * Spread of the lengths of steps without warm-up and partial steps; null for too few. An outlier is farther from the middle half than 1.5 times its width:
 * of two groups, that of its own.
 * @param {{length_ns: number, counted: boolean}[]} steps @returns {StepSpread | null}
 */
export function spreadOfSteps(steps) {
  const counted = steps.flatMap(({length_ns: length, counted}, place) => (counted ? [{length, place}] : [])).sort((a, b) => a.length - b.length);
  if (counted.length < ENOUGH) return null;
  const [median, p90] = quantiles(counted, 0.5, 0.9);
  const groups = groupsOf(counted, APART * median);
  const outliers = (groups.length ? groups : [counted])
    .flatMap((of) => outliersOf(of, LEAST * median))
    .sort((a, b) => b.off - a.off || a.place - b.place)
    .map(({place}) => place);
  const typical = groups.map((of) => ({typical: of[of.length >> 1].place, count: of.length}));
  return {median: Math.round(median), p90: Math.round(p90), outliers, groups: typical};
}

/** Steps far from the middle half, with how far they are from the median. @param {Lengths} steps @param {number} least */
function outliersOf(steps, least) {
  const [low, median, high] = quantiles(steps, 0.25, 0.5, 0.75);
  const beyond = 1.5 * (high - low);
  const far = steps.map(({length, place}) => ({place, length, off: Math.abs(length - median)}));
  return far.filter(({length, off}) => (length > high + beyond || length < low - beyond) && off > least);
}

/** Two groups of steps, where there is nothing between two lengths, and both are three times as far apart as most of each group differ. @param {Lengths} steps @param {number} apart the least difference between them @returns {Lengths[]} */
function groupsOf(steps, apart) {
  const least = Math.max(2, Math.ceil(GROUP * steps.length));
  const gap = (/** @type {number} */ at) => steps[at].length - steps[at - 1].length;
  let first = least;
  for (let at = least; at <= steps.length - least; at++) if (gap(at) > gap(first)) first = at;
  if (first > steps.length - least || gap(first) <= apart) return [];
  const groups = [steps.slice(0, first), steps.slice(first)];
  const width = (/** @type {Lengths} */ of) => {
    const [low, high] = quantiles(of, 0.25, 0.75);
    return high - low;
  };
  return gap(first) <= 3 * Math.max(...groups.map(width)) ? [] : groups;
}

/** Largest difference between separately rounded means, in ns. */
const ROUNDED = 2;

/** Whether the first level of a budget has all times of a device, except for the overlap of compute and communication. @param {import('../../../../types/reports.js').OverlapReport} bar @param {Branches} branches */
export function isFirstLevel(bar, branches) {
  /** @type {[string, number][]} */
  const parts = [
    ['compute', bar.compute_alone_ns + bar.overlap_ns],
    ['exposed_communication', bar.exposed_communication_ns],
    ['exposed_copies', bar.exposed_memcpy_ns],
    ['exposed_sets', bar.exposed_memset_ns],
    ['idle', bar.idle_ns],
    ['state_unknown_at_start', bar.before_first_activity_ns],
    ['not_recorded', bar.uncovered_ns],
  ];
  return parts.every(([name, time]) => Math.abs(time - (branches.find(({branch}) => branch === name)?.mean_ns ?? 0)) <= ROUNDED);
}
