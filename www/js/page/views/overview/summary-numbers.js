// The numbers of the overview, and statistics on the lengths of steps. Nothing here touches the page.

import {quantile} from '../parts/quantile.js';

/** @typedef {import('../../../../types/reports.js').TileReport} Tile */
/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {Pick<import('../../../../types/reports.js').BudgetBranchReport, 'branch' | 'mean_ns'>[]} Branches of a budget */
/** @typedef {{median: number, p90: number, outliers: number[]}} StepSpread `outliers`: places of steps, the longest first */

/** As few steps as show which of them is unusual. */
const ENOUGH = 4;

/** By how much of the median an outlier differs at least: steps that are nearly equal have none. */
const LEAST = 0.05;

/** Whether a rank's trace has communication: without it, 0 % exposed would be a claim about nothing. @param {Pick<Rank, 'device_time' | 'steps'>} rank */
function communicates({device_time: devices, steps}) {
  return devices.some(({communication_ns: time}) => time > 0) || steps.some(({categories}) => categories.communication_ns > 0);
}

/** The numbers that say something about this trace. @param {Tile[]} tiles @param {Pick<Rank, 'device_time' | 'steps'>} rank @returns {Tile[]} */
export function tilesWithValues(tiles, rank) {
  return tiles.filter(({name, share}) => name === 'step' || (share !== null && (name !== 'exposed_communication' || communicates(rank))));
}

/**
 * Spread of the lengths of steps without warm-up and partial steps; null for too few. An outlier is farther from the middle half than 1.5 times its width.
 * @param {{length_ns: number, counted: boolean}[]} steps @returns {StepSpread | null}
 */
export function spreadOfSteps(steps) {
  const counted = steps.flatMap(({length_ns: length, counted}, place) => (counted ? [{length, place}] : []));
  if (counted.length < ENOUGH) return null;
  const lengths = counted.map(({length}) => length).sort((a, b) => a - b);
  const [low, median, high, p90] = [0.25, 0.5, 0.75, 0.9].map((share) => quantile(lengths, share));
  const beyond = 1.5 * (high - low);
  const outliers = counted
    .filter(({length}) => (length > high + beyond || length < low - beyond) && Math.abs(length - median) > LEAST * median)
    .sort((a, b) => Math.abs(b.length - median) - Math.abs(a.length - median))
    .map(({place}) => place);
  return {median: Math.round(median), p90: Math.round(p90), outliers};
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
