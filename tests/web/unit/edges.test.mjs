// Edges and shadows of spans in lines of pixels.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {drawEdges} from '../../../www/js/session/edges.js';

/** The color of each letter; a space is nothing. @type {Record<string, number[]>} */
const COLORS = {' ': [0, 0, 0, 0], a: [10, 20, 30, 255], b: [40, 50, 60, 128], '#': [1, 2, 3, 255]};

/** @param {string} text */
const pixelsOf = (text) => Uint8ClampedArray.from([...text].flatMap((letter) => COLORS[letter]));

/** @param {Uint8ClampedArray} pixels */
const textOf = (pixels) =>
  Array.from({length: pixels.length / 4}, (_, at) => {
    const here = [...pixels.subarray(4 * at, 4 * at + 4)];
    return Object.keys(COLORS).find((letter) => COLORS[letter].join() === here.join()) ?? '?';
  }).join('');

test('spans get ends, and a shadow as wide as they are', () => {
  const pixels = pixelsOf(' aaaaa bb  aabb ');
  const shadows = drawEdges(pixels, 16, '#010203', () => true);
  assert.equal(textOf(pixels), ' #aaa# bb  #ab# ', 'a span that is too narrow has no room for them');
  assert.equal(textOf(shadows), ' ##### ##  #### ');
});

test('a span ends with its line', () => {
  const pixels = pixelsOf('  aaaaaaaa  ');
  const shadows = drawEdges(pixels, 6, '#010203', () => true);
  assert.equal(textOf(pixels), '  #aa##aa#  ');
  assert.equal(textOf(shadows), '  ########  ');
});

test('lines of curves stay as they are', () => {
  const pixels = pixelsOf('aaaa'.repeat(3));
  assert.equal(textOf(drawEdges(pixels, 4, '#010203', (line) => line !== 1)), '####    ####');
  assert.equal(textOf(pixels), '#aa#aaaa#aa#');
});

test('nothing stays nothing', () => {
  const pixels = pixelsOf('    ');
  assert.equal(textOf(drawEdges(pixels, 4, '#010203', () => true)), '    ');
  assert.equal(textOf(pixels), '    ');
  assert.equal(drawEdges(new Uint8ClampedArray(), 4, '#010203', () => true).length, 0);
});
