// Fuzzy matching: the texts that fit a typed part of one. Nothing here touches the page.

/** Scores of a word: the whole text begins with it, a word does, it is inside, its letters are there in order and close together. */
const START = 8;
const WORD = 5;
const INSIDE = 3;
const LETTERS = 1;

/** The most letters between those of a word that lacks some. */
const BETWEEN = 3;

/** @param {string} word @param {string} text both in lower case @returns {number} 0: it does not fit */
function fit(word, text) {
  const at = text.indexOf(word);
  if (at === 0) return START;
  if (at > 0) return /[^\p{L}\p{N}]/u.test(text[at - 1]) || text.includes(` ${word}`) ? WORD : INSIDE;
  // A single letter is everywhere, and numbers are meant as they are typed.
  return word.length > 1 && !/\d/.test(word) && text.split(/[^\p{L}\p{N}]+/u).some((one) => lacksSome(word, one)) ? LETTERS : 0;
}

/** Whether a word is another without a few of its letters. @param {string} word @param {string} whole */
function lacksSome(word, whole) {
  if (!whole.startsWith(word[0])) return false;
  let from = 0;
  for (const letter of word) {
    const next = whole.indexOf(letter, from);
    if (next < 0) return false;
    from = next + 1;
  }
  return from - word.length <= BETWEEN;
}

/** Score of all words of a query on a text; 0 if one does not fit. @param {string} query @param {string} text @returns {number} */
export function score(query, text) {
  const low = text.toLowerCase();
  const fits = query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => fit(word, low));
  return fits.every(Boolean) ? fits.reduce((sum, one) => sum + one, 1) : 0;
}

/**
 * The matches, the best first; equal ones stay in order. Without a query, the first few of each kind.
 * @template {{text: string, kind: string, also?: string[]}} One
 * @param {One[]} all @param {string} query @param {number} most @param {number} each of a kind, without a query
 * @returns {One[]}
 */
export function matching(all, query, most, each) {
  if (!query.trim()) {
    /** @type {Record<string, number>} */
    const count = {};
    return all.filter(({kind}) => (count[kind] = (count[kind] ?? 0) + 1) <= each).slice(0, most);
  }
  // A kind, a group or another word that fits is less than a text that does.
  const besides = (/** @type {One} */ {kind, text, also = []}) => [kind, ...also].map((word) => score(query, `${word} ${text}`) - START);
  const scored = all.map((one) => ({one, score: Math.max(score(query, one.text), ...besides(one))}));
  return scored
    .filter(({score}) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({one}) => one);
}
