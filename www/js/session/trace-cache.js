// Which traces are in memory, in the session's worker: one that was dropped is read again when it is wanted.

/** @typedef {import('./opening.js').Opening} Opening */
/** @typedef {import('../protocol/wasm.js').Session} Session */
/** @typedef {import('../protocol/requests.js').Reread} Reread */

/**
 * @typedef {object} Around callbacks to the worker
 * @property {() => Opening | undefined} opened the opening that the ranks come from
 * @property {() => Promise<void>} before a trace is put back: others may be dropped for it
 * @property {() => void} changed called when other traces are in memory
 * @property {(reread: Reread | null) => void} tell
 */

/** Keeps traces in memory. */
export class TraceCache {
  #going = new AbortController();
  /** Settled when no rank is read again. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {Promise<{session: Session}>} ready @param {Around} around */
  constructor(ready, around) {
    this.ready = ready;
    this.around = around;
  }

  /**
   * The session, with the trace of this rank in memory until something else is waited for.
   * @param {number} rank @returns {Promise<Session>}
   */
  async hold(rank) {
    const {session} = await this.ready;
    const {signal} = this.#going;
    signal.throwIfAborted();
    if (session.is_held(rank)) return session;
    const done = this.#last.then(() => this.#read(rank, signal));
    this.#last = done.catch(() => {});
    await done;
    return session;
  }

  /** Ends the current read: the ranks will be replaced. Until `begin` none is read. */
  async end() {
    this.#going.abort();
    await this.#last;
  }

  begin() {
    this.#going = new AbortController();
  }

  /** @param {number} rank @param {AbortSignal} signal */
  async #read(rank, signal) {
    const {session} = await this.ready;
    const {opened, before, changed, tell} = this.around;
    signal.throwIfAborted();
    const origin = session.origin(rank);
    if (origin === undefined || session.is_held(rank)) return;
    tell({rank, share: 0});
    try {
      const load = await opened()?.again(origin, signal, (share) => tell({rank, share}));
      if (!load) return;
      await before();
      session.restore(rank, load);
      changed();
    } finally {
      tell(null);
    }
  }
}
