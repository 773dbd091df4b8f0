// The drawer below the timeline's rows with the details of the selection; its height is the person's choice.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {environment} from '../../environment/environment.js';
import {separator} from './separator.js';

/** Heights in CSS pixels: the first and the least one, and the least of the rows (as in the style sheet). */
const FIRST = 280;
const LEAST = 112;
const ROWS = 168;

/** The drawer. Without anything in it, it is not there. */
export class Drawer {
  #separator = separator({
    name: 'drawer-separator',
    label: t('drawer.resize'),
    orientation: 'horizontal',
    controls: 'drawer-body',
    least: LEAST,
    most: () => this.element.offsetHeight + (this.#rows.offsetHeight || Infinity) - ROWS,
    size: () => this.element.clientHeight,
    sizeAt: ({clientY}) => this.element.getBoundingClientRect().bottom - clientY,
    resize: (height) => this.#resize(height),
    fitting: () => FIRST,
    enter: () => this.#setOpen(!this.#open),
  });
  #toggle = h('button', {
    class: 'drawer-toggle',
    type: 'button',
    'aria-controls': 'drawer-body',
    'data-test': 'drawer-toggle',
    onclick: () => this.#setOpen(!this.#open),
  });
  /** The selection in a line, while nothing else shows it. It is read out elsewhere. */
  #said = h('span', {class: 'drawer-said', 'aria-hidden': 'true'});
  #open = environment().remembered('drawer.closed') !== '1';
  /** The rows above it. */
  #rows;

  /** @param {HTMLElement} kept the element above all panes @param {HTMLElement[]} panes its possible content @param {HTMLElement} rows the element above it, which shrinks as it grows */
  constructor(kept, panes, rows) {
    this.#rows = rows;
    this.element = h(
      'div',
      {class: 'drawer', 'data-test': 'drawer'},
      h('div', {class: 'drawer-head'}, this.#separator, this.#said, this.#toggle),
      kept,
      h('div', {class: 'drawer-body', id: 'drawer-body'}, panes),
    );
    this.#show(Number(environment().remembered('drawer')) || FIRST);
    this.#setOpen(this.#open);
  }

  /** @param {string} text the selection, in a line */
  say(text) {
    this.#said.textContent = text;
  }

  /** @param {number} height */
  #show(height) {
    for (const one of [this.element, this.#rows]) one.style.setProperty('--drawer', `${height}px`);
    this.#separator.setAttribute('aria-valuenow', String(height));
  }

  /** @param {number} height */
  #resize(height) {
    if (!this.#open) this.#setOpen(true);
    this.#show(height);
    environment().remember('drawer', String(height));
  }

  /** @param {boolean} open */
  #setOpen(open) {
    this.#open = open;
    this.element.classList.toggle('closed', !open);
    const label = t(open ? 'drawer.close' : 'drawer.open');
    this.#toggle.textContent = open ? '▾' : '▴';
    for (const [name, value] of Object.entries({title: label, 'aria-label': label, 'aria-expanded': String(open)})) this.#toggle.setAttribute(name, value);
    environment().remember('drawer.closed', open ? '0' : '1');
  }
}
