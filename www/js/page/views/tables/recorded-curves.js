// Curves of a recorded table: its rows over a column of times or steps. Nothing here touches the page.

/** @typedef {import('../../../../types/reports.js').RecordedTableReport['columns']} Columns */
/** @typedef {(string | number | null)[][]} Values */
/** @typedef {{at: number, name: string, isTime: boolean}} Axis a column over which others can be drawn */
/** @typedef {{at: number, name: string, unit: string}} Measure a column of numbers that change */
/** @typedef {{name: string, x: number[], y: (number | null)[]}} Curve `x` of a time in ns from the first one */

/** Columns with points in time, not durations. */
const TIMES = /^(time|time ?stamp|start|start[ _]?time(stamp)?|start[ _]?timestamp|start[ _]?point|run_start|allocation time)$/i;

/** Columns that count steps or samples. */
const STEPS = /^(step([ _](id|num))?|iteration([ _](id|num))?|epoch|batch|index|serial_number)$/i;

/** The most values of a text column by which rows are grouped into curves. */
const MOST_GROUPS = 64;

/** A cell as a number; numbers that JavaScript cannot represent exactly are texts. @param {string | number | null | undefined} cell */
function numberOf(cell) {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : null;
}

/** Whether a column has different numbers. @param {Values} values @param {number} at */
function differs(values, at) {
  const numbers = values.map((row) => numberOf(row[at])).filter((number) => number !== null);
  return numbers.some((number) => number !== numbers[0]);
}

/** The columns over which the table can be drawn: times first. @param {Columns} columns @param {Values} values @returns {Axis[]} */
export function axesOf(columns, values) {
  const found = columns.flatMap(({name, unit}, at) => {
    const isTime = unit === 'ns' && TIMES.test(name.trim());
    return (isTime || STEPS.test(name.trim())) && differs(values, at) ? [{at, name, isTime}] : [];
  });
  return found.sort((a, b) => Number(b.isTime) - Number(a.isTime));
}

/** The columns of numbers that change, but for those over which others are drawn. @param {Columns} columns @param {Values} values @param {Axis[]} axes @returns {Measure[]} */
export function measuresOf(columns, values, axes) {
  const isId = (/** @type {string} */ name) => /(^|[ _])(id|ids|pid|tid)$/i.test(name.trim());
  return columns.flatMap(({name, unit}, at) => {
    const isOwn = unit !== 'text' && !axes.some((axis) => axis.at === at) && !isId(name) && !(unit === 'ns' && /(^end$|_end$|end_point$)/i.test(name));
    return isOwn && differs(values, at) ? [{at, name, unit}] : [];
  });
}

/** The text columns by which rows can be grouped into curves, those with the fewest values first. @param {Columns} columns @param {Values} values @param {Axis[]} axes @returns {{at: number, name: string}[]} */
export function groupColumnsOf(columns, values, axes) {
  const texts = columns.flatMap(({name, unit}, at) => (unit === 'text' && !axes.some((axis) => axis.at === at) ? [{at, name}] : []));
  const counted = texts.map((column) => ({...column, count: new Set(values.map((row) => row[column.at])).size}));
  const fitting = counted.filter(({count}) => count > 1 && count <= MOST_GROUPS && count < values.length);
  return fitting.sort((a, b) => a.count - b.count).map(({at, name}) => ({at, name}));
}

/**
 * A curve for each column, or for each value of a text column; rows at the same place are averaged. Rows without a place, such as a row of averages, are left out.
 * @param {Values} values @param {Axis} axis @param {Measure[]} measures @param {number | null} by the text column by which curves are apart
 * @returns {{curves: Curve[], isMean: boolean}} those of the largest values first; whether rows were averaged
 */
export function recordedCurves(values, axis, measures, by) {
  const placed = values.flatMap((row) => {
    const place = numberOf(row[axis.at]);
    return place === null ? [] : [{row, place}];
  });
  // The last row of some step traces is the mean of the others, and called 0.
  if (!axis.isTime && placed.length > 1 && placed[0].place > 0 && placed[placed.length - 1].place === 0) placed.pop();
  const first = axis.isTime ? placed.reduce((least, {place}) => Math.min(least, place), Infinity) : 0;
  let isMean = false;
  /** @type {Map<string, {name: string, sums: Map<number, {sum: number, count: number}>}>} */
  const found = new Map();
  for (const {row, place} of placed) {
    for (const {at, name} of measures) {
      const value = numberOf(row[at]);
      if (value === null) continue;
      const part = by === null ? '' : String(row[by] ?? '');
      const key = `${at} ${part}`;
      const curve = found.get(key) ?? {name: by === null ? name : measures.length > 1 ? `${part} · ${name}` : part, sums: new Map()};
      found.set(key, curve);
      const here = curve.sums.get(place - first);
      if (here) {
        here.sum += value;
        here.count++;
        isMean = true;
      } else curve.sums.set(place - first, {sum: value, count: 1});
    }
  }
  const curves = [...found.values()].map(({name, sums}) => {
    const points = [...sums].sort(([a], [b]) => a - b);
    return {name, x: points.map(([x]) => x), y: points.map(([, {sum, count}]) => sum / count)};
  });
  const largest = (/** @type {{y: number[]}} */ {y}) => y.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return {curves: by === null ? curves : curves.sort((a, b) => largest(b) - largest(a)), isMean};
}
