// Rows and nodes that a person opened: the address and the browser's history name them, and open them again.

import {environment} from '../../environment/environment.js';
import {hashed} from '../../hashed.js';

/** @typedef {import('../../state.js').Opened} Opened */

/** Functions by which elements reopen their rows or nodes. @type {WeakMap<Element, (key: string | undefined) => void>} */
const AGAIN = new WeakMap();

/** Registers an element that can open something. @param {HTMLElement} element @param {string} name of the table or graph @param {(key: string | undefined) => void} open opens the row or node with that key; without one, closes the open one */
export function canOpen(element, name, open) {
  element.dataset.opens = name;
  AGAIN.set(element, open);
}

/** Opens the named rows and nodes in all shown elements, and closes all others. @param {Opened} opened */
export function openAgain(opened) {
  for (const element of environment().root.querySelectorAll('[data-opens]'))
    AGAIN.get(element)?.(opened[/** @type {HTMLElement} */ (element).dataset.opens ?? '']);
}

/** The keys of rows, once they are asked for. @type {WeakMap<object, {keys: Map<any, string>, rows: Map<string, any>}>} */
const KEYS = new WeakMap();

/** The keys of rows, and the other way round: rows alike are numbered. @template Row @param {Row[]} rows @param {(row: Row) => string} textOf @returns {{keys: Map<Row, string>, rows: Map<string, Row>}} */
function keysOf(rows, textOf) {
  const known = KEYS.get(rows);
  if (known) return known;
  const [found, counts] = [{keys: new Map(), rows: new Map()}, new Map()];
  for (const row of rows) {
    const hash = hashed(textOf(row));
    const before = counts.get(hash) ?? 0;
    counts.set(hash, before + 1);
    const key = before ? `${hash}.${before}` : hash;
    found.keys.set(row, key);
    found.rows.set(key, row);
  }
  KEYS.set(rows, found);
  return found;
}

/** A row's key: it stays the same in other steps, and has nothing of the trace's text. @template Row @param {Row[]} rows never changed @param {Row} row @param {(row: Row) => string} textOf @returns {string | undefined} */
export function keyOf(rows, row, textOf) {
  return keysOf(rows, textOf).keys.get(row);
}

/** The row that has a key. @template Row @param {Row[]} rows @param {string} key @param {(row: Row) => string} textOf @returns {Row | undefined} */
export function rowOf(rows, key, textOf) {
  return keysOf(rows, textOf).rows.get(key);
}

/** The keys of a tree's nodes, by the names on their paths. @param {import('../calls/stack-tree.js').StackTree} tree @returns {string[]} */
export function nodeKeys(tree) {
  /** @type {string[]} */
  const keys = [];
  // Each node comes after the one that calls it.
  for (const [node, parent] of tree.parents.entries()) keys.push(hashed([keys[parent] ?? '', tree.markOf(node)]));
  return keys;
}

/** The key of one node. @param {import('../calls/stack-tree.js').StackTree} tree @param {number} node */
export function nodeKey(tree, node) {
  return tree.path(node).reduce((key, one) => hashed([key, tree.markOf(one)]), '');
}
