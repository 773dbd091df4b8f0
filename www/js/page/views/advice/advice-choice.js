// Which rules give advice, with which thresholds: as the person chose, here and the last time.

import {fill} from '../../dom.js';
import {environment} from '../../environment/environment.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../../protocol/answers.js').ReportRequest} ReportRequest */
/** @typedef {import('../../../protocol/wasm.js').Wasm} Wasm */

export const RULE_SETS = ['stepscope', 'tensorboard'];

/** @returns {Record<string, number>} thresholds that were changed, by name */
function changed() {
  try {
    const found = JSON.parse(environment().remembered('thresholds') ?? '{}');
    return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === 'number' && Number.isFinite(value)));
  } catch {
    return {};
  }
}

/** The part of the advice report request that depends on the user's choices. @returns {ReportRequest} */
export function adviceAsk() {
  return {rules: chosenRules(), rule_thresholds: Object.entries(changed())};
}

export function chosenRules() {
  const chosen = environment().remembered('rules') ?? '';
  return RULE_SETS.includes(chosen) ? chosen : RULE_SETS[0];
}

/** @param {string} set */
export function chooseRules(set) {
  environment().remember('rules', set);
}

/** @param {string} name @param {number} value */
export function setThreshold(name, value) {
  environment().remember('thresholds', JSON.stringify({...changed(), [name]: value}));
}

export function resetThresholds() {
  environment().remember('thresholds', '{}');
}

/** Shows that advice is of all steps, while one is chosen. @param {HTMLElement} note @param {import('../../state.js').State} now */
export function showScope(note, {summary, rank, step}) {
  note.hidden = step === null;
  if (step !== null) fill(note, t('advice.all_steps', {step: t('step', {name: summary?.ranks[rank].steps[step]?.name ?? ''})}));
}

/** A value as it is read. @param {Wasm} wasm @param {string} unit @param {number} value */
export function valueText(wasm, unit, value) {
  if (unit === 'share') return wasm.percent(value);
  if (unit === 'ns') return wasm.duration(value);
  if (unit === 'bytes') return wasm.bytes(value);
  if (unit === 'bytes_per_second') return wasm.gigabytes_per_second(value / 1e9);
  if (unit === 'flops') return wasm.amount_of_flops(value);
  if (unit === 'flops_per_second') return wasm.flops_per_second(value);
  return wasm.number(value);
}
