// What was open in this tab, kept in the browser for when the page is loaded anew or left by mistake: names, sizes and, where
// the browser has them, handles by which the files can be read again. Nothing of what is in the files.

import {Failure} from '../failure.js';
import {filesOfHandles, givenAs} from './files.js';
import {mayRead} from './handles.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/protocol.js').Dropped} Dropped */
/** @typedef {{tab: string, at: number, names: string[], files: number, bytes: number, folder: boolean, handles: FileSystemHandle[]}} Kept what was open in a tab */

const STORE = 'opened';

/** Tabs of which it is kept: those that were used last. */
const MOST = 8;

/** For how long, in ms: a week. */
const LONGEST = 7 * 86_400_000;

/** Keeps what a person opens, and offers what was open before. @param {App} app @param {boolean} offers whether nothing opens by itself */
export function offerAgain(app, offers) {
  const tab = tabName();
  // A frame's page is not the person's own tab.
  if (!tab || window.top !== window.self) return;
  // One after the other, in the order of what is opened.
  let last = Promise.resolve();
  const then = (/** @type {() => Promise<unknown>} */ act) =>
    (last = last.then(act).then(
      () => {},
      () => {},
    ));
  app.onOpened = (files) => void then(() => keep(tab, files));
  const forget = () => {
    app.store.set({last: null});
    // Of other tabs, too: those that were closed cannot be asked.
    then(() => inStore('readwrite', (store) => store.clear()));
  };
  if (!offers) return;
  then(async () => {
    const kept = /** @type {Kept | undefined} */ (await inStore('readonly', (store) => store.get(tab)));
    if (!kept || kept.at < Date.now() - LONGEST || app.state.phase !== 'empty') return;
    const {names, files, bytes, folder, handles} = kept;
    const open = handles.length ? () => void app.openFrom(() => opened(handles)) : null;
    app.store.set({last: {names, files, bytes, folder, open, choose: () => void app.openChosen(folder), forget}});
  });
}

/** @param {FileSystemHandle[]} handles */
async function opened(handles) {
  const named = (/** @type {string} */ code, message = '') =>
    new Failure({code, file: handles.map(({name}) => name).join(', '), position: null, message, tried: [], expected: ''});
  if (!(await mayRead(handles))) throw named('not_allowed');
  try {
    return await filesOfHandles(handles);
  } catch (error) {
    throw error instanceof DOMException ? named('gone', error.message) : error;
  }
}

/** Keeps what was opened in a tab; what was fetched takes the place of what was kept, as nothing. @param {string} tab @param {Dropped[]} files */
async function keep(tab, files) {
  const given = givenAs(files);
  if (!given) {
    await inStore('readwrite', (store) => store.delete(tab));
    return;
  }
  const {names, folder} = given;
  /** @type {Kept} */
  const kept = {
    tab,
    at: Date.now(),
    names,
    files: files.length,
    bytes: files.reduce((sum, {file}) => sum + file.size, 0),
    folder,
    handles: await given.handles,
  };
  try {
    await inStore('readwrite', (store) => store.put(kept));
  } catch {
    // Not every browser that has handles keeps them.
    await inStore('readwrite', (store) => store.put({...kept, handles: []}));
  }
  const all = /** @type {Kept[]} */ (await inStore('readonly', (store) => store.getAll()));
  const old = all.sort((a, b) => b.at - a.at).filter(({at}, place) => place >= MOST || at < kept.at - LONGEST);
  for (const {tab} of old) await inStore('readwrite', (store) => store.delete(tab));
}

/** A name of this tab that outlives the page; none where the browser keeps nothing. */
function tabName() {
  const key = 'stepscope.tab';
  try {
    const name = sessionStorage.getItem(key) ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
    sessionStorage.setItem(key, name);
    return name;
  } catch {
    return undefined;
  }
}

/**
 * Does something in the browser's storage, which is open no longer than that takes.
 * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} act @returns {Promise<unknown>}
 */
async function inStore(mode, act) {
  const opening = indexedDB.open('stepscope', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, {keyPath: 'tab'});
  const database = await answer(opening);
  try {
    return await answer(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/** @template Found @param {IDBRequest<Found>} request @returns {Promise<Found>} */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
