// The columns of a table that a person does not want to see: remembered by the table's name.

import {fill, h} from '../../dom.js';
import {t} from '../../surroundings/i18n.js';
import {around} from '../../surroundings/surroundings.js';
import {menuOf} from '../frame/menu.js';

/** The menu of columns. */
export class HiddenColumns {
  #key;
  /** @type {Set<string>} */
  #hidden;
  #items = h('div', {class: 'menu-items columns-menu', role: 'group', 'aria-label': t('table.columns')});
  #summary = h('summary', {class: 'button', 'data-test': 'columns'});
  element = menuOf(this.#summary, this.#items).menu;

  /** @param {string} table its name @param {() => void} changed */
  constructor(table, changed) {
    this.#key = `columns.${table}`;
    this.changed = changed;
    this.#hidden = new Set(keysIn(around().remembered(this.#key)));
  }

  /** Offers columns; the first one, which names the rows, stays. @template {{key: string, title: string}} Column @param {Column[]} columns @returns {Column[]} those that are shown */
  of(columns) {
    const shown = columns.filter(({key}, index) => index === 0 || !this.#hidden.has(key));
    const left = columns.length - shown.length;
    fill(this.#summary, left ? t('table.columns.hidden', {count: left}) : t('table.columns'));
    this.element.hidden = columns.length < 3;
    if (this.#items.dataset.keys !== columns.map(({key}) => key).join('\n')) this.#offer(columns);
    return shown;
  }

  /** @param {{key: string, title: string}[]} columns */
  #offer(columns) {
    this.#items.dataset.keys = columns.map(({key}) => key).join('\n');
    fill(
      this.#items,
      columns.slice(1).map(({key, title}) => {
        const box = h('input', {type: 'checkbox', 'data-test': `column-${key}`, onchange: () => this.#choose(key, box.checked)});
        box.checked = !this.#hidden.has(key);
        return h('label', {class: 'check'}, box, title);
      }),
    );
  }

  /** @param {string} key @param {boolean} shown */
  #choose(key, shown) {
    if (shown) this.#hidden.delete(key);
    else this.#hidden.add(key);
    around().remember(this.#key, JSON.stringify([...this.#hidden]));
    this.changed();
  }
}

/** The keys that were remembered, if any. @param {string | null} text @returns {string[]} */
export function keysIn(text) {
  try {
    const keys = JSON.parse(text ?? '[]');
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}
