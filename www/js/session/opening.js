// The way of dropped files to ranks: looked at, grouped, read rank by rank, here or by loader workers.

import {FileBytes} from '../loaders/file-bytes.js';
import {RankReader, progressOf} from '../loaders/rank-reader.js';
import {problemOf} from '../shared/problem.js';
import {TURN} from '../shared/turn.js';
import {PieceReader, pieceLoadersFor} from './piece-reader.js';
import {RankLoaders, rankLoadersFor} from './rank-loaders.js';

/** @typedef {import('../protocol/requests.js').Changes} Changes */
/** @typedef {import('../protocol/requests.js').Dropped} Dropped */
/** @typedef {import('../protocol/requests.js').Grouping} Grouping */
/** @typedef {import('../../types/reports.js').PlanReport} Plan */
/** @typedef {import('../../types/reports.js').ProblemReport} Problem */
/** @typedef {import('../protocol/requests.js').Progress} Progress */
/** @typedef {import('../protocol/wasm.js').RankLoad} RankLoad */
/** @typedef {import('../protocol/wasm.js').Session} Session */
/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */
/** @typedef {import('../loaders/text-reader.js').TextReader} TextReader */
/** @typedef {import('../protocol/loading.js').Numbered} Numbered */
/** @typedef {import('../protocol/loading.js').PlannedRank} PlannedRank */
/** @typedef {import('../protocol/loading.js').RankProgress} RankProgress */
/** @typedef {import('../protocol/loading.js').ReadRank} ReadRank */
/** @typedef {(progress: Progress) => void} Report */
/** @typedef {{blob: Blob, layers: string, name: string}} Place where a file lies: as it is packed; the name is its own */

/** The formats that the first part of the wasm reads, by their titles. */
const FIRST = ['PyTorch profiler (Kineto JSON)', 'Any Chrome trace (Perfetto JSON)', 'Stepscope export (Perfetto JSON)'];

/** Number of openings so far, to distinguish their files. */
let openings = 0;

/** The files of a drop. */
export class Opening {
  #name = openings++;
  #wasm;
  #dropped;
  #sources;
  /** Errors that kept whole files from being looked at, by their numbers. @type {Map<number, unknown>} */
  #unreadable = new Map();
  #texts;
  #workers;
  #ranks;
  /** The plan by which the ranks were read last. @type {Plan | undefined} */
  #read;
  /** A person's changes to the grouping then. @type {Changes} */
  #changes = [];

  /** @param {Wasm} wasm @param {Dropped[]} dropped @param {TextReader} texts @param {number} [workers] number that read ranks, by a person's choice */
  constructor(wasm, dropped, texts, workers) {
    this.#wasm = wasm;
    this.#dropped = dropped;
    this.#sources = new wasm.SourceList();
    this.#texts = texts;
    this.#workers = workers;
    this.#ranks = new RankReader({wasm, dropped, list: this.#sources, texts, name: this.#name});
  }

  /** The files of which ranks were made, the texts in each, and a person's changes to their grouping. */
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
    const texts = indices.map((index) =>
      sources.filter(({file}) => file === index).map(({file, start, len, layers}) => ({blob: this.#dropped[file].file.slice(start, start + len), layers})),
    );
    return {files: indices.map((index) => this.#dropped[index]), texts, changes};
  }

  /** Frees the sources. */
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
      // A compressed archive is unpacked in one blocking call to list its content.
      const bytes = new FileBytes(file, (offset) => {
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
    const number = ranks
      .filter(({name}) => name === rank)
      .flatMap((one) => one.sources)
      .find((one) => sources[one].path === path);
    if (number === undefined) return undefined;
    const {file, start, len, layers} = sources[number];
    return {blob: this.#dropped[file].file.slice(start, start + len), layers, name: `${this.#name}/${number}`};
  }

  /**
   * Reads the ranks into the session.
   * @param {Changes} changes to the rule by a person @param {Session} session whose ranks stay until one of these can take their place
   * @param {AbortSignal} signal @param {Report} report
   * @returns {Promise<{grouping: Grouping, failures: Problem[], times: import('../protocol/requests.js').Times}>}
   */
  async read(changes, session, signal, report) {
    const plan = this.plan(changes);
    // Jobs, and formats other than PyTorch's and Chrome's, need more of the wasm than the page starts with.
    if (plan.ranks.length > 1 || plan.sources.some(({title}) => title && !FIRST.includes(title))) await this.#wasm.loadSeldom();
    session.begin();
    /** @type {Problem[]} */
    const failures = [];
    /** The ranks that were read, by their places in the plan. @type {Map<number | undefined, Grouping['ranks'][number]>} */
    const loaded = new Map();
    const times = {scanning: 0, finishing: 0, analyzing: 0};
    this.#texts.scanning = 0;
    const reader = this.#whoReads(plan, session, signal, report);
    try {
      for (const [origin, rank] of plan.ranks.entries()) {
        const {load, failures: own} = await reader.rank(origin);
        if (load) {
          try {
            const begun = performance.now();
            load.finish();
            const finished = performance.now();
            loaded.set(origin, {name: rank.name, number: session.add(load, origin) ?? null, sources: rank.sources});
            times.finishing += finished - begun;
            times.analyzing += performance.now() - finished;
          } catch (error) {
            const problem = problemOf(error, rank.name);
            if (problem.code === 'crashed') throw error;
            // The failure of a file is the cause of the missing rank.
            if (!own.length) own.push(problem);
          }
        }
        failures.push(...own);
      }
    } finally {
      reader.end();
    }
    this.#texts.rest();
    this.#read = plan;
    this.#changes = changes;
    const sources = plan.sources.map(({path, bytes, title, problem}) => ({path, bytes, title, problem}));
    times.scanning = this.#texts.scanning;
    // In the session's order, by which all else names a rank.
    const ranks = Array.from(loaded, (_, index) => loaded.get(session.origin(index)) ?? []).flat();
    return {grouping: {sources, ranks, changes}, failures, times};
  }

  /**
   * The reader of the ranks, in the plan's order: this worker, or loader workers.
   * @param {Plan} plan @param {Session} session @param {AbortSignal} signal @param {Report} report
   * @returns {{rank: (origin: number) => Promise<ReadRank>, end: () => void}}
   */
  #whoReads(plan, session, signal, report) {
    const jobs = plan.ranks.map((rank) => ({rank, sources: this.#sourcesOf(plan, rank)}));
    const files = jobs.reduce((sum, {sources}) => sum + sources.length, 0);
    const tell = (/** @type {RankProgress} */ progress) => {
      // This will be a rank: the previous traces need not be kept beside it.
      if (progress.slices > 0) session.make_way();
      report({...progress, files});
    };
    const cores = navigator.hardwareConcurrency || 1;
    const loaders = rankLoadersFor(plan, cores, this.#workers);
    if (loaders > 1) return new RankLoaders(loaders, this.#wasm, this.#dropped, jobs, signal, tell);
    this.#ranks.apart = new PieceReader(pieceLoadersFor(plan, cores, this.#workers), this.#dropped, this.#texts);
    let index = 0;
    const begin = progressOf(() => index++, tell);
    return {rank: (origin) => this.#ranks.read(jobs[origin].rank, jobs[origin].sources, signal, begin), end: () => {}};
  }

  /**
   * Reads a rank of those that were read last once more; its trace was dropped.
   * @param {number} origin its place among them @param {AbortSignal} signal @param {(share: number) => void} report called with the share that was read
   * @returns {Promise<RankLoad | undefined>}
   */
  async again(origin, signal, report) {
    const plan = this.#read;
    const rank = plan?.ranks[origin];
    if (!plan || !rank) return undefined;
    const whole = rank.sources.reduce((sum, number) => sum + plan.sources[number].len, 0);
    let before = 0;
    const {load, failures} = await this.#ranks.read(rank, this.#sourcesOf(plan, rank), signal, (_, {len}) => {
      const begin = before;
      before += len;
      return (read) => report((begin + read) / Math.max(1, whole));
    });
    this.#texts.rest();
    if (!load) throw failures[0];
    return load;
  }

  /** A rank's sources. @param {Plan} plan @param {PlannedRank} rank @returns {Numbered[]} */
  #sourcesOf(plan, rank) {
    return rank.sources.map((number) => ({source: plan.sources[number], number}));
  }
}

/** Before anything was read. */
const NOTHING = {read: 0, size: 0, bytes: 0, events: 0, slices: 0, activities: 0, blocked: false};
