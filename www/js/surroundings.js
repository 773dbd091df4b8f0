// What the analyzer stands in: the page of its own, or an element of somebody else's page, which has less.

import {keepsNotAll, remember, remembered} from './keeping.js';

/**
 * @typedef {object} Address where the shown view is said
 * @property {() => URLSearchParams} asked what the page was opened with
 * @property {() => string} view what is said of the view
 * @property {(view: string) => void} show says another view, without a step in the browser's history
 * @property {(number: number) => void} leave makes such a step, from a place of that number
 * @property {() => number | undefined} left the place that the step back led to
 * @property {(listener: () => void) => void} follow told when the person changed it
 */

/**
 * @typedef {object} Surroundings
 * @property {Document | ShadowRoot} root in which the analyzer's elements are, and are looked for
 * @property {HTMLElement} holder which says the theme and the language
 * @property {HTMLElement} body in which all is put
 * @property {EventTarget} keys which hears the keys that are pressed
 * @property {boolean} alone whether the page has nothing else on it
 * @property {Address} address
 * @property {(title: string) => void} title names the window
 * @property {(key: string) => string | null} remembered what was chosen earlier
 * @property {(key: string, value: string) => void} remember
 * @property {() => boolean} keepsNotAll whether something that was to be kept for later found no room
 */

/** The page of its own. @returns {Surroundings} */
function ownPage() {
  /** What the address said last, as far as all know. @type {string | null} */
  let said = null;
  return {
    root: document,
    holder: document.documentElement,
    body: document.body,
    keys: window,
    alone: true,
    address: {
      asked: () => new URLSearchParams(location.search),
      view: () => location.hash.slice(1),
      show(view) {
        // The person has just changed it, and who follows is about to be told: that is not written over.
        if (said !== null && said !== location.hash) return;
        history.replaceState(history.state, '', `#${view}`);
        said = location.hash;
      },
      leave(number) {
        history.replaceState({left: number}, '');
        history.pushState(null, '');
      },
      left: () => history.state?.left,
      follow: (listener) =>
        addEventListener('hashchange', () => {
          said = location.hash;
          listener();
        }),
    },
    title: (title) => (document.title = title),
    remembered,
    remember,
    keepsNotAll,
  };
}

/** @type {Surroundings} */
let now = ownPage();

/** What there is around. */
export const around = () => now;

/** Stands in something else from now on. @param {Surroundings} other */
export function surround(other) {
  now = other;
}

/** The element that has the focus. @returns {HTMLElement | null} */
export function focused() {
  return /** @type {HTMLElement | null} */ (now.root.activeElement);
}

/** Puts a dialog on top of everything, unless one is there. @param {() => HTMLDialogElement} make @returns {HTMLDialogElement | undefined} */
export function openDialog(make) {
  if (now.root.querySelector('dialog[open]')) return undefined;
  const dialog = make();
  dialog.addEventListener('close', () => dialog.remove());
  // A click beside the dialog closes it.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  now.body.append(dialog);
  dialog.showModal();
  return dialog;
}
