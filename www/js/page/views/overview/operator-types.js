// The share of each type of operators, as the profiler's own table has it.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Pie} from '../charts/pie.js';
import {heading} from '../parts/heading.js';
import {TABLES_BY_TYPE, sharesOf, timeColumn, typeColumn} from '../tables/recorded-operators.js';
import {nameOf} from '../tables/recorded-name.js';

/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('../../../../types/reports.js').RecordedTableReport} RecordedTable */
/** @typedef {import('../../../../types/reports.js').RecordedRowsReport} RecordedRows */

/** Number of types with a sector of their own. */
const TOP = 8;

/** The pie takes whole numbers. */
const PARTS_PER_WHOLE = 1e6;

/** A part of the overview; hidden where no such table was recorded. */
export class OperatorTypes {
  #pie;
  /** The name of the table that is shown. */
  #name = h('p', {class: 'hint', 'data-test': 'operator-types-table'});
  /** The total of the shares: the profiler's own, or the sum of the listed types. */
  #whole = h('p', {class: 'hint', 'data-test': 'operator-types-whole'});
  /** The sectors' names and values; the time of unlisted types is the last one. @type {{name: string, text: string, share?: string}[]} */
  #types = [];
  /** Row of the time of unlisted types, if the profiler's shares have it. @type {number | undefined} */
  #unlisted;
  #table = '';
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const open = () => app.store.set({tab: 'recorded', recordedTable: {id: this.#table}});
    this.#pie = new Pie(app, {
      label: t('overview.types'),
      describe: ({row, share}, others, sectors) => {
        const {percent} = app.wasm;
        if (row === null) {
          const hasUnlisted = this.#unlisted !== undefined && !sectors.some(({row}) => row === this.#unlisted);
          return [t('shares.rest', {count: app.wasm.count(others - Number(hasUnlisted))}), percent(share)];
        }
        const {name, text, share: printed} = this.#types[row];
        return [name, [printed ?? percent(share), text].filter(Boolean).join(' · ')];
      },
      onPick: open,
    });
    this.element = h(
      'section',
      {class: 'profile-part', 'aria-labelledby': 'operator-types-title', 'data-test': 'operator-types', hidden: true},
      heading('h3', 'overview.types', 'overview', {id: 'operator-types-title'}),
      this.#name,
      this.#whole,
      this.#pie.element,
      h('p', {class: 'jumps'}, h('button', {type: 'button', class: 'link', 'data-test': 'operator-types-all', onclick: open}, t('overview.types.all'))),
    );
  }

  /** Shows the first of the rank's tables that has times. @param {Rank} rank @returns {Promise<boolean>} whether there is one */
  async show({recorded: tables = []}) {
    const asked = ++this.#asked;
    this.element.hidden = true;
    for (const id of TABLES_BY_TYPE) {
      const place = tables.findIndex((table) => table.id === id);
      const rows = place < 0 ? undefined : await this.app.recorded(place);
      if (asked !== this.#asked) return false;
      if (rows && this.#draw(tables[place], rows)) return true;
    }
    return false;
  }

  /** @param {RecordedTable} table @param {RecordedRows} rows @returns {boolean} whether it has times */
  #draw({id, columns}, {values: all, texts}) {
    const at = (/** @type {string | undefined} */ name) => columns.findIndex((column) => column.name === name);
    const [type, time] = [at(typeColumn(id)), at(timeColumn(id))];
    if (type < 0 || time < 0) return false;
    const times = all.map((values) => Number(values[time] ?? 0));
    if (!times.some((time) => time > 0)) return false;
    this.#table = id;
    const shares = sharesOf(columns, all);
    const types = texts.map((row) => ({name: row[type], text: row[time], share: shares && row[shares.column]}));
    const unlisted = shares?.unlisted ? [{name: t('overview.types.unlisted'), text: ''}] : [];
    this.#types = [...types, ...unlisted];
    const values = shares ? [...shares.listed, ...unlisted.map(() => shares.unlisted)].map((share) => Math.round(share * PARTS_PER_WHOLE)) : times;
    this.#unlisted = unlisted.length > 0 ? types.length : undefined;
    fill(this.#name, nameOf(id));
    fill(this.#whole, t(shares ? 'overview.types.profiler' : 'overview.types.listed'));
    this.element.hidden = false;
    this.#pie.show(values, TOP);
    return true;
  }

  redraw() {
    if (!this.element.hidden) this.#pie.draw();
  }
}
