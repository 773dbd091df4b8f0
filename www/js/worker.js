// The session's worker: the traces live here. It reads files, keeps the wasm session, answers requests.

import {FileReading} from './load.js';
import {Opening} from './opening.js';
import {problemOf} from './problem.js';
import {warmUp} from './warm-up.js';
import {loadWasm} from './wasm.js';

/** @typedef {import('./protocol.js').FromWorker} FromWorker */
/** @typedef {import('./protocol.js').Opened} Opened */
/** @typedef {import('./protocol.js').Progress} Progress */
/** @typedef {import('./protocol.js').Requests} Requests */
/** @typedef {import('./protocol.js').ToWorker} ToWorker */

const reading = new FileReading();
let started = false;
const ready = loadWasm().then((wasm) => {
  warmUp(10, () => !started, () => wasm.warm_up());
  return {wasm, session: new wasm.Session(), aside: new wasm.Session()};
});

/** Stops the load that goes on. */
let loading = new AbortController();

/** Settled when no load goes on. @type {Promise<unknown>} */
let idle = Promise.resolve();

/** @param {FromWorker} message @param {Transferable[]} [transfer] */
function say(message, transfer = []) {
  self.postMessage(message, {transfer});
}

/** What a report in JSON says. @param {Uint8Array | undefined} json */
function parsed(json) {
  return json && JSON.parse(new TextDecoder().decode(json));
}

/** What the session's ranks were made of; they may be grouped anew. @type {Opening | undefined} */
let opened;

/** @param {Progress} progress */
const report = (progress) => say({kind: 'progress', progress});

/**
 * Reads what was opened into a session, in place of what it holds; nothing of that is lost if nothing can be read.
 * @param {Opening} opening @param {import('./protocol.js').Changes} changes to the grouping
 * @param {import('./protocol.js').Session} session @param {AbortSignal} signal
 * @returns {Promise<Opened>}
 */
async function load(opening, changes, session, signal) {
  const {wasm, aside} = await ready;
  try {
    const {grouping, failures} = await opening.read(changes, session, signal, report);
    const read = grouping.ranks.length;
    // What is there no more is compared with nothing.
    if (read && session !== aside) aside.clear();
    // Where something can be read, what else there is belongs to the list of files.
    const refused = read ? [] : grouping.sources.flatMap(({problem}) => problem ?? []);
    return {summary: parsed(session.summary()), read, grouping, failures: [...refused, ...failures], wasmBytes: wasm.memory.buffer.byteLength};
  } catch (error) {
    const {code} = problemOf(error, '');
    // After a crash nothing of the instance can be used: the page starts another worker.
    if (code !== 'crashed') session.drop_new();
    throw error;
  }
}

/**
 * Opens files in place of what a session holds.
 * @param {import('./protocol.js').Dropped[]} files @param {import('./protocol.js').Session} session @param {AbortSignal} signal
 */
async function open(files, session, signal) {
  const {wasm, aside} = await ready;
  const opening = new Opening(wasm, files, reading);
  try {
    await opening.look(signal, report);
    const answer = await load(opening, [], session, signal);
    if (answer.read && session !== aside) {
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
 * Does it once no load goes on: one that does makes way, the person wants the later one.
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

/** @type {{[Name in keyof Requests]: (argument: Requests[Name]['argument']) => Promise<Requests[Name]['answer']>}} */
const answers = {
  open: ({files}) => next(async (signal) => open(files, (await ready).session, signal)),

  regroup: ({changes}) =>
    next(async (signal) => {
      if (!opened) throw new Error('there is nothing to group');
      return load(opened, changes, (await ready).session, signal);
    }),

  openOther: ({files}) => next(async (signal) => open(files, (await ready).aside, signal)),

  async forgetOther() {
    loading.abort();
    await idle;
    (await ready).aside.clear();
  },

  async compare({rank, other, shapes}) {
    const {session, aside} = await ready;
    return parsed(session.compare(rank, other.aside ? aside : session, other.rank, shapes));
  },

  async report({rank, topic, ask}) {
    return parsed((await ready).session.report(rank, topic, ask));
  },

  async recorded({rank, table}) {
    return parsed((await ready).session.recorded(rank, table));
  },

  async define({name}) {
    const {session} = await ready;
    session.define(name);
    return parsed(session.summary());
  },

  async export({ranks, summary}) {
    const {session} = await ready;
    /** @type {Blob[]} */
    const parts = [];
    /** @type {Uint8Array<ArrayBuffer>[]} */
    let pieces = [];
    session.export(Uint32Array.from(ranks), summary, (piece) => {
      pieces.push(piece);
      // Blobs of a few MB move to the browser's own storage; the pieces would stay in memory.
      if (pieces.length >= 16) {
        parts.push(new Blob(pieces));
        pieces = [];
      }
    });
    const text = new Blob([...parts, ...pieces]);
    const packed = new Response(text.stream().pipeThrough(new CompressionStream('gzip')));
    return new Blob([await packed.blob()], {type: 'application/gzip'});
  },

  async summaryJson() {
    return (await ready).session.summary_json();
  },
};

self.addEventListener('message', async (/** @type {MessageEvent<ToWorker>} */ event) => {
  const message = event.data;
  if (message.kind === 'cancel') {
    loading.abort();
    // The person sees nothing of it any more.
    idle.then(async () => {
      const {session, aside} = await ready;
      session.clear();
      aside.clear();
      opened?.free();
      opened = undefined;
    });
    return;
  }
  const {id, name, argument} = message;
  started = true;
  try {
    const answer = await answers[name](argument);
    say({kind: 'answer', id, answer}, answer instanceof Uint8Array ? [answer.buffer] : []);
  } catch (error) {
    say({kind: 'failure', id, problem: problemOf(error, '')});
  }
});
