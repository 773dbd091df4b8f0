// Small PNG files of pictures with few colors, such as those of a page: an index of at most 256 colors for each pixel.

import zlib from 'node:zlib';

const MOST_COLORS = 256;

/** Factor by which the least distance of palette colors grows per attempt; the distance is the sum of squares of their channels. */
const STEP = 1.5;

/** @typedef {[number, number, number]} Color */

/** @param {Color} a @param {Color} b */
const distance = (a, b) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/** The color of a key of the counts. @param {number} key @returns {Color} */
const colorOf = (key) => [key >> 16, (key >> 8) & 255, key & 255];

/** The place of the nearest color. @param {Color[]} palette @param {Color} color */
function nearest(palette, color) {
  let best = 0;
  for (let place = 1; place < palette.length; place++) {
    if (distance(palette[place], color) < distance(palette[best], color)) best = place;
  }
  return best;
}

/** The most frequent colors that differ enough to be at most `MOST_COLORS`. @param {Color[]} byCount */
function paletteOf(byCount) {
  for (let least = 1; ; least *= STEP) {
    /** @type {Color[]} */
    const palette = [];
    for (const color of byCount) {
      if (palette.some((known) => distance(known, color) < least)) continue;
      palette.push(color);
      if (palette.length > MOST_COLORS) break;
    }
    if (palette.length <= MOST_COLORS) return palette;
  }
}

/** A part of a PNG file. @param {string} kind @param {Uint8Array} content */
function chunk(kind, content) {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(zlib.crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/**
 * A PNG file of opaque pixels.
 * @param {{width: number, height: number, data: Uint8Array}} picture four bytes a pixel: red, green, blue, and opacity, which is not used
 */
export function smallPng({width, height, data}) {
  const keys = new Uint32Array(width * height);
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (let at = 0; at < keys.length; at++) {
    const key = (data[at * 4] << 16) | (data[at * 4 + 1] << 8) | data[at * 4 + 2];
    keys[at] = key;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const byCount = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([key]) => key);
  const palette = paletteOf(byCount.map(colorOf));
  const places = new Map(byCount.map((key) => [key, nearest(palette, colorOf(key))]));
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < keys.length; at++) rows[at + Math.floor(at / width) + 1] = places.get(keys[at]) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, which are places in a palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', zlib.deflateSync(rows, {level: 9, memLevel: 9})),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
