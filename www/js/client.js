// The page's side of the session's worker: a promise per request.

import {Failure} from './failure.js';
import {spawn} from './spawn.js';

/** @typedef {import('./protocol.js').FromWorker} FromWorker */
/** @typedef {import('./protocol.js').Progress} Progress */
/** @typedef {import('./protocol.js').RequestName} RequestName */
/** @typedef {import('./protocol.js').Requests} Requests */

/** Talks to the session's worker, and starts another one where it dies. */
export class Client {
  /** None after it died before it ever said anything: then the next request starts another one. @type {Worker | undefined} */
  #worker = this.#start();
  #alive = false;
  /** Whether it reads a file at one go. */
  #deaf = false;
  #next = 1;
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (failure: Failure) => void}>} */
  #waiting = new Map();
  /** @type {(progress: Progress) => void} */
  onProgress = () => {};

  /**
   * @template {RequestName} Name
   * @param {Name} name @param {Requests[Name]['argument']} argument
   * @returns {Promise<Requests[Name]['answer']>}
   */
  ask(name, argument) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve, reject});
      this.#worker ??= this.#start();
      this.#worker.postMessage({kind: 'request', id, name, argument});
    });
  }

  /** Stops the load that goes on. A worker that hears nothing meanwhile is ended, with all that it holds. */
  cancel() {
    if (this.#deaf) this.#restart('cancelled');
    else this.#worker?.postMessage({kind: 'cancel'});
  }

  /** Ends the worker. */
  close() {
    this.#worker?.terminate();
  }

  #start() {
    const worker = spawn('./worker.js');
    worker.addEventListener('message', (/** @type {MessageEvent<FromWorker>} */ event) => this.#take(event.data));
    worker.addEventListener('error', (event) => this.#restart(event.message || 'the worker could not start'));
    return worker;
  }

  /** @param {FromWorker} message */
  #take(message) {
    this.#alive = true;
    this.#deaf = message.kind === 'progress' && message.progress.blocked;
    if (message.kind === 'progress') {
      this.onProgress(message.progress);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') {
      waiting?.resolve(message.answer);
      return;
    }
    waiting?.reject(new Failure(message.problem));
    if (message.problem.code === 'crashed') this.#restart(message.problem.message);
  }

  /** The worker's memory is lost; whoever waits is told. @param {string} message */
  #restart(message) {
    this.#worker?.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    // One that cannot even start is not started over and over.
    this.#worker = this.#alive ? this.#start() : undefined;
    this.#alive = this.#deaf = false;
    const problem = {code: 'crashed', file: '', position: null, message, tried: [], expected: ''};
    /** @type {[string, string][]} */
    const tried = [];
    for (const {reject} of waiting) reject(new Failure({...problem, tried}));
  }
}
