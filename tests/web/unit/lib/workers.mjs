// Workers that tests answer for.

/** @typedef {{kind: string, [key: string]: any}} Message */

/** A worker that runs nothing: it stores messages to it, and answers as a test wants. */
export class FakeWorker extends EventTarget {
  /** The started workers, in order of their start. @type {FakeWorker[]} */
  static started = [];
  /** @type {Message[]} */
  told = [];
  ended = false;

  /** @param {string} _url @param {{name: string}} options */
  constructor(_url, {name}) {
    super();
    this.name = name;
    FakeWorker.started.push(this);
  }

  /** @param {Message} message */
  postMessage(message) {
    this.told.push(message);
  }

  terminate() {
    this.ended = true;
  }

  /** @param {Message} data */
  say(data) {
    this.dispatchEvent(new MessageEvent('message', {data}));
  }

  /** @param {string} message */
  die(message) {
    this.dispatchEvent(Object.assign(new Event('error', {cancelable: true}), {message}));
  }

  /** The last message to it. */
  get last() {
    return this.told[this.told.length - 1];
  }
}

/** Has scripts start such workers from now on; gives those that they start. */
export function fakeWorkers() {
  FakeWorker.started = [];
  globalThis.Worker = /** @type {any} */ (FakeWorker);
  return FakeWorker.started;
}

/** Lets everything that waits for a promise continue. */
export const settled = () => new Promise((resolve) => setTimeout(resolve));
