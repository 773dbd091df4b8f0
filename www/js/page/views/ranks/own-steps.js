// The own time of each rank in each step, for the map of ranks by steps and the table of ranks.

import {extremes, median, scaleOf} from '../charts/sparkline-points.js';
import {stepsAbreast} from './step-cells.js';

/** @typedef {import('../../../../types/reports.js').JobRankReport} JobRank */
/** @typedef {import('../../../../types/reports.js').Summary['ranks'][number]['steps']} Steps */
/** @typedef {import('./step-cells.js').RankSteps & {row: JobRank, index: number, steps: Steps}} RankBySteps `index`: its place among those that are open */
/** @typedef {{values: (number | null)[], usual: number | null, lowest: number, median: number, highest: number}} OwnLine `usual`: the median of the ranks of its stage; null where it is alone */
/** @typedef {{names: string[], isGrouped: boolean, scale: import('../charts/sparkline-points.js').Scale, lines: Map<JobRank, OwnLine>}} OwnLines `names`: of the steps, the places of the lines */

/** Places of a line at most: more steps share them. */
const MOST_PLACES = 60;

/**
 * The ranks of a job of which it is known.
 * @param {JobRank[]} rows @param {(row: JobRank) => number | undefined} indexOf @param {{steps: Steps}[]} open the ranks that are open
 * @returns {RankBySteps[]}
 */
export function ranksBySteps(rows, indexOf, open) {
  return rows.flatMap((row) => {
    const index = indexOf(row);
    const steps = index === undefined ? undefined : open[index]?.steps;
    return row.own_ns !== null && row.own_of_steps_ns && steps && index !== undefined && !row.repeated && !row.apart
      ? [{row, index, steps, stage: row.stage, names: steps.map(({name}) => name), own: row.own_of_steps_ns}]
      : [];
  });
}

/**
 * A line for each rank through its own time in each step. Steps in which no rank has one are left out. Neighbors of many steps share
 * a place, which has the longest of them, the one of interest. A single step makes no line.
 * @param {RankBySteps[]} ranks @param {number} [most] places @returns {OwnLines | undefined}
 */
export function ownLines(ranks, most = MOST_PLACES) {
  const steps = stepsAbreast(ranks);
  if (steps.length < 2) return undefined;
  const size = Math.ceil(steps.length / most);
  const groups = Array.from({length: Math.ceil(steps.length / size)}, (_, at) => steps.slice(at * size, (at + 1) * size));
  const own = (/** @type {number} */ rank, /** @type {(typeof steps)[number]} */ {of}) => {
    const step = of[rank];
    return step === undefined ? null : (ranks[rank].own[step] ?? null);
  };
  const known = ranks.map((_, rank) => steps.flatMap((step) => own(rank, step) ?? []));
  const rows = ranks.map((_, rank) =>
    groups.map((group) => {
      const values = group.flatMap((step) => own(rank, step) ?? []);
      return values.length ? Math.max(...values) : null;
    }),
  );
  const ofStage = new Map(
    [...new Set(ranks.map(({stage}) => stage))].map((stage) => {
      const peers = ranks.flatMap((rank, at) => (rank.stage === stage && known[at].length ? [known[at]] : []));
      return [stage, peers.length > 1 ? median(peers.flat()) : null];
    }),
  );
  const scale = scaleOf(rows, [...ofStage.values()]);
  if (!scale) return undefined;
  /** @type {OwnLines['lines']} */
  const lines = new Map();
  for (const [rank, {row, stage}] of ranks.entries()) {
    const found = extremes(known[rank]);
    if (found) lines.set(row, {values: rows[rank], usual: ofStage.get(stage) ?? null, ...found});
  }
  const names = groups.map((group) => (group.length > 1 ? `${group[0].name} – ${group[group.length - 1].name}` : group[0].name));
  return {names, isGrouped: size > 1, scale, lines};
}
