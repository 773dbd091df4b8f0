// Reading a file into the session, chunk by chunk: nothing ever holds its whole text.

import {spawn} from './spawn.js';

/** @typedef {import('./protocol.js').FileLoad} FileLoad */
/** @typedef {(read: number, stage: 'reading' | 'analyzing') => void} OnProgress */
/** @typedef {import('./inflate.js').FromInflate} FromInflate */

/** Bytes of a plain file read at once. */
const SLICE = 8 << 20;

/** Slices that are asked for before the first of them is needed. */
const AHEAD = 3;

/** Bytes handed to wasm at once: few enough to be still in the processor's cache when scanned. */
const PIECE = 512 << 10;

/** Milliseconds between two reports of progress. */
const PACE = 60;

/**
 * Reads a file, compressed or not.
 * @param {File} file
 * @param {FileLoad} load
 * @param {AbortSignal} signal
 * @param {OnProgress} onProgress
 */
export async function readFile(file, load, signal, onProgress) {
  const report = paced(onProgress);
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (head[0] === 0x1f && head[1] === 0x8b) {
    await readGzip(file, load, signal, report);
  } else {
    await readPlain(file, load, signal, report);
  }
  onProgress(file.size, 'analyzing');
}

/** @param {OnProgress} onProgress @returns {(read: number) => void} */
function paced(onProgress) {
  let last = -Infinity;
  return (read) => {
    const now = performance.now();
    if (now - last >= PACE) {
      last = now;
      onProgress(read, 'reading');
    }
  };
}

/** @param {FileLoad} load @param {Uint8Array} bytes */
function push(load, bytes) {
  for (let at = 0; at < bytes.length; at += PIECE) load.push(bytes.subarray(at, at + PIECE));
}

/** @param {File} file @param {FileLoad} load @param {AbortSignal} signal @param {(read: number) => void} report */
async function readPlain(file, load, signal, report) {
  /** @type {Promise<ArrayBuffer>[]} */
  const waiting = [];
  let asked = 0;
  const ask = () => {
    if (asked >= file.size) return;
    const slice = file.slice(asked, asked + SLICE).arrayBuffer();
    // A slice that is never awaited, since an earlier one failed, must not count as unhandled.
    slice.catch(() => {});
    waiting.push(slice);
    asked += SLICE;
  };
  for (let n = 0; n < AHEAD; n++) ask();
  for (let read = 0; read < file.size; ) {
    const bytes = new Uint8Array(await /** @type {Promise<ArrayBuffer>} */ (waiting.shift()));
    signal.throwIfAborted();
    ask();
    push(load, bytes);
    read += bytes.length;
    report(read);
  }
}

/**
 * Lets a worker of its own inflate, so that inflating and scanning overlap.
 * @param {File} file @param {FileLoad} load @param {AbortSignal} signal @param {(read: number) => void} report
 */
function readGzip(file, load, signal, report) {
  const worker = spawn('./inflate.js');
  /** @type {Promise<void>} */
  const done = new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), {once: true});
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'the inflating worker failed')));
    worker.addEventListener('message', (/** @type {MessageEvent<FromInflate>} */ event) => {
      const message = event.data;
      try {
        if (message.kind === 'bytes') {
          push(load, message.bytes);
          report(message.read);
          // The buffer goes back to be filled again.
          worker.postMessage({kind: 'more', buffer: message.bytes.buffer}, [message.bytes.buffer]);
        } else if (message.kind === 'end') {
          if (message.damage) load.damaged(message.damage);
          resolve();
        } else {
          reject(new Error(message.message));
        }
      } catch (error) {
        reject(error);
      }
    });
    worker.postMessage({kind: 'start', file});
  });
  return done.finally(() => worker.terminate());
}
