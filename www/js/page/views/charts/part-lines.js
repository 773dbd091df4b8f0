// The lines of a tooltip on a part of a stacked bar: the same in every chart.

import {t} from '../../environment/i18n.js';

/** The length of the bar that a region is a part of; where several bars are drawn as one, their mean. @param {{values: number[]}[]} bars @param {{first: number, end: number}} region */
export function wholeOf(bars, {first, end}) {
  const drawn = bars.slice(first, end);
  return drawn.reduce((sum, {values}) => sum + values.reduce((all, value) => all + value, 0), 0) / Math.max(1, drawn.length);
}

/**
 * A part's value with its share, and the whole.
 * @param {Pick<import('../../../protocol/wasm.js').Wasm, 'percent'>} wasm @param {(value: number) => string} text of values @param {string} name
 * @param {{value: number, first: number, end: number}} region @param {number} whole the bar's length @returns {string[]}
 */
export function partLines({percent}, text, name, {value, first, end}, whole) {
  const mean = end - first > 1 ? ` (${t('chart.mean')})` : '';
  return [`${name}: ${text(value)} · ${percent(whole ? value / whole : null)}${mean}`, t('chart.of', {total: text(Math.round(whole))})];
}
