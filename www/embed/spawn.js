// In place of `js/spawn.js`: the workers that are built in.
//
// They start from blobs, so that they inherit the page's policy, and are no modules: from a file's page nothing else starts.

import {compiled} from './compiled.js';

/** What stands before each worker's text: it may start workers, too. */
const BEFORE = `const STEPSCOPE = {workers: ${JSON.stringify(STEPSCOPE.workers)}};\n`;

/** @param {string} module the file that it is made of */
export function spawn(module) {
  const text = STEPSCOPE.workers[module.replace(/^\.\/|\.js$/g, '')];
  const blob = URL.createObjectURL(new Blob([BEFORE, text], {type: 'text/javascript'}));
  const worker = new Worker(blob, {name: module});
  // The worker has fetched the blob by the time it says anything.
  worker.addEventListener('message', () => URL.revokeObjectURL(blob), {once: true});
  compiled.then((stepscope) => worker.postMessage({stepscope}));
  return worker;
}
