// Keys of a table with cells that act: it is one tab stop, arrows move within it, Enter acts.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/** @typedef {{line: number, place: number}} Spot a cell's line, and its place in that */

/** Where each key leads from a spot: by how many lines and places; to an end of the line, or of the table with Ctrl. @type {Record<string, [lines: number, places: number]>} */
const WAYS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

/** The spot that a key leads to; null of a key that leads nowhere. @param {Pick<KeyboardEvent, 'key' | 'ctrlKey'>} event @param {Spot} from @param {number[]} sizes of the lines @returns {Spot | null} */
export function spotAfter({key, ctrlKey}, {line, place}, sizes) {
  const way = Object.hasOwn(WAYS, key) ? WAYS[key] : undefined;
  if (!way) return null;
  const [lines, places] = way;
  const far = ctrlKey && Math.abs(places) === Infinity ? places : lines;
  const to = Math.max(0, Math.min(line + far, sizes.length - 1));
  return {line: to, place: Math.max(0, Math.min(place + places, sizes[to] - 1))};
}

/** Makes a cell the one stop of the tab key among others. @param {HTMLElement[]} cells @param {HTMLElement} cell */
export function stopAt(cells, cell) {
  if (cells.includes(cell)) for (const one of cells) one.tabIndex = one === cell ? 0 : -1;
}

/** Moves the focus from a cell by a key; false where the key moves nothing. @param {KeyboardEvent} event @param {HTMLElement[][]} lines of cells */
export function moveFocus(event, lines) {
  const {target, altKey, metaKey} = event;
  const line = lines.findIndex((one) => one.includes(/** @type {HTMLElement} */ (target)));
  if (line < 0 || altKey || metaKey) return false;
  const place = lines[line].indexOf(/** @type {HTMLElement} */ (target));
  const to = spotAfter(
    event,
    {line, place},
    lines.map(({length}) => length),
  );
  if (!to) return false;
  // Arrows choose steps elsewhere on the page.
  event.preventDefault();
  event.stopPropagation();
  lines[to.line][to.place].focus();
  return true;
}

/**
 * Makes a table a grid: the cells of its body that are given take the focus, one of them by the tab key.
 * @param {HTMLTableElement} table @param {string} label @param {HTMLElement[][]} lines of cells, or of buttons in them
 */
export function asGrid(table, label, lines) {
  table.setAttribute('role', 'grid');
  table.setAttribute('aria-label', label);
  table.setAttribute('aria-description', t('ranks.grid.keys'));
  const cells = lines.flat();
  for (const cell of cells) cell.tabIndex = -1;
  if (cells.length) cells[0].tabIndex = 0;
  table.addEventListener('focusin', ({target}) => stopAt(cells, /** @type {HTMLElement} */ (target)));
  table.addEventListener('keydown', (event) => {
    if (moveFocus(event, lines)) return;
    const {target, key, altKey, metaKey} = event;
    const cell = /** @type {HTMLElement} */ (target);
    // A button takes these keys itself.
    const acts = (key === 'Enter' || key === ' ') && cell.localName !== 'button';
    if (!acts || altKey || metaKey || !cells.includes(cell)) return;
    event.preventDefault();
    event.stopPropagation();
    cell.click();
  });
}

/** The place of a grid: it scrolls with the focused cell, so it is no tab stop of its own. Below it stands the text of the focused cell. */
export class GridPlace {
  #scroll = h('div', {class: 'scroll heat-scroll'});
  // A screen reader says it with the cell.
  #said = h('p', {class: 'hint heat-said', 'aria-hidden': 'true', 'data-test': 'grid-said'});
  element = h('div', {class: 'heat-place'}, this.#scroll, this.#said);

  /** @param {HTMLTableElement} table */
  show(table) {
    table.addEventListener('focusin', ({target}) => fill(this.#said, saidOf(/** @type {HTMLElement} */ (target))));
    table.addEventListener('focusout', () => fill(this.#said));
    fill(this.#said);
    fill(this.#scroll, table);
  }
}

/** The tooltip of a cell, in one line. @param {HTMLElement} cell */
const saidOf = (cell) => cell.title.replaceAll('\n', ' · ');
