// The source worker: reads a file, inflates it if it is gzip, and hands its text over batch by batch, so
// that reading and scanning overlap.
//
// The inflater is ours: it is faster than the browser's stream of small pieces, takes files of several
// members, and keeps what a damaged file still holds.

import {warmUp} from './warm-up.js';
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

/** Compressed bytes inflated at once: what they give, even a bomb's, must fit into memory. */
const MORSEL = 1 << 16;

// Up before it is needed.
const ready = loadWasm();
let started = false;
warmUpInflater();

/** Inflates some synthetic text until there is a file. */
async function warmUpInflater() {
  const wasm = await ready;
  const line = (/** @type {number} */ index) => `{"ph": "X", "name": "operator ${index % 97}", "ts": ${index * 7.125}},\n`;
  const text = new Blob(Array.from({length: 20_000}, (_, index) => line(index)));
  const packed = new Response(text.stream().pipeThrough(new CompressionStream('gzip')));
  const compressed = new Uint8Array(await packed.arrayBuffer());
  await warmUp(30, () => !started, () => {
    const gunzip = new wasm.Gunzip();
    gunzip.push(compressed, () => {});
    gunzip.free();
  });
}

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
  /** Bytes of the file read so far. */
  read = 0;
  /** @type {Bytes[]} */
  #pieces = [];
  #size = 0;

  /** @param {Bytes} bytes which are given away */
  async add(bytes) {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
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

/** Hands over what a compressed file holds. @param {File} file @returns {Promise<string | undefined>} what is wrong with it */
async function inflated(file) {
  const gunzip = new (await ready).Gunzip();
  const batches = new Batches();
  const ahead = (/** @type {number} */ from) => file.slice(from, from + BATCH).arrayBuffer();
  let next = ahead(0);
  for (let at = 0; at < file.size; at += BATCH) {
    const compressed = new Uint8Array(await next);
    next = ahead(at + BATCH);
    for (let from = 0; from < compressed.length; from += MORSEL) {
      const morsel = compressed.subarray(from, from + MORSEL);
      /** @type {Bytes[]} */
      const pieces = [];
      gunzip.push(morsel, (piece) => pieces.push(piece));
      batches.read += morsel.length;
      for (const piece of pieces) await batches.add(piece);
    }
  }
  batches.flush();
  const damage = gunzip.finish();
  gunzip.free();
  return damage;
}

/** @param {File} file @returns {Promise<string | undefined>} what is wrong with the compression */
async function read(file) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    await plain(file);
    return undefined;
  }
  return inflated(file);
}

self.addEventListener('message', async (/** @type {MessageEvent<ToSource>} */ event) => {
  const message = event.data;
  if (message.kind === 'more') {
    underWay--;
    // Inflated pieces come in all sizes; only whole buffers are filled again.
    free.push(...message.buffers.filter((buffer) => buffer.byteLength === BATCH).slice(0, MOST - free.length));
    wake?.();
    return;
  }
  started = true;
  try {
    const damage = await read(message.file);
    self.postMessage({kind: 'end', damage});
  } catch (error) {
    const {name, message} = error instanceof Error ? error : new Error(String(error));
    self.postMessage({kind: 'failed', name, message});
  }
});
