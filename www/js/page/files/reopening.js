// The last trace of this tab, kept in the browser for when the page is loaded anew or left by mistake: names, sizes and, where
// the browser has them, handles by which the files can be read again. Nothing of the files' content.

import {allowedFiles, demoOf, givenAs, isDemo, openedDemo} from './files.js';
import {forget as forgetRecent, idOf, offerRecent, remember} from './recent.js';
import {inStore} from './stored.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/requests.js').Dropped} Dropped */
/** @typedef {{tab: string, at: number, names: string[], files: number, bytes: number, folder: boolean, handles: FileSystemHandle[], demo?: string}} Kept the last trace of a tab; `demo`: its name, if it was one */

const STORE = 'opened';

/** Tabs of which it is kept: those that were used last. */
const MOST = 8;

/** For how long, in ms: a week. */
const LONGEST = 7 * 86_400_000;

/** Keeps the files that a person opens, and offers the last trace. @param {App} app @param {boolean} offers whether nothing is opened automatically */
export function offerAgain(app, offers) {
  const tab = tabName();
  // A frame's page is not the person's own tab.
  if (!tab || window.top !== window.self) return;
  // One after the other, in the order of opening.
  let last = Promise.resolve();
  const then = (/** @type {() => Promise<unknown>} */ act) =>
    (last = last.then(act).then(
      () => {},
      () => {},
    ));
  app.onOpened = (files) =>
    void then(async () => {
      await keep(tab, files);
      await offerRecent(app);
    });
  const forget = async () => {
    let isGone = false;
    await then(async () => {
      const kept = /** @type {Kept | undefined} */ (await inStore(STORE, 'readonly', (store) => store.get(tab)));
      // First, so that all of it can be tried again where this fails.
      if (kept) await forgetRecent(app, idOf(kept));
      // The entries of other tabs, too: closed tabs cannot delete theirs.
      await inStore(STORE, 'readwrite', (store) => store.clear());
      // It is gone where nothing can bring it back.
      app.store.set({last: null});
      isGone = true;
    });
    return isGone;
  };
  then(() => offerRecent(app));
  if (!offers) return;
  then(async () => {
    const kept = /** @type {Kept | undefined} */ (await inStore(STORE, 'readonly', (store) => store.get(tab)));
    if (!kept || kept.at < Date.now() - LONGEST || app.state.phase !== 'empty') return;
    const {names, files, bytes, folder, handles, demo} = kept;
    // A demo of another version of the page may be gone.
    if (demo !== undefined && !isDemo(demo)) return;
    const again = demo === undefined ? () => allowedFiles(handles) : () => openedDemo(demo);
    const open = demo !== undefined || handles.length ? () => void app.openFrom(again) : null;
    const choose = demo === undefined ? () => void app.openChosen(folder) : null;
    app.store.set({last: {names, files, bytes, folder, open, choose, forget}});
  });
}

/** Keeps the files that were opened in a tab, a demo by its name; other fetched files delete the kept entry. @param {string} tab @param {Dropped[]} files */
async function keep(tab, files) {
  const given = givenAs(files);
  const demo = demoOf(files);
  if (!given && demo !== undefined) {
    const [names, bytes] = [files.map(({path}) => path), files.reduce((sum, {file}) => sum + file.size, 0)];
    await inStore(STORE, 'readwrite', (store) => store.put({tab, at: Date.now(), names, files: files.length, bytes, folder: false, handles: [], demo}));
    return;
  }
  if (!given) {
    await inStore(STORE, 'readwrite', (store) => store.delete(tab));
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
    await inStore(STORE, 'readwrite', (store) => store.put(kept));
  } catch {
    // Not every browser that has handles keeps them.
    await inStore(STORE, 'readwrite', (store) => store.put({...kept, handles: []}));
    kept.handles = [];
  }
  await remember(kept);
  const all = /** @type {Kept[]} */ (await inStore(STORE, 'readonly', (store) => store.getAll()));
  const old = all.sort((a, b) => b.at - a.at).filter(({at}, place) => place >= MOST || at < kept.at - LONGEST);
  for (const {tab} of old) await inStore(STORE, 'readwrite', (store) => store.delete(tab));
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
