// The arrows of a scene that are drawn: a solid block of them would hide the rows.

/** @typedef {import('../page/timeline/scene.js').Mark} Mark */
/** @typedef {{from: Mark, to: Mark}} Arrow */

/** So many arrows are always drawn, all of them. */
export const FEW = 24;

/** CSS pixels between two arrows of the same rows, at one of their ends at least, where there are more. */
export const APART = 12;

/**
 * The arrows that are drawn, in the order of time: where there are many between the same lanes, those that are some pixels apart. Zooming in draws the others.
 * @param {Arrow[]} arrows @param {(at: number) => number} x where a time is, in CSS pixels @param {number} width of the visible part
 */
export function thinned(arrows, x, width) {
  const ends = arrows.map((arrow) => ({arrow, start: x(arrow.from.end), end: x(arrow.to.start)}));
  const seen = ends.filter(({start, end}) => Math.max(start, end) >= 0 && Math.min(start, end) <= width);
  if (seen.length <= FEW) return seen.map(({arrow}) => arrow);
  /** The last one that is drawn between two lanes. @type {Map<string, {start: number, end: number}>} */
  const last = new Map();
  return seen
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .flatMap(({arrow, start, end}) => {
      const lanes = `${arrow.from.y} ${arrow.to.y}`;
      const before = last.get(lanes);
      if (before && Math.abs(start - before.start) < APART && Math.abs(end - before.end) < APART) return [];
      last.set(lanes, {start, end});
      return [arrow];
    });
}
