// Server of the benchmarks' own page: the built page's assets, the page itself, Perfetto's engine.

import fs from 'node:fs';
import path from 'node:path';

import {serve} from '../lib/server.mjs';

/** Serves the page on the loopback interface. */
export function serveBench() {
  const page = process.env.STEPSCOPE_PAGE ?? '';
  const assets = fs.readdirSync(page).find((name) => name.startsWith('assets-')) ?? '';
  return serve({
    '/': page,
    '/page/': path.join(page, assets),
    '/bench/': import.meta.dirname,
    '/perfetto/': process.env.PERFETTO ?? '/nowhere',
  });
}
