// The rows and steps by which two ranks are looked at side by side. Nothing here touches the page.

import {AXIS} from '../../shared/axis.js';

/** Where rows begin, below the axis. */
export const TOP = AXIS;
import {LANE, PAD} from './bands.js';

/** @typedef {import('../../../types/reports.js').TimelineRowReport} TimelineRow */
/** @typedef {{row: number, of: TimelineRow, y: number, height: number, lanes: number, laneHeight: number}} AlignedRow where a row stands, in CSS pixels */

/** The most shown devices, streams and threads, and lanes of each. */
const MOST = {devices: 4, streams: 4, threads: 2, lanes: 6};

/** The height of lanes of a row that has several. */
const LOW = 12;

/** @typedef {{rows: TimelineRow[], rank: number}} AlignedSide the rows of all ranks of a timeline, and the rank that is looked at */

/**
 * The activity of each device of a rank, its communication, its streams and its threads with the most slices, below each other and below the axis. Which
 * streams and threads is decided for all sides together, so that the same ones stand beside each other.
 * @param {AlignedSide[]} sides @returns {AlignedRow[][]} the rows of each side
 */
export function alignedRows(sides) {
  const own = sides.map(({rows, rank}) => rows.map((of, row) => ({of, row})).filter(({of}) => of.rank === rank && of.lanes));
  const streams = same(own, isStream, MOST.streams);
  const threads = same(own, isThread, MOST.threads);
  return own.map((rows, side) =>
    placed([
      ...rows.filter(({of}) => of.kind === 'doing').slice(0, MOST.devices),
      ...rows.filter(({of}) => of.kind === 'overlap' && of.part === 'communication').slice(0, MOST.devices),
      ...streams[side],
      ...threads[side],
    ]),
  );
}

/** @param {TimelineRow} of */
const isStream = (of) => of.kind === 'stream' && of.layer === 'device';

/** @param {TimelineRow} of */
const isThread = (of) => of.kind === 'thread' && of.layer === 'host';

/** @typedef {{of: TimelineRow, row: number}} Own a row of a side */

/**
 * The key of a stream or thread that is the same on all sides. Ranks have devices of other numbers, so that their order counts; names of threads
 * have numbers that each run gives anew.
 * @param {Own[]} side @returns {(of: TimelineRow) => string}
 */
function keysOf(side) {
  const devices = [...new Set(side.filter(({of}) => isStream(of)).map(({of}) => of.device))];
  return (of) => (of.kind === 'stream' ? `${devices.indexOf(of.device)} ${of.stream ?? ''}` : (of.name ?? '').replace(/\d+/g, '#'));
}

/** @param {Own} a @param {Own} b */
const bySlices = (a, b) => (b.of.slices ?? 0) - (a.of.slices ?? 0);

/**
 * A side's streams or threads by their keys, the busiest of each key alone.
 * @param {Own[]} side @param {(of: TimelineRow) => boolean} is @returns {Map<string, Own>}
 */
function firsts(side, is) {
  const keyOf = keysOf(side);
  const rising = side.filter(({of}) => is(of)).sort((a, b) => bySlices(b, a));
  return new Map(rising.map((one) => [keyOf(one.of), one]));
}

/**
 * The streams or threads of each side: the busiest of each of the keys with the most slices on all sides together; where a side has too few of these,
 * its own busiest ones.
 * @param {Own[][]} sides @param {(of: TimelineRow) => boolean} is @param {number} count @returns {Own[][]}
 */
function same(sides, is, count) {
  const known = sides.map((side) => firsts(side, is));
  const slices = /** @type {Map<string, number>} */ (new Map());
  for (const [key, {of}] of known.flatMap((side) => [...side])) slices.set(key, (slices.get(key) ?? 0) + (of.slices ?? 0));
  const sorted = [...slices].sort(([, a], [, b]) => b - a);
  const chosen = sorted.slice(0, count).map(([key]) => key);
  return sides.map((side, place) => {
    const first = chosen.flatMap((key) => known[place].get(key) ?? []);
    const others = side.filter((one) => is(one.of) && !first.includes(one)).sort(bySlices);
    return [...first, ...others].slice(0, count).sort((a, b) => a.row - b.row);
  });
}

/** Rows below each other. @param {Own[]} rows @returns {AlignedRow[]} */
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

/** Height of aligned rows with their axis. @param {AlignedRow[]} rows */
export function heightOf(rows) {
  const last = rows[rows.length - 1];
  return last ? last.y + last.height : AXIS;
}

/** The lane at a height, if there is one. @param {AlignedRow[]} rows @param {number} y @returns {{place: AlignedRow, lane: number} | undefined} */
export function laneAt(rows, y) {
  const place = rows.find((one) => y >= one.y && y < one.y + one.height);
  return place && {place, lane: Math.max(0, Math.min(place.lanes - 1, Math.floor((y - place.y - PAD) / place.laneHeight)))};
}

/** The step that stands for all: the one of median length among those that averages count; null without steps. @param {{counted: boolean, length_ns: number}[]} steps @returns {number | null} */
export function typicalStep(steps) {
  const all = steps.map((step, index) => ({...step, index}));
  const counted = all.filter((step) => step.counted);
  const sorted = (counted.length ? counted : all).sort((a, b) => a.length_ns - b.length_ns);
  return sorted[(sorted.length - 1) >> 1]?.index ?? null;
}
