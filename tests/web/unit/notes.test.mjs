// Notes as texts: their stored form, and content that an address cannot bring in.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {flagsAt, isOn, merged, notesSaid, sayNotes} from '../../../www/js/page/timeline/notes.js';

/** @type {import('../../../www/js/page/timeline/notes.js').Note[]} */
const NOTES = [
  {rank: 0, event: 17, name: 'gemm', text: 'slow here'},
  {rank: 3, span: [-5, 900], name: '905 ns from 0 ns', text: ''},
];

test('notes come back as they were said', () => {
  assert.deepEqual(notesSaid(sayNotes(NOTES)), NOTES);
  assert.deepEqual(notesSaid(null), []);
  assert.deepEqual(notesSaid(''), []);
});

test('what makes no sense is left out', () => {
  for (const said of ['{', '7', '{"a":1}', '[7]', '[[]]', '[["0",1,null,null,"a","b"]]', '[[0,1.5,null,null,"a","b"]]', '[[0,null,9,3,"a","b"]]', '[[-1,2]]'])
    assert.deepEqual(notesSaid(said), [], said);
  assert.deepEqual(notesSaid('[[1,2,null,null,7,{}]]'), [{rank: 1, event: 2, name: '', text: ''}]);
  const long = notesSaid(JSON.stringify([[0, 1, null, null, 'n'.repeat(999), 't'.repeat(999)]]));
  assert.deepEqual([long[0].name.length, long[0].text.length], [200, 500]);
  const many = Array.from({length: 500}, (_, index) => [0, index, null, null, 'x', '']);
  assert.equal(notesSaid(JSON.stringify(many)).length, 100);
});

test('a note is on what has its name, of which it keeps the beginning', () => {
  const [note] = notesSaid(JSON.stringify([[0, 1, null, null, 'n'.repeat(999), '']]));
  assert.ok(isOn(note, 'n'.repeat(999)));
  assert.ok(!isOn(note, 'gemm'));
  assert.ok(!isOn(NOTES[0], 'gemm_2'));
});

test('the same note is there once', () => {
  assert.deepEqual(merged(NOTES, NOTES), NOTES);
  assert.equal(merged(NOTES, [{...NOTES[0], text: 'another'}]).length, 3);
});

test('a flag is where its pole is, and flies to the right; the nearest one comes first', () => {
  const flags = [100, 108, 300].map((start) => ({start, end: start + 50, note: NOTES[0]}));
  const at = (/** @type {number} */ x, zoom = 1) => flagsAt(flags, x, (time) => time * zoom).map(({start}) => start);
  assert.deepEqual(at(95), []);
  assert.deepEqual(at(97), [100]);
  assert.deepEqual(at(103), [100]);
  assert.deepEqual(at(111), [108, 100]);
  assert.deepEqual(at(104), [100, 108]);
  assert.deepEqual(at(150), [], 'what lies in a range is not its flag');
  assert.deepEqual(at(1004, 10), [100], 'nearer, they are apart');
});
