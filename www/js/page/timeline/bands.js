// The drawing of folded rows: all their lanes, as low as there is room. Nothing here touches the page.

/** @typedef {import('./groups.js').Named} Named */

/**
 * @typedef {object} Band lanes of a row, one below the other, at its place or beside a group's head
 * @property {number} row
 * @property {number} top where the first one begins, below the place's own top, in CSS pixels
 * @property {number} lanes number of shown ones
 * @property {number} laneHeight
 * @property {boolean} curve
 * @property {number} height of a curve
 */

/** A lane's height in CSS pixels. */
export const LANE = 18;

/** Above and below a row's lanes: a row is high enough to be pointed at. */
export const PAD = 3;

/** Lanes that are drawn in the room of one: half a pixel each. */
export const SQUEEZED = 36;

/** Rows that sum up a group, at most: two pixels each. */
const ROWS = 9;

/** A row's lanes in the room of one. @param {{row: number, lanes: number}} of @returns {Band[]} */
export function folded({row, lanes}) {
  const shown = Math.max(1, Math.min(lanes, SQUEEZED));
  return [{row, top: PAD, lanes: shown, laneHeight: LANE / shown, curve: false, height: 0}];
}

/**
 * Summary of the rows of a group: its device activity; else its threads, each by its outermost slices. If there is no room for
 * all, those with the most slices; one alone with all its lanes.
 * @param {Named[]} rows @returns {Band[]}
 */
export function beside(rows) {
  const lanes = rows.filter(({of}) => of.lanes);
  const doing = lanes.filter(({of}) => of.kind === 'doing');
  const slices = doing.length ? doing : lanes.filter(({of}) => of.slices);
  if (slices.length === 1) return folded({row: slices[0].row, lanes: slices[0].of.lanes ?? 1});
  const most = slices.length <= ROWS ? slices : [...slices].sort((a, b) => (b.of.slices ?? 0) - (a.of.slices ?? 0)).slice(0, ROWS);
  const shown = slices.filter((one) => most.includes(one));
  const height = LANE / Math.max(1, shown.length);
  return shown.map(({row}, index) => ({row, top: PAD + index * height, lanes: 1, laneHeight: height, curve: false, height: 0}));
}
