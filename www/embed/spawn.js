// In place of `js/shared/spawn.js`: the workers that are built in.
//
// They start from blobs, so that they inherit the page's policy, and are no modules: from a file's page nothing else starts.

import {compiled} from './compiled.js';
import {trusting} from './trusting.js';

/** Code before each worker's text: a worker may start others, too. */
const BEFORE = `const STEPSCOPE = {workers: ${JSON.stringify(STEPSCOPE.workers)}};\n`;

/** A worker's address in the form that this page requires. @param {string} blob @returns {string} */
const address = STEPSCOPE.address ?? trusting();

/**
 * Whether the policy of the page around lets a worker start. Must be known before any is started: a blocked one gives no reason.
 * @returns {Promise<boolean>}
 */
export async function mayStart() {
  const blob = URL.createObjectURL(new Blob(['postMessage(0)'], {type: 'text/javascript'}));
  /** @type {Worker | undefined} */
  let worker;
  try {
    const tried = (worker = new Worker(address(blob)));
    return await new Promise((resolve) => {
      tried.addEventListener('message', () => resolve(true));
      tried.addEventListener('error', () => resolve(false));
    });
  } catch {
    return false;
  } finally {
    worker?.terminate();
    URL.revokeObjectURL(blob);
  }
}

/** @param {import('../js/shared/spawn.js').WorkerModule} module the script that it is made of */
export function spawn(module) {
  const text = STEPSCOPE.workers[module];
  const blob = URL.createObjectURL(new Blob([BEFORE, text], {type: 'text/javascript'}));
  const worker = new Worker(address(blob), {name: module});
  // The worker has fetched the blob by the time it says anything.
  worker.addEventListener('message', () => URL.revokeObjectURL(blob), {once: true});
  compiled.then((stepscope) => worker.postMessage({stepscope}));
  return worker;
}
