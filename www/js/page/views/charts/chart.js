// A chart of stacked bars on a canvas: drawn by plotters, with a tooltip, a legend and picking.

import {fill, h} from '../../dom.js';
import {environment} from '../../environment/environment.js';
import {isDark} from '../../environment/theme.js';
import {drawEdges} from './edges.js';
import {wholeOf} from './part-lines.js';

/** @typedef {import('../../../protocol/wasm.js').ChartOptions} ChartOptions */
/** @typedef {import('../../../protocol/wasm.js').Region} Region */

/** The face of the page's texts: charts have the same. */
export const face = () => getComputedStyle(environment().holder).fontFamily;

/** Heights in CSS pixels. */
const UPRIGHT = 240;
const LYING = {axis: 26, bar: 36, least: 60};

/** A chart that follows its width, the theme and the screen's density. */
export class BarChart {
  #canvas = h('canvas', {class: 'chart-canvas', 'aria-hidden': 'true'});
  #tip = h('div', {class: 'tip', role: 'presentation', hidden: true});
  #legend = h('ul', {class: 'legend'});
  #frame = h('div', {class: 'chart-frame'}, this.#canvas, this.#tip);
  /** @type {ChartOptions | undefined} */
  #options;
  /** @type {Region[]} */
  #regions = [];
  #scale = 1;

  /**
   * @param {import('../../app.js').App} app
   * @param {object} how
   * @param {string} how.label
   * @param {(part: string) => string} how.partName
   * @param {(region: Region, part: string, whole: number) => string[]} how.describe a tooltip's lines; `whole`: the length of the bar, or the mean of several
   * @param {(region: Region) => void} [how.onPick]
   * @param {number} [how.thick] thickness of a horizontal bar with the space around it, in CSS pixels
   */
  constructor(app, how) {
    this.app = app;
    this.how = how;
    this.element = h('figure', {class: 'chart', 'aria-label': how.label}, this.#frame, this.#legend);
    new ResizeObserver(() => this.draw()).observe(this.#frame);
    this.#canvas.addEventListener('pointermove', (event) => this.#point(event));
    this.#canvas.addEventListener('pointerleave', () => (this.#tip.hidden = true));
    if (how.onPick) {
      this.#canvas.classList.add('pickable');
      this.#canvas.addEventListener('click', (event) => {
        const region = this.#regionAt(event);
        if (region) how.onPick?.(region);
      });
    }
  }

  /** @param {ChartOptions} options */
  show(options) {
    this.#options = options;
    const used = options.parts.filter((_, part) => options.bars.some((bar) => bar.values[part] > 0));
    fill(
      this.#legend,
      used.map((part) => h('li', {}, h('span', {class: `swatch class-${part}`}), this.how.partName(part))),
    );
    this.#frame.style.height = `${options.lying ? LYING.axis + Math.max(LYING.least, (this.how.thick ?? LYING.bar) * options.bars.length) : UPRIGHT}px`;
    this.#tip.hidden = true;
    this.draw();
  }

  /** Draws it at the size, in the theme, for the screen of now. */
  draw() {
    const {clientWidth: width, clientHeight: height} = this.#frame;
    if (!this.#options || !width || !height) return;
    this.#scale = devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * this.#scale);
    this.#canvas.height = Math.round(height * this.#scale);
    const look = {scale: this.#scale, dark: isDark(), font: face()};
    this.#regions = this.app.wasm.draw_stacked_bars(this.#canvas, {...this.#options, look});
    drawEdges(this.#canvas, this.#regions, this.#scale);
  }

  /** @param {MouseEvent} event @returns {Region | undefined} */
  #regionAt(event) {
    const box = this.#canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) * this.#scale;
    const y = (event.clientY - box.top) * this.#scale;
    return this.#regions.find((region) => region.left <= x && x < region.right && region.top <= y && y < region.bottom);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const region = this.#regionAt(event);
    this.#tip.hidden = !region;
    if (!region || !this.#options) return;
    const {bars, parts} = this.#options;
    const lines = this.how.describe(region, parts[region.part], wholeOf(bars, region));
    fill(
      this.#tip,
      lines.map((line, index) => h(index === 0 ? 'strong' : 'span', {}, line)),
    );
    placeTip(this.#tip, this.#frame, event);
  }
}

/** Puts a tooltip beside the pointer, inside the chart. @param {HTMLElement} tip @param {HTMLElement} inside @param {MouseEvent} event */
export function placeTip(tip, inside, event) {
  const frame = inside.getBoundingClientRect();
  const left = Math.min(event.clientX - frame.left + 12, frame.width - tip.offsetWidth - 4);
  const top = Math.min(event.clientY - frame.top + 12, frame.height - tip.offsetHeight - 4);
  tip.style.translate = `${Math.max(0, left)}px ${Math.max(0, top)}px`;
}
