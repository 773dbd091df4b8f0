// Tables of operators that a profiler wrote, and how they belong together: a type's operators, an operator's tensors and
// FLOPs. Nothing here touches the page.

/** @typedef {import('../../../../types/reports.js').MindSporeReport} MindSpore */
/** @typedef {Pick<MindSpore, 'aicore_operators' | 'aicpu_operators' | 'host_operators'>} Lists of operators by name */
/** @typedef {{name: string, type: string, table?: string}} Operator a row of these, as far as it is looked into */
/** @typedef {string | number | null} Cell */
/** @typedef {{columns: {name: string}[], values: Cell[][]}} Rows of a table, with its columns */

/** Tables by type of operator, the one that says the most about the device first. */
export const TABLES_BY_TYPE = ['aicore_type', 'op_statistic', 'gpu_op_type', 'op_type_compute_time', 'cpu_op_type'];

/**
 * Tables by type: the column of the type, and the list of MindSpore's report that has its operators; with several tables, the one that these are from.
 * @type {Record<string, {type: string, operators: keyof Lists, table?: string}>}
 */
const BY_TYPE = {
  aicore_type: {type: 'kernel_type', operators: 'aicore_operators'},
  aicpu_type: {type: 'name', operators: 'aicpu_operators'},
  gpu_op_type: {type: 'op_type', operators: 'host_operators', table: 'gpu_op_detail'},
  cpu_op_type: {type: 'op_type', operators: 'host_operators', table: 'cpu_op_detail'},
  op_type_compute_time: {type: 'optype_name', operators: 'host_operators', table: 'op_compute_time_detail'},
};

/** msprof's tables by type: the column of the type, and the table that has a row for each operator. @type {Record<string, {type: string, operators: string}>} */
const BY_TYPE_OF_MSPROF = {op_statistic: {type: 'OP Type', operators: 'op_summary'}};

/** Tables that have a row for each operator, and the columns with its name. @type {Record<string, string[]>} */
const BY_NAME = {
  aicore_detail: ['full_kernel_name', 'full_kernel_time'],
  op_flops: ['full_kernel_name'],
  op_compute_time: ['op_name'],
  op_compute_time_detail: ['op_name'],
  op_summary: ['Op Name'],
};

/** Columns of numbers that add up, by table; times and counts of rows that are parts of one whole. @type {Record<string, Record<string, 'time' | 'count'>>} */
const PARTS = {
  aicore_type: {total_time: 'time', execution_frequency: 'count'},
  aicpu: {total_time: 'time'},
  gpu_op_type: {total_time: 'time', type_occurrences: 'count'},
  cpu_op_type: {total_compute_time: 'time', type_occurrences: 'count'},
  pynative_op_type: {execution_time: 'time', execution_frequency: 'count'},
  gpu_op_detail: {op_total_time: 'time', op_occurrences: 'count'},
  cpu_op_detail: {op_total_time: 'time', op_occurrences: 'count'},
  gpu_activity: {total_duration: 'time', occurrences: 'count'},
  op_statistic: {'Total Time': 'time', Count: 'count'},
  communication_statistic: {'Total Time': 'time', Count: 'count'},
  op_summary: {'Total Time': 'time', Count: 'count'},
  op_type_compute_time: {compute_time: 'time', 'called_times(per-step)': 'count'},
};

/** Whether the numbers of a column are parts of a whole, and of which kind. @param {string} table its id @param {string} column */
export function partOf(table, column) {
  return PARTS[table]?.[column];
}

/** The column of a table by type that has the type. @param {string} table its id @returns {string | undefined} */
export function typeColumn(table) {
  return (BY_TYPE[table] ?? BY_TYPE_OF_MSPROF[table])?.type;
}

/** The column of a table that has the times that are parts of a whole. @param {string} table its id @returns {string | undefined} */
export function timeColumn(table) {
  return Object.entries(PARTS[table] ?? {}).find(([, part]) => part === 'time')?.[0];
}

/** Tolerance of the sum of a table's shares, for rounding. */
const ROUNDING = 0.005;

/**
 * The profiler's own share of each row, and the share of its total that no row has; none where a row lacks it or the sum is above 1.
 * @param {{name: string, unit: string}[]} columns @param {Cell[][]} values
 * @returns {{column: number, listed: number[], unlisted: number} | undefined}
 */
export function sharesOf(columns, values) {
  const column = columns.findIndex(({unit}) => unit === 'share');
  const listed = values.map((row) => row[column]).filter((share) => typeof share === 'number');
  const sum = listed.reduce((before, share) => before + share, 0);
  if (column < 0 || listed.length < values.length || sum <= 0 || sum > 1 + ROUNDING) return undefined;
  return {column, listed, unlisted: sum < 1 - ROUNDING ? 1 - sum : 0};
}

/** The column of a table of operators that has their names. @param {string} table its id @param {{name: string}[]} columns */
export function nameColumn(table, columns) {
  return BY_NAME[table]?.find((name) => columns.some((column) => column.name === name));
}

/**
 * The operators of a type, as the table of this id describes them.
 * @param {string} table the id of the table by type @param {string} type @param {MindSpore | undefined} mindspore
 * @returns {{id: string, rows: Operator[]}}
 */
export function operatorsOf(table, type, mindspore) {
  const {operators, table: of} = BY_TYPE[table] ?? {operators: 'aicore_operators'};
  /** @type {Operator[]} */
  const all = mindspore?.[operators] ?? [];
  return {id: `mindspore.${operators}`, rows: all.filter((row) => row.type === type && (of === undefined || row.table === of))};
}

/** The table that has the operators of a table of msprof's by type. @param {string} table its id @returns {string | undefined} */
export function operatorsTable(table) {
  return BY_TYPE_OF_MSPROF[table]?.operators;
}

/**
 * The operators of a type in msprof's table of operators.
 * @param {Rows} operators @param {string} type @returns {Operator[]}
 */
export function operatorsOfMsprof({columns, values}, type) {
  const at = placesOf(columns);
  const of = (/** @type {Cell[]} */ row, /** @type {string} */ column) => row[at.get(column) ?? -1] ?? null;
  return values
    .filter((row) => of(row, 'OP Type') === type)
    .map((row) => {
      const [calls, time] = [Number(of(row, 'Count')), Number(of(row, 'Total Time'))];
      return {name: String(of(row, 'Op Name')), type, side: 'device', calls, mean_ns: calls > 0 ? time / calls : null, table: 'op_summary'};
    });
}

/**
 * The operators of the graph by name, with scope or without; the last row of a name counts, as in MindInsight.
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

/**
 * The inputs and outputs in a row of msprof's table of operators: lists with a part for each tensor.
 * @param {(column: string) => string} cell @returns {Tensor[]}
 */
export function tensorsOfRow(cell) {
  return ['Input', 'Output'].flatMap((kind) => {
    const [shapes, types, formats] = ['Shapes', 'Data Types', 'Formats'].map((part) => cell(`${kind} ${part}`).replaceAll('"', '').split(';'));
    if (types.every((type) => type === '' || type === 'N/A')) return [];
    return types.map((type, index) => ({
      name: `${kind.toLowerCase()}_${index}`,
      type,
      shape: `[${(shapes[index] ?? '').split(',').join(', ')}]`,
      format: formats[index] ?? '',
    }));
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
