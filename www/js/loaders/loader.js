// A worker that helps the session's one: it reads ranks, or pieces of one, and hands each over as bytes, since workers share no memory.

import {problemOf} from '../shared/problem.js';
import {loadWasm} from '../shared/wasm.js';
import {FileBytes} from './file-bytes.js';
import {RankReader, progressOf} from './rank-reader.js';
import {TextReader} from './text-reader.js';

/** @typedef {import('../protocol/requests.js').Dropped} Dropped */
/** @typedef {import('../../types/reports.js').ProblemReport} Problem */
/** @typedef {import('../protocol/wasm.js').Wasm} Wasm */
/** @typedef {import('../protocol/loading.js').Bytes} Bytes */
/** @typedef {import('../protocol/loading.js').FromLoader} FromLoader */
/** @typedef {import('../protocol/loading.js').LoaderAnswer} LoaderAnswer */
/** @typedef {import('../protocol/loading.js').Numbered} Numbered */
/** @typedef {import('../protocol/loading.js').PlannedRank} PlannedRank */
/** @typedef {import('../protocol/loading.js').Source} Source */
/** @typedef {import('../protocol/loading.js').ToLoader} ToLoader */

/** Bytes after a piece's last place that are read to find the end of its last event. */
const BEYOND = 1 << 18;

const ready = loadWasm();
const texts = new TextReader();

/** Nobody cancels it: a loader that is not wanted any more is ended. */
const {signal} = new AbortController();

/** The sources of the dropped files, as far as they were needed: other files are not looked at. */
class Known {
  /** The files that were looked at, by their place in the list. @type {number[]} */
  #added = [];

  /** @param {Wasm} wasm @param {Dropped[]} dropped */
  constructor(wasm, dropped) {
    this.list = new wasm.SourceList();
    this.dropped = dropped;
    this.ranks = new RankReader({wasm, dropped, list: this.list, texts, name: 0});
  }

  /** The sources with their numbers here. @param {Source[]} sources @returns {Numbered[]} */
  numbered(sources) {
    for (const {file} of sources) {
      if (this.#added.includes(file)) continue;
      const {path, file: blob} = this.dropped[file];
      this.#added.push(file);
      this.list.add(path, blob.size, new FileBytes(blob).read);
    }
    const known = this.list.plan([]).sources;
    const numberOf = (/** @type {Source} */ {file, path}) => known.findIndex((one) => one.path === path && this.#added[one.file] === file);
    return sources.map((source) => ({source, number: numberOf(source)}));
  }
}

/** @type {Known | undefined} */
let files;

/** @param {FromLoader} message @param {Transferable[]} [transfer] */
function say(message, transfer = []) {
  self.postMessage(message, {transfer});
}

/** @param {LoaderAnswer} answer */
function hand(answer) {
  say(
    {kind: 'answer', answer},
    answer.parts.map(({buffer}) => buffer),
  );
}

/** Reads a rank. @param {Known} known @param {PlannedRank} rank @param {Source[]} sources */
async function readRank(known, rank, sources) {
  let index = 0;
  const begin = progressOf(
    () => index++,
    (progress) => say({kind: 'progress', progress}),
  );
  const {load, failures} = await known.ranks.read(rank, known.numbered(sources), signal, begin);
  /** @type {Bytes[]} */
  const parts = [];
  try {
    load?.serialize((part) => parts.push(part));
  } catch (error) {
    const problem = problemOf(error, rank.name);
    if (problem.code === 'crashed') throw error;
    // The failure of a file is the cause of the missing result.
    if (!failures.length) failures.push(problem);
  }
  hand({parts, failures});
}

/**
 * Reads the events of a file that begin between two places.
 * @param {Known} known @param {Source} source @param {number} from @param {number} limit
 */
async function readPiece(known, source, from, limit) {
  const [{number}] = known.numbered([source]);
  const load = (await ready).ShardLoad.of(known.list, number, from, limit);
  /** @type {Bytes[]} */
  const parts = [];
  if (load) {
    const text = known.dropped[source.file].file.slice(source.start, source.start + source.len);
    const taker = {push: (/** @type {Uint8Array} */ bytes) => load.push(bytes), damaged: () => {}};
    try {
      for (let at = from; at < text.size && !load.is_done();) {
        const end = Math.min(text.size, Math.max(at, limit) + BEYOND);
        await texts.read(text.slice(at, end), '', undefined, taker, signal, () => {});
        at = end;
      }
      load.serialize((part) => parts.push(part));
    } catch (error) {
      if (problemOf(error, source.path).code === 'crashed') throw error;
      // The session's worker reads it, and finds the problem.
      parts.length = 0;
    }
  }
  hand({parts, failures: []});
}

self.addEventListener('message', async (/** @type {MessageEvent<ToLoader>} */ {data}) => {
  try {
    const wasm = await ready;
    if (data.kind === 'files') files = new Known(wasm, data.dropped);
    else if (files && data.kind === 'piece') await readPiece(files, data.source, data.from, data.limit);
    else if (files && data.kind === 'rank') await readRank(files, data.rank, data.sources);
  } catch (error) {
    say({kind: 'crashed', problem: {...problemOf(error, ''), code: 'crashed'}});
  }
});
