// Tables as the analyzer describes them, and their rows by columns, made by crate/src/web/table.rs.

/** @typedef {{values: Float64Array | BigInt64Array | Uint32Array, names: string[] | null, coverage: Float64Array | null}} ColumnValues with names, values are their places */
/** @typedef {{id: string, rows: number, columns: ColumnValues[]}} TableValues columns as described */

export {};
