// The card of dynamic shapes: time of operators with changing shapes in each step, and their shapes in a clicked step.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {CURVE_COLORS, LineChart} from '../charts/line-chart.js';
import {callsIn, callsTable, curvesOf, isOfTypes, nearest} from './shape-curves.js';

/** @typedef {import('./recorded-operators.js').Rows} Rows */
/** @typedef {import('./shape-curves.js').Curve} Curve */

/** The card above a table of dynamic shapes. */
export class ShapeCard {
  #hint = h('p', {class: 'hint'});
  #chart;
  #calls = h('div', {'data-test': 'shape-calls'});
  #filter = h('input', {
    type: 'search',
    class: 'search',
    placeholder: t('recorded.shapes.filter'),
    'aria-label': t('recorded.shapes.filter'),
    'data-test': 'shape-filter',
    oninput: () => this.#draw(),
  });
  /** @type {Curve[]} */
  #shown = [];

  /** @param {import('../../app.js').App} app @param {string} id of the table @param {Rows} rows @param {Rows | undefined} calls the rows of single calls */
  constructor(app, id, rows, calls) {
    this.app = app;
    this.id = id;
    this.calls = calls;
    this.found = curvesOf(id, rows);
    this.#chart = new LineChart(app, {label: t('recorded.shapes'), onPick: (at) => this.#showStep(nearest(this.found.steps, at))});
    this.element = h(
      'section',
      {class: 'card wide shape-card', 'aria-label': t('recorded.shapes'), 'data-test': 'shape-card'},
      h('div', {class: 'card-head'}, h('h2', {}, t('recorded.shapes')), h('span', {class: 'space'}), this.#filter),
      this.#hint,
      this.#chart.element,
      this.#calls,
    );
    this.#draw();
  }

  /** Draws the chart again: the theme changed. */
  redraw() {
    this.#chart.draw();
  }

  #draw() {
    const {steps, curves} = this.found;
    const wanted = this.#filter.value.trim().toLowerCase();
    const fitting = curves.filter(({name}) => name.toLowerCase().includes(wanted));
    this.#shown = fitting.slice(0, CURVE_COLORS.length);
    const {count} = this.app.wasm;
    fill(
      this.#hint,
      [
        t(isOfTypes(this.id) ? 'recorded.shapes.types' : 'recorded.shapes.names'),
        fitting.length > this.#shown.length && t('recorded.shapes.most', {shown: count(this.#shown.length), all: count(fitting.length)}),
        !fitting.length && t('table.nothing'),
      ]
        .filter(Boolean)
        .join(' '),
    );
    fill(this.#calls);
    this.#chart.show(
      {
        series: this.#shown.map(({name, times}, index) => ({name, class: CURVE_COLORS[index], x: steps, y: times, step: false, filled: false})),
        x: 'number',
        y: 'ns',
        marks: [],
      },
      null,
    );
  }

  /** The calls of the shown names in a step, with their shapes. @param {number} step */
  #showStep(step) {
    if (!this.calls) return;
    const {duration} = this.app.wasm;
    const calls = callsIn(this.id, this.calls, new Set(this.#shown.map(({name}) => name)), step);
    const row = (/** @type {import('./shape-curves.js').Call} */ call) =>
      h('tr', {}, h('th', {scope: 'row', class: 'left'}, call.name), h('td', {}, duration(call.time)), h('td', {class: 'left'}, call.shapes || '–'));
    const title = t('step', {name: String(step)});
    fill(
      this.#calls,
      h('h3', {}, title),
      calls.length
        ? h(
            'div',
            {class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': title},
            h(
              'table',
              {class: 'small-table'},
              h(
                'thead',
                {},
                h(
                  'tr',
                  {},
                  h('th', {scope: 'col', class: 'left'}, t('column.operator')),
                  h('th', {scope: 'col'}, t('column.length')),
                  h(
                    'th',
                    {scope: 'col', class: 'left'},
                    callsTable(this.id) === 'dynamic_shape_kernels' ? `${t('column.grid')} × ${t('column.block')}` : t('column.shapes'),
                  ),
                ),
              ),
              h('tbody', {}, calls.map(row)),
            ),
          )
        : h('p', {class: 'hint'}, t('recorded.shapes.none')),
    );
  }
}
