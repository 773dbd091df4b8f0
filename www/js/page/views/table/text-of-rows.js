// Rows of a table as text for other programs. Nothing here touches the page.

/**
 * @template Row
 * @typedef {import('./columns/column.js').Column<Row>} Column
 */

/** A text without characters that would begin another cell or row. @param {string} text */
const inline = (text) => text.replace(/\s*[\t\r\n]+\s*/g, ' ');

/** Marks a text that a spreadsheet would compute as text. @param {string} text */
const defused = (text) => (/^[=+\-@]/.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text);

/** For spreadsheets: columns as they are shown, values as in the CSV. @template Row @param {Column<Row>[]} columns @param {Row[]} rows */
export function tsvOf(columns, rows) {
  const lines = [columns.map(({key}) => key), ...rows.map((row) => columns.map(({value}) => String(value(row) ?? '')))];
  return lines.map((cells) => cells.map((cell) => defused(inline(cell))).join('\t')).join('\n');
}

/** For issues and notes: columns and texts as they are shown. @template Row @param {Column<Row>[]} columns @param {Row[]} rows */
export function markdownOf(columns, rows) {
  // A backslash before an escaped pipe would undo its escape.
  const escaped = (/** @type {string} */ text) => inline(text).replace(/[\\|`*_<>[\]]/g, '\\$&');
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({title}) => escaped(title))),
    line(columns.map(({left}) => (left ? '---' : '---:'))),
    ...rows.map((row) => line(columns.map(({text}) => escaped(text(row))))),
  ].join('\n');
}
