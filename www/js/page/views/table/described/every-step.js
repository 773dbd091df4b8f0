// The tables of every step of the shown rank, asked for one after the other, and what a table shows of them: rows of one step each, and curves.

import {t} from '../../../environment/i18n.js';
import {sparkline} from '../../charts/sparkline.js';
import {MOST_STEPS, curvesOf, keyIn} from './step-tables.js';
import {TableRows} from './table-rows.js';

/** @typedef {import('../../../app.js').App} App */
/** @typedef {import('../../../../protocol/table.js').TableValues} TableValues */
/** @typedef {import('./step-tables.js').Curve} Curve */

/** @typedef {import('../../../../protocol/answers.js').ReportRequest} ReportRequest */
/** @typedef {Promise<TableValues[] | null | undefined>} StepTables undefined: something else is shown by then; null: a request failed */

/** The tables of every step. */
export class EveryStep {
  #app;
  #ask;
  #choice;
  #asked = '';
  /** @type {import('../../../../../types/reports.js').Summary | null} */
  #summary = null;
  /** @type {StepTables | undefined} */
  #found;
  #isRead = false;

  /** @param {Pick<App, 'state'>} app @param {(request: ReportRequest, rank: number) => Promise<TableValues | undefined>} ask for the table of a step @param {() => ReportRequest} choice whatever else makes the table another one */
  constructor(app, ask, choice) {
    this.#app = app;
    this.#ask = ask;
    this.#choice = choice;
  }

  /** The shown rank's steps; none where they are one, or too many to ask for each. */
  get #steps() {
    const {summary, rank} = this.#app.state;
    const steps = summary?.ranks[rank].steps ?? [];
    return steps.length > 1 && steps.length <= MOST_STEPS ? steps : [];
  }

  /** Whether there are steps to ask for. */
  get areOffered() {
    return this.#steps.length > 0;
  }

  /** Whether the steps are too many to ask for each. */
  get areMany() {
    const {summary, rank} = this.#app.state;
    return (summary?.ranks[rank].steps.length ?? 0) > MOST_STEPS;
  }

  /** The names of these steps. */
  get names() {
    return this.#steps.map(({name}) => name);
  }

  /** They are asked for. */
  get isReading() {
    return this.#found !== undefined && !this.#isRead;
  }

  /** Whether what was asked for is still what is shown: each request takes its time. */
  get #isShown() {
    const {summary, rank} = this.#app.state;
    return summary === this.#summary && JSON.stringify([rank, this.#choice()]) === this.#asked;
  }

  /** Them; those that were not all read are forgotten, so that they can be asked for again. @returns {StepTables} */
  get tables() {
    if (!this.#found || !this.#isShown) {
      const {summary, rank} = this.#app.state;
      const choice = this.#choice();
      this.#asked = JSON.stringify([rank, choice]);
      this.#summary = summary;
      this.#isRead = false;
      /** @type {StepTables} */
      const found = this.#read(this.#steps.length, choice, rank, () => this.#found === found && this.#isShown).then((tables) => {
        if (this.#found === found) {
          this.#isRead = true;
          if (!tables) this.#found = undefined;
        }
        return tables;
      });
      this.#found = found;
    }
    return this.#found;
  }

  /** Whether tables are those of what is shown. @param {StepTables | undefined} found */
  areOf(found) {
    return found !== undefined && found === this.#found && this.#isShown;
  }

  /** @param {number} steps @param {ReportRequest} choice @param {number} rank @param {() => boolean} isWanted @returns {StepTables} */
  async #read(steps, choice, rank, isWanted) {
    const tables = [];
    for (let step = 0; step < steps; step++) {
      const table = await this.#ask({...choice, step}, rank);
      if (!isWanted()) return undefined;
      if (!table) return null;
      tables.push(table);
    }
    return tables.length ? tables : null;
  }
}

/** The curves of a table's rows over the steps. */
export class RowCurves {
  #app;
  #how;
  /** @type {StepTables | undefined} */
  #asked;
  /** @type {Map<string, Curve> | undefined} */
  #curves;
  /** The rows for which a request failed: it is repeated for others. @type {TableRows | undefined} */
  #failed;

  /**
   * @param {Pick<App, 'state' | 'wasm'>} app @param {import('./step-tables.js').TableDescription} description of the table
   * @param {{steps: EveryStep, of: () => string, more?: () => string[]}} how `of`: the key of the values; `more`: keys of columns that make a row, beside its name's
   * @param {() => void} changed called when curves are there
   */
  constructor(app, description, how, changed) {
    this.#app = app;
    this.description = description;
    this.#how = how;
    this.changed = changed;
  }

  /** Asks for them. @param {TableRows | undefined} shown */
  async #want(shown) {
    if (this.#failed !== undefined && this.#failed === shown) return;
    const {steps} = this.#how;
    const asked = steps.tables;
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#curves = undefined;
    this.#failed = undefined;
    const tables = await asked;
    if (asked !== this.#asked || tables === undefined) return;
    if (tables) {
      const rows = tables.map((table) => new TableRows(this.description, table));
      this.#curves = curvesOf(rows, this.#how.of(), (rows, row) => this.#key(rows, row));
    } else this.#failed = shown;
    this.changed();
  }

  /** @param {TableRows} rows @param {number} row */
  #key(rows, row) {
    return keyIn(this.description, rows, row, this.#how.more?.() ?? []);
  }

  /** The column, hidden until a person wants it: only then steps are asked for. @param {() => TableRows | undefined} rowsOf the rows that are shown @returns {import('../columns/column.js').Column<number>} */
  column(rowsOf) {
    const {duration} = this.#app.wasm;
    const curveOf = (/** @type {number} */ row) => {
      const rows = rowsOf();
      // Those of another rank or choice are no values of these rows.
      return rows && this.#how.steps.areOf(this.#asked) ? this.#curves?.get(this.#key(rows, row)) : undefined;
    };
    const isKnown = () => (this.#curves && this.#how.steps.areOf(this.#asked)) || (this.#failed !== undefined && this.#failed === rowsOf());
    // A row of one step has none.
    const {steps} = this.#how;
    const has = (/** @type {number} */ row) => (steps.areOffered || steps.areMany) && rowsOf()?.value('step', row) === null;
    return {
      key: 'curve',
      title: t('column.curve'),
      why: t('column.curve.why'),
      text: (row) => {
        if (steps.areMany) return t('curve.many', {most: MOST_STEPS});
        const curve = curveOf(row);
        return curve ? `${duration(curve.lowest)} – ${duration(curve.highest)}` : isKnown() ? '–' : '…';
      },
      value: (row) => (has(row) ? (curveOf(row)?.highest ?? null) : null),
      optional: has,
      extra: true,
      width: 8,
      weight: 0,
      picture: (row) => {
        if (steps.areMany) return null;
        this.#want(rowsOf());
        const curve = curveOf(row);
        if (!curve) return null;
        const {values, lowest, median, highest} = curve;
        const {names} = steps;
        const label = t('sparkline', {lowest: duration(lowest), median: duration(median), highest: duration(highest)});
        const said = (/** @type {number} */ place) => `${t('step', {name: names[place]})}: ${duration(values[place])}`;
        return sparkline(values, {low: 0, high: Math.max(1, highest)}, {label, usual: null, isJudged: false, said});
      },
    };
  }
}
