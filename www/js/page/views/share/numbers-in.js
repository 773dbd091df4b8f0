// Numbers as people list them.

/** Most numbers of one list: no job has as many ranks. */
const MOST = 100_000;

/**
 * The numbers of a list such as `0-3, 7`, each once, in the order of the text.
 * @param {string} text @returns {number[] | null} none where it is no such list
 */
export function numbersIn(text) {
  /** @type {Set<number>} */
  const found = new Set();
  const parts = text
    .replace(/\s*[-–~～]\s*/gu, '-')
    .split(/[\s,;，；、]+/u)
    .filter(Boolean);
  for (const part of parts) {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first) || Number(last) - Number(first) >= MOST) return null;
    for (let number = Number(first); number <= Number(last); number++) found.add(number);
    if (found.size > MOST) return null;
  }
  return found.size ? [...found] : null;
}
