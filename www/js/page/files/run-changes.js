// The ranks of one run of several that are open: which files stay. Nothing here touches the page.

/** @typedef {import('../../protocol/requests.js').Changes} Changes */
/** @typedef {import('../../protocol/requests.js').Grouping} Grouping */

/**
 * The changes by which only some ranks are read, beside those that a person made already.
 * @param {Pick<Grouping, 'ranks' | 'changes'>} grouping as they were read @param {number[]} kept their places among the ranks @returns {Changes}
 */
export function onlyRanks({ranks, changes}, kept) {
  const stays = new Set(kept.flatMap((place) => ranks[place]?.sources ?? []));
  const others = ranks.flatMap(({sources}) => sources).filter((source) => !stays.has(source));
  const left = others.map((source) => /** @type {[number, null]} */ ([source, null]));
  return [...new Map([...changes, ...left])];
}
