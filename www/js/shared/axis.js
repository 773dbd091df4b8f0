// The axis of time, above the rows.

/** @typedef {import('../page/timeline/scene.js').Scene} Scene */

/** The axis's height in CSS pixels. */
export const AXIS = 22;

/** CSS pixels between two marks, at least. */
const APART = 90;

/** CSS pixels beside a text. */
const PAD = 3;

const UNITS = /** @type {const} */ ([
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
]);

/**
 * Draws the axis; gives where its marks are. @param {OffscreenCanvasRenderingContext2D} context @param {Scene} scene
 * @returns {{places: number[], line: number}} marks from the left, and where rows begin
 */
export function drawAxis(context, {start: from, end: to, origin = 0, width, overview, colors, font}) {
  const [start, end] = [from - origin, to - origin];
  const top = overview.top + overview.height;
  context.fillStyle = colors.surface;
  context.fillRect(0, top, width, AXIS);
  context.fillStyle = colors.muted;
  context.font = `11px ${font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const pixel = (end - start) / width;
  // A larger step needs no longer texts: room for the smallest step's texts is enough.
  const finest = stepOf(pixel * APART);
  const widest = Math.max(...[start, end].map((at) => context.measureText(timeText(at, finest)).width));
  const apart = Math.max(APART, widest + 2 * PAD);
  const step = stepOf(pixel * apart);
  const first = Math.ceil(start / step);
  const last = Math.floor(end / step);
  const places = [];
  // Far from the origin, adding 1 may change nothing: count the marks that fit.
  const count = Math.min(last - first, Math.ceil(width / apart)) + 1;
  for (let mark = 0; mark < count; mark++) {
    const at = (first + mark) * step;
    const x = (at - start) / pixel;
    places.push(x);
    context.fillRect(x, top + AXIS - 5, 1, 5);
    const text = timeText(at, step);
    // A text that is cut says another time.
    if (x + PAD + context.measureText(text).width <= width) context.fillText(text, x + PAD, top + AXIS / 2);
  }
  return {places, line: top + AXIS};
}

/** The length between marks: one, two or five of a power of ten, and no less than that. @param {number} least in ns */
export function stepOf(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const factor = [1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10;
  return Math.max(1, factor * power);
}

/** A time that is read to a step. @param {number} at in ns @param {number} step in ns */
export function timeText(at, step) {
  const size = Math.max(Math.abs(at), step);
  const [unit, length] = UNITS.find(([, length]) => size >= length) ?? UNITS[3];
  const digits = Math.max(0, Math.ceil(Math.log10(length / step) - 1e-9));
  return `${(at / length).toFixed(Math.min(digits, 9))} ${unit}`;
}
