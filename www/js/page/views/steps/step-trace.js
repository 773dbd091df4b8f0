// The step trace after MindSpore, and throughput after Paddle's benchmark table.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {BarChart} from '../charts/chart.js';
import {partLines} from '../charts/part-lines.js';
import {LineChart} from '../charts/line-chart.js';
import {isUnmarked} from '../parts/all-steps.js';
import {Choice} from '../parts/choice.js';
import {heading} from '../parts/heading.js';
import {jumpButton} from '../parts/jump.js';
import {ReportTab} from '../parts/report-tab.js';
import {stepPlaces} from '../parts/step-places.js';
import {orDash} from '../parts/units.js';
import {DescribedTable} from '../table/described/described.js';
import {averageText, countOf, lanesOfMean, lanesOfStep} from './step-lanes.js';
import {recordedLanes} from './recorded-lanes.js';
import {StepPicture} from './step-picture.js';

/** @typedef {import('../../../../types/reports.js').BenchmarkReport} Benchmark */
/** @typedef {import('../../../../types/reports.js').StepTraceReport} StepTrace */
/** @typedef {import('./step-lanes.js').StreamLane} StreamLane */
/** @typedef {StepTrace['steps'][number]} TracedStep */

/** The parts of a step, each with its color class. @type {['iteration_interval_ns' | 'forward_and_backward_ns' | 'tail_ns', string][]} */
const PARTS = [
  ['iteration_interval_ns', 'dataloader'],
  ['forward_and_backward_ns', 'kernel'],
  ['tail_ns', 'communication'],
];

/** Collectives that are listed of a step. */
const MOST = 200;

/** The card of the step trace. @extends {ReportTab<'step_trace'>} */
export class StepTraceCard extends ReportTab {
  #forward = h('input', {class: 'search', placeholder: t('step_trace.automatic'), 'data-test': 'forward-start', onchange: () => this.again()});
  #backward = h('input', {class: 'search', placeholder: t('step_trace.automatic'), 'data-test': 'backward-end', onchange: () => this.again()});
  #bars;
  #lines;
  #as;
  #chart = h('div', {});
  #step;
  #picture;
  #jump = h('span', {});
  #unmarked = h('p', {class: 'hint', hidden: true, 'data-test': 'step-trace-unmarked'}, t('step_trace.unmarked'));
  #note = h('p', {class: 'hint', hidden: true, 'data-test': 'step-picture-note'});
  #drawn;
  #table;
  /** @type {StepTrace | undefined} */
  #report;
  /** The collectives of each step that the profiler's table has, by the step's name. @type {Map<string, StreamLane[]> | undefined} */
  #recorded;
  /** The shown steps by their starts. @type {Map<number | null, TracedStep>} */
  #steps = new Map();
  /** The graph whose steps are shown; none for all. @type {number | undefined} */
  #graph;
  /** The name of the step that the page shows; none for all. @type {string | undefined} */
  #shown;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    super(app, 'step_trace', () => ({forward_start: this.#forward.value.trim(), backward_end: this.#backward.value.trim(), graph: this.#graph}));
    const {duration, count} = app.wasm;
    this.#bars = new BarChart(app, {
      label: t('step_trace'),
      partName: (part) => t(`column.${PARTS.find(([, color]) => color === part)?.[0]}`),
      describe: (region, _, whole) => {
        const steps = this.#report?.steps ?? [];
        const last = region.end - 1;
        const name = region.first === last ? steps[region.first].name : `${steps[region.first].name} – ${steps[last].name}`;
        return [t('step', {name}), ...partLines(app.wasm, duration, t(`column.${PARTS[region.part][0]}`), region, whole)];
      },
    });
    this.#lines = new LineChart(app, {label: t('step_trace')});
    this.#as = new Choice(t('row.as'), 'step-trace-as', () => this.#drawChart());
    this.#as.offer([
      ['bars', t('row.as.bars')],
      ['lines', t('row.as.lines')],
    ]);
    this.#table = new DescribedTable(app, 'step_trace.steps', {
      name: 'step-trace',
      label: t('step_trace'),
      empty: () => t('table.empty'),
      beside: [
        {
          key: 'collectives',
          title: t('step_trace.collectives'),
          why: t('step_trace.collectives.why'),
          text: (row) => orDash(this.#collectives(this.#stepOf(row)), count),
          value: (row) => this.#collectives(this.#stepOf(row)),
        },
      ],
      facts: (row) => ({
        more: this.#lanesOf(this.#stepOf(row))
          .flatMap(({stream, pieces}) => pieces.map((piece) => ({stream, ...piece})))
          .sort((a, b) => a.start_ns - b.start_ns)
          .slice(0, MOST)
          .map((one) => [
            one.name ?? t('step_trace.of_stream', {stream: one.stream ?? '', number: count(one.number)}),
            t('step_trace.collective', {start: duration(one.start_ns), length: duration(one.length_ns)}),
          ]),
      }),
      onRow: (row) => this.#pick(row && this.#stepOf(row)),
    });
    this.#step = new Choice(t('column.step'), 'step-trace-step', () => this.#drawStep());
    this.#picture = new StepPicture(app);
    this.#drawn = h('div', {class: 'row-section'}, h('div', {class: 'card-head'}, this.#step.element, this.#jump), this.#note, this.#picture.element);
    const named = (/** @type {string} */ key, /** @type {HTMLInputElement} */ input) =>
      h('label', {class: 'choice', title: t(`step_trace.${key}.why`)}, h('span', {}, t(`step_trace.${key}`)), input);
    this.element.prepend(
      heading('h2', 'step_trace', 'step_trace'),
      h('p', {class: 'hint'}, t('step_trace.parts')),
      this.#unmarked,
      h(
        'div',
        {class: 'card-head'},
        named('forward_start', this.#forward),
        named('backward_end', this.#backward),
        h('span', {class: 'space'}),
        this.#as.element,
      ),
    );
    this.element.classList.add('card', 'wide');
  }

  /** Shows the steps of a graph alone, or all. @param {number | undefined} graph */
  ofGraph(graph) {
    this.#graph = graph;
    if (!this.element.hidden) this.show(this.app.state);
  }

  /** @override @param {import('../../state.js').State} now */
  show(now) {
    const rank = now.summary?.ranks[now.rank];
    this.#unmarked.hidden = !rank || !isUnmarked(rank);
    const shown = now.step === null ? undefined : rank?.steps[now.step]?.name;
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#follow();
    }
    return super.show(now);
  }

  /** @override @param {StepTrace} report */
  draw(report) {
    const isNew = this.#report === undefined;
    this.#report = report;
    if (report.unknown?.length) {
      const similar = (/** @type {string[]} */ near) => (near.length ? t('step_trace.unknown.near', {names: near.join(', ')}) : '');
      const lines = report.unknown.map(({name, near}) => [t('step_trace.unknown', {name}), similar(near)].filter(Boolean).join(' '));
      return lines.map((line) => h('p', {class: 'nothing', 'data-test': 'step-trace-unknown'}, line));
    }
    this.#drawChart();
    const chosen = this.#step.value;
    this.#step.offer([
      ['', t('step_trace.mean')],
      ...report.steps.map(({name}, index) => /** @type {[string, string]} */ ([String(index), t('step', {name})])),
    ]);
    this.#step.value = report.steps[Number(chosen)] ? chosen : '';
    if (isNew && this.#shown !== undefined) this.#follow();
    // A table measures its texts, which it can once it stands in the page.
    queueMicrotask(() => this.#showSteps(report));
    const {duration} = this.app.wasm;
    const {average} = report;
    const fact = (/** @type {keyof typeof average} */ key, /** @type {string} */ column) => [
      h('dt', {title: t(`column.${column}.why`)}, t(`column.${column}`)),
      h('dd', {'data-test': `step-trace-${key}`}, duration(average[key])),
    ];
    const facts = [...fact('total_ns', 'step_trace.total_ns'), ...PARTS.flatMap(([key]) => fact(key, key))];
    return [
      h(
        'p',
        {class: 'hint'},
        [t(`step_trace.source.${report.source}`), report.is_of_other_steps && t('step_trace.other_steps'), t(averageText(report))].filter(Boolean).join(' '),
      ),
      h('dl', {class: 'facts'}, facts),
      this.#drawn,
      this.#chart,
      this.#table.element,
    ];
  }

  /** Shows the steps with their collectives, which may be in the profiler's own table. @param {StepTrace} report */
  async #showSteps(report) {
    const recorded = await recordedLanes(this.app, report);
    if (report !== this.#report) return;
    this.#recorded = recorded;
    this.#steps = new Map(report.steps.map((step) => [step.start_ns, step]));
    this.#table.show(report.steps);
    this.#drawStep();
  }

  /** The collectives of a step. @param {TracedStep} step */
  #lanesOf(step) {
    return this.#recorded?.get(step.name) ?? lanesOfStep(step);
  }

  /** Number of collectives of a step: not known for steps of the profiler's own table, unless that or events have some. @param {TracedStep} step */
  #collectives(step) {
    const isKnown = this.#report?.source !== 'recorded' || this.#recorded !== undefined || this.#report.steps.some(({collectives}) => collectives?.length);
    return isKnown ? countOf(this.#lanesOf(step)) : null;
  }

  /** The step of a row of the table, with its collectives. @param {Pick<TracedStep, 'start_ns'>} row @returns {TracedStep} */
  #stepOf({start_ns: start}) {
    return /** @type {TracedStep} */ (this.#steps.get(Number(start)));
  }

  /** Draws the step that the page shows. */
  #follow() {
    const index = this.#report?.steps.findIndex(({name}) => name === this.#shown) ?? -1;
    this.#step.value = index < 0 ? '' : String(index);
    this.#drawStep();
  }

  /** Draws the step of a row of the table. @param {TracedStep | undefined} row */
  #pick(row) {
    const index = row ? (this.#report?.steps.indexOf(row) ?? -1) : -1;
    this.#step.value = index < 0 ? '' : String(index);
    this.#drawStep();
  }

  #drawStep() {
    const report = this.#report;
    if (!report) return;
    const step = this.#step.value === '' ? undefined : report.steps[Number(this.#step.value)];
    const lanes = step ? this.#lanesOf(step) : lanesOfMean(report, this.#recorded);
    this.#picture.show(step ?? report.average, lanes ?? []);
    this.#note.hidden = lanes !== undefined;
    fill(this.#note, lanes === undefined && t('step_trace.unlike'));
    const name = step && t('step', {name: step.name});
    const isOnTimeline = step !== undefined && !report.is_of_other_steps;
    fill(this.#jump, isOnTimeline && jumpButton(this.app, {span: [step.start_ns, step.start_ns + step.total_ns]}, name ?? '', t('jump')));
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    this.#bars.draw();
    this.#lines.draw();
  }

  #drawChart() {
    const steps = this.#report?.steps ?? [];
    // One bar compares nothing: the step's stages are drawn above.
    this.#as.element.hidden = this.#chart.hidden = steps.length < 2;
    if (this.#as.value === 'lines') {
      fill(this.#chart, this.#lines.element);
      const x = stepPlaces(steps);
      const curves = PARTS.map(([key, color]) => ({
        name: t(`column.${key}`),
        class: color,
        x,
        y: steps.map((step) => step[key]),
        step: false,
        filled: false,
      }));
      this.#lines.show({series: curves, x: 'number', y: 'ns', marks: []}, null);
      return;
    }
    fill(this.#chart, this.#bars.element);
    this.#bars.show({
      parts: PARTS.map(([, color]) => color),
      bars: steps.map((step) => ({label: step.name, values: PARTS.map(([key]) => step[key]), pale: false})),
      lying: false,
      selected: null,
    });
  }
}

/** Throughput as a table of its averages and extremes. @param {import('../../app.js').App} app @param {Benchmark} found */
export function benchmarkTable(app, found) {
  const {duration, number, percent} = app.wasm;
  const time = (/** @type {number} */ seconds) => duration(Math.round(seconds * 1e9));
  const rate = (/** @type {number} */ value) => t(found.samples ? 'benchmark.samples' : 'benchmark.steps', {rate: number(value)});
  const row = (
    /** @type {string} */ key,
    /** @type {import('../../../../types/reports.js').ExtremesReport | undefined} */ of,
    /** @type {(value: number) => string} */ text,
  ) =>
    of &&
    h(
      'tr',
      {},
      h('th', {scope: 'row', class: 'left', title: t(`benchmark.${key}.why`)}, t(`benchmark.${key}`)),
      ...[of.avg, of.max, of.min].map((value) => h('td', {}, text(value))),
    );
  const counts = {steps: found.steps, all: found.of_steps};
  const [said, why] = (found.own_lengths ? ['benchmark.own.said', 'benchmark.own.why'] : ['benchmark.said', 'benchmark.why']).map((key) => t(key, counts));
  const heads = [h('td', {}), ...['benchmark.avg', 'column.largest', 'column.smallest'].map((key) => h('th', {scope: 'col', title: t(`${key}.why`)}, t(key)))];
  return h(
    'section',
    {class: 'card wide', 'data-test': 'benchmark'},
    heading('h2', 'benchmark', 'throughput', {title: why}),
    h('p', {class: 'hint', title: why}, said),
    h(
      'div',
      {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('benchmark')},
      h(
        'table',
        {class: 'small-table'},
        h('thead', {}, h('tr', {}, heads)),
        h(
          'tbody',
          {},
          row('reader_cost', found.reader_cost, time),
          row(found.own_lengths ? 'own_length' : 'batch_cost', found.batch_cost, time),
          row('ips', found.ips, rate),
        ),
      ),
    ),
    typeof found.reader_ratio === 'number' && h('p', {}, t('benchmark.ratio', {ratio: percent(found.reader_ratio)})),
  );
}
