// The details of a row of a recorded table: the operators of a type, or an operator's inputs and outputs.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {DescribedTable} from '../table/described/described.js';
import {nameColumn, operatorsOf, operatorsOfMsprof, operatorsTable, tensorsOf, tensorsOfRow, tensorsText, typeColumn} from './recorded-operators.js';

/** @typedef {import('../../../../types/reports.js').RecordedTableReport} RecordedTable */
/** @typedef {import('./recorded-operators.js').Operator} Operator */
/** @typedef {{type: string, info: string}} GraphOperator */
/** @typedef {() => Promise<Map<string, GraphOperator>>} Graph the graph's data on operators */
/** @typedef {(id: string) => Promise<import('./recorded-operators.js').Rows | undefined>} Tables the rows of another table */

/** Whether a row of a table has such details. @param {RecordedTable} table */
export function hasPane({id, columns}) {
  return typeColumn(id) !== undefined || nameColumn(id, columns) !== undefined;
}

/** The pane of a row. */
export class RecordedPane {
  element = h('div', {class: 'type-pane', 'data-test': 'type-pane'});
  #asked = 0;
  /** @type {DescribedTable | undefined} */
  #table;

  /**
   * @param {import('../../app.js').App} app @param {RecordedTable} table @param {Graph} graph
   * @param {(index: number, column: string) => string} cell of the table that is shown @param {Tables} [tables]
   */
  constructor(app, table, graph, cell, tables) {
    this.app = app;
    this.table = table;
    this.graph = graph;
    this.cell = cell;
    this.tables = tables;
  }

  /** @param {number} index @returns {HTMLElement} */
  show(index) {
    const {id, columns} = this.table;
    const [type, name] = [typeColumn(id), nameColumn(id, columns)];
    fill(this.element);
    this.element.setAttribute('aria-busy', 'true');
    const asked = ++this.#asked;
    const made = type !== undefined ? this.#ofType(this.cell(index, type)) : this.#ofOperator(index, name ?? '');
    made.then((parts) => {
      if (asked !== this.#asked) return;
      fill(this.element, parts);
      this.element.removeAttribute('aria-busy');
    });
    return this.element;
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    this.#table?.table.redraw();
  }

  /** The operators of a type, in a table of their own. @param {string} type */
  async #ofType(type) {
    const {id} = this.table;
    const {summary, rank} = this.app.state;
    const graph = await this.graph();
    const other = operatorsTable(id);
    const found = other === undefined ? undefined : await this.tables?.(other);
    const ofMsprof = found && {id: 'mindspore.host_operators', rows: operatorsOfMsprof(found, type)};
    const {id: described, rows} = ofMsprof ?? operatorsOf(id, type, summary?.ranks[rank].mindspore);
    if (!rows.length) return [h('p', {class: 'hint', 'data-test': 'type-none'}, t('recorded.operators.none', {type}))];
    const table = operatorTable(this.app, described, t('recorded.operators.of', {type}), graph);
    this.#table = table;
    // A table measures its texts, which it can once it stands in the page.
    queueMicrotask(() => table.show(rows));
    return [h('h2', {}, t('recorded.operators.of', {type})), table.element];
  }

  /** An operator's inputs and outputs: by the graph, else by its row. @param {number} index @param {string} column that has its name */
  async #ofOperator(index, column) {
    const ofGraph = tensorsOf((await this.graph()).get(this.cell(index, column))?.info ?? '');
    const tensors = ofGraph.length ? ofGraph : tensorsOfRow((name) => this.cell(index, name));
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

/**
 * The operators of a type, with their inputs and outputs in the graph.
 * @param {import('../../app.js').App} app @param {string} id of the table's description @param {string} label @param {Map<string, GraphOperator>} graph
 */
function operatorTable(app, id, label, graph) {
  const tensors = (/** @type {Operator} */ {name}) => tensorsOf(graph.get(name)?.info ?? '');
  return new DescribedTable(app, id, {
    name: 'operators-of-type',
    label,
    empty: () => t('table.empty'),
    // The heading says the type, and names have the kernels.
    without: ['type', 'kernel'],
    beside: [{key: 'op_info', title: t('recorded.tensors'), text: (row) => tensorsText(tensors(row)), width: 12, weight: 3}],
    facts: (row) => ({more: tensors(row).map((tensor) => [tensor.name, tensorsText([{...tensor, name: ''}])])}),
  });
}
