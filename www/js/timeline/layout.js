// Where rows stand: a list from top to bottom, made of the report's rows and of what a person folded, hid, moved and
// pinned. Nothing here touches the page.

import {ordered} from './choices.js';

/** @typedef {import('../protocol.js').TimelineRow} TimelineRow */
/** @typedef {import('./choices.js').Choices} Choices */

/** Heights in CSS pixels. */
const LANE = 18;
const CURVE = 44;
const GROUP = 24;
/** Above and below a row's lanes: a row is high enough to be pointed at. */
export const PAD = 3;

/** Rows of more lanes have lower ones. */
const MANY = 64;
const VERY_MANY = 400;

/** Threads with more lanes of Python are folded until a person unfolds them. */
const DEEP = 16;

/**
 * @typedef {object} Place of a group's head or of a row
 * @property {string} key
 * @property {string} title
 * @property {string} [note] what else there is to know of it
 * @property {number} depth how many groups it is in
 * @property {number} y
 * @property {number} height
 * @property {boolean} group whether it is a group's head
 * @property {number} row none of a group: -1; but the steps stand beside the head of a rank of which only the summary is shown
 * @property {boolean} folded
 * @property {boolean} foldable
 * @property {number} lanes that are shown
 * @property {number} laneHeight
 * @property {boolean} curve
 * @property {boolean} pinned
 * @property {number} rank
 */

/** @typedef {{key: string, title: string, note?: string, rank: number, rows: Named[], groups: Group[]}} Group */
/** @typedef {{row: number, of: TimelineRow, title: string, note: string}} Named */
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
    place.rows.push({row, of, ...nameOf(of)});
  }
  return ranks;
}

/** Whether a row is part of the summary: steps, and what devices do. @param {TimelineRow} of */
const inSummary = (of) => of.kind === 'steps' || of.kind === 'doing';

/** How a row stands at first. @param {TimelineRow} of */
const foldedAtFirst = (of) => (of.layer === 'python' && (of.lanes ?? 0) > DEEP) || of.layer === 'profiler';

/**
 * What stands where. @param {Group[]} ranks @param {Choices} choices
 * @returns {{pinned: Place[], places: Place[], pinnedHeight: number, height: number, hidden: number}} `hidden`: how many rows a person hid
 */
export function layOut(ranks, choices) {
  const wanted = choices.filter.trim().toLowerCase();
  const matches = (/** @type {string} */ text) => text.toLowerCase().includes(wanted);
  /** @type {Place[]} */
  const places = [];
  /** @type {Map<number, Place>} */
  const rows = new Map();
  let y = 0;
  const rowPlace = (/** @type {Named} */ {row, of, title, note}, /** @type {number} */ depth) => {
    const lanes = of.lanes ?? 0;
    const curve = of.lanes === null;
    const folded = lanes > 1 && choices.folded.has(`row:${row}`) !== foldedAtFirst(of);
    const laneHeight = lanes > VERY_MANY && !folded ? 3 : lanes > MANY && !folded ? 7 : LANE;
    const shown = folded ? 1 : lanes;
    const height = curve ? CURVE : shown * laneHeight + 2 * PAD;
    return {key: `row:${row}`, group: false, title, note, depth, y: 0, height, row, folded, foldable: lanes > 1, lanes: shown, laneHeight, curve, pinned: false, rank: of.rank};
  };
  const add = (/** @type {Group} */ group, /** @type {number} */ depth, /** @type {boolean} */ inside, /** @type {boolean} */ whole) => {
    const named = inside || matches(group.title);
    const own = ordered(group.rows, choices.order).filter(({of}) => whole || inSummary(of));
    const shown = own.filter(({row, title, note}) => !choices.hidden.has(row) && (named || matches(title) || matches(note)));
    const at = places.length;
    const folded = !wanted && choices.folded.has(group.key);
    const steps = whole ? undefined : shown.find(({of}) => of.kind === 'steps');
    const beside = steps && depth === 0 ? {row: steps.row, lanes: 1, laneHeight: LANE} : {row: -1, lanes: 0, laneHeight: 0};
    const head = {key: group.key, group: true, title: group.title, note: group.note, depth, y, height: GROUP, folded, foldable: whole, curve: false, pinned: false, rank: group.rank, ...beside};
    // A rank that is the only one needs no head, nor do devices of which only one row is shown.
    const headed = whole ? depth > 0 || ranks.length > 1 : depth === 0 && ranks.length > 1;
    if (headed) {
      places.push(head);
      y += GROUP;
    }
    if (!folded) {
      for (const one of shown.filter(({row}) => row !== head.row)) {
        // Without a head, the row is called after its device.
        const place = {...rowPlace(whole || headed ? one : {...one, title: group.title, note: ''}, depth + 1), y};
        places.push(place);
        y += place.height;
      }
      for (const one of group.groups) add(one, depth + 1, named && wanted !== '', whole);
    }
    if (headed && places.length === at + 1 && !folded && head.row < 0) {
      // Nothing of the group is shown.
      places.pop();
      y -= GROUP;
    }
  };
  for (const rank of ranks) add(rank, 0, wanted === '', ranks.length === 1 || choices.detailed.has(rank.rank));
  if (choices.pinned.length) for (const rank of ranks) for (const one of all(rank)) if (choices.pinned.includes(one.row)) rows.set(one.row, rowPlace(one, 0));
  let top = 0;
  const pinned = choices.pinned.flatMap((row) => {
    const place = rows.get(row);
    if (!place) return [];
    const placed = {...place, y: top, pinned: true};
    top += place.height;
    return placed;
  });
  return {pinned, places, pinnedHeight: top, height: y, hidden: choices.hidden.size};
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

/** All rows of a group. @param {Group} group @returns {Named[]} */
export function all(group) {
  return [...group.rows, ...group.groups.flatMap(all)];
}

/** The place that covers a height, if there is one. @param {Place[]} places from top to bottom @param {number} y */
export function placeAt(places, y) {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (places[middle].y <= y) from = middle + 1;
    else to = middle;
  }
  const place = places[from - 1];
  return place && y < place.y + place.height ? place : undefined;
}

/** Whether the group of that key holds a row. @param {Group} group @param {string} key @param {number} row @returns {boolean} */
export function holds(group, key, row) {
  return group.key === key ? all(group).some((one) => one.row === row) : group.groups.some((one) => holds(one, key, row));
}
