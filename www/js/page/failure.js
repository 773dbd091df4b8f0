// Failures, as the page shows them.

/** @typedef {import('../../types/reports.js').ProblemReport} Problem */

/** A failed request or choice of files, with the problem to show. */
export class Failure extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The problem to show for a thrown value. @param {unknown} error @returns {Problem} */
export function shownProblem(error) {
  if (error instanceof Failure) return error.problem;
  const message = error instanceof Error ? error.message : String(error);
  return {code: 'io', file: '', position: null, message, tried: [], expected: ''};
}
