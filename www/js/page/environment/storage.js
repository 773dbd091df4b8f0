// What the browser keeps for the next visit: what was chosen, and the page itself for when there is no network.

/** How long the page is left alone before what is seldom wanted is kept, in ms. */
const LATER = 3000;

/** What was chosen and found no room: it lives as long as the tab. @type {Map<string, string>} */
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

/** What was chosen on this or an earlier visit. @param {string} key @returns {string | null} */
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
 * Keeps the page for when there is no network; where a browser has no service workers, it is not kept.
 * @param {() => void} onFull told once, when something finds no room
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
