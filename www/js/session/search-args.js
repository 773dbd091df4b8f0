// The search in the files' own text, which the session does not keep. They are read once more, from front to back.

import {TextReader} from '../loaders/text-reader.js';
import {problemOf} from '../shared/problem.js';
import {turn} from '../shared/turn.js';

/** @typedef {import('./opening.js').Place} Place */
/** @typedef {import('../protocol/wasm.js').Search} Search */
/** @typedef {import('../protocol/wasm.js').Session} Session */

/** Reads files beside the load, and has a search look at them. */
export class ArgsSearch {
  /** Made when it is needed: it starts a worker. @type {TextReader | undefined} */
  #reader;

  /**
   * Looks for a text in all events of the rank that is searched.
   * @param {Session} session @param {Search} search @param {string} text
   * @param {(rank: string, file: string) => Place | undefined} place where a file lies
   * @param {AbortSignal} signal @param {(read: number, size: number) => void} report
   * @returns {Promise<string[]>} the files that could not be looked through
   */
  async look(session, search, text, place, signal, report) {
    search.look(session, text);
    while (!search.prepare(session)) {
      await turn();
      signal.throwIfAborted();
    }
    const texts = search.texts(session).map((text) => ({...text, place: place(text.rank, text.file)}));
    const size = texts.reduce((sum, {place}) => sum + (place?.blob.size ?? 0), 0);
    /** @type {string[]} */
    const unread = [];
    let before = 0;
    for (const [number, {file, is_json: isJson, place}] of texts.entries()) {
      signal.throwIfAborted();
      if (!isJson || !place) {
        unread.push(file);
        continue;
      }
      search.begin(session, number);
      this.#reader ??= new TextReader();
      const taker = {push: (/** @type {Uint8Array} */ bytes) => search.push(session, bytes), damaged: () => {}};
      const read = before;
      await this.#reader
        .read(place.blob, place.layers, undefined, taker, signal, (here) => report(read + here, size))
        .catch((error) => {
          throw signal.aborted ? error : problemOf(error, file);
        });
      before += place.blob.size;
      if (!search.end()) unread.push(file);
    }
    search.finish();
    return unread;
  }
}
