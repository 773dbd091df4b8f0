// The idle tab: classes of idle time, host activity during it, launches, queues, the longest gaps.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Histogram} from '../charts/histogram.js';
import {LineChart} from '../charts/line-chart.js';
import {PartBars} from '../charts/part-bars.js';
import {scopeText} from '../parts/all-steps.js';
import {heading} from '../parts/heading.js';
import {jumpButton} from '../parts/jump.js';
import {ReportTab} from '../parts/report-tab.js';
import {describedSmallTable} from '../table/described/described-small.js';
import {DescribedTable} from '../table/described/described.js';
import {RowPane} from '../tables/row-pane.js';
import {hasLeaves, timesOf, waitsForHost} from './idle-times.js';
import {CLASSES, EDGES, HOST, LEAVES} from './parts.js';

/** @typedef {import('./idle-times.js').Times} Times */
/** @typedef {import('../../../protocol/answers.js').WhyIdle} WhyIdle */
/** @typedef {import('../../../protocol/table.js').TableValues} TableValues */
/** @typedef {'slow_call' | 'late' | 'kernel_wait' | 'long_gap'} Threshold */

/** @type {Threshold[]} */
const THRESHOLDS = ['slow_call', 'late', 'kernel_wait', 'long_gap'];

/** The tab. @extends {ReportTab<'why_idle'>} */
export class IdleTab extends ReportTab {
  /** The thresholds that the person changed, in ns. @type {Partial<Record<`${Threshold}_ns`, number>>} */
  #changed = {};
  #inputs;
  #bars;
  #host;
  /** Times of windows, or of steps. @type {{label: string, times: Times}[]} */
  #rows = [];
  /** The bars of each chart, each with its whole. @type {Record<string, {name: string, values: number[], whole: number}[]>} */
  #shownBars = {};
  /** Thresholds whose text is not asked for yet: an answer to an earlier choice leaves it. @type {Set<Threshold>} */
  #typed = new Set();
  #launches;
  #gaps;
  #histograms;
  /** @type {LineChart[]} */
  #curves = [];

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    super(app, 'why_idle', ({step}) => ({thresholds: this.#changed, step, average: step === null}));
    this.#inputs = new Map(
      THRESHOLDS.map((name) => [
        name,
        h('input', {class: 'search short', 'data-test': `threshold-${name}`, oninput: () => this.#typed.add(name), onchange: () => this.#change(name)}),
      ]),
    );
    const reset = h('button', {class: 'button quiet', 'data-test': 'threshold-reset', onclick: () => this.#reset()}, t('idle.reset'));
    const labels = THRESHOLDS.map((name) =>
      h('label', {class: 'choice', title: t(`idle.${name}.why`)}, h('span', {}, t(`idle.${name}`)), this.#inputs.get(name)),
    );
    this.element.prepend(h('div', {class: 'thresholds', role: 'group', 'aria-label': t('idle.thresholds')}, ...labels, reset));
    this.#bars = this.#barsOf(
      'idle.classes',
      [...CLASSES, ...EDGES].map(([key, color]) => [`column.idle.${key}`, color]),
    );
    this.#host = this.#barsOf(
      'idle.host',
      HOST.map(([key, color]) => [`host.${key}`, color]),
    );
    this.#histograms = /** @type {const} */ (['cpu', 'gpu', 'delay']).map((key) => ({
      key,
      chart: new Histogram(app, t(`launch.${key}`), key === 'cpu' ? 'cpu' : key === 'gpu' ? 'kernel' : 'delay'),
    }));
    this.#launches = this.#launchTable();
    this.#gaps = this.#gapTable();
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    for (const chart of [...this.#curves, ...this.#histograms.map((one) => one.chart)]) chart.draw();
    this.#launches.table.redraw();
  }

  search() {
    this.#launches.table.search();
  }

  /** @param {Threshold} name */
  #change(name) {
    const input = /** @type {HTMLInputElement} */ (this.#inputs.get(name));
    const time = this.app.wasm.parse_duration(input.value);
    input.setAttribute('aria-invalid', String(time === undefined));
    input.setCustomValidity(time === undefined ? t('idle.invalid') : '');
    if (time === undefined) {
      input.reportValidity();
      return;
    }
    this.#typed.delete(name);
    this.#changed = {...this.#changed, [`${name}_ns`]: time};
    this.again();
  }

  #reset() {
    this.#changed = {};
    this.#typed.clear();
    for (const input of this.#inputs.values()) {
      input.setAttribute('aria-invalid', 'false');
      input.setCustomValidity('');
    }
    this.again();
  }

  /** @param {string} label @param {[name: string, token: string][]} parts */
  #barsOf(label, parts) {
    const {duration, percent} = this.app.wasm;
    return new PartBars({
      label: t(label),
      parts: parts.map(([name, token]) => ({name: t(name), token})),
      describe: (bar, part) => {
        const {name, values, whole} = this.#shownBars[label][bar];
        const value = values[part];
        return [name, `${t(parts[part][0])}: ${duration(value)} · ${percent(whole ? value / whole : null)}`, t('chart.of', {total: duration(whole)})];
      },
    });
  }

  /** @param {'idle.classes' | 'idle.host'} label @param {PartBars} chart @param {(times: Times) => {values: number[], whole: number}} of */
  #showBars(label, chart, of) {
    const bars = this.#rows.map(({label: name, times}) => ({name, ...of(times)}));
    this.#shownBars[label] = bars;
    chart.show(bars.map(({name, values}) => ({label: name, values})));
  }

  /** @override @param {WhyIdle} report */
  draw(report) {
    const {launches, idle, tables} = report;
    const {duration, count, percent} = this.app.wasm;
    const shown = {
      slow_call: launches.slow_threshold_ns,
      late: launches.late_threshold_ns,
      kernel_wait: idle[0]?.kernel_wait_threshold_ns,
      long_gap: idle[0]?.long_gaps.threshold_ns,
    };
    for (const name of THRESHOLDS) {
      const input = /** @type {HTMLInputElement} */ (this.#inputs.get(name));
      if (shown[name] !== undefined && !this.#typed.has(name)) input.value = duration(shown[name]);
    }
    this.#rows = idle.flatMap((device) => timesOf(device).map((times) => ({label: labelOf(times), times})));
    const ofSteps = idle.some((device) => device.in_steps);
    // In the steps, the time outside of the window is a part, too.
    const outside = (/** @type {Times} */ times) => EDGES.map(([key]) => ('lead_in_ns' in times && ofSteps ? times[key] : 0));
    this.#showBars('idle.classes', this.#bars, (times) => ({values: [...CLASSES.map(([key]) => times[key]), ...outside(times)], whole: times.window_ns}));
    this.#showBars('idle.host', this.#host, (times) => ({
      values: HOST.map(([key]) => times.host_wait_by_activity[`${key}_ns`] ?? 0),
      whole: times.host_wait_until_launch_ns,
    }));
    // Tables measure their texts, which they can once they stand in the page.
    queueMicrotask(() => {
      this.#launches.show(tables['launches.names']);
      this.#gaps.show(idle.flatMap((device) => [...device.edges, ...device.long_gaps.longest]));
    });
    for (const {key, chart} of this.#histograms) chart.show(launches[key].histogram);
    const long = idle.map((device) =>
      t(device.long_gaps.count > device.long_gaps.longest.length ? 'idle.gaps.sum.listed' : 'idle.gaps.sum', {
        device: device.device,
        listed: count(device.long_gaps.longest.length),
        count: count(device.long_gaps.count),
        total: duration(device.long_gaps.total_ns),
        threshold: duration(device.long_gaps.threshold_ns),
      }),
    );
    if (idle.some((device) => device.edges.length > 0)) long.push(t('idle.gaps.edges'));
    const edges = idle
      .filter((device) => !ofSteps && (device.lead_in_ns || device.lead_out_ns))
      .map((device) => t('idle.edges', {device: device.device, lead_in: duration(device.lead_in_ns), lead_out: duration(device.lead_out_ns)}));
    const inSteps = (/** @type {WhyIdle['idle'][number]} */ device) => device.in_steps ?? device;
    const early = idle
      .filter((device) => inSteps(device).before_first_activity_ns)
      .map((device) => t('idle.before_first', {device: device.device, time: duration(inSteps(device).before_first_activity_ns)}));
    const {step} = this.app.state;
    const averaged = idle[0]?.in_steps?.averaged_steps;
    const name = step === null ? undefined : this.app.state.summary?.ranks[this.app.state.rank].steps[step].name;
    const scope = ofSteps ? scopeText(this.app.wasm, averaged ? undefined : name, averaged ?? undefined) : t('idle.scope.whole');
    const of = (/** @type {number} */ part) => `${count(part)} (${percent(launches.calls ? part / launches.calls : null)})`;
    /** @type {[string, string, string][]} */
    const facts = [
      ['calls', t('launch.calls'), count(launches.calls)],
      ['short', t('launch.short'), of(launches.short)],
      ['slow', t('launch.slow', {threshold: duration(launches.slow_threshold_ns)}), of(launches.slow)],
      ['delayed', t('launch.delayed', {threshold: duration(launches.late_threshold_ns)}), of(launches.delayed)],
      ['queued', t('launch.queued'), of(launches.queued)],
      ['before_first_activity', t('launch.before_first_activity'), of(launches.before_first_activity)],
      ['late', t('launch.late'), of(launches.late)],
      ['unlinked', t('launch.unlinked'), count(launches.unlinked_activities)],
    ];
    return [
      this.#section(
        'idle.gaps',
        h('p', {class: 'hint', 'data-test': 'gaps-scope'}, [t(step === null ? 'idle.scope.whole' : 'idle.scope.not_step'), ...long].join(' ')),
        this.#gaps.element,
      ),
      this.#section(
        'idle.classes',
        h('p', {class: 'hint', 'data-test': 'idle-scope'}, scope),
        this.#bars.element,
        this.#classTable(ofSteps),
        ...(edges.length ? [h('p', {title: t('idle.edges.why'), 'data-test': 'idle-edges'}, edges.join(' '))] : []),
        ...(early.length ? [h('p', {title: t('column.idle.before_first_activity_ns.why'), 'data-test': 'idle-before-first'}, early.join(' '))] : []),
      ),
      hasLeaves(report) &&
        this.#section(
          'idle.leaves',
          h('p', {class: 'hint'}, scope),
          h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('idle.leaves')}, this.#leafTable(idle)),
        ),
      waitsForHost(report) && this.#section('idle.host', h('p', {class: 'hint'}, scope), this.#host.element),
      this.#section(
        'launch',
        h('p', {class: 'hint'}, t('idle.scope.whole')),
        h(
          'dl',
          {class: 'facts', 'data-test': 'launch-facts'},
          facts.flatMap(([key, name, value]) => [h('dt', {title: t(`launch.${key}.why`)}, name), h('dd', {'data-test': `launch-${key}`}, value)]),
        ),
        launches.calls > 0 &&
          h(
            'div',
            {class: 'three'},
            this.#histograms.map(({key, chart}) =>
              h(
                'section',
                {class: 'row-section'},
                h('h3', {title: t(`launch.${key}.why`)}, `${t(`launch.${key}`)} · ${t('launch.median', {median: duration(launches[key].median_ns)})}`),
                chart.element,
              ),
            ),
          ),
        this.#launches.element,
        launches.calls > 0 &&
          h('div', {class: 'two'}, this.#callTable('launch.slowest', tables['launches.slowest']), this.#callTable('launch.latest', tables['launches.latest'])),
      ),
      this.#section('queue', h('p', {class: 'hint'}, t('idle.scope.whole')), ...this.#queues(tables.queues, report.queue_curves ?? [])),
    ].filter((part) => part !== false);
  }

  /** @param {string} key @param {...(Node | string | false)} parts */
  #section(key, ...parts) {
    return h('section', {class: 'card wide', 'data-test': `section-${key}`}, heading('h2', key, key === 'queue' || key === 'launch' ? key : 'idle'), ...parts);
  }

  /** The table of the parts. The charts have the host's activities; sentences have what is outside of a window. @param {boolean} ofSteps */
  #classTable(ofSteps) {
    const without = ['idle_ns', ...HOST.map(([key]) => `host_wait_by_activity.${key}_ns`), ...(ofSteps ? [] : EDGES.map(([key]) => key))];
    const rows = this.#rows.map(({times}) => times);
    const table = describedSmallTable(this.app, 'idle', t('idle.classes'), rows, (_, __, place) => this.#rows[place].label, without);
    return h('div', {class: 'wrapping', 'data-test': 'idle-classes'}, table);
  }

  /** Table of the leaves of each device's idle time. @param {WhyIdle['idle']} devices */
  #leafTable(devices) {
    const {duration, percent} = this.app.wasm;
    const of = (/** @type {WhyIdle['idle'][number]} */ device) => device.in_steps ?? device;
    const leaves = Object.keys(LEAVES).filter((leaf) => devices.some((device) => of(device).leaves_ns[leaf]));
    const cell = (/** @type {WhyIdle['idle'][number]} */ device, time = 0) => {
      const {window_ns: window} = of(device);
      return h('td', {}, `${duration(time)} · ${percent(window ? time / window : null)}`);
    };
    const heads = devices.map(({device}) => h('th', {scope: 'col', title: t('idle.leaves.why')}, t('device', {device})));
    const rows = leaves.map((leaf) =>
      h(
        'tr',
        {},
        h('th', {scope: 'row', class: 'left', title: t(`leaf.${leaf}.why`)}, t(`budget.leaf.${leaf}`)),
        ...devices.map((device) => cell(device, of(device).leaves_ns[leaf])),
      ),
    );
    if (devices.some((device) => !device.in_steps && device.handed_over_ns)) {
      const cells = devices.map((device) => cell(device, device.handed_over_ns));
      rows.push(h('tr', {}, h('th', {scope: 'row', class: 'left', title: t('leaf.handed_over.why')}, t('leaf.handed_over')), ...cells));
    }
    return h('table', {class: 'small-table', 'data-test': 'idle-leaves'}, h('thead', {}, h('tr', {}, h('td', {}), ...heads)), h('tbody', {}, rows));
  }

  #launchTable() {
    return new DescribedTable(this.app, 'launches.names', {
      name: 'launches',
      label: t('launch'),
      pane: new RowPane(this.app, 'launches'),
      empty: () => t('launch.none'),
    });
  }

  #gapTable() {
    return new DescribedTable(this.app, 'idle[].long_gaps.longest', {name: 'gaps', label: t('idle.gaps'), empty: () => t('idle.gaps.none')});
  }

  /** @param {'launch.slowest' | 'launch.latest'} key @param {TableValues} calls */
  #callTable(key, calls) {
    return h(
      'section',
      {class: 'row-section'},
      h('h3', {title: t(`${key}.why`)}, t(key)),
      calls.rows === 0 ? h('p', {class: 'nothing'}, t('launch.within')) : describedSmallTable(this.app, calls.id, t(key), calls),
    );
  }

  /** @param {TableValues} queues @param {NonNullable<WhyIdle['queue_curves']>} curves */
  #queues(queues, curves) {
    this.#curves = [];
    if (!queues.rows) return [h('p', {class: 'nothing'}, t('launch.none'))];
    /** @type {string[]} */
    const names = [];
    const table = describedSmallTable(this.app, 'queues', t('queue'), queues, ({device, stream, waiting}) => {
      const name = t('idle.stream', {device, stream});
      names.push(name);
      return jumpButton(this.app, {span: [waiting.start_ns, waiting.end_ns]}, name, name);
    });
    const charts = curves.flatMap((curve, index) => {
      if (!curve.waiting.length) return [];
      const chart = new LineChart(this.app, {label: `${t('queue')}: ${names[index]}`});
      this.#curves.push(chart);
      const series = (/** @type {'waiting' | 'in_flight'} */ key, /** @type {string} */ color) => {
        const points = curve[key];
        return {name: t(`queue.${key}`), class: color, x: points.map(([at]) => at), y: points.map(([, length]) => length), step: true, filled: false};
      };
      chart.show({series: [series('in_flight', 'kernel'), series('waiting', 'dataloader')], x: 'ns', y: 'number', marks: []});
      return [h('section', {class: 'row-section'}, h('h3', {title: t('queue.why')}, names[index]), chart.element)];
    });
    return [table, ...charts];
  }
}

/** The name of a row. @param {Pick<Times, 'device'> & {stream?: number}} times */
function labelOf({device, stream}) {
  return stream === undefined ? t('device', {device}) : t('idle.stream', {device, stream});
}
