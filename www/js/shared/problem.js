// Thrown values as problems that the page can show.

/** @typedef {import('../../types/reports.js').ProblemReport} Problem */

/** Whether an error is a crash of the wasm instance, which cannot be used after it. @param {unknown} error */
export function isCrash(error) {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

/** @param {unknown} error @param {string} file @returns {Problem} */
export function problemOf(error, file) {
  if (error && typeof error === 'object' && 'code' in error && 'message' in error && 'tried' in error) {
    return /** @type {Problem} */ (error);
  }
  const message = error instanceof Error ? error.message : String(error);
  const cancelled = error instanceof DOMException && error.name === 'AbortError';
  const unreadable = error instanceof DOMException && ['NotFoundError', 'NotReadableError'].includes(error.name);
  const code = cancelled ? 'cancelled' : isCrash(error) ? 'crashed' : unreadable ? 'unreadable' : 'io';
  return {code, file, position: null, message, tried: [], expected: ''};
}
