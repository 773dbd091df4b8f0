// Small PNG files of pictures, without a browser.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import zlib from 'node:zlib';

import {smallPng} from '../lib/png.mjs';

/** The colors of a PNG file's pixels, row by row. @param {Buffer} png */
function pixels(png) {
  /** @type {Record<string, Buffer>} */
  const chunks = {};
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    assert.equal(zlib.crc32(body), png.readUInt32BE(at + 8 + length));
    chunks[body.subarray(0, 4).toString('latin1')] = body.subarray(4);
    at += 12 + length;
  }
  const [width, height] = [chunks.IHDR.readUInt32BE(0), chunks.IHDR.readUInt32BE(4)];
  const rows = zlib.inflateSync(chunks.IDAT);
  assert.equal(rows.length, (width + 1) * height);
  const color = (/** @type {number} */ place) => [...chunks.PLTE.subarray(place * 3, place * 3 + 3)];
  return {
    colors: chunks.PLTE.length / 3,
    rows: Array.from({length: height}, (_, y) => [...rows.subarray(y * (width + 1) + 1, (y + 1) * (width + 1))].map(color)),
  };
}

/** @param {number[][]} colors */
const data = (colors) => Uint8Array.from(colors.flatMap((color) => [...color, 255]));

test('few colors stay as they are', () => {
  const colors = [
    [255, 0, 0],
    [0, 128, 0],
    [0, 0, 255],
    [255, 0, 0],
    [1, 2, 3],
    [4, 5, 6],
  ];
  const read = pixels(smallPng({width: 3, height: 2, data: data(colors)}));
  assert.deepEqual(read.rows, [colors.slice(0, 3), colors.slice(3)]);
  assert.equal(read.colors, 5);
});

test('many colors become similar ones, and frequent ones stay', () => {
  const many = Array.from({length: 32 * 32}, (_, at) => [(at % 32) * 8, Math.floor(at / 32) * 8, 100]);
  const frequent = [7, 7, 7];
  const colors = [...many, ...Array.from({length: 32}, () => frequent)];
  const read = pixels(smallPng({width: 32, height: 33, data: data(colors)}));
  assert.ok(read.colors <= 256);
  assert.deepEqual(read.rows[32], colors.slice(32 * 32));
  read.rows.flat().forEach((color, at) => color.forEach((value, channel) => assert.ok(Math.abs(value - colors[at][channel]) <= 32)));
});
