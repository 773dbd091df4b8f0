// Rows of timelines, as the analyzer reports them.

import {groupsOf} from '../../../../www/js/page/timeline/groups.js';

/** @typedef {import('../../../../www/types/reports.js').TimelineRowReport} TimelineRow */

/** Rows of a rank with one device and one process: steps, device activity, two streams, a thread, a curve. @param {number} [rank] @returns {TimelineRow[]} */
export const rankRows = (rank = 0) => [
  {rank, kind: 'steps', lanes: 1, slices: 4, name: 'steps'},
  {rank, kind: 'doing', lanes: 1, device: 0, slices: 50, name: 'doing'},
  {rank, kind: 'stream', lanes: 1, device: 0, stream: 7, track: 3, slices: 40, name: 'stream 7'},
  {rank, kind: 'stream', lanes: 2, device: 0, stream: 20, track: 4, slices: 10, name: 'stream 20'},
  {rank, kind: 'thread', lanes: 5, process: [100, 'python'], thread: '1', track: 1, slices: 200, name: 'main thread'},
  {rank, kind: 'counter', lanes: null, process: [100, 'python'], name: 'memory'},
];

/** Rows in their groups. @param {TimelineRow[]} rows */
export const grouped = (rows) =>
  groupsOf(
    rows,
    ({name = ''}) => ({title: name, note: ''}),
    (kind, row) => ({title: kind === 'rank' ? `rank ${row.rank}` : kind === 'device' ? `device ${row.device}` : `process ${row.process?.[1]}`}),
    (section) => ({title: section}),
  );
