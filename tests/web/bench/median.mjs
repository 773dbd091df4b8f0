// The median of measured values.

/** The upper one of the two in the middle. @param {number[]} values */
export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
