// The tables of memory: by operator, what was live at the peak, the largest blocks, tensors.

import {t} from '../../environment/i18n.js';
import {valueText} from '../charts/line-chart.js';
import {between, eventLink, jumpButton} from '../parts/jump.js';
import {DataTable, orDash} from '../table/data-table.js';

/** @typedef {import('../../../../types/reports.js').MemoryReport} MemoryReport */
/** @typedef {import('../../../../types/reports.js').MemoryBlockReport} MemoryBlock */
/** @typedef {import('../../../../types/reports.js').PlannedTensorReport} PlannedTensor */
/** @typedef {MemoryReport['places'][number]} Place */
/** @typedef {Place['operators'][number]} Operator */
/** @typedef {{name: string, blocks: number | null, bytes: number, peak?: number}} Live `peak`: all that is live */
/** @typedef {NonNullable<MemoryReport['recorded_blocks']>[number]} RecordedBlock */
/** @typedef {import('../table/data-table.js').DataTable<any>} Table */

/**
 * Columns of a kind of rows.
 * @template Row @param {import('../../app.js').App} app
 */
function columns(app) {
  const {count, duration} = app.wasm;
  /** @typedef {import('../table/data-table.js').Column<Row>} Column */
  return {
    /** Of names the width is given: there may be long ones. @param {string} key @param {(row: Row) => string} value @param {number} [width] @returns {Column} */
    words: (key, value, width, weight = 1) => ({key, title: t(`memory.column.${key}`), text: value, value, left: true, width, weight}),
    /** @param {string} key @param {(row: Row) => number | null} value @param {(row: Row) => number} [share] @returns {Column} */
    bytes: (key, value, share) => ({
      key,
      title: t(`memory.column.${key}`),
      why: t(`memory.column.${key}.why`),
      text: (row) => orDash(value(row), (bytes) => valueText(app.wasm, 'bytes', bytes)),
      value,
      share,
    }),
    /** @param {string} key @param {(row: Row) => number | null} value @returns {Column} */
    count: (key, value) => ({key, title: t(`memory.column.${key}`), why: t(`memory.column.${key}.why`), text: (row) => orDash(value(row), count), value}),
    /** @param {string} key @param {(row: Row) => number | null} value @returns {Column} */
    time: (key, value) => ({key, title: t(`memory.column.${key}`), why: t(`memory.column.${key}.why`), text: (row) => orDash(value(row), duration), value}),
    /** @param {string} key @param {(row: Row) => number | null} value @returns {Column} */
    moment: (key, value) => ({
      key,
      title: t(`memory.column.${key}`),
      why: t(`memory.column.${key}.why`),
      text: (row) => orDash(value(row), (at) => momentText(app.wasm, at)),
      value,
    }),
  };
}

/** A table of which a click shows all columns. @template Row @param {import('../../app.js').App} app @param {string} name @param {string} sort @param {import('../table/data-table.js').Column<Row>[]} all @param {(row: Row) => (Node | null)[]} [links] */
function table(app, name, sort, all, links) {
  /** @type {DataTable<Row>} */
  const made = new DataTable(app, {
    name: `memory-${name}`,
    label: t(`memory.table.${name}`),
    columns: all,
    sort: {key: sort, down: true},
    empty: () => t('table.empty'),
    searched: (row) =>
      all
        .filter(({left}) => left)
        .map(({text}) => text(row))
        .join(' '),
    detail: (row) => all.map(({title, text}) => [title, text(row)]),
    links,
  });
  return made;
}

/** A time from the trace's start. @param {import('../../../protocol/wasm.js').Wasm} wasm @param {number} at in ns */
export function momentText({duration}, at) {
  return at < 0 ? t('memory.earlier', {time: duration(-at)}) : duration(at);
}

/** @param {string | null} name */
function operatorName(name) {
  return name ?? t('memory.no_operator');
}

/** A link to the time in which a block is there. @param {import('../../app.js').App} app @param {{allocated_ns: number | null, released_ns: number | null}} block */
function lifetime(app, {allocated_ns: from, released_ns: to}) {
  return jumpButton(app, between(from, to), t('jump.lifetime'), t('jump.lifetime'));
}

/** The tables, made once and filled with what is chosen. @param {import('../../app.js').App} app */
export function memoryTables(app) {
  /** @type {ReturnType<typeof columns<Operator>>} */
  const operator = columns(app);
  const operators = table(app, 'operators', 'net_bytes', [
    operator.words('name', (row) => operatorName(row.name), 16, 4),
    operator.count('allocations', (row) => row.allocations),
    operator.bytes('allocated_bytes', (row) => row.allocated_bytes),
    operator.count('releases', (row) => row.releases),
    operator.bytes('released_bytes', (row) => row.released_bytes),
    operator.bytes('net_bytes', (row) => row.net_bytes),
    operator.bytes('total_allocated_bytes', (row) => row.total_allocated_bytes),
    operator.bytes('total_net_bytes', (row) => row.total_net_bytes),
  ]);
  /** @type {ReturnType<typeof columns<Live>>} */
  const live = columns(app);
  const atPeak = table(app, 'live', 'bytes', [
    live.words('name', (row) => row.name, 16, 4),
    live.count('blocks', (row) => row.blocks),
    live.bytes(
      'bytes',
      (row) => row.bytes,
      (row) => row.bytes / Math.max(1, row.peak ?? 1),
    ),
  ]);
  /** @type {ReturnType<typeof columns<MemoryBlock>>} */
  const block = columns(app);
  const blocks = table(
    app,
    'blocks',
    'bytes',
    [
      block.words('allocated_by', (row) => (row.allocated_ns === null ? t('memory.before') : operatorName(row.allocated_by?.name ?? null)), 16, 4),
      block.bytes('bytes', (row) => row.bytes),
      block.moment('allocated_ns', (row) => row.allocated_ns),
      block.moment('released_ns', (row) => row.released_ns),
      block.time('lifetime_ns', (row) => row.lifetime_ns),
      block.words('released_by', (row) => (row.released_ns === null ? '–' : operatorName(row.released_by?.name ?? null)), 10, 2),
      block.words('address', (row) => row.address),
    ],
    (row) => [lifetime(app, row), eventLink(app, row.allocated_by), eventLink(app, row.released_by)],
  );
  /** @type {ReturnType<typeof columns<RecordedBlock>>} */
  const told = columns(app);
  const recordedBlocks = table(
    app,
    'blocks',
    'bytes',
    [
      told.words('name', (row) => row.name, 16, 4),
      told.bytes('bytes', (row) => row.bytes),
      told.moment('allocated_ns', (row) => row.allocated_ns),
      told.moment('released_ns', (row) => row.released_ns),
      told.time('lifetime_ns', (row) => row.lifetime_ns),
      told.words('device', (row) => row.device),
    ],
    (row) => [lifetime(app, row)],
  );
  const recordedOperators = table(app, 'recorded', 'bytes', [
    live.words('name', (row) => row.name, 16, 4),
    live.count('blocks', (row) => row.blocks),
    live.bytes('bytes', (row) => row.bytes),
  ]);
  /** @type {ReturnType<typeof columns<PlannedTensor>>} */
  const tensor = columns(app);
  const tensors = table(app, 'tensors', 'bytes', [
    tensor.words('tensor', (row) => row.name, 16, 4),
    tensor.bytes('bytes', (row) => row.bytes),
    tensor.words('type', (row) => row.type),
    tensor.words('data_type', (row) => row.data_type),
    tensor.words('shape', (row) => row.shape, 8, 2),
    tensor.words('format', (row) => row.format),
    tensor.count('first_index', (row) => row.first_index),
    tensor.count('last_index', (row) => row.last_index),
    tensor.words('at_peak', (row) => t(row.at_peak ? 'yes' : 'no')),
  ]);
  return {
    tensors,
    /** @param {Place} place @returns {[string, Table, unknown[]][]} */
    ofPlace(place) {
      const {operators: by, from_before: before, unexplained_bytes: rest} = place.live_at_peak;
      /** @type {Live[]} */
      const named = [
        ...by.map((row) => ({...row, name: operatorName(row.name)})),
        ...(before.bytes ? [{name: t('memory.before'), ...before}] : []),
        ...(rest ? [{name: t('memory.unexplained'), blocks: null, bytes: rest}] : []),
      ];
      const rows = named.map((row) => ({...row, peak: place.allocated.peak_bytes}));
      return [
        ['operators', operators, place.operators],
        ['live', atPeak, rows],
        ['blocks', blocks, place.blocks.largest],
      ];
    },
    /** @param {MemoryReport} report @returns {[string, Table, unknown[]][]} */
    ofRecorded({recorded_operators: by = [], recorded_blocks: all = []}) {
      return all.length
        ? [
            ['recorded', recordedOperators, by],
            ['blocks', recordedBlocks, all],
          ]
        : [];
    },
  };
}
