// The ranks of one run of several that are open: which files stay. Nothing here touches the page.

/** @typedef {import('../../protocol/requests.js').Changes} Changes */
/** @typedef {import('../../protocol/requests.js').Grouping} Grouping */

/**
 * The changes by which only some ranks are read, beside those that a person made already.
 * @param {Pick<Grouping, 'ranks' | 'changes'>} grouping as they were read @param {number[]} kept their places among the ranks by number @returns {Changes}
 */
export function onlyRanks({ranks, changes}, kept) {
  // As the session has them: by number, those without one first.
  const sorted = [...ranks].sort((a, b) => (a.number ?? -1) - (b.number ?? -1));
  const stays = new Set(kept.flatMap((place) => sorted[place]?.sources ?? []));
  const others = sorted.flatMap(({sources}) => sources).filter((source) => !stays.has(source));
  const left = others.map((source) => /** @type {[number, null]} */ ([source, null]));
  return [...new Map([...changes, ...left])];
}
