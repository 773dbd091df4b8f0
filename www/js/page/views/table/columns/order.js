// The order and the widths of columns, as a person chose them. Nothing here touches the page.

/** The keys that were remembered, if any. @param {string | null} text @returns {string[]} */
export function keysIn(text) {
  try {
    const keys = JSON.parse(text ?? '[]');
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

/** The widths that were remembered, if any. @param {string | null} text @returns {Map<string, number>} */
export function widthsIn(text) {
  try {
    const widths = JSON.parse(text ?? '{}');
    const entries = widths && typeof widths === 'object' ? Object.entries(widths) : [];
    return new Map(entries.filter(([, width]) => typeof width === 'number' && width > 0));
  } catch {
    return new Map();
  }
}

/**
 * Columns in a person's order. The first stays first; a column that the order lacks follows the same column as before.
 * @template {{key: string}} Column @param {Column[]} columns @param {string[]} order keys @returns {Column[]}
 */
export function inOrder(columns, order) {
  if (!order.length || !columns.length) return columns;
  const [first, ...rest] = columns;
  const known = rest.filter(({key}) => order.includes(key)).sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  const found = [first, ...known];
  for (const [index, column] of columns.entries()) {
    if (found.includes(column)) continue;
    found.splice(found.indexOf(columns[index - 1]) + 1, 0, column);
  }
  return found;
}

/** Keys with one at another one's place, the others in their order; nothing where that changes nothing, or it is the first. @param {string[]} keys @param {string} key @param {string | undefined} to @returns {string[] | undefined} */
export function moved(keys, key, to) {
  const [from, place] = [keys.indexOf(key), to === undefined ? -1 : keys.indexOf(to)];
  if (from < 1 || place < 1 || from === place) return undefined;
  const others = keys.filter((one) => one !== key);
  others.splice(place, 0, key);
  return others;
}
