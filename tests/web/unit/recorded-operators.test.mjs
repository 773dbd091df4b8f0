// Recorded tables of operators: which operators a type has, what the graph says of them.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {
  graphOperators,
  nameColumn,
  operatorsOf,
  operatorsTable,
  partOf,
  tensorsOf,
  tensorsText,
  typeColumn,
} from '../../../www/js/page/views/tables/recorded-operators.js';

/** @param {string[]} names @param {(string | number | null)[][]} values */
const rows = (names, values) => ({columns: names.map((name) => ({name})), values});

test('the operators of a type on a GPU are those of the table by name, the longest in all first', () => {
  const detail = rows(
    ['op_side', 'op_type', 'op_name', 'op_full_name', 'op_occurrences', 'op_avg_time'],
    [
      ['Device', 'MatMul', 'MatMul-op1', 'Default/MatMul-op1', 2, 500],
      ['Device', 'Cast', 'Cast-op2', 'Default/Cast-op2', 9, 900],
      ['Device', 'MatMul', 'MatMul-op3', 'Default/MatMul-op3', 30, 100],
    ],
  );
  assert.equal(operatorsTable('gpu_op_type'), 'gpu_op_detail');
  const found = operatorsOf('gpu_op_type', 'MatMul', undefined, detail);
  assert.deepEqual(
    found.map(({name, calls, mean_ns: mean, side}) => [name, calls, mean, side]),
    [
      ['Default/MatMul-op3', 30, 100, 'Device'],
      ['Default/MatMul-op1', 2, 500, 'Device'],
    ],
  );
  assert.deepEqual(operatorsOf('gpu_op_type', 'Mul', undefined, detail), []);
  assert.deepEqual(operatorsOf('gpu_op_type', 'MatMul', undefined, undefined), [], 'the table by name is not there');
});

test('operators of an Ascend device are in the report of its tables, with their FLOPs', () => {
  const flops = {mflops_cube: 500.5, gflops_cube: 1013.7, mflops_vector: 0, gflops_vector: null};
  const mindspore = {
    aicore_operators: [
      {
        name: 'Default/Cast-op1',
        kernel: 'Cast-op1',
        type: 'Cast',
        calls: 3,
        mean_ns: 4,
        mflops_cube: null,
        gflops_cube: null,
        mflops_vector: null,
        gflops_vector: null,
      },
      {name: 'Default/MatMul-op2', kernel: 'MatMul-op2', type: 'MatMul', calls: 2, mean_ns: 7, ...flops},
    ],
    aicpu_operators: [{name: 'GetNext-op1', type: 'GetNext', calls: 2, mean_ns: 590, mean_dispatch_ns: 102}],
  };
  const [matrix, ...rest] = operatorsOf('aicore_type', 'MatMul', mindspore, undefined);
  assert.deepEqual(rest, []);
  assert.equal(matrix.name, 'Default/MatMul-op2');
  assert.equal(matrix.flops?.mflops_cube, 500.5);
  const [next] = operatorsOf('aicpu_type', 'GetNext', mindspore, undefined);
  assert.deepEqual([next.calls, next.mean_ns, next.dispatch_ns], [2, 590, 102]);
});

test('an operator of the printed tables has no count of calls', () => {
  const detail = rows(
    ['op_name', 'op_type', 'avg_execution_time', 'subgraph'],
    [
      ['GatherV2-op1', 'GatherV2', 42, 'Default'],
      ['GatherV2-op2', 'GatherV2', 43, 'Default'],
    ],
  );
  assert.deepEqual(
    operatorsOf('op_type_compute_time', 'GatherV2', undefined, detail).map(({name, calls}) => [name, calls]),
    [
      ['GatherV2-op2', null],
      ['GatherV2-op1', null],
    ],
  );
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
