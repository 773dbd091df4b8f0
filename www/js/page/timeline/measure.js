// The distance of two events.

/** @typedef {{start: number, end: number}} Times in ns */
/** @typedef {{span: [number, number], first: 0 | 1, gap: number, starts: number}} Measured `span`: with both; `first`: which begins first; `gap`: from its end to the other's start; where they overlap, for how long, less than zero; `starts`: from start to start */

/** @param {Times} one @param {Times} other @returns {Measured} */
export function measured(one, other) {
  const first = other.start < one.start ? 1 : 0;
  const [a, b] = first ? [other, one] : [one, other];
  const gap = b.start - Math.min(a.end, Math.max(b.end, b.start));
  return {span: [a.start, Math.max(a.end, b.end)], first, gap: b.start >= a.end ? b.start - a.end : gap, starts: b.start - a.start};
}

/** @typedef {Times & {rank: number | null, number: number}} Found */

/** Whether two answers are of the same slice: its row may be another one by then. @param {Found} a @param {Found} b */
export const isSame = (a, b) => a.number === b.number && a.rank === b.rank && a.start === b.start && a.end === b.end;
