// Sums of rows, in columns whose values are parts of a whole. Nothing here touches the page.

/**
 * @template Row
 * @typedef {import('./columns/column.js').Column<Row>} Column
 */
/** @typedef {NonNullable<Column<any>['part']>} Part the quantity of a column's values */

/** Sums in the columns that add up. @template Row @param {Column<Row>[]} columns @param {Row[]} rows */
export function sumsOf(columns, rows) {
  return columns.flatMap(({title, part, value}) => (part ? [{title, part, sum: rows.reduce((sum, row) => sum + Number(value(row) ?? 0), 0)}] : []));
}

/** A sum as it is shown. @param {Pick<import('../../../protocol/wasm.js').Wasm, 'bytes' | 'count' | 'duration' | 'number' | 'percent'>} wasm @param {Part} part @param {number} sum */
export function sumText({bytes, count, duration, number, percent}, part, sum) {
  if (part === 'time') return duration(sum);
  if (part === 'bytes') return bytes(sum);
  if (part === 'share') return percent(sum);
  // Counts of an average step have fractions.
  return Number.isInteger(sum) ? count(sum) : number(sum);
}
