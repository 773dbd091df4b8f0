// A proxy for all traffic of a browser: it records the requests of every part of it, however they are made.

import http from 'node:http';

/** @typedef {import('node:net').AddressInfo} AddressInfo */
/** @typedef {import('node:net').Socket} Socket */

/**
 * Forwards requests to one origin and refuses all others, as well as tunnels, with which sockets and TLS begin.
 * @param {() => string} allowed the origin
 */
export async function recording(allowed) {
  /** Addresses of all requests, tunnels as `CONNECT host:port`. @type {string[]} */
  const asked = [];
  const server = http.createServer((request, response) => {
    const url = request.url ?? '';
    asked.push(url);
    if (!url.startsWith(`${allowed()}/`)) {
      response.writeHead(403).end('not here');
      return;
    }
    const {method, headers} = request;
    const onward = http.request(url, {method, headers}, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request, /** @type {Socket} */ socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const {port} = /** @type {AddressInfo} */ (server.address());
  return {asked, address: `http://127.0.0.1:${port}`, close: () => server.close()};
}
