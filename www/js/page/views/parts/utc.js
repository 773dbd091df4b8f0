// Points in time since 1970, as the page writes them.

/** A point in time in UTC, to the second or to the millisecond. @param {bigint} origin in ns since 1970 @param {boolean} [isExact] */
export function utcText(origin, isExact = false) {
  const text = new Date(Number(origin / 1000000n)).toISOString().replace('T', ' ');
  return text.replace(isExact ? 'Z' : /\.\d+Z$/, ' UTC');
}
