// The output of a program as a picture: text of one width in SVG, light or dark as its viewer likes.

/** Columns of the terminal, and pixels of a character. */
export const COLUMNS = 120;
const WIDTH = 7.2;
const HEIGHT = 17;
const MARGIN = 14;

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** A line as a terminal breaks it. @param {string} line @returns {string[]} */
function broken(line) {
  const letters = [...line];
  const parts = [];
  for (let at = 0; at < Math.max(letters.length, 1); at += COLUMNS) parts.push(letters.slice(at, at + COLUMNS).join(''));
  return parts;
}

/**
 * A picture of a command and its output.
 * @param {string} command @param {string} output
 */
export function terminalPicture(command, output) {
  const lines = [`$ ${command}`, ...output.trimEnd().split('\n')].flatMap(broken);
  const rows = lines.map((line, index) => {
    if (!line) return '';
    // The length keeps columns aligned where the font has another width.
    const length = ([...line].length * WIDTH).toFixed(1);
    const kind = index === 0 ? ' class="command"' : '';
    const y = MARGIN + (index + 1) * HEIGHT - 4;
    return `<text${kind} x="${MARGIN}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${escaped(line)}</text>\n`;
  });
  const width = Math.ceil(COLUMNS * WIDTH + 2 * MARGIN);
  const height = lines.length * HEIGHT + 2 * MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(command)}">
<style>
  rect { fill: #f6f8fa; stroke: #d0d7de }
  text { fill: #1f2328; font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
  .command { font-weight: bold }
  @media (prefers-color-scheme: dark) {
    rect { fill: #0d1117; stroke: #30363d }
    text { fill: #e6edf3 }
  }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>
${rows.join('')}</svg>
`;
}
