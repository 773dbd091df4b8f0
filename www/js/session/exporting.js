// A trace for Perfetto, in the session's worker: its text is compressed while it is made, so that only a few MB of it are in
// memory. The browser keeps the compressed data where it has room, on the disk if it is large.

import {isCrash} from '../shared/problem.js';
import {turn} from '../shared/turn.js';

/** @typedef {import('../protocol/requests.js').Requests} Requests */
/** @typedef {import('../protocol/wasm.js').Session} Session */

/** An export that takes longer, in ms, says how far it is, and says so again after that. */
const PAUSE = 250;

/** @typedef {import('../protocol/requests.js').ExportGoing & {stop: AbortController, isTold: boolean}} Going a running export; a long one has its progress reported */

/** The exports of a session, which are made one after another. */
export class Exporting {
  /** Those that are made or wait for their turn. @type {Set<Going>} */
  #going = new Set();

  /**
   * @param {Promise<{session: Session}>} ready
   * @param {(rank: number) => Promise<Session>} hold brings a rank's trace back if it was dropped
   * @param {(exporting: import('../protocol/requests.js').ExportGoing[]) => void} report called with the progress of long exports
   */
  constructor(ready, hold, report) {
    this.ready = ready;
    this.hold = hold;
    this.report = report;
  }

  /**
   * Makes one, when it has its turn; before that it is given up at once.
   * @param {Requests['export']['argument']} wanted @param {(act: () => Promise<Blob>) => Promise<Blob>} inTurn @returns {Promise<Blob>}
   */
  async ask(wanted, inTurn) {
    /** @type {Going} */
    const going = {number: wanted.number, name: wanted.name, share: null, stop: new AbortController(), isTold: false};
    const {signal} = going.stop;
    this.#going.add(going);
    const waits = setTimeout(() => going.share === null && this.#tell(going), PAUSE);
    /** @type {Promise<never>} */
    const givenUp = new Promise((_, reject) => signal.addEventListener('abort', () => going.share === null && reject(signal.reason)));
    try {
      return await Promise.race([givenUp, inTurn(() => this.#make(wanted, going))]);
    } finally {
      clearTimeout(waits);
      this.#going.delete(going);
      if (going.isTold) this.#report();
    }
  }

  /** Aborts one of them, or all. @param {number} [number] @param {unknown} [reason] the error for the page; by default an abort by the person */
  stop(number, reason) {
    for (const going of this.#going) if (number === undefined || going.number === number) going.stop.abort(reason);
  }

  /** @param {Going} going */
  #tell(going) {
    going.isTold = true;
    this.#report();
  }

  #report() {
    this.report([...this.#going].filter(({isTold}) => isTold).map(({number, name, share}) => ({number, name, share})));
  }

  /** @param {Requests['export']['argument']} wanted @param {Going} going @returns {Promise<Blob>} */
  async #make(wanted, going) {
    const {session} = await this.ready;
    const {signal} = going.stop;
    signal.throwIfAborted();
    going.share = 0;
    if (going.isTold) this.#report();
    const packer = new CompressionStream('gzip');
    const packed = new Response(packer.readable).blob();
    // Reported below, together with all other failures.
    packed.catch(() => {});
    const writer = packer.writable.getWriter();
    try {
      await this.#write(session, wanted, writer, going);
      const blob = await packed;
      signal.throwIfAborted();
      return new Blob([blob], {type: 'application/gzip'});
    } catch (error) {
      await writer.abort(error).catch(() => {});
      // An instance that crashed cannot be used.
      if (isCrash(error)) throw error;
      session.export_stop();
      // Report the reason of the abort, not the place that noticed it.
      throw signal.aborted ? signal.reason : error;
    }
  }

  /**
   * Writes rank by rank, and leaves others their turn.
   * @param {Session} session @param {Requests['export']['argument']} wanted @param {WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>} writer
   * @param {Going} going
   */
  async #write(session, {ranks, summary, span, tracks, graphs}, writer, going) {
    const {signal} = going.stop;
    /** @type {Uint8Array<ArrayBuffer>[]} */
    let pieces = [];
    const take = (/** @type {Uint8Array<ArrayBuffer>} */ piece) => void pieces.push(piece);
    const pack = async () => {
      const made = pieces;
      pieces = [];
      for (const piece of made) await writer.write(piece);
    };
    let told = performance.now();
    session.export_begin(
      Uint32Array.from(ranks),
      summary,
      span && Float64Array.from(span),
      tracks && Uint32Array.from(tracks),
      graphs && Uint32Array.from(graphs.only),
      graphs?.apart ?? false,
      take,
    );
    for (const rank of ranks) {
      for (let done = false; !done;) {
        const holder = await this.hold(rank);
        signal.throwIfAborted();
        done = holder.export_rank(rank, take);
        await pack();
        const now = performance.now();
        if (now - told > PAUSE) {
          told = now;
          going.share = session.export_share();
          this.#tell(going);
        }
        await turn();
        signal.throwIfAborted();
      }
    }
    session.export_end(take);
    await pack();
    await writer.close();
  }
}
