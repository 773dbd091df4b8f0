// The wasm module: the same file serves the page and its workers, each with an instance of its own.

/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */

/** Loads the module and makes an instance of it. @returns {Promise<Wasm & {memory: WebAssembly.Memory}>} */
export async function loadWasm() {
  // Not a static import: the module is built, and so has no types here.
  const url = new URL('../../stepscope.js', import.meta.url);
  const wasm = /** @type {Wasm} */ (await import(url.href));
  const {memory} = await wasm.default({module_or_path: new URL('../../stepscope_bg.wasm', import.meta.url)});
  return {...wasm, memory};
}
