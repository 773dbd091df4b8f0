// Base class of charts on a canvas: they follow their width, the theme and the screen's density, and have a tooltip.

import {fill, h} from '../../dom.js';
import {isDark} from '../../environment/theme.js';
import {face, placeTip} from './chart.js';

/** @typedef {import('../../../protocol/wasm.js').Look} Look */
/** @typedef {import('../../../protocol/wasm.js').Region} Region */

/** A canvas in a frame. */
export class CanvasChart {
  #canvas = h('canvas', {class: 'chart-canvas', 'aria-hidden': 'true'});
  #tip = h('div', {class: 'tip', role: 'presentation', hidden: true});
  frame = h('div', {class: 'chart-frame'}, this.#canvas, this.#tip);
  #scale = 1;

  /** @param {import('../../app.js').App} app @param {string} label @param {string} test @param {...(Node | string)} more below the chart */
  constructor(app, label, test, ...more) {
    this.app = app;
    this.element = h('figure', {class: `chart ${test}`, 'aria-label': label, 'data-test': test}, this.frame, ...more);
    new ResizeObserver(() => this.draw()).observe(this.frame);
    this.frame.addEventListener('pointermove', (event) => this.#point(event));
    this.frame.addEventListener('pointerleave', () => (this.#tip.hidden = true));
    this.frame.addEventListener('click', (event) => this.pick(...this.#place(event)));
  }

  /** Draws it at the size, in the theme, for the screen of now. */
  draw() {
    const {clientWidth: width, clientHeight: height} = this.frame;
    if (!width || !height) return;
    this.#scale = devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * this.#scale);
    this.#canvas.height = Math.round(height * this.#scale);
    this.#tip.hidden = true;
    this.paint(this.#canvas, {scale: this.#scale, dark: isDark(), font: face()});
  }

  /** Draws on the canvas; a chart does it its own way. @param {HTMLCanvasElement} _canvas @param {Look} _look */
  paint(_canvas, _look) {}

  /** Text lines of the tooltip at a point of the canvas, in its pixels. @param {number} _x @param {number} _y @returns {string[] | null} */
  linesAt(_x, _y) {
    return null;
  }

  /** Handler of a click on a point. @param {number} _x @param {number} _y */
  pick(_x, _y) {}

  /** @param {MouseEvent} event @returns {[number, number]} */
  #place(event) {
    const box = this.#canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * this.#scale, (event.clientY - box.top) * this.#scale];
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const lines = this.linesAt(...this.#place(event));
    this.#tip.hidden = !lines;
    if (!lines) return;
    fill(
      this.#tip,
      lines.map((line, index) => h(index === 0 ? 'strong' : 'span', {}, line)),
    );
    placeTip(this.#tip, this.frame, event);
  }
}

/** The region at a place. @param {Region[]} regions @param {number} x @param {number} y @returns {Region | undefined} */
export function regionAt(regions, x, y) {
  return regions.find((region) => region.left <= x && x < region.right && region.top <= y && y < region.bottom);
}
