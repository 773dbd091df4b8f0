// Conversion of a table's rows from objects within a report to columns, as other tables come.

/** @typedef {import('../../../../protocol/table.js').ColumnValues} ColumnValues */
/** @typedef {import('../../../../protocol/table.js').TableValues} TableValues */
/** @typedef {import('../../../../../types/reports.js').TableColumnReport} DescribedColumn */
/** @typedef {import('../../../../../types/reports.js').TableReport} TableDescription */

/** The value at a path of keys. @param {any} row @param {string} key @returns {unknown} */
const at = (row, key) => key.split('.').reduce((value, part) => value?.[part], row);

/** A value as one text. @param {unknown} value @param {string} unit */
const textOf = (value, unit) => (Array.isArray(value) ? value.join(unit === 'lines' ? '\n' : ',') : String(value ?? ''));

/** @param {unknown} value */
const numberOf = (value) => (typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : Number.NaN);

/** @param {DescribedColumn} column @param {readonly object[]} rows @returns {ColumnValues} */
function columnOf({key, unit, is_number: isNumber, is_covered: isCovered}, rows) {
  const values = rows.map((row) => at(row, key));
  if (isNumber || unit === 'flag')
    return {
      values: Float64Array.from(values, numberOf),
      names: null,
      coverage: isCovered ? Float64Array.from(rows, (row) => numberOf(at(row, `${key}_coverage`))) : null,
    };
  // The first name stands for unknown values.
  const names = [''];
  const known = new Map([['', 0]]);
  const places = values.map((value) => {
    const text = textOf(value, unit);
    const place = known.get(text) ?? names.push(text) - 1;
    known.set(text, place);
    return place;
  });
  return {values: Uint32Array.from(places), names, coverage: null};
}

/** Rows by columns, as described. @param {TableDescription} description @param {readonly object[]} rows @returns {TableValues} */
export function columnsOf(description, rows) {
  return {id: description.id, rows: rows.length, columns: description.columns.map((column) => columnOf(column, rows))};
}
