// The change of a step's length, part by part (the parts add up), and the spread over steps. Nothing here touches the page.

import {quantile} from '../parts/quantile.js';

/** @typedef {import('../../../../types/reports.js').BudgetReport} BudgetReport */
/** @typedef {import('../../../../types/reports.js').Diff} Diff */
/** @typedef {{key: string, of?: string, text?: string, whole?: string, class: string, change: number}} Part `key`: of its message, after that of `of`, or `text` itself, with the `whole` name; `class`: its color */
/** @typedef {{a: number, b: number, parts: Part[]}} Changes from one length to the other; the changes of the parts add up to the difference */
/** @typedef {{mean: number, steps: number[]}} OwnTime a rank's time without waiting, and that of each step that counts */
/** @typedef {{median: number, low: number, high: number}} Spread of lengths of steps: the middle half is between two bounds */

/** Parts below this share of all change are put together. */
const SMALL = 0.01;

/** Branches whose leaves need the branch's name beside their own. */
const NAMED = ['exposed_communication', 'exposed_copies'];

/** The most parts of a list of names. */
const MOST = 14;

/** As few steps as have a middle half. */
export const ENOUGH_STEPS = 4;

/**
 * The leaves of two budgets; nothing where these are not of the same kind of window, or have no device.
 * @param {BudgetReport | undefined} a @param {BudgetReport | undefined} b @returns {Changes | null}
 */
export function byBudget(a, b) {
  if (!a || !b || a.budget.windows !== b.budget.windows || a.budget.shares_of !== b.budget.shares_of) return null;
  if (!a.budget.length_ns || !b.budget.length_ns) return null;
  /** @type {Map<string, Part>} */
  const parts = new Map();
  // A branch with a single leaf does not name it: then the other side's leaves have no counterparts.
  const isWhole = (/** @type {string} */ name) =>
    [a, b].some(({budget}) => budget.branches.some(({branch, mean_ns: time, leaves = []}) => branch === name && time > 0 && !leaves.length));
  for (const [{budget}, sign] of /** @type {const} */ ([
    [b, 1],
    [a, -1],
  ])) {
    for (const {branch, class: of, mean_ns: whole, leaves = []} of budget.branches) {
      const pieces = isWhole(branch) ? [] : leaves.map(({leaf, mean_ns: time}) => ({key: `budget.leaf.${leaf}`, time}));
      const rest = whole - pieces.reduce((sum, {time}) => sum + time, 0);
      if (rest) pieces.push({key: `budget.branch.${branch}`, time: rest});
      for (const {key, time} of pieces) {
        const isNamed = NAMED.includes(branch) && key.startsWith('budget.leaf.');
        const part = parts.get(key) ?? {key, ...(isNamed && {of: `budget.branch.${branch}`}), class: of, change: 0};
        part.change += sign * time;
        parts.set(key, part);
      }
    }
  }
  return closed(a.budget.length_ns, b.budget.length_ns, [...parts.values()]);
}

/** The categories of time. @param {Diff} diff @returns {Changes} */
export function byCategory({step, categories, before_first_activity: early}) {
  /** @type {Part[]} */
  const parts = categories.map(({category, time}) => ({key: `category.${category}`, class: category, change: time.change_ns}));
  if (early) parts.push({key: 'category.delay', class: 'delay', change: early.change_ns});
  return closed(step.a_ns, step.b_ns, parts);
}

/** The names with the largest changes, of kernels and of slices of the host. @param {Diff} diff @param {(name: string) => string} [short] names that are shown @returns {Changes} */
export function byName({step, contributions}, short = (name) => name) {
  const parts = contributions.map(({category, name, shapes, time}) => {
    const [text, whole] = [short(name), name].map((one) => [one, shapes].filter(Boolean).join(' '));
    return category === 'other'
      ? {key: 'compare.unrecorded', class: category, change: time.change_ns}
      : {key: '', text, whole, class: category, change: time.change_ns};
  });
  return closed(step.a_ns, step.b_ns, parts, MOST);
}

/** Parts in the order of their changes; the small ones are merged, together with the rounding error of means. @param {number} a @param {number} b @param {Part[]} all @param {number} [most] @returns {Changes} */
function closed(a, b, all, most = Infinity) {
  const whole = all.reduce((sum, {change}) => sum + Math.abs(change), 0);
  const sorted = all.filter(({change}) => change).sort((one, other) => Math.abs(other.change) - Math.abs(one.change));
  const parts = sorted.filter(({change}, place) => place < most && Math.abs(change) >= SMALL * whole);
  const rest = b - a - parts.reduce((sum, {change}) => sum + change, 0);
  if (rest) parts.push({key: 'compare.small', class: 'other', change: rest});
  return {a, b, parts};
}

/** Spread of the lengths of steps; null for too few. @param {number[]} lengths @returns {Spread | null} */
export function spreadOf(lengths) {
  if (lengths.length < ENOUGH_STEPS) return null;
  const sorted = [...lengths].sort((one, other) => one - other);
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => Math.round(quantile(sorted, share)));
  return {median, low, high};
}

/** Whether the middle halves have no length in common: then the change exceeds the usual spread of steps. @param {Spread} a @param {Spread} b */
export function isApart(a, b) {
  return a.high < b.low || b.high < a.low;
}

/**
 * Whether the step is longer or shorter, and why that is not clear: the middle halves overlap, or mean and median change in opposite directions.
 * @param {number} change of the mean @param {Spread | null} from @param {Spread | null} to null where there are too few steps
 * @returns {{kind: 'same' | 'longer' | 'shorter' | 'unclear', why: 'few' | 'within' | 'mixed' | 'apart'}}
 */
export function verdictOf(change, from, to) {
  const kind = change === 0 ? 'same' : change > 0 ? 'longer' : 'shorter';
  if (!from || !to) return {kind, why: 'few'};
  if (!isApart(from, to)) return {kind: kind === 'same' ? kind : 'unclear', why: 'within'};
  return Math.sign(to.median - from.median) === Math.sign(change) ? {kind, why: 'apart'} : {kind: 'unclear', why: 'mixed'};
}

/**
 * The own time of a rank of a job, by which ranks are compared: they wait for each other, so that their steps are equally long. `unknown` where
 * the trace does not show it; null where ranks are not seen to wait.
 * @param {Pick<import('../../../../types/reports.js').JobReport, 'ranks' | 'verdict'>} job @param {number} place among its ranks
 * @returns {OwnTime | 'unknown' | null}
 */
export function ownTime({ranks, verdict}, place) {
  const row = ranks[place];
  // A recording of another time waits for none of these.
  if (!row || row.apart || row.repeated || verdict === 'no_collectives') return null;
  const {own_ns: mean, own_of_steps_ns: steps = []} = row;
  return mean === null ? 'unknown' : {mean, steps: steps.filter((own) => own !== null)};
}

/**
 * Share of the time of operators and kernels under names that both sides have, from 0 to 1; null where there is no such time.
 * @param {Pick<Diff, 'operators' | 'contributions'>} diff @returns {{operators: number | null, kernels: number | null}}
 */
export function inCommon({operators, contributions}) {
  const share = (/** @type {{a_ns: number, b_ns: number}[]} */ times) => {
    const sum = (/** @type {typeof times} */ of) => of.reduce((sum, {a_ns: a, b_ns: b}) => sum + a + b, 0);
    const all = sum(times);
    return all > 0 ? sum(times.filter(({a_ns: a, b_ns: b}) => a > 0 && b > 0)) / all : null;
  };
  return {
    operators: share(operators.map(({host_self: time}) => time)),
    kernels: share(contributions.filter(({category}) => category === 'kernel').map(({time}) => time)),
  };
}

/** The models of a rank's devices, each once. @param {import('../../../../types/reports.js').RankReport | undefined} rank @returns {string[]} */
export function modelsOf(rank) {
  return [...new Set(rank?.devices?.map(({name}) => name).filter(Boolean))].sort();
}
