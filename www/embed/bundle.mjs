// Bundling of scripts into one file: the common part of all bundles.

import {build} from 'esbuild';

/** The page's workers, by their scripts. */
export const WORKERS = ['session/worker.js', 'loaders/reader.js', 'loaders/loader.js'];

/** One script of a module and all that it imports. @param {string} entry @param {import('esbuild').BuildOptions} options */
export async function bundled(entry, options) {
  const {outputFiles = []} = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    target: 'es2023',
    logLevel: 'warning',
    legalComments: 'none',
    ...options,
  });
  return outputFiles[0].text;
}

/** The style sheets that an index names, in its order, by their paths. @param {string} index */
export function sheetsOf(index) {
  const names = [...index.matchAll(/href="\.\/(css\/[^"]+)"/g)].map(([, name]) => name);
  if (!names.length) throw new Error('index.html has no style sheets');
  return names;
}
