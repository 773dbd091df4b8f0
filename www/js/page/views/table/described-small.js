// A described table of a few rows, without tools: all of its cells are elements.

import {h} from '../../dom.js';
import {DescribedColumns} from './described-columns.js';
import {descriptionOf} from './described.js';
import {TableRows} from './table-rows.js';

/**
 * @param {import('../../app.js').App} app @param {string} id of its description @param {string} label
 * @param {import('../../../protocol/table.js').TableValues} values
 */
export function describedSmallTable(app, id, label, values) {
  const description = descriptionOf(app, id);
  const columns = new DescribedColumns(description, app.wasm, app.state.summary?.ranks[app.state.rank]?.vendor);
  const rows = new TableRows(description, values);
  columns.rows = rows;
  const {shown} = columns;
  const [first, ...others] = shown;
  const kind = (/** @type {{left?: boolean}} */ {left}) => (left ? 'left' : null);
  const row = (/** @type {unknown} */ _, /** @type {number} */ place) =>
    h('tr', {}, h('th', {scope: 'row'}, first.text(place)), ...others.map((column) => h('td', {class: kind(column)}, column.text(place))));
  return h(
    'div',
    {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label},
    h(
      'table',
      {class: 'small-table', 'data-test': id},
      h('thead', {}, h('tr', {}, ...shown.map((column) => h('th', {scope: 'col', title: column.why ?? '', class: kind(column)}, column.title)))),
      h('tbody', {}, ...Array.from({length: rows.length}, row)),
    ),
  );
}
