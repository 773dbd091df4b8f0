// What code in a page or in a worker can try to reach somebody else.

/** Tries all that can ask for something; what got through. @param {string} url */
export async function attempt(url) {
  const scope = /** @type {any} */ (globalThis);
  const socketUrl = url.replace('http', 'ws');
  const opens = (/** @type {any} */ one, /** @type {string} */ event) =>
    new Promise((resolve, reject) => {
      one.addEventListener(event, resolve);
      one.addEventListener('error', reject);
      // What neither opens nor fails was never let out.
      setTimeout(() => reject(new Error('silence')), 2000);
    });
  /** @type {Record<string, () => unknown>} */
  const tries = {
    fetch: () => fetch(url, {mode: 'no-cors'}),
    keepalive: () => fetch(url, {mode: 'no-cors', method: 'POST', body: 'x', keepalive: true}),
    import: () => import(url),
    request: () => {
      const request = new XMLHttpRequest();
      request.open('GET', url);
      request.send();
      return opens(request, 'load');
    },
    synchronous: () => {
      const request = new XMLHttpRequest();
      request.open('GET', url, false);
      request.send();
    },
    socket: () => opens(new WebSocket(socketUrl), 'open'),
    events: () => opens(new EventSource(url), 'open'),
    worker: () => opens(new Worker(url), 'message'),
    // A worker of a blob has the policy of who made it.
    nested: () => opens(new Worker(URL.createObjectURL(new Blob([`try { importScripts(${JSON.stringify(url)}); postMessage(1); } catch {}`]))), 'message'),
    nestedFetch: () => opens(new Worker(URL.createObjectURL(new Blob([`fetch(${JSON.stringify(url)}, {mode: 'no-cors'}).then(() => postMessage(1), () => {})`]))), 'message'),
    importScripts: () => (scope.importScripts ? scope.importScripts(url) : Promise.reject(new Error('none here'))),
    transport: () => new scope.WebTransport(url.replace('http:', 'https:')).ready,
  };
  const reached = [];
  for (const [name, act] of Object.entries(tries)) {
    try {
      await act();
      reached.push(name);
    } catch {
      // As it should be.
    }
  }
  // Says that it took it, whatever the policy says.
  scope.navigator.sendBeacon?.(url, 'x');
  return reached;
}
