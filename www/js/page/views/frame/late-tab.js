// A tab whose script is loaded when it is first opened.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./results.js').Panel} Panel */
/** @typedef {typeof import('../seldom.js')} Seldom */

/** The script, once it is there: further tabs need not wait. @type {Seldom | undefined} */
let seldom;

/** The tab, or a place for it. */
export class LateTab {
  #app;
  #make;
  /** @type {Panel | undefined} */
  #tab;
  #place = h('div', {role: 'status', 'data-test': 'late-tab'});
  /** @type {State | undefined} */
  #now;

  /** @param {Pick<import('../../app.js').App, 'seldomTabs'>} app @param {(script: Seldom) => Panel} make */
  constructor(app, make) {
    this.#app = app;
    this.#make = make;
    if (seldom) this.#tab = make(seldom);
    else this.#load();
  }

  async #load() {
    this.#place.setAttribute('aria-busy', 'true');
    fill(this.#place);
    try {
      seldom = await this.#app.seldomTabs();
    } catch {
      this.#place.removeAttribute('aria-busy');
      const again = h('button', {type: 'button', class: 'button', onclick: () => this.#load()}, t('late.again'));
      fill(this.#place, h('p', {class: 'hint'}, t('late.failed')), again);
      return;
    }
    this.#put(seldom);
  }

  /** @param {Seldom} script */
  #put(script) {
    this.#tab = this.#make(script);
    // Another tab may be open by now.
    const isShown = this.#place.isConnected;
    this.#place.replaceWith(this.#tab.element);
    if (isShown && this.#now) this.#tab.show(this.#now, undefined);
  }

  get element() {
    return this.#tab?.element ?? this.#place;
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    this.#now = now;
    // Another tab may have loaded the script since this one failed to.
    if (seldom && !this.#tab && !this.#place.hasAttribute('aria-busy')) this.#put(seldom);
    else this.#tab?.show(now, before);
  }

  search() {
    this.#tab?.search?.();
  }

  /** Draws the charts again. */
  redraw() {
    this.#tab?.redraw?.();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return this.#tab?.key?.(event) ?? false;
  }
}
