// Builds the analyzer into single files: `node build.mjs TRUNK OUT`, where TRUNK has the wasm and its JavaScript.
//
// Inside of each: the wasm, compressed; the workers as texts; style sheet and messages; the page's scripts as one function, so
// that each element on a page has a state of its own. The scripts are the page's: imports of files beside them
// are resolved to this folder's modules of the same names.

import {createHash} from 'node:crypto';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {gzipSync} from 'node:zlib';
import {fileURLToPath} from 'node:url';
import {WORKERS, bundled, sheetsOf} from './bundle.mjs';
import {embeddedCss} from './css.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const page = dirname(here);
const [trunk, out] = process.argv.slice(2).map((path) => resolve(path));

/** Modules of the page that this folder has others for. */
const REPLACED = ['page/environment/parts.js', 'shared/spawn.js', 'shared/wasm.js'].map((module) => join(page, 'js', module));

/** @type {import('esbuild').Plugin} */
const replaced = {
  name: 'replaced',
  setup(building) {
    building.onResolve({filter: /^stepscope-glue$/}, () => ({path: join(trunk, 'stepscope.js')}));
    building.onResolve({filter: /\.js$/}, ({path, resolveDir}) => {
      const target = resolve(resolveDir, path);
      return REPLACED.includes(target) ? {path: join(here, basename(target))} : undefined;
    });
  },
};

async function main() {
  // The wasm's address, which is never asked for: the module is handed over.
  const logOverride = /** @type {const} */ ({'empty-import-meta': 'silent'});
  const script = (/** @type {string} */ entry, name = '') =>
    bundled(entry, {format: 'iife', plugins: [replaced], logOverride, ...(name && {globalName: name})});
  /** @type {Record<string, string>} */
  const workers = {};
  for (const name of WORKERS) workers[name] = await script(join(page, 'js', name));
  const instance = await script(join(here, 'instance.js'), 'made');
  const wasm = gzipSync(await readFile(join(trunk, 'stepscope_bg.wasm')), {level: 9}).toString('base64');
  const json = async (/** @type {string[]} */ ...path) => JSON.parse(await readFile(join(trunk, ...path), 'utf8'));
  const messagesOf = async (/** @type {string} */ name) =>
    Object.assign({}, ...(await Promise.all(['', 'tables', 'sentences'].map((folder) => json('i18n', folder, `${name}.json`)))));
  const messages = Object.fromEntries(await Promise.all(['en', 'zh'].map(async (name) => [name, await messagesOf(name)])));
  const reportMessages = Object.fromEntries(await Promise.all(['en', 'zh'].map(async (name) => [name, await json('i18n', 'report', `report.${name}.json`)])));
  const css = embeddedCss(await sheets());
  const built = [
    ...Object.entries({wasm, workers, messages, reportMessages, css}).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`),
    `export function scripts(STEPSCOPE) {\n${instance}\nreturn made;\n}`,
  ].join('\n');
  /** @type {import('esbuild').Plugin} */
  const known = {
    name: 'built',
    setup(building) {
      building.onResolve({filter: /^stepscope-built$/}, ({path}) => ({path, namespace: 'built'}));
      building.onLoad({filter: /.*/, namespace: 'built'}, () => ({contents: built, loader: 'js'}));
    },
  };
  await mkdir(out, {recursive: true});
  for (const name of ['element', 'widget'])
    await writeFile(join(out, `${name}.js`), await bundled(join(here, `${name}.js`), {format: 'esm', plugins: [known]}));
  const report = await bundled(join(here, 'report.js'), {format: 'iife', plugins: [known]});
  if (/<\/script|<!--/i.test(report)) throw new Error('the scripts of a report would end its element');
  // A report lets nothing run but this.
  const hash = createHash('sha256').update(report).digest('base64');
  await writeFile(join(out, 'analyzer.html'), `<script id="stepscope-analyzer" data-hash="sha256-${hash}">${report}</script>\n`);
}

/** The page's style sheets, in the order in which it has them. */
async function sheets() {
  const names = sheetsOf(await readFile(join(page, 'index.html'), 'utf8'));
  return (await Promise.all(names.map((name) => readFile(join(page, name), 'utf8')))).join('\n');
}

await main();
