// Cards and tables below headings, by the tab on which they are: the command palette leads to those that the trace has.

import {PROFILED} from '../../state.js';
import {environment} from '../../environment/environment.js';
import {t} from '../../environment/i18n.js';
import {FIRST, MODULES, showCalls} from '../calls/opening.js';
import {hasLeaves, waitsForHost} from '../idle/idle-times.js';
import {missingOf} from '../overview/missing-card.js';
import {isSpread} from '../strategy/strategy-layout.js';
import {TABLES_BY_TYPE} from '../tables/recorded-operators.js';

/** @typedef {import('../../state.js').Tab} Tab */
/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('./details.js').Detail} Detail */
/** @typedef {import('./details.js').Details} Details */

/**
 * A place on a tab. `key`: of its heading; `choose`: the choice that shows it, where several share a place; `menu`: the button of the menu
 * that it is; `grouping`: of its calls.
 * @typedef {{tab: Tab, key: string, choose?: [choice: string, value: string], menu?: string, grouping?: string}} Section
 */

/**
 * The known facts about the trace.
 * @typedef {object} Known
 * @property {import('../../../../types/reports.js').Summary} summary
 * @property {number} rank the shown one, by its index
 * @property {Rank | null} other the rank that it is compared with
 * @property {Details} details
 */

/** @typedef {(known: Known, rank: Rank) => unknown} Has whether a trace has a section; an `Unknown` until a detail is known */

/** @type {Has} */
const always = () => true;

/** @param {string} topic @returns {Has} */
const topic = (topic) => (_, rank) => rank.topics?.includes(topic);

/** @type {Has} */
const events = (_, rank) => !rank.only_tables;

/** @type {Has} */
const isCompared = ({other}) => other !== null;

/** @type {Has} */
const onDevices = (_, rank) => rank.device_time.length > 0;

/** Whether a trace has something, while a detail is not known that says it. */
class Unknown {
  /** @param {Detail} detail */
  constructor(detail) {
    this.detail = detail;
  }
}

/**
 * Whether a detail says so.
 * @template {Detail} Name @param {Name} name @param {(detail: NonNullable<Details[Name]>, known: Known) => unknown} has @returns {Has}
 */
const detail = (name, has) => (known) => {
  const found = known.details[name];
  return found === undefined ? new Unknown(name) : found && has(/** @type {NonNullable<Details[Name]>} */ (found), known);
};

/** @param {(job: import('../../../../types/reports.js').JobTables, known: Known) => unknown} has @returns {Has} */
const job = (has) => detail('job', has);

/** Whether tables have operators by type. @param {Rank} rank */
const hasTypes = ({recorded}) => recorded?.some(({id}) => TABLES_BY_TYPE.includes(id));

/** Whether tables have the average step, or a summary of the timeline. @param {Rank} rank */
const isTold = ({recorded, topics}) => topics?.includes('step_trace') || recorded?.some(({id}) => id === 'timeline_summary');

/** Whether files have the operators of MindSpore's parallel graph. @param {Known} known */
const hasGraph = ({summary}) => summary.ranks.some(({recorded}) => recorded?.some(({id, row_count: rows}) => id === 'parallel_nodes' && rows > 0));

/** Headings of tabs, and which traces have them. @type {Partial<Record<Tab, Record<string, Has>>>} */
const HEADINGS = {
  overview: {
    'budget.title': topic('budget'),
    'budget.causes': (known, rank) => rank.topics?.includes('budget') && detail('budget', ({causes}) => causes.length)(known, rank),
    'advice.top': topic('advice'),
    'overview.steps': events,
    // The card is left out where it repeats the budget.
    'overview.overlap': (_, rank) => !rank.only_tables && !(rank.topics?.includes('budget') && rank.device_time.length === 1 && !rank.definition_values),
    profile: ({summary, rank: index}, rank) => hasTypes(rank) || (PROFILED.includes(summary.inputs[index].framework) && (!rank.only_tables || isTold(rank))),
    'overview.types': (_, rank) => hasTypes(rank),
    quality: always,
    about: always,
    'about.missing': ({summary, rank}) => missingOf(summary, rank).length > 0,
  },
  steps: {critical: topic('critical_path'), step_trace: topic('step_trace')},
  idle: {
    'idle.classes': always,
    'idle.leaves': detail('idle', hasLeaves),
    'idle.host': detail('idle', waitsForHost),
    'idle.gaps': always,
    launch: always,
    queue: always,
  },
  kernels: {'kernel.families': always},
  memory: {'memory.chart': always, 'memory.table.live': detail('memory', ({places}) => places.some(({live_at_peak: {operators}}) => operators.length))},
  data: {
    'data.pipeline': detail('data', ({pipeline}) => pipeline),
    'data.loading': detail('data', ({loading}) => loading),
    'data.walk': detail('data', ({pipeline}) => pipeline),
  },
  ranks: {
    'ranks.stragglers': job(({stragglers}) => stragglers.length),
    'ranks.chart': job(() => true),
    // A map of steps compares ranks with events.
    'ranks.steps': job((_, {summary}) => summary.ranks.filter(({steps}) => steps.length > 0).length > 1),
    'ranks.groups': job(({job}) => job.groups.length),
    'ranks.collectives': job(() => true),
    strategy: job(({job}, known) => isSpread({...job, stages: job.strategy?.stages ?? job.stages}) || hasGraph(known)),
    'ranks.stages': job(({job}) => job.stages.length),
    'ranks.links': job(({job}) => job.links.length),
    drill_down: job(() => true),
  },
  compare: {
    'compare.waterfall': isCompared,
    'compare.tree': ({other}, {topics}) => [topics, other?.topics].every((one) => one?.includes('call_tree')),
    'compare.aligned': ({other}, {steps}) => other && steps.length > 0 && other.steps.length > 0,
  },
};

/** Tables of a comparison, by the value of their choice, and which traces have them. @type {Record<string, Has>} */
const COMPARED = {
  contributions: always,
  families: onDevices,
  kernels: onDevices,
  operators: always,
  functions: topic('call_tree'),
  phases: always,
  pairs: always,
  causes: always,
};

/** Tables that a choice shows, by the key of their heading. @type {Record<string, [choice: string, value: string]>} */
const CHOSEN = {'memory.table.live': ['memory-table', 'live']};

/** Longest wait for a heading, in ms: a tab may have to request a report first. */
const PATIENCE = 4000;

/** @typedef {Section & {detail: Detail}} MaybeSection a section that depends on a detail */

/** The sections that tabs may have, depending on details that are not known yet. @param {Tab[]} tabs @param {Known} known @returns {MaybeSection[]} */
export function maybeSectionsOf(tabs, known) {
  const rank = known.summary.ranks[known.rank];
  return tabs.flatMap((tab) =>
    Object.entries(HEADINGS[tab] ?? {}).flatMap(([key, has]) => {
      const found = has(known, rank);
      return found instanceof Unknown ? [{tab, key, detail: found.detail}] : [];
    }),
  );
}

/** The sections that tabs have, in the order of the tabs. @param {Tab[]} tabs @param {Known} known @returns {Section[]} */
export function sectionsOf(tabs, known) {
  const rank = known.summary.ranks[known.rank];
  const isThere = (/** @type {unknown} */ found) => Boolean(found) && !(found instanceof Unknown);
  /** @param {Record<string, Has>} all */
  const there = (all) => Object.keys(all).filter((key) => isThere(all[key](known, rank)));
  return tabs.flatMap((tab) => [
    ...there(HEADINGS[tab] ?? {}).map((key) => ({tab, key, choose: CHOSEN[key]})),
    ...(tab === 'calls' ? groupings(rank.call_groupings) : []),
    ...(tab === 'timeline' ? [{tab, key: 'notes', menu: 'notes'}] : []),
    ...(tab === 'compare' && known.other ? there(COMPARED).map((name) => compared(name)) : []),
  ]);
}

/** The sections of the call graph and of each grouping of calls; modules have a tab of their own. @param {string[]} [groupings] @returns {Section[]} */
function groupings(groupings = []) {
  /** @type {Section[]} */
  const names = groupings.filter((grouping) => grouping !== MODULES).map((grouping) => ({tab: 'calls', key: `calls.names.${grouping}`, grouping}));
  return groupings.includes(FIRST) ? [{tab: 'calls', key: 'calls.flame', grouping: FIRST}, ...names] : names;
}

/** @param {string} name @returns {Section} */
const compared = (name) => ({tab: 'compare', key: `compare.${name}`, choose: ['compare-table', name]});

/** Shows a section, once it is there. @param {import('../../app.js').App} app @param {Section} section */
export function goToSection(app, {tab, key, choose, menu, grouping}) {
  if (grouping) showCalls(app, grouping);
  else app.go(tab);
  // The graph is above the table: both have the chosen grouping.
  if (grouping && (grouping !== FIRST || key === 'calls.flame')) return;
  const {holder} = environment();
  const text = t(key);
  const until = performance.now() + PATIENCE;
  const look = () => {
    const control = choose?.[0] ?? menu;
    /** @type {HTMLElement | null} */
    const found = control ? holder.querySelector(`[data-test="${control}"]`) : headingOf(holder, text);
    if (!found?.checkVisibility()) {
      if (performance.now() < until) requestAnimationFrame(look);
      return;
    }
    if (choose && found instanceof HTMLSelectElement) {
      found.value = choose[1];
      found.dispatchEvent(new Event('change'));
    }
    const card = found.closest('details');
    if (card) card.open = true;
    if (menu) found.focus();
    found.scrollIntoView({block: menu ? 'nearest' : 'start'});
  };
  requestAnimationFrame(look);
}

/** @param {HTMLElement} holder @param {string} text @returns {HTMLElement | null} */
function headingOf(holder, text) {
  const headings = /** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll('.panel :is(h2, h3)'));
  const named = [...headings].filter((one) => one.textContent?.startsWith(text));
  const seen = named.find((one) => one.checkVisibility());
  if (seen) return seen;
  // A section of a closed part is visible once the part is open.
  const part = named.map((one) => /** @type {HTMLDetailsElement | null} */ (one.closest('details.overview-part:not([open])'))).find(Boolean);
  if (part) part.open = true;
  return null;
}
