// The metrics by which ranks are compared, and the text of each value.

import {t} from '../../environment/i18n.js';

/** @typedef {import('../../../../types/reports.js').DrillDownStepReport} DrillDownStep */
/** @typedef {import('../../../../types/reports.js').JobRankReport} JobRank */
/** @typedef {import('../../../../types/reports.js').JobReport} JobReport */
/** @typedef {import('../../../../types/reports.js').JobMarkReport} JobMark */
/** @typedef {import('../../../protocol/wasm.js').Wasm} Wasm */
/** @typedef {{key: string, value: (row: JobRank) => number | null, text: (wasm: Wasm, value: number) => string, mark?: JobMark['column']}} Metric */

/** @param {Wasm} wasm @param {number} value */
const time = (wasm, value) => wasm.duration(value);

/** @type {Metric[]} */
export const METRICS = [
  {key: 'step_ns', value: (row) => row.step_ns, text: time},
  {key: 'own_ns', value: (row) => row.own_ns, text: time, mark: 'own'},
  {key: 'compute_ns', value: (row) => row.compute_ns, text: time, mark: 'compute'},
  {key: 'communication_ns', value: (row) => row.communication_ns, text: time},
  {key: 'exposed_communication_ns', value: (row) => row.exposed_communication_ns, text: time},
  {key: 'exposed_memcpy_ns', value: (row) => row.exposed_memcpy_ns, text: time},
  {key: 'idle_ns', value: (row) => row.idle_ns, text: time},
  {key: 'between_steps_ns', value: (row) => row.between_steps_ns ?? null, text: time},
  {key: 'iteration_interval_ns', value: (row) => row.iteration_interval_ns, text: time, mark: 'iteration_interval'},
  {key: 'forward_and_backward_ns', value: (row) => row.forward_and_backward_ns, text: time},
  {key: 'tail_ns', value: (row) => row.tail_ns, text: time},
  {key: 'stage_ns', value: (row) => row.stage_ns, text: time},
  {key: 'exposed_without_receiving_ns', value: (row) => row.exposed_without_receiving_ns ?? null, text: time},
  {key: 'receive_alone_ns', value: (row) => row.receive_alone_ns, text: time},
  {key: 'flops', value: (row) => (row.flops_known ? row.flops : null), text: (wasm, value) => wasm.amount_of_flops(value)},
  {
    key: 'flops_per_second',
    value: (row) => (row.flops_known ? row.flops_per_second : null),
    text: (wasm, value) => wasm.flops_per_second(value),
    mark: 'flop_rate',
  },
  {key: 'memory_peak_bytes', value: (row) => row.memory_peak_bytes, text: (wasm, value) => wasm.bytes(value)},
  {key: 'planned_peak_bytes', value: (row) => row.planned_peak_bytes ?? null, text: (wasm, value) => wasm.bytes(value)},
  {key: 'votes', value: (row) => (row.voted ? row.votes : null), text: (wasm, value) => wasm.count(value)},
];

/** The heading of a metric, as the table of ranks is described. @param {Pick<Metric, 'key'>} metric */
export const headingOf = ({key}) => t(`column.job.ranks.${key}`);

/** Its meaning. @param {Pick<Metric, 'key'>} metric */
export const meaningOf = ({key}) => t(`column.job.ranks.${key}.why`);

/** Parts of a rank's bar, each with its color class. @type {{key: 'compute_ns' | 'exposed_communication_ns' | 'exposed_memcpy_ns' | 'idle_ns', part: string}[]} */
export const PARTS = [
  {key: 'compute_ns', part: 'kernel'},
  {key: 'exposed_communication_ns', part: 'communication'},
  {key: 'exposed_memcpy_ns', part: 'memcpy'},
  {key: 'idle_ns', part: 'idle'},
];

/** The class of the rest of a bar. */
export const REST = 'other';

/** The lengths of a bar's parts; the last one is the rest up to the step, where any part is known. @param {JobRank} row @param {typeof PARTS} parts @returns {number[]} */
export function partsOf(row, parts) {
  const values = parts.map(({key}) => row[key] ?? 0);
  const isKnown = parts.some(({key}) => row[key] !== null);
  return [...values, isKnown ? Math.max(0, row.step_ns - values.reduce((sum, value) => sum + value, 0)) : 0];
}

/** The values that some rank has. @param {JobRank[]} rows */
export function metricsOf(rows) {
  return METRICS.filter(({value}) => rows.some((row) => value(row) !== null));
}

/** The mark on a rank's value. @param {JobRank} row @param {Metric} metric */
export function markOf(row, {mark}) {
  return row.marks.find(({column}) => column === mark);
}

/** A value as it is read. @param {Wasm} wasm @param {JobRank} row @param {Metric} metric */
export function textOf(wasm, row, {value, text}) {
  const found = value(row);
  return found === null ? '–' : text(wasm, found);
}

/** Why a value is marked. @param {Wasm} wasm @param {JobMark} mark */
export function markText(wasm, {rule, by}) {
  return t('ranks.marked.by', {by: wasm.percent_change(by), rule: t(`ranks.rule.${rule}`)});
}

/** Ranks by their numbers, with the word for them. @param {number[]} ranks */
export function ranksNamed(ranks) {
  return ranks.length === 1 ? t('rank', {rank: ranks[0]}) : t('ranks.named', {ranks: rankList(ranks)});
}

/** A list of ranks; only the first ones of many. @param {number[]} ranks */
export function rankList(ranks) {
  const most = 8;
  const named = ranks.slice(0, most).join(', ');
  return ranks.length > most ? t('ranks.more', {ranks: named, count: ranks.length}) : named;
}

/** A rank to compare another one with: the peer with the middle own time, preferably without marks; undefined without peers. @param {JobRank[]} rows @param {JobRank} row @returns {JobRank | undefined} */
export function peerOf(rows, row) {
  const alike = rows.filter((one) => one !== row && one.stage === row.stage && !one.repeated && !one.apart && one.source === undefined);
  const plain = alike.filter(({marks}) => marks.length === 0);
  const sorted = [...(plain.length ? plain : alike)].sort((a, b) => (a.own_ns ?? a.step_ns) - (b.own_ns ?? b.step_ns));
  return sorted[(sorted.length - 1) >> 1];
}

/** The marked column of the table of ranks for each number of the drill-down. @type {Record<string, JobMark['column']>} */
const MARKED = {own: 'own', compute: 'compute', iteration_interval: 'iteration_interval'};

/** The ranks that the verdict names: others wait for them or for their stage, or their own time is longer though none waits. @param {Pick<JobReport, 'slow_alone'>} job @param {Pick<import('../../../../types/reports.js').StragglersRow, 'place' | 'ranks'>[]} stragglers @returns {Set<number>} */
export function judgedRanks({slow_alone: alone = []}, stragglers) {
  return new Set([...stragglers.flatMap(({place, ranks}) => (place === 'rank' || place === 'stage' ? ranks : [])), ...alone.map(({rank}) => rank)]);
}

/** Whether a number is far from the others' on some rank, or its own time is longer, though none is found to wait for that. @param {DrillDownStep} step @param {Pick<JobReport, 'ranks' | 'slow_alone'>} job */
export function isNoted({step, name = ''}, {ranks, slow_alone: alone = []}) {
  if (step !== 'metric') return false;
  return (name === 'own' && alone.length > 0) || ranks.some(({marks}) => marks.some(({column}) => column === MARKED[name]));
}

/**
 * Whether a number has not passed as a check, though it has no place of its own: the ranks that it names are late, or ranks differ much in it.
 * @param {DrillDownStep} step @param {Set<number>} judged the ranks that the verdict names @param {number} count of the job's ranks
 */
export function isUneven({step, uneven = false, ranks = []}, judged, count) {
  if (step !== 'metric') return false;
  // A list of all ranks alike names none.
  const isLate = ranks.length > 0 && ranks.length < count && ranks.every((rank) => judged.has(rank));
  return isLate || uneven;
}

/**
 * The steps of the walk that are not off, by how they are listed: far from the other ranks by a rule, other values, and passed checks.
 * Only a number that a rule checks passes; a kind of parallelism is the heading of its numbers.
 * @param {Pick<JobReport, 'drill_down' | 'ranks' | 'slow_alone'>} job
 * @param {Pick<import('../../../../types/reports.js').StragglersRow, 'place' | 'ranks'>[]} stragglers
 */
export function checksOf(job, stragglers) {
  const judged = judgedRanks(job, stragglers);
  const rest = job.drill_down.filter(({off}) => !off);
  const noted = rest.filter((step) => isNoted(step, job));
  const passes = (/** @type {DrillDownStep} */ step) => step.step === 'parallel' || (step.checked && !isUneven(step, judged, job.ranks.length));
  const fine = rest.filter((step) => !noted.includes(step) && passes(step));
  return {noted, other: rest.filter((step) => !noted.includes(step) && !fine.includes(step)), fine};
}
