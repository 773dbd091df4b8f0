// An event as it stands in its file: read when somebody asks for it, since nothing holds a file's text.

import {spawn} from '../shared/spawn.js';

/** @typedef {import('./opening.js').Place} Place */
/** @typedef {import('../../types/reports.js').EventPlaceReport} EventPlace */
/** @typedef {import('../protocol/answers.js').EventText} EventText */
/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */
/** @typedef {import('../protocol/loading.js').Sought} Sought */

/** Bytes read at first: most events have a few hundred. */
const FIRST = 1 << 14;

/** The longest event, in bytes: a longer object is no event. */
const MOST = 64 << 20;

/** Reads events out of the files that were opened, one at a time: a later request replaces an earlier one. */
export class EventTexts {
  /** Unpacks files, beside the one that reads them. @type {Worker | undefined} */
  #source;
  #asked = 0;

  /**
   * An event's object; undefined if another request replaces it.
   * @param {Wasm} wasm @param {EventPlace} event @param {Place | undefined} place where its file lies; undefined if it is gone
   * @returns {Promise<EventText | undefined>}
   */
  async read(wasm, event, place) {
    const asked = ++this.#asked;
    const {file, format, at} = event;
    const none = {file, format, at, is_json: event.is_json && place !== undefined, object: null};
    if (!event.is_json || !place) return none;
    for (let length = FIRST; length <= MOST; length *= 8) {
      const found = place.layers ? await this.#sought(place, at, length) : await part(place.blob, at, length);
      if (!found || asked !== this.#asked) return undefined;
      const text = wasm.event_text(found.bytes, found.isEnd);
      if (text) return {...none, ...JSON.parse(new TextDecoder().decode(text))};
      if (found.isEnd) break;
    }
    return none;
  }

  /** Nobody wants the event any more that is being read. */
  stop() {
    this.#asked++;
    this.#source?.postMessage({kind: 'stop'});
  }

  /** Forgets how far files were unpacked. */
  rest() {
    this.#asked++;
    this.#source?.terminate();
    this.#source = undefined;
  }

  /**
   * A piece of a packed file's content, unpacked up to there; undefined if another request replaces it.
   * @param {Place} place @param {number} from @param {number} length @returns {Promise<Sought | undefined>}
   */
  #sought({blob, layers, name}, from, length) {
    this.#source ??= spawn('loaders/reader.js');
    const source = this.#source;
    const {port1, port2} = new MessageChannel();
    return new Promise((resolve, reject) => {
      port1.onmessage = ({data}) => {
        port1.close();
        if (data.failure) reject(new DOMException(data.failure.message, data.failure.name));
        else resolve(data.sought);
      };
      source.postMessage({kind: 'seek', file: blob, layers, name, from, length, answer: port2}, [port2]);
    });
  }
}

/** A piece of a file. @param {Blob} blob @param {number} from @param {number} length @returns {Promise<Sought>} */
async function part(blob, from, length) {
  const bytes = new Uint8Array(await blob.slice(from, from + length).arrayBuffer());
  return {bytes, isEnd: from + length >= blob.size};
}
