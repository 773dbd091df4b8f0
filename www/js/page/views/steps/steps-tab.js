// The steps: where each one's time goes, as bars, curves and a table; the step trace, throughput, the critical path.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {BarChart} from '../charts/chart.js';
import {partLines} from '../charts/part-lines.js';
import {LineChart} from '../charts/line-chart.js';
import {stepsAs, stepsNote} from '../frame/definition.js';
import {Choice} from '../parts/choice.js';
import {heading} from '../parts/heading.js';
import {stepPlaces} from '../parts/step-places.js';
import {exportStep} from '../share/exports-menu.js';
import {DescribedTable} from '../table/described/described.js';
import {CriticalCard} from './critical.js';
import {GraphsCard} from './graphs.js';
import {StepTraceCard, benchmarkTable} from './step-trace.js';

/** @typedef {import('../../../../types/reports.js').StepReport} Step */
/** @typedef {import('../../state.js').State} State */

/** @type {import('../../../protocol/answers.js').CategoryName[]} */
const CATEGORIES = ['kernel', 'memcpy', 'memset', 'communication', 'runtime', 'dataloader', 'cpu', 'other'];
/** Time of the host's categories during which the device's state is unknown. @param {Step} step */
const unknownAtStart = (step) => step.categories_before_first_activity?.total_ns ?? 0;
/** The phases, each with its color class. @type {[import('../../../protocol/answers.js').PhaseName, string][]} */
const PHASES = [
  ['dataloader', 'dataloader'],
  ['forward', 'kernel'],
  ['backward', 'communication'],
  ['optimizer', 'memcpy'],
  ['other', 'other'],
];

/** @typedef {{class: string, name: string, value: (step: Step) => number}} Part */

/** The tab of steps. */
export class StepsTab {
  note = h('p', {class: 'hint', hidden: true, 'data-test': 'steps-definition'});
  #of;
  #as;
  #graph;
  #graphs;
  #bars;
  #lines;
  #chart = h('div', {});
  #benchmark = h('div', {});
  #card;
  #table;
  #trace;
  #critical;
  /** The rank of the steps in the table: a row that was opened stays so, also while another tab is shown. @type {import('../../../../types/reports.js').RankReport | undefined} */
  #shown;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const {duration} = app.wasm;
    this.#bars = new BarChart(app, {
      label: t('overview.steps'),
      partName: (part) => this.#parts.find((one) => one.class === part)?.name ?? part,
      describe: (region, _, whole) => {
        const steps = this.#steps;
        const one = region.end - region.first === 1;
        const name = one ? steps[region.first].name : `${steps[region.first].name} – ${steps[region.end - 1].name}`;
        return [
          t('step', {name}),
          ...partLines(app.wasm, duration, this.#parts[region.part].name, region, whole),
          t(app.state.step === this.#place(region.first) ? 'chart.unpick' : 'chart.pick'),
        ];
      },
      onPick: (region) => {
        const step = this.#place(region.first);
        app.choose({step: app.state.step === step ? null : step});
      },
    });
    this.#lines = new LineChart(app, {label: t('overview.steps')});
    this.#of = new Choice(t('steps.of'), 'steps-of', () => this.#draw());
    this.#of.offer(['categories', 'phases_host', 'phases_device'].map((of) => [of, t(`steps.of.${of}`)]));
    this.#as = new Choice(t('row.as'), 'steps-as', () => this.#draw());
    this.#as.offer([
      ['bars', t('row.as.bars')],
      ['lines', t('row.as.lines')],
    ]);
    this.#table = new DescribedTable(app, 'steps', {
      name: 'steps',
      label: t('tab.steps'),
      empty: () => t('table.empty'),
      actions: (step) =>
        this.#rank.only_tables
          ? []
          : [
              h(
                'button',
                {type: 'button', class: 'link jump', title: t('export.step.why'), 'data-test': 'step-export', onclick: () => exportStep(app, step)},
                t('export.step', {name: step.name}),
              ),
            ],
    });
    this.#graph = new Choice(t('steps.graph'), 'steps-graph', () => {
      this.#table.show(this.#steps);
      this.#trace.ofGraph(this.#chosenGraph);
      this.#draw();
    });
    this.#graphs = new GraphsCard(app);
    this.#trace = new StepTraceCard(app);
    this.#critical = new CriticalCard(app);
    const choices = [this.#graph, this.#of, this.#as].map(({element}) => element);
    this.#card = h(
      'section',
      {class: 'card wide', 'data-test': 'steps-chart'},
      h('div', {class: 'card-head'}, heading('h2', 'steps', 'steps', {}, t('overview.steps')), h('span', {class: 'space'}), choices),
      this.#chart,
    );
    this.element = h(
      'div',
      {class: 'steps-tab'},
      h('p', {class: 'hint', title: t('steps.more')}, t('steps.why')),
      this.note,
      this.#card,
      this.#table.element,
      this.#graphs.element,
      this.#critical.element,
      this.#trace.element,
      this.#benchmark,
    );
  }

  get #rank() {
    const {summary, rank} = this.app.state;
    return /** @type {import('../../../../types/reports.js').RankReport} */ (summary?.ranks[rank]);
  }

  /** With the categories that the chosen definition gives them; it may keep only some. Of the chosen graph, if one is. */
  get #steps() {
    const steps = stepsAs(this.#rank);
    const graph = this.#chosenGraph;
    return graph === undefined ? steps : steps.filter((step) => step.graph === graph);
  }

  /** The chosen graph; none for all. */
  get #chosenGraph() {
    return this.#rank.graphs && this.#graph.value ? Number(this.#graph.value) : undefined;
  }

  /** Which of all steps one of those is. @param {number} index */
  #place(index) {
    const {start_ns: start} = this.#steps[index];
    return this.#rank.steps.findIndex((step) => step.start_ns === start);
  }

  /** Parts of the bars of the chosen chart. @returns {Part[]} */
  get #parts() {
    if (this.#of.value === 'categories') {
      const categories = CATEGORIES.map((category) => ({
        class: /** @type {string} */ (category),
        name: t(`category.${category}`),
        value: (/** @type {Step} */ step) => step.categories[`${category}_ns`],
      }));
      return [...categories, {class: 'delay', name: t('category.delay'), value: unknownAtStart}];
    }
    const side = this.#of.value === 'phases_device' ? 'device_ns' : 'host_ns';
    return PHASES.map(([phase, color]) => ({class: color, name: t(`phase.${phase}`), value: (step) => step.phases[phase][side]}));
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    const same = this.#rank === this.#shown;
    if (!same) {
      this.#shown = this.#rank;
      const {benchmark, graphs, topics} = this.#rank;
      this.#graph.offer([['', t('steps.graph.all')], ...(graphs ?? []).map(({graph}) => /** @type {[string, string]} */ ([String(graph), String(graph)]))]);
      this.#graph.element.hidden = !graphs;
      this.#graphs.show(this.#rank);
      const note = stepsNote(this.#rank);
      this.#table.show(this.#steps);
      fill(this.note, note);
      this.note.hidden = !note;
      fill(this.#benchmark, benchmark && benchmarkTable(this.app, benchmark));
      this.#trace.element.hidden = !topics?.includes('step_trace');
      this.#trace.ofGraph(this.#chosenGraph);
    }
    if (!same || now.step !== before?.step) this.#draw();
    if (!this.#trace.element.hidden) this.#trace.show(now);
    this.#critical.show(now);
  }

  #draw() {
    const parts = this.#parts;
    const steps = this.#steps;
    // One bar compares nothing.
    this.#card.hidden = steps.length < 2;
    if (this.#as.value === 'lines') {
      fill(this.#chart, this.#lines.element);
      const x = stepPlaces(steps);
      const used = parts.filter((part) => steps.some((step) => part.value(step) > 0));
      this.#lines.show(
        {
          series: used.map((part) => ({name: part.name, class: part.class, x, y: steps.map(part.value), step: false, filled: false})),
          x: 'number',
          y: 'ns',
          marks: [],
        },
        null,
      );
      return;
    }
    fill(this.#chart, this.#bars.element);
    const chosen = this.app.state.step === null ? undefined : this.#rank.steps[this.app.state.step];
    this.#bars.show({
      parts: parts.map((part) => part.class),
      bars: steps.map((step) => ({label: step.name, values: parts.map((part) => part.value(step)), pale: !step.counted})),
      lying: false,
      selected: chosen ? steps.findIndex((step) => step.start_ns === chosen.start_ns) : null,
    });
  }

  /** Draws the charts again. */
  redraw() {
    this.#bars.draw();
    this.#lines.draw();
    this.#trace.redraw();
    this.#critical.redraw();
  }

  search() {
    this.#table.table.search();
  }
}
