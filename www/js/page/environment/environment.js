// What the analyzer stands in: the page of its own, or an element of somebody else's page, which has less.

import {forget, keepsNotAll, remember, remembered} from './storage.js';

/**
 * @typedef {object} Address where the shown view is said
 * @property {() => URLSearchParams} asked what the page was opened with
 * @property {() => string} view what is said of the view
 * @property {(view: string, trace: string, push: boolean) => void} show says another view of a trace: as a new entry of the browser's history, or in the current one
 * @property {() => void} push adds an entry for the view that is said
 * @property {(number: number) => void} mark gives the current entry a number
 * @property {() => Entry} entry the current one
 * @property {(listener: () => void) => void} follow told when the person went to another entry, or changed the address
 */

/** What the browser's history keeps of a view. @typedef {{trace?: string, left?: number}} Entry `trace`: which one it is of; `left`: the number of an entry that a jump left */

/**
 * @typedef {object} Environment
 * @property {Document | ShadowRoot} root in which the analyzer's elements are, and are looked for
 * @property {HTMLElement} holder which says the theme and the language
 * @property {HTMLElement} body in which all is put
 * @property {EventTarget} keys which hears the keys that are pressed
 * @property {boolean} alone whether the page has nothing else on it
 * @property {string} [book] where the book is, if it is shipped
 * @property {Address} address
 * @property {(title: string) => void} title names the window
 * @property {(key: string) => string | null} remembered what was chosen earlier
 * @property {(key: string, value: string) => void} remember
 * @property {(key: string) => void} forget
 * @property {() => boolean} keepsNotAll whether something that was to be kept for later found no room
 */

/** The page of its own. @returns {Environment} */
function ownPage() {
  /** What the address said last, as far as all know. @type {string | null} */
  let said = null;
  /** The view that was put into it. @type {string | undefined} */
  let shown;
  /** Entries of a frame are entries of the page around it. */
  const mayPush = window.top === window.self;
  /** @returns {Entry} */
  const entry = () => history.state ?? {};
  const put = (/** @type {boolean} */ push, /** @type {Entry} */ state, /** @type {string | undefined} */ hash) => {
    try {
      if (push && mayPush) history.pushState(state, '', hash);
      else history.replaceState(state, '', hash);
    } catch {
      // Browsers allow only so many in a time: the next one says it.
      shown = undefined;
    }
  };
  return {
    root: document,
    holder: document.documentElement,
    body: document.body,
    keys: window,
    alone: true,
    // The build says so.
    book: /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="help"]'))?.href,
    address: {
      asked: () => new URLSearchParams(location.search),
      view: () => location.hash.slice(1),
      show(view, trace, push) {
        // The person has just changed it, and who follows is about to be told: that is not written over.
        if (said !== null && said !== location.hash) return;
        if (view === shown && said !== null && trace === entry().trace) return;
        shown = view;
        put(push, push ? {trace} : {...entry(), trace}, `#${view}`);
        said = location.hash;
      },
      push: () => put(true, {trace: entry().trace}, undefined),
      mark: (number) => put(false, {...entry(), left: number}, undefined),
      entry,
      follow(listener) {
        const follow = () => {
          said = location.hash;
          shown = undefined;
          listener();
        };
        addEventListener('popstate', follow);
        // Where that was told already, nothing is new.
        addEventListener('hashchange', () => said !== location.hash && follow());
      },
    },
    title: (title) => (document.title = title),
    remembered,
    remember,
    forget,
    keepsNotAll,
  };
}

/** The page of its own, unless something else is said. @type {Environment | undefined} */
let now;

/** What there is around. */
export const environment = () => (now ??= ownPage());

/** Stands in something else from now on. @param {Environment} other */
export function setEnvironment(other) {
  now = other;
}

/** The element that has the focus. @returns {HTMLElement | null} */
export function focused() {
  return /** @type {HTMLElement | null} */ (environment().root.activeElement);
}

/** Puts a dialog on top of everything, unless one is there. @param {() => HTMLDialogElement} make @returns {HTMLDialogElement | undefined} */
export function openDialog(make) {
  if (environment().root.querySelector('dialog[open]')) return undefined;
  const dialog = make();
  dialog.addEventListener('close', () => dialog.remove());
  // A click beside the dialog closes it.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  environment().body.append(dialog);
  dialog.showModal();
  return dialog;
}
