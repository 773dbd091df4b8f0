// Text search in content that the session does not keep: the files that are read, and the end of a search.

import assert from 'node:assert/strict';
import {beforeEach, test} from 'node:test';

import {ArgsSearch} from '../../../www/js/session/search-args.js';
import {Searching} from '../../../www/js/session/searching.js';
import {fakeWorkers, settled} from './lib/workers.mjs';

/** @type {import('./lib/workers.mjs').FakeWorker[]} */
let workers;
beforeEach(() => (workers = fakeWorkers()));

/** A search that records the calls to it. @param {{file: string, is_json: boolean}[]} texts @param {number} [prepare] turns that it takes to prepare */
function fakeSearch(texts, prepare = 1) {
  /** @type {string[]} */
  const did = [];
  const search = {
    did,
    look: (/** @type {unknown} */ _session, /** @type {string} */ text) => did.push(`look ${text}`),
    prepare: () => --prepare <= 0,
    texts: () => texts.map((text) => ({rank: 'a', ...text})),
    begin: (/** @type {unknown} */ _session, /** @type {number} */ number) => did.push(`begin ${number}`),
    push: (/** @type {unknown} */ _session, /** @type {Uint8Array} */ bytes) => did.push(new TextDecoder().decode(bytes)),
    end: () => !did.includes('odd'),
    finish: () => did.push('finish'),
    hits: () => Uint32Array.of(5),
    count: () => 1,
    unmatched: () => new Uint32Array(),
    columns: () => Float64Array.of(0.5),
    next: (/** @type {unknown} */ _session, /** @type {number} */ at) => ({event: at, instant: null, number: 0}),
    free: () => did.push('free'),
  };
  return search;
}
const place = (/** @type {string} */ _rank, /** @type {string} */ file) =>
  file === 'gone.json' ? undefined : {blob: new Blob(['12345678']), layers: 'gzip', name: file};

test('files are read once more, one after the other; what cannot be looked through is told', async () => {
  const search = fakeSearch(
    [
      {file: 'a.json', is_json: true},
      {file: 'table.db', is_json: false},
      {file: 'gone.json', is_json: true},
      {file: 'b.json', is_json: true},
    ],
    3,
  );
  /** @type {[number, number][]} */
  const shares = [];
  const looking = new ArgsSearch().look(/** @type {any} */ ({}), /** @type {any} */ (search), 'text', place, new AbortController().signal, (read, size) =>
    shares.push([read, size]),
  );
  for (let turn = 0; !workers[0]?.told.length && turn < 50; turn++) await settled();
  assert.deepEqual([workers.length, workers[0].last.layers, workers[0].last.archive], [1, 'gzip', undefined]);
  workers[0].say({kind: 'bytes', pieces: [new TextEncoder().encode('one')], read: 4});
  workers[0].say({kind: 'end', damage: undefined});
  await settled();
  workers[0].say({kind: 'bytes', pieces: [new TextEncoder().encode('odd')], read: 8});
  workers[0].say({kind: 'end', damage: 'cut off'});
  assert.deepEqual(await looking, ['table.db', 'gone.json', 'b.json']);
  assert.deepEqual(search.did, ['look text', 'begin 0', 'one', 'begin 3', 'odd', 'finish']);
  assert.deepEqual(shares[0], [4, 24]);
  assert.deepEqual(shares[shares.length - 1], [16, 24]);
});

test('a file that cannot be read ends the search, by its name', async () => {
  const search = fakeSearch([{file: 'a.json', is_json: true}]);
  const looking = new ArgsSearch().look(/** @type {any} */ ({}), /** @type {any} */ (search), 'text', place, new AbortController().signal, () => {});
  for (let turn = 0; !workers[0]?.told.length && turn < 50; turn++) await settled();
  workers[0].say({kind: 'failed', name: 'NotFoundError', message: 'it is gone'});
  await assert.rejects(looking, {code: 'unreadable', file: 'a.json'});
});

/** A session's searches, each of which the test made. @param {...ReturnType<typeof fakeSearch>} searches */
function searchingBy(...searches) {
  /** @type {[number, number[] | undefined][]} */
  const marks = [];
  const session = {timeline_mark: (/** @type {number} */ rank, /** @type {Uint32Array | undefined} */ hits) => marks.push([rank, hits && [...hits]])};
  function Search() {
    const next = searches.shift();
    if (!next) throw {fault: 'paren', from: 0, to: 1, message: 'no end'};
    return next;
  }
  const wasm = {Search};
  return {marks, searching: new Searching(Promise.resolve(/** @type {any} */ ({wasm, session})), place, () => {})};
}
const wanted = {rank: 0, query: 'x', args: false, end: 100};

test('what is found is marked, and forgotten with its marks', async () => {
  const first = fakeSearch([]);
  const {marks, searching} = searchingBy(first, fakeSearch([]));
  assert.deepEqual(await searching.find(wanted), {count: 1, fault: null, unmatched: [], unread: [], at: [0.5]});
  assert.deepEqual(await searching.next({at: 7, event: null, instant: null, backwards: false}), {event: 7, instant: null, number: 0});
  await searching.find({...wanted, rank: 1});
  assert.deepEqual(first.did, ['free']);
  assert.deepEqual(marks, [
    [0, [5]],
    [0, undefined],
    [1, [5]],
  ]);
  await searching.forget();
  assert.equal(await searching.next({at: 7, event: null, instant: null, backwards: false}), null);
});

test('an empty query marks nothing, and a faulty one says what is wrong', async () => {
  const {marks, searching} = searchingBy(fakeSearch([]));
  assert.deepEqual((await searching.find({...wanted, query: '  '}))?.at, []);
  assert.deepEqual(marks, []);
  assert.deepEqual((await searching.find(wanted))?.fault, {fault: 'paren', from: 0, to: 1, message: 'no end'});
});

test('a search makes way for the next one, also of the same text', async () => {
  const slow = fakeSearch([{file: 'a.json', is_json: true}]);
  const {marks, searching} = searchingBy(slow, fakeSearch([]));
  const first = searching.find({...wanted, args: true});
  for (let turn = 0; !workers[0]?.told.length && turn < 50; turn++) await settled();
  const second = searching.find(wanted);
  assert.equal(await first, undefined, 'it is not wanted any more');
  assert.equal((await second)?.count, 1);
  assert.ok(slow.did.includes('free') && workers[0].ended);
  assert.deepEqual(marks, [[0, [5]]]);
  const [third, fourth] = [searching.find(wanted), searching.find(wanted)];
  assert.equal(await third, undefined, 'one that has not begun, likewise');
  await fourth;
});
