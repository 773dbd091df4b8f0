// Perfetto's engine as it runs where there are no memories of 64 bits: it looks first whether a module with one compiles.

const {Module} = WebAssembly;
const {open} = XMLHttpRequest.prototype;

WebAssembly.Module = class {
  constructor() {
    WebAssembly.Module = Module;
    throw new WebAssembly.CompileError('no memory of 64 bits');
  }
};
// It looks for its wasm beside the worker.
XMLHttpRequest.prototype.open = function (/** @type {string} */ method, /** @type {string} */ name, ...more) {
  return open.call(this, method, `/perfetto/${name}`, ...more);
};
self.importScripts('/perfetto/engine_bundle.js');
