// The search in the session's worker: one at a time, the last one.

import {ArgsSearch} from './search-args.js';

/** @typedef {import('./opening.js').Place} Place */
/** @typedef {import('../protocol/requests.js').Requests} Requests */
/** @typedef {import('../protocol/wasm.js').Search} Search */
/** @typedef {import('../protocol/wasm.js').Session} Session */
/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */

/** Nothing was found, or is not wanted any more. */
const NOTHING = {count: 0, fault: null, unmatched: [], unread: [], at: []};

/** Parts of the whole time of which each shows whether there are hits. */
const COLUMNS = 600;

/** All slices with a length, except the profiler's own span: that covers the whole recording. */
const SLICES = 'dur>0ns -class:profiler_span';

/** Where a rank's slices begin, in ns of its time: the first one, and about the last one; null where it has none. @param {Wasm} wasm @param {Session} session @param {number} rank @param {number} end of the time that is shown */
export function firstAndLast(wasm, session, rank, end) {
  const search = new wasm.Search(session, rank, SLICES);
  const at = search.columns(session, end, COLUMNS);
  search.free();
  return at.length ? [at[0], at[at.length - 1]] : null;
}

/** The searches of a session. */
export class Searching {
  /** @type {{search: Search, rank: number} | undefined} */
  #found;
  #args = new ArgsSearch();
  #going = new AbortController();
  /** Settled when no search runs. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * @param {Promise<{wasm: Wasm, session: Session}>} ready
   * @param {(rank: string, file: string) => Place | undefined} place where a file of a rank lies
   * @param {(read: number, size: number) => void} report
   */
  constructor(ready, place, report) {
    this.ready = ready;
    this.place = place;
    this.report = report;
  }

  /**
   * Runs a query and marks its hits on the timeline; undefined once another search is wanted.
   * @param {Requests['find']['argument']} wanted @returns {Promise<Requests['find']['answer']>}
   */
  async find(wanted) {
    const forgotten = this.forget();
    const {signal} = (this.#going = new AbortController());
    const done = forgotten.then(() => (signal.aborted ? undefined : this.#find(wanted, signal)));
    this.#last = done.catch(() => {});
    return done;
  }

  /** @param {Requests['find']['argument']} wanted @param {AbortSignal} signal @returns {Promise<Requests['find']['answer']>} */
  async #find({rank, query, args, end}, signal) {
    const {wasm, session} = await this.ready;
    const text = query.trim();
    let search;
    try {
      search = new wasm.Search(session, rank, query);
    } catch (fault) {
      if (fault instanceof Error) throw fault;
      return {...NOTHING, fault: /** @type {any} */ (fault)};
    }
    /** @type {string[]} */
    let unread = [];
    try {
      if (args && text) unread = await this.#args.look(session, search, text, this.place, signal, this.report);
    } catch (error) {
      search.free();
      if (signal.aborted) return undefined;
      throw error;
    }
    this.#found = {search, rank};
    if (text) session.timeline_mark(rank, search.hits());
    const count = search.count();
    const parts = text && !count ? search.unmatched(session) : [];
    /** @type {[number, number][]} */
    const unmatched = Array.from({length: parts.length / 2}, (_, part) => [parts[2 * part], parts[2 * part + 1]]);
    return {count, fault: null, unmatched, unread, at: text ? [...search.columns(session, end, COLUMNS)] : []};
  }

  /** The hit after or before a place, by time. @param {Requests['nextHit']['argument']} from @returns {Promise<Requests['nextHit']['answer']>} */
  async next({at, event, instant, backwards}) {
    const {session} = await this.ready;
    return this.#found?.search.next(session, at, event ?? undefined, instant ?? undefined, backwards) ?? null;
  }

  /**
   * Hits in the order of time, those after one of them or the first ones.
   * @param {Requests['hits']['argument']} wanted @returns {Promise<Requests['hits']['answer']>}
   */
  async list({after, most}) {
    const {session} = await this.ready;
    const found = this.#found;
    /** @type {import('../protocol/requests.js').ListedHit[]} */
    const hits = [];
    let from = after;
    while (found && hits.length < most) {
      const hit = found.search.next(session, -Infinity, from?.event ?? undefined, from?.instant?.index, false);
      // After the last one, the first comes again.
      if (!hit || (from && hit.number <= from.number)) break;
      const place = hit.event === null ? null : session.timeline_place(found.rank, hit.event);
      const {name = '', at_ns: at = 0} = hit.instant ?? {};
      from = place
        ? {...hit, name: place.text, start_ns: place.start, length_ns: place.end - place.start, row: place.row}
        : {...hit, name, start_ns: at, length_ns: null, row: null};
      hits.push(from);
    }
    return hits;
  }

  /** Ends the running search, and forgets its hits. */
  async forget() {
    this.#going.abort();
    await this.#last;
    const {session} = await this.ready;
    if (!this.#found) return;
    session.timeline_mark(this.#found.rank, undefined);
    this.#found.search.free();
    this.#found = undefined;
  }
}
