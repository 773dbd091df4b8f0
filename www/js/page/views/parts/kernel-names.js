// Short names of kernels for tables with whole names. Nothing here touches the page.

/** Names of copies, which CUDA's profiler lists with the kernels of a stream: their parentheses are no parameters. */
export const isCopy = (/** @type {string} */ name) => /^Mem(cpy|set)\b/.test(name);

/** The short name of a kernel that is shown alone; a copy's as it is. @param {Pick<import('../../../protocol/wasm.js').Wasm, 'kernel_names'>} wasm @param {string} name */
export const shortName = (wasm, name) => (name === '' || isCopy(name) ? name : wasm.kernel_names([name])[0]);

/** Short names by whole ones: those of different kernels differ. */
export class KernelNames {
  /** @type {Map<string, string>} */
  #short = new Map();

  /** @param {Pick<import('../../../protocol/wasm.js').Wasm, 'kernel_names'>} wasm */
  constructor(wasm) {
    this.wasm = wasm;
  }

  /** Takes the kernels that are shown together. @param {Iterable<string>} names */
  set(names) {
    const whole = [...new Set(names)];
    const short = this.wasm.kernel_names(whole);
    this.#short = new Map(whole.map((name, place) => [name, short[place]]));
  }

  /** The short name of a kernel; any other name as it is. @param {string} name */
  of(name) {
    return this.#short.get(name) ?? name;
  }
}
