// A table as the analyzer describes it: columns, cells, details and CSV follow from the description.

import {h} from '../../../dom.js';
import {t} from '../../../environment/i18n.js';
import {between, eventLink, jumpButton} from '../../parts/jump.js';
import {DataTable} from '../data-table.js';
import {RowCurves} from './every-step.js';
import {ofNoStep, withSteps} from './step-tables.js';
import {DescribedColumns} from './described-columns.js';
import {columnsOf} from './rows-of-json.js';
import {TableRows} from './table-rows.js';

/** @typedef {import('../../../app.js').App} App */
/** @typedef {import('../../../../../types/reports.js').TableReport} TableDescription */
/** @typedef {import('../../../../protocol/table.js').TableValues} TableValues */
/** @typedef {import('./described-columns.js').Facts} Facts */
/** @typedef {import('../columns/column.js').Column<any>} AnyColumn */
/** @typedef {Pick<AnyColumn, 'key' | 'title' | 'why' | 'text' | 'picture' | 'width' | 'weight'> & {value?: AnyColumn['value'], after?: string}} BesideColumn a column of texts, or of pictures with a `value`, after the others or `after` one; a row is as JSON has it */

/** The description of a table. @param {App} app @param {string} id @returns {TableDescription} */
export function descriptionOf(app, id) {
  const found = app.wasm.describe_tables().find((table) => table.id === id);
  if (!found) throw new Error(`no table is called ${id}`);
  return found;
}

/** Rows by columns, or as a report has them. @param {TableDescription} description @param {TableValues | readonly object[]} values */
export function tableRows(description, values) {
  return new TableRows(description, 'columns' in values ? values : columnsOf(description, values));
}

/** The events of a row, by the columns that have their numbers: a name may stand beside one, in a column whose key is `beside`. @param {TableDescription} description @param {TableRows} rows @param {number} row */
export function* eventsOf({columns}, rows, row) {
  for (const {key, is_event: isEvent} of columns) {
    const slice = isEvent ? rows.value(key, row) : null;
    const beside = key.replace(/slice$/, 'name');
    const name = beside === key ? null : rows.value(beside, row);
    if (slice !== null) yield {slice: Number(slice), name: typeof name === 'string' ? name : t('jump.longest'), beside};
  }
}

/** The time of a row, where it has one. @param {TableDescription} description @param {TableRows} rows @param {number} row */
function spanOf({columns, span}, rows, row) {
  if (!span) return null;
  const [from, to] = span.map((key) => rows.value(key, row)).map((value) => (value === null ? null : Number(value)));
  const isLength = columns.find(({key}) => key === span[1])?.unit === 'duration';
  return between(from, isLength && from !== null && to !== null ? from + to : to);
}

/** @param {import('../columns/column.js').Column<number>[]} all @param {import('../columns/column.js').Column<number>} column @param {string | undefined} after the key of the column before it; the end without one */
function inserted(all, column, after) {
  const place = all.findIndex(({key}) => key === after);
  return place < 0 ? [...all, column] : [...all.slice(0, place + 1), column, ...all.slice(place + 1)];
}

/** A column that no description has. @param {BesideColumn} column @param {(row: number) => any} object @returns {import('../columns/column.js').Column<number>} */
function besideColumn({text, value, picture, after: _, ...column}, object) {
  const of = (/** @type {number} */ row) => text(object(row));
  return {
    ...column,
    text: of,
    value: value ? (row) => value(object(row)) : (row) => of(row) || null,
    ...(picture && {picture: (/** @type {number} */ row) => picture(object(row))}),
    left: !value,
    optional: !picture,
  };
}

/** A table whose columns are described. */
export class DescribedTable {
  #app;
  #columns;
  #go;
  #description;
  #hasSteps;

  /**
   * @param {App} app
   * @param {string} id of its description
   * @param {object} how
   * @param {string} how.name of the table, for files and tests
   * @param {string} how.label
   * @param {() => string} how.empty text for no rows
   * @param {HTMLElement[]} [how.tools] further controls
   * @param {{show: (index: number) => HTMLElement, redraw: () => void}} [how.pane] shows more of a row
   * @param {() => void} [how.onGroup] called when the grouping changes
   * @param {boolean} [how.isPassing] whether the browser's history has nothing of its rows
   * @param {Facts} [how.facts] further texts of its details
   * @param {string[]} [how.without] the keys of columns that only its details and its CSV have here
   * @param {{steps: import('./every-step.js').EveryStep, of: () => string, more?: () => string[]}} [how.curve] of each row over the steps: the key of its values, and keys of columns that make a row, beside its name's
   * @param {BesideColumn[]} [how.beside] columns of values that only the page knows
   * @param {(row: any) => void} [how.onRow] called on a click, with the row as JSON has it; without one when the details are closed
   * @param {(row: any) => HTMLElement[]} [how.actions] further actions on a row, in its details
   * @param {(event: number) => void} [how.go] target of a link to an event, if it is not the timeline's tab
   */
  constructor(app, id, how) {
    this.#app = app;
    this.#hasSteps = how.curve !== undefined;
    this.#go = how.go;
    const described = descriptionOf(app, id);
    this.#description = how.curve ? withSteps(described) : described;
    const columns = new DescribedColumns(this.#description, app.wasm, app.state.summary?.ranks[app.state.rank]?.vendor, how.without);
    this.#columns = columns;
    const beside = (how.beside ?? []).map((column) => besideColumn(column, (row) => columns.rows?.object(row)));
    const shown = beside.reduce((all, column, place) => inserted(all, column, how.beside?.[place].after), columns.shown);
    const curves = how.curve && new RowCurves(app, this.#description, how.curve, () => this.table.rearrange());
    /** @type {DataTable<number>} */
    this.table = new DataTable(app, {
      ...how,
      columns: curves
        ? inserted(
            shown,
            curves.column(() => columns.rows),
            'calls',
          )
        : shown,
      isOfStep: this.#hasSteps,
      // A picture has no number that another column lacks.
      get saved() {
        return [...columns.saved, ...beside.filter(({picture}) => !picture)];
      },
      sort: {key: this.#description.sort, down: !this.#description.is_ascending},
      searched: (row) => [columns.searched(row), ...beside.filter(({left}) => left).map(({text}) => text(row))].join(' '),
      identity: (row) => columns.identity(row),
      detail: (row) => columns.detail(row, how.facts),
      groupings: () => columns.groupings,
      onRow: (row) => how.onRow?.(row === undefined ? undefined : columns.rows?.object(row)),
      links: (row) => [...this.#links(row), ...(how.actions?.(columns.rows?.object(row)) ?? [])],
    });
    columns.groupedBy = () => this.table.groupedBy;
    this.element = this.table.element;
  }

  /** To the timeline, in the details of a row. @param {number} row */
  #links(row) {
    const {rows} = this.#columns;
    if (!rows) return [];
    const time = jumpButton(this.#app, spanOf(this.#description, rows, row), t('jump.part'), t('jump.part'));
    const go = this.#go;
    const link = (/** @type {{slice: number, name: string}} */ event) =>
      go ? h('button', {type: 'button', class: 'link jump', 'data-test': 'jump', onclick: () => go(event.slice)}, event.name) : eventLink(this.#app, event);
    return [time, ...[...eventsOf(this.#description, rows, row)].map(link)];
  }

  /** @param {TableValues | readonly object[] | undefined} values rows by columns, or as a report has them @param {boolean} [isOfSteps] whether each row is of one step */
  show(values, isOfSteps = false) {
    const isPlain = values && 'columns' in values && this.#hasSteps && !isOfSteps;
    const rows = values && tableRows(this.#description, isPlain ? ofNoStep(values) : values);
    this.#columns.rows = rows;
    this.table.show([...Array(rows?.length ?? 0).keys()]);
  }
}
