// A waterfall: from one step's length to the other's, each part from where the one before it ended.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('./changes.js').Changes} Changes */

/** The part of the axis that is left free beside the changes. */
const FREE = 0.12;

/** The name of a part. @param {import('./changes.js').Part} part */
export function partName({text, of, key}) {
  return text ?? [of, key].flatMap((one) => (one ? [t(one)] : [])).join(': ');
}

/** Draws changes as a table with bars. */
export class Waterfall {
  element = h('div', {class: 'waterfall', 'data-test': 'waterfall'});

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
  }

  /** @param {Changes} changes @param {{a: string, b: string}} names of the two lengths */
  show({a, b, parts}, names) {
    const {duration, duration_change: signed} = this.app.wasm;
    let at = a;
    const spans = parts.map((part) => {
      const from = at;
      at += part.change;
      return {part, from, to: at};
    });
    const ends = [a, b, ...spans.map(({to}) => to)];
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    // Changes of a few hundredths would not be seen on an axis from zero.
    const begin = low > high / 2 ? Math.max(0, low - FREE * (high - low || high)) : 0;
    const share = (/** @type {number} */ time) => `${high > begin ? (100 * (time - begin)) / (high - begin) : 0}%`;
    const bar = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ kind) => {
      const element = h('span', {class: `waterfall-bar ${kind}`});
      element.style.insetInlineStart = share(Math.min(from, to));
      element.style.inlineSize = `calc(${share(Math.max(from, to))} - ${share(Math.min(from, to))})`;
      return h('td', {class: 'waterfall-track', 'aria-hidden': 'true'}, element);
    };
    const total = (/** @type {string} */ name, /** @type {number} */ time) =>
      h('tr', {class: 'waterfall-total'}, h('th', {scope: 'row'}, name), bar(begin, time, 'is-total'), h('td', {class: 'waterfall-value'}, duration(time)));
    const row = (/** @type {typeof spans[number]} */ {part, from, to}) => {
      const name = partName(part);
      const kind = part.change > 0 ? 'worse' : 'better';
      const swatch = h('span', {class: 'budget-swatch'});
      swatch.style.setProperty('--part', `var(--class-${part.class})`);
      return h(
        'tr',
        {'data-test': 'waterfall-part'},
        h('th', {scope: 'row', title: part.whole ?? name}, swatch, h('span', {}, name)),
        bar(from, to, kind),
        h('td', {class: `waterfall-value ${kind}`}, signed(part.change)),
      );
    };
    fill(
      this.element,
      h(
        'table',
        {'aria-label': t('compare.waterfall')},
        // The heading is out of the table's flow: widths of its cells would not count.
        h('colgroup', {}, h('col', {class: 'waterfall-names'}), h('col', {}), h('col', {class: 'waterfall-values'})),
        h(
          'thead',
          {class: 'only-read-out'},
          h('tr', {}, h('th', {scope: 'col'}, t('column.name')), h('td', {'aria-hidden': 'true'}), h('th', {scope: 'col'}, t('compare.column.change'))),
        ),
        h('tbody', {}, total(names.a, a), spans.map(row), total(names.b, b)),
      ),
      begin > 0 && h('p', {class: 'hint'}, t('compare.waterfall.axis', {time: duration(begin)})),
    );
  }
}
