// The timeline's rows by rank, and in it by device and by process. Nothing here touches the page.

/** @typedef {import('../../../types/reports.js').TimelineRowReport} TimelineRow */
/** @typedef {{key: string, title: string, note?: string, rank: number, rows: Named[], groups: Group[]}} Group */
/** @typedef {{key: string, row: number, of: TimelineRow, title: string, note: string}} Named */
/** @typedef {(row: TimelineRow) => {title: string, note: string}} NameOf */

/**
 * The rows by rank, and in it by device and by process.
 * @param {TimelineRow[]} rows @param {NameOf} nameOf @param {(kind: 'rank' | 'device' | 'process', row: TimelineRow) => {title: string, note?: string}} groupOf
 * @returns {Group[]}
 */
export function groupsOf(rows, nameOf, groupOf) {
  /** @type {Map<string, Group>} */
  const known = new Map();
  /** @type {Group[]} */
  const ranks = [];
  const group = (/** @type {string} */ key, /** @type {'rank' | 'device' | 'process'} */ kind, /** @type {TimelineRow} */ of, /** @type {Group[]} */ among) => {
    let found = known.get(key);
    if (!found) {
      found = {key, ...groupOf(kind, of), rank: of.rank, rows: [], groups: []};
      known.set(key, found);
      among.push(found);
    }
    return found;
  };
  for (const [row, of] of rows.entries()) {
    const rank = group(`rank:${of.rank}`, 'rank', of, ranks);
    let place = rank;
    if (of.device !== undefined) place = group(`rank:${of.rank}/device:${of.device}`, 'device', of, rank.groups);
    else if (of.process) place = group(`rank:${of.rank}/process:${of.process[0]}`, 'process', of, rank.groups);
    place.rows.push({key: `row:${row}`, row, of, ...nameOf(of)});
  }
  return ranks;
}

/** All rows of a group. @param {Group} group @returns {Named[]} */
export function all(group) {
  return [...group.rows, ...group.groups.flatMap(all)];
}

/** The group of a key. @param {Group[]} groups @param {string} key @returns {Group | undefined} */
export function groupOf(groups, key) {
  for (const group of groups) {
    const found = group.key === key ? group : groupOf(group.groups, key);
    if (found) return found;
  }
  return undefined;
}

/** Whether the group of that key holds a row. @param {Group} group @param {string} key @param {number} row @returns {boolean} */
export function holds(group, key, row) {
  return group.key === key ? all(group).some((one) => one.row === row) : group.groups.some((one) => holds(one, key, row));
}

/**
 * The row that stands for the whole trace: when a rank's device computes, else its steps, else its longest row.
 * @param {TimelineRow[]} rows @param {number} rank @returns {number | undefined}
 */
export function overviewRowOf(rows, rank) {
  const own = rows.map((row, index) => ({row, index})).filter(({row}) => row.rank === rank && row.lanes);
  const most = own.reduce((best, one) => ((one.row.slices ?? 0) > (best?.row.slices ?? -1) ? one : best), own[0]);
  return (own.find(({row}) => row.kind === 'doing') ?? own.find(({row}) => row.kind === 'steps') ?? most)?.index;
}
