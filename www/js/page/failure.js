// What went wrong, as the page shows it.

/** @typedef {import('../../types/reports.js').ProblemReport} Problem */

/** A request or a choice of files that failed, with what is to be shown. */
export class Failure extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** What is to be shown of whatever was thrown. @param {unknown} error @returns {Problem} */
export function shownProblem(error) {
  if (error instanceof Failure) return error.problem;
  const message = error instanceof Error ? error.message : String(error);
  return {code: 'io', file: '', position: null, message, tried: [], expected: ''};
}
