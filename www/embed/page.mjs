// Joins the page's scripts and style sheets, so that a visit asks for a few files instead of 240: `node page.mjs BUILT OUT [--minify]`,
// where BUILT has the page as trunk builds it, of which OUT becomes a copy.

import {cp, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join, relative, resolve} from 'node:path';
import {transform} from 'esbuild';
import {WORKERS, bundled, sheetsOf} from './bundle.mjs';

const [built, out] = process.argv.slice(2, 4).map((path) => resolve(path));
const minify = process.argv.includes('--minify');
const scripts = join(built, 'js');

/** The page's own script. */
const PAGE = 'page/main.js';

/** A script that stays a file of its own, with its imports, since tests give workers one that does nothing. */
const WARM_UP = 'shared/warm-up.js';

/** Scripts that the page loads when they are wanted: code that few visits need. What the page's script has anyway, they import from it. */
const LATE = ['page/views/seldom.js', 'page/views/strategy/strategy-graph.js'];

/** How an import from the page's script is marked until all that is imported is known. */
const MARK = 'of-the-page:';

/** The sheet of all sheets. */
const SHEET = 'css/page.css';

/** Leaves some scripts where they are. @param {string} entry @returns {import('esbuild').Plugin} */
const apart = (entry) => ({
  name: 'apart',
  setup(building) {
    building.onResolve({filter: /\.js$/}, (asked) => {
      const name = nameOf(asked);
      return asked.importer && [WARM_UP, ...LATE].includes(name) ? {path: relativePath(dirname(entry), name), external: true} : undefined;
    });
  },
});

/** Marks what the page's script has. @param {Set<string>} had @returns {import('esbuild').Plugin} */
const marked = (had) => ({
  name: 'marked',
  setup(building) {
    building.onResolve({filter: /\.js$/}, (asked) => (had.has(nameOf(asked)) ? {path: MARK + nameOf(asked), external: true} : undefined));
  },
});

/**
 * Rewrites `import.meta.url`, so that bundled modules still find the files beside their sources, and notes their names.
 * @param {string} entry @param {Set<string>} [names] @returns {import('esbuild').Plugin}
 */
const moved = (entry, names = new Set()) => ({
  name: 'moved',
  setup(building) {
    building.onLoad({filter: /\.js$/}, async ({path}) => {
      const contents = await readFile(path, 'utf8');
      const name = relative(scripts, path).replaceAll('\\', '/');
      names.add(name);
      const own = relativePath(dirname(entry), name);
      return {contents: contents.replaceAll('import.meta.url', `new URL(${JSON.stringify(own)}, import.meta.url)`), loader: 'js'};
    });
  },
});

/** The name of an imported script. @param {{path: string, resolveDir: string}} asked */
const nameOf = ({path, resolveDir}) => relative(scripts, resolve(resolveDir, path)).replaceAll('\\', '/');

/** @param {string} from @param {string} to */
function relativePath(from, to) {
  const path = relative(from, to).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** A script with its imports. @param {string} entry @param {import('esbuild').Plugin[]} plugins @param {import('esbuild').BuildOptions} [options] */
const joined = (entry, plugins, options) => bundled(join(scripts, entry), {absWorkingDir: built, format: 'esm', minify, plugins, ...options});

/** @param {string} name @param {string} text */
async function put(name, text) {
  await mkdir(dirname(join(out, name)), {recursive: true});
  await writeFile(join(out, name), text);
}

/** Joins the page's script and those that it loads later: no code is in two of them, since each module has a state of its own. */
async function joinPage() {
  /** @type {Set<string>} */
  const had = new Set();
  await joined(PAGE, [apart(PAGE), moved(PAGE, had)]);
  /** The exports of the page's script, by their names there. @type {Map<string, string>} */
  const exported = new Map();
  /** @type {Set<string>} */
  const late = new Set();
  for (const entry of LATE) {
    /** @type {Set<string>} */
    const own = new Set();
    const text = await joined(entry, [marked(had), moved(entry, own)]);
    for (const name of own) {
      if (late.has(name)) throw new Error(`${name} would be in two scripts that are loaded later`);
      late.add(name);
    }
    const imports = new RegExp(`import\\s*{([^}]*)}\\s*from\\s*"${MARK}([^"]+)"`, 'g');
    const from = JSON.stringify(relativePath(dirname(entry), PAGE));
    const linked = text.replace(imports, (_, names, module) => {
      const renamed = names.split(',').map((/** @type {string} */ pair) => {
        const [name, local = name] = pair.trim().split(/\s+as\s+/);
        const source = `${name} from ${JSON.stringify(relativePath(dirname(PAGE), module))}`;
        // Two modules may export the same name.
        let shared = name;
        while ((exported.get(shared) ?? source) !== source) shared += '$';
        exported.set(shared, source);
        return `${shared} as ${local}`;
      });
      return `import{${renamed.join()}}from${from}`;
    });
    if (linked.includes(MARK)) throw new Error(`${entry} imports more than names of the page's script`);
    await put(`js/${entry}`, linked);
  }
  const exports = [...exported].map(([shared, source]) => `export {${source.replace(' from', ` as ${shared}} from`)};`);
  const stdin = {contents: [`import './main.js';`, ...exports].join('\n'), resolveDir: join(scripts, dirname(PAGE))};
  await put(`js/${PAGE}`, await joined(PAGE, [apart(PAGE), moved(PAGE)], {entryPoints: [], stdin}));
}

async function main() {
  const index = await readFile(join(built, 'index.html'), 'utf8');
  await rm(out, {recursive: true, force: true});
  await cp(built, out, {recursive: true, filter: (path) => !['js', 'css'].includes(relative(built, path))});
  for (const entry of [...WORKERS, WARM_UP]) await put(`js/${entry}`, await joined(entry, [apart(entry), moved(entry)]));
  await joinPage();
  const sheets = await Promise.all(sheetsOf(index).map((name) => readFile(join(built, name), 'utf8')));
  const {code} = await transform(sheets.join('\n'), {loader: 'css', minify, charset: 'utf8'});
  await put(SHEET, code);
  const [first, ...others] = sheetsOf(index);
  let page = index.replace(`"./${first}"`, `"./${SHEET}"`);
  for (const name of others) page = page.replace(new RegExp(`\\s*<link rel="stylesheet" href="\\./${name.replaceAll('.', '\\.')}">`), '');
  if (sheetsOf(page).join() !== SHEET) throw new Error(`index.html still names ${sheetsOf(page).join(', ')}`);
  await writeFile(join(out, 'index.html'), page);
}

await main();
