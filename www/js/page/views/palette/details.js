// What only reports say of a trace: which optional cards there are. The command palette asks for them when it opens.

import {shownLanguage} from '../../environment/i18n.js';

/** @typedef {import('../../../../types/reports.js').JobTables} JobTables */
/** @typedef {import('../../../../types/reports.js').DataReport} DataReport */
/** @typedef {import('../../../../types/reports.js').BudgetReport} BudgetReport */
/** @typedef {{job?: JobTables, budget?: BudgetReport, data?: DataReport, groupings?: string[]}} Details `groupings`: of calls */

/** What was asked for, by the files that are open, and by rank and layout. @type {WeakMap<object, Map<string, Promise<Details>>>} */
const asked = new WeakMap();

/** Asks for the details of the shown rank, once. @param {Pick<import('../../app.js').App, 'state' | 'job' | 'report'>} app @param {import('../../state.js').Tab[]} tabs that the trace has @returns {Promise<Details>} */
export function detailsOf(app, tabs) {
  const {files, rank, parallel} = app.state;
  if (!files) return Promise.resolve({});
  const ofFiles = asked.get(files) ?? new Map();
  asked.set(files, ofFiles);
  const key = `${rank} ${parallel}`;
  if (!ofFiles.has(key)) ofFiles.set(key, ask(app, tabs));
  return ofFiles.get(key);
}

/** @param {Pick<import('../../app.js').App, 'state' | 'job' | 'report'>} app @param {import('../../state.js').Tab[]} tabs @returns {Promise<Details>} */
async function ask(app, tabs) {
  const {summary, rank} = app.state;
  const first = summary?.ranks[rank].steps.findIndex((step) => step.covered) ?? -1;
  // One step has all groupings, and its calls are found sooner than those of all.
  const step = first < 0 ? null : first;
  const [job, budget, data, calls] = await Promise.all([
    tabs.includes('ranks') ? app.job() : undefined,
    summary?.ranks[rank].topics?.includes('budget') ? app.report('budget', {step: null, language: shownLanguage()}) : undefined,
    tabs.includes('data') ? app.report('data') : undefined,
    tabs.includes('calls') ? app.report('call_tree', {step, average: false, grouping: 'modules'}) : undefined,
  ]);
  return {job: job && 'job' in job ? job : undefined, budget, data, groupings: calls?.groupings};
}
