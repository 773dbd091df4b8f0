// A table as the analyzer describes it: columns, cells, details and CSV follow from the description.

import {DataTable} from '../data-table.js';
import {DescribedColumns} from './described-columns.js';
import {columnsOf} from './rows-of-json.js';
import {TableRows} from './table-rows.js';

/** @typedef {import('../../../app.js').App} App */
/** @typedef {import('../../../../../types/reports.js').TableReport} TableDescription */
/** @typedef {import('../../../../protocol/table.js').TableValues} TableValues */
/** @typedef {import('./described-columns.js').Facts} Facts */

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

/** A table whose columns are described. */
export class DescribedTable {
  #columns;
  #description;

  /**
   * @param {App} app
   * @param {string} id of its description
   * @param {object} how
   * @param {string} how.name of the table, for files and tests
   * @param {string} how.label
   * @param {() => string} how.empty why there may be no rows
   * @param {HTMLElement[]} [how.tools] further controls
   * @param {{show: (index: number) => HTMLElement, redraw: () => void}} [how.pane] shows more of a row
   * @param {Facts} [how.facts] what else its details say
   * @param {(row: any) => (Node | null)[]} [how.links] of a row as JSON has it: to the timeline, in the details
   */
  constructor(app, id, how) {
    this.#description = descriptionOf(app, id);
    const columns = new DescribedColumns(this.#description, app.wasm, app.state.summary?.ranks[app.state.rank]?.vendor);
    this.#columns = columns;
    /** @type {DataTable<number>} */
    this.table = new DataTable(app, {
      ...how,
      columns: columns.shown,
      saved: columns.saved,
      sort: {key: this.#description.sort, down: true},
      searched: (row) => columns.searched(row),
      detail: (row) => columns.detail(row, how.facts),
      groupings: () => columns.groupings,
      links: (row) => how.links?.(columns.rows?.object(row)) ?? [],
    });
    this.element = this.table.element;
  }

  /** @param {TableValues | readonly object[] | undefined} values rows by columns, or as a report has them */
  show(values) {
    const rows = values && tableRows(this.#description, values);
    this.#columns.rows = rows;
    this.table.show([...Array(rows?.length ?? 0).keys()]);
  }
}
