// Curves of a recorded table, by choice: over its times or steps, of columns that have the same unit.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {CURVE_COLORS, LineChart} from '../charts/line-chart.js';
import {Choice} from '../parts/choice.js';
import {axesOf, groupColumnsOf, measuresOf, recordedCurves} from './recorded-curves.js';

/** @typedef {import('../../../protocol/wasm.js').Unit} Unit */
/** @typedef {import('../../../../types/reports.js').RecordedTableReport} RecordedTable */
/** @typedef {import('./recorded-curves.js').Measure} Measure */
/** @typedef {import('./recorded-curves.js').Values} Values */

/** Units of recorded columns that an axis can have; of all others it has numbers. @type {Unit[]} */
const UNITS = ['ns', 'bytes', 'share', 'bytes_per_second', 'flops', 'flops_per_second'];

/** The card above a table. */
export class CurvesCard {
  #hint = h('p', {class: 'hint'});
  #over;
  #by;
  #boxes = h('div', {class: 'curve-columns', role: 'group', 'aria-label': t('recorded.curves.columns')});
  #chart;
  #axes;
  #measures;
  /** The columns that are drawn, by their places. @type {number[]} */
  #chosen;

  /** The card of a table; undefined without axes or curves. @param {import('../../app.js').App} app @param {RecordedTable} table @param {Values} values */
  static of(app, table, values) {
    const axes = axesOf(table.columns, values);
    const measures = measuresOf(table.columns, values, axes);
    return axes.length && measures.length ? new CurvesCard(app, table, values, axes, measures) : undefined;
  }

  /** @param {import('../../app.js').App} app @param {RecordedTable} table @param {Values} values @param {import('./recorded-curves.js').Axis[]} axes @param {Measure[]} measures */
  constructor(app, table, values, axes, measures) {
    this.app = app;
    this.values = values;
    this.#axes = axes;
    this.#measures = measures;
    // A profiler's times need not be those of the timeline.
    this.#chart = new LineChart(app, {label: t('recorded.curves'), isApart: true});
    this.#over = new Choice(t('recorded.curves.over'), 'curves-over', () => this.#draw());
    this.#over.offer(axes.map(({name}, index) => [String(index), name]));
    const groupColumns = groupColumnsOf(table.columns, values, axes);
    this.#by = new Choice(t('recorded.curves.by'), 'curves-by', () => this.#draw());
    this.#by.offer([['', t('recorded.curves.together')], ...groupColumns.map(({at, name}) => /** @type {[string, string]} */ ([String(at), name]))]);
    this.#by.element.hidden = !groupColumns.length;
    this.#chosen = [measures[0].at];
    // Rows of several things at the same place are no curve together.
    if (groupColumns.length && recordedCurves(values, axes[0], measures.slice(0, 1), null).isMean) this.#by.value = String(groupColumns[0].at);
    this.element = h(
      'details',
      {class: 'card wide curves-card', 'data-test': 'curves-card'},
      h('summary', {}, h('h2', {title: t('recorded.curves.meaning')}, t('recorded.curves'))),
      h('div', {class: 'card-head'}, this.#over.element, this.#by.element),
      this.#boxes,
      this.#hint,
      this.#chart.element,
    );
    this.#over.element.hidden = axes.length < 2;
    this.#offer();
    this.#draw();
  }

  /** Draws the chart again: the theme changed. */
  redraw() {
    this.#chart.draw();
  }

  #offer() {
    fill(
      this.#boxes,
      this.#measures.map((measure) => {
        const box = h('input', {type: 'checkbox', 'data-test': 'curves-column'});
        box.checked = this.#chosen.includes(measure.at);
        box.addEventListener('change', () => this.#choose(measure, box.checked));
        return h('label', {}, box, ` ${measure.name}`);
      }),
    );
  }

  /** A column of another unit takes the place of those that are drawn: a chart has one axis. @param {Measure} measure @param {boolean} isDrawn */
  #choose(measure, isDrawn) {
    const unit = (/** @type {number} */ at) => this.#measures.find((one) => one.at === at)?.unit;
    const others = this.#chosen.filter((at) => at !== measure.at && (!isDrawn || unit(at) === measure.unit));
    this.#chosen = isDrawn ? [...others, measure.at] : others;
    const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (this.#boxes.querySelectorAll('input'));
    for (const [place, box] of boxes.entries()) box.checked = this.#chosen.includes(this.#measures[place].at);
    this.#draw();
  }

  #draw() {
    const axis = this.#axes[Number(this.#over.value)] ?? this.#axes[0];
    const measures = this.#measures.filter(({at}) => this.#chosen.includes(at));
    const {curves, isMean} = recordedCurves(this.values, axis, measures, this.#by.value === '' ? null : Number(this.#by.value));
    const shown = curves.slice(0, CURVE_COLORS.length);
    const {count} = this.app.wasm;
    const unit = /** @type {Unit} */ (measures[0]?.unit);
    fill(
      this.#hint,
      [
        t(axis.isTime ? 'recorded.curves.from_first' : 'recorded.curves.by_step', {column: axis.name}),
        isMean && t('recorded.curves.mean'),
        curves.length > shown.length && t('recorded.curves.most', {shown: count(shown.length), all: count(curves.length)}),
      ]
        .filter(Boolean)
        .join(' '),
    );
    this.#chart.show(
      {
        series: shown.map(({name, x, y}, index) => ({name, class: CURVE_COLORS[index], x, y, step: false, filled: false})),
        x: axis.isTime ? 'ns' : 'number',
        y: UNITS.includes(unit) ? unit : 'number',
        marks: [],
      },
      null,
    );
  }
}
