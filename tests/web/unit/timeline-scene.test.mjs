// Scenes that the page sends to the painter: scrolled, pinned and selected rows.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {UNTOUCHED} from '../../../www/js/page/timeline/choices.js';
import {layOut} from '../../../www/js/page/timeline/layout.js';
import {TOP, rowsOf} from '../../../www/js/page/timeline/scene.js';
import {grouped, rankRows} from './lib/rows.mjs';

/** @typedef {import('../../../www/types/reports.js').TimelineFoundReport} Found */

const HEIGHT = 200;
const everything = {selected: null, arrows: [], among: () => null};

/** @param {Partial<Found>} of */
const slice = (of) => /** @type {Found} */ ({row: 4, lane: 0, place: 0, number: 1, rank: 0, start: 10, end: 20, text: '', ...of});

/** @param {{pinned?: string[], rows?: number, height?: number}} [how] @param {Partial<Parameters<typeof rowsOf>[2]>} [chosen] */
function drawn({pinned = [], rows = 0, height = HEIGHT} = {}, chosen = {}) {
  const layout = layOut(grouped(rankRows()), {...UNTOUCHED, pinned});
  return {layout, ...rowsOf(layout, {height, rows, pinned: 0, pinnedHeight: layout.pinnedHeight}, {...everything, ...chosen})};
}

test('only lanes that can be seen are drawn', () => {
  const {
    clips: [scrolling],
  } = drawn({height: 5000});
  assert.deepEqual(
    scrolling.lines.map(({row}) => row),
    [0, 1, 2, 3, 4, 5],
  );
  const {
    clips: [few],
  } = drawn({height: TOP + 30});
  assert.ok(few.lines.length < 6 && few.lines[0].row === 0);
  const {
    layout,
    clips: [moved],
  } = drawn({rows: 200, height: TOP + 40});
  const thread = layout.places.find(({row}) => row === 4);
  assert.ok(thread && moved.lines.some(({row, first}) => row === 4 && first > 0), 'the first lanes of a thread are above');
  for (const {y, count, laneHeight} of moved.lines) assert.ok(y + count * laneHeight >= TOP && y < TOP + 40 + laneHeight);
});

test('what is pinned is drawn apart, above what scrolls', () => {
  const {
    layout,
    clips: [scrolling, fixed],
    grounds,
  } = drawn({pinned: ['row:2'], rows: 1000});
  assert.deepEqual(
    fixed.lines.map(({row}) => row),
    [2],
  );
  assert.deepEqual([fixed.top, fixed.bottom], [TOP, TOP + layout.pinnedHeight]);
  assert.equal(scrolling.top, fixed.bottom);
  assert.ok(grounds.every(({y, height}) => y >= TOP && y + height <= HEIGHT));
});

test('a slice is marked wherever its row is drawn, and nowhere else', () => {
  const [both, scrolled, none] = [
    drawn({pinned: ['row:4'], height: 2000}, {selected: slice({lane: 2})}),
    drawn({height: 2000}, {selected: slice({lane: 2})}),
    drawn({height: 2000}, {selected: slice({row: 99})}),
  ];
  assert.deepEqual(
    both.selected.map(({pinned}) => pinned),
    [false, true],
  );
  assert.deepEqual(
    scrolled.selected.map(({start, end, pinned}) => [start, end, pinned]),
    [[10, 20, false]],
  );
  assert.deepEqual(none.selected, []);
  const first = drawn({height: 2000}, {selected: slice({lane: 0})}).selected[0];
  assert.ok(scrolled.selected[0].y > first.y, 'lanes stand below each other');
});

test('an arrow also comes from what has been scrolled away', () => {
  const arrows = [
    {from: slice({row: 4}), to: slice({row: 2, start: 30, end: 40})},
    {from: slice({row: 4}), to: slice({row: 99})},
  ];
  const found = drawn({height: TOP + 60}, {arrows}).arrows;
  assert.equal(found.length, 1, 'one whose row is not there is none');
  assert.ok(found[0].from.y > TOP + 60);
});

test('a range that is told of some rows says where these are', () => {
  assert.equal(drawn().among, null);
  const {among} = drawn({height: 2000}, {among: (row) => row === 2 || row === 4});
  assert.equal(among?.length, 2);
  assert.ok(among?.every(([top, bottom]) => bottom > top));
});
