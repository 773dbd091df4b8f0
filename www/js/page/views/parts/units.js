// Names of the units of a rank's devices, and values that are not known, or for a part of the time.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('../../../protocol/wasm.js').Wasm} Wasm */

/** Names of units, as messages have them; with a capital where a heading begins with one. @param {Rank['vendor'] | undefined} vendor @returns {Record<string, string>} */
export function unitNames(vendor) {
  const of = vendor ?? 'unknown';
  const names = [
    ['matrix', t(`units.matrix.${of}`)],
    ['unit', t(`units.unit.${of}`)],
    ['units', t(`units.units.${of}`)],
    ['warps', t(`units.warps.${of}`)],
  ];
  const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
  return Object.fromEntries([...names, ...names.map(([name, text]) => [capital(name), capital(text)])]);
}

/**
 * A value as text, or for how much of the time it is known where that is too little.
 * @param {Pick<Wasm, 'is_enough' | 'percent'>} wasm @param {string} text @param {number | null | undefined} coverage
 */
export function known(wasm, text, coverage) {
  return typeof coverage !== 'number' || wasm.is_enough(coverage) ? text : t('known_for', {share: wasm.percent(coverage)});
}

/** A value for sorting: none where too little of it is known. @template T @param {Pick<Wasm, 'is_enough'>} wasm @param {T} value @param {number | null} coverage @returns {T | null} */
export function knownValue(wasm, value, coverage) {
  return coverage === null || wasm.is_enough(coverage) ? value : null;
}

/** A number with its unit, which stay on one line. */
const WITH_UNIT = /(\d[\d.]* (?:%|[nµm]?s|[KMGT]?i?B)(?!\w))/;

/** A sentence in which no line ends between a number and its unit. @param {string} text @returns {(string | Node)[]} */
export function unbroken(text) {
  return text.split(WITH_UNIT).map((part, index) => (index % 2 ? h('span', {class: 'number'}, part) : part));
}

/** The peaks that the person gave, as they are typed. @param {Rank | undefined} rank */
export function peaksText(rank) {
  return Object.entries(rank?.given_peaks ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/** Chooses the peaks of the devices, such as `bf16=989`; none for the data sheets'. @param {App} app @param {string} text @returns {Promise<string | undefined>} the part that is no peak */
export async function givePeaks(app, text) {
  try {
    const answer = await app.client.ask('peaks', {text});
    if ('fault' in answer) return answer.fault;
    app.store.set({summary: answer});
  } catch (error) {
    app.fail(error);
  }
  return undefined;
}

/** Sends the choices of the last session to a new one: the definition, the peaks. @param {App['client']} client @param {Rank | undefined} rank */
export async function chooseAgain(client, rank) {
  if (rank?.definition) await client.ask('define', {name: rank.definition});
  const peaks = peaksText(rank);
  if (peaks) await client.ask('peaks', {text: peaks});
}

/** A value as it is read; a dash where there is none. @param {number | null} value @param {(value: number) => string} text */
export function orDash(value, text) {
  return value === null ? '–' : text(value);
}
