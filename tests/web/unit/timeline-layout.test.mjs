// Layout of the timeline's rows, and the user's changes to it.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {rowsAmong, tracksOf, withRows} from '../../../www/js/page/timeline/among.js';
import {LANE, PAD, SQUEEZED, beside, folded} from '../../../www/js/page/timeline/bands.js';
import {UNTOUCHED, choicesOf, ofOtherRows, ordered, passed, toggled, viewOf} from '../../../www/js/page/timeline/choices.js';
import {all, groupOf, groupsOf, holds, overviewRowOf, repeatedRows} from '../../../www/js/page/timeline/groups.js';
import {layOut, placeAt, placeOf, scrolledTo} from '../../../www/js/page/timeline/layout.js';
import {groupNames, namesOf} from '../../../www/js/page/views/timeline/names.js';
import {speak} from './lib/page.mjs';
import {grouped, rankRows} from './lib/rows.mjs';

/** @typedef {import('../../../www/js/page/timeline/choices.js').Choices} Choices */
/** @typedef {import('../../../www/types/reports.js').TimelineRowReport} TimelineRow */

const one = grouped(rankRows());
const two = grouped([...rankRows(0), ...rankRows(1)]);

/** @param {typeof one} groups @param {Partial<Choices>} [choices] */
const laidOut = (groups, choices = {}) => layOut(groups, {...UNTOUCHED, ...choices});
/** @param {{key: string}[]} places */
const keys = (places) => places.map(({key}) => key);

test('rows scroll by the least that shows a slice, or put it into the upper third', () => {
  const view = {scrolled: 100, height: 300};
  const to = (/** @type {number} */ top, /** @type {boolean} */ least, height = 18) => scrolledTo({top, bottom: top + height}, view, least);
  for (const least of [true, false])
    assert.deepEqual(
      [100, 250, 382].map((top) => to(top, least)),
      [100, 100, 100],
      'it is seen',
    );
  assert.deepEqual([to(90, true), to(383, true), to(600, true)], [90 - PAD, 101 + PAD, 318 + PAD]);
  assert.deepEqual([to(90, false), to(383, false), to(600, false)], [0, 283, 500]);
  assert.equal(to(500, true, 400), 500 - PAD, 'what is higher than the view begins at its top');
});

test('processes of one name are told apart by a thread, and a thread has its number once', async () => {
  await speak();
  const summary = /** @type {any} */ ({ranks: [{rank: null, input: 'trace.json', devices: []}]});
  const thread = (/** @type {number} */ process, /** @type {string} */ named, /** @type {string} */ thread, name = '') =>
    /** @type {TimelineRow} */ ({rank: 0, kind: 'thread', lanes: 1, layer: 'host', process: [process, named], thread, name});
  const names = namesOf(/** @type {any} */ ({duration: (/** @type {number} */ nanos) => `${nanos} ns`}));
  const titles = (/** @type {TimelineRow[]} */ rows) => {
    const [rank] = groupsOf(rows, names, groupNames(summary), (section) => ({title: section}));
    return [...rank.groups.flatMap(({groups}) => groups), ...rank.groups].filter(({key}) => key.includes('process')).map(({title}) => title);
  };
  assert.deepEqual(titles([thread(0, 'python3', '25286'), thread(1, 'python3', '0'), thread(2, 'Spans', '1')]), [
    'Process python3 · Thread 25286',
    'Process python3 · Thread 0',
    'Process Spans',
  ]);
  assert.deepEqual(titles([thread(0, 'python3', '7'), thread(0, 'python3', '8')]), ['Process python3']);
  const notes = [thread(0, '', '7', 'thread 7 (main)'), thread(0, '', '7', 'main'), thread(0, '', '7', 'thread 17'), thread(0, '', '7')].map(
    (row) => names(row).note,
  );
  assert.deepEqual(notes, ['', 'Thread 7', 'Thread 7', '']);
});

test('a row of stream -1 says that no stream is known, whatever the profiler calls it', () => {
  const names = namesOf(/** @type {any} */ ({duration: String}));
  const of = (/** @type {number} */ stream, /** @type {string} */ name) => names(/** @type {any} */ ({kind: 'stream', layer: 'sync', stream, name}));
  const {title, note} = of(-1, 'stream -1');
  assert.match(title, /^No stream known · /);
  assert.match(note, /wrote stream -1/);
  assert.deepEqual(of(7, 'stream 7 nccl').note, '');
});

test('a stream with nothing but the communication of a group names the group', async () => {
  await speak();
  const names = namesOf(/** @type {any} */ ({duration: String}));
  const of = (/** @type {string} */ group) => names(/** @type {any} */ ({kind: 'stream', layer: 'device', stream: 20, name: 'stream 20 ', group})).title;
  assert.deepEqual([of('0'), of('')], ['stream 20 · group 0 · communication', 'stream 20 · communication']);
});

test('a curve of shares in slots of a few steps of the clock is no row', () => {
  const share = (/** @type {number} */ slot_ns) =>
    /** @type {TimelineRow} */ ({rank: 0, kind: 'share', lanes: null, device: 0, part: 'kernel', unit: 'share', slot_ns});
  const of = (/** @type {number} */ slot) => all(grouped([...rankRows(), share(slot)])[0]).length;
  assert.deepEqual([of(1), of(10), of(20_000)], [6, 7, 7]);
});

test('communication that has streams of its own stands once', () => {
  const device = {rank: 0, device: 0, lanes: 1};
  /** @param {string | undefined} group @param {number} slices @param {number} stream */
  const stream = (group, slices, stream) => /** @type {TimelineRow} */ ({...device, kind: 'stream', layer: 'device', stream, slices, group, name: ''});
  const union = /** @type {TimelineRow} */ ({...device, kind: 'overlap', part: 'communication', name: ''});
  /** @param {string} name @param {number} slices */
  const plane = (name, slices) => /** @type {TimelineRow} */ ({...device, kind: 'communication', name, slices});
  const repeated = (/** @type {TimelineRow[]} */ ...rows) => [...repeatedRows(rows)].map(({kind, name}) => [kind, name]);
  assert.deepEqual(repeated(union, plane('a', 9), stream(undefined, 40, 7), stream('a', 9, 20)), [
    ['overlap', ''],
    ['communication', 'a'],
  ]);
  assert.deepEqual(repeated(union, plane('', 9), stream('', 9, 20)).length, 2, 'of a group without a name');
  const two = repeated(union, plane('a', 9), plane('b', 5), stream('a', 4, 20), stream('a', 5, 21), stream('b', 5, 22));
  assert.deepEqual(
    two,
    [
      ['communication', 'a'],
      ['communication', 'b'],
    ],
    'the union of several streams is on none of them',
  );
  assert.deepEqual(repeated(union, plane('a', 9), stream(undefined, 40, 7), stream('a', 8, 20)), [], 'some is on a stream with other work');
  assert.deepEqual(repeated(union, plane('a', 9), {...stream('a', 9, 20), device: 1}), [], 'the stream is of another device');
});

test('rows are grouped by rank, and in it by device and by process', () => {
  assert.deepEqual(keys(two), ['rank:0', 'rank:1']);
  const [rank] = two;
  assert.deepEqual([keys(rank.rows), keys(rank.groups)], [['row:0'], ['rank:0/device:0', 'rank:0/process:100']]);
  assert.deepEqual(keys(all(rank)), ['row:0', 'row:1', 'row:2', 'row:3', 'row:4', 'row:5']);
  assert.equal(groupOf(two, 'rank:1/device:0')?.rank, 1);
  assert.equal(groupOf(two, 'rank:2'), undefined);
  assert.equal(holds(rank, 'rank:0/device:0', 2), true);
  assert.equal(holds(rank, 'rank:0/device:0', 4), false);
});

test('several devices and processes are in sections, devices above hosts above what has nothing but curves', () => {
  const rows = /** @type {TimelineRow[]} */ ([
    {rank: 0, kind: 'counter', lanes: null, process: [1, 'machine'], name: 'load'},
    {rank: 0, kind: 'thread', lanes: 2, process: [2, 'python'], name: 'main', slices: 5},
    {rank: 0, kind: 'steps', lanes: 1, name: 'steps'},
    {rank: 0, kind: 'counter', lanes: null, process: [2, 'python'], name: 'batches'},
    {rank: 0, kind: 'doing', lanes: 1, device: 1, name: 'doing'},
    {rank: 0, kind: 'doing', lanes: 1, device: 0, name: 'doing'},
    {rank: 0, kind: 'counter', lanes: null, process: [3, 'loader'], name: 'memory'},
    {rank: 0, kind: 'memory', lanes: null, name: 'memory of the host'},
  ]);
  const groups = grouped(rows);
  const all = ['row:2', 'rank:0/devices', 'rank:0/device:1', 'row:4', 'rank:0/device:0', 'row:5', 'rank:0/host', 'row:7', 'rank:0/process:2', 'row:1', 'row:3'];
  const system = ['rank:0/system', 'rank:0/process:1', 'row:0', 'rank:0/process:3', 'row:6'];
  assert.deepEqual(keys(laidOut(groups).places), [...all, ...system]);
  // A section is folded with everything below it, and shows what its devices do.
  const {places} = laidOut(groups, {folded: new Set(['rank:0/devices', 'rank:0/system'])});
  assert.deepEqual(keys(places), ['row:2', 'rank:0/devices', ...all.slice(6), 'rank:0/system']);
  assert.deepEqual(
    places[1].bands.map(({row}) => row),
    [4, 5],
  );
  assert.deepEqual(keys(laidOut(groups, {hidden: new Set(['rank:0/host', 'rank:0/system'])}).places), all.slice(0, 6));
  assert.deepEqual(keys(laidOut(groups, {filter: 'load'}).places), ['rank:0/system', 'rank:0/process:1', 'row:0', 'rank:0/process:3', 'row:6']);
  // An only section is the whole rank.
  assert.deepEqual(keys(laidOut(grouped([rows[0], rows[6]])).places), ['rank:0/process:1', 'row:0', 'rank:0/process:3', 'row:1']);
  // Sections move past each other, as do devices within theirs.
  const order = passed([], groups, laidOut(groups).places, 'rank:0/system', -1);
  assert.deepEqual(order, [['rank:0/devices', 'rank:0/system', 'rank:0/host']]);
  assert.deepEqual(passed([], groups, laidOut(groups).places, 'rank:0/device:0', -1), [['rank:0/device:0', 'rank:0/device:1']]);
});

test('a rank that is the only one has no head; rows stand below each other without gaps', () => {
  const {places, height, pinned} = laidOut(one);
  assert.deepEqual(keys(places), ['row:0', 'rank:0/device:0', 'row:1', 'row:2', 'row:3', 'rank:0/process:100', 'row:4', 'row:5']);
  let y = 0;
  for (const place of places) {
    assert.equal(place.y, y, place.key);
    y += place.height;
  }
  assert.deepEqual([height, pinned], [y, []]);
});

test('a row is as high as its lanes, a folded one as one, and a row of very many lanes has low ones', () => {
  const height = (/** @type {Partial<TimelineRow>} */ row, /** @type {Partial<Choices>} */ choices = {}) =>
    laidOut(grouped([{rank: 0, kind: 'thread', lanes: 5, slices: 1, name: 'a', ...row}]), choices).places[0];
  assert.equal(height({}).height, 5 * LANE + 2 * PAD);
  assert.equal(height({}, {folded: new Set(['row:0'])}).height, LANE + 2 * PAD);
  assert.equal(height({lanes: 1}, {folded: new Set(['row:0'])}).foldable, false);
  assert.ok(height({lanes: 100}).bands[0].laneHeight < LANE);
  assert.ok(height({lanes: 1000}).bands[0].laneHeight < height({lanes: 100}).bands[0].laneHeight);
  const curve = height({kind: 'counter', lanes: null}).bands[0];
  assert.deepEqual([curve.curve, curve.laneHeight > 0, curve.height > 0], [true, true, true]);
});

test('deep stacks of Python and what the profiler itself does are folded until a person unfolds them', () => {
  const isFolded = (/** @type {Partial<TimelineRow>} */ row, /** @type {Set<string>} */ folded = new Set()) =>
    laidOut(grouped([{rank: 0, kind: 'thread', lanes: 17, name: 'a', ...row}]), {folded}).places[0].folded;
  assert.equal(isFolded({layer: 'python'}), true);
  assert.equal(isFolded({layer: 'python', lanes: 16}), false);
  assert.equal(isFolded({layer: 'host'}), false);
  assert.equal(isFolded({layer: 'profiler', lanes: 2}), true);
  assert.equal(isFolded({layer: 'python'}, new Set(['row:0'])), false);
});

test('a folded group shows what sums it up beside its head', () => {
  const {places} = laidOut(one, {folded: new Set(['rank:0/device:0'])});
  assert.deepEqual(keys(places), ['row:0', 'rank:0/device:0', 'rank:0/process:100', 'row:4', 'row:5']);
  const head = places[1];
  assert.deepEqual([head.group, head.folded, head.bands.map(({row}) => row)], [true, true, [1]]);
  assert.equal(placeOf(places, 1), head, 'the row is drawn there');
  assert.equal(placeOf(places, 2), undefined);
});

test('of many rows those with the most slices sum a group up, in their order', () => {
  const rows = Array.from(
    {length: 12},
    (_, index) => /** @type {TimelineRow} */ ({rank: 0, kind: 'thread', lanes: 3, slices: index === 4 ? 1 : 100 - index, process: [1, 'p'], name: `${index}`}),
  );
  const bands = beside(all(grouped(rows)[0]));
  assert.deepEqual(
    bands.map(({row}) => row),
    [0, 1, 2, 3, 5, 6, 7, 8, 9],
  );
  assert.ok(bands.every(({lanes}) => lanes === 1));
  const last = bands[bands.length - 1];
  assert.ok(last.top + last.laneHeight <= PAD + LANE + 1e-9, 'they fit into one lane');
  assert.deepEqual(beside([]), []);
  assert.equal(folded({row: 0, lanes: 500})[0].lanes, SQUEEZED, 'lanes that no pixel tells apart are not drawn');
});

test('of several ranks a summary is shown, and all of those that are chosen', () => {
  const summary = laidOut(two).places;
  assert.deepEqual(keys(summary), ['rank:0', 'row:1', 'rank:1', 'row:7']);
  // Steps stand beside the rank's head, and the only row of a device is called after it.
  assert.deepEqual(
    summary[0].bands.map(({row}) => row),
    [0],
  );
  assert.equal(summary[1].title, 'device 0');
  const {places} = laidOut(two, {detailed: new Set([1])});
  assert.deepEqual(keys(places), [
    'rank:0',
    'row:1',
    'rank:1',
    'row:6',
    'rank:1/device:0',
    'row:7',
    'row:8',
    'row:9',
    'rank:1/process:100',
    'row:10',
    'row:11',
  ]);
});

test("rows are filtered by their names and by their groups'", () => {
  const shown = (/** @type {string} */ filter) => keys(laidOut(one, {filter}).places);
  assert.deepEqual(shown('STREAM'), ['rank:0/device:0', 'row:2', 'row:3']);
  assert.deepEqual(shown(' stream 20 '), ['rank:0/device:0', 'row:3']);
  assert.deepEqual(shown('device 0'), ['rank:0/device:0', 'row:1', 'row:2', 'row:3'], 'a group that matches is shown whole');
  assert.deepEqual(shown('no such row'), [], 'no head stands there alone');
  assert.deepEqual(shown('  '), keys(laidOut(one).places));
});

test('what is looked for is found in folded groups, too', () => {
  assert.deepEqual(keys(laidOut(one, {filter: 'stream', folded: new Set(['rank:0/device:0'])}).places), ['rank:0/device:0', 'row:2', 'row:3']);
});

test('what is hidden is not shown, and is counted as far as it is known', () => {
  const {places, hidden} = laidOut(one, {hidden: new Set(['row:2', 'rank:0/process:100', 'row:999'])});
  assert.deepEqual(keys(places), ['row:0', 'rank:0/device:0', 'row:1', 'row:3']);
  assert.equal(hidden, 2);
});

test('what is pinned stands on top as well, in the order in which it was pinned, whatever is looked for', () => {
  const {pinned, pinnedHeight} = laidOut(one, {pinned: ['row:4', 'rank:0/device:0', 'row:999'], filter: 'nothing'});
  assert.deepEqual(keys(pinned), ['row:4', 'rank:0/device:0', 'row:1', 'row:2', 'row:3']);
  assert.equal(pinned[0].pinned, true);
  assert.equal(
    pinnedHeight,
    pinned.reduce((sum, {height}) => sum + height, 0),
  );
});

test('a row passes the next one that is shown, within its group, and not beyond', () => {
  const {places} = laidOut(one);
  const down = passed([], one, places, 'row:1', 1);
  assert.deepEqual(down, [['row:2', 'row:1', 'row:3']]);
  assert.deepEqual(keys(laidOut(one, {order: down}).places).slice(1, 5), ['rank:0/device:0', 'row:2', 'row:1', 'row:3']);
  assert.deepEqual(passed(down, one, places, 'row:1', -1), [], 'where it was first, nothing is said of it');
  assert.deepEqual(passed([], one, places, 'row:1', -1), [], 'nothing is above it');
  const hidden = laidOut(one, {hidden: new Set(['row:2'])}).places;
  assert.deepEqual(passed([], one, hidden, 'row:1', 1), [['row:2', 'row:3', 'row:1']], 'it passes what is hidden with the next one');
  const groups = passed([], one, places, 'rank:0/process:100', -1);
  assert.deepEqual(groups, [['rank:0/process:100', 'rank:0/device:0']], 'groups move likewise');
  assert.deepEqual(
    ordered([{key: 'row:9'}, {key: 'row:3'}, {key: 'row:1'}], [['row:1', 'row:3']]).map(({key}) => key),
    ['row:1', 'row:3', 'row:9'],
    'what was not there then comes last',
  );
});

test('what stands at a height is found, and nothing below the last row', () => {
  const {places, height} = laidOut(one);
  for (const place of places) {
    assert.equal(placeAt(places, place.y), place);
    assert.equal(placeAt(places, place.y + place.height - 0.5), place);
  }
  assert.equal(placeAt(places, height), undefined);
  assert.equal(placeAt(places, -1), undefined);
  assert.equal(placeAt([], 0), undefined);
});

test('the row that stands for the whole trace: what the device does, else steps, else the longest', () => {
  const rows = rankRows();
  assert.equal(overviewRowOf(rows, 0), 1);
  assert.equal(
    overviewRowOf(
      rows.filter(({kind}) => kind !== 'doing'),
      0,
    ),
    0,
  );
  assert.equal(
    overviewRowOf(
      rows.filter(({kind}) => kind === 'thread' || kind === 'stream'),
      0,
    ),
    2,
  );
  assert.equal(overviewRowOf(rows, 1), undefined);
});

test('choices come back from what the address says of them; of other rows only groups stay', () => {
  /** @type {Choices} */
  const choices = {
    folded: new Set(['row:4', 'rank:0']),
    pinned: ['row:2', 'rank:0/device:0'],
    hidden: new Set(['row:3']),
    order: [
      ['row:2', 'row:1'],
      ['rank:1', 'rank:0'],
    ],
    filter: 'x',
    detailed: new Set([1]),
  };
  assert.deepEqual(choicesOf(viewOf(choices), 6), choices);
  assert.deepEqual(viewOf(UNTOUCHED), {}, 'nothing is said of what nobody touched');
  assert.deepEqual(choicesOf({pin: ['5', '7000']}, 6).pinned, ['row:5'], 'rows that are not there are left out');
  assert.deepEqual(ofOtherRows(choices), {
    ...choices,
    folded: new Set(['rank:0']),
    pinned: ['rank:0/device:0'],
    hidden: new Set(),
    order: [['rank:1', 'rank:0']],
  });
  const before = new Set([1, 2]);
  assert.deepEqual([[...toggled(before, 2)], [...toggled(before, 3)], [...before]], [[1], [1, 2, 3], [1, 2]]);
});

test('a range is told of the tracks that were chosen; what is computed of a device stands for its streams', () => {
  const rows = [...rankRows(0), ...rankRows(1)];
  assert.equal(tracksOf(rows, null, 0), null);
  assert.deepEqual(tracksOf(rows, [2, 4, 8], 0), [3, 1]);
  assert.deepEqual(tracksOf(rows, [1], 0), [3, 4]);
  assert.deepEqual(tracksOf(rows, [1, 2], 0), [3]);
  assert.deepEqual(tracksOf(rows, [1], 1), []);
  assert.deepEqual(rowsAmong('pinned', {pinned: [1], shown: [1, 2]}), [1]);
  assert.deepEqual(rowsAmong(null, {pinned: [], shown: []}), null);
  assert.deepEqual(withRows([3], [1, 2]), [1, 2, 3]);
  assert.deepEqual(withRows([1, 2, 3], [1, 2]), [3]);
  assert.equal(withRows([1], [1]), null);
});
