// How wide a table's columns must be for what stands in them.

/** Padding of a cell and the arrow of a sorted heading, in pixels. */
const PADDING = 22;
const ARROW = 16;

/** Rows looked at, spread over all: the widest of them is as wide as the widest of all, or nearly. */
const SAMPLE = 400;

/** @type {CanvasRenderingContext2D | null | undefined} */
let pen;

/** @param {string} text @param {string} font @returns {number} in pixels */
function widthOf(text, font) {
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return 8 * text.length;
  pen.font = font;
  return pen.measureText(text).width;
}

/**
 * The width that a column of numbers or short words needs.
 * @template Row
 * @param {string} title @param {Row[]} rows @param {(row: Row) => string} text
 * @param {{size: string, family: string}} font
 * @returns {number} in pixels
 */
export function columnWidth(title, rows, text, {size, family}) {
  const every = Math.max(1, Math.ceil(rows.length / SAMPLE));
  let longest = '';
  for (let index = 0; index < rows.length; index += every) {
    const cell = text(rows[index]);
    if (cell.length > longest.length) longest = cell;
  }
  const head = widthOf(title, `600 ${size} ${family}`) + ARROW;
  return Math.ceil(Math.max(head, widthOf(longest, `${size} ${family}`)) + PADDING);
}
