// The rows that a range's report covers: all, or those that a person chose.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../timeline/view.js').Among} Among */
/** @typedef {{among: Among | null, tracks: number[] | null, titles: string[]}} Told `tracks`: those of the shown rank, null: all; `titles`: names of its rows */

/** Titles that are written; the rest is counted. */
const WRITTEN = 4;

/** The choice. */
export class RangeAmong {
  #select = h('select', {
    'data-test': 'range-among',
    'aria-label': t('range.among'),
    title: t('range.among.why'),
    onchange: () => this.choose(/** @type {'pinned' | 'shown' | ''} */ (this.#select.value) || null),
  });
  #said = h('span', {class: 'hint', 'data-test': 'range-among-said'});
  /** @type {Told} */
  #told = {among: null, tracks: null, titles: []};

  /** @param {(among: Among | null) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.element = h('span', {class: 'range-among'}, this.#select, this.#said);
  }

  /** @param {Told} told */
  show(told) {
    this.#told = told;
    const {among, titles} = told;
    const option = (/** @type {string} */ value, /** @type {string} */ text) =>
      h('option', {value, selected: value === (typeof among === 'string' ? among : among ? 'rows' : '')}, text);
    fill(
      this.#select,
      option('', t('range.among.all')),
      among && typeof among === 'object' ? option('rows', t('range.among.rows', {rows: among.length})) : null,
      option('pinned', t('range.among.pinned')),
      option('shown', t('range.among.shown')),
    );
    const rest = titles.length - WRITTEN;
    fill(
      this.#said,
      among === null
        ? ''
        : !told.tracks?.length
          ? t('range.among.none')
          : [...titles.slice(0, WRITTEN), ...(rest > 0 ? [t('range.among.more', {rows: rest})] : [])].join(', '),
    );
  }

  /** The tracks of the shown rank that the report covers; undefined: all. */
  get tracks() {
    return this.#told.tracks ?? undefined;
  }

  /** The choice in words; empty for all rows. */
  get text() {
    return this.#told.among === null ? '' : `${t('range.among')}\t${this.#said.textContent ?? ''}`;
  }
}
