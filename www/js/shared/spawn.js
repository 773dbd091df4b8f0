// Starting workers so that they inherit the page's content security policy.

/** @typedef {'session/worker.js' | 'loaders/reader.js' | 'loaders/loader.js'} WorkerModule a script that is a worker, from the scripts' folder */

/**
 * A worker that runs a module. A policy in a page's `<meta>` does not bind a worker loaded by URL, but
 * it does bind one that starts from a blob; so the blob holds nothing but an import of the module.
 * @param {WorkerModule} module
 */
export function spawn(module) {
  const url = new URL(`../${module}`, import.meta.url).href;
  const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], {type: 'text/javascript'}));
  const worker = new Worker(blob, {type: 'module', name: module});
  // The worker has fetched the blob by the time it says anything.
  worker.addEventListener('message', () => URL.revokeObjectURL(blob), {once: true});
  return worker;
}
