// Where steps stand on an axis.

/**
 * The steps' own numbers if these rise, so that the axis shows their names; else their places.
 * @param {{name: string}[]} steps @returns {number[]}
 */
export function stepPlaces(steps) {
  const numbers = steps.map((step) => (/^\d+$/.test(step.name) ? Number(step.name) : NaN));
  const rise = numbers.every((number, index) => (index === 0 ? number >= 0 : number > numbers[index - 1]));
  return rise ? numbers : steps.map((_, index) => index);
}
