// Reports that say which optional cards a trace has. The command palette asks for those that a query may name.

import {shownLanguage} from '../../environment/i18n.js';

/** @typedef {import('../../../../types/reports.js').JobTables} JobTables */
/** @typedef {import('../../../../types/reports.js').DataReport} DataReport */
/** @typedef {import('../../../../types/reports.js').BudgetReport} BudgetReport */
/** @typedef {import('../../../../types/reports.js').MemoryReport} MemoryReport */
/** @typedef {import('../../../protocol/answers.js').WhyIdle} WhyIdle */
/** @typedef {{job?: JobTables | null, budget?: BudgetReport | null, data?: DataReport | null, idle?: WhyIdle | null, memory?: MemoryReport | null}} Details null: the trace has none; nothing: it was not asked for yet */
/** @typedef {keyof Details} Detail */
/** @typedef {Pick<import('../../app.js').App, 'state' | 'job' | 'report'>} Asked */

/** The request for each detail. @type {{[Name in Detail]-?: (app: Asked) => Promise<Details[Name]>}} */
const ASK = {
  job: async (app) => {
    const job = await app.job();
    return job && 'job' in job ? job : null;
  },
  budget: async (app) => (await app.report('budget', {step: null, language: shownLanguage()})) ?? null,
  data: async (app) => (await app.report('data')) ?? null,
  memory: async (app) => (await app.report('memory')) ?? null,
  idle: async (app) => {
    const {step} = app.state;
    return (await app.report('why_idle', {step, average: step === null})) ?? null;
  },
};

/** The answers so far, by the files that are open, and by rank, layout and step. @type {WeakMap<object, Map<string, Details>>} */
const answered = new WeakMap();

/** The known details of the shown rank. @param {Asked} app @returns {Details} */
export function knownDetails({state: {files, rank, parallel, step}}) {
  if (!files) return {};
  const ofFiles = answered.get(files) ?? new Map();
  answered.set(files, ofFiles);
  const key = `${rank} ${parallel} ${step}`;
  const known = ofFiles.get(key) ?? {};
  ofFiles.set(key, known);
  return known;
}

/** Asks for some details of the shown rank, each once. @param {Asked} app @param {Iterable<Detail>} wanted */
export async function learnDetails(app, wanted) {
  const known = knownDetails(app);
  const learn = async (/** @type {Detail} */ name) => {
    const found = await ASK[name](app);
    Object.assign(known, {[name]: found});
  };
  await Promise.all([...wanted].map(learn));
}
