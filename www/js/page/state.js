// The page's state: one object, replaced as a whole; listeners get the old and the new one.

/** @typedef {import('../protocol/requests.js').Grouping} Grouping */
/** @typedef {import('../../types/reports.js').ProblemReport} Problem */
/** @typedef {import('../protocol/requests.js').Progress} Progress */
/** @typedef {import('../protocol/answers.js').Selection} Selection */
/** @typedef {import('../../types/reports.js').Summary} Summary */
/** @typedef {{event?: number, span?: [number, number], find?: string, why?: string}} Jump the target on the timeline: a slice of the shown rank, or a part of its time in ns, and what that is shown for; `find` is looked for there */
/** @typedef {'overview' | 'ranks' | 'timeline' | 'steps' | 'idle' | 'calls' | 'operators' | 'kernels' | 'modules' | 'communication' | 'copies' | 'memory' | 'data' | 'resources' | 'advice' | 'compare' | 'recorded'} Tab */

/** @typedef {'summary' | 'timeline' | 'compute' | 'host' | 'memory' | 'data' | 'ranks' | 'compare'} Group of tabs */

/** @typedef {Record<string, string>} Opened the key of the open row or node, by the name of its table or graph */
/** @typedef {{files: import('../protocol/requests.js').Dropped[], changes: import('../protocol/requests.js').Changes}} Shown files, and a person's changes to their grouping */
/** @typedef {{name: string, shown: Shown, runs: State['runs'], view: string, trace: string, added: number}} Replaced `name`: of the file; `runs`: the list from which it was a run; `trace`: as the browser's history names it; `added`: how many files were added, if it is still open */
/** @typedef {{id: string, names: string[], files: number, bytes: number, at: number, open: () => void, forget: () => Promise<boolean>}} Recent a trace that was opened on this device; `at`: in ms since 1970; `forget`: whether it is gone */
/** @typedef {{names: string[], files: number, bytes: number, folder: boolean, open: (() => void) | null, choose: (() => void) | null, forget: () => Promise<boolean>}} Last the last trace of this tab; `open`: reopens it, where the browser keeps the files; `choose`: lets the person choose them again */

/**
 * @typedef {object} State
 * @property {'empty' | 'loading' | 'ready'} phase
 * @property {Progress | null} progress of the current load
 * @property {Problem[]} problems to be shown until they are dismissed
 * @property {Summary | null} summary of the loaded files
 * @property {Grouping | null} files that are loaded, and the ranks that they make
 * @property {number[]} held the ranks whose traces are in memory, by their index
 * @property {import('../protocol/requests.js').Reread | null} reread the rank that is being read again
 * @property {import('../protocol/requests.js').ExportGoing[]} exporting the exports that take their time
 * @property {number} rank the shown rank, by its index
 * @property {number | null} step the shown step, by its index; null for the average
 * @property {Selection | null} selection the report on it, once it is there
 * @property {Tab} tab
 * @property {[number, number] | null} callsRange the time range of call trees, in ns of the shown rank; null: that of steps
 * @property {Partial<Record<Tab, Opened>>} opened rows and nodes that a person opened, by tab
 * @property {{id: string} | null} recordedTable the recorded table to which a view led, another object each time
 * @property {string} grouping of operators
 * @property {string} parallel the parallel layout of the ranks from the person; empty: that of the traces
 * @property {import('../../types/reports.js').LayoutFault & {text: string} | null} layoutFault the fault in the person's last layout
 * @property {boolean} merge whether operators that are only children of the same name are merged
 * @property {{input: string, rank: number | null}[]} others ranks that are only there to be compared with
 * @property {Progress | 'begun' | null} othersProgress of reading them
 * @property {import('../protocol/requests.js').Baseline | null} baseline the rank that the shown one is compared with
 * @property {import('./timeline/view.js').TimelineView} timeline its view and selection, as the address has them
 * @property {import('./timeline/notes.js').Note[]} notes that a person wrote on the trace
 * @property {number} visit counts the places on the timeline to which the person went: each is an entry of the browser's history
 * @property {Jump | null} jump the last requested target on the timeline
 * @property {Replaced | null} replaced the trace that the shown one replaced
 * @property {{changes: import('../protocol/requests.js').Changes, count: number | null} | null} runs the list from which the shown run was chosen: the grouping of its files, and the number of its runs, null if it may have changed
 * @property {Last | null} last the trace that was open in this tab before the page was left or loaded anew
 * @property {Recent[]} recent the traces that were opened on this device and can be reopened, the last one first
 * @property {number} wasmBytes the size that the session's memory grew to
 */

/** The tabs by the question that they answer, in their order. @type {Record<Group, Tab[]>} */
export const GROUPS = {
  summary: ['overview', 'steps', 'advice', 'recorded'],
  timeline: ['timeline'],
  compute: ['operators', 'kernels', 'modules', 'communication'],
  host: ['idle', 'calls'],
  memory: ['memory', 'copies'],
  data: ['data', 'resources'],
  ranks: ['ranks'],
  compare: ['compare'],
};

export const TABS = Object.values(GROUPS).flat();

/** Tabs that show a topic, and which. @type {Partial<Record<Tab, keyof import('../protocol/answers.js').Topics>>} */
const OF_TOPIC = {timeline: 'selection', idle: 'why_idle', calls: 'call_tree', memory: 'memory', data: 'data', resources: 'resources', advice: 'advice'};

/** Tabs that show a tree of calls. @type {Tab[]} */
export const OF_CALLS = ['calls', 'modules'];

/** Tabs that list device activity. @type {Tab[]} */
const OF_DEVICES = ['kernels', 'copies'];

/** The ranks that are compared with each other, by their index: those with events. @param {Summary} summary */
export function comparedRanks({ranks}) {
  return [...ranks.keys()].filter((rank) => !ranks[rank].only_tables);
}

/** Frameworks whose own tools open with the average step, data and totals of the timeline. */
export const PROFILED = ['MindSpore', 'PaddlePaddle'];

/** The cluster report, where a profiler wrote about several ranks or about their parallel layout; null where it has one rank, whose own tables have the same numbers. @param {Summary} summary */
export function clusterOf({cluster, ranks: open}) {
  const ranks = cluster ? [...cluster.rows, ...cluster.links].map(({rank}) => rank) : [];
  const isSpread = cluster?.strategy !== undefined && open.length > 1;
  return cluster && (isSpread || new Set(ranks).size > 1) ? cluster : null;
}

/** Whether the shown rank has calls of modules. @param {Pick<State, 'summary' | 'rank'>} state */
export const hasModules = ({summary, rank}) => summary?.ranks[rank].call_groupings?.includes('modules') ?? false;

/**
 * The tabs that have something to show of a rank, the first of them first.
 * @param {Summary} summary @param {number} index
 * @returns {Tab[]}
 */
export function tabsOf(summary, index) {
  const rank = summary.ranks[index];
  const has = (/** @type {Tab} */ tab) => {
    if (tab === 'ranks') return comparedRanks(summary).length > 1 || clusterOf(summary) !== null;
    if (OF_DEVICES.includes(tab)) return rank.device_time.length > 0;
    if (tab === 'communication') return rank.device_time.some(({communication_ns: time}) => time > 0);
    if (tab === 'modules') return hasModules({summary, rank: index});
    const topic = OF_TOPIC[tab];
    return tab === 'recorded' ? rank.recorded?.length : !topic || rank.topics?.includes(topic);
  };
  if (rank.only_tables)
    return ['recorded', ...(has('ranks') ? /** @type {Tab[]} */ (['ranks']) : []), ...TABS.filter((tab) => OF_TOPIC[tab] && has(tab)), 'overview'];
  return TABS.filter(has);
}

/** @type {State} */
export const EMPTY = {
  phase: 'empty',
  progress: null,
  problems: [],
  summary: null,
  files: null,
  held: [],
  reread: null,
  exporting: [],
  rank: 0,
  step: null,
  selection: null,
  callsRange: null,
  opened: {},
  recordedTable: null,
  tab: 'overview',
  grouping: 'name',
  parallel: '',
  layoutFault: null,
  merge: false,
  others: [],
  othersProgress: null,
  baseline: null,
  timeline: {},
  notes: [],
  visit: 0,
  jump: null,
  replaced: null,
  runs: null,
  last: null,
  recent: [],
  wasmBytes: 0,
};

/** Holds the state. */
export class Store {
  /** @type {State} */
  state = EMPTY;
  /** @type {((now: State, before: State) => void)[]} */
  #listeners = [];

  /** @param {Partial<State>} change */
  set(change) {
    const before = this.state;
    this.state = {...before, ...change};
    for (const listener of this.#listeners) listener(this.state, before);
  }

  /** @param {(now: State, before: State) => void} listener */
  listen(listener) {
    this.#listeners.push(listener);
  }
}
