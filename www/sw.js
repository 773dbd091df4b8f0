// The service worker: the page opens without a network, too. Before this text the build says `ASSETS`, the folder of all
// files of this version, `FILES`, those in it that the page cannot start without, `LATER`, the others, and `BOOK`, the files of the
// book, if it is shipped.

/* global ASSETS, BOOK, FILES, LATER */

// Others may lie on the same host.
const OURS = `stepscope ${registration.scope} `;
const CACHE = OURS + ASSETS;
const INDEX = new URL('./', registration.scope).href;

// No policy binds this worker: a page's does not, and a static host sends none. So what could ask somebody else goes, or asks
// within the page's folder only.
{
  const isOurs = (/** @type {RequestInfo | URL} */ asked) =>
    (asked instanceof Request ? asked.url : new URL(asked, location.href).href).startsWith(registration.scope);
  const foreign = () => Promise.reject(new TypeError('this worker asks nobody else'));
  const everybodys = /** @type {any} */ (globalThis).WorkerGlobalScope.prototype;
  const [{fetch: ask}, {add, addAll}] = [everybodys, Cache.prototype];
  everybodys.fetch = (/** @type {RequestInfo | URL} */ asked, /** @type {RequestInit} */ how) => (isOurs(asked) ? ask.call(self, asked, how) : foreign());
  Cache.prototype.add = function (asked) {
    return isOurs(asked) ? add.call(this, asked) : foreign();
  };
  Cache.prototype.addAll = function (asked) {
    return asked.every(isOurs) ? addAll.call(this, asked) : foreign();
  };
  for (const name of ['EventSource', 'FontFace', 'WebSocket', 'WebSocketStream', 'WebTransport']) Reflect.deleteProperty(self, name);
  Reflect.deleteProperty(everybodys, 'importScripts');
  Reflect.deleteProperty(ServiceWorkerRegistration.prototype, 'backgroundFetch');
}

/** Tells all pages where something found no room. @param {any} error @returns {Promise<never>} */
async function tell(error) {
  if (error?.name === 'QuotaExceededError') {
    for (const page of await clients.matchAll({includeUncontrolled: true})) {
      if (page.url.startsWith(registration.scope)) page.postMessage('full');
    }
  }
  throw error;
}

/** Whatever stands in the way of what is kept, it is as if nothing were. @param {RequestInfo} request */
const found = (request) =>
  caches
    .open(CACHE)
    .then((cache) => cache.match(request))
    .catch(() => undefined);

/** @param {Request} request @param {Response} answer */
async function put(request, answer) {
  await (await caches.open(CACHE)).put(request, answer);
}

/** Keeps this version: its index, and what that cannot start without. */
async function keep() {
  // The browser may still have an older index, which names files of a version that goes.
  const index = await fetch(INDEX, {cache: 'reload'});
  if (!(await index.clone().text()).includes(`"./${ASSETS}/`)) throw new Error('the index is of another version');
  const again = await caches.has(CACHE);
  const cache = await caches.open(CACHE);
  try {
    await cache.put(INDEX, index);
    await cache.addAll(FILES.map((file) => new URL(`${ASSETS}/${file}`, registration.scope).href));
  } catch (error) {
    // A part of a version takes room and serves nobody.
    if (!again) await caches.delete(CACHE);
    throw error;
  }
}

/** Keeps what is seldom wanted, too: large, and so not before the page has nothing else to do. */
async function keepLater() {
  await keepAll(LATER.map((file) => `${ASSETS}/${file}`));
}

/** @param {string[]} files */
async function keepAll(files) {
  const cache = await caches.open(CACHE);
  for (const file of files) {
    const address = new URL(file, registration.scope).href;
    if (!(await cache.match(address))) await cache.add(address);
  }
}

// Without a network, or room, it is tried again on the next visit.
addEventListener(
  'message',
  (event) =>
    event.data === 'later' &&
    event.waitUntil(
      keepLater()
        .catch(tell)
        .catch(() => {}),
    ),
);
addEventListener('install', (event) => event.waitUntil(keep().catch(tell)));

// It only takes over once no page of an older version is open, which may still want that version's files.
addEventListener('activate', (event) =>
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)))),
  ),
);

/** The newest that can be had: of the network, else what was kept. @param {Request} request @param {RequestInfo} [place] where it was kept */
async function newest(request, place = request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await found(place);
    if (kept) return kept;
    throw error;
  }
}

/** A file of the page, whose name changes with its content. @param {Request} request @param {FetchEvent} event */
async function kept(request, event) {
  const kept = await found(request);
  if (kept) return kept;
  const answer = await fetch(request);
  // The request does not wait for it, nor for room.
  if (answer.ok)
    event.waitUntil(
      put(request, answer.clone())
        .catch(tell)
        .catch(() => {}),
    );
  return answer;
}

addEventListener('fetch', (event) => {
  const {request} = event;
  if (request.method !== 'GET' || !request.url.startsWith(registration.scope)) return;
  const [path] = request.url.slice(registration.scope.length).split(/[?#]/);
  if (path === '' || path === 'index.html') event.respondWith(newest(request, INDEX));
  else if (BOOK.includes(path)) {
    event.respondWith(newest(request));
    // A reader of one page of the book may want the others without a network; they are loaded only then.
    if (request.mode === 'navigate')
      event.waitUntil(
        keepAll(BOOK)
          .catch(tell)
          .catch(() => {}),
      );
  } else if (path.startsWith(`${ASSETS}/`)) event.respondWith(kept(request, event));
});
