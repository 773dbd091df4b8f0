// The view in the address: a link to a tab, a rank, a step. Only a trace that the link names, too, comes with it.

import {hashed} from './hashed.js';
import {OF_CALLS, TABS, tabsOf} from './state.js';
import {environment} from './environment/environment.js';
import {notesSaid, sayNotes} from './timeline/notes.js';
import {saySpan, sayView, spanSaid, viewSaid} from './timeline/view.js';
import {DEFINITIONS} from './views/frame/definition.js';

/** @typedef {import('../../types/reports.js').Summary} Summary */
/** @typedef {import('./state.js').State} State */
/** @typedef {import('./state.js').Tab} Tab */

/**
 * The tab that opens with a rank: its tables if it has no events, else the open one.
 * @param {Summary} summary @param {number} rank @param {Tab} tab
 * @returns {Tab}
 */
export function firstTab(summary, rank, tab) {
  const shown = tabsOf(summary, rank);
  return summary.ranks[rank].only_tables || !shown.includes(tab) ? shown[0] : tab;
}

/**
 * The view in the address, as far as the loaded traces have it.
 * @param {Summary} summary @param {Tab} tab the one that is open
 * @returns {Pick<State, 'tab' | 'rank' | 'step' | 'callsRange' | 'timeline' | 'opened'>}
 */
export function viewOfHash(summary, tab) {
  const said = new URLSearchParams(environment().address.view());
  const below = (/** @type {string} */ name, /** @type {number} */ end) => {
    const text = said.get(name) ?? '';
    return /^\d+$/.test(text) && Number(text) < end ? Number(text) : undefined;
  };
  const rank = below('rank', summary.ranks.length) ?? 0;
  const step = below('step', summary.ranks[rank].steps.length) ?? null;
  const shown = tabOfHash() ?? firstTab(summary, rank, tab);
  return {tab: shown, rank, step, callsRange: spanSaid(said, 'calls'), timeline: viewSaid(said), opened: {[shown]: openedOf(said.get('open') ?? '')}};
}

/** The tab that the address names. */
export function tabOfHash() {
  const said = new URLSearchParams(environment().address.view()).get('tab');
  return TABS.find((one) => one === said);
}

/** The open rows and nodes in an address, of its tab; invalid ones are left out. @param {string} said @returns {import('./state.js').Opened} */
function openedOf(said) {
  const pairs = said.split(' ').map((pair) => /^([\w.-]{1,80}):([0-9a-z]{1,20}(?:\.\d{1,9})?)$/.exec(pair));
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1], pair[2]]] : [])));
}

/** The tool in the address whose numbers stand beside ours; ours alone if it has none. */
export function definitionOfHash() {
  const said = new URLSearchParams(environment().address.view()).get('definition');
  return DEFINITIONS.find((name) => name === said) ?? DEFINITIONS[0];
}

/** The tool whose numbers stand beside ours. @param {Pick<State, 'summary' | 'rank'>} state */
export const definitionOf = ({summary, rank}) => summary?.ranks[rank]?.definition ?? DEFINITIONS[0];

/** The parallel layout in the address; empty if it has none. */
export function parallelOfHash() {
  return new URLSearchParams(environment().address.view()).get('parallel')?.trim() ?? '';
}

/** A view as it stands in the address. @param {State} state */
export function viewAs(state) {
  const {tab, rank, step, parallel, timeline} = state;
  const said = new URLSearchParams({tab});
  if (rank > 0) said.set('rank', String(rank));
  if (step !== null) said.set('step', String(step));
  if (parallel) said.set('parallel', parallel);
  const definition = definitionOf(state);
  if (definition !== DEFINITIONS[0]) said.set('definition', definition);
  const opened = Object.entries(state.opened[tab] ?? {});
  if (opened.length) said.set('open', opened.map((pair) => pair.join(':')).join(' '));
  if (OF_CALLS.includes(tab)) saySpan('calls', state.callsRange, said);
  if (tab === 'timeline') sayView(timeline, said);
  return said;
}

/** The first view of a report that carries its traces; empty for the initial one. @param {State} state */
export function viewToCarry(state) {
  const view = withNotes(state);
  return view === 'tab=overview' ? '' : view;
}

/** A view as in a link or a report, with the notes on the trace: the address itself never has these. @param {State} state */
export function withNotes(state) {
  const said = viewAs(state);
  if (state.notes.length) said.set('notes', sayNotes(state.notes));
  return String(said);
}

/** @param {URLSearchParams} said */
const link = (said) => `${location.href.split('#')[0]}#${said}`;

/** The link to a view. @param {State} state */
export const linkTo = (state) => link(viewAs(state));

/** The link to a view, with the notes and a short name of their files. @param {State} state */
export function linkWithNotes(state) {
  const said = new URLSearchParams(withNotes(state));
  if (state.files) said.set('of', contentOf(state.files));
  return link(said);
}

/**
 * A short name of the files' sizes and grouping, independent of their names: another person's may have other names.
 * @param {import('../protocol/requests.js').Grouping} files
 */
const contentOf = ({sources, ranks, changes}) => hashed([sources.map(({bytes}) => bytes), ranks.map(({sources}) => sources), changes]);

/** The notes that came with the address, where it is a link's or a report's, unless they are on other files. @param {import('../protocol/requests.js').Grouping} files */
export function notesOfHash(files) {
  const said = new URLSearchParams(environment().address.view());
  const isOfThese = [null, contentOf(files)].includes(said.get('of'));
  return isOfThese ? onRanks(files, notesSaid(said.get('notes'))) : [];
}

/** @param {import('../protocol/requests.js').Grouping} files @param {import('./timeline/notes.js').Note[]} notes */
const onRanks = ({ranks}, notes) => notes.filter(({rank}) => rank < ranks.length);

/**
 * The storage key of each rank's notes: the rank's own files make it, so that notes stay with a trace whichever others are open beside it.
 * @param {import('../protocol/requests.js').Grouping} files
 */
function noteKeys({sources, ranks}) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return ranks.map(({sources: own}) => {
    const name = hashed(own.map((source) => [sources[source].path, sources[source].bytes]));
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before ? `notes.${name}.${before}` : `notes.${name}`;
  });
}

/** The notes that this device keeps on files, in the order of ranks; null if there are none. @param {import('../protocol/requests.js').Grouping} files */
export function keptNotes(files) {
  const said = noteKeys(files).map((key) => environment().remembered(key));
  return said.every((one) => one === null) ? null : said.flatMap((one, rank) => notesSaid(one).map((note) => ({...note, rank})));
}

/** Keeps notes on files on this device. @param {import('../protocol/requests.js').Grouping} files @param {import('./timeline/notes.js').Note[]} notes */
export function keepNotes(files, notes) {
  for (const [place, key] of noteKeys(files).entries()) {
    const own = notes.flatMap((note) => (note.rank === place ? [{...note, rank: 0}] : []));
    if (own.length) environment().remember(key, sayNotes(own));
    else if (environment().remembered(key) !== null) environment().forget(key);
  }
}

/** A short name of the open trace, by which the browser's history links views to traces. @param {import('../protocol/requests.js').Grouping} files */
export function traceOf({sources, changes}) {
  const known = names.get(sources);
  if (known?.changes === changes) return known.name;
  const name = hashed([sources.map(({path, bytes}) => [path, bytes]), changes]);
  names.set(sources, {changes, name});
  return name;
}

/** Names that were made. @type {WeakMap<object, {changes: import('../protocol/requests.js').Changes, name: string}>} */
const names = new WeakMap();

/** Whether the address says a view of something else than these files. @param {import('../protocol/requests.js').Grouping} files */
export function isOfOther(files) {
  const {trace} = environment().address.entry();
  return trace !== undefined && trace !== traceOf(files);
}

/**
 * The way back from an opened trace to the one that was shown before.
 * @param {State | undefined} before @param {import('./state.js').Shown | undefined} shown its files
 * @param {import('../protocol/requests.js').Dropped[]} [opened] the opened files: includes the shown ones if others were added to them
 * @returns {import('./state.js').Replaced | null}
 */
export function replacedOf(before, shown, opened = []) {
  const {files, summary, rank} = before ?? {};
  if (!before || !shown || !files || !summary) return null;
  const isAdded = shown.files.every((file, place) => file === opened[place]);
  const added = isAdded ? opened.length - shown.files.length : 0;
  return {name: summary.ranks[rank ?? 0]?.input ?? '', shown, runs: before.runs, view: String(viewAs(before)), trace: traceOf(files), added};
}

/** A number that the address says. @param {string} name @returns {number | undefined} */
export function numberSaid(name) {
  const said = environment().address.asked().get(name) ?? '';
  return /^\d+(\.\d+)?$/.test(said) ? Number(said) : undefined;
}
