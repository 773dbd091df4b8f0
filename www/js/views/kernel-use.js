// What kernels make of the device: occupancy and what limits it, waves, FLOP/s. Columns and facts of the table of kernels,
// and what stands around it.

import {fill, h} from '../dom.js';
import {t} from '../i18n.js';
import {kernelTypes} from './definition.js';
import {smallTable} from './small-table.js';
import {Choice} from './toolbar.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../protocol.js').KernelUse} KernelUse */
/** @typedef {import('../protocol.js').KernelUseRow} Row */
/** @typedef {import('../state.js').State} State */

/** @type {(keyof import('../protocol.js').Fitting)[]} */
const LIMITERS = ['warps', 'blocks', 'registers', 'shared_memory'];

/** The columns that tell it. @param {App} app @returns {import('./data-table.js').Column<Row>[]} */
export function useColumns(app) {
  const {percent, flops_per_second: rate} = app.wasm;
  /** @type {(key: string, text: (row: Row) => string, value: (row: Row) => number | string | null) => import('./data-table.js').Column<Row>} */
  const column = (key, text, value) => ({key, title: t(`column.${key}`), why: t(`column.${key}.why`), text, value, optional: true});
  return [
    column('theoretical_occupancy', (row) => percent(row.theoretical_occupancy), (row) => row.theoretical_occupancy),
    column('flops_per_second', (row) => rate(row.flops_per_second), (row) => row.flops_per_second),
    column('share_of_peak', (row) => percent(row.share_of_peak), (row) => row.share_of_peak),
    column('waves', (row) => row.launch?.waves?.waves.toFixed(2) ?? '–', (row) => row.launch?.waves?.waves ?? null),
    column('tail', (row) => percent(row.tail), (row) => row.tail),
    {...column('limiter', (row) => (row.launch?.occupancy ? t(`limiter.${row.launch.occupancy.limiter}`) : '–'), (row) => row.launch?.occupancy?.limiter ?? ''), left: true},
  ];
}

/** What a row is called where launches are told apart. @param {Row} row @param {string} grouping */
export function kernelName(row, grouping) {
  if (grouping !== 'launch') return row.name;
  return [row.name, row.operator ?? '', row.launch ? sizes(row.launch) : ''].filter(Boolean).join(' · ');
}

/** Blocks × threads. @param {import('../protocol.js').KernelLaunch} launch */
function sizes({grid, block}) {
  const short = (/** @type {number[]} */ [x, y, z]) => (z > 1 ? `${x},${y},${z}` : y > 1 ? `${x},${y}` : `${x}`);
  return `${short(grid)} × ${short(block)}`;
}

/** What a click on a row tells of it: the limiter with its numbers. @param {App} app @param {Row} row @returns {[string, string][]} */
export function useFacts(app, row) {
  const {percent, count, bytes, flops_per_second: rate, amount_of_flops: amount} = app.wasm;
  const {launch} = row;
  /** @type {[string, string][]} */
  const facts = [];
  if (row.operator) facts.push([t('column.operator'), row.operator]);
  if (launch) {
    const {registers, shared_memory: shared} = launch;
    const more = [registers === null ? '' : t('kernel.registers', {registers: count(registers)}), shared === null ? '' : t('kernel.shared', {bytes: bytes(shared)})];
    const of = row.launches > 1 ? t('kernel.of_launches', {launches: count(row.launches), calls: count(launch.calls)}) : '';
    facts.push([t('kernel.launch'), [t('kernel.sizes', {sizes: sizes(launch)}), ...more, of].filter(Boolean).join(' · ')]);
  }
  const occupancy = launch?.occupancy;
  if (occupancy) {
    const {blocks, limiter, warps, warps_per_block: each} = occupancy;
    facts.push([t('column.theoretical_occupancy'), t('kernel.occupancy', {share: percent(occupancy.share), blocks: count(blocks), each: count(each), warps: count(warps)})]);
    const taken = {warps: count(each), blocks: '1', registers: count(occupancy.registers_per_block), shared_memory: bytes(occupancy.shared_memory_per_block)}[limiter];
    facts.push([t('column.limiter'), `${t(`limiter.${limiter}`)}: ${t(`limiter.${limiter}.why`, {taken, blocks: count(blocks)})}`]);
    const fitting = LIMITERS.filter((one) => occupancy.fitting[one] !== null);
    facts.push([t('kernel.fitting'), fitting.map((one) => `${t(`limiter.${one}`)} ${count(occupancy.fitting[one] ?? 0)}`).join(' · ')]);
  } else facts.push([t('column.theoretical_occupancy'), t('kernel.unknown')]);
  const waves = launch?.waves;
  if (waves) {
    const values = {waves: waves.waves.toFixed(2), blocks: count(waves.blocks), once: count(waves.at_once), last: percent(waves.last), tail: percent(waves.tail)};
    facts.push([t('column.waves'), t('kernel.waves', values)]);
  }
  if (row.computed_flops !== null) {
    const peak = row.share_of_peak === null ? t('kernel.no_peak') : t('kernel.peak', {share: percent(row.share_of_peak)});
    facts.push([t('column.computed_flops'), [t('kernel.flops', {flops: amount(row.computed_flops)}), rate(row.flops_per_second), peak].join(' · ')]);
  }
  return facts;
}

/** Asks for the report when it is looked at, and shows what of it is no row. */
export class KernelUseParts {
  above = h('div', {class: 'kernel-use', hidden: true});
  below = h('details', {class: 'kernel-use', hidden: true, 'data-test': 'operator-flops'});
  #types = h('section', {class: 'kernel-use', hidden: true, 'data-test': 'kernel-types'});
  grouping = 'name';
  #asked = '';
  #shown = Promise.resolve();
  /** @type {import('../protocol.js').Summary | null} */
  #summary = null;

  /** @param {App} app @param {(rows: Row[]) => void} show */
  constructor(app, show) {
    this.app = app;
    this.rows = show;
    const choice = new Choice(t('grouping'), 'kernel-grouping', (grouping) => {
      this.grouping = grouping;
      this.show(app.state);
    });
    choice.offer(['name', 'launch'].map((name) => [name, t(`kernel_grouping.${name}`)]));
    this.choice = choice.element;
    this.element = h('div', {class: 'kernels-tab'}, this.above);
  }

  /** The table between what stands above and below. @param {HTMLElement} table */
  around(table) {
    this.element.append(this.#types, table, this.below);
    return this.element;
  }

  /** @param {State} now @returns {Promise<void>} when what is shown is that */
  show(now) {
    kernelTypes(this.app, this.#types, now);
    const asked = JSON.stringify([now.rank, now.step, this.grouping]);
    if (asked !== this.#asked || now.summary !== this.#summary) {
      this.#asked = asked;
      this.#summary = now.summary;
      this.#shown = this.#ask(now, asked);
    }
    return this.#shown;
  }

  /** @param {State} now @param {string} asked */
  async #ask(now, asked) {
    this.element.setAttribute('aria-busy', 'true');
    const report = await this.app.report('kernel_use', {step: now.step, average: now.step === null, kernel_grouping: this.grouping});
    if (asked !== this.#asked || now.summary !== this.#summary) return;
    this.element.removeAttribute('aria-busy');
    this.rows(report?.kernels ?? []);
    this.#devices(report?.devices ?? []);
    this.#operators(report?.operators ?? []);
  }

  /** @param {KernelUse['devices']} devices */
  #devices(devices) {
    const {percent, flops_per_second: rate} = this.app.wasm;
    /** @type {[string, (device: KernelUse['devices'][0]) => string][]} */
    const columns = [
      ['sm_efficiency', (one) => percent(one.sm_efficiency)],
      ['mean_occupancy', (one) => percent(one.theoretical_occupancy)],
      ['achieved_occupancy', (one) => percent(one.achieved_occupancy)],
      ['tensor_core_time', (one) => percent(one.tensor_cores)],
      ['kernel_flops', (one) => rate(one.flops_per_second)],
      ['kernel_peak', (one) => percent(one.share_of_peak)],
      ['span_flops', (one) => rate(one.flops_per_second_of_span)],
      ['span_peak', (one) => percent(one.peak_share_of_span)],
    ];
    this.above.hidden = devices.length === 0;
    const model = (/** @type {KernelUse['devices'][0]} */ one) => `${t('device', {device: one.device})} · ${one.model ?? t('kernel.model')}`;
    fill(
      this.above,
      smallTable(
        t('column.device'),
        'device-use',
        columns.map(([key]) => key),
        devices.map((one) => ({name: model(one), why: one.peaks ? t('kernel.source', {source: one.peaks.source}) : '', cells: columns.map(([, text]) => text(one))})),
      ),
    );
  }

  /** @param {NonNullable<KernelUse['operators']>} operators */
  #operators(operators) {
    const {count, duration, amount_of_flops: amount, flops_per_second: rate} = this.app.wasm;
    this.below.hidden = operators.length === 0;
    const rows = operators.map((one) => ({name: one.name, why: '', cells: [count(one.calls), amount(one.computed_flops), duration(one.device_total_ns), rate(one.flops_per_second)]}));
    fill(
      this.below,
      h('summary', {title: t('kernel.operators.why')}, t('kernel.operators')),
      smallTable(t('column.operator'), 'flops-table', ['calls', 'computed_flops', 'device_total_ns', 'operator_flops'], rows),
    );
  }
}
