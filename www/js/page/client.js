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
  /** Told when a frame is drawn on a canvas. @type {Partial<Record<import('../protocol/timeline.js').CanvasName, (drawn: import('../protocol/timeline.js').Drawn) => void>>} */
  onDrawn = {};

  /** Told when the worker died with all it held; whoever waited is told before. @type {(problem: Problem) => void} */
  onLost = () => {};

  /** Told how much of the files a search has looked through. @type {(share: number) => void} */
  onSearching = () => {};

  /** Told how much is done of the exports that take their time. @type {(exporting: import('../protocol/requests.js').ExportGoing[]) => void} */
  onExporting = () => {};

  /** Told when other traces are in memory, and of their summary if it is another one. @type {(held: number[], summary: import('../../types/reports.js').Summary | null) => void} */
  onHeld = () => {};

  /** Told what is read again. @type {(reread: import('../protocol/requests.js').Reread | null) => void} */
  onRereading = () => {};

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

  /** Says what has no answer. @param {Exclude<import('../protocol/requests.js').ToWorker, {kind: 'request'}>} message @param {Transferable[]} [transfer] */
  tell(message, transfer = []) {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message, transfer);
  }

  /** Stops the load that goes on. A worker that hears nothing meanwhile is ended, with all that it holds. */
  cancel() {
    if (this.#deaf) this.#restart(problemOf('cancelled', ''));
    else this.#worker?.postMessage({kind: 'cancel'});
  }

  /** Ends the worker, with all that it holds. */
  close() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#reject(problemOf('cancelled', ''));
  }

  #start() {
    const worker = spawn('session/worker.js');
    // What one that was replaced had still to say, such as of a second frame that failed, is old news.
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

  /** @param {Problem} problem what the worker died of */
  #lose(problem) {
    this.#restart(problem);
    this.onLost(problem);
  }

  /** The worker's memory is lost; whoever waits is told. @param {Problem} problem */
  #restart(problem) {
    this.#worker?.terminate();
    this.#reject(problem);
    // One that cannot even start is not started over and over.
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
