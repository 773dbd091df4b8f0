// The timeline's rows by rank, and in it by device and by process, which are in sections. Nothing here touches the page.

/** @typedef {import('../../../types/reports.js').TimelineRowReport} TimelineRow */
/** @typedef {{key: string, title: string, note?: string, rank: number, rows: Named[], groups: Group[]}} Group */
/** @typedef {{key: string, row: number, of: TimelineRow, title: string, note: string}} Named */
/** @typedef {(row: TimelineRow) => {title: string, note: string}} NameOf */
/** @typedef {'devices' | 'host' | 'system'} Section of a rank: its devices, processes with threads, and rows with curves alone */
/** @typedef {(section: Section, count: number) => {title: string, note?: string}} SectionName `count`: number of its devices or processes */

/** The shortest slot of a curve of shares, in ns: in less, the clock's own steps are most of a share, and the row of the activity shows the same. */
const SLOT = 10;

/** From top to bottom. @type {Section[]} */
const SECTIONS = ['devices', 'host', 'system'];

/**
 * The rows by rank, and in it by device and by process; several of these are in a section, which is folded with everything below it.
 * @param {TimelineRow[]} rows @param {NameOf} nameOf
 * @param {(kind: 'rank' | 'device' | 'process', row: TimelineRow, isNamesake?: boolean) => {title: string, note?: string}} groupOf `isNamesake`: whether another process of the rank has the same name
 * @param {SectionName} sectionOf @returns {Group[]}
 */
export function groupsOf(rows, nameOf, groupOf, sectionOf) {
  /** @type {Map<string, Group>} */
  const known = new Map();
  /** @type {Group[]} */
  const ranks = [];
  const group = (/** @type {string} */ key, /** @type {'rank' | 'device' | 'process'} */ kind, /** @type {TimelineRow} */ of, /** @type {Group[]} */ among) => {
    let found = known.get(key);
    if (!found) {
      found = {key, ...groupOf(kind, of, kind === 'process' && isNamesake(of)), rank: of.rank, rows: [], groups: []};
      known.set(key, found);
      among.push(found);
    }
    return found;
  };
  /** The processes of a rank by their names. @type {Map<string, Set<number>>} */
  const processes = new Map();
  for (const {rank, process, device} of rows) {
    if (!process || device !== undefined) continue;
    const key = `${rank} ${process[1]}`;
    processes.set(key, (processes.get(key) ?? new Set()).add(process[0]));
  }
  const isNamesake = (/** @type {TimelineRow} */ {rank, process}) => (processes.get(`${rank} ${process?.[1]}`)?.size ?? 0) > 1;
  const repeated = repeatedRows(rows);
  for (const [row, of] of rows.entries()) {
    if (repeated.has(of)) continue;
    if (of.kind === 'share' && (of.slot_ns ?? SLOT) < SLOT) continue;
    const rank = group(`rank:${of.rank}`, 'rank', of, ranks);
    let place = rank;
    if (of.device !== undefined) place = group(`rank:${of.rank}/device:${of.device}`, 'device', of, rank.groups);
    else if (of.process) place = group(`rank:${of.rank}/process:${of.process[0]}`, 'process', of, rank.groups);
    place.rows.push({key: `row:${row}`, row, of, ...nameOf(of)});
  }
  for (const rank of ranks) divide(rank, sectionOf);
  return ranks;
}

/**
 * Rows whose slices all stand on streams that have nothing else: the communication of a group, and all communication of a device that is on one such stream.
 * @param {TimelineRow[]} rows @returns {Set<TimelineRow>}
 */
export function repeatedRows(rows) {
  /** @type {Set<TimelineRow>} */
  const repeated = new Set();
  const of = (/** @type {TimelineRow} */ {rank, device}, /** @type {TimelineRow['kind']} */ kind) =>
    rows.filter((row) => row.kind === kind && row.rank === rank && row.device === device);
  for (const row of rows) {
    const isGroup = row.kind === 'communication';
    if (!isGroup && !(row.kind === 'overlap' && row.part === 'communication')) continue;
    const streams = of(row, 'stream').filter(({group}) => group !== undefined);
    const own = isGroup ? streams.filter(({group}) => group === (row.name ?? '')) : streams;
    const slices = isGroup ? row.slices : sumOf(of(row, 'communication'));
    if (slices && slices === sumOf(own) && (isGroup || own.length === 1)) repeated.add(row);
  }
  return repeated;
}

/** @param {TimelineRow[]} rows */
const sumOf = (rows) => rows.reduce((sum, {slices = 0}) => sum + slices, 0);

/** Whether a row is of a section though it is neither a device's nor a process's: memory of the host. @param {Named} row */
const isOfHost = ({of}) => of.kind === 'memory';

/** Puts the devices and processes of a rank into sections; one device, process or section alone needs none. @param {Group} rank @param {SectionName} sectionOf */
function divide(rank, sectionOf) {
  const is = (/** @type {Group} */ {rows}) =>
    rows.some(({of}) => of.device !== undefined) ? 'devices' : rows.every(({of}) => of.kind === 'counter') ? 'system' : 'host';
  const loose = rank.rows.filter(isOfHost);
  rank.rows = rank.rows.filter((row) => !isOfHost(row));
  const sections = SECTIONS.map((section) => ({
    section,
    rows: section === 'host' ? loose : [],
    groups: rank.groups.filter((group) => is(group) === section),
  })).filter(({rows, groups}) => rows.length + groups.length > 0);
  // The only section contains the whole rank.
  const isOne = sections.length === 1 && !loose.length;
  rank.groups = sections.flatMap(({section, rows, groups}) =>
    isOne || (groups.length === 1 && !rows.length)
      ? groups
      : {key: `${rank.key}/${section}`, ...sectionOf(section, groups.length), rank: rank.rank, rows, groups},
  );
}

/** All rows of a group. @param {Group} group @returns {Named[]} */
export function all(group) {
  return [...group.rows, ...group.groups.flatMap(all)];
}

/** The titles of a group and of all that is in it. @param {Group} group @returns {string[]} */
export function titlesOf({title, rows, groups}) {
  return [title, ...rows.map((row) => row.title), ...groups.flatMap(titlesOf)];
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
