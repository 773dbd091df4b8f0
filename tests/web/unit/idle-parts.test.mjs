// The parts of the charts of idle time.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {CLASSES, EDGES, HOST, LEAVES, leafColors} from '../../../www/js/page/views/idle/parts.js';
import {VISIONS, distance} from './lib/vision.mjs';

const sheet = fs.readFileSync(path.join(import.meta.dirname, '../../../www/css/base.css'), 'utf8');

/** A token's colors, on a light and on a dark ground. @param {string} token */
const colorsOf = (token) => [...sheet.matchAll(new RegExp(`${token}: rgb\\((\\d+) (\\d+) (\\d+)\\)`, 'g'))].map(([, ...parts]) => parts.map(Number));

test('each part of a chart has a color of its own, which everybody can tell from the others', () => {
  for (const parts of [[...CLASSES, ...EDGES], HOST]) {
    const tokens = parts.map(([, token]) => token);
    for (const [place, token] of tokens.entries()) {
      assert.equal(colorsOf(token).length, 2, `${token}: light, then dark`);
      for (const other of tokens.slice(place + 1)) {
        for (const [name, vision] of Object.entries(VISIONS)) {
          for (const theme of [0, 1]) {
            const is = distance(colorsOf(token)[theme], colorsOf(other)[theme], vision);
            assert.ok(is > 12, `${name}, ${theme ? 'dark' : 'light'}: ${token} and ${other}: ${is}`);
          }
        }
      }
    }
  }
});

test('a color of its own is none of a class', () => {
  const tokens = [...new Set([...sheet.matchAll(/--(?:class|idle)-[\w-]+(?=: rgb)/g)].map(([token]) => token))];
  const own = tokens.filter((token) => /^--idle-/.test(token));
  assert.equal(own.length, 8);
  for (const token of own) {
    for (const other of tokens.filter((other) => /^--class-/.test(other) && other !== '--class-idle')) {
      for (const theme of [0, 1]) assert.ok(distance(colorsOf(token)[theme], colorsOf(other)[theme], VISIONS.all) > 12, `${token} is close to ${other}`);
    }
  }
});

test('hues of the leaves of idle time differ for everybody, and shades tell leaves of one hue apart', () => {
  const tokens = [...new Set(Object.values(LEAVES))];
  assert.ok(tokens.length > 10, 'nearly as many as causes');
  for (const [place, token] of tokens.entries()) {
    for (const other of tokens.slice(place + 1)) {
      for (const [name, vision] of Object.entries(VISIONS)) {
        for (const theme of [0, 1]) {
          const is = distance(colorsOf(token)[theme], colorsOf(other)[theme], vision);
          assert.ok(is > 11, `${name}, ${theme ? 'dark' : 'light'}: ${token} and ${other}: ${is}`);
        }
      }
    }
  }
  const leaves = Object.keys(LEAVES).map((leaf) => ({leaf}));
  const looks = leafColors('idle', leaves).map(({token, shade}) => `${token} ${shade}`);
  assert.equal(new Set(looks).size, leaves.length, 'no two have the same color');
  assert.deepEqual(leafColors('idle', [{leaf: 'lead_lost_synchronization'}, {leaf: 'synchronization'}]), [
    {token: '--idle-synchronization', shade: 0},
    {token: '--idle-synchronization', shade: 1},
  ]);
  assert.deepEqual(
    leafColors('idle', [{leaf: 'lead_lost_data'}, {leaf: 'slow_call'}]).map(({token}) => token),
    ['--class-dataloader', '--class-runtime'],
  );
  assert.deepEqual(leafColors('memcpy', [{leaf: 'copy_to_pinned'}]), [{token: '--class-memcpy', shade: 0}], 'other branches keep their color');
});
