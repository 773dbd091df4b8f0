// The tables that the profiler wrote itself: a choice of them, and the one that is chosen.

import {fill, h} from '../../dom.js';
import {has, t} from '../../environment/i18n.js';
import {Choice} from '../frame/toolbar.js';
import {DataTable} from '../table/data-table.js';

/** @typedef {import('../../../../types/reports.js').RecordedTableReport} RecordedTable */
/** @typedef {import('../../state.js').State} State */
/** @typedef {{index: number, texts: string[], values: (number | string | null)[]}} Row */

/** Columns that are drawn: a step trace can have a thousand, one per collective and its ends. */
const MOST_COLUMNS = 60;

/** The tab of recorded tables. */
export class RecordedTab {
  #choice;
  #note = h('p', {class: 'hint', 'data-test': 'recorded-note'});
  #body = h('div', {class: 'recorded-table'});
  /** @type {DataTable<Row> | undefined} */
  #table;
  /** The tables of the rank that is shown. @type {RecordedTable[]} */
  #tables = [];
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#choice = new Choice(t('recorded.table'), 'recorded', () => this.#choose());
    this.element = h('div', {class: 'recorded'}, h('div', {class: 'recorded-head'}, this.#choice.element, this.#note), this.#body);
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    const tables = now.summary?.ranks[now.rank].recorded ?? [];
    if (before && tables === this.#tables) return;
    const wanted = this.#tables[Number(this.#choice.value)]?.id;
    this.#tables = tables;
    this.#choice.offer(tables.map((table, index) => [String(index), this.#title(table)]));
    // The same table of another rank.
    this.#choice.value = String(
      Math.max(
        0,
        tables.findIndex(({id}) => id === wanted),
      ),
    );
    this.#choose();
  }

  search() {
    this.#table?.search();
  }

  /** @param {RecordedTable} table */
  #title({id, row_count: rows, file}) {
    const name = has(`recorded.${id}`) ? t(`recorded.${id}`) : id;
    const same = this.#tables.filter((one) => one.id === id).length > 1;
    return t(same ? 'recorded.choice.file' : 'recorded.choice', {name, rows: this.app.wasm.count(rows), file: file.split('/').pop() ?? ''});
  }

  /** Asks for the rows of the chosen table. */
  async #choose() {
    const index = Number(this.#choice.value);
    const table = this.#tables[index];
    const asked = ++this.#asked;
    if (!table) {
      fill(this.#body, h('p', {class: 'nothing'}, t('recorded.none')));
      fill(this.#note);
      return;
    }
    const rows = await this.app.recorded(index);
    if (asked !== this.#asked || !rows) return;
    const hidden = Math.max(0, table.columns.length - MOST_COLUMNS);
    fill(this.#note, [t('recorded.file', {file: table.file}), hidden ? t('recorded.hidden', {columns: hidden}) : ''].filter(Boolean).join(' · '));
    this.#table = this.#make(table);
    fill(this.#body, this.#table.element);
    this.#table.show(rows.texts.map((texts, row) => ({index: row, texts, values: rows.values[row]})));
  }

  /** @param {RecordedTable} table @returns {DataTable<Row>} */
  #make({id, columns}) {
    const all = columns.map(({name, unit}, at) => ({
      // Columns may have the same name.
      key: columns.findIndex((one) => one.name === name) === at ? suffixed(name, unit) : `${suffixed(name, unit)}_${at}`,
      title: name,
      why: t(`recorded.unit.${unit}`),
      text: (/** @type {Row} */ row) => row.texts[at],
      value: (/** @type {Row} */ row) => row.values[at],
      left: unit === 'text',
      // Names and lists may be long; a click shows all of them.
      width: unit === 'text' ? 8 : undefined,
      weight: unit === 'text' ? 2 : 1,
    }));
    const number = {
      key: 'row',
      title: '#',
      why: t('recorded.row'),
      text: (/** @type {Row} */ row) => String(row.index + 1),
      value: (/** @type {Row} */ row) => row.index + 1,
    };
    return new DataTable(this.app, {
      name: id,
      label: has(`recorded.${id}`) ? t(`recorded.${id}`) : id,
      columns: [number, ...all.slice(0, MOST_COLUMNS)],
      saved: all,
      sort: {key: 'row', down: false},
      searched: (row) => row.texts.join(' '),
      detail: (row) => all.map(({title, text}) => [title, text(row)]),
      empty: () => t('recorded.empty'),
    });
  }
}

/** A column's name with what its numbers are in, as in the program's JSON. @param {string} name @param {string} unit */
function suffixed(name, unit) {
  return unit === 'text' || unit === 'number' ? name : `${name} [${unit}]`;
}
