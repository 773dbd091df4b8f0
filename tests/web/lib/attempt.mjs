// The ways in which code in a page or a worker can try to reach the network. Each way has a host of its own, so that
// a request shows which way it took.

/** URL to which everything in a place is sent. @param {string} place letters and digits */
export const baitOf = (place) => `http://WAY.${place.toLowerCase()}.elsewhere.test/bait`;

/** The ways by which something in a place got out. @param {string[]} asked requests that a proxy got @param {string} place @returns {string[]} */
export function waysOut(asked, place) {
  const [before, after] = new URL(baitOf(place)).hostname.split('way.');
  const hosts = asked.map((one) => (one.startsWith('CONNECT ') ? one.slice('CONNECT '.length).replace(/:\d+$/, '') : new URL(one).hostname));
  const found = hosts.filter((host) => host.startsWith(before) && host.endsWith(`.${after}`));
  return [...new Set(found.map((host) => host.slice(0, -after.length - 1)))].sort();
}

/**
 * Tries every way to send a request. Its source is evaluated elsewhere, so that it uses nothing outside itself.
 * @param {string} address with `WAY` in its host, see `baitOf`
 * @returns {Promise<{tried: string[], reached: string[]}>} the ways available here, and those that report success
 */
export async function attempt(address) {
  const scope = /** @type {any} */ (globalThis);
  const isPage = Boolean(scope.document);
  const at = (/** @type {string} */ way) => address.replace('WAY', way.toLowerCase());
  /** Rejects after a timeout: a connection that neither opens nor fails was blocked. */
  const soon = () => new Promise((_, reject) => setTimeout(() => reject(new Error('silence')), 1500));
  const opens = (/** @type {any} */ one, /** @type {string} */ event) =>
    Promise.race([
      new Promise((resolve, reject) => {
        one.addEventListener(event, resolve);
        one.addEventListener('error', reject);
      }),
      soon(),
    ]);
  const isThere = (/** @type {string} */ name) => typeof scope[name] === 'function';
  const told = async (/** @type {Worker | MessagePort} */ from) => {
    const {data} = /** @type {MessageEvent} */ (await opens(from, 'message'));
    if (!data) throw new Error('refused');
  };
  /** Whether a worker, which inherits its creator's policy, reports success. @param {string} code */
  const inWorker = async (code) => {
    const blob = URL.createObjectURL(
      new Blob([`(async () => { ${code} })().then(() => postMessage(true), () => postMessage(false))`], {type: 'text/javascript'}),
    );
    await told(new Worker(blob));
  };
  const json = (/** @type {string} */ way) => JSON.stringify(at(way));
  /** Every way, if there is such a thing here. @type {Record<string, [isHere: boolean, act: (url: string) => unknown]>} */
  const ways = {
    fetch: [true, (url) => fetch(url, {mode: 'no-cors'})],
    keepalive: [true, (url) => fetch(url, {mode: 'no-cors', method: 'POST', body: 'x', keepalive: true})],
    later: [
      isThere('fetchLater'),
      (url) => {
        scope.fetchLater(url.replace('http:', 'https:'), {activateAfter: 0});
        return soon();
      },
    ],
    cache: [Boolean(scope.caches), async (url) => (await caches.open('attempt')).add(new Request(url, {mode: 'no-cors'}))],
    module: [!isThere('ServiceWorkerGlobalScope'), (url) => import(url)],
    request: [
      isThere('XMLHttpRequest'),
      (url) => {
        const request = new XMLHttpRequest();
        request.open('GET', url);
        request.send();
        return opens(request, 'load');
      },
    ],
    synchronous: [
      isThere('XMLHttpRequest'),
      (url) => {
        const request = new XMLHttpRequest();
        request.open('GET', url, false);
        request.send();
      },
    ],
    socket: [true, (url) => opens(new WebSocket(url.replace('http', 'ws')), 'open')],
    stream: [isThere('WebSocketStream'), (url) => new scope.WebSocketStream(url.replace('http', 'ws')).opened],
    events: [isThere('EventSource'), (url) => opens(new EventSource(url), 'open')],
    font: [isThere('FontFace'), (url) => new FontFace('attempt', `url(${JSON.stringify(url)})`).load()],
    imported: [isThere('importScripts'), (url) => scope.importScripts(url)],
    shared: [
      isThere('SharedWorker'),
      async () => {
        const code = `onconnect = async ({ports: [port]}) => port.postMessage(await fetch(${json('shared')}, {mode: 'no-cors'}).then(() => true, () => false))`;
        const {port} = new SharedWorker(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));
        port.start();
        await told(port);
      },
    ],
    nested: [isThere('Worker'), () => inWorker(`importScripts(${json('nested')})`)],
    nestedFetch: [isThere('Worker'), () => inWorker(`await fetch(${json('nestedFetch')}, {mode: 'no-cors'})`)],
    nestedModule: [isThere('Worker'), () => inWorker(`await import(${json('nestedModule')})`)],
    beacon: [
      Boolean(scope.navigator.sendBeacon),
      (url) => scope.navigator.sendBeacon(url, 'x') && Promise.reject(new Error('says so whatever the policy says')),
    ],
  };
  /** @param {string} tag @param {(element: any, url: string) => void} fill @param {Element} [into] @returns {[boolean, (url: string) => unknown]} */
  const element = (tag, fill, into = scope.document?.body) => [
    isPage,
    (url) => {
      const made = document.createElement(tag);
      fill(made, url);
      into?.append(made);
      // A refused frame fires `load`, too, with the browser's error page.
      return made.localName === 'iframe' ? soon() : opens(made, 'load');
    },
  ];
  const link = (/** @type {string} */ rel, more = {}) => element('link', (made, url) => Object.assign(made, {rel, href: url, ...more}), scope.document?.head);
  /** The ways that only documents have. @type {typeof ways} */
  const further = {
    calls: [
      isThere('RTCPeerConnection'),
      async (url) => {
        // By TCP: a proxy does not see UDP.
        const connection = new RTCPeerConnection({iceServers: [{urls: `turn:${new URL(url).hostname}:80?transport=tcp`, username: 'x', credential: 'x'}]});
        connection.createDataChannel('x');
        const found = opens(connection, 'icecandidate');
        await connection.setLocalDescription(await connection.createOffer());
        await found;
      },
    ],
    image: element('img', (made, url) => (made.src = url)),
    script: element('script', (made, url) => (made.src = url)),
    frame: element('iframe', (made, url) => (made.src = url)),
    object: element('object', (made, url) => (made.data = url)),
    embed: element('embed', (made, url) => (made.src = url)),
    video: element('video', (made, url) => (made.src = url)),
    track: element('video', (made, url) => {
      made.crossOrigin = 'anonymous';
      made.append(Object.assign(document.createElement('track'), {src: url, default: true}));
      made.textTracks[0].mode = 'showing';
    }),
    picture: element('div', (made, url) => {
      made.style.backgroundImage = `url(${JSON.stringify(url)})`;
      made.textContent = 'x';
    }),
    imports: element('style', (made, url) => (made.textContent = `@import ${JSON.stringify(url)};`), scope.document?.head),
    adopted: [
      isPage,
      (url) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(`body { list-style-image: url(${JSON.stringify(url)}); background: url(${JSON.stringify(url)}) }`);
        document.adoptedStyleSheets.push(sheet);
        document.body.offsetWidth;
        return soon();
      },
    ],
    drawing: element('div', (made, url) => (made.innerHTML = `<svg width="9" height="9"><image href="${url}" width="9" height="9"/></svg>`)),
    sheet: link('stylesheet'),
    icon: link('icon'),
    preload: link('preload', {as: 'fetch', crossOrigin: 'anonymous'}),
    preloadImage: link('preload', {as: 'image'}),
    modulepreload: link('modulepreload'),
    prefetch: link('prefetch'),
    form: [
      isPage,
      (url) => {
        const form = Object.assign(document.createElement('form'), {action: url, method: 'post', target: 'attempt'});
        const frame = Object.assign(document.createElement('iframe'), {name: 'attempt'});
        document.body.append(frame, form);
        form.submit();
        return soon();
      },
    ],
    ping: [
      isPage,
      (url) => {
        const anchor = Object.assign(document.createElement('a'), {href: '#', ping: url});
        document.body.append(anchor);
        anchor.click();
        return soon();
      },
    ],
  };
  const all = {...ways, ...further};
  const tried = Object.keys(all).filter((way) => all[way][0]);
  /** @type {string[]} */
  const reached = [];
  await Promise.all(
    tried.map(async (way) => {
      try {
        await all[way][1](at(way));
        reached.push(way);
      } catch {
        // As it should be.
      }
    }),
  );
  return {tried: tried.map((way) => way.toLowerCase()).sort(), reached};
}
