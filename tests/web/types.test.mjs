// The element's package as TypeScript sees it, and its README's words against its types and its policy.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {TABS} from '../../www/js/page/state.js';
import {environment, scratch} from './lib/program.mjs';

const root = path.join(import.meta.dirname, '../..');
const npm = path.join(root, 'www/embed/npm');
const here = path.join(import.meta.dirname, 'types');
const readme = fs.readFileSync(path.join(npm, 'README.md'), 'utf8');

/** The first column of the README's table with a head. @param {string} head @returns {string[]} */
function rows(head) {
  const table = readme.split(`| ${head} |`)[1].split('\n\n')[0];
  return [...table.matchAll(/^\| `([a-z]+)/gm)].map(([, name]) => name);
}

/** Compiles a folder of TypeScript. @param {string} folder */
function compiled(folder) {
  const tsc = path.join(import.meta.dirname, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], {encoding: 'utf8'});
}

test('its types know what the README tells of, by itself and in JSX', () => {
  const folder = path.dirname(scratch('types/tsconfig.json'));
  fs.rmSync(folder, {recursive: true});
  const modules = path.join(folder, 'node_modules');
  fs.cpSync(npm, path.join(modules, 'stepscope-view'), {recursive: true});
  fs.cpSync(path.join(here, 'react'), path.join(modules, 'react'), {recursive: true});
  const consumers = ['consumer.ts', 'consumer.tsx'];
  consumers.forEach((name) => fs.copyFileSync(path.join(here, name), path.join(folder, `${name.replace('.', '-')}.tsx`)));
  const compilerOptions = {
    target: 'ES2022',
    module: 'ES2022',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
    strict: true,
    noEmit: true,
  };
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({compilerOptions, include: ['*.tsx']}));
  const {status, stdout} = compiled(folder);
  assert.equal(stdout, '');
  assert.equal(status, 0);
  const text = consumers.map((name) => fs.readFileSync(path.join(here, name), 'utf8')).join('\n');
  const [attributes, methods, events] = ['attribute', 'method', 'event'].map(rows);
  assert.ok(attributes.length > 3 && methods.length > 1 && events.length > 2, readme);
  for (const name of attributes) assert.match(text, new RegExp(`setAttribute\\('${name}'`));
  for (const name of attributes) assert.match(text, new RegExp(`<stepscope-view .*\\b${name}=`));
  for (const name of methods) assert.match(text, new RegExp(`view\\.${name}\\(`));
  for (const name of events) assert.match(text, new RegExp(`addEventListener\\('${name}'`));
});

test("the page's types of the wasm module are those that wasm-bindgen makes", () => {
  const folder = path.dirname(scratch('types-of-wasm/tsconfig.json'));
  fs.copyFileSync(path.join(here, 'wasm.ts'), path.join(folder, 'wasm.ts'));
  fs.copyFileSync(path.join(environment('STEPSCOPE_PAGE'), '../types/stepscope.d.ts'), path.join(folder, 'stepscope.d.ts'));
  const compilerOptions = {
    target: 'ES2022',
    module: 'ES2022',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable', 'ESNext.Disposable'],
    types: [],
    paths: {'page/*': [path.join(root, 'www/*')]},
    strict: true,
    noEmit: true,
    allowJs: true,
    skipLibCheck: true,
  };
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({compilerOptions, include: ['wasm.ts']}));
  const {status, stdout} = compiled(folder);
  assert.equal(stdout, '');
  assert.equal(status, 0);
});

test("every tab that the README names is one of its types, and the page's", () => {
  const told = [...(/\| `tab` \| what is shown: (.*) \|/.exec(readme)?.[1].matchAll(/`(\w+)`/g) ?? [])].map(([, tab]) => tab);
  const types = fs.readFileSync(path.join(npm, 'element.d.ts'), 'utf8');
  const typed = [...(/type Tab =([^;]*);/.exec(types)?.[1].matchAll(/'(\w+)'/g) ?? [])].map(([, tab]) => tab);
  assert.deepEqual(typed, told);
  assert.deepEqual(told, TABS);
});

test('no example needs more than the policy that is documented allows', () => {
  const texts = [
    path.join(root, 'README.md'),
    path.join(npm, 'README.md'),
    ...fs.readdirSync(path.join(npm, 'examples')).map((name) => path.join(npm, 'examples', name)),
  ];
  assert.ok(texts.length > 5);
  for (const file of texts) {
    const markup = fs.readFileSync(file, 'utf8').match(/<(stepscope-view|script)\b[^>]*>[^<]*/g) ?? [];
    // React sets a style by script, which no policy forbids.
    for (const tag of markup) assert.doesNotMatch(tag, / style="| on\w+="|<script(?![^>]* src=)[^>]*>/, file);
  }
});
