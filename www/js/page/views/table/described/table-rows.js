// Rows of a table by columns, as the session's worker hands them over.

/** @typedef {import('../../../../protocol/table.js').ColumnValues} ColumnValues */
/** @typedef {import('../../../../../types/reports.js').TableColumnReport} DescribedColumn */
/** @typedef {import('../../../../../types/reports.js').TableReport} TableDescription */
/** @typedef {import('../../../../protocol/table.js').TableValues} TableValues */
/** @typedef {number | bigint | string | boolean | null} Value */

/** A whole number that stands for none. */
export const NO_WHOLE = -(2n ** 63n);

/** The rows of a table. A row is its place among them. */
export class TableRows {
  /** @type {Map<string, {column: DescribedColumn, values: ColumnValues}>} */
  #columns;
  /** The largest value of a column, once it is asked for. @type {Map<string, number>} */
  #largest = new Map();

  /** @param {TableDescription} description @param {TableValues} table */
  constructor(description, table) {
    this.length = table.rows;
    this.#columns = new Map(description.columns.map((column, index) => [column.key, {column, values: table.columns[index]}]));
  }

  /** The value of a column, as in JSON; lists are texts. @param {string} key @param {number} row @returns {Value} */
  value(key, row) {
    const found = this.#columns.get(key);
    if (!found) return null;
    const {names, values} = found.values;
    const value = values[row];
    if (names) return names[Number(value)] || null;
    if (typeof value === 'bigint') return value === NO_WHOLE ? null : value;
    if (Number.isNaN(value)) return null;
    return found.column.unit === 'flag' ? value === 1 : value;
  }

  /** The place of a row's text among those of a column. @param {string} key @param {number} row */
  place(key, row) {
    return Number(this.#columns.get(key)?.values.values[row] ?? 0);
  }

  /** The share of time that a value is known for; null without such a share. @param {string} key @param {number} row @returns {number | null} */
  coverage(key, row) {
    const coverage = this.#columns.get(key)?.values.coverage?.[row];
    return coverage === undefined || Number.isNaN(coverage) ? null : coverage;
  }

  /** The texts that a column has. @param {string} key @returns {string[]} */
  texts(key) {
    return this.#columns.get(key)?.values.names?.slice(1) ?? [];
  }

  /** The largest number of a column, at least one. @param {string} key */
  largest(key) {
    let largest = this.#largest.get(key);
    if (largest === undefined) {
      largest = 1;
      for (let row = 0; row < this.length; row++) largest = Math.max(largest, Number(this.value(key, row) ?? 0));
      this.#largest.set(key, largest);
    }
    return largest;
  }

  /** A row as the object that JSON has of it. @param {number} row @returns {any} */
  object(row) {
    /** @type {Record<string, any>} */
    const whole = {};
    for (const [key, {column}] of this.#columns) {
      const value = this.value(key, row);
      const parts = key.split('.');
      const last = /** @type {string} */ (parts.pop());
      const outer = parts.join('.');
      // Nothing is known of it: JSON has no object.
      if (outer && value === null && !this.#isKnown(outer, row)) continue;
      const of = parts.reduce((object, part) => (object[part] ??= {}), whole);
      const list = ['lines', 'extent', 'ids'].includes(column.unit);
      of[last] =
        list && typeof value === 'string'
          ? value.split(column.unit === 'lines' ? '\n' : ',').map((one) => (column.unit === 'lines' ? one : Number(one)))
          : value;
      if (column.is_covered) of[`${last}_coverage`] = this.coverage(key, row);
    }
    return whole;
  }

  /** Whether anything of an object is known. @param {string} outer @param {number} row */
  #isKnown(outer, row) {
    for (const key of this.#columns.keys()) if (key.startsWith(`${outer}.`) && this.value(key, row) !== null) return true;
    return false;
  }
}
