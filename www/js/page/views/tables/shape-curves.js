// Times of operators whose shapes change, by step: the curves of MindSpore's tables of dynamic shapes. Nothing here touches the page.

/** @typedef {import('./recorded-operators.js').Rows} Rows */
/** @typedef {{name: string, total: number, times: (number | null)[]}} Curve mean times of a name in each step, in ns */
/** @typedef {{name: string, time: number, shapes: string}} Call of an operator or kernel in a step */

/**
 * The tables: the columns of the name, of the time and of the time in all; the table of calls, and its columns.
 * @type {Record<string, {name: string, time: string, total: string, calls: {id: string, of: string, name: string, shapes: string[]}}>}
 */
const TABLES = {
  dynamic_shape_operator_types: {
    name: 'type',
    time: 'avg',
    total: 'total',
    calls: {id: 'dynamic_shape_operators', of: 'op_type', name: 'op_name', shapes: ['shape_info']},
  },
  dynamic_shape_operators: {
    name: 'op_name',
    time: 'dur',
    total: 'dur',
    calls: {id: 'dynamic_shape_operators', of: 'op_name', name: 'op_name', shapes: ['shape_info']},
  },
  dynamic_shape_kernel_types: {
    name: 'type',
    time: 'avg',
    total: 'total',
    calls: {id: 'dynamic_shape_kernels', of: 'op_name', name: 'op_full_name', shapes: ['grid_dim', 'block_dim']},
  },
  dynamic_shape_kernels: {
    name: 'op_full_name',
    time: 'dur',
    total: 'dur',
    calls: {id: 'dynamic_shape_kernels', of: 'op_full_name', name: 'op_name', shapes: ['grid_dim', 'block_dim']},
  },
};

/** The table that has single calls, for a table of dynamic shapes. @param {string} id @returns {string | undefined} */
export function callsTable(id) {
  return TABLES[id]?.calls.id;
}

/** Whether a table of dynamic shapes is of types. @param {string} id */
export function isOfTypes(id) {
  return TABLES[id]?.total === 'total';
}

/** @param {Rows} table @returns {(row: Rows['values'][number], column: string) => string | number | null} */
function cellsOf({columns}) {
  const places = new Map(columns.map(({name}, index) => [name, index]));
  return (row, column) => row[places.get(column) ?? -1] ?? null;
}

/** The curves of a table, the longest in all first; a step in which a name did not run has no time. @param {string} id @param {Rows} table @returns {{steps: number[], curves: Curve[]}} */
export function curvesOf(id, table) {
  const {name, time, total} = TABLES[id];
  const cell = cellsOf(table);
  const steps = [...new Set(table.values.map((row) => Number(cell(row, 'step'))))].sort((a, b) => a - b);
  const places = new Map(steps.map((step, index) => [step, index]));
  /** @type {Map<string, {total: number, sums: number[], calls: number[]}>} */
  const found = new Map();
  for (const row of table.values) {
    const key = String(cell(row, name) ?? '');
    const of = found.get(key) ?? {total: 0, sums: steps.map(() => 0), calls: steps.map(() => 0)};
    const place = places.get(Number(cell(row, 'step'))) ?? 0;
    of.total += Number(cell(row, total) ?? 0);
    of.sums[place] += Number(cell(row, time) ?? 0);
    of.calls[place]++;
    found.set(key, of);
  }
  const curves = [...found].map(([of, {total: all, sums, calls}]) => ({
    name: of,
    total: all,
    times: sums.map((sum, index) => (calls[index] ? Math.round(sum / calls[index]) : null)),
  }));
  return {steps, curves: curves.sort((a, b) => b.total - a.total)};
}

/** The calls of names in a step, in their order. @param {string} id of the table with these names @param {Rows} calls the rows of `callsTable` @param {Set<string>} names @param {number} step @returns {Call[]} */
export function callsIn(id, calls, names, step) {
  const {of, name, shapes} = TABLES[id].calls;
  const cell = cellsOf(calls);
  const text = (/** @type {Rows['values'][number]} */ row, /** @type {string} */ column) => String(cell(row, column) ?? '');
  return calls.values
    .filter((row) => Number(cell(row, 'step')) === step && names.has(text(row, of)))
    .map((row) => ({name: text(row, name), time: Number(cell(row, 'dur') ?? 0), shapes: shapes.map((column) => text(row, column)).join(' × ')}));
}

/** The step that is nearest to a place of the axis. @param {number[]} steps sorted @param {number} at */
export function nearest(steps, at) {
  return steps.reduce((best, step) => (Math.abs(step - at) < Math.abs(best - at) ? step : best), steps[0]);
}
