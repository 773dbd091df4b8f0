// Which columns of a table a person wants to see, in which order, how wide: remembered by the table's name.

import {fill, h} from '../../../dom.js';
import {t} from '../../../environment/i18n.js';
import {environment} from '../../../environment/environment.js';
import {menuOf} from '../../frame/menu.js';
import {inOrder, keysIn, moved, widthsIn} from './order.js';

/** The least and the greatest width of a column, in pixels. */
const NARROWEST = 40;
const WIDEST = 1600;

/** @typedef {{key: string, title: string, extra?: boolean}} Offered a column; `extra`: it is hidden at first */

/** The menu of columns. */
export class ChosenColumns {
  #table;
  /** The hidden columns; of those that are hidden at first, the shown ones. @type {Set<string>} */
  #hidden;
  /** @type {string[]} */
  #order;
  /** In pixels, by the column's key. @type {Map<string, number>} */
  #widths;
  /** The columns that were offered last, in the order of the menu. @type {Offered[]} */
  #offered = [];
  #items = h('div', {class: 'menu-items columns-menu', role: 'group', 'aria-label': t('table.columns')});
  #summary = h('summary', {class: 'button', 'data-test': 'columns'});
  element = menuOf(this.#summary, this.#items).menu;

  /** @param {string} table its name @param {() => void} changed called when other columns are shown, or in another order @param {() => void} resized called when a column has its final width */
  constructor(table, changed, resized) {
    this.#table = table;
    this.changed = changed;
    this.resized = resized;
    this.#hidden = new Set(keysIn(environment().remembered(`columns.${table}`)));
    this.#order = keysIn(environment().remembered(`order.${table}`));
    this.#widths = widthsIn(environment().remembered(`widths.${table}`));
  }

  /** Offers columns; the first one, which names the rows, stays. @template {Offered} Column @param {Column[]} columns @returns {Column[]} those that are shown, in the person's order */
  of(columns) {
    const ordered = inOrder(columns, this.#order);
    const shown = ordered.filter((column, index) => index === 0 || !this.#isHidden(column));
    const left = ordered.filter((column, index) => index && !column.extra && this.#isHidden(column)).length;
    fill(this.#summary, left ? t('table.columns.hidden', {count: left}) : t('table.columns'));
    this.element.hidden = columns.length < 3;
    if (this.#offered.map(({key}) => key).join('\n') !== ordered.map(({key}) => key).join('\n')) this.#offer(ordered);
    return shown;
  }

  /** @param {Offered} column */
  #isHidden({key, extra = false}) {
    return this.#hidden.has(key) !== extra;
  }

  /** The person's choice. */
  get choice() {
    return {hidden: [...this.#hidden], order: this.#order, widths: Object.fromEntries(this.#widths)};
  }

  /** Restores a choice. @param {{hidden: string[], order: string[], widths: Record<string, number>}} choice */
  restore({hidden, order, widths}) {
    this.#hidden = new Set(hidden);
    this.#widths = new Map(Object.entries(widths));
    environment().remember(`columns.${this.#table}`, JSON.stringify(hidden));
    environment().remember(`widths.${this.#table}`, JSON.stringify(widths));
    this.#remember(order);
    this.#offered = [];
  }

  /** The width that a person gave a column. @param {string} key @returns {number | undefined} */
  widthOf(key) {
    return this.#widths.get(key);
  }

  /** A width that a column may have. @param {number} width in pixels */
  within(width) {
    return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
  }

  /** Makes a column as wide, or as wide as its texts need. @param {string} key @param {number | undefined} width in pixels */
  widen(key, width) {
    if (width === undefined) this.#widths.delete(key);
    else this.#widths.set(key, this.within(width));
    environment().remember(`widths.${this.#table}`, JSON.stringify(Object.fromEntries(this.#widths)));
    this.resized();
  }

  /** Puts a column by another one's side, or a place further: the one that names the rows stays first. @param {string} key @param {string | -1 | 1} to */
  move(key, to) {
    const shown = this.#offered.filter((column, index) => index === 0 || !this.#isHidden(column)).map((column) => column.key);
    const order = moved(
      this.#offered.map((column) => column.key),
      key,
      typeof to === 'string' ? to : shown[shown.indexOf(key) + to],
    );
    if (!order) return;
    this.#remember(order);
    this.changed();
  }

  /** @param {string[]} order */
  #remember(order) {
    this.#order = order;
    environment().remember(`order.${this.#table}`, JSON.stringify(order));
  }

  /** @param {Offered[]} columns */
  #offer(columns) {
    this.#offered = columns;
    const reset = h('button', {class: 'menu-item', type: 'button', 'data-test': 'columns-reset', onclick: () => this.#reset()}, t('table.columns.reset'));
    fill(
      this.#items,
      columns.slice(1).map((column, index) => {
        const {key, title} = column;
        const box = h('input', {type: 'checkbox', 'data-test': `column-${key}`, onchange: () => this.#choose(column, box.checked)});
        box.checked = !this.#isHidden(column);
        const arrow = (/** @type {-1 | 1} */ by, /** @type {string} */ way, /** @type {string} */ sign) =>
          h(
            'button',
            {
              class: 'button quiet column-move',
              type: 'button',
              disabled: columns[index + 1 + by] === undefined || index + by < 0,
              'aria-label': t(`table.column.${way}`, {title}),
              title: t(`table.column.${way}`, {title}),
              'data-test': `column-${way}-${key}`,
              onclick: () => this.#step(key, by, way),
            },
            sign,
          );
        return h('div', {class: 'column-item'}, h('label', {class: 'check'}, box, title), arrow(-1, 'before', '↑'), arrow(1, 'after', '↓'));
      }),
      reset,
    );
  }

  /** Moves a column in the menu, where hidden ones have their places, too. @param {string} key @param {-1 | 1} by @param {string} way */
  #step(key, by, way) {
    const keys = this.#offered.map((column) => column.key);
    const order = moved(keys, key, keys[keys.indexOf(key) + by]);
    if (!order) return;
    this.#remember(order);
    this.changed();
    // The button was made anew; at the end of the list it takes no focus.
    const [same, other] = [way, way === 'before' ? 'after' : 'before'].map((one) =>
      this.#items.querySelector(`[data-test="column-${one}-${CSS.escape(key)}"]`),
    );
    const button = /** @type {HTMLButtonElement | null} */ (same);
    /** @type {HTMLElement | null} */ (button?.disabled ? other : button)?.focus();
  }

  /** @param {Offered} column @param {boolean} shown */
  #choose({key, extra = false}, shown) {
    if (shown !== extra) this.#hidden.delete(key);
    else this.#hidden.add(key);
    environment().remember(`columns.${this.#table}`, JSON.stringify([...this.#hidden]));
    this.changed();
  }

  /** All columns but those that are hidden at first, in their order and as wide as their texts. */
  #reset() {
    this.#hidden.clear();
    this.#widths.clear();
    environment().remember(`columns.${this.#table}`, '[]');
    environment().remember(`widths.${this.#table}`, '{}');
    this.#remember([]);
    this.#offered = [];
    this.changed();
    /** @type {HTMLElement | null} */ (this.#items.querySelector('[data-test="columns-reset"]'))?.focus();
  }
}
