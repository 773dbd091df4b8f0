// The page's side of the session's worker: a promise per request.

import {spawn} from '../shared/spawn.js';
import {Failure} from './failure.js';

/** @typedef {import('../protocol/requests.js').FromWorker} FromWorker */
/** @typedef {import('../../types/reports.js').ProblemReport} Problem */
/** @typedef {import('../protocol/requests.js').Progress} Progress */
/** @typedef {import('../protocol/requests.js').RequestName} RequestName */
/** @typedef {import('../protocol/requests.js').Requests} Requests */

/** Talks to the session's worker, and starts another one where it dies. */
export class Client {
  /** Undefined after it died before its first message: then the next request starts another one. @type {Worker | undefined} */
  #worker = this.#start();
  #alive = false;
  /** Whether it is blocked by reading a file at once. */
  #deaf = false;
  /** Whether it is ended: no request starts another worker. */
  #isClosed = false;
  #next = 1;
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (failure: Failure) => void}>} */
  #waiting = new Map();
  /** @type {(progress: Progress) => void} */
  onProgress = () => {};
  /** Called when a frame is drawn on a canvas. @type {Partial<Record<import('../protocol/timeline.js').CanvasName, (drawn: import('../protocol/timeline.js').Drawn) => void>>} */
  onDrawn = {};

  /** Called when the worker died with all its traces, after pending requests failed. @type {(problem: Problem) => void} */
  onLost = () => {};

  /** Called with the share of the files that a search has looked through. @type {(share: number) => void} */
  onSearching = () => {};

  /** Called with the progress of long exports. @type {(exporting: import('../protocol/requests.js').ExportGoing[]) => void} */
  onExporting = () => {};

  /** Called when other traces are in memory, with their summary if it is another one. @type {(held: number[], summary: import('../../types/reports.js').Summary | null) => void} */
  onHeld = () => {};

  /** Called with the rank that is read again. @type {(reread: import('../protocol/requests.js').Reread | null) => void} */
  onRereading = () => {};

  /**
   * @template {RequestName} Name
   * @param {Name} name @param {Requests[Name]['argument']} argument
   * @returns {Promise<Requests[Name]['answer']>}
   */
  ask(name, argument) {
    const id = this.#next++;
    if (this.#isClosed) return Promise.reject(new Failure(problemOf('cancelled', '')));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve, reject});
      this.#worker ??= this.#start();
      this.#worker.postMessage({kind: 'request', id, name, argument});
    });
  }

  /** Sends a message without an answer. @param {Exclude<import('../protocol/requests.js').ToWorker, {kind: 'request'}>} message @param {Transferable[]} [transfer] */
  tell(message, transfer = []) {
    if (this.#isClosed) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(message, transfer);
  }

  /** Stops the current load. A worker that is blocked is ended, with all its traces. */
  cancel() {
    if (this.#deaf) this.#restart(problemOf('cancelled', ''));
    else this.#worker?.postMessage({kind: 'cancel'});
  }

  /** Ends the worker for good, with all that it holds. */
  close() {
    this.#isClosed = true;
    this.#deaf = false;
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#reject(problemOf('cancelled', ''));
  }

  #start() {
    const worker = spawn('session/worker.js');
    // Late messages of a replaced worker, such as on a second failed frame, are ignored.
    const isCurrent = () => worker === this.#worker;
    worker.addEventListener('message', (/** @type {MessageEvent<FromWorker>} */ event) => isCurrent() && this.#take(event.data));
    worker.addEventListener('error', (event) => isCurrent() && this.#lose(problemOf('crashed', event.message || 'the worker could not start')));
    return worker;
  }

  /** @param {FromWorker} message */
  #take(message) {
    this.#alive = true;
    if (message.kind !== 'drawn') this.#deaf = message.kind === 'progress' && message.progress.blocked;
    if (message.kind === 'drawn') {
      this.onDrawn[message.name]?.(message.drawn);
      return;
    }
    if (message.kind === 'searching') {
      this.onSearching(message.share);
      return;
    }
    if (message.kind === 'exporting') {
      this.onExporting(message.exporting);
      return;
    }
    if (message.kind === 'held') {
      this.onHeld(message.held, message.summary);
      return;
    }
    if (message.kind === 'rereading') {
      this.onRereading(message.reread);
      return;
    }
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
    if (message.problem.code === 'crashed') this.#lose(message.problem);
  }

  /** @param {Problem} problem cause of the worker's death */
  #lose(problem) {
    this.#restart(problem);
    this.onLost(problem);
  }

  /** Replaces the worker, whose memory is lost, and fails pending requests. @param {Problem} problem */
  #restart(problem) {
    this.#worker?.terminate();
    this.#reject(problem);
    // A worker that cannot even start is not started again and again.
    this.#worker = this.#alive ? this.#start() : undefined;
    this.#alive = this.#deaf = false;
  }

  /** @param {Problem} problem */
  #reject(problem) {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const {reject} of waiting) reject(new Failure(problem));
  }
}

/** @param {'cancelled' | 'crashed'} code @param {string} message @returns {Problem} */
function problemOf(code, message) {
  return {code, file: '', position: null, message, tried: [], expected: ''};
}
