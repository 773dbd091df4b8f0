// The rows that a range's report covers, and their tracks of a rank. Nothing here touches the page.

/** @typedef {import('../../../types/reports.js').TimelineRowReport} TimelineRow */
/** @typedef {import('./view.js').Among} Among */

/** The rows that are meant; null: all. @param {Among | null} among @param {{pinned: number[], shown: number[]}} rows @returns {number[] | null} */
export function rowsAmong(among, rows) {
  return typeof among === 'string' ? rows[among] : among;
}

/**
 * The tracks of a rank that are among rows; null: all. Rows that are computed of a device stand for its streams where no row of
 * slices is among them.
 * @param {TimelineRow[]} rows @param {number[] | null} among @param {number} rank @returns {number[] | null}
 */
export function tracksOf(rows, among, rank) {
  if (!among) return null;
  const own = among.flatMap((row) => (rows[row]?.rank === rank ? rows[row] : []));
  const tracks = own.flatMap(({track}) => track ?? []);
  if (tracks.length) return [...new Set(tracks)];
  const devices = new Set(own.flatMap(({kind, device}) => (['doing', 'overlap', 'share', 'communication'].includes(kind) ? (device ?? []) : [])));
  return rows.flatMap((of) => (of.rank === rank && of.kind === 'stream' && of.device !== undefined && devices.has(of.device) ? (of.track ?? []) : []));
}

/** Rows that are meant, with some more, or without them if they all were; null: none is left. @param {number[] | null} among @param {number[]} rows */
export function withRows(among, rows) {
  const before = new Set(among ?? []);
  const all = rows.every((row) => before.has(row));
  for (const row of rows)
    if (all) before.delete(row);
    else before.add(row);
  return before.size ? [...before].sort((a, b) => a - b) : null;
}
