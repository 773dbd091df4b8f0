// The tables of every step of the shown rank, asked for one after the other, and what a table shows of them: rows of one step each, and curves.

import {t} from '../../../environment/i18n.js';
import {sparkline} from '../sparkline.js';
import {MOST_STEPS, curvesOf, keyIn} from './step-tables.js';
import {TableRows} from './table-rows.js';

/** @typedef {import('../../../app.js').App} App */
/** @typedef {import('../../../../protocol/table.js').TableValues} TableValues */
/** @typedef {import('./step-tables.js').Curve} Curve */

/** The tables of every step. */
export class EveryStep {
  #app;
  #ask;
  #choice;
  #asked = '';
  /** @type {import('../../../../../types/reports.js').Summary | null} */
  #summary = null;
  /** @type {Promise<TableValues[] | undefined>} */
  #found = Promise.resolve(undefined);

  /** @param {App} app @param {(step: number) => Promise<TableValues | undefined>} ask for the table of a step @param {() => unknown} choice whatever else makes the table another one */
  constructor(app, ask, choice) {
    this.#app = app;
    this.#ask = ask;
    this.#choice = choice;
  }

  /** The names of the shown rank's steps; none where they are one, or too many to ask for each. */
  get names() {
    const {summary, rank} = this.#app.state;
    const names = (summary?.ranks[rank].steps ?? []).map(({name}) => name);
    return names.length > 1 && names.length <= MOST_STEPS ? names : [];
  }

  /** Them; undefined if another rank is shown meanwhile, or others are wanted. @returns {Promise<TableValues[] | undefined>} */
  get tables() {
    const {summary, rank} = this.#app.state;
    const asked = JSON.stringify([rank, this.#choice()]);
    if (asked !== this.#asked || summary !== this.#summary) {
      this.#asked = asked;
      this.#summary = summary;
      this.#found = this.#read();
    }
    return this.#found;
  }

  async #read() {
    const [asked, summary] = [this.#asked, this.#summary];
    const tables = [];
    for (const step of this.names.keys()) {
      const table = await this.#ask(step);
      if (asked !== this.#asked || summary !== this.#summary) return undefined;
      if (!table) return undefined;
      tables.push(table);
    }
    return tables.length ? tables : undefined;
  }
}

/** The curves of a table's rows over the steps. */
export class RowCurves {
  #app;
  #how;
  /** @type {Promise<TableValues[] | undefined> | undefined} */
  #asked;
  /** @type {Map<string, Curve> | undefined} */
  #curves;

  /**
   * @param {App} app @param {import('./step-tables.js').TableDescription} description of the table
   * @param {{steps: EveryStep, of: () => string, more?: () => string[]}} how `of`: the key of the values; `more`: keys of columns that make a row, beside its name's
   * @param {() => void} changed called when curves are there
   */
  constructor(app, description, how, changed) {
    this.#app = app;
    this.description = description;
    this.#how = how;
    this.changed = changed;
  }

  /** Asks for them. */
  async #want() {
    const {steps} = this.#how;
    const asked = steps.tables;
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#curves = undefined;
    const tables = await asked;
    if (asked !== this.#asked || !tables) return;
    const rows = tables.map((table) => new TableRows(this.description, table));
    this.#curves = curvesOf(rows, this.#how.of(), (rows, row) => this.#key(rows, row));
    this.changed();
  }

  /** @param {TableRows} rows @param {number} row */
  #key(rows, row) {
    return keyIn(this.description, rows, row, this.#how.more?.() ?? []);
  }

  /** The column, hidden until a person wants it: only then steps are asked for. @param {() => TableRows | undefined} rowsOf the rows that are shown @returns {import('../data-table.js').Column<number>} */
  column(rowsOf) {
    const {duration} = this.#app.wasm;
    const curveOf = (/** @type {number} */ row) => {
      const rows = rowsOf();
      return rows && this.#curves?.get(this.#key(rows, row));
    };
    // A row of one step has none.
    const has = (/** @type {number} */ row) => this.#how.steps.names.length > 0 && rowsOf()?.value('step', row) === null;
    return {
      key: 'curve',
      title: t('column.curve'),
      why: t('column.curve.why'),
      text: (row) => {
        const curve = curveOf(row);
        return curve ? `${duration(curve.lowest)} – ${duration(curve.highest)}` : '…';
      },
      value: (row) => (has(row) ? (curveOf(row)?.highest ?? 0) : null),
      optional: true,
      extra: true,
      width: 8,
      weight: 0,
      picture: (row) => {
        this.#want();
        const curve = curveOf(row);
        if (!curve) return null;
        const {values, lowest, median, highest} = curve;
        const {names} = this.#how.steps;
        const label = t('sparkline', {lowest: duration(lowest), median: duration(median), highest: duration(highest)});
        const said = (/** @type {number} */ place) => `${t('step', {name: names[place]})}: ${duration(values[place])}`;
        return sparkline(values, {low: 0, high: Math.max(1, highest)}, {label, usual: null, isJudged: false, said});
      },
    };
  }
}
