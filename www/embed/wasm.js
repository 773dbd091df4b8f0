// In place of `js/shared/wasm.js`: the module that is built in, which is whole.

import * as glue from 'stepscope-glue';
import {compiled} from './compiled.js';

/** @typedef {import('../js/protocol/wasm.js').Wasm} Wasm */

/** Makes an instance of it. @returns {Promise<Wasm & {memory: WebAssembly.Memory}>} */
export async function loadWasm() {
  const {memory} = await glue.default({module_or_path: await compiled});
  return /** @type {any} */ ({...glue, memory, loadSeldom: async () => {}, loadAll: async () => {}});
}
