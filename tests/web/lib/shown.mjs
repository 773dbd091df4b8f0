// Numbers as the page shows them, read back: with the error that their digits allow.

import assert from 'node:assert/strict';

const UNITS = {ns: 1, µs: 1e3, ms: 1e6, s: 1e9, '%': 0.01, '': 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3};

/** @param {string} text such as `5.652 ms`, `80.7 %`, `<0.1 %`, `1 234` */
export function readBack(text) {
  // It would be rounded to nothing.
  if (/^-?<0\.1 %$/.test(text.trim())) return {value: 0, error: 0.0005001};
  const match = /^(-?[\d\u202f]+)(?:\.(\d+))? ?([^\d\s]*)$/.exec(text.trim());
  assert.ok(match, `\`${text}\` is no number`);
  const [, whole, decimals = '', name] = match;
  const unit = UNITS[/** @type {keyof UNITS} */ (name)];
  assert.ok(unit !== undefined, `\`${text}\` has no known unit`);
  return {value: Number(`${whole.replaceAll('\u202f', '')}.${decimals}`) * unit, error: (0.5001 * unit) / 10 ** decimals.length};
}

/** @param {string} text as shown @param {number} value in ns, bytes, or a share @param {string} [what] */
export function assertShows(text, value, what = '') {
  const found = readBack(text);
  assert.ok(Math.abs(found.value - value) <= found.error + Math.abs(value) * 1e-12, `${what}: \`${text}\` is shown for ${value}`);
}

/** Rows of a CSV (RFC 4180). @param {string} text @returns {string[][]} */
export function parseCsv(text) {
  /** @type {string[][]} */
  const rows = [];
  let cells = /** @type {string[]} */ ([]);
  const token = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n|$)/gy;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    assert.ok(match, `no CSV at ${at}: ${text.slice(at, at + 50)}`);
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2]);
    if (match[3] === ',') continue;
    rows.push(cells);
    cells = [];
  }
  return rows;
}

/** Rows as objects, by the headings. @param {Buffer} bytes @returns {Record<string, string>[]} */
export function csvRecords(bytes) {
  const [heads, ...rows] = parseCsv(bytes.toString());
  return rows.map((row) => Object.fromEntries(heads.map((head, index) => [head, row[index]])));
}
