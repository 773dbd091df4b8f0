// The lines of a table: rows, heads of groups of rows, and rows below all others.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {cut} from './cut.js';

/**
 * The place and state of a line.
 * @typedef {object} Look
 * @property {number} index among all lines
 * @property {number} top in pixels
 * @property {boolean} isActive whether it is open
 * @property {boolean} isPicked
 */

/** Number of letters of a title that fit in place of one of a row: it is bold, and has a sign before it. */
const BOLD = 0.8;

/** The end of a title stays: in a path of modules it is the innermost one. */
const AT_ITS_END = {get: (/** @type {string} */ title) => title.length};

/** A line of cells. @param {string} kind its class @param {Look} look @param {Node[]} cells @param {(event: MouseEvent) => void} onclick */
function line(kind, {index, top, isActive, isPicked}, cells, onclick) {
  const element = h(
    'div',
    {
      role: 'row',
      class: `${kind}${isActive ? ' active' : ''}${isPicked ? ' picked' : ''}`,
      'aria-rowindex': String(index + 2),
      'aria-current': isActive ? 'true' : null,
      'aria-selected': isPicked ? 'true' : null,
      onclick,
    },
    cells,
  );
  element.style.top = `${top}px`;
  return element;
}

/**
 * A cell's text, cut so that its distinctive part stays visible. All of it is there to be copied and read out.
 * @param {string} text @param {{differ: Pick<import('./cut.js').Differences, 'get'>, room: number}} [found] where the column's texts differ, and the number of letters that fit
 */
export function cutText(text, found) {
  const parts = found === undefined ? null : cut(text, found.differ.get(text), found.room);
  return parts ? [parts[0], h('span', {class: 'cut'}, parts[1]), parts[2]] : text;
}

/**
 * A row: a cell for each column.
 * @template Row
 * @param {Row} row @param {import('./columns/column.js').Column<Row>[]} columns @param {Look} look
 * @param {{text: (column: import('./columns/column.js').Column<Row>, text: string) => string | (string | Node)[], onclick: (event: MouseEvent) => void}} how `text`: as it fits into the column
 */
export function rowLine(row, columns, look, how) {
  const cells = columns.map((column) => {
    const text = column.text(row);
    const attributes = {role: 'cell', class: column.left ? 'cell left' : 'cell', title: column.whole?.(row) ?? (column.left ? text : null)};
    const cell = h('div', attributes, column.picture?.(row) ?? how.text(column, text));
    const tone = column.tone?.(row) ?? 0;
    if (tone) cell.classList.add(tone > 0 ? 'worse' : 'better');
    if (column.share) {
      cell.classList.add('share');
      cell.style.setProperty('--share-width', `${Math.min(1, Math.max(0, column.share(row))) * 100}%`);
    }
    return cell;
  });
  return line('row', look, cells, how.onclick);
}

/**
 * The head of a group: its name, and its sums.
 * @template Row
 * @param {import('./groups.js').RowGroup<Row>} group @param {import('./columns/column.js').Column<Row>[]} columns @param {Look} look
 * @param {{isOpen: boolean, size: string, sum: (part: NonNullable<import('./columns/column.js').Column<Row>['part']>, sum: number) => string, largest: Map<string, number>, room: number, height: number, under: number, onclick: (event: MouseEvent) => void}} how `size`: how many rows it has, `largest`: sum of a group, by columns, `room`: how many letters of a row fit; in pixels, `height`: of the group, `under`: of the heads of the columns
 */
export function groupLine(group, columns, look, {isOpen, size, sum: textOf, largest, room, height, under, onclick}) {
  const head = h(
    'button',
    {class: 'group-head', type: 'button', tabindex: '-1', 'aria-expanded': String(isOpen), title: group.title, 'data-test': 'group'},
    h('span', {class: 'group-sign', 'aria-hidden': 'true'}, isOpen ? '▾' : '▸'),
    h('span', {class: 'group-title'}, cutText(group.title, {differ: AT_ITS_END, room: Math.floor(room * BOLD) - size.length - 1})),
    ' ',
    h('span', {class: 'group-count'}, size),
  );
  const cells = columns.map(({key, left, part, share}, at) => {
    const sum = group.sums.get(key) ?? 0;
    const text = at === 0 ? head : part ? textOf(part, sum) : '';
    const cell = h('div', {role: 'cell', class: `cell${left ? ' left' : ''}${part && share ? ' share' : ''}`}, text);
    if (part && share) cell.style.setProperty('--share-width', `${(100 * sum) / (largest.get(key) || 1)}%`);
    return cell;
  });
  const element = line('row of-group', look, cells, onclick);
  return isOpen ? stickyLine(element, height, under) : element;
}

/** The head of an open group, which stays below the heads of the columns while a row of its group is in view. @param {HTMLElement} head @param {number} height of the group @param {number} under height of the heads of the columns, all in pixels */
function stickyLine(head, height, under) {
  const span = h('div', {role: 'presentation', class: 'group-span'}, head);
  span.style.top = head.style.top;
  span.style.height = `${height}px`;
  head.style.top = `${under}px`;
  return span;
}

/** Rows below all others. @template Row @param {import('./columns/column.js').Column<Row>[]} columns @param {{name: string, cells: Record<string, string>}[]} rows by the keys of the columns */
export function footLines(columns, rows) {
  return rows.map(({name, cells}) => {
    const texts = columns.map(({key}, at) => (at === 0 ? name : (cells[key] ?? '')));
    const cell = (/** @type {string} */ text, /** @type {number} */ at) =>
      h('div', {role: 'cell', class: columns[at].left ? 'cell left' : 'cell', title: text || null}, text);
    return h('div', {class: 'row', role: 'row'}, texts.map(cell));
  });
}

/** The links of an open row to the timeline; nothing where it has none. @param {(Node | null)[]} links */
export function jumps(links) {
  const known = links.filter((link) => link !== null);
  if (!known.length) return null;
  const parts = known.flatMap((link, index) => (index ? [' · ', link] : [link]));
  return h('p', {class: 'jumps'}, `${t('jump.in')} `, parts);
}
