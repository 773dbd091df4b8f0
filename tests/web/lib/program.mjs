// The native programs that the page is compared with, and the traces they make.

import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** A variable that `cargo xtask test` sets. @param {string} name */
export function environment(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run the browser tests by: cargo xtask test`);
  return value;
}

/** Options of a test that takes long: `cargo xtask test --all` runs it. */
export const thorough = {skip: process.env.STEPSCOPE_ALL ? false : 'only with --all'};

/** Folder for the files of this script: others run at the same time, and may use the same names. */
const own = path.basename(process.argv[1] ?? '', '.mjs').replace(/\.test$/, '');

/** A path for a file of the tests' own. @param {string} name */
export function scratch(name) {
  const file = path.join(environment('STEPSCOPE_SCRATCH'), own, name);
  fs.mkdirSync(path.dirname(file), {recursive: true});
  return file;
}

/** Writes a file of the tests' own. @param {string} name @param {string | Uint8Array} content @returns {string} its path */
export function written(name, content) {
  const file = scratch(name);
  fs.writeFileSync(file, content);
  return file;
}

/** A synthetic trace. @param {string} name @param {...string} options of the generator @returns {string} its path */
export function generated(name, ...options) {
  const file = scratch(name);
  execFileSync(environment('STEPSCOPE_GENERATE'), [...options, '-o', file]);
  return file;
}

/** Runs `stepscope`. @param {...string} args @returns {Buffer} its output */
export function stepscope(...args) {
  return execFileSync(environment('STEPSCOPE_PROGRAM'), args, {maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe']});
}

/** The program's summary. @param {...string} args files and options @returns {any} */
export function summary(...args) {
  return JSON.parse(stepscope('summary', '--json', ...args).toString());
}

/** Real traces beside the project, which not every checkout has. @returns {string[]} */
export function realTraces() {
  const folder = path.join(import.meta.dirname, '../../../../shared/traces/pytorch');
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json.gz'));
  return names.sort().map((name) => path.join(folder, name));
}

/** Folders of real traces that PyTorch did not write, one for each run. @returns {string[]} */
export function realFolders() {
  const traces = path.join(import.meta.dirname, '../../../../shared/traces');
  const runs = [
    'generated/jax/cnn_py1',
    'generated/jax/gpt_py0',
    'generated/node',
    'generated/paddle/ddp',
    'generated/paddle/odd',
    'generated/viztracer',
    'mindspore/profiler',
    'mindspore/run_1',
    'paddle_gpu_synthetic',
  ];
  return runs.map((run) => path.join(traces, run)).filter((run) => fs.existsSync(run));
}
