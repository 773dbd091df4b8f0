// Lying bars of parts with colors of their own: not those of classes, which the analyzer's charts have.

import {fill, h} from '../../dom.js';
import {placeTip} from './chart.js';

/** @typedef {{name: string, token: string}} BarPart with the token of its color */
/** @typedef {{label: string, values: number[]}} PartBar a value for each part */

/** Bars below each other, on one scale. */
export class PartBars {
  #tip = h('div', {class: 'tip', role: 'presentation', hidden: true});
  #rows = h('div', {class: 'part-bars-rows', 'aria-hidden': 'true'});
  #legend = h('ul', {class: 'legend'});

  /** @param {{label: string, parts: BarPart[], describe: (bar: number, part: number) => string[]}} how with a tooltip's lines */
  constructor(how) {
    this.how = how;
    const frame = h('div', {class: 'chart-frame'}, this.#rows, this.#tip);
    this.element = h('figure', {class: 'chart part-bars', 'aria-label': how.label}, frame, this.#legend);
    this.#rows.addEventListener('pointermove', (event) => {
      const piece = event.target instanceof HTMLElement ? event.target.dataset : {};
      this.#tip.hidden = piece.part === undefined;
      if (piece.part === undefined) return;
      const lines = how.describe(Number(piece.bar), Number(piece.part));
      fill(
        this.#tip,
        lines.map((line, index) => h(index === 0 ? 'strong' : 'span', {}, line)),
      );
      placeTip(this.#tip, frame, event);
    });
    this.#rows.addEventListener('pointerleave', () => (this.#tip.hidden = true));
  }

  /** @param {PartBar[]} bars */
  show(bars) {
    const sum = (/** @type {number[]} */ values) => values.reduce((all, value) => all + value, 0);
    const longest = Math.max(1, ...bars.map(({values}) => sum(values)));
    const colored = (/** @type {HTMLElement} */ element, /** @type {number} */ part) => {
      element.style.background = `var(${this.how.parts[part].token})`;
      return element;
    };
    const piece = (/** @type {number} */ bar, /** @type {number} */ part, /** @type {number} */ value) => {
      const element = colored(h('span', {class: 'part-bars-piece', 'data-bar': bar, 'data-part': part}), part);
      element.style.inlineSize = `${(100 * value) / longest}%`;
      return element;
    };
    fill(
      this.#rows,
      bars
        .map(({label, values}, bar) => [
          h('span', {class: 'part-bars-label', title: label}, label),
          h(
            'div',
            {class: 'part-bars-bar'},
            values.map((value, part) => value > 0 && piece(bar, part, value)),
          ),
        ])
        .flat(),
    );
    fill(
      this.#legend,
      this.how.parts.map(({name}, part) => bars.some(({values}) => values[part] > 0) && h('li', {}, colored(h('span', {class: 'swatch'}), part), name)),
    );
    this.#tip.hidden = true;
  }
}
