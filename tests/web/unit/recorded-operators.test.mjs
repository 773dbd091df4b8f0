// Recorded tables of operators: the operators of a type, and the graph's facts about them.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {
  graphOperators,
  nameColumn,
  operatorsOf,
  operatorsOfMsprof,
  operatorsTable,
  partOf,
  sharesOf,
  tensorsOf,
  tensorsOfRow,
  tensorsText,
  timeColumn,
  typeColumn,
} from '../../../www/js/page/views/tables/recorded-operators.js';

/** @param {string[]} names @param {(string | number | null)[][]} values */
const rows = (names, values) => ({columns: names.map((name) => ({name})), values});

/** @param {string} name @param {string} type @param {string} [table] */
const operator = (name, type, table) => ({name, type, calls: 2, mean_ns: 500, ...(table && {table})});

test('the operators of a type on a GPU are those of the table by name', () => {
  const host_operators = [
    operator('Default/MatMul-op1', 'MatMul', 'gpu_op_detail'),
    operator('Default/Cast-op2', 'Cast', 'gpu_op_detail'),
    operator('Default/MatMul-op3', 'MatMul', 'cpu_op_detail'),
  ];
  const found = operatorsOf('gpu_op_type', 'MatMul', /** @type {any} */ ({host_operators}));
  assert.equal(found.id, 'mindspore.host_operators');
  assert.deepEqual(
    found.rows.map(({name}) => name),
    ['Default/MatMul-op1'],
    'those of the host are in another table',
  );
  assert.deepEqual(operatorsOf('gpu_op_type', 'Mul', /** @type {any} */ ({host_operators})).rows, []);
  assert.deepEqual(operatorsOf('gpu_op_type', 'MatMul', undefined).rows, [], 'the table by name is not there');
});

test('operators of an Ascend device are in the report of its tables', () => {
  const mindspore = {
    aicore_operators: [operator('Default/Cast-op1', 'Cast'), operator('Default/MatMul-op2', 'MatMul')],
    aicpu_operators: [operator('GetNext-op1', 'GetNext')],
  };
  const matrix = operatorsOf('aicore_type', 'MatMul', /** @type {any} */ (mindspore));
  assert.deepEqual([matrix.id, matrix.rows], ['mindspore.aicore_operators', [operator('Default/MatMul-op2', 'MatMul')]]);
  const next = operatorsOf('aicpu_type', 'GetNext', /** @type {any} */ (mindspore));
  assert.deepEqual([next.id, next.rows], ['mindspore.aicpu_operators', mindspore.aicpu_operators]);
});

test('the graph says what an operator is, by its name with or without its scope', () => {
  const graph = graphOperators(
    rows(
      ['full_kernel_name', 'kernel_name', 'kernel_type', 'op_info'],
      [
        ['Default/Cast-op1', 'Cast-op1', 'Wrong', ''],
        ['Default/Cast-op1', 'Cast-op1', 'Cast', '{}'],
      ],
    ),
  );
  assert.deepEqual([graph.get('Default/Cast-op1')?.type, graph.get('Cast-op1')?.type], ['Cast', 'Cast'], 'the last row of a name counts');
});

test('inputs and outputs are read in both ways that profilers write them', () => {
  const info = {
    input_0: {format: 'DefaultFormat', data_type: 'NUMBER_TYPE_FLOAT32', shape: '32,3,224'},
    output_0: {format: 'NC1HWC0', data_type: 'FLOAT16', shape: [32, 1]},
    input_1: {format: 'DEFAULT', data_type: 'INT32', shape: ''},
  };
  const tensors = tensorsOf(JSON.stringify(info));
  assert.deepEqual(
    tensors.map(({shape}) => shape),
    ['[32, 3, 224]', '[32, 1]', '[]'],
  );
  assert.equal(tensorsText(tensors.slice(0, 2)), 'input_0 FLOAT32 [32, 3, 224] DefaultFormat; output_0 FLOAT16 [32, 1] NC1HWC0');
  for (const broken of ['', '{', 'null', '7', '"text"', '{"input_0": null}', '[]']) assert.deepEqual(tensorsOf(broken), [], broken);
});

test('only numbers that add up can be shares', () => {
  assert.equal(partOf('aicore_type', 'total_time'), 'time');
  assert.equal(partOf('gpu_op_type', 'type_occurrences'), 'count');
  assert.equal(partOf('aicore_detail', 'execution_time'), undefined, 'a mean');
  assert.equal(partOf('step_trace', 'total'), undefined);
  assert.equal(typeColumn('step_trace'), undefined);
  assert.equal(nameColumn('aicore_detail', [{name: 'full_kernel_time'}]), 'full_kernel_time');
});

test("the shares of types are the profiler's own, with the rest of its total", () => {
  const columns = [
    {name: 'kernel_type', unit: 'text'},
    {name: 'percent', unit: 'share'},
  ];
  const found = sharesOf(columns, [
    ['MatMul', 0.5],
    ['Cast', 0.25],
  ]);
  assert.deepEqual(found, {column: 1, listed: [0.5, 0.25], unlisted: 0.25});
  assert.equal(sharesOf(columns, [['MatMul', 0.9996]])?.unlisted, 0, 'rounding is no rest');
  assert.equal(sharesOf(columns, [['MatMul', 57.6]]), undefined, 'these are no shares of one total');
  assert.equal(
    sharesOf(columns, [
      ['MatMul', 0.5],
      ['Cast', null],
    ]),
    undefined,
    'a row has no share',
  );
  assert.equal(sharesOf([{name: 'kernel_type', unit: 'text'}], [['MatMul']]), undefined);
});

test("msprof's operators have a time, a type and tensors", () => {
  assert.equal(timeColumn('op_summary'), 'Total Time', 'the sum of its runs');
  assert.equal(partOf('op_summary', 'Count'), 'count');
  assert.equal(nameColumn('op_summary', [{name: 'Op Name'}]), 'Op Name');
  assert.deepEqual([typeColumn('op_statistic'), operatorsTable('op_statistic')], ['OP Type', 'op_summary']);
  const table = rows(
    ['Op Name', 'OP Type', 'Count', 'Total Time'],
    [
      ['mm', 'MatMul', 2, 60],
      ['add', 'Add', 1, 4],
    ],
  );
  assert.deepEqual(operatorsOfMsprof(table, 'MatMul'), [{name: 'mm', type: 'MatMul', side: 'device', calls: 2, mean_ns: 30, table: 'op_summary'}]);
  /** @type {Record<string, string>} */
  const cells = {'Input Shapes': '"16,128;128,64"', 'Input Data Types': 'FLOAT16;FLOAT', 'Input Formats': 'ND;NZ', 'Output Data Types': 'N/A'};
  assert.deepEqual(
    tensorsOfRow((column) => cells[column] ?? '').map(({name, type, shape, format}) => [name, type, shape, format]),
    [
      ['input_0', 'FLOAT16', '[16, 128]', 'ND'],
      ['input_1', 'FLOAT', '[128, 64]', 'NZ'],
    ],
  );
});
