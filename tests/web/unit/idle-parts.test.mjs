// The parts of the charts of idle time.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {CLASSES, EDGES, HOST} from '../../../www/js/page/views/idle/parts.js';

test('each part of a chart has a colour of its own, by which the legend names it', () => {
  for (const parts of [[...CLASSES, ...EDGES], HOST]) {
    const colors = parts.map(([, color]) => color);
    assert.deepEqual(colors, [...new Set(colors)]);
  }
});
