// The inflating worker: gzip by the browser's own inflater, and by ours where that one gives up.
//
// The browser's is faster, but refuses a file of several members and loses what it had read of a damaged
// one. Ours then starts again from the beginning and leaves out what was already handed over.

import {loadWasm} from './wasm.js';

/** @typedef {{kind: 'bytes', bytes: Uint8Array<ArrayBuffer>, read: number} | {kind: 'end', damage: string | undefined} | {kind: 'failed', message: string}} FromInflate */

/** Bytes handed over at once. */
const BATCH = 1 << 20;

/** Batches under way at most. */
const MOST = 6;

/** Buffers that came back. @type {ArrayBuffer[]} */
const free = [];
let made = 0;
/** @type {(() => void) | undefined} */
let wake;

/** Waits for a buffer to fill. @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function buffer() {
  while (!free.length && made >= MOST) await new Promise((resolve) => (wake = () => resolve(undefined)));
  const back = free.pop();
  if (back) return new Uint8Array(back);
  made++;
  return new Uint8Array(BATCH);
}

/** Collects bytes into batches and hands them over. */
class Batches {
  /** Bytes handed over or collected so far. */
  total = 0;
  /** Bytes of the compressed file read so far. */
  read = 0;
  /** @type {Uint8Array<ArrayBuffer> | undefined} */
  #batch;
  #filled = 0;

  /** @param {Uint8Array} bytes */
  async add(bytes) {
    for (let at = 0; at < bytes.length; ) {
      this.#batch ??= await buffer();
      const piece = bytes.subarray(at, at + this.#batch.length - this.#filled);
      this.#batch.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      this.total += piece.length;
      if (this.#filled === this.#batch.length) this.flush();
    }
  }

  flush() {
    if (!this.#batch || !this.#filled) return;
    const bytes = this.#batch.subarray(0, this.#filled);
    self.postMessage({kind: 'bytes', bytes, read: this.read}, {transfer: [this.#batch.buffer]});
    this.#batch = undefined;
    this.#filled = 0;
  }
}

/**
 * Inflates as the browser does; false if it gave up.
 * @param {File} file @param {Batches} batches
 */
async function byBrowser(file, batches) {
  const counted = new TransformStream({
    transform(chunk, controller) {
      batches.read += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const stream = file.stream().pipeThrough(counted).pipeThrough(new DecompressionStream('gzip'));
  const reader = stream.getReader();
  try {
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return true;
      await batches.add(value);
    }
  } catch {
    return false;
  }
}

/**
 * Inflates with our own inflater, without the first `skip` bytes of the text.
 * @param {File} file @param {Batches} batches @param {number} skip
 * @returns {Promise<string | undefined>} what is wrong with the file
 */
async function byOurs(file, batches, skip) {
  const wasm = await loadWasm();
  const gunzip = new wasm.Gunzip();
  batches.read = 0;
  for (let at = 0; at < file.size; at += BATCH) {
    const compressed = new Uint8Array(await file.slice(at, at + BATCH).arrayBuffer());
    batches.read += compressed.length;
    /** @type {Uint8Array[]} */
    const pieces = [];
    gunzip.push(compressed, (piece) => {
      if (piece.length > skip) pieces.push(piece.subarray(skip));
      skip = Math.max(0, skip - piece.length);
    });
    for (const piece of pieces) await batches.add(piece);
  }
  return gunzip.finish();
}

self.addEventListener('message', async (event) => {
  const message = event.data;
  if (message.kind === 'more') {
    free.push(message.buffer);
    wake?.();
    return;
  }
  try {
    const batches = new Batches();
    const whole = await byBrowser(message.file, batches);
    const damage = whole ? undefined : await byOurs(message.file, batches, batches.total);
    batches.flush();
    self.postMessage({kind: 'end', damage});
  } catch (error) {
    self.postMessage({kind: 'failed', message: error instanceof Error ? error.message : String(error)});
  }
});
