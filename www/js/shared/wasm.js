// The wasm module: the same files serve the page and its workers, each with an instance of its own. What is seldom needed is a second
// module on the memory and the table of the first one, see xtask/src/page/split.

/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */

/** Loads the module and makes an instance of it. @returns {Promise<Wasm & {memory: WebAssembly.Memory}>} */
export async function loadWasm() {
  // Not a static import: the module is built, and so has no types here.
  const url = new URL('../../stepscope.js', import.meta.url);
  const wasm = /** @type {Wasm} */ (await import(url.href));
  const first = await wasm.default({module_or_path: new URL('../../stepscope_bg.wasm', import.meta.url)});
  const seldom = new Seldom(first);
  // Where it was not loaded before.
  wasm.on_seldom(() => seldom.loadAtOnce());
  return {...wasm, memory: first.memory, loadAll: () => seldom.load()};
}

/** The second module of an instance. */
class Seldom {
  #first;
  #url = new URL('../../stepscope_seldom.wasm', import.meta.url);
  /** @type {Promise<WebAssembly.Module> | undefined} */
  #coming;

  /** @param {{memory: WebAssembly.Memory, seldom_here: WebAssembly.Global}} first what the first one exports */
  constructor(first) {
    this.#first = first;
  }

  /** Loads it while others have their turn, before it is needed. */
  async load() {
    if (this.#first.seldom_here.value) return;
    this.#coming ??= fetch(this.#url)
      .then((answer) => bytesOf(answer.ok, answer.status, () => answer.arrayBuffer()))
      .then((bytes) => WebAssembly.compile(bytes));
    try {
      this.#join(await this.#coming);
    } catch (error) {
      // The next one may have a network again.
      this.#coming = undefined;
      throw error;
    }
  }

  /** Loads it where it is needed already: a function of the wasm waits for it. Workers alone may do that. */
  loadAtOnce() {
    const request = new XMLHttpRequest();
    request.open('GET', this.#url, false);
    request.responseType = 'arraybuffer';
    try {
      request.send();
      this.#join(new WebAssembly.Module(bytesOf(request.status === 200, request.status, () => request.response)));
    } catch (error) {
      // The function cannot go on, nor can what called it: it is as after a trap.
      throw new WebAssembly.RuntimeError(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {WebAssembly.Module} module */
  #join(module) {
    const {seldom_here: here} = this.#first;
    if (here.value) return;
    new WebAssembly.Instance(module, {first: this.#first});
    here.value = 1;
  }
}

/** @template Bytes @param {boolean} ok @param {number} status @param {() => Bytes} bytes */
function bytesOf(ok, status, bytes) {
  if (!ok) throw new Error(`a part of the page could not be loaded: status ${status}`);
  return bytes();
}
