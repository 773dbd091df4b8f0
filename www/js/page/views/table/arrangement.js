// A person's arrangement of a table, and what changed in it.

/**
 * @typedef {object} Arrangement
 * @property {string} search
 * @property {[string, string][] | null} filters their texts, by the columns' keys; null while they are hidden
 * @property {{by: {key: string, down: boolean}, chosen: boolean}} sort
 * @property {import('./columns/chosen-columns.js').ChosenColumns['choice']} columns
 * @property {string} group the key of the column that rows are grouped by
 */

/**
 * The changed parts of an arrangement, as a text; none if there are none, or if only the sorting changed and no person chose it.
 * @param {string | undefined} before as JSON @param {string} after likewise @returns {string | undefined}
 */
export function changeOf(before, after) {
  if (before === undefined || before === after) return undefined;
  const [old, now] = [before, after].map((text) => JSON.parse(text));
  const parts = Object.keys(now).filter((part) => JSON.stringify(now[part]) !== JSON.stringify(old[part]));
  // Ours to begin with, unless the person chose one.
  return parts.join() === 'sort' && !now.sort.chosen ? undefined : parts.join();
}
