// Tables of operators that a profiler wrote, and how they belong together: a type's operators, an operator's tensors and
// FLOPs. Nothing here touches the page.

/** @typedef {import('../../../../types/reports.js').MindSporeReport} MindSpore */
/** @typedef {import('../../../../types/reports.js').AicoreReport} Aicore */
/** @typedef {string | number | null} Cell */
/** @typedef {{columns: {name: string}[], values: Cell[][]}} Rows of a table, with its columns */

/**
 * @typedef {object} Operator
 * @property {string} name with its scope
 * @property {string} type
 * @property {number | null} calls
 * @property {number} mean_ns
 * @property {number} [dispatch_ns] mean time until it was handed over
 * @property {string} [side] where it ran: device or host
 * @property {Partial<Pick<Aicore, 'mflops_cube' | 'gflops_cube' | 'mflops_vector' | 'gflops_vector'>>} [flops]
 */

/** Tables by type of operator, the one that says the most about the device first. */
export const TABLES_BY_TYPE = ['aicore_type', 'gpu_op_type', 'op_type_compute_time', 'cpu_op_type'];

/**
 * Tables by type: the column of the type; the table of its operators with the columns that matter. Operators of an Ascend
 * device are in the report of MindSpore's tables, joined already.
 * @type {Record<string, {type: string, operators?: {id: string, name: string, type: string, calls?: string, mean: string, side?: string}}>}
 */
const BY_TYPE = {
  aicore_type: {type: 'kernel_type'},
  aicpu_type: {type: 'type'},
  gpu_op_type: {
    type: 'op_type',
    operators: {id: 'gpu_op_detail', name: 'op_full_name', type: 'op_type', calls: 'op_occurrences', mean: 'op_avg_time', side: 'op_side'},
  },
  cpu_op_type: {
    type: 'op_type',
    operators: {id: 'cpu_op_detail', name: 'full_op_name', type: 'op_type', calls: 'op_occurrences', mean: 'op_avg_time', side: 'op_side'},
  },
  op_type_compute_time: {
    type: 'optype_name',
    operators: {id: 'op_compute_time_detail', name: 'op_name', type: 'op_type', mean: 'avg_execution_time'},
  },
};

/** Tables that have a row for each operator, and the columns with its name. @type {Record<string, string[]>} */
const BY_NAME = {
  aicore_detail: ['full_kernel_name', 'full_kernel_time'],
  op_flops: ['full_kernel_name'],
  op_compute_time: ['op_name'],
  op_compute_time_detail: ['op_name'],
};

/** Columns of numbers that add up, by table; times and counts of rows that are parts of one whole. @type {Record<string, Record<string, 'time' | 'count'>>} */
const PARTS = {
  aicore_type: {total_time: 'time', execution_frequency: 'count'},
  aicpu_type: {total_time: 'time', execution_frequency: 'count'},
  aicpu: {total_time: 'time'},
  gpu_op_type: {total_time: 'time', type_occurrences: 'count'},
  cpu_op_type: {total_compute_time: 'time', type_occurrences: 'count'},
  pynative_op_type: {execution_time: 'time', execution_frequency: 'count'},
  gpu_op_detail: {op_total_time: 'time', op_occurrences: 'count'},
  cpu_op_detail: {op_total_time: 'time', op_occurrences: 'count'},
  gpu_activity: {total_duration: 'time', occurrences: 'count'},
  op_statistic: {'Total Time': 'time', Count: 'count'},
  communication_statistic: {'Total Time': 'time', Count: 'count'},
  op_summary: {'Task Duration': 'time'},
  op_type_compute_time: {compute_time: 'time', 'called_times(per-step)': 'count'},
};

/** Whether the numbers of a column are parts of a whole, and of which kind. @param {string} table its id @param {string} column */
export function partOf(table, column) {
  return PARTS[table]?.[column];
}

/** The column of a table by type that has the type. @param {string} table its id @returns {string | undefined} */
export function typeColumn(table) {
  return BY_TYPE[table]?.type;
}

/** The column of a table that has the times that are parts of a whole. @param {string} table its id @returns {string | undefined} */
export function timeColumn(table) {
  return Object.entries(PARTS[table] ?? {}).find(([, part]) => part === 'time')?.[0];
}

/** The column of a table of operators that has their names. @param {string} table its id @param {{name: string}[]} columns */
export function nameColumn(table, columns) {
  return BY_NAME[table]?.find((name) => columns.some((column) => column.name === name));
}

/** The other table that has the operators of a table by type, if they are in one. @param {string} table its id @returns {string | undefined} */
export function operatorsTable(table) {
  return BY_TYPE[table]?.operators?.id;
}

/**
 * The operators of a type, the longest first.
 * @param {string} table the id of the table by type @param {string} type @param {MindSpore | undefined} mindspore
 * @param {Rows | undefined} rows of the table that `operatorsTable` names
 * @returns {Operator[]}
 */
export function operatorsOf(table, type, mindspore, rows) {
  const wanted = BY_TYPE[table]?.operators;
  /** @type {Operator[]} */
  let found = [];
  if (table === 'aicore_type') {
    found = (mindspore?.aicore_operators ?? []).map(({name, type: of, calls, mean_ns: mean, ...flops}) => ({name, type: of, calls, mean_ns: mean, flops}));
  } else if (table === 'aicpu_type') {
    found = (mindspore?.aicpu_operators ?? []).map(({name, type: of, calls, mean_ns: mean, mean_dispatch_ns: dispatch}) => ({
      name,
      type: of,
      calls,
      mean_ns: mean,
      dispatch_ns: dispatch,
    }));
  } else if (wanted && rows) {
    const at = placesOf(rows.columns);
    const text = (/** @type {Cell[]} */ row, /** @type {string | undefined} */ column) => String((column && row[at.get(column) ?? -1]) ?? '');
    found = rows.values.map((row) => ({
      name: text(row, wanted.name),
      type: text(row, wanted.type),
      calls: wanted.calls ? Number(text(row, wanted.calls)) : null,
      mean_ns: Number(text(row, wanted.mean)),
      ...(wanted.side ? {side: text(row, wanted.side)} : {}),
    }));
  }
  const total = (/** @type {Operator} */ {calls, mean_ns: mean}) => (calls ?? 1) * mean;
  return found.filter((operator) => operator.type === type).sort((a, b) => total(b) - total(a));
}

/**
 * What the table of the graph's operators has of each name, with its scope or without; the last row of a name counts, as in MindInsight.
 * @param {Rows} framework @returns {Map<string, {type: string, info: string}>}
 */
export function graphOperators({columns, values}) {
  const at = placesOf(columns);
  const text = (/** @type {Cell[]} */ row, /** @type {string} */ column) => String(row[at.get(column) ?? -1] ?? '');
  const found = values.map((row) => ({
    full: text(row, 'full_kernel_name'),
    short: text(row, 'kernel_name'),
    of: {type: text(row, 'kernel_type'), info: text(row, 'op_info')},
  }));
  // Some tables name operators without their scope.
  return new Map([...found.map(({short, of}) => /** @type {const} */ ([short, of])), ...found.map(({full, of}) => /** @type {const} */ ([full, of]))]);
}

/** @typedef {{name: string, type: string, shape: string, format: string}} Tensor of an operator, such as `input_0` */

/** The inputs and outputs in an operator's `op_info`; none where that is no such object. @param {string} info @returns {Tensor[]} */
export function tensorsOf(info) {
  /** @type {unknown} */
  let found;
  try {
    found = JSON.parse(info);
  } catch {
    return [];
  }
  if (typeof found !== 'object' || found === null) return [];
  return Object.entries(found).flatMap(([name, of]) => {
    if (typeof of !== 'object' || of === null) return [];
    const {data_type: type = '', shape = '', format = ''} = of;
    const sizes = Array.isArray(shape)
      ? shape.join(', ')
      : String(shape)
          .replace(/^\[|\]$/g, '')
          .split(',')
          .map((size) => size.trim())
          .join(', ');
    return [{name, type: String(type).replace(/^NUMBER_TYPE_/, ''), shape: `[${sizes}]`, format: String(format)}];
  });
}

/** Tensors in one line. @param {Tensor[]} tensors */
export function tensorsText(tensors) {
  return tensors.map(({name, type, shape, format}) => [name, type, shape, format].filter(Boolean).join(' ')).join('; ');
}

/** @param {{name: string}[]} columns */
function placesOf(columns) {
  return new Map(columns.map(({name}, index) => [name, index]));
}
