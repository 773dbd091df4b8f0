// What was dropped, from files to ranks: looked at, grouped, read rank by rank and file by file.

import {FileReading} from './load.js';
import {isCrash, problemOf} from './problem.js';

/** @typedef {import('./protocol.js').Changes} Changes */
/** @typedef {import('./protocol.js').Dropped} Dropped */
/** @typedef {import('./protocol.js').Grouping} Grouping */
/** @typedef {import('./protocol.js').Plan} Plan */
/** @typedef {import('./protocol.js').Problem} Problem */
/** @typedef {import('./protocol.js').Progress} Progress */
/** @typedef {import('./protocol.js').RankLoad} RankLoad */
/** @typedef {import('./protocol.js').Session} Session */
/** @typedef {import('./protocol-wasm.js').Wasm} Wasm */
/** @typedef {Plan['sources'][number]} Source */
/** @typedef {Plan['ranks'][number]} PlannedRank */
/** @typedef {(progress: Progress) => void} Report */
/** @typedef {(read: number, stage: 'reading' | 'analyzing', blocked: boolean) => void} OnRead */
/** @typedef {{blob: Blob, layers: string, name: string}} Place where a file lies: as it is packed; the name is its own */

/** Milliseconds between two reports, and after which other messages, such as one to stop, get a turn. */
const TURN = 50;

/** Only workers have it, and the types here are a page's. @type {new () => {readAsArrayBuffer: (blob: Blob) => ArrayBuffer}} */
const FileReaderSync = /** @type {any} */ (self).FileReaderSync;

/** Reads a file's bytes at once, as workers may. */
class Bytes {
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

/** Openings so far, to tell their files apart. */
let openings = 0;

/** What a drop gave. */
export class Opening {
  #name = openings++;
  #wasm;
  #dropped;
  #sources;
  /** What kept whole files from being looked at, by their numbers. @type {Map<number, unknown>} */
  #unreadable = new Map();
  #reading;
  /** How the ranks were read last. @type {Plan | undefined} */
  #read;

  /** @param {Wasm} wasm @param {Dropped[]} dropped @param {FileReading} reading */
  constructor(wasm, dropped, reading) {
    this.#wasm = wasm;
    this.#dropped = dropped;
    this.#sources = new wasm.SourceList();
    this.#reading = reading;
  }

  /** Forgets what was found. */
  free() {
    this.#sources.free();
  }

  /** Looks into each file, and into archives. @param {AbortSignal} signal @param {Report} report */
  async look(signal, report) {
    let last = performance.now();
    for (const [index, {path, file}] of this.#dropped.entries()) {
      const place = {...NOTHING, file: path, index, files: this.#dropped.length, size: file.size};
      const tell = (/** @type {number} */ read, /** @type {boolean} */ blocked) => {
        report({...place, read, stage: 'looking', blocked});
        last = performance.now();
      };
      if (performance.now() - last > TURN) {
        tell(0, false);
        await new Promise((resolve) => setTimeout(resolve));
      }
      signal.throwIfAborted();
      let blocked = false;
      // A compressed archive is unpacked to see what is in it, at one go.
      const bytes = new Bytes(file, (offset) => {
        if (performance.now() - last < TURN) return;
        blocked = true;
        tell(offset, true);
      });
      this.#sources.add(path, file.size, bytes.read);
      if (blocked) tell(file.size, false);
      if (bytes.failure) this.#unreadable.set(index, bytes.failure);
    }
  }

  /** Which sources make which rank. @param {Changes} changes by a person @returns {Plan} */
  plan(changes) {
    const plan = this.#sources.plan(changes);
    for (const source of plan.sources) {
      const failure = this.#unreadable.get(source.file);
      if (source.problem && failure) source.problem = problemOf(failure, source.path);
    }
    return plan;
  }

  /** Where a file of a rank lies, as that was read. @param {string} rank its name @param {string} path @returns {Place | undefined} */
  place(rank, path) {
    const {ranks = [], sources = []} = this.#read ?? {};
    const number = ranks.filter(({name}) => name === rank).flatMap((one) => one.sources).find((one) => sources[one].path === path);
    if (number === undefined) return undefined;
    const {file, start, len, layers} = sources[number];
    return {blob: this.#dropped[file].file.slice(start, start + len), layers, name: `${this.#name}/${number}`};
  }

  /**
   * Reads the ranks into the session.
   * @param {Changes} changes to the rule by a person @param {Session} session whose ranks stay until one of these can take their place
   * @param {AbortSignal} signal @param {Report} report
   * @returns {Promise<{grouping: Grouping, failures: Problem[]}>}
   */
  async read(changes, session, signal, report) {
    const plan = this.plan(changes);
    session.begin();
    /** @type {Problem[]} */
    const failures = [];
    /** @type {Grouping['ranks']} */
    const ranks = [];
    const files = plan.ranks.reduce((sum, rank) => sum + rank.sources.length, 0);
    let index = 0;
    for (const [origin, rank] of plan.ranks.entries()) {
      const before = failures.length;
      const load = await this.#readRank(plan, rank, failures, signal, (load, source) => {
        let found = load.progress();
        const place = {file: source.path, index: index++, files, size: source.len};
        return (read, stage, blocked) => {
          // What reads at one go holds the rank meanwhile.
          if (!blocked) found = load.progress();
          // This will be a rank: what was there before need not be kept beside it.
          if (found.slices > 0) session.make_way();
          report({...place, ...found, read, stage, blocked});
        };
      });
      if (!load) continue;
      try {
        ranks.push({name: rank.name, number: session.add(load, origin) ?? null, sources: rank.sources});
      } catch (error) {
        const problem = problemOf(error, rank.name);
        if (problem.code === 'crashed') throw error;
        // What kept a file from being read is the cause of there being nothing.
        if (failures.length === before) failures.push(problem);
      }
    }
    this.#reading.rest();
    this.#read = plan;
    const sources = plan.sources.map(({path, bytes, title, problem}) => ({path, bytes, title, problem}));
    return {grouping: {sources, ranks, changes}, failures};
  }

  /**
   * Reads a rank of those that were read last once more; its trace was dropped.
   * @param {number} origin its place among them @param {AbortSignal} signal @param {(share: number) => void} report which part of it was read
   * @returns {Promise<RankLoad | undefined>}
   */
  async again(origin, signal, report) {
    const plan = this.#read;
    const rank = plan?.ranks[origin];
    if (!plan || !rank) return undefined;
    const whole = rank.sources.reduce((sum, number) => sum + plan.sources[number].len, 0);
    /** @type {Problem[]} */
    const failures = [];
    let before = 0;
    const load = await this.#readRank(plan, rank, failures, signal, (_, {len}) => {
      const begin = before;
      before += len;
      return (read) => report((begin + read) / Math.max(1, whole));
    });
    this.#reading.rest();
    if (!load) throw failures[0];
    return load;
  }

  /**
   * Reads a rank's files; nothing if none of them was read.
   * @param {Plan} plan @param {PlannedRank} rank @param {Problem[]} failures @param {AbortSignal} signal
   * @param {(load: RankLoad, source: Source) => OnRead} begin tells who is told how far each file is
   * @returns {Promise<RankLoad | undefined>}
   */
  async #readRank(plan, rank, failures, signal, begin) {
    const load = new this.#wasm.RankLoad(rank.name, rank.bytes);
    let unread = 0;
    try {
      for (const number of rank.sources) {
        const source = plan.sources[number];
        const read = await this.#readSource(load, number, source, failures, signal, begin(load, source));
        if (!read) unread++;
      }
    } catch (error) {
      if (!isCrash(error)) load.free();
      throw error;
    }
    if (unread === rank.sources.length) {
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
    const {file} = this.#dropped[source.file];
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
    await attempt(() => load.begin(this.#sources, number));
    return attempt(async () => {
      if (!source.random) {
        const part = file.slice(source.start, source.start + source.len);
        const archive = /\bcut:/.test(source.layers) ? `${this.#name}/${source.file}` : undefined;
        await this.#reading.read(part, source.layers, archive, load, signal, (read, stage) => report(read, stage, false));
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
        load.read(this.#sources, number, file.size, bytes.read, paced);
      } catch (error) {
        throw bytes.failure ?? error;
      }
      report(source.len, 'analyzing', false);
    });
  }
}

/** Before anything was read. */
const NOTHING = {read: 0, size: 0, bytes: 0, events: 0, slices: 0, activities: 0, blocked: false};
