// Reading one large file of which several workers read pieces: the session's worker joins them.

import {LoaderPool} from './loader-pool.js';

/** @typedef {import('../loaders/text-reader.js').TextReader} TextReader */
/** @typedef {import('../protocol/loading.js').Source} Source */
/** @typedef {import('../protocol/requests.js').Dropped} Dropped */
/** @typedef {import('../../types/reports.js').PlanReport} Plan */
/** @typedef {import('../protocol/wasm.js').RankLoad} RankLoad */

/** The most loaders: with more, the session's worker, which joins their pieces, cannot keep up. */
const MOST = 4;

/** Less text is read before other workers are up. */
const LITTLE = 64 << 20;

/** Bytes of a piece, at least and at most: some read pieces wait to be joined. */
const LEAST_PIECE = 1 << 20;
const LONGEST_PIECE = 32 << 20;

/** The least pieces per worker, so that none waits long for the others. */
const PIECES_EACH = 6;

/** Number of consecutive useless pieces after which one worker reads the file: its list is not splittable. */
const MOST_USELESS = 3;

/** Bytes that are read at once where a piece is to end, and at most where it does not. */
const BEYOND = [1 << 18, 1 << 24];

/**
 * Number of workers that read pieces of the only file of a plan beside the session's, which joins them; 0 where one reads it.
 * @param {Plan} plan @param {number} cores @param {number} [said] number of workers by a person's choice
 */
export function pieceLoadersFor({ranks, sources}, cores, said) {
  if (ranks.length !== 1 || ranks[0].sources.length !== 1) return 0;
  const {apart, len} = sources[ranks[0].sources[0]];
  if (!apart || (said === undefined && len < LITTLE)) return 0;
  const count = said ?? Math.min(MOST, Math.floor(cores / 2));
  return count > 1 ? count : 0;
}

/** The begins of the pieces of a file that loaders read; empty without loaders. @param {number} length of the file @param {number} loaders */
export function placesIn(length, loaders) {
  if (loaders === 0) return [];
  const size = Math.min(LONGEST_PIECE, Math.max(LEAST_PIECE, Math.ceil(length / (PIECES_EACH * loaders))));
  return Array.from({length: Math.ceil(length / size) - 1}, (_, index) => (index + 1) * size);
}

/** Reads a file with loaders. */
export class PieceReader {
  #loaders;
  #dropped;
  #texts;

  /** @param {number} loaders number of loaders @param {Dropped[]} dropped @param {TextReader} texts */
  constructor(loaders, dropped, texts) {
    this.#loaders = loaders;
    this.#dropped = dropped;
    this.#texts = texts;
  }

  /**
   * Reads a file together with loaders, which read a piece each from one place to the next one, and joins the pieces. A piece that
   * does not fit is read here, up to the next place: the result is the same.
   * @param {RankLoad} load @param {Source} source @param {Blob} text @param {AbortSignal} signal @param {(read: number) => void} report
   * @returns {Promise<boolean>} whether it is long enough for that
   */
  async read(load, source, text, signal, report) {
    const places = placesIn(source.len, this.#loaders);
    if (!places.length) return false;
    const pool = new LoaderPool({
      count: this.#loaders,
      ahead: 2 * this.#loaders,
      dropped: this.#dropped,
      jobs: places.map((from, index) => ({kind: 'piece', source, from, limit: places[index + 1] ?? Infinity})),
      signal,
    });
    try {
      load.stop_at(places[0]);
      let useless = 0;
      for (const [index, place] of places.entries()) {
        await this.#readOn(load, text, place, signal, report);
        // Nothing is left.
        if (!load.is_stopped()) return true;
        const limit = places[index + 1] ?? Infinity;
        const {parts} = await pool.take(index);
        useless = load.join(() => parts.shift(), limit) ? 0 : useless + 1;
        report(load.next_byte());
        if (useless === MOST_USELESS) break;
      }
    } finally {
      pool.end();
    }
    load.stop_at(Infinity);
    await this.#readOn(load, text, text.size, signal, report);
    return true;
  }

  /**
   * Reads a file until the load stops, which it does after some place.
   * @param {RankLoad} load @param {Blob} text @param {number} place @param {AbortSignal} signal @param {(read: number) => void} report
   */
  async #readOn(load, text, place, signal, report) {
    const taker = {
      push(/** @type {Uint8Array} */ bytes) {
        // The bytes after that are read again, or a loader has read them.
        if (!load.is_stopped()) load.push(bytes);
      },
      damaged() {},
    };
    for (let [beyond, most] = BEYOND; !load.is_stopped() && load.next_byte() < text.size; beyond = Math.min(2 * beyond, most)) {
      const at = load.next_byte();
      const end = Math.max(at, place) + beyond;
      await this.#texts.read(text.slice(at, end), '', undefined, taker, signal, (read, stage) => stage === 'reading' && report(at + read));
    }
  }
}
