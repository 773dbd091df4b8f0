// The collectives of a step trace that stand in the profiler's own table.

import {lanesOfTable} from './step-lanes.js';

/**
 * The collectives of each step of the shown rank, by the step's name; nothing where the table has none, or the step trace is not from it.
 * @param {import('../../app.js').App} app @param {import('../../../../types/reports.js').StepTraceReport} report
 */
export async function recordedLanes(app, {source}) {
  const {summary, rank} = app.state;
  const tables = summary?.ranks[rank].recorded ?? [];
  const place = source === 'recorded' ? tables.findIndex(({id}) => id === 'step_trace') : -1;
  const rows = place < 0 ? undefined : await app.recorded(place, rank);
  return rows && lanesOfTable({columns: tables[place].columns, values: rows.values});
}
