// A described table of a few rows, without tools: all of its cells are elements.

import {h} from '../../../dom.js';
import {eventLink} from '../../parts/jump.js';
import {DescribedColumns} from './described-columns.js';
import {descriptionOf, tableRows} from './described.js';

/** Rows from which on a table scrolls in itself. */
const MANY = 12;

/**
 * A table; a row's name leads to the row's event, where the description names one.
 * @param {import('../../../app.js').App} app @param {string} id of its description @param {string} label
 * @param {import('../../../../protocol/table.js').TableValues | readonly object[]} values rows by columns, or as a report has them
 * @param {(row: any, name: string, place: number) => Node | string | null} [nameOf] a row's name in another way @param {string[]} [without] the keys of columns that such names say
 * @param {string[]} [after] the keys of the columns that stand first after the name
 */
export function describedSmallTable(app, id, label, values, nameOf, without, after = []) {
  const description = descriptionOf(app, id);
  const columns = new DescribedColumns(description, app.wasm, app.state.summary?.ranks[app.state.rank]?.vendor, without);
  const rows = tableRows(description, values);
  columns.rows = rows;
  const shown = columns.shown.filter(({key, optional, seldom}) => !optional || columns.hasAny(key, seldom));
  const [first, ...rest] = shown;
  const others = [...after.flatMap((key) => rest.filter((column) => column.key === key)), ...rest.filter(({key}) => !after.includes(key))];
  const event = description.columns.find((column) => column.is_event)?.key;
  // A name that is shown in short may still be long: it has the rest of the width.
  const kind = (/** @type {{left?: boolean, whole?: unknown}} */ {left, whole}) => (left ? (whole ? 'left is-name' : 'left') : null);
  const name = (/** @type {number} */ place) => {
    const text = first.text(place);
    if (nameOf) return nameOf(rows.object(place), text, place) ?? text;
    const slice = event === undefined ? null : rows.value(event, place);
    return (slice !== null && eventLink(app, {slice: Number(slice), name: text})) || text;
  };
  const row = (/** @type {unknown} */ _, /** @type {number} */ place) =>
    h(
      'tr',
      {},
      h('th', {scope: 'row', class: 'left'}, name(place)),
      ...others.map((column) =>
        h(
          'td',
          {class: kind(column), title: column.whole?.(place) ?? (columns.meaningOf(column.key, place) || (column.left ? column.text(place) : null))},
          column.text(place),
        ),
      ),
    );
  return h(
    'div',
    {class: rows.length > MANY ? 'scroll tall' : 'scroll', tabindex: '0', role: 'region', 'aria-label': label},
    h(
      'table',
      {class: 'small-table', 'data-test': id},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ...[first, ...others].map((column, index) => h('th', {scope: 'col', title: column.why ?? '', class: index ? kind(column) : 'left'}, column.title)),
        ),
      ),
      h('tbody', {}, ...Array.from({length: rows.length}, row)),
    ),
  );
}
