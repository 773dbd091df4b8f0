// Traces that were opened on this device and can be reopened: names, sizes and handles by which the browser reads the files
// again. Nothing of the files' content.

import {allowedFiles} from './files.js';
import {inStore} from './stored.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./reopening.js').Kept} Kept */
/** @typedef {Omit<Kept, 'tab'> & {id: string}} Entry */

/** Number of kept entries. */
const MOST = 12;

/** Lifetime of an entry, in ms: a month. */
const LONGEST = 30 * 86_400_000;

/** The same files have the same name. @param {Pick<Kept, 'names' | 'bytes'>} kept */
export const idOf = ({names, bytes}) => JSON.stringify([names, bytes]);

/** Remembers opened files, if the browser can reopen them. @param {Kept} kept */
export async function remember({tab: _, ...kept}) {
  if (!kept.handles.length) return;
  await inStore('recent', 'readwrite', (store) => store.put({...kept, id: idOf(kept)}));
  const all = await entries();
  const old = all.filter(({at}, place) => place >= MOST || at < kept.at - LONGEST);
  for (const {id} of old) await inStore('recent', 'readwrite', (store) => store.delete(id));
}

/** The opened traces, the last one first. @returns {Promise<Entry[]>} */
async function entries() {
  const all = /** @type {Entry[]} */ (await inStore('recent', 'readonly', (store) => store.getAll()));
  return all.sort((a, b) => b.at - a.at);
}

/** Offers the opened traces. @param {App} app */
export async function offerRecent(app) {
  const all = (await entries()).filter(({at}) => at > Date.now() - LONGEST);
  app.store.set({
    recent: all.map(({id, names, files, bytes, at, handles}) => ({
      id,
      names,
      files,
      bytes,
      at,
      open: () => void app.openFrom(() => allowedFiles(handles)),
      forget: () =>
        forget(app, id).then(
          () => true,
          () => false,
        ),
    })),
  });
}

/** Forgets one. @param {App} app @param {string} id */
export async function forget(app, id) {
  await inStore('recent', 'readwrite', (store) => store.delete(id));
  // Not before: the page may be loaded anew in between.
  app.store.set({recent: app.state.recent.filter((one) => one.id !== id)});
}
