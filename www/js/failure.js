// What went wrong, as the page shows it.

/** @typedef {import('./protocol.js').Problem} Problem */

/** A request or a choice of files that failed, with what is to be shown. */
export class Failure extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}
