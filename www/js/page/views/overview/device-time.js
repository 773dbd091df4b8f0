// The device time card: categories of device time, also as another tool defines them.

import {fill, h} from '../../dom.js';
import {has, t} from '../../environment/i18n.js';
import {BarChart} from '../charts/chart.js';
import {partLines} from '../charts/part-lines.js';
import {bookLink} from '../parts/heading.js';
import {isFirstLevel} from './summary-numbers.js';

/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('../../state.js').State} State */

/** Rows of a definition's table of steps: it is there to be compared, not to be scrolled. */
const MOST_STEPS = 50;

/** @typedef {Partial<import('../../../../types/reports.js').OverlapReport & {other_ns: number}>} Bar ours, or a definition's */

/** Parts of a device's time, each with its color class. @type {[keyof Bar, string][]} */
export const PARTS = [
  ['compute_alone_ns', 'kernel'],
  ['overlap_ns', 'overlap'],
  ['exposed_communication_ns', 'communication'],
  ['exposed_memcpy_ns', 'memcpy'],
  ['exposed_memset_ns', 'memset'],
  ['other_ns', 'other'],
  ['idle_ns', 'idle'],
  ['before_first_activity_ns', 'delay'],
  ['uncovered_ns', 'annotation'],
];

/** The lengths of a bar's parts. @param {Bar} bar */
export function values(bar) {
  return PARTS.map(([key]) => bar[key] ?? 0);
}

/** The bar of a device's times. @param {import('../../../../types/reports.js').DeviceTimeReport} time @returns {import('../../../../types/reports.js').OverlapReport} */
function overlapOf(time) {
  const {
    device,
    compute_ns: compute,
    overlap_ns,
    exposed_communication_ns,
    exposed_memcpy_ns,
    exposed_memset_ns,
    idle_ns,
    before_first_activity_ns,
    uncovered_ns,
  } = time;
  return {
    // Only a mean of several devices has none.
    device: /** @type {number} */ (device),
    compute_alone_ns: compute - overlap_ns,
    overlap_ns,
    exposed_communication_ns,
    exposed_memcpy_ns,
    exposed_memset_ns,
    idle_ns,
    before_first_activity_ns,
    uncovered_ns,
  };
}

/** The card of device time. */
export class DeviceTimeCard {
  #title = h('h2', {id: 'device-time-title', title: t('overview.overlap.why')});
  #hint = h('p', {class: 'hint'});
  #values = h('div', {class: 'definition', hidden: true});
  /** The names of the bars. @type {string[]} */
  #labels = [];
  /** The parts of one device: a chart of one bar compares nothing. */
  #numbers = h('ul', {class: 'part-numbers', hidden: true, 'data-test': 'device-numbers'});
  /** Note on overlapped communication where the card is left out: the budget lacks it. */
  note = h('p', {class: 'hint wide', hidden: true, 'data-test': 'overlapped'});
  /** The first level of the shown budget; null while it is requested. @type {import('./summary-numbers.js').Branches | undefined | null} */
  #branches = null;
  /** The one device's times, where no definition has others. @type {import('../../../../types/reports.js').OverlapReport | undefined} */
  #only;
  /** Whether there are no events to show times of. */
  #isBare = false;
  /** Whether no device is recorded: the first card says so. */
  #isOfHost = false;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const {duration} = app.wasm;
    this.chart = new BarChart(app, {
      label: t('overview.overlap'),
      partName: (part) => t(`overlap.${part}`),
      describe: (region, part, whole) => [this.#labels[region.first], ...partLines(app.wasm, duration, t(`overlap.${part}`), region, whole)],
    });
    this.element = h(
      'section',
      {class: 'card wide', 'aria-labelledby': 'device-time-title', 'data-test': 'device-time', hidden: true},
      h('div', {class: 'card-head'}, this.#title),
      this.#hint,
      this.chart.element,
      this.#numbers,
      this.#values,
    );
  }

  /** @param {import('./summary-numbers.js').Branches | undefined | null} branches of the budget above it; null while it is asked for */
  showBudget(branches) {
    this.#branches = branches;
    this.#leaveOut();
  }

  /** @param {boolean} isBare */
  set isBare(isBare) {
    this.#isBare = isBare;
    this.#leaveOut();
  }

  /** Hides the card where the budget says the same. */
  #leaveOut() {
    // A card that comes for a moment moves all below it.
    if (this.#branches === null && !this.#isBare) return;
    const isSame = this.#only !== undefined && Boolean(this.#branches) && isFirstLevel(this.#only, this.#branches ?? []);
    this.element.hidden = this.#isBare || this.#isOfHost || isSame;
    const {overlap_ns: overlap = 0, exposed_communication_ns: exposed = 0} = this.#only ?? {};
    this.note.hidden = this.#isBare || !isSame || overlap === 0;
    const {duration, percent} = this.app.wasm;
    fill(this.note, t('overview.overlapped', {share: percent(overlap / (overlap + exposed || 1)), time: duration(overlap + exposed)}));
  }

  /** @param {State} state */
  showSelection({summary, rank, step, selection}) {
    if (!summary || !selection) return;
    const {steps, device_time: devices, definition, definition_values: found} = summary.ranks[rank];
    // A definition's bar is of the whole trace, and of all devices: so are those beside it.
    const theirs = step === null && devices.length ? found?.bar : undefined;
    const overlap = theirs ? devices.map(overlapOf) : selection.overlap;
    this.#isOfHost = devices.length === 0 && overlap.length === 0 && !found;
    this.#only = overlap.length === 1 && !found ? overlap[0] : undefined;
    this.#leaveOut();
    const average = t(theirs || !steps.length ? 'overview.whole' : 'overview.average');
    const scope = step === null ? average : t('step', {name: steps[step].name});
    fill(this.#title, `${t('overview.overlap')} · ${scope}`, bookLink('overview', t('overview.overlap')));
    fill(this.#hint, t(overlap.length ? 'overview.overlap.why' : 'overview.overlap.none'));
    const ours = overlap.map((bar) => ({label: t('device', {device: bar.device}), values: values(bar), pale: false}));
    const bars = theirs ? [...ours, {label: t(`definition.${definition}.short`), values: values(theirs), pale: false}] : ours;
    this.#labels = bars.map(({label}) => label);
    this.chart.element.hidden = bars.length < 2;
    this.#numbers.hidden = bars.length !== 1;
    if (bars.length === 1) this.#showNumbers(bars[0]);
    this.chart.show({parts: PARTS.map(([, part]) => part), bars, lying: true, selected: null});
  }

  /** @param {{label: string, values: number[]}} bar */
  #showNumbers({label, values}) {
    const {duration, percent} = this.app.wasm;
    const whole = values.reduce((sum, value) => sum + value, 0);
    const row = (/** @type {string} */ part, /** @type {number} */ value) =>
      h(
        'li',
        {},
        h('span', {class: `swatch class-${part}`}),
        h('span', {class: 'part-name'}, t(`overlap.${part}`)),
        h('span', {class: 'part-share'}, percent(whole ? value / whole : null)),
        h('span', {class: 'part-time'}, duration(value)),
      );
    fill(
      this.#numbers,
      PARTS.map(([, part], place) => values[place] > 0 && row(part, values[place])),
    );
    this.#numbers.setAttribute('aria-label', label);
  }

  /** @param {Rank} rank */
  showDefinition({definition, definition_values: found}) {
    this.#values.hidden = !found;
    if (!found) return;
    const {duration, percent} = this.app.wasm;
    const text = (/** @type {string} */ key, /** @type {number | null} */ value) => (key.endsWith('_ns') ? duration(value ?? 0) : percent(value));
    const name = (/** @type {string} */ key) => (has(`value.${key}`) ? t(`value.${key}`) : key.replace(/_ns$/, '').replaceAll('_', ' '));
    const why = (/** @type {string} */ key) => (has(`value.${key}.why`) ? t(`value.${key}.why`) : null);
    const cells = (/** @type {Record<string, number | null>} */ values) => Object.entries(values).map(([key, value]) => h('td', {}, text(key, value)));
    const facts = Object.entries(found.values).flatMap(([key, value]) => [h('dt', {title: why(key)}, name(key)), h('dd', {}, text(key, value))]);
    const heads = Object.keys(found.steps?.[0]?.values ?? {}).map((key) => h('th', {scope: 'col', title: why(key)}, name(key)));
    fill(
      this.#values,
      h('h3', {title: t(`definition.${definition}.why`)}, t('overview.definition', {name: t(`definition.${definition}`)})),
      h('p', {class: 'hint'}, t(`definition.${definition}.why`)),
      h('dl', {class: 'facts', 'data-test': 'definition-values', 'data-definition': definition}, facts),
      found.steps?.length &&
        h(
          'div',
          {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('tab.steps')},
          h(
            'table',
            {class: 'small-table'},
            h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, t('column.step')), heads)),
            h(
              'tbody',
              {},
              found.steps.slice(0, MOST_STEPS).map((step) => h('tr', {}, h('th', {scope: 'row'}, step.name), cells(step.values))),
            ),
          ),
        ),
    );
  }
}
