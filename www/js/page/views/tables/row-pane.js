// The pane of a table row: durations of its events, by step and by variant, and a list of them.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {BarChart} from '../charts/chart.js';
import {partLines} from '../charts/part-lines.js';
import {Histogram} from '../charts/histogram.js';
import {LineChart} from '../charts/line-chart.js';
import {Choice} from '../parts/choice.js';
import {inQuotes, jumpButton} from '../parts/jump.js';
import {stepPlaces} from '../parts/step-places.js';

/** @typedef {import('../../../../types/reports.js').RowEventReport} RowEvent */
/** @typedef {import('../../../../types/reports.js').RowReport} RowReport */
/** @typedef {import('../../../../types/reports.js').RowTimesReport} RowTimes */
/** @typedef {import('../../../../types/reports.js').VariantOf} VariantOf */
/** @typedef {'operators' | 'kernels' | 'copies' | 'launches'} TableName */

/** Color classes of variants; the last one is for the rest. */
const CLASSES = ['kernel', 'dataloader', 'memcpy', 'communication', 'cpu', 'overlap', 'runtime', 'delay'];
const REST = 'other';

/** Delay before a request, in ms: a person who walks through rows by keys does not look at each. */
const PAUSE = 120;

/** The pane of a row. */
export class RowPane {
  #asked = 0;
  /** @type {RowReport | undefined} */
  #report;
  #histogram;
  #bars;
  #lines;
  #curve = h('div', {});
  #as;
  #of;
  #list;
  #longest = h('span', {});
  #events = h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('row.events')});
  #charts;

  /** @param {import('../../app.js').App} app @param {TableName} table @param {(row: number) => import('../../../protocol/answers.js').ReportRequest} [more] the rest of the request that defines the table's rows, or that row in the table of one step */
  constructor(app, table, more = () => ({})) {
    this.app = app;
    this.table = table;
    this.more = more;
    const {duration, count} = app.wasm;
    this.#histogram = new Histogram(app, t('row.histogram'), table === 'operators' || table === 'launches' ? 'cpu' : 'kernel');
    this.#bars = new BarChart(app, {
      label: t('row.steps'),
      partName: (part) => this.#variantName(CLASSES.indexOf(part)),
      describe: (region, _, whole) => {
        const {steps} = this.#rank;
        const last = region.end - 1;
        const name = region.first === last ? steps[region.first].name : `${steps[region.first].name} – ${steps[last].name}`;
        // A mean of several steps may be a part of a call.
        const calls = (/** @type {number} */ value) => count(Math.round(value));
        return [t('step', {name}), ...partLines(app.wasm, this.#of.value === 'calls' ? calls : duration, this.#variantName(region.part), region, whole)];
      },
      onPick: (region) => app.choose({step: app.state.step === region.first ? null : region.first}),
    });
    this.#lines = new LineChart(app, {label: t('row.steps')});
    this.#as = new Choice(t('row.as'), 'row-as', () => this.#drawSteps());
    this.#as.offer([
      ['bars', t('row.as.bars')],
      ['lines', t('row.as.lines')],
    ]);
    this.#of = new Choice(t('row.of'), 'row-of', () => this.#drawSteps());
    const host = table === 'operators' || table === 'launches';
    this.#of.offer([
      ['total_ns', t(host ? 'row.of.host' : 'row.of.time')],
      ...(host ? /** @type {[string, string][]} */ ([['device_ns', t('row.of.device')]]) : []),
      ['calls', t('column.calls')],
    ]);
    this.#list = new Choice(t('row.which'), 'row-list', () => this.#drawEvents());
    this.#list.offer([
      ['slowest', t('row.slowest')],
      ['first', t('row.first')],
    ]);
    const section = (/** @type {string} */ key, /** @type {HTMLElement[]} */ tools, /** @type {HTMLElement} */ body) =>
      h(
        'section',
        {class: 'row-section'},
        h('div', {class: 'card-head'}, h('h2', {title: t(`${key}.why`)}, t(key)), h('span', {class: 'space'}), ...tools),
        body,
      );
    this.#charts = [this.#histogram, this.#bars, this.#lines];
    this.element = h(
      'div',
      {class: 'row-pane', 'data-test': 'row-pane', 'aria-busy': 'true'},
      section('row.histogram', [], this.#histogram.element),
      section('row.steps', [this.#of.element, this.#as.element], this.#curve),
      section('row.events', [this.#longest, this.#list.element], this.#events),
    );
  }

  get #rank() {
    const {summary, rank} = this.app.state;
    return /** @type {import('../../../../types/reports.js').RankReport} */ (summary?.ranks[rank]);
  }

  /** Shows a row by its place in the report. @param {number} row @returns {HTMLElement} */
  show(row) {
    const asked = ++this.#asked;
    this.element.setAttribute('aria-busy', 'true');
    setTimeout(async () => {
      if (asked !== this.#asked) return;
      const rank = this.#rank;
      const {step, grouping, merge} = this.app.state;
      // Launches are tabulated over the whole trace, whatever step is chosen.
      const of = this.table === 'launches' ? {step: null} : {step, average: step === null};
      const found = await this.app.report('row', {table: this.table, row, ...of, grouping, merge, ...this.more(row)});
      // The trace may have been closed, or replaced by another one, since.
      if (asked !== this.#asked || !found || this.#rank !== rank) return;
      this.#report = found;
      this.#draw();
      this.element.removeAttribute('aria-busy');
    }, PAUSE);
    return this.element;
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    if (this.#report) for (const chart of this.#charts) chart.draw();
  }

  #draw() {
    if (!this.#report) return;
    this.#histogram.show(this.#report.lengths.histogram);
    this.#drawSteps();
    this.#drawEvents();
    const [longest] = this.#report.slowest;
    // In quotes, the search finds exactly that name.
    fill(
      this.#longest,
      longest && jumpButton(this.app, {event: longest.slice, find: inQuotes(longest.name)}, t('jump.longest.of', {name: longest.name}), t('jump.longest')),
    );
  }

  /** The curves: one per variant, or one of all if there is only one. @returns {{name: string, class: string, steps: RowTimes[]}[]} */
  get #series() {
    const {variants = [], steps = []} = this.#report ?? {};
    if (variants.length < 2) return [{name: t('row.all'), class: CLASSES[0], steps}];
    return variants.map((variant, index) => ({name: this.#variantName(index), class: variant.variant ? CLASSES[index] : REST, steps: variant.steps}));
  }

  /** @param {number} index */
  #variantName(index) {
    const {variants = [], variant_count: all = 0} = this.#report ?? {};
    if (variants.length < 2) return t('row.all');
    const {variant} = variants[index] ?? variants[variants.length - 1];
    const {count, bytes} = this.app.wasm;
    return variant ? variantText(variant, bytes) || t('row.variant.unknown') : t('shares.rest', {count: count(all - variants.length + 1)});
  }

  #drawSteps() {
    const {steps} = this.#rank;
    if (!this.#report || !steps.length) {
      fill(this.#curve, h('p', {class: 'nothing'}, t('row.nosteps')));
      return;
    }
    const of = /** @type {keyof RowTimes} */ (this.#of.value || 'total_ns');
    const series = this.#series;
    if (this.#as.value === 'lines') {
      fill(this.#curve, this.#lines.element);
      const x = stepPlaces(steps);
      const curves = series.map((one) => ({name: one.name, class: one.class, x, y: one.steps.map((step) => step[of]), step: false, filled: false}));
      this.#lines.show({series: curves, x: 'number', y: of === 'calls' ? 'number' : 'ns', marks: []}, null);
      return;
    }
    fill(this.#curve, this.#bars.element);
    this.#bars.show({
      parts: series.map((one) => one.class),
      bars: steps.map((step, index) => ({label: step.name, values: series.map((one) => one.steps[index][of]), pale: !step.counted})),
      lying: false,
      selected: this.app.state.step,
      counts: of === 'calls',
    });
  }

  #drawEvents() {
    const events = this.#report?.[this.#list.value === 'first' ? 'first' : 'slowest'] ?? [];
    const {duration, bytes} = this.app.wasm;
    const host = events.some((event) => event.thread !== undefined);
    const kinds = (this.#report?.variants.length ?? 0) > 0;
    const head = (/** @type {string} */ key, left = false) => h('th', {scope: 'col', class: left ? 'left' : null, title: t(`${key}.why`)}, t(key));
    const heads = [
      head('row.start'),
      head('row.length'),
      host && head('row.device'),
      h('th', {scope: 'col'}, t('column.step')),
      head('row.where', true),
      kinds && head('row.variant', true),
    ];
    const row = (/** @type {RowEvent} */ event) =>
      h(
        'tr',
        {},
        h('td', {}, jumpButton(this.app, {event: event.slice}, t('jump.at', {start: duration(event.start_ns)}), duration(event.start_ns))),
        h('td', {}, duration(event.length_ns)),
        host && h('td', {}, duration(event.device_ns)),
        h('td', {}, event.step ?? '–'),
        h('td', {class: 'left'}, placeText(event)),
        kinds && h('td', {class: 'left'}, variantText(event, bytes)),
      );
    fill(
      this.#events,
      h('table', {class: 'small-table events', 'data-test': 'row-events'}, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, events.map(row))),
    );
  }
}

/** Where an event ran. @param {RowEvent} event */
function placeText({device, stream, thread}) {
  return thread ?? t(Number(stream) < 0 ? 'row.no_stream' : 'row.stream', {device: device ?? '', stream: stream ?? ''});
}

/** A list of shapes or types without empty ones, quotes and namespaces. @param {string} text */
const withoutEmpty = (text) =>
  text
    .replace(/(?:\[\]|""),? ?/g, '')
    .replace(/, ?\]$/, ']')
    .replace(/^\[\]$/, '')
    .replace(/"|c10::/g, '');

/** Text of a variant. @param {VariantOf} variant @param {(count: number) => string} bytes */
function variantText(variant, bytes) {
  const size = (/** @type {[number, number, number]} */ of) => of.join('×');
  return [
    withoutEmpty(variant.shapes ?? ''),
    withoutEmpty(variant.types ?? ''),
    variant.grid && variant.block ? t('row.launch', {grid: size(variant.grid), block: size(variant.block)}) : '',
    variant.bytes === undefined ? '' : bytes(variant.bytes),
  ]
    .filter(Boolean)
    .join(' · ');
}
