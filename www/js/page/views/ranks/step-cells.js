// The cells of a map of ranks by steps: each rank's own time beside that of its peers. Nothing here touches the page.

import {median} from '../charts/sparkline-points.js';

/** @typedef {{stage: number | null, names: string[], own: (number | null)[]}} RankSteps a rank's steps, and its own time in each that counts */
/** @typedef {{own: number, usual: number | null, above: number | null, step: number}} Cell `usual`: the median of its peers; `above`: by which share of that it is more; `step`: the first of its steps, by the rank's index */
/** @typedef {{steps: string[], cells: (Cell | null)[][]}} StepCells a line per rank */

/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The steps of all ranks side by side, each as every rank's index of it: by their names, where no rank has one twice, else by their order. @param {RankSteps[]} ranks @returns {{name: string, of: (number | undefined)[]}[]} */
function columnsOf(ranks) {
  if (ranks.some(({names}) => new Set(names).size < names.length)) {
    const [longest] = [...ranks].sort((a, b) => b.names.length - a.names.length);
    return longest.names.map((name, step) => ({name, of: ranks.map(({names}) => (step < names.length ? step : undefined))}));
  }
  const places = ranks.map(({names}) => new Map(names.map((name, step) => [name, step])));
  const all = [...new Set(ranks.flatMap(({names}) => names))];
  return all.map((name) => ({name, of: places.map((place) => place.get(name))}));
}

/** The steps in which some rank has an own time. @param {RankSteps[]} ranks */
export function stepsAbreast(ranks) {
  return columnsOf(ranks).filter(({of}) => of.some((step, rank) => step !== undefined && (ranks[rank].own[step] ?? null) !== null));
}

/**
 * The cells of ranks by steps. Steps in which no rank has an own time are left out; above `most` steps, neighbors share a cell.
 * @param {RankSteps[]} ranks @param {number} most @returns {StepCells}
 */
export function stepCells(ranks, most) {
  const columns = stepsAbreast(ranks);
  const size = Math.max(1, Math.ceil(columns.length / most));
  /** @type {StepCells} */
  const found = {steps: [], cells: ranks.map(() => [])};
  for (let from = 0; from < columns.length; from += size) {
    const group = columns.slice(from, from + size);
    const last = group[group.length - 1];
    found.steps.push(group.length > 1 ? `${group[0].name} – ${last.name}` : group[0].name);
    const values = ranks.map(({own}, rank) => group.flatMap(({of}) => (of[rank] === undefined ? [] : (own[of[rank]] ?? []))));
    const means = values.map((own) => (own.length ? mean(own) : null));
    /** @type {Map<RankSteps['stage'], number[]>} */
    const ofStages = new Map();
    for (const [rank, {stage}] of ranks.entries()) {
      const own = means[rank];
      if (own === null) continue;
      const peers = ofStages.get(stage);
      if (peers) peers.push(own);
      else ofStages.set(stage, [own]);
    }
    const usuals = new Map([...ofStages].map(([stage, peers]) => [stage, peers.length > 1 ? median(peers) : null]));
    for (const [rank, {stage}] of ranks.entries()) {
      const own = means[rank];
      if (own === null) {
        found.cells[rank].push(null);
        continue;
      }
      const usual = usuals.get(stage) ?? null;
      const step = group.flatMap(({of}) => of[rank] ?? [])[0];
      found.cells[rank].push({own, usual, above: usual ? own / usual - 1 : null, step});
    }
  }
  return found;
}

/** The ranks that need the most beside their peers, by their places in the map, in the map's order. @param {StepCells} cells @param {number} most @returns {number[]} */
export function latest({cells}, most) {
  const above = cells.map((line) => {
    const known = line.flatMap((cell) => cell?.above ?? []);
    return known.length ? mean(known) : -Infinity;
  });
  const places = [...cells.keys()].sort((a, b) => above[b] - above[a] || a - b).slice(0, most);
  return places.sort((a, b) => a - b);
}
