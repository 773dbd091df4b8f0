// The tables of operators, kernels and copies.

import {h} from '../dom.js';
import {t} from '../i18n.js';
import {DataTable} from './data-table.js';
import {KernelUseParts, kernelName, useColumns, useFacts} from './kernel-use.js';
import {RowPane} from './row-pane.js';
import {known, knownValue, unitNames} from './units.js';

/** @typedef {import('../protocol.js').Copy} Copy */
/** @typedef {import('../protocol.js').KernelUseRow} Kernel */
/** @typedef {import('../protocol-event.js').LeftOut} LeftOut */
/** @typedef {import('../protocol.js').Operator} Operator */
/** @typedef {import('../state.js').State} State */

/** Columns whose values add up to a whole: totals of operators do not, since one is in another. */
const PARTS = ['device_self_ns', 'host_self_ns', 'total_ns'];

/** A tab with one table of the selection. @template Row */
class TableTab {
  /** What is in the table: a row that was opened stays so, also while another tab is shown. @type {Row[] | undefined} */
  #shown;
  /** @param {DataTable<Row>} table @param {(state: State) => Row[] | undefined} rows */
  constructor(table, rows) {
    this.table = table;
    this.rows = rows;
    this.element = table.element;
  }

  /** @param {State} now @param {State | undefined} _before */
  show(now, _before) {
    const rows = this.rows(now);
    if (!rows || rows === this.#shown) return;
    this.#shown = rows;
    this.table.show(rows);
  }

  search() {
    this.table.search();
  }

  redraw() {
    this.table.redraw();
  }

  /** @param {string} text */
  find(text) {
    this.table.find(text);
  }
}

/**
 * A column of a length of time.
 * @template Row
 * @param {import('../app.js').App} app @param {keyof Row & string} key @param {(row: Row) => number} value @param {(row: Row) => number} [share]
 * @returns {import('./data-table.js').Column<Row>}
 */
function time(app, key, value, share) {
  const part = PARTS.includes(key) ? /** @type {const} */ ('time') : undefined;
  return {key, title: t(`column.${key}`), why: t(`column.${key}.why`), text: (row) => app.wasm.duration(value(row)), value, share, part};
}

/** The largest of some values, at least one. @template Row @param {Row[]} rows @param {(row: Row) => number} value */
function most(rows, value) {
  return rows.reduce((largest, row) => Math.max(largest, value(row)), 1);
}

/** Why a table has no rows. @param {import('../app.js').App} app */
function nothing(app) {
  return t(app.state.step === null ? 'table.empty' : 'table.empty.step');
}

/**
 * The rows of what averages over steps leave out.
 * @param {State} state @param {(left: LeftOut) => number} calls @param {(left: LeftOut) => Record<string, string>} cells
 */
function leftOut({selection}, calls, cells) {
  const rows = selection?.left_out?.filter((left) => calls(left) > 0) ?? [];
  return rows.map((left) => ({name: left.steps ? t('left_out.steps', {steps: left.steps}) : t('left_out.outside'), cells: cells(left)}));
}

/** What tells an operator's row from others: also its innermost frame, where stacks do. @param {Operator} row */
function operatorName({name, shapes, thread, stack = []}) {
  const frame = stack.at(-1);
  return [name, shapes, thread, frame && t('operator.at', {frame})].filter(Boolean).join(' ');
}

/** @param {[string, string][]} rows */
function withoutEmpty(rows) {
  return rows.filter(([, value]) => value !== '');
}

/** @extends {TableTab<Operator>} */
export class OperatorsTab extends TableTab {
  /** @param {import('../app.js').App} app */
  constructor(app) {
    const {duration, count} = app.wasm;
    const rows = () => app.state.selection?.operators ?? [];
    const grouping = h(
      'select',
      {'data-test': 'grouping', onchange: (/** @type {any} */ event) => app.choose({grouping: event.target.value})},
      ...['name', 'shapes', 'type', 'stack', 'category', 'thread'].map((name) => h('option', {value: name}, t(`grouping.${name}`))),
    );
    grouping.value = app.state.grouping;
    const merge = h('input', {type: 'checkbox', 'data-test': 'merge', onchange: (/** @type {any} */ event) => app.choose({merge: event.target.checked})});
    merge.checked = app.state.merge;
    const slices = h('span', {class: 'hint below', 'data-test': 'slices', hidden: true}, t('slices.why'));
    /** @type {DataTable<Operator>} */
    const table = new DataTable(app, {
      name: 'operators',
      pane: new RowPane(app, 'operators'),
      label: t('tab.operators'),
      columns: [
        {key: 'name', title: t('column.name'), text: operatorName, whole: (row) => [operatorName(row), ...(row.stack ?? [])].join('\n'), value: (row) => row.name, left: true, width: 22, weight: 6},
        {key: 'calls', title: t('column.calls'), text: (row) => count(row.calls), value: (row) => row.calls, part: 'count'},
        {...time(app, 'device_total_ns', (row) => row.device_total_ns), ofDevice: true},
        {...time(app, 'device_self_ns', (row) => row.device_self_ns, (row) => row.device_self_ns / most(rows(), (one) => one.device_self_ns)), ofDevice: true},
        time(app, 'host_total_ns', (row) => row.host_total_ns),
        time(app, 'host_self_ns', (row) => row.host_self_ns, (row) => row.host_self_ns / most(rows(), (one) => one.host_self_ns)),
        time(app, 'host_mean_ns', (row) => row.host_mean_ns),
      ],
      sort: {key: 'device_self_ns', down: true},
      empty: () => nothing(app),
      searched: (row) => [row.name, row.shapes, row.types, row.thread, ...(row.stack ?? [])].join(' '),
      detail: (row) =>
        withoutEmpty([
          [t('column.name'), row.name],
          [t('column.shapes'), row.shapes ?? ''],
          [t('column.types'), row.types ?? ''],
          [t('column.stack'), (row.stack ?? []).join('\n')],
          [t('column.thread'), row.thread ?? ''],
          [t('column.class'), t(`class.${row.class}`)],
          [t('column.calls'), count(row.calls)],
          [t('column.host'), t('detail.times', {total: duration(row.host_total_ns), mean: duration(row.host_mean_ns), min: duration(row.host_min_ns), max: duration(row.host_max_ns)})],
          [t('column.host_self_ns'), duration(row.host_self_ns)],
          [t('column.device_total_ns'), duration(row.device_total_ns)],
          [t('column.device_self_ns'), duration(row.device_self_ns)],
        ]),
      tools: [h('label', {class: 'choice'}, h('span', {}, t('grouping')), grouping), h('label', {class: 'check', title: t('merge.why')}, merge, t('merge')), slices],
    });
    super(table, (state) => state.selection?.operators);
    this.slices = slices;
  }

  /** @override @param {State} now @param {State | undefined} before */
  show(now, before) {
    this.slices.hidden = now.selection?.operators_are !== 'slices';
    super.show(now, before);
    const {count, duration} = this.table.app.wasm;
    const cells = (/** @type {LeftOut} */ left) => ({calls: count(left.operator_calls), device_self_ns: duration(left.device_self_ns), host_self_ns: duration(left.host_self_ns)});
    this.table.foot(leftOut(now, (left) => left.operator_calls, cells));
    // Without a device all of its times are zero.
    if (!before || now.summary !== before.summary || now.rank !== before.rank) {
      this.table.order(now.summary?.ranks[now.rank].device_time.length ? 'device_self_ns' : 'host_self_ns', true);
    }
  }
}

/** @extends {TableTab<Kernel>} */
export class KernelsTab extends TableTab {
  /** @param {import('../app.js').App} app */
  constructor(app) {
    const {duration, count, percent} = app.wasm;
    const units = unitNames(app.state.summary?.ranks[app.state.rank]?.vendor);
    const use = new KernelUseParts(app, (rows) => table.show(rows));
    /** @type {DataTable<Kernel>} */
    const table = new DataTable(app, {
      name: 'kernels',
      pane: new RowPane(app, 'kernels', () => ({kernel_grouping: use.grouping})),
      label: t('tab.kernels'),
      columns: [
        {key: 'name', title: t('column.name'), text: (row) => kernelName(row, use.grouping), value: (row) => kernelName(row, use.grouping), left: true, width: 22, weight: 6},
        {key: 'calls', title: t('column.calls'), text: (row) => count(row.calls), value: (row) => row.calls, part: 'count'},
        time(app, 'total_ns', (row) => row.total_ns, (row) => row.share_of_kernel_time),
        {
          key: 'share_of_kernel_time',
          title: t('column.share_of_kernel_time'),
          why: t('column.share_of_kernel_time.why'),
          text: (row) => percent(row.share_of_kernel_time),
          value: (row) => row.share_of_kernel_time,
        },
        time(app, 'mean_ns', (row) => row.mean_ns),
        ...useColumns(app),
        {
          key: 'tensor_cores',
          title: t('column.tensor_core_use', units),
          why: t('column.tensor_core_use.why', units),
          text: (row) => t(`tensor_core_use.${row.tensor_core_use}`),
          value: (row) => ({used: 2, not_used: 1, unknown: 0})[row.tensor_core_use],
        },
        time(app, 'median_ns', (row) => row.median_ns),
        time(app, 'min_ns', (row) => row.min_ns),
        time(app, 'max_ns', (row) => row.max_ns),
        {key: 'class', title: t('column.class'), text: (row) => t(`class.${row.class}`), value: (row) => row.class, left: true},
      ],
      sort: {key: 'total_ns', down: true},
      empty: () => nothing(app),
      searched: (row) => kernelName(row, use.grouping),
      detail: (row) =>
        withoutEmpty([
          [t('column.name'), row.name],
          [t('column.class'), t(`class.${row.class}`)],
          [t('column.calls'), count(row.calls)],
          [t('column.total_ns'), duration(row.total_ns)],
          [t('column.share_of_kernel_time'), `${percent(row.share_of_kernel_time)} (${t('column.cumulative')} ${percent(row.cumulative_share_of_kernel_time)})`],
          [t('column.mean_ns'), `${duration(row.mean_ns)} ± ${duration(row.std_ns)}`],
          [t('column.median_ns'), `${duration(row.median_ns)} (${duration(row.min_ns)} – ${duration(row.max_ns)})`],
          ...useFacts(app, row),
          [t('column.blocks_per_sm', units), row.blocks_per_sm === null ? '' : known(app.wasm, row.blocks_per_sm.toFixed(2), row.blocks_per_sm_coverage)],
          [t('column.occupancy_percent'), row.occupancy_percent === null ? '' : known(app.wasm, percent(row.occupancy_percent / 100), row.occupancy_percent_coverage)],
          [t('column.tensor_core_use', units), t(`tensor_core_use.${row.tensor_core_use}`)],
        ]),
      tools: [use.choice],
    });
    super(table, () => undefined);
    this.use = use;
    this.element = use.around(table.element);
  }

  /** @override @param {State} now */
  show(now) {
    this.use.show(now);
    const {count, duration} = this.table.app.wasm;
    this.table.foot(leftOut(now, (left) => left.kernels, (left) => ({calls: count(left.kernels), total_ns: duration(left.kernel_ns)})));
  }

  /** @override @param {string} text */
  async find(text) {
    // Rows of another rank or step may still be shown.
    await this.use.show(this.use.app.state);
    super.find(text);
  }
}

/** @extends {TableTab<Copy>} */
export class CopiesTab extends TableTab {
  /** @param {import('../app.js').App} app */
  constructor(app) {
    const {duration, count, bytes, percent, gigabytes_per_second: rate} = app.wasm;
    const rows = () => app.state.selection?.copies ?? [];
    /** @type {DataTable<Copy>} */
    const table = new DataTable(app, {
      name: 'copies',
      pane: new RowPane(app, 'copies'),
      label: t('tab.copies'),
      columns: [
        {key: 'name', title: t('column.kind'), text: (row) => row.name, value: (row) => row.name, left: true, width: 16, weight: 4},
        {key: 'calls', title: t('column.calls'), text: (row) => count(row.calls), value: (row) => row.calls, part: 'count'},
        time(app, 'total_ns', (row) => row.total_ns, (row) => row.total_ns / most(rows(), (one) => one.total_ns)),
        time(app, 'mean_ns', (row) => row.mean_ns),
        time(app, 'min_ns', (row) => row.min_ns),
        time(app, 'max_ns', (row) => row.max_ns),
        {key: 'bytes', title: t('column.bytes'), text: (row) => (row.bytes === null ? '–' : bytes(row.bytes)), value: (row) => row.bytes, part: 'bytes'},
        {
          key: 'gigabytes_per_second',
          title: t('column.rate'),
          why: t('column.rate.why'),
          text: (row) => known(app.wasm, rate(row.gigabytes_per_second), row.gigabytes_per_second_coverage),
          value: (row) => knownValue(app.wasm, row.gigabytes_per_second, row.gigabytes_per_second_coverage),
        },
        {
          key: 'share_of_peak',
          title: t('column.copy_peak'),
          why: t('column.copy_peak.why'),
          text: (row) => known(app.wasm, percent(row.share_of_peak), row.share_of_peak_coverage),
          value: (row) => knownValue(app.wasm, row.share_of_peak ?? null, row.share_of_peak_coverage ?? null),
        },
      ],
      sort: {key: 'total_ns', down: true},
      empty: () => nothing(app),
      searched: (row) => row.name,
      detail: (row) => [
        [t('column.kind'), row.name],
        [t('column.calls'), count(row.calls)],
        [t('column.total_ns'), duration(row.total_ns)],
        [t('column.median_ns'), `${duration(row.median_ns)} (${duration(row.min_ns)} – ${duration(row.max_ns)})`],
        [t('column.bytes'), row.bytes === null ? '–' : bytes(row.bytes)],
        [t('column.rate'), known(app.wasm, rate(row.gigabytes_per_second), row.gigabytes_per_second_coverage)],
        [t('column.copy_peak'), row.peak_gigabytes_per_second === undefined ? t('kernel.no_peak') : t('copy.peak', {share: known(app.wasm, percent(row.share_of_peak), row.share_of_peak_coverage), peak: rate(row.peak_gigabytes_per_second)})],
      ],
    });
    super(table, (state) => state.selection?.copies);
  }

  /** @override @param {State} now @param {State | undefined} before */
  show(now, before) {
    super.show(now, before);
    const {count, duration, bytes} = this.table.app.wasm;
    const cells = (/** @type {LeftOut} */ left) => ({calls: count(left.copies), total_ns: duration(left.copy_ns), bytes: bytes(left.copy_bytes)});
    this.table.foot(leftOut(now, (left) => left.copies, cells));
  }
}
