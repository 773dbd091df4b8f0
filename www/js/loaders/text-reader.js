// Reading a file's text batch by batch, by a reader worker: nothing ever holds the whole of it.

import {spawn} from '../shared/spawn.js';

/** @typedef {Pick<import('../protocol/wasm.js').RankLoad, 'push' | 'damaged'>} Taker whoever takes a file's text */
/** @typedef {import('../protocol/loading.js').FromSource} FromSource */
/** @typedef {import('../protocol/loading.js').ToSource} ToSource */
/** @typedef {(read: number, stage: 'reading' | 'analyzing') => void} OnProgress */

/** Milliseconds between two reports of progress. */
const PACE = 60;

/** Reads files, one after the other. */
export class TextReader {
  // Up and waiting before it is needed: starting a worker takes tens of milliseconds.
  #source = spawn('loaders/reader.js');
  /** Milliseconds that were taken by whoever takes the text. */
  scanning = 0;

  /**
   * Reads a file, or a piece of one, that is packed in these layers, or not at all.
   * @param {Blob} file
   * @param {string} layers
   * @param {string | undefined} archive a name of the archive that is unpacked to read the file; the next of its files is read from there on
   * @param {Taker} taker
   * @param {AbortSignal} signal
   * @param {OnProgress} onProgress
   */
  async read(file, layers, archive, taker, signal, onProgress) {
    const listening = new AbortController();
    try {
      await this.#pull({kind: 'start', file, layers, archive}, taker, signal, listening.signal, paced(onProgress));
    } catch (error) {
      // It may be in the middle of anything.
      this.#source.terminate();
      this.#source = spawn('loaders/reader.js');
      throw error;
    } finally {
      listening.abort();
    }
    onProgress(file.size, 'analyzing');
  }

  /** Forgets how far archives were unpacked. */
  rest() {
    this.#source.postMessage({kind: 'rest'});
  }

  /**
   * @param {ToSource} start @param {Taker} taker @param {AbortSignal} cancel @param {AbortSignal} listening
   * @param {(read: number) => void} report
   * @returns {Promise<void>}
   */
  #pull(start, taker, cancel, listening, report) {
    const source = this.#source;
    return new Promise((resolve, reject) => {
      const options = {signal: listening};
      cancel.addEventListener('abort', () => reject(cancel.reason), options);
      const fail = (/** @type {ErrorEvent} */ event) => {
        // Otherwise it would count as this worker's own failure too.
        event.preventDefault();
        reject(new Error(event.message || 'reading failed'));
      };
      source.addEventListener('error', fail, options);
      /** @param {MessageEvent<FromSource>} event */
      const take = ({data}) => {
        try {
          if (data.kind === 'bytes') {
            const begun = performance.now();
            for (const piece of data.pieces) taker.push(piece);
            this.scanning += performance.now() - begun;
            report(data.read);
            // The buffers go back to be filled again.
            const buffers = data.pieces.map(({buffer}) => buffer);
            source.postMessage({kind: 'more', buffers}, buffers);
          } else if (data.kind === 'end') {
            if (data.damage) taker.damaged(data.damage);
            resolve();
          } else {
            reject(new DOMException(data.message, data.name));
          }
        } catch (error) {
          reject(error);
        }
      };
      source.addEventListener('message', take, options);
      source.postMessage(start);
    });
  }
}

/** @param {OnProgress} onProgress @returns {(read: number) => void} */
function paced(onProgress) {
  let last = -Infinity;
  return (read) => {
    const now = performance.now();
    if (now - last >= PACE) {
      last = now;
      onProgress(read, 'reading');
    }
  };
}
