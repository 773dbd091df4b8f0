// Several workers that read pieces of one file for the session's one, which joins them. They end when the file is read.

import {spawn} from '../shared/spawn.js';
import {Expected, crashOf} from './helpers.js';

/** @typedef {import('./helper.js').FromHelper} FromHelper */
/** @typedef {import('../protocol/protocol.js').Dropped} Dropped */
/** @typedef {import('../protocol/protocol.js').Plan} Plan */
/** @typedef {import('./rank.js').Source} Source */
/** @typedef {FromHelper & {kind: 'piece'}} Found */

/** More than that, and the session's worker, which joins what they read, cannot keep up. */
const MOST = 4;

/** Less text is read before other workers are up. */
const LITTLE = 64 << 20;

/** Bytes of a piece, at least and at most: what is read of some of them waits to be joined. */
const LEAST_PIECE = 1 << 20;
const LONGEST_PIECE = 32 << 20;

/** How many pieces a worker reads at least, so that none waits long for the others. */
const PIECES_EACH = 6;

/**
 * How many workers read pieces of the only file of a plan beside the session's, which joins them; none where one reads it.
 * @param {Plan} plan @param {number} [said] how many workers read, as a person wants it
 */
export function pieceReadersFor({ranks, sources}, said) {
  if (ranks.length !== 1 || ranks[0].sources.length !== 1) return 0;
  const {apart, len} = sources[ranks[0].sources[0]];
  if (!apart || (said === undefined && len < LITTLE)) return 0;
  const count = said ?? Math.min(MOST, Math.floor((navigator.hardwareConcurrency || 1) / 2));
  return count > 1 ? count : 0;
}

/** Where the pieces of a file begin that others read; none if nobody does. @param {Source} source @param {number} readers */
export function placesIn({len}, readers) {
  if (readers === 0) return [];
  const size = Math.min(LONGEST_PIECE, Math.max(LEAST_PIECE, Math.ceil(len / (PIECES_EACH * readers))));
  return Array.from({length: Math.ceil(len / size) - 1}, (_, index) => (index + 1) * size);
}

/** Has pieces of a file read, some at a time. */
export class Pieces {
  /** @type {Worker[]} */
  #workers = [];
  /** @type {Expected<Found>[]} */
  #expected;
  #next = 0;
  /** Pieces that may be under way or wait. */
  #ahead;

  /**
   * @param {number} count of workers @param {Dropped[]} dropped @param {Source} source @param {number[]} places where the pieces begin
   * @param {AbortSignal} signal
   */
  constructor(count, dropped, source, places, signal) {
    this.source = source;
    this.places = places;
    this.#ahead = 2 * count;
    this.#expected = places.map(() => new Expected());
    signal.addEventListener('abort', () => this.#fail(signal.reason));
    if (signal.aborted) this.#fail(signal.reason);
    for (let helper = 0; helper < Math.min(count, places.length); helper++) {
      const worker = spawn('loaders/helper.js');
      this.#workers.push(worker);
      worker.postMessage({kind: 'files', dropped});
      this.#help(worker);
    }
  }

  /** What was read of a piece: each is asked for once, in their order. @param {number} index */
  async take(index) {
    const {pieces} = await this.#expected[index].pieces;
    this.#expected[index].take();
    return pieces;
  }

  /** Ends them, with what they read. */
  end() {
    for (const worker of this.#workers) worker.terminate();
  }

  /** Has a helper read one piece after the other, as long as not too many wait. @param {Worker} worker */
  async #help(worker) {
    for (let index = this.#next++; index < this.places.length; index = this.#next++) {
      await this.#expected[index - this.#ahead]?.taken;
      const listening = new AbortController();
      const options = {signal: listening.signal};
      const read = new Promise((resolve) => {
        worker.addEventListener('message', (/** @type {MessageEvent<FromHelper>} */ {data}) => {
          if (data.kind === 'piece') resolve(this.#expected[index].found(data));
          else if (data.kind === 'crashed') this.#fail(data.problem);
        }, options);
      });
      worker.addEventListener('error', (event) => {
        // Otherwise it would count as this worker's own failure too.
        event.preventDefault();
        this.#fail(crashOf(event));
      }, options);
      worker.postMessage({kind: 'piece', source: this.source, from: this.places[index], limit: this.places[index + 1] ?? Infinity});
      await read;
      listening.abort();
    }
    worker.terminate();
  }

  /** Nothing more comes. @param {unknown} error */
  #fail(error) {
    for (const expected of this.#expected) expected.failed(error);
  }
}
