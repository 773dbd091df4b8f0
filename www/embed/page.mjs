// Joins the page's scripts and style sheets, so that a visit asks for a few files instead of 240: `node page.mjs BUILT OUT [--minify]`,
// where BUILT has the page as trunk builds it, of which OUT becomes a copy.

import {cp, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join, relative, resolve} from 'node:path';
import {transform} from 'esbuild';
import {WORKERS, bundled, sheetsOf} from './bundle.mjs';

const [built, out] = process.argv.slice(2, 4).map((path) => resolve(path));
const minify = process.argv.includes('--minify');
const scripts = join(built, 'js');

/** Entry points: the page, and each of its workers. */
const ENTRIES = ['page/main.js', ...WORKERS];

/** Scripts that stay files of their own: the warm-up, since tests give workers one that does nothing, and code that few traces need. Each contains its imports. */
const APART = ['shared/warm-up.js', 'page/views/strategy/strategy-graph.js'];

/** The sheet of all sheets. */
const SHEET = 'css/page.css';

/** Leaves those of APART where they are. @param {string} entry @returns {import('esbuild').Plugin} */
const apart = (entry) => ({
  name: 'apart',
  setup(building) {
    building.onResolve({filter: /\.js$/}, ({path, importer, resolveDir}) => {
      const name = relative(scripts, resolve(resolveDir, path)).replaceAll('\\', '/');
      return importer && APART.includes(name) ? {path: relativePath(dirname(entry), name), external: true} : undefined;
    });
  },
});

/** Rewrites `import.meta.url`, so that bundled modules still find the files beside their sources. @param {string} entry @returns {import('esbuild').Plugin} */
const moved = (entry) => ({
  name: 'moved',
  setup(building) {
    building.onLoad({filter: /\.js$/}, async ({path}) => {
      const contents = await readFile(path, 'utf8');
      const own = relativePath(dirname(entry), relative(scripts, path));
      return {contents: contents.replaceAll('import.meta.url', `new URL(${JSON.stringify(own)}, import.meta.url)`), loader: 'js'};
    });
  },
});

/** @param {string} from @param {string} to */
function relativePath(from, to) {
  const path = relative(from, to).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

async function main() {
  const index = await readFile(join(built, 'index.html'), 'utf8');
  await rm(out, {recursive: true, force: true});
  await cp(built, out, {recursive: true, filter: (path) => !['js', 'css'].includes(relative(built, path))});
  for (const entry of [...ENTRIES, ...APART]) {
    const text = await bundled(join(scripts, entry), {absWorkingDir: built, format: 'esm', minify, plugins: [apart(entry), moved(entry)]});
    await mkdir(dirname(join(out, 'js', entry)), {recursive: true});
    await writeFile(join(out, 'js', entry), text);
  }
  const sheets = await Promise.all(sheetsOf(index).map((name) => readFile(join(built, name), 'utf8')));
  const {code} = await transform(sheets.join('\n'), {loader: 'css', minify, charset: 'utf8'});
  await mkdir(dirname(join(out, SHEET)), {recursive: true});
  await writeFile(join(out, SHEET), code);
  const [first, ...others] = sheetsOf(index);
  let joined = index.replace(`"./${first}"`, `"./${SHEET}"`);
  for (const name of others) joined = joined.replace(new RegExp(`\\s*<link rel="stylesheet" href="\\./${name.replaceAll('.', '\\.')}">`), '');
  if (sheetsOf(joined).join() !== SHEET) throw new Error(`index.html still names ${sheetsOf(joined).join(', ')}`);
  await writeFile(join(out, 'index.html'), joined);
}

await main();
