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

/** A path as a file's; what is no percent-encoding stays, as with Python's server. @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Serves folders: `{'/some/path/': folder}`, the longest path that fits first.
 * @param {Record<string, string>} folders
 * @returns {Promise<{origin: string, requests: string[], close: () => void}>}
 */
export async function serve(folders) {
  /** @type {string[]} */
  const requests = [];
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = http.createServer((request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://localhost');
    requests.push(`${request.method} ${pathname}`);
    const prefix = prefixes.find((one) => pathname.startsWith(one));
    const name = decoded(pathname.slice(prefix?.length ?? 0)) || 'index.html';
    const file = path.join(folders[prefix ?? ''] ?? '/nowhere', path.normalize(`/${name}`));
    const type = TYPES[/** @type {keyof TYPES} */ (path.extname(file))] ?? 'application/octet-stream';
    fs.stat(file, (error, stat) => {
      if (error || !stat.isFile()) {
        response.writeHead(404).end('not found');
        return;
      }
      response.writeHead(200, {'content-type': type, 'content-length': stat.size, 'cache-control': 'no-store'});
      fs.createReadStream(file).pipe(response);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {origin: `http://127.0.0.1:${port}`, requests, close: () => server.close()};
}
