// Several workers that read for the session's one: ranks, or pieces of a file. They end when all is read.

import {spawn} from '../shared/spawn.js';

/** @typedef {import('../protocol/loading.js').FromLoader} FromLoader */
/** @typedef {import('../protocol/loading.js').LoaderAnswer} LoaderAnswer */
/** @typedef {import('../protocol/loading.js').LoaderJob} LoaderJob */
/** @typedef {import('../protocol/loading.js').RankProgress} RankProgress */
/** @typedef {import('../protocol/requests.js').Dropped} Dropped */
/** @typedef {import('../../types/reports.js').ProblemReport} Problem */

/** The answer of a job, and whether it was taken. */
class Expected {
  /** @type {(answer: LoaderAnswer) => void} */
  found = () => {};
  /** @type {(error: unknown) => void} */
  failed = () => {};
  /** @type {() => void} */
  take = () => {};
  /** @type {Promise<LoaderAnswer>} */
  answer = new Promise((resolve, reject) => Object.assign(this, {found: resolve, failed: reject}));
  /** @type {Promise<void>} */
  taken = new Promise((resolve) => (this.take = resolve));

  constructor() {
    // Nobody may wait for it any more.
    this.answer.catch(() => {});
  }
}

/** Runs jobs in loaders, some at a time. */
export class LoaderPool {
  /** @type {Worker[]} */
  #workers = [];
  #jobs;
  #ahead;
  #tell;
  #expected;
  #next = 0;

  /**
   * @param {object} options
   * @param {number} options.count of workers
   * @param {number} options.ahead jobs that may be under way or wait to be taken
   * @param {Dropped[]} options.dropped
   * @param {LoaderJob[]} options.jobs in the order in which they are taken
   * @param {AbortSignal} options.signal
   * @param {(index: number, progress: RankProgress) => void} [options.tell] called with the progress of a job
   */
  constructor({count, ahead, dropped, jobs, signal, tell = () => {}}) {
    this.#jobs = jobs;
    this.#ahead = ahead;
    this.#tell = tell;
    this.#expected = jobs.map(() => new Expected());
    signal.addEventListener('abort', () => this.#fail(signal.reason));
    if (signal.aborted) this.#fail(signal.reason);
    for (let loader = 0; loader < Math.min(count, jobs.length); loader++) {
      const worker = spawn('loaders/loader.js');
      this.#workers.push(worker);
      worker.addEventListener('error', (event) => {
        // Otherwise it would count as this worker's own failure too.
        event.preventDefault();
        this.#fail(crashOf(event));
      });
      worker.postMessage({kind: 'files', dropped});
      this.#employ(worker);
    }
  }

  /** The answer of a job: each is taken once, in their order. @param {number} index */
  async take(index) {
    const answer = await this.#expected[index].answer;
    this.#expected[index].take();
    return answer;
  }

  /** Ends the workers, and drops what they read. */
  end() {
    for (const worker of this.#workers) worker.terminate();
  }

  /** Gives a loader one job after the other, as long as not too many answers wait to be taken. @param {Worker} worker */
  async #employ(worker) {
    for (let index = this.#next++; index < this.#jobs.length; index = this.#next++) {
      await this.#expected[index - this.#ahead]?.taken;
      const listening = new AbortController();
      const answered = new Promise((resolve) => {
        const hear = (/** @type {MessageEvent<FromLoader>} */ {data}) => {
          if (data.kind === 'answer') resolve(this.#expected[index].found(data.answer));
          else if (data.kind === 'crashed') this.#fail(data.problem);
          else this.#tell(index, data.progress);
        };
        worker.addEventListener('message', hear, {signal: listening.signal});
      });
      worker.postMessage(this.#jobs[index]);
      await answered;
      listening.abort();
    }
    worker.terminate();
  }

  /** Nothing more comes. @param {unknown} error */
  #fail(error) {
    for (const expected of this.#expected) expected.failed(error);
  }
}

/** The problem of a loader that died. @param {ErrorEvent} event @returns {Problem} */
function crashOf(event) {
  return {code: 'crashed', file: '', position: null, message: event.message || 'a worker could not start', tried: [], expected: ''};
}
