// Rows that are picked, copied, and names that are cut.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {cut, differences} from '../../../www/js/page/views/table/cut.js';
import {keysIn} from '../../../www/js/page/views/table/columns/order.js';
import {Picked} from '../../../www/js/page/views/table/picked.js';
import {sumsOf} from '../../../www/js/page/views/table/sums.js';
import {markdownOf, tsvOf} from '../../../www/js/page/views/table/text-of-rows.js';

/** @typedef {{name: string, time: number | bigint | null}} Row */
/** @typedef {import('../../../www/js/page/views/table/columns/column.js').Column<Row>} Column */

/** @type {Column[]} */
const columns = [
  {key: 'name', title: 'Name', left: true, text: ({name}) => name, value: ({name}) => name},
  {key: 'time_ns', title: 'Time', part: 'time', text: ({time}) => `${time} ns`, value: ({time}) => time},
];

test('rows are picked one by one, or from one to another', () => {
  const shown = ['a', 'b', 'c', 'd', 'e'];
  const picked = new Picked();
  const are = (/** @type {string[]} */ ...rows) => assert.deepEqual(picked.among(shown), rows);
  picked.toggle('b');
  picked.extend(shown, 'd');
  are('b', 'c', 'd');
  picked.extend(shown, 'a');
  are('a', 'b');
  picked.toggle('e');
  are('a', 'b', 'e');
  assert.equal(picked.last, 'e');
  picked.toggle('e');
  are('a', 'b');
  // In another order the span begins where it began.
  picked.toggle('d');
  picked.extend(['d', 'a', 'b', 'c', 'e'], 'a');
  are('a', 'b', 'd');
  picked.clear();
  picked.extend(shown, 'c', 'b');
  are('b', 'c');
  // A hidden row is not among them, and begins no span.
  assert.deepEqual(picked.among(['c', 'x']), ['c']);
  picked.extend(['c', 'x', 'y'], 'y', 'x');
  assert.deepEqual(picked.among(['c', 'x', 'y']), ['c', 'x', 'y']);
  picked.all(shown);
  are(...shown);
});

test('only parts of a whole are summed', () => {
  const rows = [
    {name: 'a', time: 3},
    {name: 'b', time: null},
    {name: 'c', time: 2n ** 40n},
  ];
  assert.deepEqual(sumsOf(columns, rows), [{title: 'Time', part: 'time', sum: 3 + 2 ** 40}]);
});

test('as text, no cell breaks a table, and none is a formula', () => {
  const rows = [
    {name: '=SUM(A1)\tand\nmore', time: -5},
    {name: 'a|b\\|<i>*c*_`d`[e]', time: null},
  ];
  assert.equal(tsvOf(columns, rows), "name\ttime_ns\n'=SUM(A1) and more\t-5\na|b\\|<i>*c*_`d`[e]\t");
  assert.equal(
    markdownOf(columns, rows),
    '| Name | Time |\n| --- | ---: |\n| =SUM(A1) and more | -5 ns |\n| a\\|b\\\\\\|\\<i\\>\\*c\\*\\_\\`d\\`\\[e\\] | null ns |',
  );
});

test('names are cut where they are alike', () => {
  const names = ['kernel_for_matrices_of_floats', 'kernel_for_matrices_of_halves', 'other'];
  const differ = differences(names, String);
  assert.deepEqual(
    names.map((name) => differ.get(name)),
    [23, 23, 0],
  );
  assert.equal(cut(names[0], 23, 29), null, 'it fits');
  assert.equal(cut(names[0], 23, 27), null, 'its begin tells it from others');
  const parts = cut(names[0], 23, 20);
  assert.deepEqual(parts, ['kernel_', 'for_matric', 'es_of_floats']);
  assert.equal(parts?.join(''), names[0]);
  assert.equal(cut(names[0], 23, 2), null, 'there is no room');
});

test('of very many names, too, what differs stays', () => {
  const name = (/** @type {number} */ index) => `kernel_for_matrices_of_${String(index).padStart(6, '0')}_floats`;
  const differ = differences(
    Array.from({length: 60_000}, (_, index) => index),
    name,
  );
  // Whether or not it is one of those with which others are compared.
  for (const index of [0, 1, 12, 30_007, 59_999]) {
    const at = differ.get(name(index));
    assert.ok(at >= 26 && at <= 29, `${name(index)} differs at ${at}`);
    const [, cutOut, end] = cut(name(index), at, 20) ?? [];
    assert.ok(cutOut && end?.includes(String(index).padStart(6, '0').slice(3)), end);
  }
  assert.equal(differ.get('other'), 0);
});

test('what is remembered of columns may be anything', () => {
  assert.deepEqual(keysIn('["a", 1, "b c"]'), ['a', 'b c']);
  for (const text of [null, '', '{', '{"a": 1}', '5']) assert.deepEqual(keysIn(text), []);
});
