// Values that may be unknown.

/** A value as it is read; a dash where there is none. @param {number | null} value @param {(value: number) => string} text */
export function orDash(value, text) {
  return value === null ? '–' : text(value);
}
