// Reading the files of one rank, in the session's worker or in one that helps it.

import {isCrash, problemOf} from '../shared/problem.js';
import {TURN} from '../shared/turn.js';
import {FileBytes} from './file-bytes.js';

/** @typedef {import('../protocol/loading.js').Numbered} Numbered */
/** @typedef {import('../protocol/loading.js').PlannedRank} PlannedRank */
/** @typedef {import('../protocol/loading.js').RankProgress} RankProgress */
/** @typedef {import('../protocol/loading.js').ReadRank} ReadRank */
/** @typedef {import('../protocol/loading.js').Source} Source */
/** @typedef {import('../protocol/requests.js').Dropped} Dropped */
/** @typedef {import('../../types/reports.js').ProblemReport} Problem */
/** @typedef {import('../protocol/wasm.js').RankLoad} RankLoad */
/** @typedef {import('../protocol/wasm.js').SourceList} SourceList */
/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */
/** @typedef {import('./text-reader.js').TextReader} TextReader */
/** @typedef {(read: number, stage: 'reading' | 'analyzing', blocked: boolean) => void} OnRead */
/**
 * @typedef {object} ApartReader whoever has others read pieces of a text
 * @property {(load: RankLoad, source: Source, text: Blob, signal: AbortSignal, report: (read: number) => void) => Promise<boolean>} read whether it was read so
 */

/**
 * Reports the progress of a rank.
 * @param {() => number} count index of the file @param {(progress: RankProgress) => void} tell
 * @returns {(load: RankLoad, source: Source) => OnRead}
 */
export function progressOf(count, tell) {
  return (load, {path, len}) => {
    let found = load.progress();
    const place = {file: path, index: count(), size: len};
    return (read, stage, blocked) => {
      // A blocking read borrows the load.
      if (!blocked) found = load.progress();
      tell({...place, ...found, read, stage, blocked});
    };
  };
}

/** Reads ranks, one after the other. */
export class RankReader {
  #wasm;
  #dropped;
  #list;
  #texts;
  #name;
  /** Reads large texts, where other workers help. @type {ApartReader | undefined} */
  apart;

  /**
   * @param {object} files
   * @param {Wasm} files.wasm
   * @param {Dropped[]} files.dropped
   * @param {SourceList} files.list where the sources are known by their numbers
   * @param {TextReader} files.texts
   * @param {number} files.name of the opening: unpacking of its archives continues from rank to rank
   */
  constructor({wasm, dropped, list, texts, name}) {
    this.#wasm = wasm;
    this.#dropped = dropped;
    this.#list = list;
    this.#texts = texts;
    this.#name = name;
  }

  /**
   * Reads a rank's files; a problem with one does not keep the others from being read.
   * @param {PlannedRank} rank @param {Numbered[]} sources @param {AbortSignal} signal
   * @param {(load: RankLoad, source: Source) => OnRead} begin returns the progress callback of a file
   * @returns {Promise<ReadRank>}
   */
  async read(rank, sources, signal, begin) {
    const load = new this.#wasm.RankLoad(rank.name, rank.bytes);
    /** @type {Problem[]} */
    const failures = [];
    let unread = 0;
    try {
      for (const {source, number} of sources) {
        const report = begin(load, source);
        const attempt = async (/** @type {() => unknown} */ act) => {
          const problem = await problemIn(act, source.path);
          if (problem) failures.push(problem);
          return !problem;
        };
        signal.throwIfAborted();
        // This may report a problem of the previous file.
        await attempt(() => load.begin(this.#list, number));
        const isRead = await attempt(() =>
          source.random ? this.#readByPlaces(load, number, source, signal, report) : this.#readText(load, source, signal, report),
        );
        if (!isRead) unread++;
      }
    } catch (error) {
      if (!isCrash(error)) load.free();
      throw error;
    }
    if (unread === sources.length) {
      load.free();
      return {load: undefined, failures};
    }
    if (rank.rank !== null) load.set_rank(rank.rank);
    return {load, failures};
  }

  /** Reads a file from front to back. @param {RankLoad} load @param {Source} source @param {AbortSignal} signal @param {OnRead} report */
  async #readText(load, source, signal, report) {
    const text = this.#dropped[source.file].file.slice(source.start, source.start + source.len);
    if (await this.apart?.read(load, source, text, signal, (read) => report(read, 'reading', false))) {
      report(text.size, 'analyzing', false);
      return;
    }
    const archive = /\bcut:/.test(source.layers) ? `${this.#name}/${source.file}` : undefined;
    await this.#texts.read(text, source.layers, archive, load, signal, (read, stage) => report(read, stage, false));
  }

  /** Reads a file of which places are wanted in no order, at one go. @param {RankLoad} load @param {number} number @param {Source} source @param {AbortSignal} signal @param {OnRead} report */
  async #readByPlaces(load, number, source, signal, report) {
    const {file} = this.#dropped[source.file];
    const bytes = new FileBytes(file);
    report(0, 'reading', true);
    // The page gets the message before this worker blocks.
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    let last = performance.now();
    const paced = (/** @type {number} */ read) => {
      if (performance.now() - last < TURN) return;
      last = performance.now();
      report(read, 'reading', true);
    };
    try {
      load.read(this.#list, number, file.size, bytes.read, paced);
    } catch (error) {
      throw bytes.failure ?? error;
    }
    report(source.len, 'analyzing', false);
  }
}

/** The problem that kept a file from being read, if any; errors that end the whole load are thrown. @param {() => unknown} act @param {string} path @returns {Promise<Problem | undefined>} */
async function problemIn(act, path) {
  try {
    await act();
    return undefined;
  } catch (error) {
    const problem = problemOf(error, path);
    if (problem.code === 'cancelled' || problem.code === 'crashed') throw error;
    return problem;
  }
}
