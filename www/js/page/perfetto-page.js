// Handing a trace to Perfetto's page, in a tab of its own, by the messages that Perfetto documents for that ("Deep linking
// to the Perfetto UI"): PING until it answers PONG, then the bytes.

/** Milliseconds between two pings; a ping before the page listens is lost. */
const PACE = 100;

/** Milliseconds without an answer after which something seems to be wrong. */
const SLOW = 10_000;

/** @typedef {'blocked' | 'closed'} Failure why nothing was handed over */

export class NotHanded extends Error {
  /** @param {Failure} failure */
  constructor(failure) {
    super(failure);
    this.failure = failure;
  }
}

/** Perfetto's page in a tab of its own. */
export class PerfettoPage {
  /**
   * Opens it; a browser only allows that right after a click.
   * @param {URL} address
   */
  constructor(address) {
    this.origin = address.origin;
    const opened = window.open(address.href, '_blank');
    if (!opened) throw new NotHanded('blocked');
    this.window = opened;
  }

  /**
   * Hands it a trace as soon as it answers.
   * @param {{buffer: ArrayBuffer, title: string, fileName: string}} trace @param {AbortSignal} signal
   * @param {() => void} slow called once if no answer comes
   */
  async give(trace, signal, slow) {
    await this.#answer(signal, slow);
    this.window.postMessage({perfetto: trace}, {targetOrigin: this.origin, transfer: [trace.buffer]});
  }

  /** @param {AbortSignal} signal @param {() => void} slow @returns {Promise<void>} */
  #answer(signal, slow) {
    const done = new AbortController();
    const answered = new Promise((resolve, reject) => {
      const stop = (/** @type {unknown} */ reason) => reject(reason);
      signal.addEventListener('abort', () => stop(signal.reason), {signal: done.signal});
      if (signal.aborted) stop(signal.reason);
      const hear = (/** @type {MessageEvent} */ {source, origin, data}) => {
        if (source === this.window && origin === this.origin && data === 'PONG') resolve(undefined);
      };
      window.addEventListener('message', hear, {signal: done.signal});
      const ask = () => (this.window.closed ? stop(new NotHanded('closed')) : this.window.postMessage('PING', this.origin));
      const asking = setInterval(ask, PACE);
      const waiting = setTimeout(slow, SLOW);
      done.signal.addEventListener('abort', () => {
        clearInterval(asking);
        clearTimeout(waiting);
      });
    });
    return answered.then(() => {}).finally(() => done.abort());
  }
}
