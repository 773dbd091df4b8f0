// Making the browser compile the wasm module well before somebody waits for it.

/**
 * Runs a piece of work again and again while there is nothing else to do: a browser first compiles a module
 * fast and badly, and compiles frequently run code anew.
 * @param {number} rounds enough for the browser to have compiled anew
 * @param {() => boolean} isNeeded false as soon as there is something else to do
 * @param {() => void} work of some milliseconds
 */
export async function warmUp(rounds, isNeeded, work) {
  for (let round = 0; round < rounds && isNeeded(); round++) {
    work();
    // Lets messages in.
    await new Promise((resolve) => setTimeout(resolve));
  }
}
