// The session's worker: the traces live here. It reads files, keeps the wasm session, answers requests.

import {TextReader} from '../loaders/text-reader.js';
import {problemOf} from '../shared/problem.js';
import {warmUp} from '../shared/warm-up.js';
import {loadWasm} from '../shared/wasm.js';
import {EventTexts} from './event-text.js';
import {Exporting} from './exporting.js';
import {TraceCache} from './trace-cache.js';
import {htmlReport} from './html-report.js';
import {Opening} from './opening.js';
import {Painter} from './painter.js';
import {Searching, firstAndLast} from './searching.js';

/** @typedef {import('../protocol/requests.js').FromWorker} FromWorker */
/** @typedef {import('../protocol/requests.js').Opened} Opened */
/** @typedef {import('../protocol/requests.js').Progress} Progress */
/** @typedef {import('../protocol/requests.js').Requests} Requests */
/** @typedef {import('../protocol/requests.js').ToWorker} ToWorker */

const reader = new TextReader();
const texts = new EventTexts();
let started = false;
const ready = loadWasm().then((wasm) => {
  warmUp(
    10,
    () => !started,
    () => wasm.warm_up(),
  );
  return {wasm, session: new wasm.Session()};
});

/** The session, once there is one. @type {import('../protocol/wasm.js').Session | undefined} */
let session;
/** Formats a duration, once the wasm is loaded. */
let duration = (/** @type {number} */ _nanos) => '';
ready.then((made) => {
  session = made.session;
  duration = made.wasm.duration;
});
/** The painter of each canvas. @type {Map<import('../protocol/timeline.js').CanvasName, Painter>} */
const painters = new Map();

/** @param {import('../protocol/timeline.js').CanvasName} name */
function painterOf(name) {
  let painter = painters.get(name);
  if (!painter) {
    painter = new Painter(
      () => session,
      (drawn) => say({kind: 'drawn', name, drawn}),
      (nanos) => duration(nanos),
    );
    painters.set(name, painter);
  }
  return painter;
}

/** Aborts the current load. */
let loading = new AbortController();

/** Settled when no load runs. @type {Promise<unknown>} */
let idle = Promise.resolve();

/** Milliseconds without a message of the page after which the timeline is prepared: requests of a person go first. */
const PATIENCE = 250;

/** No row: asks for the data on all rows. */
const NO_ROW = 2 ** 32 - 1;

/** Time of the page's last message. */
let heard = 0;

/** @param {FromWorker} message @param {Transferable[]} [transfer] */
function say(message, transfer = []) {
  self.postMessage(message, {transfer});
}

/** Parses a report in JSON. @param {Uint8Array | undefined} json */
function parsed(json) {
  return json && JSON.parse(new TextDecoder().decode(json));
}

/** The buffers of an answer that are transferred, not copied: bytes, and the columns of tables. @param {any} answer @returns {Transferable[]} */
function buffersOf(answer) {
  if (answer instanceof Uint8Array) return [answer.buffer];
  /** @type {import('../protocol/table.js').TableValues[]} */
  const tables = Object.values(answer?.tables ?? {});
  return tables.flatMap(({columns}) => columns.flatMap(({values, coverage}) => [values.buffer, ...(coverage ? [coverage.buffer] : [])]));
}

/** The opening that the session's ranks come from; they may be grouped anew. @type {Opening | undefined} */
let opened;

/** Number of loads that began. */
let loads = 0;

const searching = new Searching(
  ready,
  (rank, file) => opened?.place(rank, file),
  (read, size) => say({kind: 'searching', share: size ? read / size : 0}),
);

const cache = new TraceCache(ready, {
  opened: () => opened,
  // A search holds while the traces stay as they are.
  before: () => searching.forget(),
  changed() {
    if (!session) return;
    prepareTimeline(session).catch(reportError);
    const redefined = session.is_redefined() ? parsed(session.summary()) : null;
    say({kind: 'held', held: [...session.held()], summary: redefined});
  },
  tell: (reread) => say({kind: 'rereading', reread}),
});

const exporting = new Exporting(
  ready,
  (rank) => cache.hold(rank),
  (exporting) => say({kind: 'exporting', exporting}),
);

/** @param {Progress} progress */
const report = (progress) => say({kind: 'progress', progress});

/**
 * Reads the opened files into the session, in place of its ranks; these stay if nothing can be read.
 * @param {Opening} opening @param {import('../protocol/requests.js').Changes} changes to the grouping
 * @param {AbortSignal} signal @param {boolean} aside whether it is only compared with
 * @returns {Promise<Opened>}
 */
async function load(opening, changes, signal, aside) {
  const {wasm, session} = await ready;
  // The shown trace is replaced.
  if (!aside) preparing++;
  loads++;
  exporting.stop(undefined, {code: 'superseded', file: '', position: null, message: '', tried: [], expected: ''});
  await searching.forget();
  await cache.end();
  try {
    const {grouping, failures, times} = await opening.read(changes, session, signal, report);
    const read = grouping.ranks.length;
    if (read && !aside) prepareTimeline(session).catch(reportError);
    // A trace aside is drawn on demand, without preparation; the rows of the previous one are outdated.
    if (read && aside) outdate();
    // Where something can be read, problems of other sources belong to the list of files.
    const refused = read ? [] : grouping.sources.flatMap(({problem}) => problem ?? []);
    return {
      summary: parsed(session.summary()),
      read,
      grouping,
      failures: [...refused, ...failures],
      held: [...session.held()],
      times,
      wasmBytes: wasm.memory.buffer.byteLength,
    };
  } catch (error) {
    const {code} = problemOf(error, '');
    // After a crash nothing of the instance can be used: the page starts another worker.
    if (code !== 'crashed') session.drop_new();
    throw error;
  } finally {
    cache.begin();
  }
}

/**
 * Opens files in place of the session's ranks.
 * @param {Requests['open']['argument']} argument @param {AbortSignal} signal
 */
async function open({files, changes = [], aside = false, memory, workers}, signal) {
  const {wasm, session} = await ready;
  if (memory !== undefined) session.set_budget(memory * 2 ** 20);
  const opening = new Opening(wasm, files, reader, workers);
  try {
    await opening.look(signal, report);
    const answer = await load(opening, changes, signal, aside);
    if (answer.read) {
      texts.rest();
      opened?.free();
      opened = opening;
    } else opening.free();
    return answer;
  } catch (error) {
    if (problemOf(error, '').code !== 'crashed') opening.free();
    throw error;
  }
}

/**
 * Runs a load after the current one, which is aborted: the person wants the later one.
 * @param {(signal: AbortSignal) => Promise<Opened>} act
 */
function next(act) {
  loading.abort();
  loading = new AbortController();
  const {signal} = loading;
  const done = idle.then(() => act(signal));
  idle = done.catch(() => {});
  return done;
}

/** Counts the traces whose timelines are prepared: others take their place. Answers on rows of earlier ones are outdated. */
let preparing = 0;

/** Forgets the drawn traces: the rows changed. */
function outdate() {
  for (const painter of painters.values()) painter.reset();
  return ++preparing;
}

/** Prepares the timeline for drawing, row by row, while there is nothing else to do. @param {import('../protocol/wasm.js').Session} session */
async function prepareTimeline(session) {
  const prepared = outdate();
  const turn = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
  // The rows are found while the page draws the result of the load. It has taken that once it sends a request:
  // a later failure belongs to an open trace.
  const answered = heard;
  const end = performance.now() + PATIENCE;
  do await turn(0);
  while (heard === answered && performance.now() < end);
  if (prepared === preparing) session.timeline_prepare(NO_ROW);
  for (let row = 0; ; row++) {
    await turn(0);
    while (prepared === preparing && performance.now() - heard < PATIENCE) await turn(PATIENCE);
    if (prepared !== preparing || !session.timeline_prepare(row)) return;
  }
}

/** @param {import('../protocol/wasm.js').Wasm} wasm @param {import('../protocol/wasm.js').Session} session @param {import('../protocol/timeline.js').TimelineCall} call */
function timelineAnswer(wasm, session, call) {
  if ('version' in call && call.version !== preparing) return null;
  switch (call.call) {
    case 'rows':
      return {...parsed(session.timeline_rows()), version: preparing};
    case 'slices':
      return firstAndLast(wasm, session, call.rank, call.end);
    case 'hit':
      return session.timeline_hit(call.row, call.lane, call.at, call.near);
    case 'value':
      return session.timeline_value(call.row, call.at);
    case 'place':
      return session.timeline_place(call.rank, call.event);
    case 'neighbour':
      return session.timeline_neighbour(call.row, call.lane, call.place, call.number, call.direction);
    case 'mark':
      return session.timeline_mark(call.rank, call.events && Uint32Array.from(call.events));
  }
}

/** Settled when nothing is gathered rank by rank. @type {Promise<unknown>} */
let gathered = Promise.resolve();

/**
 * Runs an action that gathers from rank to rank after all others of its kind; it may have to read traces.
 * @template Answer @param {() => Promise<Answer>} act @returns {Promise<Answer>}
 */
function inTurn(act) {
  const done = gathered.then(act);
  gathered = done.catch(() => {});
  return done;
}

/** The whole summary. @param {string} language of its sentences @param {boolean} isReport whether it is of a report, which has further parts */
async function summarized(language, isReport) {
  const {session} = await ready;
  // First those that are here: they may be dropped for the others.
  for (const rank of [...session.held(), ...session.dropped()]) (await cache.hold(rank)).gather(rank, language, isReport);
  return session.summary_json(language);
}

/** @type {{[Name in keyof Requests]: (argument: Requests[Name]['argument']) => Promise<Requests[Name]['answer']>}} */
const answers = {
  open: (argument) => next((signal) => open(argument, signal)),

  regroup: ({changes}) =>
    next(async (signal) => {
      if (!opened) throw new Error('there is nothing to group');
      return load(opened, changes, signal, false);
    }),

  async compareSide({rank, shapes, job}) {
    return (await cache.hold(rank)).compare_side(rank, shapes, job);
  },

  async compare({rank, side, shapes, language}) {
    return parsed((await cache.hold(rank)).compare(rank, side, shapes, language));
  },

  async report({rank, topic, request}) {
    const answer = (await cache.hold(rank)).report(rank, topic, request);
    if (!answer) return undefined;
    const tables = Object.fromEntries(answer.tables.map((table) => [table.id, table]));
    return {...parsed(answer.json), ...(answer.tables.length && {tables})};
  },

  async job({language}) {
    return parsed((await ready).session.job(language));
  },

  async runs() {
    return parsed((await ready).session.runs());
  },

  async printed({rank, request}) {
    return (await cache.hold(rank)).as_printed(rank, request);
  },

  async args({rank, event}) {
    const {wasm} = await ready;
    const place = event === null ? undefined : parsed((await cache.hold(rank)).event_place(rank, event));
    if (place) {
      return texts.read(wasm, place, opened?.place(place.rank, place.file)).catch((error) => {
        throw problemOf(error, place.file);
      });
    }
    texts.stop();
    return undefined;
  },

  async peers({rank, event}) {
    return parsed((await cache.hold(rank)).peers(rank, event));
  },

  async recorded({rank, table}) {
    return parsed((await ready).session.recorded(rank, table));
  },

  async find(wanted) {
    const before = loads;
    await cache.hold(wanted.rank);
    // The request does not apply to newly loaded traces, and no search may run while traces change.
    return before === loads ? searching.find(wanted) : undefined;
  },

  nextHit: (from) => searching.next(from),

  hits: (wanted) => searching.list(wanted),

  async timeline(call) {
    const {wasm, session} = await ready;
    // The first view is no reason to read a dropped trace again.
    if ('rank' in call && call.call !== 'slices') await cache.hold(call.rank);
    return timelineAnswer(wasm, session, call);
  },

  async define({name}) {
    const {session} = await ready;
    session.define(name);
    return parsed(session.summary());
  },

  async peaks({text}) {
    const {session} = await ready;
    try {
      session.give_peaks(text);
    } catch (fault) {
      return {fault: String(fault)};
    }
    return parsed(session.summary());
  },

  async layout({parallel}) {
    return parsed((await ready).session.set_layout(parallel));
  },

  export: (wanted) => exporting.ask(wanted, inTurn),

  async maskSecrets({texts}) {
    const {wasm} = await ready;
    return texts.map((text) => wasm.mask_secrets(text));
  },

  // Programs read it.
  summaryJson: () => inTurn(() => summarized('en', false)),

  htmlReport: ({scripts, view, notes, texts}) =>
    inTurn(async () => {
      const {wasm} = await ready;
      const carries = scripts === null ? null : {scripts, view, ...(opened?.filesRead() ?? {files: [], texts: [], changes: []})};
      const summary = await summarized(texts.language, true);
      const {language, messages} = texts;
      return {report: await htmlReport(wasm, summary, texts, notes, carries), markdown: wasm.markdown_report(summary, notes, language, messages)};
    }),
};

/** Requests that need all of the wasm: their output leaves the page. @type {(keyof Requests)[]} */
const OUTPUT = ['export', 'summaryJson', 'htmlReport', 'maskSecrets', 'printed'];

/** Requests that need more of it than the page starts with. @type {(keyof Requests)[]} */
const SELDOM = ['compareSide', 'compare', 'define'];

/** Groupings of rows by the surroundings of calls. */
const BY_PLACE = ['stack', 'module'];

/** Whether a request needs more of the wasm: another tool's rules do, too, call trees, memory, an open row, rows by stack or module, and a search in arguments. @param {keyof Requests} name @param {any} argument */
const isSeldom = (name, argument) =>
  SELDOM.includes(name) ||
  (name === 'report' && ![undefined, '', 'stepscope'].includes(argument.request.rules)) ||
  (name === 'report' && ['call_tree', 'memory', 'row'].includes(argument.topic)) ||
  (name === 'report' && [argument.request.grouping, argument.request.kernel_grouping].some((by) => BY_PLACE.includes(by))) ||
  (name === 'find' && argument.args && argument.query !== '');

self.addEventListener('message', async (/** @type {MessageEvent<ToWorker>} */ event) => {
  const message = event.data;
  heard = performance.now();
  if (message.kind === 'canvas') {
    painterOf(message.name).attach(message.canvas);
    return;
  }
  if (message.kind === 'scene') {
    if (message.scene.version === preparing) painterOf(message.name).show(message.scene);
    return;
  }
  if (message.kind === 'cancelExport') {
    exporting.stop(message.number);
    return;
  }
  if (message.kind === 'cancel') {
    loading.abort();
    exporting.stop();
    // The person sees nothing of it any more.
    idle.then(async () => {
      preparing++;
      const {session} = await ready;
      await searching.forget();
      await cache.end();
      session.clear();
      texts.rest();
      opened?.free();
      opened = undefined;
      cache.begin();
    });
    return;
  }
  const {id, name, argument} = message;
  started = true;
  try {
    if (OUTPUT.includes(name)) await (await ready).wasm.loadAll();
    else if (isSeldom(name, argument)) await (await ready).wasm.loadSeldom();
    const answer = await answers[name](argument);
    say({kind: 'answer', id, answer}, buffersOf(answer));
  } catch (error) {
    say({kind: 'failure', id, problem: problemOf(error, '')});
  }
});
