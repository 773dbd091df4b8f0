// The share of each type of operators, as the profiler's own table has it.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Pie} from '../charts/pie.js';
import {heading} from '../parts/heading.js';
import {timeColumn, typeColumn} from '../tables/recorded-operators.js';

/** @typedef {import('../../../../types/reports.js').RankReport} Rank */

/** Tables by type, the one that says the most about the device first. */
const TABLES = ['aicore_type', 'gpu_op_type', 'op_type_compute_time', 'cpu_op_type'];

/** How many types have a sector of their own. */
const TOP = 8;

/** The card of the overview; hidden where no such table was recorded. */
export class OperatorTypesCard {
  #pie;
  /** @type {{name: string, text: string, time: number}[]} */
  #types = [];
  #table = '';
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const open = () => app.store.set({tab: 'recorded', recordedTable: {id: this.#table}});
    this.#pie = new Pie(app, {
      label: t('overview.types'),
      describe: ({row, share}, others) => {
        const {percent} = app.wasm;
        if (row === null) return [t('shares.rest', {count: app.wasm.count(others)}), percent(share)];
        const {name, text} = this.#types[row];
        return [name, `${percent(share)} · ${text}`];
      },
      onPick: open,
    });
    this.element = h(
      'section',
      {class: 'card wide', 'aria-labelledby': 'operator-types-title', 'data-test': 'operator-types', hidden: true},
      heading('h2', 'overview.types', 'overview', {id: 'operator-types-title'}),
      this.#pie.element,
      h('p', {}, h('button', {type: 'button', class: 'link', 'data-test': 'operator-types-all', onclick: open}, t('overview.types.all'))),
    );
  }

  /** Asks for the rank's table. @param {Rank} rank */
  async show({recorded: tables = []}) {
    const asked = ++this.#asked;
    const places = TABLES.map((id) => tables.findIndex((table) => table.id === id));
    const place = places.find((found) => found >= 0);
    this.element.hidden = true;
    if (place === undefined) return;
    const {id, columns} = tables[place];
    const at = (/** @type {string | undefined} */ name) => columns.findIndex((column) => column.name === name);
    const [type, time] = [at(typeColumn(id)), at(timeColumn(id))];
    const rows = await this.app.recorded(place);
    if (asked !== this.#asked || !rows || type < 0 || time < 0) return;
    this.#table = id;
    this.#types = rows.values.map((values, row) => ({name: rows.texts[row][type], text: rows.texts[row][time], time: Number(values[time] ?? 0)}));
    if (!this.#types.some(({time}) => time > 0)) return;
    this.element.hidden = false;
    this.#pie.show(
      this.#types.map(({time}) => time),
      TOP,
    );
  }

  redraw() {
    if (!this.element.hidden) this.#pie.draw();
  }
}
