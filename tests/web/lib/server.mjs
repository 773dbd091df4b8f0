// Static files for tests: several folders, each under a path of its own, on the loopback interface.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.gz': 'application/octet-stream',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** A path as a file's; invalid percent-encoding stays, as with Python's server. @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Path where a worker that reads a file asks whether it may continue. */
const GATE = '/gate';

/** Pieces of a file that are read before the gate: enough for progress to be shown. */
const BEFORE = 16;

/** The same of a packed file, of which a piece holds more. */
const BEFORE_PACKED = 2;

/** Milliseconds that each further piece takes where the gate is narrow: seconds for a file of some hundred pieces. */
const PACE = 30;

/**
 * Text before the reader worker's own: its reading waits at the gate, whatever the machine's speed. The worker's own
 * address is a blob's; with caching, one request would wait for the other's answer.
 */
const atGate = (/** @type {'closed' | 'narrow'} */ state) => `{
  const {read} = ReadableStreamBYOBReader.prototype;
  let pieces = 0;
  ReadableStreamBYOBReader.prototype.read = async function (...given) {
    const wait = {
      closed: () => pieces === ${BEFORE} && fetch(new URL('${GATE}', import.meta.url), {cache: 'no-store'}),
      narrow: () => pieces > ${BEFORE} && new Promise((resolve) => setTimeout(resolve, ${PACE})),
    };
    pieces++;
    await wait.${state}();
    return read.apply(this, given);
  };
  const {arrayBuffer} = Blob.prototype;
  let packed = 0;
  Blob.prototype.arrayBuffer = async function () {
    // One byte is read of any file to see that it is unchanged.
    if ('${state}' === 'closed' && this.size > 1 && packed++ === ${BEFORE_PACKED}) await fetch(new URL('${GATE}', import.meta.url), {cache: 'no-store'});
    return arrayBuffer.call(this);
  };
}
`;

/**
 * Files of which a worker reads only the first pieces until the gate opens: for tests of events during a load.
 */
export class Gate {
  /** @type {'open' | 'narrow' | 'closed' | 'passed'} */
  #state = 'open';
  /** @type {http.ServerResponse[]} */
  #waiting = [];

  /** Workers that start from now on stand still. */
  close() {
    this.#state = 'closed';
  }

  /** Workers that start from now on read slowly. */
  narrow() {
    this.#state = 'narrow';
  }

  /** Waiting workers continue to wait; workers that start from now on pass. */
  letOthersPass() {
    this.#state = 'passed';
  }

  /** Opens the gate: all continue. */
  open() {
    this.#state = 'open';
    for (const response of this.#waiting.splice(0)) response.writeHead(204).end();
  }

  /** Answers when the gate is open. @param {http.ServerResponse} response */
  pass(response) {
    this.#waiting.push(response);
    // A worker that was ended waits no longer.
    response.on('close', () => (this.#waiting = this.#waiting.filter((one) => one !== response)));
    if (this.#state === 'open') this.open();
  }

  /** Number of workers that wait at the gate. */
  get held() {
    return this.#waiting.length;
  }

  /** Text to put before a file's own. @param {string} file */
  before(file) {
    const state = this.#state;
    return (state === 'closed' || state === 'narrow') && path.basename(file) === 'reader.js' ? atGate(state) : '';
  }
}

/** The script by which the page's workers compile the wasm module ahead of time, and the empty one that tests get instead. */
const WARM_UP = '/js/shared/warm-up.js';
const NO_WARM_UP = 'export async function warmUp() {}\n';

/**
 * Serves folders: `{'/some/path/': folder}`, the longest path that fits first.
 * @param {Record<string, string>} folders
 * @param {{warmUp?: boolean}} [options] whether workers compile the module ahead of time, as they do elsewhere
 * @returns {Promise<{origin: string, requests: string[], gate: Gate, close: () => void}>}
 */
export async function serve(folders, {warmUp = true} = {}) {
  /** @type {string[]} */
  const requests = [];
  const gate = new Gate();
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = http.createServer((request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === GATE) {
      gate.pass(response);
      return;
    }
    requests.push(`${request.method} ${pathname}`);
    const prefix = prefixes.find((one) => pathname.startsWith(one));
    const name = decoded(pathname.slice(prefix?.length ?? 0)) || 'index.html';
    const file = path.join(folders[prefix ?? ''] ?? '/nowhere', path.normalize(`/${name}`));
    if (!warmUp && pathname.endsWith(WARM_UP)) {
      response.writeHead(200, {'content-type': TYPES['.js'], 'cache-control': 'no-store'}).end(NO_WARM_UP);
      return;
    }
    const type = TYPES[/** @type {keyof TYPES} */ (path.extname(file))] ?? 'application/octet-stream';
    fs.stat(file, (error, stat) => {
      if (error || !stat.isFile()) {
        response.writeHead(404).end('not found');
        return;
      }
      const before = gate.before(file);
      response.writeHead(200, {'content-type': type, 'content-length': before.length + stat.size, 'cache-control': 'no-store'});
      response.write(before);
      fs.createReadStream(file).pipe(response);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {origin: `http://127.0.0.1:${port}`, requests, gate, close: () => server.close()};
}
