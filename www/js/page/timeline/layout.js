// The layout of rows: a list from top to bottom, made of the report's rows and of a person's choices to fold, hide, move and
// pin. Nothing here touches the page.

import {LANE, PAD, beside, folded} from './bands.js';
import {ordered} from './choices.js';
import {all} from './groups.js';

/** @typedef {import('../../../types/reports.js').TimelineRowReport} TimelineRow */
/** @typedef {import('./bands.js').Band} Band */
/** @typedef {import('./choices.js').Choices} Choices */
/** @typedef {import('./groups.js').Group} Group */
/** @typedef {import('./groups.js').Named} Named */

/** Heights in CSS pixels. */
const CURVE = 44;
const GROUP = 24;

/** Rows of more lanes have lower ones. */
const MANY = 64;
const VERY_MANY = 400;

/** Threads with more lanes of Python are folded until a person unfolds them. */
const DEEP = 16;

/**
 * @typedef {object} Place of a group's head or of a row
 * @property {string} key
 * @property {string} title
 * @property {string} [note] further text on it
 * @property {number} depth number of groups around it
 * @property {number} y
 * @property {number} height
 * @property {boolean} group whether it is a group's head
 * @property {number} row its index; -1 for a group
 * @property {boolean} folded
 * @property {boolean} foldable
 * @property {number} lanes their number; none for a curve or a group
 * @property {Band[]} bands its drawing: a row, or the summary beside the head of a group
 * @property {boolean} pinned
 * @property {number} rank
 */

/** Whether a row is part of the summary: steps, and device activity. @param {TimelineRow} of */
export const inSummary = (of) => of.kind === 'steps' || of.kind === 'doing';

/** Whether a row is initially folded. @param {TimelineRow} of */
const foldedAtFirst = (of) => (of.layer === 'python' && (of.lanes ?? 0) > DEEP) || of.layer === 'profiler';

/** A row at its place. @param {Named} named @param {number} depth @param {number} y @param {Choices} choices @returns {Place} */
function rowPlace({key, row, of, title, note}, depth, y, choices) {
  const lanes = of.lanes ?? 0;
  const curve = of.lanes === null;
  const isFolded = lanes > 1 && choices.folded.has(key) !== foldedAtFirst(of);
  const laneHeight = lanes > VERY_MANY ? 3 : lanes > MANY ? 7 : LANE;
  const bands = isFolded ? folded({row, lanes}) : [{row, top: curve ? 1 : PAD, lanes, laneHeight, curve, height: CURVE - 3}];
  const height = curve ? CURVE : (isFolded ? LANE : lanes * laneHeight) + 2 * PAD;
  return {key, title, note, depth, y, height, group: false, row, folded: isFolded, foldable: lanes > 1, lanes, bands, pinned: false, rank: of.rank};
}

/** Lists groups with their content. */
class List {
  /** @type {Place[]} */
  places = [];
  height = 0;

  /** @param {Choices} choices @param {boolean} several whether there are several ranks */
  constructor(choices, several) {
    this.choices = choices;
    this.several = several;
    this.wanted = choices.filter.trim().toLowerCase();
  }

  /** @param {Place} place */
  #put(place) {
    this.places.push(place);
    this.height += place.height;
  }

  /** @param {string} text */
  #matches(text) {
    return text.toLowerCase().includes(this.wanted);
  }

  /** @param {Named} row @param {number} depth */
  row(row, depth) {
    this.#put(rowPlace(row, depth, this.height, this.choices));
  }

  /**
   * @param {Group} group @param {number} depth @param {boolean} inside whether a group around it matches the filter
   * @param {boolean} whole whether the whole rank is shown, not only a summary
   * @param {boolean} [alone] whether it stands alone, with its head
   */
  group(group, depth, inside, whole, alone = false) {
    const {choices} = this;
    if (choices.hidden.has(group.key) && !alone) return;
    const named = inside || this.#matches(group.title);
    const own = ordered(group.rows, choices.order).filter(({of}) => whole || inSummary(of));
    const shown = own.filter(({key, title, note}) => !choices.hidden.has(key) && (named || this.#matches(title) || this.#matches(note)));
    const at = this.places.length;
    const isFolded = !this.wanted && choices.folded.has(group.key);
    const steps = whole || depth > 0 ? undefined : shown.find(({of}) => of.kind === 'steps');
    // A rank that is the only one needs no head, nor do devices of which only one row is shown.
    const headed = alone || (whole ? depth > 0 || this.several : depth === 0 && this.several);
    const bands = steps
      ? [{row: steps.row, top: PAD, lanes: 1, laneHeight: LANE, curve: false, height: 0}]
      : isFolded
        ? beside(all(group).filter(({key}) => !choices.hidden.has(key)))
        : [];
    const {key, title, note, rank} = group;
    if (headed)
      this.#put({
        key,
        title,
        note,
        depth,
        y: this.height,
        height: GROUP,
        group: true,
        row: -1,
        folded: isFolded,
        foldable: whole,
        lanes: 0,
        bands,
        pinned: alone,
        rank,
      });
    if (!isFolded) {
      // Without a head, the row is called after its device.
      for (const one of shown.filter(({row}) => row !== steps?.row)) this.row(whole || headed ? one : {...one, title, note: ''}, depth + 1);
      for (const one of ordered(group.groups, choices.order)) this.group(one, depth + 1, named && this.wanted !== '', whole);
    }
    if (headed && !alone && this.places.length === at + 1 && !isFolded && !bands.length) {
      // Nothing of the group is shown.
      this.places.pop();
      this.height -= GROUP;
    }
  }
}

/**
 * The places of all rows and groups. @param {Group[]} ranks @param {Choices} choices
 * @returns {{pinned: Place[], places: Place[], pinnedHeight: number, height: number, hidden: number}} `hidden`: number of rows and groups that a person hid
 */
export function layOut(ranks, choices) {
  const several = ranks.length > 1;
  const isWhole = (/** @type {number} */ rank) => !several || choices.detailed.has(rank);
  const list = new List(choices, several);
  for (const rank of ordered(ranks, choices.order)) list.group(rank, 0, list.wanted === '', isWhole(rank.rank));
  const {places, height} = list;
  // Pinned rows stay, regardless of the filter.
  const top = new List({...choices, filter: ''}, several);
  const known = choices.pinned.length || choices.hidden.size ? byKey(ranks) : new Map();
  for (const key of choices.pinned) {
    const one = known.get(key);
    if (!one) continue;
    if ('rows' in one) top.group(one, 0, true, isWhole(one.rank), true);
    else {
      top.row(one, 0);
      top.places[top.places.length - 1].pinned = true;
    }
  }
  return {pinned: top.places, places, pinnedHeight: top.height, height, hidden: [...choices.hidden].filter((key) => known.has(key)).length};
}

/** Rows and groups by their keys. @param {Group[]} groups @returns {Map<string, Group | Named>} */
function byKey(groups) {
  /** @type {Map<string, Group | Named>} */
  const found = new Map();
  for (const group of groups) {
    found.set(group.key, group);
    for (const row of group.rows) found.set(row.key, row);
    for (const [key, one] of byKey(group.groups)) found.set(key, one);
  }
  return found;
}

/**
 * Scroll position at which a part of the rows is visible: the nearest one, or with the part in the upper third; unchanged if it is visible.
 * @param {{top: number, bottom: number}} part @param {{scrolled: number, height: number}} view @param {boolean} least
 */
export function scrolledTo({top, bottom}, {scrolled, height}, least) {
  if (isSeen({top, bottom}, {scrolled, height})) return scrolled;
  if (!least) return Math.max(0, top - height / 3);
  return Math.max(0, top < scrolled || bottom - top > height ? top - PAD : bottom + PAD - height);
}

/** Whether all of a part of the rows is seen. @param {{top: number, bottom: number}} part @param {{scrolled: number, height: number}} view */
export const isSeen = ({top, bottom}, {scrolled, height}) => top >= scrolled && bottom <= scrolled + height;

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

/** Where a row is drawn: at its own place, else beside the head of a group that it sums up. @param {Place[]} places @param {number} row */
export function placeOf(places, row) {
  return places.find((place) => place.row === row) ?? places.find((place) => place.bands.some((band) => band.row === row));
}
