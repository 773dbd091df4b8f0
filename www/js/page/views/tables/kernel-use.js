// How kernels use the device: occupancy and its limiter, waves, FLOP/s. Facts of the table's rows, and the elements around it.

import {fill, h} from '../../dom.js';
import {hasModules} from '../../state.js';
import {t} from '../../environment/i18n.js';
import {kernelTypes} from '../frame/definition.js';
import {Choice} from '../parts/choice.js';
import {givePeaks, known, knownValue, peaksText, unitNames} from '../parts/units.js';
import {describedSmallTable} from '../table/described/described-small.js';
import {descriptionOf} from '../table/described/described.js';
import {EveryStep} from '../table/described/every-step.js';
import {joined, shareWhole} from '../table/described/step-tables.js';
import {smallTable} from '../table/small-table.js';

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../../protocol/answers.js').KernelUse} KernelUse */
/** @typedef {import('../../../protocol/answers.js').KernelUseRow} Row */
/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../../protocol/table.js').TableValues} TableValues */

/** @type {(keyof import('../../../protocol/answers.js').Fitting)[]} */
const LIMITERS = ['warps', 'blocks', 'registers', 'shared_memory'];

/** Vendor of the shown rank's devices. @param {App} app */
function vendorOf({state}) {
  return state.summary?.ranks[state.rank]?.vendor;
}

/** Blocks × threads. @param {import('../../../protocol/answers.js').KernelLaunch} launch */
function sizes({grid, block}) {
  const short = (/** @type {number[]} */ [x, y, z]) => (z > 1 ? `${x},${y},${z}` : y > 1 ? `${x},${y}` : `${x}`);
  return `${short(grid)} × ${short(block)}`;
}

/**
 * Details of a row: the limiter with its numbers.
 * @param {App} app @param {Row} row @returns {{texts: Record<string, string>, more: [string, string][]}} in place of columns' values, and further lines
 */
export function useFacts(app, row) {
  const {percent, count, bytes, number_text, flops_per_second: rate, amount_of_flops: amount} = app.wasm;
  const {launch} = row;
  const units = unitNames(vendorOf(app));
  /** @type {[string, string][]} */
  const more = [];
  /** @type {Record<string, string>} */
  const texts = {'launch.registers': '', 'launch.shared_memory': '', theoretical_occupancy: t('kernel.unknown')};
  if (launch) {
    const {registers, shared_memory: shared} = launch;
    const each = [
      registers === null ? '' : t('kernel.registers', {registers: count(registers)}),
      shared === null ? '' : t('kernel.shared', {bytes: bytes(shared)}),
    ];
    const of = row.launches > 1 ? t('kernel.of_launches', {launches: count(row.launches), calls: count(launch.calls)}) : '';
    more.push([t('kernel.launch'), [t('kernel.sizes', {sizes: sizes(launch)}), ...each, of].filter(Boolean).join(' · ')]);
  }
  const occupancy = launch?.occupancy;
  if (occupancy) {
    const {blocks, limiter, warps, warps_per_block: each} = occupancy;
    texts.theoretical_occupancy = t('kernel.occupancy', {
      ...units,
      share: percent(occupancy.share),
      blocks: count(blocks),
      each: count(each),
      active: count(warps),
    });
    /** @type {Record<string, string>} */
    const takenBy = {warps: count(each), blocks: '1', registers: count(occupancy.registers_per_block), shared_memory: bytes(occupancy.shared_memory_per_block)};
    const taken = takenBy[limiter];
    texts['launch.occupancy.limiter'] = `${t(`limiter.${limiter}`, units)}: ${t(`limiter.${limiter}.why`, {...units, taken, blocks: count(blocks)})}`;
    const fitting = LIMITERS.filter((one) => occupancy.fitting[one] !== null);
    more.push([t('kernel.fitting'), fitting.map((one) => `${t(`limiter.${one}`, units)} ${count(occupancy.fitting[one] ?? 0)}`).join(' · ')]);
  }
  const waves = launch?.waves;
  if (waves) {
    const values = {
      waves: number_text('decimal', waves.waves),
      blocks: count(waves.blocks),
      once: count(waves.at_once),
      last: percent(waves.last),
      tail: percent(waves.tail),
    };
    texts['launch.waves.waves'] = t('kernel.waves', values);
  }
  if (row.computed_flops !== null) {
    const share = knownValue(app.wasm, row.share_of_peak, row.share_of_peak_coverage);
    const peak = row.share_of_peak === null ? t('kernel.no_peak') : share !== null && t('kernel.peak', {share: percent(share)});
    texts.computed_flops = [
      t('kernel.flops', {flops: amount(Number(row.computed_flops))}),
      known(app.wasm, rate(row.flops_per_second), row.flops_per_second_coverage),
      peak,
    ]
      .filter(Boolean)
      .join(' · ');
    texts.flops_per_second = texts.share_of_peak = '';
  }
  return {texts, more};
}

/** Requests the report when it is shown, and displays its parts that are no rows. */
export class KernelUseParts {
  above = h('div', {class: 'kernel-use', hidden: true});
  below = h('details', {class: 'kernel-use', hidden: true, 'data-test': 'operator-flops'});
  #types = h('section', {class: 'kernel-use', hidden: true, 'data-test': 'kernel-types'});
  grouping = 'name';
  /** The tables of each step, where the rows are of one. @type {TableValues[] | undefined} */
  ofSteps;
  #asked = '';
  #shown = Promise.resolve();
  /** @type {import('../../../../types/reports.js').Summary | null} */
  #summary = null;

  #choice;

  /** @param {App} app @param {() => import('../table/data-table.js').DataTable<number>} table @param {(rows: TableValues | undefined, isOfSteps: boolean) => void} show */
  constructor(app, table, show) {
    this.app = app;
    this.table = table;
    this.rows = show;
    this.steps = new EveryStep(
      app,
      async (request, rank) => (await app.report('kernel_use', request, rank))?.tables['kernel_use.kernels'],
      () => ({kernel_grouping: this.rowsBy}),
    );
    this.#choice = new Choice(t('grouping'), 'kernel-grouping', (grouping) => {
      this.grouping = grouping;
      if (['module', 'step'].includes(grouping)) this.table().group(grouping);
      this.show(app.state);
    });
    this.choice = this.#choice.element;
    this.element = h('div', {class: 'kernels-tab'}, this.above);
  }

  /** Puts the table between the elements above and below. @param {HTMLElement} table */
  around(table) {
    this.element.append(this.#types, table, this.below);
    return this.element;
  }

  /** The grouping of the rows that are asked for. A kernel's launches may be of several families: views by family need a row for each. */
  get rowsBy() {
    return this.grouping !== 'launch' && this.table().groupedBy === 'family' ? 'family' : this.grouping;
  }

  /** Shows a row for each family of a kernel, until another grouping is chosen. */
  showByFamily() {
    this.grouping = 'family';
    return this.show(this.app.state);
  }

  /** @param {State} now @returns {Promise<void>} settled when it is shown */
  show(now) {
    kernelTypes(this.app, this.#types, now);
    const groupings = ['name', 'family', 'launch', ...(hasModules(now) ? ['module'] : []), ...(this.steps.areOffered ? ['step'] : [])];
    if (!groupings.includes(this.grouping)) this.grouping = groupings[0];
    this.#choice.offer(groupings.map((name) => [name, t(`kernel_grouping.${name}`)]));
    this.#choice.value = this.grouping;
    const asked = JSON.stringify([now.rank, now.step, this.grouping, this.rowsBy]);
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
    const {rank, step, grouping, merge} = now;
    const {names} = this.steps;
    const isOfSteps = this.grouping === 'step' && step === null;
    // A row of a step leads to the table of its rank and grouping.
    if (isOfSteps || this.ofSteps) {
      this.ofSteps = undefined;
      this.rows(undefined, false);
    }
    const whole = {step, average: step === null};
    const report = await this.app.report('kernel_use', {...whole, kernel_grouping: this.rowsBy}, rank);
    const isAsked = () => asked === this.#asked && now.summary === this.#summary;
    if (!isAsked()) return;
    const ofSteps = isOfSteps ? await this.steps.tables : undefined;
    // Another rank was shown while this tab was not: they are asked for when it is shown again.
    if (isOfSteps && ofSteps === undefined && isAsked()) this.#asked = '';
    const selection = ofSteps && (await this.app.report('selection', {...whole, grouping, merge}, rank));
    if (!isAsked()) return;
    this.element.removeAttribute('aria-busy');
    this.ofSteps = ofSteps ?? undefined;
    if (ofSteps) {
      const table = joined(ofSteps, names);
      const outside = selection ? (selection.left_out?.find(({steps}) => steps === 0)?.kernel_ns ?? 0) : undefined;
      shareWhole(descriptionOf(this.app, 'kernel_use.kernels'), table, outside);
      this.rows(table, true);
    } else this.rows(report?.tables['kernel_use.kernels'], false);
    this.#devices(report?.devices ?? []);
    this.#operators(report?.operators ?? []);
  }

  /** @param {KernelUse['devices']} devices */
  #devices(devices) {
    const {percent, flops_per_second: rate} = this.app.wasm;
    /** Values that are known for a part of the time, by the device and that part. @type {Map<string, string[]>} */
    const partly = new Map();
    let [device, key] = ['', ''];
    const of = (/** @type {string} */ text, /** @type {number | null} */ coverage) => {
      if (known(this.app.wasm, text, coverage) === text || coverage === null) return text;
      const part = t('kernel.partly', {device, share: percent(coverage)});
      partly.set(part, [...(partly.get(part) ?? []), t(`column.${key}`, units)]);
      return `${text} *`;
    };
    const units = unitNames(vendorOf(this.app));
    /** @type {[string, (device: KernelUse['devices'][0]) => string][]} */
    const columns = [
      ['sm_efficiency', (one) => of(percent(one.sm_efficiency), one.sm_efficiency_coverage)],
      ['mean_occupancy', (one) => of(percent(one.theoretical_occupancy), one.theoretical_occupancy_coverage)],
      ['achieved_occupancy', (one) => of(percent(one.achieved_occupancy), one.achieved_occupancy_coverage)],
      ['tensor_core_time', (one) => of(percent(one.tensor_cores), one.tensor_cores_coverage)],
      ['kernel_flops', (one) => of(rate(one.flops_per_second), one.flops_per_second_coverage)],
      ['kernel_peak', (one) => of(percent(one.share_of_peak), one.share_of_peak_coverage)],
      ['span_flops', (one) => of(rate(one.flops_per_second_of_span), one.flops_per_second_coverage)],
      ['span_peak', (one) => of(percent(one.peak_share_of_span), one.peak_share_of_span_coverage)],
    ];
    this.above.hidden = devices.length === 0;
    const model = (/** @type {KernelUse['devices'][0]} */ one) => `${t('device', {device: one.device})} · ${one.model ?? t('kernel.model')}`;
    fill(
      this.above,
      smallTable(
        t('column.device'),
        'device-use',
        columns.map(([key]) => key),
        devices.map((one) => ({
          name: model(one),
          why: one.peaks?.source ? t('kernel.source', {source: one.peaks.source}) : '',
          cells: columns.map(([name, text]) => {
            [device, key] = [t('device', {device: one.device}), name];
            return text(one);
          }),
        })),
        units,
      ),
      [...partly].map(([part, names]) => h('p', {class: 'hint', 'data-test': 'kernel-partly'}, `* ${part}: ${names.join(', ')}`)),
      this.#peaks(),
    );
  }

  /** The form with the person's peaks. */
  #peaks() {
    const given = peaksText(this.app.state.summary?.ranks[this.app.state.rank]);
    const input = h('input', {
      type: 'text',
      class: 'search',
      value: given,
      placeholder: 'bf16=989, hbm=3350',
      'data-test': 'peaks',
      title: t('kernel.peaks.why'),
    });
    const fault = h('p', {class: 'hint', role: 'alert'});
    const onsubmit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const wrong = await givePeaks(this.app, input.value);
      fault.textContent = wrong === undefined ? '' : t('kernel.peaks.fault', {part: wrong});
    };
    return h(
      'details',
      {class: 'peaks', open: given !== ''},
      h('summary', {title: t('kernel.peaks.why')}, given ? t('kernel.peaks.given', {peaks: given}) : t('kernel.peaks')),
      h(
        'form',
        {class: 'choice', onsubmit},
        h('label', {class: 'choice'}, h('span', {}, t('kernel.peaks.label')), input),
        h('button', {type: 'submit', class: 'button', 'data-test': 'peaks-use'}, t('kernel.peaks.use')),
      ),
      fault,
    );
  }

  /** @param {NonNullable<KernelUse['operators']>} operators */
  #operators(operators) {
    this.below.hidden = operators.length === 0;
    const title = t('table.kernel_use.operators');
    fill(
      this.below,
      h('summary', {title: t('table.kernel_use.operators.why')}, title),
      describedSmallTable(this.app, 'kernel_use.operators', title, operators),
    );
  }
}
