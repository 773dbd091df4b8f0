// Requests of the page to the timeline in the worker, and the answers.

/** @typedef {{frame: number, cpu: number, labels: number, missing: number}} Drawn a frame of the timeline: its number, its time in the worker in ms, its texts, and the number of missing rows, which are still being prepared */

/** @typedef {'timeline' | 'shown' | 'other'} CanvasName the timeline, and both sides of a comparison */

/** @typedef {'before' | 'after' | 'out' | 'in'} TimelineDirection */

/** @typedef {import('../../types/reports.js').TimelineFoundReport} TimelineFound */
/** @typedef {import('../../types/reports.js').TimelineReport & {version: number}} TimelineReport of the traces that are in memory; with others it is another version, and rows have other places */
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
