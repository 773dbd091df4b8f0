// Browser storage of opened files, for when the page is loaded anew.

/** The stores with the keys of their entries: the last trace of each tab, the traces that were opened on this device. */
const STORES = {opened: 'tab', recent: 'id'};

const VERSION = 2;

/**
 * Does something in the browser's storage, which is open no longer than that takes.
 * @param {keyof typeof STORES} name @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} act @returns {Promise<unknown>}
 */
export async function inStore(name, mode, act) {
  const opening = indexedDB.open('stepscope', VERSION);
  opening.onupgradeneeded = () => {
    for (const [store, keyPath] of Object.entries(STORES))
      if (!opening.result.objectStoreNames.contains(store)) opening.result.createObjectStore(store, {keyPath});
  };
  const database = await answer(opening);
  try {
    const transaction = database.transaction(name, mode);
    const [found] = await Promise.all([answer(act(transaction.objectStore(name))), finished(transaction)]);
    return found;
  } finally {
    database.close();
  }
}

/** Settled when a transaction is done; a page that is left before loses its changes. @param {IDBTransaction} transaction @returns {Promise<void>} */
function finished(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

/** @template Found @param {IDBRequest<Found>} request @returns {Promise<Found>} */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
