// Reading the files of one rank, in the session's worker or in one that helps it.

import {isCrash, problemOf} from '../shared/problem.js';
import {Pieces, placesIn} from './pieces.js';

/** @typedef {import('./load.js').FileReading} FileReading */
/** @typedef {import('../protocol/protocol.js').Dropped} Dropped */
/** @typedef {import('../protocol/protocol.js').Plan} Plan */
/** @typedef {import('../protocol/protocol.js').Problem} Problem */
/** @typedef {import('../protocol/protocol.js').RankLoad} RankLoad */
/** @typedef {import('../protocol/protocol.js').SourceList} SourceList */
/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */
/** @typedef {Plan['sources'][number]} Source */
/** @typedef {Plan['ranks'][number]} PlannedRank */
/** @typedef {{source: Source, number: number}} Numbered a source, and its number where it is read */
/** @typedef {(read: number, stage: 'reading' | 'analyzing', blocked: boolean) => void} OnRead */

/** Milliseconds between two reports, and after which other messages, such as one to stop, get a turn. */
export const TURN = 50;

/** Only workers have it, and the types here are a page's. @type {new () => {readAsArrayBuffer: (blob: Blob) => ArrayBuffer}} */
const FileReaderSync = /** @type {any} */ (self).FileReaderSync;

/** Reads a file's bytes at once, as workers may. */
export class Bytes {
  #reader = new FileReaderSync();
  #file;
  #told;
  /** Why it could not be read. @type {unknown} */
  failure;

  /** @param {File} file @param {(offset: number) => void} [told] is told from where it is read */
  constructor(file, told = () => {}) {
    this.#file = file;
    this.#told = told;
  }

  /** @param {number} offset @param {number} length */
  read = (offset, length) => {
    this.#told(offset);
    try {
      return new Uint8Array(this.#reader.readAsArrayBuffer(this.#file.slice(offset, offset + length)));
    } catch (error) {
      this.failure = error;
      throw error;
    }
  };
}

/**
 * Tells how far a rank is.
 * @param {() => number} count which file it is @param {(read: import('./helpers.js').Read) => void} tell
 * @returns {(load: RankLoad, source: Source) => OnRead}
 */
export function tellOf(count, tell) {
  return (load, {path, len}) => {
    let found = load.progress();
    const place = {file: path, index: count(), size: len};
    return (read, stage, blocked) => {
      // What reads at one go holds the rank meanwhile.
      if (!blocked) found = load.progress();
      tell({...place, ...found, read, stage, blocked});
    };
  };
}

/** Pieces that are of no use one after the other before a file is read by one worker: its list cannot be told apart. */
const MOST_USELESS = 3;

/** Bytes that are read at once where a piece is to end, and at most where it does not. */
const BEYOND = [1 << 18, 1 << 24];

/** Reads ranks, one after the other. */
export class RankReading {
  /** How many workers read pieces of a file beside this one. */
  pieceReaders = 0;

  /**
   * @param {Wasm} wasm @param {Dropped[]} dropped
   * @param {SourceList} list where the sources are known by their numbers
   * @param {FileReading} reading
   * @param {number} name of the opening: what is unpacked of its archives goes on from rank to rank
   */
  constructor(wasm, dropped, list, reading, name) {
    this.wasm = wasm;
    this.dropped = dropped;
    this.list = list;
    this.reading = reading;
    this.name = name;
  }

  /**
   * Reads a rank's files; nothing if none of them was read.
   * @param {PlannedRank} rank @param {Numbered[]} sources @param {Problem[]} failures @param {AbortSignal} signal
   * @param {(load: RankLoad, source: Source) => OnRead} begin tells who is told how far each file is
   * @returns {Promise<RankLoad | undefined>}
   */
  async read(rank, sources, failures, signal, begin) {
    const load = new this.wasm.RankLoad(rank.name, rank.bytes);
    let unread = 0;
    try {
      for (const {source, number} of sources) {
        const read = await this.#readSource(load, number, source, failures, signal, begin(load, source));
        if (!read) unread++;
      }
    } catch (error) {
      if (!isCrash(error)) load.free();
      throw error;
    }
    if (unread === sources.length) {
      load.free();
      return undefined;
    }
    if (rank.rank !== null) load.set_rank(rank.rank);
    return load;
  }

  /**
   * Reads one file into a rank; what is wrong with it does not keep the rank's other files from being read.
   * @param {RankLoad} load @param {number} number @param {Source} source @param {Problem[]} failures @param {AbortSignal} signal
   * @param {OnRead} report
   * @returns {Promise<boolean>} whether it was read to its end
   */
  async #readSource(load, number, source, failures, signal, report) {
    const {file} = this.dropped[source.file];
    const attempt = async (/** @type {() => unknown} */ act) => {
      try {
        await act();
        return true;
      } catch (error) {
        const problem = problemOf(error, source.path);
        if (problem.code === 'cancelled' || problem.code === 'crashed') throw error;
        failures.push(problem);
        return false;
      }
    };
    signal.throwIfAborted();
    // This may tell that the file before was no good.
    await attempt(() => load.begin(this.list, number));
    return attempt(async () => {
      if (!source.random) {
        const part = file.slice(source.start, source.start + source.len);
        const places = placesIn(source, this.pieceReaders);
        if (places.length) {
          await this.#readPieces(load, source, part, places, signal, (read) => report(read, 'reading', false));
          report(part.size, 'analyzing', false);
          return;
        }
        const archive = /\bcut:/.test(source.layers) ? `${this.name}/${source.file}` : undefined;
        await this.reading.read(part, source.layers, archive, load, signal, (read, stage) => report(read, stage, false));
        return;
      }
      const bytes = new Bytes(file);
      report(0, 'reading', true);
      // The page hears of it before this worker hears nothing any more.
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
      let last = performance.now();
      const paced = (/** @type {number} */ read) => {
        if (performance.now() - last < TURN) return;
        last = performance.now();
        report(read, 'reading', true);
      };
      try {
        load.read(this.list, number, file.size, bytes.read, paced);
      } catch (error) {
        throw bytes.failure ?? error;
      }
      report(source.len, 'analyzing', false);
    });
  }

  /**
   * Reads a file of which others read pieces, each from one place to the next one, and joins these. What does not fit, and what is
   * behind it up to the next place, is read here: what comes of it is the same.
   * @param {RankLoad} load @param {Source} source @param {Blob} text @param {number[]} places @param {AbortSignal} signal @param {(read: number) => void} report
   */
  async #readPieces(load, source, text, places, signal, report) {
    const pieces = new Pieces(this.pieceReaders, this.dropped, source, places, signal);
    try {
      load.stop_at(places[0]);
      let useless = 0;
      for (const [index, place] of places.entries()) {
        await this.#readOn(load, text, place, signal, report);
        // Nothing is left.
        if (!load.is_stopped()) return;
        const limit = places[index + 1] ?? Infinity;
        const parts = await pieces.take(index);
        useless = load.join(() => parts.shift(), limit) ? 0 : useless + 1;
        report(load.next_byte());
        if (useless === MOST_USELESS) break;
      }
    } finally {
      pieces.end();
    }
    load.stop_at(Infinity);
    await this.#readOn(load, text, text.size, signal, report);
  }

  /**
   * Reads a file until the load stops, which it does behind some place.
   * @param {RankLoad} load @param {Blob} text @param {number} place @param {AbortSignal} signal @param {(read: number) => void} report
   */
  async #readOn(load, text, place, signal, report) {
    const taker = {
      push(/** @type {Uint8Array} */ bytes) {
        // What is behind is read again, or somebody else has read it.
        if (!load.is_stopped()) load.push(bytes);
      },
      damaged() {},
    };
    for (let [beyond, most] = BEYOND; !load.is_stopped() && load.next_byte() < text.size; beyond = Math.min(2 * beyond, most)) {
      const at = load.next_byte();
      const end = Math.max(at, place) + beyond;
      await this.reading.read(text.slice(at, end), '', undefined, taker, signal, (read, stage) => stage === 'reading' && report(at + read));
    }
  }
}
