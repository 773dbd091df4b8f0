// Errors that carry what is to be shown.

/** @typedef {import('./protocol.js').Problem} Problem */

/** Something that failed, with what the page tells of it. */
export class Failure extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}
