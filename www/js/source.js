// The source worker: reads a file, inflates it if it is gzip, and hands its text over batch by batch, so
// that reading and scanning overlap.
//
// The browser's own inflater is the fastest, but it refuses a file of several members and loses what it
// had read of a damaged one. Ours then starts again and leaves out what was already handed over.

import {loadWasm} from './wasm.js';

/**
 * @typedef {Uint8Array<ArrayBuffer>} Bytes
 * @typedef {{kind: 'bytes', pieces: Bytes[], read: number}
 *   | {kind: 'end', damage: string | undefined}
 *   | {kind: 'failed', name: string, message: string}} FromSource
 * @typedef {{kind: 'start', file: File} | {kind: 'more', buffers: ArrayBuffer[]}} ToSource
 */

/** Bytes handed over at once: few enough to be still in the processor's cache when scanned. */
const BATCH = 1 << 20;

/** Batches under way at most. */
const MOST = 6;

let underWay = 0;
/** Buffers that came back. @type {ArrayBuffer[]} */
const free = [];
/** @type {(() => void) | undefined} */
let wake;

/** Waits until one more batch may be under way. */
async function turn() {
  while (underWay >= MOST) await new Promise((resolve) => (wake = () => resolve(undefined)));
}

/** @param {Bytes[]} pieces @param {number} read bytes of the file read so far */
function hand(pieces, read) {
  underWay++;
  self.postMessage({kind: 'bytes', pieces, read}, {transfer: pieces.map(({buffer}) => buffer)});
}

/** Collects inflated pieces into batches and hands them over, without copying them. */
class Batches {
  /** Bytes of text handed over or collected so far. */
  total = 0;
  /** Bytes of the file read so far. */
  read = 0;
  /** @type {Bytes[]} */
  #pieces = [];
  #size = 0;

  /** @param {Bytes} bytes which are given away */
  async add(bytes) {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    this.total += bytes.length;
    if (this.#size < BATCH) return;
    await turn();
    this.flush();
  }

  flush() {
    if (this.#size) hand(this.#pieces, this.read);
    this.#pieces = [];
    this.#size = 0;
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
    await turn();
    const back = free.pop();
    const {done, value} = await reader.read(back ? new Uint8Array(back) : new Uint8Array(BATCH));
    if (done) return;
    read += value.length;
    hand([value], read);
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
    /** @type {Bytes[]} */
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
    underWay--;
    // Inflated pieces come in all sizes; only whole buffers are filled again.
    free.push(...message.buffers.filter((buffer) => buffer.byteLength === BATCH));
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
