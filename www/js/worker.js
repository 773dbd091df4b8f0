// The session's worker: the traces live here. It reads files, keeps the wasm session, answers requests.

import {FileReading} from './load.js';
import {loadWasm} from './wasm.js';

/** @typedef {import('./protocol.js').FromWorker} FromWorker */
/** @typedef {import('./protocol.js').Problem} Problem */
/** @typedef {import('./protocol.js').Requests} Requests */
/** @typedef {import('./protocol.js').ToWorker} ToWorker */

const reading = new FileReading();
const ready = loadWasm().then((wasm) => {
  wasm.warm_up();
  return {wasm, session: new wasm.Session()};
});

/** The load that goes on, if any, and whether it is to stop. @type {AbortController | undefined} */
let loading;

/** @param {FromWorker} message @param {Transferable[]} [transfer] */
function say(message, transfer = []) {
  self.postMessage(message, {transfer});
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
  // A trap of wasm leaves the instance in no state to go on with.
  const crashed = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
  const unreadable = error instanceof DOMException && error.name === 'NotReadableError';
  const code = cancelled ? 'cancelled' : crashed ? 'crashed' : unreadable ? 'unreadable' : 'io';
  return {code, file, position: null, message, tried: [], expected: ''};
}

/** @type {{[Name in keyof Requests]: (argument: Requests[Name]['argument']) => Promise<Requests[Name]['answer']>}} */
const answers = {
  async open({files}) {
    const {wasm, session} = await ready;
    session.clear();
    loading = new AbortController();
    const {signal} = loading;
    const failures = [];
    for (const [index, file] of files.entries()) {
      const load = new wasm.FileLoad(file.name, file.size);
      let ours = true;
      try {
        await reading.read(file, load, signal, (read, stage) => {
          const {bytes, events} = load.progress();
          const progress = {file: file.name, index, files: files.length, read, size: file.size, bytes, events, stage};
          say({kind: 'progress', progress});
        });
        // From here on the load is the session's.
        ours = false;
        session.add(load);
      } catch (error) {
        if (ours) load.free();
        const problem = problemOf(error, file.name);
        if (problem.code === 'cancelled' || problem.code === 'crashed') {
          session.clear();
          throw problem;
        }
        failures.push(problem);
      }
    }
    return {summary: session.summary(), failures, wasmBytes: wasm.memory.buffer.byteLength};
  },

  async selection({rank, options}) {
    return (await ready).session.selection(rank, options);
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
    loading?.abort();
    return;
  }
  const {id, name, argument} = message;
  try {
    const answer = await answers[name](argument);
    say({kind: 'answer', id, answer}, answer instanceof Uint8Array ? [answer.buffer] : []);
  } catch (error) {
    say({kind: 'failure', id, problem: problemOf(error, '')});
  }
});
