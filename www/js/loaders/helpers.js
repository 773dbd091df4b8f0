// Several workers that read ranks for the session's one. They end when the ranks are read.

import {spawn} from '../shared/spawn.js';

/** @typedef {import('./helper.js').FromHelper} FromHelper */
/** @typedef {import('./helper.js').ToHelper} ToHelper */
/** @typedef {import('../protocol/protocol.js').Dropped} Dropped */
/** @typedef {import('../protocol/protocol.js').Plan} Plan */
/** @typedef {import('../protocol/protocol.js').Problem} Problem */
/** @typedef {import('../protocol/protocol.js').Progress} Progress */
/** @typedef {import('../protocol/protocol.js').RankLoad} RankLoad */
/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */
/** @typedef {import('./rank.js').PlannedRank} PlannedRank */
/** @typedef {import('./rank.js').Numbered} Numbered */

/** @typedef {Omit<Progress, 'files'>} Read how far a rank is */
/** @typedef {{load: RankLoad | undefined, failures: Problem[]}} Found without a rank nothing was read */
/** @typedef {{rank: PlannedRank, sources: Numbered[]}} Job a rank that is to be read */

/** More than that, and the session's worker, which analyses what they read, cannot keep up. */
const MOST = 4;

/** Bytes of text that may be read at once, all helpers together: what is read takes about as much memory. */
const AT_ONCE = 512 << 20;

/** Less text is read before other workers are up. */
const LITTLE = 32 << 20;

/** How many bytes of text a packed byte is taken for. */
const PACKED = 12;

/**
 * How many workers read the ranks of a plan; where it is one, the session's own does.
 *
 * A helper keeps two cores busy, since its source worker inflates. A compressed archive is unpacked from front to back, by
 * one.
 * @param {Plan} plan @param {number} [said] as a person wants it
 */
export function helpersFor({ranks, sources}, said) {
  if (said !== undefined) return Math.min(said, ranks.length);
  const used = ranks.map((rank) => rank.sources.map((number) => sources[number]));
  if (used.flat().some(({layers}) => /\bcut:/.test(layers))) return 1;
  const texts = used.map((files) => files.reduce((sum, {len, layers}) => sum + len * (layers ? PACKED : 1), 0));
  if (texts.reduce((sum, text) => sum + text, 0) < LITTLE) return 1;
  const cores = Math.floor((navigator.hardwareConcurrency || 1) / 2);
  return Math.min(MOST, cores, ranks.length, Math.floor(AT_ONCE / Math.max(1, ...texts)));
}

/** What comes of a rank or a piece, and whether that was taken. @template {FromHelper} Answer */
export class Expected {
  /** @type {(found: Answer) => void} */
  found = () => {};
  /** @type {(error: unknown) => void} */
  failed = () => {};
  /** @type {() => void} */
  take = () => {};
  /** @type {Promise<Answer>} */
  pieces = new Promise((resolve, reject) => Object.assign(this, {found: resolve, failed: reject}));
  /** @type {Promise<void>} */
  taken = new Promise((resolve) => (this.take = resolve));

  constructor() {
    // Nobody may wait for it any more.
    this.pieces.catch(() => {});
  }
}

/** What is told of a helper that died. @param {ErrorEvent} event @returns {Problem} */
export function crashOf(event) {
  return {code: 'crashed', file: '', position: null, message: event.message || 'a worker could not start', tried: [], expected: ''};
}

/** Reads ranks, some at a time. */
export class Helpers {
  /** @type {Worker[]} */
  #workers = [];
  /** @type {Expected<FromHelper & {kind: 'rank'}>[]} */
  #expected;
  #next = 0;
  /** The rank that is waited for: it is told how far that is. */
  #wanted = 0;

  /**
   * @param {number} count @param {Wasm} wasm @param {Dropped[]} dropped @param {Job[]} jobs in the order in which they are asked for
   * @param {AbortSignal} signal @param {(read: Read) => void} tell
   */
  constructor(count, wasm, dropped, jobs, signal, tell) {
    this.wasm = wasm;
    this.jobs = jobs;
    this.tell = tell;
    this.signal = signal;
    this.#expected = jobs.map(() => new Expected());
    signal.addEventListener('abort', () => this.#fail(signal.reason));
    if (signal.aborted) this.#fail(signal.reason);
    for (let helper = 0; helper < count; helper++) {
      const worker = spawn('loaders/helper.js');
      this.#workers.push(worker);
      worker.postMessage({kind: 'files', dropped});
      this.#help(worker);
    }
  }

  /**
   * Waits for a rank: each is asked for once, in their order.
   * @param {number} origin its place among them @returns {Promise<Found>}
   */
  async rank(origin) {
    this.#wanted = origin;
    const {pieces, failures} = await this.#expected[origin].pieces;
    // Messages get a turn where several ranks are there already.
    await new Promise((resolve) => setTimeout(resolve));
    this.signal.throwIfAborted();
    this.#expected[origin].take();
    const {name, bytes} = this.jobs[origin].rank;
    const load = pieces.length ? this.wasm.RankLoad.thaw(name, bytes, () => pieces.shift()) : undefined;
    return {load, failures};
  }

  /** Ends them, with what they read. */
  end() {
    for (const worker of this.#workers) worker.terminate();
  }

  /** Has a helper read one rank after the other. It waits until each is taken: no more than one is under way. @param {Worker} worker */
  async #help(worker) {
    for (let origin = this.#next++; origin < this.jobs.length; origin = this.#next++) {
      const listening = new AbortController();
      const options = {signal: listening.signal};
      const before = this.jobs.slice(0, origin).reduce((sum, {sources}) => sum + sources.length, 0);
      worker.addEventListener('message', (/** @type {MessageEvent<FromHelper>} */ {data}) => {
        if (data.kind === 'rank') this.#expected[origin].found(data);
        else if (data.kind === 'crashed') this.#fail(data.problem);
        // This worker hears all the time, whatever that one does.
        else if (data.kind === 'progress' && origin === this.#wanted) this.tell({...data.read, index: before + data.read.index, blocked: false});
      }, options);
      worker.addEventListener('error', (event) => {
        // Otherwise it would count as this worker's own failure too.
        event.preventDefault();
        this.#fail(crashOf(event));
      }, options);
      const {rank, sources} = this.jobs[origin];
      worker.postMessage({kind: 'rank', rank, sources: sources.map(({source}) => source)});
      await this.#expected[origin].taken;
      listening.abort();
    }
    worker.terminate();
  }

  /** Nothing more comes. @param {unknown} error */
  #fail(error) {
    for (const expected of this.#expected) expected.failed(error);
  }
}
