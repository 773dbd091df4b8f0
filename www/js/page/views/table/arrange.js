// Which rows and columns of a table are shown, in which order, and which row a key leads to. Nothing here touches the page.

/** @typedef {number | bigint | string | null} Value */
/**
 * @template Row
 * @typedef {import('./columns/column.js').Column<Row>} Column
 */

/** Texts in one order for all languages, numbers in them by their values. */
export const texts = new Intl.Collator('en', {numeric: true});

/** Nothing is less than any number. @param {Value} a @param {Value} b */
function compare(a, b) {
  if (typeof a === 'string' || typeof b === 'string') return texts.compare(String(a), String(b));
  const [one, other] = [a ?? -Infinity, b ?? -Infinity];
  return one < other ? -1 : Number(one > other);
}

/** The searched texts of lists of rows, in lower case: each letter that is typed looks at all of them. @type {WeakMap<object, {searched: Function, texts: string[]}>} */
const known = new WeakMap();

/** The searched texts of rows, which are made once for a list. @template Row @param {Row[]} rows @param {(row: Row) => string} searched */
function textsOf(rows, searched) {
  const found = known.get(rows);
  if (found?.searched === searched) return found.texts;
  const texts = rows.map((row) => searched(row).toLowerCase());
  known.set(rows, {searched, texts});
  return texts;
}

/**
 * The rows with a text in their searched text, sorted by a column; equal ones stay in their order.
 * @template Row @param {Row[]} rows
 * @param {{search: string, searched: (row: Row) => string, column: Pick<Column<Row>, 'order' | 'value'>, down: boolean}} how
 * @returns {Row[]}
 */
export function arranged(rows, {search, searched, column, down}) {
  const wanted = search.trim().toLowerCase();
  const texts = wanted ? textsOf(rows, searched) : [];
  const found = wanted ? rows.filter((_, place) => texts[place].includes(wanted)) : rows;
  const order = column.order ?? column.value;
  const ordered = found.map((row) => ({row, by: order(row)})).sort((a, b) => (down ? compare(b.by, a.by) : compare(a.by, b.by)));
  return ordered.map(({row}) => row);
}

/**
 * The columns that say something of the rows.
 * @template Row @param {Column<Row>[]} columns @param {Row[]} rows @param {boolean} bare whether no device was recorded
 */
export function columnsOf(columns, rows, bare) {
  const has = (/** @type {Column<Row>} */ {value}, /** @type {Value[]} */ nothing) => rows.some((row) => !nothing.includes(value(row)));
  const isBlank = (/** @type {Column<Row>} */ column) => {
    const {optional} = column;
    return optional && rows.length > 0 && !(optional === true ? has(column, [null, '']) : rows.some(optional));
  };
  const isZero = (/** @type {Column<Row>} */ column) => ((bare && column.ofDevice) || column.seldom) && !has(column, [null, 0]);
  return columns.filter((column) => !isBlank(column) && !isZero(column));
}

/** Rows as the CSV has them, below the columns' keys; nothing is empty. @template Row @param {Column<Row>[]} columns @param {Row[]} rows @returns {string[][]} */
export function csvRowsOf(columns, rows) {
  return [columns.map(({key}) => key), ...rows.map((row) => columns.map(({value}) => String(value(row) ?? '')))];
}

/** The row to which a key leads; none if it leads nowhere. @param {string} key @param {number} active the row that is open; -1: none @param {number} page how many rows are in view @param {number} count how many there are */
export function rowByKey(key, active, page, count) {
  /** @type {Record<string, number>} */
  const targets = {ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: count - 1};
  const target = targets[key];
  return target === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, target));
}
