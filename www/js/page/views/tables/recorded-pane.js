// The details of a row of a recorded table: the operators of a type, or an operator's inputs and outputs.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {DataTable, orDash} from '../table/data-table.js';
import {nameColumn, operatorsOf, operatorsTable, tensorsOf, tensorsText, typeColumn} from './recorded-operators.js';

/** @typedef {import('../../../../types/reports.js').RecordedTableReport} RecordedTable */
/** @typedef {import('./recorded-operators.js').Operator} Operator */
/** @typedef {import('./recorded-operators.js').Rows} Rows */
/** @typedef {Operator & {info: string}} OperatorRow */
/** @typedef {{type: string, info: string}} GraphOperator */

/**
 * The rows of other tables of the rank.
 * @typedef {object} Beside
 * @property {(id: string) => Promise<Rows | undefined>} rows
 * @property {() => Promise<Map<string, GraphOperator>>} graph what the graph says of operators
 */

/** Whether a row of a table has such details. @param {RecordedTable} table */
export function hasPane({id, columns}) {
  return typeColumn(id) !== undefined || nameColumn(id, columns) !== undefined;
}

/** The pane of a row. */
export class RecordedPane {
  element = h('div', {class: 'type-pane', 'data-test': 'type-pane'});
  #asked = 0;
  /** @type {DataTable<OperatorRow> | undefined} */
  #table;

  /**
   * @param {import('../../app.js').App} app @param {RecordedTable} table @param {Beside} beside
   * @param {(index: number, column: string) => string} cell of the table that is shown
   */
  constructor(app, table, beside, cell) {
    this.app = app;
    this.table = table;
    this.beside = beside;
    this.cell = cell;
  }

  /** @param {number} index @returns {HTMLElement} */
  show(index) {
    const {id, columns} = this.table;
    const [type, name] = [typeColumn(id), nameColumn(id, columns)];
    fill(this.element);
    this.element.setAttribute('aria-busy', 'true');
    const asked = ++this.#asked;
    const made = type !== undefined ? this.#ofType(this.cell(index, type)) : this.#ofOperator(this.cell(index, name ?? ''));
    made.then((parts) => {
      if (asked !== this.#asked) return;
      fill(this.element, parts);
      this.element.removeAttribute('aria-busy');
    });
    return this.element;
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    this.#table?.redraw();
  }

  /** The operators of a type, in a table of their own. @param {string} type */
  async #ofType(type) {
    const {id} = this.table;
    const {summary, rank} = this.app.state;
    const other = operatorsTable(id);
    const graph = await this.beside.graph();
    const found = operatorsOf(id, type, summary?.ranks[rank].mindspore, other === undefined ? undefined : await this.beside.rows(other));
    if (!found.length) return [h('p', {class: 'hint', 'data-test': 'type-none'}, t('recorded.operators.none', {type}))];
    const rows = found.map((operator) => ({...operator, info: graph.get(operator.name)?.info ?? ''}));
    const recorded = summary?.ranks[rank].recorded ?? [];
    // Older profilers added up what both units do.
    const ofBoth = recorded.some((one) => one.id === 'op_flops' && one.columns.some((column) => column.name === 'FLOPs'));
    const table = operatorTable(this.app, t('recorded.operators.of', {type}), ofBoth);
    this.#table = table;
    // A table measures its texts, which it can once it stands in the page.
    queueMicrotask(() => table.show(rows));
    return [h('h2', {}, t('recorded.operators.of', {type})), table.element];
  }

  /** An operator's inputs and outputs. @param {string} name */
  async #ofOperator(name) {
    const tensors = tensorsOf((await this.beside.graph()).get(name)?.info ?? '');
    if (!tensors.length) return [];
    const keys = /** @type {const} */ (['planned[].tensors.name', 'data_type', 'shape', 'format']);
    const row = (/** @type {import('./recorded-operators.js').Tensor} */ tensor) =>
      h(
        'tr',
        {},
        h('th', {scope: 'row', class: 'left'}, tensor.name),
        [tensor.type, tensor.shape, tensor.format].map((text) => h('td', {class: 'left'}, text)),
      );
    return [
      h('h2', {}, t('recorded.tensors')),
      h(
        'div',
        {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('recorded.tensors')},
        h(
          'table',
          {class: 'small-table', 'data-test': 'tensors'},
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              keys.map((key) => h('th', {scope: 'col', class: 'left'}, t(`column.memory.${key}`))),
            ),
          ),
          h('tbody', {}, tensors.map(row)),
        ),
      ),
    ];
  }
}

/** Numbers of FLOPs that a profiler gives in millions, and rates in thousand millions. @type {['mflops_cube' | 'gflops_cube' | 'mflops_vector' | 'gflops_vector', 'amount_of_flops' | 'flops_per_second', number][]} */
const FLOPS = [
  ['mflops_cube', 'amount_of_flops', 1e6],
  ['gflops_cube', 'flops_per_second', 1e9],
  ['mflops_vector', 'amount_of_flops', 1e6],
  ['gflops_vector', 'flops_per_second', 1e9],
];

/** @param {import('../../app.js').App} app @param {string} label @param {boolean} ofBoth whether FLOPs of both units are one number @returns {DataTable<OperatorRow>} */
function operatorTable(app, label, ofBoth) {
  const {count, duration} = app.wasm;
  /** @typedef {import('../table/data-table.js').Column<OperatorRow>} Column */
  /** @type {Column[]} */
  const columns = [
    {key: 'name', title: t('column.operator'), text: (row) => row.name, value: (row) => row.name, left: true, width: 14, weight: 4},
    {key: 'side', title: t('recorded.side'), text: (row) => row.side ?? '–', value: (row) => row.side ?? null, left: true, optional: true},
    {key: 'calls', title: t('column.calls'), why: t('column.calls.why'), text: (row) => orDash(row.calls, count), value: (row) => row.calls, optional: true},
    {key: 'mean_ns', title: t('column.mean_ns'), why: t('column.mean_ns.why'), text: (row) => duration(row.mean_ns), value: (row) => row.mean_ns},
    {
      key: 'dispatch_ns',
      title: t('column.dispatch_ns'),
      why: t('column.dispatch_ns.why'),
      text: (row) => orDash(row.dispatch_ns ?? null, duration),
      value: (row) => row.dispatch_ns ?? null,
      optional: true,
    },
    ...FLOPS.map(([key, write, unit]) => {
      const heading = ofBoth ? `column.${unit === 1e6 ? 'recorded_flops' : 'recorded_flop_rate'}` : `column.${key}`;
      const value = (/** @type {OperatorRow} */ row) => row.flops?.[key] ?? null;
      const text = (/** @type {number} */ number) => app.wasm[write](number * unit);
      return /** @type {Column} */ ({
        key,
        title: t(heading),
        why: t(`${heading}.why`),
        text: (row) => orDash(value(row), text),
        value,
        optional: true,
      });
    }),
    {
      key: 'op_info',
      title: t('recorded.tensors'),
      text: (row) => tensorsText(tensorsOf(row.info)),
      value: (row) => tensorsText(tensorsOf(row.info)) || null,
      left: true,
      optional: true,
      width: 12,
      weight: 3,
    },
  ];
  return new DataTable(app, {
    name: 'operators-of-type',
    label,
    columns,
    sort: {key: 'mean_ns', down: true},
    empty: () => t('table.empty'),
    searched: (row) => `${row.name} ${row.type} ${row.info}`,
    detail: (row) => [
      [t('column.operator'), row.name],
      ...tensorsOf(row.info).map((tensor) => /** @type {[string, string]} */ ([tensor.name, tensorsText([{...tensor, name: ''}])])),
    ],
  });
}
