// The tables of all steps, which are asked for one after the other: joined into one, and as a curve for each row. Nothing here touches the page.

import {extremes} from '../../charts/sparkline-points.js';
import {NO_WHOLE} from './table-rows.js';

/** @typedef {import('../../../../../types/reports.js').TableReport} TableDescription */
/** @typedef {import('../../../../protocol/table.js').ColumnValues} ColumnValues */
/** @typedef {import('../../../../protocol/table.js').TableValues} TableValues */
/** @typedef {import('./table-rows.js').TableRows} TableRows */
/** @typedef {{values: number[], lowest: number, median: number, highest: number}} Curve with a value for each step */

/** The most steps of a trace for which that is offered: each takes a request. */
export const MOST_STEPS = 100;

/** The column of steps, which no report has. @type {import('../../../../../types/reports.js').TableColumnReport} */
const STEP = {
  key: 'step',
  unit: 'step',
  words: null,
  unit_key: null,
  is_number: false,
  is_covered: false,
  show: 'always',
  bar: null,
  part_of: null,
  is_part: false,
  is_of_device: false,
  is_event: false,
  with: null,
  order: null,
  is_ranked: false,
};

/** A description with the column of steps, after the name. @param {TableDescription} description @returns {TableDescription} */
export const withSteps = (description) => ({
  ...description,
  columns: [...description.columns, STEP],
  shown: description.shown.flatMap((key) => (key === 'name' ? [key, STEP.key] : [key])),
});

/** A table whose rows are of no step alone. @param {TableValues} table @returns {TableValues} */
export const ofNoStep = (table) => ({...table, columns: [...table.columns, {values: new Uint32Array(table.rows), names: [''], coverage: null}]});

/** The numbers of a column, as floating-point ones have them. @param {ColumnValues} column @returns {number[]} */
const numbersOf = ({values}) => Array.from(/** @type {Iterable<number | bigint>} */ (values), (value) => (value === NO_WHOLE ? NaN : Number(value)));

/** The values of one column in several tables. @param {ColumnValues[]} parts @returns {ColumnValues} */
function joinedColumn(parts) {
  if (!parts[0].names) {
    const values = Float64Array.from(parts.flatMap(numbersOf));
    return {values, names: null, coverage: parts[0].coverage && Float64Array.from(parts.flatMap(({coverage}) => [...(coverage ?? [])]))};
  }
  // The first name stands for unknown values.
  const places = new Map([['', 0]]);
  const values = parts.flatMap((part) => {
    for (const name of part.names ?? []) if (!places.has(name)) places.set(name, places.size);
    return numbersOf(part).map((place) => places.get(part.names?.[place] ?? '') ?? 0);
  });
  return {values: Uint32Array.from(values), names: [...places.keys()], coverage: null};
}

/** The tables of steps as one. @param {TableValues[]} tables at least one @param {string[]} names of the steps @returns {TableValues} */
export function joined(tables, names) {
  // By their places: steps may have one name.
  const steps = {values: Uint32Array.from(tables.flatMap(({rows}, step) => new Array(rows).fill(step + 1))), names: ['', ...names], coverage: null};
  const columns = tables[0].columns.map((_, at) => joinedColumn(tables.map(({columns}) => columns[at])));
  return {id: tables[0].id, rows: steps.values.length, columns: [...columns, steps]};
}

/** Makes the shares of kernel time in a joined table those of the whole; its rows have no order in which they add up. @param {TableDescription} description @param {TableValues} table @param {number | undefined} outside kernel time in no step, in ns; without it the whole is unknown */
export function shareWhole({columns}, table, outside) {
  const of = (/** @type {string} */ key) => table.columns[columns.findIndex((column) => column.key === key)];
  const times = numbersOf(of('total_ns'));
  const whole = times.reduce((sum, time) => sum + time, outside ?? NaN);
  for (const [row, time] of times.entries()) of('share_of_kernel_time').values[row] = time / whole;
  of('cumulative_share_of_kernel_time').values.fill(/** @type {never} */ (NaN));
}

/** The place of a row of the joined table in its step's. @param {TableValues[]} tables @param {number} row */
export function placeOf(tables, row) {
  let first = 0;
  for (const [step, {rows}] of tables.entries()) {
    if (row < first + rows) return {step, row: row - first};
    first += rows;
  }
  return {};
}

/** The text that a row has in common with that of another step: whatever makes it a row. @param {TableDescription} description @param {TableRows} rows @param {number} row @param {string[]} more keys of further columns */
export function keyIn({columns}, rows, row, more) {
  const keys = columns.filter(({key, show}) => show === 'name' || key === 'name' || key === 'class' || more.includes(key)).map(({key}) => key);
  return keys.map((key) => String(rows.value(key, row) ?? '')).join('\n');
}

/**
 * The values of each row over the steps: 0 where a step has no such row.
 * @param {TableRows[]} tables of each step @param {string} of the key of the values @param {(rows: TableRows, row: number) => string} keyOf @returns {Map<string, Curve>}
 */
export function curvesOf(tables, of, keyOf) {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  for (const [step, rows] of tables.entries()) {
    for (let row = 0; row < rows.length; row++) {
      const key = keyOf(rows, row);
      const values = found.get(key) ?? new Array(tables.length).fill(0);
      values[step] += Number(rows.value(of, row) ?? 0);
      found.set(key, values);
    }
  }
  return new Map(
    [...found].flatMap(([key, values]) => {
      const of = extremes(values);
      return of ? /** @type {[string, Curve][]} */ ([[key, {values, ...of}]]) : [];
    }),
  );
}
