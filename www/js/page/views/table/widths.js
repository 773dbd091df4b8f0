// The widths that a table's columns need for their texts.

/** Padding of a cell and the arrow of a sorted heading, in pixels. */
const PADDING = 18;
const ARROW = 16;

/** Rows looked at, spread over all: the widest of them is as wide as the widest of all, or nearly. */
const SAMPLE = 300;

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
 * @param {string[]} [sums] in bold
 * @returns {number} in pixels
 */
export function columnWidth(title, rows, text, {size, family}, sums = []) {
  const every = Math.max(1, Math.ceil(rows.length / SAMPLE));
  let widest = widthOf(title, `600 ${size} ${family}`) + ARROW;
  for (let index = 0; index < rows.length; index += every) {
    widest = Math.max(widest, widthOf(text(rows[index]), `${size} ${family}`));
  }
  for (const sum of sums.slice(0, SAMPLE)) widest = Math.max(widest, widthOf(sum, `600 ${size} ${family}`));
  return Math.ceil(widest + PADDING);
}

/** Letters of a name that its width is made for at most. */
const LONGEST = 60;

/** The same of a column of names, for the first letters of the longest one. @template Row @param {string} title @param {Row[]} rows @param {(row: Row) => string} name @param {{size: string, family: string}} font */
export function nameWidth(title, rows, name, font) {
  return columnWidth(title, rows, (row) => name(row).slice(0, LONGEST), font);
}

/**
 * Gives a table's columns their widths, and the rest by their weights; `fixed`: exactly this one.
 * @param {HTMLElement} frame of the table @param {{weight?: number}[]} columns @param {{least: number, fixed: boolean}[]} widths of the columns, in pixels
 */
export function layTracks(frame, columns, widths) {
  const tracks = widths.map(({least, fixed}, index) => (fixed ? `${least}px` : `minmax(${least}px, ${columns[index].weight ?? 1}fr)`));
  frame.style.setProperty('--columns', tracks.join(' '));
  // Every row is a grid of its own: they only line up if none is narrower than the columns need.
  frame.style.setProperty('--least', `${widths.reduce((sum, {least}) => sum + least, 0)}px`);
}

/** Letters of names of kernels and operators, as often as they are in these. */
const LETTERS = 'void at::native::vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, Array<char*, 3ul> >(int, float)';

/** @type {Map<string, number>} */
const letters = new Map();

/** Number of letters of a name that fit into a cell. @param {number} width of the cell @param {{fontSize: string, fontFamily: string}} font */
export function lettersIn(width, {fontSize, fontFamily}) {
  const font = `${fontSize} ${fontFamily}`;
  let letter = letters.get(font);
  if (letter === undefined) letters.set(font, (letter = widthOf(LETTERS, font) / LETTERS.length));
  return Math.max(0, Math.floor((width - PADDING) / letter));
}
