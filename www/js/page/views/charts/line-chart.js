// Curves on a canvas: drawn by plotters, with a readout under the pointer, and zoomed by dragging, wheel and keys.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {isDark} from '../../environment/theme.js';
import {face, placeTip} from './chart.js';

/** @typedef {import('../../../protocol/wasm.js').LineOptions} LineOptions */
/** @typedef {import('../../../protocol/wasm.js').Plot} Plot */
/** @typedef {import('../../../protocol/wasm.js').Unit} Unit */
/** @typedef {[number, number]} Range of the horizontal axis */

/** A drag that is shorter is a click, in CSS pixels. */
const SHORTEST_DRAG = 4;

/** Color classes of curves, and so the largest number of curves. */
export const CURVE_COLORS = ['kernel', 'communication', 'memcpy', 'dataloader', 'runtime', 'cpu', 'overlap', 'other'];

/** Zoom factor of one turn of the wheel, or of one key. */
const TURN = 1.3;

/** A value in its unit. @param {import('../../../protocol/wasm.js').Wasm} wasm @param {Unit} unit @param {number} value */
export function valueText(wasm, unit, value) {
  if (unit === 'ns') return wasm.duration(value);
  if (unit === 'bytes') return value < 0 ? `-${wasm.bytes(-value)}` : wasm.bytes(value);
  if (unit === 'share') return wasm.percent(value);
  return unit === 'bytes_per_second' ? wasm.gigabytes_per_second(value / 1e9) : wasm.number(value);
}

/** A chart of curves that follows its width, the theme and the screen's density. */
export class LineChart {
  #canvas = h('canvas', {class: 'chart-canvas', 'aria-hidden': 'true'});
  #cursor = h('div', {class: 'cursor', hidden: true});
  #chosen = h('div', {class: 'chosen', hidden: true});
  #tip = h('div', {class: 'tip', role: 'presentation', hidden: true});
  #frame = h('div', {class: 'chart-frame', tabindex: '0', role: 'img'}, this.#canvas, this.#chosen, this.#cursor, this.#tip);
  #legend = h('ul', {class: 'legend'});
  #reset = h('button', {class: 'button quiet', type: 'button', 'data-test': 'curves-reset', onclick: () => this.zoom(null)}, t('curves.reset'));
  #jump = h('button', {class: 'button quiet', type: 'button', hidden: true, 'data-test': 'curves-jump', onclick: () => this.#toTimeline()}, t('jump.part'));
  #hint = h('span', {class: 'hint'}, t('curves.hint'));
  /** @type {LineOptions | undefined} */
  #options;
  /** @type {Plot | undefined} */
  #plot;
  /** @type {Range | null} */
  #zoom = null;
  /** Where a drag began, in CSS pixels of the frame. @type {number | null} */
  #from = null;
  #scale = 1;

  /**
   * @param {import('../../app.js').App} app
   * @param {object} how
   * @param {string} how.label
   * @param {(range: Range | null) => void} [how.onZoom] to fetch finer curves, for example
   * @param {(at: number) => string[]} [how.more] further lines of the readout
   * @param {boolean} [how.isApart] whether its times are other ones than those of the timeline
   * @param {(at: number) => void} [how.onPick] a click, or Enter at the middle of the shown part
   */
  constructor(app, how) {
    this.app = app;
    this.how = how;
    this.#frame.setAttribute('aria-label', how.label);
    this.element = h(
      'figure',
      {class: 'chart curves', 'data-test': 'curves'},
      this.#frame,
      h('div', {class: 'below'}, this.#legend, this.#hint, this.#jump, this.#reset),
    );
    new ResizeObserver(() => this.draw()).observe(this.#frame);
    this.#frame.addEventListener('pointermove', (event) => this.#move(event));
    this.#frame.addEventListener('pointerleave', () => this.#unpoint());
    this.#frame.addEventListener('pointerdown', (event) => this.#press(event));
    this.#frame.addEventListener('pointerup', (event) => this.#release(event));
    this.#frame.addEventListener('pointercancel', () => this.#unpoint());
    this.#frame.addEventListener('dblclick', () => this.zoom(null));
    this.#frame.addEventListener('wheel', (event) => this.#wheel(event), {passive: false});
    this.#frame.addEventListener('keydown', (event) => this.#key(event));
  }

  /** @param {LineOptions} options @param {Range | null} [zoom] the part that is shown; else that of before */
  show(options, zoom = this.#zoom) {
    this.#options = options;
    this.#zoom = zoom;
    fill(
      this.#legend,
      options.series.map((series) => h('li', {}, h('span', {class: `swatch class-${series.class}`}), series.name)),
    );
    this.#unpoint();
    this.draw();
  }

  /** The current plot. */
  get plot() {
    return this.#plot;
  }

  /** Shows a part of the horizontal axis, or all. @param {Range | null} range */
  zoom(range) {
    this.#zoom = range;
    this.#unpoint();
    this.draw();
    this.how.onZoom?.(range);
  }

  /** Draws it at the size, in the theme, for the screen of now. */
  draw() {
    const {clientWidth: width, clientHeight: height} = this.#frame;
    this.#reset.hidden = !this.#zoom;
    const {summary, rank} = this.app.state;
    this.#jump.hidden = this.#options?.x !== 'ns' || this.how.isApart === true || summary?.ranks[rank]?.only_tables === true;
    if (!this.#options || !width || !height) return;
    this.#scale = devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * this.#scale);
    this.#canvas.height = Math.round(height * this.#scale);
    const look = {scale: this.#scale, dark: isDark(), font: face()};
    this.#plot = this.app.wasm.draw_lines(this.#canvas, {...this.#options, zoom: this.#zoom, look});
  }

  /** Shows the same part of time. */
  #toTimeline() {
    if (this.#plot) this.app.jump({span: this.#plot.shown});
  }

  /** The pointer's place in the frame, inside the curves' area, in CSS pixels. @param {MouseEvent} event @param {Plot} plot */
  #place(event, plot) {
    const x = event.clientX - this.#frame.getBoundingClientRect().left;
    return Math.min(Math.max(x, plot.left / this.#scale), plot.right / this.#scale);
  }

  /** Value of the horizontal axis at a place. @param {number} place @param {Plot} plot */
  #at(place, plot) {
    const share = (place * this.#scale - plot.left) / (plot.right - plot.left);
    return plot.shown[0] + share * (plot.shown[1] - plot.shown[0]);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#plot || !this.#options) return;
    const place = this.#place(event, this.#plot);
    this.#stand(this.#cursor, place, null);
    if (this.#from !== null) this.#stand(this.#chosen, Math.min(this.#from, place), Math.abs(place - this.#from));
    const at = this.#at(place, this.#plot);
    const lines = [...readout(this.app.wasm, this.#options, at), ...(this.how.more?.(at) ?? [])];
    fill(
      this.#tip,
      lines.map((line, index) => h(index === 0 ? 'strong' : 'span', {}, line)),
    );
    this.#tip.hidden = false;
    placeTip(this.#tip, this.#frame, event);
  }

  /** @param {HTMLElement} element @param {number} left @param {number | null} width */
  #stand(element, left, width) {
    if (!this.#plot) return;
    element.hidden = false;
    element.style.translate = `${left}px ${this.#plot.top / this.#scale}px`;
    element.style.height = `${(this.#plot.bottom - this.#plot.top) / this.#scale}px`;
    if (width !== null) element.style.width = `${width}px`;
  }

  #unpoint() {
    this.#from = null;
    for (const element of [this.#tip, this.#cursor, this.#chosen]) element.hidden = true;
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0 || event.pointerType === 'touch' || !this.#plot) return;
    this.#frame.setPointerCapture(event.pointerId);
    this.#from = this.#place(event, this.#plot);
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const from = this.#from;
    if (from === null || !this.#plot) return;
    const to = this.#place(event, this.#plot);
    this.#unpoint();
    if (Math.abs(to - from) < SHORTEST_DRAG) {
      this.how.onPick?.(this.#at(to, this.#plot));
      return;
    }
    this.zoom([this.#at(Math.min(from, to), this.#plot), this.#at(Math.max(from, to), this.#plot)]);
  }

  /** The wheel alone scrolls the page. @param {WheelEvent} event */
  #wheel(event) {
    if (!(event.ctrlKey || event.metaKey) || !this.#plot) return;
    event.preventDefault();
    this.#turn(event.deltaY < 0 ? TURN : 1 / TURN, this.#at(this.#place(event, this.#plot), this.#plot));
  }

  /** @param {number} times @param {number} [around] */
  #turn(times, around) {
    if (!this.#plot) return;
    const [from, to] = this.#plot.shown;
    const center = around ?? (from + to) / 2;
    this.#within([center - (center - from) / times, center + (to - center) / times], this.#plot.whole);
  }

  /** Shows a range as far as there is something. @param {Range} range @param {Range} whole */
  #within(range, whole) {
    const within = /** @type {Range} */ ([Math.max(range[0], whole[0]), Math.min(range[1], whole[1])]);
    this.zoom(within[0] <= whole[0] && within[1] >= whole[1] ? null : within);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#plot || event.ctrlKey || event.metaKey || event.altKey) return;
    const {shown, whole} = this.#plot;
    const by = (shown[1] - shown[0]) / 4;
    if (event.key === '+' || event.key === '=') this.#turn(TURN);
    else if (event.key === '-') this.#turn(1 / TURN);
    else if (event.key === '0' && this.#zoom) this.zoom(null);
    else if (event.key === 'Enter' && this.how.onPick) this.how.onPick((shown[0] + shown[1]) / 2);
    else if (event.key === 'ArrowLeft' && shown[0] > whole[0]) this.#shift(-Math.min(by, shown[0] - whole[0]));
    else if (event.key === 'ArrowRight' && shown[1] < whole[1]) this.#shift(Math.min(by, whole[1] - shown[1]));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} by */
  #shift(by) {
    if (!this.#plot) return;
    const [from, to] = this.#plot.shown;
    this.zoom([from + by, to + by]);
  }
}

/**
 * Values of the curves at a place, as lines of text. A step curve keeps a point's value until the next one; other curves use the nearest point.
 * @param {import('../../../protocol/wasm.js').Wasm} wasm @param {LineOptions} options @param {number} at
 */
function readout(wasm, options, at) {
  const values = options.series.map((series) => {
    const index = pointAt(series.x, at, series.step);
    const value = index === null ? null : series.y[index];
    return `${series.name}: ${value === null ? '–' : valueText(wasm, options.y, value)}`;
  });
  // Where all curves hold their values, the number of the point that is read.
  const [first] = options.series;
  const index = options.series.every(({step}) => step) ? pointAt(first.x, at, true) : null;
  const place = options.x !== 'number' ? at : index === null ? Math.round(at) : Math.floor(first.x[index]);
  return [valueText(wasm, options.x, place), ...values];
}

/** The point that counts at a place. @param {ArrayLike<number>} places sorted @param {number} at @param {boolean} before only one before it */
function pointAt(places, at, before) {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle] <= at) low = middle + 1;
    else high = middle;
  }
  if (before || low === places.length) return low === 0 ? null : low - 1;
  return low > 0 && at - places[low - 1] <= places[low] - at ? low - 1 : low;
}
