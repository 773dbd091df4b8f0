// The wasm module: the same files serve the page and its workers, each with an instance of its own. Rarely needed code and code for exports
// are separate parts: modules on the memory and the table of the first one, see xtask/src/page/split.

/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */

/** Loads the module and makes an instance of it. @returns {Promise<Wasm & {memory: WebAssembly.Memory}>} */
export async function loadWasm() {
  // Not a static import: the module is built, and so has no types here.
  const url = new URL('../../stepscope.js', import.meta.url);
  const wasm = /** @type {Wasm} */ (await import(url.href));
  const first = await wasm.default({module_or_path: new URL('../../stepscope_bg.wasm', import.meta.url)});
  const seldom = new Part(first, 'seldom', first.seldom_here);
  const output = new Part(first, 'output', first.output_here);
  // Where it was not loaded before.
  wasm.on_part((name) => ({seldom, output})[name].loadAtOnce());
  const loadSeldom = () => seldom.load();
  const loadAll = async () => void (await Promise.all([seldom.load(), output.load()]));
  return {...wasm, memory: first.memory, loadSeldom, loadAll};
}

/** A part of an instance. */
class Part {
  #first;
  #here;
  #url;
  /** @type {Promise<WebAssembly.Module> | undefined} */
  #coming;

  /** @param {Awaited<ReturnType<Wasm['default']>>} first exports of the first module @param {string} name @param {WebAssembly.Global} here whether it is loaded */
  constructor(first, name, here) {
    this.#first = first;
    this.#here = here;
    this.#url = new URL(`../../stepscope_${name}.wasm`, import.meta.url);
  }

  /** Loads it while others have their turn, before it is needed. */
  async load() {
    if (this.#here.value) return;
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
      // The function cannot continue, nor can its callers: as after a trap.
      throw new WebAssembly.RuntimeError(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {WebAssembly.Module} module */
  #join(module) {
    if (this.#here.value) return;
    new WebAssembly.Instance(module, {first: this.#first});
    this.#here.value = 1;
  }
}

/** @template Bytes @param {boolean} ok @param {number} status @param {() => Bytes} bytes */
function bytesOf(ok, status, bytes) {
  if (!ok) throw new Error(`a part of the page could not be loaded: status ${status}`);
  return bytes();
}
