// A table of a few rows, all of them elements.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/**
 * A small table with the formulas of its headings on hover.
 * @param {string} first @param {string} name for tests @param {string[]} keys @param {{name: string, why: string, cells: string[]}[]} rows
 * @param {Record<string, string>} [values] for the headings
 */
export function smallTable(first, name, keys, rows, values) {
  const heads = keys.map((key) => h('th', {scope: 'col', title: t(`column.${key}.why`, values)}, t(`column.${key}`, values)));
  const body = rows.map((row) => h('tr', {}, h('th', {scope: 'row', title: row.why || null}, row.name), ...row.cells.map((cell) => h('td', {}, cell))));
  return h(
    'div',
    {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': first},
    h('table', {class: 'small-table', 'data-test': name}, h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, first), ...heads)), h('tbody', {}, ...body)),
  );
}
