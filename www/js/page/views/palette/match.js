// Which of many texts somebody means who types a part of one. Nothing here touches the page.

/** How well a word fits: the whole text begins with it, a word does, it is inside, its letters are there in order. */
const START = 8;
const WORD = 5;
const INSIDE = 3;
const LETTERS = 1;

/** @param {string} word @param {string} text both in lower case @returns {number} 0: it does not fit */
function fit(word, text) {
  const at = text.indexOf(word);
  if (at === 0) return START;
  if (at > 0) return /[^\p{L}\p{N}]/u.test(text[at - 1]) || text.includes(` ${word}`) ? WORD : INSIDE;
  let from = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, from);
    if (next < 0) return 0;
    from = next + 1;
  }
  // A single letter is everywhere, and numbers are meant as they are typed.
  return word.length > 1 && !/\d/.test(word) ? LETTERS : 0;
}

/** How well all words of a query fit a text; 0: one does not. @param {string} query @param {string} text @returns {number} */
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
 * What fits best, the best first; of what fits alike, what comes first. Without a query, the first few of each kind.
 * @template {{text: string, kind: string}} One
 * @param {One[]} all @param {string} query @param {number} most @param {number} each of a kind, without a query
 * @returns {One[]}
 */
export function matching(all, query, most, each) {
  if (!query.trim()) {
    /** @type {Record<string, number>} */
    const count = {};
    return all.filter(({kind}) => (count[kind] = (count[kind] ?? 0) + 1) <= each).slice(0, most);
  }
  const scored = all.map((one) => ({one, score: Math.max(score(query, one.text), score(query, `${one.kind} ${one.text}`) - START)}));
  return scored
    .filter(({score}) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({one}) => one);
}
