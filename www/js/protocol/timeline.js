// What the page asks the timeline in the worker, and what it is told.

/** @typedef {{frame: number, cpu: number, labels: number, missing: number}} Drawn a frame of the timeline: its number, how long it took the worker in ms, its texts, and how many rows it lacks, which are still being prepared */

/**
 * @typedef {object} TimelineRow of curves `lanes` is null
 * @property {number} rank
 * @property {'steps' | 'doing' | 'overlap' | 'share' | 'communication' | 'stream' | 'thread' | 'queue' | 'memory' | 'counter'} kind
 * @property {number | null} lanes
 * @property {number} [device]
 * @property {number} [stream]
 * @property {string} [part]
 * @property {string} [layer]
 * @property {[number, string]} [process]
 * @property {string} [thread]
 * @property {string} [name]
 * @property {number} [track]
 * @property {number} [slices]
 * @property {boolean} [reserved]
 * @property {string} [unit] of a curve's values, where it is known
 * @property {number} [slot_ns] how long each slot of time is of which shares are shown
 */

/** @typedef {{end_ns: number, shifts_ns: number[], rows: TimelineRow[], version: number}} TimelineReport of the traces that are in memory; with others it is another version, and rows have other places */
/** @typedef {{row: number, lane: number, place: number, number: number, rank: number | null, start: number, end: number, text: string}} TimelineFound a slice of a rank by its number; of no rank, a computed span */
/** @typedef {'before' | 'after' | 'out' | 'in'} TimelineDirection */

/**
 * @typedef {{call: 'rows', rank: number} | {call: 'slices', rank: number, end: number} | {call: 'hit', version: number, row: number, lane: number, at: number, near: number} | {call: 'value', version: number, row: number, at: number}
 *   | {call: 'place', rank: number, event: number} | {call: 'mark', rank: number, events: number[] | undefined}
 *   | {call: 'neighbour', version: number, row: number, lane: number, place: number, number: number, direction: TimelineDirection}} TimelineCall
 */

/**
 * @typedef {object} TimelineAnswers
 * @property {TimelineReport} rows
 * @property {[first: number, last: number] | null} slices where the first one of a rank begins, and about the last one, in ns of its time
 * @property {TimelineFound | null} hit
 * @property {[value: number, low: number, high: number] | null | undefined} value
 * @property {TimelineFound | null} place
 * @property {TimelineFound | null} neighbour
 * @property {void} mark
 */

export {};
