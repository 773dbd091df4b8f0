// The reader worker: reads a file, unpacks it if it is packed, and hands its text over batch by batch, so
// that reading and scanning overlap.
//
// The inflater is ours: it is faster than the browser's stream of small pieces, takes files of several
// members, and keeps the readable part of a damaged file.

import {warmUp} from '../shared/warm-up.js';
import {loadWasm} from '../shared/wasm.js';

/** @typedef {import('../protocol/loading.js').Bytes} Bytes */
/** @typedef {import('../protocol/loading.js').FromSource} FromSource */
/** @typedef {import('../protocol/loading.js').Seek} Seek */
/** @typedef {import('../protocol/loading.js').Sought} Sought */
/** @typedef {import('../protocol/loading.js').ToSource} ToSource */

/** Bytes handed over at once: few enough to be still in the processor's cache when scanned. */
const BATCH = 1 << 20;

/** Batches under way at most. */
const MOST = 6;

/** Compressed bytes inflated at once: their output, even a bomb's, must fit into memory. */
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
  await warmUp(
    30,
    () => !started,
    () => {
      const unpack = new wasm.Unpack('gzip');
      unpack.push(compressed, () => {});
      unpack.free();
    },
  );
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

/** @param {FromSource} message @param {Transferable[]} [transfer] */
function say(message, transfer = []) {
  self.postMessage(message, {transfer});
}

/** @param {Bytes[]} pieces @param {number} read bytes of the file read so far */
function hand(pieces, read) {
  underWay++;
  say(
    {kind: 'bytes', pieces, read},
    pieces.map(({buffer}) => buffer),
  );
}

/** Collects inflated pieces into batches and hands them over, without copying them. */
class Batches {
  /** Bytes of the file read so far. */
  read = 0;
  /** @type {Bytes[]} */
  #pieces = [];
  #size = 0;

  /** @param {Bytes} bytes to transfer */
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

/**
 * The stream that is read now. Chromium collects one that nothing but its own pending read refers to, once in some GB, and
 * then that read never ends.
 * @type {{stream: ReadableStream, reader?: ReadableStreamBYOBReader} | undefined}
 */
let held;

/** Hands over a file as it is. @param {Blob} file */
async function plain(file) {
  const stream = file.stream();
  held = {stream};
  /** @type {ReadableStreamBYOBReader} */
  let reader;
  try {
    reader = stream.getReader({mode: 'byob'});
    held.reader = reader;
  } catch {
    // Not every browser's files can be read into our own buffers.
    const batches = new Batches();
    for await (const chunk of /** @type {any} */ (stream)) {
      batches.read += chunk.length;
      await batches.add(chunk);
    }
    batches.flush();
    return unchanged(file, batches.read);
  }
  for (let read = 0; ;) {
    await turn();
    const back = free.pop();
    const {done, value} = await reader.read(back ? new Uint8Array(back) : new Uint8Array(BATCH)).catch(async (error) => {
      // Chromium calls whatever is wrong with a stream an error of the network.
      await unchanged(file);
      throw error;
    });
    if (done) return unchanged(file, read);
    read += value.length;
    hand([value], read);
  }
}

/**
 * Throws where a file changed while it was read: an open stream continues in a rewritten file, while a slice of it cannot be
 * read any more.
 * @param {Blob} file @param {number} [read] number of its bytes that were read
 */
async function unchanged(file, read = file.size) {
  if (read < file.size) throw new DOMException('the file became shorter while it was read', 'NotReadableError');
  await file.slice(0, 1).arrayBuffer();
}

/** A packed file that is unpacked from front to back. */
class Running {
  #file;
  #next = 0;
  /** The bytes that come next, read ahead. @type {Promise<ArrayBuffer> | undefined} */
  #ahead;
  /** Bytes that were read and are still to be unpacked. */
  packed = new Uint8Array();

  /** @param {Blob} file @param {import('../protocol/wasm.js').Unpack} unpack */
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
 * Unpackers of archives with further files to read; the one used last is at the end. The files of a rank lie
 * in another order in an archive than they are read in: each kind of file has an unpacker that continues from rank to rank.
 * @type {{archive: string, running: Running}[]}
 */
let kept = [];
const MOST_KEPT = 16;

/** An unpacker of a file, from the nearest place before it. @param {Blob} file @param {string} layers @param {string | undefined} archive */
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
 * Hands over the content of a packed file. @param {Blob} file @param {string} layers @param {string | undefined} archive
 * @returns {Promise<string | undefined>} its damage
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

/** Unpacked bytes that are kept before a piece that was sought: events near by are often wanted next. */
const KEPT = 4 << 20;

/** A packed file in which pieces are sought. */
class Seeking {
  /** The last unpacked pieces, and the begin of them. @type {Bytes[]} */
  #pieces = [];
  #begin = 0;
  #end = 0;
  #done = false;

  /** @param {string} name @param {Running} running */
  constructor(name, running) {
    this.name = name;
    this.running = running;
  }

  /** Whether a place can still be reached. @param {number} at */
  reaches(at) {
    return at >= this.#begin;
  }

  /**
   * Unpacks up to a place, and keeps little before another one. Returns false if it was stopped.
   * @param {number} from @param {number} end @param {() => boolean} wanted
   */
  async unpack(from, end, wanted) {
    const {running} = this;
    const {unpack} = running;
    const take = (/** @type {Bytes} */ piece) => {
      this.#pieces.push(piece);
      this.#end += piece.length;
      while (this.#pieces.length && this.#begin + this.#pieces[0].length < from - KEPT) this.#begin += /** @type {Bytes} */ (this.#pieces.shift()).length;
    };
    while (this.#end < end && !this.#done) {
      if (!wanted()) return false;
      if (!unpack.is_done() && (await running.refill())) {
        const used = unpack.push(running.packed.subarray(0, MORSEL), take);
        running.packed = running.packed.subarray(used);
      } else {
        unpack.finish(take);
        this.#done = true;
      }
    }
    return true;
  }

  /** A copy of a piece that was unpacked. @param {number} from @param {number} end @returns {Sought} */
  piece(from, end) {
    const last = Math.min(end, this.#end);
    const bytes = new Uint8Array(Math.max(0, last - from));
    let at = this.#begin;
    for (const piece of this.#pieces) {
      const [first, behind] = [Math.max(from, at), Math.min(last, at + piece.length)];
      if (first < behind) bytes.set(piece.subarray(first - at, behind - at), first - from);
      at += piece.length;
    }
    return {bytes, isEnd: this.#done && end >= this.#end};
  }
}

/** The file in which something was sought last. @type {Seeking | undefined} */
let seeking;

/** Number of the wanted search: the last one, unless it was given up. */
let searches = 0;

/** Settled when no search runs. @type {Promise<unknown>} */
let searched = Promise.resolve();

/** @param {Seek} wanted @returns {Promise<Sought | undefined>} undefined if it is not wanted any more */
async function seek({file, layers, name, from, length}) {
  const search = ++searches;
  const before = searched;
  const found = (async () => {
    await before;
    const isWanted = () => search === searches;
    if (!isWanted()) return undefined;
    if (seeking?.name !== name || !seeking.reaches(from)) {
      seeking?.running.unpack.free();
      const {Unpack} = await ready;
      seeking = new Seeking(name, new Running(file, new Unpack(layers)));
    }
    const {unpack} = seeking.running;
    try {
      return (await seeking.unpack(from, from + length, isWanted)) ? seeking.piece(from, from + length) : undefined;
    } catch (error) {
      unpack.free();
      seeking = undefined;
      throw error;
    }
  })();
  searched = found.catch(() => {});
  return found;
}

/**
 * @param {Blob} file @param {string} layers @param {string | undefined} archive
 * @returns {Promise<string | undefined>} damage of the packing
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
  if (message.kind === 'stop') {
    searches++;
    return;
  }
  started = true;
  if (message.kind === 'seek') {
    const {answer} = message;
    try {
      answer.postMessage({sought: await seek(message)});
    } catch (error) {
      const {name, message} = error instanceof Error ? error : new Error(String(error));
      answer.postMessage({failure: {name, message}});
    }
    return;
  }
  try {
    const damage = await read(message.file, message.layers, message.archive);
    say({kind: 'end', damage});
  } catch (error) {
    const {name, message} = error instanceof Error ? error : new Error(String(error));
    say({kind: 'failed', name, message});
  }
});
