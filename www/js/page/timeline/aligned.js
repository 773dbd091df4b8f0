// The rows and steps by which two ranks are looked at side by side. Nothing here touches the page.

import {AXIS} from '../../shared/axis.js';

/** Where rows begin, below the axis. */
export const TOP = AXIS;
import {LANE, PAD} from './bands.js';

/** @typedef {import('../../../types/reports.js').TimelineRowReport} TimelineRow */
/** @typedef {{row: number, of: TimelineRow, y: number, height: number, lanes: number, laneHeight: number}} AlignedRow where a row stands, in CSS pixels */

/** How many devices, streams and threads are shown at most, and how many lanes of each. */
const MOST = {devices: 4, streams: 2, threads: 1, lanes: 6};

/** The height of lanes of a row that has several. */
const LOW = 12;

/**
 * What each device of a rank does, its streams and its thread with the most slices, below each other and below the axis.
 * @param {TimelineRow[]} rows of all ranks @param {number} rank @returns {AlignedRow[]}
 */
export function alignedRows(rows, rank) {
  const own = rows.map((of, row) => ({of, row})).filter(({of}) => of.rank === rank && of.lanes);
  const most = (/** @type {(of: TimelineRow) => boolean} */ is, /** @type {number} */ count) =>
    own
      .filter(({of}) => is(of))
      .sort((a, b) => (b.of.slices ?? 0) - (a.of.slices ?? 0))
      .slice(0, count)
      .sort((a, b) => a.row - b.row);
  const chosen = [
    ...own.filter(({of}) => of.kind === 'doing').slice(0, MOST.devices),
    ...most((of) => of.kind === 'stream' && of.layer === 'device', MOST.streams),
    ...most((of) => of.kind === 'thread' && of.layer === 'host', MOST.threads),
  ];
  let y = AXIS;
  return chosen.map(({row, of}) => {
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
