// Rows of a table in groups: which are together, their sums, their order, and which are open. Nothing here touches the page.

import {texts} from './arrange.js';

/**
 * @template Row
 * @typedef {import('./columns/column.js').Column<Row>} Column
 */
/**
 * @template Row
 * @typedef {object} Grouping a way to group rows
 * @property {string} key of the column
 * @property {string} title
 * @property {(row: Row) => string} of the group of a row, as it is remembered
 * @property {(row: Row) => string} text the group of a row, as it is shown
 */

/** Groups that are remembered as open or folded, at most. */
const MOST = 200;

/** Rows that have a value in common. @template Row */
export class RowGroup {
  /** Sums of columns whose values are parts of a whole, by key. @type {Map<string, number>} */
  sums = new Map();
  /** In the order of the table. @type {Row[]} */
  rows = [];

  /** @param {string} key @param {string} title */
  constructor(key, title) {
    this.key = key;
    this.title = title;
  }
}

/**
 * Rows in groups, which stay in their order. A group is where its sum has it; where a column has no sums, where its first row is.
 * @template Row @param {Row[]} rows in order @param {Grouping<Row>} grouping @param {Column<Row>[]} columns
 * @param {{key: string, down: boolean}} sort @returns {RowGroup<Row>[]}
 */
export function groupsOf(rows, grouping, columns, sort) {
  /** @type {Map<string, RowGroup<Row>>} */
  const found = new Map();
  for (const row of rows) {
    const key = grouping.of(row);
    let group = found.get(key);
    if (!group) found.set(key, (group = new RowGroup(key, grouping.text(row))));
    group.rows.push(row);
  }
  const groups = [...found.values()];
  for (const {key, part, value} of columns) {
    if (!part) continue;
    for (const {rows, sums} of groups) {
      let sum = 0;
      for (const row of rows) sum += Number(value(row) ?? 0);
      sums.set(key, sum);
    }
  }
  const way = sort.down ? -1 : 1;
  const by = columns.find(({key}) => key === sort.key);
  if (by?.part) return groups.sort((a, b) => way * ((a.sums.get(sort.key) ?? 0) - (b.sums.get(sort.key) ?? 0)));
  return by && by === columns[0] ? groups.sort((a, b) => way * texts.compare(a.title, b.title)) : groups;
}

/** The lines of a table: groups, and the rows of open ones. @template Row @param {RowGroup<Row>[]} groups @param {(group: RowGroup<Row>) => boolean} isOpen */
export function linesOf(groups, isOpen) {
  /** @type {(Row | RowGroup<Row>)[]} */
  const lines = [];
  for (const group of groups) {
    lines.push(group);
    if (isOpen(group)) for (const row of group.rows) lines.push(row);
  }
  return lines;
}

/**
 * The head of the group of a line, and its index.
 * @template Row @param {(Row | RowGroup<Row>)[]} lines of groups, the first one a head @param {number} index @returns {[index: number, head: RowGroup<Row>]}
 */
export function headOf(lines, index) {
  let at = index;
  while (!(lines[at] instanceof RowGroup)) at--;
  return [at, /** @type {RowGroup<Row>} */ (lines[at])];
}

/**
 * The copied lines of groups: the rows of open ones, and each folded one with its sums, so that nothing is counted twice.
 * @template Row @param {RowGroup<Row>[]} groups @param {(group: RowGroup<Row>) => boolean} isOpen @returns {(Row | RowGroup<Row>)[]}
 */
export function copiedOf(groups, isOpen) {
  return groups.flatMap((group) => /** @type {(Row | RowGroup<Row>)[]} */ (isOpen(group) ? group.rows : [group]));
}

/**
 * Columns of copied lines, after one of the groups.
 * @template Row @param {Column<Row>[]} columns @param {Grouping<Row>} grouping
 * @param {{rows: (count: number) => string, sum: (part: NonNullable<Column<Row>['part']>, sum: number) => string}} say `rows`: a group in place of a name
 * @returns {Column<Row | RowGroup<Row>>[]}
 */
export function copiedColumns(columns, grouping, say) {
  const of = (/** @type {Row | RowGroup<Row>} */ line) => (line instanceof RowGroup ? line.title : grouping.text(line));
  return [
    // The column itself may be among those that are shown.
    {key: columns.some(({key}) => key === grouping.key) ? `group_${grouping.key}` : grouping.key, title: grouping.title, left: true, text: of, value: of},
    ...columns.map((column, index) => {
      const {key, title, left, part} = column;
      const sum = (/** @type {RowGroup<Row>} */ group) => (part ? (group.sums.get(key) ?? 0) : null);
      const text = (/** @type {RowGroup<Row>} */ group) => (index === 0 ? say.rows(group.rows.length) : part ? say.sum(part, sum(group) ?? 0) : '');
      return {
        key,
        title,
        left,
        text: (/** @type {Row | RowGroup<Row>} */ line) => (line instanceof RowGroup ? text(line) : column.text(line)),
        value: (/** @type {Row | RowGroup<Row>} */ line) => (line instanceof RowGroup ? (index === 0 ? text(line) : sum(line)) : column.value(line)),
      };
    }),
  ];
}

/** The remembered grouping of a table, and its open groups. */
export class Folding {
  /** The key of a column; none: there are no groups. */
  by = '';
  /** Whether groups are open unless they are among the others. */
  #open = false;
  /** @type {Set<string>} */
  #others = new Set();

  /** @param {string | null} text the remembered text, if any */
  constructor(text) {
    try {
      const said = JSON.parse(text ?? 'null');
      if (typeof said?.by !== 'string') return;
      this.by = said.by;
      this.#open = said.open === true;
      this.#others = new Set(Array.isArray(said.others) ? said.others.filter((/** @type {unknown} */ key) => typeof key === 'string') : []);
    } catch {
      // Nothing that makes sense was remembered.
    }
  }

  /** As it is to be remembered. */
  get text() {
    return JSON.stringify({by: this.by, open: this.#open, others: [...this.#others].slice(-MOST)});
  }

  /** Groups by another column: all are folded. @param {string} by */
  choose(by) {
    this.by = by;
    this.all(false);
  }

  /** @param {string} key of a group */
  isOpen(key) {
    return this.#open !== this.#others.has(key);
  }

  /** @param {string} key of a group */
  toggle(key) {
    if (!this.#others.delete(key)) this.#others.add(key);
  }

  /** Opens all groups, or folds them. @param {boolean} open */
  all(open) {
    this.#open = open;
    this.#others.clear();
  }
}

/**
 * The row at which a span of picked rows ends: in a folded group the last one, or the first one upwards.
 * @template Row
 * @param {(Row | RowGroup<Row>)[]} lines @param {number} index of a line @param {boolean} down @param {(group: RowGroup<Row>) => boolean} isOpen
 * @returns {Row}
 */
export function endOfSpan(lines, index, down, isOpen) {
  let line = lines[index];
  // An open group's rows have lines of their own.
  if (line instanceof RowGroup && isOpen(line)) line = lines[down ? index + 1 : index - 1] ?? line;
  return line instanceof RowGroup ? line.rows[down ? line.rows.length - 1 : 0] : line;
}
