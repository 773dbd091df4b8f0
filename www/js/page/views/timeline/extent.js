// The part of time that has slices in the rows that are shown: much of a recording may have nothing but moments, samples and the profiler's own span.

/** @typedef {import('../../../protocol/timeline.js').TimelineReport} TimelineReport */
/** @typedef {{start: number, end: number}} Window */

/** The least share of the whole time without slices, on one side, that is left out. */
const MUCH = 0.05;

/** Margin beside the slices, as a share of their time. */
const ROOM = 0.01;

/**
 * The part of time that has the slices of some ranks, in ns of the timeline; all of it where little is without.
 * @param {import('../../app.js').App} app @param {TimelineReport} report @param {number[]} ranks
 * @param {(rank: number) => number[] | null} summaryOf the rows of a rank that is shown as a summary; null: it is shown with all of its rows
 * @returns {Promise<Window>}
 */
export async function extentOf(app, report, ranks, summaryOf) {
  const {end_ns: whole, shifts_ns: shifts} = report;
  const ofRank = async (/** @type {number} */ rank) => {
    const rows = summaryOf(rank);
    const found = rows && (await Promise.all(rows.map((row) => extentOfRow(app, report, row)))).filter((one) => one !== null);
    return found?.length ? found : [await slicesOf(app, rank, shifts[rank], whole)];
  };
  const known = (await Promise.all(ranks.map(ofRank))).flat().filter((one) => one !== null);
  return wide({start: Math.min(...known.map(({start}) => start)), end: Math.max(...known.map(({end}) => end))}, whole);
}

/** A window with some room; but the whole time on a side where little would be left out, or nothing is known. @param {Window} of @param {number} whole @returns {Window} */
export function wide({start, end}, whole) {
  const room = (end - start) * ROOM;
  return {
    start: Number.isFinite(start) && start > MUCH * whole ? start - room : 0,
    end: Number.isFinite(end) && end < (1 - MUCH) * whole ? end + room : whole,
  };
}

/** From a row's first slice to its last one. @param {import('../../app.js').App} app @param {TimelineReport} report @param {number} row @returns {Promise<Window | null>} */
async function extentOfRow(app, {version, end_ns: whole}, row) {
  const nearest = (/** @type {number} */ at) => app.timeline({call: 'hit', version, row, lane: 0, at, near: whole});
  const [first, last] = await Promise.all([nearest(0), nearest(whole)]);
  return first && last ? {start: first.start, end: last.end} : null;
}

/** @param {import('../../app.js').App} app @param {number} rank @param {number} shift where its time zero lies @param {number} whole @returns {Promise<Window | null>} */
async function slicesOf(app, rank, shift, whole) {
  const found = await app.timeline({call: 'slices', rank, end: whole - shift});
  if (!found) return null;
  const [first, last] = found;
  if (last + shift > (1 - MUCH) * whole) return {start: first + shift, end: whole};
  // A slice that is open at that time encloses all others: it ends last.
  const after = await app.report('range', {span_ns: [Math.floor(last), Math.ceil(whole - shift)]}, rank);
  const longest = after?.tracks.flatMap(({layer, longest}) => (layer === 'profiler' ? [] : (longest ?? []))) ?? [];
  const places = await Promise.all(longest.map((event) => app.timeline({call: 'place', rank, event})));
  return {start: first + shift, end: Math.max(last + shift, ...places.map((place) => place?.end ?? 0))};
}

/** The first slice in view of the uppermost row in view that has one. @param {import('../../app.js').App} app @param {number} version of the timeline @param {import('./rows.js').Rows} rows @param {Window} window */
export async function firstInView(app, version, rows, {start, end}) {
  for (const {row, lane} of rows.lanesInView()) {
    let found = await app.timeline({call: 'hit', version, row, lane, at: start, near: end - start});
    // The nearest one may have ended before.
    if (found && found.end <= start) {
      const {place, number} = found;
      found = await app.timeline({call: 'neighbour', version, row, lane, place, number, direction: 'after'});
    }
    // A computed slice is a time, no event.
    if (found && found.rank !== null && found.start < end) return found;
  }
  return null;
}
