// Tables as the analyzer describes them, and their rows by columns: what crate/src/web/table.rs makes.

/**
 * @typedef {object} DescribedColumn
 * @property {string} key in JSON, in CSV, and of its messages; with dots where JSON has objects
 * @property {string} unit
 * @property {string | null} words the prefix of its words' messages
 * @property {boolean} is_number
 * @property {boolean} is_covered whether values are known for a share of the time
 * @property {'always' | 'wide' | 'name' | 'data'} show
 * @property {string | null} bar the column whose shares are drawn as bars; empty for shares of its own largest value
 * @property {boolean} is_part whether values are parts of a whole
 * @property {boolean} is_of_device whether it says nothing where no device was recorded
 */

/** @typedef {{id: string, sort: string, columns: DescribedColumn[], shown: string[]}} TableDescription columns in the order of data, and the keys of those that are shown, in order */

/** @typedef {{values: Float64Array | BigInt64Array | Uint32Array, names: string[] | null, coverage: Float64Array | null}} ColumnValues with names, values are their places */
/** @typedef {{id: string, rows: number, columns: ColumnValues[]}} TableValues columns as described */

export {};
