// Storage for the next visit: the person's choices, and the page itself for offline use.

/** Delay before rarely needed files are stored, in ms. */
const LATER = 3000;

/** Choices that storage had no room for: they live as long as the tab. @type {Map<string, string>} */
const homeless = new Map();

/** Whether something found no room. */
let full = false;

/** @type {() => void} */
let told = () => {};

function refused() {
  if (full) return;
  full = true;
  told();
}

/** Whether the browser had no room for something, or lets the page keep nothing. */
export const keepsNotAll = () => full;

/** A choice from this or an earlier visit. @param {string} key @returns {string | null} */
export function remembered(key) {
  const here = homeless.get(key);
  if (here !== undefined) return here;
  try {
    return localStorage.getItem(`stepscope.${key}`);
  } catch {
    // Storage may be forbidden.
    return null;
  }
}

/** @param {string} key @param {string} value */
export function remember(key, value) {
  try {
    localStorage.setItem(`stepscope.${key}`, value);
    homeless.delete(key);
  } catch {
    homeless.set(key, value);
    refused();
  }
}

/** @param {string} key */
export function forget(key) {
  homeless.delete(key);
  try {
    localStorage.removeItem(`stepscope.${key}`);
  } catch {
    // Storage may be forbidden: then nothing was kept.
  }
}

/**
 * Stores the page for offline use, where a browser has service workers.
 * @param {() => void} onFull called once, when storage has no room for something
 */
export function keep(onFull) {
  told = onFull;
  if (full) onFull();
  const {serviceWorker} = navigator;
  serviceWorker?.addEventListener('message', ({data}) => data === 'full' && refused());
  serviceWorker?.startMessages();
  serviceWorker?.register(new URL('sw.js', document.baseURI)).catch(() => {});
  serviceWorker?.ready.then(({active}) => setTimeout(() => active?.postMessage('later'), LATER)).catch(() => {});
}
