// The data tab: the input pipeline and the waits for it: MindData's pipeline, data loaders.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {LineChart} from '../charts/line-chart.js';
import {Choice} from '../parts/choice.js';
import {heading} from '../parts/heading.js';
import {ReportTab} from '../parts/report-tab.js';
import {stepPlaces} from '../parts/step-places.js';
import {tile} from '../parts/tile.js';
import {describedSmallTable} from '../table/described/described-small.js';
import {DescribedTable} from '../table/described/described.js';
import {adviceOn, drawPipeline} from './pipeline.js';
import {dataWalkCard} from './walk-card.js';

/** @typedef {import('../../../../types/reports.js').DataReport} DataReport */
/** @typedef {import('../../../../types/reports.js').LoadingReport} Loading */
/** @typedef {import('../../../../types/reports.js').PipelineReport} Pipeline */

/** The number of steps that found the queue empty, and of all. @param {Pipeline['queue']} queue @param {(number: number) => string} count */
const emptySteps = (queue, count) => ({empty: count(queue?.counted_empty ?? 0), steps: count(queue?.counted_steps ?? 0)});
/** Where the queue at the pipeline's end is. @param {Pipeline} pipeline */
const endOf = ({queue}) => t(queue?.device ? 'data.queue.end' : 'data.queue.loop');

/** The tab of data. @extends {ReportTab<'data'>} */
export class DataTab extends ReportTab {
  /** @type {LineChart[]} */
  #charts = [];
  /** @type {import('../table/data-table.js').DataTable<number> | undefined} */
  #first;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    super(app, 'data', () => ({}));
  }

  /** @override @param {DataReport} report */
  draw(report) {
    this.#charts = [];
    this.#first = undefined;
    return [...(report.pipeline ? this.#pipeline(report, report.pipeline) : []), ...(report.loading ? this.#loading(report.loading, report.ready) : [])];
  }

  redraw() {
    for (const chart of this.#charts) chart.draw();
  }

  search() {
    this.#first?.search();
  }

  /** @param {string} label */
  #chart(label) {
    // Times of samples are from the first one.
    const chart = new LineChart(this.app, {label, isApart: true});
    this.#charts.push(chart);
    return chart;
  }

  /** @param {DescribedTable} table @param {readonly object[]} rows */
  #table(table, rows) {
    this.#first ??= table.table;
    table.show(rows);
    return table.element;
  }

  /** @param {DataReport} report @param {Pipeline} pipeline */
  #pipeline(report, pipeline) {
    const {count, percent, duration} = this.app.wasm;
    const {verdict, keeps_up: keepsUp, queue, get_next: next, processors_busy: busy, processors_samples: samples} = pipeline;
    const slow = pipeline.operators.filter((operator) => operator.limits_pipeline);
    const named = pipeline.operators.filter(({id}) => pipeline.slow_by_queues?.includes(id)).map(({id, type}) => `${id} ${type}`);
    const advice = [
      ...slow.map(adviceOn),
      named.length ? t('data.slow.by_queues', {operators: named.join(', ')}) : '',
      pipeline.processors_bound ? t('data.advice.processors') : '',
    ].filter(Boolean);
    // The first step finds the queue empty because the pipeline starts.
    const text = queue && queue.counted_steps < queue.steps ? 'data.queue.empty.later' : 'data.queue.empty';
    const facts = [
      queue && queue.counted_steps ? t(text, {empty: count(queue.counted_empty), full: count(queue.times_full), steps: count(queue.counted_steps)}) : '',
      queue?.start_ns ? t('data.queue.start', {time: duration(queue.start_ns)}) : '',
      queue?.counted_steps && queue.mean_usage !== null ? t('data.queue.usage.end', {place: endOf(pipeline), usage: percent(queue.mean_usage)}) : '',
      next ? t('data.get_next', {empty: count(next.times_empty), steps: count(next.steps)}) : '',
      busy === null ? (samples ? t('data.processors.few', {samples: count(samples)}) : '') : t('data.processors', {busy: percent(busy)}),
    ].filter(Boolean);
    const says = verdict
      ? t(`data.verdict.${verdict}`, emptySteps(queue, count))
      : keepsUp
        ? t('data.keeps_up')
        : slow.length
          ? t('data.slow.some')
          : t('data.unknown');
    const table = new DescribedTable(this.app, 'pipeline.operators', {
      name: 'pipeline',
      label: t('data.operators'),
      facts: (row) => ({more: row.limits_pipeline ? [[t('data.try'), adviceOn(row)]] : []}),
      empty: () => t('table.empty'),
    });
    const times =
      queue && queue.mean_total_ns
        ? t('data.queue.times', {get: duration(queue.mean_get_ns), push: duration(queue.mean_push_ns), total: duration(queue.mean_total_ns)})
        : '';
    const {opening, elements} = this.#queues(report, pipeline);
    return [
      h(
        'section',
        {class: 'card wide', 'aria-label': t('data.pipeline')},
        heading('h2', 'data.pipeline', 'data'),
        h('p', {class: 'verdict', 'data-test': 'data-verdict'}, says),
        facts.length ? h('p', {class: 'hint'}, facts.join(' ')) : null,
        times ? h('p', {class: 'hint'}, times) : null,
        advice.length
          ? h(
              'ul',
              {class: 'advice-list', 'data-test': 'data-advice'},
              advice.map((text) => h('li', {}, text)),
            )
          : null,
        pipeline.operators.length ? drawPipeline(this.app, pipeline, opening) : null,
        ...elements,
      ),
      dataWalkCard(this.app, pipeline),
      pipeline.operators.length ? this.#table(table, pipeline.operators) : null,
    ].filter((node) => node !== null);
  }

  /**
   * Fill level of the queues over the steps, over time where samples are at known times, else over the samples, where it is zero, and the operators of the shown queue.
   * @param {DataReport} report @param {Pipeline} pipeline
   * @returns {{opening: (id: number) => (() => void) | null, elements: HTMLElement[]}}
   */
  #queues(report, pipeline) {
    const name = (/** @type {number} */ id) => `${id} ${pipeline.operators.find((operator) => operator.id === id)?.type ?? ''}`;
    // A single sample makes no curve.
    const sized = report.queue.filter(({size}) => size !== null).length > 1;
    const {get_next_sizes: found} = report;
    const choices = [
      ...(sized ? [/** @type {[string, string]} */ (['end', endOf(pipeline)])] : []),
      ...(found.length > 1 ? [/** @type {[string, string]} */ (['next', t('data.queue.next')])] : []),
      ...report.queues.filter(({sizes}) => sizes.length > 1).map(({id}) => /** @type {[string, string]} */ ([String(id), name(id)])),
    ];
    if (!choices.length) return {opening: () => null, elements: []};
    const chart = this.#chart(t('data.queue.curve'));
    const ends = h('p', {class: 'hint', 'data-test': 'data-queue-ends'});
    const show = (/** @type {string} */ which) => {
      const end = which === 'end';
      const operator = pipeline.operators.find(({id}) => String(id) === which);
      const sampled = operator && report.queues.find(({id}) => id === operator.id);
      const sizes = end ? report.queue.map(({size}) => size) : operator ? (sampled?.sizes ?? []) : found;
      // Samples of operators are at equal times.
      const every = sampled?.interval_ns ?? null;
      const most = end ? report.queue.map(({capacity}) => capacity) : sizes.map(() => operator?.queue_capacity ?? null);
      // Numbers of steps where they grow, places of samples and calls.
      const steps = end ? report.queue.map(({step}) => step ?? 0) : [];
      const places =
        every !== null
          ? Array.from(sizes, (_, index) => index * every)
          : end && steps.every((step, index) => index === 0 || step > steps[index - 1])
            ? steps
            : null;
      const curve = (/** @type {string} */ key, /** @type {string} */ colour, /** @type {ArrayLike<number | null>} */ values) =>
        steady({name: t(key), class: colour, filled: colour !== 'other'}, values, places, every ?? 1);
      const series = [curve('data.queue.held', 'kernel', sizes)];
      if (most.some((one) => one !== null)) series.push(curve('data.column.capacity', 'other', most));
      const highest = Array.from(sizes).reduce((/** @type {number} */ most, size) => Math.max(most, size ?? 0), 1);
      // The whole height from each step, or sample, that found nothing to the next one.
      const nothing = Array.from(sizes, (size, index) => (size === 0 ? most[index] || highest : 0));
      if (nothing.some((height) => height > 0)) series.push(curve('data.queue.none', 'dataloader', nothing));
      ends.textContent = (operator ? this.#between(operator, name, sizes) : end ? this.#atTheEnd(pipeline, name) : this.#onDevice(pipeline))
        .filter(Boolean)
        .join(' ');
      chart.show({series, x: every === null ? 'number' : 'ns', y: 'number', marks: []}, null);
    };
    const choice = new Choice(t('data.queue.of'), 'data-queue', show);
    choice.offer(choices);
    show(choices[0][0]);
    const known = new Set(choices.map(([which]) => which));
    const opening = (/** @type {number} */ id) => {
      if (!known.has(String(id))) return null;
      return () => {
        choice.value = String(id);
        show(String(id));
        chart.element.scrollIntoView({block: 'nearest'});
      };
    };
    return {opening, elements: [choice.element, ends, chart.element]};
  }

  /** The queue after an operator, in words. @param {Pipeline['operators'][number]} operator @param {(id: number) => string} name @param {ArrayLike<number | null>} sizes */
  #between({id, parent, queue_usage: usage, queue_mean_size: held, queue_capacity: capacity}, name, sizes) {
    const {percent, number, count} = this.app.wasm;
    return [
      parent === null ? t('data.queue.after', {from: name(id)}) : t('data.queue.between', {from: name(id), to: name(parent)}),
      usage === null ? '' : t('data.queue.usage', {usage: percent(usage)}),
      held === null ? '' : t('data.queue.mean', {mean: number(held), capacity: count(capacity ?? 0)}),
      t('data.queue.none.samples', {empty: count(Array.from(sizes).filter((size) => size === 0).length), of: count(sizes.length)}),
    ];
  }

  /** The queue at the pipeline's end, in words: the steps that count. @param {Pipeline} pipeline @param {(id: number) => string} name */
  #atTheEnd({operators, queue}, name) {
    const {percent, count} = this.app.wasm;
    const last = operators.find(({parent}) => parent === null);
    return [
      last ? t('data.queue.after', {from: name(last.id)}) : '',
      queue && queue.mean_usage !== null ? t('data.queue.usage', {usage: percent(queue.mean_usage)}) : '',
      queue ? t('data.queue.none.steps', {empty: count(queue.counted_empty), of: count(queue.counted_steps)}) : '',
    ];
  }

  /** The device's queue, in words. @param {Pipeline} pipeline */
  #onDevice({get_next: next}) {
    const {count} = this.app.wasm;
    return next ? [t('data.get_next', {empty: count(next.times_empty), steps: count(next.steps)})] : [];
  }

  /** @param {Loading} loading @param {number[][]} ready */
  #loading(loading, ready) {
    const {count, percent, duration} = this.app.wasm;
    const rank = this.app.state.summary?.ranks[this.app.state.rank];
    const steps = rank?.steps ?? [];
    const whole = rank?.average.step_ns ?? 0;
    const {average} = loading;
    const share = (/** @type {number} */ time) => percent(whole ? time / whole : null);
    const tiles = h(
      'div',
      {class: 'tiles'},
      tile({
        name: 'waits',
        title: t('data.tile.waits'),
        value: percent(average.waiting_share_of_host_step),
        more: duration(average.total_ns),
        formula: t('data.tile.waits.why'),
      }),
      tile({
        name: 'exposed',
        title: t('data.tile.exposed'),
        value: share(average.exposed_ns),
        more: duration(average.exposed_ns),
        formula: t('data.tile.exposed.why'),
      }),
      tile({
        name: 'mean',
        title: t('data.tile.mean'),
        value: duration(loading.mean_ns),
        more: t('data.tile.mean.more', {median: duration(loading.median_ns), max: duration(loading.max_ns)}),
        formula: t('data.tile.mean.why'),
      }),
      tile({
        name: 'steps',
        title: t('data.tile.steps'),
        value: t('data.tile.steps.value', {waiting: count(loading.waiting_steps), steps: count(rank?.average.steps ?? 0)}),
        more: t('data.tile.steps.more'),
        formula: t('data.tile.steps.why'),
      }),
    );
    const chart = this.#chart(t('data.loading.curve'));
    const x = stepPlaces(steps);
    const curve = (/** @type {string} */ name, /** @type {string} */ colour, /** @type {number[]} */ y) => ({
      name,
      class: colour,
      x,
      y,
      step: false,
      filled: false,
    });
    chart.show({
      series: [
        curve(
          t('data.loading.total'),
          'dataloader',
          loading.steps.map((step) => step.total_ns),
        ),
        curve(
          t('data.loading.exposed'),
          'communication',
          loading.steps.map((step) => step.exposed_ns),
        ),
      ],
      x: 'number',
      y: 'ns',
      marks: [],
    });
    const table = new DescribedTable(this.app, 'data_loading.steps', {name: 'loading', label: t('data.loading'), empty: () => t('table.empty')});
    return [
      h(
        'section',
        {class: 'card wide', 'aria-label': t('data.loading')},
        heading('h2', 'data.loading', 'data'),
        h('p', {class: 'hint', 'data-test': 'loader-kind'}, t(`data.loader.${loading.kind}`)),
        tiles,
        loading.steps.length > 1 ? chart.element : null,
      ),
      this.#table(table, loading.steps),
      ...this.#ready(loading, ready),
    ];
  }

  /** The loaders' queues: how many batches were ready whenever one was asked for. @param {Loading} loading @param {number[][]} ready */
  #ready({queues}, ready) {
    if (!queues) return [];
    const chart = this.#chart(t('data.ready.curve'));
    const show = (/** @type {string} */ place) => {
      const y = ready[Number(place)];
      const held = {name: t('data.ready.held'), class: 'kernel', filled: true};
      chart.show({series: [steady(held, y, null)], x: 'number', y: 'number', marks: []}, null);
    };
    const choice = new Choice(t('data.queue.of'), 'data-ready', show);
    choice.offer(queues.map(({name}, place) => /** @type {[string, string]} */ ([String(place), name])));
    show('0');
    return [
      h(
        'section',
        {class: 'card wide', 'aria-label': t('data.ready'), 'data-test': 'data-ready-card'},
        heading('h2', 'data.ready', 'data'),
        describedSmallTable(this.app, 'data_loading.queues', t('data.ready'), queues),
        queues.length > 1 ? choice.element : null,
        ready.some((values) => values.length > 1) ? chart.element : null,
      ),
    ];
  }
}

/** The length of the last value of a curve: nearly to the next place, which has none. */
const LAST = 0.999;

/**
 * A curve that keeps each value until the next one.
 * @param {{name: string, class: string, filled: boolean}} look @param {ArrayLike<number | null>} values
 * @param {readonly number[] | null} places of the values; none for 1, 2, 3 …
 * @param {number} [distance] of two places
 */
function steady(look, values, places, distance = 1) {
  const x = places ? [...places] : Array.from(values, (_, index) => index + 1);
  const y = Array.from(values);
  return {...look, x: [...x, (x.at(-1) ?? 0) + LAST * distance], y: [...y, y.at(-1) ?? null], step: true};
}
