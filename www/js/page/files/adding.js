// Files that are added to those that are open: their paths, and the numbers of their ranks. Nothing here touches the page.

/** @typedef {import('../../protocol/requests.js').Changes} Changes */
/** @typedef {import('../../protocol/requests.js').Grouping} Grouping */
/** @typedef {import('../../protocol/requests.js').Dropped} Dropped */

/**
 * Added files under paths that no open file has: all of them go into a numbered folder if one path is taken.
 * @param {Dropped[]} open @param {Dropped[]} added @returns {Dropped[]}
 */
export function apart(open, added) {
  const taken = new Set(open.map(({path}) => path));
  if (!added.some(({path}) => taken.has(path))) return added;
  let number = 2;
  while (open.some(({path}) => path.startsWith(`${number}/`))) number++;
  return added.map(({path, file}) => ({path: `${number}/${path}`, file}));
}

/** A way to free numbers: from 0 on, none that a rank has. @param {Grouping['ranks']} ranks @returns {() => number} */
function freeOf(ranks) {
  const known = new Set(ranks.map(({number}) => number));
  let next = 0;
  return () => {
    while (known.has(next)) next++;
    return next++;
  };
}

/** A number for each rank: its own unless an earlier rank has it, else a free one. The order stays. @param {Grouping['ranks']} ranks @returns {number[]} */
export function uniqueNumbers(ranks) {
  const free = freeOf(ranks);
  /** @type {Set<number>} */
  const used = new Set();
  return ranks.map(({number}) => {
    if (number === null || used.has(number)) return free();
    used.add(number);
    return number;
  });
}

/**
 * The changes by which added traces are ranks beside those that were open: ranks without a number get a free one, added ranks
 * also if theirs is taken. None if all is well; earlier changes stay.
 * @param {Pick<Grouping, 'ranks' | 'changes'>} grouping @param {number} firstAdded the first source that was added @returns {Changes}
 */
export function numberingOf({ranks, changes}, firstAdded) {
  const isAdded = (/** @type {{sources: number[]}} */ {sources}) => sources.some((source) => source >= firstAdded);
  const free = freeOf(ranks);
  const taken = new Set(ranks.filter((rank) => !isAdded(rank)).map(({number}) => number));
  const other = ranks.flatMap((rank) => {
    const keeps = rank.number !== null && !(isAdded(rank) && taken.has(rank.number));
    if (keeps) {
      taken.add(rank.number);
      return [];
    }
    const number = free();
    return rank.sources.map((source) => /** @type {[number, number]} */ ([source, number]));
  });
  return other.length ? [...new Map([...changes, ...other])] : [];
}
