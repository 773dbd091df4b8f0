// Curves of recorded tables over their times or steps.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {axesOf, groupColumnsOf, measuresOf, recordedCurves} from '../../../www/js/page/views/tables/recorded-curves.js';

/** @param {string} text columns as `name:unit` */
const columnsOf = (text) =>
  text.split(' ').map((one) => {
    const [name, unit] = one.split(':');
    return {name: name.replaceAll('~', ' '), unit};
  });

const links = columnsOf('step_num:text link:text type:text communication_cost:ns band_width:bytes_per_second');
const linkRows = [
  ['1', '0-1', 'SDMA', 10, 5],
  ['1', '1-0', 'SDMA', 30, 7],
  ['2', '0-1', 'SDMA', 20, 6],
  ['2', '1-0', 'SDMA', 50, 9],
  ['-', '0-1', 'SDMA', 15, 5.5],
];

test('a table is drawn over its steps, a curve for each thing that has a row in each step', () => {
  const [axis, ...others] = axesOf(links, linkRows);
  assert.deepEqual([axis, others], [{at: 0, name: 'step_num', isTime: false}, []]);
  const measures = measuresOf(links, linkRows, [axis]);
  assert.deepEqual(
    measures.map(({name, unit}) => [name, unit]),
    [
      ['communication_cost', 'ns'],
      ['band_width', 'bytes_per_second'],
    ],
  );
  assert.deepEqual(groupColumnsOf(links, linkRows, [axis]), [{at: 1, name: 'link'}], 'a column of one value groups nothing');
  assert.deepEqual(recordedCurves(linkRows, axis, measures.slice(0, 1), 1), {
    curves: [
      {name: '1-0', x: [1, 2], y: [30, 50]},
      {name: '0-1', x: [1, 2], y: [10, 20]},
    ],
    isMean: false,
  });
  assert.deepEqual(recordedCurves(linkRows, axis, measures.slice(0, 1), null), {curves: [{name: 'communication_cost', x: [1, 2], y: [20, 35]}], isMean: true});
});

test('times begin with the first row, in whatever order rows stand, and come before steps', () => {
  const columns = columnsOf('step:number Timestamp:ns Total~Allocated:bytes process_id:number Duration:ns');
  const values = [
    [2, '9007199254740995', 30, 7, 1],
    [1, 9007199254740000, 10, 8, 2],
  ];
  const axes = axesOf(columns, values);
  assert.deepEqual(
    axes.map(({name}) => name),
    ['Timestamp', 'step'],
  );
  assert.deepEqual(
    measuresOf(columns, values, axes).map(({name}) => name),
    ['Total Allocated', 'Duration'],
    'an id measures nothing',
  );
  const {curves} = recordedCurves(values, axes[0], measuresOf(columns, values, axes), null);
  assert.deepEqual(curves[0].y, [10, 30]);
  assert.equal(curves[0].x[0], 0);
});

test('the row of means of a step trace is no step, and what never changes is no curve', () => {
  const columns = columnsOf('step_num:text total:ns capacity:number');
  const values = [
    ['1', 10, 4],
    ['2', 20, 4],
    ['0', 15, 4],
  ];
  const [axis] = axesOf(columns, values);
  assert.deepEqual(recordedCurves(values, axis, measuresOf(columns, values, [axis]), null).curves, [{name: 'total', x: [1, 2], y: [10, 20]}]);
  assert.deepEqual(axesOf(columns, values.slice(0, 1)), [], 'one row has no curve');
  assert.deepEqual(
    axesOf(columnsOf('name:text total_time:ns'), [
      ['a', 1],
      ['b', 2],
    ]),
    [],
    'how long something took does not say when it was',
  );
});
