// Where names that are too long for their column are cut, so that what tells them apart stays. Nothing here touches the page.

/** What stays of the begin of a name that is cut in its middle, as a part of the room. */
const HEAD = 0.35;

/** What is kept before the place in which names differ: where it is seen that they are alike up to there. */
const BEFORE = 3;

/** How many names are compared at most. */
const MOST = 5000;

/** How long a begin two texts have in common. @param {string} a @param {string} b */
function common(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Where each of the rows' names begins to differ from all others; with very many, none is said to. @template Row @param {Row[]} rows @param {(row: Row) => string} name @returns {Map<string, number>} */
export function differences(rows, name) {
  if (rows.length > MOST) return new Map();
  const sorted = [...new Set(rows.map(name))].sort();
  // The longest begin that one has in common with another is one with a neighbour.
  const shared = sorted.map((name, index) => (index ? common(sorted[index - 1], name) : 0));
  return new Map(sorted.map((name, index) => [name, Math.max(shared[index], shared[index + 1] ?? 0)]));
}

/**
 * A name in three parts, of which the middle one is not seen; null where the name fits, or its begin tells it from others.
 * @param {string} name @param {number} differs where it begins to differ @param {number} room how many letters fit @returns {[string, string, string] | null}
 */
export function cut(name, differs, room) {
  const head = Math.floor(room * HEAD);
  // Of a name that differs early enough, the end is cut.
  if (name.length <= room || differs < room - BEFORE || head < 1) return null;
  // As much of the end as fits, but not without where it differs.
  const tail = Math.min(differs - BEFORE, Math.max(head, name.length - (room - head - 1)));
  return tail <= head ? null : [name.slice(0, head), name.slice(head, tail), name.slice(tail)];
}
