// The drawer below the timeline's rows with the details of the selection; its height is the person's choice.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {environment} from '../../environment/environment.js';

/** Heights in CSS pixels: the first and the least one, the least of the rows (as in the style sheet), and the step of a key. */
const FIRST = 280;
const LEAST = 112;
const ROWS = 168;
const KEY = 24;

/** The drawer. Without anything in it, it is not there. */
export class Drawer {
  #separator = h('div', {
    class: 'drawer-separator',
    role: 'separator',
    tabindex: '0',
    title: t('drawer.resize'),
    'aria-label': t('drawer.resize'),
    'aria-orientation': 'horizontal',
    'aria-controls': 'drawer-body',
    'aria-valuemin': LEAST,
    'data-test': 'drawer-separator',
    onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
    onpointerdown: (/** @type {PointerEvent} */ event) => this.#separator.setPointerCapture(event.pointerId),
    onpointermove: (/** @type {PointerEvent} */ event) => this.#drag(event),
    ondblclick: () => this.#resize(FIRST),
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

  /** The most that leaves room for rows. */
  get #most() {
    return Math.max(LEAST, this.element.offsetHeight + (this.#rows.offsetHeight || Infinity) - ROWS);
  }

  /** @param {number} height */
  #show(height) {
    for (const one of [this.element, this.#rows]) one.style.setProperty('--drawer', `${height}px`);
    this.#separator.setAttribute('aria-valuenow', String(height));
  }

  /** @param {number} height as wanted */
  #resize(height) {
    if (!this.#open) this.#setOpen(true);
    const most = this.#most;
    const fits = Math.round(Math.max(LEAST, Math.min(most, height)));
    if (Number.isFinite(most)) this.#separator.setAttribute('aria-valuemax', String(most));
    this.#show(fits);
    environment().remember('drawer', String(fits));
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

  /** @param {PointerEvent} event */
  #drag(event) {
    if (this.#separator.hasPointerCapture(event.pointerId)) this.#resize(this.element.getBoundingClientRect().bottom - event.clientY);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const height = this.element.clientHeight;
    const to = {ArrowUp: height + KEY, ArrowDown: height - KEY, Home: LEAST, End: this.#most}[event.key];
    if (to !== undefined) this.#resize(to);
    else if (event.key === 'Enter') this.#setOpen(!this.#open);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
