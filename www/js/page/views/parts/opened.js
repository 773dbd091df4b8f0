// Rows and nodes that a person opened: the address and the browser's history name them, and open them again.

import {environment} from '../../environment/environment.js';
import {hashed} from '../../hashed.js';

/** @typedef {import('../../state.js').Opened} Opened */

/** How each element that can open something opens it again. @type {WeakMap<Element, (key: string | undefined) => void>} */
const AGAIN = new WeakMap();

/** Says what an element can open. @param {HTMLElement} element @param {string} name of the table or graph @param {(key: string | undefined) => void} open opens what has that key; without one, closes what is open */
export function canOpen(element, name, open) {
  element.dataset.opens = name;
  AGAIN.set(element, open);
}

/** Opens what is named in all that is shown, and closes all else. @param {Opened} opened */
export function openAgain(opened) {
  for (const element of environment().root.querySelectorAll('[data-opens]'))
    AGAIN.get(element)?.(opened[/** @type {HTMLElement} */ (element).dataset.opens ?? '']);
}

/** A row's key: it stays the same in other steps, and has nothing of the trace's text. @template Row @param {Row[]} rows @param {Row} row @param {(row: Row) => string} textOf */
export function keyOf(rows, row, textOf) {
  const text = textOf(row);
  let before = 0;
  for (const other of rows) {
    if (other === row) break;
    if (textOf(other) === text) before++;
  }
  return before ? `${hashed(text)}.${before}` : hashed(text);
}

/** The row that has a key. @template Row @param {Row[]} rows @param {string} key @param {(row: Row) => string} textOf @returns {Row | undefined} */
export function rowOf(rows, key, textOf) {
  const [hash, before = '0'] = key.split('.');
  return rows.filter((row) => hashed(textOf(row)) === hash)[Number(before)];
}

/** The keys of a tree's nodes, by the names on their paths. @param {import('../calls/stack-tree.js').StackTree} tree @returns {string[]} */
export function nodeKeys(tree) {
  /** @type {string[]} */
  const keys = [];
  // Each node comes after the one that calls it.
  for (const [node, parent] of tree.parents.entries()) keys.push(hashed([keys[parent] ?? '', tree.nameOf(node)]));
  return keys;
}
