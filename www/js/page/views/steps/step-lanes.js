// The lanes of a step of MindSpore's step trace: its stages, and the collectives of each stream. Nothing here touches the page.

/** @typedef {import('../../../../types/reports.js').TracedStepReport} TracedStep */
/** @typedef {{columns: {name: string}[], values: (string | number | null)[][]}} Rows of a recorded table */
/** @typedef {{name: string | null, number: number, start_ns: number, length_ns: number}} Piece a collective: its name if it has one, its place on the stream from 1, its start from that of the step */
/** @typedef {{stream: string | null, pieces: Piece[], total_ns: number}} StreamLane */

/** A column of a collective: its stream, its number there, its name if it has one, and whether it is a start or an end; else it is the length. */
const COLLECTIVE = /^stream_(\d+)_(?:parallel_)?(\d+)(?:_(?!(?:start|end)_point$)(.+?))?(?:_(start|end)_point)?$/;

/** The row that is the mean of the others. */
const MEAN_NAMES = ['-', '0'];

/**
 * The collectives of each step of the recorded table, by the step's name; those of the mean are under an empty name.
 * Nothing where the table has no columns of collectives.
 * @param {Rows} table @returns {Map<string, StreamLane[]> | undefined}
 */
export function lanesOfTable({columns, values}) {
  const places = new Map(columns.map(({name}, index) => [name, index]));
  /** @type {Map<string, {stream: string, number: number, name: string | null, start?: number, end?: number}>} */
  const found = new Map();
  for (const [index, {name: column}] of columns.entries()) {
    const [, stream, number, name, edge] = COLLECTIVE.exec(column) ?? [];
    if (stream === undefined) continue;
    const key = `${stream} ${number} ${name ?? ''}`;
    const one = found.get(key) ?? {stream, number: Number(number), name: name ?? null};
    if (edge === 'start') one.start = index;
    if (edge === 'end') one.end = index;
    found.set(key, one);
  }
  if (!found.size) return undefined;
  const at = (/** @type {(string | number | null)[]} */ row, /** @type {number | undefined} */ index) => {
    const value = index === undefined ? null : row[index];
    return typeof value === 'number' ? value : null;
  };
  const lanes = values.map((row, index) => {
    const begin = at(row, places.get('start_point')) ?? 0;
    const pieces = [...found.values()].flatMap(({stream, name, start, end}) => {
      const [from, to] = [at(row, start), at(row, end)];
      return from === null || to === null || to <= from ? [] : [{stream, name, start_ns: from - begin, length_ns: to - from}];
    });
    const step = String(row[places.get('step_num') ?? -1] ?? '');
    const isMean = MEAN_NAMES.includes(step) && index === values.length - 1;
    return /** @type {[string, StreamLane[]]} */ ([isMean ? '' : step, byStream(pieces)]);
  });
  return new Map(lanes);
}

/** The collectives of a step that were recorded as events. @param {TracedStep} step @returns {StreamLane[]} */
export function lanesOfStep({collectives = []}) {
  return byStream(collectives.map(({stream, ...piece}) => ({stream: stream === null ? null : String(stream), ...piece})));
}

/**
 * The mean of several steps' lanes: for each stream, the mean first collective, second one, and so on.
 * Nothing where steps differ in their streams or in how many collectives a stream has.
 * @param {StreamLane[][]} steps @returns {StreamLane[] | undefined}
 */
export function meanLanes(steps) {
  const [first] = steps;
  const shape = (/** @type {StreamLane[]} */ lanes) => lanes.map(({stream, pieces}) => `${stream} ${pieces.length}`).join();
  if (!first || steps.some((lanes) => shape(lanes) !== shape(first))) return undefined;
  const mean = (/** @type {(lanes: StreamLane[]) => number} */ value) => Math.round(steps.reduce((sum, lanes) => sum + value(lanes), 0) / steps.length);
  return first.map(({stream, pieces}, lane) => {
    const means = pieces.map((piece, index) => ({
      name: steps.every((lanes) => lanes[lane].pieces[index].name === piece.name) ? piece.name : null,
      number: piece.number,
      start_ns: mean((lanes) => lanes[lane].pieces[index].start_ns),
      length_ns: mean((lanes) => lanes[lane].pieces[index].length_ns),
    }));
    return {stream, pieces: means, total_ns: means.reduce((sum, piece) => sum + piece.length_ns, 0)};
  });
}

/**
 * The collectives of a step trace's mean step: as recorded, else of the steps that it is the mean of. Nothing where these differ.
 * @param {import('../../../../types/reports.js').StepTraceReport} report @param {Map<string, StreamLane[]> | undefined} recorded by the step's name
 */
export function lanesOfMean({steps, average_is_recorded: isRecorded}, recorded) {
  if (isRecorded) return recorded?.get('') ?? [];
  const averaged = steps.length > 1 ? steps.slice(1) : steps;
  return meanLanes(averaged.map((step) => recorded?.get(step.name) ?? lanesOfStep(step)));
}

/** The key of the text that says which steps the average of a step trace is of. @param {Pick<import('../../../../types/reports.js').StepTraceReport, 'average_is_recorded' | 'average_is_of_other_steps' | 'steps'>} report */
export function averageText({average_is_recorded: isRecorded, average_is_of_other_steps: isOfOthers, steps}) {
  if (isRecorded) return isOfOthers ? 'step_trace.recorded_average.other' : 'step_trace.recorded_average';
  return steps.length === 1 ? 'step_trace.average.only' : 'step_trace.average';
}

/** Number of collectives. @param {StreamLane[]} lanes */
export function countOf(lanes) {
  return lanes.reduce((sum, {pieces}) => sum + pieces.length, 0);
}

/** The part of time that a step with these lanes takes: collectives may begin before it, or end after it. @param {number} total its length @param {StreamLane[]} lanes @returns {[number, number]} */
export function spanOf(total, lanes) {
  const pieces = lanes.flatMap((lane) => lane.pieces);
  return [
    pieces.reduce((least, piece) => Math.min(least, piece.start_ns), 0),
    pieces.reduce((most, piece) => Math.max(most, piece.start_ns + piece.length_ns), total),
  ];
}

/** @param {(Omit<Piece, 'number'> & {stream: string | null})[]} pieces @returns {StreamLane[]} */
function byStream(pieces) {
  /** @type {Map<string | null, Omit<Piece, 'number'>[]>} */
  const streams = new Map();
  for (const {stream, ...piece} of pieces) streams.set(stream, [...(streams.get(stream) ?? []), piece]);
  const order = (/** @type {string | null} */ stream) => (stream === null ? Infinity : Number(stream));
  return [...streams]
    .sort(([a], [b]) => order(a) - order(b))
    .map(([stream, of]) => ({
      stream,
      pieces: of.sort((a, b) => a.start_ns - b.start_ns).map((piece, index) => ({...piece, number: index + 1})),
      total_ns: of.reduce((sum, piece) => sum + piece.length_ns, 0),
    }));
}
