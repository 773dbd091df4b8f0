// Cuts names that are too long for their column so that their differences stay visible. Nothing here touches the page.

/** The kept begin of a name that is cut in its middle, as a share of the room. */
const HEAD = 0.35;

/** Number of letters that are kept before the place in which names differ. */
const BEFORE = 3;

/** The most names that one is compared with. */
const MOST = 5000;

/** Number of rows that are checked for long names. */
const SAMPLE = 300;

/** Length of the common prefix of two texts. @param {string} a @param {string} b */
function common(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Where names begin to differ from all others that they are compared with. */
export class Differences {
  /** Those that were looked for. @type {Map<string, number>} */
  #known = new Map();
  #sorted;

  /** @param {string[]} sorted names, each once */
  constructor(sorted) {
    this.#sorted = sorted;
  }

  /** The length of the longest begin that a name has in common with another. @param {string} name */
  get(name) {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const sorted = this.#sorted;
    const at = placeIn(sorted, name);
    // The longest one is shared with a neighbor.
    const shared = [sorted[at - 1], sorted[sorted[at] === name ? at + 1 : at]].map((other) => (other === undefined ? 0 : common(name, other)));
    const differs = Math.max(...shared);
    this.#known.set(name, differs);
    return differs;
  }
}

/** The place of the first name that is not before another one. @param {string[]} sorted @param {string} name */
function placeIn(sorted, name) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The places at which each of the rows' names begins to differ from all others; from a sample of very many. @template Row @param {Row[]} rows @param {(row: Row) => string} name */
export function differences(rows, name) {
  const every = Math.ceil(rows.length / MOST);
  const compared = every > 1 ? rows.filter((_, index) => index % every === 0) : rows;
  return new Differences([...new Set(compared.map(name))].sort());
}

/**
 * A name in three parts, of which the middle one is not seen; null where the name fits, or its begin distinguishes it from others.
 * @param {string} name @param {number} differs where it begins to differ @param {number} room number of letters that fit @returns {[string, string, string] | null}
 */
export function cut(name, differs, room) {
  const head = Math.floor(room * HEAD);
  // A name that differs early enough is cut at its end.
  if (name.length <= room || differs < room - BEFORE || head < 1) return null;
  // As much of the end as fits, but not without where it differs.
  const tail = Math.min(differs - BEFORE, Math.max(head, name.length - (room - head - 1)));
  return tail <= head ? null : [name.slice(0, head), name.slice(head, tail), name.slice(tail)];
}

/** Whether texts of rows are longer than so many letters; checks a sample of many rows. @template Row @param {Row[]} rows @param {(row: Row) => string} text @param {number} room */
export function areLonger(rows, text, room) {
  const every = Math.max(1, Math.ceil(rows.length / SAMPLE));
  return rows.some((row, index) => index % every === 0 && text(row).length > room);
}
