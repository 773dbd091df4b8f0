// Numbers as people list them.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {numbersIn} from '../../../www/js/page/views/share/numbers-in.js';

test('numbers and ranges are read, in any of the usual separators', () => {
  assert.deepEqual(numbersIn('0-3, 7'), [0, 1, 2, 3, 7]);
  assert.deepEqual(numbersIn(' 5；2–3、2 '), [5, 2, 3]);
  assert.deepEqual(numbersIn('0 - 1 4～5'), [0, 1, 4, 5]);
});

test('a text that is no such list has no numbers', () => {
  for (const text of ['', ' , ', '3-1', 'a', '1-', '-1', '1.5', '0-999999999', '0-99999,100000-199999']) assert.equal(numbersIn(text), null, text);
});
