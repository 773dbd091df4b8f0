// What was dropped, from files to ranks: looked at, grouped, read rank by rank, here or by workers that help.

import {Helpers, helpersFor} from '../loaders/helpers.js';
import {pieceReadersFor} from '../loaders/pieces.js';
import {Bytes, RankReading, TURN, tellOf} from '../loaders/rank.js';
import {problemOf} from '../shared/problem.js';

/** @typedef {import('../protocol/protocol.js').Changes} Changes */
/** @typedef {import('../protocol/protocol.js').Dropped} Dropped */
/** @typedef {import('../protocol/protocol.js').Grouping} Grouping */
/** @typedef {import('../protocol/protocol.js').Plan} Plan */
/** @typedef {import('../protocol/protocol.js').Problem} Problem */
/** @typedef {import('../protocol/protocol.js').Progress} Progress */
/** @typedef {import('../protocol/protocol.js').RankLoad} RankLoad */
/** @typedef {import('../protocol/protocol.js').Session} Session */
/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */
/** @typedef {import('../loaders/load.js').FileReading} FileReading */
/** @typedef {import('../loaders/rank.js').PlannedRank} PlannedRank */
/** @typedef {(progress: Progress) => void} Report */
/** @typedef {{blob: Blob, layers: string, name: string}} Place where a file lies: as it is packed; the name is its own */

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
  #workers;
  #ranks;
  /** How the ranks were read last. @type {Plan | undefined} */
  #read;
  /** How a person had changed their grouping then. @type {Changes} */
  #changes = [];

  /** @param {Wasm} wasm @param {Dropped[]} dropped @param {FileReading} reading @param {number} [workers] that read ranks, as a person wants it */
  constructor(wasm, dropped, reading, workers) {
    this.#wasm = wasm;
    this.#dropped = dropped;
    this.#sources = new wasm.SourceList();
    this.#reading = reading;
    this.#workers = workers;
    this.#ranks = new RankReading(wasm, dropped, this.#sources, reading, this.#name);
  }

  /** The files of which ranks were made, the texts in each, and how a person changed what they make. */
  filesRead() {
    const {ranks, sources} = this.#read ?? {ranks: [], sources: []};
    const used = new Set(ranks.flatMap((rank) => rank.sources.map((number) => sources[number].file)));
    // Where these files alone are opened, sources have other numbers.
    const numbers = [...sources.keys()].filter((number) => used.has(sources[number].file));
    const changes = this.#changes.flatMap(([source, rank]) => {
      const number = numbers.indexOf(source);
      return number < 0 ? [] : [/** @type {[number, number | null]} */ ([number, rank])];
    });
    const indices = [...this.#dropped.keys()].filter((index) => used.has(index));
    const texts = indices.map((index) => sources.filter(({file}) => file === index).map(({file, start, len, layers}) => ({blob: this.#dropped[file].file.slice(start, start + len), layers})));
    return {files: indices.map((index) => this.#dropped[index]), texts, changes};
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
   * @returns {Promise<{grouping: Grouping, failures: Problem[], times: import('../protocol/protocol.js').Times}>}
   */
  async read(changes, session, signal, report) {
    const plan = this.plan(changes);
    session.begin();
    /** @type {Problem[]} */
    const failures = [];
    /** @type {Grouping['ranks']} */
    const ranks = [];
    const times = {scanning: 0, finishing: 0, analyzing: 0};
    this.#reading.scanning = 0;
    const readings = this.#readings(plan, session, signal, report);
    try {
      for (const [origin, rank] of plan.ranks.entries()) {
        const {load, failures: own} = await readings.rank(origin);
        if (load) {
          try {
            const begun = performance.now();
            load.finish();
            const finished = performance.now();
            ranks.push({name: rank.name, number: session.add(load, origin) ?? null, sources: rank.sources});
            times.finishing += finished - begun;
            times.analyzing += performance.now() - finished;
          } catch (error) {
            const problem = problemOf(error, rank.name);
            if (problem.code === 'crashed') throw error;
            // What kept a file from being read is the cause of there being nothing.
            if (!own.length) own.push(problem);
          }
        }
        failures.push(...own);
      }
    } finally {
      readings.end();
    }
    this.#reading.rest();
    this.#read = plan;
    this.#changes = changes;
    const sources = plan.sources.map(({path, bytes, title, problem}) => ({path, bytes, title, problem}));
    times.scanning = this.#reading.scanning;
    return {grouping: {sources, ranks, changes}, failures, times};
  }

  /**
   * What reads the ranks, in the plan's order: this worker, or others whatever else it does.
   * @param {Plan} plan @param {Session} session @param {AbortSignal} signal @param {Report} report
   * @returns {{rank: (origin: number) => Promise<import('../loaders/helpers.js').Found>, end: () => void}}
   */
  #readings(plan, session, signal, report) {
    const jobs = plan.ranks.map((rank) => ({rank, sources: this.#sourcesOf(plan, rank)}));
    const files = jobs.reduce((sum, {sources}) => sum + sources.length, 0);
    const tell = (/** @type {import('../loaders/helpers.js').Read} */ read) => {
      // This will be a rank: what was there before need not be kept beside it.
      if (read.slices > 0) session.make_way();
      report({...read, files});
    };
    const helpers = helpersFor(plan, this.#workers);
    if (helpers > 1) return new Helpers(helpers, this.#wasm, this.#dropped, jobs, signal, tell);
    this.#ranks.pieceReaders = pieceReadersFor(plan, this.#workers);
    let index = 0;
    const rank = async (/** @type {number} */ origin) => {
      const {rank, sources} = jobs[origin];
      /** @type {Problem[]} */
      const failures = [];
      const load = await this.#ranks.read(rank, sources, failures, signal, tellOf(() => index++, tell));
      return {load, failures};
    };
    return {rank, end: () => {}};
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
    const load = await this.#ranks.read(rank, this.#sourcesOf(plan, rank), failures, signal, (_, {len}) => {
      const begin = before;
      before += len;
      return (read) => report((begin + read) / Math.max(1, whole));
    });
    this.#reading.rest();
    if (!load) throw failures[0];
    return load;
  }

  /** A rank's sources. @param {Plan} plan @param {PlannedRank} rank @returns {import('../loaders/rank.js').Numbered[]} */
  #sourcesOf(plan, rank) {
    return rank.sources.map((number) => ({source: plan.sources[number], number}));
  }
}

/** Before anything was read. */
const NOTHING = {read: 0, size: 0, bytes: 0, events: 0, slices: 0, activities: 0, blocked: false};
