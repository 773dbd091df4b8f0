// Column filters: their syntax, and the cells that they accept, by their texts as shown. Nothing here touches the page.

/** @typedef {{kind: string, value: number}} Quantity a number with its dimension */
/** @typedef {{test: (text: string) => boolean, kind?: string}} Filter `kind`: of the quantities that it compares */

/** Units with their dimensions and sizes. @type {Record<string, [kind: string, size: number]>} */
const UNITS = {
  '': ['number', 1],
  ns: ['time', 1],
  µs: ['time', 1e3],
  μs: ['time', 1e3],
  us: ['time', 1e3],
  ms: ['time', 1e6],
  s: ['time', 1e9],
  min: ['time', 60e9],
  h: ['time', 3600e9],
  '%': ['share', 0.01],
  b: ['bytes', 1],
  kib: ['bytes', 2 ** 10],
  mib: ['bytes', 2 ** 20],
  gib: ['bytes', 2 ** 30],
  tib: ['bytes', 2 ** 40],
  kb: ['bytes', 1e3],
  mb: ['bytes', 1e6],
  gb: ['bytes', 1e9],
  tb: ['bytes', 1e12],
};

/** Prefixes of units that are not listed, such as GB/s. @type {Record<string, number>} */
const PREFIXES = {k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15};

/** A number with its unit; spaces may stand between thousands. */
const PART = /([+\-−]?)((?:\d{1,3}(?:[ \u202f\u00a0]\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)\s*([^\s\d.,]*)\s*/y;

/** @param {string} unit @returns {[kind: string, size: number]} */
function unitOf(unit) {
  const low = unit.toLowerCase();
  const known = UNITS[low];
  if (known) return known;
  const prefix = PREFIXES[low[0]];
  // A rate of whole operations has no prefix: 12 FLOP/s.
  return prefix && low.length > 2 && low.includes('/') ? [low.slice(1), prefix] : [low, 1];
}

/** A text that is a quantity and nothing else, such as `1.5 ms`, `1 h 02 min 03 s`, `12 345`, `+3 %`, `<0.1 %`. @param {string} text @returns {Quantity | null} */
export function quantity(text) {
  const trimmed = text.trim();
  // The value is between nothing and the bound.
  const below = /^([+\-−]?)<(\d.*)$/.exec(trimmed);
  if (below) {
    const bound = quantity(below[1] + below[2]);
    return bound && {...bound, value: bound.value / 2};
  }
  let at = 0;
  let kind = '';
  let sum = 0;
  let sign = 1;
  while (at < trimmed.length) {
    PART.lastIndex = at;
    const match = PART.exec(trimmed);
    if (!match) return null;
    const [, minus, digits, unit] = match;
    const [of, size] = unitOf(unit);
    // Only a length of time has several parts, and one sign.
    if (kind && (kind !== 'time' || of !== 'time' || minus)) return null;
    if (!kind) sign = minus === '-' || minus === '−' ? -1 : 1;
    kind = of;
    sum += Number(digits.replace(/[ \u202f\u00a0]/g, '')) * size;
    at = PART.lastIndex;
  }
  return kind ? {kind, value: sign * sum} : null;
}

/** @type {Record<string, (value: number, limit: number) => boolean>} */
const COMPARISONS = {
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
  '>=': (value, limit) => value >= limit,
  '<=': (value, limit) => value <= limit,
  '≥': (value, limit) => value >= limit,
  '≤': (value, limit) => value <= limit,
};

/** @param {string} kind @param {(value: number) => boolean} fits @returns {Filter} */
const comparing = (kind, fits) => ({
  kind,
  test(text) {
    const found = quantity(text);
    return found !== null && found.kind === kind && fits(found.value);
  },
});

/** A text without capitals and the spaces that keep a number together, as it is compared. @param {string} text */
const plain = (text) => text.toLowerCase().replace(/[\u202f\u00a0]/g, ' ');

/**
 * Parses a filter: a part of the text, `!` with a part that is not in it, `=` with all of it, or a comparison such as `> 1 ms` or
 * `10 .. 20 %`.
 * @param {string} typed @returns {Filter | 'wrong' | null} null: nothing is filtered
 */
export function filterOf(typed) {
  const said = plain(typed.trim());
  if (!said) return null;
  const comparison = /^(>=|<=|≥|≤|>|<)\s*(.*)$/.exec(said);
  if (comparison) {
    const limit = quantity(comparison[2]);
    return limit ? comparing(limit.kind, (value) => COMPARISONS[comparison[1]](value, limit.value)) : 'wrong';
  }
  const range = /^(.+?)\s*\.\.\s*(.+)$/.exec(said);
  const to = range && quantity(range[2]);
  if (range && to) {
    const unit = /[^\s\d.,+\-−]+$/.exec(range[2])?.[0] ?? '';
    const from = quantity(/\d$/.test(range[1]) ? `${range[1]} ${unit}` : range[1]);
    if (from?.kind === to.kind) return comparing(to.kind, (value) => value >= from.value && value <= to.value);
  }
  if (said.startsWith('=')) {
    const whole = said.slice(1).trim();
    return {test: (text) => plain(text) === whole};
  }
  if (said.startsWith('!')) {
    const part = said.slice(1).trim();
    return part ? {test: (text) => !plain(text).includes(part)} : null;
  }
  return {test: (text) => plain(text).includes(said)};
}
