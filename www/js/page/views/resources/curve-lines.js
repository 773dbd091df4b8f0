// Curves as lines in the rows of a table: the highest value in each part of the time, on scales that like curves share.

import {scaleOf} from '../charts/sparkline-points.js';

/** @typedef {import('../../../../types/reports.js').ResourceReport} Resource */
/** @typedef {{values: (number | null)[], scale: import('../charts/sparkline-points.js').Scale, from: number, each: number, holds: boolean}} CurveLine `from`, `each`: where the first place begins, and how much of the time each takes */

/** Places of a line at most. */
const MOST_PLACES = 60;

/** Identity of a curve among those of a trace. @param {Pick<Resource, 'owner' | 'name'>} curve */
export const curveKey = ({owner, name}) => JSON.stringify([owner, name]);

/**
 * The highest value in each of some parts of the time; null before the first value, and where none is valid.
 * @param {[number, number][]} points sorted @param {{from: number, each: number, count: number, holds: boolean}} places `holds`: a value is valid until the next one
 */
export function highestIn(points, {from, each, count, holds}) {
  /** @type {(number | null)[]} */
  const values = Array(count).fill(null);
  const placeOf = (/** @type {number} */ at) => Math.min(count - 1, Math.max(0, Math.floor((at - from) / each)));
  for (const [index, [at, value]] of points.entries()) {
    const next = points[index + 1]?.[0];
    const first = placeOf(at);
    // A value that ends where a place begins is not valid in it.
    const last = holds && next !== undefined ? Math.min(count - 1, Math.max(first, Math.ceil((next - from) / each) - 1)) : first;
    for (let place = first; place <= last; place++) values[place] = Math.max(values[place] ?? -Infinity, value);
  }
  return values;
}

/**
 * A line for each curve with known points. Curves of one kind and unit share time and scale, so that they can be compared.
 * @param {Resource[]} curves @param {number} [most] places @returns {Map<string, CurveLine>} by `curveKey`
 */
export function curveLines(curves, most = MOST_PLACES) {
  /** @type {Map<string, (Resource & {points: [number, number][]})[]>} */
  const alike = new Map();
  for (const {points, ...curve} of curves) {
    if (!points || points.length < 2) continue;
    const key = JSON.stringify([curve.kind, curve.unit, curve.holds]);
    alike.set(key, [...(alike.get(key) ?? []), {...curve, points}]);
  }
  /** @type {Map<string, CurveLine>} */
  const lines = new Map();
  for (const of of alike.values()) {
    const {holds} = of[0];
    const from = Math.min(...of.map(({points}) => points[0][0]));
    const until = Math.max(...of.map(({points}) => points[points.length - 1][0]));
    // Points without a time have numbers: as many places as these have room.
    const count = holds ? most : Math.min(most, until - from + 1);
    const each = (holds ? until - from : until - from + 1) / count || 1;
    const rows = of.map(({points}) => highestIn(points, {from, each, count, holds}));
    const scale = scaleOf(
      rows,
      of.flatMap(({mean}) => mean ?? []),
    );
    if (!scale) continue;
    for (const [index, curve] of of.entries()) lines.set(curveKey(curve), {values: rows[index], scale, from, each, holds});
  }
  return lines;
}
