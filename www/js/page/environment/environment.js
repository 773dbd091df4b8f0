// The host environment of the analyzer: its own page, or an element of another page, which has less.

import {forget, keepsNotAll, remember, remembered} from './storage.js';

/**
 * @typedef {object} Address the address of the shown view
 * @property {() => URLSearchParams} asked the parameters that the page was opened with
 * @property {() => string} view the view in the address
 * @property {(view: string, trace: string, push: boolean) => void} show puts another view of a trace into the address: as a new entry of the browser's history, or in the current one
 * @property {() => void} push adds an entry for the view in the address
 * @property {(number: number) => void} mark gives the current entry a number
 * @property {() => Entry} entry the current one
 * @property {(listener: () => void) => void} follow called when the person went to another entry, or changed the address
 */

/** The state of a view in the browser's history. @typedef {{trace?: string, left?: number}} Entry `trace`: the short name of its trace; `left`: the number of an entry that a jump left */

/**
 * @typedef {object} Environment
 * @property {Document | ShadowRoot} root in which the analyzer's elements are, and are looked for
 * @property {HTMLElement} holder carries the theme and the language
 * @property {HTMLElement} body holds all elements
 * @property {EventTarget} keys receives the pressed keys
 * @property {boolean} alone whether the page has nothing else on it
 * @property {string} [book] where the book is, if it is shipped
 * @property {Address} address
 * @property {(title: string) => void} title names the window
 * @property {(key: string) => string | null} remembered an earlier choice
 * @property {(key: string, value: string) => void} remember
 * @property {(key: string) => void} forget
 * @property {() => boolean} keepsNotAll whether storage failed for something
 */

/** The page of its own. @returns {Environment} */
function ownPage() {
  /** The last known content of the address. @type {string | null} */
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
        // The person has just changed it, and the listener is about to be called: do not overwrite it.
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
        // Nothing is new where the listener was called already.
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

/** The current environment; the analyzer's own page by default. @type {Environment | undefined} */
let now;

/** The current host environment. */
export const environment = () => (now ??= ownPage());

/** Replaces the host environment. @param {Environment} other */
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
