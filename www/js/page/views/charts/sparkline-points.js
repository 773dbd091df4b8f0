// Lines of small charts in the rows of a table, from their values. Nothing here touches the page.

/** The size of a chart in its own units; a cell stretches it. */
export const WIDTH = 120;
export const HEIGHT = 20;

/** Distance of a line from the upper and lower edge, so that its stroke is not cut. */
const EDGE = 2;

/** The least range of a scale, as a share of its lowest value: smaller differences look as small as they are. */
const LEAST_RANGE = 0.1;

/** @typedef {(number | null)[]} Values of one row, a place for each step; null where the row has none */
/** @typedef {{low: number, high: number}} Scale */

/** The median of some numbers; for an even count, the mean of the two in the middle. @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * One scale for all rows, so that they can be compared; none where no row has a value.
 * @param {Values[]} rows @param {Values} [beside] further drawn values: they may lie outside of values that are the highest of many
 * @returns {Scale | undefined}
 */
export function scaleOf(rows, beside = []) {
  let [low, high] = [Infinity, -Infinity];
  for (const row of [...rows, beside]) {
    for (const value of row) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return undefined;
  return {low, high: Math.max(high, low + LEAST_RANGE * Math.abs(low))};
}

/** The middle of a place, from the left. @param {number} place @param {number} count of all places */
export const across = (place, count) => rounded(((place + 0.5) * WIDTH) / count);

/** The height of a value, from the top; in the middle where all values are zero. @param {number} value @param {Scale} scale */
export function down(value, {low, high}) {
  const share = high > low ? (value - low) / (high - low) : 0.5;
  return rounded(HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE));
}

/** @param {number} value */
const rounded = (value) => Math.round(value * 100) / 100;

/** The line through the values as an SVG path. It is broken where one is missing; a value between two gaps is a dot. @param {Values} values @param {Scale} scale */
export function pathOf(values, scale) {
  let path = '';
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    const at = `${across(place, values.length)} ${down(value, scale)}`;
    const [before, after] = [values[place - 1] ?? null, values[place + 1] ?? null];
    if (before !== null) path += `L${at}`;
    else path += after === null ? `M${at}h0` : `M${at}`;
  }
  return path;
}

/** The place that has a value nearest to a share of the chart's width; none without values. @param {Values} values @param {number} share from 0 to 1 @returns {number | undefined} */
export function nearest(values, share) {
  /** @type {number | undefined} */
  let found;
  const distance = (/** @type {number} */ place) => Math.abs((place + 0.5) / values.length - share);
  for (const [place, value] of values.entries()) {
    if (value !== null && (found === undefined || distance(place) < distance(found))) found = place;
  }
  return found;
}

/** The lowest, the middle and the highest of the values; none without any. @param {Values} values */
export function extremes(values) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return undefined;
  return {lowest: Math.min(...known), median: median(known), highest: Math.max(...known)};
}
