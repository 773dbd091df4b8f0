// The rows and steps by which two ranks are looked at side by side. Nothing here touches the page.

import {AXIS} from '../../shared/axis.js';

/** Where rows begin, below the axis. */
export const TOP = AXIS;
import {LANE, PAD} from './bands.js';

/** @typedef {import('../../../types/reports.js').TimelineRowReport} TimelineRow */
/** @typedef {{row: number, of: TimelineRow, y: number, height: number, lanes: number, laneHeight: number}} AlignedRow where a row stands, in CSS pixels */

/** How many devices, streams and threads are shown at most, and how many lanes of each. */
const MOST = {devices: 4, streams: 4, threads: 2, lanes: 6};

/** The height of lanes of a row that has several. */
const LOW = 12;

/** @typedef {{rows: TimelineRow[], rank: number}} AlignedSide the rows of all ranks of a timeline, and the rank that is looked at */

/**
 * What each device of a rank does, its communication, its streams and its threads with the most slices, below each other and below the axis. Which
 * streams and threads is decided for all sides together, so that the same ones stand beside each other.
 * @param {AlignedSide[]} sides @returns {AlignedRow[][]} the rows of each side
 */
export function alignedRows(sides) {
  const own = sides.map(({rows, rank}) => rows.map((of, row) => ({of, row})).filter(({of}) => of.rank === rank && of.lanes));
  const streams = busiest(own, isStream, MOST.streams);
  const threads = busiest(own, isThread, MOST.threads);
  return own.map((rows) =>
    placed([
      ...rows.filter(({of}) => of.kind === 'doing').slice(0, MOST.devices),
      ...rows.filter(({of}) => of.kind === 'overlap' && of.part === 'communication').slice(0, MOST.devices),
      ...those(rows, isStream, streams, MOST.streams),
      ...those(rows, isThread, threads, MOST.threads),
    ]),
  );
}

/** @param {TimelineRow} of */
const isStream = (of) => of.kind === 'stream' && of.layer === 'device';

/** @param {TimelineRow} of */
const isThread = (of) => of.kind === 'thread' && of.layer === 'host';

/** By what a stream or thread is the same on both sides: names of threads have numbers that each run gives anew. @param {TimelineRow} of */
const sameAs = (of) => (of.kind === 'stream' ? `${of.device ?? ''} ${of.stream ?? ''}` : (of.name ?? '').replace(/\d+/g, '#'));

/**
 * The streams or threads with the most slices on all sides together, the busiest first.
 * @param {{of: TimelineRow}[][]} sides @param {(of: TimelineRow) => boolean} is @param {number} count
 */
function busiest(sides, is, count) {
  const slices = /** @type {Map<string, number>} */ (new Map());
  for (const {of} of sides.flat()) if (is(of)) slices.set(sameAs(of), (slices.get(sameAs(of)) ?? 0) + (of.slices ?? 0));
  const sorted = [...slices].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, count).map(([key]) => key);
}

/**
 * A side's streams or threads: those that were chosen, the busiest of each name first; where it has too few of these, its own busiest ones.
 * @param {{of: TimelineRow, row: number}[]} rows @param {(of: TimelineRow) => boolean} is @param {string[]} chosen @param {number} count
 */
function those(rows, is, chosen, count) {
  const place = (/** @type {TimelineRow} */ of) => (chosen.includes(sameAs(of)) ? 0 : 1);
  return rows
    .filter(({of}) => is(of))
    .sort((a, b) => place(a.of) - place(b.of) || (b.of.slices ?? 0) - (a.of.slices ?? 0))
    .slice(0, count)
    .sort((a, b) => a.row - b.row);
}

/** Rows below each other. @param {{of: TimelineRow, row: number}[]} rows @returns {AlignedRow[]} */
function placed(rows) {
  let y = AXIS;
  return rows.map(({row, of}) => {
    const lanes = Math.min(of.lanes ?? 1, MOST.lanes);
    const laneHeight = lanes > 1 ? LOW : LANE;
    const place = {row, of, y, height: lanes * laneHeight + 2 * PAD, lanes, laneHeight};
    y += place.height;
    return place;
  });
}

/** How high aligned rows are with their axis. @param {AlignedRow[]} rows */
export function heightOf(rows) {
  const last = rows[rows.length - 1];
  return last ? last.y + last.height : AXIS;
}

/** The lane at a height, if there is one. @param {AlignedRow[]} rows @param {number} y @returns {{place: AlignedRow, lane: number} | undefined} */
export function laneAt(rows, y) {
  const place = rows.find((one) => y >= one.y && y < one.y + one.height);
  return place && {place, lane: Math.max(0, Math.min(place.lanes - 1, Math.floor((y - place.y - PAD) / place.laneHeight)))};
}

/** The step that stands for all: of those that averages count, the one of the middle length; none if there are no steps. @param {{counted: boolean, length_ns: number}[]} steps @returns {number | null} */
export function typicalStep(steps) {
  const all = steps.map((step, index) => ({...step, index}));
  const counted = all.filter((step) => step.counted);
  const sorted = (counted.length ? counted : all).sort((a, b) => a.length_ns - b.length_ns);
  return sorted[(sorted.length - 1) >> 1]?.index ?? null;
}
