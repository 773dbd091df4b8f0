// The session's worker: the traces live here. It reads files, keeps the wasm session, answers requests.

import {FileReading} from './load.js';
import {warmUp} from './warm-up.js';
import {loadWasm} from './wasm.js';

/** @typedef {import('./protocol.js').FileLoad} FileLoad */
/** @typedef {import('./protocol.js').FromWorker} FromWorker */
/** @typedef {import('./protocol.js').Problem} Problem */
/** @typedef {import('./protocol.js').Requests} Requests */
/** @typedef {import('./protocol.js').ToWorker} ToWorker */

const reading = new FileReading();
let started = false;
const ready = loadWasm().then((wasm) => {
  warmUp(10, () => !started, () => wasm.warm_up());
  return {wasm, session: new wasm.Session()};
});

/** Stops the load that goes on. */
let loading = new AbortController();

/** Settled when no load goes on. @type {Promise<unknown>} */
let idle = Promise.resolve();

/** @param {FromWorker} message @param {Transferable[]} [transfer] */
function say(message, transfer = []) {
  self.postMessage(message, {transfer});
}

/** A trap of wasm leaves the instance in no state to go on with. @param {unknown} error */
function isCrash(error) {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

/**
 * What was thrown, as the page can show it.
 * @param {unknown} error @param {string} file
 * @returns {Problem}
 */
function problemOf(error, file) {
  if (error && typeof error === 'object' && 'code' in error && 'message' in error && 'tried' in error) {
    return /** @type {Problem} */ (error);
  }
  const message = error instanceof Error ? error.message : String(error);
  const cancelled = error instanceof DOMException && error.name === 'AbortError';
  const unreadable = error instanceof DOMException && error.name === 'NotReadableError';
  const code = cancelled ? 'cancelled' : isCrash(error) ? 'crashed' : unreadable ? 'unreadable' : 'io';
  return {code, file, position: null, message, tried: [], expected: ''};
}

/**
 * Reads files into the session, in place of what it holds.
 * @param {File[]} files @param {AbortSignal} signal
 * @returns {Promise<Requests['open']['answer']>}
 */
async function open(files, signal) {
  const {wasm, session} = await ready;
  session.clear();
  /** @type {Problem[]} */
  const failures = [];
  for (const [index, file] of files.entries()) {
    try {
      signal.throwIfAborted();
      await add(file, signal, (found, read, stage) => {
        const progress = {file: file.name, index, files: files.length, read, size: file.size, ...found, stage};
        say({kind: 'progress', progress});
      });
    } catch (error) {
      const problem = problemOf(error, file.name);
      if (problem.code === 'cancelled') session.clear();
      // After a crash nothing of the instance can be used: the page starts another worker.
      if (problem.code === 'cancelled' || problem.code === 'crashed') throw problem;
      failures.push(problem);
    }
  }
  return {summary: session.summary(), failures, wasmBytes: wasm.memory.buffer.byteLength};
}

/**
 * Reads one file and adds it to the session.
 * @param {File} file @param {AbortSignal} signal
 * @param {(found: ReturnType<FileLoad['progress']>, read: number, stage: 'reading' | 'analyzing') => void} report
 */
async function add(file, signal, report) {
  const {wasm, session} = await ready;
  const load = new wasm.FileLoad(file.name, file.size);
  try {
    await reading.read(file, load, signal, (read, stage) => report(load.progress(), read, stage));
  } catch (error) {
    if (!isCrash(error)) load.free();
    throw error;
  }
  session.add(load);
}

/** @type {{[Name in keyof Requests]: (argument: Requests[Name]['argument']) => Promise<Requests[Name]['answer']>}} */
const answers = {
  open({files}) {
    // A load that is still going on makes way: the person wants the later one.
    loading.abort();
    loading = new AbortController();
    const {signal} = loading;
    const opened = idle.then(() => open(files, signal));
    idle = opened.catch(() => {});
    return opened;
  },

  async selection({rank, options}) {
    return (await ready).session.selection(rank, options);
  },

  async recorded({rank, table}) {
    return (await ready).session.recorded(rank, table);
  },

  async define({name}) {
    const {session} = await ready;
    session.define(name);
    return session.summary();
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
