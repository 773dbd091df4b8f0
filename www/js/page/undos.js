// Arrangements that a person can undo: sorting, filters, columns and groups of tables, notes, and hidden rows of the timeline. Where a person went is the browser's history's.

/**
 * @typedef {object} Change
 * @property {HTMLElement} element the changed one: a change of a hidden element is not undone
 * @property {string} what its name
 * @property {string} kind changes of the same kind that follow each other rapidly are one
 * @property {() => void} undo
 * @property {() => void} redo
 */

/** Longest pause between such changes, in ms. */
const PAUSE = 1000;

/** Number of kept changes. */
const MOST = 100;

/** Changes that can be undone. */
export class Undos {
  /** @type {Change[]} */
  #done = [];
  /** @type {Change[]} */
  #undone = [];
  #at = 0;
  /** Whether a change is being undone: that is none. */
  #busy = false;

  /** @param {Change} change @returns {Change} the kept change, which a row of changes may have made one */
  add(change) {
    if (this.#busy) return change;
    const at = performance.now();
    const last = this.#done.at(-1);
    const goesOn = last && this.#undone.length === 0 && last.element === change.element && last.kind === change.kind && at - this.#at < PAUSE;
    if (goesOn) this.#done.pop();
    const kept = goesOn ? {...change, undo: last.undo} : change;
    this.#done.push(kept);
    this.#done.splice(0, this.#done.length - MOST);
    this.#undone = [];
    this.#at = at;
    return kept;
  }

  /** Undoes a change that is kept, also if others came after it. @param {Change} change */
  undo(change) {
    const index = this.#done.indexOf(change);
    if (index >= 0) this.#move('undo', index);
  }

  /** Undoes the last change of a shown element, or redoes it. @param {'undo' | 'redo'} way @returns {Change | undefined} the change */
  go(way) {
    const from = way === 'undo' ? this.#done : this.#undone;
    const index = from.findLastIndex(({element}) => element.isConnected);
    return index < 0 ? undefined : this.#move(way, index);
  }

  /** Undoes or redoes a change by its place among these. @param {'undo' | 'redo'} way @param {number} index */
  #move(way, index) {
    const [from, to] = way === 'undo' ? [this.#done, this.#undone] : [this.#undone, this.#done];
    const [change] = from.splice(index, 1);
    this.#busy = true;
    try {
      change[way]();
    } finally {
      this.#busy = false;
    }
    to.push(change);
    this.#at = 0;
    return change;
  }

  /** Forgets all. */
  clear() {
    this.#done = [];
    this.#undone = [];
  }
}

/** Which way a key goes, if it is one of these. @param {KeyboardEvent} event @returns {'undo' | 'redo' | undefined} */
export function undoKey({key, ctrlKey, metaKey, altKey, shiftKey}) {
  if (ctrlKey === metaKey || altKey) return undefined;
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
  return key.toLowerCase() === 'y' && ctrlKey && !shiftKey ? 'redo' : undefined;
}
