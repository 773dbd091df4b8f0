// A histogram of durations: a bar per power of two.

import {t} from '../../environment/i18n.js';
import {CanvasChart} from './canvas-chart.js';
import {drawEdges} from './edges.js';

/** @typedef {import('../../../../types/reports.js').HistogramBarReport} HistogramBar */

/** A histogram. */
export class Histogram extends CanvasChart {
  /** @type {HistogramBar[]} */
  #bars = [];
  /** @type {{regions: import('../../../protocol/wasm.js').Region[], spans: [number, number][]}} */
  #drawn = {regions: [], spans: []};

  /** @param {import('../../app.js').App} app @param {string} label @param {string} [colored] its color class */
  constructor(app, label, colored = 'kernel') {
    super(app, label, 'histogram');
    this.colored = colored;
  }

  /** @param {HistogramBar[]} bars */
  show(bars) {
    this.#bars = bars;
    this.draw();
  }

  /** @override @param {HTMLCanvasElement} canvas @param {import('../../../protocol/wasm.js').Look} look */
  paint(canvas, look) {
    this.#drawn = this.app.wasm.draw_histogram(canvas, {bars: this.#bars, class: this.colored, look});
    drawEdges(canvas, this.#drawn.regions, look.scale);
  }

  /** A column as a whole counts: short bars are hard to meet. @override @param {number} x */
  linesAt(x) {
    const {regions, spans} = this.#drawn;
    const region = regions.find((one) => one.left <= x && x < one.right);
    if (!region) return null;
    const {duration, count} = this.app.wasm;
    const [from, to] = spans[region.first];
    return [t('histogram.bar', {from: duration(from), to: duration(to)}), t('histogram.count', {count: count(region.value)})];
  }
}
