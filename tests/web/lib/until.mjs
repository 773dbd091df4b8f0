// Waits for what a test means.

/** Timeout of waits, in ms; nothing here takes a tenth of it. */
export const PATIENCE = 60_000;

/** Waits until something is so. @param {string} what that is @param {() => Promise<boolean> | boolean} isSo */
export async function until(what, isSo) {
  const end = Date.now() + PATIENCE;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`it never came that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
