// The wasm, compiled once for all that runs: the page compiles it, its workers get it from whoever started them.

/**
 * Build products beside the scripts: the page's are passed to each instance, a worker's stand before its text.
 * @typedef {{workers: Record<string, string>, compiled?: Promise<WebAssembly.Module>, messages?: Record<string, Record<string, string>>, reportMessages?: Record<string, Record<string, string>>, analyzer?: () => Promise<string>, address?: (blob: string) => string}} Built
 */

/** @type {Promise<WebAssembly.Module>} */
export const compiled =
  STEPSCOPE.compiled ??
  new Promise((resolve) => {
    addEventListener('message', function take(/** @type {MessageEvent} */ event) {
      if (!(event.data?.stepscope instanceof WebAssembly.Module)) return;
      event.stopImmediatePropagation();
      removeEventListener('message', take);
      resolve(event.data.stepscope);
    });
  });
