// The scene that the painter draws for the page.

import {AXIS} from '../../shared/axis.js';
import {placeOf} from './layout.js';

/**
 * @typedef {object} Line lanes of a row, one below the other
 * @property {number} row
 * @property {number} first the first lane
 * @property {number} count number of lanes; for a curve, its height
 * @property {number} y where the first one begins, in CSS pixels
 * @property {number} laneHeight
 * @property {boolean} curve
 */

/**
 * @typedef {object} Mark a slice, where it is drawn
 * @property {number} start in ns
 * @property {number} end
 * @property {number} y in CSS pixels
 * @property {number} height
 * @property {boolean} pinned whether its row is pinned
 */

/**
 * @typedef {object} Scene all lengths in CSS pixels, all times in ns from the first rank's start
 * @property {number} frame its number
 * @property {number} version of the rows that it shows
 * @property {number} width
 * @property {number} height
 * @property {number} scale device pixels per CSS pixel
 * @property {boolean} dark
 * @property {string} font a CSS family
 * @property {Record<'ground' | 'surface' | 'line' | 'text' | 'muted' | 'accent' | 'veil' | 'edge', string>} colors `edge`: of slices, empty without any
 * @property {number} start
 * @property {number} end
 * @property {number} whole the end of the last event
 * @property {number} [origin] where the axis has its zero, if not at the first rank's start
 * @property {{lines: Line[], top: number, bottom: number, pinned: boolean}[]} clips rows that stay, and rows that scroll
 * @property {{y: number, height: number, group: boolean}[]} grounds
 * @property {{lines: Line[], top: number, height: number}} overview the whole trace
 * @property {[number, number] | null} range
 * @property {[number, number] | null} step that is highlighted
 * @property {[top: number, bottom: number][] | null} among parts of the rows that the range's report covers; null: all
 * @property {Mark[]} selected
 * @property {{from: Mark, to: Mark}[]} arrows
 * @property {number[]} hits where hits are, thinned
 * @property {{start: number, end: number}[]} notes subjects of notes: each has a flag on the axis
 * @property {boolean} [texts] false: none
 */

/** @typedef {import('../../../types/reports.js').TimelineFoundReport} Found */
/** @typedef {import('./layout.js').Place} Place */

/** Height of the whole trace at the top, in CSS pixels. */
export const OVERVIEW = 22;

/** Where rows begin. */
export const TOP = OVERVIEW + AXIS;

/**
 * The part of a scene that follows from the layout of rows. Pinned rows have a height of their own, and scroll separately.
 * @param {{pinned: Place[], places: Place[]}} layout @param {{height: number, rows: number, pinned: number, pinnedHeight: number}} scrolled the canvas's height, the scroll positions of rows and pinned rows, the height of the latter
 * @param {{selected: Found | null, arrows: {from: Found, to: Found}[], among: (row: number) => boolean | null}} chosen
 * @returns {Pick<Scene, 'clips' | 'grounds' | 'selected' | 'arrows' | 'among'>}
 */
export function rowsOf({places, pinned}, {height, rows: scrolled, pinned: pinnedScrolled, pinnedHeight}, {selected, arrows, among}) {
  const rows = TOP + pinnedHeight;
  const moving = places.map((place) => ({...place, y: place.y + rows - scrolled}));
  const seen = moving.filter((place) => place.y + place.height > rows && place.y < height);
  const staying = pinned.map((place) => ({...place, y: place.y + TOP - pinnedScrolled}));
  const fixed = staying.filter((place) => place.y + place.height > TOP && place.y < rows);
  // An arrow may also start outside of the visible rows.
  const marks = (/** @type {Found} */ of, among = seen) => [...markOf(of, among, false), ...markOf(of, fixed, true)];
  const chosen = [
    ...seen.filter((place) => amid(place, among)).map((place) => spanOf(place, rows, height)),
    ...fixed.filter((place) => amid(place, among)).map((place) => spanOf(place, TOP, rows)),
  ];
  return {
    clips: [
      {lines: linesOf(seen, rows, height), top: rows, bottom: height, pinned: false},
      {lines: linesOf(fixed, TOP, rows), top: TOP, bottom: rows, pinned: true},
    ],
    grounds: [...fixed.map((place) => groundOf(place, TOP, rows)), ...seen.map((place) => groundOf(place, rows, height))],
    selected: selected ? marks(selected) : [],
    arrows: arrows.flatMap(({from, to}) => {
      const [[a], [b]] = [marks(from, moving), marks(to, moving)];
      return a && b ? [{from: a, to: b}] : [];
    }),
    among: among(-1) === null ? null : chosen,
  };
}

/** Whether a range's report covers a row drawn at a place. @param {Place} place @param {(row: number) => boolean | null} among */
const amid = ({bands}, among) => bands.some(({row}) => among(row));

/** The part of a place between two heights. @param {Place} place @param {number} top @param {number} bottom @returns {[number, number]} */
const spanOf = ({y, height}, top, bottom) => [Math.max(top, y), Math.min(bottom, y + height)];

/** @param {Place} place @param {number} top @param {number} bottom @returns {Scene['grounds'][number]} */
function groundOf(place, top, bottom) {
  const [from, to] = spanOf(place, top, bottom);
  return {y: from, height: to - from, group: place.group};
}

/** The lanes that can be seen between two heights. @param {Place[]} places @param {number} top @param {number} bottom @returns {Line[]} */
function linesOf(places, top, bottom) {
  return places.flatMap(({y, bands}) =>
    bands.flatMap(
      /** @returns {Line[]} */ ({row, top: below, lanes, laneHeight, curve, height}) => {
        const from = y + below;
        if (curve) return [{row, first: 0, count: height, y: from, laneHeight: 0, curve}];
        const first = Math.max(0, Math.floor((top - from) / laneHeight));
        const count = Math.min(lanes, Math.ceil((bottom - from) / laneHeight)) - first;
        return count > 0 ? [{row, first, count, y: from + first * laneHeight, laneHeight, curve}] : [];
      },
    ),
  );
}

/** Where a slice is drawn, if its row is there. @param {Found} found @param {Place[]} places @param {boolean} pinned @returns {Mark[]} */
function markOf({row, lane, start, end}, places, pinned) {
  const place = placeOf(places, row);
  const band = place?.bands.find((band) => band.row === row);
  if (!place || !band) return [];
  const at = Math.min(lane, band.lanes - 1);
  return [{start, end, y: place.y + band.top + at * band.laneHeight, height: Math.max(2, band.laneHeight - 1), pinned}];
}
