// The source worker: reads a file, unpacks it if it is packed, and hands its text over batch by batch, so
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
 * @typedef {{kind: 'start', file: Blob, layers: string, archive: string | undefined} | {kind: 'more', buffers: ArrayBuffer[]} | {kind: 'rest'}} ToSource
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
    const unpack = new wasm.Unpack('gzip');
    unpack.push(compressed, () => {});
    unpack.free();
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

/** Hands over a file as it is. @param {Blob} file */
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

/** A packed file that is unpacked from front to back. */
class Running {
  #file;
  #next = 0;
  /** The bytes that come next, read ahead. @type {Promise<ArrayBuffer> | undefined} */
  #ahead;
  /** Bytes that were read and are still to be unpacked. */
  packed = new Uint8Array();

  /** @param {Blob} file @param {import('./protocol.js').Unpack} unpack */
  constructor(file, unpack) {
    this.#file = file;
    this.unpack = unpack;
  }

  /** Bytes of the file that were unpacked. */
  get read() {
    return Math.min(this.#next, this.#file.size) - this.packed.length;
  }

  /** Reads on where all was unpacked; whether there is anything left. */
  async refill() {
    if (this.packed.length) return true;
    if (this.#next >= this.#file.size) return false;
    const slice = () => this.#file.slice(this.#next, this.#next + BATCH).arrayBuffer();
    const bytes = this.#ahead ?? slice();
    this.#next += BATCH;
    this.#ahead = slice();
    this.packed = new Uint8Array(await bytes);
    return this.packed.length > 0;
  }
}

/**
 * What unpacks archives of which further files may be wanted; the one used last is at the end. The files of a rank lie
 * in another order in an archive than they are read in: for each kind of file one goes on from rank to rank.
 * @type {{archive: string, running: Running}[]}
 */
let kept = [];
const MOST_KEPT = 16;

/** What unpacks a file, from the nearest place before it. @param {Blob} file @param {string} layers @param {string | undefined} archive */
async function running(file, layers, archive) {
  const {Unpack} = await ready;
  if (archive === undefined) return new Running(file, new Unpack(layers));
  const near = kept.map((one) => (one.archive === archive ? (one.running.unpack.distance(layers) ?? Infinity) : Infinity));
  const index = near.indexOf(Math.min(...near));
  if (index >= 0 && near[index] < Infinity) {
    const [found] = kept.splice(index, 1);
    kept.push(found);
    found.running.unpack.go_on(layers);
    return found.running;
  }
  if (kept.length === MOST_KEPT) kept.shift()?.running.unpack.free();
  const started = new Running(file, new Unpack(layers));
  kept.push({archive, running: started});
  return started;
}

/** Forgets how far archives were unpacked. */
function rest() {
  for (const {running} of kept) running.unpack.free();
  kept = [];
}

/**
 * Hands over what a packed file holds. @param {Blob} file @param {string} layers @param {string | undefined} archive
 * @returns {Promise<string | undefined>} what is wrong with it
 */
async function unpacked(file, layers, archive) {
  const from = await running(file, layers, archive);
  const {unpack} = from;
  const batches = new Batches();
  /** @type {Bytes[]} */
  let pieces = [];
  const take = (/** @type {Bytes} */ piece) => pieces.push(piece);
  const add = async () => {
    const some = pieces;
    pieces = [];
    for (const piece of some) await batches.add(piece);
  };
  while (!unpack.is_done() && (await from.refill())) {
    const used = unpack.push(from.packed.subarray(0, MORSEL), take);
    from.packed = from.packed.subarray(used);
    batches.read = from.read;
    await add();
  }
  const damage = unpack.finish(take);
  await add();
  batches.flush();
  if (archive === undefined) unpack.free();
  return damage;
}

/**
 * @param {Blob} file @param {string} layers @param {string | undefined} archive
 * @returns {Promise<string | undefined>} what is wrong with the packing
 */
async function read(file, layers, archive) {
  if (layers) return unpacked(file, layers, archive);
  await plain(file);
  return undefined;
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
  if (message.kind === 'rest') {
    rest();
    return;
  }
  started = true;
  try {
    const damage = await read(message.file, message.layers, message.archive);
    self.postMessage({kind: 'end', damage});
  } catch (error) {
    const {name, message} = error instanceof Error ? error : new Error(String(error));
    self.postMessage({kind: 'failed', name, message});
  }
});
