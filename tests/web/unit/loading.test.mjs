// Loader workers: their number, the messages to them, and the handling of their answers.

import assert from 'node:assert/strict';
import {beforeEach, test} from 'node:test';

import {RankReader, progressOf} from '../../../www/js/loaders/rank-reader.js';
import {TextReader} from '../../../www/js/loaders/text-reader.js';
import {LoaderPool} from '../../../www/js/session/loader-pool.js';
import {PieceReader, pieceLoadersFor, placesIn} from '../../../www/js/session/piece-reader.js';
import {RankLoaders, rankLoadersFor} from '../../../www/js/session/rank-loaders.js';
import {fakeWorkers, settled} from './lib/workers.mjs';

/** @typedef {import('../../../www/types/reports.js').PlanReport} Plan */
/** @typedef {import('../../../www/js/protocol/loading.js').Source} Source */
/** @typedef {import('../../../www/js/protocol/loading.js').LoaderJob} LoaderJob */

const MB = 1 << 20;
/** @type {import('./lib/workers.mjs').FakeWorker[]} */
let workers;
beforeEach(() => (workers = fakeWorkers()));

/** @param {Partial<Source>} [of] @returns {Source} */
const source = (of = {}) => ({
  path: 'a.json',
  file: 0,
  start: 0,
  len: 100 * MB,
  bytes: 100 * MB,
  layers: '',
  random: false,
  apart: true,
  title: null,
  problem: null,
  ...of,
});
/** A plan of ranks of a file each. @param {...Partial<Source>} files @returns {Plan} */
const planOf = (...files) => ({
  sources: files.map((file, index) => source({file: index, path: `${index}.json`, ...file})),
  ranks: files.map((_, index) => ({name: `${index}`, rank: index, bytes: 1, sources: [index]})),
});
/** @param {number} length @param {string} [text] */
const blob = (length, text = 'x') => new Blob([text.repeat(length)]);
const idle = () => new AbortController().signal;

test('half of the cores read ranks, at most four, and no more than there are ranks', () => {
  const plan = planOf({}, {}, {}, {}, {}, {});
  assert.deepEqual(
    [1, 2, 4, 8, 64].map((cores) => rankLoadersFor(plan, cores)),
    [0, 1, 2, 4, 4],
  );
  assert.equal(rankLoadersFor(planOf({}, {}), 64), 2);
  assert.equal(rankLoadersFor(plan, 2, 3), 3, 'as a person says');
  assert.equal(rankLoadersFor(planOf({}, {}), 64, 9), 2);
});

test('few texts, an archive and texts that need much memory are read by fewer workers', () => {
  assert.equal(rankLoadersFor(planOf({len: MB}, {len: MB}), 64), 1);
  assert.equal(rankLoadersFor(planOf({len: 2 * MB, layers: 'gzip'}, {len: 2 * MB, layers: 'gzip'}), 64), 2, 'a packed byte is more text');
  assert.equal(rankLoadersFor(planOf({layers: 'gzip cut:0'}, {layers: 'gzip cut:5'}), 64), 1, 'it is unpacked from front to back');
  assert.equal(rankLoadersFor(planOf({len: 200 * MB}, {len: 250 * MB}, {len: 1}), 64), 2);
  assert.ok(rankLoadersFor(planOf({len: 900 * MB}, {}), 64) <= 1);
});

test('one large plain file is read in pieces where there are cores for it', () => {
  assert.deepEqual(
    [2, 4, 64].map((cores) => pieceLoadersFor(planOf({}), cores)),
    [0, 2, 4],
  );
  assert.equal(pieceLoadersFor(planOf({len: MB}), 64), 0);
  assert.equal(pieceLoadersFor(planOf({len: MB}), 1, 2), 2, 'as a person says');
  assert.equal(pieceLoadersFor(planOf({apart: false}), 64), 0);
  assert.equal(pieceLoadersFor(planOf({}, {}), 64), 0);
});

test('pieces cover a file: none is shorter than worth it, none longer than memory allows', () => {
  for (const [length, loaders] of [
    [MB / 2, 2],
    [5 * MB, 2],
    [100 * MB, 2],
    [100 * MB + 1, 4],
    [4000 * MB, 4],
  ]) {
    const places = [0, ...placesIn(length, loaders), length];
    const sizes = places.slice(1).map((place, index) => place - places[index]);
    assert.ok(
      sizes.every((size) => size > 0 && size <= 32 * MB),
      `${length}: ${sizes}`,
    );
    assert.ok(
      sizes.slice(0, -1).every((size) => size >= MB),
      `${length}: ${sizes}`,
    );
  }
  assert.deepEqual(placesIn(100 * MB, 0), []);
  assert.deepEqual(placesIn(MB, 4), []);
});

/** @param {number} count @returns {LoaderJob[]} */
const jobs = (count) => Array.from({length: count}, (_, from) => ({kind: 'piece', source: source(), from, limit: from + 1}));
/** @param {number} from */
const answer = (from) => ({kind: 'answer', answer: {parts: [new Uint8Array([from])], failures: []}});

test('loaders do jobs in order, and no more than may wait to be taken', async () => {
  const pool = new LoaderPool({count: 2, ahead: 3, dropped: [], jobs: jobs(6), signal: idle()});
  await settled();
  assert.deepEqual(
    workers.map(({name, told}) => [name, told.map(({kind, from}) => from ?? kind)]),
    [
      ['loaders/loader.js', ['files', 0]],
      ['loaders/loader.js', ['files', 1]],
    ],
  );
  workers[1].say(answer(1));
  workers[0].say(answer(0));
  await settled();
  assert.deepEqual(
    workers.map(({last}) => last.from),
    [0, 2],
    'the fourth waits until the first is taken',
  );
  assert.deepEqual((await pool.take(0)).parts, [new Uint8Array([0])]);
  await settled();
  assert.deepEqual(
    workers.map(({last}) => last.from),
    [3, 2],
  );
  assert.deepEqual((await pool.take(1)).parts, [new Uint8Array([1])], 'whoever was first');
  workers[0].say(answer(3));
  workers[1].say(answer(2));
  await pool.take(2);
  await pool.take(3);
  await settled();
  workers[0].say(answer(workers[0].last.from));
  workers[1].say(answer(workers[1].last.from));
  await settled();
  assert.deepEqual(
    workers.map(({ended}) => ended),
    [true, true],
    'they end when there is nothing left to do',
  );
});

test('there are no more loaders than jobs', () => {
  new LoaderPool({count: 4, ahead: 4, dropped: [], jobs: jobs(2), signal: idle()});
  assert.equal(workers.length, 2);
});

test('a loader that dies ends the load, also one that waits; so does one that crashed', async () => {
  const one = new LoaderPool({count: 1, ahead: 1, dropped: [], jobs: jobs(3), signal: idle()});
  await settled();
  workers[0].say(answer(0));
  await settled();
  workers[0].die('out of memory');
  await one.take(0);
  await assert.rejects(one.take(1), {code: 'crashed', message: 'out of memory'});
  const other = new LoaderPool({count: 1, ahead: 1, dropped: [], jobs: jobs(1), signal: idle()});
  await settled();
  workers[1].say({kind: 'crashed', problem: {code: 'crashed', message: 'unreachable'}});
  await assert.rejects(other.take(0), {code: 'crashed', message: 'unreachable'});
  other.end();
  assert.equal(workers[1].ended, true);
});

test('a load that is cancelled has no answers', async () => {
  const cancel = new AbortController();
  const pool = new LoaderPool({count: 1, ahead: 1, dropped: [], jobs: jobs(2), signal: cancel.signal});
  const waited = pool.take(0);
  cancel.abort();
  await assert.rejects(waited, {name: 'AbortError'});
  await assert.rejects(new LoaderPool({count: 1, ahead: 1, dropped: [], jobs: jobs(2), signal: cancel.signal}).take(0), {name: 'AbortError'});
});

test("ranks come in the plan's order, and only the one that is waited for says how far it is", async () => {
  const plan = planOf({}, {}, {});
  const ranks = plan.ranks.map((rank) => ({rank, sources: rank.sources.map((number) => ({source: plan.sources[number], number}))}));
  /** @type {any} */
  const wasm = {
    RankLoad: {
      deserialize: (/** @type {string} */ name, /** @type {number} */ _bytes, /** @type {() => Uint8Array | undefined} */ next) => ({
        name,
        first: next()?.[0],
        end: next(),
      }),
    },
  };
  /** @type {any[]} */
  const told = [];
  const loaders = new RankLoaders(2, wasm, [], ranks, idle(), (progress) => told.push(progress));
  const first = loaders.rank(0);
  await settled();
  for (const [file, worker] of workers.entries()) worker.say({kind: 'progress', progress: {file: `${file}.json`, index: 0, blocked: true}});
  assert.deepEqual(told, [{file: '0.json', index: 0, blocked: false}], 'this worker hears all the time');
  workers[1].say({kind: 'answer', answer: {parts: [], failures: [{code: 'io'}]}});
  workers[0].say(answer(7));
  assert.deepEqual(await first, {load: {name: '0', first: 7, end: undefined}, failures: []});
  assert.deepEqual(await loaders.rank(1), {load: undefined, failures: [{code: 'io'}]}, 'of parts that are none there is no rank');
  const last = loaders.rank(2);
  await settled();
  const third = workers.find(({last}) => last.rank?.name === '2');
  third?.say({kind: 'progress', progress: {file: '2.json', index: 0, blocked: false}});
  assert.deepEqual(told[1], {file: '2.json', index: 2, blocked: false}, 'files are counted over all ranks');
  third?.say(answer(9));
  assert.ok((await last).load);
  loaders.end();
});

/** A rank that stores its input. */
class FakeLoad {
  /** @type {any[]} */
  did = [];
  freed = false;

  /** @param {unknown} _list @param {number} number */
  begin(_list, number) {
    this.did.push(`begin ${number}`);
  }

  /** @param {Uint8Array} bytes */
  push(bytes) {
    this.did.push(new TextDecoder().decode(bytes));
  }

  /** @param {string} what */
  damaged(what) {
    this.did.push(what);
  }

  /** @param {number} rank */
  set_rank(rank) {
    this.did.push(`rank ${rank}`);
  }

  progress() {
    return {bytes: 1, events: 2, slices: 3, activities: 4};
  }

  free() {
    this.freed = true;
  }
}

/** Reads a rank of files with a reader worker that a test answers for. @param {Plan} plan */
function readRank(plan) {
  /** @type {FakeLoad[]} */
  const loads = [];
  const RankLoad = class extends FakeLoad {
    constructor() {
      super();
      loads.push(this);
    }
  };
  const reader = new RankReader({
    wasm: /** @type {any} */ ({RankLoad}),
    dropped: plan.sources.map(({path}) => ({path, file: new File(['{"a": 1}'], path)})),
    list: /** @type {any} */ ({}),
    texts: new TextReader(),
    name: 3,
  });
  /** @type {any[]} */
  const told = [];
  const cancel = new AbortController();
  let index = 0;
  const rank = {...plan.ranks[0], sources: [...plan.sources.keys()]};
  const numbered = plan.sources.map((source, number) => ({source, number}));
  const done = reader.read(
    rank,
    numbered,
    cancel.signal,
    progressOf(
      () => index++,
      (progress) => told.push(progress),
    ),
  );
  // It is only looked at later.
  done.catch(() => {});
  return {loads, told, cancel, done, reader};
}

test("a rank's files are read one after the other; buffers go back to be filled again", async () => {
  const {loads, told, done} = readRank(planOf({len: 8}, {len: 8}));
  await settled();
  const [worker] = workers;
  assert.equal(worker.name, 'loaders/reader.js');
  assert.deepEqual([worker.last.kind, worker.last.layers, worker.last.archive, worker.last.file.size], ['start', '', undefined, 8]);
  const bytes = new TextEncoder().encode('first');
  worker.say({kind: 'bytes', pieces: [bytes], read: 5});
  assert.deepEqual([worker.last.kind, worker.last.buffers.length], ['more', 1]);
  worker.say({kind: 'end', damage: 'cut off'});
  await settled();
  assert.equal(worker.last.kind, 'start');
  worker.say({kind: 'end', damage: undefined});
  const {load, failures} = await done;
  assert.deepEqual([/** @type {any} */ (load) === loads[0], failures], [true, []]);
  assert.deepEqual(loads[0].did, ['begin 0', 'first', 'cut off', 'begin 1', 'rank 0']);
  assert.deepEqual(
    told.map(({file, index, read, stage, slices}) => [file, index, read, stage, slices]),
    [
      ['0.json', 0, 5, 'reading', 3],
      ['0.json', 0, 8, 'analyzing', 3],
      ['1.json', 1, 8, 'analyzing', 3],
    ],
  );
});

test('what is wrong with a file does not keep the others from being read', async () => {
  const {loads, done} = readRank(planOf({len: 8}, {len: 8}));
  await settled();
  workers[0].say({kind: 'failed', name: 'NotReadableError', message: 'changed'});
  await settled();
  assert.deepEqual([workers.length, workers[0].ended], [2, true], 'a reader worker that failed may be in the middle of anything');
  workers[1].say({kind: 'end', damage: undefined});
  const {load, failures} = await done;
  assert.ok(load);
  assert.deepEqual(
    failures.map(({code, file}) => [code, file]),
    [['unreadable', '0.json']],
  );
  assert.equal(loads[0].freed, false);
});

test('a rank of which no file can be read is none', async () => {
  const {loads, done} = readRank(planOf({len: 8}));
  await settled();
  workers[0].die('no memory');
  const {load, failures} = await done;
  assert.deepEqual([load, failures.map(({code, message}) => [code, message]), loads[0].freed], [undefined, [['io', 'no memory']], true]);
});

test('cancelling ends a rank, and a crash leaves it alone', async () => {
  const cancelled = readRank(planOf({len: 8}));
  await settled();
  cancelled.cancel.abort();
  await assert.rejects(cancelled.done, {name: 'AbortError'});
  assert.equal(cancelled.loads[0].freed, true);
  const crashed = readRank(planOf({len: 8}));
  await settled();
  crashed.loads[0].push = () => {
    throw new WebAssembly.RuntimeError('unreachable');
  };
  workers[workers.length - 1].say({kind: 'bytes', pieces: [new Uint8Array(1)], read: 1});
  await assert.rejects(crashed.done, WebAssembly.RuntimeError);
  assert.equal(crashed.loads[0].freed, false, 'nothing of the instance can be used');
});

test('what is unpacked of an archive goes on from rank to rank of one opening', async () => {
  readRank(planOf({len: 8, file: 0, layers: 'gzip cut:10'}));
  await settled();
  assert.equal(workers[0].last.archive, '3/0');
});

test('pieces that fit are joined, and what does not is read here', async () => {
  // A load that stops after each place, and takes only the second piece.
  const length = 3 * MB;
  /** @type {any[]} */
  const did = [];
  let [stop, at] = [Infinity, 0];
  const load = /** @type {any} */ ({
    stop_at: (/** @type {number} */ place) => (stop = place),
    is_stopped: () => at >= stop,
    next_byte: () => at,
    push: (/** @type {Uint8Array} */ bytes) => (at += bytes.length),
    join(/** @type {() => Uint8Array | undefined} */ next, /** @type {number} */ limit) {
      const part = next();
      did.push([part?.[0], limit]);
      stop = limit;
      if (part?.[0] !== 2) return false;
      at = length;
      return true;
    },
  });
  const text = blob(length);
  const reader = new PieceReader(2, [], new TextReader());
  const reading = reader.read(load, source({len: length}), text, idle(), () => {});
  /** Answers for the reader worker. */
  const feed = async () => {
    for (let turn = 0; turn < 40; turn++) {
      await settled();
      const {last} = workers[0];
      if (last?.kind !== 'start') continue;
      workers[0].told.push({kind: 'done'});
      workers[0].say({kind: 'bytes', pieces: [new Uint8Array(last.file.size)], read: last.file.size});
      workers[0].say({kind: 'end', damage: undefined});
    }
  };
  await settled();
  const loaders = workers.filter(({name}) => name === 'loaders/loader.js');
  assert.deepEqual(
    loaders.map(({last}) => [last.from, last.limit]),
    [
      [MB, 2 * MB],
      [2 * MB, Infinity],
    ],
  );
  loaders[0].say({kind: 'answer', answer: {parts: [new Uint8Array([1])], failures: []}});
  loaders[1].say({kind: 'answer', answer: {parts: [new Uint8Array([2])], failures: []}});
  await feed();
  assert.equal(await reading, true);
  assert.deepEqual(did, [
    [1, 2 * MB],
    [2, Infinity],
  ]);
  assert.equal(at, length);
  assert.ok(loaders.every(({ended}) => ended));
  assert.equal(await new PieceReader(0, [], new TextReader()).read(load, source(), text, idle(), () => {}), false, 'without loaders it is read as it is');
});
