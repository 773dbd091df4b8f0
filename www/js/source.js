// The source worker: reads a file, inflates it if it is gzip, and hands its text over batch by batch, so
// that reading and scanning overlap.
//
// The browser's own inflater is the fastest, but it refuses a file of several members and loses what it
// had read of a damaged one. Ours then starts again and leaves out what was already handed over.

import {loadWasm} from './wasm.js';

/**
 * @typedef {{kind: 'bytes', bytes: Uint8Array<ArrayBuffer>, read: number}
 *   | {kind: 'end', damage: string | undefined}
 *   | {kind: 'failed', name: string, message: string}} FromSource
 * @typedef {{kind: 'start', file: File} | {kind: 'more', buffer: ArrayBuffer}} ToSource
 */

/** Bytes handed over at once: few enough to be still in the processor's cache when scanned. */
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

/** @param {Uint8Array<ArrayBuffer>} bytes @param {number} read bytes of the file read so far */
function hand(bytes, read) {
  self.postMessage({kind: 'bytes', bytes, read}, {transfer: [bytes.buffer]});
}

/** Collects pieces of any size into batches and hands them over. */
class Batches {
  /** Bytes of text handed over or collected so far. */
  total = 0;
  /** Bytes of the file read so far. */
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
    if (this.#batch && this.#filled) hand(this.#batch.subarray(0, this.#filled), this.read);
    this.#batch = undefined;
    this.#filled = 0;
  }
}

/** Hands over a file as it is. @param {File} file */
async function plain(file) {
  const stream = file.stream();
  /** @type {ReadableStreamBYOBReader} */
  let reader;
  try {
    reader = stream.getReader({mode: 'byob'});
  } catch {
    // Not every browser's files can be read into our own buffers.
    const batches = new Batches();
    for await (const chunk of /** @type {any} */ (stream)) {
      batches.read += chunk.length;
      await batches.add(chunk);
    }
    batches.flush();
    return;
  }
  for (let read = 0; ; ) {
    const {done, value} = await reader.read(await buffer());
    if (done) {
      if (value) free.push(value.buffer);
      return;
    }
    read += value.length;
    hand(value, read);
  }
}

/**
 * Inflates as the browser does; false if it gave up.
 * @param {File} file @param {Batches} batches
 */
async function inflateByBrowser(file, batches) {
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
async function inflateByOurs(file, batches, skip) {
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

/** @param {File} file @returns {Promise<string | undefined>} what is wrong with the compression */
async function read(file) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    await plain(file);
    return undefined;
  }
  const batches = new Batches();
  const whole = await inflateByBrowser(file, batches);
  const damage = whole ? undefined : await inflateByOurs(file, batches, batches.total);
  batches.flush();
  return damage;
}

self.addEventListener('message', async (/** @type {MessageEvent<ToSource>} */ event) => {
  const message = event.data;
  if (message.kind === 'more') {
    free.push(message.buffer);
    wake?.();
    return;
  }
  try {
    const damage = await read(message.file);
    self.postMessage({kind: 'end', damage});
  } catch (error) {
    const {name, message} = error instanceof Error ? error : new Error(String(error));
    self.postMessage({kind: 'failed', name, message});
  }
});
