// Several workers that read ranks for the session's one.

import {LoaderPool} from './loader-pool.js';

/** @typedef {import('../protocol/loading.js').Numbered} Numbered */
/** @typedef {import('../protocol/loading.js').PlannedRank} PlannedRank */
/** @typedef {import('../protocol/loading.js').RankProgress} RankProgress */
/** @typedef {import('../protocol/loading.js').ReadRank} ReadRank */
/** @typedef {import('../protocol/requests.js').Dropped} Dropped */
/** @typedef {import('../../types/reports.js').PlanReport} Plan */
/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */

/** @typedef {{rank: PlannedRank, sources: Numbered[]}} RankJob a rank that is to be read */

/** The most loaders: with more, the session's worker, which analyzes their ranks, cannot keep up. */
const MOST = 4;

/** Bytes of text that may be read at once, all loaders together: a read rank takes about as much memory. */
const AT_ONCE = 512 << 20;

/** Less text is read before other workers are up. */
const LITTLE = 32 << 20;

/** Assumed bytes of text per packed byte. */
const PACKED = 12;

/**
 * Number of workers that read the ranks of a plan; if it is 1, the session's own worker does.
 *
 * A loader keeps two cores busy, since its reader worker inflates. A compressed archive is unpacked from front to back, by
 * one.
 * @param {Plan} plan @param {number} cores @param {number} [said] a person's choice
 */
export function rankLoadersFor({ranks, sources}, cores, said) {
  if (said !== undefined) return Math.min(said, ranks.length);
  const used = ranks.map((rank) => rank.sources.map((number) => sources[number]));
  if (used.flat().some(({layers}) => /\bcut:/.test(layers))) return 1;
  const texts = used.map((files) => files.reduce((sum, {len, layers}) => sum + len * (layers ? PACKED : 1), 0));
  if (texts.reduce((sum, text) => sum + text, 0) < LITTLE) return 1;
  return Math.min(MOST, Math.floor(cores / 2), ranks.length, Math.floor(AT_ONCE / Math.max(1, ...texts)));
}

/** Reads ranks, some at a time: no more are under way, or wait to be taken, than there are loaders. */
export class RankLoaders {
  #wasm;
  #jobs;
  #signal;
  #pool;
  /** The awaited rank: its progress is reported. */
  #wanted = 0;

  /**
   * @param {number} count @param {Wasm} wasm @param {Dropped[]} dropped @param {RankJob[]} jobs in the order in which they are asked for
   * @param {AbortSignal} signal @param {(progress: RankProgress) => void} tell
   */
  constructor(count, wasm, dropped, jobs, signal, tell) {
    this.#wasm = wasm;
    this.#jobs = jobs;
    this.#signal = signal;
    this.#pool = new LoaderPool({
      count,
      ahead: count,
      dropped,
      jobs: jobs.map(({rank, sources}) => ({kind: 'rank', rank, sources: sources.map(({source}) => source)})),
      signal,
      tell: (origin, progress) => {
        if (origin !== this.#wanted) return;
        const before = jobs.slice(0, origin).reduce((sum, {sources}) => sum + sources.length, 0);
        // This worker is never blocked, unlike the loader.
        tell({...progress, index: before + progress.index, blocked: false});
      },
    });
  }

  /**
   * Waits for a rank: each is asked for once, in their order.
   * @param {number} origin its place among them @returns {Promise<ReadRank>}
   */
  async rank(origin) {
    this.#wanted = origin;
    const {parts, failures} = await this.#pool.take(origin);
    // Messages get a turn where several ranks are there already.
    await new Promise((resolve) => setTimeout(resolve));
    this.#signal.throwIfAborted();
    const {name, bytes} = this.#jobs[origin].rank;
    const load = parts.length ? this.#wasm.RankLoad.deserialize(name, bytes, () => parts.shift()) : undefined;
    return {load, failures};
  }

  /** Ends the loaders, and drops what they read. */
  end() {
    this.#pool.end();
  }
}
