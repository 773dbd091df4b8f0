// Rate of a load, and its remaining time.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Pace} from '../../../www/js/page/views/frame/pace.js';

const MB = 1e6;

test('a steady load has a rate, and the rest takes as long as it takes at that rate', () => {
  const pace = new Pace();
  assert.equal(pace.rate, null);
  assert.equal(pace.left, null);
  for (let at = 0; at <= 2000; at += 100) pace.add(at, 'a', at * 0.05 * MB, at / 10_000);
  assert.equal(Math.round(pace.rate ?? 0), 50 * MB);
  assert.equal(Math.round(pace.left ?? 0), 8000);
});

test('nothing is said before a second is over, or where nothing moves', () => {
  const pace = new Pace();
  for (let at = 0; at < 1000; at += 100) pace.add(at, 'a', at, at / 1e6);
  assert.equal(pace.rate, null);
  assert.equal(pace.left, null);
  const still = new Pace();
  for (let at = 0; at < 9000; at += 100) still.add(at, 'a', 5, 0.5);
  assert.equal(still.rate, null);
  assert.equal(still.left, null);
});

test('the pace is that of the last seconds', () => {
  const pace = new Pace();
  let [read, share] = [0, 0];
  for (let at = 0; at < 10_000; at += 100) pace.add(at, 'a', (read += 10 * MB), (share += 0.001));
  for (let at = 10_000; at < 20_000; at += 100) pace.add(at, 'a', (read += MB), (share += 0.0001));
  assert.equal(Math.round(pace.rate ?? 0), 10 * MB);
});

test('the next file has its own rate; what is left is of all files', () => {
  const pace = new Pace();
  for (let at = 0; at <= 1000; at += 100) pace.add(at, 'a', at * MB, at / 4000);
  for (let at = 1000; at <= 1500; at += 100) pace.add(at, 'b', (at - 1000) * MB, at / 4000);
  assert.equal(pace.rate, null);
  assert.equal(Math.round(pace.left ?? 0), 2500);
});

test('another load has a pace of its own', () => {
  const pace = new Pace();
  for (let at = 0; at <= 3000; at += 100) pace.add(at, 'a', at * MB, at / 4000);
  pace.add(3100, 'b', 0, 0);
  assert.equal(pace.rate, null);
  assert.equal(pace.left, null);
});
