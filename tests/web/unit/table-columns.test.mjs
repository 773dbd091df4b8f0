// The user's columns of tables: order, widths, filters.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {filterOf, quantity} from '../../../www/js/page/views/table/columns/filter.js';
import {inOrder, moved, widthsIn} from '../../../www/js/page/views/table/columns/order.js';

test('quantities are read as tables show them', () => {
  const cases = /** @type {[string, string, number][]} */ ([
    ['999 ns', 'time', 999],
    ['12.35 µs', 'time', 12_350],
    ['12 345', 'number', 12_345],
    ['1 234 567 ns', 'time', 1_234_567],
    ['1 h 02 min', 'time', 3_720e9],
    ['1.5ms', 'time', 1.5e6],
    ['-1.500 s', 'time', -1.5e9],
    ['+3 ns', 'time', 3],
    ['1 h 02 min 03 s', 'time', 3723e9],
    ['-10 min 00 s', 'time', -600e9],
    ['12.3 %', 'share', 0.123],
    ['<0.1 %', 'share', 0.0005],
    ['-<0.1 %', 'share', -0.0005],
    ['1\u202f234\u202f567', 'number', 1_234_567],
    ['1.50 MiB', 'bytes', 1.5 * 2 ** 20],
    ['12 GB/s', 'b/s', 12e9],
    ['3.1 TFLOP/s', 'flop/s', 3.1e12],
    ['1.234e-4', 'number', 1.234e-4],
    ['7 blocks', 'blocks', 7],
  ]);
  for (const [text, kind, value] of cases) {
    const found = quantity(text);
    assert.equal(found?.kind, kind, text);
    assert.ok(Math.abs((found?.value ?? 0) - value) <= Math.abs(value) * 1e-9, `${text}: ${found?.value}`);
  }
  for (const text of ['', '–', 'aten::mm', 'known for only 4.0 % of its time', '3 of 12', '± 5 µs', '12 ms 3 %', '12 34', '1234 567', '128, 1'])
    assert.equal(quantity(text), null, text);
});

/** The texts that a filter lets through. @param {string} typed @param {...string} texts */
const through = (typed, ...texts) => {
  const filter = filterOf(typed);
  assert.ok(filter && filter !== 'wrong', typed);
  return texts.filter((text) => filter.test(text));
};

test('a filter is a part of the text, its absence, or all of it', () => {
  const names = ['aten::mm', 'aten::Addmm', 'nccl'];
  assert.deepEqual(through('ADD', ...names), ['aten::Addmm']);
  assert.deepEqual(through('!mm', ...names), ['nccl']);
  assert.deepEqual(through('= aten::MM', ...names), ['aten::mm']);
  assert.deepEqual(through('= 12 345', '12\u202f345', '12 345', '1\u202f345'), ['12\u202f345', '12 345']);
  assert.deepEqual(through('> 12 344', '12\u202f345', '12\u202f344'), ['12\u202f345']);
  assert.equal(filterOf('  '), null);
  assert.equal(filterOf('!'), null, 'something is still to be typed');
});

test('a filter compares values with their units', () => {
  const times = ['900 µs', '1.000 ms', '1.5 s', '–', '3'];
  assert.deepEqual(through('> 1 ms', ...times), ['1.5 s']);
  assert.deepEqual(through('>=1ms', ...times), ['1.000 ms', '1.5 s']);
  assert.deepEqual(through('≤ 1 ms', ...times), ['900 µs', '1.000 ms']);
  assert.deepEqual(through('0.5 .. 1 ms', ...times), ['900 µs', '1.000 ms'], 'the first has the unit of the second');
  assert.deepEqual(through('950 µs .. 2 s', ...times), ['1.000 ms', '1.5 s']);
  assert.deepEqual(through('> 2', ...times), ['3'], 'a number without a unit is none of those with one');
  assert.deepEqual(through('<5%', '4.9 %', '5.0 %'), ['4.9 %']);
  assert.deepEqual(through('> 900 KiB', '1.00 MiB', '899 KiB'), ['1.00 MiB']);
  assert.deepEqual(through('0..', 'a 0.. b', '1'), ['a 0.. b'], 'what is no range is text');
  for (const wrong of ['>', '> fast', '< 1 ms or so']) assert.equal(filterOf(wrong), 'wrong', wrong);
});

const columns = ['name', 'calls', 'total', 'mean', 'share'].map((key) => ({key}));
/** @param {{key: string}[]} of */
const keys = (of) => of.map(({key}) => key).join();

test('columns are in the order that was chosen, and the first stays first', () => {
  assert.equal(keys(inOrder(columns, [])), 'name,calls,total,mean,share');
  assert.equal(keys(inOrder(columns, ['share', 'name', 'total', 'mean', 'calls'])), 'name,share,total,mean,calls');
  assert.equal(keys(inOrder(columns, ['share', 'total'])), 'name,calls,share,total,mean', 'what is not in the order follows what it followed');
  assert.equal(keys(inOrder(columns, ['gone', 'mean', 'calls', 'total', 'share'])), 'name,mean,calls,total,share', 'a column that is not there leaves no gap');
  assert.deepEqual(inOrder([], ['a']), []);
});

test('a column takes the place of another', () => {
  const all = columns.map(({key}) => key);
  assert.equal(moved(all, 'share', 'calls')?.join(), 'name,share,calls,total,mean');
  assert.equal(moved(all, 'calls', 'mean')?.join(), 'name,total,mean,calls,share');
  for (const [key, to] of /** @type {[string, string | undefined][]} */ ([
    ['name', 'total'],
    ['total', 'name'],
    ['total', 'total'],
    ['total', undefined],
    ['gone', 'total'],
  ]))
    assert.equal(moved(all, key, to), undefined, `${key} to ${to}`);
});

test('widths are remembered as numbers', () => {
  assert.deepEqual([...widthsIn('{"a": 90, "b": "wide", "c": -1}')], [['a', 90]]);
  for (const text of [null, '', '{', '[]', 'null', '5']) assert.equal(widthsIn(text).size, 0, String(text));
});
