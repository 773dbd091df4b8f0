// The timeline's axis of time, without a browser.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {drawAxis} from '../../../www/js/shared/axis.js';

/** Content of an axis of 900 pixels: positions of its marks, start and end of each text. @param {number} start @param {number} end */
function axis(start, end) {
  const widthOf = (/** @type {string} */ text) => 6 * text.length;
  /** @type {[from: number, to: number][]} */
  const texts = [];
  const context = /** @type {any} */ ({
    fillRect() {},
    fillText: (/** @type {string} */ text, /** @type {number} */ x) => texts.push([x, x + widthOf(text)]),
    measureText: (/** @type {string} */ text) => ({width: widthOf(text)}),
  });
  const scene = /** @type {any} */ ({start, end, width: 900, overview: {top: 0, height: 0}, colors: {}, font: ''});
  return {places: drawAxis(context, scene).places, texts};
}

/** @param {number} start @param {number} end */
const marks = (start, end) => axis(start, end).places;

test('marks stand at round times', () => {
  assert.deepEqual(marks(-450, 450), [50, 150, 250, 350, 450, 550, 650, 750, 850]);
});

test('an axis far from its origin has an end', () => {
  // After ten years, where a number cannot distinguish adjacent nanoseconds.
  assert.ok(marks(3e17, 3e17 + 64).length <= 12);
});

test('no text of an axis reaches into the next one', () => {
  for (const [start, length] of [
    [0, 900],
    [1234e9, 500],
    [1234e9, 45e6],
    [99999e9, 4e6],
    [3e14, 1e4],
  ]) {
    const {texts} = axis(start, start + length);
    assert.ok(texts.length > 1, `${start}: ${texts.length} texts`);
    for (const [index, [from]] of texts.slice(1).entries()) assert.ok(from > texts[index][1], `${start} + ${length}: ${texts[index]} and ${from}`);
  }
});
